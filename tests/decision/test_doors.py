"""What `decide` takes: frames and arrays of scores of several models, and rows of files."""

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from refusals import refused

import costspace as cs

RNG = np.random.default_rng(4)
Y = RNG.permutation(np.repeat([0, 1], 30))
SCORES = {f"m{i}": np.clip(0.3 + 0.3 * Y + RNG.normal(0, 0.2, 60), 0, 1) for i in range(3)}
KNOWN = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.2)
EXPECTED = cs.decide(Y, SCORES, conditions=KNOWN)


def models(decision: cs.Decision) -> list[str]:
    named = (fit.strategy.model for fit in decision.fits)
    return list(dict.fromkeys(model for model in named if model is not None))


def money(decision: cs.Decision) -> list[float]:
    return [one.money for one in decision.strategies]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_of_scores(frame) -> None:
    found = cs.decide(Y, frame(SCORES), conditions=KNOWN)
    assert models(found) == list(SCORES)
    assert money(found) == money(EXPECTED)
    assert list(cs.evaluate(Y, frame(SCORES)).models) == list(SCORES)


def test_an_array_of_columns() -> None:
    found = cs.decide(Y, np.stack(list(SCORES.values()), axis=1), conditions=KNOWN)
    assert models(found) == ["y_score_0", "y_score_1", "y_score_2"]
    assert money(found) == money(EXPECTED)


def test_probabilities_of_both_classes_are_no_two_models() -> None:
    both = np.stack([1 - SCORES["m0"], SCORES["m0"]], axis=1)
    with refused(cs.ScoreError, "(60, 2): give only predict_proba's column of the positive"):
        cs.decide(Y, both, conditions=KNOWN)
    with refused(cs.ScoreError, "must have one dimension, got shape (60, 2, 2)"):
        cs.decide(Y, np.zeros((60, 2, 2)), conditions=KNOWN)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_a_decision_is_applied_to_what_it_was_made_on(kind) -> None:
    model = EXPECTED.recommendation.model
    expected = EXPECTED.apply(SCORES[str(model)]).action.tolist()
    assert EXPECTED.apply(kind(SCORES)).action.tolist() == expected
    columns = np.stack(list(SCORES.values()), axis=1)
    assert cs.decide(Y, columns, conditions=KNOWN).apply(columns).action.tolist() == expected
    with refused(cs.ScoreError, "and there are scores of 'other': give scores of it."):
        EXPECTED.apply(kind({"other": Y}))


def test_masked_scores_are_missing() -> None:
    columns = np.ma.masked_less(np.stack(list(SCORES.values()), axis=1), 0)
    assert money(cs.decide(Y, columns, conditions=KNOWN)) == money(EXPECTED)
    columns[4, 1] = np.ma.masked
    with refused(cs.ScoreError, "'y_score_1' have a missing value (masked) in row 5"):
        cs.decide(Y, columns, conditions=KNOWN)


def test_frames_that_hold_no_columns_of_scores() -> None:
    frame = pl.DataFrame(SCORES)
    for lazy in (frame.lazy(), duckdb.from_arrow(frame.to_arrow())):
        with refused(cs.ScoreError, f"scores are in a lazy {type(lazy).__name__}: collect its"):
            cs.decide(Y, lazy, conditions=KNOWN)
    twice = pd.DataFrame(np.zeros((60, 2)), columns=[0, "0"])
    with refused(cs.ScoreError, "two models have the same name: [0, '0']."):
        cs.decide(Y, twice, conditions=KNOWN)


def test_rows_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    pd.DataFrame({"y": Y, **SCORES}).to_csv(path, index=False)
    rows = cs.read_rows(path, label="y", scores=list(SCORES))
    assert money(cs.decide(rows, conditions=KNOWN)) == money(EXPECTED)
    assert "read_rows" in dir(cs)
    lacking = "leave out y_score. These ScoredRows have no groups: give groups where the rows are"
    with refused(cs.SourceError, lacking):
        cs.decide(rows, SCORES, conditions=KNOWN, groups=Y)
    with refused(cs.SourceError, "y_score is missing"):
        cs.decide(Y, conditions=KNOWN)
    with pytest.raises(AttributeError, match="no attribute 'read_row'"):
        _ = cs.read_row


@pytest.mark.parametrize("verb", [cs.decide, cs.compare_money])
@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_a_batch_that_is_missing_is_none(verb: Any, missing: Any) -> None:
    days: Any = [f"day {i // 12}" for i in range(60)]
    asked = {"conditions": KNOWN, "constraints": cs.Constraints(capacity=0.2)}
    verb(Y, SCORES, batch=days, **asked)
    days[30] = missing
    for batch in (days, pd.Series(days), np.array(days, dtype=object)):
        with refused(cs.SourceError, "batch has a missing value in row 31: fill or drop it."):
            verb(Y, SCORES, batch=batch, **asked)
    with refused(cs.SourceError, "batch has 3 values for 60 rows: give one a row."):
        verb(Y, SCORES, batch=[1, 2, 3], **asked)


@pytest.mark.parametrize(
    ("score", "told"),
    [
        (1.2, "m0: validation rows have scores outside [0, 1], the furthest 1.2."),
        (
            *(1 + 3e-7,),
            "m0: of validation rows rounding took scores beyond [0, 1]: 1.0000003 counts as 1.",
        ),
        (1.0, ""),
    ],
)
def test_scores_of_validation_rows_beyond_0_and_1_are_told(score: float, told: str) -> None:
    others = {name: np.where(np.arange(60) == 3, score, of) for name, of in SCORES.items()}
    found = cs.decide(
        Y, {"m0": SCORES["m0"]}, conditions=KNOWN, validation=(Y, {"m0": others["m0"]})
    )
    text = found.recommendation.text
    assert told in text
    assert ("[0, 1]" in text) == bool(told)
    lacks = "m0 has no score-driven strategy: 1 of 120 scores is outside [0, 1]"
    assert (lacks in text) == (score == 1.2)


def test_rows_of_weight_0_change_nothing() -> None:
    """Nor how often the others are cut into folds."""
    rng = np.random.default_rng(0)
    y = np.arange(800) % 3 == 0
    scores = {"m": 1 / (1 + np.exp(1 - rng.normal(1.5 * y)))}
    weight = (np.arange(800) < 400).astype(float)
    whole = cs.decide(y, scores, conditions=KNOWN, sample_weight=weight)
    part = cs.decide(y[:400], {"m": scores["m"][:400]}, conditions=KNOWN)
    assert whole.recommendation.text == part.recommendation.text
    assert whole.recommendation.money == pytest.approx(part.recommendation.money)
