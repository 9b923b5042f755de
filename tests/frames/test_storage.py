"""Saved tables: what was saved comes back bit for bit, and nothing else does."""

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from command_line import refused as refused_by_command
from forged_tables import cells, described, forge
from forged_tables import saved as saved_table
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from refusals import refused
from summaries import same

import costspace as cs
from costspace import FileError, MissingExtraError, SourceError
from costspace.frames import load, save, table_file
from costspace.frames.storage import chosen, load_if_saved

Y = [0, 0, 1, 0, 1, 1]
S = [0.1, 0.1, 0.4, np.inf, 0.7, -np.inf]
BINNED = cs.ScoreCounts.from_predictions(
    Y, [0.1, 0.1, 0.4, 0.9, 0.7, 0.0], binning=cs.Binning.uniform()
)


def counts(y=Y, s=S, **more):
    return cs.ScoreCounts.from_predictions(y, s, **more)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "day.parquet"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "day.parquet"
    save(path, {"a": counts(), "b": BINNED})
    return path


def test_each_kind_comes_back_bit_for_bit(path):
    weight = np.random.default_rng(0).random(6)
    binning = cs.Binning.uniform(-1, 2, bins=7)
    finite = np.clip(S, 0, 1)
    models = {
        "plain": counts(),
        "float32": counts(s=np.array(S, dtype=np.float32)),
        "weighted": counts(sample_weight=weight),
        "no positives": counts([0] * 6),
        "binned": cs.ScoreCounts.from_predictions(Y, finite, binning=binning),
        "binned and weighted": cs.ScoreCounts.from_predictions(
            Y, finite, sample_weight=weight, binning=cs.Binning.uniform()
        ),
        "binned negatives": cs.ScoreCounts.from_predictions(
            [0] * 6, finite, binning=cs.Binning.uniform()
        ),
    }
    save(path, models)
    found = load(path)
    assert list(found) == list(models)
    for name, one in models.items():
        same(one, found[name])
    # By themselves too: the columns of others have no part in it.
    for name, one in models.items():
        save(path, {name: one})
        same(one, load(str(path))[name])


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@settings(max_examples=25)
@given(data=st.data(), weighted=st.booleans())
def test_any_scores_come_back(kind, data, weighted, tmp_path_factory):
    n = data.draw(st.integers(1, 30))
    scores = data.draw(
        arrays(kind, n, elements=st.floats(width=kind().itemsize * 8, allow_nan=False))
    )
    y = data.draw(arrays(np.int8, n, elements=st.integers(0, 1)))
    weight = data.draw(arrays(float, n, elements=st.floats(1e-50, 1e50))) if weighted else None
    path = tmp_path_factory.getbasetemp() / "any.parquet"
    one = counts(y, scores, sample_weight=weight)
    save(path, {"model": one})
    same(one, load(path)["model"])


@pytest.mark.parametrize(
    "name", ["", "it's", 'a "b"', "zwölf\n\t€", "\0", "SELECT 1; --", "x" * 5000]
)
def test_models_have_any_name(path, name):
    save(path, {name: counts(), "other": counts(s=np.arange(6.0))})
    same(counts(), load(path)[name])


def test_a_table_is_saved_as_its_counts(path):
    table = cs.ScoreTable.from_predictions(Y, S)
    save(path, {"model": table})
    same(cs.ScoreCounts.from_table(table), load(path)["model"])
    assert load(path)["model"].table().auc == table.auc
    with refused(SourceError, "counts have no prevalence other than that of their rows"):
        save(path, {"model": table.with_prevalence(0.1)})


def test_many_rows_and_row_groups(path):
    """More than DuckDB writes in one group, of models whose rows it may write side by side."""
    random = np.random.default_rng(0)
    models = {
        name: counts(random.integers(0, 2, n), random.random(n).astype(kind))
        for name, n, kind in (("a", 300_000, np.float32), ("b", 200_000, float), ("c", 10, float))
    }
    save(path, models)
    for name, one in load(path).items():
        same(models[name], one)


def test_other_programs_read_the_columns(saved):
    parquet = pytest.importorskip("pyarrow.parquet")
    polars = pytest.importorskip("polars")
    a = counts().columns()
    rows = parquet.read_table(saved).to_pylist()
    assert [row["score"] for row in rows if row["model"] == "a"] == a["score"].tolist()
    frame = polars.read_parquet(saved).filter(polars.col("model") == "b")
    assert frame["negatives_high"].to_list() == BINNED.columns()["negatives_high"].tolist()
    about = json.loads(parquet.read_metadata(saved).metadata[b"costspace"])
    assert (about["schema"], about["folds"]) == (2, 0)
    assert [one["name"] for one in about["models"]] == ["a", "b"]


def test_what_is_no_summary_is_refused(path):
    for models in ({}, counts(), None, [counts()]):
        with refused(SourceError, "save needs models by name"):
            save(path, models)
    for name in (1, None, "\ud800"):
        with refused(SourceError, "the name of a model must be text"):
            save(path, {name: counts()})
    with refused(SourceError, "saving 'm' needs a ScoreTable or ScoreCounts"):
        save(path, {"m": S})
    assert not path.exists()


def test_what_cannot_be_written_is_refused(tmp_path):
    with refused(FileError, "it is a directory"):
        save(tmp_path, {"m": counts()})
    with refused(FileError, "No such file or directory"):
        save(tmp_path / "missing" / "x.parquet", {"m": counts()})
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with refused(FileError, "cannot write"):
        save(loop, {"m": counts()})
    assert list(tmp_path.iterdir()) == [loop]


def test_links_are_followed(tmp_path):
    target, link = tmp_path / "monday.parquet", tmp_path / "latest.parquet"
    link.symlink_to(target)
    save(link, {"m": counts()})
    assert link.is_symlink()
    same(load(target)["m"], load(link)["m"])


def test_an_old_file_stays_if_the_new_one_cannot_be_written(path, monkeypatch):
    save(path, {"m": counts()})
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(table_file, "seal", full)
    with refused(FileError, "No space left on device"):
        save(path, {"m": BINNED})
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_disk_that_is_full(path):
    """DuckDB's own complaint, of a device that takes nothing."""
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    with refused(FileError, "cannot write /dev/full"):
        save("/dev/full", {"m": counts()})


def test_what_is_no_saved_table_is_refused(tmp_path):
    path = tmp_path / "x"
    with refused(FileError, "there is no file"):
        load(path)
    assert load_if_saved(path) is None
    with refused(FileError, "is a directory, not a saved table"):
        load(tmp_path)
    assert load_if_saved(tmp_path) is None
    path.write_text("y,s\n0,0.1\n1,0.2\n")
    with refused(FileError, "is not a saved table: it is not Parquet. Make one"):
        load(path)
    assert load_if_saved(path) is None
    path.write_bytes(b"")
    with refused(FileError, "is empty"):
        load(path)
    with refused(FileError, "is empty"):
        load_if_saved(path)
    save(path, {"m": counts()})
    with refused(FileError, "is a pattern of names, not a saved table: name one file."):
        load(tmp_path / "*")
    assert load_if_saved(tmp_path / "*") is None


def test_parquet_of_another_program_is_refused(tmp_path):
    path = tmp_path / "x.parquet"
    duckdb.sql(f"COPY (SELECT 0.5 AS score, 1 AS negatives) TO '{path}' (FORMAT parquet)")
    with refused(FileError, "it is Parquet that another program wrote"):
        load(path)
    assert load_if_saved(path) is None


def test_a_saved_table_written_anew_by_another_program_is_refused(saved, tmp_path):
    """Nothing vouches for its numbers any more."""
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "x.parquet"
    parquet.write_table(parquet.read_table(saved), path)
    with refused(FileError, "is damaged"):
        load(path)


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        (3, "was saved by a newer version of costspace (schema 3, this one reads 2): upgrade"),
        (1, "was saved by another version of costspace (schema 1, this one reads 2): save"),
        ("2", "was saved by another version of costspace (schema '2', this one reads 2)"),
    ],
)
def test_another_schema_is_refused(path, monkeypatch, schema, text):
    monkeypatch.setattr(table_file, "SCHEMA", schema)
    save(path, {"m": counts()})
    monkeypatch.undo()
    with refused(FileError, text):
        load(path)


@pytest.mark.parametrize(
    "about",
    [
        {"schema": 2},
        {"schema": 2, "models": [{"name": "a", "cells": "float64", "columns": ["score"]}]},
        {"schema": 2, "folds": 0, "models": [{"name": "a"}]},
        {"schema": 2, "folds": 0, "models": [{"name": "a", "cells": "x", "columns": []}]},
        {"schema": 2, "folds": 0, "models": [{"name": "a", "cells": 3, "columns": ["key"]}]},
        {"schema": 2, "folds": 0, "models": 3},
        [],
    ],
)
def test_a_description_that_does_not_fit_is_refused(path, monkeypatch, about):
    dumps = json.dumps
    monkeypatch.setattr(table_file.json, "dumps", lambda _: dumps(about))
    save(path, {"a": counts()})
    monkeypatch.undo()
    with pytest.raises(FileError, match=re.escape(str(path))):
        load(path)


def test_a_file_cut_short_is_refused(saved, tmp_path):
    content = saved.read_bytes()
    path = tmp_path / "cut.parquet"
    for percent in range(100):
        path.write_bytes(content[: len(content) * percent // 100])
        with refused(FileError, str(path)):
            load(path)
    path.write_bytes(content + b"\0")
    with refused(FileError, "is damaged or cut short"):
        load(path)


def test_a_file_with_any_byte_changed_is_refused(saved, tmp_path):
    content = saved.read_bytes()
    path = tmp_path / "damaged.parquet"
    random = np.random.default_rng(0)
    places = {*range(12), *range(len(content) - 12, len(content))}
    places |= set(random.integers(0, len(content), 300).tolist())
    for place in sorted(places):
        changed = bytearray(content)
        changed[place] ^= 1 << int(random.integers(8))
        path.write_bytes(changed)
        with refused(FileError, str(path)):
            load(path)
    path.write_bytes(content)
    assert load(path).keys() == {"a", "b"}


def test_models_are_chosen_by_name(saved):
    models = load(saved)
    assert list(chosen(models, ["b"], saved)) == ["b"]
    with refused(FileError, "has no model 'c': it has 'a', 'b'."):
        chosen(models, ["c"], saved)
    with refused(FileError, "has no model 'aa': did you mean 'a'?"):
        chosen(models, ["aa"], saved)


def test_without_duckdb(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with refused(MissingExtraError, "pip install 'costspace[cli]'"):
        save(path, {"m": counts()})
    assert not path.exists()


# Saves a large table as the command line does, over and over.
_WRITING = """
import sys
import numpy as np
import pyarrow as pa
import costspace as cs
from costspace.cli import application
from costspace.frames import save

n = 300_000
sums = cs.summaries.CellSums(np.ones((2, n), dtype=np.int64))
large = cs.ScoreCounts(np.sort(np.random.default_rng(0).random(n)), sums)

def write():
    print("writing", flush=True)
    while True:
        save(sys.argv[1], {"large": large})

application.command_of = lambda arguments: write
application.main(["write"])
"""


@pytest.mark.parametrize("before", ["nothing", "an old file"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_killed_leaves_a_whole_file_or_none(tmp_path, number, before):
    path = tmp_path / "kept" / "day.parquet"
    path.parent.mkdir()
    if before != "nothing":
        save(path, {"old": counts()})
    run = subprocess.Popen(
        [sys.executable, "-c", _WRITING, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "writing\n"
    end = time.monotonic() + 30
    # In mid-write there is a file of another name.
    while not [p for p in path.parent.iterdir() if p != path] and time.monotonic() < end:
        time.sleep(0.002)
    run.send_signal(number)
    try:
        run.communicate(timeout=60)
    finally:
        run.kill()
    assert run.returncode == (-number if number == signal.SIGKILL else {15: 143, 2: 130}[number])
    left = set(path.parent.iterdir()) - {path}
    if number != signal.SIGKILL:
        assert not left
    assert all(part.name.startswith(".day.parquet.") for part in left)
    if path.exists():
        assert load(path).keys() <= {"old", "large"}
    else:
        assert before == "nothing"
    shutil.rmtree(path.parent)


def test_permissions_are_the_usual_ones(path):
    usual = path.parent / "usual"
    usual.write_text("")
    save(path, {"m": counts()})
    assert path.stat().st_mode == usual.stat().st_mode


FORGED = {
    "no cells": {"about": described(0, cells=None)},
    "unknown cells": {"about": described(0, cells="wrong")},
    "other cells": {"about": described(0, cells="runs")},
    "bins of no binning": {"about": described(1, cells="float64")},
    "folds that it has not": {"about": lambda about: about | {"folds": 3}},
    "no name": {"about": described(0, name=None)},
    "a name that is none": {"about": described(0, name=3)},
    "one name twice": {"about": described(0, name="b")},
    "a name of no rows": {"about": described(0, name="z")},
    "scores of another type": {"about": described(0, cells="int8")},
    "scores of objects": {"about": described(0, cells="O")},
    "no columns": {"about": described(0, columns=[])},
    "columns that are no names": {"about": described(0, columns=[1, None])},
    "columns of another kind": {"about": described(0, columns=["key", "negatives", "positives"])},
    "columns in another order": {
        "about": described(0, columns=["score", "positives", "negatives"])
    },
    "a binning that is none": {"about": described(1, cells={"pieces": [[0, 1, 4]]})},
    "a binning without bounds": {"about": described(1, cells={"pieces": [[0, 10**400, 4, "log"]]})},
    "another binning": {"about": described(1, cells={"pieces": [[0, 9, 4, "linear"]]})},
    "no models": {"about": lambda about: about | {"models": []}},
    "models that are none": {"about": lambda about: about | {"models": [3]}},
    "a schema that is none": {"about": lambda about: about | {"schema": True}},
    "no description": {"about": lambda _: None},
    "a deep description": {"about": lambda _: b"[" * 100_000},
    "a description that is no text": {"about": lambda _: b"\xff\xfe"},
    "counts that are missing": {"columns": cells("negatives", None, 0)},
    "counts below zero": {"columns": cells("negatives", -1, 0)},
    "counts beyond any": {"columns": cells("negatives", 2**62, 0, 1, 2)},
    "counts that are no whole numbers": {"columns": cells("negatives", 0.5, 0, kind=pa.float64())},
    "counts that are text": {"columns": cells("negatives", "x", 0, kind=pa.string())},
    "scores that are missing": {"columns": cells("score", None, 0)},
    "scores that are NaN": {"columns": cells("score", np.nan, 4)},
    "scores in disorder": {"columns": cells("score", 7.0, 0)},
    "rows of no model": {"columns": cells("model", None, 0)},
    "rows of another model": {"columns": cells("model", "z", 0)},
    "keys that are missing": {"columns": cells("key", None, 6)},
    "keys beyond the last": {"columns": cells("key", 1e9, 8)},
    "lows that are missing": {"columns": cells("negatives_low", None, 5)},
    "lows outside their bin": {"columns": cells("negatives_low", -5e300, 5)},
    "sums that are missing": {"columns": cells("negatives_score_sum", None, 5)},
    "sums that are NaN": {"columns": cells("negatives_score_sum", np.nan, 5)},
    "sums below what scores add up to": {"columns": cells("negatives_score_sum", -1.0, 5)},
    "squares above what scores add up to": {"columns": cells("negatives_score_squares", 9.0, 5)},
    "weights that are missing": {"columns": cells("negatives_weight", None, 0)},
    "weights of no rows": {"columns": cells("negatives_weight", 1.0, 4)},
    "squares of no weights": {"columns": cells("negatives_squares", 1e9, 0)},
    "weights beyond any": {"columns": cells("negatives_weight", 1e308, 0)},
    "a column missing": {"columns": lambda table: table.drop_columns(["key"])},
    "a column more": {"columns": lambda table: table.append_column("more", table.column(1))},
    "rows twice": {"columns": lambda table: pa.concat_tables([table, table])},
}


@pytest.mark.parametrize("name", FORGED)
def test_a_table_that_is_forged_is_refused(name, path):
    forge(saved_table(path, weighted="weight" in name), **FORGED[name])
    with refused(FileError, str(path)):
        load(path)


def test_no_command_takes_a_table_that_is_forged(path, tmp_path, capsys):
    forge(saved_table(path), **FORGED["counts that are missing"])
    words = f"{path} is not a valid saved table: column 'negatives' has missing cells."
    for command in (["evaluate", path], ["merge", path, "-o", tmp_path / "sum.parquet"]):
        assert refused_by_command(capsys, *command) == words


@pytest.mark.parametrize("weighted", [False, True])
def test_a_table_that_is_only_sealed_anew_is_read(path, weighted):
    before = load(saved_table(path, weighted=weighted))
    for name, one in load(forge(path)).items():
        same(before[name], one)
