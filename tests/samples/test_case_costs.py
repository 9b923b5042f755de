"""Costs of each case: what is refused, the class means, and the weights they make of rows."""

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace import ConditionError, WeightError

NAN, INF = float("nan"), float("inf")
FP, FN = [1, 3, 2, 4], [10.0, 20.0, 5.0, 6.0]
Y, S = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]


def test_single_numbers_are_for_any_number_of_rows() -> None:
    costs = cs.CaseCosts(1, 10, tn_cost=-2)
    assert costs.rows is None
    assert (float(costs.net_fp_cost), float(costs.net_fn_cost)) == (3, 10)
    assert repr(costs) == "CaseCosts(fp_cost=1, fn_cost=10, tp_cost=0, tn_cost=-2)"
    assert costs.take(np.array([0, 5])).rows is None
    assert {name: column.tolist() for name, column in costs.columns().items()} == {
        "fp_cost": [1],
        "fn_cost": [10],
        "tp_cost": [0],
        "tn_cost": [-2],
    }


def test_columns_are_arguments() -> None:
    costs = cs.CaseCosts(FP, 10, tp_cost=[1, 2, 3, 4])
    again = cs.CaseCosts(**costs.columns())
    assert again.rows == 4
    for name, column in costs.columns().items():
        assert column.shape == (4,)
        np.testing.assert_array_equal(again.columns()[name], column)
    assert costs.take(np.array([3, 0])).columns()["fp_cost"].tolist() == [4, 1]


def test_numbers_of_every_kind() -> None:
    expected = cs.CaseCosts(FP, FN)
    kinds: list[Any] = [
        np.array(FP, dtype=np.int8),
        np.float32(FP),
        [Decimal(x) for x in FP],
        np.array(FP, dtype=object),
    ]
    for fp in kinds:
        np.testing.assert_array_equal(cs.CaseCosts(fp, FN).net_fp_cost, expected.net_fp_cost)


def test_the_callers_arrays_are_not_changed() -> None:
    fp = np.array(FP, dtype=float)
    costs = cs.CaseCosts(fp, FN)
    assert fp.flags.writeable
    assert isinstance(costs.fp_cost, np.ndarray)
    assert not costs.fp_cost.flags.writeable


@pytest.mark.parametrize(
    ("costs", "text"),
    [
        ({"fp_cost": [1, 1], "tn_cost": [0, 1]}, "fp_cost must be above tn_cost, got 1 and 1 in"),
        ({"fp_cost": 1, "tn_cost": 2}, "fp_cost must be above tn_cost, got 1 and 2: a mistake"),
        ({"tp_cost": 11.5}, "fn_cost must be above tp_cost, got 10 and 11.5: a mistake"),
        ({"fn_cost": [10, 1e-60]}, "above tp_cost by 1e-50 to 1e+50, got 1e-60 and 0 in row 2"),
        ({"tn_cost": [0, 9]}, "Leave out cases that are always to be flagged."),
        ({"fp_cost": 0}, "fp_cost must be above tn_cost, got 0 and 0:"),
        ({"fp_cost": 1e308, "tn_cost": -1e308}, "got 1e+308 and -1e+308:"),
        ({"fp_cost": [1, NAN]}, "fp_cost must be finite, got nan in row 2: fill or drop it."),
        ({"fp_cost": [1, None]}, "fp_cost must be finite, got nan in row 2: fill or drop it."),
        ({"fn_cost": INF}, "fn_cost must be finite, got inf."),
        ({"fp_cost": ["1", "2"]}, "values of fp_cost must be numbers, got text such as '1'."),
        ({"fp_cost": "cheap"}, "fp_cost must be a number, got 'cheap'."),
        ({"fp_cost": {"call": 4}}, "fp_cost must be a number, got {'call': 4}."),
        ({"fp_cost": None}, "fp_cost must be a number, got None."),
        ({"fp_cost": [[1], [1, 2]]}, "fp_cost must have one dimension, got [[1], [1, 2]]."),
        ({"fp_cost": [[1, 2]]}, "fp_cost must have one dimension, got shape (1, 2)."),
        ({"fp_cost": []}, "fp_cost must not be empty"),
        ({"fp_cost": [2**60, 1]}, "cannot tell apart: give costs in a larger unit."),
        ({"fp_cost": [1, 2], "fn_cost": [1, 2, 3]}, "got 2 of fp_cost, 3 of fn_cost, 1 of tp_cost"),
    ],
)
def test_what_is_refused(costs: dict[str, Any], text: str) -> None:
    with refused(ConditionError, text):
        cs.CaseCosts(**({"fp_cost": 1, "fn_cost": 10} | costs))


def test_costs_of_other_rows_are_refused() -> None:
    costs = cs.CaseCosts([1, 2], 10)
    with refused(ConditionError, "costs are for 2 rows, and there are 4 labels: give one a row."):
        cs.ScoredRows.from_predictions(Y, {"m": S}, case_costs=costs)


def test_rows_without_costs_say_so() -> None:
    rows = cs.ScoredRows.from_predictions(Y, {"m": S})
    for asked in ("mean_costs", "known_costs"):
        with refused(ConditionError, "the rows have no costs"):
            getattr(rows, asked)
    with refused(ConditionError, "the rows have no costs"):
        rows.weighed_by_cost()


@st.composite
def costed_rows(draw: st.DrawFn) -> cs.ScoredRows:
    n = draw(st.integers(2, 12))
    y = draw(st.lists(st.sampled_from([0, 1]), min_size=n - 2, max_size=n - 2))
    numbers = st.integers(1, 20)
    columns = [draw(st.lists(numbers, min_size=n, max_size=n)) for _ in range(5)]
    weight, a, b, tp, tn = (np.array(column, dtype=float) for column in columns)
    tn -= 10
    scores = draw(st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.7, 1.0]), min_size=n, max_size=n))
    return cs.ScoredRows.from_predictions(
        [0, 1, *y],
        {"m": scores},
        sample_weight=weight if draw(st.booleans()) else None,
        case_costs=cs.CaseCosts(a + tn, b + tp, tp, tn),
    )


@given(costed_rows())
def test_class_means_are_those_of_the_rows(rows: cs.ScoredRows) -> None:
    costs = rows.known_costs.columns()
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    found, one_by_one = rows.mean_costs, zip(rows.positive, weight, *costs.values(), strict=True)
    sums = {"fp": 0.0, "fn": 0.0, "tp": 0.0, "tn": 0.0, "negatives": 0.0, "positives": 0.0}
    for positive, w, fp, fn, tp, tn in one_by_one:
        if positive:
            sums["fn"] += w * fn
            sums["tp"] += w * tp
            sums["positives"] += w
        else:
            sums["fp"] += w * fp
            sums["tn"] += w * tn
            sums["negatives"] += w
    assert found.fp_cost == pytest.approx(sums["fp"] / sums["negatives"], rel=1e-12, abs=1e-12)
    assert found.fn_cost == pytest.approx(sums["fn"] / sums["positives"], rel=1e-12)
    assert found.tp_cost == pytest.approx(sums["tp"] / sums["positives"], rel=1e-12)
    assert found.tn_cost == pytest.approx(sums["tn"] / sums["negatives"], rel=1e-12, abs=1e-12)
    assert found.net_fp_cost == pytest.approx(found.fp_cost - found.tn_cost, rel=1e-12)
    assert found.net_fn_cost == pytest.approx(found.fn_cost - found.tp_cost, rel=1e-12)


@given(costed_rows(), st.sampled_from([-1.0, 0.2, 0.4, 0.7, 1.0]))
def test_rates_by_cost_are_shares_of_cost(rows: cs.ScoredRows, t: float) -> None:
    costs = rows.known_costs.columns()
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    false_positive = all_negative = false_negative = all_positive = 0.0
    for i, positive in enumerate(rows.positive):
        flagged = rows.scores["m"][i] > t
        if positive:
            stake = weight[i] * (costs["fn_cost"][i] - costs["tp_cost"][i])
            all_positive += stake
            false_negative += stake * (not flagged)
        else:
            stake = weight[i] * (costs["fp_cost"][i] - costs["tn_cost"][i])
            all_negative += stake
            false_positive += stake * flagged
    table = cs.ScoreTable.from_rows(rows.weighed_by_cost(), "m")
    point = table.by_score.at(t)
    assert float(point.fpr) == pytest.approx(false_positive / all_negative, abs=1e-12)
    assert float(point.fnr) == pytest.approx(false_negative / all_positive, abs=1e-12)
    share = all_positive / (all_negative + all_positive)
    assert table.prevalence == pytest.approx(share, rel=1e-12)


def test_rows_weighted_by_cost_keep_all_else() -> None:
    costs = cs.CaseCosts(FP, FN)
    rows = cs.ScoredRows.from_predictions(Y, {"m": S}, sample_weight=[2, 0, 1, 3], case_costs=costs)
    weighed = rows.weighed_by_cost()
    assert weighed.weight is not None
    assert weighed.weight.tolist() == [2, 0, 5, 18]
    assert weighed.scores is rows.scores
    assert weighed.costs is None
    assert rows.weight is not None
    assert rows.weight.tolist() == [2, 0, 1, 3]


@pytest.mark.parametrize("scale", [1e-120, 1e120])
def test_weights_by_cost_must_stay_summable(scale: float) -> None:
    cost, weight = scale ** (1 / 3), scale ** (2 / 3)
    rows = cs.ScoredRows.from_predictions(
        Y,
        {"m": S},
        case_costs=cs.CaseCosts(cost, 2 * cost),
        sample_weight=np.full(len(Y), weight),
    )
    with refused(WeightError, "the largest product of a weight and a cost must be from 1e-100"):
        rows.weighed_by_cost()


def test_cost_of_rates() -> None:
    means = cs.samples.MeanCosts(net_fp_cost=2, net_fn_cost=8, tp_cost=1, tn_cost=-3)
    assert means.per_case(0.25, 0.5, 0.125) == 0.75 * (2 * 0.5 - 3) + 0.25 * (8 * 0.125 + 1)
    found = means.per_case(0.25, [0.0, 1.0], [1.0, 0.0])
    np.testing.assert_allclose(found, [0.75 * -3 + 0.25 * 9, 0.75 * -1 + 0.25 * 1])
    assert {name: column.tolist() for name, column in means.columns().items()} == {
        "net_fp_cost": [2],
        "net_fn_cost": [8],
        "tp_cost": [1],
        "tn_cost": [-3],
    }
    with refused(ConditionError, "prevalence must be in (0, 1), got 1."):
        means.per_case(1, 0, 0)
    with refused(ConditionError, "fpr must be in [0, 1]"):
        means.per_case(0.5, 2, 0)


def test_cases_of_which_flagging_is_never_worth_it_are_known() -> None:
    costs = cs.CaseCosts(1, [3, 11.5, 4, 2], tp_cost=[3, 3, 5, -1])
    assert costs.worth_flagging is not None
    assert costs.worth_flagging.tolist() == [False, True, False, True]
    assert cs.CaseCosts(1, [3, 4]).worth_flagging is None
    rows = cs.ScoredRows.from_predictions([0, 0, 1, 1], {"m": S}, case_costs=costs)
    assert rows.worth_flagging.scores["m"].tolist() == [S[1], S[3]]
    text = "fn_cost must be above tp_cost, got 3 and 3 in row 1: a mistake must cost more"
    given = {"fp_cost": 1, "fn_cost": [3, 11.5, 4, 2], "tp_cost": [3, 3, 5, -1]}
    for ask in (
        rows.weighed_by_cost,
        lambda: rows.mean_costs,
        lambda: cs.hold_out(rows).whole("m"),
        lambda: cs.expected_cost(Y, S, **given),
        lambda: cs.savings_score(Y, S, **given),
        lambda: cs.metrics.trivial_costs(Y, **given),
        lambda: cs.metrics.cost_weighted_table(Y, S, **given),
        lambda: cs.metrics.bayes_thresholds(**given),
    ):
        with refused(ConditionError, text):
            ask()
        with refused(ConditionError, "Leave out cases that are always to be passed."):
            ask()
