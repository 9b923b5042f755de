"""Analytic score models: the papers' numbers, look-ups and their inverses, samples, bad input."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from brute_force_models import Model
from laws.sources import MODELS, source
from refusals import refused
from scipy import integrate, stats

import costspace as cs
from costspace import AnalyticScores, ConditionError, ScoreError, SourceError
from costspace.scores import ScoreDensity

NAN = float("nan")
CONVEX = [name for name, case in MODELS.items() if case.convex]
NOT_CONVEX = [name for name, case in MODELS.items() if not case.convex]
each_model = pytest.mark.parametrize("name", MODELS)


def model(name: str) -> AnalyticScores:
    return source(f"model_{name}")


def oracle(name: str) -> Model:
    return MODELS[name].oracle


def falling(x: np.ndarray) -> np.ndarray:
    return 2 * (1 - x)


def rising(x: np.ndarray) -> np.ndarray:
    return 2 * x


@cache
def refinement(name: str) -> float:
    """The integral of p0 f0 p1 f1 / (p0 f0 + p1 f1), Theorem 13 of JMLR 13, by scipy."""
    known = oracle(name)
    p = known.prevalence

    def height(t: float) -> float:
        negative, positive = ((1 - p) * known.pdfs[0](t), p * known.pdfs[1](t))
        total = negative + positive
        return float(negative * positive / total) if total > 0 else 0.0

    parts = zip(known.edges[:-1], known.edges[1:], strict=True)
    return float(sum(integrate.quad(height, a, b, epsabs=1e-15)[0] for a, b in parts))


# --- The papers' numbers -------------------------------------------------------------------------

# Of JMLR 13, Appendix A, and in closed form where there is one.
STATED = {
    "figure_8": (0.1025619, None),
    "figure_9": (0.2268317, None),
    "figure_11": (0.25, 1 / 4),
    "figure_12": (0.25, 1 / 4),
    "figure_13": (0.244587, (1 - np.log(5 / 3)) / 2),
    "figure_15": (0.0454545, 1 / 22),
}


@pytest.mark.parametrize("name", STATED)
def test_optimal_losses_of_the_figures(name: str) -> None:
    stated, exact = STATED[name]
    found = cs.expected_loss(model(name), choice=cs.Optimal())
    assert found == pytest.approx(stated, abs=6e-7 if name == "figure_13" else 6e-8)
    assert found == pytest.approx(refinement(name) if exact is None else exact, abs=1e-11)


def test_numbers_of_figure_9() -> None:
    points = model("figure_9").by_score.at([1 / 3, 3 / 4])
    np.testing.assert_allclose(1 - points.fpr, [8 / 21, 6 / 7], atol=1e-13)
    conditions = model("figure_9").optimal_condition([1 / 3, 0.5, 0.7499])
    np.testing.assert_allclose(conditions, 21 / 41, atol=1e-13)
    height = cs.pointwise.refinement_density(model("figure_9"), t=0.5)
    assert height == pytest.approx(12 / 41, abs=1e-13)
    assert height * (3 / 4 - 1 / 3) == pytest.approx(5 / 41, abs=1e-13)


@pytest.mark.parametrize("name", CONVEX)
def test_the_optimal_loss_of_convex_models_is_the_refinement_loss(name: str) -> None:
    # JMLR, Theorem 14.
    found = cs.expected_loss(model(name), choice=cs.Optimal())
    assert found == pytest.approx(refinement(name), abs=2e-11)
    assert cs.refinement_loss(model(name), partition="roc") == pytest.approx(found, abs=2e-11)


@pytest.mark.parametrize("name", NOT_CONVEX)
def test_the_optimal_loss_of_other_models_is_above_the_refinement_loss(name: str) -> None:
    # As of Figure 10.
    assert cs.expected_loss(model(name), choice=cs.Optimal()) > refinement(name) + 1e-3


@pytest.mark.parametrize("name", [name for name, case in MODELS.items() if case.probabilities])
def test_brier_is_calibration_and_refinement_loss(name: str) -> None:
    # JMLR, Theorem 13.
    parts = [f(model(name), partition="roc") for f in (cs.calibration_loss, cs.refinement_loss)]
    assert sum(parts) == pytest.approx(cs.brier_score(model(name)), abs=1e-11)
    assert parts[1] == pytest.approx(refinement(name), abs=2e-11)


def test_a_calibrated_model() -> None:
    # Figure 5: c(T) = T, so score-driven is optimal and MAE is twice the Brier score.
    triangles = model("figure_5")
    c = np.linspace(0, 1, 101)
    np.testing.assert_allclose(triangles.optimal_condition(c), c, atol=1e-15)
    curves = [cs.loss_curve(triangles, choice=f)(c) for f in (cs.ScoreDriven(), cs.Optimal())]
    np.testing.assert_allclose(*curves, atol=1e-13)
    assert cs.miscalibration(triangles) == pytest.approx(0, abs=1e-13)
    assert cs.mean_absolute_error(triangles) == pytest.approx(2 * cs.brier_score(triangles))
    shifted = triangles.with_prevalence(0.1)
    assert cs.miscalibration(shifted) > 0.01
    found = cs.expected_loss(shifted, choice=cs.ScoreDriven(calibrated_to=0.5))
    assert found == pytest.approx(cs.expected_loss(shifted, choice=cs.Optimal()), abs=1e-12)


# --- Look-ups ----------------------------------------------------------------------------------


@each_model
def test_points_at_scores(name: str) -> None:
    known, t = oracle(name), np.linspace(-2, 3, 41)
    for most in (False, True):
        points = model(name).by_score.at(t, most=most)
        np.testing.assert_allclose(points.fpr, 1 - known.cdfs[0](t), atol=1e-13)
        np.testing.assert_allclose(points.fnr, known.cdfs[1](t), atol=1e-13)
    np.testing.assert_array_equal(model(name).block_of(t), t)


@each_model
def test_points_at_shares(name: str) -> None:
    p, share = oracle(name).prevalence, np.concatenate([np.linspace(0, 1, 101), [1e-9, 1 - 1e-9]])
    order, scores = np.argsort(share), model(name)
    for look_up, w in ((scores.by_flagged, p), (scores.by_fpr, 0), (scores.by_tpr, 1)):
        fewest, most = (look_up.at(share, most=most) for most in (False, True))
        for points in (fewest, most):
            found = (1 - w) * points.fpr + w * (1 - points.fnr)
            np.testing.assert_allclose(found, share, atol=1e-14)
            assert np.diff(points.fpr[order]).min() >= -1e-15
            assert np.diff(points.fnr[order]).max() <= 1e-15
        assert np.all(fewest.fpr <= most.fpr + 1e-15)
        assert np.all(fewest.fnr >= most.fnr - 1e-15)
        ends = fewest.fpr[0], fewest.fnr[0], most.fpr[100], most.fnr[100]
        np.testing.assert_allclose(ends, (0, 1, 1, 0), atol=1e-15)


@each_model
def test_points_at_skews(name: str) -> None:
    z = np.concatenate([np.linspace(0, 1, 101), [1e-6, 1 - 1e-6]])
    points = model(name).by_skew.at(z)
    expected = oracle(name).loss("optimal", "skew", z)
    np.testing.assert_allclose(z * points.fpr + (1 - z) * points.fnr, expected, atol=1e-13)
    order = np.argsort(z)
    assert np.diff(points.fpr[order]).max() <= 1e-12
    assert np.diff(points.fnr[order]).min() >= -1e-12


@each_model
def test_the_best_threshold_flags_a_score_below_its_skew(name: str) -> None:
    s, z = oracle(name).nodes[0][5::24], np.linspace(0.013, 0.987, 53)
    best = model(name).by_skew.at(z).fpr
    flagged = z < model(name).skew_at_score(s)[:, None]
    below = 1 - oracle(name).cdfs[0](s)[:, None]
    # Where a negative's score is flagged, the threshold is below it.
    assert np.all((best >= below - 1e-9) | ~flagged)
    assert np.all((best <= below + 1e-9) | flagged)


@each_model
def test_skews_of_scores_ascend(name: str) -> None:
    low, high = oracle(name).edges[[0, -1]]
    s = np.linspace(low - 1, high + 1, 301)
    skew = model(name).skew_at_score(s)
    assert skew.min() >= 0
    assert skew.max() <= 1
    assert np.diff(skew).min() >= -1e-9


def test_slopes_and_conditions() -> None:
    # Figure 15: only negatives, both, only positives, none.
    figure = model("figure_15")
    t = [0.3, 0.55, 0.8, 1.5]
    np.testing.assert_allclose(figure.slope(t), [0, 1.2, np.inf, NAN])
    np.testing.assert_allclose(figure.optimal_condition(t), [0, 6 / 11, 1, NAN])
    rare = figure.with_prevalence(0.1)
    np.testing.assert_allclose(rare.slope(t), figure.slope(t))
    np.testing.assert_allclose(rare.optimal_condition(0.55), 0.2 / (0.2 + 0.9 / 0.6))
    assert np.ndim(figure.slope(0.3)) == np.ndim(figure.optimal_condition(0.3)) == 0


@each_model
def test_ranges_and_breaks(name: str) -> None:
    scores = model(name)
    low, high = scores.score_range
    assert low < high
    look_ups = scores.by_score, scores.by_flagged, scores.by_fpr, scores.by_tpr, scores.by_skew
    for look_up in look_ups:
        assert np.all(np.diff(look_up.kinks) >= 0)
    for shares in look_ups[1:4]:
        assert shares.kinks[[0, -1]].tolist() == [0, 1]
    assert np.all((scores.by_skew.kinks >= 0) & (scores.by_skew.kinks <= 1))
    assert repr(scores) == f"AnalyticScores(prevalence {scores.prevalence:g})"


def test_reweighting_shares_the_densities() -> None:
    rare = model("figure_8").with_prevalence(0.01)
    assert rare.prevalence == 0.01
    assert rare.pair is model("figure_8").pair
    assert cs.auc(rare) == cs.auc(model("figure_8"))


# --- Convexification -----------------------------------------------------------------------------


@each_model
def test_convexity(name: str) -> None:
    assert model(name).is_convex == MODELS[name].convex
    if MODELS[name].convex:
        assert model(name).convexified() is model(name)


def test_shallow_concavities() -> None:
    # c(T) dips twenty times, each dip a millionth of the ROC square deep.
    ripple = ScoreDensity(lambda x: 0.5 + x + 0.01 * np.sin(40 * np.pi * x))
    scores = AnalyticScores(np.ones_like, ripple, 0.5)
    assert not scores.is_convex
    assert len(scores.pair.bridges[0]) == 20
    gained = scores.auc_hull - scores.auc
    assert 1e-9 < gained < 1e-4
    assert scores.convexified().is_convex
    x = np.linspace(0, 1, 20_001)
    lines = np.stack([1 - x, (x + x**2) / 2 + (1 - np.cos(40 * np.pi * x)) / (4000 * np.pi)])
    for z in (0.4, 0.5, 0.55):
        least = np.min(z * lines[0] + (1 - z) * lines[1])
        found = cs.loss_curve(scores, choice=cs.Optimal(), axis="skew")(z)
        assert found == pytest.approx(least, abs=1e-8)


@pytest.mark.parametrize("name", NOT_CONVEX)
def test_convexifying_keeps_the_optimal_loss(name: str) -> None:
    # JMLR, Theorem 12.
    convex = model(name).convexified()
    assert convex.is_convex
    c = np.linspace(0, 1, 101)
    for axis in ("cost", "skew"):
        before, after = (
            cs.loss_curve(m, choice=cs.Optimal(), axis=axis) for m in (model(name), convex)
        )
        np.testing.assert_allclose(before(c), after(c), atol=1e-10)
        areas = [curve.expectation(cs.Uniform()) for curve in (before, after)]
        assert areas[0] == pytest.approx(areas[1], abs=1e-10)
    assert cs.auc(convex) == pytest.approx(cs.auc_hull(model(name)), abs=1e-10)
    assert cs.auc_hull(convex) == pytest.approx(cs.auc(convex), abs=1e-10)
    assert cs.auc(convex) > cs.auc(model(name)) + 1e-3
    p = convex.prevalence
    area = cs.loss_curve(convex, choice=cs.RateDriven()).expectation(cs.Uniform())
    assert area == pytest.approx(p * (1 - p) * (1 - 2 * cs.auc(convex)) + 1 / 3, abs=1e-10)


@pytest.mark.parametrize("name", NOT_CONVEX)
def test_convexifying_only_spreads_scores(name: str) -> None:
    given, convex, t = model(name), model(name).convexified(), np.linspace(-1, 2, 601)
    before, after = given.by_score.at(t), convex.by_score.at(t)
    start, end = given.pair.bridges
    elsewhere = np.all((t[:, None] < start) | (t[:, None] > end), axis=1)
    np.testing.assert_array_equal(before.fpr[elsewhere], after.fpr[elsewhere])
    np.testing.assert_array_equal(before.fnr[elsewhere], after.fnr[elsewhere])
    assert np.diff(after.fpr).max() <= 1e-15
    # At the very ends of a stretch either of two densities will do.
    inner = t[np.all((t[:, None] != start) & (t[:, None] != end), axis=1)]
    condition = convex.optimal_condition(inner)
    assert np.diff(condition[~np.isnan(condition)]).min() >= -1e-9


# --- Samples -----------------------------------------------------------------------------------

CHOICES = {
    "score_fixed": cs.ScoreFixed(0.4),
    "score_uniform": cs.ScoreUniform(0.1, 0.8),
    "score_driven": cs.ScoreDriven(),
    "score_driven_corrected": cs.ScoreDriven(calibrated_to=0.2),
    "rate_fixed": cs.RateFixed(0.3),
    "rate_uniform": cs.RateUniform(),
    "rate_driven": cs.RateDriven(),
    "optimal": cs.Optimal(),
    "noisy": cs.NoisyCondition(cs.RateFixed(0.3), stats.norm(0, 0.1)),
}
METRICS: dict[str, Callable[[Any], float]] = {
    "auc": cs.auc,
    "auc_hull": cs.auc_hull,
    "brier": cs.brier_score,
    "mae": cs.mean_absolute_error,
    "accuracy": cs.accuracy,
    "miscalibration": cs.miscalibration,
    "h_measure": lambda scores: cs.h_measure(scores, costs=cs.Beta(2, 2)),
    "voros": cs.voros,
    "partial": lambda scores: cs.partial_brier_score(scores, low=0.2, high=0.6),
    **{
        name: lambda scores, choice=choice: cs.expected_loss(
            scores, choice=choice, costs=cs.Beta(2, 3), axis="skew"
        )
        for name, choice in CHOICES.items()
    },
}


def sample(name: str, n: int, generator: np.random.Generator) -> cs.ScoreTable:
    """A table of n scores of each class, the classes weighted as in the model."""
    t = np.linspace(0, 1, 100_001)
    scores = [np.interp(generator.random(n), cdf(t), t) for cdf in oracle(name).cdfs]
    table = cs.ScoreTable.from_predictions(np.repeat([0, 1], n), np.concatenate(scores))
    return table.with_prevalence(oracle(name).prevalence)


@pytest.mark.parametrize("name", ["waves", "skewed_figure_8"])
def test_samples_converge_to_the_model(name: str) -> None:
    generator = np.random.default_rng(0)
    exact = np.array([metric(model(name)) for metric in METRICS.values()])
    spread = {}
    for n in (200, 3200):
        tables = [sample(name, n, generator) for _ in range(16)]
        found = np.array([[metric(table) for metric in METRICS.values()] for table in tables])
        spread[n] = np.sqrt(np.mean((found - exact) ** 2, axis=0))
    # Errors shrink like the root of n, by 4, those of hulls faster; the root of the mean of 16
    # squares is good to 18 %.
    ratio = spread[200] / spread[3200]
    assert np.all((ratio > 2) & (ratio < 12)), dict(zip(METRICS, ratio, strict=True))
    assert np.all(spread[3200] < 0.05)


@pytest.mark.parametrize("name", ["figure_9", "waves"])
def test_curves_of_samples_converge_to_those_of_the_model(name: str) -> None:
    generator, c = np.random.default_rng(1), np.linspace(0.005, 0.995, 100)
    table = sample(name, 40_000, generator)
    for choice in (cs.ScoreDriven(), cs.RateDriven(), cs.Optimal()):
        gap = cs.loss_curve(table, choice=choice)(c) - cs.loss_curve(model(name), choice=choice)(c)
        # Five standard errors of a rate at worst.
        assert np.abs(gap).max() < 5 * 0.5 / np.sqrt(40_000)


# --- Choices fitted on a model -------------------------------------------------------------------


def test_thresholds_of_a_model_on_a_table() -> None:
    table = sample("figure_8", 50, np.random.default_rng(2))
    figure, c = model("figure_8"), np.linspace(0.01, 0.99, 99)
    fitted = cs.loss_curve(table, choice=cs.Fitted(cs.Optimal(), figure))
    # The best threshold for c flags the scores whose c(T) is above c.
    scores = [side.values.astype(float) for side in (table.negatives, table.positives)]
    fpr, fnr = (np.mean(figure.optimal_condition(s) > c[:, None], axis=1) for s in scores)
    fnr = 1 - fnr
    np.testing.assert_allclose(fitted(c), c * fpr + (1 - c) * fnr, atol=1e-12)
    by_rate = cs.loss_curve(table, choice=cs.Fitted(cs.RateDriven(), figure))
    below = [(oracle("figure_8").cdfs[0](s) + oracle("figure_8").cdfs[1](s)) / 2 for s in scores]
    fpr, tpr = (np.mean(rate > c[:, None], axis=1) for rate in below)
    np.testing.assert_allclose(by_rate(c), c * fpr + (1 - c) * (1 - tpr), atol=1e-12)


def test_functions_that_need_rows_refuse_a_model() -> None:
    figure = model("figure_8")
    with refused(SourceError, "the scores of each row are needed, got AnalyticScores"):
        cs.loss_shares(figure, None, choice=cs.Optimal())
    for choice in (cs.RateDriven(stepped=True), cs.RateUniform(stepped=True)):
        with refused(SourceError, "needs a ScoreTable ("):
            cs.expected_loss(figure, choice=choice)
    with refused(SourceError, "chosen on densities, can be applied to finitely many scores"):
        cs.loss_curve(figure, choice=cs.Fitted(cs.Optimal(), figure))
    with refused(SourceError, "Murphy's partition needs the rows of a ScoreTable"):
        cs.decomposition.partition_scores(figure)


# --- Extremes ----------------------------------------------------------------------------------


@pytest.mark.parametrize("prevalence", [1e-12, 1e-6, 1 - 1e-6])
@pytest.mark.parametrize("name", ["figure_8", "waves", "binormal_unequal", "gap"])
def test_extreme_prevalences(name: str, prevalence: float) -> None:
    scores, known = model(name).with_prevalence(prevalence), oracle(name)
    c = np.concatenate([np.linspace(0.01, 0.99, 50), [1e-6, 1 - 1e-6]])
    for method, choice in (("rate_driven", cs.RateDriven()), ("optimal", cs.Optimal())):
        curve = cs.loss_curve(scores, choice=choice)
        expected = known.with_prevalence(prevalence).loss(method, "cost", c)
        np.testing.assert_allclose(curve(c), expected, atol=1e-13)
        area = curve.expectation(cs.Uniform())
        assert area == pytest.approx(cs.expected_loss(scores, choice=choice), abs=3e-12)
        assert 0 <= area <= 0.5


@pytest.mark.parametrize("width", [1e-3, 1e-6])
def test_narrow_densities(width: float) -> None:
    # Both concentrated in a small range, as in Figure 12, but apart; near 0.4 floats are 1e-16
    # from each other.
    scores = AnalyticScores(
        stats.uniform(0.4, width), stats.uniform(0.4 + width / 2, width), prevalence=0.5
    )
    assert scores.auc == pytest.approx(7 / 8, abs=1e-6)
    assert cs.expected_loss(scores, choice=cs.Optimal()) == pytest.approx(1 / 8, abs=1e-6)
    # Negatives cost c^2 up to their score and positives (1 - c)^2 from theirs on.
    brier = (0.4**2 + 0.6**2) / 2
    assert cs.brier_score(scores) == pytest.approx(brier, abs=2 * width + 1e-8)
    area = cs.loss_curve(scores, choice=cs.ScoreDriven()).expectation(cs.Uniform())
    assert area == pytest.approx(cs.brier_score(scores), abs=1e-8)


def test_scores_far_from_0() -> None:
    near = AnalyticScores(stats.norm(0, 1), stats.norm(1, 2), 0.3)
    far = AnalyticScores(stats.norm(1e6, 1), stats.norm(1e6 + 1, 2), 0.3)
    for choice in (cs.RateDriven(), cs.Optimal()):
        losses = [cs.expected_loss(m, choice=choice) for m in (near, far)]
        assert losses[0] == pytest.approx(losses[1], abs=1e-9)
    assert far.auc == pytest.approx(near.auc, abs=1e-9)
    assert far.auc_hull == pytest.approx(near.auc_hull, abs=1e-9)


def test_heavy_tails() -> None:
    scores = AnalyticScores(stats.cauchy(0, 1), stats.cauchy(1, 1), 0.4)
    t = np.tan(np.pi * (np.linspace(0, 1, 200_001)[1:-1] - 0.5))
    below = stats.cauchy(0, 1).cdf(t), stats.cauchy(1, 1).cdf(t)
    area = float(np.sum(np.diff(below[1]) * (below[0][1:] + below[0][:-1]) / 2))
    assert scores.auc == pytest.approx(area, abs=1e-5)
    for c in (0.2, 0.5, 0.8):
        losses = 2 * (c * 0.6 * (1 - below[0]) + (1 - c) * 0.4 * below[1])
        least = min(losses.min(), 2 * c * 0.6, 2 * (1 - c) * 0.4)
        found = cs.loss_curve(scores, choice=cs.Optimal())(c)
        assert found == pytest.approx(least, abs=1e-8)


# --- Bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize("prevalence", [0, 1, -0.1, 2, NAN, "x", None])
def test_bad_prevalences(prevalence: Any) -> None:
    for call in (
        lambda: AnalyticScores(falling, rising, prevalence),
        lambda: model("figure_8").with_prevalence(prevalence),
    ):
        with refused(ConditionError, "prevalence must be"):
            call()


@pytest.mark.parametrize(
    "bad",
    [
        *(None, 3, "norm", [1, 2], stats.poisson(3), stats.norm([0, 1], 1), stats.beta),
        *(stats.norm, stats.multivariate_normal([0, 0]), stats.beta(-1, 2)),
    ],
)
def test_an_argument_that_is_not_a_distribution_is_refused(bad: Any) -> None:
    text = (
        "the scores of a class need one frozen continuous scipy distribution, a ScoreDensity or "
        "a density on [0, 1], got "
    )
    for pair in ((bad, rising), (falling, bad)):
        with refused(ScoreError, text):
            AnalyticScores(*pair, 0.5)


def test_no_density() -> None:
    with refused(ScoreError, "a density must integrate to 1, got 0.5: scale it."):
        AnalyticScores(lambda x: x, rising, 0.5)
    with refused(ScoreError, "a density must not be negative, got -1."):
        AnalyticScores(falling, lambda x: 4 * x - 1, 0.5)


def test_scores_outside_0_and_1() -> None:
    with refused(ScoreError, "the score-driven choice needs scores in [0, 1], got scores from"):
        cs.loss_curve(model("binormal"), choice=cs.ScoreDriven())
    with refused(ScoreError, "needs scores in [0, 1]"):
        cs.brier_score(model("exponential"))
    wide = AnalyticScores(ScoreDensity(lambda x: 0 * x + 0.5, -0.5, 1.5), rising, 0.5)
    with refused(ScoreError, "needs scores in [0, 1], got scores from -0.5 to 1.5"):
        cs.calibration_loss(wide)
