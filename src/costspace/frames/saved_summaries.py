"""Scores counted or binned, as a saved table has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.errors import SourceError, brief
from costspace.frames.saved import check_kind, check_layout, check_rows
from costspace.frames.table_file import Numbers, TableFile
from costspace.scores.binning import Binning
from costspace.scores.counts import ScoreCounts
from costspace.scores.table import check_table


def summaries_of(models: Any) -> dict[str, ScoreCounts]:
    """Models as they are saved, or `SourceError`."""
    if not isinstance(models, Mapping) or not models:
        raise SourceError(
            f'save needs models by name, as in {{"model": counts}}, got {brief(models)}.'
        )
    kept: dict[str, ScoreCounts] = {}
    for name, one in models.items():
        check_model_name(name)
        if isinstance(one, ScoreCounts):
            kept[name] = one
        else:
            needs = "a ScoreTable or ScoreCounts"
            kept[name] = ScoreCounts.from_table(check_table(f"saving {name!r}", one, needs=needs))
    return kept


def check_model_name(name: Any) -> None:
    """`SourceError` unless a name is text that a file can store."""
    if not isinstance(name, str) or not _is_unicode(name):
        raise SourceError(f"the name of a model must be text, got {brief(name)}.")


def summary_parts(
    models: Mapping[str, ScoreCounts],
) -> tuple[dict[str, Any], list[tuple[str, Numbers]]]:
    """The descriptions of models, and the columns of each."""
    parts: list[tuple[str, Numbers]] = [(name, _columns(one)) for name, one in models.items()]
    described = [
        {"name": name, **_described(models[name]), "columns": list(own)} for name, own in parts
    ]
    return {"models": described}, parts


def read_summaries(file: TableFile, models: Sequence[Mapping[str, Any]]) -> dict[str, ScoreCounts]:
    """The models that a file describes, or `SourceError` if its rows are of others."""
    for one in models:
        check_kind(one)
    check_layout(models, file.types())
    found = {one["name"]: _read(file, one) for one in models}
    check_rows(found, sum(file.sizes().values()))
    return found


def _is_unicode(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _columns(summary: ScoreCounts) -> dict[str, NDArray[Any]]:
    return {name: np.asarray(column) for name, column in summary.columns().items()}


def _described(summary: ScoreCounts) -> dict[str, Any]:
    """What the columns leave out."""
    if summary.binning is None:
        return {"kind": "counts", "scores": str(summary.cells.dtype)}
    return {"kind": "bins", "binning": summary.binning.to_dict()}


def _read(file: TableFile, described: Mapping[str, Any]) -> ScoreCounts:
    first, *_ = names = described["columns"]
    columns = file.columns(described["name"], names)
    binning = None
    if described["kind"] == "bins":
        binning = Binning.from_dict(described["binning"])
    else:
        columns[first] = columns[first].astype(described["scores"], copy=False)
    found = ScoreCounts.from_columns(columns, binning=binning)
    if not np.array_equal(found.cells, columns[first]):
        raise SourceError(f"column {first!r} is not distinct and ascending")
    return found
