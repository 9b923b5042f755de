"""Arguments of a kind that a function does not take are refused."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs

TABLE = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4])
LIMITS = cs.Constraints(capacity=0.5)
KNOWN = cs.Deployment(1, 2, 0.5)
PATH = cs.Optimal().path(TABLE)
POINT = cs.OperatingPoints(np.array([0.5]), np.array([0.5]))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: cs.threshold_path(TABLE, choice="optimal"), cs.ConditionError, "choice must be a"),
        (
            lambda: cs.threshold_path([0.1], choice=cs.Optimal()),
            cs.SourceError,
            "source must be ScoreTable",
        ),
        (
            lambda: cs.decision.constrained_path(
                TABLE, choice="optimal", constraints=LIMITS, prevalence=0.5
            ),
            cs.ConditionError,
            "choice must be a threshold choice method",
        ),
        (
            lambda: cs.decision.constrained_path(
                [0.1], choice=cs.Optimal(), constraints=LIMITS, prevalence=0.5
            ),
            cs.SourceError,
            "source must be ScoreTable or CostedScores, got [0.1].",
        ),
        (
            lambda: cs.decision.constrained_operating_path(
                TABLE, choice=cs.Optimal(), constraints=None, prevalence=0.5
            ),
            cs.ConditionError,
            "constraints must be Constraints, got None.",
        ),
        (
            lambda: cs.decision.constrained_operating_path(
                TABLE, choice="optimal", constraints=LIMITS, prevalence=0.5
            ),
            cs.ConditionError,
            "choice must be a threshold choice method",
        ),
        (
            lambda: cs.decision.violations(0.5, constraints=LIMITS, prevalence=0.5),
            cs.ConditionError,
            "points must be Operating",
        ),
        (
            lambda: cs.decision.violations(POINT, constraints=None, prevalence=0.5),
            cs.ConditionError,
            "constraints must be Constraints, got None.",
        ),
        (
            lambda: cs.drift(TABLE, TABLE, quantities=3),
            cs.ConditionError,
            "quantities must be str or",
        ),
        (
            lambda: cs.curve.PiecewiseQuadratic("a", [[1], [1], [1]]),
            cs.ConditionError,
            "breaks must be a number, got 'a'.",
        ),
        (
            lambda: cs.curve.PiecewiseQuadratic([0, 1], [[np.nan], [1], [1]]),
            cs.ConditionError,
            "the coefficients of a curve must be numbers, got NaN.",
        ),
        (lambda: cs.curve.SmoothCurve("a", np.sin), cs.ConditionError, "breaks must be a number"),
        (
            lambda: cs.curve.SmoothCurve([0.0, 1.0], None),
            cs.ConditionError,
            "the loss of a curve must be a function, got None.",
        ),
        (
            lambda: cs.cost_proportion(fp_cost="1", fn_cost=4),
            cs.ConditionError,
            "fp_cost must be a number",
        ),
        (
            lambda: cs.condition.loss_at(0, 1, c=["0.5"], prevalence=0.5),
            cs.ConditionError,
            "must be a number, got ['0.5",
        ),
        (
            lambda: cs.condition.loss_at(0, 1, c=[0.5, "0.5"], prevalence=0.5),
            cs.ConditionError,
            "must be a number",
        ),
        (
            lambda: cs.auc(TABLE, prevalence=np.array([0.2])),
            cs.ConditionError,
            "prevalence must be a number, got array([0.2]).",
        ),
    ],
)
def test_another_kind_is_refused(
    call: Callable[[], Any], error: type[cs.CostspaceError], text: str
) -> None:
    with refused(error, text):
        call()


RNG = np.random.default_rng(0)
Y = (RNG.random(120) < 0.3).astype(int)
S, T = (np.clip(0.3 + d * Y + 0.2 * RNG.standard_normal(120), 0, 1) for d in (0.3, 0.2))
COSTS = {"fp_cost": 1, "fn_cost": 5}
# Of each, with numbers of a kind.
WITH_NUMBERS: dict[str, Callable[[Callable[[float], Any]], Any]] = {
    "decide": lambda a: cs.decide(
        *(Y, {"m": S}),
        fp_cost=a(1),
        fn_cost=(a(2), a(5)),
        prevalence=a(0.25),
        level=a(0.75),
        calibrated_to=a(0.25),
        baseline=("m", a(0.5)),
        constraints=cs.Constraints(capacity=a(0.5), min_precision=a(0.125)),
    ).to_dict(),
    "choices": lambda a: cs.decide(
        Y, S, **COSTS, choices=[cs.RateFixed(a(0.25)), cs.ScoreFixed(a(0.5))]
    ).to_dict(),
    "evaluate": lambda a: cs.evaluate(
        *(Y, S),
        prevalence=a(0.25),
        costs=cs.Uniform(a(0.125), a(0.5)),
        intervals=True,
        level=a(0.75),
    ),
    "estimate": lambda a: cs.estimate(Y, S, metric=cs.auc, level=a(0.75)),
    "compare": lambda a: cs.compare(Y, {"a": S, "b": T}, level=a(0.75)),
    "band": lambda a: cs.loss_band(Y, S, choice=cs.Optimal(), level=a(0.75)),
    "difference": lambda a: cs.difference_band(
        Y, {"a": S, "b": T}, choice=cs.Optimal(), level=a(0.75), replicates=100
    ),
    "threshold": lambda a: cs.threshold_interval(Y, S, condition=a(0.25), level=a(0.9375)),
    "bootstrap": lambda a: cs.bootstrap(Y, S, metrics={"a": cs.auc}, level=a(0.75), replicates=100),
    "drift": lambda a: cs.drift(
        *(cs.ScoreTable.from_predictions(Y, scores) for scores in (S, T)), level=a(0.75)
    ),
    "voros": lambda a: cs.voros(Y, S, low=a(0.125), high=a(0.5)),
    "curve": lambda a: cs.loss_curve(Y, S, choice=cs.Optimal())(a(0.25)),
    "costs": lambda a: (cs.Beta(a(2), a(3)), cs.LogitUniform(a(0.125), a(0.5)), cs.Point(a(0.5))),
    "sampled": lambda a: cs.Sampled([a(0.125), a(0.5)], [a(1), a(2)]).below(0.25, 1),
    "amounts": lambda a: cs.Deployment(cs.LogUniform(a(1), a(3)), cs.Drawn([a(4), a(5)]), a(0.5)),
    "cases": lambda a: cs.CaseCosts(fp_cost=[a(1)] * 3, fn_cost=a(5)).columns(),
    "rule": lambda a: cs.Rule(a(0.5)).applied([0.25, 0.75]),
    "condition": lambda a: cs.cost_from_skew(a(0.25), prevalence=a(0.5)),
}


@pytest.mark.parametrize("kind", [Fraction, Decimal, np.float32, np.array])
@pytest.mark.parametrize("name", WITH_NUMBERS)
def test_numbers_of_any_kind_are_floats(name: str, kind: Callable[[float], Any]) -> None:
    make = WITH_NUMBERS[name]
    assert repr(make(kind)) == repr(make(float))
