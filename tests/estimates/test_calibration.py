"""The test of calibration against a fitted model, and the error rate it promises."""

from typing import Any

import numpy as np
import pytest
from refusals import refused
from scipy import stats

import costspace as cs
from costspace import ScoreError, SourceError


def calibrated(seed: int, n: int = 400) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    s = random.beta(2, 5, size=n)
    return (random.random(n) < s).astype(int), s


def fitted_score_test(y: Any, s: Any, w: Any) -> float:
    """Rao's statistic from the gradient and information of the weighted logistic model."""
    x = np.stack([np.ones_like(s), np.log(s / (1 - s))])
    gradient = x @ (w * (y - s))
    information = (x * w**2 * s * (1 - s)) @ x.T
    return float(gradient @ np.linalg.inv(information) @ gradient)


def test_is_the_score_test() -> None:
    y, s = calibrated(0)
    found = cs.calibration_test(y, s)
    assert found.degrees == 2
    assert found.n == 400
    assert found.statistic == pytest.approx(fitted_score_test(y, s, np.ones(400)))
    assert found.p == pytest.approx(stats.chi2.sf(found.statistic, 2))
    w = np.random.default_rng(1).exponential(size=400)
    weighted = cs.calibration_test(y, s, sample_weight=w)
    assert weighted.statistic == pytest.approx(fitted_score_test(y, s, w))


@pytest.mark.parametrize("clustered", [False, True])
def test_rejects_calibrated_scores_as_often_as_the_level_says(clustered: bool) -> None:
    p = []
    for seed in range(600):
        y, s = calibrated(seed)
        # Rows of a cluster are equal, as if each was seen four times.
        rows = np.repeat(np.arange(400), 4) if clustered else slice(None)
        groups = rows if clustered else None
        p.append(cs.calibration_test(y[rows], s[rows], groups=groups).p)
    for alpha in (0.05, 0.5):
        reach = 5 * np.sqrt(alpha * (1 - alpha) / 600)
        assert alpha - reach < np.mean(np.array(p) < alpha) < alpha + reach


def test_rejects_as_often_of_few_clusters() -> None:
    p = []
    for seed in range(800):
        y, s = calibrated(seed, n=180)
        p.append(cs.calibration_test(y, s, groups=np.arange(180) // 30).p)
    for alpha in (0.05, 0.5):
        reach = 4 * np.sqrt(alpha * (1 - alpha) / 800)
        assert alpha - reach < np.mean(np.array(p) < alpha) < alpha + reach


def test_many_clusters_are_as_rows() -> None:
    y, s = calibrated(6, n=4000)
    constant = np.full(4000, 0.3)
    for scores in (s, constant):
        clustered = cs.calibration_test(y, scores, groups=np.arange(4000))
        tail = stats.chi2.sf(clustered.statistic, clustered.degrees)
        assert clustered.p == pytest.approx(tail, rel=0.02)


@pytest.mark.parametrize("slope", [0.5, 2.0])
def test_sees_overconfidence_and_its_opposite(slope: float) -> None:
    y, s = calibrated(3, n=2000)
    assert cs.calibration_test(y, s).p > 0.01
    distorted = 1 / (1 + (1 / s - 1) ** slope)
    assert cs.calibration_test(y, distorted).p < 1e-6


def test_a_constant_score_is_tested_by_its_level() -> None:
    y = np.repeat([0, 1], [70, 30])
    found = cs.calibration_test(y, np.full(100, 0.2))
    assert found.degrees == 1
    assert found.statistic == pytest.approx(10**2 / 16)
    assert found.p == pytest.approx(stats.chi2.sf(found.statistic, 1))


def test_certain_scores() -> None:
    contradicted = cs.calibration_test([0, 1, 1], [0.0, 1.0, 0.0])
    assert (contradicted.statistic, contradicted.p) == (np.inf, 0.0)
    right = cs.calibration_test([0, 1, 1], [0.0, 1.0, 1.0])
    assert (right.statistic, right.degrees, right.p) == (0.0, 0, 1.0)
    y, s = calibrated(4)
    more = cs.calibration_test([*y, 0, 1], [*s, 0.0, 1.0])
    assert more.statistic == pytest.approx(cs.calibration_test(y, s).statistic)


def test_columns() -> None:
    found = cs.calibration_test(*calibrated(5))
    assert {name: c[0] for name, c in found.columns().items()} == vars(found)


def test_refusals() -> None:
    model = cs.AnalyticScores(lambda x: 2 * (1 - x), lambda x: 2 * x, 0.5)
    with refused(SourceError, "a score table already has labels"):
        cs.calibration_test(model, [0.2, 0.7])
    with refused(ScoreError, "needs scores in [0, 1], got scores from -1 to 2"):
        cs.calibration_test([0, 1], [-1, 2])
    with refused(ScoreError, "at least three clusters, got 2"):
        cs.calibration_test([0, 1, 0, 1], [0.2, 0.4, 0.3, 0.6], groups=[0, 0, 1, 1])


def test_clusters_without_weight_do_not_count() -> None:
    y, s = np.tile([0, 1], 30), np.random.default_rng(0).random(60) * 0.8 + 0.1
    weight = np.append([1.0, 1.0], np.zeros(58))
    with refused(ScoreError, "at least three clusters, got 1"):
        cs.calibration_test(y, s, sample_weight=weight, groups=np.arange(60) // 20)


def test_clusters_that_are_the_same_but_for_their_number() -> None:
    y, s = np.tile([0, 1, 1, 0, 0], 10), np.tile([0.2, 0.4, 0.9, 0.3, 0.7], 10)
    with refused(ScoreError, "the variance of each cannot be estimated: give rows of more groups"):
        cs.calibration_test(y, s, groups=np.repeat(np.arange(4), [10, 10, 10, 20]))
