"""What it would save to know more when each case is decided."""

from dataclasses import replace

from costspace.decision.choosing import Choosing
from costspace.decision.fitted import FittedByCondition, fit_by_condition
from costspace.decision.money_sample import MoneySample
from costspace.decision.strategy import CONDITION
from costspace.decision.task import Task
from costspace.decision.words import amount_within, interval_shown


def knowing_more(choosing: Choosing, *, level: float, weights: str) -> str:
    """What the chosen model would save if costs and prevalence were known at each decision."""
    task, best = choosing.task, choosing.best
    if not isinstance(best, FittedByCondition) or best.strategy.model is None:
        return ""
    missing = _missing(task)
    if not missing or task.limits:
        return ""
    informed = replace(best.strategy, known=CONDITION)
    knowing = fit_by_condition(informed, replace(task, known=CONDITION))
    if knowing.money is None:
        return ""
    saved = MoneySample.of(task, level=level, weights=weights).difference(best, knowing)
    amount = amount_within(saved.difference, saved.high - saved.low)
    told = "would save" if saved.low > 0 else "is not shown to save money:"
    return (
        f"Knowing the {' and the '.join(missing)} at each decision {told} {amount} "
        f"({interval_shown(saved.low, saved.high)})."
    )


def _missing(task: Task) -> list[str]:
    """What is not known at each decision and makes a difference: it has a range."""
    span = task.conditions.skew_range
    if task.seen.skew_range == span:
        return []
    unknown = [name for name in ("costs", "prevalence") if name not in task.known]
    alone = [n for n in unknown if task.conditions.averaging(**{n: True}).skew_range != span]
    # Where they go together one tells the other, and neither is missed alone.
    return alone or unknown
