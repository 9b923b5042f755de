"""A decision: what can be used loses how much where, and what is to be used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count, cycle
from types import MappingProxyType
from typing import Any, final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from matplotlib.transforms import Transform

from costspace.condition import cost_from_skew
from costspace.curve import PiecewiseQuadratic, lower_envelope
from costspace.decision.decision import Decision
from costspace.decision.strategy import FLAG_EVERYBODY, FLAG_NOBODY, Strategy
from costspace.decision.table import DecisionTable
from costspace.decision.table_row import DecisionRange
from costspace.deployment.bounds import Range
from costspace.errors import ConditionError, SourceError, brief
from costspace.plots.axes import Display, Drawing, drawing_on
from costspace.plots.cost_space import draw_curve, draw_rules, set_up, trivial_rules
from costspace.plots.scale import ConditionAxis
from costspace.plots.style import BLACK, LIGHT_GREY, LineStyle
from costspace.plots.thinning import thin_curve
from costspace.special import expit, logit

# From where to where the strip of ranges goes, as shares of the height, and the room left for it.
_STRIP = (0.945, 1.0)
_ROOM = 0.18
# Numbers stand in ranges that are as wide as this share of the axes, and below narrower ones.
_WIDE = 0.03
_BELOW = (0.92, 0.88, 0.84)
# No more ranges are numbered, and named in the legend: the widest.
_NAMED = 8
# Inches of a new figure with room for a long legend, of a line in that, and of what else there is.
_WIDTH = 9.5
_LINE, _MARGIN = 0.19, 0.3
# Thresholds are written in parts of a map that are as wide.
_ROOMY = 0.17
_HATCHES = ("", "//", "..", "\\\\", "xx", "++")
_GREYS = MappingProxyType({FLAG_NOBODY: "0.85", FLAG_EVERYBODY: "0.55"})


@final
@dataclass(frozen=True)
class _DrawnRange:
    """A range of conditions on the axis of the plot, and what to use there."""

    start: float
    end: float
    used: DecisionRange

    @property
    def strategy(self) -> Strategy:
        return self.used.strategy


def plot_decision(
    decision: Decision,
    *,
    short: bool = True,
    scale: str = "linear",
    limits: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw what each strategy loses over the conditions, and which one to use where.

    Parameters
    ----------
    decision : Decision
        What `decide` gives.
    short : bool, default True
        Take the ranges from the short table, in which a model is kept while it loses at most 1 %
        more than the best, and not from the whole table.
    scale : {"linear", "logit"}
        The logit scale shows conditions such as 1/5000 and 1/500 apart.
    limits : (low, high), optional
        Range of conditions to draw; by default those that the decision is for, or all of them if
        it is for one.
    ax : matplotlib Axes, optional
        By default those of a new figure.

    Returns
    -------
    Display
        Its columns are "drawn", "condition" and "loss", which is NaN for ranges of conditions; or
        "prevalence", if what to use depends on it.

    Raises
    ------
    SourceError
        If it is not a decision.
    ConditionError
        If nothing keeps to the constraints, or an option is not one of its values.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65, Section 5.2. Losses are those on rows held out,
    over the skew, or the cost proportion if the prevalence is one number. What is used somewhere
    has a line of its own, what is used nowhere is grey; the numbered strip at the top says what to
    use, and the legend with which thresholds. Where constraints bind, what to use is a matter of
    the prevalence too: then there is a strip for each band of prevalence, with the thresholds in
    it, and no losses.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> y = np.tile([0, 0, 0, 1], 25)
    >>> s = 0.1 + 0.3 * y + np.linspace(0, 0.4, 100) ** 2
    >>> known = cs.Deployment(fp_cost=1, fn_cost=(1, 20), prevalence=(0.05, 0.1))
    >>> display = plot_decision(cs.decide(y, {"model": s}, conditions=known))
    >>> list(display.artists)[:3]
    ['model, smoothed', 'model, score_driven', 'flag everybody']
    >>> plt.close(display.figure)
    """
    if not isinstance(decision, Decision):
        raise SourceError(f"a Decision is needed, as decide(...) gives it, got {brief(decision)}.")
    table = decision.short_table() if short else decision.table()
    if table is None:
        raise ConditionError("nothing keeps to the constraints: there is no decision to draw.")
    span, losses = decision.conditions.prevalence_range, decision.losses()
    kind = "cost" if span.low == span.high and losses is not None else "skew"
    stretches = _stretches(table, span.low if kind == "cost" else None)
    low, high = min(one.start for one in stretches), max(one.end for one in stretches)
    if limits is None and low < high:
        limits = (low, high)
    over = ConditionAxis.asked(kind, scale, limits)
    used = dict.fromkeys(one.strategy for one in stretches)
    height = "prevalence" if losses is None else "loss"
    with drawing_on(ax, ("condition", height)) as drawing:
        styles = drawing.styles()
        looks = {one: next(styles) for one in used if one.model is not None}
        lines = len(looks) + 3 + 2 * min(len(stretches), _NAMED)
        drawing.enlarge(_WIDTH, lines * _LINE + _MARGIN)
        if losses is None:
            _draw_map(drawing, over, stretches, looks, decision)
        else:
            prevalence = span.low if kind == "cost" else 0.5
            _draw_losses(drawing, over, losses, looks, prevalence)
            _draw_strip(drawing, over, stretches, looks)
        return drawing.display(beside=True)


def _stretches(table: DecisionTable, prevalence: float | None) -> list[_DrawnRange]:
    """The ranges of a table, over skew or, at a known prevalence, over the cost proportion."""

    def place(skew: float) -> float:
        return skew if prevalence is None else float(cost_from_skew(skew, prevalence))

    return [
        _DrawnRange(place(one.skew_low), place(one.skew_high), one) for one in table.condensed()
    ]


def _draw_losses(
    drawing: Drawing,
    over: ConditionAxis,
    losses: Mapping[Strategy, PiecewiseQuadratic],
    looks: Mapping[Strategy, LineStyle],
    prevalence: float,
) -> None:
    """The losses of what is used, of what is not, and of the trivial rules."""
    rules = trivial_rules(prevalence, over)
    shown = [losses[one] for one in looks] or [lower_envelope(list(rules.values())).curve]
    screen = set_up(drawing, over, shown, 0.0)
    bottom, top = drawing.ax.get_ylim()
    drawing.ax.set_ylim(bottom, bottom + (top - bottom) / (1 - _ROOM))
    drawing.ax.set_ylabel("Loss on rows held out")
    for strategy, look in looks.items():
        draw_curve(drawing, str(strategy), thin_curve(losses[strategy], screen), look, "vertical")
    others = [
        thin_curve(curve, screen).lifted()
        for strategy, curve in losses.items()
        if strategy not in looks and strategy.model is not None
    ]
    if others:
        # The pen is lifted between one and the next.
        x, y = np.hstack(
            [np.pad(line, ((0, 0), (0, 1)), constant_values=np.nan) for line in others]
        )
        drawing.line("other strategies", x, y, color=LIGHT_GREY, linewidth=0.7, zorder=1)
    draw_rules(drawing, {name: thin_curve(rule, screen) for name, rule in rules.items()})


def _draw_strip(
    drawing: Drawing,
    over: ConditionAxis,
    stretches: Sequence[_DrawnRange],
    looks: Mapping[Strategy, LineStyle],
) -> None:
    """What to use from one condition to the next, numbered, at the top."""
    ax = drawing.ax
    places = [over.share(np.array([one.start, one.end])) for one in stretches]
    widths = [float(right - left) for left, right in places]
    widest = set(np.argsort(widths)[::-1][:_NAMED].tolist())
    numbers, below = count(1), cycle(_BELOW)
    for i, (one, (left, right)) in enumerate(zip(stretches, places, strict=True)):
        number = next(numbers) if i in widest else None
        name = f"range from {one.start:.6g}"
        bar = ax.axvspan(
            *(one.start, one.end, *_STRIP),
            facecolor=_colour(one.strategy, looks),
            edgecolor="white",
            linewidth=0.8,
            zorder=3,
            label="_range" if number is None else f"{number}: {_said(one)}",
        )
        drawing.add(name, bar, [one.start, one.end], [np.nan, np.nan])
        ax.axvline(one.start, color="0.85", linewidth=0.6, zorder=0)
        if number is not None and left <= 1 and right >= 0:
            height = sum(_STRIP) / 2 if right - left >= _WIDE else next(below)
            middle = np.clip((max(left, 0) + min(right, 1)) / 2, 0.012, 0.988)
            _write(ax, str(number), middle, height, ax.transAxes)
    if stretches[0].start == stretches[-1].end:
        ax.axvline(stretches[0].start, color=BLACK, linewidth=1)


def _draw_map(
    drawing: Drawing,
    over: ConditionAxis,
    stretches: Sequence[_DrawnRange],
    looks: Mapping[Strategy, LineStyle],
    decision: Decision,
) -> None:
    """What to use at each condition and prevalence, with its thresholds."""
    ax, span = drawing.ax, decision.conditions.prevalence_range
    over.apply(ax)
    ax.set_yscale("logit")
    ax.set_ylabel("Prevalence (logit scale)")
    hatches = dict(zip(looks, cycle(_HATCHES)))
    parts: dict[Strategy, list[_DrawnRange]] = {}
    for one in stretches:
        parts.setdefault(one.strategy, []).append(one)
    edges = {span.low, span.high}
    for strategy, ones in parts.items():
        boxes = []
        for one in ones:
            low, high = _prevalences(one.used, span)
            edges |= {low, high}
            boxes.append(_box(one.start, one.end, low, high))
            left, right = over.share(np.array([one.start, one.end]))
            if one.strategy.model is not None and right - left >= _ROOMY:
                middle = float(expit((logit(low) + logit(high)) / 2))
                across = ax.get_yaxis_transform()
                said = _thresholds(one.used).replace(", ", "\n").replace(" ", "\n", 1)
                _write(ax, said, (left + right) / 2, middle, across)
        _draw_boxes(
            drawing,
            _name(strategy),
            boxes,
            facecolor=_colour(strategy, looks),
            hatch=hatches.get(strategy),
            edgecolor="white",
            linewidth=0.8,
        )
    gaps = [(gap.prevalence_low, gap.prevalence_high) for gap in decision.gaps]
    if gaps:
        edges.update(*gaps)
        boxes = [_box(over.low, over.high, *ends) for ends in gaps]
        look = {"facecolor": "none", "hatch": "xxx", "edgecolor": LIGHT_GREY}
        _draw_boxes(drawing, "nothing is feasible", boxes, **look)
    ax.set_ylim(span.low, span.high)
    ax.yaxis.set_major_locator(FixedLocator(sorted(edges)))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.3g}"))
    ax.yaxis.set_minor_locator(NullLocator())


def _box(left: float, right: float, low: float, high: float) -> list[tuple[float, float]]:
    """The corners of a part of the map."""
    return [(left, low), (left, high), (right, high), (right, low)]


def _draw_boxes(
    drawing: Drawing, name: str, boxes: Sequence[list[tuple[float, float]]], **look: Any
) -> None:
    drawn = PolyCollection(boxes, label=name, **look)
    drawing.ax.add_collection(drawn, autolim=False)
    drawing.add(name, drawn, *np.reshape(boxes, (-1, 2)).T)


def _prevalences(used: DecisionRange, span: Range) -> tuple[float, float]:
    if used.prevalence_low is None or used.prevalence_high is None:
        return span.low, span.high
    return used.prevalence_low, used.prevalence_high


def _colour(strategy: Strategy, looks: Mapping[Strategy, LineStyle]) -> str:
    return looks[strategy].colour if strategy in looks else _GREYS[strategy]


def _write(ax: Axes, text: str, x: float, y: float, transform: Transform) -> None:
    """Write on a white ground."""
    ax.text(
        x,
        y,
        text,
        transform=transform,
        horizontalalignment="center",
        verticalalignment="center",
        fontsize="x-small",
        bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"},
        zorder=4,
    )


def _said(one: _DrawnRange) -> str:
    """What the legend says."""
    rule = "" if one.strategy.model is None else f": {_thresholds(one.used)}"
    return f"{_name(one.strategy)}\n    {_between(one.start, one.end)}{rule}"


def _name(strategy: Strategy) -> str:
    said = str(strategy)
    return said.replace("_", " ") if strategy.model is None else said


def _thresholds(used: DecisionRange) -> str:
    drawn = ", randomised" if used.randomised else ""
    return f"threshold {_between(used.threshold_low, used.threshold_high)}{drawn}"


def _between(low: float, high: float) -> str:
    first, last = (f"{x:.3g}".replace("inf", "∞") for x in (low, high))
    return first if first == last else f"{first} to {last}"
