"""A decision: what can be used loses how much where, and what is to be used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Any, final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from matplotlib.transforms import Transform

from costspace.condition import cost_from_skew
from costspace.curve import PiecewiseQuadratic, lower_envelope
from costspace.decision.by_condition.table import DecisionTable
from costspace.decision.by_condition.table_row import DecisionRange
from costspace.decision.decision import Decision
from costspace.decision.sentences.terms import term
from costspace.decision.strategy import FLAG_EVERYBODY, FLAG_NOBODY, Strategy
from costspace.deployment.bounds import Range
from costspace.errors import ConditionError, SourceError, brief
from costspace.plots.axes import Display, Drawing, drawing_on
from costspace.plots.cost_space import draw_curve, draw_rules, set_up, trivial_rules
from costspace.plots.scale import ConditionAxis
from costspace.plots.style import BLACK, LIGHT_GREY, LineStyle, pale
from costspace.plots.thinning import thin_curve
from costspace.special import expit, logit

# From where to where the strip of ranges goes, as shares of the height, and the room left for it
# and for the thresholds below it.
_STRIP = (0.92, 1.0)
_BELOW = 0.88
_ROOM = 0.24
# Points that a letter of small text is wide.
_LETTER = 4.6
# How much white there is in the colour of what a model is used with beside the first choice.
_PALE = 0.45
_GREYS = MappingProxyType({FLAG_NOBODY: "0.85", FLAG_EVERYBODY: "0.65"})


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
    colours: Mapping[str, str] | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw which model and threshold to use at each condition, and what each loses.

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
    colours : mapping of name to str, optional
        Colours of models, as in `plot_cost_space`; by default by their place in the decision.
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
    Drummond and Holte (2006), Machine Learning 65, Section 5.2. Losses are those on held-out rows,
    over the skew, or the cost proportion if the prevalence is one number. What is used somewhere
    has a line of its own in the colour of its model, paler for a second choice of thresholds; what
    is used nowhere is grey. The strip at the top says which model to use, and below it, where there
    is room, with which thresholds. Where constraints bind, what to use is a matter of the
    prevalence too: then there is a strip for each band of prevalence, with the thresholds in it,
    and no losses.

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
    ['model, smoothed', 'model, score-driven', 'flag everybody']
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
    height = "prevalence" if losses is None else "loss"
    with drawing_on(ax, ("condition", height)) as drawing:
        looks = _looks(drawing, over, stretches, decision, colours)
        if losses is None:
            _draw_map(drawing, over, stretches, looks, decision)
            return drawing.display(f"What to use by {over.said} and prevalence")
        prevalence = span.low if kind == "cost" else 0.5
        _draw_losses(drawing, over, losses, looks, prevalence)
        _draw_strip(drawing, over, stretches, looks)
        return drawing.display(f"What to use, and its expected loss, by {over.said}")


def _looks(
    drawing: Drawing,
    over: ConditionAxis,
    stretches: Sequence[_DrawnRange],
    decision: Decision,
    colours: Mapping[str, str] | None,
) -> dict[Strategy, LineStyle]:
    """The styles of the strategies that are used, the widest of each model first."""
    widths: dict[Strategy, float] = {}
    for one in stretches:
        left, right = over.share(np.array([one.start, one.end]))
        widths[one.strategy] = widths.get(one.strategy, 0.0) + float(right - left)
    unused = {strategy.model: -width for strategy, width in widths.items() if strategy.model}
    styles = drawing.styles(decision.task.models, colours, unused)
    looks: dict[Strategy, LineStyle] = {}
    for strategy in sorted(widths, key=lambda one: -widths[one]):
        if strategy.model is None:
            continue
        look = styles[strategy.model]
        again = any(other.model == strategy.model for other in looks)
        colour = to_hex(pale(look.colour, _PALE)) if again else look.colour
        looks[strategy] = LineStyle(colour, "" if again else look.marker, look.markevery)
    return looks


def _stretches(table: DecisionTable, prevalence: float | None) -> list[_DrawnRange]:
    """The ranges of a table, over skew or, at a known prevalence, over the cost proportion."""

    def place(skew: float) -> float:
        return skew if prevalence is None else float(cost_from_skew(skew, prevalence=prevalence))

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
    drawing.ax.set_ylabel("Expected loss on held-out rows")
    for strategy, look in looks.items():
        draw_curve(
            drawing, _name(strategy), thin_curve(losses[strategy], screen), look.line(), "vertical"
        )
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
    """What to use from one condition to the next, at the top, and with which thresholds."""
    ax = drawing.ax
    for one in stretches:
        bar = ax.axvspan(
            *(one.start, one.end, *_STRIP),
            facecolor=_colour(one.strategy, looks),
            edgecolor="white",
            linewidth=0.4,
            zorder=3,
        )
        drawing.add(f"range from {one.start:.6g}", bar, [one.start, one.end], [np.nan, np.nan])
    for _, group in groupby(stretches, lambda one: one.strategy.model or one.strategy):
        same = list(group)
        left, right = np.clip(over.share(np.array([same[0].start, same[-1].end])), 0, 1)
        first, middle = same[0].strategy, float(left + right) / 2
        name = first.model or _name(first)
        _write_within(drawing, name, right - left, middle, sum(_STRIP) / 2)
        if first.model is not None:
            low = min(one.used.threshold_low for one in same)
            high = max(one.used.threshold_high for one in same)
            said = _between(low, high)
            _write_within(drawing, f"threshold {said}", right - left, middle, _BELOW)
    if stretches[0].start == stretches[-1].end:
        ax.axvline(stretches[0].start, color=BLACK, linewidth=1)


def _write_within(drawing: Drawing, text: str, width: float, x: float, y: float) -> None:
    """Write in a share of the width of the axes, if there is room."""
    if _LETTER * (len(text) + 1) <= width * drawing.points:
        _write(drawing.ax, text, x, y, drawing.ax.transAxes)


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
            said = _thresholds(one.used)
            if one.strategy.model and _LETTER * (len(said) + 1) <= (right - left) * drawing.points:
                middle = float(expit((logit(low) + logit(high)) / 2))
                _write(ax, said, (left + right) / 2, middle, ax.get_yaxis_transform())
        _draw_boxes(
            drawing,
            _name(strategy),
            boxes,
            facecolor=_colour(strategy, looks),
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


def _name(strategy: Strategy) -> str:
    said = term(strategy)
    return said if strategy.model is None else f"{strategy.model}, {said}"


def _thresholds(used: DecisionRange) -> str:
    drawn = ", randomised" if used.randomised else ""
    return f"threshold {_between(used.threshold_low, used.threshold_high)}{drawn}"


def _between(low: float, high: float) -> str:
    first, last = (f"{x:.3g}".replace("inf", "∞") for x in (low, high))
    return first if first == last else f"{first} to {last}"
