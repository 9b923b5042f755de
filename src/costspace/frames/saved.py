"""What a valid saved table says: its models, their columns, and consistent numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.errors import SourceError, brief
from costspace.frames.table_file import check_types
from costspace.samples.validation import WEIGHTS
from costspace.summaries.binning import Binning
from costspace.summaries.cell_sums import OF_SCORES, OF_WEIGHTED, CellSums
from costspace.summaries.counts import ScoreCounts, strata_names

# The cells of a model are scores of a type, runs of scores, or the bins of a binning.
RUNS = "runs"
_FLOATS = ("float32", "float64")
# More folds take time and add no precision.
MOST_FOLDS = 100
# Engines round sums differently, but by no more than this share.
_ROUNDING = 1e-6
# Larger terms may have overflowed, and smaller ones underflowed, before they were added up.
_LARGE, _TINY = 1e300, 1e-290


def described_models(about: Any) -> tuple[int, list[dict[str, Any]]]:
    """How many folds there are, 0 if none, and the complete description of each model."""
    folds, models = about.get("folds"), about.get("models")
    if type(folds) is not int or not (folds == 0 or 2 <= folds <= MOST_FOLDS):
        raise SourceError(f"it has {brief(folds)} folds, not 0 or 2 to {MOST_FOLDS}")
    if not isinstance(models, list) or not models:
        raise SourceError("it lists no models")
    for one in models:
        if not isinstance(one, dict) or not isinstance(one.get("name"), str):
            raise SourceError(f"a model has no name, {brief(one)}")
        _check_columns(one, folds)
    names = [one["name"] for one in models]
    doubled = [name for i, name in enumerate(names) if name in names[:i]]
    if doubled:
        raise SourceError(f"it lists the model {brief(doubled[0])} twice")
    return folds, models


def first_columns(cells: Any) -> list[str]:
    """The names of the columns that say what a cell is."""
    if cells == RUNS:
        return ["lowest", "highest"]
    return ["key"] if isinstance(cells, dict) else ["score"]


def _check_columns(one: Mapping[str, Any], folds: int) -> None:
    """`SourceError` unless the columns of a model are those of its cells."""
    name, cells = brief(one["name"]), one.get("cells")
    if isinstance(cells, dict):
        Binning.from_dict(cells)
    elif cells not in (*_FLOATS, RUNS):
        raise SourceError(f"the cells of {name} are {brief(cells)}, not scores, runs or bins")
    scores = OF_SCORES if isinstance(cells, dict) else ()
    for weights in ((), OF_WEIGHTED):
        own = [f"_{column}" for column in (*weights, *scores)]
        sides = [side + end for side in strata_names(folds) for end in ("", *own)]
        if one.get("columns") == [*first_columns(cells), *sides]:
            return
    raise SourceError(f"the columns of {name} are not those of its cells and {folds} folds")


def check_layout(
    models: Sequence[Mapping[str, Any]],
    folds: int,
    types: Mapping[str, str],
    more: Mapping[str, Sequence[str]],
) -> None:
    """`SourceError` unless a file has the columns of its models, and more, in their types."""
    rows = strata_names(folds)
    known = {"score": ("FLOAT", "DOUBLE"), **dict.fromkeys(rows, ("BIGINT",))}
    names = [name for one in models for name in one["columns"]]
    wanted = {name: known.get(name, ("DOUBLE",)) for name in names}
    check_types(types, {"model": ("VARCHAR",), **wanted, **more})


def check_numbers(name: str, counts: ScoreCounts) -> None:
    """`SourceError` unless each number could be a sum of rows."""
    fits = _weights_fit(counts.sums)
    if counts.binning is not None:
        fits = fits and _scores_fit(counts.sums, counts.binning, counts.cells)
    if not fits:
        raise SourceError(f"the numbers of {brief(name)} contradict each other")


def _weights_fit(counts: CellSums) -> bool:
    """Whether weights and their squares can be those of so many rows."""
    if counts.weight is None or counts.squares is None:
        return True
    weight, squares = counts.weight, counts.squares
    with np.errstate(over="ignore", under="ignore"):
        square = weight**2
        return (
            _at_most(weight, counts.rows * WEIGHTS[1])
            and _at_most(squares, square)
            and _at_most(square, counts.rows * squares)
        )


def _scores_fit(bins: CellSums, binning: Binning, keys: NDArray[Any]) -> bool:
    """Whether the scores of bins can be those of rows in them, by their ends and their sums."""
    chosen = bins.filled
    if any(np.any(moment[~chosen]) for moment in bins.moments):
        return False
    columns = (*bins.moments, *bins.ends, bins.mass)
    total, squares, low, high, weight = (column[chosen] for column in columns)
    keys = np.broadcast_to(keys, chosen.shape)[chosen]
    # Engines round logarithms differently.
    apart = int(any(piece.scale != "linear" for piece in binning.pieces))
    if any(np.any(np.abs(binning.keys(end) - keys) > apart) for end in (low, high)):
        return False
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        largest = np.maximum(np.abs(low), np.abs(high))
        known = largest**2 * weight < _LARGE
        low, high, total, squares, weight, largest = (
            column[known] for column in (low, high, total, squares, weight, largest)
        )
        slack = _ROUNDING * largest * weight
        return (
            _at_most(low * weight, total + slack)
            and _at_most(total, high * weight + slack)
            and _at_most(squares, largest**2 * weight)
            and _at_most(total**2, squares * weight)
        )


def _at_most(smaller: NDArray[Any], larger: NDArray[Any]) -> bool:
    """Whether one is at most the other everywhere, up to rounding; never for NaN."""
    return bool(np.all(smaller <= larger + _ROUNDING * np.abs(larger) + _TINY))
