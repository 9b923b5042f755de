"""The question that a decision answers, as a page has it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from costspace.decision.decision import Decision
from costspace.decision.strategy import default_choices
from costspace.deployment.deployment import Deployment
from costspace.report.answering import AMOUNTS, REVIEW, deployment_of, review_of


def question_of(decision: Decision) -> dict[str, Any] | None:
    """What a page's inputs say where they ask for a decision; None where they cannot ask for it.

    They cannot where costs or prevalence are distributed in a way of their own, or where choices,
    the prevalence that scores are calibrated to, or draws have been asked for.
    """
    known, task, use = decision.conditions, decision.task, decision.task.baseline
    if not isinstance(known, Deployment) or task.rows.costs is not None or task.randomise:
        return None
    amounts = _ends(known, AMOUNTS)
    review = None if known.review is None else _ends(known.review, REVIEW)
    if not np.isfinite([*amounts.values(), *(review or {}).values()]).all():
        return None
    as_review = review is None or _are_same(review_of(review), known.review, REVIEW)
    if not as_review or not _are_same(deployment_of(amounts), known, AMOUNTS):
        return None
    own = next(iter(task.models.values())).prevalence
    usual = default_choices(own, task.constraints.capacity, task.constraints.batch)
    if task.calibrated_to != own or dict(task.choices) != usual:
        return None
    rule: dict[str, str | float | None] | None = None
    if task.decided_before is not None and not task.decided_before.reviews:
        rule = {"model": task.decided_before.model, "threshold": None}
    elif use is not None:
        threshold = use.choice.threshold_at(0.5, 0.5)
        if use.reviews or use.choice.sees or threshold is None:
            return None
        rule = {"model": use.model, "threshold": float(threshold)}
    limits = dict(task.constraints.limits)
    return {
        **amounts,
        "review": review,
        "estimated": task.estimated,
        "known": sorted(task.known),
        "limits": limits,
        "batch": task.constraints.batch,
        "baseline": rule,
    }


def why_fixed(decision: Decision) -> str | None:
    """Why no other question than that of a decision can be put to its page; None if one can."""
    held_out = decision.task.held_out
    if held_out.rows.costs is not None:
        return "Each case has costs of its own here, which other costs cannot replace."
    if held_out.validation is not None:
        return "Strategies were compared on validation rows, which this page does not hold."
    if question_of(decision) is None:
        return "What was asked of this decision goes beyond the inputs of a page."
    return None


def _ends(known: Any, names: Sequence[str]) -> dict[str, list[float]]:
    """The bounds of parts."""
    bounds = {name: getattr(known, name).bounds for name in names}
    return {name: [ends.low, ends.high] for name, ends in bounds.items()}


def _are_same(one: Any, other: Any, names: Sequence[str]) -> bool:
    """Whether parts are distributed alike, given that they have the same bounds."""
    parts = ((getattr(one, name), getattr(other, name)) for name in names)
    return all(type(a) is type(b) and (a == b or a.bounds.low == a.bounds.high) for a, b in parts)
