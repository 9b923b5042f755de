"""Rows of every engine's dataframe, counted in folds and decided on: the same as in memory."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import costspace as cs
from costspace.decision import HeldOutCounts
from costspace.errors import ConditionError, LabelError, SourceError
from costspace.frames import held_out_counts
from costspace.summaries.folded_rows import FoldedRows
from costspace.summaries.joint import fold_by_number

ROWS, FOLDS = 2000, 3
RNG = np.random.default_rng(5)
Y = (RNG.random(ROWS) < 0.3).astype(int)
COLUMNS = {
    "y": Y,
    "a": RNG.normal(Y),
    "b": RNG.normal(1.5 * Y).round(1),
    "id": np.arange(ROWS),
}
KNOWN = cs.Deployment(fp_cost=1, fn_cost=(2, 20), prevalence=0.1)
ASKED = {"label": "y", "score": ["a", "b"], "folds": FOLDS}


@pytest.fixture(scope="module")
def expected() -> HeldOutCounts:
    rows = cs.ScoredRows.from_predictions(Y, {name: COLUMNS[name] for name in "ab"})
    return HeldOutCounts(FoldedRows(rows, fold_by_number(ROWS, FOLDS), FOLDS))


def framed(engine: Any, **changed: Any) -> Any:
    """The rows in another order, which numbers tell."""
    order = RNG.permutation(ROWS)
    return engine.frame(**{name: column[order] for name, column in {**COLUMNS, **changed}.items()})


def test_decisions_are_those_of_rows_in_memory(engine: Any, expected: HeldOutCounts) -> None:
    found = held_out_counts(framed(engine), number="id", **ASKED)
    one, other = (cs.decide(rows, conditions=KNOWN) for rows in (found, expected))
    assert one.to_dict() == other.to_dict()
    one, other = (cs.compare_money(rows, conditions=KNOWN) for rows in (found, expected))
    assert one.to_dict() == other.to_dict()


def test_rows_go_by_their_order_where_they_have_one(engine: Any, expected: HeldOutCounts) -> None:
    frame = engine.frame(**COLUMNS)
    if engine.name == "spark":
        with pytest.raises(SourceError, match="rows of Spark have no order: name a column"):
            held_out_counts(frame, **ASKED)
        return
    found = held_out_counts(frame, **ASKED)
    for name in "ab":
        counts, same = found.source.counted(name), expected.source.counted(name)
        np.testing.assert_array_equal(counts.sums.rows, same.sums.rows)


def test_numbers_that_tell_no_rows_apart(engine: Any) -> None:
    told = r"column 'id' has .*: name a column of unique whole numbers"
    with pytest.raises(SourceError, match=told):
        held_out_counts(framed(engine, id=COLUMNS["id"] + 0.5), number="id", **ASKED)


def test_missing_numbers() -> None:
    numbers = pd.array([None, *range(1, ROWS)], dtype="Int64")
    frame = pd.DataFrame({**COLUMNS, "id": numbers})
    with pytest.raises(SourceError, match="column 'id' misses 1 numbers"):
        held_out_counts(frame, number="id", **ASKED)


def test_what_does_not_go_with_counted_rows(expected: HeldOutCounts) -> None:
    decide = cs.decide
    with pytest.raises(SourceError, match="HeldOutCounts have that already: leave out y_score"):
        decide(expected, COLUMNS["a"], conditions=KNOWN)
    with pytest.raises(SourceError, match="judged so: leave out the validation rows"):
        decide(expected, conditions=KNOWN, validation=(Y, {"a": COLUMNS["a"], "b": COLUMNS["b"]}))
    with pytest.raises(
        ConditionError, match="baseline of rows that are divided already is the name"
    ):
        decide(expected, conditions=KNOWN, baseline=Y)
    with pytest.raises(ConditionError, match="what decisions cost is needed"):
        decide(expected)
    assert decide(expected, conditions=KNOWN, baseline=("a", 1.0)).to_dict()


def test_folds() -> None:
    frame = pd.DataFrame(COLUMNS)
    with pytest.raises(ConditionError, match="folds must be"):
        held_out_counts(frame, **{**ASKED, "folds": 1})
    rare = pd.DataFrame({**COLUMNS, "y": np.arange(ROWS) == 7})
    with pytest.raises(LabelError, match="has no positive row"):
        held_out_counts(rare, **ASKED)
