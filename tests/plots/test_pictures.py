"""Pictures as they are printed, 9 cm wide: names and titles that can be read."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from pictures import names_drawn

import costspace as cs
import costspace.plots as cp

# Centimetres, in inches; letters are at least 7 points.
WIDE, HIGH = 9 / 2.54, 7.2 / 2.54
MODELS = {
    "three": ["logistic", "naive Bayes", "forest"],
    "twelve": [f"model {i}" for i in range(12)],
    "long names": [
        "gradient boosting, 400 trees, calibrated by isotonic regression",
        "gradient boosting, 400 trees, calibrated by a sigmoid",
        "random_forest_noise_0 (scaled, weights balanced)",
    ],
}


def problem(names: list[str], share: float) -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(len(names))
    y = rng.random(2000) < share
    start = np.log(share / (1 - share))
    scores = {}
    for i, name in enumerate(names):
        logit = start + rng.normal((1 + 0.1 * i) * y, 1.0)
        scores[name] = np.round(1 / (1 + np.exp(-logit)), 4)
    return y, scores


def of_losses(y: Any, scores: Any, ax: Axes) -> cp.Display:
    curves = {name: cs.loss_curve(y, s, choice=cs.ScoreDriven()) for name, s in scores.items()}
    return cp.plot_cost_space(curves, trivial=float(np.mean(y)), scale="logit", ax=ax)


def of_ranks(y: Any, scores: Any, ax: Axes) -> cp.Display:
    tables = {name: cs.ScoreTable.from_predictions(y, s) for name, s in scores.items()}
    return cp.plot_roc_space(tables, hull=False, ax=ax)


def of_gains(y: Any, scores: Any, ax: Axes) -> cp.Display:
    curves = {name: cs.metrics.gain_curve(y, s) for name, s in scores.items()}
    return cp.plot_gain(curves, ax=ax)


def of_lift(y: Any, scores: Any, ax: Axes) -> cp.Display:
    curves = {name: cs.metrics.gain_curve(y, s) for name, s in scores.items()}
    return cp.plot_gain(curves, kind="lift", ax=ax)


def of_bins(y: Any, scores: Any, ax: Axes) -> cp.Display:
    tables = {name: cs.ScoreTable.from_predictions(y, s) for name, s in scores.items()}
    bins = {
        name: cs.decomposition.partition_scores(one, partition=6) for name, one in tables.items()
    }
    return cp.plot_calibration(bins, ax=ax)


def of_net_benefit(y: Any, scores: Any, ax: Axes) -> cp.Display:
    curves = {name: cs.decision_curve(y, s) for name, s in scores.items()}
    return cp.plot_net_benefit(curves, limits=(0.0, 0.5), ax=ax)


def of_a_difference(y: Any, scores: Any, ax: Axes) -> cp.Display:
    two = dict(list(scores.items())[:2])
    band = cs.difference_band(y, two, choice=cs.ScoreDriven(), simultaneous=False)
    return cp.plot_difference(band, models=tuple(two), ax=ax)  # type: ignore[arg-type]


DRAW = [of_losses, of_ranks, of_gains, of_lift, of_bins, of_net_benefit, of_a_difference]


@pytest.mark.parametrize("share", [0.3, 0.02], ids=["common", "rare"])
@pytest.mark.parametrize("models", MODELS)
@pytest.mark.parametrize("draw", DRAW, ids=lambda draw: draw.__name__)
def test_names_are_apart_and_inside_and_can_be_read(
    draw: Callable[..., cp.Display], models: str, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure, ax = plt.subplots(figsize=(WIDE, HIGH), layout="constrained")
    draw(*problem(MODELS[models], share), ax)
    figure.canvas.draw()
    written = names_drawn(ax, monkeypatch)
    box, whole = ax.get_window_extent(), figure.bbox
    extents = [text.get_window_extent() for text in written]
    for text, extent in zip(written, extents, strict=True):
        assert extent.x0 > box.x0 - 1
        assert extent.x1 < box.x1 + 1
        assert extent.y0 > box.y0 - 1
        assert extent.y1 < box.y1 + 1
        assert text.get_fontsize() >= 6.9
    apart = [
        not first.padded(-1).overlaps(second.padded(-1))
        for i, first in enumerate(extents)
        for second in extents[:i]
    ]
    assert all(apart)
    for label in (ax.title, ax.xaxis.label, ax.yaxis.label):
        shown = label.get_window_extent()
        assert shown.x0 >= -1
        assert shown.x1 <= whole.width + 1
        assert shown.y0 >= -1
        assert shown.y1 <= whole.height + 1
        assert label.get_fontsize() >= 7
