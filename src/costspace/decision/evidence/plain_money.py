"""Costs and differences of costs as plain values, ready for JSON."""

from typing import Any

import numpy as np

from costspace.decision.evidence.money_evidence import MoneyDifference, StrategyMoney


def more_dict(more: MoneyDifference, name: str = "difference") -> dict[str, Any]:
    """What something costs more than another, under that name."""
    return {
        name: more.difference,
        **_error_dict(more),
        "p": plain_number(more.p),
        "p_adjusted": plain_number(more.p_adjusted),
        "interval": None if more.method == "none" else more.method,
    }


def cost_dict(one: StrategyMoney) -> dict[str, Any]:
    """What a strategy costs."""
    return {
        "cost_per_1000": one.money,
        **_error_dict(one),
        "interval": None if one.method == "none" else one.method,
    }


def _error_dict(one: StrategyMoney | MoneyDifference) -> dict[str, float | None]:
    """How far off an amount may be."""
    ends = {"low": plain_number(one.low), "high": plain_number(one.high)}
    return {"se": plain_number(one.standard_error), **ends}


def plain_number(value: float) -> float | None:
    """A number as JSON has it, None if it is not finite."""
    return value if np.isfinite(value) else None
