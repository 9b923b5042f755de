"""Intervals for the best threshold."""

import re

import numpy as np
import pytest
from refusals import refused
from scipy import optimize, stats

import costspace as cs


@pytest.mark.parametrize("condition", [0.2, 0.5])
def test_they_contain_the_best_threshold(condition: float) -> None:
    prevalence, rng = 0.3, np.random.default_rng(0)

    def above(score: float) -> float:
        positive = prevalence * stats.beta.pdf(score, 4, 2)
        both = positive + (1 - prevalence) * stats.beta.pdf(score, 2, 4)
        return float(positive - condition * both)

    best = optimize.brentq(above, 1e-6, 1 - 1e-6)
    covered = []
    for _ in range(250):
        y = (rng.random(1000) < prevalence).astype(int)
        scores = np.where(y == 1, rng.beta(4, 2, 1000), rng.beta(2, 4, 1000))
        found = cs.threshold_interval(y, scores, condition=condition)
        covered.append(found.low <= best <= found.high)
        assert found.low <= found.threshold <= found.high
    assert np.mean(covered) >= 0.94
    assert found.high - found.low < 0.5


def test_it_is_the_optimal_threshold() -> None:
    y = np.repeat([0, 1], 50)
    scores = np.random.default_rng(0).beta(2 + y, 3 - y)
    table = cs.ScoreTable.from_predictions(y, scores)
    for condition in (0.0, 0.3, 1.0):
        rule = cs.threshold_path(table, choice=cs.Optimal()).rule_at(condition)
        found = cs.threshold_interval(y, scores, condition=condition)
        assert found.threshold == rule.thresholds[0]
    assert found.high == np.inf


def test_it_narrows_with_rows_and_level() -> None:
    rng = np.random.default_rng(1)
    widths = []
    for n, level in ((300, 0.99), (300, 0.9), (30_000, 0.9)):
        y = np.repeat([0, 1], n)
        found = cs.threshold_interval(y, rng.beta(2 + 2 * y, 4 - 2 * y), condition=0.5, level=level)
        widths.append(found.high - found.low)
    assert widths[0] > widths[1] > 3 * widths[2]


def test_equal_rows_and_counts_agree() -> None:
    y, scores = np.repeat([0, 1], 30), np.random.default_rng(2).random(60)
    weight = np.tile([1.0, 2.0, 3.0], 20)
    counted = cs.threshold_interval(
        y, scores, condition=0.4, sample_weight=weight, weights="counts"
    )
    times = weight.astype(int)
    repeated = cs.threshold_interval(np.repeat(y, times), np.repeat(scores, times), condition=0.4)
    assert (counted.low, counted.high) == (repeated.low, repeated.high)


def test_degenerate_scores() -> None:
    y = [0, 0, 0, 1, 1]
    constant = cs.threshold_interval(y, [0.5] * 5, condition=0.3)
    assert (constant.low, constant.high) == (-np.inf, np.inf)
    separated = cs.threshold_interval(y, [0.1, 0.2, 0.3, 0.7, 0.8], condition=0.5)
    assert separated.low <= 0.3 < separated.threshold < 0.7 <= separated.high
    assert repr(separated).startswith("ThresholdInterval(0.5 for condition 0.5, 95 % interval")
    assert separated.columns()["threshold"] == [0.5]


def test_refusals() -> None:
    y, scores = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    with refused(cs.ConditionError, "level"):
        cs.threshold_interval(y, scores, condition=0.5, level=0.8)
    with refused(cs.LabelError, "at least two rows of each class"):
        cs.threshold_interval([0, 1, 1], [0.1, 0.6, 0.4], condition=0.5)


@pytest.mark.parametrize(("at", "per"), [(12345678, 40), (0.5, 1e-9), (1.7e12, 1e6), (-1e7, 1)])
def test_its_texts_tell_thresholds_apart(at: float, per: float) -> None:
    rng = np.random.default_rng(0)
    y = (rng.random(2000) < 0.3).astype(int)
    found = cs.threshold_interval(y, at + per * (rng.normal(size=2000) + 1.5 * y), condition=0.3)
    low, threshold, high = found.low, found.threshold, found.high
    said = re.match(r"ThresholdInterval\((\S+) for .* interval (\S+) to (\S+),", repr(found))
    assert said is not None
    np.testing.assert_allclose([*map(float, said.groups())], [threshold, low, high], atol=per)
    assert low < threshold < high
    assert len({*said.groups()}) == 3
    assert f"<td>{said[1]}</td>" in found._repr_html_()
