"""ROC space: curves, their hulls, isometrics, and the path of a choice."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray
from costspace.checks import check_conditions
from costspace.curve import OperatingPath, OperatingPoints, SmoothPath
from costspace.plots.axes import Display, Drawing, Looks, drawing_on
from costspace.plots.checks import as_list, by_name, check_known, each_once
from costspace.plots.findings import best_of
from costspace.plots.style import GREY, LIGHT_GREY, LineStyle
from costspace.plots.thinning import thin_chain
from costspace.roc.hull import lower_hull
from costspace.roc.isometrics import Isometric
from costspace.scores.base import ScoreSource

# Points along a curve that is not made of straight pieces.
_STEPS = 2049


def plot_roc_space(
    sources: ScoreSource | Mapping[str, ScoreSource],
    *,
    curve: bool = True,
    hull: bool | Sequence[str] = True,
    isometrics: Sequence[Isometric] | Mapping[str, Isometric] = (),
    paths: OperatingPath | SmoothPath | Mapping[str, OperatingPath | SmoothPath] | None = None,
    points: OperatingPoints | Mapping[str, OperatingPoints] | None = None,
    conditions: ArrayLike = (),
    chance_level: bool = False,
    colours: Mapping[str, str] | None = None,
    looks: Looks | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw ROC curves, and where on them thresholds are chosen.

    Parameters
    ----------
    sources : ScoreTable or other ScoreSource, or mapping of name to such
        Whose curves to draw; an empty mapping leaves what else is asked for.
    curve : bool, default True
        Draw the ROC curve as a line.
    hull : bool, or sequence of names of sources, default True
        Draw the convex hull as a thin line, of all sources that have colours or of those named.
    isometrics : sequence of Isometric, or mapping of name to such
        Lines of equal loss, share flagged or precision, thin and grey.
    paths : OperatingPath or SmoothPath, or mapping of name to such, optional
        What a choice does as the condition grows: a wide band where it moves along a line, thin
        lines where it jumps; a marker if it stays at one point.
    points : OperatingPoints, or mapping of name to such, optional
        Drawn as large markers.
    conditions : array in [0, 1]
        Conditions to write where each path is then.
    chance_level : bool, default False
        Name the diagonal, on which scores tell nothing.
    colours : mapping of name to str, optional
        Colours of some of these, by their names: ``colours(models)`` for a model to have one in
        every plot. By default that of its place. Of more than six curves the four with the largest
        area have colours.
    looks : mapping of name to mapping, optional
        Keywords of matplotlib's `plot` for some lines, by the names that they are drawn under,
        instead of the usual ones; a `label` is the name that is written.
    ax : matplotlib Axes, optional
        By default those of a new figure. On axes that have lines, other styles are used.

    Returns
    -------
    Display
        Its columns are "drawn", "fpr" and "tpr".

    Raises
    ------
    SourceError
        If something is not the result it should be.
    ConditionError
        If a condition is not in [0, 1], two things have one name, or a hull that of no source.

    Notes
    -----
    Provost and Fawcett (2001), Machine Learning 42. Curves are drawn within half a pixel at 300
    dots per inch, however many points they have.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> display = plot_roc_space({"model": table}, paths={"optimal": cs.Optimal().path(table)})
    >>> list(display.artists)
    ['model', 'model, hull', 'optimal']
    >>> plt.close(display.figure)
    """
    named = by_name(sources, (ScoreSource,), "ROC curve")
    hulls = list(named) if hull is True else as_list("hull", hull or [])
    check_known("hull", "source", hulls, named)
    routes: dict[str, OperatingPath | SmoothPath] = by_name(
        paths or {}, (OperatingPath, SmoothPath), "path"
    )
    places = by_name(points or {}, (OperatingPoints,), "points")
    if not isinstance(isometrics, Mapping):
        isometrics = each_once((str(line), line) for line in as_list("isometrics", isometrics))
    lines: dict[str, Isometric] = by_name(isometrics, (Isometric,), "isometrics")
    labelled = np.atleast_1d(check_conditions("conditions", conditions))
    with drawing_on(ax, ("fpr", "tpr"), looks=looks) as drawing:
        areas = {name: -source.auc for name, source in named.items()}
        styles = drawing.styles([*named, *routes, *places], colours, areas)
        _set_up(drawing, chance_level=chance_level)
        for name, line in lines.items():
            drawing.line(name, line.fpr, line.tpr, color=GREY, linewidth=0.8, zorder=1)
        for name, source in named.items():
            # Among many the hulls of those in grey would be a wall.
            hulled = name in hulls and (hull is not True or bool(styles[name].marker))
            shown = {"curve": curve, "hull": hulled, "several": len(named) > 1}
            _draw_source(drawing, name, source, styles[name], **shown)
        for name, path in routes.items():
            _draw_path(drawing, name, path, styles[name])
            _mark_conditions(drawing, name, path, labelled)
        for name, point in places.items():
            x, y = np.ravel(point.fpr), 1 - np.ravel(point.fnr)
            drawing.line(name, x, y, **{**styles[name].points(), "markersize": 9}, zorder=4)
        return drawing.display(_found(drawing.in_front(named)))


def _found(sources: Mapping[str, ScoreSource]) -> str:
    """The title: which model ranks best."""
    areas = {name: source.auc for name, source in sources.items()}
    if not areas:
        return "ROC space"
    if len(areas) == 1:
        return f"AUC {areas.popitem()[1]:.3f}"
    verbs = "ranks best", "rank best"
    return best_of(areas, lambda area: f"AUC {area:.3f}", verbs, largest=True)


def _set_up(drawing: Drawing, *, chance_level: bool) -> None:
    drawing.unit_square("False positive rate", "True positive rate")
    if chance_level:
        look = {"color": GREY, "linewidth": 1.0, "zorder": 0}
        drawing.line("chance level", [0, 1], [0, 1], **look)
    else:
        drawing.ax.plot([0, 1], [0, 1], color=LIGHT_GREY, linewidth=0.8, zorder=0)


def _draw_source(
    drawing: Drawing,
    name: str,
    source: ScoreSource,
    look: LineStyle,
    *,
    curve: bool,
    hull: bool,
    several: bool,
) -> None:
    if curve:
        points = _curve_points(source)
        line = thin_chain(points.fpr, 1 - points.fnr, drawing.dot)
        drawing.line(name, line.x, line.y, **look.line())
    if hull:
        # A hull in the colour of the curve beside it needs no name of its own.
        said = "_" if curve and several else ""
        corners = _hull_points(source)
        line = thin_chain(corners.fpr, 1 - corners.fnr, drawing.dot)
        drawing.line(
            f"{name}, hull",
            line.x,
            line.y,
            color=look.colour,
            linewidth=0.8,
            label=f"{said}{name}, hull",
        )


def _curve_points(source: ScoreSource) -> OperatingPoints:
    """The ROC curve, from flagging everybody to flagging nobody."""
    if source.by_score.between != "smooth":
        return source.by_score.corners
    # With balanced classes, equal steps of the share are equal steps along both axes.
    shares = source.by_share(0.5, 0.5)
    return shares.at(np.union1d(shares.kinks, np.linspace(0, 1, _STEPS))[::-1])


def _hull_points(source: ScoreSource) -> OperatingPoints:
    if source.by_skew.between != "smooth":
        return source.by_skew.corners
    points = _curve_points(source)
    below, fnr = lower_hull(1 - points.fpr, points.fnr, rounding=1e-15)
    return OperatingPoints(1 - below, fnr)


def _draw_path(
    drawing: Drawing, name: str, path: OperatingPath | SmoothPath, look: LineStyle
) -> None:
    columns = path.columns()
    x = np.stack([columns["fpr_start"], columns["fpr_end"]], axis=1)
    y = 1 - np.stack([columns["fnr_start"], columns["fnr_end"]], axis=1)
    whole = thin_chain(x.ravel(), y.ravel(), drawing.dot)
    line = drawing.line(
        name,
        whole.x,
        whole.y,
        color=look.colour,
        linewidth=0.8,
        marker=look.marker,
        markerfacecolor="white",
        markevery=[],
    )
    colour: Any = line.get_color()
    stays = (x[:, 0] == x[:, 1]) & (y[:, 0] == y[:, 1])
    if np.ptp(x) == np.ptp(y) == 0:
        # A path of one point is no line.
        mark = {"color": colour, "marker": line.get_marker(), "markersize": 4}
        drawing.ax.plot(x[0, 0], y[0, 0], **{**look.points(), **mark}, markerfacecolor="white")
    x, y = x[~stays], y[~stays]
    jumps = (x[1:, 0] != x[:-1, 1]) | (y[1:, 0] != y[:-1, 1])
    cuts = 2 * (np.flatnonzero(jumps) + 1)
    moves = thin_chain(x.ravel(), y.ravel(), drawing.dot, cuts).lifted()
    drawing.ax.plot(*moves, color=colour, linewidth=6, alpha=0.3, zorder=1)


def _mark_conditions(
    drawing: Drawing, name: str, path: OperatingPath | SmoothPath, conditions: FloatArray
) -> None:
    """Write each condition where a path is then, those of one point together."""
    line: Any = drawing.artists[name]
    points = path.at(conditions)
    at: dict[tuple[float, float], list[str]] = {}
    for c, x, y in zip(conditions, points.fpr, 1 - points.fnr, strict=True):
        at.setdefault((float(x), float(y)), []).append(f"{c:g}")
    for (x, y), said in at.items():
        drawing.ax.plot(
            *([x], [y]),
            color=line.get_color(),
            linestyle="none",
            marker=line.get_marker(),
            markersize=7,
            zorder=4,
            label=f"at {', '.join(said)}",
        )
