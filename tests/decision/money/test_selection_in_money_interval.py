"""What choosing does to the interval of money."""

import numpy as np
import pytest

import costspace as cs
from costspace.decision.money.interval import money_interval
from costspace.decision.money.row_money import RowMoney

STAKES = 800.0, 1600.0


def interval(mistakes, *, selection=0.0, n=200):
    """Of 200 rows, half of them positive, with so many mistakes in each class."""
    y = np.arange(n) % 2
    losses = np.zeros(n)
    for side, (many, stake) in enumerate(zip(mistakes, STAKES, strict=True)):
        losses[np.flatnonzero(y == side)[:many]] = stake
    rows = cs.ScoredRows.from_predictions(y, {"m": y / 2})
    sample = RowMoney(rows, "sampling")
    return money_interval(
        sample.mean(losses),
        losses,
        sample,
        stakes=STAKES,
        least=0.0,
        selection=selection,
        level=0.95,
    )


def test_selection_bias_moves_the_lower_end_only() -> None:
    error, plain = interval((10, 20))
    more, moved = interval((10, 20), selection=50.0)
    assert more**2 - error**2 == pytest.approx(50.0**2 / 2)
    assert moved.high == plain.high
    assert moved.low < plain.low - 10


def test_a_class_without_a_mistake_has_an_error() -> None:
    error, found = interval((0, 0))
    # One row of 102 in each class: the error of that many mistakes.
    share = 1 / 102
    assert error**2 == pytest.approx(
        sum(stake**2 * share * (1 - share) / 101 for stake in STAKES), rel=1e-12
    )
    assert found.low == 0.0
    assert found.high > 20
