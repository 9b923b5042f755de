"""Confidence bands around curves, drawn over operating conditions."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from matplotlib.patches import Polygon

from costspace.arrays import FloatArray
from costspace.bands.band import LossBand
from costspace.bands.gain_bands import GainBand
from costspace.plots.axes import Drawing
from costspace.plots.scale import ConditionAxis
from costspace.plots.thinning import Screen, chord_ends, thin_line

# Between its breaks a band bends; so many chords across the window follow it.
_CHORDS = 1000
# Places across, ascending, and heights.
Line: TypeAlias = tuple[FloatArray, FloatArray]


def reach(band: LossBand, over: ConditionAxis) -> float:
    """How high a band goes in the range that an axis shows."""
    _, _, high = outline(band, over)
    return float(high.max(initial=0.0))


def draw_bands(
    drawing: Drawing, screen: Screen, over: ConditionAxis, bands: Mapping[str, LossBand]
) -> None:
    """Fill each band in the colour of its curve; one of each kind is named."""
    for name, band in bands.items():
        x, low, high = outline(band, over)
        fill_band(drawing, screen, name, ((x, low), (x, high)), said_of(band))


def said_of(band: LossBand | GainBand) -> str:
    """The name of a kind of band."""
    return f"{band.kind} {100 * band.level:g} % band"


def fill_band(
    drawing: Drawing, screen: Screen, name: str, ends: tuple[Line, Line], label: str
) -> None:
    """Fill between two lines, in the colour of the one of that name."""
    lower, upper = (thin_line(*end, screen) for end in ends)
    around = [np.append(lower.x, upper.x[::-1]), np.append(lower.y, upper.y[::-1])]
    line: Any = drawing.artists[name]
    said = any(one.get_label() == label for one in drawing.ax.patches)
    patch = Polygon(
        np.column_stack(around),
        facecolor=(line.get_color(), 0.15),
        edgecolor=(line.get_color(), 0.6),
        linewidth=0.4,
        zorder=0.5,
        label="_band" if said else label,
    )
    # Limits are set. `add_patch` would look for them, a second for 20,000 vertices.
    drawing.ax.add_artist(patch)
    drawing.add(f"{name}, band", patch, *around)


def outline(band: LossBand, over: ConditionAxis) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Places on an axis, ascending, and both ends of a band there, limits included."""
    low_end, high_end = map(float, over.ends(over.low, over.high))
    start, end = max(low_end, band.start), min(high_end, band.end)
    if start > end:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    inner = np.concatenate([[start], chord_ends(start, end, _CHORDS, over.scale), [end]])
    columns = band.columns()
    x = np.concatenate([columns["to"], inner, columns["from"]])
    low = np.concatenate([columns["low_end"], np.asarray(band.low(inner)), columns["low_start"]])
    high = np.concatenate(
        [columns["high_end"], np.asarray(band.high(inner)), columns["high_start"]]
    )
    # A stable sort has the left limit at a jump before the value.
    order = np.argsort(x, kind="stable")
    order = order[(x[order] >= start) & (x[order] <= end)]
    if over.flipped:
        order = order[::-1]
    return np.asarray(over.turned(x[order])), low[order], high[order]
