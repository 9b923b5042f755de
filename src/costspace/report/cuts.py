"""The scores of a model as a page stores them: all distinct ones, or those that tell most."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from costspace.arrays import EXACT, BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.report.encoding import base64_of
from costspace.scores.table import ScoreTable

# Shares of weights are stored in units of this, which is finer than they are known.
_UNITS = 2.0**48
# Half of the cuts are spread over each class evenly; the others by the log-odds of the share, whose
# tails matter where conditions are far from even. Shares below this are all alike.
_SMALLEST_SHARE = 1e-6
# Into how many parts for each score kept, at most, the shares are cut, and how that is found.
_MOST_PARTS, _HALVINGS = 8, 12
_BITS = 7


@final
@dataclass(frozen=True, eq=False)
class Cuts(FrozenValue):
    """Distinct scores of a table, ascending, and the share of each class at or below them."""

    scores: FloatArray  # shape (m,)
    # Shape (2, m): share of the negatives and of the positives, which ends with 1.
    below: FloatArray
    distinct: int  # how many distinct scores the table has
    # Shape (m,): where scores are left out between a cut and the one before: shares there are taken
    # to rise evenly with the score. None if all scores are kept.
    ramps: BoolArray | None
    # Weights of the classes, if they are whole numbers that can be counted.
    totals: tuple[float, float] | None
    tolerance: float  # by how much a rate between two cuts can be off

    @classmethod
    def of_table(cls, table: ScoreTable, most: int) -> "Cuts":
        """The cuts of a table: all of them, if they are at most `most`."""
        scores, weights = table.by_score.breaks, np.stack(table.ranking.at_distinct)
        below = weights / weights[:, -1:]
        counts = bool(np.all(weights == np.floor(weights))) and weights[:, -1].sum() < EXACT
        totals = (float(weights[0, -1]), float(weights[1, -1])) if counts else None
        if len(scores) <= most:
            return cls(scores, below, len(scores), None, totals, 0.0)
        kept = _kept(table, below, most)
        ramps = np.diff(kept, prepend=-1) > 1
        ramps[0] = False
        off = _off(scores, below, kept)
        return cls(scores[kept], below[:, kept], len(scores), ramps, totals, off)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: arrays in base64, running totals as their differences."""
        units = (_UNITS, _UNITS) if self.totals is None else self.totals
        found: dict[str, Any] = {
            "cuts": len(self.scores),
            "distinct": self.distinct,
            "complete": self.ramps is None,
            "tolerance": self.tolerance,
            "scores": base64_of(self.scores),
        }
        for name, share, unit in zip(("negatives", "positives"), self.below, units, strict=True):
            found[name] = _deltas64(np.rint(share * unit))
            found[f"{name}_total"] = unit
        if self.ramps is not None:
            found["ramps"] = base64_of(np.packbits(self.ramps, bitorder="little"))
        return found


def _deltas64(totals: FloatArray) -> str:
    """Ascending whole numbers, as differences of 7 bits a byte, the last byte below 128."""
    rest = np.diff(totals, prepend=0.0).astype(np.int64)
    sizes = np.ones(len(rest), dtype=np.int64)
    for bits in range(_BITS, 63, _BITS):
        sizes += rest >= 1 << bits
    starts = np.cumsum(sizes) - sizes
    out = np.zeros(int(sizes.sum()), dtype=np.uint8)
    for i in range(int(sizes.max())):
        at = sizes > i
        more = np.where(sizes[at] > i + 1, 1 << _BITS, 0)
        out[starts[at] + i] = (rest[at] >> (_BITS * i) & ((1 << _BITS) - 1)) | more
    return base64_of(out)


def _kept(table: ScoreTable, below: FloatArray, most: int) -> IndexArray:
    """Which distinct scores to keep: those around large steps, and the corners of the hull."""
    scores, last = table.by_score.breaks, below.shape[1] - 1
    keep = np.zeros(last + 1, dtype=bool)
    keep[[0, 1, last - 1, last]] = True
    corners = np.searchsorted(scores, table.hull_thresholds, side="right") - 1
    keep[corners[corners >= 0]] = True
    odds = np.log((below + _SMALLEST_SHARE) / (1 - below + _SMALLEST_SHARE))
    place = np.sum(below + odds / np.ptp(odds, axis=1, keepdims=True), axis=0)
    steps = np.diff(place)

    def kept(parts: float) -> IndexArray:
        width = np.ptp(place) / parts
        cell = np.floor((place - place[0]) / width)
        found = keep.copy()
        found[:-1] |= cell[:-1] != cell[1:]
        found[1:] |= steps > width
        return np.flatnonzero(found)

    # The more even parts, the more scores are kept.
    low, high = 1.0, float(_MOST_PARTS * most)
    found = kept(low)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        tried = kept(middle)
        if len(tried) <= most:
            low, found = middle, tried
        else:
            high = middle
    return found


def _off(scores: FloatArray, below: FloatArray, kept: IndexArray) -> float:
    """How far shares are, at most, from straight lines over the scores between those kept.

    Infinite scores are kept, and so are their neighbours.
    """
    cell = np.searchsorted(kept, np.arange(len(scores)))
    left_out = np.flatnonzero(np.diff(kept, prepend=-1)[cell] > 1)
    cell = cell[left_out]
    start, end = scores[kept][cell - 1], scores[kept][cell]
    along = (scores[left_out] - start) / (end - start)
    farthest = 0.0
    for share in below:
        first, last = share[kept][cell - 1], share[kept][cell]
        line = first + (last - first) * along
        # Shares stay as they are until the next score.
        for other in (share[left_out], share[left_out - 1]):
            farthest = max(farthest, float(np.max(np.abs(line - other), initial=0.0)))
    return farthest
