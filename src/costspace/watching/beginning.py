"""How a watch begins: the rules, the costs and the tolerance are fixed before the first look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from costspace.arrays import FrozenDict
from costspace.checks import check_number
from costspace.decision.applying.agreement import applied
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.decision.decision import Decision
from costspace.decision.rules.rule import Rule
from costspace.deployment.actions import FLAG, PASS
from costspace.deployment.amounts import Uncertain
from costspace.deployment.cost_table import CostTable
from costspace.deployment.deployment import Deployment
from costspace.deployment.review import Review
from costspace.errors import ConditionError, check_kind
from costspace.watching.joint_counts import JointCounts
from costspace.watching.look import IN_USE
from costspace.watching.one_rule import costs_of, saved_of, sole_rule
from costspace.watching.terms import INSTEAD, REFUSED, WatchTerms
from costspace.watching.waiting import WaitingRows
from costspace.watching.watch import Watch

# Digits of a tolerance that nobody gave.
_DIGITS = 4
# What the rule that is watched is called.
DECISION = "decision"


def begin_watch(
    decision: SavedDecision | Decision,
    *,
    against: Mapping[str, SavedDecision | Decision] | None = None,
    in_use: bool = False,
    tolerance: float | None = None,
    most_cost: float | None = None,
    fp_cost: Uncertain = None,
    fn_cost: Uncertain = None,
    tp_cost: Uncertain = None,
    tn_cost: Uncertain = None,
    review: Review | None = None,
    level: float = 0.95,
    looks: int | None = None,
    rows: int | None = None,
) -> Watch:
    """Begin to watch what the rule of a decision costs.

    Parameters
    ----------
    decision : SavedDecision or Decision
        Its rule goes by the score, the same for all cases; or, with `most_cost`, by the costs of
        each case, too.
    against : mapping of str to SavedDecision or Decision, optional
        Rules that are compared with it on the same rows, by names of your choice.
    in_use : bool, default False
        Compare it with the rule that it names as the one in use, too.
    tolerance : float, optional
        What the rule may cost per 1,000 cases; by default the upper end of the interval that the
        decision has of its cost.
    most_cost : float > 0, optional
        Where each case has costs of its own: the most that one may cost, whatever is done with it,
        in the unit of costs. None may cost less than nothing.
    fp_cost, fn_cost, tp_cost, tn_cost, review, optional
        What decisions cost, as for `decide`; by default as in the decision. Means count.
    level : float in (0, 1)
        1 less the chance that all rows so far call the rule worse at any look while no day's mean
        is more than the tolerance; with `looks`, or rows since a later change do.
    looks, rows : int, optional
        How many looks are planned at most, of how many rows each; by default there is no end.

    Returns
    -------
    Watch

    Raises
    ------
    ConditionError
        If a rule is another for other cases, draws or works down a queue; if costs are not known;
        or if the tolerance is nothing that the rule can cost.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1] * 50, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9] * 50
    >>> cs.begin_watch(cs.decide(y, {"model": s}, fp_cost=1, fn_cost=2), tolerance=200)
    Watch(0 labelled rows, 0 without a label, tolerance 200)
    """
    saved = saved_of(decision)
    given = {"fp_cost": fp_cost, "fn_cost": fn_cost, "tp_cost": tp_cost, "tn_cost": tn_cost}
    known = {name: cost for name, cost in given.items() if cost is not None}
    known |= {} if review is None else {"review": review}
    by_case = most_cost is not None
    rules = {DECISION: _watched(saved.rules, by_case=by_case)}
    if in_use:
        rules[IN_USE] = _watched(_rule_in_use(saved), by_case=by_case)
    if against is not None:
        check_kind("against", against, Mapping)
    for name, other in (against or {}).items():
        check_kind("a name in against", name, str)
        if name in rules:
            raise ConditionError(f"against calls a rule {name!r}, as another is: rename it.")
        rules[name] = _watched(saved_of(other).rules, by_case=by_case)
    costs: Mapping[str, tuple[float, float]] = FrozenDict()
    if most_cost is None:
        costs = _costs(costs_of(saved, known))
    elif known:
        raise ConditionError(
            f"most_cost (--most-cost) is for costs of each case, and {next(iter(known))} for all "
            "cases: give one of them."
        )
    terms = WatchTerms(
        rules=FrozenDict(rules),
        costs=costs,
        most=most_cost,
        tolerance=_tolerance(saved, tolerance, own_costs=not known),
        level=level,
        looks=looks,
        rows=rows,
    )
    return Watch(terms, JointCounts.none(), WaitingRows.of())


def _watched(rules: DeployedRules, *, by_case: bool) -> DeployedRules:
    """Rules as a watch has them: they may follow the costs of each case where these are given."""
    if by_case and rules.follows_costs and not rules.draws and rules.prevalence_known:
        return replace(rules, decided_on=None, names=FrozenDict())
    return DeployedRules(rules.model, rules.choice, sole_rule(rules, REFUSED, INSTEAD))


def _rule_in_use(saved: SavedDecision) -> DeployedRules:
    """The rule that a decision names as the one in use."""
    own: Any = saved.record.get("baseline")
    if own is None or own.get("rule") is None:
        raise ConditionError(
            "the decision names no rule in use by its score: decide with one (--baseline), or "
            "leave it out."
        )
    return DeployedRules(own["model"], own["choice"], Rule.from_dict(own["rule"]))


def _costs(known: Mapping[str, Any]) -> Mapping[str, tuple[float, float]]:
    """What each action costs on a negative and on a positive, by means."""
    found = Deployment(**known)
    amounts = found.fp_cost, found.fn_cost, found.tp_cost, found.tn_cost
    fp, fn, tp, tn = (one.mean for one in amounts)
    if found.review is None:
        table = CostTable([[tn, fp], [fn, tp]], (PASS, FLAG))
    else:
        table = found.review.table(fp_cost=fp, fn_cost=fn, tp_cost=tp, tn_cost=tn)
    negatives, positives = np.asarray(table.costs).tolist()
    return FrozenDict(zip(table.actions, zip(negatives, positives, strict=True), strict=True))


def _tolerance(saved: SavedDecision, given: float | None, *, own_costs: bool) -> float:
    """What is tolerated, or `ConditionError` if nothing says what."""
    if given is not None:
        return check_number("tolerance", given)
    high = saved.record.get("recommendation", {}).get("high")
    if not own_costs or high is None or not applied(saved.record, saved.rules)["recommended"]:
        raise ConditionError(
            "tolerance (--tolerance) is missing: what may the rule cost per 1,000 cases? Only the "
            "recommended rule at the decision's own costs has an interval that says it."
        )
    # In so many digits as people are told.
    return float(f"{high:.{_DIGITS}g}")
