"""Cumulative gain and lift over the share of cases flagged."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from costspace.arrays import FloatArray
from costspace.bands.gain_bands import GainBand
from costspace.errors import ConditionError, brief
from costspace.metrics.cumulative_gain import GainCurve
from costspace.plots.axes import Display, Drawing, Looks, drawing_on
from costspace.plots.checks import by_name, check_known
from costspace.plots.confidence import Line, fill_band, said_of
from costspace.plots.findings import best_of
from costspace.plots.style import GREY
from costspace.plots.thinning import Screen, thin_line

_ACROSS = "Share of cases flagged"
_LABELS = {"gain": "Share of positives found", "lift": "Lift (times as many as at random)"}
# The share flagged that a title speaks of, and the least that a lift is drawn from: of fewer
# cases it is noise.
_SAID, _FEW = 0.2, 0.01
_HEADROOM = 0.05
# Points of the lines that bend, along the shares flagged.
_STEPS = 512


def plot_gain(
    curves: GainCurve | Mapping[str, GainCurve],
    *,
    kind: str = "gain",
    bands: Mapping[str, GainBand] | None = None,
    trivial: bool = True,
    colours: Mapping[str, str] | None = None,
    looks: Looks | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw cumulative gains, or lift, by the share of cases flagged.

    Parameters
    ----------
    curves : GainCurve, or mapping of name to GainCurve
        All at one prevalence.
    kind : {"gain", "lift"}
        The share of all positives found, or how many times as many that is as at random. Lift is
        drawn from 1 % flagged on.
    bands : mapping of name to GainBand, optional
        Confidence bands around some of the curves, by their names.
    trivial : bool, default True
        Draw flagging at random and a perfect ranking; of lift only the first.
    colours, looks : mapping, optional
        As in `plot_cost_space`. Of more than six curves the four with the largest area have
        colours.
    ax : matplotlib Axes, optional
        By default those of a new figure. On axes that have lines, other styles are used.

    Returns
    -------
    Display
        Its columns are "drawn", "flagged" and what the kind is. The title says which model finds
        most among the 20 % with the highest scores.

    Raises
    ------
    SourceError
        If something is not a gain curve or a band of one.
    ConditionError
        If an option is not one of its values, a band is of no curve, or curves are at different
        prevalences.

    Notes
    -----
    Lines are drawn within half a pixel at 300 dots per inch, however many corners they have.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> curve = cs.metrics.gain_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> display = plot_gain({"model": curve})
    >>> list(display.artists)
    ['model', 'at random', 'perfect']
    >>> display.ax.get_title()
    'The top 20 % hold 40 % of the positives'
    >>> plt.close(display.figure)
    """
    named = by_name(curves, (GainCurve,), "gain curve")
    around: dict[str, GainBand] = by_name(bands or {}, (GainBand,), "bands")
    check_known("bands", "curve", around, named)
    if kind not in tuple(_LABELS):
        raise ConditionError(f"kind must be 'gain' or 'lift', got {brief(kind)}.")
    p = _prevalence(named)
    with drawing_on(ax, ("flagged", kind), looks=looks) as drawing:
        columns = {name: curve.columns() for name, curve in named.items()}
        lines = {name: _line(one["flagged"], one["gain"], kind) for name, one in columns.items()}
        top = _set_up(drawing, kind, lines)
        screen = Screen(0, 1, drawing.pixels[0], top / drawing.pixels[1])
        areas = {name: -curve.area for name, curve in named.items()}
        for name, look in drawing.styles(named, colours, areas).items():
            thin = thin_line(*lines[name], screen)
            drawing.line(name, thin.x, thin.y, **look.line())
        if trivial:
            _draw_rules(drawing, kind, p)
        for name, band in around.items():
            low, high = (_line(band.flagged, end, kind) for end in (band.lowest, band.highest))
            fill_band(drawing, screen, name, (low, high), said_of(band))
        return drawing.display(_found(drawing.in_front(named), kind, around))


def _prevalence(named: Mapping[str, GainCurve]) -> float:
    """The prevalence of all curves, or `ConditionError` if there are several."""
    known = {curve.prevalence for curve in named.values()}
    if len(known) != 1:
        raise ConditionError(
            "curves of one prevalence can be compared, got prevalences "
            f"{', '.join(f'{p:g}' for p in sorted(known)) or 'of no curve'}."
        )
    return known.pop()


def _line(flagged: FloatArray, gain: FloatArray, kind: str) -> Line:
    """A line of the kind that is drawn, from that of the gain, which is straight in between."""
    if kind == "gain":
        return flagged, gain
    # Lift bends between corners.
    even = np.linspace(_FEW, 1, _STEPS)
    x = np.union1d(even, flagged[flagged > _FEW])
    return x, np.interp(x, flagged, gain) / x


def _set_up(drawing: Drawing, kind: str, lines: Mapping[str, Line]) -> float:
    """Set scales and limits; return the height that is shown."""
    if kind == "gain":
        drawing.unit_square(_ACROSS, _LABELS[kind])
        return 1.0
    top = (1 + _HEADROOM) * max(1.0, *(float(y.max()) for _, y in lines.values()))
    drawing.ax.set(xlim=(0, 1), ylim=(0, top), xlabel=_ACROSS, ylabel=_LABELS[kind])
    return top


def _draw_rules(drawing: Drawing, kind: str, prevalence: float) -> None:
    look: dict[str, Any] = {"color": GREY, "linewidth": 1.0, "zorder": 1.9}
    if kind == "lift":
        drawing.line("at random", [0, 1], [1, 1], **look)
        return
    drawing.line("at random", [0, 1], [0, 1], **look)
    drawing.line("perfect", [0, prevalence, 1], [0, 1, 1], **look)


def _found(named: Mapping[str, GainCurve], kind: str, around: Mapping[str, GainBand]) -> str:
    """Which model is best at the share said; others in whose band that is may be as good."""
    top = f"the top {100 * _SAID:g} %"
    values = {name: float(curve(_SAID)) for name, curve in named.items()}
    best = max(values, key=lambda name: values[name])
    near = [one for one in values if one != best and _holds(around.get(one), values[best])]
    others = near[0] if len(near) == 1 else f"{len(near)} others"
    if kind == "gain":
        if len(values) == 1:
            return f"{top.capitalize()} hold {100 * values[best]:.0f} % of the positives"
        if near:
            return f"{best} finds {100 * values[best]:.0f} % in {top}, {others} may find as many"
        verbs = "finds most", "find most"
        return best_of(values, lambda share: f"{100 * share:.0f} % in {top}", verbs, largest=True)
    lifts = {name: gain / _SAID for name, gain in values.items()}
    if len(values) == 1:
        return f"{top.capitalize()} have {lifts[best]:.2g} times as many positives as all"
    if near:
        return f"{best} lifts {lifts[best]:.2g} times in {top}, {others} may lift as much"
    verbs = "lifts most", "lift most"
    return best_of(lifts, lambda lift: f"{lift:.2g} times in {top}", verbs, largest=True)


def _holds(band: GainBand | None, gain: float) -> bool:
    """Whether a band holds a gain at the share that is said."""
    return band is not None and float(band.low(_SAID)) <= gain <= float(band.high(_SAID))
