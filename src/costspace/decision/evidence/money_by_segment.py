"""What one rule costs and saves in each segment of the cases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot, sqrt
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.decision.evidence.money_evidence import MoneyDifference, StrategyMoney
from costspace.decision.evidence.plain_money import cost_dict, more_dict
from costspace.decision.strategy import Strategy
from costspace.estimates.interval import normal_quantile
from costspace.names import MISSING
from costspace.notebook import STRATEGIES, Tabulated, first_of, in_short
from costspace.samples.segmenting import json_value

# What segments without an interval are called together.
OTHERS = "others"


@final
@dataclass(frozen=True)
class SegmentMoney(FrozenValue, Tabulated):
    """What a rule costs and saves in one segment of the cases.

    Attributes
    ----------
    by : mapping of str to value
        What the columns that name segments say, None where they are empty; "others" of segments
        that are joined.
    number : int
        How many segments it is: 1 unless they are joined.
    rows : int
        How many held-out rows it has, but for those of weight 0.
    share : float in (0, 1]
        Its share of the cases at deployment.
    prevalence : float in [0, 1]
        The share of positives in it: that of the rows, with the odds of deployment.
    money : StrategyMoney
        What the rule costs per 1,000 cases of the segment, as `MoneyEvidence` has it of all.
    saving : MoneyDifference or None
        What it saves per 1,000 cases of the segment; None if there is nothing to compare it with.
    own_saving : MoneyDifference or None
        What a threshold that is learnt from the rows of the segment alone would save; None without
        one. It has no p.
    reason : str or None
        Why there are no intervals.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> y = np.tile([0, 0, 0, 1], 100)
    >>> s = 0.1 + 0.3 * y + np.linspace(0, 0.4, 400) ** 2
    >>> decision = cs.decide(y, {"model": s}, fp_cost=1, fn_cost=5, prevalence=0.2)
    >>> first, last = decision.by(np.repeat(["north", "south"], 200)).segments
    >>> first.by, first.rows, first.share
    ({'segment': 'south'}, 200, 0.5)
    """

    by: Mapping[str, Any]
    number: int
    rows: int
    share: float
    prevalence: float
    money: StrategyMoney
    saving: MoneyDifference | None
    own_saving: MoneyDifference | None
    reason: str | None

    @property
    def contribution(self) -> float:
        """What it adds to the cost per 1,000 cases of all: segments add up to that."""
        return self.share * self.money.money

    @property
    def name(self) -> str:
        """What the columns say, with commas between them."""
        return segment_name(self.by)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        saving, own = self.saving, self.own_saving
        return {
            "by": {name: json_value(value) for name, value in self.by.items()},
            "number": self.number,
            "rows": self.rows,
            "share": self.share,
            "prevalence": self.prevalence,
            **cost_dict(self.money),
            "contribution": self.contribution,
            "saving": None if saving is None else more_dict(saving, "saving_per_1000"),
            "own_threshold": None if own is None else more_dict(own, "saving_per_1000"),
            "reason": self.reason,
        }

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row."""
        return columns_of([self])


@final
@dataclass(frozen=True, repr=False)
class MoneyBySegment(FrozenValue, Tabulated):
    """What one rule costs and saves in each segment of the cases.

    Attributes
    ----------
    segments : tuple of SegmentMoney
        By what they add to the cost of all cases, the most first. Segments with too few rows of a
        class for an interval are joined, and stand last.
    strategy : Strategy
        Whose rule it is: what is stated.
    cost : float
        What it costs per 1,000 cases of all, which segments add up to.
    against : Strategy or None
        What it saves money against: the rule in use, or the best of what needs no model.
    own_saving : MoneyDifference or None
        What thresholds of their own would save in all segments that have one together, per 1,000
        cases of all; None if there are none. Its interval is of the level, without correction.
    why_not_own : str
        Why segments have no thresholds of their own; "" if some have.
    level : float in (0, 1)
        Confidence level with which all intervals of a column hold at once.
    intervals : int
        How many segments have one, so that each is of the level 1 - (1 - level) / intervals:
        Bonferroni's correction.

    Notes
    -----
    A segment's cost is the mean of what held-out rows say of the money, as everywhere, over its
    rows, and the margin for choosing is in it as in the whole. The prevalence of deployment is
    known, or estimated, of all cases: the odds of a segment are those of its rows, times what takes
    the odds of all rows to those of deployment. How many rows of either class a segment has is left
    to chance, so that its prevalence counts in the interval.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> y = np.tile([0, 0, 0, 1], 100)
    >>> s = 0.1 + 0.3 * y + np.linspace(0, 0.4, 400) ** 2
    >>> decision = cs.decide(y, {"model": s}, fp_cost=1, fn_cost=5, prevalence=0.2)
    >>> found = decision.by(np.repeat(["north", "south"], 200))
    >>> round(sum(one.contribution for one in found.segments) - found.cost, 9)
    0.0
    """

    segments: Sequence[SegmentMoney]
    strategy: Strategy
    cost: float
    against: Strategy | None
    own_saving: MoneyDifference | None
    why_not_own: str
    level: float
    intervals: int

    @property
    def by(self) -> tuple[str, ...]:
        """The columns that name segments."""
        return tuple(self.segments[0].by)

    def differs(self, one: SegmentMoney) -> str | None:
        """Whether a segment is shown to cost "more" than the rest per case, or "less"; None if not.

        The rest has the mean cost of the other segments, and the variance of that given the share
        of each.
        """
        whole, cost_of_all, variance_of_all = self._known
        share = whole - one.share
        if one.reason is not None or self.intervals < 2:
            return None
        cost = (cost_of_all - one.contribution) / share
        variance = max(variance_of_all - (one.share * one.money.standard_error) ** 2, 0.0)
        reach = normal_quantile(self.level_of_each) * sqrt(variance) / share
        apart = one.money.money - cost
        if apart - hypot(one.money.money - one.money.low, reach) > 0:
            return "more"
        return "less" if apart + hypot(one.money.high - one.money.money, reach) < 0 else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        own, against = self.own_saving, self.against
        return {
            "segments": [{**one.to_dict(), "differs": self.differs(one)} for one in self.segments],
            "by_segment": {
                "model": self.strategy.model,
                "choice": self.strategy.name,
                "cost_per_1000": self.cost,
                "against": None if against is None else against.name,
                "own_thresholds": None if own is None else more_dict(own, "saving_per_1000"),
                "no_own_thresholds": self.why_not_own or None,
                "level": self.level,
                "correction": "bonferroni",
                "intervals": self.intervals,
            },
        }

    @property
    def level_of_each(self) -> float:
        """The level of the interval of one segment."""
        return level_of_each(self.level, self.intervals)

    @cached_property
    def _known(self) -> tuple[float, float, float]:
        """The share of the segments with intervals, their part in the cost, and its variance."""
        own = [one for one in self.segments if one.reason is None]
        variance = sum((one.share * one.money.standard_error) ** 2 for one in own)
        return sum(one.share for one in own), sum(one.contribution for one in own), variance

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a segment."""
        return columns_of(self.segments)

    def __repr__(self) -> str:
        shown, told = first_of(self.segments, STRATEGIES, "segments")
        width = max(len(in_short(one.name)) for one in shown)
        lines = [
            f"{in_short(one.name):<{width}}  {one.share:10.4g} {one.contribution:10.5g} "
            f"{one.money.money:10.5g} {one.money.low:10.5g} {one.money.high:10.5g}"
            for one in shown
        ]
        head = f"{'':{width}}       share     of cost       cost        low       high"
        return "\n".join([f"{self.strategy} costs {self.cost:.5g}", head, *lines, *told])


def level_of_each(level: float, intervals: int) -> float:
    """The level of each of so many intervals that hold together with a level: Bonferroni's."""
    return 1 - (1 - level) / max(intervals, 1)


def segment_name(by: Mapping[str, Any]) -> str:
    """What the columns of a segment say, with commas between them."""
    return ", ".join(MISSING if value is None else str(value) for value in by.values())


def names_of(segments: Sequence[Any]) -> dict[str, NDArray[Any]]:
    """What each column says of each segment."""
    return {
        column: np.array([one.by[column] for one in segments] + [None], dtype=object)[:-1]
        for column in segments[0].by
    }


def columns_of(segments: Sequence[SegmentMoney]) -> dict[str, NDArray[Any]]:
    """One row a segment: its names, what it costs and saves, and the ends of intervals of these."""

    def of(name: str) -> dict[str, NDArray[Any]]:
        found = [getattr(one, name) for one in segments]
        return {
            name if part == "difference" else f"{name}_{part}": np.array(
                [np.nan if one is None else getattr(one, part) for one in found]
            )
            for part in ("difference", "low", "high")
        }

    own = ("number", "rows", "share", "prevalence", "contribution")
    cost = {"cost": "money", "cost_low": "low", "cost_high": "high"}
    return {
        **names_of(segments),
        **{name: np.array([getattr(one, name) for one in segments]) for name in own},
        **{
            name: np.array([getattr(one.money, own) for one in segments])
            for name, own in cost.items()
        },
        **of("saving"),
        **of("own_saving"),
    }
