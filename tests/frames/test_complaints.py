"""What engines complain about comes out as one line of ours."""

import gzip
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from command_line import refused as refused_by_command
from prediction_files import write_csv
from refusals import refused

from costspace import FileError, Rule, SourceError
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.frames import (
    apply_decision,
    binned_scores,
    held_out_counts,
    relation,
    score_counts,
    score_table,
)
from costspace.frames.complaints import complaining, complaining_of_rows
from costspace.frames.files import read_rows
from costspace.frames.scratch import scratch

_MEMORY = "there is not enough memory for its rows: free some"


def test_memory_that_is_not_enough(tmp_path, capsys, monkeypatch):
    path = write_csv(tmp_path / "a.csv", {"y": [0, 1] * 50_000, "s": range(100_000)})
    monkeypatch.setattr(relation, "memory_for_rows", lambda: 2**21)
    with refused(FileError, _MEMORY):
        read_rows(path, label="y", scores=["s"])
    command = ["evaluate", path, "--label", "y", "--score", "s"]
    assert _MEMORY in refused_by_command(capsys, *command)


def test_a_memory_error_of_python_is_one_line(tmp_path):
    with refused(FileError, f"cannot read {tmp_path}: {_MEMORY}"), complaining(tmp_path):
        raise MemoryError
    with refused(SourceError, _MEMORY), complaining_of_rows():
        raise MemoryError


def written(size: int, *command: object) -> str:
    """What a command says that may write no file of more bytes."""
    ended = subprocess.run(
        [sys.executable, "-m", "costspace.cli", *map(str, command)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )
    assert ended.returncode == 2
    return ended.stderr


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_disk_that_is_full_where_rows_are_written(tmp_path, kind):
    path = write_csv(tmp_path / "a.csv", {"y": [0, 1] * 50_000, "s": np.arange(100_000) / 7})
    decision, output = tmp_path / "decision.json", tmp_path / f"out.{kind}"
    SavedDecision({"version": "1.0"}, DeployedRules("s", "own", Rule(0.5))).save(decision)
    said = written(50_000, "apply", decision, path, "-o", output)
    assert said == f"costspace: cannot write {output}: File too large.\n"
    assert set(tmp_path.iterdir()) == {path, decision}


def test_a_disk_that_is_full_where_rows_are_put_aside(tmp_path):
    path = write_csv(tmp_path / "a.csv", {"y": [0, 1] * 50_000, "s": np.arange(100_000) / 7})
    said = written(50_000, "tally", path, "--label=y", "--score=s", "-o", tmp_path / "t.parquet")
    place = tempfile.gettempdir()
    assert said.startswith(f"costspace: {place} has no room for the rows that do not fit in memory")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "failed to offload data block of size 256.0 KiB (832.0 KiB/921.5 KiB used).\nThis",
            "has no room for the rows that do not fit in memory: set TMPDIR",
        ),
        (
            r'{"exception_message":"Could not write file \"/x/.o.csv.a\": No space left on device"',
            "cannot write out.csv: No space left on device.",
        ),
        ("Could not read from file: Input/output error", "cannot read a.csv: Could not read"),
    ],
)
def test_what_is_written_is_not_blamed_on_what_is_read(text, says):
    with refused(FileError, says), complaining(Path("a.csv"), output=Path("out.csv")):
        raise duckdb.Error(text)


def test_a_temporary_folder_that_is_full_is_told_by_its_mark():
    def told(folder, says):
        full = f'Could not write file "{folder}/parsed": No space left on device'
        with refused(FileError, says), complaining(Path("a.csv"), output=Path("out.csv")):
            raise duckdb.Error(full)

    with scratch() as folder:
        told(folder, "has no room for the rows that do not fit in memory: set TMPDIR")
    told("/home/me/costspace-rows-jan_2024", "cannot write out.csv: No space left on device.")


def test_an_interrupt_passes_through(tmp_path):
    for context in (complaining(tmp_path), complaining_of_rows()):
        with pytest.raises(KeyboardInterrupt), context:
            raise RuntimeError("Query interrupted")
    with refused(FileError, "cannot read "), complaining(tmp_path):
        raise RuntimeError("IO Error: cannot open interrupted.csv")


def test_a_lazy_frame_that_fails_when_it_is_collected(tmp_path):
    pl = pytest.importorskip("polars")
    broken = pl.scan_csv(tmp_path / "missing.csv")
    with refused(SourceError, "the rows cannot be counted: "):
        score_counts(broken, label="y", score="s")
    text = pl.LazyFrame({"y": ["0", "1"], "s": ["0.5", "high"]})
    late = text.with_columns(pl.col("s").cast(pl.Float64))
    with refused(SourceError, "the rows cannot be counted: conversion from `str` to `f64` failed"):
        score_counts(late, label="y", score="s")


def failing_frames() -> Iterator[tuple[Any, str]]:
    """Lazy frames that fail when they are computed, and the cause."""
    import pandas as pd

    pl, dd = pytest.importorskip("polars"), pytest.importorskip("dask.dataframe")
    rows = pd.DataFrame({"y": [0, 1], "s": [0.1, 0.2]})

    cause = "the stage was interrupted: retry. See whether the frame computes by itself."

    def failing(_: Any) -> Any:
        raise ValueError("the stage was interrupted:\nretry")

    yield dd.from_pandas(rows, npartitions=1).map_partitions(failing, meta=rows), cause
    failed = pl.col("s").map_batches(failing, return_dtype=pl.Float64)
    yield pl.from_pandas(rows).lazy().with_columns(failed), cause


def test_every_verb_says_in_a_line_why_a_frame_fails():
    decision = SavedDecision({}, DeployedRules("s", "own", Rule(0.5)))
    asked = {"label": "y", "score": "s"}
    for frame, cause in failing_frames():
        for verb in (score_counts, score_table, binned_scores, held_out_counts):
            with refused(SourceError, cause):
                verb(frame, **asked)
        with refused(SourceError, cause):
            apply_decision(decision, frame)
        with refused(
            SourceError, f"the rows cannot be read: {'the stage was ' * ('ret' in cause)}"
        ):
            read_rows(frame, label="y", scores=["s"])


@pytest.mark.cluster
def test_the_cause_that_spark_names_last(spark, tmp_path):
    from pyspark.sql import functions

    rows = spark.range(2).selectExpr("id AS y", "id / 2 AS s")
    fails = functions.udf(lambda s: 1 / (s - s), "double")
    gone = str(tmp_path / "gone")
    rows.write.parquet(gone)
    kept = spark.read.parquet(gone)
    shutil.rmtree(gone)
    causes = {
        "counted: ZeroDivisionError: float division by zero. See": rows.withColumn("s", fails("s")),
        "does not exist": kept,
        "[USER_RAISED_EXCEPTION] no": rows.withColumn(
            "s", functions.expr("CAST(raise_error('no') AS DOUBLE)")
        ),
    }
    for cause, frame in causes.items():
        with refused(SourceError, cause):
            score_counts(frame, label="y", score="s")
    with refused(FileError, "two columns of the frame have the same name: rename one."):
        score_counts(rows.select("y", "s", "s"), label="y", score="s")


def test_lines_above_a_header_and_zeros_below_packed_rows(tmp_path, csv):
    for text in ("report\ny,s\n0,0.1\n1,0.9\n", "report\ny;s\n0;0,1\n1;0,9\n"):
        with refused(FileError, "has the names of its columns in line 2: leave out"):
            read_rows(csv(text), label="y", scores=["s"])
    packed = tmp_path / "zeros.csv.gz"
    packed.write_bytes(gzip.compress(b"y,s\n0,0.1\n1,0.9\n") + bytes(5000))
    with refused(FileError, "such as zeros, follow its packed rows: unpack it with gzip -dc"):
        read_rows(packed, label="y", scores=["s"])


def test_a_record_batch_of_pyarrow_is_a_table_of_one():
    (batch,) = pa.table({"y": [0, 1, 0], "s": [0.1, 0.2, 0.3]}).to_batches()
    assert score_table(batch, label="y", score="s").auc == 0.5
    assert len(read_rows(batch, label="y", scores=["s"])) == 3


def test_two_columns_of_a_name_in_dask():
    dd = pytest.importorskip("dask.dataframe")
    import pandas as pd

    rows = dd.from_pandas(pd.DataFrame({"y": [0, 1], "s": [0.1, 0.2]}), npartitions=1)
    twice = dd.concat([rows, rows[["s"]]], axis=1)
    for verb in (score_counts, held_out_counts):
        with refused(FileError, "two columns of the frame have the same name: rename one."):
            verb(twice, label="y", score="s")


def test_a_deleted_file_behind_a_frame(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "gone.csv"
    path.write_text("y,s\n0,0.5\n1,0.7\n")
    frame = duckdb.connect().from_csv_auto(str(path))
    path.unlink()
    with refused(SourceError, "the rows cannot be counted: "):
        score_counts(frame, label="y", score="s")


def test_the_largest_integers_of_pyarrow_are_compared_as_they_are():
    table = pa.table({"y": [0, 1], "s": pa.array([1, 2**53], pa.uint64())})
    assert score_counts(table, label="y", score="s").cells.tolist() == [1, 2.0**53]


def test_duckdb_that_cannot_start(tmp_path, monkeypatch):
    """No memory is left before anything is read."""
    path = write_csv(tmp_path / "ok.csv", {"y": [0, 1], "s": [0.1, 0.9]})

    def no_memory(**_):
        raise duckdb.OutOfMemoryException("Out of Memory Error: bad allocation")

    monkeypatch.setattr(duckdb, "connect", no_memory)
    with refused(FileError, "cannot start DuckDB: there is not enough memory"):
        read_rows(path, label="y", scores=["s"])


@pytest.mark.parametrize("text", ["libarrow.so: failed to map segment", "can't start new thread"])
def test_libraries_that_find_no_memory(text):
    with refused(SourceError, _MEMORY), complaining_of_rows():
        raise ImportError(text)
