"""Every engine counts predictions in files alike, and refuses them in the same words."""

import sys
import tempfile

import numpy as np
import pyarrow as pa
import pytest
from prediction_files import days, parquet, write_csv

from costspace import (
    ConditionError,
    FileError,
    LabelError,
    MissingExtraError,
    ScoreCounts,
    ScoreError,
    SourceError,
    WeightError,
)
from costspace.frames.columns import Columns
from costspace.frames.counting import score_counts
from costspace.frames.files import read_rows, read_segments
from costspace.frames.predictions import open_predictions


def counted(path, engine, **asked):
    by = asked.pop("by", ())
    columns = Columns(**{"label": "y", "scores": ["s"]} | asked)
    with open_predictions(path, columns, by=by, engine=engine) as found, found.counting():
        return score_counts(found.frame, score=next(iter(found.scores.values())), **found.arguments)


def needs(engine, request):
    """Skip where an engine is not installed; Spark is the one that all tests share."""
    if engine == "spark":
        pytest.importorskip("pyspark")
        request.getfixturevalue("spark")
    elif engine != "duckdb":
        pytest.importorskip({"dask": "dask.dataframe"}.get(engine, engine))


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("engine", "kind"),
    [
        *(("duckdb", "parquet"), ("duckdb", "csv"), ("polars", "parquet"), ("polars", "csv")),
        *(("dask", "parquet"), ("spark", "parquet")),
    ],
)
def test_every_engine_counts_the_same(tmp_path, engine, kind, request):
    needs(engine, request)
    folder = days(tmp_path, kind)
    rows = read_rows(folder, label="y", scores=["s"])
    if kind == "csv" and engine == "polars":
        with pytest.raises(FileError, match="is CSV in folders that name columns"):
            counted(folder, engine, by=["day"])
        folder = folder / "day=01" / "part.csv"
        rows = read_rows(folder, label="y", scores=["s"])
        assert counted(folder, engine).positives.total == rows.positive.sum()
        assert sorted(counted(folder, engine, by=["site"])) == ["a", "b"]
        return
    counts = counted(folder, engine)
    for side, chosen in ((counts.negatives, ~rows.positive), (counts.positives, rows.positive)):
        found = np.repeat(counts.cells, side.rows)
        np.testing.assert_array_equal(found, np.sort(rows.scores["s"][chosen]))
    parts = counted(folder, engine, by=["day", "site"])
    assert sorted(parts) == [(d, s) for d in ("01", "02", "10") for s in "ab"]
    totals = {key: part.negatives.total + part.positives.total for key, part in parts.items()}
    segments = read_segments(folder, Columns(label="y", scores=["s"]), by=["day", "site"]).segments
    assert totals == {key: len(chosen) for key, chosen in segments.items()}


@pytest.mark.parametrize("engine", ["duckdb", "polars", "dask", "spark"])
def test_every_engine_refuses_in_the_same_words(tmp_path, engine, request):
    needs(engine, request)
    path = parquet(tmp_path, y=["no", "yes", "yes"], s=[0.1, None, 0.3], w=[1, 1, -1])
    with pytest.raises(FileError, match=r"parquet, row 2: column 's' is empty where a number"):
        counted(path, engine, positive="yes")
    with pytest.raises(LabelError, match=r"has labels 'no', 'yes': say which is the positive"):
        counted(path, engine)
    path = parquet(tmp_path, y=["no", "yes", "yes"], s=[0.1, 0.2, 0.3], w=[1, 1, -1])
    with pytest.raises(WeightError, match=r"parquet, row 3: column 'w' has '-1' where a finite"):
        counted(path, engine, positive="yes", weight="w")
    path = parquet(tmp_path, y=[0, 1, None], s=[0.1, 0.2, 0.3])
    with pytest.raises(LabelError, match=r"parquet, row 3: column 'y' has no label"):
        counted(path, engine)


@pytest.mark.parametrize("engine", ["duckdb", "polars", "dask", "spark"])
def test_integers_that_floats_cannot_tell_apart_are_refused(tmp_path, engine, request):
    needs(engine, request)
    words = r", row 2: column '[sw]' has integers beyond 2\^53, .* tell apart: 1152921504606846976"
    with pytest.raises(ScoreError, match=words):
        counted(parquet(tmp_path, y=[0, 1], s=[1, 2**60]), engine)
    with pytest.raises(WeightError, match=words):
        counted(parquet(tmp_path, y=[0, 1], s=[1, 2], w=[3, 2**60]), engine, weight="w")
    if engine in ("duckdb", "polars"):
        csv = write_csv(tmp_path / "a.csv", {"y": [0, 1], "s": [-(2**53), 2**60]})
        with pytest.raises(ScoreError, match=words):
            counted(csv, engine)


@pytest.mark.parametrize("engine", ["duckdb", "polars", "dask", "spark"])
def test_every_engine_makes_numbers_of_columns(tmp_path, engine, request):
    needs(engine, request)
    y, s = [0, 1, 0, 1, 1], np.array([0.1, 0.8, 0.3, 0.7, 0.2])
    path = parquet(tmp_path, y=y, s=s, m=[[1 - one, one] for one in s], w=[1, 2, 3, 1, 5])
    for name, expected in (("-s", -s), ("1-s", 1 - s), ("s+s-m[1]", s + s - s), ("m[1]", s)):
        found = counted(path, engine, scores=[name], weight="2*w")
        known = ScoreCounts.from_predictions(y, expected, sample_weight=[2, 4, 6, 2, 10])
        np.testing.assert_array_equal(found.cells, known.cells)
        np.testing.assert_array_equal(found.positives.weight, known.positives.weight)
    with pytest.raises(FileError, match="holds lists of 2, as predict_proba gives: name one"):
        counted(path, engine, scores=["m"])
    with pytest.raises(FileError, match="holds lists of 2, which have no element 2"):
        counted(path, engine, scores=["m[2]"])
    words = parquet(tmp_path, y=y, s=s, d=["Yes", "No", "No", "Yes", "No"])
    if engine == "polars":
        with pytest.raises(FileError, match="column 'd' has 'Yes', and --engine polars reads"):
            counted(words, engine, scores=["d"], decisions="d")


def test_engines_that_read_parquet_only_say_so(tmp_path, csv):
    pytest.importorskip("dask.dataframe")
    with pytest.raises(FileError, match="is CSV, and --engine dask reads Parquet"):
        counted(csv("y,s\n0,0.5\n1,0.7\n"), "dask")
    with pytest.raises(ConditionError, match="engine must be one of duckdb, polars, dask, spark"):
        counted(tmp_path, "pandas")


def test_an_engine_that_is_not_there_says_how_to_get_it(csv, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtraError, match=r"--engine polars needs .*pip install"):
        counted(csv("y,s\n0,0.5\n1,0.7\n"), "polars")


def test_nothing_is_left_on_disk(tmp_path, csv, monkeypatch):
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    counted(csv("y,s\n0,0.5\n1,0.7\n"), "duckdb")
    with pytest.raises(FileError):
        counted(csv("y,s\n0,0.5\n1,x\n"), "duckdb")
    assert not list(place.iterdir())


@pytest.mark.parametrize("engine", ["duckdb", "polars", "dask", "spark"])
def test_every_engine_reads_text_and_numbers_alike(tmp_path, engine, request):
    needs(engine, request)
    labels = ["no", " yes", "no ", "yes"]
    path = parquet(tmp_path, y=labels, s=[0.1, 0.2, 0.3, 0.4], b=[" a", "a ", "", None])
    found = counted(path, engine, by=["b"], positive="yes")
    assert {name: part.positives.total for name, part in found.items()} == {"a": 1, None: 1}
    numbers = [-float("inf"), 1.5, float("nan"), None]
    path = parquet(tmp_path, y=["0", "1.0", "1", "0.0"], s=[0.1, 0.2, 0.3, 0.4], b=numbers)
    found = counted(path, engine, by=["b"])
    assert {name: part.positives.total for name, part in found.items()} == {
        -float("inf"): 0,
        1.5: 1,
        None: 1,
    }
    path = parquet(tmp_path, y=[0, 1], s=[0.1, 0.2], b=[[1], [2]])
    with pytest.raises(SourceError, match=r"'b' of .* has type BIGINT\[\], which cannot name seg"):
        counted(path, engine, by=["b"])
    with pytest.raises(FileError, match="the segment column 'b' is asked for twice"):
        counted(path, engine, by=["b", "b"])


@pytest.mark.cluster
def test_spark_ignores_columns_not_asked_for_and_leaves_its_session_unchanged(tmp_path, request):
    needs("spark", request)
    session = request.getfixturevalue("spark")
    before = dict(session.conf.getAll)
    times = pa.array([1, 2], pa.timestamp("ns"))
    path = parquet(tmp_path, y=[0, 1], s=[0.1, 0.2], S=[0.3, 0.4], b=times)
    assert counted(path, "spark").cells.tolist() == [0.1, 0.2]
    with pytest.raises(FileError, match=r"'b' of .* has times in nanoseconds"):
        counted(path, "spark", by=["b"])
    assert dict(session.conf.getAll) == before


def test_polars_reads_any_header_and_has_the_errors_of_duckdb(csv):
    path = csv('y,"the ""s""\n.*"\n0,0.1\n1,0.2\n')
    columns = Columns(label="y", scores=['the "s"\n.*'])
    with open_predictions(path, columns, engine="polars") as found, found.counting():
        counts = score_counts(found.frame, label="label", score="score0")
    assert counts.cells.tolist() == [0.1, 0.2]
    with pytest.raises(FileError, match=r"line 3 .*: it has 3 cells, not 2"):
        counted(csv("y,s\n0,0.1\n1,0.2,3\n"), "polars")
