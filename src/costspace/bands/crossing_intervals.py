"""Confidence intervals for where two loss curves cross."""

from dataclasses import dataclass
from typing import Any, final

from numpy.typing import NDArray

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.notebook import Tabulated


@final
@dataclass(frozen=True, eq=False)
class CrossingIntervals(FrozenValue, Tabulated):
    """Confidence intervals for where a difference of loss curves crosses 0.

    Attributes
    ----------
    low, high : array of shape (k,)
        Ends of each interval; at an end of the band's range, crossings may lie beyond.
    first, last : array of shape (k,)
        The first and the last condition in it at which the estimate changes sign; equal if it does
        so once.
    before, after : array of int of shape (k,)
        Sign of the band on both sides; 0 at an end of its range. If they are opposite, there is a
        crossing in between, with the confidence of the level.
    level : float in (0, 1)
    kind : str
        "simultaneous" or "pointwise".

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0] * 50 + [1] * 50
    >>> scores = [i / 70 for i in range(50)] + [1 - i / 70 for i in range(50)]
    >>> band = cs.difference_band(
    ...     y,
    ...     {"bold": scores, "cautious": scores},
    ...     choice={"bold": cs.ScoreFixed(0.3), "cautious": cs.ScoreFixed(0.7)},
    ...     simultaneous=False,
    ... )
    >>> found = band.crossings()
    >>> found.low.round(3), found.first.round(3), found.high.round(3)
    (array([0.367]), array([0.509]), array([0.649]))
    >>> found.before, found.after
    (array([-1]), array([1]))
    """

    low: FloatArray
    high: FloatArray
    first: FloatArray
    last: FloatArray
    before: IndexArray
    after: IndexArray
    level: float
    kind: str

    def __len__(self) -> int:
        return len(self.low)

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row an interval."""
        names = ("low", "high", "first", "last", "before", "after")
        return {name: getattr(self, name) for name in names}
