"""Rows by bin of the score: what is kept, what adds up, and which data they can be."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused
from scipy.special import expit

import costspace as cs
from costspace.single import doubles

QUARTERS = cs.Binning.uniform(bins=4)


def test_bins_keep_the_sums_and_the_ends_of_each_class():
    y = [0, 0, 1, 0, 1, 1]
    s = [0.3, 0.5, 0.4, -0.0, 0.9, 0.4]
    binned = cs.ScoreCounts.from_predictions(
        y, s, binning=QUARTERS, sample_weight=[1, 2, 3, 0.5, 0, 1]
    )
    columns = binned.columns()
    assert columns["key"].tolist() == [0, 2, 4]
    assert columns["negatives"].tolist() == [1, 2, 0]
    assert columns["positives"].tolist() == [0, 2, 1]
    assert columns["negatives_weight"].tolist() == [0.5, 3, 0]
    assert columns["negatives_squares"].tolist() == [0.25, 5, 0]
    assert columns["positives_weight"].tolist() == [0, 4, 0]
    np.testing.assert_allclose(columns["negatives_score_sum"], [0, 1.3, 0])
    np.testing.assert_allclose(columns["negatives_score_squares"], [0, 0.59, 0])
    # A row of weight zero is counted, and has no score.
    assert columns["negatives_low"].tolist() == [0, 0.3, np.inf]
    assert columns["negatives_high"].tolist() == [0, 0.5, -np.inf]
    assert columns["positives_high"].tolist() == [-np.inf, 0.4, -np.inf]
    assert binned.prevalence == pytest.approx(4 / 7.5)
    assert repr(binned) == "ScoreCounts(3 bins of 3 negatives, 3 positives, weighted)"
    assert repr(binned.positives) == "CellSums(3 rows in 1 cells, weighted)"


def test_the_best_and_the_worst_have_scores_at_the_ends_of_bins():
    y, s = [0, 1, 0, 1, 0, 1], [0.1, 0.12, 0.2, 0.22, 0.6, 0.6]
    binned = cs.ScoreCounts.from_predictions(y, s, binning=QUARTERS)
    assert binned.best.negatives.values.tolist() == [0.1, 0.6]
    assert binned.best.positives.values.tolist() == [0.22, 0.6]
    assert binned.worst.negatives.values.tolist() == [0.2, 0.6]
    assert binned.worst.positives.values.tolist() == [0.12, 0.6]
    assert binned.worst.negatives.weights.tolist() == [2, 1]
    assert binned.worst.auc == pytest.approx(2.5 / 9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
def test_many_rows_are_counted_as_one_by_one(dtype, weighted):
    rng = np.random.default_rng(3)
    n = 200_000
    y, s = rng.integers(0, 2, n), rng.random(n).astype(dtype)
    w = rng.integers(0, 3, n) if weighted else None
    for bins in (8, 2**20):
        binning = cs.Binning.uniform(bins=bins)
        binned = cs.ScoreCounts.from_predictions(y, s, binning=binning, sample_weight=w)
        keys, where = np.unique(binning.keys(s), return_inverse=True)
        assert np.array_equal(binned.cells, keys)
        weight = np.ones(n) if w is None else w
        for label, side in enumerate((binned.negatives, binned.positives)):
            own = y == label
            x = doubles(s)
            assert np.array_equal(side.rows, np.bincount(where, own))
            assert np.array_equal(side.mass, np.bincount(where, own * weight))
            for sums, power in ((side.score_sum, 1), (side.score_squares, 2)):
                expected = np.bincount(where, own * weight * x**power)
                np.testing.assert_allclose(sums, expected, rtol=1e-12)
            low = np.full(len(keys), np.inf)
            np.minimum.at(low, where[own & (weight > 0)], x[own & (weight > 0)])
            assert np.array_equal(side.low, low)


def test_parts_of_one_class_add_up():
    monday = cs.ScoreCounts.from_predictions([0, 0], [0.2, 0.9], binning=QUARTERS)
    sunday = cs.ScoreCounts.from_predictions(["a"], [0.6], binning=QUARTERS, pos_label="a")
    assert monday.prevalence == 0
    for name, one in (("positive", monday), ("negative", sunday)):
        for table in ("best", "worst"):
            with refused(cs.LabelError, f"there is no {name} row: both classes are needed"):
                getattr(one, table)
        with refused(cs.LabelError, "both classes are needed"):
            cs.bounds(one, metric=cs.auc)
    both = monday + sunday
    found = cs.bounds(both, metric=cs.auc)
    assert 0.5 in found
    assert found.width < 1e-13
    weightless = cs.ScoreCounts.from_predictions(
        [0, 1], [0.2, 0.6], binning=QUARTERS, sample_weight=[1, 0]
    )
    with refused(cs.LabelError, "every positive row has weight zero"):
        cs.evaluate(weightless)
    # Unweighted rows weigh 1 beside weighted ones.
    assert (weightless + sunday).columns()["positives_weight"].tolist() == [0, 1]
    assert (sunday + weightless).columns()["positives"].tolist() == [0, 2]


def test_a_class_that_is_lost_in_rounding_is_refused():
    binned = cs.ScoreCounts.from_predictions(
        [0, 1], [0.2, 0.6], sample_weight=[1e-99, 1], binning=cs.Binning.uniform()
    )
    with refused(cs.WeightError, "the weights of the classes differ too much"):
        cs.auc(binned.best)


def test_infinite_scores_are_ranks_and_huge_ones_have_no_square():
    y, s = [0, 0, 1, 1, 0, 1], [-np.inf, 1e300, np.inf, 0.5, 0.5, -1e300]
    for binning in (QUARTERS, cs.Binning.uniform(2, 3, 1)):
        binned = cs.ScoreCounts.from_predictions(y, s, binning=binning)
        assert cs.auc(y, s) in cs.bounds(binned, metric=cs.auc)
        options = {"choice": cs.ScoreUniform(-8e307, 8e307)}
        found = cs.bounds(binned, metric=partial(cs.expected_loss, **options))
        assert found.low - 1e-12 <= cs.expected_loss(y, s, **options) <= found.high + 1e-12
        with refused(cs.ScoreError, "scores in [0, 1], got scores from -inf to inf"):
            cs.bounds(binned, metric=cs.brier_score)


def test_scores_outside_the_unit_range_are_refused_as_of_tables():
    # No score of the best table is outside: the data's is.
    y, s = [0, 1, 1], [0.5, -0.5, 0.6]
    binned = cs.ScoreCounts.from_predictions(y, s, binning=cs.Binning.uniform(2, 3, bins=1))
    assert binned.best.positives.values.tolist() == [0.6]
    for source in (cs.ScoreTable.from_predictions(y, s), binned.best, binned.worst):
        with refused(cs.ScoreError, "the Brier score needs scores in [0, 1], got scores from -0.5"):
            cs.brier_score(source)


def test_columns_make_the_same_again_in_any_order():
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 2, 500), rng.random(500)
    for w in (None, rng.random(500)):
        binned = cs.ScoreCounts.from_predictions(y, s, binning=QUARTERS, sample_weight=w)
        shuffled = {name: column[::-1] for name, column in binned.columns().items()}
        again = cs.ScoreCounts.from_columns(shuffled, binning=QUARTERS)
        twice = cs.ScoreCounts.from_columns(
            {name: np.tile(column, 2) for name, column in shuffled.items()}, binning=QUARTERS
        )
        for name, column in binned.columns().items():
            assert np.array_equal(again.columns()[name], column)
            assert np.array_equal(twice.columns()[name], (binned + binned).columns()[name])
    columns = binned.columns()
    del columns["positives_low"]
    with refused(cs.SourceError, "counts need a column 'positives_low'"):
        cs.ScoreCounts.from_columns(columns, binning=QUARTERS)


def test_sums_that_no_rows_can_have_are_refused():
    binned = cs.ScoreCounts.from_predictions([0, 1], [0.2, 0.6], binning=QUARTERS)
    columns = binned.columns()
    with refused(cs.SourceError, "must not be above its highest"):
        cs.ScoreCounts.from_columns(columns | {"negatives_low": [0.3, np.inf]}, binning=QUARTERS)
    with refused(cs.SourceError, "must not be above its highest"):
        cs.ScoreCounts.from_columns(columns | {"negatives_low": [np.nan, np.inf]}, binning=QUARTERS)
    for ends in ({"negatives_low": [0.2, 0.1]}, {"negatives_high": [0.2, np.nan]}):
        with refused(cs.SourceError, "without rows they must be inf and -inf"):
            cs.ScoreCounts.from_columns(columns | ends, binning=QUARTERS)
    with refused(cs.SourceError, "keys of bins go up to 1000, and the binning has 6"):
        cs.ScoreCounts.from_columns(columns | {"key": [1, 1000]}, binning=QUARTERS)
    with refused(cs.SourceError, "keys of bins must be distinct, ascending whole numbers"):
        cs.ScoreCounts.from_columns(columns | {"key": [0.5, 1]}, binning=QUARTERS)
    with refused(cs.SourceError, "one number for each cell of each class"):
        cs.ScoreCounts.from_columns(columns | {"negatives_low": [0.3]}, binning=QUARTERS)
    with refused(cs.SourceError, "with different binnings cannot be added"):
        binned + cs.ScoreCounts.from_predictions([0, 1], [0.2, 0.6], binning=cs.Binning.uniform())
    with refused(cs.SourceError, "one count for each score or bin"):
        cs.ScoreCounts(np.array([1.0]), binned.sums, QUARTERS)
    with refused(cs.ConditionError, "binning must be one such as Binning.uniform(), got 8"):
        cs.ScoreCounts.from_predictions([0, 1], [0.2, 0.6], binning=8)
    with pytest.raises(TypeError):
        binned + 1


@pytest.mark.parametrize("copies", [2, 3, 7])
def test_a_key_may_occur_any_number_of_times(copies):
    rng = np.random.default_rng(copies)
    y, s = rng.integers(0, 2, 60), rng.random(60)
    once = cs.ScoreCounts.from_predictions(y, s, binning=QUARTERS)
    columns = {name: np.tile(column, copies) for name, column in once.columns().items()}
    found = cs.ScoreCounts.from_columns(columns, binning=QUARTERS).columns()
    for name, column in once.columns().items():
        times = 1 if name == "key" or name.endswith(("low", "high")) else copies
        np.testing.assert_allclose(found[name], times * column, rtol=1e-14)


def test_without_rows_there_is_no_prevalence():
    some = cs.ScoreCounts.from_predictions([0, 1], [0.2, 0.6], binning=QUARTERS)
    none = cs.ScoreCounts.from_columns(
        {k: v[:0] for k, v in some.columns().items()}, binning=QUARTERS
    )
    assert (none + some).prevalence == 0.5
    with refused(cs.LabelError, "there is no row with weight"):
        _ = none.prevalence


def test_metrics_refuse_binned_scores_and_name_bounds():
    binned = cs.ScoreCounts.from_predictions([0, 1], [0.2, 0.6], binning=cs.Binning.uniform())
    with refused(cs.SourceError, "use bounds(binned, metric=metric)"):
        cs.auc(binned)
    with refused(cs.SourceError, "give it alone"):
        cs.auc(binned, [0.2, 0.6])


# --- Bins for another pass -------------------------------------------------------------------


def saturated(rng, y):
    return expit(30 * rng.standard_normal(len(y)) + np.where(y, 15, -15))


def concentrated(rng, y):
    return 0.5 + 1e-4 * (2 * rng.random(len(y)) - 1 + y / 5)


def margins(rng, y):
    return 2 * rng.standard_normal(len(y)) + y


def tied(rng, y):
    s, kind = rng.random(len(y)) ** (1 + y), rng.random(len(y))
    return np.select([kind < 0.3, kind < 0.4, kind < 0.5], [0.5, 0.0, 1.0], s)


def close_neighbours(rng, y):
    return 0.3 * (1 + rng.integers(0, 4, len(y)) * 2.0**-52)


@pytest.mark.parametrize(
    ("scores", "passes"),
    [(saturated, 2), (concentrated, 1), (margins, 2), (tied, 2), (close_neighbours, 3)],
)
def test_adapted_bins_narrow_the_bounds(scores, passes):
    rng = np.random.default_rng(5)
    n = 100_000
    y = (rng.random(n) < 0.3).astype(int)
    s = scores(rng, y)
    exact = cs.auc(y, s)
    bins = 2**14
    binned = cs.ScoreCounts.from_predictions(y, s, binning=cs.Binning.uniform(bins=bins))
    for _ in range(passes):
        binning = binned.adapted(bins)
        assert binning.bins <= bins
        assert len(binning.pieces) <= 64
        binned = cs.ScoreCounts.from_predictions(y, s, binning=binning)
    found = cs.bounds(binned, metric=cs.auc)
    assert found.low - 1e-12 <= exact <= found.high + 1e-12
    assert found.width < 4 / bins
    assert cs.evaluation.widest_bounds(binned, costs=cs.Beta(2, 2)) < 16 / bins


@given(
    st.lists(
        st.floats(allow_nan=False)
        | st.floats(0, 1)
        | st.sampled_from([0.0, 1.0, 0.5, -np.inf, np.inf, np.nextafter(1, 0), 5e-324, 1e308]),
        min_size=2,
        max_size=40,
    ),
    st.sampled_from([8, 20, 100, 1000]),
    st.sampled_from([1, 4, 1000]),
    st.booleans(),
)
def test_scores_of_any_kind_have_adapted_bins(scores, bins, first, weighted):
    y = np.arange(len(scores)) % 2
    w = 1.0 + np.arange(len(scores)) ** 3 if weighted else None
    binned = cs.ScoreCounts.from_predictions(
        y, scores, binning=cs.Binning.uniform(bins=first), sample_weight=w
    )
    for _ in range(3):
        binning = binned.adapted(bins)
        assert binning.bins <= bins + 8
        binned = cs.ScoreCounts.from_predictions(y, scores, binning=binning, sample_weight=w)
        found = cs.bounds(binned, metric=cs.auc)
        assert found.low - 1e-12 <= cs.auc(y, scores, sample_weight=w) <= found.high + 1e-12


def test_scores_below_0_are_told_apart_by_orders_of_magnitude():
    rng = np.random.default_rng(0)
    y = rng.random(20_000) < 0.4
    s = -(10.0 ** rng.uniform(-30, 30, len(y)))
    binned = cs.ScoreCounts.from_predictions(y, s, binning=cs.Binning.uniform())
    again = cs.ScoreCounts.from_predictions(y, s, binning=binned.adapted(2**14))
    assert cs.bounds(binned, metric=cs.auc).width == 1
    assert cs.bounds(again, metric=cs.auc).width < 1e-3


def test_heavy_scores_stay_apart_in_further_passes():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 20_000)
    s = tied(rng, y)
    binned = cs.ScoreCounts.from_predictions(y, s, binning=cs.Binning.uniform(bins=2**12))
    widths = []
    for _ in range(6):
        binned = cs.ScoreCounts.from_predictions(y, s, binning=binned.adapted(2**12))
        widths.append(cs.bounds(binned, metric=cs.auc).width)
    # Once a pass has seen them by themselves.
    assert max(widths[2:]) < 1e-3


def test_bins_of_one_class_or_none_adapt_too():
    one = cs.ScoreCounts.from_predictions(
        [0, 0, 0], [0.2, 0.3, 0.30001], binning=cs.Binning.uniform()
    )
    assert cs.ScoreCounts.from_predictions([0], [0.2], binning=one.adapted(64)).cells.size == 1
    none = cs.ScoreCounts.from_columns(
        {name: values[:0] for name, values in one.columns().items()}, binning=QUARTERS
    )
    assert none.adapted(64) == QUARTERS
    same = cs.ScoreCounts.from_predictions([0, 1], [0.0, 0.0], binning=cs.Binning.uniform())
    assert same.adapted(64).bins <= 66
    for bins in (7, 2.5, True, "many"):
        with refused(cs.ConditionError, "bins must be a whole number, at least 8"):
            one.adapted(bins)
