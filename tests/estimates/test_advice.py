"""The advice for metrics without a standard error works."""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from public_names import PUBLIC
from refusals import refused

import costspace as cs

GENERATOR = np.random.default_rng(0)
Y = (GENERATOR.random(200) < 0.4).astype(int)
S = np.clip(0.3 + 0.3 * Y + 0.2 * GENERATOR.standard_normal(200), 0.01, 0.99)
FN_COST = GENERATOR.uniform(2, 9, 200)
KNOWN = cs.Deployment(1, (4, 10), (0.1, 0.3))
NEEDED: dict[str, dict[str, Any]] = {
    "expected_loss": {"choice": cs.ScoreDriven()},
    "expected_money": {"choice": cs.ScoreDriven(), "conditions": KNOWN},
}
OF_ROWS = {"expected_cost", "savings_score"}


def public_functions() -> dict[str, Callable[..., Any]]:
    return {name: value for name, value in PUBLIC.items() if inspect.isfunction(value)}


def is_metric(function: Callable[..., Any]) -> bool:
    signature = inspect.signature(function)
    return signature.return_annotation in (float, "float") and "y_true" in signature.parameters


METRICS = {name: function for name, function in public_functions().items() if is_metric(function)}


@pytest.mark.parametrize("name", sorted(METRICS.keys() - OF_ROWS))
def test_every_metric_has_an_interval_as_advised(name: str) -> None:
    parameters = NEEDED.get(name, {})
    try:
        estimate = cs.estimate(Y, S, metric=partial(METRICS[name], **parameters))
        low, high = estimate.low, estimate.high
    except cs.ConditionError as error:
        advised = str(error).endswith(": use the bootstrap.")
        found = cs.bootstrap(Y, S, metrics=partial(METRICS[name], **parameters), replicates=100)
        low, high = found.low[0], found.high[0]
    else:
        advised = True
    assert advised
    assert low < high
    assert low <= METRICS[name](Y, S, **parameters) <= high or name == "miscalibration"


@pytest.mark.parametrize("name", sorted(OF_ROWS))
def test_costs_of_rows_are_drawn_with_them(name: str) -> None:
    metric = METRICS[name]
    costs = {"fp_cost": 1.0, "fn_cost": FN_COST}
    advice = "draw rows with replacement, compute it on each draw, and take quantiles."
    for given, parameters in [(metric, costs), (metric, {}), (partial(metric, **costs), {})]:
        with refused(cs.ConditionError, advice):
            cs.estimate(Y, S, metric=partial(given, **parameters))
    for given in (metric, partial(metric, **costs)):
        with refused(cs.ConditionError, advice):
            cs.bootstrap(Y, S, metrics=given)
        with refused(cs.ConditionError, advice):
            cs.compare(Y, {"a": S, "b": 1 - S}, metrics=given)
    rng = np.random.default_rng(0)
    draws = [rng.integers(0, len(Y), len(Y)) for _ in range(200)]
    values = [metric(Y[d], S[d], fp_cost=1.0, fn_cost=FN_COST[d]) for d in draws]
    low, high = np.quantile(values, [0.025, 0.975])
    assert low < metric(Y, S, **costs) < high


@pytest.mark.parametrize("name", sorted(public_functions().keys() - METRICS.keys()))
def test_a_function_that_is_not_a_metric_is_refused(name: str) -> None:
    function = public_functions()[name]
    reason = f"'{name}' does not compute a number from labels and scores"
    with refused(cs.ConditionError, reason):
        cs.estimate(Y, S, metric=function)
    with refused(cs.ConditionError, reason):
        cs.bootstrap(Y, S, metrics=function, replicates=100)


def test_missing_parameters_are_named() -> None:
    with refused(cs.ConditionError, "'expected_loss' needs more than a score table: give the rest"):
        cs.bootstrap(Y, S, metrics=cs.expected_loss)


def test_a_user_s_own_functions_may_have_any_parameters() -> None:
    def money(table: cs.ScoreTable, fp_cost: float = 1.0, fn_cost: float = 5.0) -> np.float64:
        return np.float64(fp_cost + fn_cost * table.auc)

    found = cs.bootstrap(
        Y, S, metrics=[money, np.vectorize(lambda table: table.auc)], replicates=100
    )
    assert found.low[0] < money(cs.ScoreTable.from_predictions(Y, S)) < found.high[0]
