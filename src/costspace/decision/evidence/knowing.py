"""What it would save to know more when each case is decided."""

from dataclasses import replace

from costspace.decision.evidence.money_sample import MoneySample
from costspace.decision.fitting.choosing import Choosing, Priced
from costspace.decision.fitting.fitted import FittedByCondition, FittedStrategy
from costspace.decision.fitting.strategies import fit, strategies_of
from costspace.decision.fitting.together import together
from costspace.decision.strategy import CONDITION, NOTHING, Strategy
from costspace.decision.task import Task
from costspace.decision.words import estimate_shown, sides_shown


def knowing_more(choosing: Choosing) -> str | None:
    """What the chosen model saves if costs and prevalence are known at each decision.

    Against what is known, or if that is all of it, what it saves against knowing nothing.
    """
    task, best = choosing.task.one_by_one, choosing.best
    if not isinstance(best, FittedByCondition) or best.strategy.model is None or task.limits:
        return None
    if task.conditions.review is not None:
        # What is known changes where a review is worth it, too.
        return None
    missing, would, known = _missing(task), True, CONDITION
    if not missing:
        missing, would, known = _missing(replace(task, known=NOTHING)), False, NOTHING
    other = _fitted_as(best.strategy, replace(task, known=known)) if missing else None
    if other is None or not other.feasible:
        return None
    costlier, cheaper = together((best, other) if known else (other, best))
    saved = MoneySample.of(costlier.task).difference(Priced(costlier), Priced(cheaper))
    what = f"Held-out, knowing the {' and the '.join(missing)} at each decision"
    if saved.low > 0:
        amount, ends = estimate_shown(saved.difference, saved.low, saved.high)
        return f"{what} {'would save' if would else 'saves'} {amount} ({ends}) per 1,000 cases."
    if saved.high < 0:
        lost = saved.turned
        amount, ends = estimate_shown(lost.difference, lost.low, lost.high)
        does = "would cost" if would else "costs"
        return f"{what} {does} {amount} more ({ends}) per 1,000 cases."
    amount, ends = sides_shown(saved.difference, saved.low, saved.high, "saved", "lost")
    return f"{what} is not shown to save money: {amount} ({ends}) per 1,000 cases."


def _fitted_as(strategy: Strategy, task: Task) -> FittedStrategy | None:
    """The same model and choice where that is known; None if the choice has no threshold then."""
    own = strategy.model, strategy.name
    found = (one for one in strategies_of(task) if (one.model, one.name) == own)
    return next((fit(one, task) for one in found), None)


def _missing(task: Task) -> list[str]:
    """What is not known at each decision and makes a difference: it has a range."""
    span = task.conditions.skew_range
    if task.seen.skew_range == span:
        return []
    unknown = [name for name in ("costs", "prevalence") if name not in task.known]
    alone = [n for n in unknown if task.conditions.averaging(**{n: True}).skew_range != span]
    # Where they go together one tells the other, and neither is missed alone.
    return alone or unknown
