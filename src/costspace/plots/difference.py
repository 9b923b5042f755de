"""The difference of two loss curves, what is known of its sign, and where it crosses 0."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from costspace.arrays import FloatArray
from costspace.bands.band import LossBand
from costspace.errors import ConditionError, SourceError, brief
from costspace.plots.axes import Display, Drawing, drawing_on
from costspace.plots.confidence import draw_bands, outline
from costspace.plots.cost_space import check_jumps, draw_curve, set_up
from costspace.plots.scale import ConditionAxis
from costspace.plots.style import BLACK, GREY
from costspace.plots.thinning import thin_curve

# How high the strip at the bottom goes, as a share of the height, and the room left for it.
_STRIP = 0.06
_ROOM = 0.2
# What takes a smaller share of the strip can hardly be seen, and has no name.
_WIDE = 0.01
# No more crossings are named: the first.
_NAMED = 3
# Points that a letter of the label of the vertical axis takes.
_LETTER = 5.4
# The curve is of no one model.
_LOOK: dict[str, Any] = {"color": BLACK, "linewidth": 1.4, "label": "_difference"}


def plot_difference(
    band: LossBand,
    *,
    models: tuple[str, str] = ("the first", "the second"),
    axis: str = "cost",
    scale: str = "linear",
    limits: tuple[float, float] | None = None,
    jumps: str = "vertical",
    colours: Mapping[str, str] | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw the difference in loss of two models, and where it is significant.

    Below 0 the first model loses less. The strip at the bottom says which one loses less where
    that is known with the confidence of the band; markers are where the curve crosses 0, with
    bars for the intervals that contain such crossings.

    Parameters
    ----------
    band : LossBand
        Of a difference, as `difference_band` gives it.
    models : (str, str), default ("the first", "the second")
        The names of the two.
    axis : {"cost", "skew", "pc", "prevalence"}
        What the conditions are. "cost" is for a band over cost proportions, the others for one
        over skew, which the last two show against 1 - z.
    scale : {"linear", "logit"}
        The logit scale shows conditions such as 1/5000 and 1/500 apart.
    limits : (low, high), optional
        Range to draw, in units of the axis; by default that of the band, on the logit scale as far
        as it is between 0.0001 and 0.9999.
    jumps : {"vertical", "open"}
        Bridge the jumps of the curve, or leave them open.
    colours : mapping of name to str, optional
        Colours of the two in the strip, by their names, as in `plot_cost_space`.
    ax : matplotlib Axes, optional
        By default those of a new figure.

    Returns
    -------
    Display
        Its columns are "drawn", "condition", in units of the axis, and "difference", which is NaN
        where the pen is lifted and for the ranges of the strip.

    Raises
    ------
    SourceError
        If it is not a band around a difference.
    ConditionError
        If an option is not one of its values.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65, Section 5.3: where two cost curves differ
    significantly. A bar is open where the band alone does not say that there is a crossing.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> y = [0] * 50 + [1] * 50
    >>> s = [i / 70 for i in range(50)] + [1 - i / 70 for i in range(50)]
    >>> choice = {"bold": cs.ScoreFixed(0.3), "cautious": cs.ScoreFixed(0.7)}
    >>> band = cs.difference_band(y, {"bold": s, "cautious": s}, choice=choice)
    >>> display = plot_difference(band, models=("bold", "cautious"))
    >>> list(display.artists)[2:]
    ['crossings', 'bold loses less', 'cautious loses less', 'either may lose less']
    >>> plt.close(display.figure)
    """
    first, second = _checked_names(models)
    check_jumps(jumps)
    _check_band(band)
    over = ConditionAxis.asked(axis, scale, limits)
    if limits is None:
        over = over.within(band.start, band.end)
    curve = over.curve(band.curve)
    _, low, high = outline(band, over)
    with drawing_on(ax, ("condition", "difference")) as drawing:
        reached = float(high.max(initial=0)), float(low.min(initial=0))
        screen = set_up(drawing, over, [curve], *reached)
        bottom, top = drawing.ax.get_ylim()
        drawing.ax.set_ylim(bottom - _ROOM * (top - bottom), top)
        drawing.ax.set_ylabel(_label(drawing, first, second), parse_math=False)
        drawing.ax.axhline(0, color=GREY, linewidth=0.8, zorder=1)
        draw_curve(drawing, "difference", thin_curve(curve, screen), _LOOK, jumps)
        draw_bands(drawing, screen, over, {"difference": band})
        _draw_crossings(drawing, over, band)
        styles = drawing.styles([first, second], colours)
        known = {
            f"{first} loses less": styles[first].colour,
            f"{second} loses less": styles[second].colour,
            "either may lose less": "0.88",
        }
        _draw_strip(drawing, over, band, known)
        return drawing.display(_found(over, band, first, second))


def _found(over: ConditionAxis, band: LossBand, first: str, second: str) -> str:
    """The title: on how much of the axis either is known to lose less."""
    wins = {name: over.width(band.where(sign)) for name, sign in ((first, -1), (second, 1))}
    known = {name: f"{100 * share:.0f} %" for name, share in wins.items() if share > 0}
    if not known:
        return f"No clear difference of {first} and {second}"
    (name, share), *other = known.items()
    also = "".join(f", {other_name} on {other_share}" for other_name, other_share in other)
    return f"{name} clearly loses less on {share} of the axis{also}"


def _label(drawing: Drawing, first: str, second: str) -> str:
    """What is up, as far as there is room for the names."""
    said = f"Loss of {first}\nminus that of {second}"
    high = drawing.ax.bbox.height * 72 / drawing.ax.figure.dpi
    room = int(high / _LETTER)
    if len(said) <= room:
        return said.replace("\n", " ")
    return said if max(map(len, said.splitlines())) <= room else "Difference in expected loss"


def _check_band(band: object) -> None:
    if not isinstance(band, LossBand) or not np.any(band.floor.coefficients):
        raise SourceError(
            "a LossBand around a difference is needed, such as difference_band(...) gives, got "
            f"{brief(band)}."
        )


def _checked_names(models: object) -> tuple[str, str]:
    """The names, or `ConditionError` unless they are two."""
    names = list(models) if isinstance(models, tuple | list) else []
    if len(names) != 2 or len(set(map(str, names))) != 2:
        raise ConditionError(f"models must be two different names, got {brief(models)}.")
    return str(names[0]), str(names[1])


def _draw_crossings(drawing: Drawing, over: ConditionAxis, band: LossBand) -> None:
    """Where the estimate crosses 0, and bars for where the curve may."""
    found = band.crossings()
    low, high = over.ends(found.low, found.high)
    first, last = over.ends(found.first, found.last)
    certain = found.before * found.after < 0
    shown = [i for i in np.argsort(low) if low[i] <= over.high and high[i] >= over.low]
    for number, i in enumerate(shown):
        sure = bool(certain[i])
        said = _said(first[i], last[i], sure=sure)
        said = f"{said}\n(interval {low[i]:.3g} to {high[i]:.3g})"
        ends = np.clip([low[i], high[i]], over.low, over.high)
        width = 2.4 if sure else 1.0
        drawing.ax.plot(
            ends, [0, 0], color=BLACK, linewidth=width, marker="|", markersize=9, zorder=3
        )
        at = np.unique([first[i], last[i]])
        drawing.ax.plot(
            at,
            np.zeros_like(at),
            color=BLACK,
            marker="o",
            markersize=6,
            markerfacecolor=BLACK if sure else "white",
            linestyle="none",
            zorder=4,
            label=said if number < _NAMED else "_crossing",
        )
    if shown:
        # One artist for all, which shows nothing more.
        x, y = _strokes(low[shown], high[shown])
        (bars,) = drawing.ax.plot(x, y, linestyle="none")
        drawing.add("crossings", bars, x, y)


def _said(first: float, last: float, *, sure: bool) -> str:
    """What is said of the crossings in an interval."""
    if first == last:
        return f"{'' if sure else 'perhaps a '}crossing at {first:.3g}"
    return f"{'' if sure else 'perhaps '}crossings from {first:.3g} to {last:.3g}"


def _strokes(low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Intervals as strokes along 0, each followed by a NaN."""
    lift = np.full(len(low), np.nan)
    x = np.stack([low, high, lift], axis=1).ravel()
    return x, np.where(np.isnan(x), np.nan, 0)


def _draw_strip(
    drawing: Drawing, over: ConditionAxis, band: LossBand, known: Mapping[str, str]
) -> None:
    """Which model loses less where, as the band knows it."""
    ax = drawing.ax
    for (name, colour), sign in zip(known.items(), (-1, 1, 0), strict=True):
        low, high = over.drawn_apart(drawing, band.where(sign)).T
        if not len(low):
            continue
        wide = np.diff(over.share(np.stack([low, high])), axis=0).sum() > _WIDE
        bars = ax.broken_barh(
            list(zip(low, high - low, strict=True)),
            (0, _STRIP),
            transform=ax.get_xaxis_transform(),
            zorder=3,
            label=name if wide else f"_{name}",
            facecolor=colour,
        )
        x, _ = _strokes(low, high)
        drawing.add(name, bars, x, np.full_like(x, np.nan))
