"""What every plot draws on and returns."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FloatArray, read_only
from costspace.errors import ConditionError, MissingExtraError, brief
from costspace.plots.checks import Shown

try:
    import matplotlib.pyplot as plt
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.colors import is_color_like
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.lines import Line2D

    from costspace.plots.labels import label_lines
    from costspace.plots.style import LineStyle, styles_by_name
    from costspace.plots.titles import points_across, size_of_letters, write_title
except ImportError:
    raise MissingExtraError("plots need matplotlib: pip install 'costspace[plots]'.") from None

ColumnValues: TypeAlias = FloatArray | NDArray[np.str_]
Looks: TypeAlias = Mapping[str, Mapping[str, Any]]

# Pictures are printed, too: lines are thinned to what this many dots an inch show.
_DOTS_PER_INCH = 300
# Inches of a new figure, of one with a square in it, and of a pair of axes: small enough to be
# read when they are as wide as a column of text.
_SIZE = (5.0, 3.6)
_SQUARE = (4.2, 4.2)
_PAIR = (8.4, 4.2)
# How far beyond 0 and 1 axes of two shares go.
_MARGIN = 0.02


@final
@dataclass(frozen=True, eq=False)
class Display:
    """A plot that has been drawn.

    Attributes
    ----------
    ax : matplotlib Axes
        What it is drawn on; its title, labels and limits can be changed there. Names stand beside
        lines, but for those that a legend of the axes names.
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
    ('Expected loss', ['model'])
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
    labels: dict[str, str] = field(default_factory=dict)  # of lines, where not their names
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
        """Draw a line that is named, as it is asked to look."""
        asked = line_keywords(self.looks.get(name, {}))
        (line,) = self.ax.plot(x, y, **{"label": self.label(name), **usual, **asked})
        self.add(name, line, x, y)
        self.lines.append(name)
        return line

    def styles(
        self,
        names: Iterable[str],
        colours: Mapping[str, str] | None = None,
        losses: Mapping[str, float] | None = None,
    ) -> dict[str, LineStyle]:
        """Styles for lines to come, in colours that no line of the axes has."""
        found = styles_by_name(
            names, given=_checked_colours(colours), used=_used(self.ax), losses=losses
        )
        grey = [name for name, look in found.items() if not look.marker]
        if len(grey) > 1:
            self.labels = {name: f"_{name}" for name in grey}
            self.labels[grey[0]] = f"{len(grey)} others"
        return found

    def label(self, name: str) -> str:
        """What is written of a line: grey ones have one name together."""
        return self.labels.get(name, name)

    def in_front(self, named: Mapping[str, Shown]) -> dict[str, Shown]:
        """What titles may speak of: translucent lines, such as those of folds, are a background."""
        looks = {name: self.looks.get(name, {}) for name in named}
        shown = {name: one for name, one in named.items() if looks[name].get("alpha", 1) == 1}
        return shown or dict(named)

    def unit_square(self, across: str, up: str) -> None:
        """Show shares from 0 to 1 both ways, and say what they are."""
        self.resize(*_SQUARE)
        ends = -_MARGIN, 1 + _MARGIN
        self.ax.set(xlim=ends, ylim=ends, aspect="equal", xlabel=across, ylabel=up)

    def resize(self, width: float, height: float) -> None:
        """Make a figure that is the plot's own so many inches wide and high."""
        figure = self.ax.figure
        if self.own_figure and isinstance(figure, Figure):
            figure.set_size_inches(width, height)

    @property
    def pixels(self) -> tuple[float, float]:
        """The most pixels across and up that the axes can come to have in their figure."""
        figure = self.ax.figure
        dots = max(_DOTS_PER_INCH, figure.dpi) / figure.dpi
        return figure.bbox.width * dots, figure.bbox.height * dots

    @property
    def points(self) -> float:
        """The width of the axes in points, before the figure is laid out."""
        return points_across(self.ax)

    @property
    def dot(self) -> float:
        """Width of a dot of the picture on axes from 0 to 1."""
        return 1 / max(self.pixels)

    def display(self, title: str) -> Display:
        """The finished plot, with a title unless there is one, and names beside its lines."""
        unknown = [name for name in self.looks if name not in self.lines]
        if unknown:
            raise ConditionError(
                f"looks: no line is named {unknown[0]!r}, there are {', '.join(self.lines)}."
            )
        if not self.ax.get_title():
            write_title(self.ax, title)
        size = size_of_letters(self.ax)
        self.ax.spines[["top", "right"]].set_visible(False)
        self.ax.tick_params(labelsize=size)
        for label in (self.ax.xaxis.label, self.ax.yaxis.label):
            label.set_fontsize(size)
        label_lines(self.ax)
        names = np.repeat(list(self.rows), [len(rows[0]) for rows in self.rows.values()])
        columns: dict[str, ColumnValues] = {"drawn": read_only(names.astype(str))}
        for i, name in enumerate(self.coordinates):
            parts = [rows[i] for rows in self.rows.values()]
            columns[name] = read_only(np.concatenate([np.zeros(0), *parts]))
        return Display(self.ax, dict(self.artists), columns)


def line_keywords(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords of matplotlib's `plot` by their full names: "color" for "c"."""
    return normalize_kwargs(dict(asked), Line2D)


def styles_on(ax: Axes | None, names: Iterable[str]) -> dict[str, LineStyle]:
    """Styles for lines on some axes, in colours that no line there has."""
    return styles_by_name(names, used=[] if ax is None else _used(_checked(ax)))


def _used(ax: Axes) -> list[object]:
    return [line.get_color() for line in ax.get_lines()]


@contextmanager
def drawing_on(
    ax: Axes | None,
    coordinates: tuple[str, ...],
    *,
    looks: Looks | None = None,
) -> Iterator[Drawing]:
    """A drawing on the axes given, or on those of a new figure, which an error closes."""
    asked = _checked_looks(looks)
    if ax is not None:
        yield Drawing(_checked(ax), coordinates, own_figure=False, looks=asked)
        return
    figure, ax = plt.subplots(figsize=_SIZE, layout="constrained")
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


def _checked(ax: object) -> Axes:
    if not isinstance(ax, Axes):
        raise ConditionError(f"ax must be matplotlib Axes, got {brief(ax)}.")
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


def _checked_colours(colours: Any) -> Mapping[str, str]:
    if colours is None:
        return {}
    if not isinstance(colours, Mapping) or not all(map(is_color_like, colours.values())):
        raise ConditionError(
            f"colours must be a mapping from names to colours of matplotlib, got {brief(colours)}."
        )
    return colours
