"""The cells of counts: what they must be, and how they are put in order."""

import numpy as np

from costspace.arrays import FloatArray, IndexArray, ScoreArray
from costspace.errors import ConditionError, SourceError, brief
from costspace.samples.sorting import sort_with_order
from costspace.summaries.binning import Binning
from costspace.summaries.cell_sums import CellSums


def check_binning(binning: object) -> None:
    """`ConditionError` unless there is no binning, or a real one."""
    if not isinstance(binning, Binning | None):
        raise ConditionError(
            f"binning must be one such as Binning.uniform(), got {brief(binning)}."
        )


def lowest_of(cells: ScoreArray, lowest: FloatArray) -> FloatArray:
    """The lowest scores of runs, `SourceError` unless the runs ascend."""
    found = np.asarray(lowest, dtype=float)
    if found.shape != cells.shape or not np.all(found <= cells):
        raise SourceError("a run of scores must have a lowest that is not above its highest.")
    if not np.all(cells[:-1] < found[1:]):
        raise SourceError("runs of scores must ascend.")
    return found


def check_keys(keys: ScoreArray, binning: Binning) -> None:
    """`SourceError` unless ascending keys are those of bins."""
    check_binning(binning)
    if not np.all((keys >= 0) & (keys < np.inf) & (keys == np.floor(keys))):
        raise SourceError("keys of bins must be distinct, ascending whole numbers.")
    if np.any(keys[-1:] >= binning.bins):
        raise SourceError(
            f"keys of bins go up to {keys[-1]:.0f}, and the binning has {binning.bins} "
            "bins: give the binning that made the keys."
        )


def pack(cells: ScoreArray, sums: CellSums) -> bool:
    """Whether both counts fit into an integer that is sorted with the score, without an index."""
    few = sums.rows.ndim == 2 and not sums.weighted and sums.rows.max() < 2**16
    return bool(few and cells.dtype == np.float32)


def in_order(cells: ScoreArray, *, binned: bool) -> tuple[ScoreArray, IndexArray]:
    """Cells ascending, and their order."""
    if not binned:
        return sort_with_order(cells)
    # Keys come in few ascending runs, which the stable sort merges in linear time.
    order = np.argsort(cells, kind="stable")
    return np.take(cells, order), order
