"""How lines differ: by colour, by dashes and by marker, so that each alone tells them apart."""

from dataclasses import dataclass
from typing import Any, TypeAlias, final

Dashes: TypeAlias = str | tuple[int, tuple[float, ...]]

# Okabe and Ito's colours, which the colour-blind can tell apart, darkest on white first. Black
# is kept for envelopes and grey for what the curves are compared with; yellow is too light.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
# Solid, dashed, dotted, dash-dot, long-dashed, dash-dot-dot.
DASHES: tuple[Dashes, ...] = (
    "-",
    (0, (5, 1.8)),
    (0, (1.2, 1.4)),
    (0, (7, 1.6, 1.2, 1.6)),
    (0, (12, 2)),
    (0, (5, 1.4, 1.2, 1.4, 1.2, 1.4)),
)
# Circle, square, triangle, diamond, triangle down, plus, cross: one more than there are colours,
# so that no two of the first 42 lines are alike.
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

BLACK, GREY, LIGHT_GREY = "black", "0.4", "0.75"
# The first colour, light enough for areas.
PALE = "#BFDBEC"


@final
@dataclass(frozen=True)
class LineStyle:
    """The style of one of several lines.

    Attributes
    ----------
    colour : str
        One of Okabe and Ito's.
    dashes : str or tuple
        A line style of matplotlib.
    marker : str
        A marker of matplotlib.
    markevery : (float, float)
        Where along a line its markers stand, as shares of the diagonal of the axes: the first,
        which differs from line to line, and the distance from each to the next.
    """

    colour: str
    dashes: Dashes
    marker: str
    markevery: tuple[float, float]

    def stroke(self) -> dict[str, Any]:
        """Keywords of a line without markers."""
        return {"color": self.colour, "linestyle": self.dashes, "linewidth": 1.6}

    def line(self) -> dict[str, Any]:
        """Keywords of a line with a few markers along it."""
        return {
            **self.stroke(),
            "marker": self.marker,
            "markersize": 5,
            "markerfacecolor": "white",
            "markevery": self.markevery,
        }

    def points(self) -> dict[str, Any]:
        """Keywords of markers without a line."""
        return {
            "color": self.colour,
            "linestyle": "none",
            "marker": self.marker,
            "markersize": 6,
        }


def style(i: int) -> LineStyle:
    """The style of line i = 0, 1, 2, ...: colours, dashes and markers change together.

    The first six lines differ in each of the three.
    """
    return LineStyle(
        COLOURS[i % len(COLOURS)],
        DASHES[i % len(DASHES)],
        MARKERS[i % len(MARKERS)],
        (0.04 + 0.035 * (i % 5), 0.17),
    )
