"""Cumulative gain and lift: against flagging row by row, and what the area says."""

import numpy as np
import pytest
from hypothesis import given, settings
from laws.registry import ANY, Predictions, close
from refusals import refused
from scipy import stats

import costspace as cs

Y = [0, 0, 1, 1, 1]
S = [0.1, 0.6, 0.4, 0.9, 0.6]


def flagged_one_by_one(sample: Predictions, share: float) -> float:
    """The share of positives found, taking a part of the block of ties that a share ends in."""
    mass, positive = sample.masses("cost"), sample.y == 1
    left, found = share, 0.0
    for score in np.unique(sample.printed[mass > 0])[::-1]:
        block = sample.printed == score
        part = min(1.0, left / np.sum(mass[block]))
        found += part * np.sum(mass[block & positive])
        left -= part * np.sum(mass[block])
        if left <= 0:
            break
    return float(found / np.sum(mass[positive]))


@given(ANY)
@settings(max_examples=80)
def test_gain_is_what_flagging_finds(sample: Predictions) -> None:
    curve = cs.metrics.gain_curve(sample.y, sample.s, **sample.options)
    for share in (0.01, 0.13, 0.2, 0.5, 0.77, 0.99):
        expected = flagged_one_by_one(sample, share)
        assert curve(share) == pytest.approx(expected, abs=1e-12)
        assert curve.lift(share) == pytest.approx(expected / share, rel=1e-10, abs=1e-12)
    assert curve(0) == pytest.approx(0, abs=1e-15)
    assert curve(1) == pytest.approx(1, abs=1e-15)


@given(ANY)
@settings(max_examples=80)
def test_the_area_is_an_expected_loss(sample: Predictions) -> None:
    curve = cs.metrics.gain_curve(sample.y, sample.s, **sample.options)
    table, p = sample.table, curve.prevalence
    columns = curve.columns()
    area = float(np.trapezoid(columns["gain"], columns["flagged"]))
    close(curve.area, area)
    close(area, p / 2 + (1 - p) * cs.auc(table))
    driven = cs.expected_loss(table, choice=cs.RateDriven(), costs=cs.Uniform())
    uniform = cs.expected_loss(table, choice=cs.RateUniform(), costs=cs.Uniform())
    close(driven, 1 / 3 + p * (1 - 2 * area))
    close(uniform, 1 / 2 + p * (1 - 2 * area))
    # Not by the formula of the choice: the curve itself, integrated.
    close(cs.loss_curve(table, choice=cs.RateDriven()).expectation(cs.Uniform()), driven)


def test_by_hand() -> None:
    curve = cs.metrics.gain_curve(Y, S)
    # 0.9; then 0.6 twice, one of them positive; 0.4; 0.1.
    columns = curve.columns()
    np.testing.assert_allclose(columns["flagged"], [0, 0.2, 0.6, 0.8, 1])
    np.testing.assert_allclose(columns["gain"], [0, 1 / 3, 2 / 3, 1, 1])
    np.testing.assert_allclose(columns["lift"], [5 / 3, 5 / 3, 10 / 9, 1.25, 1])
    assert curve(0.4) == pytest.approx(1 / 2)
    assert curve.area == pytest.approx(0.2 * (1 / 6 + 1 / 3 + 2 / 3 + 5 / 6 + 1))
    weighted = cs.metrics.gain_curve(Y, S, sample_weight=[1, 2, 1, 1, 2])
    np.testing.assert_allclose(weighted.columns()["flagged"], np.array([0, 1, 5, 6, 7]) / 7)
    np.testing.assert_allclose(weighted.columns()["gain"], [0, 0.25, 0.75, 1, 1])
    rare = cs.metrics.gain_curve(Y, S, prevalence=0.1)
    # The share flagged is 0.9 FPR + 0.1 TPR.
    assert rare.columns()["flagged"] == pytest.approx([0, 1 / 30, 0.45 + 2 / 30, 0.55, 1])
    np.testing.assert_allclose(rare.columns()["gain"], columns["gain"])
    assert rare.perfect([0.05, 0.1, 0.5]) == pytest.approx([0.5, 1, 1])
    assert repr(rare) == f"GainCurve(area {rare.area:.6g}, prevalence 0.1)"


def test_of_densities() -> None:
    model = cs.AnalyticScores(stats.norm(0, 1), stats.norm(1, 1), prevalence=0.2)
    curve = cs.metrics.gain_curve(model)
    t = np.array([-1.0, 0.3, 1.5])
    flagged = 0.8 * stats.norm.sf(t) + 0.2 * stats.norm.sf(t - 1)
    close(curve(flagged), stats.norm.sf(t - 1), 1e-9)
    close(curve.area, 0.1 + 0.8 * stats.norm.cdf(np.sqrt(0.5)), 1e-9)
    columns = curve.columns()
    assert len(columns["flagged"]) >= 1025
    close(curve(columns["flagged"]), columns["gain"])


def test_what_is_refused() -> None:
    curve = cs.metrics.gain_curve(Y, S)
    with refused(cs.ConditionError, "a lift is a share of what is flagged: ask above 0, got 0."):
        curve.lift([0.1, 0])
    with refused(cs.ConditionError, "a share flagged must be in [0, 1], got 1.5."):
        curve(1.5)
    with refused(cs.SourceError, "a gain curve needs a ScoreSource, got [0, 1]."):
        cs.metrics.GainCurve([0, 1])  # type: ignore[arg-type]
