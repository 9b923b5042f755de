"""Hostile files and columns: a right number or the expected words from every reader and engine."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import refused as refused_by_command
from command_line import run
from hostile_cells import CELLS
from hostile_files import FILES, Hostile, main

import costspace as cs
from costspace.frames import score_table
from costspace.frames.columns import Columns
from costspace.frames.files import read_rows
from costspace.frames.tallying import tally_files

# Polars reads these, or refuses them, in its own way.
_OF_POLARS = {"a cell of 3 million digits"}
# Dask makes text of these, and pyarrow decimals of too few digits on the way to it.
_NOT_OF_DASK = {
    "labels of dates",
    "labels of lists",
    "labels of bytes",
    "scores of long decimals",
    "scores of decimals that tie",
    "scores of lists of two",
}
# Names that Polars and DuckDB change before we see them.
_RENAMED = {"a column named by nothing", "columns that differ in case"}
# Dask takes a while for each question, and Spark longer: they answer some of each kind.
_OF_EACH = list(
    {
        one.says if one.of_frame is None else one.of_frame: name for name, one in CELLS.items()
    }.values()
)
_OF_SPARK = [
    "labels of three classes",
    "labels with NaN",
    "labels of dates",
    "scores with a null",
    "scores with NaN",
    "scores of dates",
    "scores of decimals that tie",
    "scores of integers beyond 2^53",
    "weights of infinity",
    "a column named as SQL is injected",
]


def asked(hostile: Hostile) -> dict:
    return {"label": "y", "scores": [hostile.score], "weight": hostile.weight}


@pytest.mark.parametrize("name", FILES)
def test_files(name, tmp_path, capsys):
    """The command reads them as `read_rows` does: DuckDB brings all rows to memory."""
    hostile = FILES[name]
    path = hostile.write(tmp_path)
    command = ["evaluate", path, "--label", "y", "--score", hostile.score, "--json"]
    command += ["--weight", hostile.weight] if hostile.weight else []
    if isinstance(hostile.says, str):
        assert hostile.says in in_a_line(refused_by_command(capsys, *command), path)
        return
    found = json.loads(run(capsys, *command))["models"][hostile.score]
    assert found["metrics"]["auc"] == pytest.approx(hostile.says, rel=1e-15)


# One of each kind: they go the same way as the command.
@pytest.mark.parametrize("name", ["semicolons", "zstd", "folders named as a column"])
def test_rows_in_memory(name, tmp_path):
    hostile = FILES[name]
    rows = read_rows(hostile.write(tmp_path), **asked(hostile))
    auc = cs.auc(rows.positive, rows.scores[hostile.score], sample_weight=rows.weight)
    assert auc == pytest.approx(hostile.says, rel=1e-15)


@pytest.mark.parametrize("name", ["UTF-16", "two words", "too few cells", "an empty folder"])
def test_rows_that_are_not_brought_to_memory(name, tmp_path):
    hostile = FILES[name]
    path = hostile.write(tmp_path)
    assert hostile.says in words(lambda: read_rows(path, **asked(hostile)), path)


def words(read: Callable[[], Any], path: Path | None = None) -> str:
    """What is said of what cannot be read, in a line."""
    with pytest.raises(cs.CostspaceError) as caught:
        read()
    return in_a_line(str(caught.value), path)


def in_a_line(message: str, path: Path | None = None) -> str:
    """What is said in one line that is not long, the path aside."""
    assert "\n" not in message
    assert len(message.replace(str(path), "FILE")) < 300
    assert message.endswith((".", "?"))
    return message


@pytest.mark.parametrize("name", [name for name in FILES if "number" in name or "digits" in name])
def test_polars_reads_cells_as_duckdb_does(name, tmp_path):
    pytest.importorskip("polars")
    hostile = FILES[name]
    path, columns = hostile.write(tmp_path), Columns(**asked(hostile))
    if name not in _OF_POLARS and isinstance(hostile.says, str):
        read = words(lambda: tally_files(path, columns, engine="polars"), path)
        assert hostile.says in read


def test_columns_of_every_engine(engine):
    renamed = dict.fromkeys(("polars", "polars-lazy", "duckdb"), _RENAMED)
    left_out = {"dask": _NOT_OF_DASK, **renamed}.get(engine.name, set())
    wrong = {}
    for name in {"dask": _OF_EACH, "spark": _OF_SPARK}.get(engine.name, list(CELLS)):
        if name in left_out:
            continue
        columns = CELLS[name]
        expected = columns.says if columns.of_frame is None else columns.of_frame
        frame = engine.make(columns.table())

        def count(frame: Any = frame, columns: Any = columns) -> float:
            given = {"score": columns.score, "weight": columns.weight}
            return score_table(frame, label="y", **given).auc

        if isinstance(expected, str):
            found = words(count)
            right = expected in found
        else:
            found = count()
            right = found == pytest.approx(expected, rel=1e-15)
        if not right:
            wrong[name] = found
    assert not wrong


def test_the_module_writes_more_than_a_hundred_files(tmp_path, capsys):
    assert len(FILES) > 100
    main(tmp_path / "all")
    printed = capsys.readouterr().out
    assert all(name in printed for name in FILES)
    assert len(list((tmp_path / "all").iterdir())) == len(FILES)


def test_a_near_name_that_is_not_utf8(tmp_path):
    try:
        (tmp_path / os.fsdecode(b"predicti\xf6ns.csv")).touch()
    except OSError:
        pytest.skip("names of files are UTF-8 here")
    wanted = tmp_path / "predictions.csv"
    said = words(lambda: read_rows(wanted, label="y", scores=["s"], weight=None), wanted)
    assert said.endswith(r"Did you mean 'predicti\xf6ns.csv'?")
