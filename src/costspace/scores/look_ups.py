"""Look-ups: the operating points of a source, by score, by share flagged, or by skew."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, FrozenValue, hold, kept
from costspace.curve import OperatingPath, OperatingPoints, SmoothPath
from costspace.errors import SourceError

Smoothness: TypeAlias = Literal["constant", "linear", "smooth"]
PointsAt: TypeAlias = Callable[[FloatArray], OperatingPoints]


class Switch(ABC):
    """A one-to-one map between the operating condition and the quantity x of a look-up.

    T(c) of a score-driven threshold is one: a score and the condition up to which it is flagged.
    """

    @abstractmethod
    def __call__(self, x: FloatArray) -> FloatArray:
        """The condition of each x; below 0 or above 1 if no condition in [0, 1] has it."""

    @abstractmethod
    def inverse(self, c: FloatArray) -> FloatArray:
        """The x of each condition."""

    @property
    def straight(self) -> bool:
        """Whether it is linear, so that lines stay lines; False by default."""
        return False


@final
@dataclass(frozen=True)
class Straight(Switch):
    """A switch that is linear in the condition, from one value at 0 to another at 1.

    Attributes
    ----------
    at_0, at_1 : float
        Different numbers. ``Straight(0, 1)`` is the condition itself, ``Straight(1, 0)`` 1 minus
        the condition.

    Examples
    --------
    >>> fallen = Straight(1, 0)
    >>> fallen(np.array([0.9])), fallen.inverse(np.array([0.25]))
    (array([0.1]), array([0.75]))
    """

    at_0: float
    at_1: float
    straight = True

    def __call__(self, x: FloatArray) -> FloatArray:
        # Not -0.
        return (x - self.at_0) / (self.at_1 - self.at_0) + 0.0

    def inverse(self, c: FloatArray) -> FloatArray:
        # Not at_0 + c (at_1 - at_0), which can miss its ends by rounding.
        return self.at_0 * (1 - c) + self.at_1 * c


class LookUp(ABC):
    """Operating points by one quantity x: a score, a share that is flagged, or a skew.

    Where there are several points, as at a jump or at a score, `at` gives the one that flags
    fewest, or with ``most=True`` the one that flags most.

    Attributes
    ----------
    between : {"constant", "linear", "smooth"}
        How points move with x between neighbouring `kinks`.
    flags_more : bool
        Whether more are flagged as x grows: true by a share, false by a score or a skew.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> table.by_score.at([0.6, 0.7]).fpr, table.by_score.at([0.6, 0.7], most=True).fpr
    (array([0., 0.]), array([0.5, 0. ]))
    >>> table.by_tpr.at([0.5, 0.75]).fpr, table.by_tpr.between, table.by_tpr.breaks
    (array([0. , 0.5]), 'linear', array([0. , 0.5, 0.5, 1. , 1. ]))
    """

    between: Smoothness
    flags_more: bool

    @property
    @abstractmethod
    def kinks(self) -> FloatArray:
        """Values of x, ascending, at which points may jump or bend."""

    @abstractmethod
    def at(self, x: ArrayLike, *, most: bool = False) -> OperatingPoints:
        """Operating points at x: if several, the one that flags fewest or, with `most`, most."""

    @property
    @abstractmethod
    def corners(self) -> OperatingPoints:
        """All points, or the ends of all lines that they are on, as x grows.

        With m `breaks` there are m + 1 if points are constant in between, m if linear. It raises
        `SourceError` if they are only smooth.
        """

    @property
    def breaks(self) -> FloatArray:
        """The `kinks`, if points are constant or linear in between.

        It raises `SourceError` if they are only smooth: such points do not give the curve.
        """
        if self.between == "smooth":
            raise only_smooth("breaks")
        return self.kinks

    def path(
        self, prevalence: float, switch: Switch = Straight(0, 1)
    ) -> OperatingPath | SmoothPath:
        """The path through ROC space as x follows the operating condition.

        Parameters
        ----------
        prevalence : float in (0, 1)
            The prevalence of the loss.
        switch : Switch, default ``Straight(0, 1)``
            What x is at each condition; by default the condition itself.

        Returns
        -------
        OperatingPath or SmoothPath
            The first, exact, if points are constant, or linear and the switch is straight.
        """
        if self.between == "constant":
            at, points = _ascending(switch(self.kinks), self.corners)
            first, last = at.searchsorted(0), at.searchsorted(1, side="right")
            return OperatingPath.stepping(at[first:last], points[first : last + 1], prevalence)
        if self.between == "linear" and switch.straight:
            return self._lines(prevalence, switch)
        at = switch(self.kinks)
        breaks = np.union1d([0.0, 1.0], at[(at > 0) & (at < 1)])
        grows = self._grows(switch)
        right, left = (
            partial(self._followed, switch=switch, most=most) for most in (grows, not grows)
        )
        return SmoothPath(breaks, right, prevalence, left)

    def _lines(self, prevalence: float, switch: Switch) -> OperatingPath:
        at, points = _ascending(switch(self.kinks), self.corners)
        if at[0] != 0 or at[-1] != 1:
            inside, ends, grows = (at > 0) & (at < 1), np.array([0.0, 1.0]), self._grows(switch)
            first = self._followed(ends[:1], switch=switch, most=grows)
            last = self._followed(ends[1:], switch=switch, most=not grows)
            inner = OperatingPoints(points.fpr[inside], points.fnr[inside])
            points = first.followed_by(inner).followed_by(last)
            at = np.concatenate([ends[:1], at[inside], ends[1:]])
        start, end = points[:-1], points[1:]
        if at[-2] == 1:
            # At a jump at 1 the path has the point after it.
            start = start[:-1].followed_by(end[-1:])
        # A kink that occurs twice is a jump. Only the first and the last piece may have length
        # 0: they hold the left limit at 0 and the value at 1.
        kept = at[1:] > at[:-1]
        kept[0], kept[-1] = kept[0] or at[1] == 0, kept[-1] or at[-2] == 1
        breaks, piece = np.append(at[:-1][kept], at[-1]), np.flatnonzero(kept)
        return OperatingPath(breaks, start.take(piece), end.take(piece), prevalence)

    def _grows(self, switch: Switch) -> bool:
        """Whether more are flagged as the condition grows."""
        at_0, at_1 = switch.inverse(np.array([0.0, 1.0]))
        return bool((at_0 < at_1) == self.flags_more)

    def _followed(self, c: FloatArray, *, switch: Switch, most: bool) -> OperatingPoints:
        return self.at(switch.inverse(c), most=most)


def only_smooth(asked: str) -> SourceError:
    """The error for a member that a smooth look-up lacks."""
    return SourceError(
        f"a smooth look-up has no {asked}: lines between its kinks are not its curve. Use "
        "path(...), and check `between` for the kind of a look-up."
    )


def _ascending(at: FloatArray, points: OperatingPoints) -> tuple[FloatArray, OperatingPoints]:
    """Conditions and points, reversed if the conditions descend."""
    return (at[::-1], points[::-1]) if at[0] > at[-1] else (at, points)


class _CorneredLookUp(FrozenValue, LookUp):
    """A look-up that is determined by breaks and the points at or between them."""

    _breaks: FloatArray
    _corners: OperatingPoints

    def __init__(self, breaks: FloatArray, corners: OperatingPoints) -> None:
        hold(self, _breaks=kept(breaks), _corners=corners)

    @property
    def kinks(self) -> FloatArray:
        return self._breaks

    @property
    def corners(self) -> OperatingPoints:
        return self._corners


@final
class SteppedLookUp(_CorneredLookUp):
    """A look-up with constant points between breaks, as for finitely many scores.

    Parameters
    ----------
    breaks : array of shape (m,)
        Ascending; from each on fewer are flagged.
    corners : OperatingPoints of shape (m + 1,)
        The points before the first break, and after each.

    Examples
    --------
    For a negative of score 0.4 and a positive of score 0.7:

    >>> from costspace import OperatingPoints
    >>> corners = OperatingPoints(np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]))
    >>> SteppedLookUp(np.array([0.4, 0.7]), corners).at([0.5, 0.7]).fnr
    array([0., 1.])
    """

    between = "constant"
    flags_more = False

    def at(self, x: ArrayLike, *, most: bool = False) -> OperatingPoints:
        passed = np.searchsorted(self._breaks, x, side="left" if most else "right")
        return self._corners.take(np.asarray(passed))


@final
class LinearLookUp(_CorneredLookUp):
    """Points along straight lines, by a share flagged, which splits blocks of ties.

    Parameters
    ----------
    breaks : array of shape (m,)
        Ascending from 0 to 1; points jump where one occurs twice.
    corners : OperatingPoints of shape (m,)
        The points there, from flagging nobody to flagging everybody.
    """

    between = "linear"
    flags_more = True

    @classmethod
    def along(
        cls, corners: OperatingPoints, tpr: FloatArray, negatives: float, positives: float
    ) -> "LinearLookUp":
        """By the share flagged of a mix of the classes, along a curve from flagging all to nobody.

        TPR is given as well as FNR, since 1 - FNR can differ from it by rounding.
        """
        share = np.minimum(negatives * corners.fpr + positives * tpr, 1.0)[::-1]
        share[[0, -1]] = 0.0, 1.0
        return cls(share, corners[::-1])

    def at(self, x: ArrayLike, *, most: bool = False) -> OperatingPoints:
        x, breaks, corners = np.asarray(x, dtype=float), self._breaks, self._corners
        found = np.searchsorted(breaks, x, side="right" if most else "left")
        high = np.clip(found, 1, len(breaks) - 1)
        ends = (high - 1, high)
        shares = tuple(breaks[end] for end in ends)
        return points_between(x, shares, tuple(corners.take(end) for end in ends), most=most)


def points_between(
    x: FloatArray, shares: tuple[FloatArray, ...], ends: tuple[OperatingPoints, ...], *, most: bool
) -> OperatingPoints:
    """The points at shares x on the lines between two ends, with the shares that those flag."""
    (low, high), (first, last) = shares, ends
    # A piece of length 0 is a jump at an end, with its other side beyond the range.
    at_jump = np.where(x == low, float(most), x > low)
    along = np.divide(x - low, high - low, out=at_jump, where=high > low).clip(0, 1)
    return OperatingPoints(
        first.fpr * (1 - along) + last.fpr * along, first.fnr * (1 - along) + last.fnr * along
    )


@final
class SmoothLookUp(FrozenValue, LookUp):
    """A look-up by a function that is smooth between its kinks, as for densities.

    Parameters
    ----------
    at : callable
        The points at an array of x; if several, those that flag fewest.
    kinks : array of shape (m,)
        Where points may jump or bend sharply, ascending.
    flags_more : bool
        Whether more are flagged as x grows.
    most : callable, optional
        The points that flag most; by default `at` itself, for points that never jump.

    Examples
    --------
    By a score with a uniform density on [0, 1] for negatives and a linear one for positives:

    >>> from costspace import OperatingPoints
    >>> by_score = SmoothLookUp(
    ...     lambda t: OperatingPoints(1 - t, t**2), np.array([0.0, 1.0]), flags_more=False
    ... )
    >>> by_score.at(0.5).fpr, by_score.at(0.5).fnr
    (array(0.5), array(0.25))
    """

    between = "smooth"
    flags_more: bool
    _kinks: FloatArray
    _at: PointsAt
    _most: PointsAt

    def __init__(
        self,
        at: PointsAt,
        kinks: FloatArray,
        *,
        flags_more: bool,
        most: PointsAt | None = None,
    ) -> None:
        most = at if most is None else most
        hold(self, _at=at, _most=most, _kinks=kept(kinks), flags_more=flags_more)

    @property
    def kinks(self) -> FloatArray:
        return self._kinks

    @property
    def corners(self) -> OperatingPoints:
        raise only_smooth("corners")

    def at(self, x: ArrayLike, *, most: bool = False) -> OperatingPoints:
        return (self._most if most else self._at)(np.asarray(x, dtype=float))
