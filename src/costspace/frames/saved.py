"""What a valid saved table says: its models, their columns, and consistent numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import ScoreArray
from costspace.errors import SourceError, brief
from costspace.frames.table_file import check_types
from costspace.scores.binning import Binning
from costspace.scores.cell_sums import CLASSES, CellSums
from costspace.scores.counts import ScoreCounts
from costspace.scores.validation import WEIGHTS

_WEIGHTS_OF = ("weight", "squares")
_SCORES_OF = ("score_sum", "score_squares", "low", "high")
_FLOATS = ("float32", "float64")
# Engines round sums differently, but by no more than this share.
_ROUNDING = 1e-6
# Larger terms may have overflowed, and smaller ones underflowed, before they were added up.
_LARGE, _TINY = 1e300, 1e-290


def described_models(about: Any) -> list[dict[str, Any]]:
    """The descriptions of models, each with a unique name, or `SourceError`."""
    models = about.get("models")
    if not isinstance(models, list) or not models:
        raise SourceError("it lists no models")
    for one in models:
        if not isinstance(one, dict) or not isinstance(one.get("name"), str):
            raise SourceError(f"a model has no name, {brief(one)}")
    names = [one["name"] for one in models]
    doubled = [name for i, name in enumerate(names) if name in names[:i]]
    if doubled:
        raise SourceError(f"it lists the model {brief(doubled[0])} twice")
    return models


def check_kind(one: Mapping[str, Any]) -> None:
    """`SourceError` unless a model is completely described as counted by score or by bin."""
    name, kind = brief(one["name"]), one.get("kind")
    if kind == "counts":
        if one.get("scores") not in _FLOATS:
            raise SourceError(f"the scores of {name} are {brief(one.get('scores'))}, not floats")
    elif kind == "bins":
        Binning.from_dict(one.get("binning"))  # type: ignore[arg-type]
    else:
        raise SourceError(f"{name} is of kind {brief(kind)}, not counts, bins or folds")
    if one.get("columns") not in (_columns_of(kind, ()), _columns_of(kind, _WEIGHTS_OF)):
        raise SourceError(f"the columns of {name} are not those of {kind}")


def _columns_of(kind: str, weights: Sequence[str]) -> list[str]:
    """The names of the columns of a model, as `columns` has them."""
    more = [*weights, *(_SCORES_OF if kind == "bins" else ())]
    sides = [[side, *(f"{side}_{name}" for name in more)] for side in CLASSES]
    return ["score" if kind == "counts" else "key", *sides[0], *sides[1]]


def check_layout(models: Sequence[Mapping[str, Any]], types: Mapping[str, str]) -> None:
    """`SourceError` unless a file has the columns of its models, in their types."""
    names = ["model", *(name for one in models for name in one["columns"])]
    check_types(types, {name: _types_of(name) for name in names})


def _types_of(name: str) -> tuple[str, ...]:
    if name == "model":
        return ("VARCHAR",)
    if name in CLASSES:
        return ("BIGINT",)
    return ("FLOAT", "DOUBLE") if name == "score" else ("DOUBLE",)


def check_rows(models: Mapping[str, ScoreCounts], rows: int) -> None:
    """`SourceError` unless these are all rows of a file, and each could be a sum of rows."""
    if sum(map(len, models.values())) != rows:
        raise SourceError("some of its rows belong to no model")
    for name, one in models.items():
        for side in (one.negatives, one.positives):
            fits = _weights_fit(side)
            if one.binning is not None:
                fits = fits and _scores_fit(side, one.binning, one.cells)
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


def _scores_fit(bins: CellSums, binning: Binning, keys: ScoreArray) -> bool:
    """Whether the scores of bins can be those of rows in them, by their ends and their sums."""
    chosen = bins.filled
    if any(np.any(moment[~chosen]) for moment in bins.moments):
        return False
    columns = (*bins.moments, *bins.ends, bins.mass)
    total, squares, low, high, weight = (column[chosen] for column in columns)
    # Engines round logarithms differently.
    apart = int(any(piece.scale != "linear" for piece in binning.pieces))
    if any(np.any(np.abs(binning.keys(end) - keys[chosen]) > apart) for end in (low, high)):
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
