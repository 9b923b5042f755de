"""Named curves: parts of loss curves, and gaps between them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, AXES, CHOICES, close, fit_for, inside
from laws.sources import QUICK, SOURCES, on, source
from refusals import refused

import costspace as cs
from costspace import ScoreError

Y = [0, 0, 1, 1, 1]
S = [0.1, 0.6, 0.4, 0.9, 0.6]
AXIS = st.sampled_from(AXES)
RANGES = st.tuples(st.integers(0, 9), st.integers(1, 10)).map(
    lambda ends: (ends[0] / 10, min(sum(ends), 10) / 10)
)
# The heavier models have the same laws in tests/laws.
PROBABILITIES = [name for name in QUICK if SOURCES[name].probabilities]
every_source = pytest.mark.parametrize("name", QUICK)
every_calibratable = pytest.mark.parametrize("name", PROBABILITIES)
# Pieces of curves that bend are within 1e-12 of them; in powers of c, steep ones lose a digit.
PIECES = 2e-11


# --- Class parts -------------------------------------------------------------------------------


@pytest.mark.parametrize("method", CHOICES)
@given(st.data(), AXIS)
@settings(max_examples=16)
def test_class_parts_sum_to_the_curve(method: str, data: st.DataObject, axis: str) -> None:
    table, choice = fit_for(CHOICES[method], data).table, CHOICES[method].choice
    parts = cs.metrics.class_parts(table, choice=choice, axis=axis)
    curve = cs.loss_curve(table, choice=choice, axis=axis)
    c = np.concatenate([inside(curve.breaks), curve.breaks])
    close(parts.negatives(c) + parts.positives(c), curve(c))
    close(parts.negatives.left(c) + parts.positives.left(c), curve.left(c))
    assert min(parts.negatives(c).min(), parts.positives(c).min()) >= -1e-12
    areas = [part.expectation(cs.Beta(2, 3)) for part in (parts.negatives, parts.positives)]
    close(sum(areas), curve.expectation(cs.Beta(2, 3)))


@every_calibratable
def test_parts_of_the_brier_curve(name: str) -> None:
    # Brier curves, Section 3: the areas are pi0 BS0 and pi1 BS1.
    for axis in AXES:
        scores = on(name, axis)
        parts, p = cs.metrics.class_parts(scores), scores.prevalence
        squares = scores.class_means(lambda s: s**2, lambda s: (1 - s) ** 2)
        close(parts.negatives.expectation(cs.Uniform()), (1 - p) * squares[0], PIECES)
        close(parts.positives.expectation(cs.Uniform()), p * squares[1], PIECES)
        c = np.linspace(0, 1, 41)
        points = scores.by_score.at(c)
        close(parts.negatives(c), 2 * c * (1 - p) * points.fpr)
        close(parts.positives(c), 2 * (1 - c) * p * points.fnr)


@every_source
def test_parts_of_sources(name: str) -> None:
    for choice in (cs.RateDriven(), cs.Optimal(), cs.RateUniform()):
        parts = cs.metrics.class_parts(source(name), choice=choice)
        curve, c = cs.loss_curve(source(name), choice=choice), np.linspace(0, 1, 41)
        close(parts.negatives(c) + parts.positives(c), curve(c))
        assert parts.negatives(0) == parts.positives(1) == 0


def test_class_parts_by_hand() -> None:
    parts = cs.metrics.class_parts(Y, S)
    assert parts.negatives(0.5) == pytest.approx(0.2)
    assert parts.positives(0.5) == pytest.approx(0.2)
    assert parts.negatives.left(0.6) == pytest.approx(2 * 0.6 * 0.4 / 2)
    assert parts.negatives(0.6) == 0
    weighted = cs.metrics.class_parts(Y, S, sample_weight=[1, 3, 1, 1, 1], prevalence=0.5)
    assert weighted.negatives(0.5) == pytest.approx(0.5 * 3 / 4)


@pytest.mark.parametrize("name", ["table_tied", "table_at_the_ends", "model_figure_8"])
def test_columns_of_class_parts(name: str) -> None:
    parts = cs.metrics.class_parts(source(name))
    columns = parts.columns()
    assert list(columns)[:3] == ["from", "to", "negatives_start"]
    assert list(columns)[3:] == ["negatives_end", "positives_start", "positives_end"]
    low, high = columns["from"], columns["to"]
    assert (low[0], high[-1]) == (0, 1)
    np.testing.assert_array_equal(low[1:], high[:-1])
    wide = low < high
    for label, part in (("negatives", parts.negatives), ("positives", parts.positives)):
        close(columns[f"{label}_start"][wide], np.asarray(part(low))[wide])
        close(columns[f"{label}_end"][wide], np.asarray(part.left(high))[wide])


# --- Partial Brier score -------------------------------------------------------------------------


@given(ANY, AXIS, RANGES)
@settings(max_examples=40)
def test_partial_brier_scores_add_up(sample: Any, axis: str, ends: tuple[float, float]) -> None:
    table, (low, high) = sample.table, ends
    middle = (2 * low + high) / 3

    def part(a: float, b: float) -> float:
        return (b - a) * cs.partial_brier_score(table, low=a, high=b, axis=axis)

    close(part(low, middle) + part(middle, high), part(low, high))
    whole = cs.brier_score(sample.on(axis))
    close(cs.partial_brier_score(table, axis=axis), whole)
    rest = sum(part(a, b) for a, b in ((0, low), (high, 1)) if a < b)
    close(rest + part(low, high), whole)
    curve = cs.loss_curve(table, choice=cs.ScoreDriven(), axis=axis)
    close(cs.partial_brier_score(table, low=low, high=high, axis=axis), mean_of(curve, low, high))


def mean_of(curve: cs.LossCurve, low: float, high: float) -> float:
    """The mean of a piecewise linear curve by its values beside the breaks."""
    inner = curve.breaks[(curve.breaks > low) & (curve.breaks < high)]
    edges = np.unique(np.concatenate([[low, high], inner]))
    heights = (curve(edges[:-1]) + curve.left(edges[1:])) / 2
    return float(np.sum(np.diff(edges) * heights) / (high - low))


@every_calibratable
def test_partial_brier_scores_of_sources(name: str) -> None:
    parts = [cs.partial_brier_score(source(name), low=i / 4, high=(i + 1) / 4) for i in range(4)]
    close(np.mean(parts), cs.brier_score(source(name)))


# --- Calibration gap and Kendall curve -----------------------------------------------------------


@every_calibratable
def test_the_calibration_gap(name: str) -> None:
    for axis in AXES:
        gap = cs.metrics.calibration_gap(source(name), axis=axis)
        scores = on(name, axis)
        close(gap.expectation(cs.Uniform()), cs.miscalibration(scores), PIECES)
        curves = [cs.loss_curve(scores, choice=f) for f in (cs.ScoreDriven(), cs.Optimal())]
        c = np.linspace(0, 1, 201)
        close(gap(c), curves[0](c) - curves[1](c), PIECES)
        assert gap(c).min() >= -PIECES


@given(ANY, AXIS)
@settings(max_examples=50)
def test_the_gap_of_a_table_is_nowhere_negative(sample: Any, axis: str) -> None:
    gap = cs.metrics.calibration_gap(sample.table, axis=axis)
    ends = gap.columns()
    assert min(ends["loss_start"].min(), ends["loss_end"].min()) >= -1e-12
    area = gap.expectation(cs.Uniform())
    close(area, cs.miscalibration(sample.on(axis)))


def test_no_gap_of_calibrated_scores() -> None:
    y, s = [0, 0, 0, 1, 0, 1, 1, 1], [0.25] * 4 + [0.75] * 4
    gap = cs.metrics.calibration_gap(y, s)
    assert np.abs(gap(np.linspace(0, 1, 101))).max() <= 1e-15
    model = cs.AnalyticScores(lambda x: 2 * (1 - x), lambda x: 2 * x, 0.5)
    assert np.abs(cs.metrics.calibration_gap(model)(np.linspace(0, 1, 101))).max() <= PIECES


@every_source
def test_the_kendall_curve(name: str) -> None:
    # ROC curves in cost space (2013): the area is 2 pi0 pi1 (1 - AUC).
    for axis in AXES:
        scores = on(name, axis)
        curve, p = cs.metrics.kendall_curve(source(name), axis=axis), scores.prevalence
        close(curve.expectation(cs.Uniform()), 2 * p * (1 - p) * (1 - cs.auc(scores)), PIECES)
        close(curve([0.0, 1.0]), 0, PIECES)
        c = np.linspace(0, 1, 201)
        assert curve(c).min() >= -PIECES
        # A perfect ranker stops flagging all negatives first, then the positives.
        perfect = 2 * np.where(c < 1 - p, c * (1 - p - c), (1 - c) * (c - 1 + p))
        driven = cs.loss_curve(scores, choice=cs.RateDriven())
        close(curve(c), driven(c) - perfect, PIECES)


@given(ANY, AXIS)
@settings(max_examples=40)
def test_the_kendall_curve_of_tables(sample: Any, axis: str) -> None:
    table = sample.on(axis)
    curve, p = cs.metrics.kendall_curve(sample.table, axis=axis), table.prevalence
    close(curve.expectation(cs.Uniform()), 2 * p * (1 - p) * (1 - table.auc))
    assert curve(inside(curve.breaks)).min() >= -1e-12


def test_the_kendall_curve_of_a_perfect_and_of_the_worst_ranker() -> None:
    y, s, c = [0, 0, 1, 1, 1], [1, 2, 3, 4, 5], np.linspace(0, 1, 51)
    perfect = cs.metrics.kendall_curve(y, s)
    assert np.abs(perfect(c)).max() <= 1e-15
    gap = cs.AnalyticScores(
        cs.scores.ScoreDensity(lambda x: np.where(x < 0.4, 2.5, 0), kinks=[0.4]),
        cs.scores.ScoreDensity(lambda x: np.where(x > 0.6, 2.5, 0), kinks=[0.6]),
        0.6,
    )
    assert np.abs(cs.metrics.kendall_curve(gap)(c)).max() <= PIECES
    worst = cs.metrics.kendall_curve(y, s[::-1], axis="skew")
    # Both rates are the largest possible: at skew z that adds 2 min(z, 1 - z) to the loss.
    np.testing.assert_allclose(worst(c), 2 * np.minimum(c, 1 - c), atol=1e-12)


# --- Bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function", [cs.metrics.class_parts, cs.partial_brier_score, cs.metrics.calibration_gap]
)
def test_what_needs_probabilities(function: Any) -> None:
    with refused(ScoreError, "the score-driven choice needs scores in [0, 1], got scores from -3"):
        function([0, 1], [-3, 2])
    with refused(ScoreError, "needs scores in [0, 1]"):
        function(source("model_binormal"))


def test_ranks_are_enough_for_the_kendall_curve() -> None:
    infinite = cs.metrics.kendall_curve([0, 1, 1, 0], [-np.inf, 3, np.inf, 7])
    finite = cs.metrics.kendall_curve([0, 1, 1, 0], [0.1, 0.2, 0.9, 0.7])
    c = np.linspace(0, 1, 21)
    np.testing.assert_array_equal(infinite(c), finite(c))
