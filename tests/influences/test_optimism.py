"""Optimism: what is optimal on a sample is too good there, by the estimated bias."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy import stats

import costspace as cs
from costspace.estimates.named import statistic_named, statistic_of
from costspace.influences.optimism import optimism_curve
from costspace.influences.statistic import Statistic

LEVELS = (np.arange(6) + 0.5) / 6
GRID = np.linspace(0.01, 0.99, 99)
STATISTICS: dict[str, Statistic] = {
    **{name: statistic_named(name) for name in ("auc_hull", "refinement_loss", "h_measure")},
    "voros": statistic_named("voros"),
    "skew": statistic_named("expected_loss.skew.optimal"),
    "beta": statistic_named("expected_loss.cost.optimal", cs.Beta(2, 6)),
    "point": statistic_named("expected_loss.skew.optimal", cs.Point(0.4)),
    "part": statistic_of(cs.voros, low=0.2, high=0.6),
}


def binormal(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    y = (rng.random(n) < 0.4).astype(int)
    return y, rng.normal(1.3 * y)


def shares() -> tuple[np.ndarray, np.ndarray]:
    """The shares of six levels among the negatives and among the positives."""
    negatives, positives = (np.exp(-slope * LEVELS) for slope in (2.0, -1.0))
    return negatives / negatives.sum(), positives / positives.sum()


def levels(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    y = (rng.random(n) < 0.4).astype(int)
    drawn = [rng.choice(LEVELS, n, p=share) for share in shares()]
    return y, np.where(y == 1, drawn[1], drawn[0])


def population(draw: Callable[..., Any]) -> cs.ScoreSource:
    if draw is binormal:
        return cs.AnalyticScores(stats.norm(0, 1), stats.norm(1.3, 1), 0.4)
    weight = np.concatenate([0.6 * shares()[0], 0.4 * shares()[1]])
    return cs.ScoreTable.from_predictions(
        np.repeat([0, 1], len(LEVELS)), np.tile(LEVELS, 2), sample_weight=weight
    )


@pytest.mark.simulation
@pytest.mark.parametrize("draw", [binormal, levels])
@pytest.mark.parametrize("n", [300, 2000])
def test_corrected_values_are_centred(draw: Callable[..., Any], n: int) -> None:
    rng = np.random.default_rng(n)
    tables = [cs.ScoreTable.from_predictions(*draw(rng, n)) for _ in range(300)]
    for name, statistic in STATISTICS.items():
        truth = statistic.value(population(draw))
        assert statistic.bias is not None
        values = np.array([statistic.value(table) for table in tables])
        corrected = values - [statistic.bias(table, "sampling", 1.0) for table in tables]
        deviation = values.std()
        assert abs(corrected.mean() - truth) < 0.3 * deviation, name
        if draw is binormal and name not in ("auc_hull", "part"):
            assert abs(values.mean() - truth) > 0.35 * deviation, name


def test_counts_and_weights() -> None:
    y, s = levels(np.random.default_rng(1), 200)
    counts = np.random.default_rng(2).integers(1, 4, 200)
    repeated = cs.ScoreTable.from_predictions(np.repeat(y, counts), np.repeat(s, counts))
    table = cs.ScoreTable.from_predictions(y, s, sample_weight=counts)
    plain = cs.ScoreTable.from_predictions(y, s)
    equal = cs.ScoreTable.from_predictions(y, s, sample_weight=np.full(200, 3.0))
    for name, statistic in STATISTICS.items():
        assert statistic.bias is not None
        expected = statistic.bias(repeated, "sampling", 1.0)
        assert statistic.bias(table, "counts", 1.0) == pytest.approx(expected, rel=1e-9), name
        assert abs(statistic.bias(table, "sampling", 1.0)) >= abs(expected) - 1e-15, name
        same = statistic.bias(plain, "sampling", 1.0)
        assert statistic.bias(equal, "sampling", 1.0) == pytest.approx(same, rel=1e-9), name


@pytest.mark.parametrize("name", STATISTICS)
def test_separated_classes_have_none(name: str) -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.2, 0.6, 0.9])
    bias = STATISTICS[name].bias
    assert bias is not None
    assert bias(table, "sampling", 1.0) == 0


def test_an_estimate_says_its_bias() -> None:
    y, s = binormal(np.random.default_rng(3), 500)
    found = cs.estimate(y, s, metric=partial(cs.expected_loss, choice=cs.Optimal()))
    assert found.bias < 0
    assert found.low < found.estimate < found.corrected < found.high
    assert cs.estimate(y, s, metric=cs.auc).bias == 0
    upper = cs.estimate(y, stats.norm.cdf(s), metric=cs.miscalibration)
    assert upper.bias > 0
    assert upper.low == 0


def test_clusters_in_which_influences_cancel() -> None:
    y, s = np.tile([0, 0, 1, 1], 10), np.tile([0.2, 0.6, 0.4, 0.8], 10)
    clusters = np.repeat(np.arange(10), 4)
    for name, statistic in STATISTICS.items():
        plain = cs.estimate(y, s, metric=statistic)
        found = cs.estimate(y, s, metric=statistic, groups=clusters, design=plain.design)
        assert found.bias == pytest.approx(plain.bias, rel=1e-12), name
        assert found.low < found.corrected < found.high, name


def test_clusters_make_more_of_it() -> None:
    y, s = binormal(np.random.default_rng(4), 300)
    rows = np.repeat(np.arange(300), 4)
    for name, statistic in STATISTICS.items():
        plain = cs.estimate(y, s, metric=statistic)
        copied = cs.estimate(y[rows], s[rows], metric=statistic, groups=rows)
        assert copied.bias == pytest.approx(plain.bias, rel=2e-2), name
        assert abs(cs.estimate(y[rows], s[rows], metric=statistic).bias) < 0.6 * abs(plain.bias), (
            name
        )


@pytest.mark.parametrize(
    ("heavy", "label", "weight", "rows"),
    [(1, 1, 1e-200, 1), (1, 1, 1e-20, 1), (1, 0, 1e-15, 100), (1e6, 0, 1e-15, 100)],
)
@pytest.mark.parametrize("name", STATISTICS)
def test_segments_of_one_class_but_for_rounding(
    name: str, heavy: float, label: int, weight: float, rows: int
) -> None:
    y, s = [0] * 200 + [1] * 200, [0.1] * 150 + [0.4] * 50 + [0.4] * 50 + [0.6] * 150
    w = [1.0] * 200 + [heavy] * 200
    rest = cs.ScoreTable.from_predictions(y, s, sample_weight=w)
    table = cs.ScoreTable.from_predictions(
        y + [label] * rows,
        s + [0.1 if label else 0.6] * rows,
        sample_weight=w + [weight] * rows,
    )
    statistic = STATISTICS[name]
    assert statistic.bias is not None
    expected = statistic.bias(rest, "sampling", 1.0)
    assert statistic.bias(table, "sampling", 1.0) == pytest.approx(expected, abs=1e-9)
    curve, of_rest = (optimism_curve(one)(GRID) for one in (table, rest))
    np.testing.assert_allclose(curve, of_rest, atol=1e-9)
