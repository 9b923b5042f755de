"""Bands: what they contain, how often, and what they say about two models."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from foreign import Bare
from refusals import refused
from scipy import stats

import costspace as cs
from costspace.influences.optimism import loss_optimism, optimism_curve

GRID = np.linspace(0, 1, 401)
MODEL = cs.AnalyticScores(stats.beta(2, 4), stats.beta(4, 2), 0.4)


def drawn(rng: np.random.Generator, n: int, p: float = 0.4) -> tuple[Any, Any]:
    y = (rng.random(n) < p).astype(int)
    return y, np.where(y == 1, rng.beta(4, 2, n), rng.beta(2, 4, n))


def data(n: int = 150, seed: int = 0) -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    y, a = drawn(rng, n)
    return y, {"a": a, "b": np.clip(a + rng.normal(0, 0.3, n), 0, 1)}


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("choice", "lowest", "highest"),
    [(cs.ScoreDriven(), 0.91, 0.985), (cs.Optimal(), 0.92, 0.999)],
    ids=["score-driven", "optimal"],
)
def test_simultaneous_bands_contain_the_whole_curve(
    choice: cs.ThresholdChoice, lowest: float, highest: float
) -> None:
    truth = np.asarray(choice.path(MODEL).loss()(GRID))
    rng = np.random.default_rng(1)
    covered, apart = [], []
    for _ in range(160):
        band = cs.loss_band(*drawn(rng, 250), choice=choice, replicates=200)
        inside = (band.low(GRID) <= truth + 1e-12) & (truth <= band.high(GRID) + 1e-12)
        covered.append(inside.all())
        reach = 1.96 * np.asarray(band.standard_error(GRID))
        apart.append(np.all(np.abs(np.asarray(band.curve(GRID)) - truth) <= reach))
    assert lowest <= np.mean(covered) <= highest
    # It takes more than bands for each condition by itself.
    assert np.mean(apart) < lowest - 0.1


@pytest.mark.simulation
@pytest.mark.smoke
def test_pointwise_bands_contain_the_loss_at_a_condition() -> None:
    at = np.array([0.3, 0.5, 0.6])
    truth = np.asarray(cs.ScoreDriven().path(MODEL).loss()(at))
    rng = np.random.default_rng(2)
    covered = []
    for _ in range(300):
        band = cs.loss_band(*drawn(rng, 300), choice=cs.ScoreDriven(), simultaneous=False)
        covered.append((band.low(at) <= truth) & (truth <= band.high(at)))
    assert np.all(np.abs(np.mean(covered, axis=0) - 0.955) < 0.025)


@pytest.mark.parametrize(
    "choice",
    [cs.ScoreDriven(), cs.ScoreFixed(0.4), cs.ScoreFixed(2.0), cs.ScoreUniform()],
    ids=["driven", "fixed", "flags nobody", "uniform"],
)
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"axis": "skew"},
        {"design": "stratified"},
        {"prevalence": 0.2},
        {"groups": np.arange(150) % 40},
        {"sample_weight": np.tile([0.5, 1.0, 3.0], 50)},
        {"sample_weight": np.tile([1, 2, 0], 50), "weights": "counts"},
    ],
    ids=lambda asked: " ".join(asked) or "plain",
)
def test_pointwise_it_is_the_interval_of_the_estimate(
    choice: cs.ThresholdChoice, asked: dict[str, Any]
) -> None:
    y, scores = data()
    band = cs.loss_band(y, scores["a"], choice=choice, simultaneous=False, **asked)
    options = dict(asked)
    axis = options.pop("axis", "cost")
    for c in (0.03, 0.317, 0.5, 0.97):
        loss = partial(cs.expected_loss, choice=choice, costs=cs.Point(c), axis=axis)
        one = cs.estimate(y, scores["a"], metric=loss, **options)
        near = 1e-4 * (one.high - one.low)
        assert band.low(c) == pytest.approx(one.low, abs=near)
        assert band.high(c) == pytest.approx(one.high, abs=near)
        assert band.standard_error(c) == pytest.approx(one.standard_error, abs=1e-8)
        assert band.design == one.design


@pytest.mark.parametrize("axis", ["cost", "skew"])
def test_no_threshold_can_be_lower_than_the_optimal_band(axis: str) -> None:
    y, scores = data(300)
    tied = np.round(3 * scores["a"]) / 3
    at = np.arange(1, 64) / 64
    optimal = cs.loss_band(y, tied, choice=cs.Optimal(), axis=axis, simultaneous=False)
    below = []
    for threshold in (-1.0, 0.2, 0.5, 0.8, 1.0):
        fixed = cs.loss_band(
            y, tied, choice=cs.ScoreFixed(threshold), axis=axis, simultaneous=False
        )
        assert np.all(np.asarray(optimal.low(at)) <= np.asarray(fixed.low(at)) + 1e-9)
        below.append(np.asarray(fixed.low(at)))
    np.testing.assert_allclose(optimal.low(at), np.min(below, axis=0), atol=1e-6)


def test_the_prevalence_sets_the_design_and_another_is_refused() -> None:
    y, scores = data()
    of: dict[str, Any] = {"choice": cs.ScoreDriven(), "simultaneous": False}
    assert cs.loss_band(y, scores["a"], **of).design == "independent"
    assert cs.loss_band(y, scores["a"], prevalence=0.2, **of).design == "stratified"
    with refused(cs.ConditionError, "leave design out"):
        cs.loss_band(y, scores["a"], prevalence=0.2, design="independent", **of)
    with refused(cs.ConditionError, "leave design out"):
        cs.difference_band(y, scores, prevalence=0.2, design="independent", **of)
    with refused(cs.ConditionError, "leave design out"):
        cs.threshold_interval(y, scores["a"], condition=0.3, prevalence=0.2, design="independent")


def test_standard_error_against_the_stratified_bootstrap() -> None:
    y, scores = data(1500, seed=3)
    at = np.array([0.2, 0.45, 0.7])
    rng = np.random.default_rng(0)
    losses = []
    classes = np.flatnonzero(y == 0), np.flatnonzero(y == 1)
    for _ in range(600):
        i = np.concatenate([rng.choice(rows, len(rows)) for rows in classes])
        curves = [cs.loss_curve(y[i], scores[m][i], choice=cs.ScoreDriven()) for m in scores]
        losses.append(np.asarray((curves[0] - curves[1])(at)))
    band = cs.difference_band(y, scores, choice=cs.ScoreDriven(), design="stratified")
    np.testing.assert_allclose(band.standard_error(at), np.std(losses, axis=0), rtol=0.1)


def test_identical_models_never_differ() -> None:
    y, scores = data()
    for choice in (cs.ScoreDriven(), cs.Optimal(), cs.ScoreFixed(0.5)):
        band = cs.difference_band(y, {"a": scores["a"], "b": scores["a"]}, choice=choice)
        assert band.where(0) == [(0.0, 1.0)]
        assert band.where(1) == band.where(-1) == []
        assert len(band.crossings()) == 0
        inner = GRID[1:-1]
        assert np.all(np.asarray(band.high(inner)) > np.asarray(band.low(inner)))


@pytest.mark.parametrize("choice", [cs.ScoreDriven(), cs.Optimal()], ids=["driven", "optimal"])
@pytest.mark.parametrize("unpaired", [False, True])
def test_where_agrees_with_the_ends_of_the_band(
    choice: cs.ThresholdChoice, *, unpaired: bool
) -> None:
    y, scores = data(200, seed=4)
    labels = dict.fromkeys(scores, y) if unpaired else y
    band = cs.difference_band(labels, scores, choice=choice, simultaneous=False, low=0.1, high=0.9)
    at = np.random.default_rng(0).uniform(0.1, 0.9, 4000)
    signs = np.zeros(len(at), dtype=int)
    for sign in (1, -1):
        for start, end in band.where(sign):
            signs[(at > start) & (at < end)] = sign
    expected = (np.asarray(band.low(at)) > 0).astype(int) - (np.asarray(band.high(at)) < 0)
    np.testing.assert_array_equal(signs, expected)
    assert np.any(expected == -1)
    assert sum(b - a for sign in (1, 0, -1) for a, b in band.where(sign)) == pytest.approx(0.8)


def test_unpaired_variances_add() -> None:
    y, scores = data()
    z, other = data(90, seed=9)
    band = cs.difference_band(
        {"a": y, "b": z}, {"a": scores["a"], "b": other["b"]}, choice=cs.ScoreDriven()
    )
    alone = [
        np.asarray(cs.loss_band(labels, values, choice=cs.ScoreDriven()).standard_error(GRID))
        for labels, values in ((y, scores["a"]), (z, other["b"]))
    ]
    np.testing.assert_allclose(band.standard_error(GRID), np.hypot(*alone), rtol=1e-9)
    assert band.n == 240


def test_crossings_lie_in_their_intervals() -> None:
    y, scores = data(400, seed=5)
    choice = {"a": cs.ScoreFixed(0.3), "b": cs.ScoreFixed(0.7)}
    twice = {"a": scores["a"], "b": scores["a"]}
    band = cs.difference_band(y, twice, choice=choice)
    found = band.crossings()
    assert len(found) == 1
    (crossing,) = cs.crossings(
        *(cs.loss_curve(y, scores["a"], choice=choice[name]) for name in "ab")
    )
    assert found.low[0] < crossing < found.high[0]
    assert found.first[0] == found.last[0] == pytest.approx(crossing)
    assert (found.before[0], found.after[0]) == (-1, 1)
    # The ends are where the band reaches 0.
    assert float(np.asarray(band.high(found.low[0]))) == pytest.approx(0, abs=1e-12)
    assert float(np.asarray(band.low(found.high[0]))) == pytest.approx(0, abs=1e-12)
    assert set(found.columns()) == {"low", "high", "first", "last", "before", "after"}


def test_a_certain_crossing_at_a_jump() -> None:
    y = np.repeat([0, 1], 3000)
    scores = {"a": np.where(y == 1, 0.5, 0.1), "b": np.where(y == 1, 0.9, 0.5)}
    band = cs.difference_band(y, scores, choice=cs.ScoreDriven(), low=0.3, high=0.7)
    found = band.crossings()
    assert (found.low[0], found.high[0]) == (0.5, 0.5)
    assert (found.before[0], found.after[0]) == (-1, 1)


def test_wider_with_range_level_and_for_all_conditions_at_once() -> None:
    y, scores = data()

    def critical(**asked: Any) -> float:
        return cs.loss_band(y, scores["a"], choice=cs.ScoreDriven(), **asked).critical

    assert critical(simultaneous=False) == pytest.approx(1.959964)
    assert 1.97 < critical(low=0.45, high=0.55) < critical() < critical(level=0.99)
    assert critical(seed=1) == critical(seed=1) != critical(seed=2)


def test_bands_keep_to_what_losses_can_be() -> None:
    y, scores = data(12)
    for choice in (cs.ScoreDriven(), cs.Optimal()):
        for axis in ("cost", "skew"):
            band = cs.loss_band(y, scores["a"], choice=choice, axis=axis)
            low, high = np.asarray(band.low(GRID)), np.asarray(band.high(GRID))
            most = 2 * np.maximum(GRID, 1 - GRID) if axis == "cost" else 1.0
            assert np.all((low >= 0) & (low <= high) & (high <= most))


@pytest.mark.parametrize("choice", [cs.ScoreDriven(), cs.Optimal(), cs.ScoreUniform()])
@pytest.mark.parametrize("values", [(0.1, 0.9), (0.5, 0.5), (0.0, 1.0), (1.0, 0.0)])
def test_degenerate_scores_have_a_band(
    choice: cs.ThresholdChoice, values: tuple[float, float]
) -> None:
    y = np.repeat([0, 1], [5, 3])
    band = cs.loss_band(y, np.take(values, y), choice=choice)
    inner = GRID[1:-1]
    low, high = np.asarray(band.low(inner)), np.asarray(band.high(inner))
    assert np.all(np.isfinite(low) & np.isfinite(high) & (low < high))
    assert all(np.all(np.isfinite(column)) for column in band.columns().values())


def test_columns_hold_the_band() -> None:
    y, scores = data(40)
    band = cs.loss_band(y, scores["a"], choice=cs.Optimal(), low=0.2, high=0.7)
    columns = band.columns()
    assert (columns["from"][0], columns["to"][-1]) == (0.2, 0.7)
    np.testing.assert_allclose(columns["low_start"], band.low(columns["from"]))
    np.testing.assert_allclose(columns["high_start"], band.high(columns["from"]))
    np.testing.assert_allclose(columns["loss_end"], band.curve.left(columns["to"]))


def test_thresholds_fitted_elsewhere_have_no_optimism() -> None:
    y, scores = data()
    other = cs.ScoreTable.from_predictions(*drawn(np.random.default_rng(8), 100))
    for choice in (cs.Optimal(), cs.RateDriven(stepped=True), cs.RateFixed(0.3)):
        band = cs.loss_band(y, scores["a"], choice=cs.Fitted(choice, other), simultaneous=False)
        assert np.all(np.asarray(band.too_low(GRID)) == 0)


def test_refusals() -> None:
    y, scores = data()
    noise = stats.norm(0, 0.1)
    for choice, instead in (
        (cs.RateDriven(), ", or fit RateDriven(stepped=True) on another sample with Fitted(...)."),
        (cs.RateFixed(0.3), ", or fit it on another sample with Fitted(...)."),
        (Bare(), ", or fit it on another sample with Fitted(...)."),
        (cs.NoisyCondition(cs.RateFixed(0.3), noise), "loss at a condition: use the bootstrap."),
    ):
        with refused(cs.ConditionError, instead):
            cs.loss_band(y, scores["a"], choice=choice)
    with refused(cs.ConditionError, "give the prevalence"):
        cs.loss_band(y, scores["a"], choice=cs.ScoreDriven(calibrated_to=0.2))
    cs.loss_band(y, scores["a"], choice=cs.ScoreDriven(calibrated_to=0.2), prevalence=0.1)
    other = cs.ScoreTable.from_predictions(y, scores["b"])
    with refused(cs.ConditionError, "flags some scores with a probability that changes"):
        cs.loss_band(y, scores["a"], choice=cs.Fitted(cs.RateDriven(), other))
    for wrong in (10, 200.5, np.inf):
        with refused(cs.ConditionError, "replicates must be a whole number, at least 100, got"):
            cs.loss_band(y, scores["a"], choice=cs.Optimal(), replicates=wrong)
    with refused(cs.ConditionError, "simultaneous must be True or False"):
        cs.loss_band(y, scores["a"], choice=cs.Optimal(), simultaneous=1)  # type: ignore[arg-type]
    with refused(cs.LabelError, "at least two rows of each class"):
        cs.loss_band([0, 0, 1], [0.1, 0.3, 0.4], choice=cs.Optimal())
    with refused(cs.ScoreError, "scores of two models"):
        cs.difference_band(y, {"a": scores["a"]}, choice=cs.Optimal())
    with refused(cs.ConditionError, "no entry for 'b'"):
        cs.difference_band(y, scores, choice={"a": cs.Optimal()})
    band = cs.loss_band(y, scores["a"], choice=cs.Optimal(), low=0.2, high=0.4)
    with refused(cs.ConditionError, "ask for a band over a wider range"):
        band.low(0.5)
    with refused(cs.ConditionError, "sign must be"):
        band.where(2)


@pytest.mark.parametrize("decimals", [1, 9])
def test_the_optimism_along_conditions_has_the_mean_of_the_expected_loss(decimals: int) -> None:
    y, scores = data()
    table = cs.ScoreTable.from_predictions(y, np.round(scores["b"], decimals))
    for costs in (cs.Uniform(), cs.Beta(2, 5), cs.Uniform(0.2, 0.3)):
        along = optimism_curve(table).expectation(costs)
        assert along == pytest.approx(loss_optimism(table, costs), rel=1e-9)
    separated = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.2, 0.7, 0.8])
    assert np.all(np.asarray(optimism_curve(separated)(GRID)) == 0)


def test_copying_rows_into_clusters_leaves_the_optimism_of_a_band() -> None:
    rng = np.random.default_rng(8)
    y = (rng.random(200) < 0.4).astype(int)
    scores = {name: 1 / (1 + np.exp(1 - 2 * y - rng.normal(size=200))) for name in "ab"}
    rows, at = np.repeat(np.arange(200), 4), np.linspace(0.2, 0.7, 400)

    def too_low(one: Any, **options: Any) -> np.ndarray:
        """In the mean, as single values jump with the reach of segments."""
        s = {name: values[one] for name, values in scores.items()}
        options |= {"choice": cs.Optimal(), "simultaneous": False}
        band = cs.loss_band(y[one], s["a"], **options)
        both = cs.difference_band(y[one], s, **options)
        return np.array([np.mean(band.too_low(at)), np.mean(both.too_high(at) + both.too_low(at))])

    plain, copied = too_low(np.arange(200)), too_low(rows, groups=rows)
    np.testing.assert_allclose(copied, plain, rtol=5e-2)
    assert np.all(too_low(rows) < 0.6 * plain)


def test_scores_next_to_nothing_have_a_band() -> None:
    y, s = [0, 0, 0, 1, 1, 1], [1e-300, 1e-260, 0.2, 1e-200, 0.7, 0.9]
    band = cs.loss_band(y, s, choice=cs.ScoreDriven(), simultaneous=False)
    assert all(np.isfinite(column).all() for column in band.columns().values())
