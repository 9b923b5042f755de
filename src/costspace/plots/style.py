"""The colours and marks of models, the same in every plot."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, final

import numpy as np
from matplotlib.colors import to_rgb

# A line style of matplotlib: solid, or lengths of what is drawn and what is not.
Dashes: TypeAlias = str | tuple[float, tuple[float, ...]]

# The colour-blind can tell the first four apart, and so can who prints in grey: their lightness is
# 40, 54, 67 and 25 of 100.
COLOURS = ("#0060A8", "#D55E00", "#33B78E", "#6B1A5E", "#A88A00", "#8C7568")
# Circle, square, triangle, diamond, triangle down, plus.
MARKERS = ("o", "s", "^", "D", "v", "P")
# A line without colour is told by these: solid, long, short, dash and dot, dots, long and two dots;
# in widths of the line.
DASHES: tuple[Dashes, ...] = (
    "-",
    (0, (6, 1.5)),
    (0, (2.5, 1)),
    (0, (7, 1.2, 1.2, 1.2)),
    (0, (1.1, 1)),
    (0, (9, 1.2, 1.2, 1.2, 1.2, 1.2)),
)
BLACK, GREY, LIGHT_GREY = "black", "0.4", "0.75"
# What is not among the best.
OTHERS = "0.6"
# The first colour, light enough for areas.
PALE = "#C4DAED"
# Of more models than there are colours so many, the best, have one.
_BEST = 4
# The contrast with white that text needs.
_CONTRAST = 4.5


@final
@dataclass(frozen=True)
class LineStyle:
    """The style of one of several lines."""

    colour: str
    marker: str  # a marker of matplotlib, or "" for none
    dashes: Dashes = "-"

    def line(self) -> dict[str, Any]:
        """Keywords of a line."""
        known = bool(self.marker)
        return {
            "color": self.colour,
            "linestyle": self.dashes,
            "linewidth": 1.6 if known else 0.9,
            "zorder": 2.0 if known else 1.8,
        }

    def points(self) -> dict[str, Any]:
        """Keywords of markers without a line."""
        return {
            "color": self.colour,
            "linestyle": "none",
            "marker": self.marker or ".",
            "markersize": 6,
        }


def style(i: int) -> LineStyle:
    """The style of the model in place i = 0, 1, 2, ...: a colour, a marker and dashes, or grey."""
    if i >= len(COLOURS):
        return LineStyle(OTHERS, "")
    return LineStyle(COLOURS[i], MARKERS[i], DASHES[i])


def colours(models: Iterable[str]) -> dict[str, str]:
    """The colour of each of several models, by its place among them.

    Parameters
    ----------
    models : iterable of str
        The names of all models, in one order for all plots.

    Returns
    -------
    dict of str to str
        For the `colours` of plots that show some of them. The first six have colours, others are
        grey.

    Examples
    --------
    >>> colours(["logistic", "forest"])
    {'logistic': '#0060A8', 'forest': '#D55E00'}
    """
    return {name: style(i).colour for i, name in enumerate(models)}


def styles_by_name(
    names: Iterable[str],
    *,
    given: Mapping[str, str] | None = None,
    used: Iterable[object] = (),
    losses: Mapping[str, float] | None = None,
) -> dict[str, LineStyle]:
    """How lines look, by their names.

    Parameters
    ----------
    names : iterable of str
        In their order, which gives those without a colour theirs.
    given : mapping of name to str, optional
        Colours of some of them, and perhaps of others.
    used : iterable
        Colours that are taken.
    losses : mapping of name to float, optional
        Of more lines than there are colours, those that lose least have one.
    """
    names, given = list(names), given or {}
    free = [i for i, colour in enumerate(COLOURS) if colour not in {*used, *given.values()}]
    known = {name: _given(name, given) for name in names if name in given}
    rest = [name for name in names if name not in known]
    if len(rest) > len(free) and losses is not None:
        best = sorted(rest, key=lambda name: losses.get(name, np.inf))[: min(_BEST, len(free))]
        coloured = [name for name in rest if name in best]
    else:
        coloured = rest[: len(free)]
    known |= {name: style(i) for name, i in zip(coloured, free, strict=False)}
    return {name: known.get(name, style(len(COLOURS))) for name in names}


def _given(name: str, given: Mapping[str, str]) -> LineStyle:
    """The style of a model whose colour is given; its place there gives it the rest."""
    i = list(given).index(name) % len(MARKERS)
    colour = given[name]
    return LineStyle(colour, "") if colour == OTHERS else LineStyle(colour, MARKERS[i], DASHES[i])


def pale(colour: str, share: float) -> tuple[float, float, float]:
    """A colour mixed with so much white."""
    red, green, blue = share + (1 - share) * np.asarray(to_rgb(colour))
    return float(red), float(green), float(blue)


def text_colour(colour: Any) -> tuple[float, float, float]:
    """A colour made dark enough to be read on white."""
    red, green, blue = to_rgb(colour)
    while _contrast((red, green, blue)) < _CONTRAST:
        red, green, blue = 0.95 * red, 0.95 * green, 0.95 * blue
    return red, green, blue


def _contrast(rgb: tuple[float, float, float]) -> float:
    """The contrast of a colour with white, from 1 to 21."""
    part = np.asarray(rgb)
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return float(1.05 / (linear @ [0.2126, 0.7152, 0.0722] + 0.05))
