"""Losses score by score, and the stretches of a convex model (JMLR 13, Appendix A)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from brute_force import between
from brute_force_models import RULE
from laws.sources import MODELS, source
from refusals import refused

import costspace as cs
from costspace import ScoreError, SourceError

CONVEX = [name for name, case in MODELS.items() if case.convex]
NOT_CONVEX = [name for name, case in MODELS.items() if not case.convex]
INF = float("inf")


def model(name: str) -> cs.AnalyticScores:
    return source(f"model_{name}")


def area(f: Callable[[np.ndarray], Any], edges: np.ndarray) -> float:
    """The integral of f, smooth between the edges, by Gauss's rule."""
    at, share = between(edges, RULE)
    return float(share @ f(at))


@pytest.mark.parametrize("prevalence", [None, 0.01, 0.7])
@pytest.mark.parametrize("name", MODELS)
def test_refinement_and_calibration_at_each_score(name: str, prevalence: float | None) -> None:
    scores, known = model(name), MODELS[name].oracle
    p = known.prevalence if prevalence is None else prevalence
    scores = scores if prevalence is None else scores.with_prevalence(prevalence)
    t = known.nodes[0][::5]
    negative, positive = (1 - p) * known.pdfs[0](t), p * known.pdfs[1](t)
    total = negative + positive
    share = np.divide(positive, total, out=np.zeros_like(total), where=total > 0)
    refinement = cs.pointwise.refinement_density(scores, t=t)
    np.testing.assert_allclose(refinement, share * (1 - share) * total, rtol=1e-9, atol=1e-13)
    if MODELS[name].probabilities:
        calibration = cs.pointwise.calibration_density(scores, t=t)
        np.testing.assert_allclose(calibration, (t - share) ** 2 * total, rtol=1e-9, atol=1e-13)
        outside = [-100.0, 1000.0]
        assert cs.pointwise.refinement_density(scores, t=outside).tolist() == [0, 0]
        assert cs.pointwise.calibration_density(scores, t=outside).tolist() == [0, 0]


@pytest.mark.parametrize("name", ["figure_8", "figure_9", "figure_13", "waves", "steps", "gap"])
def test_their_areas_are_the_losses(name: str) -> None:
    edges = MODELS[name].oracle.edges
    refinement = area(lambda t: cs.pointwise.refinement_density(model(name), t=t), edges)
    calibration = area(lambda t: cs.pointwise.calibration_density(model(name), t=t), edges)
    assert cs.refinement_loss(model(name), partition="roc") == pytest.approx(refinement, abs=1e-11)
    assert cs.calibration_loss(model(name)) == pytest.approx(calibration, abs=1e-11)
    assert refinement + calibration == pytest.approx(cs.brier_score(model(name)), abs=1e-11)


def test_the_slope_of_figure_8() -> None:
    # The paper states c'(x) = 2 (3 - 2 x) x^2 / (-1 + x - 2 x^3)^2.
    x = np.linspace(0.001, 0.999, 101)
    c = 4 * x**3 / (2 * (1 - x) + 4 * x**3)
    loss = c * (1 - x) ** 2 + (1 - c) * x**4
    slope = 2 * (3 - 2 * x) * x**2 / (-1 + x - 2 * x**3) ** 2
    found = cs.pointwise.optimal_loss_density(model("figure_8"), t=x)
    np.testing.assert_allclose(found, loss * slope, rtol=0, atol=3e-9)


def test_of_a_calibrated_model_all_three_curves_agree() -> None:
    # Figure 5.
    c = np.linspace(0.01, 0.99, 99)
    loss = cs.loss_curve(model("figure_5"), choice=cs.Optimal())(c)
    np.testing.assert_allclose(
        cs.pointwise.optimal_loss_density(model("figure_5"), t=c), loss, atol=1e-9
    )
    np.testing.assert_allclose(
        cs.pointwise.refinement_density(model("figure_5"), t=c), loss, atol=1e-12
    )
    np.testing.assert_allclose(
        cs.pointwise.calibration_density(model("figure_5"), t=c), 0, atol=1e-15
    )


def loss_of_singular_intervals(scores: cs.AnalyticScores) -> float:
    """Equation 45: over a singular interval one threshold is for a range of conditions."""
    intervals, p = cs.pointwise.score_intervals(scores), scores.prevalence
    total = 0.0
    for kind, *ends in zip(*intervals.columns().values(), strict=True):
        if kind == "singular":
            t_low, _, low, high = ends
            if np.isfinite(t_low):
                points = scores.by_score.at(t_low)
            else:
                points = cs.OperatingPoints(
                    np.array(1.0 * (t_low < 0)), np.array(1.0 * (t_low > 0))
                )
            as_negative = (1 - p) * points.fpr * (high**2 - low**2)
            total += as_negative + p * points.fnr * ((1 - low) ** 2 - (1 - high) ** 2)
    return float(total)


@pytest.mark.parametrize("prevalence", [None, 0.1])
@pytest.mark.parametrize("name", CONVEX)
def test_bijective_and_singular_intervals_make_the_optimal_loss(
    name: str, prevalence: float | None
) -> None:
    # Lemma 25.
    scores = model(name) if prevalence is None else model(name).with_prevalence(prevalence)
    edges = np.union1d(MODELS[name].oracle.edges, scores.pair.kinks)
    bijective = area(lambda t: cs.pointwise.optimal_loss_density(scores, t=t), edges)
    expected = cs.expected_loss(scores, choice=cs.Optimal())
    # Differences cannot follow c(T) where its slope has a pole.
    tolerance = 1e-5 if name == "betas_with_a_pole" else 1e-6
    total = bijective + loss_of_singular_intervals(scores)
    assert total == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize("name", NOT_CONVEX)
def test_lemma_25_after_convexification(name: str) -> None:
    convex = model(name).convexified()
    edges = np.union1d(MODELS[name].oracle.edges, convex.pair.kinks)
    bijective = area(lambda t: cs.pointwise.optimal_loss_density(convex, t=t), edges)
    expected = cs.expected_loss(model(name), choice=cs.Optimal())
    assert bijective + loss_of_singular_intervals(convex) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", NOT_CONVEX)
def test_refinement_after_convexification_is_the_optimal_loss(name: str) -> None:
    # JMLR, Theorems 12 and 14.
    convex = model(name).convexified()
    edges = np.union1d(MODELS[name].oracle.edges, convex.pair.kinks)
    refinement = area(lambda t: cs.pointwise.refinement_density(convex, t=t), edges)
    expected = cs.expected_loss(model(name), choice=cs.Optimal())
    assert refinement == pytest.approx(expected, abs=1e-8)
    assert cs.refinement_loss(convex, partition="roc") == pytest.approx(expected, abs=1e-8)


# --- Intervals ---------------------------------------------------------------------------------

C_9, C_15 = 21 / 41, 6 / 11
# Kind, thresholds and conditions, as the captions state them.
INTERVALS = {
    "figure_5": [("bijective", 0, 1, 0, 1)],
    "figure_8": [("bijective", 0, 1, 0, 1)],
    "figure_9": [
        ("bijective", 0, 1 / 3, 0, C_9),
        ("constant", 1 / 3, 3 / 4, C_9, C_9),
        ("bijective", 3 / 4, 1, C_9, 1),
    ],
    "figure_11": [
        ("singular", 0, 0, 0, 0.5),
        ("constant", 0, 1, 0.5, 0.5),
        ("singular", 1, 1, 0.5, 1),
    ],
    "figure_12": [
        ("singular", 0.495, 0.495, 0, 0.5),
        ("constant", 0.495, 0.505, 0.5, 0.5),
        ("singular", 0.505, 0.505, 0.5, 1),
    ],
    "figure_13": [
        ("singular", 0, 0, 0, 1 / 3),
        ("bijective", 0, 1, 1 / 3, 0.6),
        ("singular", 1, 1, 0.6, 1),
    ],
    "figure_15": [
        ("constant", 0, 0.5, 0, 0),
        ("singular", 0.5, 0.5, 0, C_15),
        ("constant", 0.5, 0.6, C_15, C_15),
        ("singular", 0.6, 0.6, C_15, 1),
        ("constant", 0.6, 1, 1, 1),
    ],
    "gap": [
        ("constant", 0, 0.2, 0, 0),
        ("singular", 0.2, 0.7, 0, 1),
        ("constant", 0.7, 1, 1, 1),
    ],
    "betas": [("bijective", 0, 1, 0, 1)],
    "binormal": [("bijective", -INF, INF, 0, 1)],
    "exponential": [
        ("singular", 0, 0, 0, 0.06 / 0.76),
        ("bijective", 0, INF, 0.06 / 0.76, 1),
    ],
}


def rows(intervals: cs.pointwise.ScoreIntervals) -> list[tuple[Any, ...]]:
    return list(zip(*intervals.columns().values(), strict=True))


@pytest.mark.parametrize("name", INTERVALS)
def test_intervals_of_the_figures(name: str) -> None:
    found = rows(cs.pointwise.score_intervals(model(name)))
    assert [kind for kind, *_ in found] == [kind for kind, *_ in INTERVALS[name]]
    for row, expected in zip(found, INTERVALS[name], strict=True):
        assert row[1:] == pytest.approx(expected[1:], abs=1e-8)


@pytest.mark.parametrize("prevalence", [1e-6, 0.2, 0.9])
@pytest.mark.parametrize("name", INTERVALS)
def test_reweighting_moves_conditions_only(name: str, prevalence: float) -> None:
    scores = model(name)
    found = rows(cs.pointwise.score_intervals(scores.with_prevalence(prevalence)))
    expected = rows(cs.pointwise.score_intervals(scores))
    if prevalence > 1e-3:
        assert [row[:3] for row in found] == [row[:3] for row in expected]
    moved = [
        [
            cs.cost_from_skew(
                cs.skew_from_cost(c, prevalence=scores.prevalence), prevalence=prevalence
            )
            for c in row[3:]
        ]
        for row in expected
    ]
    # Of rare positives the end, where conditions rise steeply, may be an interval of its own.
    assert 0 <= len(found) - len(moved) <= 1
    tolerance = 2e-9 if len(moved) == len(found) else 1e-5
    np.testing.assert_allclose([row[3:] for row in found[: len(moved)]], moved, atol=tolerance)


@pytest.mark.parametrize("name", [*CONVEX, *NOT_CONVEX])
def test_intervals_follow_each_other(name: str) -> None:
    scores = model(name).convexified()
    intervals = cs.pointwise.score_intervals(scores)
    np.testing.assert_allclose(intervals.c_low[1:], intervals.c_high[:-1], atol=2e-9)
    assert (intervals.c_low[0], intervals.c_high[-1]) == pytest.approx((0, 1), abs=2e-9)
    assert np.all(intervals.t_low <= intervals.t_high)
    assert np.all(intervals.t_low[1:] >= intervals.t_high[:-1])
    assert set(intervals.kind) <= {"bijective", "constant", "singular"}
    width = intervals.c_high - intervals.c_low
    assert np.all((width > 0) == (intervals.kind != "constant"))
    low, high = scores.score_range
    assert (intervals.t_low[0], intervals.t_high[-1]) == (low, high)


def test_a_convexified_model_has_a_constant_interval_for_each_bridge() -> None:
    scores = model("waves")
    intervals = cs.pointwise.score_intervals(scores.convexified())
    constant = intervals.kind == "constant"
    start, end = scores.pair.bridges
    np.testing.assert_allclose(intervals.t_low[constant], start)
    np.testing.assert_allclose(intervals.t_high[constant], end)


def test_two_intervals_with_a_corner_between() -> None:
    # As in Figure 14: c(T) jumps where a density does.
    step = cs.scores.ScoreDensity(lambda x: np.where(x < 0.5, 0.5, 1.5), kinks=[0.5])
    scores = cs.AnalyticScores(lambda x: 2 * (1 - x), step, 0.5)
    found = rows(cs.pointwise.score_intervals(scores))
    assert [row[0] for row in found] == ["singular", "bijective", "singular", "bijective"]
    np.testing.assert_allclose([row[2] for row in found], [0, 0.5, 0.5, 1])
    np.testing.assert_allclose([row[4] for row in found], [0.2, 1 / 3, 0.6, 1], atol=1e-8)


def test_a_condition_that_hardly_rises_is_bijective_still() -> None:
    scores = cs.AnalyticScores(np.ones_like, lambda x: 1 + 1e-4 * (x - 0.5), 0.5)
    found = rows(cs.pointwise.score_intervals(scores))
    assert [row[0] for row in found] == ["singular", "bijective", "singular"]
    ends = (1 - 5e-5) / (2 - 5e-5), (1 + 5e-5) / (2 + 5e-5)
    np.testing.assert_allclose(found[1][3:], ends, atol=1e-9)


# --- Bad input ---------------------------------------------------------------------------------

FUNCTIONS = {
    "optimal_loss_density": lambda scores: cs.pointwise.optimal_loss_density(scores, t=0.5),
    "score_intervals": cs.pointwise.score_intervals,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("scores", NOT_CONVEX)
def test_only_convex_models_have_intervals(name: str, scores: str) -> None:
    with refused(SourceError, "the model must be convex, and c(T) of this one decreases"):
        FUNCTIONS[name](model(scores))
    FUNCTIONS[name](model(scores).convexified())


def test_calibration_needs_probabilities() -> None:
    with refused(ScoreError, "the calibration loss needs scores in [0, 1], got scores from -inf"):
        cs.pointwise.calibration_density(model("binormal"), t=0.5)


def test_shapes() -> None:
    for name in ("refinement_density", "calibration_density", "optimal_loss_density"):
        density = getattr(cs.pointwise, name)
        assert np.shape(density(model("figure_8"), t=0.5)) == ()
        assert np.shape(density(model("figure_8"), t=[[0.5, 0.6]])) == (1, 2)
        assert np.shape(density(model("figure_8"), t=[])) == (0,)
