"""A decision as a report page stores it."""

from dataclasses import asdict
from typing import Any

from costspace.curve import OperatingPoints
from costspace.decision.budget import REMEDIES
from costspace.decision.decision import Decision
from costspace.decision.evidence import StrategyMoney
from costspace.decision.record import budget_dict
from costspace.decision.strategy import point_of_trivial
from costspace.deployment.amounts import Amount, LogUniform
from costspace.deployment.deployment import Deployment
from costspace.deployment.prevalence import Spread, between
from costspace.report.choices import label_of


def decision_dict(decision: Decision) -> dict[str, Any]:
    """The record of a decision, with what a page shows of it besides.

    This is the recommendation sentence by sentence, what it is for, what strategies are called,
    where single rules work, the short table, where nothing is feasible, and where money goes.
    """
    record, table, short = decision.to_dict(), decision.table(), decision.short_table()
    strategies = zip(record["strategies"], decision.strategies, strict=True)
    return {
        **record,
        "strategies": [{**row, **_shown(one, decision)} for row, one in strategies],
        "labels": {
            fit.strategy.name: label_of(fit.strategy, decision.calibrated_to)
            for fit in decision.fits
        },
        "sentences": list(decision.recommendation.sentences),
        "known": _known(decision),
        "short_table": [] if short is None else short.to_rows(),
        "never_best": [] if table is None else list(table.never_best),
        "infeasible": [asdict(gap) for gap in decision.gaps],
        "budget": {name: budget_dict(model) for name, model in decision.models.items()},
        "remedies": dict(REMEDIES),
    }


def _shown(one: StrategyMoney, decision: Decision) -> dict[str, Any]:
    """Whether a strategy has one threshold for all conditions, and where its one rule works."""
    at = _point(one, decision)
    return {
        "committed": one.strategy.committed,
        "point": None if at is None else {"fpr": at.fpr.item(), "fnr": at.fnr.item()},
    }


def _point(one: StrategyMoney, decision: Decision) -> OperatingPoints | None:
    """Where the rule works that serves all conditions, if one does.

    A threshold chosen for all conditions is counted on rows held out, another rule on all rows.
    """
    strategy = one.strategy
    if one.rule is None:
        return None
    if strategy.model is None:
        return point_of_trivial(strategy)
    single = decision.models[strategy.model].single
    if strategy.committed and single is not None:
        return single.point
    return one.rule.on(decision.task.models[strategy.model].rows)


def _known(decision: Decision) -> dict[str, list[float]] | None:
    """The ends of costs and prevalence, or None if a page's inputs cannot say what is known.

    They cannot where cases have costs of their own: the rates of rules are those of cost then.
    """
    known = decision.conditions
    if not isinstance(known, Deployment) or decision.task.rows.costs is not None:
        return None
    if any(part.intervals.any() for part in (known.tp_cost, known.tn_cost)):
        return None
    parts = {name: getattr(known, name) for name in ("fp_cost", "fn_cost", "prevalence")}
    if not all(_is_typed(part) for part in parts.values()):
        return None
    return {name: [part.bounds.low, part.bounds.high] for name, part in parts.items()}


def _is_typed(amount: Amount) -> bool:
    """Whether an amount is a number, or one that a page takes two bounds for."""
    low, high = amount.bounds.low, amount.bounds.high
    if isinstance(amount, Spread):
        return 0 < low < high < 1 and amount == between(low, high)
    return isinstance(amount, LogUniform) or low == high
