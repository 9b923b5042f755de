"""What cases cost by the cost of a review, and by the share of cases that are reviewed."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from costspace.arrays import FloatArray
from costspace.checks import check_number
from costspace.curve import PiecewiseQuadratic
from costspace.errors import ConditionError, brief
from costspace.metrics.cost_of_review import ReviewCurve
from costspace.plots.axes import Display, Drawing, Looks, drawing_on
from costspace.plots.checks import by_name
from costspace.plots.cost_space import draw_curve
from costspace.plots.findings import best_of
from costspace.plots.thinning import Screen, ThinLine, thin_chain, thin_curve

_LABELS = {"cost": "Cost of a review", "share": "Share of cases that are reviewed"}
# What a picture shows beyond the highest cost of a review that is worth it, and above the highest
# curve.
_BEYOND, _HEADROOM = 0.12, 0.08
# Where rules move between breaks, so many chords follow them.
_CHORDS = 2000
_CASES = 1000
# Costs from here on are written without decimals.
_WHOLE = 100


def plot_reviews(
    curves: ReviewCurve | Mapping[str, ReviewCurve],
    *,
    kind: str = "cost",
    most: float | None = None,
    colours: Mapping[str, str] | None = None,
    looks: Looks | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw the expected cost of 1,000 cases by the cost of a review, or by the share reviewed.

    A dot on each line is at what a review costs now.

    Parameters
    ----------
    curves : ReviewCurve, or mapping of name to ReviewCurve
        All with the same costs and at one prevalence.
    kind : {"cost", "share"}
        Over the cost of a review, beside the cost without reviews as a thin line; or over the
        share that is reviewed, where a review costs what it does now. A line between two rules is
        a random choice between them.
    most : float, optional
        The largest cost or share to draw. By default a little more than the cost from which on no
        review is worth it, and all shares.
    colours, looks : mapping, optional
        As in `plot_cost_space`.
    ax : matplotlib Axes, optional
        By default those of a new figure. On axes that have lines, other styles are used.

    Returns
    -------
    Display
        Its columns are "drawn", "review_cost" or "share", and "cost".

    Raises
    ------
    SourceError
        If something is not a review curve.
    ConditionError
        If an option is not one of its values, or curves have other costs or prevalences.

    Notes
    -----
    Friedel, Rueckert and Kramer (2006), ICML workshop on ROC analysis; Pietraszek (2005), ICML.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> curve = cs.review_curve(
    ...     [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], fp_cost=1, fn_cost=3, review=cs.Review(cost=0.2)
    ... )
    >>> display = plot_reviews({"model": curve})
    >>> list(display.artists)
    ['model', 'model, no reviews']
    >>> plt.close(display.figure)
    """
    named = by_name(curves, (ReviewCurve,), "review curve")
    if kind not in tuple(_LABELS):
        raise ConditionError(f"kind must be 'cost' or 'share', got {brief(kind)}.")
    _check_alike(named)
    end = _end(named, kind, most)
    with drawing_on(ax, ("review_cost" if kind == "cost" else "share", "cost"), looks=looks) as on:
        lines = {name: _line(on, curve, kind, end) for name, curve in named.items()}
        on.ax.set(xlim=(0, end), xlabel=_LABELS[kind], ylabel="Expected cost per 1,000 cases")
        losses = {name: float(np.min(line.y)) for name, line in lines.items()}
        styles = on.styles(named, colours, losses)
        for name, curve in named.items():
            draw_curve(on, name, lines[name], styles[name].line(), "vertical")
            colour = on.artists[name].get_color()  # type: ignore[attr-defined]
            _mark(on, curve, kind, colour)
            if kind == "cost":
                level = [_CASES * curve.without] * 2
                thin = {"color": colour, "linewidth": 0.8, "zorder": 1.9}
                on.line(f"{name}, no reviews", [0, end], level, **thin)
        _fit(on, [line.y for line in lines.values()])
        return on.display(_found(on.in_front(named)))


def _found(named: Mapping[str, ReviewCurve]) -> str:
    """The title: which model costs least at what a review costs now."""
    costs = {name: _CASES * float(one(one.review.cost.mean)) for name, one in named.items()}
    if len(costs) > 1:
        verbs = "costs least", "cost least"
        return best_of(costs, lambda cost: f"{_written(cost)} per 1,000 cases", verbs)
    ((name, cost),) = costs.items()
    without = _written(_CASES * named[name].without)
    return f"{name} costs {_written(cost)} per 1,000 cases, {without} without reviews"


def _written(cost: float) -> str:
    return f"{cost:,.0f}" if abs(cost) >= _WHOLE else f"{cost:.3g}"


def _check_alike(named: Mapping[str, ReviewCurve]) -> None:
    known = {
        (one.fp_cost, one.fn_cost, one.tp_cost, one.tn_cost, one.source.prevalence)
        for one in named.values()
    }
    if len(known) != 1:
        raise ConditionError(
            "curves of the same costs and one prevalence can be compared, got "
            f"{len(known) or 'none'} of these."
        )


def _end(named: Mapping[str, ReviewCurve], kind: str, most: float | None) -> float:
    """The largest cost or share of the picture."""
    if most is not None:
        end = check_number("most", most, low=0, high=1 if kind == "share" else np.inf)
        if not 0 < end < np.inf:
            raise ConditionError(f"most must be above 0 and finite, got {brief(most)}.")
        return end
    if kind == "share":
        return max(float(np.max(one.share_reviewed(0.0))) for one in named.values()) or 1.0
    worth = max(max(one.most, one.review.cost.mean) for one in named.values())
    return (1 + _BEYOND) * worth


def _line(drawing: Drawing, curve: ReviewCurve, kind: str, end: float) -> ThinLine:
    """The vertices of a line, in the units of the picture."""
    width, height = drawing.pixels
    if kind == "share":
        x = _inside(curve)
        share = np.asarray(curve.share_reviewed(x))
        return thin_chain(share, _CASES * _now(curve, x, share), end / width)
    pieces = _over(curve, end)
    thin = thin_curve(pieces, Screen(0.0, 1.0, width, max(curve.without, 1e-300) / height))
    return ThinLine(end * thin.x, _CASES * thin.y, thin.cuts)


def _over(curve: ReviewCurve, end: float) -> PiecewiseQuadratic:
    """The curve over the cost of a review relative to the end of the picture."""
    top = curve.most / end
    if top == 0:
        return PiecewiseQuadratic(np.array([0.0, 1.0]), np.array([[curve.without], [0], [0]]))
    inner = curve.relative
    kept = inner.breaks[:-1] * top < 1
    breaks, powers = inner.breaks[:-1][kept] * top, np.array([[1.0], [1 / top], [1 / top**2]])
    coefficients = inner.coefficients[:, kept] * powers
    if top < 1:
        breaks = np.append(breaks, top)
        coefficients = np.append(coefficients, [[curve.without], [0.0], [0.0]], axis=1)
    return PiecewiseQuadratic(np.append(breaks, 1.0), coefficients)


def _inside(curve: ReviewCurve) -> FloatArray:
    """Costs of a review, descending to 0, in and between the pieces of a curve."""
    breaks = curve.most * curve.relative.breaks
    middles = (breaks[1:] + breaks[:-1]) / 2
    return np.unique([*middles, *np.linspace(0, curve.most, _CHORDS + 1)])[::-1]


def _now(curve: ReviewCurve, x: FloatArray, share: FloatArray) -> FloatArray:
    """What the rules for some costs of a review cost, where it costs what it does now."""
    return np.asarray(curve(x)) + (curve.review.cost.mean - x) * share


def _mark(drawing: Drawing, curve: ReviewCurve, kind: str, colour: str) -> None:
    """A dot at what a review costs now."""
    now = curve.review.cost.mean
    across = curve.share_reviewed(now) if kind == "share" else now
    drawing.ax.plot(across, _CASES * float(curve(now)), "o", color=colour, markersize=5, zorder=3)


def _fit(drawing: Drawing, heights: list[FloatArray]) -> None:
    """Show all heights, and 0."""
    every = np.append(np.concatenate(heights), 0.0)
    low, high = float(every.min()), float(every.max())
    room = _HEADROOM * ((high - low) or 1.0)
    drawing.ax.set_ylim(low - room * (low < 0), high + room)
