"""Scenarios against sums written out, and what averaging leaves as it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace import ConditionError

COST = st.floats(0.1, 100)
RIGHT = st.sampled_from([-3.0, 0.0, 0.05])
SHARE = st.sampled_from([0.01, 0.2, 0.5, 0.9])
ROW = st.tuples(
    COST | st.sampled_from([1.0, 5.0]),
    COST | st.sampled_from([1.0, 5.0]),
    SHARE,
    RIGHT,
    RIGHT,
    st.integers(0, 3).map(float),
)


def scenarios(rows) -> cs.Scenarios:
    fp, fn, p, tp, tn, w = np.array(rows).T
    w[0] += 1
    return cs.Scenarios(fp, fn, p, tp, tn, weights=w)


SCENARIOS = st.lists(ROW, min_size=1, max_size=6).map(scenarios)


@given(SCENARIOS)
def test_expectations_are_sums(s: cs.Scenarios) -> None:
    a, b, w, p = s.fp_cost - s.tn_cost, s.fn_cost - s.tp_cost, s.weights, s.prevalence
    assert s.negative_stake == pytest.approx(np.sum(w * (1 - p) * a))
    assert s.positive_stake == pytest.approx(np.sum(w * p * b))
    assert s.constant == pytest.approx(np.sum(w * ((1 - p) * s.tn_cost + p * s.tp_cost)))
    assert s.stake == s.negative_stake + s.positive_stake
    # A row for each class, a column for passing and one for flagging: what is right costs no more.
    assert s.stakes.tolist() == [[0, s.negative_stake], [s.positive_stake, 0]]
    assert s.mean_prevalence == pytest.approx(np.sum(w * p))
    assert w.sum() == pytest.approx(1)


@given(SCENARIOS)
def test_skews(s: cs.Scenarios) -> None:
    a, b, w, p = s.fp_cost - s.tn_cost, s.fn_cost - s.tp_cost, s.weights, s.prevalence
    stake = (1 - p) * a + p * b
    z = (1 - p) * a / stake
    assert s.skews().mean() == pytest.approx(s.negative_stake / s.stake)
    assert s.skews(staked=False).mean() == pytest.approx(np.sum(w * z))
    half = np.array([0.5])
    share = np.sum(w * stake * (z < 0.5)) / s.stake
    assert s.skews().below(half, 0)[0] == pytest.approx(share, abs=1e-12)
    seen = z[w > 0]
    assert s.skew_range.low == pytest.approx(seen.min())
    assert s.skew_range.high == pytest.approx(seen.max())


@given(SCENARIOS)
def test_mean_over_the_prevalence(s: cs.Scenarios) -> None:
    seen = []

    def money(prevalence: float, costs: cs.CostDistribution, size: float) -> float:
        seen.append(prevalence)
        c = costs.mean()
        return size * ((1 - prevalence) * c * 0.3 + prevalence * (1 - c) * 0.2)

    expected = s.negative_stake * 0.3 + s.positive_stake * 0.2
    assert s.over_prevalence(money) == pytest.approx(expected)
    assert sorted(set(seen)) == seen


@given(SCENARIOS, st.booleans(), st.booleans())
def test_averaging_leaves_the_money_of_a_rule(
    s: cs.Scenarios, costs: bool, prevalence: bool
) -> None:
    left = s.averaging(costs=costs, prevalence=prevalence)
    assert left.negative_stake == pytest.approx(s.negative_stake)
    assert left.positive_stake == pytest.approx(s.positive_stake)
    assert left.constant == pytest.approx(s.constant)
    if costs:
        assert len(left.weights) <= len(np.unique(s.prevalence))
        assert set(np.round(left.prevalence, 12)) <= set(np.round(s.prevalence, 12)) or prevalence
    if costs and prevalence:
        assert left.skews() == cs.Point(left.skew_range.low)
        assert left.skew_range.low == pytest.approx(s.negative_stake / s.stake)


def test_skews_are_weighted_by_the_stakes() -> None:
    alike = cs.Scenarios([1, 10], [4, 40], 0.5)
    assert alike.skews() == alike.skews(staked=False) == cs.Point(0.2)
    s = cs.Scenarios([1, 10], [4, 10], 0.5)
    assert s.skews(staked=False) == cs.Sampled([0.2, 0.5])
    assert s.skews().mean() == pytest.approx((0.2 * 2.5 + 0.5 * 10) / 12.5)


def test_costs_known_for_each_prevalence_are_averaged_apart() -> None:
    s = cs.Scenarios([1, 3, 2], [5, 5, 10], [0.1, 0.1, 0.4], weights=[1, 3, 4])
    left = s.averaging(costs=True)
    assert left.prevalence.tolist() == [0.1, 0.4]
    np.testing.assert_allclose(left.fp_cost, [2.5, 2])
    np.testing.assert_allclose(left.weights, [0.5, 0.5])
    left = cs.Scenarios([1, 1, 2], 5, [0.1, 0.3, 0.4], weights=[1, 1, 0]).averaging(prevalence=True)
    np.testing.assert_allclose(left.prevalence, [0.2])


def test_corners_are_the_scenarios_that_occur() -> None:
    found = cs.Scenarios(1, [2, 8, 9], [0.5, 0.25, 0.1], weights=[1, 1, 0]).corners
    assert found.tolist() == [[1, 1], [2, 8], [0, 0], [0, 0], [0.5, 0.25]]


def test_words_and_columns() -> None:
    s = cs.Scenarios(1, [2, 8], [0.5, 0.2], weights=[1, 3])
    assert repr(s) == "Scenarios(2 conditions, skew 0.333333 to 0.333333)"
    assert s.assumptions == ("costs and prevalence vary together: 2 scenarios, by weight",)
    assert "all equally likely" in cs.Scenarios(1, [2, 3], 0.1).assumptions[0]
    columns = s.columns()
    assert columns["fn_cost"].tolist() == [2, 8]
    assert columns["weights"].tolist() == [0.25, 0.75]
    assert s.prevalence_range.columns()["low"].tolist() == [0.2]
    with pytest.raises(ValueError, match="read-only"):
        s.fp_cost[0] = 3


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"fp_cost": "a"}, "fp_cost must be a number or a list of numbers, got 'a'."),
        ({"fn_cost": []}, "fn_cost must be a number or a list of numbers, got []."),
        ({"fn_cost": [1, np.inf]}, "fn_cost must be a number or a list of numbers"),
        ({"prevalence": [0.1, 1]}, "prevalence must be in (0, 1), got [0.1, 1]."),
        ({"fn_cost": [1, 2], "fp_cost": [1, 2, 3]}, "must have the same length, got [2, 3]."),
        (
            {"fn_cost": [1, 2], "tp_cost": [0, 2]},
            "fn_cost must be above tp_cost in every scenario, got 2 and 2 in scenario 1.",
        ),
        ({"fp_cost": -1}, "fp_cost must be above tn_cost in every scenario, got -1 and 0"),
        ({"weights": [1, 1]}, "Scenarios needs 1 weights, none negative and not all zero"),
    ],
)
def test_bad_scenarios(parts, text: str) -> None:
    with refused(ConditionError, text):
        cs.Scenarios(**{"fp_cost": 1, "fn_cost": 2, "prevalence": 0.1, **parts})
