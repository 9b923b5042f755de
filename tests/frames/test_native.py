"""Results as the caller's kind of dataframe, and no other engine loaded for it."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from refusals import refused

from costspace import ScoreCounts, SourceError
from costspace.frames import score_counts, to_frame
from costspace.frames.dataframes import as_narwhals

LOADED = "pandas", "polars", "pyarrow", "duckdb", "dask", "pyspark", "narwhals"


@pytest.mark.smoke
def test_results_return_as_the_frame_that_came(engine: Any) -> None:
    frame = engine.frame(y=[0, 1, 0, 1], s=[0.2, 0.7, 0.2, 0.9], g=["a", "a", None, "b"])
    counts = ScoreCounts.from_predictions([0, 1, 0, 1], [0.2, 0.7, 0.2, 0.9])
    found = to_frame(counts, like=frame)
    assert type(found) is type(frame)
    columns = as_narwhals(found).collect().sort("score")
    assert columns.columns == ["score", "negatives", "positives"]
    assert columns["score"].to_list() == [0.2, 0.7, 0.9]
    assert columns["negatives"].to_list() == [2, 0, 0]
    segments = to_frame(score_counts(frame, label="y", score="s", by="g"), like=frame)
    assert type(segments) is type(frame)
    assert as_narwhals(segments).collect()["g"].drop_nulls().to_list() == ["a", "b"]


def test_a_relation_can_be_joined_with_the_one_it_is_like() -> None:
    import duckdb

    connection = duckdb.connect()
    connection.execute("CREATE TABLE days AS SELECT 0.2 AS score, 'Monday' AS day")
    days = connection.table("days")
    counts = ScoreCounts.from_predictions([0, 1], [0.2, 0.7])
    joined = to_frame(counts, like=days).set_alias("c").join(days.set_alias("d"), "score")
    assert joined.fetchall() == [(0.2, 1, 0, "Monday")]


def test_what_has_no_columns() -> None:
    with refused(SourceError, "only results with columns become a dataframe, got 3."):
        to_frame(3, like=None)
    counts = ScoreCounts.from_predictions([0, 1], np.array([0.2, 0.7]))
    with refused(SourceError, "give one of pandas, Polars"):
        to_frame(counts, like=[1])


FRAMES = {
    "polars": "import polars; frame = polars.DataFrame({'y': [0, 1], 's': [0.1, 0.2]})",
    "polars-lazy": "import polars; frame = polars.LazyFrame({'y': [0, 1], 's': [0.1, 0.2]})",
    "pandas": "import pandas; frame = pandas.DataFrame({'y': [0, 1], 's': [0.1, 0.2]})",
    "pyarrow": "import pyarrow; frame = pyarrow.table({'y': [0, 1], 's': [0.1, 0.2]})",
    "duckdb": "import duckdb; frame = duckdb.sql('SELECT y, y / 2.0 AS s FROM range(2) AS t(y)')",
}


@pytest.mark.parametrize("name", FRAMES)
def test_no_other_engine_is_loaded(name: str) -> None:
    code = f"""
import sys
{FRAMES[name]}
before = set(sys.modules)
import costspace.frames as frames
assert "narwhals" not in sys.modules
counts = frames.score_counts(frame, label="y", score="s")
frames.binned_scores(frame, label="y", score="s", bins=4, width=0.1)
frames.to_frame(counts, like=frame)
print(*set({LOADED}) & (set(sys.modules) - before))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    # DuckDB gives its results through pyarrow, which looks for pandas itself.
    own = {"pyarrow", "pandas"} if name == "duckdb" else set()
    assert loaded <= {"narwhals", *own}


def test_costspace_and_its_frames_load_no_engine() -> None:
    code = "import sys, costspace.frames; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(LOADED) & set(run.stdout.split())
