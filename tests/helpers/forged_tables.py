"""Saved tables with other content, sealed anew: forgeries by somebody who knows the format."""

import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import costspace as cs
from costspace.frames import save

Y = [0, 0, 1, 0, 1, 1]
S = [0.1, 0.1, 0.4, 0.9, 0.7, 0.2]
WEIGHTS = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


def saved(path: Path, *, weighted: bool = False) -> Path:
    """A table of the models "a", counted, and "b", in four bins."""
    weight = WEIGHTS if weighted else None
    binning = cs.Binning.uniform(bins=4)
    counted = cs.ScoreCounts.from_predictions(Y, S, sample_weight=weight)
    binned = cs.ScoreCounts.from_predictions(Y, S, sample_weight=weight, binning=binning)
    save(path, {"a": counted, "b": binned})
    return path


def forge(
    path: Path,
    about: Callable[[Any], Any] = lambda about: about,
    columns: Callable[[pa.Table], pa.Table] = lambda table: table,
) -> Path:
    """Change the description or the columns of a saved table, and seal it anew."""
    table = columns(pq.read_table(path))
    described = about(json.loads(pq.read_metadata(path).metadata[b"costspace"]))
    text = described if isinstance(described, bytes) else json.dumps(described)
    buffer = io.BytesIO()
    pq.write_table(table.replace_schema_metadata({"costspace": text}), buffer)
    content = buffer.getvalue()
    footer = int.from_bytes(content[-8:-4], "little") + 8
    body, footer = content[:-footer], content[-footer:]
    digest = hashlib.sha256(body + footer).digest()
    path.write_bytes(body + b"costspace sealed" + digest + footer)
    return path


def described(model: int, **fields: Any) -> Callable[[Any], Any]:
    """The description with other fields of a model; without those that are None."""

    def change(about: Any) -> Any:
        one = about["models"][model] | fields
        about["models"][model] = {name: value for name, value in one.items() if value is not None}
        return about

    return change


def cells(
    column: str, value: Any, *rows: int, kind: pa.DataType | None = None
) -> Callable[[pa.Table], pa.Table]:
    """The columns with another value in some rows of one, which may be of another type."""

    def change(table: pa.Table) -> pa.Table:
        old = table.column(column)
        new = old.to_pylist()
        for row in rows:
            new[row] = value
        if kind == pa.string():
            new = [None if cell is None else str(cell) for cell in new]
        place = table.schema.get_field_index(column)
        return table.set_column(place, column, pa.array(new, kind or old.type))

    return change
