"""Drawings of Hernandez-Orallo, Flach, Ferri (2011), arXiv:1107.5930."""

from collections.abc import Mapping

from matplotlib.figure import Figure

import costspace as cs
from papers import samples
from papers.panels import NOTE, Looks, cost_panel, panels, roc_panel, three_panels

_NAME, _BRIER = "ROC cost curve", "Brier curve"
_LOOKS: Looks = {
    # Pieces end where they end, thick as they are.
    _NAME: {"linewidth": 3, "solid_capstyle": "butt"},
    _BRIER: {"linewidth": 1.5, "linestyle": "-"},
}


def figure_1() -> Figure:
    """The fifteen scores in ROC space and in cost space over both conditions."""
    return three_panels(
        "Figure 1: ROC curve, convex hull and optimal cost curve of 15 scores",
        samples.FIFTEEN.table(),
    )


def figure_2() -> Figure:
    """Seven scores."""
    return _stepped("Figure 2: ROC cost curve of seven scores", samples.SEVEN)


def figure_3() -> Figure:
    """A perfect ranking."""
    return _stepped("Figure 3: ROC cost curve of a perfect ranking", samples.PERFECT)


def figure_4() -> Figure:
    """The worst ranking."""
    return _stepped("Figure 4: ROC cost curve of the worst ranking", samples.WORST)


def figure_5() -> Figure:
    """An alternating ranking."""
    return _stepped("Figure 5: ROC cost curve of an alternating ranking", samples.ALTERNATING)


def figure_6() -> Figure:
    """Evenly spaced scores, with their Brier curve."""
    title = "Figure 6: ROC cost curve and Brier curve of evenly spaced scores"
    return _stepped(title, samples.TWENTY_FOUR, brier=True)


def figure_7() -> Figure:
    """Calibrated scores, with ties, and their Brier curve."""
    table = samples.CALIBRATED.table()
    curves = {
        _NAME: _rate_reached(table),
        _BRIER: cs.loss_curve(table, choice=cs.ScoreDriven()),
        f"{_NAME}, ties split": cs.loss_curve(table, choice=cs.RateDriven()),
    }
    title = "Figure 7: ROC cost curve and Brier curve of calibrated scores"
    note = "The paper keeps ties together; splitting them at random interpolates the ROC curve."
    return _two_panels(title, table, curves, note, hull=False)


def _rate_reached(table: cs.ScoreTable) -> cs.LossCurve:
    """Loss of the paper's rate-driven choice where scores are tied.

    It keeps to a point of the ROC curve until the condition reaches the rate of the next one.
    """
    points = table.distinct_points.after_flagging_all()[:-1]
    return cs.OperatingPath.stepping(table.not_flagged[1:-1], points, table.prevalence).loss()


def _stepped(title: str, sample: samples.Sample, *, brier: bool = False) -> Figure:
    table = sample.table()
    curves = {_NAME: cs.loss_curve(table, choice=cs.RateDriven(stepped=True))}
    if brier:
        curves[_BRIER] = cs.loss_curve(table, choice=cs.ScoreDriven())
    interpolated = cs.expected_loss(table, choice=cs.RateDriven())
    note = f"The interpolated ROC cost curve has an area of {interpolated:.4f}."
    return _two_panels(title, table, curves, note)


def _two_panels(
    title: str,
    table: cs.ScoreTable,
    curves: Mapping[str, cs.LossCurve],
    note: str,
    *,
    hull: bool = True,
) -> Figure:
    figure, (left, right) = panels(title, 2, note=f"{note}\n{NOTE}")
    roc_panel(left, table, hull=hull)
    cost_panel(
        right, table, curves, looks={name: _LOOKS[name] for name in curves if name in _LOOKS}
    )
    return figure
