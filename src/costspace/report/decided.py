"""A decision as a report page stores it."""

from typing import Any

from costspace.decision.budget import REMEDIES
from costspace.decision.decision import Decision
from costspace.deployment.amounts import Amount, LogUniform
from costspace.deployment.deployment import Deployment
from costspace.deployment.prevalence import Spread, between


def decision_dict(decision: Decision) -> dict[str, Any]:
    """A decision for JSON, with what a page shows of it besides.

    This is what it is for, where single rules work on rows held out, fewer rows, and remedies.
    """
    short = decision.short_table
    singles = {name: model.single for name, model in decision.models.items()}
    return {
        **decision.to_dict(),
        "known": _known(decision),
        "single_points": {
            name: [float(single.point.fpr[0]), float(single.point.fnr[0])]
            for name, single in singles.items()
            if single is not None
        },
        "short_table": [] if short is None else short.to_rows(),
        "remedies": dict(REMEDIES),
    }


def _known(decision: Decision) -> dict[str, list[float]] | None:
    """The ends of costs and prevalence, or None if a page's inputs cannot say what is known."""
    known = decision.conditions
    if not isinstance(known, Deployment) or _by_case(decision):
        return None
    if any(part.intervals.any() for part in (known.tp_cost, known.tn_cost)):
        return None
    parts = {name: getattr(known, name) for name in ("fp_cost", "fn_cost", "prevalence")}
    if not all(_is_typed(part) for part in parts.values()):
        return None
    return {name: [part.bounds.low, part.bounds.high] for name, part in parts.items()}


def _by_case(decision: Decision) -> bool:
    """Whether cases have costs of their own, so that the rates of rules are those of cost."""
    return any(model.per_case is not None for model in decision.models.values())


def _is_typed(amount: Amount) -> bool:
    """Whether an amount is a number, or one that a page takes two bounds for."""
    low, high = amount.bounds.low, amount.bounds.high
    if isinstance(amount, Spread):
        return 0 < low < high < 1 and amount == between(low, high)
    return isinstance(amount, LogUniform) or low == high
