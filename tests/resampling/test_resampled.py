"""Resampled rankings: sorted scores with other counts, against a table with these weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import costspace as cs
from costspace.resampling.resampled import SortedScores

LEVELS = st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.75, 1.0])
CHOICES = [
    *(cs.ScoreFixed(0.5), cs.ScoreUniform(), cs.ScoreDriven(), cs.ScoreDriven(0.2)),
    *(cs.RateFixed(flagged=0.3), cs.RateUniform(), cs.RateDriven(), cs.Optimal()),
]


@st.composite
def counted(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, scores and counts of which some, but not a whole class, are 0."""
    size = draw(st.integers(2, 40))
    tied = draw(st.booleans())
    labels = np.array([0, 1, *draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))])
    score = LEVELS if tied else st.floats(0, 1)
    scores = np.array(draw(st.lists(score, min_size=len(labels), max_size=len(labels))))
    many = st.lists(st.integers(0, 4), min_size=size, max_size=size)
    counts = np.array([1, 2, *draw(many)])
    return labels, scores, counts


def both(
    labels: np.ndarray, scores: np.ndarray, weights: np.ndarray
) -> tuple[cs.ScoreTable, cs.ScoreTable]:
    """The table that counts sorted scores again, and the one that sorts."""
    negatives, positives = (
        rows[np.argsort(scores[rows], kind="stable")]
        for rows in (np.flatnonzero(labels == 0), np.flatnonzero(labels == 1))
    )
    ranking = SortedScores.of(scores[negatives], scores[positives])
    anew = cs.ScoreTable(ranking.counted(weights[negatives], weights[positives]))
    return anew, cs.ScoreTable.from_predictions(labels, scores, sample_weight=weights)


def assert_same(anew: cs.ScoreTable, usual: cs.ScoreTable) -> None:
    for metric in (cs.auc, cs.auc_hull, cs.brier_score, cs.h_measure, cs.voros, cs.refinement_loss):
        assert metric(anew) == pytest.approx(metric(usual), rel=0, abs=1e-12)
    for choice in CHOICES:
        for axis in ("cost", "skew"):
            for costs in (cs.Uniform(), cs.Beta(2, 5.5), cs.Point(0.3)):
                losses = [
                    cs.expected_loss(table, choice=choice, costs=costs, axis=axis)
                    for table in (anew, usual)
                ]
                assert losses[0] == pytest.approx(losses[1], rel=0, abs=1e-12)
    assert anew.prevalence == pytest.approx(usual.prevalence, abs=1e-15)
    assert anew.score_range == usual.score_range


@given(counted())
def test_counts_are_weights(data: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    anew, usual = both(*data)
    assert_same(anew, usual)
    # Counts are exact, so corners and thresholds are the very same.
    np.testing.assert_array_equal(anew.hull.negatives_below, usual.hull.negatives_below)
    np.testing.assert_array_equal(anew.hull.positives_below, usual.hull.positives_below)
    np.testing.assert_array_equal(anew.hull_thresholds, usual.hull_thresholds)
    np.testing.assert_array_equal(anew.by_score.breaks, usual.by_score.breaks)
    assert anew.auc == usual.auc


@given(counted(), st.integers(0, 99))
def test_counts_of_weighted_rows(
    data: tuple[np.ndarray, np.ndarray, np.ndarray], seed: int
) -> None:
    labels, scores, counts = data
    weights = np.random.default_rng(seed).uniform(0.1, 3, len(labels))
    assert_same(*both(labels, scores, counts * weights))


@pytest.mark.parametrize("decimals", [None, 2])
def test_many_scores(decimals: int | None) -> None:
    rng = np.random.default_rng(3)
    labels = (rng.random(20_000) < 0.2).astype(int)
    scores = 1 / (1 + np.exp(-rng.normal(size=20_000) - labels + 1))
    if decimals is not None:
        scores = scores.round(decimals)
    counts = rng.poisson(1, 20_000)
    anew, usual = both(labels, scores, counts)
    assert_same(anew, usual)
    np.testing.assert_array_equal(anew.hull.positives_below, usual.hull.positives_below)


def test_samples_hold_what_counts() -> None:
    labels, scores = np.array([0, 0, 1, 1]), np.array([0.1, 0.6, 0.4, 0.9])
    anew, _ = both(labels, scores, np.array([0, 2, 1, 0]))
    assert anew.negatives.values.tolist() == [0.6]
    assert anew.negatives.total == 2
    assert repr(anew) == "ScoreTable(2 negatives, 2 positives, weighted)"
    assert repr(anew + anew) == "ScoreTable(4 negatives, 4 positives, weighted)"
    assert cs.calibration_loss(anew, partition="roc") == pytest.approx(0.36)


def test_only_a_few_mapped_scores_are_kept() -> None:
    labels, scores = np.array([0, 0, 1, 1]), np.array([0.1, 0.6, 0.4, 0.9])
    anew, usual = both(labels, scores, np.array([1, 2, 1, 3]))
    for share in np.linspace(0.1, 0.9, 40):
        choice = cs.ScoreDriven(calibrated_to=share)
        found, expected = (cs.expected_loss(t, choice=choice) for t in (anew, usual))
        assert found == pytest.approx(expected, abs=1e-15)
    assert len(anew.ranking.scores._images) <= 16
