"""Which models are best at which conditions, and which are within reach of the best."""

from collections.abc import Mapping
from types import MappingProxyType
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
from costspace.plots.scale import ConditionAxis
from costspace.plots.style import COLOURS

# Inches of a new figure, of a row in it, and of what else there is.
_WIDTH, _ROW, _REST = 8.0, 0.32, 1.3
# Of a row, the share that its bar is high, and its edge that of another colour.
_BAR = 0.64
# Gaps narrower than this, in dots of the picture, are not seen.
_SEEN = 0.5
_BEST: Mapping[str, Any] = MappingProxyType({"facecolor": COLOURS[0], "zorder": 3})
_NEAR: Mapping[str, Any] = MappingProxyType(
    {"facecolor": "#D6E8F3", "edgecolor": COLOURS[0], "hatch": "////", "linewidth": 0.6}
)

Stretches = list[tuple[float, float]]


def plot_dominance(
    curves: Mapping[str, LossCurve] | Dominance,
    *,
    within: float = 0.01,
    axis: str = "cost",
    scale: str = "linear",
    limits: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw a strip for each model: where it loses least, and where hardly more than the best.

    Models stand in the order of the conditions at which they are best, those that nowhere are
    last.

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
        shown = {name: _shown(drawing, over, intervals) for name, intervals in best.items()}
        close = {name: _shown(drawing, over, intervals) for name, intervals in near.items()}
        names = sorted(best, key=lambda name: _place(over, shown[name], close.get(name)))
        drawing.resize(_WIDTH, _ROW * len(names) + _REST)
        over.apply(drawing.ax)
        drawing.ax.set_ylim(len(names) - 0.5, -0.5)
        drawing.ax.set_yticks(range(len(names)), names)
        drawing.ax.tick_params(axis="y", length=0)
        drawing.ax.set_ylabel("")
        drawing.ax.hlines(
            np.arange(len(names)),
            0,
            1,
            transform=drawing.ax.get_yaxis_transform(),
            color="0.88",
            linewidth=0.8,
            zorder=0,
        )
        reach = f"within {100 * share:g} %"
        for row, name in enumerate(names):
            _draw(drawing, f"{name}, best", row, shown[name], {"label": "best", **_BEST})
            if name in close:
                look = {"label": f"{reach} of the best", **_NEAR}
                _draw(drawing, f"{name}, {reach}", row, close[name], look)
        return drawing.display(beside=True)


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
            left = sign_intervals(weighted_sum([lowest, curve], [1 + within, -1.0]))
            near[name] = sorted([*left.where(0), *left.where(1)])
    pieces = list(zip(found.breaks[:-1].tolist(), found.breaks[1:].tolist(), strict=True))
    best = {
        name: [piece for piece, names in zip(pieces, found.best, strict=True) if name in names]
        for name in found.names
    }
    return best, near


def _shown(drawing: Drawing, over: ConditionAxis, intervals: Stretches) -> FloatArray:
    """What is seen of intervals on the axis: ends as rows, ascending, small gaps closed."""
    low, high = over.ends(*np.array(intervals, dtype=float).reshape(-1, 2).T)
    order = np.argsort(low)
    low, high = over.shown(low[order], high[order])
    if not len(low):
        return np.zeros((0, 2))
    gap = drawing.pixels[0] * (over.share(low[1:]) - over.share(high[:-1])) > _SEEN
    return np.stack([low[np.append(True, gap)], high[np.append(gap, True)]], axis=1)


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
    """The intervals of one kind in a row; the legend names the first that there are."""
    low, high = intervals.T
    label = drawing.once(look["label"]) if len(low) else f"_{name}"
    bars = drawing.ax.broken_barh(
        list(zip(low, high - low, strict=True)),
        (row - _BAR / 2, _BAR),
        **{**look, "label": label},
    )
    drawing.add(name, bars, low, high)
