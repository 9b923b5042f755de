"""What is drawn of a Brier curve and its class parts."""

import numpy as np
import pytest
from pictures import vertices, written
from refusals import refused
from worked_examples import EXAMPLES

import costspace as cs
from costspace.plots import plot_brier_parts

TABLE = cs.ScoreTable.from_predictions(EXAMPLES["fig1"]["y_true"], EXAMPLES["fig1"]["y_score"])
BRIER = cs.loss_curve(TABLE, choice=cs.ScoreDriven())
PARTS = cs.metrics.class_parts(TABLE)


def test_what_is_drawn() -> None:
    display = plot_brier_parts(PARTS, optimal=cs.loss_curve(TABLE, choice=cs.Optimal()))
    assert written(display.ax) == [
        "both classes",
        "false positives",
        "false negatives",
        "lower envelope",
    ]


@pytest.mark.parametrize(
    ("name", "curve"),
    [
        ("both classes", BRIER),
        ("false positives", PARTS.negatives),
        ("false negatives", PARTS.positives),
    ],
)
def test_the_curves(name: str, curve: cs.LossCurve) -> None:
    x, y = vertices(plot_brier_parts(PARTS), name)
    assert np.minimum(np.abs(y - curve(x)), np.abs(y - curve.left(x))).max() < 1e-12


def test_refusals() -> None:
    with refused(cs.SourceError, "ClassParts are needed, such as class_parts(...) gives, got"):
        plot_brier_parts(BRIER)  # type: ignore[arg-type]
