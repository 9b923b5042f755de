"""Rows counted by score: sums over any parts, and the table of the whole."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused
from summaries import same

import costspace as cs
from costspace import LabelError, ScoreCounts, ScoreTable, SourceError, WeightError
from costspace.samples.class_sample import ClassSample
from costspace.summaries import CellSums

SCORES = st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 0.25, 0.3, 0.5, 0.7, 1.0, np.inf])
ROWS = st.lists(st.tuples(st.integers(0, 1), SCORES, st.integers(0, 5)), min_size=1, max_size=30)


def columns(rows: list[Any]) -> list[np.ndarray]:
    return [np.array(column) for column in zip(*rows, strict=True)]


def counted(rows: list[Any], *, weighted: bool) -> ScoreCounts:
    y, s, w = columns(rows)
    if weighted and w.max() == 0:
        w = w + 1
    return ScoreCounts.from_predictions(y, s, sample_weight=w if weighted else None)


@given(ROWS, st.booleans(), st.data())
def test_parts_add_up_to_the_whole(rows: list[Any], weighted: bool, data: Any) -> None:
    rows = [(y, s, w or 1) for y, s, w in rows]
    whole = counted(rows, weighted=weighted)
    shuffled = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(0, len(rows)))
    parts = [counted(part, weighted=weighted) for part in (shuffled[:cut], shuffled[cut:]) if part]
    same(whole, counted(shuffled, weighted=weighted))
    same(whole, parts[0] + parts[1] if len(parts) > 1 else parts[0])
    same(whole, parts[-1] + parts[0] if len(parts) > 1 else parts[0])


@given(ROWS, st.booleans())
def test_the_table_is_that_of_the_rows(rows: list[Any], weighted: bool) -> None:
    rows = [*rows, (0, 0.5, 1), (1, 0.5, 1)]
    y, s, w = columns(rows)
    table = counted(rows, weighted=weighted).table()
    expected = ScoreTable.from_predictions(y, s, sample_weight=w if weighted else None)
    if not weighted:
        assert repr(table) == repr(expected)
    assert table.by_score.breaks.tolist() == expected.by_score.breaks.tolist()
    for got, wanted in zip(table.ranking.at_distinct, expected.ranking.at_distinct, strict=True):
        assert got.tolist() == wanted.tolist()
    assert table.auc == expected.auc
    assert table.prevalence == expected.prevalence
    for corner in ("fpr", "fnr", "breaks"):
        assert np.array_equal(getattr(table.hull, corner), getattr(expected.hull, corner))
    for sample, given_sample in (
        (table.negatives, expected.negatives),
        (table.positives, expected.positives),
    ):
        assert sample.rows == given_sample.rows
        assert sample.squares_of_each.sum() == given_sample.squares_of_each.sum()
        assert len(given_sample) <= sample.tally_of_each.sum() <= sample.rows


def test_rows_that_differ_need_no_weights() -> None:
    table = ScoreCounts.from_predictions([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.3]).table()
    assert table.negatives.weights is None
    assert table.positives.weights is None


def test_every_metric_is_that_of_the_rows() -> None:
    generator = np.random.default_rng(3)
    y, s = generator.integers(0, 2, 500), generator.integers(0, 40, 500) / 40
    w = generator.random(500)
    for weight in (None, w):
        table = ScoreCounts.from_predictions(y, s, sample_weight=weight).table()
        rows = ScoreTable.from_predictions(y, s, sample_weight=weight)
        for metric in (cs.brier_score, cs.auc_hull, cs.h_measure, cs.voros, cs.refinement_loss):
            assert metric(table) == pytest.approx(metric(rows), rel=1e-12)
        for choice in (cs.RateDriven(), cs.RateUniform(), cs.ScoreDriven(), cs.Optimal()):
            assert cs.expected_loss(table, choice=choice) == pytest.approx(
                cs.expected_loss(rows, choice=choice), rel=1e-12
            )


def test_counts_hold_a_single_class() -> None:
    negatives = ScoreCounts.from_predictions([0, 0], [0.2, 0.2])
    positives = ScoreCounts.from_predictions([1], [0.7])
    assert negatives.negatives.rows.tolist() == [2]
    assert negatives.positives.rows.tolist() == [0]
    with refused(LabelError, "there is no positive row: both classes are needed."):
        negatives.table()
    with refused(LabelError, "there is no negative row: both classes are needed."):
        positives.table()
    assert (negatives + positives).table().auc == 1


@pytest.mark.parametrize(
    ("labels", "pos_label", "positives"),
    [
        ([1, 1], None, 2),
        ([-1, -1], None, 0),
        ([True, True], None, 2),
        ([False, False], None, 0),
        ([1.0, 1.0], None, 2),
        (["no", "no"], "yes", 0),
        (["yes", "yes"], "yes", 2),
        ([3, 3], 4, 0),
    ],
)
def test_labels_of_one_class(labels: list[Any], pos_label: Any, positives: int) -> None:
    counts = ScoreCounts.from_predictions(labels, [0.2, 0.3], pos_label=pos_label)
    assert counts.positives.total == positives
    assert counts.negatives.total == 2 - positives


def test_labels_are_still_of_two_classes() -> None:
    with refused(LabelError, "the labels must be of two classes, got 'no', 'maybe'."):
        ScoreCounts.from_predictions(["no", "maybe"], [0.2, 0.3], pos_label="yes")
    with refused(LabelError, "say which is the positive class"):
        ScoreCounts.from_predictions(["no", "no"], [0.2, 0.3])
    with refused(LabelError, "labels from 7 to 7, not 0 and 1"):
        ScoreCounts.from_predictions([7, 7], [0.2, 0.3])


def test_a_class_without_weight() -> None:
    counts = ScoreCounts.from_predictions([0, 1], [0.2, 0.3], sample_weight=[1, 0])
    with refused(LabelError, "every positive row has weight zero"):
        counts.table()
    with refused(WeightError, "zero everywhere"):
        ScoreCounts.from_predictions([0, 1], [0.2, 0.3], sample_weight=[0, 0])
    faint = ScoreCounts.from_predictions([0], [0.2], sample_weight=[1e-99])
    heavy = ScoreCounts.from_predictions([1], [0.3], sample_weight=[1e99])
    with refused(WeightError, "the weights of the classes differ too much"):
        (faint + heavy).table()


def test_weighted_and_unweighted_rows_add_up() -> None:
    both = ScoreCounts.from_predictions([0, 1], [0.2, 0.3])
    both += ScoreCounts.from_predictions([0, 1], [0.2, 0.4], sample_weight=[3, 0.5])
    assert both.columns()["negatives_weight"].tolist() == [4, 0, 0]
    assert both.columns()["negatives_squares"].tolist() == [10, 0, 0]
    assert both.columns()["positives_squares"].tolist() == [0, 1, 0.25]
    assert repr(both) == "ScoreCounts(3 scores of 2 negatives, 2 positives, weighted)"


@pytest.mark.parametrize("most", [2**16 - 1, 2**16])
def test_counts_of_single_precision_are_ordered(most: int) -> None:
    scores = np.array([0.7, -0.0, -2, 0.1, np.inf, 0.0, 0.7, -np.inf])
    negatives = np.array([1, 2, most, 0, 3, 5, 0, 7])
    positives = np.array([most, 0, 4, 1, 0, most, 1, 6])
    sums = CellSums(np.stack([negatives, positives]))
    double = ScoreCounts.from_groups(scores, sums)
    single = ScoreCounts.from_groups(scores.astype(np.float32), sums)
    assert single.cells.dtype == np.float32
    assert np.array_equal(single.cells, double.cells.astype(np.float32))
    for found in (single, double):
        assert found.negatives.rows.tolist() == [7, most, 7, 0, 1, 3]
        assert found.positives.rows.tolist() == [6, 4, most, 1, most + 1, 0]


def test_precisions_add_up() -> None:
    single = ScoreCounts.from_predictions([0, 1], np.array([0.1, 0.5], dtype=np.float32))
    double = ScoreCounts.from_predictions([0, 1], [0.1, 0.5])
    assert (single + single).cells.dtype == np.float32
    assert single.table().by_score.breaks.tolist() == [0.1, 0.5]
    both = single + double
    assert both.cells.tolist() == [0.1, 0.5]
    with pytest.raises(TypeError):
        single + 1


@given(ROWS, st.booleans())
def test_a_table_is_counted_as_its_rows(rows: list[Any], weighted: bool) -> None:
    rows = [(y, s, w or 1) for y, s, w in [*rows, (0, 0.5, 1), (1, 0.5, 2)]]
    y, s, w = columns(rows)
    counts = counted(rows, weighted=weighted)
    table = ScoreTable.from_predictions(y, s, sample_weight=w if weighted else None)
    same(ScoreCounts.from_table(table), counts)
    same(ScoreCounts.from_table(counts.table()), counts)
    same(ScoreCounts.from_table(counts.table() + table), counts + counts)


def test_a_table_at_another_prevalence_cannot_be_counted() -> None:
    table = ScoreTable.from_predictions([0, 1], [0.2, 0.3]).with_prevalence(0.1)
    with refused(SourceError, "as it was before with_prevalence"):
        ScoreCounts.from_table(table)


def test_adding_counts_of_no_rows_changes_nothing() -> None:
    nothing = ScoreCounts(np.array([], dtype=np.float32), CellSums(np.zeros((2, 0), dtype=int)))
    some = ScoreCounts.from_predictions([0, 1], [0.2, 0.3])
    same(some + nothing, some)
    assert len(nothing + nothing) == 0


def test_invalid_counts_are_refused() -> None:
    one, two = np.array([[1], [1]]), np.array([[1, 2], [2, 1]])
    half = np.array([[0.5], [0.5]])
    with refused(SourceError, "float32 or float64"):
        ScoreCounts(np.array([1, 2]), CellSums(two))
    for scores in ([0.2, 0.2], [0.3, 0.2], [0.2, np.nan], [np.nan, 0.2], [-0.0, 0.0]):
        with refused(SourceError, "distinct, ascending and not NaN"):
            ScoreCounts(np.array(scores), CellSums(two))
    for sums in (CellSums(one), CellSums(two[:1]), CellSums(two[0])):
        with refused(SourceError, "both classes must have one count for each score"):
            ScoreCounts(np.array([0.1, 0.2]), sums)
    columns: dict[str, Any] = {"score": [0.1], "negatives": [1], "positives": [1]}
    weights = {f"positives_{name}": [0.5] for name in ("weight", "squares")}
    with refused(SourceError, "either both classes have weights"):
        ScoreCounts.from_columns(columns | weights)
    with refused(SourceError, "counts need a column 'positives'"):
        ScoreCounts.from_columns({"score": [0.1], "negatives": [1]})
    with refused(SourceError, "whole numbers, got float64"):
        CellSums(half)  # type: ignore[arg-type]
    with refused(SourceError, "whole numbers, got float64"):
        CellSums([0.5])  # type: ignore[arg-type]
    with refused(SourceError, "finite and not negative"):
        CellSums(-one)
    with refused(SourceError, "finite and not negative"):
        CellSums(one, half, np.inf * half)
    with refused(SourceError, "one number for each cell"):
        CellSums(one, np.array([[0.5, 0.5]]), half)
    with refused(SourceError, "must all be given"):
        CellSums(one, half)
    with refused(SourceError, "give a binning"):
        ScoreCounts(np.array([0.5]), CellSums(one, None, None, half, half, half, half))


def test_samples_keep_the_number_of_rows_of_each_score() -> None:
    plain = ClassSample(np.array([0.2, 0.4]))
    tallied = ScoreCounts.from_predictions([0, 0, 0], [0.3, 0.3, 0.1]).negatives.sample(
        np.array([0.1, 0.3])
    )
    both = plain + tallied
    assert both.values.tolist() == [0.1, 0.2, 0.3, 0.4]
    assert both.tally_of_each.tolist() == [1, 1, 2, 1]
    assert both.squares_of_each.tolist() == [1, 1, 2, 1]
    assert both.rows == 5
    assert not both.weighted
    turned = tallied.with_values(np.array([0.7, 0.9]), np.array([1, 0]))
    assert turned.values.tolist() == [0.7, 0.9]
    assert turned.tally_of_each.tolist() == [2, 1]
    assert turned.rows == 3
