"""What it would save to know more when each case is decided."""

from dataclasses import replace

from costspace.decision.choosing import Choosing
from costspace.decision.evidence import MoneyEvidence
from costspace.decision.fitted import FittedByCondition, fit_by_condition
from costspace.decision.intervals import saving_of
from costspace.decision.strategy import CONDITION
from costspace.decision.words import amount_within, interval_shown


def knowing_more(choosing: Choosing, evidence: MoneyEvidence) -> str:
    """What the chosen model would save if costs and prevalence were known at each decision."""
    task, best = choosing.task, choosing.best
    if not isinstance(best, FittedByCondition) or best.strategy.model is None:
        return ""
    skews, span = task.conditions.skew_range, task.conditions.prevalence_range
    ranges = {"prevalence": span.low < span.high, "costs": skews.low < skews.high}
    missing = [name for name in ("costs", "prevalence") if name not in task.known]
    if not any(ranges[name] for name in missing) or task.limits:
        return ""
    informed = replace(best.strategy, known=CONDITION)
    knowing = fit_by_condition(informed, replace(task, known=CONDITION))
    if knowing.money is None:
        return ""
    saved = saving_of(best, knowing, level=evidence.level)
    amount = amount_within(saved.difference, saved.high - saved.low)
    return (
        f"Knowing the {' and the '.join(missing)} at each decision would save {amount} "
        f"({interval_shown(saved.low, saved.high)})."
    )
