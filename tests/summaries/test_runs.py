"""Rows counted by fold, class and cell: counts between runs of scores are exact."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace.samples.class_sample import ClassSample
from costspace.summaries.cell_sums import CellSums
from costspace.summaries.runs import forgone, in_folds

FOLDS = 3


def made(
    seed: int, decimals: int, n: int = 400
) -> tuple[np.ndarray, np.ndarray, np.ndarray[tuple[int], np.dtype[np.uint8]]]:
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.3
    positive[:2] = False, True
    scores = np.round(rng.normal(positive), decimals)
    fold = (np.arange(n) % FOLDS).astype(np.uint8)
    return scores, positive, fold


@given(st.integers(0, 99), st.sampled_from([0, 1, 12]), st.sampled_from([4, 30, 1000]))
def test_between_cells_they_count_as_the_rows_do(seed: int, decimals: int, cells: int) -> None:
    scores, positive, fold = made(seed, decimals)
    counts = in_folds(scores, positive, fold, FOLDS, cells)
    assert len(counts) <= max(2 * cells, 1)
    for some, table in (
        (fold >= 0, counts.ranked),
        (fold != 1, counts.of_folds([0, 2]).ranked),
        (fold == 2, counts.of_folds([2]).ranked),
    ):
        rows = cs.ScoreTable.from_predictions(positive[some], scores[some])
        assert table.sizes == rows.sizes
        cuts = np.concatenate([[-np.inf], table.cut_points, [np.inf]])
        for thresholds in (cuts, table.hull_thresholds):
            one, other = table.by_score.at(thresholds), rows.by_score.at(thresholds)
            np.testing.assert_allclose(one.fpr, other.fpr, rtol=1e-15)
            np.testing.assert_allclose(one.fnr, other.fnr, rtol=1e-15)
    if cells >= len(np.unique(scores)):
        assert counts.ranked.auc == cs.auc(positive, scores)
        assert forgone(counts, 1.0, 1.0, alone=False) == 0


@given(st.integers(0, 99), st.sampled_from([4, 30]), st.floats(0.05, 0.95))
def test_the_loss_added_by_cells_is_within_its_bound(seed: int, cells: int, c: float) -> None:
    scores, positive, fold = made(seed, 12)
    counts, p = in_folds(scores, positive, fold, FOLDS, cells), positive.mean()
    stakes = c * (1 - p), (1 - c) * p

    def least(table: cs.ScoreTable) -> float:
        ends = np.concatenate([[-np.inf], table.cut_points, [np.inf]])
        at = table.by_score.at(ends)
        return float(np.min(stakes[0] * at.fpr + stakes[1] * at.fnr))

    more = least(counts.ranked) - least(cs.ScoreTable.from_predictions(positive, scores))
    assert -1e-15 <= more <= forgone(counts, *stakes, alone=False) + 1e-15


def test_a_cell_holds_no_more_than_its_share_of_both_classes() -> None:
    scores, positive, fold = made(4, 12, n=3000)
    shares = in_folds(scores, positive, fold, FOLDS, 50).by_class.rows.astype(float)
    sizes = shares.sum(axis=1, keepdims=True)
    # Plus the one row that exceeds it.
    assert (shares / sizes).mean(axis=0).max() <= 1 / 50 + 1 / (2 * sizes.min())


def test_cells_of_two_samples_keep_their_ends_together() -> None:
    one = np.ones(1)
    sum_of_both = ClassSample(one, one, 1, one, one, one - 0.5) + ClassSample(
        2 * one, one, 1, one, one, one + 0.5
    )
    assert sum_of_both.lowest is not None
    assert sum_of_both.lowest.tolist() == [0.5, 1.5]


@pytest.mark.parametrize("folds", [2, 300])
def test_every_row_is_in_its_fold(folds: int) -> None:
    scores, positive, _ = made(1, 12)
    fold = (np.arange(len(scores)) % folds).astype(np.uint16)
    counts = in_folds(scores, positive, fold, folds)
    assert counts.sums.rows.sum(axis=(1, 2)).tolist() == np.bincount(fold, minlength=folds).tolist()


def test_counts_in_folds_add_up_by_fold_and_runs_do_not() -> None:
    scores, positive, fold = made(2, 1)
    whole = in_folds(scores, positive, fold, FOLDS)
    parts = [in_folds(scores[k::2], positive[k::2], fold[k::2], FOLDS) for k in range(2)]
    added = parts[0] + parts[1]
    assert np.array_equal(added.cells, whole.cells)
    assert np.array_equal(added.sums.rows, whole.sums.rows)
    assert added.folds == FOLDS
    runs = in_folds(scores, positive, fold, FOLDS, 10)
    assert repr(runs).endswith(
        f"{(~positive).sum()} negatives, {positive.sum()} positives, in 3 folds)"
    )
    for one, other in ((runs, runs), (whole, whole.of_folds(range(FOLDS)))):
        with refused(
            cs.SourceError, "counts in runs of scores, or in other folds, cannot be added"
        ):
            one + other
    with refused(cs.SourceError, "runs of scores make no table of the rows"):
        cs.auc(runs)
    again = cs.ScoreCounts.from_columns(runs.columns(), folds=FOLDS)
    assert np.array_equal(again.sums.rows, runs.sums.rows)
    assert np.array_equal(again.low_ends, runs.low_ends)


def test_runs_ascend_without_overlap() -> None:
    highest, sums = np.array([1.0, 2.0]), CellSums(np.ones((2, 2), dtype=int))
    assert len(cs.ScoreCounts(highest, sums, lowest=np.array([0.5, 2.0]))) == 2
    for lowest, why in (([0.5, 1.0], "ascend"), ([1.5, 2.0], "not above"), ([1.0], "not above")):
        with refused(cs.SourceError, why):
            cs.ScoreCounts(highest, sums, lowest=np.array(lowest))
