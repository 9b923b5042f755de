"""Each row's part in a loss as thresholds pass the scores: the variance, and draws of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, IndexArray
from costspace.inference.standard_error import check_groups, class_size
from costspace.scores.rows import ScoredRows

# Numbers that one block of draws may hold.
_BLOCK = 1 << 22
# No longer flagged, a negative loses less and a positive more.
_LEAVING = np.array([[-1.0], [1.0]])


@final
@dataclass(frozen=True, eq=False)
class FlaggedRows:
    """What happens to every row, as the threshold rises or its condition grows.

    Attributes
    ----------
    share : array of shape (n,), in [0, 1]
        The probability that the row is flagged at first.
    until : array of shape (n,) or None
        Where it ceases to be flagged at all; None if it never does.
    factor : float
        -1 for what is subtracted.
    """

    share: FloatArray
    until: FloatArray | None = None
    factor: float = 1.0

    def negated(self) -> "FlaggedRows":
        """The same, subtracted."""
        return FlaggedRows(self.share, self.until, -self.factor)


@final
@dataclass(frozen=True, eq=False)
class RowLosses:
    """The errors of a loss that come from its rows, by the independent units they form.

    A unit is a row, or a cluster of rows. The loss is ``c x + (1 - c) y`` with x = 2 pi0 FPR and
    y = 2 pi1 FNR, or a sum of such with factors, and x and y step where the threshold passes a
    score. The error of the loss is to first order the sum over units of
    ``c (X - U x) + (1 - c) (Y - V y)``: X and Y are the unit's parts in x and y, U and V the
    shares it would have in them if all rows were alike.

    Attributes
    ----------
    at : array of shape (k,)
        Ascending: where rows cease to be flagged.
    unit : array of int of shape (k,)
        Whose row it is.
    jump : array of shape (2, k)
        What is added there to the unit's X and Y.
    base : array of shape (2, g)
        X and Y of each unit before.
    spread : array of shape (2, g)
        U and V.
    mean : array of shape (2, k + 1)
        x and y before, and after each step.
    """

    at: FloatArray
    unit: IndexArray
    jump: FloatArray
    base: FloatArray
    spread: FloatArray
    mean: FloatArray

    @cached_property
    def products(self) -> FloatArray:
        """The sums over units of the error in x squared, of the product, of that in y squared.

        Of shape (3, k + 1), before and after each step.
        """
        before = self.base[:, self.unit] + self._earlier_jumps()
        return np.stack([self._product(i, j, before) for i, j in ((0, 0), (0, 1), (1, 1))])

    def _product(self, i: int, j: int, before: FloatArray) -> FloatArray:
        """Sum over units of (X - U x) (Y - V y), each term of it a running sum."""
        jump, base, spread, mean = self.jump, self.base, self.spread, self.mean
        steps = jump[i] * before[j] + before[i] * jump[j] + jump[i] * jump[j]
        both = _running(np.sum(base[i] * base[j]), steps)
        first = _running(np.sum(base[i] * spread[j]), jump[i] * spread[j][self.unit])
        second = _running(np.sum(base[j] * spread[i]), jump[j] * spread[i][self.unit])
        alike = np.sum(spread[i] * spread[j])
        return both - first * mean[j] - second * mean[i] + alike * mean[i] * mean[j]

    def _earlier_jumps(self) -> FloatArray:
        """What the unit of each step has gained by its earlier steps."""
        order = np.argsort(self.unit, kind="stable")
        units, jumps = self.unit[order], self.jump[:, order]
        earlier = np.cumsum(jumps, axis=1) - jumps
        starts = np.flatnonzero(np.append(True, units[1:] != units[:-1])[: len(units)])
        earlier -= np.repeat(earlier[:, starts], np.diff(starts, append=len(units)), axis=1)
        gained = np.empty_like(earlier)
        gained[:, order] = earlier
        return gained

    def draw(self, rng: np.random.Generator, count: int, steps: IndexArray) -> FloatArray:
        """Gaussian draws of the errors in x and y after some numbers of steps.

        Of shape (2, count, m); their covariances are those of the errors themselves.
        """
        units = rng.standard_normal((count, self.base.shape[1]))
        found = np.empty((2, count, len(steps)))
        for side in (0, 1):
            moves = np.flatnonzero(self.jump[side])
            sums = np.empty((count, len(moves) + 1))
            sums[:, 0] = np.sum(units * self.base[side], axis=1)
            sums[:, 1:] = units[:, self.unit[moves]] * self.jump[side][moves]
            np.cumsum(sums, axis=1, out=sums)
            alike = np.sum(units * self.spread[side], axis=1)[:, None]
            found[side] = sums[:, np.searchsorted(moves, steps)] - alike * self.mean[side][steps]
        return found

    @property
    def draws_at_once(self) -> int:
        """How many draws are made together, for memory's sake."""
        return max(1, _BLOCK // (len(self.at) + self.base.shape[1] + 1))


def row_losses(
    rows: ScoredRows,
    flagged: Sequence[FlaggedRows],
    *,
    prevalence: float | None,
    design: str,
    weights: str,
) -> RowLosses:
    """The errors of a sum of losses of the same rows.

    Parameters
    ----------
    rows : ScoredRows
    flagged : sequence of FlaggedRows
        How each of the losses comes about.
    prevalence : float in (0, 1), optional
        Share of positives, taken as known; by default the rows' own.
    design : {"independent", "stratified"}
        As in `standard_error`.
    weights : {"sampling", "counts"}
        As in `standard_error`.

    Raises
    ------
    ConditionError
        If there is no such kind of weights, or counts are not whole numbers.
    LabelError
        If a class has one row, or occurs in one group only.
    """
    positive, own = rows.positive, rows.prevalence
    shares = np.where(positive, own, 1 - own)
    known = shares if prevalence is None else np.where(positive, prevalence, 1 - prevalence)
    part, weighed = _row_parts(rows, weights)
    unit = np.arange(len(rows)) if rows.groups is None else rows.groups
    sides = np.stack([~positive, positive]).astype(float)
    fixed = design == "stratified" or prevalence is not None
    spread = sides * weighed / shares if fixed else np.stack([weighed, weighed])
    loss = 2 * known / shares
    # What a row is flagged by is what a negative loses, and a positive does not.
    base = sum(one.factor * sides * np.stack([one.share, 1 - one.share]) for one in flagged)
    moving = [one for one in flagged if one.until is not None]
    at = np.concatenate([np.zeros(0), *(one.until for one in moving if one.until is not None)])
    row = np.tile(np.arange(len(rows)), len(moving))
    jump = np.concatenate(
        [np.zeros((2, 0)), *(one.factor * one.share * _LEAVING * sides for one in moving)], axis=1
    )
    order = np.argsort(at, kind="stable")
    at, row, jump = at[order], row[order], jump[:, order] * loss[row[order]]
    base = base * loss
    means = [
        _running(np.sum(own_base * part), own_jump * part[row])
        for own_base, own_jump in zip(base, jump, strict=True)
    ]
    return RowLosses(
        at,
        unit[row],
        jump * weighed[row],
        _by_unit(base * weighed, unit),
        _by_unit(spread, unit),
        np.stack(means),
    )


def _row_parts(rows: ScoredRows, weights: str) -> tuple[FloatArray, FloatArray]:
    """Each row's part in a mean, and the one whose square is its part in the mean's variance."""
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    part = weight / np.sum(weight)
    sizes = [
        class_size(float(np.sum(side)), None if rows.weight is None else weight[side], weights)
        for side in (~rows.positive, rows.positive)
    ]
    if rows.groups is not None:
        check_groups(rows.groups, rows.positive)
        count = int(rows.groups.max()) + 1
        return part, part * np.sqrt(count / (count - 1))
    size = np.where(rows.positive, sizes[1], sizes[0])
    counted = weights == "counts" and rows.weight is not None
    once = np.sqrt(weight) / np.sum(weight) if counted else part
    return part, once * np.sqrt(size / (size - 1))


def _by_unit(values: FloatArray, unit: IndexArray) -> FloatArray:
    return np.stack([np.bincount(unit, weights=one) for one in values])


def _running(start: float, steps: FloatArray) -> FloatArray:
    """The sums of a start and the first 0, 1, ..., k steps."""
    return np.cumsum(np.concatenate([[start], steps]))
