"""How what is recommended keeps to each limit on held-out rows, and what each limit costs."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.curve import OperatingPoints
from costspace.decision.evidence.money_sample import MoneySample
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.fitting.strategies import fit, strategies_of
from costspace.decision.fitting.together import together
from costspace.decision.limits.constraints import Constraints
from costspace.decision.money.row_money import RowMoney
from costspace.decision.strategy import QUEUE, default_choices
from costspace.errors import LabelError
from costspace.inference.interval import normal_quantile
from costspace.notebook import Tabulated

# Rates that differ by less are equal but for rounding.
_ROUNDING = 1e-12

KEPT, AT_LIMIT, BROKEN = "kept", "at the limit", "broken"


@final
@dataclass(frozen=True)
class LimitKept(Tabulated):
    """What is reached of a limit where it is hardest to keep.

    Attributes
    ----------
    name : str
        The constraint.
    limit : float
    reached : float
        What it limits, on held-out rows.
    prevalence : float
        The share of positives at which that is: the end of its range that is nearest the limit.
    by_prevalence : bool
        Whether the other end leaves more room.
    status : {"kept", "at the limit", "broken"}
        At the limit is what lies within the interval of what is reached.
    costs : float
        How much less per 1,000 cases what would be recommended without this limit costs, on the
        same held-out rows; negative if that is luckier with the limit.
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
    reached: float
    prevalence: float
    by_prevalence: bool
    status: str
    costs: float
    costs_low: float
    costs_high: float

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row."""
        return {name: np.array([value]) for name, value in asdict(self).items()}


def limits_kept(choosing: Choosing) -> tuple[LimitKept, ...]:
    """How what is chosen keeps to each limit on held-out rows, and to a capacity by its rule."""
    task = choosing.task
    limits, span = task.constraints, task.conditions.prevalence_range
    judged, best = task.judged.rows, choosing.best
    # What a rule flags is known of the rule itself.
    held_out, stated = best.flagged, best.part_flagged(None)
    rule = best.rule
    money = RowMoney.of_rates(judged.counting, task.judged_weights, estimated=task.estimated)
    # A queue has its own threshold at each prevalence: what it does is known on average.
    ends: Sequence[float] = (span.low, span.high)
    if rule is not None and rule.by == "share":
        ends = (task.conditions.mean_prevalence,)
    found = []
    for name in limits:
        flagged = stated if name == "capacity" else held_out
        sample = _Rates(money, flagged[judged.counts], task.level)
        reached, at, by_prevalence, status = sample.nearest(limits.only([name]), ends)
        if name == "capacity" and rule is not None and rule.by == "share":
            # A queue keeps to its share of the cases whatever the rows.
            status = KEPT
        price = _price(choosing, name)
        how = reached, at, by_prevalence, status
        found.append(LimitKept(name, limits.limits[name], *how, *price))
    return tuple(found)


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


@final
@dataclass(frozen=True, eq=False)
class _Rates:
    """Held-out rows, and how likely each is flagged."""

    rows: RowMoney
    flagged: NDArray[Any]
    level: float

    def nearest(
        self, limit: Constraints, prevalences: Sequence[float]
    ) -> tuple[float, float, bool, str]:
        """What is reached of a limit where the least room is left, and how it is kept there.

        That is at one of the prevalences, which follows what is reached; then, whether others
        leave more room.
        """
        (name,) = limit
        at = self._point
        excess = [float(limit.bounds(at)[name].excess(p)) for p in prevalences]
        worst = int(np.argmax(excess))
        p = prevalences[worst]
        status = KEPT if excess[worst] <= 0 else BROKEN
        if 0 < abs(excess[worst]) <= normal_quantile(self.level) * self._error(limit, p):
            status = AT_LIMIT
        differs = max(excess) - min(excess) > _ROUNDING
        return float(limit.reached(at, p).of(name)), p, differs, status

    @property
    def _point(self) -> OperatingPoints:
        fpr, recall = self.rows.class_means(self.flagged)
        return OperatingPoints(np.asarray(fpr), np.asarray(1 - recall))

    def _error(self, limit: Constraints, prevalence: float) -> float:
        """The standard error of the excess, the sum of what the rates of either class add."""
        at, positive = self._point, self.rows.rows.positive
        rows = OperatingPoints(
            np.where(positive, at.fpr, self.flagged), np.where(positive, 1 - self.flagged, at.fnr)
        )
        (bound,) = limit.bounds(rows).values()
        parts = np.where(positive, prevalence * bound.positives, (1 - prevalence) * bound.negatives)
        try:
            return self.rows.error(self.rows.influences(parts))
        except LabelError:
            return np.inf
