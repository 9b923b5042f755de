"""What has changed in each segment of two samples of a model's scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.decision.evidence.money_by_segment import level_of_each, names_of, segment_name
from costspace.estimates.differences import plain
from costspace.notebook import STRATEGIES, Tabulated, first_of, in_short
from costspace.samples.segmenting import json_value
from costspace.watching.change import Change


@final
@dataclass(frozen=True)
class SegmentChanges(FrozenValue, Tabulated):
    """What has changed in one segment of the cases.

    Attributes
    ----------
    by : mapping of str to value
        What the columns that name segments say, None where they are empty; "others" of segments
        that are joined.
    number : int
        How many segments it is: 1 unless they are joined.
    rows_before, rows : int
        How many rows it has in the earlier sample and in the later.
    changes : tuple of Change
        One a quantity. Their intervals hold at once, and p-values are adjusted, over all segments.
    reason : str or None
        Why there are none.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1] * 50, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9] * 50
    >>> rows = cs.ScoredRows.from_predictions(y, s)
    >>> site = ["north"] * 200 + ["south"] * 200
    >>> one = cs.drift(rows, rows, segments=(site, site)).segments.segments[0]
    >>> one.by, one.changes[0].quantity, one.told
    ({'segment': 'north'}, 'prevalence', 0.0)
    """

    by: Mapping[str, Any]
    number: int
    rows_before: int
    rows: int
    changes: tuple[Change, ...]
    reason: str | None

    @property
    def name(self) -> str:
        """What the columns say, with commas between them."""
        return segment_name(self.by)

    @property
    def most(self) -> Change | None:
        """The change of which most is told, None if there is none."""
        return min(self.changes, key=lambda one: (-_told(one), one.p), default=None)

    @property
    def told(self) -> float:
        """How large that is at least: the end of its interval nearest 0, 0 if that is in it."""
        return 0.0 if self.most is None else _told(self.most)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "by": {name: json_value(value) for name, value in self.by.items()},
            "number": self.number,
            "rows_before": self.rows_before,
            "rows": self.rows,
            "changes": [plain(one) for one in self.changes],
            "reason": self.reason,
        }

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a change."""
        return _columns_of([self])


@final
@dataclass(frozen=True, repr=False)
class ChangesBySegment(FrozenValue, Tabulated):
    """What has changed in each segment of two samples of a model's scores.

    Attributes
    ----------
    segments : tuple of SegmentChanges
        By the size of the change that is told, the largest first. Segments with too few rows of a
        class in either sample are joined, and stand last.
    level : float in (0, 1)
        Confidence level with which all intervals hold at once.
    correction : {"holm", "bonferroni"} or None
        How p-values are adjusted for the number of changes in all segments.
    tests : int
        How many these are, so that each interval is of the level 1 - (1 - level) / tests.
    gone : int
        How many segments have rows before, and none after.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1] * 50, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9] * 50
    >>> rows = cs.ScoredRows.from_predictions(y, s)
    >>> site = ["north"] * 200 + ["south"] * 200
    >>> found = cs.drift(rows, rows, quantities="auc", segments=(site, site)).segments
    >>> found.tests, [one.name for one in found.segments]
    (2, ['north', 'south'])
    """

    segments: Sequence[SegmentChanges]
    level: float
    correction: str | None
    tests: int
    gone: int

    @property
    def by(self) -> tuple[str, ...]:
        """The columns that name segments."""
        return tuple(self.segments[0].by)

    @property
    def level_of_each(self) -> float:
        """The level of one interval."""
        return level_of_each(self.level, self.tests)

    def is_clear(self, one: Change) -> bool:
        """Whether a change is shown."""
        return bool(one.p_adjusted < 1 - self.level)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "segments": [one.to_dict() for one in self.segments],
            "by_segment": {
                "level": self.level,
                "correction": self.correction,
                "tests": self.tests,
                "gone": self.gone,
            },
        }

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a change in a segment."""
        return _columns_of(self.segments)

    def __repr__(self) -> str:
        shown, told = first_of(self.segments, STRATEGIES, "segments")
        width = max(len(in_short(one.name)) for one in shown)
        lines = [f"{in_short(one.name):<{width}}  {_in_words(one.most)}" for one in shown]
        return "\n".join([f"{self.tests} changes by {', '.join(self.by)}", *lines, *told])


def _told(one: Change) -> float:
    return max(one.low, -one.high, 0.0)


def _in_words(one: Change | None) -> str:
    if one is None:
        return "too few rows"
    return f"{one.quantity} {one.before:.6g} to {one.after:.6g}, p {one.p_adjusted:.3g}"


def _columns_of(segments: Sequence[SegmentChanges]) -> dict[str, NDArray[Any]]:
    """One row a change: the names of its segment, and what it is."""
    rows = [(one, change) for one in segments for change in one.changes]
    names = names_of([one for one, _ in rows]) if rows else {}
    own = ("quantity", "before", "after", "difference", "low", "high", "p", "p_adjusted")
    return {
        **names,
        **{name: np.array([getattr(change, name) for _, change in rows]) for name in own},
    }
