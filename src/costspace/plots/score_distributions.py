"""The score distributions of the two classes, and thresholds among them."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from costspace.arrays import FloatArray
from costspace.checks import check_number
from costspace.digits import apart
from costspace.errors import ConditionError, ScoreError, brief
from costspace.plots.axes import Display, drawing_on
from costspace.plots.checks import as_list, check_count, check_pair, check_result, each_once
from costspace.plots.style import BLACK, style
from costspace.plots.thinning import thin_chain
from costspace.scores.base import ScoreSource

# Bins of a table's scores, and of a source whose scores have a density.
_BINS, _FINE = 30, 1000
_HEADROOM = 0.05
_LARGEST = float(np.finfo(float).max)
_LABELS = {
    "density": "Density in each class",
    "cumulative": "Share of class at or below score",
}


def plot_score_distributions(
    source: ScoreSource,
    *,
    kind: str = "density",
    bins: int | None = None,
    limits: tuple[float, float] | None = None,
    thresholds: Mapping[str, float] | Sequence[float] = (),
    ax: Axes | None = None,
) -> Display:
    """Draw the distribution of the scores of each class.

    Parameters
    ----------
    source : ScoreTable or other ScoreSource
    kind : {"density", "cumulative"}
        A histogram with an area of 1 for each class, or the share of each class at or below each
        score.
    bins : int, positive, optional
        Bins of equal width of a histogram; 30 for a table, enough to look smooth for an analytic
        source.
    limits : (low, high), optional
        Range of scores to draw, by default that of the source. A class says how much of it lies
        outside.
    thresholds : sequence of float, or mapping of name to float
        Drawn as vertical lines; scores above one are flagged.
    ax : matplotlib Axes, optional
        By default those of a new figure.

    Returns
    -------
    Display
        Its columns are "drawn", "score" and "density" or "share".

    Raises
    ------
    SourceError
        If the source is none.
    ScoreError
        If scores are infinite and no limits are given.
    ConditionError
        If an option is not one of its values, or a threshold is outside the range drawn.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2 and Appendix A.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> display = plot_score_distributions(table, thresholds={"costs 1:1": 0.5})
    >>> list(display.artists)
    ['negatives', 'positives', 'costs 1:1']
    >>> plt.close(display.figure)
    """
    check_result(source, ScoreSource, "a score source is needed, such as a ScoreTable")
    if kind not in tuple(_LABELS):
        raise ConditionError(f"kind must be 'density' or 'cumulative', got {brief(kind)}.")
    low, high = _range(source, limits)
    marks = _named(thresholds, low, high)
    if bins is None:
        bins = _FINE if source.by_score.between == "smooth" else _BINS
    draw = _densities if kind == "density" else _shares
    x, heights = draw(source, low, high, check_count("bins", bins, 1))
    outside = _outside(source, low, high)
    with drawing_on(ax, ("score", "density" if kind == "density" else "share")) as drawing:
        drawing.ax.set_xlim(low, high)
        drawing.ax.set_ylim(0, (1 + _HEADROOM) * float(heights.max()) or 1.0)
        drawing.ax.set_xlabel("Score")
        drawing.ax.set_ylabel(_LABELS[kind])
        pixel = (high - low) / drawing.pixels[0]
        for i, name in enumerate(("negatives", "positives")):
            line = thin_chain(x, heights[i], pixel)
            look = style(i)
            beyond = f" ({100 * outside[i]:.3g} % outside)" if outside[i] > 0 else ""
            drawing.line(name, line.x, line.y, **look.line(), label=f"{name}{beyond}")
            if kind == "density":
                drawing.ax.fill_between(line.x, line.y, color=look.colour, alpha=0.12, linewidth=0)
        for name, t in marks.items():
            mark = drawing.ax.axvline(t, color=BLACK, linewidth=1.0, label=name)
            drawing.add(name, mark, [t], [np.nan])
        return drawing.display(
            f"A positive scores above a negative in {100 * source.auc:.0f} of 100 pairs"
        )


def _range(source: ScoreSource, limits: tuple[float, float] | None) -> tuple[float, float]:
    """The range to draw: a finite one, of some width."""
    if limits is not None:
        return check_pair(limits, inside=(-_LARGEST, _LARGEST))
    low, high = source.score_range
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ScoreError(
            f"scores run from {low:g} to {high:g}, which no axis can show: give finite limits; "
            "the name of a class says how much lies outside."
        )
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _named(
    thresholds: Mapping[str, float] | Sequence[float], low: float, high: float
) -> dict[str, float]:
    if not isinstance(thresholds, Mapping):
        given = [check_number("a threshold", t) for t in as_list("thresholds", thresholds)]
        thresholds = each_once((f"threshold {apart(t, given, 6)}", t) for t in given)
    for name, t in thresholds.items():
        if not low <= check_number(name, t) <= high:
            raise ConditionError(
                f"{name}: the threshold {t:g} is not in the range drawn, {low:g} to {high:g}: "
                "leave it out, or give wider limits."
            )
    return dict(thresholds)


def _densities(
    source: ScoreSource, low: float, high: float, bins: int
) -> tuple[FloatArray, FloatArray]:
    """The outlines of both classes' histograms."""
    edges = np.linspace(low, high, bins + 1)
    # Bins hold their lower edge, the last one both.
    below = np.stack(_below(source, edges[:-1], inclusive=True))
    up_to = np.stack(_below(source, edges[-1:]))
    density = np.diff(np.hstack([below, up_to])) / np.diff(edges)
    outline = np.repeat(density, 2, axis=1)
    return np.repeat(edges, 2), np.pad(outline, ((0, 0), (1, 1)))


def _shares(
    source: ScoreSource, low: float, high: float, steps: int
) -> tuple[FloatArray, FloatArray]:
    """Both classes' distribution functions."""
    if source.by_score.between == "smooth":
        x = np.linspace(low, high, steps + 1)
        return x, np.stack(_below(source, x))
    breaks = source.by_score.breaks
    breaks = breaks[(breaks >= low) & (breaks <= high)]
    before, after = (np.stack(_below(source, breaks, inclusive=i)) for i in (True, False))
    steps_up = np.stack([before, after], axis=2).reshape(2, -1)
    first = np.stack(_below(source, np.array([low]), inclusive=True))
    last = np.stack(_below(source, np.array([high])))
    return (
        np.concatenate([[low], np.repeat(breaks, 2), [high]]),
        np.hstack([first, steps_up, last]),
    )


def _outside(source: ScoreSource, low: float, high: float) -> FloatArray:
    """Share of each class below and above the range."""
    below = np.concatenate(_below(source, np.array([low]), inclusive=True))
    up_to = np.concatenate(_below(source, np.array([high])))
    return below + (1 - up_to)


def _below(
    source: ScoreSource, t: FloatArray, *, inclusive: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Share of each class that scores <= t, or < t with `inclusive` thresholds."""
    points = source.by_score.at(t, most=inclusive)
    return 1 - points.fpr, points.fnr
