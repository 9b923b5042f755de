"""Files read in parts: what is decided on them is what is decided on the rows in memory."""

import json
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import leaves, refused, run

import costspace as cs
from costspace.cli import question as read_for
from costspace.frames import folded, relation
from costspace.frames.columns import Columns
from costspace.frames.folded import open_folded
from costspace.summaries.runs import forgone

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


def written(folder: Path, columns: dict[str, np.ndarray]) -> Path:
    """The columns in a file of several row groups."""
    pq.write_table(pa.table(columns), folder / "p.parquet", row_group_size=500)
    return folder / "p.parquet"


def test_cells_of_a_part_hold_all_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folded, "_LOOKED_AT", 500)
    monkeypatch.setattr(folded, "CELLS", 40)
    columns = predictions()
    columns["a"][-1] = 7.0
    path = written(tmp_path, columns)
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
    return written(tmp_path_factory.mktemp("large"), columns)


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
