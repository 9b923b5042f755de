"""A decision applied to dataframes of every engine, beside the same in Python."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace.decision.saved import SavedDecision
from costspace.frames import apply_decision
from costspace.frames.opened import as_narwhals

RNG = np.random.default_rng(7)
Y = (RNG.random(300) < 0.3).astype(int)
S = np.round(1 / (1 + np.exp(1 - 2 * Y - RNG.normal(size=300))), 2)
NEW = 60
ROWS = {
    "id": np.arange(NEW),
    "m": np.round(RNG.random(NEW), 2),
    "fp": np.linspace(1, 2, NEW),
    "fn": np.linspace(4, 9, NEW) + 3 * RNG.random(NEW),
    "p": np.linspace(0.1, 0.2, NEW),
}
RANGE = cs.Deployment(fp_cost=(1, 2), fn_cost=(4, 12), prevalence=(0.1, 0.2))
KNOWN = cs.Deployment(fp_cost=1, fn_cost=4, prevalence=0.2)


def decided(conditions: cs.Deployment, *choices: Any, **more: Any) -> cs.Decision:
    return cs.decide(Y, {"m": S}, conditions=conditions, choices=choices or None, **more)


def following(choice: Any, conditions: cs.Deployment = RANGE, **more: Any) -> SavedDecision:
    """A decision to follow the condition by one choice."""
    found = decided(conditions, choice, **more)
    (own,) = (
        one.strategy
        for one in found.strategies
        if one.strategy.choice == choice and not one.strategy.committed
    )
    return found.saved(own)


def ordered(found: Any) -> list[str]:
    """The actions in the order of the rows."""
    return list(as_narwhals(found.frame).collect().sort("id")["action"].to_list())
