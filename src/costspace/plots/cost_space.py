"""Cost space: loss curves over operating conditions, and what they are compared with."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from costspace.bands.band import LossBand
from costspace.checks import check_prevalence
from costspace.costs import CostDistribution
from costspace.costs.scipy_frozen import as_costs
from costspace.curve import LossCurve, OperatingPath, PiecewiseQuadratic, sign_intervals
from costspace.curve.lines import CostLines
from costspace.errors import ConditionError, SourceError, brief
from costspace.metrics.trivial import trivial_curve
from costspace.plots.axes import Display, Drawing, Looks, drawing_on
from costspace.plots.checks import by_name, check_known, check_result
from costspace.plots.confidence import draw_bands, reach
from costspace.plots.findings import mean_losses, of_lines, of_losses
from costspace.plots.ranges import mark_middle, shade
from costspace.plots.scale import ConditionAxis
from costspace.plots.style import BLACK, GREY, LIGHT_GREY
from costspace.plots.thinning import Screen, ThinLine, loss_range, thin_curve

# The rules that need no model, by their FPR and FNR.
TRIVIAL = {"flag everybody": (1.0, 0.0), "flag nobody": (0.0, 1.0)}
# Share of its highest curve that a plot leaves free at its top.
_HEADROOM = 0.05
# Of curves, and of cost lines.
_ENVELOPE: dict[str, Any] = {"color": "0.8", "linewidth": 6.0, "zorder": 1.5}
_ENVELOPE_OF_LINES: dict[str, Any] = {"color": BLACK, "linewidth": 2.0}
# So many cost lines have their full width; more are thinner and paler, down to a share.
_MANY_LINES, _LEAST_INK = 60, 0.15


def plot_cost_space(
    curves: LossCurve | Mapping[str, LossCurve],
    *,
    bands: Mapping[str, LossBand] | None = None,
    lines: CostLines | None = None,
    envelope: LossCurve | bool = False,
    trivial: float | None = None,
    operating_range: bool | str = False,
    costs: CostDistribution | None = None,
    axis: str = "cost",
    scale: str = "linear",
    limits: tuple[float, float] | None = None,
    jumps: str = "vertical",
    colours: Mapping[str, str] | None = None,
    looks: Looks | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw the expected loss of models at each operating condition.

    Parameters
    ----------
    curves : LossCurve, or mapping of name to LossCurve
        All on one axis; an empty mapping leaves what else is asked for.
    bands : mapping of name to LossBand, optional
        Confidence bands of some of the curves, by their names, in their colours.
    lines : CostLines, optional
        On the same axis; drawn thin and grey.
    envelope : LossCurve or bool, default False
        A curve such as ``lower_envelope(curves).curve``, drawn wide and pale below the others, or
        that of the lines.
    trivial : float in (0, 1), optional
        Prevalence for the losses of flagging everybody, 2 c pi0, and nobody, 2 (1 - c) pi1. On
        every axis but "cost" it is 1/2. The curves set the scale: of a rule that leaves the
        picture its name says how high it goes.
    operating_range : bool or str, default False
        Shade the conditions at which the curve, or the one of that name, is below both trivial
        rules; it needs `trivial`.
    costs : CostDistribution, optional
        Conditions to expect, in units of the axis: their middle 90 % are marked at the bottom.
    axis : {"cost", "skew", "pc", "prevalence"}
        What the conditions are. The last two show curves over skew z against 1 - z: the
        probability cost PC(+) and, where both mistakes cost 1, the prevalence.
    scale : {"linear", "logit"}
        The logit scale shows conditions such as 1/5000 and 1/500 apart.
    limits : (low, high), optional
        Range to draw, in units of the axis. By default all of [0, 1]; on the logit scale, which
        has no place for 0 and 1, it is 0.0001 to 0.9999, and the label says so.
    jumps : {"vertical", "open"}
        Bridge the jumps of a curve, or leave them open.
    colours : mapping of name to str, optional
        Colours of some curves, by their names: ``colours(models)`` for a model to have one in
        every plot. By default that of a curve's place. Of more than six curves the four with the
        lowest loss, on average over what is shown, have colours.
    looks : mapping of name to mapping, optional
        Keywords of matplotlib's `plot` for some lines, by the names that they are drawn under,
        instead of the usual ones; a `label` is the name that is written.
    ax : matplotlib Axes, optional
        By default those of a new figure. On axes that have lines, other styles are used.

    Returns
    -------
    Display
        Its columns are "drawn", "condition", in units of the axis, and "loss", which is NaN where
        the pen is lifted and for ranges of conditions.

    Raises
    ------
    SourceError
        If something is not the result it should be.
    ConditionError
        If an option is not one of its values, or two options do not go together.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65; Hernandez-Orallo, Flach, Ferri (2011),
    arXiv:1107.5930, Section 3. Curves are drawn within half a pixel at 300 dots per inch, jumps
    included, however many pieces they have.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> brier = cs.loss_curve(y, s, choice=cs.ScoreDriven())
    >>> optimal = cs.loss_curve(y, s, choice=cs.Optimal())
    >>> display = plot_cost_space({"Brier": brier}, envelope=optimal, trivial=0.5)
    >>> list(display.artists)
    ['Brier', 'lower envelope', 'flag everybody', 'flag nobody']
    >>> plt.close(display.figure)
    """
    over = ConditionAxis.asked(axis, scale, limits)
    check_jumps(jumps)
    named = {
        name: over.curve(curve)
        for name, curve in by_name(curves, (LossCurve,), "loss curve").items()
    }
    around: dict[str, LossBand] = by_name(bands or {}, (LossBand,), "bands")
    check_known("bands", "curve", around, named)
    lowest = _lowest(envelope, _checked_lines(lines, over), over)
    rules = trivial_rules(trivial, over)
    better_rule = None if trivial is None else over.curve(trivial_curve(prevalence=trivial))
    better = _operating_range(named, operating_range, better_rule)
    with drawing_on(ax, ("condition", "loss"), looks=looks) as drawing:
        styles = drawing.styles(named, colours, mean_losses(named, over))
        highest = max((reach(band, over) for band in around.values()), default=0.0)
        screen = set_up(drawing, over, _shown_whole(named, lowest, better_rule, lines), highest)
        if lines is not None:
            _draw_lines(drawing, screen, lines)
        for name, curve in named.items():
            draw_curve(drawing, name, thin_curve(curve, screen), styles[name].line(), jumps)
        draw_bands(drawing, screen, over, around)
        if lowest is not None:
            look = _ENVELOPE if lines is None else _ENVELOPE_OF_LINES
            drawing.line("lower envelope", *thin_curve(lowest, screen).lifted(), **look)
        draw_rules(drawing, {name: thin_curve(rule, screen) for name, rule in rules.items()})
        if better is not None:
            shade(drawing, over, better)
        if costs is not None:
            mark_middle(drawing, over, as_costs(costs))
        shown = drawing.in_front(named)
        found = of_losses(shown, over, better) if shown else of_lines(lines, lowest, over)
        return drawing.display(found)


def check_jumps(jumps: object) -> None:
    """`ConditionError` unless this is one of the ways to draw jumps."""
    if jumps not in ("vertical", "open"):
        raise ConditionError(f"jumps must be 'vertical' or 'open', got {brief(jumps)}.")


def _straight(left: float, right: float) -> PiecewiseQuadratic:
    coefficients = np.array([[left], [right - left], [0.0]])
    return PiecewiseQuadratic(np.array([0.0, 1.0]), coefficients)


def _checked_lines(lines: CostLines | None, over: ConditionAxis) -> CostLines | None:
    if lines is None:
        return None
    check_result(lines, CostLines, "lines: CostLines are needed, such as cost_lines(...) gives")
    if lines.axis != over.kind:
        raise ConditionError(
            f"the cost lines are over {lines.axis!r} and the plot over {over.kind!r}: make both "
            "for one axis."
        )
    return lines


def _lowest(
    envelope: object, lines: CostLines | None, over: ConditionAxis
) -> PiecewiseQuadratic | None:
    if isinstance(envelope, LossCurve):
        return over.curve(envelope)
    if not isinstance(envelope, bool):
        raise SourceError(f"envelope: a loss curve or True is needed, got {brief(envelope)}.")
    if envelope and lines is None:
        raise ConditionError("envelope=True is that of cost lines: give lines, or a curve instead.")
    return lines.envelope() if envelope and lines is not None else None


def trivial_rules(trivial: float | None, over: ConditionAxis) -> dict[str, PiecewiseQuadratic]:
    """The losses of the rules that need no model, by name."""
    if trivial is None:
        return {}
    prevalence = check_prevalence(trivial)
    if over.balanced and prevalence != 0.5:
        raise ConditionError(
            f"on axis={over.kind!r} both classes weigh the same: trivial must be 0.5, "
            f"got {prevalence:g}."
        )
    return {
        name: over.curve(OperatingPath.constant(*rates, prevalence).loss())
        for name, rates in TRIVIAL.items()
    }


def _operating_range(
    curves: Mapping[str, PiecewiseQuadratic], asked: object, trivial: PiecewiseQuadratic | None
) -> list[tuple[float, float]] | None:
    """Where the curve that is asked for is below both trivial rules."""
    if asked is False:
        return None
    if trivial is None:
        raise ConditionError("an operating range is told by the trivial rules: give trivial, too.")
    name = next(iter(curves)) if asked is True and len(curves) == 1 else asked
    if not isinstance(name, str) or name not in curves:
        raise ConditionError(
            f"operating_range must name one of the curves ({', '.join(curves)}), "
            f"got {brief(asked)}."
        )
    return sign_intervals(trivial - curves[name]).where(1)


def _shown_whole(
    curves: Mapping[str, PiecewiseQuadratic],
    lowest: PiecewiseQuadratic | None,
    better_rule: PiecewiseQuadratic | None,
    lines: CostLines | None,
) -> list[PiecewiseQuadratic]:
    """What must not leave the picture: beside curves, cost lines and trivial rules may."""
    shown = [*curves.values(), *([] if lowest is None else [lowest])]
    if lines is not None and not curves:
        # Two lines that reach as high as any.
        shown += [_straight(0, float(lines.right.max())), _straight(float(lines.left.max()), 0)]
    if better_rule is not None and not curves:
        shown.append(better_rule)
    return shown


def set_up(
    drawing: Drawing,
    over: ConditionAxis,
    shown: list[PiecewiseQuadratic],
    highest: float,
    lowest: float = 0.0,
) -> Screen:
    """Set scales, and limits that hold some curves and two heights; return the window they make."""
    ranges = [(lowest, highest), *(loss_range(curve, over.low, over.high) for curve in shown)]
    bottom, top = min(least for least, _ in ranges), max(most for _, most in ranges)
    top = top + _HEADROOM * (top - bottom) or 1.0
    return over.window(drawing, bottom, top)


def _draw_lines(drawing: Drawing, screen: Screen, lines: CostLines) -> None:
    # Of lines whose ends agree to half a pixel one is drawn.
    cells = np.floor(np.stack([lines.left, lines.right]) / (screen.pixel / 2))
    first = np.unique(cells, axis=1, return_index=True)[1]
    left, rise = lines.left[first], (lines.right - lines.left)[first]
    # On a logit scale lines bend, the steepest one most.
    x = thin_curve(_straight(0, float(np.abs(rise).max())), screen).x
    y = left[:, None] + rise[:, None] * x
    x = np.broadcast_to(x, y.shape)
    # Many are a shade, and not a wall.
    ink = float(np.clip(np.sqrt(_MANY_LINES / len(left)), _LEAST_INK, 1))
    drawn = LineCollection(
        list(np.stack([x, y], axis=2)),
        colors=LIGHT_GREY,
        linewidths=0.7 * ink,
        alpha=ink,
        label="cost lines",
        zorder=1,
    )
    drawing.ax.add_collection(drawn, autolim=False)
    lift = ((0, 0), (0, 1))
    drawing.add(
        "cost lines",
        drawn,
        np.pad(x, lift, constant_values=np.nan),
        np.pad(y, lift, constant_values=np.nan),
    )


def draw_curve(
    drawing: Drawing, name: str, thin: ThinLine, look: Mapping[str, Any], jumps: str
) -> None:
    """Draw a curve in the window that it is thinned for."""
    line = drawing.line(name, *thin.lifted(), **look)
    if jumps == "vertical":
        # Dashes begin anew wherever the pen is lifted: of short pieces each would be solid.
        line.set_data(thin.x, thin.y)
    alone = thin.points()
    same: dict[str, Any] = {"color": line.get_color(), "alpha": line.get_alpha()}
    drawing.ax.plot(thin.x[alone], thin.y[alone], linestyle="none", marker=".", **same)


def draw_rules(drawing: Drawing, rules: Mapping[str, ThinLine]) -> None:
    """Draw how the rules that need no model do; of one that leaves the picture say how high."""
    _, top = drawing.ax.get_ylim()
    for name, rule in rules.items():
        most = float(rule.y.max())
        label = f"{name} (up to {most:.2g})" if most > top else name
        drawing.line(name, rule.x, rule.y, color=GREY, linewidth=1.0, zorder=1.9, label=label)
