"""Ranges of operating conditions, marked in a plot over them."""

import numpy as np

from costspace.costs import CostDistribution
from costspace.plots.axes import Drawing
from costspace.plots.style import BLACK
from costspace.plots.thinning import Screen

# How much of a distribution of conditions lies in the range marked, as quantiles.
_CENTRAL = (0.05, 0.95)
_BISECTIONS = 60


def shade(drawing: Drawing, screen: Screen, better: list[tuple[float, float]]) -> None:
    """Shade intervals of conditions as far as they are in the window."""
    inside = [
        (max(low, screen.low), min(high, screen.high))
        for low, high in better
        if low < screen.high and high > screen.low
    ]
    name = "operating range" if inside else "no operating range"
    bars = drawing.ax.broken_barh(
        [(low, high - low) for low, high in inside],
        (0, 1),
        transform=drawing.ax.get_xaxis_transform(),
        facecolor="0.92",
        zorder=0,
        label=name,
    )
    ends = np.ravel(inside)
    drawing.add(name, bars, ends, np.full_like(ends, np.nan))


def mark_middle(drawing: Drawing, screen: Screen, costs: CostDistribution) -> None:
    """Mark the middle of a distribution of conditions, as far as it is in the window."""
    ends = np.array([_quantile(costs, share) for share in _CENTRAL])
    name = f"middle 90 % of {costs}"
    (bar,) = drawing.ax.plot(
        np.clip(ends, screen.low, screen.high),
        [0.012, 0.012],
        transform=drawing.ax.get_xaxis_transform(),
        color=BLACK,
        linewidth=4,
        alpha=0.6,
        marker="|",
        markersize=10,
        solid_capstyle="butt",
        label=name,
    )
    drawing.add(name, bar, ends, np.full(2, np.nan))


def _quantile(costs: CostDistribution, share: float) -> float:
    """The condition below which this share of the distribution lies."""
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if costs.below(np.array([middle]), 0)[0] >= share:
            high = middle
        else:
            low = middle
    return high
