"""Concavities of a ROC curve, and their repair."""

from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs

# Ascending: a positive below two negatives, a block that is convex, a negative above a positive.
Y = [0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1]
S = [0.0, 0.1, 0.2, 0.3, 0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
TABLE = cs.ScoreTable.from_predictions(Y, S)


def scores_of(table: cs.ScoreTable) -> tuple[list[float], list[float]]:
    return table.negatives.values.tolist(), table.positives.values.tolist()


def test_concavities_and_their_gains() -> None:
    found = cs.transform.concavities(TABLE)
    assert found.low.tolist() == pytest.approx([0.05, 0.45])
    assert found.high.tolist() == pytest.approx([0.35, 0.75])
    # Of 5 x 6 pairs, in halves: two wrongly ordered ones in the first, two in the second.
    assert found.auc_gained.tolist() == pytest.approx([2 / 60, 2 / 60])
    assert list(found.columns()) == ["low", "high", "auc_gained"]
    with pytest.raises(ValueError, match="read-only"):
        found.low[0] = 1


def test_a_convex_curve_has_none() -> None:
    for y in ([0, 0, 0, 1, 1], [0, 0, 1, 0, 1, 1]):
        scores = [1, 2, 3, 3, 4, 5][: len(y)] if len(y) == 6 else [1, 2, 3, 4, 5]
        found = cs.transform.concavities(cs.ScoreTable.from_predictions(y, scores))
        assert len(found.low) == len(found.high) == len(found.auc_gained) == 0


def test_rounding_of_weights_is_no_concavity() -> None:
    # Every fourth row of each score is positive: the curve is the diagonal, up to rounding.
    repeats = np.array([1, 3, 3, 3, 1])
    y, s = np.tile([0, 1, 1, 1], 11), np.repeat(np.arange(5), 4 * repeats)
    for weight in (0.1, 1 / 3, 1e-7):
        table = cs.ScoreTable.from_predictions(y, s, sample_weight=np.full(44, weight))
        assert len(cs.transform.concavities(table).low) == 0


def test_a_wrong_ranking_is_one_concavity() -> None:
    table = cs.ScoreTable.from_predictions([1, 1, 0, 0], [1, 2, 3, 4])
    found = cs.transform.concavities(table)
    assert (found.low[0], found.high[0], found.auc_gained[0]) == (-np.inf, np.inf, 0.5)
    assert cs.transform.repair_concavity(table, low=-np.inf, high=np.inf).auc == 0.5
    assert cs.transform.repair_concavity(table, low=-np.inf, high=np.inf, how="invert").auc == 1


def test_randomising_ties_at_the_mean() -> None:
    negatives, positives = scores_of(cs.transform.repair_concavity(TABLE, low=0.05, high=0.35))
    assert negatives == pytest.approx([0, 0.2, 0.2, 0.4, 0.7])
    assert positives == pytest.approx([0.2, 0.4, 0.5, 0.6, 0.8, 0.9])


def test_the_mean_is_of_the_weights_and_the_prevalence() -> None:
    table = cs.ScoreTable.from_predictions(Y, S, sample_weight=[1, 2, *[1] * 9])
    assert cs.transform.repair_concavity(table, low=0.05, high=0.35).positives.values[
        0
    ] == pytest.approx(0.7 / 4)
    rare = cs.transform.repair_concavity(TABLE.with_prevalence(0.1), low=0.05, high=0.35)
    mean = (0.9 / 5 * (0.2 + 0.3) + 0.1 / 6 * 0.1) / (0.9 / 5 * 2 + 0.1 / 6)
    assert rare.positives.values[0] == pytest.approx(mean)
    assert rare.prevalence == 0.1


def test_inverting_keeps_the_scores_and_moves_the_rows() -> None:
    weight = np.arange(1.0, 12)
    table = cs.ScoreTable.from_predictions(Y, S, sample_weight=weight)
    inverted = cs.transform.repair_concavity(table, low=0.05, high=0.45, how="invert")
    # .1 and .4 change places, and so do .2 and .3; the ends of the range are in between.
    image = {0.1: 0.4, 0.2: 0.3, 0.3: 0.2, 0.4: 0.1}
    moved = cs.ScoreTable.from_predictions(Y, [image.get(s, s) for s in S], sample_weight=weight)
    for name in ("negatives", "positives"):
        found, expected = getattr(inverted, name), getattr(moved, name)
        assert found.values.tolist() == expected.values.tolist()
        assert found.weights.tolist() == expected.weights.tolist()


def test_the_range_holds_its_upper_end_only() -> None:
    assert cs.transform.repair_concavity(TABLE, low=0.1, high=0.3).positives.values[0] == 0.1
    assert scores_of(cs.transform.repair_concavity(TABLE, low=0.1, high=0.3))[0][
        1:3
    ] == pytest.approx([0.25, 0.25])
    # One score alone stays where it is.
    for how in ("randomise", "invert"):
        assert scores_of(
            cs.transform.repair_concavity(TABLE, low=0.75, high=0.8, how=how)
        ) == scores_of(TABLE)


def test_infinite_scores() -> None:
    scores = [-np.inf, -np.inf, 0.0, 1.0, np.inf]
    table = cs.ScoreTable.from_predictions([0, 0, 1, 0, 1], scores)
    found = cs.transform.concavities(table)
    assert len(found.low) == 1
    # The scores of -inf are outside, though no threshold but -inf is below 0 by half.
    repaired = cs.transform.repair_concavity(table, low=found.low[0], high=found.high[0])
    assert repaired.negatives.values == pytest.approx([-np.inf, -np.inf, 0.5])
    assert repaired.positives.values == pytest.approx([0.5, np.inf])
    assert (
        cs.transform.repair_concavity(table, low=-np.inf, high=1).negatives.values.tolist()
        == [-np.inf] * 3
    )
    with refused(cs.ScoreError, "scores of -inf and inf have no mean to tie them at"):
        cs.transform.repair_concavity(table, low=-np.inf, high=np.inf)
    inverted = cs.transform.repair_concavity(table, low=-np.inf, high=np.inf, how="invert")
    assert scores_of(inverted) == ([0.0, np.inf, np.inf], [-np.inf, 1.0])


def test_single_precision_is_inverted() -> None:
    table = cs.ScoreTable.from_predictions(Y, np.array(S, dtype=np.float32))
    inverted = cs.transform.repair_concavity(table, low=0.05, high=0.35, how="invert")
    assert inverted.auc == pytest.approx(TABLE.auc + 4 / 60)
    assert cs.transform.repair_concavity(table, low=0.05, high=0.35).auc == pytest.approx(
        TABLE.auc + 2 / 60
    )


def test_rows_of_weight_zero_stay_counted() -> None:
    table = cs.ScoreTable.from_predictions(Y, S, sample_weight=[0, *[1] * 10])
    for how in ("randomise", "invert"):
        assert repr(cs.transform.repair_concavity(table, low=0.05, high=0.35, how=how)) == repr(
            table
        )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"low": 0.5, "high": 0.5}, "low must be below high, got low=0.5 and high=0.5."),
        ({"low": 0.5, "high": 0.2}, "low must be below high, got low=0.5 and high=0.2."),
        ({"low": np.nan, "high": 0.2}, "low must be a number, got nan."),
        ({"low": 0.1, "high": "b"}, "high must be a number, got 'b'."),
        ({"low": 0.41, "high": 0.49}, "there are no scores above 0.41 and up to 0.49 to repair."),
        (
            {"low": 0.1, "high": 0.5, "how": "mirror"},
            "how must be 'randomise' or 'invert', got 'mirror'.",
        ),
        ({"low": 0.1, "high": 0.5, "how": None}, "how must be 'randomise' or 'invert', got None."),
    ],
)
def test_what_cannot_be_repaired(arguments: Any, text: str) -> None:
    with refused(cs.ConditionError, text):
        cs.transform.repair_concavity(TABLE, **arguments)


def test_both_need_a_table() -> None:
    with refused(cs.SourceError, "concavities needs the rows of a ScoreTable, got None."):
        cs.transform.concavities(None)  # type: ignore[arg-type]
    with refused(cs.SourceError, "repair_concavity needs the rows of a ScoreTable, got None."):
        cs.transform.repair_concavity(None, low=0, high=1)  # type: ignore[arg-type]
