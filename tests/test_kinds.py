"""Arguments of a kind that a function does not take are refused."""

from collections.abc import Callable
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
