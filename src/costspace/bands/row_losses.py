"""Each row's part in the error of a loss as thresholds pass the scores: moments, and draws."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, Floats, FrozenValue, IndexArray
from costspace.bands.row_shares import RowShares

# Numbers in one block of draws, few enough to stay in the processor's cache.
_BLOCK = 1 << 18
# When no longer flagged, a negative loses less and a positive more.
_LEAVING = np.array([[-1.0], [1.0]])
# Squares below this share of the largest are 0 up to rounding: one row of many millions has a
# larger share.
_ROUNDING = 1e-11
# Variances of values in [0, 1] below this are 0 up to rounding.
_ALIKE = 1e-12


@final
@dataclass(frozen=True, eq=False)
class FlaggedRows(FrozenValue):
    """Which rows are flagged, as the threshold or the condition rises."""

    share: FloatArray  # shape (n,): the initial probability that the row is flagged
    # Shape (n,): where it ceases to be flagged; None if it never does.
    until: FloatArray | None = None
    factor: float = 1.0  # -1 for a loss that is subtracted

    def negated(self) -> "FlaggedRows":
        """The same rows, with their loss subtracted."""
        return FlaggedRows(self.share, self.until, -self.factor)

    def take(self, rows: IndexArray) -> "FlaggedRows":
        """Some of the rows."""
        until = None if self.until is None else self.until[rows]
        return FlaggedRows(self.share[rows], until, self.factor)


@final
@dataclass(frozen=True, eq=False)
class RowLosses(FrozenValue):
    """The errors of a loss from its rows, by independent unit.

    A unit is a row, or a cluster of rows. The loss is ``c x + (1 - c) y`` with x = 2 pi0 FPR and
    y = 2 pi1 FNR, or a sum of such with factors, and x and y step where the threshold passes a
    score. The error of the loss is to first order the sum over units of
    ``c (X - U x) + (1 - c) (Y - V y)``: X and Y are the unit's parts in x and y, U and V the
    shares it would have in them if all rows were alike.
    """

    shares: RowShares  # the weights of the rows
    at: FloatArray  # shape (k,): where rows cease to be flagged, ascending
    unit: IndexArray  # shape (k,): the unit of each row
    jump: FloatArray  # shape (2, k): the change of the unit's X and Y there
    base: FloatArray  # shape (2, g): X and Y of each unit before the first step
    spread: FloatArray  # shape (2, g): U and V
    mean: FloatArray  # shape (2, k + 1): x and y before the first step and after each
    # Shape (2, k + 1): whether all negatives are alike, and all positives, before the first step
    # and after each.
    alike: BoolArray
    ends: FloatArray  # shape (2, 2): the least possible x and y, and the most

    @cached_property
    def products(self) -> FloatArray:
        """The sums over units of the error in x squared, of the product, of that in y squared.

        Of shape (3, k + 1), before and after each step.
        """
        return np.asarray(np.sum(self._squares, axis=0))

    def moments(self, c: FloatArray, steps: IndexArray) -> tuple[FloatArray, FloatArray]:
        """Variance and third moment of the error at conditions, after some numbers of steps.

        By independent part: c and steps have the same shape, the results shape (parts, *shape).
        """
        x, y = c, 1 - c
        xx, xy, yy = np.moveaxis(self._squares[:, :, steps], 1, 0)
        second = x * x * xx + 2 * x * y * xy + y * y * yy
        xxx, xxy, xyy, yyy = np.moveaxis(self._cubes[:, :, steps], 1, 0)
        third = x**3 * xxx + 3 * x * y * (x * xxy + y * xyy) + y**3 * yyy
        # Cubes of rounding errors must not count.
        most = np.multiply.outer(self._peaks[0], x * x) + np.multiply.outer(self._peaks[1], y * y)
        known = second > _ROUNDING * most
        return np.where(known, second, 0.0), np.where(known, third, 0.0)

    def rooms(self, c: FloatArray, steps: IndexArray) -> FloatArray:
        """How far each class's part in the loss is from its least and its most.

        Of shape (2, 2, *shape): below and above, by negatives and by positives.
        """
        mean = self.mean[:, steps]
        low, high = (end.reshape((2,) + (1,) * np.ndim(steps)) for end in self.ends)
        return np.asarray(np.maximum([mean - low, high - mean], 0) * np.stack([c, 1 - c]))

    @cached_property
    def _before(self) -> FloatArray:
        """X and Y of each step's unit, before the step."""
        return self.base[:, self.unit] + _earlier_jumps(self.unit, self.jump)

    @cached_property
    def _squares(self) -> FloatArray:
        """`products` of each part, of shape (parts, 3, k + 1)."""
        return self._products([(2, 0), (1, 1), (0, 2)], np.ones(self.base.shape[1]))

    @cached_property
    def _peaks(self) -> FloatArray:
        """The size that squares of the errors in x and in y can have: of shape (2, parts)."""
        largest = np.square(self.spread * (self.ends[1] - self.ends[0])[:, None])
        return np.stack([np.bincount(self.shares.part, weights=one) for one in largest])

    @cached_property
    def _cubes(self) -> FloatArray:
        """The sums of the products of three errors, 0 to 3 of them in y: (parts, 4, k + 1)."""
        return self._products([(3, 0), (2, 1), (1, 2), (0, 3)], self.shares.cubed)

    def _products(self, powers: Sequence[tuple[int, int]], factor: FloatArray) -> FloatArray:
        """The sums over the units of each part of powers of X - U x and Y - V y."""
        part, before = self.shares.part, self._before
        factors = factor * (part == np.arange(int(part.max()) + 1)[:, None])
        of = [
            [_powers(side) for side in both]
            for both in (self.base, before, before + self.jump, self.spread, -self.mean)
        ]
        return np.stack([self._product(x, y, factors, of) for x, y in powers], axis=1)

    def _product(
        self, in_x: int, in_y: int, factors: FloatArray, of: list[list[list[Floats]]]
    ) -> FloatArray:
        """Sums of ``(X - U x)**in_x (Y - V y)**in_y``, each term a running sum."""
        base, before, after, spread, mean = of
        total = np.zeros((len(factors), len(self.at) + 1))
        for x, y in product(range(in_x + 1), range(in_y + 1)):
            rest_x, rest_y = in_x - x, in_y - y
            alike = factors * (spread[0][rest_x] * spread[1][rest_y])
            sums = np.sum(base[0][x] * base[1][y] * alike, axis=1)[:, None]
            if x or y:
                steps = after[0][x] * after[1][y] - before[0][x] * before[1][y]
                sums = np.cumsum(np.append(sums, steps * alike[:, self.unit], axis=1), axis=1)
            times = comb(in_x, x) * comb(in_y, y)
            total += times * sums * (mean[0][rest_x] * mean[1][rest_y])
        return total

    def draw(self, rng: np.random.Generator, count: int, steps: IndexArray) -> FloatArray:
        """Gaussian draws of the errors in x and y after some numbers of steps.

        Of shape (2, count, m), with the covariances of the errors.
        """
        units = rng.standard_normal((count, self.base.shape[1]))
        found = np.empty((2, count, len(steps)))
        for side in (0, 1):
            moves = np.flatnonzero(self.jump[side])
            sums = np.empty((count, len(moves) + 1))
            sums[:, 0] = np.sum(units * self.base[side], axis=1)
            drawn = units.take(self.unit[moves], axis=1)
            np.multiply(drawn, self.jump[side][moves], out=sums[:, 1:])
            np.cumsum(sums, axis=1, out=sums)
            alike = np.sum(units * self.spread[side], axis=1)[:, None]
            reached = sums.take(np.searchsorted(moves, steps), axis=1)
            found[side] = reached - alike * self.mean[side][steps]
        return found

    @property
    def draws_at_once(self) -> int:
        """How many draws fit in one block."""
        return max(1, _BLOCK // (len(self.at) + self.base.shape[1] + 1))


def row_losses(shares: RowShares, flagged: Sequence[FlaggedRows]) -> RowLosses:
    """The errors of a sum of losses of the same rows, or kinds of rows, by what each loss flags."""
    sides = np.stack([~shares.positive, shares.positive]).astype(float)
    error = shares.error
    spread = sides * error / shares.class_share if shares.fixed else np.stack([error, error])
    # A flagged negative is an error, a flagged positive is not.
    losses = [one.factor * sides * np.stack([one.share, 1 - one.share]) for one in flagged]
    base = np.sum(losses, axis=0)
    moving = [one for one in flagged if one.until is not None]
    at = np.concatenate([np.zeros(0), *(one.until for one in moving if one.until is not None)])
    row = np.tile(np.arange(len(shares)), len(moving))
    jump = np.concatenate(
        [np.zeros((2, 0)), *(one.factor * one.share * _LEAVING * sides for one in moving)], axis=1
    )
    order = np.argsort(at, kind="stable")
    at, row, jump = at[order], row[order], jump[:, order]
    alike = _alike(base, jump, row, sides * shares.rows)
    jump = jump * shares.loss[row]
    base = base * shares.loss
    means = [
        _running(np.sum(own_base * shares.share), own_jump * shares.share[row])
        for own_base, own_jump in zip(base, jump, strict=True)
    ]
    ends = [sum(clip(one.factor, 0.0) for one in flagged) for clip in (min, max)]
    return RowLosses(
        shares,
        at,
        shares.unit[row],
        jump * error[row],
        _by_unit(base * error, shares.unit),
        _by_unit(spread, shares.unit),
        np.stack(means),
        alike,
        np.outer(ends, [2 * (1 - shares.known), 2 * shares.known]),
    )


def _alike(base: FloatArray, jump: FloatArray, row: IndexArray, rows: FloatArray) -> BoolArray:
    """Whether all rows of a class, by numbers of each kind, lose the same at each step."""
    before = base[:, row] + _earlier_jumps(row, jump)
    steps = jump * (2 * before + jump)
    found = []
    for side in (0, 1):
        size, of_each = np.sum(rows[side]), rows[side][row]
        sums = _running(np.sum(rows[side] * base[side]), of_each * jump[side])
        squares = _running(np.sum(rows[side] * base[side] ** 2), of_each * steps[side])
        found.append(size * squares - sums * sums <= _ALIKE * size * size)
    return np.stack(found)


def _earlier_jumps(unit: IndexArray, jump: FloatArray) -> FloatArray:
    """The sum of earlier jumps of each step's unit."""
    order = np.argsort(unit, kind="stable")
    units, jumps = unit[order], jump[:, order]
    earlier = np.cumsum(jumps, axis=1) - jumps
    starts = np.flatnonzero(np.append(True, units[1:] != units[:-1])[: len(units)])
    earlier -= np.repeat(earlier[:, starts], np.diff(starts, append=len(units)), axis=1)
    gained = np.empty_like(earlier)
    gained[:, order] = earlier
    return gained


def _by_unit(values: FloatArray, unit: IndexArray) -> FloatArray:
    return np.stack([np.bincount(unit, weights=one) for one in values])


def _powers(of: FloatArray) -> list[Floats]:
    """Powers 0 to 3."""
    return [1.0, of, of * of, of * of * of]


def _running(start: float, steps: FloatArray) -> FloatArray:
    """The sums of a start and the first 0, 1, ..., k steps."""
    return np.cumsum(np.concatenate([[start], steps]))
