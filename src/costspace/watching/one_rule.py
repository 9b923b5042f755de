"""What a saved decision has for later rows: its one rule by score, and what decisions cost."""

from collections.abc import Mapping
from typing import Any

from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.decision.decision import Decision
from costspace.decision.rules.rule import Rule
from costspace.deployment.conditions import COSTS
from costspace.deployment.review import Review
from costspace.errors import ConditionError, check_kind


def saved_of(decision: SavedDecision | Decision) -> SavedDecision:
    """A decision as it is saved."""
    check_kind("decision", decision, SavedDecision, Decision)
    return decision.saved() if isinstance(decision, Decision) else decision


def sole_rule(rules: DeployedRules, refused: str, instead: str) -> Rule:
    """The one rule of a decision, or `ConditionError` if there is another for other cases.

    The error begins with what is `refused`, and ends with what to do instead.
    """
    rule, what = rules.rule, ""
    if rule is None:
        what = "works down a queue" if rules.queued else f"has rules that follow {rules.followed}"
    elif rule.queued:
        what = "works down a queue"
    elif rule.randomised:
        what = "draws at random"
    if rule is None or what:
        raise ConditionError(f"{refused}, and the decision {what}: {instead}.")
    return rule


def costs_of(saved: SavedDecision, known: Mapping[str, Any]) -> Mapping[str, Any]:
    """What decisions cost: what is `known` of it, or else what a decision says."""
    if {"conditions", *COSTS} & {*known}:
        return known
    own = saved.record.get("condition", {})
    if "costs" not in own:
        raise ConditionError(
            "the decision was saved without costs that are the same for all cases: give fp_cost "
            "(--fp-cost) and fn_cost (--fn-cost)."
        )
    review = {} if own.get("review") is None else {"review": Review(**own["review"])}
    return {**own["costs"], **review, **known}
