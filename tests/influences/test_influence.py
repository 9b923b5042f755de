"""Influences are the derivatives of the metrics themselves, row by row."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import CHOICES as LAWS
from scipy import stats

import costspace as cs
from costspace.estimates.named import statistic_named, statistic_of
from costspace.influences.influence import Steps
from costspace.influences.ranks import auc_influence
from costspace.influences.statistic import MAKERS, Statistic
from costspace.metrics import METRICS
from costspace.metrics.traits import with_parameters

COSTS = {
    "uniform": cs.Uniform(),
    "beta": cs.Beta(2, 5),
    "part": cs.Uniform(0.1, 0.4),
    "mixture": cs.Mixture([cs.Uniform(0.1, 0.4), cs.Beta(1.5, 3)]),
    "point": cs.Point(0.37),
    "sampled": cs.Sampled([0.13, 0.41, 0.87]),
}
CHOICES: dict[str, cs.ThresholdChoice] = {
    "score_fixed": cs.ScoreFixed(0.47),
    "score_uniform": cs.ScoreUniform(0.1, 0.8),
    "score_driven": cs.ScoreDriven(),
    "score_driven_corrected": cs.ScoreDriven(calibrated_to=0.2),
    "rate_uniform": cs.RateUniform(),
    "rate_driven": cs.RateDriven(),
    "optimal": cs.Optimal(),
    "fitted": cs.Fitted(
        cs.Optimal(), cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    ),
}
ATOMS = ("point", "sampled")


def losses() -> dict[str, Statistic]:
    made = {}
    for name, choice in CHOICES.items():
        for law, costs in COSTS.items():
            if law in ATOMS and name in ("rate_driven", "score_driven_corrected"):
                continue
            for axis in ("cost", "skew"):
                made[f"{name}.{law}.{axis}"] = statistic_of(
                    cs.expected_loss, choice=choice, costs=costs, axis=axis
                )
    return made


STATISTICS: dict[str, Statistic] = {
    **{name: statistic_named(name) for name in METRICS},
    **losses(),
    "gini": statistic_of(cs.gini),
    "accuracy": statistic_of(cs.accuracy, threshold=0.47),
    "macro_accuracy": statistic_of(cs.macro_accuracy, threshold=0.47),
    "partial_brier": statistic_of(cs.partial_brier_score, low=0.2, high=0.6, axis="skew"),
    "h_measure_hand": statistic_of(cs.h_measure, costs=cs.Beta(2, 2)),
    "voros_part": statistic_of(cs.voros, low=0.2, high=0.6),
    "relative_voros": statistic_of(cs.relative_voros, costs=cs.Beta(3, 2)),
    "expected_money": statistic_of(
        cs.expected_money,
        choice=cs.Optimal(),
        conditions=cs.Deployment(fp_cost=1, fn_cost=(5, 50), prevalence=(0.05, 0.2)),
    ),
    "expected_money_by_rate": statistic_of(
        cs.expected_money,
        choice=cs.RateDriven(),
        conditions=cs.Deployment(fp_cost=(1, 3), fn_cost=(5, 50), prevalence=0.1),
    ),
}


def sample(seed: int, *, tied: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, scores in (0, 1) and weights, none of them at a condition where a metric jumps."""
    rng = np.random.default_rng(seed)
    y = (rng.random(20) < 0.4).astype(int)
    y[:2] = 0, 1
    s = np.clip(rng.normal(0.35 + 0.25 * y, 0.2), 0.011, 0.989)
    return y, np.round(s * 7 + 0.5) / 8.3 if tied else s, rng.uniform(0.5, 2, 20)


def table_of(
    y: np.ndarray, s: np.ndarray, w: np.ndarray, override: float | None = None
) -> cs.ScoreTable:
    table = cs.ScoreTable.from_predictions(y, s, sample_weight=w)
    return table if override is None else table.with_prevalence(override)


def moved(
    statistic: Statistic,
    y: np.ndarray,
    s: np.ndarray,
    w: np.ndarray,
    row: int,
    override: float | None,
) -> float:
    """How the metric moves as a point mass at a row is mixed into its class."""
    same = y == y[row]
    values, shares = [], (1e-6, -1e-6)
    for share in shares:
        mixed = np.where(same, w * (1 - share), w)
        mixed[row] += share * w[same].sum()
        values.append(statistic.value(table_of(y, s, mixed, override)))
    return (values[0] - values[1]) / (shares[0] - shares[1])


def test_every_metric_with_a_statistic_is_here() -> None:
    assert {with_parameters(one.value)[0] for one in STATISTICS.values()} == set(MAKERS)


def test_every_choice_with_an_influence_of_its_own_is_here() -> None:
    known = {type(choice) for choice in CHOICES.values()}
    own = {type(case.choice) for case in LAWS.values()}
    assert {kind for kind in own if {"influence", "risks"} & vars(kind).keys()} <= known


@pytest.mark.parametrize("name", STATISTICS)
def test_the_best_and_the_worst_scores_are_in_the_range(name: str) -> None:
    low, high = STATISTICS[name].range
    y, _, w = sample(5, tied=False)
    for scores in (y, 1 - y, 0 * y):
        value = STATISTICS[name].value(table_of(y, 0.01 + 0.98 * scores, w))
        assert low - 1e-12 <= value <= high + 1e-12


@pytest.mark.parametrize("override", [None, 0.13])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("name", STATISTICS)
def test_influence_is_the_derivative(name: str, tied: bool, override: float | None) -> None:
    statistic = STATISTICS[name]
    y, s, w = sample(len(name), tied=tied)
    table = table_of(y, s, w, override)
    found = statistic.influence(table)
    scale = max(1.0, abs(statistic.value(table)))
    for row in (0, 1, 5, 11, 17):
        function = found.of_positives if y[row] else found.of_negatives
        expected = moved(statistic, y, s, w, row, override)
        assert function(s[row : row + 1])[0] == pytest.approx(expected, abs=3e-8 * scale)


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("name", STATISTICS)
def test_slope_is_the_derivative(name: str, tied: bool) -> None:
    statistic = STATISTICS[name]
    y, s, w = sample(3 + len(name), tied=tied)
    table = table_of(y, s, w)
    p, step = table.prevalence, 1e-6
    high, low = (
        statistic.value(table_of(y, s, np.where(y == 1, w * q / p, w * (1 - q) / (1 - p))))
        for q in (p + step, p - step)
    )
    expected = (high - low) / (2 * step)
    scale = max(1.0, abs(statistic.value(table)))
    assert statistic.influence(table).slope == pytest.approx(expected, abs=1e-7 * scale)


@pytest.mark.parametrize("name", STATISTICS)
@settings(max_examples=5)
@given(seed=st.integers(0, 10**6), tied=st.booleans())
def test_the_mean_over_each_class_is_zero(name: str, seed: int, tied: bool) -> None:
    y, s, w = sample(seed, tied=tied)
    table = table_of(y, s, w)
    found = STATISTICS[name].influence(table)
    scale = max(1.0, abs(STATISTICS[name].value(table)))
    for label, function in enumerate((found.of_negatives, found.of_positives)):
        rows = y == label
        assert np.average(function(s[rows]), weights=w[rows]) == pytest.approx(0, abs=1e-12 * scale)


@given(seed=st.integers(0, 10**6), tied=st.booleans(), weighted=st.booleans())
def test_mean_squares_of_placements(seed: int, tied: bool, weighted: bool) -> None:
    y, s, w = sample(seed, tied=tied)
    w = w if weighted else np.ones_like(w)
    table = cs.ScoreTable.from_predictions(y, s, sample_weight=w if weighted else None)
    found = auc_influence(table)
    for label, function in enumerate((found.of_negatives, found.of_positives)):
        rows = y == label
        expected = np.average(function(s[rows]) ** 2, weights=w[rows])
        assert table.ranking.placement_squares[label] == pytest.approx(expected, abs=1e-14)


@given(
    edges=st.lists(st.integers(0, 40), max_size=90, unique=True),
    scores=st.lists(st.integers(-2, 42), min_size=1, max_size=200),
    ascending=st.booleans(),
)
def test_steps(edges: list[int], scores: list[int], ascending: bool) -> None:
    at = np.sort(np.array(edges, dtype=float))
    s = np.array(sorted(scores) if ascending else scores, dtype=float)
    values = np.arange(len(at) + 1.0) ** 2
    expected = [values[np.count_nonzero(at < one)] for one in s]
    np.testing.assert_array_equal(Steps(at, values)(s), expected)


@pytest.mark.parametrize(
    ("metric", "advice"),
    [
        (partial(statistic_of, cs.calibration_loss), "bootstrap"),
        (partial(statistic_of, cs.refinement_loss, partition="roc"), "bootstrap"),
        (partial(statistic_named, "auroc"), "there is no quantity 'auroc': there are auc, "),
        (partial(statistic_named, "expected_loss.cost"), "there is no quantity"),
        (partial(statistic_named, "expected_loss.cost.best"), "there is no quantity"),
    ],
)
def test_refused_metrics(metric: Callable[[], Any], advice: str) -> None:
    with pytest.raises(cs.ConditionError, match=advice):
        metric()


@pytest.mark.parametrize(
    ("choice", "costs", "message"),
    [
        (cs.RateFixed(0.3), cs.Uniform(), "thresholds follow the sample .*: use the bootstrap"),
        (cs.RateDriven(), cs.Point(0.3), "take a distribution with a density or use the bootstrap"),
        (cs.RateDriven(), cs.Sampled([0.2, 0.7]), "mass at single conditions"),
        (
            cs.RateDriven(),
            cs.Mixture([cs.Point(0.3), cs.Uniform()], weights=[1, 9]),
            "under mixture",
        ),
        (cs.ScoreDriven(calibrated_to=0.2), cs.Point(0.3), "fix the prevalence or use the boots"),
        (
            cs.NoisyCondition(cs.Optimal(), stats.norm(0, 0.1)),
            cs.Uniform(),
            "use the bootstrap",
        ),
    ],
)
def test_refused_losses(
    choice: cs.ThresholdChoice, costs: cs.CostDistribution, message: str
) -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    with pytest.raises(cs.ConditionError, match=message):
        statistic_of(cs.expected_loss, choice=choice, costs=costs).influence(table)


def test_a_corrected_choice_at_a_known_prevalence_needs_no_density() -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    choice, costs = cs.ScoreDriven(calibrated_to=0.2), cs.Point(0.3)
    statistic = statistic_of(cs.expected_loss, choice=choice, costs=costs)
    assert statistic.influence(table.with_prevalence(0.5)).of_negatives(np.array([0.1])) <= 0
