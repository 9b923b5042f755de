"""Counts of rows by cell of each model, and a sample of rows raked to them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import costspace as cs
from costspace.summaries.cell_sums import CellSums
from costspace.summaries.folded_rows import FoldedRows
from costspace.summaries.joint import JointRows
from costspace.summaries.raked import RakedRows
from costspace.summaries.runs import cell_of, coarser, forgone

FOLDS = 3


def made(seed: int, n: int = 4_000, cells: int = 200) -> tuple[FoldedRows, RakedRows]:
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.2
    own = rng.normal(positive)
    scores = {"a": own, "b": own + rng.normal(size=n), "c": np.round(rng.normal(positive), 1)}
    rows = FoldedRows(
        cs.ScoredRows.from_predictions(positive, scores), rng.integers(0, FOLDS, n), FOLDS
    )
    counts = {model: coarser(rows.counted(model), cells) for model in scores}
    some = rows.some((8, 2))
    places = {model: cell_of(counts[model], some.by_model[model]) for model in scores}
    return rows, RakedRows(counts, JointRows(some.fold.astype(int), some.positive, places))


def cuts_of(raked: RakedRows, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Thresholds in gaps between cells."""
    return {
        model: np.unique(rng.choice(counts.ranked.cut_points, 6))
        for model, counts in raked.counts.items()
    }


@given(st.integers(0, 99))
def test_they_have_every_models_counts(seed: int) -> None:
    rows, raked = made(seed)
    cuts = cuts_of(raked, np.random.default_rng(seed))
    found = raked.kinds(cuts)
    assert found.counts is not None
    assert found.counts.dtype == np.intp
    assert found.counts.sum() == len(rows.rows)
    every = JointRows(rows.fold, rows.rows.positive, rows.rows.scores).above(cuts).merged()
    for model, thresholds in cuts.items():
        for fold in range(FOLDS):
            for positive in (False, True):
                one, other = (
                    np.bincount(
                        of.by_model[model],
                        of.counts * ((of.fold == fold) & (of.positive == positive)),
                        minlength=len(thresholds) + 1,
                    )
                    for of in (found, every)
                )
                np.testing.assert_array_equal(one, other)


def test_what_two_models_do_to_the_same_rows_is_estimated() -> None:
    rows, raked = made(0, n=40_000)
    cuts = {model: counts.ranked.cut_points for model, counts in raked.counts.items()}
    cuts = {model: cut[[len(cut) // 2]] for model, cut in cuts.items()}
    found = raked.kinds(cuts)
    scores = rows.rows.scores
    flagged = {model: scores[model] > cuts[model] for model in cuts}
    for one, other in (("a", "b"), ("a", "c")):
        apart = np.mean(flagged[one] != flagged[other])
        estimated = np.sum(found.counts * (found.by_model[one] != found.by_model[other]))
        assert estimated / 40_000 == pytest.approx(apart, rel=0.1)


def test_places_without_a_sampled_row_have_their_rows() -> None:
    rows, raked = made(1)
    # No sampled row is in the highest cells of one model.
    some = raked.sampled
    few = some.taken(np.flatnonzero(some.by_model["a"] < len(raked.counts["a"]) - 20))
    top = raked.counts["a"].ranked.cut_points[[-10]]
    found = RakedRows(raked.counts, few).kinds({"a": top})
    flagged = found.counts[found.by_model["a"] == 1].sum()
    assert flagged == np.sum(rows.rows.scores["a"] > top)


@given(st.integers(0, 99), st.sampled_from([5, 40, 1_000_000]))
def test_coarser_cells_are_of_neighbours(seed: int, cells: int) -> None:
    rows, _ = made(seed)
    fine = rows.counted("a")
    coarse = coarser(fine, cells)
    assert len(coarse) <= min(2 * cells, len(fine))
    assert coarse.sizes == fine.sizes
    for cuts in (coarse.ranked.cut_points, [-np.inf, np.inf]):
        one, other = (of.ranked.by_score.at(cuts) for of in (coarse, fine))
        np.testing.assert_allclose(one.fpr, other.fpr, atol=1e-15)
        np.testing.assert_allclose(one.fnr, other.fnr, atol=1e-15)
    own = np.asarray(rows.rows.scores["a"])
    cell = cell_of(coarse, own)
    assert np.all((own >= coarse.low_ends[cell]) & (own <= coarse.cells[cell]))


def test_without_sampled_rows_a_threshold_inside_a_cell_errs_by_the_whole_cell() -> None:
    counts = np.array([[[4, 4], [1, 3]], [[1, 1], [2, 4]]])
    cells = cs.ScoreCounts(np.array([0.5, 2.0]), CellSums(counts), lowest=np.array([0.0, 1.0]))
    assert forgone(cells, 1.0, 1.0, alone=False) == pytest.approx(0.5)
    assert forgone(cells, 1.0, 1.0, alone=True) == pytest.approx(0.7)


def test_rows_sampled_in_parts_are_those_of_the_whole() -> None:
    rows, _ = made(2)
    positive, scores = rows.rows.positive, rows.rows.scores
    numbers = np.arange(len(positive))
    whole = JointRows.sampled(numbers, positive, scores, FOLDS, (8, 2))
    parts = [
        JointRows.sampled(
            numbers[part], positive[part], {m: s[part] for m, s in scores.items()}, FOLDS, (8, 2)
        )
        for part in (slice(0, 1_500), slice(1_500, None))
    ]
    joined = JointRows.joined(parts)
    assert np.array_equal(joined.positive, whole.positive)
    assert np.array_equal(joined.fold, whole.fold)
    for model in scores:
        assert np.array_equal(joined.by_model[model], whole.by_model[model])
    share = np.mean(whole.positive) / np.mean(positive)
    assert share == pytest.approx(8 / 2 / (1 + 3 * np.mean(positive)), rel=0.2)
