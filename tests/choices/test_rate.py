"""Thresholds on the share flagged."""

from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace import ConditionError, SourceError

Y = [0, 0, 1, 1]
S = [0.1, 0.6, 0.4, 0.9]


def point(table: cs.ScoreTable, flagged: float) -> tuple[float, float]:
    start = cs.RateFixed(flagged).path(table).start
    return float(start.fpr[0]), float(start.fnr[0])


def test_flagged_is_the_share_predicted_positive() -> None:
    table = cs.ScoreTable.from_predictions(Y, S)
    assert [point(table, f) for f in (0, 0.25, 0.5, 0.75, 1)] == [
        *((0, 1), (0, 0.5), (0.5, 0.5), (0.5, 0), (1, 0))
    ]


def test_ties_are_split_at_random() -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 0, 1], [0.5] * 4)
    assert point(table, 0.3) == pytest.approx((0.3, 0.7))
    shares = cs.loss_shares([0, 0, 0, 1], [0.5] * 4, choice=cs.RateFixed(0.3))
    assert shares.tolist() == pytest.approx([0.3 / 4, 0.3 / 4, 0.3 / 4, 0.7 / 4])


def test_the_share_counts_classes_as_reweighted() -> None:
    table = cs.ScoreTable.from_predictions(Y, S).with_prevalence(0.1)
    for flagged in (0.02, 0.05, 0.3, 0.77):
        fpr, fnr = point(table, flagged)
        assert 0.9 * fpr + 0.1 * (1 - fnr) == pytest.approx(flagged)


@pytest.mark.parametrize(
    ("flagged", "text"),
    [
        (1.2, "flagged must be in [0, 1], got 1.2: 1.2 % is 0.012."),
        (-0.1, "flagged must be in [0, 1], got -0.1."),
        (float("nan"), "flagged must be in [0, 1], got nan."),
        ("2%", "flagged must be a number, got '2%'."),
        (None, "flagged must be a number, got None."),
    ],
)
def test_bad_share(flagged: Any, text: str) -> None:
    with refused(ConditionError, text):
        cs.RateFixed(flagged)


def test_uniform_is_the_mean_of_fixed_rates() -> None:
    for y, s in ((Y, S), ([0, 1, 0, 1, 1], [1, 1, 2, 2, 3])):
        grid = (np.arange(1000) + 0.5) / 1000
        fixed = [cs.expected_loss(y, s, choice=cs.RateFixed(f)) for f in grid]
        found = cs.expected_loss(y, s, choice=cs.RateUniform())
        assert found == pytest.approx(np.mean(fixed), abs=1e-5)


def test_the_condition_is_the_share_not_flagged() -> None:
    table = cs.ScoreTable.from_predictions([0, 1, 0, 1, 1], [1, 1, 2, 2, 3])
    curve = cs.loss_curve(table, choice=cs.RateDriven())
    for c in np.linspace(0, 1, 23):
        fixed = cs.loss_curve(table, choice=cs.RateFixed(1 - c))
        assert curve(c) == pytest.approx(fixed(c), abs=1e-14)


def test_rate_driven_curves_are_continuous() -> None:
    curve = cs.loss_curve([0, 1, 0, 1, 1], [1, 1, 2, 2, 3], choice=cs.RateDriven())
    np.testing.assert_allclose(curve(curve.breaks), curve.left(curve.breaks), atol=1e-15)
    constant = cs.loss_curve([0, 1, 1], [7, 7, 7], choice=cs.RateDriven())
    c = np.linspace(0, 1, 11)
    np.testing.assert_allclose(constant(c), 2 * c * (1 - c) * (1 / 3 + 2 / 3), atol=1e-15)


def test_stepped_pieces_are_equal() -> None:
    for axis in ("cost", "skew"):
        curve = cs.loss_curve(Y, S, choice=cs.RateDriven(stepped=True), axis=axis, prevalence=0.1)
        assert curve.breaks.tolist() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])


@pytest.mark.parametrize(
    ("scores", "weight", "has"),
    [([0.1, 0.1, 0.4, 0.9], None, "ties"), (S, [1, 1, 1, 1], "weights"), (S, [1, 2, 1, 1], "w")],
)
def test_stepped_curves_refuse_ties_and_weights(scores: Any, weight: Any, has: str) -> None:
    text = f"needs distinct scores of equal weight, and this table has {has}"
    for choice in (cs.RateDriven(stepped=True), cs.RateUniform(stepped=True)):
        for verb in (cs.expected_loss, cs.loss_curve, cs.loss_shares):
            with refused(SourceError, text):
                verb(Y, scores, choice=choice, sample_weight=weight)


def test_stepped_says_what_to_do() -> None:
    for choice in (cs.RateDriven, cs.RateUniform):
        with refused(SourceError, f"use {choice.__name__}(), which interpolates."):
            cs.expected_loss([0, 1], [1, 1], choice=choice(stepped=True))


@pytest.mark.parametrize("stepped", ["no", None, 2])
def test_stepped_is_true_or_false(stepped: Any) -> None:
    for choice in (cs.RateDriven, cs.RateUniform):
        with refused(ConditionError, "stepped must be"):
            choice(stepped=stepped)


@pytest.mark.parametrize("axis", ["cost", "skew"])
def test_uniform_over_the_cut_points_by_hand(axis: str) -> None:
    y, s = [0, 1, 0, 1, 1], [0.1, 0.2, 0.6, 0.7, 0.9]
    cuts = [-1, 0.1, 0.2, 0.6, 0.7, 0.9]
    fixed = [cs.loss_curve(y, s, choice=cs.ScoreFixed(t), axis=axis) for t in cuts]
    curve = cs.loss_curve(y, s, choice=cs.RateUniform(stepped=True), axis=axis)
    c = np.linspace(0, 1, 11)
    np.testing.assert_allclose(curve(c), np.mean([line(c) for line in fixed], axis=0), atol=1e-15)
    p, auc = 3 / 5, 5 / 6
    if axis == "cost":
        area = p * (1 - p) * (1 - 2 * auc) * 5 / 6 + 1 / 2
        assert curve.expectation(cs.Uniform()) == pytest.approx(area)
    # Reweighting leaves the cut points where they are.
    shifted = cs.metrics.class_parts(y, s, choice=cs.RateUniform(stepped=True), prevalence=0.9)
    assert shifted.negatives(1) / 0.2 == pytest.approx(np.mean([1, 0.5, 0.5, 0, 0, 0]))
