"""Files that are written to while they are read are refused, and nothing is told of them."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import refused as refused_by_command
from command_line import run
from prediction_files import write_csv
from refusals import refused

import costspace as cs
from costspace import FileError
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.frames import load, relation, save, score_counts, storage
from costspace.frames.columns import Columns
from costspace.frames.files import batch_sizes, read_rows
from costspace.frames.flagging import apply_to_files
from costspace.frames.folded import open_folded
from costspace.frames.predictions import open_predictions
from costspace.frames.tallying import tally_files, tally_folds

RNG = np.random.default_rng(2)
Y = RNG.integers(0, 2, 400)
ROWS = {"y": Y, "s": (Y + RNG.random(400)).round(3) / 2, "n": np.arange(400)}
COLUMNS = Columns(label="y", scores=["s"])
CHANGED = "changed while it was read"


def written(folder: Path, kind: str, rows: dict[str, Any] = ROWS) -> Path:
    if kind == "csv":
        return write_csv(folder / "rows.csv", rows)
    pq.write_table(pa.table(rows), folder / "rows.parquet")
    return folder / "rows.parquet"


def longer(path: Path) -> None:
    """The file with a last row more."""
    written(path.parent, path.suffix[1:], {n: [*c.tolist(), 1] for n, c in ROWS.items()})


def touched(path: Path) -> None:
    """The same bytes, written later."""
    os.utime(path, ns=(1, 1))


def replaced(path: Path) -> None:
    """Another file of this name, of the same size and time."""
    before = path.stat()
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)


def once(change: Callable[[Path], object], path: Path) -> Callable[..., Any]:
    """What changes a file when it is first told how far reading is."""
    left = [change]

    def told(*_: object) -> None:
        if left:
            left.pop()(path)

    return told


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("change", [longer, touched, replaced, Path.unlink])
def test_rows_of_a_file_that_changes(kind, change, tmp_path):
    path = written(tmp_path, kind)
    gone = change is Path.unlink
    with refused(FileError, f"cannot read {path}: No such file" if gone else CHANGED):
        read_rows(path, label="y", scores=["s"], progress=once(change, path))


def test_the_sizes_are_told(tmp_path):
    path = written(tmp_path, "csv")
    size = path.stat().st_size
    with refused(FileError, f"{path} {CHANGED}, from {size:,} to {size + 6:,} bytes: wait until"):
        read_rows(path, label="y", scores=["s"], progress=once(longer, path))


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_one_of_several_files(kind, tmp_path):
    for day in ("a", "b"):
        (tmp_path / day).mkdir()
        last = written(tmp_path / day, kind)
    with refused(FileError, f"{last} {CHANGED}"):
        read_rows(tmp_path, label="y", scores=["s"], progress=once(longer, last))


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("reading", [1, 2])
def test_nothing_is_written_of_a_file_that_changes(kind, reading, tmp_path):
    path, output = written(tmp_path, kind), tmp_path / "out.csv"
    decision = SavedDecision({"version": "1.0"}, DeployedRules("s", "own", cs.Rule(0.5)))
    told: list[float] = []

    def progress(done: float) -> None:
        told.append(done)
        if len(told) == reading:
            longer(path)

    with refused(FileError, CHANGED):
        apply_to_files(decision, path, output, progress=progress)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_counts_of_a_file_that_changes(kind, engine, tmp_path):
    path = written(tmp_path, kind)
    with open_predictions(path, COLUMNS, engine=engine) as found:
        longer(path)
        with refused(FileError, CHANGED), found.counting():
            score_counts(found.frame, score="score0", **found.arguments)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_tally_of_a_file_that_changes(kind, tmp_path):
    for count, more in ((tally_files, {}), (tally_folds, {"folds": 2})):
        path = written(tmp_path, kind)
        told = once(longer, path)
        with refused(FileError, CHANGED):
            count(path, COLUMNS, step=lambda *_, told=told: told, **more)


@pytest.mark.parametrize("engine", ["duckdb", "polars", "dask"])
def test_a_question_about_a_large_file_that_has_changed(engine, tmp_path):
    path = written(tmp_path, "parquet")
    with open_folded(path, COLUMNS, folds=2, engine=engine) as found:
        found.kinds({"s": np.array([0.5])})
        touched(path)
        with refused(FileError, CHANGED):
            found.kinds({"s": np.array([0.5])})


def test_a_file_that_changes_when_all_is_read_is_no_matter(tmp_path):
    path = written(tmp_path, "parquet")
    with open_folded(path, COLUMNS, folds=2) as found:
        counted = found.counted("s").sizes
        longer(path)
    assert sum(counted) == 400


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_bad_cell_that_comes_and_goes(kind, tmp_path, monkeypatch):
    bad = {**ROWS, "s": [*map(str, ROWS["s"][:-1]), "high"]}
    path = written(tmp_path, kind, bad)
    rows = relation._rows

    def changing(connection, query, of):
        found = rows(connection, query, of)
        if "count_if" in query and any(count for *_, count in found):
            written(tmp_path, kind)
        return found

    monkeypatch.setattr(relation, "_rows", changing)
    with refused(FileError, CHANGED):
        read_rows(path, label="y", scores=["s"])


def test_an_error_that_a_change_makes_is_not_told(tmp_path, monkeypatch):
    """DuckDB finds half a file, of which it knew more."""
    path = written(tmp_path, "parquet")
    whole = path.read_bytes()
    told = once(lambda _: path.write_bytes(whole[: len(whole) // 2]), path)
    with refused(FileError, CHANGED):
        read_rows(path, label="y", scores=["s"], progress=told)


def test_a_saved_table_that_changes(tmp_path, monkeypatch):
    path = tmp_path / "saved.parquet"
    counts = cs.ScoreCounts.from_predictions(ROWS["y"], ROWS["s"])
    save(path, {"s": counts})
    sealed = storage.is_sealed

    def changing(path):
        found = sealed(path)
        save(path, {"s": counts + counts})
        return found

    monkeypatch.setattr(storage, "is_sealed", changing)
    with refused(FileError, CHANGED):
        load(path)


def test_batches_that_are_read_after_the_rows(tmp_path, capsys, monkeypatch):
    path = written(tmp_path, "csv", {**ROWS, "day": np.arange(400) // 100})
    command = ["decide", path, "--label", "y", "--score", "s", "--fp-cost", "1", "--fn-cost", "5"]
    command += ["--capacity", "0.1", "--batch", "day"]
    run(capsys, *command)

    def changing(*asked):
        touched(path)
        return batch_sizes(*asked)

    monkeypatch.setattr("costspace.frames.files.batch_sizes", changing)
    assert CHANGED in refused_by_command(capsys, *command)
