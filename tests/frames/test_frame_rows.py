"""Rows of dataframes are those of a file with the same cells."""

import numpy as np
import pyarrow as pa
import pytest
from refusals import refused

import costspace as cs

N = 60
GENERATOR = np.random.default_rng(4)
LABELS = ["yes" if i % 3 == 0 else "no" for i in range(N)]
COLUMNS = {
    "outcome": LABELS,
    "a b": GENERATOR.random(N).tolist(),
    "points": GENERATOR.integers(0, 900, N).tolist(),
    "w": (1.0 + GENERATOR.random(N)).tolist(),
    "amount": (50 + GENERATOR.random(N)).tolist(),
    "patient": [f"p{i // 2}" for i in range(N)],
}
ASKED = {
    "label": "outcome",
    "scores": ["a b", "-points"],
    "positive": "yes",
    "weight": "w",
    "costs": {"fp_cost": 3, "fn_cost": "amount"},
    "groups": "patient",
}


def test_they_are_those_of_a_file(engine, tmp_path):
    from pyarrow import parquet

    file = tmp_path / "rows.parquet"
    parquet.write_table(pa.table(COLUMNS), file)
    rows, read = cs.read_rows(engine.frame(**COLUMNS), **ASKED), cs.read_rows(file, **ASKED)
    np.testing.assert_array_equal(rows.positive, read.positive)
    assert list(rows.scores) == list(read.scores)
    for name in read.scores:
        np.testing.assert_array_equal(rows.scores[name], read.scores[name])
    np.testing.assert_array_equal(rows.weight, read.weight)
    np.testing.assert_array_equal(rows.groups, read.groups)
    np.testing.assert_array_equal(rows.costs.fn_cost, read.costs.fn_cost)
    assert cs.decide(rows).recommendation == cs.decide(read).recommendation


@pytest.mark.parametrize("labels", [[0, 1, 1], [True, False, True], [-1.0, 1.0, -1.0]])
def test_labels_that_tell_themselves(engine, labels):
    rows = cs.read_rows(engine.frame(y=labels, s=[0.1, 0.2, 0.3]), label="y", scores=["s"])
    assert rows.positive.tolist() == [label > 0 for label in labels]


def test_bad_frames(engine):
    frame = engine.frame(**COLUMNS)
    with refused(cs.FileError, "the frame has no column 'point': did you mean 'points'"):
        cs.read_rows(frame, label="outcome", scores=["point"], positive="yes")
    with refused(cs.LabelError, "say which is the positive class"):
        cs.read_rows(frame, label="outcome", scores=["points"])
    with refused(cs.FileError, "the score column 'points' is asked for twice"):
        cs.read_rows(frame, label="outcome", scores=["points", "points"], positive="yes")
    with refused(cs.ConditionError, "costs need fp_cost and fn_cost"):
        cs.read_rows(frame, **{**ASKED, "costs": {"fp_cost": 1}})
    holed = engine.frame(y=[0, None, 1], s=[0.1, 0.2, None])
    with refused(cs.LabelError, "y_true has a missing label in row 2"):
        cs.read_rows(holed, label="y", scores=["s"])
    with refused(cs.ScoreError, "the scores of 's' have a missing value"):
        cs.read_rows(engine.frame(y=[0, 1, 1], s=[0.1, 0.2, None]), label="y", scores=["s"])
    with refused(cs.LabelError, "the frame has no rows to evaluate"):
        none = engine.frame(y=pa.array([], pa.int64()), s=pa.array([], pa.float64()))
        cs.read_rows(none, label="y", scores=["s"])
    with refused(cs.SourceError, "predictions must be in a dataframe, got 3"):
        cs.read_rows(3, label="y", scores=["s"])
