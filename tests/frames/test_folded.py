"""Files read in parts: what is decided on them is what is decided on the rows in memory."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import leaves, refused, run
from summaries import same

import costspace as cs
from costspace.cli import predictions as read_for
from costspace.errors import CostspaceError, FileError, LabelError, ScoreError
from costspace.frames import folded, relation
from costspace.frames.columns import Columns
from costspace.frames.folded import open_folded
from costspace.scores.folded_rows import FoldedRows
from costspace.scores.joint import JointRows, fold_by_number
from costspace.scores.runs import forgone
from costspace.single import doubles

N = 3000
COLUMNS = Columns(label="y", scores=["a", "b"])
MANY = 120_000


@pytest.fixture(autouse=True)
def _in_many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relation, "_BATCH", 2048)
    monkeypatch.setattr(folded, "_MANY_KINDS", 64)


def predictions(n: int = N) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    y = (rng.random(n) < 0.2).astype(int)
    a, b = (1 / (1 + np.exp(-rng.normal(2 * y - 1, 1.3))) for _ in "ab")
    b = np.round(b, 2)
    b[:3] = -np.inf, np.inf, -0.0
    return {"y": y, "a": a.astype(np.float32), "b": b}


def written(folder: Path, kind: str, columns: dict[str, np.ndarray]) -> Path:
    """The columns in one file, or in two of a folder."""
    if kind == "csv":
        lines = [
            ",".join(columns),
            *(
                ",".join(map(repr, row))
                for row in zip(*(doubles(one).tolist() for one in columns.values()), strict=True)
            ),
        ]
        (folder / "p.csv").write_text("\n".join(lines))
        return folder / "p.csv"
    table = pa.table(columns)
    if kind == "parquet":
        pq.write_table(table, folder / "p.parquet", row_group_size=500)
        return folder / "p.parquet"
    for i, start in enumerate((0, 1000)):
        pq.write_table(table.slice(start, 1000 if start == 0 else None), folder / f"{i}.parquet")
    return folder


@pytest.mark.parametrize("kind", ["csv", "parquet", "folder"])
def test_counts_are_those_of_the_rows_in_memory(tmp_path: Path, kind: str) -> None:
    columns = predictions()
    path = written(tmp_path, kind, columns)
    rows = cs.ScoredRows.from_predictions(columns["y"], {name: columns[name] for name in "ab"})
    memory = FoldedRows(rows, fold_by_number(N, 3), 3)
    cuts = {"a": np.array([0.2, 0.5]), "b": np.array([-np.inf, 0.11, 0.25, 0.9])}
    told: list[float] = []
    with open_folded(path, COLUMNS, folds=3, counting=told.append) as parts:
        assert told == sorted(told)
        assert told[0] == 0
        assert told[-1] == 2
        assert tuple(parts.models) == ("a", "b")
        assert parts.rows.class_weights == rows.class_weights
        for name in "ab":
            one, other = parts.counted(name), memory.counted(name)
            same(one, other)
        found = parts.kinds(cuts)
        expected = memory.kinds(cuts)
    assert expected is not None
    assert len(found.counts) == len(expected.counts) < 3 * 2 * 3 * 5
    assert found.counts.sum() == N
    sorted_by = [JointRows.joined([one]).merged() for one in (found, expected)]
    for name in ("fold", "positive", "counts"):
        np.testing.assert_array_equal(*(getattr(one, name) for one in sorted_by))
    for name in "ab":
        np.testing.assert_array_equal(*(one.by_model[name] for one in sorted_by))


def test_cells_of_a_part_hold_all_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folded, "_LOOKED_AT", 500)
    monkeypatch.setattr(folded, "CELLS", 40)
    columns = predictions()
    columns["a"][-1] = 7.0
    path = written(tmp_path, "parquet", columns)
    rows = cs.ScoreTable.from_predictions(columns["y"], columns["a"])
    with open_folded(path, COLUMNS, folds=5) as parts:
        counts = parts.counted("a")
    assert len(counts) < 90
    assert sum(counts.sizes) == N
    assert counts.cells[-1] == 7
    table = counts.ranked
    one, other = table.by_score.at(table.cut_points), rows.by_score.at(table.cut_points)
    np.testing.assert_allclose(one.fpr, other.fpr)
    np.testing.assert_allclose(one.fnr, other.fnr)
    # So small a part says where about as many rows of both classes are.
    assert forgone(counts, 1.0, 1.0, alone=False) < 0.1


def spoilt(name: str, row: int, value: Any) -> dict[str, np.ndarray]:
    columns = predictions()
    columns[name] = columns[name].astype(object) if value is None else columns[name].astype(float)
    columns[name][row] = value
    return columns


@pytest.mark.parametrize(
    ("columns", "error", "told"),
    [
        (spoilt("b", 2500, np.nan), ScoreError, "row 2501: column 'b' has 'nan'"),
        (spoilt("a", 7, None), FileError, "row 8: column 'a' is empty"),
        (spoilt("y", 9, 2), LabelError, "row 10: column 'y' has '2'"),
        (predictions() | {"y": np.zeros(N)}, LabelError, "only one class"),
        (predictions() | {"y": np.arange(N) == 0}, LabelError, "has no positive row"),
    ],
)
def test_what_are_no_predictions_is_refused(
    tmp_path: Path, columns: dict[str, np.ndarray], error: type[CostspaceError], told: str
) -> None:
    plain = {name: pa.array(values.tolist()) for name, values in columns.items()}
    pq.write_table(pa.table(plain), tmp_path / "p.parquet")
    with (
        pytest.raises(error, match=told),
        open_folded(tmp_path / "p.parquet", COLUMNS, folds=5) as parts,
    ):
        parts.counted("b")


ASKED = {
    "known": ["--fp-cost", "1", "--fn-cost", "10"],
    "ranges": ["--fp-cost", "1", "--fn-cost", "5:50", "--prevalence", "0.05:0.2"],
    "limit": ["--fp-cost", "1", "--fn-cost", "5:50", "--capacity", "0.2", "--details"],
    "in use": ["--fp-cost", "1", "--fn-cost", "10", "--baseline", "a:0.3"],
    "decisions": ["--fp-cost", "1", "--fn-cost", "10", "--baseline", "decided"],
    "compared": ["--fp-cost", "1", "--fn-cost", "5:50", "--capacity", "0.2"],
}
COMMANDS = {"compared": ["compare"]}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    columns = predictions(MANY)
    columns["decided"] = (columns["b"] > 0.4).astype(int)
    return written(tmp_path_factory.mktemp("large"), "parquet", columns)


@pytest.mark.parametrize("name", ASKED)
def test_a_large_file_is_decided_on_as_its_rows_are(
    large: Path,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(relation, "_BATCH", 1 << 15)
    found = []
    for whole in (True, False):
        monkeypatch.setattr(read_for, "is_large", lambda *_, whole=whole: not whole)
        asked = [large, "--label", "y", "--score", "a", "--score", "b", *ASKED[name], "--json"]
        found.append(json.loads(run(capsys, *COMMANDS.get(name, ["decide"]), *asked)))
    one, other = (dict(leaves(record)) for record in found)
    assert one.keys() == other.keys()
    for key, value in one.items():
        if isinstance(value, float):
            np.testing.assert_allclose(other[key], value, rtol=1e-9, atol=1e-9, err_msg=key)
        else:
            assert other[key] == value, key


def test_engines_decide_alike(large: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [large, "--label", "y", "--score", "a", "--score", "b", *ASKED["known"], "--json"]
    for command in ("decide", "compare"):
        expected = json.loads(run(capsys, command, *asked))
        for engine in ("polars", "dask"):
            assert json.loads(run(capsys, command, *asked, "--engine", engine)) == expected


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--id", "b"], "--id is for rows that an engine counts: add --engine."),
        (["--engine", "dask", "--weight", "b"], "--weight needs rows in memory"),
        (["--engine", "dask", "--groups", "b"], "--groups needs rows in memory"),
        (["--engine", "dask", "--fp-cost-column", "b"], "a column of costs needs rows in memory"),
        (["--engine", "spark"], r"have no order: name a column .* --id"),
    ],
)
def test_what_needs_rows_in_memory(
    large: Path, capsys: pytest.CaptureFixture[str], options: list[str], told: str
) -> None:
    costs = ["--fn-cost", "9", *([] if "--fp-cost-column" in options else ["--fp-cost", "1"])]
    asked = [large, "--label", "y", "--score", "a", "--score", "b", *costs, *options]
    for command in ("decide", "compare"):
        assert re.search(told, refused(capsys, command, *asked))


def test_rows_to_validate_on_are_in_memory(large: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [large, "--label", "y", "--score", "a", *ASKED["known"], "--engine", "dask"]
    assert "--validate needs rows in memory" in refused(
        capsys, "decide", *asked, "--validate", large
    )
