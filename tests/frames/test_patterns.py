"""Many columns of scores are named at once."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import costspace as cs
from tests.helpers.refusals import refused

NAMES = ["y", "model_a", "model_b", "other", "w", "g", "cost"]


@pytest.fixture(params=["csv", "parquet", "frame"])
def data(request, tmp_path):
    columns = {name: [0.1, 0.7, 0.4, 1] for name in NAMES} | {"model_*b": [0.5] * 4}
    columns["y"] = [0, 1, 0, 1]
    if request.param == "frame":
        return pa.table(columns)
    path = tmp_path / f"rows.{request.param}"
    if request.param == "csv":
        pa.table(columns).to_pandas().to_csv(path, index=False)
    else:
        pq.write_table(pa.table(columns), path)
    return path


def scores(data, *names, **more):
    return list(cs.read_rows(data, label="y", scores=names, **more).scores)


@pytest.mark.filterwarnings("ignore::costspace.DataWarning")
def test_a_pattern_names_the_columns_that_match_and_are_nothing_else(data):
    assert scores(data, "model_*") == ["model_a", "model_b", "model_*b"]
    assert scores(data, "1-model_*", "other") == [
        "1-model_a",
        "1-model_b",
        "1-model_*b",
        "other",
    ]
    # What is named alone keeps its place, and is there once.
    assert scores(data, "model_b", "*_a", "mod*") == ["model_b", "model_a", "model_*b"]
    # A column that really has the name wins.
    assert scores(data, "model_*b") == ["model_*b"]
    costs = {"fp_cost": 2, "fn_cost": "2*cost + 3"}
    found = scores(data, "*", weight="w", groups="g", costs=costs)
    assert found == ["model_a", "model_b", "other", "model_*b"]
    assert scores(data, "all-but:w, g,cost") == ["model_a", "model_b", "other", "model_*b"]
    assert scores(data, "all-but:w,g,cost,model_b*,model_a") == ["other", "model_*b"]


def test_a_pattern_that_adds_nothing_is_refused(data):
    with refused(cs.errors.FileError, "no column of scores that 'modle_*' matches: did you mean"):
        scores(data, "modle_*")
    with refused(cs.errors.FileError, "has no column 'othr': did you mean 'other'"):
        scores(data, "all-but:othr")
    with refused(cs.errors.FileError, "has no column for 'o*' that is not named otherwise"):
        scores(data, "other", "o*")
    with refused(cs.errors.FileError, "no column of scores that 'y*' matches"):
        scores(data, "y*")
    with refused(cs.errors.FileError, "the score column 'other' is asked for twice"):
        scores(data, "other", "other")
