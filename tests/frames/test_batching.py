"""Every engine counts the same rows in the same folds, in whatever parts it has them."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from prediction_files import write_csv
from summaries import same

import costspace as cs
from costspace.errors import CostspaceError, FileError, LabelError, ScoreError, SourceError
from costspace.frames import folded, relation
from costspace.frames.columns import Columns
from costspace.frames.folded import open_folded
from costspace.single import doubles
from costspace.summaries.folded_rows import FoldedRows
from costspace.summaries.joint import JointRows, fold_by_number, fold_of

ROWS, FOLDS = 3000, 3
COLUMNS = Columns(label="y", scores=["a b", "c"])
CUTS = {"a b": np.array([0.2, 0.5]), "c": np.array([-np.inf, 0.11, 0.25, 0.9])}
ENGINES = ["duckdb", "polars", "dask", "spark"]


def predictions() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    y = (rng.random(ROWS) < 0.2).astype(int)
    a, c = (1 / (1 + np.exp(-rng.normal(2 * y - 1, 1.3))) for _ in "ac")
    c = np.round(c, 2)
    c[c < 0.02] = -0.0
    c[:2] = -np.inf, np.inf
    return {"y": y, "a b": a.astype(np.float32), "c": c, "id": np.arange(ROWS)}


def written(folder: Path, columns: dict[str, Any], kind: str = "folder") -> Path:
    """The rows in one file, or in three, of several row groups each."""
    if kind == "csv":
        plain = {name: doubles(np.asarray(column)).tolist() for name, column in columns.items()}
        return write_csv(folder / "p.csv", plain)
    table = pa.table(columns)
    if kind == "file":
        pq.write_table(table, folder / "p.parquet", row_group_size=500)
        return folder / "p.parquet"
    for i in range(3):
        part = table.slice(i * 1100, 1100)
        pq.write_table(part, folder / f"{i}.parquet", row_group_size=400)
    return folder


@pytest.fixture
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    monkeypatch.setattr(relation, "_BATCH", 2048)
    monkeypatch.setattr(folded, "_MANY_KINDS", 64)
    pytest.importorskip({"dask": "dask.dataframe", "spark": "pyspark"}.get(name, name))
    if name == "spark":
        request.getfixturevalue("spark")
    return name


@pytest.mark.parametrize(
    ("engine", "number", "kind"),
    [
        *((name, "id", "folder") for name in ENGINES),
        *((name, None, "folder") for name in ENGINES[:-1]),
        *(("duckdb", None, kind) for kind in ("csv", "file")),
    ],
    indirect=["engine"],
)
def test_counts_are_those_of_the_rows_in_memory(
    tmp_path: Path, engine: str, number: str | None, kind: str
) -> None:
    columns = predictions()
    scores = {name: columns[name] for name in COLUMNS.scores}
    rows = cs.ScoredRows.from_predictions(columns["y"], scores)
    memory = FoldedRows(rows, fold_by_number(ROWS, FOLDS), FOLDS)
    order = np.random.default_rng(1).permutation(ROWS) if number else np.arange(ROWS)
    path = written(tmp_path, {name: column[order] for name, column in columns.items()}, kind)
    told: list[float] = []
    by_engine = {"engine": engine, "number": number, "counting": told.append}
    with open_folded(path, COLUMNS, folds=FOLDS, **by_engine) as parts:
        assert told == sorted(told)
        assert (told[0], told[-1]) == (0, 2)
        assert tuple(parts.models) == ("a b", "c")
        assert parts.rows.class_weights == rows.class_weights
        for name in COLUMNS.scores:
            one, other = parts.counted(name), memory.counted(name)
            same(one, other)
            assert not np.signbit(one.low_ends[one.low_ends == 0]).any()
        found, expected = parts.kinds(CUTS), memory.kinds(CUTS)
    assert expected is not None
    assert found.counts.sum() == ROWS
    assert len(found.counts) == len(expected.counts) < 3 * 2 * 3 * 5
    one, other = (JointRows.joined([kinds]).merged() for kinds in (found, expected))
    for what in ("fold", "positive", "counts"):
        np.testing.assert_array_equal(getattr(one, what), getattr(other, what))
    for name in COLUMNS.scores:
        np.testing.assert_array_equal(one.by_model[name], other.by_model[name])


@pytest.mark.parametrize("engine", ENGINES, indirect=True)
@pytest.mark.parametrize(
    ("name", "value", "error", "told"),
    [
        ("c", np.nan, ScoreError, "2.parquet, row 301: column 'c' has 'nan'"),
        ("a b", None, FileError, "2.parquet, row 301: column 'a b' is empty"),
        ("y", 2, LabelError, "2.parquet, row 301: column 'y' has '2'"),
        ("id", None, FileError, "2.parquet, row 301: column 'id' is empty, and must have a unique"),
        ("id", 0.5, SourceError, "column 'id' has type DOUBLE"),
        ("y", [0] * ROWS, LabelError, "only one class"),
        ("y", [1, *[0] * (ROWS - 1)], LabelError, "has no positive row"),
    ],
)
def test_what_cannot_be_counted_is_refused(
    tmp_path: Path, engine: str, name: str, value: Any, error: type[CostspaceError], told: str
) -> None:
    columns = {key: column.tolist() for key, column in predictions().items()}
    if isinstance(value, list):
        columns[name] = value
    else:
        columns[name][2500] = value
    if value == 0.5:
        columns[name] = [float(cell) for cell in columns[name]]
    path = written(tmp_path, columns)
    with (
        pytest.raises(error, match=told),
        open_folded(path, COLUMNS, folds=FOLDS, engine=engine, number="id"),
    ):
        pass


def test_rows_of_spark_need_numbers(tmp_path: Path) -> None:
    path = written(tmp_path, predictions())
    with (
        pytest.raises(SourceError, match=r"have no order: name a column .* --id"),
        open_folded(path, COLUMNS, folds=FOLDS, engine="spark"),
    ):
        pass


def test_negative_numbers_have_folds_too() -> None:
    numbers = np.array([-(2**63), -5, -1, 0, 2**63 - 1])
    assert set(fold_of(numbers, 2)) <= {0, 1}
    assert fold_of(np.array([7 - (2**31 - 1)]), 5) == fold_of(np.array([7]), 5)
