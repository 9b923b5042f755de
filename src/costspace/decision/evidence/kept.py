"""How a rule keeps to each limit on held-out rows, and what each limit costs."""

from dataclasses import asdict, dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.curve import OperatingPoints
from costspace.decision.evidence.counted import Count, Counted
from costspace.decision.evidence.money_sample import MoneySample
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.fitting.strategies import fit, strategies_of
from costspace.decision.fitting.together import together
from costspace.decision.money.row_money import rates_of
from costspace.decision.strategy import QUEUE, default_choices
from costspace.deployment.actions import FLAG, REVIEW
from costspace.deployment.conditions import CASES
from costspace.errors import LabelError
from costspace.notebook import Tabulated

# Rates that differ by less are equal but for rounding.
_ROUNDING = 1e-12

KEPT, AT_LIMIT, BROKEN = "kept", "at the limit", "broken"


@final
@dataclass(frozen=True)
class LimitKept(Tabulated):
    """What the rule that is stated reaches of a limit where it is hardest to keep.

    Attributes
    ----------
    name : str
        The constraint.
    limit : float
    reached : float or None
        What it limits, on held-out rows; the share flagged is that of the rule itself. None where
        nobody is flagged whose precision it would be, or passed whose negative predictive value.
    reached_low, reached_high : float or None
        Ends of the interval of that; None if there is none.
    prevalence : float
        The share of positives at which that is: the end of its range that is nearest the limit.
    by_prevalence : bool
        Whether the other end leaves more room.
    status : {"kept", "at the limit", "broken"}
        At the limit is what lies within the interval of what is reached.
    costs : float
        How much less than what is recommended per 1,000 cases costs what would be without this
        limit, on the same held-out rows; negative if that is luckier with the limit.
    costs_low, costs_high : float
        Ends of the interval of that; NaN if there is none.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> y, s = np.tile([0, 0, 0, 1], 100), np.linspace(0, 1, 400) ** 2
    >>> known = cs.Deployment(fp_cost=1, fn_cost=20, prevalence=0.1)
    >>> limits = cs.Constraints(capacity=0.2)
    >>> one, = cs.decide(y, {"model": s}, conditions=known, constraints=limits).limits_kept()
    >>> one.name, one.status
    ('capacity', 'kept')
    """

    name: str
    limit: float
    reached: float | None
    reached_low: float | None
    reached_high: float | None
    prevalence: float
    by_prevalence: bool
    status: str
    costs: float
    costs_low: float
    costs_high: float

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row."""
        return {
            name: np.array([np.nan if value is None else value])
            for name, value in asdict(self).items()
        }


def limits_kept(choosing: Choosing, stated: FittedStrategy) -> tuple[LimitKept, ...]:
    """How what is `stated` keeps to each limit on held-out rows, and to a capacity by its rule."""
    return tuple(_kept(choosing, stated, name) for name in choosing.task.constraints)


def _kept(choosing: Choosing, stated: FittedStrategy, name: str) -> LimitKept:
    """How it keeps to one limit, at the prevalence that leaves the least room."""
    conditions = choosing.task.conditions
    limit, kind = choosing.task.constraints.as_flagged(name)
    action = FLAG if kind == name else REVIEW
    flagged = stated.flagged
    if kind == "capacity":
        # What a rule flags, or reviews, is known of the rule itself.
        flagged = stated.part_flagged(None) if action == FLAG else stated.part_reviewed(None)
    # A queue has its own threshold at each prevalence: what it does is known on average.
    queue = stated.places_of(action) is not None
    span = conditions.prevalence_range
    ends = (conditions.mean_prevalence,) if queue else (span.low, span.high)
    fpr, recall = rates_of(stated.task.judged.rows, flagged)
    bound = limit.bounds(OperatingPoints(np.asarray(fpr), np.asarray(1 - recall)))[kind]
    excess = [float(bound.excess(p)) for p in ends]
    worst = int(np.argmax(excess))
    one = _reached(Counted.of(stated, flagged, ends[worst], (action,)), kind)
    value, low, high = (None,) * 3 if one is None else (one.value, one.low, one.high)
    status = KEPT if excess[worst] <= 0 else BROKEN
    within = low is None or high is None or low < limit.limits[kind] < high
    if queue and kind == "capacity":
        # A queue keeps to its share of the cases whatever the rows.
        status = KEPT
    elif one is not None and excess[worst] != 0 and within:
        status = AT_LIMIT
    how = value, low, high, ends[worst], max(excess) - min(excess) > _ROUNDING, status
    return LimitKept(name, limit.limits[kind], *how, *_price(choosing, name))


def _price(choosing: Choosing, name: str) -> tuple[float, float, float]:
    """What is chosen costs more than what the limits without one allow, and the interval."""
    task = choosing.task.one_by_one
    free = replace(task, constraints=task.constraints.without(name))
    if set(task.choices) == {QUEUE}:
        # A queue goes by the capacity: it would flag the same share without that limit.
        free = replace(free, choices=default_choices(task.calibrated_to, None))
    fits = (fit(strategy, free) for strategy in strategies_of(free))
    every = together([*choosing.fits, *(one for one in fits if one.feasible)])
    split = len(choosing.fits)
    held, allowed = Choosing(tuple(every[:split])), Choosing(tuple(every[split:]))
    money = MoneySample.of(held.task)
    costlier, cheaper = (one.priced(one.best) for one in (held, allowed))
    try:
        money.check_units()
    except LabelError:
        return costlier.money - cheaper.money, np.nan, np.nan
    more = money.difference(costlier, cheaper)
    return more.difference, more.low, more.high


def _reached(counted: Counted, name: str) -> Count | None:
    """What the constraint of a name limits."""
    if name == "capacity":
        return counted.flagged_cases.over(CASES)
    return {
        "min_precision": counted.precision,
        "min_recall": counted.recall,
        "min_npv": counted.npv,
        "max_fpr": counted.fpr,
    }[name]
