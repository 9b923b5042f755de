"""The parts of a Brier score on scores that are calibrated, and on some that are not."""

import pytest

import costspace as cs


def test_calibrated_scores_have_no_miscalibration_below_0() -> None:
    # Models A and B of scikit-learn's issue 10883.
    y = [0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1]
    a = [0, 0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 1]
    b = [0, 0.25, 0.25, 0.25, 0.75, 0.5, 0.5, 0.25, 0.75, 0.75, 0.75, 1]
    assert cs.miscalibration(y, a) == 0
    assert cs.miscalibration(y, b) == pytest.approx(1 / 24)
    assert cs.brier_score(y, b) == pytest.approx(cs.brier_score(y, a) / 2)
