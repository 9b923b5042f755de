"""The thresholds that could be best in the population instead of the sample's best."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.bands.band_limits import thinned
from costspace.bands.row_losses import FlaggedRows, RowLosses, row_losses
from costspace.bands.row_shares import RowShares

# The most that are checked: neighbours are nearly equally good.
_MOST = 256


@final
@dataclass(frozen=True, eq=False)
class CompetingThresholds(FrozenValue):
    """Thresholds, and which rows they flag."""

    flagging: IndexArray  # shape (n,): how many of them, the lowest ones, flag each row
    count: int  # how many there are

    @classmethod
    def among(cls, thresholds: FloatArray, scores: FloatArray) -> "CompetingThresholds":
        """All of some ascending thresholds, or `_MOST` of them, evenly spaced."""
        looked_at = thinned(thresholds, _MOST)
        return cls(np.searchsorted(looked_at, scores, side="left"), len(looked_at))

    def losses(self, shares: RowShares, beside: Sequence[FlaggedRows]) -> Iterator[RowLosses]:
        """The errors of each one's loss plus other losses of the same rows."""
        alike = _numbered(shares.positive, *_fates(beside))
        shares, rows = _merged(shares, _numbered(alike, self.flagging))
        flagging, alike = self.flagging[rows], alike[rows]
        beside = [one.take(rows) for one in beside]
        for place in range(self.count):
            flagged = flagging > place
            fewer, rows = _merged(shares, _numbered(alike, flagged))
            others = [one.take(rows) for one in beside]
            yield row_losses(fewer, [FlaggedRows(flagged[rows].astype(float)), *others])


def _fates(flagged: Sequence[FlaggedRows]) -> Iterator[FloatArray]:
    for one in flagged:
        yield one.share
        if one.until is not None:
            yield one.until


def _numbered(*columns: NDArray[Any]) -> IndexArray:
    """The number of each row's combination of values, without gaps."""
    number = np.zeros(len(columns[0]), dtype=np.intp)
    for column in columns:
        distinct, own = np.unique(column, return_inverse=True)
        number = np.unique(number * len(distinct) + own, return_inverse=True)[1]
    return number


def _merged(shares: RowShares, kind: IndexArray) -> tuple[RowShares, IndexArray]:
    """The weights by kind of row, and a row of each kind; clustered rows are not merged."""
    if shares.clustered:
        return shares, np.arange(len(shares))
    return shares.merged(kind), np.unique(kind, return_index=True)[1]
