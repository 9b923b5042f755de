"""What keeping a rule costs in each segment of later rows, against before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.decision.evidence.money_by_segment import level_of_each, names_of, segment_name
from costspace.decision.evidence.money_evidence import MoneyDifference, StrategyMoney
from costspace.decision.evidence.plain_money import cost_dict, more_dict
from costspace.notebook import STRATEGIES, Tabulated, first_of, in_short
from costspace.samples.segmenting import json_value


@final
@dataclass(frozen=True)
class SegmentKept(FrozenValue, Tabulated):
    """What keeping a rule costs in one segment of the cases.

    Attributes
    ----------
    by : mapping of str to value
        What the columns that name segments say, None where they are empty; "others" of segments
        that are joined.
    number : int
        How many segments it is: 1 unless they are joined.
    rows_before, rows : int
        How many rows it has in the earlier sample and in the later, but for those of weight 0.
    share : float in (0, 1]
        Its share of the cases now.
    before : StrategyMoney or None
        What the rule cost per 1,000 cases of the segment; None if there were no rows of a class.
    kept : StrategyMoney
        What it costs now.
    more : MoneyDifference or None
        What it costs more now than before. It has no p.
    reason : str or None
        Why there are no intervals.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1] * 50, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9] * 50
    >>> rows = cs.ScoredRows.from_predictions(y, s)
    >>> site = ["north"] * 200 + ["south"] * 200
    >>> found = cs.drift(rows, rows, fp_cost=1, fn_cost=2, segments=(site, site)).segments
    >>> one = found.segments[0]
    >>> one.by, one.kept.money, one.more.difference
    ({'segment': 'north'}, 125.0, 0.0)
    """

    by: Mapping[str, Any]
    number: int
    rows_before: int
    rows: int
    share: float
    before: StrategyMoney | None
    kept: StrategyMoney
    more: MoneyDifference | None
    reason: str | None

    @property
    def contribution(self) -> float:
        """What it adds to the cost per 1,000 cases of all: segments add up to that."""
        return self.share * self.kept.money

    @property
    def name(self) -> str:
        """What the columns say, with commas between them."""
        return segment_name(self.by)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "by": {name: json_value(value) for name, value in self.by.items()},
            "number": self.number,
            "rows_before": self.rows_before,
            "rows": self.rows,
            "share": self.share,
            "before": None if self.before is None else cost_dict(self.before),
            "kept": cost_dict(self.kept),
            "contribution": self.contribution,
            "more": None if self.more is None else more_dict(self.more),
            "reason": self.reason,
        }

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row."""
        return _columns_of([self])


@final
@dataclass(frozen=True, repr=False)
class KeptBySegment(FrozenValue, Tabulated):
    """What keeping a rule costs in each segment of later rows, against before.

    Attributes
    ----------
    segments : tuple of SegmentKept
        By what they add to the cost of all cases, the most first. Segments with too few rows of a
        class in either sample for an interval are joined, and stand last.
    cost : float
        What the rule costs now per 1,000 cases of all, which segments add up to.
    level : float in (0, 1)
        Confidence level with which all intervals of one kind hold at once.
    intervals : int
        How many segments have them, so that each is of the level 1 - (1 - level) / intervals.
    gone : int
        How many segments have rows before, and none after.

    Notes
    -----
    Costs are those of `MoneyBySegment`. Both samples are taken to be independent: the ends of a
    change are made of those of both costs by the method of Zou and Donner (2008), Statistics in
    Medicine 27. Clusters that are in both make the intervals of changes wider than they need be.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1] * 50, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9] * 50
    >>> rows = cs.ScoredRows.from_predictions(y, s)
    >>> site = ["north"] * 200 + ["south"] * 200
    >>> found = cs.drift(rows, rows, fp_cost=1, fn_cost=2, segments=(site, site)).segments
    >>> found.cost, [one.contribution for one in found.segments]
    (125.0, [62.5, 62.5])
    """

    segments: Sequence[SegmentKept]
    cost: float
    level: float
    intervals: int
    gone: int

    @property
    def by(self) -> tuple[str, ...]:
        """The columns that name segments."""
        return tuple(self.segments[0].by)

    @property
    def level_of_each(self) -> float:
        """The level of the interval of one segment."""
        return level_of_each(self.level, self.intervals)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "segments": [one.to_dict() for one in self.segments],
            "by_segment": {
                "cost_per_1000": self.cost,
                "level": self.level,
                "correction": "bonferroni",
                "intervals": self.intervals,
                "gone": self.gone,
            },
        }

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a segment."""
        return _columns_of(self.segments)

    def __repr__(self) -> str:
        shown, told = first_of(self.segments, STRATEGIES, "segments")
        width = max(len(in_short(one.name)) for one in shown)
        lines = [
            f"{in_short(one.name):<{width}}  {one.share:10.4g} {one.contribution:10.5g} "
            f"{np.nan if one.before is None else one.before.money:10.5g} {one.kept.money:10.5g}"
            for one in shown
        ]
        head = f"{'':{width}}       share     of cost     before        now"
        return "\n".join([f"the kept rule costs {self.cost:.5g}", head, *lines, *told])


def _columns_of(segments: Sequence[SegmentKept]) -> dict[str, NDArray[Any]]:
    """One row a segment: its names, what the rule costs there, and the ends of the intervals."""

    def of(name: str, value: str) -> dict[str, NDArray[Any]]:
        found = [getattr(one, name) for one in segments]
        return {
            name if part == value else f"{name}_{part}": np.array(
                [np.nan if one is None else getattr(one, part) for one in found]
            )
            for part in (value, "low", "high")
        }

    own = ("number", "rows_before", "rows", "share", "contribution")
    return {
        **names_of(segments),
        **{name: np.array([getattr(one, name) for one in segments]) for name in own},
        **of("before", "money"),
        **of("kept", "money"),
        **of("more", "difference"),
    }
