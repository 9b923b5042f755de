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


@pytest.mark.parametrize("n", [50, 500])
def test_breaks_ascend_whatever_the_prevalence(n: int) -> None:
    generator = np.random.default_rng(n)
    for p in (1e-9, 0.01, 0.3, 0.7, 0.99):
        y, s = np.append([0, 1], generator.integers(0, 2, n)), generator.random(n + 2)
        curve = cs.loss_curve(y, s, choice=cs.Optimal(), prevalence=p)
        assert np.all(np.diff(curve.breaks) >= 0)
