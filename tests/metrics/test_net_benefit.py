"""Decision curves: against counting, under other choices, and at the ends of the axis."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, CHOICES, Predictions, close, fit_for, inside
from refusals import refused
from scipy import stats

import costspace as cs
from costspace import ConditionError, ScoreError

INF = float("inf")
Y = [0, 0, 1, 1, 1]
S = [0.1, 0.6, 0.4, 0.9, 0.6]


def thresholds(sample: Predictions) -> np.ndarray:
    """The scores, their neighbours, and the rest of the axis."""
    s = sample.printed
    t = np.concatenate([s, np.nextafter(s, 0), np.nextafter(s, 1), np.linspace(0, 1, 9)])
    return t[(t == 0) | (t > 1e-300)]


def counted(sample: Predictions, t: float, *, at: bool) -> tuple[float, float]:
    """Net benefit of the treated and of the untreated, from the four shares of all cases."""
    flagged = sample.printed >= t if at else sample.printed > t
    mass, positive = sample.masses("cost"), sample.y == 1
    tp, fp, fn, tn = (
        float(np.sum(mass[rows]))
        for rows in (
            flagged & positive,
            flagged & ~positive,
            ~flagged & positive,
            ~flagged & ~positive,
        )
    )
    weighed_fp = fp * t / (1 - t) if t < 1 else (INF if fp > 0 else 0.0)
    weighed_fn = fn * (1 - t) / t if t > 0 else (INF if fn > 0 else 0.0)
    return tp - weighed_fp, tn - weighed_fn


def near(found: float, expected: float, odds: float) -> None:
    """Equal up to rounding of the rates, which the odds multiply."""
    if np.isinf(expected):
        assert found == expected
    else:
        assert abs(found - expected) <= 1e-14 * (1 + (odds if expected < 0 else 0))


@given(ANY)
@settings(max_examples=80)
def test_net_benefit_is_what_counting_gives(sample: Predictions) -> None:
    curve = cs.decision_curve(sample.y, sample.s, **sample.options)
    for t in thresholds(sample):
        up, down = (t / (1 - t) if t < 1 else INF), ((1 - t) / t if t > 0 else INF)
        for at, treated in ((False, curve(t)), (True, curve.left(t))):
            expected = counted(sample, t, at=at)
            near(treated, expected[0], up)
            near(curve.net_reduction(t, left=at), expected[1], down)


@pytest.mark.parametrize("method", CHOICES)
@given(st.data())
@settings(max_examples=8)
def test_net_benefit_of_every_choice(method: str, data: st.DataObject) -> None:
    case = CHOICES[method]
    sample = fit_for(case, data)
    curve = cs.decision_curve(sample.y, sample.s, choice=case.choice, **sample.options)
    p = sample.table.prevalence
    t = inside(np.append(curve.breaks, sample.oracle.breakpoints(case.method, "cost")))
    t = t[t < 0.999]
    fpr, fnr = np.transpose([sample.oracle.operating_point(case.method, "cost", x) for x in t])
    close(curve(t), p * (1 - fnr) - (1 - p) * fpr * t / (1 - t), 1e-10)
    t = t[t > 0.001]
    loss = cs.loss_curve(sample.table, choice=case.choice)
    close(curve(t), p - loss(t) / (2 * (1 - t)), 1e-10)
    close(curve.left(t), p - loss.left(t) / (2 * (1 - t)), 1e-10)
    gain = (curve(t) - curve.treat_all(t)) * (1 - t) / t
    close(curve.net_reduction(t), gain, 1e-10)
    close(curve.standardised(t) * p, curve(t))
    # Rousson and Zumbrunn: the two net benefits together.
    close(curve(t) + curve.net_reduction(t), 1 - loss(t) / (2 * t * (1 - t)), 1e-10)


def test_by_hand() -> None:
    curve = cs.decision_curve(Y, S)
    assert curve(0.5) == pytest.approx(2 / 5 - 1 / 5)
    assert curve(0.6) == pytest.approx(1 / 5)
    assert curve.left(0.6) == pytest.approx(2 / 5 - 1 / 5 * 0.6 / 0.4)
    assert curve.standardised(0.6, left=True) == pytest.approx(curve.left(0.6) / 0.6)
    assert curve.net_reduction(0.6) == pytest.approx(2 / 5 - 2 / 5 * 0.4 / 0.6)
    assert curve.net_reduction(0.6, left=True) == pytest.approx(1 / 5 - 1 / 5 * 0.4 / 0.6)


def test_trivial_rules() -> None:
    curve = cs.decision_curve(Y, S, prevalence=0.2)
    t = np.linspace(0, 0.99, 34)
    np.testing.assert_allclose(curve.treat_all(t), 0.2 - 0.8 * t / (1 - t), atol=1e-14)
    assert curve.treat_all(0.2) == pytest.approx(0, abs=1e-15)
    np.testing.assert_array_equal(curve.treat_none(np.append(t, 1)), 0)
    assert curve.treat_all(1) == -INF
    assert curve.treat_all.net_reduction([0, 0.5, 1]) == pytest.approx([0, 0, 0])
    assert curve.treat_none.net_reduction(0) == -INF


@given(ANY)
@settings(max_examples=40)
def test_no_rule_beats_the_optimal_one(sample: Predictions) -> None:
    best = cs.decision_curve(sample.table, choice=cs.Optimal())
    t = np.linspace(0.01, 0.99, 50)
    least = np.maximum(best.treat_all(t), 0)
    assert np.all(best(t) >= np.maximum(least, cs.decision_curve(sample.table)(t)) - 1e-13)
    assert np.all(best(t) <= sample.table.prevalence + 1e-15)


def test_at_the_ends() -> None:
    # Nobody is flagged above 1, and no negative at it.
    curve = cs.decision_curve([0, 0, 1, 1], [0.0, 0.3, 0.4, 1.0])
    assert (curve(1), curve.left(1)) == (0, 0.25)
    assert (curve(0), curve.left(0)) == (0.5, 0.5)
    assert (curve.net_reduction(0), curve.net_reduction(0, left=True)) == (0.25, 0)
    assert curve.net_reduction(1) == 0.5
    # A negative at 1 and a positive at 0.
    curve = cs.decision_curve([0, 0, 1, 1], [1.0, 0.3, 0.4, 0.0])
    assert (curve(1), curve.left(1)) == (0, -INF)
    assert (curve.net_reduction(0), curve.net_reduction(0, left=True)) == (-INF, 0)
    # A limit that the point at 1, where nobody is flagged, does not give: FPR is 2 (1 - t).
    curve = cs.decision_curve([0, 1], [0.6, 0.4], choice=cs.RateDriven())
    assert (curve(1), curve(0.99)) == (-1, pytest.approx(-0.99))
    constant = cs.decision_curve([0, 1], [0.5, 0.5], choice=cs.RateDriven())
    assert constant([0, 0.5, 1]) == pytest.approx([0.5, 0, -0.5])


def test_close_to_the_ends() -> None:
    # In powers of t the loss would keep no digit here.
    s = [1 - 1e-13, 1 - 1e-12, 1e-12, 1e-13]
    curve = cs.decision_curve([1, 1, 0, 0], s)
    assert curve(1 - 1e-12) == pytest.approx(0.25, rel=1e-14)
    assert curve.left(1 - 1e-12) == pytest.approx(0.5, rel=1e-14)
    assert curve.net_reduction(1e-12) == pytest.approx(0.5, rel=1e-14)
    assert curve.net_reduction(1e-12, left=True) == pytest.approx(0.25, rel=1e-14)


def test_of_an_analytic_model() -> None:
    model = cs.AnalyticScores(stats.beta(2, 3), stats.beta(3, 2), 0.3)
    curve = cs.decision_curve(model)
    t = np.array([0, 0.2, 0.9, 0.999, 1 - 1e-9])
    points = model.by_score.at(t)
    expected = 0.3 * (1 - points.fnr) - 0.7 * points.fpr * t / (1 - t)
    np.testing.assert_allclose(curve(t), expected, atol=1e-14)
    np.testing.assert_allclose(curve.left(t), expected, atol=1e-14)
    # Both densities are 0 at their far end, where the rates fall faster than t does.
    assert curve(1) == pytest.approx(0, abs=1e-6)
    assert curve.net_reduction(0) == pytest.approx(0, abs=1e-6)
    columns = curve.columns()
    np.testing.assert_allclose(columns["net_benefit_start"], curve(columns["from"]), atol=1e-6)


@given(ANY)
@settings(max_examples=40)
def test_columns(sample: Predictions) -> None:
    curve = cs.decision_curve(sample.table)
    columns = curve.columns()
    low, high = columns["from"], columns["to"]
    np.testing.assert_array_equal(curve.breaks, np.append(low, high[-1]))
    wide = low < high
    low, high = low[wide], high[wide]
    for name, function in (
        ("net_benefit", lambda t, left: curve.left(t) if left else curve(t)),
        ("net_reduction", lambda t, left: curve.net_reduction(t, left=left)),
    ):
        np.testing.assert_array_equal(columns[f"{name}_start"][wide], function(low, False))
        np.testing.assert_array_equal(columns[f"{name}_end"][wide], function(high, True))


def test_of_a_loss_curve() -> None:
    loss = cs.loss_curve(Y, S, choice=cs.ScoreFixed(0.5), prevalence=0.2)
    curve = cs.metrics.DecisionCurve(loss, 0.2)
    assert curve.loss is loss
    assert curve(0.25) == pytest.approx(0.2 * 2 / 3 - 0.8 / 2 / 3)
    one, other = (cs.loss_curve(Y, S, choice=choice) for choice in (cs.Optimal(), cs.RateDriven()))
    drawn = cs.metrics.DecisionCurve(cs.curve.weighted_sum([one, other]), 0.6)
    mean = (cs.metrics.DecisionCurve(one, 0.6)(0.3) + cs.metrics.DecisionCurve(other, 0.6)(0.3)) / 2
    assert drawn(0.3) == pytest.approx(mean)


def test_bad_input() -> None:
    curve = cs.decision_curve(Y, S)
    for ask in (curve, curve.left, curve.standardised, curve.net_reduction):
        with refused(ConditionError, "a threshold probability must be in [0, 1], got 1.2."):
            ask(1.2)
    with refused(ConditionError, "prevalence must be in (0, 1), got 0."):
        cs.metrics.DecisionCurve(curve.loss, 0)
    with refused(ConditionError, "curve must be a loss curve"):
        cs.metrics.DecisionCurve(curve, 0.5)  # type: ignore[arg-type]
    with refused(ScoreError, "the score-driven choice needs scores in [0, 1]"):
        cs.decision_curve(Y, [2, 3, 4, 5, 6])
