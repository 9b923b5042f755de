"""A decision as a report page stores it."""

from dataclasses import asdict
from typing import Any

from costspace.decision.budget import REMEDIES
from costspace.decision.decision import Decision
from costspace.decision.evidence import StrategyMoney
from costspace.decision.model_decision import ModelDecision
from costspace.decision.record import budget_dict, kept_dict
from costspace.report.choices import label_of


def answer_dict(decision: Decision) -> dict[str, Any]:
    """What a page shows of a decision first.

    This is `Decision.answer`, with the sentences of the recommendation, what strategies are called,
    and where rules work that serve all conditions.
    """
    record = decision.answer()
    strategies = zip(record["strategies"], decision.strategies, strict=True)
    return {
        **record,
        "strategies": [{**row, "point": _point(one, decision)} for row, one in strategies],
        "labels": {
            fit.strategy.name: label_of(fit.strategy, decision.calibrated_to)
            for fit in decision.fits
        },
        "told": list(decision.recommendation.told),
        "beside": list(decision.recommendation.beside),
    }


def details_dict(decision: Decision) -> dict[str, Any]:
    """What a page shows of a decision when it is asked why.

    This is how limits are kept, what the best single threshold of each model costs, the short
    table, where nothing is feasible, and where money goes.
    """
    table, short = decision.table(), decision.short_table()
    return {
        "limits_kept": [kept_dict(one) for one in decision.limits_kept()],
        "single": {name: _single(model) for name, model in decision.models.items()},
        "short_table": [] if short is None else short.to_rows(),
        "never_best": [] if table is None else list(table.never_best),
        "infeasible": [asdict(gap) for gap in decision.gaps],
        "budget": {name: budget_dict(model) for name, model in decision.models.items()},
        "remedies": dict(REMEDIES),
        "knowing_more": decision.knowing_more,
    }


def _single(model: ModelDecision) -> dict[str, float] | None:
    """What the best single threshold of a model costs on the rows that chose it, and on others."""
    single = model.single
    return None if single is None else {"in_sample": single.money, "held_out": single.held_out}


def _point(one: StrategyMoney, decision: Decision) -> dict[str, float] | None:
    """Where the rule that serves all conditions, if one does, works on held-out rows."""
    if one.rule is None:
        return None
    fpr, fnr = decision.outcomes(one.strategy).rates
    return {"fpr": fpr, "fnr": fnr}
