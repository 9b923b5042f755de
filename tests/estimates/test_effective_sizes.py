"""Effective sizes of weighted and clustered classes, of rows and of tables."""

import numpy as np
import pytest

import costspace as cs
from costspace.estimates.effective_sizes import size_of_class, sizes_of_rows, sizes_of_table

POSITIVE = np.array([False, False, False, True, True])


def rows(weight: np.ndarray | None = None, groups: np.ndarray | None = None) -> cs.ScoredRows:
    return cs.ScoredRows(POSITIVE, {"m": np.arange(5) / 5}, weight, groups=groups)


def test_rows_without_weights_are_trials() -> None:
    assert sizes_of_rows(rows()) == (3, 2)
    assert sizes_of_table(cs.ScoreTable.from_rows(rows(), "m")) == (3, 2)


def test_unequal_weights_are_fewer_trials() -> None:
    weight = np.array([1, 1, 1, 3, 1.0])
    table = cs.ScoreTable.from_rows(rows(weight), "m")
    assert sizes_of_rows(rows(weight)) == pytest.approx((3, 1.6))
    assert sizes_of_table(table) == pytest.approx((3, 1.6))
    assert size_of_class(table.positives) == pytest.approx(1.6)


def test_counts_are_rows() -> None:
    weight = np.array([1, 1, 1, 3, 1.0])
    table = cs.ScoreTable.from_rows(rows(weight), "m")
    assert sizes_of_rows(rows(weight), "counts") == sizes_of_table(table, "counts") == (3, 4)


def test_rows_of_a_cluster_are_one_trial() -> None:
    groups = np.array([0, 0, 0, 0, 1])
    assert sizes_of_rows(rows(None, groups)) == (1, 2)
    # Though they are counted.
    assert sizes_of_rows(rows(np.ones(5), groups), "counts") == (1, 2)


def test_the_scale_of_the_weights_says_nothing() -> None:
    assert sizes_of_rows(rows(np.full(5, 1e-90))) == (3, 2)


def test_rows_of_one_score_have_weights_of_their_own() -> None:
    """Even if they add up to the number of the rows."""
    y, s = [0, 0, 1, 1], [0.2, 0.7, 0.4, 0.4]
    counts = cs.ScoreCounts.from_predictions(y, s, sample_weight=[1, 1, 0.5, 1.5])
    assert sizes_of_table(counts.table()) == pytest.approx((2, 1.6))
