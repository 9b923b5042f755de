"""How tests read what a picture shows."""

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from costspace.plots import Display
from costspace.plots.labels import LineLabels


def shown(figure: Figure, panels: int) -> list[Axes]:
    """The panels of a picture that can be drawn, and that pyplot does not hold on to."""
    # To save it would draw it twice.
    dpi, figure.dpi = figure.dpi, 30
    FigureCanvasAgg(figure).draw()
    figure.dpi = dpi
    assert plt.get_fignums() == []
    assert len(figure.axes) == panels
    for ax in figure.axes:
        assert ax.get_xlabel()
        assert ax.get_ylabel()
    return figure.axes


def written(ax: Axes) -> list[str]:
    """What is written next to lines, in place of a legend."""
    assert ax.get_legend() is None
    assert any(isinstance(artist, LineLabels) for artist in ax.get_children())
    return ax.get_legend_handles_labels()[1]


def names_drawn(ax: Axes, monkeypatch: pytest.MonkeyPatch) -> list[Text]:
    """The names that are written when the axes are drawn, each at its place."""
    texts: list[Text] = []
    renderer = FigureCanvasAgg(ax.figure).get_renderer()  # type: ignore[arg-type]
    with monkeypatch.context() as patched:
        patched.setattr(Text, "draw", lambda text, _: texts.append(text))
        for artist in ax.get_children():
            if isinstance(artist, LineLabels):
                artist.draw(renderer)
    return texts


def rows(display: Display, name: str) -> list[np.ndarray]:
    """The coordinates of what is drawn under a name, NaN where the pen is lifted."""
    columns = display.columns()
    chosen = columns.pop("drawn") == name
    return [column[chosen] for column in columns.values()]


def vertices(display: Display, name: str) -> np.ndarray:
    """The same, without those that are NaN."""
    found = np.stack(rows(display, name))
    return found[:, ~np.isnan(found).any(axis=0)]


def lines(ax: Axes, name: str) -> list[Line2D]:
    """Those whose label begins so."""
    return [line for line in ax.get_lines() if str(line.get_label()).startswith(name)]


def line(ax: Axes, name: str) -> Line2D:
    (found,) = lines(ax, name)
    return found


def pieces(drawn: Line2D) -> np.ndarray:
    """The strokes from left to right as rows x0, y0, x1, y1, those of no width left out."""
    xy = np.asarray(drawn.get_xydata(), dtype=float)
    both = np.hstack([xy[:-1], xy[1:]])
    both = np.where(both[:, :1] > both[:, 2:3], np.roll(both, 2, axis=1), both)
    return both[np.isfinite(both).all(axis=1) & (both[:, 0] != both[:, 2])]


def heights(drawn: Line2D, x: np.ndarray) -> np.ndarray:
    """How high a line is at each x, none of which is at a jump or beyond its ends."""
    x0, y0, x1, y1 = pieces(drawn)[:, :, None].transpose(1, 0, 2)
    inside = (x0 <= x) & (x < x1)
    assert (inside.sum(axis=0) == 1).all()
    return np.where(inside, y0 + (y1 - y0) * (x - x0) / (x1 - x0), 0).sum(axis=0)


def area(drawn: Line2D) -> float:
    x0, y0, x1, y1 = pieces(drawn).T
    return float(np.sum((x1 - x0) * (y0 + y1) / 2))


def shows(drawn: Line2D, function: Callable[[np.ndarray], np.ndarray], within: float) -> bool:
    """Whether a line is a function of the condition, away from the ends."""
    x = (np.arange(997) + 0.5 * np.sqrt(2)) / 998
    return bool(np.abs(heights(drawn, x) - function(x)).max() <= within)


def segments(ax: Axes) -> np.ndarray:
    """The cost lines of a panel: their first and last heights, a row each."""
    (collection,) = [c for c in ax.collections if isinstance(c, LineCollection)]
    ends = np.array([[path[0, 1], path[-1, 1]] for path in collection.get_segments()])
    return ends[np.lexsort(ends.T[::-1])]


def said(ax: Axes) -> str:
    """All that is written within a panel."""
    return "\n".join(text.get_text() for text in ax.texts)
