"""Intervals of sums of class means against Wilson's and exact limits, and by simulation."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

import costspace as cs
from costspace.estimates.class_means import (
    class_moments,
    cluster_moments,
    means_in,
    score_reaches,
)
from costspace.estimates.estimating import estimate_on
from costspace.estimates.interval import unseen_share
from costspace.estimates.model_samples import ModelSample
from costspace.estimates.named import statistic_named, statistic_of
from costspace.estimates.row_errors import row_influences
from costspace.estimates.standard_error import class_variances
from costspace.influences.statistic import Statistic

MEANS = (
    *("brier", "macro_brier", "mae", "macro_mae"),
    *(
        f"expected_loss.{axis}.{choice}"
        for axis in ("cost", "skew")
        for choice in ("score_fixed", "score_uniform", "score_driven")
    ),
)
OTHERS = ("auc", "auc_hull", "h_measure", "voros", "refinement_loss", "expected_loss.cost.optimal")
Z = stats.norm.ppf(0.975)


def sample(seed: int, n: int = 30) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < rng.choice([0.1, 0.4])).astype(int)
    y[:4] = 0, 0, 1, 1
    s = np.clip(np.round(rng.normal(0.35 + 0.25 * y, 0.2), rng.integers(0, 4)), 0, 1)
    return y, s, rng.integers(1, 4, n)


@given(st.integers(0, 10**6), st.sampled_from(MEANS + OTHERS), st.sampled_from([0.5, 0.95, 0.999]))
def test_ends_and_equal_tables(seed: int, name: str, level: float) -> None:
    y, s, counts = sample(seed)
    found = cs.estimate(y, s, metric=name, level=level)
    low, high = statistic_named(name).range
    assert low <= found.low <= found.corrected + 1e-15
    assert found.corrected - 1e-15 <= found.high <= high
    order = np.random.default_rng(seed).permutation(len(y))
    again = cs.estimate(y[order], s[order], metric=name, level=level)
    assert (again.low, again.high) == pytest.approx((found.low, found.high), abs=1e-9)
    counted = cs.estimate(y, s, metric=name, level=level, sample_weight=counts, weights="counts")
    repeated = cs.estimate(np.repeat(y, counts), np.repeat(s, counts), metric=name, level=level)
    assert (counted.low, counted.high) == pytest.approx((repeated.low, repeated.high), abs=1e-9)
    wider = cs.estimate(y, s, metric=name, level=1 - (1 - level) / 2)
    assert wider.low <= found.low + 1e-15
    assert wider.high >= found.high - 1e-15


@given(st.integers(0, 10**6))
def test_solves_the_score_equation_of_each_class(seed: int) -> None:
    y, s, _ = sample(seed)
    if np.ptp(s[y == 0]) == 0 or np.ptp(s[y == 1]) == 0:
        return
    squares = []
    for errors in (s[y == 0] ** 2 / 2, (1 - s[y == 1]) ** 2 / 2):
        n, variance = len(errors), np.var(errors, ddof=1)
        third = np.mean((errors - errors.mean()) ** 3)
        found = []
        # Half a row more at either end of the range.
        for end, side in ((0.0, (-9, 0)), (0.5, (0, 9))):
            more = end - errors.mean()
            rate = (n * third + more**3 / 2) / (n * variance + more**2 / 2)

            def beyond(d: float, n: int = n, v: float = variance, rate: float = rate) -> float:
                return d**2 - Z**2 * (v + d * rate) / n

            found.append(optimize.brentq(beyond, *side) ** 2)
        squares.append(found)
    below, above = np.sqrt(np.sum(squares, axis=0))
    found = cs.estimate(y, s, metric=cs.macro_brier_score)
    if found.low > 0:
        assert found.low == pytest.approx(found.estimate - below, rel=1e-9)
    assert found.high == pytest.approx(min(found.estimate + above, 1), rel=1e-9)


def flagged(false: int, negatives: int, missed: int, positives: int) -> tuple:
    y = np.repeat([0, 1], [negatives, positives])
    s = np.concatenate([np.arange(negatives) < false, np.arange(positives) >= missed])
    return y, s * 0.9


@pytest.mark.parametrize("errors", [1, 2, 10, 50, 97])
def test_a_share_has_wilsons_interval(errors: int) -> None:
    # The other class has negligible weight, and no errors.
    costs = cs.Point(1e-9)
    found = cs.estimate(
        *flagged(0, 10**6, errors, 100),
        metric=partial(cs.expected_loss, choice=cs.ScoreFixed(), costs=costs, axis="skew"),
    )
    wilson = stats.binomtest(errors, 100).proportion_ci(0.95, method="wilson")
    assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high), abs=0.003)
    assert found.method == "score"


def test_without_variation_the_limit_is_the_exact_binomial_one() -> None:
    nobody = cs.estimate(*flagged(0, 4900, 100, 100), metric=cs.macro_accuracy)
    assert (nobody.estimate, nobody.standard_error) == (0.5, 0)
    assert nobody.low == pytest.approx(0.5 - unseen_share(4900) / 2)
    assert nobody.high == pytest.approx(0.5 + unseen_share(100) / 2)
    # One class shows no variation, the other does.
    some = cs.estimate(*flagged(4, 4900, 100, 100), metric=cs.macro_accuracy)
    assert some.high - some.estimate > unseen_share(100) / 2
    assert some.estimate - some.low < 0.001


def test_perfectly_known_classes_leave_room_for_the_brier_score() -> None:
    y, s = np.repeat([0, 1], [60, 40]), np.repeat([0.2, 0.9], [60, 40])
    found = cs.estimate(y, s, metric=cs.brier_score)
    # An unseen row can have an error of 1, which is above that of the share of positives.
    assert found.standard_error < 0.002
    assert found.high > found.estimate + 0.6 * unseen_share(60) * 0.96
    assert found.low < found.estimate


@given(st.integers(0, 10**6), st.sampled_from([0.3, 0.5, 0.71]))
def test_accuracy_mirrors_the_loss(seed: int, threshold: float) -> None:
    y, s, _ = sample(seed)
    accuracy = cs.estimate(y, s, metric=partial(cs.macro_accuracy, threshold=threshold))
    choice = cs.ScoreFixed(threshold)
    loss = cs.estimate(y, s, metric=partial(cs.expected_loss, choice=choice, axis="skew"))
    assert (accuracy.low, accuracy.high) == pytest.approx((1 - loss.high, 1 - loss.low))


@given(st.integers(0, 10**6), st.sampled_from(MEANS), st.booleans(), st.booleans())
def test_third_moments_of_single_clusters(
    seed: int, name: str, weighted: bool, stratified: bool
) -> None:
    y, s, counts = sample(seed)
    weight = counts / 7 if weighted else None
    rows = cs.ScoredRows.from_predictions(
        y, {"m": s}, sample_weight=weight, groups=np.arange(len(y))
    )
    table = cs.ScoreTable.from_rows(rows, "m")
    influence = statistic_named(name).influence(table)
    design = "stratified" if stratified else "independent"
    means = means_in(influence)
    asked = {"design": design, "weights": "sampling"}
    variances = class_variances(influence, table, **asked)
    by_class = class_moments(means, influence, table, variances, **asked)
    found = row_influences(influence, rows, table, "m", design=design)
    whole = cluster_moments(found, rows, 1.0).third
    scale = np.mean(np.abs(found)) ** 3 + 1e-30
    assert sum(part.third for part in by_class) == pytest.approx(whole, abs=1e-9 * scale)


def test_thresholds_that_follow_the_sample_are_no_class_means() -> None:
    y, s, _ = sample(3)
    table = cs.ScoreTable.from_predictions(y, s)
    for name in OTHERS:
        assert means_in(statistic_named(name).influence(table)) is None
    for name in MEANS:
        assert means_in(statistic_named(name).influence(table)) is not None


@given(st.integers(0, 10**6))
def test_what_is_optimal_loses_no_more_than_a_trivial_rule(seed: int) -> None:
    y, s, _ = sample(seed)
    p = y.mean()
    found = cs.estimate(y, s, metric=cs.refinement_loss, design="stratified")
    assert found.high <= p * (1 - p) + 1e-15
    assert found.corrected <= p * (1 - p) + 1e-15
    skew = cs.estimate(y, s, metric="expected_loss.skew.optimal")
    assert skew.high <= 0.25 + 1e-15


def covered(statistic: Statistic, target: float, draw, runs: int) -> float:
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(runs):
        table = cs.ScoreTable.from_predictions(*draw(rng))
        found = estimate_on(statistic, ModelSample(table), design="stratified")
        covered += found.low <= target <= found.high
    return covered / runs


@pytest.mark.simulation
def test_covers_where_two_of_a_hundred_positives_are_flagged() -> None:
    y = np.arange(3000) < 100

    def draw(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        return y, 0.9 * (rng.random(3000) < np.where(y, 0.02, 0.001))

    assert (
        0.93 < covered(statistic_named("expected_loss.skew.score_fixed"), 0.4905, draw, 1500) < 0.97
    )


@pytest.mark.simulation
def test_covers_the_error_of_rare_positives() -> None:
    y = np.arange(1000) < 60

    def draw(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        return y, np.where(y, rng.beta(0.3, 3, 1000), rng.beta(0.3, 12, 1000))

    target = (0.3 / 12.3 + 1 - 0.3 / 3.3) / 2
    assert 0.93 < covered(statistic_named("macro_mae"), target, draw, 1500) < 0.98


@pytest.mark.simulation
@pytest.mark.parametrize("choice", [cs.RateDriven(), cs.ScoreDriven()])
@pytest.mark.parametrize("costs", [cs.Uniform(0, 0.1), cs.Beta(2, 12)])
def test_covers_what_few_rows_decide(
    choice: cs.ThresholdChoice, costs: cs.CostDistribution
) -> None:
    y = np.arange(200) < 80
    population = cs.AnalyticScores(stats.uniform(), stats.beta(3, 1), 0.4)
    statistic = statistic_of(cs.expected_loss, choice=choice, costs=costs)

    def draw(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        return y, np.where(y, rng.beta(3, 1, 200), rng.random(200))

    assert covered(statistic, statistic.value(population), draw, 500) > 0.93


def test_rows_that_decide_are_bounded_by_their_class() -> None:
    """No positive is among the lowest rates: one share of them could be, and cost what it costs."""
    y, s = np.repeat([0, 1], [60, 40]), np.arange(100) / 100
    costs = cs.Uniform(0, 0.1)
    found = cs.estimate(
        y,
        s,
        metric=partial(cs.expected_loss, choice=cs.RateDriven(), costs=costs),
        design="stratified",
    )
    assert found.standard_error == 0
    assert found.low == found.estimate
    # Of all that positives cost at every rate, 2 pi1.
    assert found.high == pytest.approx(found.estimate + 0.8 * unseen_share(40))


def rare(size: float) -> np.ndarray:
    """What a row of one class adds at both ends; of the other, next to nothing."""
    return np.array([[-size, size], [-1e-12, 1e-12]])


@pytest.mark.parametrize("counts", [(4, 4), (25, 25), (30, 0), (0, 30), (40, 15)])
def test_losses_of_both_signs_solve_the_score_equation(counts: tuple[int, int]) -> None:
    """Counts of rows of +e and -e, each Poisson: tilted by t they are n e^t and m e^-t."""
    up, down = counts
    second, third = up + down, up - down
    moments = (np.array([second, 0.0]), np.array([third, 0.0]))
    found = score_reaches(*moments, rare(1.0), Z, either_sign=True)

    def beyond(t: float, sign: int) -> float:
        mean, variance = up * np.exp(t) - down * np.exp(-t), up * np.exp(t) + down * np.exp(-t)
        return (mean - third) ** 2 - Z**2 * variance

    for sign, reach in zip((-1, 1), found, strict=True):
        t = optimize.brentq(beyond, 1e-9 * sign, 6.0 * sign, args=(sign,))
        due = abs(up * np.exp(t) - down * np.exp(-t) - third)
        # Half a row more at its end makes it a little wider, and what is mixed is solved nearly.
        assert reach[0] == pytest.approx(due, rel=0.03)
    narrower = score_reaches(*moments, rare(1.0), Z)
    if up and down:
        assert np.sum(narrower) < np.sum(found)


def test_losses_of_one_sign_have_wilsons_interval() -> None:
    """With rows of one size and sign there is nothing to solve but Wilson's equation."""
    n = 10_000
    moments = (np.array([n, 0.0]), np.array([n, 0.0]))
    below, above = score_reaches(*moments, rare(1.0), Z, either_sign=True)
    due = [np.hypot(Z * np.sqrt(n), Z**2 / 2) - sign * Z**2 / 2 for sign in (1, -1)]
    np.testing.assert_allclose([below[0], above[0]], due, rtol=1e-3)
