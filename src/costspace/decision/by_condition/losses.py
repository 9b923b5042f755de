"""What strategies lose at each operating condition, and which of them loses least where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.curve import (
    Envelope,
    PiecewiseQuadratic,
    SignIntervals,
    lower_envelope,
    sign_intervals,
    weighted_sum,
)
from costspace.curve.crossing import COINCIDE
from costspace.decision.strategy import Strategy


@final
@dataclass(frozen=True, eq=False)
class Losses(FrozenValue):
    """The losses of several strategies, on one axis.

    Attributes
    ----------
    curves : mapping of k Strategy to PiecewiseQuadratic
        The loss of each at every condition.
    axis : float in (0, 1)
        The prevalence whose cost proportions the conditions are; at 1/2 they are skews.
    """

    curves: Mapping[Strategy, PiecewiseQuadratic]
    axis: float

    @cached_property
    def lowest(self) -> Envelope:
        """The least of them at each condition."""
        return _envelope(list(self.curves.values()))


@final
@dataclass(frozen=True, eq=False)
class Winners(FrozenValue):
    """The curve to follow from one condition to the next.

    Attributes
    ----------
    breaks : array of shape (k + 1,)
        Conditions, ascending; the two ends of the range are the same if it is one condition.
    index : array of shape (k,)
        The curve followed between them, neighbours differing.
    """

    breaks: FloatArray
    index: IndexArray


def winners(losses: Losses, low: float, high: float, *, within: float = 0.0) -> Winners:
    """The curve of least loss at each condition from `low` to `high`, of those tied the first.

    With `within` a curve is followed for as long as its loss is above the least by no more than
    that share of it, the one for which that is longest: as few changes as can be. At a single
    condition nothing changes, and it is the least.
    """
    curves = list(losses.curves.values())
    if low == high:
        at = np.array([curve(low) for curve in curves])
        near = at <= at.min() + COINCIDE
        return Winners(np.array([low, high]), np.flatnonzero(near)[:1])
    lowest = losses.lowest
    inner = lowest.breaks[(lowest.breaks > low) & (lowest.breaks < high)]
    breaks = np.concatenate([[low], inner, [high]])
    place = np.searchsorted(lowest.breaks, breaks[:-1], side="right") - 1
    exact = Winners(breaks, lowest.winner[np.minimum(place, len(lowest.winner) - 1)])
    return exact if within == 0 else _lasting(curves, lowest.curve, exact, within)


def _envelope(curves: Sequence[PiecewiseQuadratic]) -> Envelope:
    """`lower_envelope` of many curves of many pieces: only breaks at which it changes are kept."""
    lowest = Envelope(_pruned(curves[0]), np.array([0.0, 1.0]), np.array([0]))
    for i, curve in enumerate(curves[1:], start=1):
        both = lower_envelope([lowest.curve, curve])
        breaks = np.union1d(lowest.breaks, both.breaks)
        held, lower = (
            one.winner[np.searchsorted(one.breaks, breaks[:-1], side="right") - 1]
            for one in (lowest, both)
        )
        winner = np.where(lower == 1, i, held)
        keep = np.append(True, winner[1:] != winner[:-1])
        lowest = Envelope(_pruned(both.curve), np.append(breaks[:-1][keep], 1.0), winner[keep])
    return lowest


def _lasting(
    curves: Sequence[PiecewiseQuadratic],
    least: PiecewiseQuadratic,
    exact: Winners,
    within: float,
) -> Winners:
    excesses = [
        sign_intervals(weighted_sum([curve, least], weights=[1.0, -1 - within])) for curve in curves
    ]
    at, high = float(exact.breaks[0]), float(exact.breaks[-1])
    breaks, index = [at], list[int]()
    while at < high:
        ends = np.array([min(_lasts(excess, at), high) for excess in excesses])
        # The exact winner is good enough for at least as long as it wins.
        place = int(np.searchsorted(exact.breaks, at, side="right")) - 1
        winner = int(exact.index[place])
        ends[winner] = max(ends[winner], float(exact.breaks[place + 1]))
        best, end = int(np.argmax(ends)), float(ends.max())
        if index and index[-1] == best:
            breaks.pop()
        else:
            index.append(best)
        breaks.append(end)
        at = end
    return Winners(np.array(breaks), np.array(index))


def _pruned(curve: PiecewiseQuadratic) -> PiecewiseQuadratic:
    """The same curve without the breaks at which nothing changes."""
    changes = np.any(np.diff(curve.coefficients, axis=1) != 0, axis=0)
    # Pieces of no length at the ends stay, whatever they hold.
    inner = curve.breaks[1:-1]
    keep = changes | (inner == 0) | (inner == 1)
    breaks = np.concatenate([[0.0], inner[keep], [1.0]])
    return PiecewiseQuadratic(breaks, curve.coefficients[:, np.append(True, keep)])


def _lasts(excess: SignIntervals, at: float) -> float:
    """The condition up to which a curve is good enough, from one on."""
    piece = int(np.searchsorted(excess.breaks, at, side="right")) - 1
    above = np.flatnonzero(excess.sign[piece:] > 0)
    return float(excess.breaks[piece + above[0]]) if len(above) else 1.0
