"""The best threshold for each condition."""

import numpy as np
import pytest

import costspace as cs


def test_at_a_tie_fewer_are_flagged() -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.5] * 4)
    path = cs.Optimal().path(table)
    assert path.breaks.tolist() == [0, 0.5, 1]
    assert path.start.fpr.tolist() == [1, 0]
    curve = cs.loss_curve([0, 1, 1, 1], [0.5] * 4, choice=cs.Optimal())
    assert curve.breaks.tolist() == [0, 0.75, 1]
    assert (curve.left(0.75), curve(0.75)) == pytest.approx((0.375, 0.375))


def test_shares_change_sides_at_the_tie() -> None:
    y, s = [0, 0, 1, 1], [0.5] * 4
    at = cs.loss_shares(y, s, choice=cs.Optimal(), costs=cs.Point(0.5))
    assert at.tolist() == [0, 0, 0.25, 0.25]
    before = cs.loss_shares(y, s, choice=cs.Optimal(), costs=cs.Point(np.nextafter(0.5, 0)))
    assert before.tolist() == pytest.approx([0.25, 0.25, 0, 0])


def test_envelope_of_all_cost_lines() -> None:
    generator = np.random.default_rng(0)
    for p in (None, 0.03):
        y, s = np.append([0, 1], generator.integers(0, 2, 30)), generator.integers(0, 12, 32)
        weight = generator.random(32)
        table = cs.ScoreTable.from_predictions(y, s, sample_weight=weight)
        table = table if p is None else table.with_prevalence(p)
        thresholds = [-1.0, *map(float, range(12))]
        for axis in ("cost", "skew"):
            c = np.linspace(0, 1, 101)
            lines = [
                cs.loss_curve(table, choice=cs.ScoreFixed(t), axis=axis)(c) for t in thresholds
            ]
            best = cs.loss_curve(table, choice=cs.Optimal(), axis=axis)(c)
            np.testing.assert_allclose(best, np.min(lines, axis=0), atol=1e-14)


def test_no_better_than_a_trivial_rule() -> None:
    curve = cs.loss_curve([1, 0], [0, 1], choice=cs.Optimal())
    c = np.linspace(0, 1, 11)
    np.testing.assert_allclose(curve(c), np.minimum(c, 1 - c), atol=1e-15)


def test_separated_classes_cost_nothing() -> None:
    curve = cs.loss_curve([0, 0, 1], [1, 2, 3], choice=cs.Optimal())
    assert np.all(curve(np.linspace(0, 1, 11)) == 0)


@pytest.mark.parametrize("n", [50, 500])
def test_breaks_ascend_whatever_the_prevalence(n: int) -> None:
    generator = np.random.default_rng(n)
    for p in (1e-9, 0.01, 0.3, 0.7, 0.99):
        y, s = np.append([0, 1], generator.integers(0, 2, n)), generator.random(n + 2)
        curve = cs.loss_curve(y, s, choice=cs.Optimal(), prevalence=p)
        assert np.all(np.diff(curve.breaks) >= 0)
