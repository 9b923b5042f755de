"""The scores of a model as a page stores them: all distinct ones, or those that tell most."""

from base64 import b64encode
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import EXACT, BoolArray, FloatArray, IndexArray, read_only
from costspace.scores.table import ScoreTable

# Shares of weights are stored in units of this, which is finer than they are known.
_UNITS = 2.0**48
# Half of the cuts are spread over each class evenly; the others by the log-odds of the share, whose
# tails matter where conditions are far from even. Shares below this are all alike.
_SMALLEST_SHARE = 1e-6
_TIGHTER = 1.02
_BITS = 7


@final
@dataclass(frozen=True, eq=False)
class Cuts:
    """Distinct scores of a table, ascending, and the share of each class at or below them.

    Attributes
    ----------
    scores : array of shape (m,)
    below : array of shape (2, m)
        Share of the negatives and of the positives, which ends with 1.
    distinct : int
        How many distinct scores the table has.
    ramps : boolean array of shape (m,), or None
        Where scores are left out between a cut and the one before: shares there are taken to rise
        in a straight line over the score. None if all scores are kept.
    totals : (float, float) or None
        Weights of the classes, if they are whole numbers that can be counted.
    tolerance : float
        By how much a rate between two cuts can be off.
    """

    scores: FloatArray
    below: FloatArray
    distinct: int
    ramps: BoolArray | None
    totals: tuple[float, float] | None
    tolerance: float

    def __post_init__(self) -> None:
        for name in ("scores", "below"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @classmethod
    def of_table(cls, table: ScoreTable, most: int) -> "Cuts":
        """The cuts of a table: all of them, if they are at most `most`."""
        scores, weights = table.score_breaks, np.stack(table.ranking.at_distinct)
        below = weights / weights[:, -1:]
        counts = bool(np.all(weights == np.floor(weights))) and weights[:, -1].sum() < EXACT
        totals = (float(weights[0, -1]), float(weights[1, -1])) if counts else None
        if len(scores) <= most:
            return cls(scores, below, len(scores), None, totals, 0.0)
        kept = _kept(table, below, most)
        ramps = np.diff(kept, prepend=-1) > 1
        ramps[0] = False
        off = [_farthest(_rates(below, p), below, kept) for p in (0.5, table.prevalence)]
        if np.isfinite(scores[[0, -1]]).all():
            off.append(_farthest(scores, below, kept, steps=True))
        return cls(scores[kept], below[:, kept], len(scores), ramps, totals, max(off))

    def columns(self) -> dict[str, FloatArray]:
        """One row a cut."""
        return {"score": self.scores, "negatives": self.below[0], "positives": self.below[1]}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: arrays in base64, running totals as their differences."""
        short = self.scores.astype(np.float32)
        narrow = bool(np.all(short.astype(float) == self.scores))
        units = (_UNITS, _UNITS) if self.totals is None else self.totals
        found: dict[str, Any] = {
            "cuts": len(self.scores),
            "distinct": self.distinct,
            "complete": self.ramps is None,
            "tolerance": self.tolerance,
            "scores": floats64(short if narrow else self.scores),
            "score_bytes": 4 if narrow else 8,
        }
        for name, share, unit in zip(("negatives", "positives"), self.below, units, strict=True):
            found[name] = _deltas64(np.rint(share * unit))
            found[f"{name}_total"] = unit
        if self.ramps is not None:
            found["ramps"] = _base64(np.packbits(self.ramps, bitorder="little"))
        return found


def floats64(values: NDArray[Any]) -> str:
    """Floats of 4 or 8 bytes, little-endian, in base64."""
    return _base64(values.astype(values.dtype.newbyteorder("<")))


def _base64(values: NDArray[Any]) -> str:
    return b64encode(values.tobytes()).decode("ascii")


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
    return _base64(out)


def _kept(table: ScoreTable, below: FloatArray, most: int) -> IndexArray:
    """Which distinct scores to keep: those around large steps, and the corners of the hull."""
    scores, last = table.score_breaks, below.shape[1] - 1
    keep = np.zeros(last + 1, dtype=bool)
    keep[[0, 1, last - 1, last]] = True
    corners = np.searchsorted(scores, table.hull_thresholds, side="right") - 1
    keep[corners[corners >= 0]] = True
    odds = np.log((below + _SMALLEST_SHARE) / (1 - below + _SMALLEST_SHARE))
    place = np.sum(below + odds / np.ptp(odds, axis=1, keepdims=True), axis=0)
    steps = np.diff(place)
    parts = float(most)
    while True:
        width = np.ptp(place) / parts
        cell = np.floor((place - place[0]) / width)
        found = keep.copy()
        found[:-1] |= cell[:-1] != cell[1:]
        found[1:] |= steps > width
        if np.count_nonzero(found) <= most or parts < 1:
            return np.flatnonzero(found)
        parts /= _TIGHTER


def _rates(below: FloatArray, prevalence: float) -> FloatArray:
    """Share of examples predicted negative at each score."""
    return np.asarray((1 - prevalence) * below[0] + prevalence * below[1])


def _farthest(
    x: FloatArray, below: FloatArray, kept: IndexArray, *, steps: bool = False
) -> float:
    """How far shares are from straight lines over `x` between the scores kept.

    Between two scores they are themselves in a straight line, or stay until the next with `steps`.
    """
    left_out = np.ones(len(x), dtype=bool)
    left_out[kept[np.diff(kept, prepend=-1) == 1]] = False
    farthest = 0.0
    for share in below:
        line = np.interp(x, x[kept], share[kept])
        off = np.abs(line - share)
        if steps:
            np.maximum(off[1:], np.abs(line[1:] - share[:-1]), out=off[1:])
        farthest = max(farthest, float(np.max(off[left_out], initial=0.0)))
    return farthest
