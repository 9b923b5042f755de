"""The scores of one class, sorted, with weights or without."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import (
    EXACT,
    FloatArray,
    FrozenValue,
    IndexArray,
    ScoreArray,
    ScoreFunction,
    read_only,
)
from costspace.samples.rounding import in_unit
from costspace.samples.sorting import search, sort_with_order
from costspace.single import doubles
from costspace.threads import halves, mapped

# Scores in a block, few enough for a function of them to stay in the processor's cache.
_BLOCK = 1 << 16
_LEAST = np.finfo(float).min


@final
@dataclass(frozen=True, eq=False)
class ClassSample(FrozenValue):
    """Scores of one class in ascending order: an empirical distribution.

    Parameters
    ----------
    values : array of shape (n,)
        Ascending, without NaN, with ties.
    weights : array of shape (n,), optional
        Positive. Without them each score counts 1, and no array is stored.
    rows : int, optional
        How many rows the sample was made of, its length by default.
    tally, squares : array of shape (n,), optional
        How many rows each score represents, and the sum of their squared weights. Without them
        each score is one row.
    lowest : array of shape (n,), optional
        If each score is the highest of a run of neighbouring scores that count as one: the lowest
        of the run. Without it each score is its own run.
    """

    values: FloatArray
    weights: FloatArray | None = None
    rows: int = -1
    tally: FloatArray | None = None
    squares: FloatArray | None = None
    lowest: FloatArray | None = None

    def __post_init__(self) -> None:
        for name in ("values", "weights", "tally", "squares", "lowest"):
            array = getattr(self, name)
            if array is not None:
                object.__setattr__(self, name, read_only(array))
        if self.rows < 0:
            object.__setattr__(self, "rows", len(self.values))

    @classmethod
    def sort(cls, values: ScoreArray, weights: FloatArray | None = None) -> "ClassSample":
        """Make a sample of unsorted scores, each of one row; `values` is sorted in place.

        Scores of single precision become the decimals that they print as.

        Rows of weight zero carry no information and are left out, but counted.
        """
        rows = len(values)
        if weights is None:
            values.sort()
            return cls(doubles(values))
        if not weights.min() > 0:
            values, weights = values[weights > 0], weights[weights > 0]
        ascending, order = sort_with_order(values)
        return cls(doubles(ascending), np.take(weights, order), rows)

    @property
    def as_counts(self) -> "ClassSample":
        """The same scores, each of as many rows as its weight says."""
        return ClassSample(self.values, self.weights, self.rows, self.weights, self.weights)

    def with_values(self, values: FloatArray, order: IndexArray | None = None) -> "ClassSample":
        """The same rows with other ascending scores, the i-th that of entry ``order[i]``."""

        def ordered(array: FloatArray | None) -> FloatArray | None:
            return array if array is None or order is None else np.take(array, order)

        kept = ordered(self.weights), self.rows, ordered(self.tally), ordered(self.squares)
        return ClassSample(values, *kept)

    @property
    def in_unit(self) -> "ClassSample":
        """The same rows, those with scores beyond [0, 1] at its ends."""
        lowest = None if self.lowest is None else in_unit(self.lowest)
        return replace(self, values=in_unit(self.values), lowest=lowest)

    def __len__(self) -> int:
        return len(self.values)

    def __add__(self, other: "ClassSample") -> "ClassSample":
        values = np.concatenate([self.values, other.values])
        rows = self.rows + other.rows
        if self.weights is None and other.weights is None:
            # The stable sort merges two ascending runs in linear time.
            return ClassSample(np.sort(values, kind="stable"), rows=rows)
        order = np.argsort(values, kind="stable")
        weights = np.concatenate([s.weight_of_each for s in (self, other)])[order]
        if self.tally is None and other.tally is None:
            return ClassSample(values[order], weights, rows)
        tally = np.concatenate([s.tally_of_each for s in (self, other)])[order]
        squares = np.concatenate([s.squares_of_each for s in (self, other)])[order]
        if self.lowest is None and other.lowest is None:
            return ClassSample(values[order], weights, rows, tally, squares)
        lowest = np.concatenate([s.lowest_of_each for s in (self, other)])[order]
        return ClassSample(values[order], weights, rows, tally, squares, lowest)

    @property
    def weight_of_each(self) -> FloatArray:
        """The weight of each score."""
        return np.ones(len(self)) if self.weights is None else self.weights

    @property
    def tally_of_each(self) -> FloatArray:
        """How many rows each score represents."""
        return np.ones(len(self)) if self.tally is None else self.tally

    @property
    def squares_of_each(self) -> FloatArray:
        """Sum of the squared weights of the rows that each score represents."""
        return self.weight_of_each**2 if self.squares is None else self.squares

    @property
    def lowest_of_each(self) -> FloatArray:
        """The lowest score of the run that each score is the highest of."""
        return self.values if self.lowest is None else self.lowest

    @property
    def counted(self) -> float:
        """How many rows with weight the sample has."""
        return float(len(self) if self.tally is None else np.sum(self.tally))

    @property
    def squared_shares(self) -> FloatArray:
        """Sum of the squared shares of the class's weight, over the rows of each score."""
        if self.squares is None:
            return (self.weight_of_each / self.total) ** 2
        return self.squares / self.total / self.total

    @cached_property
    def _means(self) -> dict[ScoreFunction, float]:
        return {}

    @cached_property
    def _moments(self) -> dict[ScoreFunction, tuple[float, float]]:
        return {}

    @cached_property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        if self.weights is None or self.tally is None:
            return self.weights is not None
        return not np.array_equal(self.weights, self.tally)

    @cached_property
    def _cumulative(self) -> FloatArray | None:
        """Weight of the first 0, 1, ..., n scores.

        Exact for whole numbers that floats can hold; others are summed in long doubles.
        """
        if self.weights is None:
            return None
        cumulative = np.zeros(len(self.weights) + 1)
        if self.whole_weights:
            np.cumsum(self.weights, out=cumulative[1:])
            if cumulative[-1] < EXACT:
                return cumulative
        total = np.longdouble(0)
        for block in self._slices():
            sums = self.weights[block].astype(np.longdouble)
            sums[0] += total
            np.cumsum(sums, out=sums)
            cumulative[1:][block] = sums
            total = sums[-1]
        return cumulative

    @property
    def rounding(self) -> float:
        """How far rounding can move a sum of weights, relative to the total."""
        return 1e-15 + len(self) * float(np.finfo(np.longdouble).eps)

    @cached_property
    def total(self) -> float:
        """Weight of the class."""
        return float(self.weight_of_first(len(self.values)))

    @cached_property
    def whole_weights(self) -> bool:
        """Whether every weight is a whole number, so that sums of weights are exact."""
        if self.weights is None:
            return True
        blocks = (self.weights[block] for block in self._slices())
        return all(bool(np.all(weights == np.floor(weights))) for weights in blocks)

    def position(self, t: ArrayLike, *, inclusive: bool = False) -> Any:
        """How many scores are <= t, or, with `inclusive` thresholds, < t."""
        return search(self.values, t, "left" if inclusive else "right")

    def weight_of_first(self, position: int | IndexArray) -> Any:
        """Weight of the first `position` scores."""
        if self._cumulative is None:
            return np.asarray(position, dtype=float)[()]
        return np.take(self._cumulative, position)

    def below(self, t: ArrayLike, *, inclusive: bool = False) -> FloatArray:
        """Weight of the scores <= t, or, with `inclusive` thresholds, < t."""
        return self.weight_of_first(self.position(t, inclusive=inclusive))

    def positions_of_weight(self, below: FloatArray) -> IndexArray:
        """The inverse of `weight_of_first`, for its values."""
        if self._cumulative is None:
            return below.astype(np.intp)
        return np.searchsorted(self._cumulative, below)

    def last_of_first(self, position: IndexArray) -> FloatArray:
        """The highest of the first `position` scores, -inf of none."""
        found = np.take(self.values, np.maximum(position - 1, 0))
        return np.where(position > 0, found, -np.inf)

    def first_after(self, position: IndexArray) -> FloatArray:
        """The lowest score after the first `position`, +inf if there is none."""
        found = np.take(self.lowest_of_each, position, mode="clip")
        return np.where(position < len(self), found, np.inf)

    def distinct(self) -> tuple[FloatArray, IndexArray]:
        """The distinct scores, and the position at which each begins."""
        new = self.values[1:] != self.values[:-1]
        if new.all():
            return self.values, np.arange(len(self.values))
        starts = np.append(0, np.flatnonzero(new) + 1)
        return np.take(self.values, starts), starts

    def grouped(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Weight of each group of scores, and its part of the mean score of the class.

        Group j has the scores above ``edges[j - 1]`` and not above ``edges[j]``; the first and the
        last group have the scores beyond the edges. A group may be empty.
        """
        ends = self._ends(edges)
        if self.weights is None:
            return np.diff(ends).astype(float), sums_between(self.values / self.total, ends)
        weight = sums_between(self.weights, ends)
        return weight, sums_between(self.values * (self.weights / self.total), ends)

    def squares_grouped(self, edges: FloatArray) -> FloatArray:
        """Sum of the squared weights of each of these groups."""
        return sums_between(self.squares_of_each, self._ends(edges))

    def _ends(self, edges: FloatArray) -> IndexArray:
        """Where each group begins, and the last one ends."""
        return np.concatenate([[0], self.position(edges), [len(self)]])

    def mean(self, f: ScoreFunction) -> float:
        """Weighted mean of f(score), computed a block at a time and cached."""
        # Looked up once: a hash of a function hashes all that it is made of.
        found = self._means.get(f)
        if found is None:
            blocks = list(self._slices())

            def sums(some: range) -> list[float]:
                # Not a dot product: BLAS would start its threads for every block.
                return [
                    float(np.sum(f(values) if weights is None else f(values) * weights))
                    for values, weights in (self._block(blocks[i]) for i in some)
                ]

            parts = mapped(sums, halves(len(blocks)), len(self))
            found = self._means[f] = sum(one for part in parts for one in part) / self.total
        return found

    def central_moments(self, f: ScoreFunction) -> tuple[float, float]:
        """Weighted mean of the square and of the cube of f(score) minus its mean, cached."""
        if f not in self._moments:
            mean, square, cube = self.mean(f), 0.0, 0.0
            for values, weights in self.blocks():
                deviation = f(values) - mean
                power = deviation * deviation if weights is None else deviation**2 * weights
                square += float(np.sum(power))
                power *= deviation
                cube += float(np.sum(power))
            self._moments[f] = square / self.total, cube / self.total
        return self._moments[f]

    def blocks(self) -> Iterator[tuple[FloatArray, FloatArray | None]]:
        """The scores and their weights, a block at a time."""
        return map(self._block, self._slices())

    def _block(self, some: slice) -> tuple[FloatArray, FloatArray | None]:
        return self.values[some], None if self.weights is None else self.weights[some]

    def _slices(self) -> Iterator[slice]:
        return (slice(i, i + _BLOCK) for i in range(0, len(self.values), _BLOCK))


def sums_between(values: FloatArray, ends: IndexArray) -> FloatArray:
    """Sum of the values from each end to the next; the last sum goes to the end of the values."""
    sums = np.zeros(len(ends) - 1)
    filled = ends[:-1] < ends[1:]
    # Infinite scores of both signs have no mean, and the mean of huge scores may round beyond them.
    with np.errstate(invalid="ignore", over="ignore"):
        sums[filled] = np.add.reduceat(values, ends[:-1][filled])
    return sums


def threshold_between(below: FloatArray, above: FloatArray) -> FloatArray:
    """The threshold in the middle of each gap between two scores.

    For infinite or neighbouring scores the midpoint can be outside the gap: then it is the lower
    end, which a threshold does not flag. Above -inf it is the least finite number, since a
    threshold of -inf flags everybody.
    """
    with np.errstate(invalid="ignore"):
        middle = below / 2 + above / 2
    found = np.where(middle < above, middle, below)
    return np.where(np.isneginf(found) & (above > _LEAST), _LEAST, found)
