"""The table of an evaluation where there is not room for every quantity."""

import numpy as np
import pytest

import costspace as cs
from costspace.cli.evaluation_cells import cell_of, cells_of
from costspace.cli.evaluation_table import shown_of

RNG = np.random.default_rng(2)
Y = (np.arange(60) % 2 == 0).astype(int)
SCORES = {"a": RNG.random(60), "b": RNG.random(60)}


@pytest.mark.parametrize("room", [4, 6, 10])
def test_what_nobody_ranked_stays(room: int) -> None:
    choices = {"optimal": cs.Optimal(), "own": cs.RateFixed(0.2)}
    shown = [row.quantity for row in shown_of(cs.evaluate(Y, SCORES, choices=choices), room)]
    assert "own" in shown
    assert "macro_mae" not in shown


@pytest.mark.parametrize("value", [0.0, 1e-17, -2e-16, 4e-7])
def test_what_is_0_in_every_digit_shown_looks_like_0(value: float) -> None:
    assert cell_of(value, None).number == "0.0000"
    assert [cell.number for cell in cells_of([value, 0.25], [None, None])] == ["0.0000", "0.2500"]
    assert cell_of(6e-7, None).number == "0.000001"
