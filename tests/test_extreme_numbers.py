"""Numbers near the ends of the floats: refused with an error, or right without a warning."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from refusals import refused
from scipy import stats

import costspace as cs

RNG = np.random.default_rng(5)
Y = (RNG.random(400) < 0.4).astype(int)
S = RNG.beta(2 + Y, 3 - Y)
SINGLE = S.astype(np.float32)
TABLE = cs.ScoreTable.from_predictions(Y, S)
SWAPPED = cs.ScoreTable.from_predictions(1 - Y, S)
RANGES = cs.Deployment(1, (5, 50), (0.001, 0.1))
WIDE = cs.Deployment((1e-5, 1e5), (1e-5, 1e5), (1e-6, 0.9))
ANALYTIC = cs.AnalyticScores(stats.beta(2, 40), stats.beta(40, 2), 0.1)

TOO_SMALL = {
    "deployment": lambda c: cs.Deployment(c, 1, 0.3),
    "a right decision next to it": lambda c: cs.Deployment(c, 1, 0.3, tn_cost=c / 2),
    "bounds": lambda c: cs.Deployment(1, (c, 1), 0.3),
    "scenarios": lambda c: cs.Scenarios([1, c], 1, 0.3),
    "case costs": lambda c: cs.CaseCosts([1, c], 1),
    "a report": lambda c: cs.LogUniform(c, 1),
}


@pytest.mark.parametrize("name", TOO_SMALL)
@pytest.mark.parametrize("cost", [5e-324, 1e-310, 1e-51])
def test_a_negligible_cost_is_refused(name: str, cost: float) -> None:
    with refused(cs.ConditionError, "1e-50"):
        TOO_SMALL[name](cost)


def test_shares_of_negligible_costs() -> None:
    assert cs.cost_proportion(fp_cost=5e-324, fn_cost=1) == 5e-324
    assert cs.cost_proportion(fp_cost=1, fn_cost=5e-324) == 1
    assert cs.condition.probability_cost(prevalence=0, fp_cost=5e-324, fn_cost=8.4) == 0
    assert cs.condition.probability_cost(prevalence=1, fp_cost=8.4, fn_cost=5e-324) == 1
    assert cs.condition.normalised_cost(0.1, 0.2, prevalence=0, fp_cost=5e-324, fn_cost=8.4) == 0.1
    assert cs.condition.normalised_cost(0.1, 0.2, prevalence=1, fp_cost=8.4, fn_cost=5e-324) == 0.2
    assert cs.condition.normalised_cost(0.1, 0.2, prevalence=0.5, fp_cost=5e-324, fn_cost=1) == 0.2
    # What is small relative to the one may be large relative to the other.
    assert cs.condition.probability_cost(
        prevalence=1e-300, fp_cost=0.346, fn_cost=1.7e308
    ) == pytest.approx(1 - 0.346 / 1.7e8, rel=1e-14)


@pytest.mark.parametrize("costs", [(1e-50, 1e50), (1e50, 1e-50), (1e-50, 1e-50), (1e50, 1e50)])
def test_the_least_and_the_largest_costs_are_decided_on(costs: tuple[float, float]) -> None:
    found = cs.decide(Y, S, conditions=cs.Deployment(*costs, 0.3)).to_dict()
    skew = found["condition"]["skew"]
    assert 0 <= skew["low"] <= skew["high"] <= 1


def test_a_mean_condition_is_in_0_to_1() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        weights = rng.random(rng.integers(1, 12))
        assert cs.Sampled(np.ones(len(weights)), weights=weights).mean() <= 1
        scale = 10 ** rng.uniform(10, 40)
        costly = cs.Deployment((scale, 2 * scale), (1e-9, 2e-9), (0.1, 0.5))
        assert costly.skews().mean() <= 1


COMPUTED: dict[str, Callable[[], Any]] = {
    "decide": lambda: cs.decide(Y, {"a": S, "b": S.round(2)}, conditions=RANGES).to_dict(),
    "decide of single precision": lambda: cs.decide(Y, SINGLE, conditions=RANGES),
    "decide over decades": lambda: cs.decide(Y, S, conditions=WIDE).to_dict(),
    "decide by case": lambda: cs.decide(Y, S, case_costs=cs.CaseCosts(1 + S, 1 + 50 * S)),
    "compare": lambda: cs.compare(Y, {"a": S, "b": SINGLE}),
    "drift": lambda: cs.drift(TABLE, SWAPPED),
    "calibration_test": lambda: cs.calibration_test(cs.ScoreTable.from_predictions(Y, S**9)),
    "evaluate": lambda: cs.evaluate(Y, {"a": S}, costs=cs.Beta(0.01, 900), intervals=True),
    "evaluate of tiny scores": lambda: cs.evaluate(Y, {"a": S * 1e-300}),
    "loss of an analytic model": lambda: cs.expected_loss(ANALYTIC, choice=cs.Optimal()),
    "estimate with tiny weights": lambda: cs.estimate(
        Y, S, metric="auc", sample_weight=1e-99 * (1 + S)
    ),
}


@pytest.mark.parametrize("name", COMPUTED)
def test_what_underflows_is_0_even_where_numpy_is_to_raise(name: str) -> None:
    with np.errstate(all="raise"):
        COMPUTED[name]()


@pytest.mark.parametrize(
    ("fpr", "fnr", "expected"), [(1, 1e-300, 0.5), (1e-300, 1, 0.5), (1, 5e-324, 0.5)]
)
def test_a_point_next_to_a_trivial_rule(fpr: float, fnr: float, expected: float) -> None:
    assert cs.metrics.voros_of_point(fpr, fnr) == pytest.approx(expected, abs=1e-12)
    at_rule = cs.metrics.voros_of_point(round(fpr), round(fnr), low=0.694, high=1)
    assert cs.metrics.voros_of_point(fpr, fnr, low=0.694, high=1) == pytest.approx(
        at_rule, abs=1e-12
    )


def test_means_of_huge_scores() -> None:
    s = [-1.79e308, 8.9e307, -1.79e308, 1.79e308]
    assert cs.refinement_loss([0, 1, 1, 1], s, partition="roc") == pytest.approx(0.125)
