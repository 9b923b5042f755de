"""Expected cost, savings and the per-case Bayes rule, against sums over the rows one by one."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace import ConditionError, LabelError, ScoreError
from costspace.arrays import BoolArray, FloatArray

INF = float("inf")
Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.3, 0.9]
COSTS: dict[str, Any] = {"fp_cost": [1, 4, 1, 2], "fn_cost": [5, 5, 3, 9]}
PREVALENCES = st.sampled_from([None, 0.01, 0.3, 0.9])


@st.composite
def cases(draw: st.DrawFn) -> dict[str, Any]:
    """Arguments of `expected_cost`."""
    n = draw(st.integers(2, 12))
    y = draw(st.lists(st.sampled_from([0, 1]), min_size=n - 2, max_size=n - 2))
    numbers = st.lists(st.integers(1, 20), min_size=n, max_size=n)
    weight, a, b, tp, tn = (np.array(draw(numbers), dtype=float) for _ in range(5))
    tn -= 10
    levels = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8, 1.0])
    return {
        "y_true": np.array([0, 1, *y]),
        "y_score": np.array(draw(st.lists(levels, min_size=n, max_size=n))),
        "fp_cost": a + tn,
        "fn_cost": b + tp,
        "tp_cost": tp,
        "tn_cost": tn,
        "sample_weight": weight if draw(st.booleans()) else None,
    }


def costs_in(case: dict[str, Any]) -> dict[str, Any]:
    return {name: case[name] for name in ("fp_cost", "fn_cost", "tp_cost", "tn_cost")}


def without_scores(case: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in case.items() if name != "y_score"}


def share_of(case: dict[str, Any]) -> float:
    return float(np.average(case["y_true"], weights=case["sample_weight"]))


def brute_cost(case: dict[str, Any], flagged: BoolArray, prevalence: float | None) -> float:
    """Row by row, each row's weight scaled so that the classes have the asked shares."""
    weight = case["sample_weight"]
    weight = np.ones(len(flagged)) if weight is None else weight
    p = share_of(case) if prevalence is None else prevalence
    totals = [float(weight[case["y_true"] == label].sum()) for label in (0, 1)]
    cost = 0.0
    for i, label in enumerate(case["y_true"]):
        role = ("tn_cost", "fp_cost", "fn_cost", "tp_cost")[2 * label + flagged[i]]
        cost += weight[i] / totals[label] * (p if label else 1 - p) * case[role][i]
    return cost


def brute_thresholds(case: dict[str, Any], deployed: float, calibrated: float) -> FloatArray:
    """Where corrected odds times the cost of a false negative exceed that of a false positive."""
    a = case["fp_cost"] - case["tn_cost"]
    b = case["fn_cost"] - case["tp_cost"]
    shift = deployed / (1 - deployed) / (calibrated / (1 - calibrated))
    odds = a / (b * shift)
    return np.asarray(odds / (1 + odds))


def close(expected: float) -> Any:
    return pytest.approx(expected, rel=1e-12, abs=1e-11)


@given(cases(), st.sampled_from([-INF, 0.1, 0.3, 0.5, 1.0]), PREVALENCES)
def test_cost_of_a_threshold(case: dict[str, Any], t: float, prevalence: float | None) -> None:
    found = cs.expected_cost(**case, threshold=t, prevalence=prevalence)
    assert found == close(brute_cost(case, case["y_score"] > t, prevalence))


@given(cases(), PREVALENCES, st.sampled_from([None, 0.05, 0.5]))
def test_cost_of_the_bayes_rule(
    case: dict[str, Any], prevalence: float | None, calibrated_to: float | None
) -> None:
    share = share_of(case)
    deployed = share if prevalence is None else prevalence
    thresholds = brute_thresholds(case, deployed, calibrated_to or share)
    own = cs.metrics.bayes_thresholds(
        **costs_in(case), prevalence=deployed, calibrated_to=calibrated_to or share
    )
    np.testing.assert_allclose(own, thresholds, rtol=1e-12)
    # The few scores that rounding could put on either side of their threshold are moved off it.
    near = np.abs(case["y_score"] - thresholds) < 1e-9
    case["y_score"] = np.where(near, 0.0, case["y_score"])
    found = cs.expected_cost(**case, prevalence=prevalence, calibrated_to=calibrated_to)
    assert found == close(brute_cost(case, case["y_score"] > thresholds, prevalence))


@given(cases(), PREVALENCES)
def test_trivial_rules_and_savings(case: dict[str, Any], prevalence: float | None) -> None:
    everybody = np.ones(len(case["y_true"]), dtype=bool)
    trivial = cs.metrics.trivial_costs(**without_scores(case), prevalence=prevalence)
    assert trivial.flag_nobody == close(brute_cost(case, ~everybody, prevalence))
    assert trivial.flag_everybody == close(brute_cost(case, everybody, prevalence))
    if trivial.least <= 1e-6:
        if trivial.least <= 0:
            with refused(ConditionError, "savings are a share of what the better trivial rule"):
                cs.savings_score(**case, prevalence=prevalence)
        return
    nobody, all_flagged = (
        cs.savings_score(**case, threshold=t, prevalence=prevalence) for t in (INF, -INF)
    )
    assert max(nobody, all_flagged) == pytest.approx(0, abs=1e-9)
    assert min(nobody, all_flagged) <= 1e-9
    cost = cs.expected_cost(**case, prevalence=prevalence)
    saved = cs.savings_score(**case, prevalence=prevalence)
    assert saved == pytest.approx(1 - cost / trivial.least, rel=1e-12, abs=1e-12)


@given(cases(), st.sampled_from([2.0, 0.25, 1e6]))
def test_scaling_all_costs_scales_the_expected_cost_only(case: dict[str, Any], k: float) -> None:
    scaled = case | {name: k * cost for name, cost in costs_in(case).items()}
    assert cs.expected_cost(**scaled) == pytest.approx(k * cs.expected_cost(**case), rel=1e-12)
    np.testing.assert_allclose(
        cs.metrics.bayes_thresholds(**costs_in(scaled)),
        cs.metrics.bayes_thresholds(**costs_in(case)),
        rtol=1e-15,
    )
    table, other = cs.metrics.cost_weighted_table(**case), cs.metrics.cost_weighted_table(**scaled)
    assert other.auc == pytest.approx(table.auc, rel=1e-12)
    assert other.prevalence == pytest.approx(table.prevalence, rel=1e-12)
    if cs.metrics.trivial_costs(**without_scores(case)).least > 1e-6:
        assert cs.savings_score(**scaled) == pytest.approx(cs.savings_score(**case), abs=1e-9)


@given(cases(), PREVALENCES)
def test_constant_costs_are_the_ordinary_case(
    case: dict[str, Any], prevalence: float | None
) -> None:
    constant = {"fp_cost": 3.0, "fn_cost": 9.0, "tp_cost": 2.0, "tn_cost": -1.0}
    rows = {name: case[name] for name in ("y_true", "y_score", "sample_weight")}
    columns = {name: np.full(len(case["y_true"]), cost) for name, cost in constant.items()}
    table = cs.ScoreTable.from_predictions(**rows)
    table = table if prevalence is None else table.with_prevalence(prevalence)
    p = table.prevalence
    weighted = cs.metrics.cost_weighted_table(**rows, **columns, prevalence=prevalence)
    assert weighted.auc == pytest.approx(table.auc, abs=1e-12)
    assert weighted.prevalence == pytest.approx(7 * p / (4 * (1 - p) + 7 * p), rel=1e-12)
    at_4_11 = cs.metrics.bayes_thresholds(**constant)
    assert at_4_11 == pytest.approx(4 / 11)
    # At one cost for all the Bayes rule is the score-driven threshold.
    driven = cs.loss_curve(table, choice=cs.ScoreDriven())(at_4_11)
    money = 11 / 2 * driven - (1 - p) + 2 * p
    trusted = {"prevalence": prevalence, "calibrated_to": p}
    for costs in (constant, columns):
        assert cs.expected_cost(**rows, **costs, **trusted) == close(money)


@given(cases(), PREVALENCES)
def test_losses_weighted_by_cost_are_shares_of_the_stake(
    case: dict[str, Any], prevalence: float | None
) -> None:
    table = cs.metrics.cost_weighted_table(**case, prevalence=prevalence)
    rows = cs.ScoredRows.from_predictions(
        case["y_true"],
        {"m": case["y_score"]},
        sample_weight=case["sample_weight"],
        case_costs=cs.CaseCosts(**costs_in(case)),
    )
    p, means = share_of(case) if prevalence is None else prevalence, rows.mean_costs
    stake = means.per_case(p, 1, 1) - means.per_case(p, 0, 0)
    money = {
        t: cs.expected_cost(**case, threshold=t, prevalence=prevalence)
        for t in [-INF, *case["y_score"].tolist()]
    }
    for t, cost in money.items():
        loss = cs.loss_curve(table, choice=cs.ScoreFixed(t))(0.5)
        assert stake * loss + means.per_case(p, 0, 0) == close(cost)
    best = cs.loss_curve(table, choice=cs.Optimal())(0.5)
    assert stake * best + means.per_case(p, 0, 0) == close(min(money.values()))


@given(cases())
def test_decisions_are_kept_by_the_bayes_rule(case: dict[str, Any]) -> None:
    decided = case | {"y_score": case["y_score"] > 0.3}
    expected = cs.expected_cost(**case, threshold=0.3)
    assert cs.expected_cost(**decided) == expected
    assert cs.expected_cost(**decided, threshold=0.5) == expected
    as_numbers = case | {"y_score": decided["y_score"].astype(int)}
    assert cs.expected_cost(**as_numbers, prevalence=0.2, calibrated_to=0.1) == close(
        cs.expected_cost(**case, threshold=0.3, prevalence=0.2)
    )


def simulated(seed: int = 3, n: int = 40_000) -> dict[str, Any]:
    """Scores that are the probabilities, and costs that vary with amounts at stake."""
    rng = np.random.default_rng(seed)
    probability = rng.beta(0.6, 3, n)
    return {
        "y_true": (rng.random(n) < probability).astype(int),
        "y_score": probability,
        "fp_cost": 1 + rng.random(n),
        "fn_cost": 2 + rng.lognormal(1, 1.2, n),
        "tp_cost": np.full(n, 0.5),
        "tn_cost": np.zeros(n),
    }


def best_threshold_cost(case: dict[str, Any], prevalence: float | None = None) -> float:
    thresholds = np.quantile(case["y_score"], np.linspace(0, 1, 201))
    return min(
        cs.expected_cost(**case, threshold=float(t), prevalence=prevalence) for t in thresholds
    )


def test_the_bayes_rule_beats_every_threshold() -> None:
    case = simulated()
    assert cs.expected_cost(**case) < 0.97 * best_threshold_cost(case)
    # In expectation over labels it is the sum of each case's decision that costs less.
    p = case["y_score"]
    flagged = p * case["tp_cost"] + (1 - p) * case["fp_cost"]
    passed = p * case["fn_cost"] + (1 - p) * case["tn_cost"]
    cheaper = np.minimum(flagged, passed)
    standard_error = 3 * np.std(case["fn_cost"]) / np.sqrt(len(p))
    assert abs(cs.expected_cost(**case) - cheaper.mean()) < standard_error
    np.testing.assert_array_equal(
        p > cs.metrics.bayes_thresholds(**costs_in(case)), flagged < passed
    )


def test_scores_are_corrected_for_the_prevalence_at_deployment() -> None:
    case = simulated()
    rare = 0.02
    corrected = cs.expected_cost(**case, prevalence=rare)
    trusted = cs.expected_cost(**case, prevalence=rare, calibrated_to=rare)
    assert corrected < 0.97 * best_threshold_cost(case, rare)
    assert corrected < 0.9 * trusted


@pytest.mark.parametrize("kind", [float, np.float32, np.float16])
def test_scores_and_costs_are_the_decimals_that_they_print_as(kind: type) -> None:
    s, fn = np.full(2, 0.4, dtype=kind), np.full(2, 0.6, dtype=kind)
    assert cs.expected_cost([0, 1], s, fp_cost=2, fn_cost=3, threshold=0.4) == 1.5
    assert cs.expected_cost([0, 1], s, fp_cost=2, fn_cost=[3, 3]) == 1.5
    # The proportion of these in single precision is below that of 0.4 and 0.6.
    assert cs.expected_cost([0, 1], s, fp_cost=s, fn_cost=fn) == 0.3


@pytest.mark.parametrize(
    ("error", "arguments", "text"),
    [
        (ConditionError, {"threshold": "high"}, "threshold must be a number, got 'high'."),
        (ConditionError, {"threshold": 0.5, "calibrated_to": 0.1}, "give only one of them."),
        (ConditionError, {"prevalence": 1}, "prevalence must be in (0, 1), got 1."),
        (ConditionError, {"calibrated_to": 0}, "calibrated_to must be in (0, 1), got 0."),
        (ConditionError, {"fp_cost": [1, 4]}, "costs must be one number or one a row"),
        (ConditionError, {"fp_cost": [1, 4], "fn_cost": 9}, "costs are for 2 rows, and there"),
        (ConditionError, {"fp_cost": 0}, "fp_cost must be above tn_cost, got 0 and 0: a"),
        (ScoreError, {"y_score": [0, 1, 2, 3]}, "the per-case Bayes rule needs scores in [0, 1]"),
        (LabelError, {"y_true": ["a", "b", "a", "b"]}, "say which is the positive class"),
    ],
)
def test_what_is_refused(
    error: type[cs.CostspaceError], arguments: dict[str, Any], text: str
) -> None:
    case: dict[str, Any] = {"y_true": Y, "y_score": S, **COSTS} | arguments
    with refused(error, text):
        cs.expected_cost(**case)
    with refused(error, text):
        cs.savings_score(**case)


def test_prevalences_come_in_pairs() -> None:
    with refused(ConditionError, "give calibrated_to and prevalence, got only prevalence."):
        cs.metrics.bayes_thresholds(fp_cost=1, fn_cost=9, prevalence=0.1)
    with refused(ConditionError, "give calibrated_to and prevalence, got only calibrated_to."):
        cs.metrics.bayes_thresholds(fp_cost=1, fn_cost=9, calibrated_to=0.1)
    with refused(ConditionError, "calibrated_to must be in (0, 1), got 2: 2 % is 0.02."):
        cs.metrics.bayes_thresholds(fp_cost=1, fn_cost=9, prevalence=0.1, calibrated_to=2)


def test_savings_are_refused_where_a_trivial_rule_costs_nothing() -> None:
    gains = {"fp_cost": 1, "fn_cost": 5, "tp_cost": -10, "tn_cost": 0}
    with refused(
        ConditionError, "flagging nobody costs 2.5, everybody -4.5: compare expected_cost"
    ):
        cs.savings_score(Y, S, **gains)
