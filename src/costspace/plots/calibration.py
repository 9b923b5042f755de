"""Calibration: how bins of scores compare with their shares of positives."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np
from matplotlib.axes import Axes

from costspace.arrays import FloatArray
from costspace.decision.money.class_intervals import score_ends
from costspace.decomposition import Partition
from costspace.errors import ConditionError, ScoreError, brief
from costspace.estimates.interval import Ends, normal_quantile
from costspace.plots.axes import Display, Drawing, drawing_on
from costspace.plots.checks import by_name
from costspace.plots.findings import best_of
from costspace.plots.scale import write_ticks
from costspace.plots.style import GREY, LineStyle
from costspace.plots.thinning import SCALES, from_screen, thin_chain, to_screen

# Area in square points of the marker of a bin that holds every row, and of the smallest.
_WHOLE, _SMALLEST = 400, 6
# Room around the bins, as a share of their range, which is that of both axes unless one of them has
# less than a third of it.
_ROOM, _ALIKE = 0.06, 3.0
# The losses of more models are not written, nor intervals of more bins drawn.
_MANY, _BARRED = 6, 60
# What the logit scale shows if all shares are 0 or 1.
_LOGIT_ENDS = (1e-3, 1 - 1e-3)
# What rounding can move a mean of equal scores by.
_ROUNDING = 1e-12


def plot_calibration(
    partitions: Partition | Mapping[str, Partition],
    *,
    scale: str = "logit",
    level: float = 0.95,
    colours: Mapping[str, str] | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw the share of positives in each bin of scores against their mean score.

    A bin on the diagonal is calibrated. Each bin of up to 60 has the interval of its share. Both
    axes show the range that bins have, of scores and of shares together; where one of them has less
    than a third of it, as where positives are rare and scores are not, each axis shows its own.
    Markers have areas in proportion to the shares of rows in their bins; beside each of up to six
    models stand both losses.

    Parameters
    ----------
    partitions : Partition, or mapping of name to Partition
        Of scores in [0, 1].
    scale : {"logit", "linear"}
        Of both axes. The logit scale has room for rare positives. It has no 0 and 1: these are
        drawn at its ends, as are scores that are far from all shares.
    level : float in (0, 1), default 0.95
        Confidence level of the intervals.
    colours : mapping of name to str, optional
        As in `plot_cost_space`. Of more than six models the four that are best calibrated have
        colours, markers and intervals.
    ax : matplotlib Axes, optional
        By default those of a new figure.

    Returns
    -------
    Display
        Its columns are "drawn", "mean_score", "positive_share" and "share". The title says which
        model has the least calibration loss.

    Raises
    ------
    SourceError
        If something is not a Partition.
    ScoreError
        If a mean score is not in [0, 1].
    ConditionError
        If an option is not one of its values.

    Notes
    -----
    Murphy (1973), Journal of Applied Meteorology 12; Hernandez-Orallo, Flach, Ferri (2012),
    arXiv:1112.2640, Section 6. Intervals are score intervals, as if rows were independent: Wilson
    (1927), Journal of the American Statistical Association 22, for as many rows of equal weight as
    say as much.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> display = plot_calibration({"model": cs.decomposition.partition_scores(table)})
    >>> display.columns()["mean_score"]
    array([0.1, 0.5, 0.9])
    >>> print(display.artists["model"].get_label())
    model
      calibration loss 0.005
      refinement loss 0.125
    >>> plt.close(display.figure)
    """
    named = checked_bins(by_name(partitions, (Partition,), "partition"))
    if scale not in tuple(SCALES):
        raise ConditionError(f"scale must be 'linear' or 'logit', got {brief(scale)}.")
    bars = {name: intervals(bins, level) for name, bins in named.items()}
    with drawing_on(ax, ("mean_score", "positive_share", "share")) as drawing:
        drawing.unit_square("Mean score in bin", "Share of positives in bin")
        losses = {name: bins.calibration_loss for name, bins in named.items()}
        styles = drawing.styles(named, colours, losses)
        # Those in grey may leave the picture.
        best = {name: bins for name, bins in named.items() if styles[name].marker} or named
        frame = _frame(best, bars, scale)
        frame.apply(drawing.ax)
        for name, look in styles.items():
            _draw_bins(drawing, name, named[name], look, frame, said=len(named) <= _MANY)
            if look.marker:
                _draw_bars(drawing.ax, named[name], bars[name], look, frame)
        return drawing.display(_found(named, losses))


def _found(named: Mapping[str, Partition], losses: Mapping[str, float]) -> str:
    """The title: which model is calibrated best."""
    if len(named) > 1:
        verbs = "is calibrated best", "are calibrated best"
        return best_of(losses, "loss {:.2g}".format, verbs)
    return "".join(
        f"Calibration loss {bins.calibration_loss:.2g}, refinement loss {bins.refinement_loss:.2g}"
        for bins in named.values()
    )


def intervals(bins: Partition, level: float) -> FloatArray:
    """Both ends of the interval of each bin's share, of shape (2, k); NaN for too many bins."""
    quantile = normal_quantile(level)
    if len(bins.share) > _BARRED:
        return np.full((2, len(bins.share)), np.nan)
    # The rows' own shares, of which there are so many.
    own = _with_odds(bins.positive_share, 1 / bins.reweighted)
    ends = [score_ends(p, n, quantile) for p, n in zip(own, bins.rows, strict=True)]
    return _with_odds(np.clip(np.transpose(ends), 0, 1), bins.reweighted)


def _with_odds(share: FloatArray, times: float) -> FloatArray:
    """Shares with so many times the odds."""
    return times * share / (times * share + (1 - share))


@final
@dataclass(frozen=True)
class _Frame:
    """What both axes show."""

    scale: str
    x: Ends
    y: Ends

    def apply(self, ax: Axes) -> None:
        """Show it, and the diagonal."""
        ax.set(xscale=self.scale, yscale=self.scale, xlim=self.x, ylim=self.y)
        if self.scale == "logit":
            points = 72 / ax.figure.dpi
            write_ticks(ax.xaxis, *self.x, ax.bbox.width * points)
            write_ticks(ax.yaxis, *self.y, ax.bbox.height * points)
        if self.x != self.y:
            ax.set_aspect("auto")
        ends = max(self.x[0], self.y[0]), min(self.x[1], self.y[1])
        ax.plot(ends, ends, color=GREY, linewidth=0.8, label="perfectly calibrated")

    def placed(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Places as far as the axes go."""
        return np.clip(x, *self.x), np.clip(y, *self.y)

    def across(self, values: FloatArray, ends: Ends) -> FloatArray:
        """How far along an axis values are, from 0 to 1."""
        low, high = to_screen(np.array(ends), self.scale)
        return (to_screen(np.clip(values, *ends), self.scale) - low) / (high - low)

    def at(self, share: FloatArray, ends: Ends) -> FloatArray:
        """The values so far along an axis."""
        low, high = to_screen(np.array(ends), self.scale)
        return from_screen(low + share * (high - low), self.scale)


def _frame(named: Mapping[str, Partition], bars: Mapping[str, FloatArray], scale: str) -> _Frame:
    """The bins, on a square if both axes need about the same of it."""
    usual = np.array([0.0, 1.0] if scale == "linear" else _LOGIT_ENDS)
    x, y = usual, usual
    if named:
        x = np.concatenate([bins.mean_score for bins in named.values()])
        y = np.concatenate([bins.positive_share for bins in named.values()])
    if scale == "logit":
        y = np.concatenate([y, *(bars[name].ravel() for name in named)])
        inside = y[(y > 0) & (y < 1)]
        y = to_screen(inside if len(inside) else usual, scale)
        room = max(np.ptp(y) / 2, 1.0)
        low, high = from_screen(np.array([y.min() - room, y.max() + room]), scale)
        x = to_screen(np.clip(x, low, high), scale)
    both = np.append(x, y)
    alike = min(np.ptp(x), np.ptp(y)) > np.ptp(both) / _ALIKE
    found = []
    for shown in (x, y):
        low, high = np.quantile(both if alike else shown, [0, 1])
        room = _ROOM * (high - low) or _ROOM
        ends = [low - room, high + room]
        if scale == "linear":
            ends = [max(ends[0], -_ROOM), min(ends[1], 1 + _ROOM)]
        found.append(tuple(from_screen(np.array(ends), scale).tolist()))
    return _Frame(scale, *found)


def _draw_bins(
    drawing: Drawing,
    name: str,
    bins: Partition,
    look: LineStyle,
    frame: _Frame,
    *,
    said: bool,
) -> None:
    u, v = frame.across(bins.mean_score, frame.x), frame.across(bins.positive_share, frame.y)
    line = thin_chain(u, v, drawing.dot)
    losses = (
        f"\n  calibration loss {bins.calibration_loss:.3g}"
        f"\n  refinement loss {bins.refinement_loss:.3g}"
    )
    (chain,) = drawing.ax.plot(
        frame.at(line.x, frame.x),
        frame.at(line.y, frame.y),
        **{**look.line(), "linewidth": 1.2},
        marker=look.marker,
        markevery=[],
        label=name + losses if said else drawing.label(name),
    )
    # Of bins that fall on one dot of the picture one is drawn, for all.
    cells = np.floor(np.stack([u, v]) / drawing.dot)
    _, first, cell = np.unique(cells, axis=1, return_index=True, return_inverse=True)
    share = np.bincount(np.ravel(cell), bins.share).astype(float)
    x, y = bins.mean_score[first], bins.positive_share[first]
    if look.marker:
        drawing.ax.scatter(
            *frame.placed(x, y),
            np.maximum(_WHOLE * share, _SMALLEST),
            color=look.colour,
            marker=look.marker,
            edgecolor="white",
            linewidth=0.5,
            clip_on=False,
            zorder=3,
        )
    drawing.add(name, chain, x, y, share)


def _draw_bars(ax: Axes, bins: Partition, bars: FloatArray, look: LineStyle, frame: _Frame) -> None:
    """The interval of each bin's share."""
    x, low = frame.placed(bins.mean_score, bars[0])
    ax.vlines(x, low, np.clip(bars[1], *frame.y), color=look.colour, linewidth=0.8, zorder=2.5)


def checked_bins(partitions: dict[str, Partition]) -> dict[str, Partition]:
    """The partitions, or `ScoreError` unless their scores may be probabilities."""
    for name, bins in partitions.items():
        if not np.all(np.abs(bins.mean_score - 0.5) <= 0.5 + _ROUNDING):
            low, high = bins.mean_score.min(), bins.mean_score.max()
            raise ScoreError(
                f"{name}: calibration is told of scores in [0, 1], got mean scores from {low:g} "
                f"to {high:g}: calibrate the scores first."
            )
    return partitions
