"""A decision as a report page stores it."""

from dataclasses import asdict
from typing import Any

from costspace.decision.budget import REMEDIES
from costspace.decision.decision import Decision
from costspace.decision.evidence import StrategyMoney
from costspace.decision.model_decision import ModelDecision
from costspace.decision.record import budget_dict
from costspace.deployment.amounts import Amount, LogUniform
from costspace.deployment.deployment import Deployment
from costspace.deployment.prevalence import Spread, between
from costspace.report.choices import label_of


def decision_dict(decision: Decision) -> dict[str, Any]:
    """The record of a decision, with what a page shows of it besides.

    This is the recommendation sentence by sentence, what it is for, what strategies are called,
    where rules work that serve all conditions, what the best single threshold of each model costs,
    the short table, where nothing is feasible, and where money goes.
    """
    record, table, short = decision.to_dict(), decision.table(), decision.short_table()
    strategies = zip(record["strategies"], decision.strategies, strict=True)
    return {
        **record,
        "strategies": [{**row, "point": _point(one, decision)} for row, one in strategies],
        "single": {name: _single(model) for name, model in decision.models.items()},
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


def _single(model: ModelDecision) -> dict[str, float] | None:
    """What the best single threshold of a model costs on the rows that chose it, and on others."""
    single = model.single
    return None if single is None else {"in_sample": single.money, "held_out": single.held_out}


def _point(one: StrategyMoney, decision: Decision) -> dict[str, float] | None:
    """Where the rule that serves all conditions, if one does, works on rows held out."""
    if one.rule is None:
        return None
    found = decision.outcomes(one.strategy)
    negatives = found.false_alarms.value + found.passed.value
    positives = found.found.value + found.missed.value
    return {"fpr": found.false_alarms.value / negatives, "fnr": found.missed.value / positives}


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
