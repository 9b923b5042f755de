"""Which models are best at which conditions, and which are within reach of the best."""

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from costspace.arrays import FloatArray
from costspace.checks import check_number
from costspace.comparison.dominating import Dominance, dominance
from costspace.curve import LossCurve, lower_envelope, sign_intervals, weighted_sum
from costspace.errors import SourceError
from costspace.plots.axes import Display, Drawing, drawing_on
from costspace.plots.checks import by_name
from costspace.plots.findings import leading
from costspace.plots.scale import ConditionAxis
from costspace.plots.style import GREY, pale

# Inches of a new figure, of a row in it, and of what else there is.
_WIDTH, _ROW, _REST = 5.0, 0.34, 1.1
# Of a row, the share that its bar is high, below its name, and that a line of small text is.
_BAR, _TEXT = 0.4, 0.4
# Points that a letter of it is wide.
_LETTER = 4.6
# How much white there is in the colour of what is nearly the best.
_PALE = 0.65

Stretches = list[tuple[float, float]]


def plot_dominance(
    curves: Mapping[str, LossCurve] | Dominance,
    *,
    within: float = 0.01,
    axis: str = "cost",
    scale: str = "linear",
    limits: tuple[float, float] | None = None,
    colours: Mapping[str, str] | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw a strip for each model: where its loss is the lowest, and where nearly so.

    Models stand in the order of the conditions at which they are best. Those that are nowhere
    within reach of the best share the last row.

    Parameters
    ----------
    curves : mapping of name to LossCurve, or Dominance
        All on one axis. What `dominance` gives tells which models are best, and nothing else.
    within : float, not negative, default 0.01
        A model is within reach of the best where it loses at most by this share more.
    axis : {"cost", "skew", "pc", "prevalence"}
        What the conditions are. The last two show curves over skew z against 1 - z.
    scale : {"linear", "logit"}
        The logit scale shows conditions such as 1/5000 and 1/500 apart.
    limits : (low, high), optional
        Range to draw, in units of the axis; by default as in `plot_cost_space`.
    colours : mapping of name to str, optional
        As in `plot_cost_space`. Of more than six models the four that are best at most conditions
        have colours.
    ax : matplotlib Axes, optional
        By default those of a new figure, which is higher the more models there are.

    Returns
    -------
    Display
        Its columns are "drawn", "from" and "to", in units of the axis: one row an interval, of
        which those are one that the picture shows as one.

    Raises
    ------
    SourceError
        If it is neither curves nor what `dominance` gives.
    ConditionError
        If an option is not one of its values.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 5: dominance intervals. Models whose
    curves coincide where both are best are best there together.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> y = [0, 0, 1, 1]
    >>> curves = {
    ...     "a": cs.loss_curve(y, [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven()),
    ...     "b": cs.loss_curve(y, [0.2, 0.6, 0.7, 0.3], choice=cs.ScoreDriven()),
    ... }
    >>> display = plot_dominance(curves, within=0.5)
    >>> list(display.artists)
    ['b, best', 'b, within 50 %', 'a, best', 'a, within 50 %']
    >>> plt.close(display.figure)
    """
    over = ConditionAxis.asked(axis, scale, limits)
    share = check_number("within", within, low=0)
    best, near = _found(curves, share)
    with drawing_on(ax, ("from", "to")) as drawing:
        shown = {name: over.drawn_apart(drawing, intervals) for name, intervals in best.items()}
        close = {name: over.drawn_apart(drawing, intervals) for name, intervals in near.items()}
        names = sorted(best, key=lambda name: _place(over, shown[name], close.get(name)))
        reach = f"within {100 * share:g} %"
        seen = [name for name in names if len(shown[name]) or len(close.get(name, ()))]
        others = _listed([name for name in names if name not in seen], drawing.points)
        rows = len(seen) + _TEXT * len(others)
        drawing.resize(_WIDTH, _ROW * rows + _REST)
        _set_up(drawing, over, rows)
        for row, name in enumerate(seen):
            _write(drawing, row - 0.5, name, "black")
        _write(drawing, len(seen) - 0.5, "\n".join(others), GREY)
        losses = {name: -_width(over, shown[name]) for name in best}
        styles = drawing.styles(best, colours, losses)
        for row, name in enumerate(names):
            look = {"facecolor": styles[name].colour, "zorder": 3}
            _draw(drawing, f"{name}, best", row, shown[name], look)
            if name in close:
                look = {"facecolor": pale(styles[name].colour, _PALE)}
                _draw(drawing, f"{name}, {reach}", row, close[name], look)
        nearly = f"\n(pale: {reach} of the lowest)" if close else ""
        widths = {name: -loss for name, loss in losses.items()}
        return drawing.display(f"{leading(widths)}{nearly}")


def _set_up(drawing: Drawing, over: ConditionAxis, rows: float) -> None:
    over.apply(drawing.ax)
    drawing.ax.set_ylim(rows - 0.3, -0.6)
    drawing.ax.set_yticks([])
    drawing.ax.set_ylabel("")


def _write(drawing: Drawing, top: float, text: str, colour: str) -> None:
    drawing.ax.text(
        0.01,
        top,
        text,
        transform=drawing.ax.get_yaxis_transform(),
        fontsize="x-small",
        color=colour,
        verticalalignment="top",
        parse_math=False,
    )


def _listed(names: list[str], points: float) -> list[str]:
    """What is said of models that are nowhere near the best, in lines that break no name."""
    if not names:
        return []
    unbroken = [name.replace(" ", "\N{NO-BREAK SPACE}") for name in names]
    said = f"nowhere: {'; '.join(unbroken)}"
    return wrap(said, int(points / _LETTER), break_long_words=False, break_on_hyphens=False)


def _width(over: ConditionAxis, intervals: FloatArray) -> float:
    """The share of the axis that intervals take."""
    return float(np.diff(over.share(intervals), axis=1).sum())


def _found(
    curves: Mapping[str, LossCurve] | Dominance, within: float
) -> tuple[dict[str, Stretches], dict[str, Stretches]]:
    """Where each model is best, and where it is within reach of the best, if that can be told."""
    near: dict[str, Stretches] = {}
    if isinstance(curves, Dominance):
        found = curves
    else:
        named: dict[str, LossCurve] = by_name(curves, (LossCurve,), "loss curve")
        if not named:
            raise SourceError("dominance is among loss curves: give at least one.")
        found = dominance(named)
        lowest = lower_envelope(list(named.values())).curve
        for name, curve in named.items():
            left = sign_intervals(weighted_sum([lowest, curve], weights=[1 + within, -1.0]))
            near[name] = sorted([*left.where(0), *left.where(1)])
    return best_by_model(found), near


def best_by_model(found: Dominance) -> dict[str, Stretches]:
    """Where each model is best, alone or with others."""
    pieces = list(zip(found.breaks[:-1].tolist(), found.breaks[1:].tolist(), strict=True))
    return {
        name: [piece for piece, names in zip(pieces, found.best, strict=True) if name in names]
        for name in found.names
    }


def _place(over: ConditionAxis, best: FloatArray, near: FloatArray | None) -> tuple[int, float]:
    """What models are sorted by: where they are best, then where they are within reach."""
    for last, intervals in enumerate((best, near)):
        if intervals is not None and len(intervals):
            places = over.share(intervals)
            width = places[:, 1] - places[:, 0]
            return last, float(places.mean(axis=1) @ width / width.sum())
    return 2, 0.0


def _draw(
    drawing: Drawing, name: str, row: int, intervals: FloatArray, look: Mapping[str, Any]
) -> None:
    """The intervals of one kind in a row."""
    low, high = intervals.T
    bars = drawing.ax.broken_barh(
        list(zip(low, high - low, strict=True)), (row, _BAR), label=f"_{name}", **look
    )
    drawing.add(name, bars, low, high)
