"""Ranges of a number, cut where polynomials of it change sign."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray

# How many targets are passed at one place in each range.
Passed: TypeAlias = Callable[[FloatArray], IndexArray]
# Of some ranges the difference from a target each, at one place in each of them.
Away: TypeAlias = Callable[[IndexArray, IndexArray, FloatArray], FloatArray]

# Four places in [-1, 1], which tell a cubic, and its coefficients by its values there.
_PLACES = np.cos(np.pi * (np.arange(4) + 0.5) / 4)
_TO_COEFFICIENTS = np.linalg.inv(np.vander(_PLACES, increasing=True)).T
_HALVINGS = 60
# Where in a range it is looked at how many targets are passed.
_LOOKS = (0.0, 0.25, 0.5, 0.75, 1.0)


@final
@dataclass(frozen=True, eq=False)
class Pieces(FrozenValue):
    """Pieces of some ranges.

    Attributes
    ----------
    of : array of shape (m,)
        Which range each is a piece of, ascending.
    low, high : array of shape (m,)
        Its ends, the high above the low.
    """

    of: IndexArray
    low: FloatArray
    high: FloatArray

    @property
    def middle(self) -> FloatArray:
        """A place inside each."""
        return (self.low + self.high) / 2


def split(low: FloatArray, high: FloatArray, of: IndexArray, at: FloatArray) -> Pieces:
    """The pieces of ranges, each cut at the places that are said to be in it."""
    inside = (at > low[of]) & (at < high[of])
    which = np.concatenate([np.arange(len(low)), of[inside]])
    start = np.concatenate([low, at[inside]])
    order = np.lexsort((start, which))
    which, start = which[order], start[order]
    follows = np.append(which[1:] == which[:-1], np.zeros(min(len(which), 1), dtype=bool))
    end = np.where(follows, np.roll(start, -1), high[which])
    some = np.flatnonzero(end > start)
    return Pieces(which[some], start[some], end[some])


def split_where_passed(
    low: FloatArray,
    high: FloatArray,
    targets: tuple[IndexArray, IndexArray],
    passed: Passed,
    difference: Away,
) -> Pieces:
    """The pieces of ranges, each cut where it passes one of the targets that are for it.

    Parameters
    ----------
    low, high : array of shape (m,)
    targets : two arrays of shape (m,)
        From which on, and up to which, targets are for each range.
    passed : callable
        How many of its targets each range has passed at a place in it; they ascend.
    difference : callable
        From each target, a polynomial of degree at most 3.
    """
    counts = [targets[0] + passed((1 - look) * low + look * high) for look in _LOOKS]
    # In between it may come back from the next.
    first = np.maximum(np.min(counts, axis=0) - 1, targets[0])
    last = np.minimum(np.max(counts, axis=0) + 1, targets[1])
    count = np.maximum(last - first, 0)
    of = np.repeat(np.arange(len(low)), count)
    target = np.arange(len(of)) - np.repeat(np.cumsum(count) - count - first, count)
    at = roots(lambda p: difference(of, target, p), low[of], high[of])
    which, root = np.nonzero(np.isfinite(at))
    return split(low, high, of[which], at[which, root])


def roots(f: Callable[[FloatArray], FloatArray], low: FloatArray, high: FloatArray) -> FloatArray:
    """Where polynomials of degree at most 3 change sign, each in a range of its own.

    Parameters
    ----------
    f : callable
        Their values at one place each.
    low, high : array of shape (m,)

    Returns
    -------
    array of shape (m, 3)
        NaN where there are fewer.
    """
    half, middle = (high - low) / 2, (high + low) / 2
    values = np.stack([f(middle + half * place) for place in _PLACES], axis=1)
    c = values @ _TO_COEFFICIENTS
    ends = np.sort(np.column_stack([_stationary(c), -np.ones(len(c)), np.ones(len(c))]), axis=1)
    a, b = ends[:, :-1], ends[:, 1:]
    rises = _at(c, a) < 0
    changes = (rises != (_at(c, b) < 0)) & (a < b)
    for _ in range(_HALVINGS if changes.any() else 0):
        t = (a + b) / 2
        before = (_at(c, t) < 0) == rises
        a, b = np.where(before, t, a), np.where(before, b, t)
    return np.where(changes, middle[:, None] + half[:, None] * (a + b) / 2, np.nan)


def _at(c: FloatArray, t: FloatArray) -> FloatArray:
    """The value of each cubic at each of its places."""
    c0, c1, c2, c3 = (part[:, None] for part in c.T)
    return c0 + t * (c1 + t * (c2 + t * c3))


def _stationary(c: FloatArray) -> FloatArray:
    """Where in [-1, 1] cubics are level: two places each, an end for what there is not."""
    _, b, a, d = c.T
    a, d = 2 * a, 3 * d
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        far = -(a + np.copysign(np.sqrt(np.maximum(a * a - 4 * b * d, 0)), a)) / 2
        found = np.stack([far / d, b / far], axis=1)
    return np.clip(np.nan_to_num(found, nan=1.0, posinf=1.0, neginf=-1.0), -1, 1)
