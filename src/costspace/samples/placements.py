"""Placements: the ranks of the scores of one class among those of the other."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray, read_only
from costspace.samples.class_sample import ClassSample

# Scores that are compared with the other class at a time.
_BLOCK = 1 << 15


@final
@dataclass(frozen=True, eq=False)
class Placements(FrozenValue):
    """The rank of each of the k distinct scores of one class among the scores of the other."""

    own: ClassSample
    other: ClassSample
    starts: IndexArray  # shape (k,): position in `own` at which each distinct score begins
    # Shape (k,): how many scores of `other` are below it, and how many not above it.
    below: IndexArray
    up_to: IndexArray
    tied: bool  # whether a score occurs in both classes; else `below` and `up_to` are the same

    @classmethod
    def of(cls, own: ClassSample, other: ClassSample) -> "Placements":
        """Look up the scores of one class among those of the other."""
        scores, starts = own.distinct()
        below = other.position(scores, inclusive=True)
        # A clipped position compares with the last score, which is below, so it is not a tie.
        tied = bool(np.any(np.take(other.values, below, mode="clip") == scores))
        up_to = other.position(scores) if tied else below
        starts, below, up_to = map(read_only, (starts, below, up_to))
        return cls(own, other, starts, below, up_to, tied)

    def pairs_won(self) -> float:
        """Weight of the pairs in which `own` scores above `other`, ties counting half."""
        if self.own.weights is None and self.other.weights is None and self._all_differ:
            # Some systems have default integers of 32 bits, too few for pairs.
            return float(self.below.sum(dtype=np.int64))
        return sum(float(np.sum(weight * below)) for weight, below in self._half_below())

    def squares_over_own(self, mean: float) -> float:
        """Mean over `own` of (share of `other` below, ties counting half, minus `mean`)^2."""
        total = 0.0
        for weight, below in self._half_below():
            share = below / self.other.total
            share -= mean
            share *= share
            share *= weight
            total += float(np.sum(share))
        return total / self.own.total

    def _half_below(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Weight of each distinct score, and of `other` below it, ties counting half, in blocks."""
        ends = np.append(self.starts, len(self.own))
        for i in range(0, len(self.starts), _BLOCK):
            block = slice(i, i + _BLOCK)
            weight = np.diff(self.own.weight_of_first(ends[i : i + _BLOCK + 1]))
            below = self.other.weight_of_first(self.below[block])
            below += self.other.weight_of_first(self.up_to[block])
            below /= 2
            yield weight, below

    def squares_over_other(self, mean: float) -> float:
        """Mean over `other` of (share of `own` below, ties counting half, minus `mean`)^2."""
        total, ends = 0.0, np.append(self.starts, len(self.own))
        before = np.append(0, self.up_to)
        for i in range(0, len(self.starts), _BLOCK):
            block = slice(i, i + _BLOCK)
            share = self.own.weight_of_first(ends[i : i + _BLOCK + 1]) / self.own.total - mean
            # Scores between two of `own` are above the lower one; the others are tied with it.
            passed, below, up_to = (
                self.other.weight_of_first(some[block]) for some in (before, self.below, self.up_to)
            )
            between, tied = below - passed[: len(below)], up_to - below
            total += float(np.sum(between * share[:-1] ** 2))
            total += float(np.sum(tied * ((share[:-1] + share[1:]) / 2) ** 2))
        last = self.other.total - float(self.other.weight_of_first(int(self.up_to[-1])))
        return (total + last * (1 - mean) ** 2) / self.other.total

    @property
    def _all_differ(self) -> bool:
        """Whether no score of `own` occurs twice, or in `other`."""
        return not self.tied and len(self.starts) == len(self.own)

    def corners_below(self) -> tuple[FloatArray, FloatArray]:
        """Weight of `own` and of `other` below each score of `own` that follows one of `other`."""
        first = np.append(self.below[0] > 0, self.below[1:] != self.below[:-1])
        return self._weights(np.compress(first, self.starts), np.compress(first, self.below))

    def corners_above(self) -> tuple[FloatArray, FloatArray]:
        """Weight of `own` and of `other` up to each score of `own` that precedes one of `other`."""
        last = np.append(self.up_to[1:] != self.up_to[:-1], self.up_to[-1] < len(self.other))
        ends = np.append(self.starts[1:], len(self.own))
        return self._weights(np.compress(last, ends), np.compress(last, self.up_to))

    def _weights(self, own: IndexArray, other: IndexArray) -> tuple[FloatArray, FloatArray]:
        return self.own.weight_of_first(own), self.other.weight_of_first(other)


def half_below(sample: ClassSample, scores: FloatArray) -> FloatArray:
    """Weight of the scores of a sample below each of some scores, ties counting half."""
    before = sample.position(scores, inclusive=True)
    weight = np.asarray(sample.weight_of_first(before))
    tied = np.flatnonzero(np.take(sample.values, before, mode="clip") == scores)
    if tied.size:
        weight[tied] += sample.below(scores[tied])
        weight[tied] /= 2
    return weight


def weighted_sums(own: ClassSample, other: ClassSample, mean: float) -> tuple[float, float]:
    """Sums over `own` of w^2 d and w^2 d^2, d the share of `other` below it, minus `mean`."""
    off = squared = 0.0
    squares = own.squares_of_each
    for i in range(0, len(own), _BLOCK):
        block = slice(i, i + _BLOCK)
        share = half_below(other, own.values[block])
        share /= other.total
        share -= mean
        weighted = share if own.weights is None else share * squares[block]
        off += float(np.sum(weighted))
        squared += float(np.sum(weighted * share))
    return off, squared
