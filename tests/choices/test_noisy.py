"""Conditions known with an error: against quadrature over the assumed condition, and simulation."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from brute_force import Sample, between
from brute_force_derived import LEVELS, loss_under_error
from brute_force_models import RULE, Model
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import AXES, CHOICES, COSTS, GRIDS, PLAIN, fit_for, predictions
from laws.sources import MODELS, source
from refusals import refused
from scipy import stats

import costspace as cs
from costspace import ConditionError, NoisyCondition

# How close the pieces of a noisy curve, and results from them, are to it.
TOLERANCE = 2e-9
ERRORS = {
    "normal": stats.norm(0, 0.1),
    "wide": stats.norm(0.2, 0.6),
    "biased": stats.norm(-0.07, 0.02),
    "uniform": stats.uniform(-0.1, 0.2),
    "triangle": stats.triang(0.3, -0.1, 0.25),
    "far": stats.uniform(2, 1),
    "one_sided": stats.expon(0, 0.05),
}
NOISE = ERRORS["normal"]
SAMPLES = predictions(GRIDS) | predictions(st.just(PLAIN), sizes=(2, 8))
Y = [0, 1, 0, 1, 1, 0]
S = [0.0, 0.3, 0.8, 0.7, 1.0, 0.3]
TABLE = cs.ScoreTable.from_predictions(Y, S)
CONSTANT = ["score_fixed", "score_uniform", "rate_fixed", "rate_uniform", "rate_uniform_stepped"]
FOLLOWING = ["score_driven", "score_driven_corrected", "rate_driven", "optimal"]
each_error = pytest.mark.parametrize("error", ERRORS)


def noisy(method: str, error: Any = NOISE) -> NoisyCondition:
    return NoisyCondition(CHOICES[method].choice, error)


# --- Tables ------------------------------------------------------------------------------------


@each_error
@pytest.mark.parametrize("method", [*FOLLOWING, "rate_driven_stepped", "rate_fixed"])
@given(st.data(), st.sampled_from(AXES), st.sampled_from([0.0, 0.013, 0.31, 0.5, 0.77, 1.0]))
@settings(max_examples=4)
def test_against_quadrature_over_the_assumed_condition(
    method: str, error: str, data: st.DataObject, axis: str, c: float
) -> None:
    case = CHOICES[method]
    sample = fit_for(case, data) if case.untied else data.draw(SAMPLES)
    curve = cs.loss_curve(sample.table, choice=noisy(method, ERRORS[error]), axis=axis)
    expected = loss_under_error(sample.oracle, case.method, axis, c, ERRORS[error])
    assert curve(c) == pytest.approx(expected, abs=1e-11)
    assert curve.left(c) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("method", FOLLOWING)
def test_weights_and_shifted_prevalences(method: str) -> None:
    generator = np.random.default_rng(3)
    y, s = np.resize([0, 1, 1], 12), np.round(generator.random(12), 1)
    w = generator.choice([0.1, 1.0, 10.0], 12)
    for prevalence in (None, 0.03):
        table = cs.ScoreTable.from_predictions(y, s, sample_weight=w)
        options = {"choice": noisy(method), "prevalence": prevalence}
        curve = cs.loss_curve(y, s, sample_weight=w, **options)
        from_table = cs.loss_curve(table, **options)
        oracle = Sample(y, s, w, prevalence)
        for c in (0.1, 0.5, 0.93):
            expected = loss_under_error(oracle, CHOICES[method].method, "cost", c, NOISE)
            assert curve(c) == pytest.approx(expected, abs=1e-11)
            assert curve(c) == from_table(c)


@pytest.mark.parametrize("method", FOLLOWING)
def test_against_simulation(method: str) -> None:
    generator = np.random.default_rng(0)
    size = 400_000
    c, error = generator.beta(2, 3, size), generator.normal(0, 0.1, size)
    assumed = np.clip(c + error, 0, 1)
    path = CHOICES[method].choice.path(TABLE)
    ends = path.columns()
    piece = np.clip(np.searchsorted(path.breaks, assumed, side="right") - 1, 0, None)
    piece = np.minimum(piece, len(path.breaks) - 2)
    width = (ends["to"] - ends["from"])[piece]
    along = np.divide(assumed - ends["from"][piece], width, out=0 * width, where=width > 0)
    fpr, fnr = (
        (1 - along) * ends[f"{rate}_start"][piece] + along * ends[f"{rate}_end"][piece]
        for rate in ("fpr", "fnr")
    )
    losses = c * fpr + (1 - c) * fnr
    found = cs.expected_loss(TABLE, choice=noisy(method), costs=cs.Beta(2, 3))
    assert found == pytest.approx(losses.mean(), abs=5 * losses.std() / np.sqrt(size))


# --- Models ------------------------------------------------------------------------------------


def loss_of_model(known: Model, method: str, c: float, error: Any) -> float:
    """The loss at c of a model, by Gauss's rule over the assumed condition in fine pieces."""
    p, f0, f1 = known.prevalence, known.cdfs[0](known.edges), known.cdfs[1](known.edges)
    beside = np.concatenate([known.edges - 1e-9, known.edges + 1e-9])
    negative, positive = (1 - p) * known.pdfs[0](beside), p * known.pdfs[1](beside)
    total = negative + positive
    kinks = {
        "score_driven": known.edges,
        "rate_driven": (1 - p) * f0 + p * f1,
        "optimal": np.divide(positive, total, out=np.zeros_like(total), where=total > 0),
    }[method]
    halves = 0.5 ** np.arange(1, 60)
    knots = c + np.concatenate([error.ppf(LEVELS), error.isf(LEVELS)])
    edges = np.concatenate([[0, 1], halves, 1 - halves[:50], knots, kinks])
    edges = np.unique(edges[(edges >= 0) & (edges <= 1)])
    a, share = between(edges, RULE)
    share = share * error.pdf(a - c)
    # At the ends the assumed condition has an atom.
    a, share = np.append(a, [0, 1]), np.append(share, [error.cdf(-c), error.sf(1 - c)])
    fpr, fnr = rates_of_model(known, method, a)
    return float(share @ (2 * (c * (1 - p) * fpr + (1 - c) * p * fnr)))


def rates_of_model(known: Model, method: str, a: np.ndarray) -> Any:
    p = known.prevalence
    if method == "score_driven":
        return 1 - known.cdfs[0](a), known.cdfs[1](a)
    if method == "rate_driven":
        t = known._threshold_of_rate(a, p)
        return 1 - known.cdfs[0](t), known.cdfs[1](t)
    # Optimal, of a model whose c(T) rises: the threshold at which c(T) reaches a.
    low, high = np.full(a.shape, known.edges[0]), np.full(a.shape, known.edges[-1])
    for _ in range(120):
        t = (low + high) / 2
        rises = p * known.pdfs[1](t) <= a * ((1 - p) * known.pdfs[0](t) + p * known.pdfs[1](t))
        low, high = np.where(rises, t, low), np.where(rises, high, t)
    return 1 - known.cdfs[0](low), known.cdfs[1](low)


@pytest.mark.parametrize("error", ["normal", "uniform"])
@pytest.mark.parametrize("method", ["score_driven", "rate_driven", "optimal"])
@pytest.mark.parametrize("name", ["figure_5", "figure_8", "figure_9", "figure_12", "figure_13"])
def test_noise_on_models(name: str, method: str, error: str) -> None:
    known, frozen = MODELS[name].oracle, ERRORS[error]
    curve = cs.loss_curve(source(f"model_{name}"), choice=noisy(method, frozen))
    for c in (0.0, 0.07, 0.33, 0.5, 0.81, 1.0):
        expected = loss_of_model(known, method, c, frozen)
        assert curve(c) == pytest.approx(expected, abs=TOLERANCE)


def test_noise_on_other_models() -> None:
    # Not less than the exact loss for the optimal choice, and towards it as the noise goes.
    for name in ("waves", "steps"):
        model = source(f"model_{name}")
        exact = cs.expected_loss(model, choice=cs.Optimal())
        losses = [
            cs.expected_loss(model, choice=NoisyCondition(cs.Optimal(), stats.norm(0, sigma)))
            for sigma in (0.3, 0.1, 0.01)
        ]
        assert losses[0] > losses[1] > losses[2] > exact - 1e-9
        assert losses[2] == pytest.approx(exact, abs=2e-3)


# --- Laws --------------------------------------------------------------------------------------


@cache
def table_curve(method: str, error: str) -> cs.LossCurve:
    return cs.loss_curve(TABLE, choice=noisy(method, ERRORS[error]))


@each_error
@pytest.mark.parametrize("method", FOLLOWING)
def test_pieces_are_close(method: str, error: str) -> None:
    curve, c = table_curve(method, error), np.linspace(0, 1, 5001)
    np.testing.assert_allclose(curve.piecewise()(c), curve(c), rtol=0, atol=TOLERANCE)
    assert -1e-15 <= curve(c).min() <= curve(c).max() <= 1


@pytest.mark.parametrize("costs", [name for name, case in COSTS.items() if not case.slow])
@pytest.mark.parametrize("method", FOLLOWING)
def test_expected_losses(method: str, costs: str) -> None:
    case, curve = COSTS[costs], table_curve(method, "normal")
    expected = case.mean(lambda c, _: curve(c), np.linspace(0, 1, 21))
    found = cs.expected_loss(TABLE, choice=noisy(method), costs=case.costs)
    assert found == pytest.approx(expected, abs=TOLERANCE)
    assert curve.expectation(case.costs) == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize(("error", "axis"), [("normal", "cost"), ("uniform", "skew")])
@pytest.mark.parametrize("method", [*FOLLOWING, *CONSTANT[:3]])
def test_shares_sum_to_the_expected_loss(method: str, error: str, axis: str) -> None:
    for costs in (cs.Beta(2, 3), cs.Point(0.3)):
        options = {"choice": noisy(method, ERRORS[error]), "costs": costs, "axis": axis}
        shares = cs.loss_shares(Y, S, **options)
        assert shares.sum() == pytest.approx(cs.expected_loss(TABLE, **options), abs=2 * TOLERANCE)
        assert shares.min() >= 0


@pytest.mark.parametrize("method", CONSTANT)
@given(st.data(), st.sampled_from(AXES))
@settings(max_examples=10)
def test_constant_choices_do_not_look_at_the_condition(
    method: str, data: st.DataObject, axis: str
) -> None:
    table = fit_for(CHOICES[method], data).on(axis)
    c = np.linspace(0, 1, 21)
    blurred, exact = (
        cs.loss_curve(table, choice=f) for f in (noisy(method), CHOICES[method].choice)
    )
    np.testing.assert_allclose(blurred(c), exact(c), atol=1e-15)
    area = cs.expected_loss(table, choice=noisy(method), costs=cs.Beta(2, 3))
    assert area == pytest.approx(exact.expectation(cs.Beta(2, 3)), abs=1e-14)


@pytest.mark.parametrize("method", FOLLOWING)
def test_less_noise_comes_closer_to_the_exact_choice(method: str) -> None:
    exact = cs.expected_loss(TABLE, choice=CHOICES[method].choice)
    gaps = []
    for sigma in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5):
        found = cs.expected_loss(TABLE, choice=noisy(method, stats.norm(0, sigma)))
        gaps.append(abs(found - exact))
        assert gaps[-1] <= sigma
    # Off the jumps the values come close too.
    curve = cs.loss_curve(TABLE, choice=noisy(method, stats.norm(0, 1e-5)))
    c = np.array([0.05, 0.21, 0.45, 0.57, 0.71, 0.93])
    np.testing.assert_allclose(
        curve(c), cs.loss_curve(TABLE, choice=CHOICES[method].choice)(c), atol=1e-4
    )


@given(SAMPLES, st.sampled_from(sorted(ERRORS)), st.sampled_from(AXES))
@settings(max_examples=20)
def test_noise_on_the_optimal_choice_never_helps(sample: Any, error: str, axis: str) -> None:
    c = np.linspace(0, 1, 41)
    best = cs.loss_curve(sample.table, choice=cs.Optimal(), axis=axis)
    for method in FOLLOWING:
        curve = cs.loss_curve(sample.table, choice=noisy(method, ERRORS[error]), axis=axis)
        assert np.all(curve(c) >= best(c) - 1e-12)


def test_errors_beyond_all_conditions() -> None:
    # Every condition is taken for 1, where nobody is flagged, or for 0.
    c = np.linspace(0, 1, 11)
    high = cs.loss_curve(TABLE, choice=noisy("score_driven", stats.uniform(2, 1)))
    np.testing.assert_allclose(high(c), 1 - c, atol=1e-15)
    low = cs.loss_curve(TABLE, choice=noisy("score_driven", stats.uniform(-3, 1)))
    # A score of 0 is not flagged at a threshold of 0.
    np.testing.assert_allclose(low(c), c * 2 / 3, atol=1e-15)
    by_rate = cs.loss_curve(TABLE, choice=noisy("rate_driven", stats.uniform(-3, 1)))
    np.testing.assert_allclose(by_rate(c), c, atol=1e-15)


@pytest.mark.parametrize(("score", "flagged"), [(0.0, 0.0), (1.0, None), (0.4, None)])
def test_scores_of_0_and_1(score: float, flagged: float | None) -> None:
    # A negative is flagged while the assumed condition is below its score.
    table = cs.ScoreTable.from_predictions([0, 1], [score, 1.0])
    curve = cs.metrics.class_parts(table, choice=noisy("score_driven")).negatives
    for c in (0.02, 0.4, 0.95):
        expected = NOISE.cdf(score - c) if flagged is None else flagged
        assert curve(c) == pytest.approx(c * expected, abs=1e-15)


def test_one_score_between_two_others_close_by() -> None:
    # What happens between them is narrower than any cell that the curve is first cut into.
    for sigma in (1e-3, 1e-4, 1e-5):
        error = stats.norm(0, sigma)
        table = cs.ScoreTable.from_predictions([0, 1], [0.5041, 0.5042])
        curve = cs.loss_curve(table, choice=noisy("score_driven", error))
        c = np.linspace(0.5031, 0.5052, 2101)
        by_hand = c * error.cdf(0.5041 - c) + (1 - c) * (1 - error.cdf(0.5042 - c))
        np.testing.assert_allclose(curve(c), by_hand, atol=1e-12)
        np.testing.assert_allclose(curve.piecewise()(c), by_hand, rtol=0, atol=TOLERANCE)


def test_a_narrow_error_on_a_sloped_path() -> None:
    # Over an error that is small beside a piece the rates stay what they are at the mean.
    error = stats.norm(0.03, 1e-5)
    curve = cs.loss_curve(TABLE, choice=noisy("rate_driven", error))
    rates = cs.metrics.class_parts(TABLE, choice=cs.RateDriven())
    for c in (0.1, 0.4, 0.6):
        negatives = rates.negatives(c + 0.03) / (c + 0.03) * c
        positives = rates.positives(c + 0.03) / (1 - c - 0.03) * (1 - c)
        assert curve(c) == pytest.approx(negatives + positives, abs=1e-9)


# --- Two errors, and errors on fitted choices ----------------------------------------------------


def test_two_normal_errors_are_one() -> None:
    # Clipping only matters near the ends: in the middle two normal errors are one.
    inner = noisy("score_driven", stats.norm(0, 0.03))
    twice = NoisyCondition(inner, stats.norm(0, 0.04))
    once = noisy("score_driven", stats.norm(0, 0.05))
    table = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0.4, 0.45, 0.5, 0.6])
    c = np.linspace(0.3, 0.7, 41)
    curves = [cs.loss_curve(table, choice=choice) for choice in (twice, once)]
    np.testing.assert_allclose(curves[0](c), curves[1](c), atol=1e-8)


def test_shares_sum_to_the_loss_under_two_errors() -> None:
    inner = noisy("score_driven", stats.norm(0, 0.3))
    twice = NoisyCondition(inner, stats.norm(0, 0.4))
    y, s = [0, 1], [0.55, 0.45]
    shares = cs.loss_shares(y, s, choice=twice)
    assert shares.sum() == pytest.approx(cs.expected_loss(y, s, choice=twice), abs=2 * TOLERANCE)
    assert cs.expected_loss(y, s, choice=twice) > cs.expected_loss(y, s, choice=inner)


@pytest.mark.parametrize("method", FOLLOWING)
def test_noise_and_fitting_can_be_combined_in_either_order(method: str) -> None:
    train = cs.ScoreTable.from_predictions([0, 1, 1, 0, 1], [0.2, 0.3, 0.6, 0.7, 0.9])
    inside = cs.Fitted(noisy(method), train)
    outside = NoisyCondition(cs.Fitted(CHOICES[method].choice, train), NOISE)
    c = np.linspace(0, 1, 41)
    curves = [cs.loss_curve(TABLE, choice=choice) for choice in (inside, outside)]
    np.testing.assert_allclose(curves[0](c), curves[1](c), atol=1e-11)
    for choice in (inside, outside):
        shares = cs.loss_shares(Y, S, choice=choice)
        expected = cs.expected_loss(TABLE, choice=choice)
        assert shares.sum() == pytest.approx(expected, abs=2 * TOLERANCE)


def test_a_user_s_own_choice_can_be_noisy() -> None:
    class Cautious(cs.ThresholdChoice):
        """Score-driven, but at half the condition."""

        def path(self, source: Any) -> cs.OperatingPath:
            scores = source.by_score.breaks
            points = source.by_score.at(scores).after_flagging_all()
            at = np.minimum(2 * scores, 1.0)
            return cs.OperatingPath.stepping(at, points, source.prevalence)

        def flagging(self, source: Any, scores: Any) -> Any:
            from costspace.choices.flagging import SwitchedFlagging

            switch = np.minimum(2 * scores, 1.0)
            return SwitchedFlagging(switch)

    choice = NoisyCondition(Cautious(), NOISE)
    halved = [s / 2 for s in S]
    curve = cs.loss_curve(Y, halved, choice=choice)
    c = np.linspace(0, 1, 21)
    np.testing.assert_allclose(curve(c), table_curve("score_driven", "normal")(c), atol=1e-12)
    shares = cs.loss_shares(Y, halved, choice=choice)
    assert shares.sum() == pytest.approx(curve.expectation(cs.Uniform()), abs=2 * TOLERANCE)


# --- Values and bad input ------------------------------------------------------------------------


def test_a_noisy_choice_is_a_value() -> None:
    choice = noisy("optimal")
    assert replace(choice, choice=cs.RateFixed(0.2)).choice == cs.RateFixed(0.2)


@pytest.mark.skipif(not hasattr(stats, "Normal"), reason="since SciPy 1.15")
def test_the_new_distributions_of_scipy() -> None:
    new = noisy("score_driven", stats.Normal(mu=0, sigma=0.1))
    c = np.linspace(0, 1, 21)
    expected = table_curve("score_driven", "normal")(c)
    np.testing.assert_allclose(cs.loss_curve(TABLE, choice=new)(c), expected, atol=1e-13)


@pytest.mark.parametrize("bad", [cs.Optimal, "optimal", None, 3], ids=str)
def test_an_argument_that_is_not_a_choice_is_refused(bad: Any) -> None:
    text = "NoisyCondition needs a threshold choice method such as Optimal() or ScoreDriven(), got "
    with refused(ConditionError, text):
        NoisyCondition(bad, NOISE)


@pytest.mark.parametrize(
    "bad",
    [
        *(None, 0.1, "norm", stats.norm, stats.beta, stats.poisson(3), stats.norm([0, 1], 1)),
        *(stats.norm(0, -1), stats.multivariate_normal([0, 0]), cs.Uniform(), np.zeros(3)),
    ],
)
def test_an_argument_that_is_not_an_error_distribution_is_refused(bad: Any) -> None:
    text = "NoisyCondition needs a frozen continuous scipy distribution of the error, such as"
    with refused(ConditionError, text):
        NoisyCondition(cs.Optimal(), bad)


def test_scores_that_the_choice_refuses_are_refused() -> None:
    wild = cs.ScoreTable.from_predictions([0, 1], [-3, 0.7])
    with refused(cs.ScoreError, "the score-driven choice needs scores in [0, 1]"):
        cs.loss_curve(wild, choice=noisy("score_driven"))
    tied = cs.ScoreTable.from_predictions([0, 1, 1], [0.2, 0.2, 0.4])
    with refused(cs.SourceError, "needs distinct scores of equal weight"):
        cs.expected_loss(tied, choice=noisy("rate_driven_stepped"))


def test_rows_of_negligible_weight_change_nothing():
    choice, y, s = (
        cs.NoisyCondition(cs.RateDriven(), stats.norm(0, 0.1)),
        [0, 1, 0, 1],
        [1, 2, 3, 4],
    )
    found = cs.expected_loss(y, s, choice=choice, sample_weight=[1, 1, 1e-170, 1e-170])
    assert found == pytest.approx(cs.expected_loss(y[:2], s[:2], choice=choice), abs=1e-12)
