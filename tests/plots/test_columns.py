"""The names of the columns that a display gives."""

from collections.abc import Callable

import numpy as np
import pytest

import costspace as cs
from costspace import plots

Y, S = [0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.7, 0.9]
TABLE = cs.ScoreTable.from_predictions(Y, S)
BRIER = cs.loss_curve(TABLE, choice=cs.ScoreDriven())
DRAWN: dict[str, tuple[Callable[[], plots.Display], list[str]]] = {
    "roc space": (lambda: plots.plot_roc_space({"m": TABLE}), ["fpr", "tpr"]),
    "cost space": (lambda: plots.plot_cost_space({"m": BRIER}), ["condition", "loss"]),
    "difference": (
        lambda: plots.plot_difference(
            cs.difference_band(Y, {"a": S, "b": S[::-1]}, choice=cs.ScoreDriven())
        ),
        ["condition", "difference"],
    ),
    "densities": (lambda: plots.plot_score_distributions(TABLE), ["score", "density"]),
    "shares": (
        lambda: plots.plot_score_distributions(TABLE, kind="cumulative"),
        ["score", "share"],
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_columns_have_names(name: str) -> None:
    draw, names = DRAWN[name]
    columns = draw().columns()
    assert list(columns) == ["drawn", *names]
    assert len({np.shape(column) for column in columns.values()}) == 1
