"""What every plot draws on and returns."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FloatArray, read_only
from costspace.errors import ConditionError, MissingExtraError, SourceError, brief

try:
    import matplotlib.pyplot as plt
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
except ImportError:
    raise MissingExtraError("plots need matplotlib: pip install 'costspace[plots]'.") from None

Column: TypeAlias = FloatArray | NDArray[np.str_]
Result = TypeVar("Result")

# Pictures are printed, too: lines are thinned to what this many dots an inch show.
_DOTS_PER_INCH = 300
# Inches of a new figure, with room for a legend beside the axes.
_SIZE = (8.0, 4.8)


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
    drawn: Mapping[str, Column]

    def __repr__(self) -> str:
        return f"Display({', '.join(self.artists)})"

    @property
    def figure(self) -> Figure | SubFigure:
        """The figure that holds the axes."""
        return self.ax.figure

    def columns(self) -> dict[str, Column]:
        """One row a vertex: the name of what was drawn, and its coordinates.

        NaN where the pen was lifted.
        """
        return dict(self.drawn)


@dataclass
class Drawing:
    """A plot in the making: what is drawn, by name."""

    ax: Axes
    coordinates: tuple[str, ...]
    own_figure: bool
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

    def line(self, name: str, x: ArrayLike, y: ArrayLike, **style: Any) -> None:
        """Draw a line that the legend names."""
        (line,) = self.ax.plot(x, y, label=name, **style)
        self.add(name, line, x, y)

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

    def display(self) -> Display:
        """The finished plot, with a legend beside it or, on axes that were given, inside."""
        if self.ax.get_legend_handles_labels()[0]:
            beside: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.02, 1.0)}
            self.ax.legend(fontsize="small", **(beside if self.own_figure else {}))
        names = np.repeat(list(self.rows), [len(rows[0]) for rows in self.rows.values()])
        columns: dict[str, Column] = {"drawn": read_only(names.astype(str))}
        for i, name in enumerate(self.coordinates):
            parts = [rows[i] for rows in self.rows.values()]
            columns[name] = read_only(np.concatenate([np.zeros(0), *parts]))
        return Display(self.ax, dict(self.artists), columns)


@contextmanager
def drawing_on(
    ax: Axes | None, coordinates: tuple[str, ...], *, projection: str | None = None
) -> Iterator[Drawing]:
    """A drawing on the axes given, or on those of a new figure, which an error closes."""
    if ax is not None:
        yield Drawing(_checked(ax, projection), coordinates, own_figure=False)
        return
    figure, ax = plt.subplots(
        figsize=_SIZE, layout="constrained", subplot_kw={"projection": projection}
    )
    try:
        yield Drawing(ax, coordinates, own_figure=True)
    except BaseException:
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


def by_name(
    given: Result | Mapping[str, Result], kinds: tuple[type[Any], ...], asked: str
) -> dict[str, Result]:
    """Results by the names to draw them under; one alone goes by what was `asked`.

    Raises
    ------
    SourceError
        If there is something else among them.
    """
    results = dict(given) if isinstance(given, Mapping) else {asked: given}
    for name, result in results.items():
        if not isinstance(name, str) or not isinstance(result, kinds):
            wanted = " or ".join(kind.__name__ for kind in kinds)
            raise SourceError(
                f"{asked}: this needs {wanted}, or a mapping from names to such, "
                f"got {brief(given)}."
            )
    return results


def as_list(asked: str, given: object) -> list[Any]:
    """What was given as a list, or `SourceError` unless it is several things."""
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise SourceError(f"{asked}: a list or a mapping from names is needed, got {brief(given)}.")
    return list(given)


def each_once(results: Iterable[tuple[str, Result]]) -> dict[str, Result]:
    """Results by their own names, or `ConditionError` if two have the same."""
    named: dict[str, Result] = {}
    for name, result in results:
        if name in named:
            raise ConditionError(f"two things to draw are {name!r}: give a mapping from names.")
        named[name] = result
    return named


def check_count(name: str, value: object, least: int) -> int:
    """Return a whole number, or raise `ConditionError` unless it is one from `least` on."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise ConditionError(f"{name} must be a whole number from {least} on, got {brief(value)}.")
    return int(value)
