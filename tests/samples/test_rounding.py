"""Scores that rounding took beyond [0, 1] count as its ends, wherever they are read."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace.frames import held_out_counts
from costspace.metrics import METRICS
from costspace.samples.rounding import only_rounding
from costspace.summaries.runs import as_read, in_folds

BEYOND = [1 + 2**-52, 1.0000001, 1 + 1e-6, -5e-324, -1e-17, -1e-6]
FAR = [1.0000011, -1.1e-6, 1.00001, 37.2, -4.0]


def sample(seed: int, rows: int = 300) -> tuple[np.ndarray, np.ndarray]:
    """Labels, and scores of two decimals, of which some are 0 and 1."""
    rng = np.random.default_rng(seed)
    y = (np.arange(rows) % 3 == 0).astype(int)
    return y, np.clip(np.round(0.4 + 0.2 * y + 0.25 * rng.normal(size=rows), 2), 0, 1)


def with_one(s: np.ndarray, score: float, row: int = 0) -> np.ndarray:
    found = s.copy()
    found[row] = score
    return found


@pytest.mark.parametrize("score", BEYOND)
def test_a_score_beyond_by_rounding_is_at_the_end(score: float) -> None:
    y, s = sample(1)
    given, meant = with_one(s, score), with_one(s, float(np.clip(score, 0, 1)))
    found, expected = (cs.evaluate(y, {"m": scores}).models["m"] for scores in (given, meant))
    assert found.metrics == expected.metrics
    assert found.expected_loss == expected.expected_loss
    end = 1 if score > 1 else 0
    assert dict(found.notes) == {
        "rounded": f"rounding took scores beyond [0, 1]: {score!r} counts as {end}."
    }
    assert expected.notes == {}
    for metric in METRICS.values():
        assert metric(y, given) == metric(y, meant)


@pytest.mark.parametrize("score", FAR)
def test_a_score_further_beyond_is_as_it_is(score: float) -> None:
    y, s = sample(1)
    table = cs.ScoreTable.from_predictions(y, with_one(s, score))
    assert score in table.score_range
    assert table.rounded == ""
    low, high = (f"{end!r}".removesuffix(".0") for end in table.score_range)
    with refused(cs.ScoreError, f"needs scores in [0, 1], got scores from {low} to {high}: "):
        cs.brier_score(table)


def test_small_scores_of_both_signs_are_no_rounded_probabilities() -> None:
    y, s = sample(1)
    small = (s - 0.5) * 1e-6
    assert cs.auc(y, small) == cs.auc(y, s)
    assert cs.ScoreTable.from_predictions(y, small).rounded == ""
    assert not only_rounding(-5e-7, 5e-7)
    assert only_rounding(-1e-17, 3e-5)


def test_infinite_scores_are_never_rounded() -> None:
    y, s = sample(1)
    assert cs.ScoreTable.from_predictions(y, with_one(s, np.inf)).score_range[1] == np.inf


def test_labels_and_float32() -> None:
    y, s = sample(1)
    short = with_one(s, 1.0).astype(np.float32)
    short[0] = np.nextafter(np.float32(1), np.float32(2))
    table = cs.ScoreTable.from_predictions(y, short)
    assert table.rounded.endswith("1.0000001 counts as 1.")
    assert cs.auc(table) == cs.auc(y, np.minimum(short, np.float32(1)))


@given(st.integers(0, 10_000), st.data())
def test_rounding_noise_changes_no_decision(seed: int, data: Any) -> None:
    y, s = sample(seed, 60)
    ends = np.flatnonzero((s == 0) | (s == 1))
    assume(len(ends))
    row = data.draw(st.sampled_from(ends.tolist()))
    noise = data.draw(st.floats(0, 1e-6))
    assume(s[row] + noise > 1 or s[row] == 0)
    noisy = with_one(s, s[row] + noise if s[row] else -noise, row)
    known = cs.Deployment(
        fp_cost=1, fn_cost=data.draw(st.sampled_from([0.2, 1, 4])), prevalence=0.2
    )
    found, expected = (cs.decide(y, {"m": one}, conditions=known) for one in (noisy, s))
    assert found.recommendation.instruction == expected.recommendation.instruction
    assert found.recommendation.cost == expected.recommendation.cost
    assert [fit.money for fit in found.fits] == [fit.money for fit in expected.fits]


def parts_of(y: np.ndarray, s: np.ndarray, cuts: list[int]) -> list[tuple[np.ndarray, np.ndarray]]:
    ends = [0, *sorted(cuts), len(y)]
    return [(y[a:b], s[a:b]) for a, b in pairwise(ends) if a < b]


# Only all rows together tell that 1.0000001 is a probability: beside 37.2 it is none.
@pytest.mark.parametrize("last", [0.5, 1.0000002, -1e-17, 37.2, 1.00001])
@given(cuts=st.lists(st.integers(0, 300), max_size=4))
def test_parts_add_up_to_the_whole(last: float, cuts: list[int]) -> None:
    y, s = sample(2)
    s = with_one(with_one(s, 1.0000001), last, 299)
    whole = cs.ScoreTable.from_predictions(y, s)
    parts = parts_of(y, s, cuts)
    counts = [cs.ScoreCounts.from_predictions(*part, pos_label=1) for part in parts]
    same_table(sum(counts[1:], counts[0]).table(), whole)
    tables = [cs.ScoreTable.from_predictions(*part) for part in parts if 0 < part[0].mean() < 1]
    if len(tables) == len(parts):
        same_table(sum(tables[1:], tables[0]), whole)
    bins = [
        cs.ScoreCounts.from_predictions(*part, pos_label=1, binning=cs.Binning.uniform())
        for part in parts
    ]
    binned = sum(bins[1:], bins[0])
    assert binned.best.rounded == whole.rounded
    assert binned.best.score_range == whole.score_range
    assert (
        cs.bounds(binned, metric=cs.auc).low <= whole.auc <= cs.bounds(binned, metric=cs.auc).high
    )


def same_table(one: cs.ScoreTable, other: cs.ScoreTable) -> None:
    assert one.rounded == other.rounded
    assert one.score_range == other.score_range
    assert np.array_equal(one.by_score.breaks, other.by_score.breaks)
    assert one.auc == other.auc


def test_rows_keep_what_came() -> None:
    y, s = sample(1)
    given = with_one(s, 1.0000001)
    rows = cs.ScoredRows.from_predictions(y, {"m": given, "other": s})
    assert rows.scores["m"][0] == 1
    assert rows.scores["other"] is not rows.given.get("other")
    assert list(rows.given) == ["m"]
    assert rows.as_given["m"][0] == 1.0000001
    assert rows.take(np.arange(10)).as_given["m"][0] == 1.0000001
    assert given[0] == 1.0000001


def test_cells_that_meet_at_an_end_are_one() -> None:
    scores = np.array([-1e-7, 0.0, 0.4, 1.0, 1.0000001])
    counts = in_folds(scores, np.array([False, True, False, True, True]), np.zeros(5, dtype=int), 1)
    read = as_read(counts)
    assert read.cells.tolist() == [0, 0.4, 1]
    assert read.sums.rows.tolist() == [[[1, 1, 0], [1, 0, 2]]]


@pytest.mark.parametrize("score", [1.0000001, -1e-17])
def test_many_rows_in_folds(score: float) -> None:
    y, s = sample(3, 120_000)
    given, meant = with_one(s, score), with_one(s, float(np.clip(score, 0, 1)))
    known = cs.Deployment(fp_cost=1, fn_cost=4, prevalence=0.2)
    found, expected = (cs.decide(y, {"m": one}, conditions=known) for one in (given, meant))
    assert found.recommendation.money == expected.recommendation.money
    assert found.recommendation.instruction == expected.recommendation.instruction
    (warning,) = found.recommendation.warnings
    assert warning.startswith("m: rounding took scores beyond [0, 1]: ")


@pytest.mark.parametrize("score", [1.0000001, -1e-17])
def test_rows_counted_by_an_engine(score: float) -> None:
    pd = pytest.importorskip("pandas")
    y, s = sample(3, 6_000)
    known = cs.Deployment(fp_cost=1, fn_cost=4, prevalence=0.2)
    found = []
    for one in (score, float(np.clip(score, 0, 1))):
        frame = pd.DataFrame({"y": y, "m": with_one(s, one)})
        counts = held_out_counts(frame, label="y", score="m")
        found.append(cs.decide(counts, conditions=known).recommendation)
    assert found[0].money == found[1].money
    assert found[0].instruction == found[1].instruction
    assert found[0].warnings == (
        f"m: rounding took scores beyond [0, 1]: {score!r} counts as {int(score > 0)}.",
    )


@pytest.mark.parametrize("choice", [cs.ScoreDriven(), cs.Optimal(), cs.RateDriven()])
def test_shares_of_rows(choice: Any) -> None:
    y, s = sample(1)
    given, meant = with_one(s, 1.0000001), with_one(s, 1.0)
    found, expected = (cs.loss_shares(y, one, choice=choice) for one in (given, meant))
    assert np.array_equal(found, expected)


def test_application() -> None:
    y, s = sample(1)
    known = cs.Deployment(fp_cost=1, fn_cost=(2, 8), prevalence=0.3)
    decision = cs.decide(y, {"m": s}, conditions=known, known="costs", choices=[cs.ScoreDriven()])
    at = {"fp_cost": 1, "fn_cost": 4}
    found = decision.apply({"m": [1.0000001, -1e-17, 0.1, 0.5]}, **at)
    assert (
        found.action.tolist() == decision.apply({"m": [1.0, 0.0, 0.1, 0.5]}, **at).action.tolist()
    )
    # A part of the scores, of which none is in [0, 1].
    assert decision.apply({"m": [-1e-17]}, **at).action.tolist() == ["pass"]
    with refused(cs.ScoreError, "needs scores in [0, 1], got scores from 0.5 to 1.00001: "):
        decision.apply({"m": [0.5, 1.00001]}, **at)
