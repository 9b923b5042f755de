"""Files of predictions to read."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def write_csv(path: Path, columns: Mapping[str, Iterable[Any]]) -> Path:
    """A CSV file of columns."""
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def parquet(folder: Path, **columns: Any) -> Path:
    """A Parquet file of columns."""
    path = folder / "predictions.parquet"
    pq.write_table(pa.table(columns), path)
    return path


def days(folder: Path, kind: str = "parquet", **changed: dict[str, Any]) -> Path:
    """Three days of rows, in folders that name them; of a day some columns may be others."""
    rng = np.random.default_rng(2)
    for day in ("01", "02", "10"):
        y, s = rng.integers(0, 2, 50), rng.random(50).round(2)
        columns = {"y": y, "s": s, "site": np.where(s < 0.5, "a", "b")} | changed.get(day, {})
        at = folder / f"day={day}"
        at.mkdir(parents=True)
        if kind == "parquet":
            pq.write_table(pa.table(columns), at / "part [0]'.parquet")
        else:
            write_csv(at / "part.csv", columns)
    return folder
