"""What a watched rule costs by day, with intervals that hold at all looks at once."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

from costspace.errors import SourceError, brief
from costspace.plots.axes import Display, drawing_on
from costspace.plots.style import BLACK, COLOURS, GREY
from costspace.watching.look import Look

# Above the highest of what matters there is so much room, as a share of it.
_ROOM = 0.15
# Ends of intervals further from the tolerance than so many times the last one are not shown whole.
_TIMES = 4.0
_TICKS = 8


def plot_watch(look: Look, *, ax: Axes | None = None) -> Display:
    """Draw what the rule costs by the end of each day, and what is tolerated.

    Parameters
    ----------
    look : Look
        As `Watch.look` gives it.
    ax : matplotlib Axes, optional
        By default those of a new figure.

    Returns
    -------
    Display
        Its columns are "drawn", "day", in days since 1970-01-01, and "cost", per 1,000 cases.

    Raises
    ------
    SourceError
        If it is no look, or has no complete day.

    Notes
    -----
    Waudby-Smith and Ramdas (2024), Journal of the Royal Statistical Society B 86: intervals of a
    mean that hold at every look.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1] * 50, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9] * 50
    >>> watch = cs.begin_watch(cs.decide(y, {"model": s}, fp_cost=1, fn_cost=2), tolerance=200)
    >>> for day in ("2026-11-02", "2026-11-03"):
    ...     watch = watch.add(y, {"model": s}, day=day)
    >>> display = plot_watch(watch.look())
    >>> list(display.artists)
    ['interval', 'cost so far', 'tolerated']
    >>> plt.close(display.figure)
    """
    if not isinstance(look, Look):
        raise SourceError(f"a look at a watch is drawn, as Watch.look gives it, got {brief(look)}.")
    if not len(look.days):
        raise SourceError("no day of the watch has all its labels: there is nothing to draw.")
    days = look.days.astype(float)
    mean, low, high = look.cost.mean, look.cost.low, look.cost.high
    with drawing_on(ax, ("day", "cost")) as on:
        band = on.ax.fill_between(days, low, high, color=COLOURS[0], alpha=0.18, linewidth=0)
        around = np.concatenate([days, days[::-1]]), np.concatenate([low, high[::-1]])
        on.add("interval", band, *around)
        on.line(
            "cost so far",
            days,
            mean,
            color=COLOURS[0],
            linewidth=1.6,
            marker="." if len(days) == 1 else None,
        )
        on.line("tolerated", days[[0, -1]], [look.tolerance] * 2, color=GREY, linestyle="--")
        most = max(look.tolerance, float(np.max(mean)), float(high[-1]))
        bottom = min(0.0, float(low[-1]))
        top = min(float(np.max(high)), _TIMES * most) if most > 0 else float(np.max(high))
        top = max(top, most) + _ROOM * (most - bottom)
        on.ax.set_ylim(bottom, top)
        if look.since is not None:
            at = float(look.since.astype(float))
            usual = {"color": BLACK, "linewidth": 0.8, "linestyle": ":"}
            on.line(f"worse since about {look.since}", [at, at], [bottom, top], **usual)
        dates = AutoDateLocator(maxticks=_TICKS)  # type: ignore[no-untyped-call]
        on.ax.xaxis.set_major_locator(dates)
        on.ax.xaxis.set_major_formatter(ConciseDateFormatter(dates))  # type: ignore[no-untyped-call]
        on.ax.set_ylabel("Cost per 1,000 cases so far")
        costs = f"{float(mean[-1]):,.3g} per 1,000 cases, {look.tolerance:,.3g} tolerated"
        return on.display(f"{costs} ({100 * look.level:g} % for all looks)")
