"""Ranges of operating conditions, marked in a plot over them."""

import numpy as np

from costspace.costs import CostDistribution
from costspace.plots.axes import Drawing
from costspace.plots.scale import ConditionAxis
from costspace.plots.style import BLACK

# How much of a distribution of conditions lies in the range marked, as quantiles.
_CENTRAL = (0.05, 0.95)


def shade(drawing: Drawing, over: ConditionAxis, better: list[tuple[float, float]]) -> None:
    """Shade intervals of conditions as far as they are in the range drawn."""
    low, high = over.shown(*np.reshape(better, (-1, 2)).T)
    name = "operating range" if len(low) else "no operating range"
    bars = drawing.ax.broken_barh(
        list(zip(low, high - low, strict=True)),
        (0, 1),
        transform=drawing.ax.get_xaxis_transform(),
        facecolor="0.92",
        zorder=0,
        label=name,
    )
    ends = np.stack([low, high], axis=1)
    drawing.add(name, bars, ends, np.full_like(ends, np.nan))


def mark_middle(drawing: Drawing, over: ConditionAxis, costs: CostDistribution) -> None:
    """Mark the middle of a distribution of conditions, as far as it is in the range drawn."""
    ends = costs.quantile(_CENTRAL)
    name = f"middle 90 % of {costs}"
    (bar,) = drawing.ax.plot(
        np.clip(ends, over.low, over.high),
        [0.012, 0.012],
        transform=drawing.ax.get_xaxis_transform(),
        color=BLACK,
        linewidth=4,
        alpha=0.6,
        marker="|",
        markersize=10,
        solid_capstyle="butt",
        label="90 % of conditions",
    )
    drawing.add(name, bar, ends, np.full(2, np.nan))
