"""What every plot draws on and returns."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FloatArray, read_only
from costspace.errors import ConditionError, MissingExtraError, brief
from costspace.plots.style import COLOURS, LineStyle, style

try:
    import matplotlib.pyplot as plt
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.lines import Line2D
except ImportError:
    raise MissingExtraError("plots need matplotlib: pip install 'costspace[plots]'.") from None

ColumnValues: TypeAlias = FloatArray | NDArray[np.str_]
Looks: TypeAlias = Mapping[str, Mapping[str, Any]]

# Pictures are printed, too: lines are thinned to what this many dots an inch show.
_DOTS_PER_INCH = 300
# Inches of a new figure, with room for a legend beside the axes.
_SIZE = (8.0, 4.8)
# Those of two axes, with legends below them.
_PAIR = (11.0, 6.0)
# How far beyond 0 and 1 axes of two shares go.
_MARGIN = 0.02
# Points that a line in a legend is wide, at least.
_LEAST_WIDTH = 0.7


@final
@dataclass(frozen=True, eq=False)
class Display:
    """A plot that has been drawn.

    Attributes
    ----------
    ax : matplotlib Axes
        What it is drawn on; labels, limits and legend can be changed there.
    artists : mapping of name to matplotlib Artist
        The lines, bars and markers by the names of what they show.
    drawn : mapping of name to array
        What `columns` gives.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> from costspace.plots import plot_cost_space
    >>> curve = cs.loss_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.Optimal())
    >>> display = plot_cost_space({"model": curve})
    >>> display.ax.get_ylabel(), list(display.artists)
    ('Loss', ['model'])
    >>> display.columns()["condition"]
    array([0. , 0.5, 1. ])
    >>> plt.close(display.figure)
    """

    ax: Axes
    artists: Mapping[str, Artist]
    drawn: Mapping[str, ColumnValues]

    def __repr__(self) -> str:
        return f"Display({', '.join(self.artists)})"

    @property
    def figure(self) -> Figure | SubFigure:
        """The figure that holds the axes."""
        return self.ax.figure

    def columns(self) -> dict[str, ColumnValues]:
        """One row a vertex: the name of what was drawn, and its coordinates.

        NaN where the pen was lifted.
        """
        return dict(self.drawn)


@final
@dataclass
class Drawing:
    """A plot in the making: what is drawn, by name."""

    ax: Axes
    coordinates: tuple[str, ...]
    own_figure: bool
    looks: Looks = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    artists: dict[str, Artist] = field(default_factory=dict)
    rows: dict[str, list[FloatArray]] = field(default_factory=dict)

    def add(self, name: str, artist: Artist, *coordinates: ArrayLike) -> None:
        """Keep an artist and the vertices it was drawn from.

        Raises
        ------
        ConditionError
            If something else of that name is drawn.
        """
        if name in self.artists:
            raise ConditionError(f"two things to draw are named {name!r}: rename one.")
        self.artists[name] = artist
        self.rows[name] = [np.asarray(values, dtype=float).ravel() for values in coordinates]

    def line(self, name: str, x: ArrayLike, y: ArrayLike, **usual: Any) -> Line2D:
        """Draw a line that the legend names, as it is asked to look."""
        asked = line_keywords(self.looks.get(name, {}))
        (line,) = self.ax.plot(x, y, **{"label": name, **usual, **asked})
        self.add(name, line, x, y)
        self.lines.append(name)
        return line

    def styles(self) -> Iterator[LineStyle]:
        """Styles for the lines to come."""
        return styles_on(self.ax)

    def once(self, label: str) -> str:
        """The label, or one that is hidden if the legend has it already."""
        return f"_{label}" if label in self.ax.get_legend_handles_labels()[1] else label

    def unit_square(self, across: str, up: str) -> None:
        """Show shares from 0 to 1 both ways, and say what they are."""
        ends = -_MARGIN, 1 + _MARGIN
        self.ax.set(xlim=ends, ylim=ends, aspect="equal", xlabel=across, ylabel=up)

    def resize(self, width: float, height: float) -> None:
        """Make a figure that is the plot's own so many inches wide and high."""
        figure = self.ax.figure
        if self.own_figure and isinstance(figure, Figure):
            figure.set_size_inches(width, height)

    def enlarge(self, width: float, height: float) -> None:
        """Make it at least so many inches wide and high."""
        self.resize(max(_SIZE[0], width), max(_SIZE[1], height))

    @property
    def pixels(self) -> tuple[float, float]:
        """The most pixels across and up that the axes can come to have in their figure."""
        figure = self.ax.figure
        dots = max(_DOTS_PER_INCH, figure.dpi) / figure.dpi
        return figure.bbox.width * dots, figure.bbox.height * dots

    @property
    def dot(self) -> float:
        """Width of a dot of the picture on axes from 0 to 1."""
        return 1 / max(self.pixels)

    def display(self, *, beside: bool = False) -> Display:
        """The finished plot, with a legend beside it or, on axes that were given, inside.

        It stays beside those that it was beside already, and can be asked to be there.
        """
        unknown = [name for name in self.looks if name not in self.lines]
        if unknown:
            raise ConditionError(
                f"looks: no line is named {unknown[0]!r}, there are {', '.join(self.lines)}."
            )
        if self.ax.get_legend_handles_labels()[0]:
            outside: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.02, 1.0)}
            beside = beside or self.own_figure or self._legend_is_outside
            put_legend(self.ax, **(outside if beside else {}))
        names = np.repeat(list(self.rows), [len(rows[0]) for rows in self.rows.values()])
        columns: dict[str, ColumnValues] = {"drawn": read_only(names.astype(str))}
        for i, name in enumerate(self.coordinates):
            parts = [rows[i] for rows in self.rows.values()]
            columns[name] = read_only(np.concatenate([np.zeros(0), *parts]))
        return Display(self.ax, dict(self.artists), columns)

    @property
    def _legend_is_outside(self) -> bool:
        legend = self.ax.get_legend()
        return legend is not None and legend.get_bbox_to_anchor().x0 >= self.ax.bbox.x1


def line_keywords(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords of matplotlib's `plot` by their full names: "color" for "c"."""
    return normalize_kwargs(dict(asked), Line2D)


def put_legend(ax: Axes, **where: Any) -> None:
    """A legend in which lines can be seen that are pale or thin in the plot."""
    for handle in ax.legend(fontsize="small", **where).legend_handles:
        if isinstance(handle, Line2D):
            handle.set(alpha=1, linewidth=max(handle.get_linewidth(), _LEAST_WIDTH))


def styles_on(ax: Axes | None) -> Iterator[LineStyle]:
    """Styles for lines on some axes, first those whose colour no line there has."""
    used = set() if ax is None else {line.get_color() for line in _checked(ax, None).get_lines()}
    free = [i for i, colour in enumerate(COLOURS) if colour not in used]
    return map(style, chain(free, count(len(COLOURS))))


@contextmanager
def drawing_on(
    ax: Axes | None,
    coordinates: tuple[str, ...],
    *,
    projection: str | None = None,
    looks: Looks | None = None,
) -> Iterator[Drawing]:
    """A drawing on the axes given, or on those of a new figure, which an error closes."""
    asked = _checked_looks(looks)
    if ax is not None:
        yield Drawing(_checked(ax, projection), coordinates, own_figure=False, looks=asked)
        return
    figure, ax = plt.subplots(
        figsize=_SIZE, layout="constrained", subplot_kw={"projection": projection}
    )
    with closed_on_error(figure):
        yield Drawing(ax, coordinates, own_figure=True, looks=asked)


def new_pair() -> tuple[Figure, tuple[Axes, Axes]]:
    """A new figure with two axes side by side."""
    figure, (left, right) = plt.subplots(1, 2, figsize=_PAIR, layout="constrained")
    return figure, (left, right)


@contextmanager
def closed_on_error(figure: Figure | None) -> Iterator[None]:
    """Close a figure, if there is one, that something goes wrong with."""
    try:
        yield
    except BaseException:
        if figure is not None:
            plt.close(figure)
        raise


def _checked(ax: object, projection: str | None) -> Axes:
    if not isinstance(ax, Axes):
        raise ConditionError(f"ax must be matplotlib Axes, got {brief(ax)}.")
    if projection is not None and ax.name != projection:
        raise ConditionError(
            f"this plot needs axes made with projection={projection!r}, got {brief(ax)}."
        )
    return ax


def _checked_looks(looks: Any) -> Looks:
    if looks is None:
        return {}
    if not isinstance(looks, Mapping) or not all(isinstance(v, Mapping) for v in looks.values()):
        raise ConditionError(
            "looks must be a mapping from names of lines to keywords of matplotlib's plot, "
            f"got {brief(looks)}."
        )
    return looks
