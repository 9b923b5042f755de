"""Decision curves: the net benefit of models, and of treating all or none."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from costspace.arrays import FloatArray
from costspace.comparison.dominating import dominance
from costspace.errors import ConditionError, brief
from costspace.metrics.net_benefit import DecisionCurve
from costspace.plots.axes import Display, Looks, drawing_on
from costspace.plots.checks import by_name
from costspace.plots.cost_space import check_jumps, draw_curve, draw_rules
from costspace.plots.dominance import best_by_model
from costspace.plots.findings import leading
from costspace.plots.scale import ConditionAxis
from costspace.plots.thinning import chord_ends, thin_broken

_LABELS = {
    "net_benefit": "Net benefit (true positives per case)",
    "standardised": "Standardised net benefit",
    "net_reduction": "Interventions avoided per case",
}
# Between its breaks a curve bends; so many chords across the window follow it.
_CHORDS = 2000
# Below 0 a picture shows as much as this share of what is above, however low curves go.
_BELOW, _HEADROOM = 0.15, 0.05


def plot_net_benefit(
    curves: DecisionCurve | Mapping[str, DecisionCurve],
    *,
    kind: str = "net_benefit",
    trivial: bool = True,
    scale: str = "linear",
    limits: tuple[float, float] | None = None,
    jumps: str = "vertical",
    colours: Mapping[str, str] | None = None,
    looks: Looks | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw the net benefit of models at each threshold probability: decision curves.

    Parameters
    ----------
    curves : DecisionCurve, or mapping of name to DecisionCurve
        All at one prevalence.
    kind : {"net_benefit", "standardised", "net_reduction"}
        Net benefit, its share of the prevalence, or the net reduction in interventions against
        treating all.
    trivial : bool, default True
        Draw what treating all and treating none come to.
    scale : {"linear", "logit"}
        The logit scale shows thresholds such as 1/5000 and 1/500 apart.
    limits : (low, high), optional
        Range of thresholds to draw. By default all of [0, 1]; on the logit scale 0.0001 to 0.9999.
    jumps : {"vertical", "open"}
        Bridge the jumps of a curve, or leave them open.
    colours, looks : mapping, optional
        As in `plot_cost_space`.
    ax : matplotlib Axes, optional
        By default those of a new figure. On axes that have lines, other styles are used.

    Returns
    -------
    Display
        Its columns are "drawn", "threshold" and what the kind is, NaN where the pen is lifted.

    Raises
    ------
    SourceError
        If something is not a decision curve.
    ConditionError
        If an option is not one of its values, or curves are at different prevalences.

    Notes
    -----
    Vickers and Elkin (2006), Medical Decision Making 26. Curves fall without bound towards an end
    of the axis, where one false positive outweighs all true ones; the picture ends a little below
    0. They are drawn within half a pixel at 300 dots per inch, however many pieces they have.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> curve = cs.decision_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> display = plot_net_benefit({"model": curve})
    >>> list(display.artists)
    ['model', 'treat all', 'treat none']
    >>> plt.close(display.figure)
    """
    named = by_name(curves, (DecisionCurve,), "decision curve")
    check_jumps(jumps)
    if kind not in tuple(_LABELS):
        raise ConditionError(f"kind must be {', '.join(map(repr, _LABELS))}, got {brief(kind)}.")
    over = ConditionAxis.asked("cost", scale, limits)
    rules = _trivial(named) if trivial else {}
    points = {name: _vertices(curve, kind, over) for name, curve in (named | rules).items()}
    with drawing_on(ax, ("threshold", kind), looks=looks) as drawing:
        highest = max((float(np.nanmax(y)) for _, y in points.values()), default=0.0)
        top = (1 + _HEADROOM) * highest if highest > 0 else 1.0
        screen = over.window(drawing, -_BELOW * top, top)
        drawing.ax.set_xlabel(over.labelled("Threshold probability"))
        drawing.ax.set_ylabel(_LABELS[kind])
        thin = {name: thin_broken(*line, screen) for name, line in points.items()}
        losses = {name: -_area(points[name]) for name in named}
        for name, look in drawing.styles(named, colours, losses).items():
            draw_curve(drawing, name, thin[name], look.line(), jumps)
        draw_rules(drawing, {name: thin[name] for name in rules})
        return drawing.display(_found(drawing.in_front(named), rules, over))


def _found(
    named: Mapping[str, DecisionCurve], rules: Mapping[str, DecisionCurve], over: ConditionAxis
) -> str:
    """The title: which model has the largest net benefit on most of the axis."""
    # The net benefit is largest where the loss is least.
    losses = {name: curve.loss for name, curve in (dict(named) | dict(rules)).items()}
    best = best_by_model(dominance(losses))
    widths = {name: over.width(best[name]) for name in named}
    if not any(widths.values()):
        return "No model beats treating all and treating none"
    return leading(widths)


def _area(points: tuple[FloatArray, FloatArray]) -> float:
    """The area between a curve and 0, where it is above."""
    x, y = points
    return float(np.diff(x) @ np.maximum(y[1:], 0))


def _trivial(curves: Mapping[str, DecisionCurve]) -> dict[str, DecisionCurve]:
    """The decision curves of the rules that need no model, by name."""
    known = {curve.prevalence for curve in curves.values()}
    if len(known) != 1:
        raise ConditionError(
            "curves of one prevalence can be compared, and treating all belongs to one; got "
            f"prevalences {', '.join(f'{p:g}' for p in sorted(known)) or 'of no curve'}."
        )
    curve = next(iter(curves.values()))
    return {"treat all": curve.treat_all, "treat none": curve.treat_none}


def _vertices(
    curve: DecisionCurve, kind: str, over: ConditionAxis
) -> tuple[FloatArray, FloatArray]:
    """Points of a curve in the window in its order, limits from the left before values."""
    inner = chord_ends(over.low, over.high, _CHORDS, over.scale)
    breaks = curve.breaks[(curve.breaks > over.low) & (curve.breaks < over.high)]
    jumps = np.append(breaks, over.high)
    x = np.concatenate([jumps, [over.low], inner, breaks])
    y = np.append(
        _value(curve, kind, jumps, left=True),
        _value(curve, kind, x[len(jumps) :], left=False),
    )
    order = np.argsort(x, kind="stable")
    order = order[np.isfinite(y[order])]
    return x[order], y[order]


def _value(curve: DecisionCurve, kind: str, t: FloatArray, *, left: bool) -> FloatArray:
    if kind == "net_benefit":
        return np.asarray(curve.left(t) if left else curve(t))
    measure = curve.net_reduction if kind == "net_reduction" else curve.standardised
    return np.asarray(measure(t, left=left))
