"""The rule that is kept after a decision, and what that decision knew of costs and limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.decision.deciding import decide
from costspace.decision.decision import Decision
from costspace.decision.limits.constraints import Constraints
from costspace.decision.rules.rule import Rule
from costspace.decision.strategy import TRIVIAL
from costspace.deployment.actions import ACTIONS, FLAG, PASS
from costspace.errors import ConditionError
from costspace.estimates.model_samples import MODEL
from costspace.watching.divided import divided
from costspace.watching.one_rule import costs_of, saved_of, sole_rule

_KINDS = "drift prices one rule by score, the same for all cases"


class Kept(NamedTuple):
    """A rule, the model whose scores it looks at, and what it was decided under."""

    rule: Rule
    model: str
    constraints: Constraints
    known: Mapping[str, Any]  # what is known of costs and prevalence, as `decide` takes it
    first: Decision | None = None  # the decision on the sample before, if that takes the rule

    @property
    def in_use(self) -> Any:
        """The rule as `decide` takes a rule in use; None if that looks at no scores."""
        return None if self.rule.trivial else (self.model, *self.rule.cuts)


def kept_rule(
    before: Any, known: Mapping[str, Any], decision: SavedDecision | Decision | None, level: float
) -> Kept:
    """The rule of a decision, or of the one that `decide` takes on the sample before."""
    if decision is None:
        first = decide(divided(before, "before", MODEL), level=level, **known)
        rules = first.rules
        return Kept(rule_of(rules), rules.model or MODEL, Constraints(), known, first)
    saved = saved_of(decision)
    limits, known = _limits_of(saved), _known_of(saved, known)
    return Kept(rule_of(saved.rules), saved.rules.model or MODEL, limits, known)


def _known_of(saved: SavedDecision, known: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is known of costs and prevalence: what is given, or else what a decision says."""
    known = costs_of(saved, known)
    prevalence = saved.record.get("condition", {}).get("prevalence", {})
    if {"conditions", "prevalence"} & {*known} or prevalence.get("estimated", True):
        return known
    return {**known, "prevalence": prevalence["mean"]}


def _limits_of(saved: SavedDecision) -> Constraints:
    """What other rules keep to, too."""
    if saved.in_batches:
        raise ConditionError(f"{_KINDS}, and the decision is for batches: give costs instead.")
    return Constraints(**saved.record.get("limits", {}))


def rule_of(rules: DeployedRules) -> Rule:
    """The one rule of a decision, or `ConditionError` if there is another for other cases."""
    rule, what = sole_rule(rules, _KINDS, instead="give costs instead"), ""
    if rule.trivial and rule not in TRIVIAL.values():
        what = "reviews everybody"
    elif not rule.trivial and rule.actions not in (ACTIONS, (PASS, FLAG)):
        what = f"does only one of {' and '.join(rule.actions)}"
    if what:
        raise ConditionError(f"{_KINDS}, and the decision {what}: give costs instead.")
    return rule
