"""Relative economic value against the expenses of the cost-loss decision."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, CHOICES, Predictions, close, fit_for, inside
from refusals import refused
from scipy import stats

import costspace as cs
from costspace import ConditionError

INF = float("inf")
Y = [0, 0, 1, 1, 1]
S = [0.1, 0.6, 0.4, 0.9, 0.6]


def from_expenses(sample: Predictions, ratio: float, *, at: bool) -> float:
    """The value from what each case costs: C if protected, L if not and the event comes."""
    loss, cost = 40.0, 40.0 * ratio
    mass, event = sample.masses("cost"), sample.y == 1

    def expense(protected: np.ndarray) -> float:
        return float(np.sum(mass * np.where(protected, cost, np.where(event, loss, 0))))

    protected = sample.printed >= ratio if at else sample.printed > ratio
    climate = min(expense(np.full(len(mass), always)) for always in (True, False))
    return (climate - expense(protected)) / (climate - expense(event))


@given(ANY)
@settings(max_examples=80)
def test_value_is_what_expenses_give(sample: Predictions) -> None:
    curve = cs.relative_economic_value(sample.y, sample.s, **sample.options)
    ratios = np.concatenate([sample.printed, np.linspace(0.05, 0.95, 9)])
    p = sample.table.prevalence
    for ratio in ratios[(ratios > 1e-6) & (ratios < 1 - 1e-6)]:
        at_stake = min(ratio * (1 - p), (1 - ratio) * p)
        for at, found in ((False, curve(ratio)), (True, curve.left(ratio))):
            expected = from_expenses(sample, ratio, at=at)
            close(found, expected, 1e-14 * (1 + abs(expected)) / at_stake)


@pytest.mark.parametrize("method", CHOICES)
@given(st.data())
@settings(max_examples=16)
def test_value_of_every_choice(method: str, data: st.DataObject) -> None:
    case = CHOICES[method]
    sample = fit_for(case, data)
    table, p = sample.table, sample.table.prevalence
    curve = cs.relative_economic_value(table, choice=case.choice)
    c = np.append(inside(curve.breaks), p)
    loss, trivial = (
        cs.loss_curve(table, choice=case.choice),
        cs.condition.trivial_loss(c, prevalence=p),
    )
    for found, lost in ((curve(c), loss(c)), (curve.left(c), loss.left(c))):
        expected = 1 - lost / trivial
        assert np.all(abs(found - expected) <= 1e-14 * (1 + abs(expected)) / trivial)
    net = cs.decision_curve(table, choice=case.choice)
    expected = np.where(c < p, net.net_reduction(c) / (1 - p), net.standardised(c))
    np.testing.assert_allclose(curve(c), expected, rtol=1e-12, atol=1e-12)


@given(ANY)
@settings(max_examples=40)
def test_potential_value(sample: Predictions) -> None:
    potential = cs.relative_economic_value(sample.table, choice=cs.Optimal())
    c = np.linspace(0, 1, 51)
    assert np.all(potential(c) >= -1e-12)
    assert np.all(potential(c) <= 1 + 1e-12)
    inner = c[1:-1]
    actual = cs.relative_economic_value(sample.table)(inner)
    assert np.all(potential(inner) >= actual - 1e-9 * (1 + abs(actual)))


@given(ANY)
@settings(max_examples=25)
def test_the_largest_value_of_a_rule_is_at_the_prevalence(sample: Predictions) -> None:
    # Richardson: there it is TPR - FPR, the Peirce skill score.
    choice, p = cs.ScoreFixed(0.5), sample.table.prevalence
    curve = cs.relative_economic_value(sample.table, choice=choice)
    point = sample.table.by_score.at(0.5)
    assert curve(p) == pytest.approx(float(1 - point.fnr - point.fpr), abs=1e-7)
    assert np.all(np.asarray(curve(np.linspace(0, 1, 51))) <= curve(p) + 1e-7)
    assert p in curve.breaks


def test_by_hand() -> None:
    # At C / L = 1/2: 2 true positives and 1 false positive at 1/2 each, 1 false negative at 1, so
    # 2.5; climatology protects always, 2.5; perfect forecasts cost 1.5.
    curve = cs.relative_economic_value(Y, S)
    assert curve(0.5) == pytest.approx(0)
    # At 0.6: 1 true positive, 2 false negatives, 2.6; climatology 3; perfect 1.8. From the left: 2
    # true positives more.
    assert curve(0.6) == pytest.approx((3 - 2.6) / (3 - 1.8))
    assert curve.left(0.6) == pytest.approx((3 - (3 * 0.6 + 1)) / (3 - 1.8))


def test_at_the_ends() -> None:
    curve = cs.relative_economic_value([0, 0, 1, 1], [0.0, 0.3, 0.4, 1.0])
    assert (curve(0), curve.left(0)) == (0.5, 0)
    assert (curve(1), curve.left(1)) == (0, 0.5)
    curve = cs.relative_economic_value([0, 0, 1, 1], [1.0, 0.3, 0.4, 0.0])
    assert (curve(0), curve.left(0)) == (-INF, 0)
    assert (curve(1), curve.left(1)) == (0, -INF)


def test_of_an_analytic_model() -> None:
    model = cs.AnalyticScores(stats.beta(2, 3), stats.beta(3, 2), 0.3)
    curve = cs.relative_economic_value(model)
    c = np.array([1e-6, 0.2, 0.3, 0.9, 0.999])
    points = model.by_score.at(c)
    loss = 2 * (c * 0.7 * points.fpr + (1 - c) * 0.3 * points.fnr)
    np.testing.assert_allclose(
        curve(c), 1 - loss / cs.condition.trivial_loss(c, prevalence=0.3), atol=1e-12
    )
    assert 0.3 in curve.breaks


@given(ANY)
@settings(max_examples=40)
def test_columns(sample: Predictions) -> None:
    curve = cs.relative_economic_value(sample.table)
    columns = curve.columns()
    low, high = columns["from"], columns["to"]
    np.testing.assert_array_equal(curve.breaks, np.append(low, high[-1]))
    wide = low < high
    np.testing.assert_array_equal(columns["value_start"][wide], curve(low[wide]))
    # At the prevalence the two formulas of the value differ by rounding.
    close(columns["value_end"][wide], curve.left(high[wide]), 1e-6)


def test_bad_input() -> None:
    curve = cs.relative_economic_value(Y, S)
    for ask in (curve, curve.left):
        with refused(ConditionError, "a cost-loss ratio must be in [0, 1], got -0.1."):
            ask(-0.1)
    with refused(ConditionError, "prevalence must be in (0, 1), got 1."):
        cs.metrics.EconomicValueCurve(curve.loss, 1)
    with refused(ConditionError, "curve must be a loss curve"):
        cs.metrics.EconomicValueCurve("brier", 0.5)  # type: ignore[arg-type]
