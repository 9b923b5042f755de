"""Names written beside lines and in areas, instead of a legend."""

from collections.abc import Iterator
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.collections import Collection, LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from costspace.arrays import FloatArray
from costspace.plots.placement import Named, Place, place_names
from costspace.plots.style import BLACK, GREY, text_colour

# Points from one place along a line to the next.
_STEP = 1.5
# How much what is no line counts as ink: the edges of areas, and lines that are a background.
_EDGES, _BACKGROUND = 0.1, 0.005
# Of an area, places for its name along each side.
_INSIDE = 40
_MANY = 6
# Letters of a long name, and of a line of one that is broken.
_LONG, _LINE = 22, 18


def _as_they_are(labels: list[str]) -> list[str]:
    return labels


def _short(labels: list[str]) -> list[str]:
    """Long names without the words that all end with, and without those that several begin with.

    Of the latter the last one before they differ stays, and so do further lines.
    """
    names = [label.partition("\n")[0] for label in labels]
    long = [name.split(" ") for name in names if len(name) > _LONG]
    if len(long) < 2:
        return labels
    first = {}
    for start in {words[0] for words in long}:
        alike = [words for words in long if words[0] == start]
        first[start] = max(_shared(alike) - 1, 0) if len(alike) > 1 else 0
    last = _shared([words[first[words[0]] :][::-1] for words in long])
    kept: dict[str, str] = {}
    for words in long:
        begin = first[words[0]]
        middle = words[begin : len(words) - last]
        parts = ["…" * (begin > 0), *middle, "…" * (last > 0)]
        kept[" ".join(words)] = " ".join(part for part in parts if part)
    return [
        kept.get(name, name) + label[len(name) :] for name, label in zip(names, labels, strict=True)
    ]


def _shared(names: list[list[str]]) -> int:
    """How many words all names begin with."""
    columns = zip(*names, strict=False)
    return next((i for i, words in enumerate(columns) if len(set(words)) > 1), 0)


def _narrow(labels: list[str]) -> list[str]:
    """The same, in short lines."""
    return [
        "\n".join(fill(line, _LINE, break_long_words=False) for line in label.splitlines())
        for label in _short(labels)
    ]


def _bare(labels: list[str]) -> list[str]:
    """The same of names alone, without the lines that say more."""
    return _narrow([label.splitlines()[0] if label else label for label in labels])


# How names are written, from the best on: the size of letters, and the words.
_WAYS = (
    ("small", _as_they_are),
    ("x-small", _as_they_are),
    ("x-small", _short),
    ("x-small", _narrow),
    ("x-small", _bare),
    ("xx-small", _bare),
)


class LineLabels(Artist):
    """The names of what axes show, found a place for whenever the axes are drawn.

    Named is what a legend would name. What a legend of the axes names has no name beside it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.set_zorder(6)
        self.set_in_layout(False)

    def draw(self, renderer: RendererBase) -> None:
        """Write each name where it hides least."""
        ax = self.axes
        if not isinstance(ax, Axes) or not self.get_visible():
            return
        point = _point(renderer)
        box = ax.get_window_extent(renderer)
        found = [(one, _outline(one[0], box, point)) for one in _to_name(ax)]
        # What is outside the axes needs no name, and no room.
        named = [one for one, outline in found if len(outline)]
        outlines = [outline for _, outline in found if len(outline)]
        ink = _ink(ax, [artist for artist, _ in named], box, point, renderer)
        placed: list[tuple[Text, Place | None]] = []
        # In words and letters that are small enough for all of them.
        for size, write in _WAYS[len(named) > _MANY :]:
            labels = write([label for _, label in named])
            texts = [
                _text(ax, artist, label, size)
                for (artist, _), label in zip(named, labels, strict=True)
            ]
            extents = [text.get_window_extent(renderer) for text in texts]
            asked = [
                _asked(artist, path, size, box, point)
                for (artist, _), path, size in zip(named, outlines, extents, strict=True)
            ]
            last = (size, write) == _WAYS[-1]
            places = place_names(asked, box.width / point, box.height / point, ink, overlap=last)
            placed = list(zip(texts, places, strict=True))
            if None not in places:
                break
        for text, place in placed:
            if place is not None:
                _draw(text, place, box, point, renderer)


def _point(renderer: RendererBase) -> float:
    """Pixels of a point."""
    pixels: Any = renderer.points_to_pixels(1.0)
    return float(pixels)


def label_lines(ax: Axes) -> None:
    """Write the name of each line of the axes beside it, also of lines to come."""
    if not any(isinstance(artist, LineLabels) for artist in ax.get_children()):
        ax.add_artist(LineLabels())


def _to_name(ax: Axes) -> Iterator[tuple[Artist, str]]:
    """What a legend would name, and does not."""
    legend = ax.get_legend()
    said = set() if legend is None else {text.get_text() for text in legend.get_texts()}
    for artist, label in zip(*ax.get_legend_handles_labels(), strict=True):
        known = isinstance(artist, Line2D | Patch | Collection)
        if known and artist.get_visible() and label not in said:
            yield artist, label


def _text(ax: Axes, artist: Artist, label: str, size: str) -> Text:
    colour = text_colour(artist.get_color()) if isinstance(artist, Line2D) else BLACK
    back = {"boxstyle": "square,pad=0.05", "facecolor": "white", "edgecolor": "none", "alpha": 0.7}
    # A name with dollar signs is no formula.
    text = Text(
        0, 0, label, color=colour, fontsize=size, bbox=back, linespacing=1.0, parse_math=False
    )
    text.set_figure(ax.figure)
    return text


def _draw(text: Text, place: Place, box: Bbox, point: float, renderer: RendererBase) -> None:
    figure = text.figure
    if place.leader is not None and figure is not None:
        x, y = np.array(place.leader).T * point + [[box.x0], [box.y0]]
        leader = Line2D(x, y, color=GREY, linewidth=0.6)
        leader.set_figure(figure)
        leader.draw(renderer)
    text.set_position((box.x0 + place.left * point, box.y0 + place.bottom * point))
    text.set_verticalalignment("bottom")
    text.draw(renderer)


def _asked(artist: Artist, outline: FloatArray, size: Bbox, box: Bbox, point: float) -> Named:
    width, height = size.width / point, size.height / point
    if isinstance(artist, Line2D | LineCollection):
        return Named(width, height, outline)
    inside, within = _inside(artist, width, height, box, point)
    return Named(width, height, within if len(within) else outline, inside)


def _inside(
    artist: Artist, width: float, height: float, box: Bbox, point: float
) -> tuple[FloatArray, FloatArray]:
    """Corners for a name inside an area, and points of the area."""
    grid = np.stack(
        np.meshgrid(
            np.linspace(0, box.width / point, _INSIDE), np.linspace(0, box.height / point, _INSIDE)
        ),
        axis=-1,
    ).reshape(-1, 2)
    corners = np.array([(x, y) for x in (0, 0.5, 1) for y in (0, 0.5, 1)]) * (width, height)
    fits, within = np.zeros(len(grid), dtype=bool), np.zeros(len(grid), dtype=bool)
    for vertices in _pixels(artist):
        outline = _coarse((vertices - (box.x0, box.y0)) / point)
        least, most = outline.min(axis=0), outline.max(axis=0)
        left = np.flatnonzero(np.all((grid >= least) & (grid <= most), axis=1))
        path = Path(outline)
        for corner in corners:
            left = left[path.contains_points(grid[left] + corner)]
            within[left] |= not corner.any()
        fits[left] = True
    return grid[fits], grid[within]


def _coarse(outline: FloatArray) -> FloatArray:
    """An outline as exactly as a name needs it: of vertices on one point the first."""
    moved = np.any(np.diff(np.round(outline), axis=0) != 0, axis=1)
    return outline[np.append(True, moved)]


def _ink(
    ax: Axes, named: list[Artist], box: Bbox, point: float, renderer: RendererBase
) -> FloatArray:
    """What names must not hide beside the lines that are named: points, and their weights."""
    parts = [np.zeros((0, 3))]
    for artist in (*ax.lines, *ax.collections, *ax.patches):
        if artist.get_visible() and (artist not in named or not isinstance(artist, Line2D)):
            weight = 1.0 if isinstance(artist, Line2D) else _EDGES
            weight = _BACKGROUND if isinstance(artist, LineCollection) else weight
            path = _outline(artist, box, point)
            parts.append(np.column_stack([path, np.full(len(path), weight)]))
    legend = ax.get_legend()
    for written in [*ax.texts, *ax.child_axes, *([] if legend is None else [legend])]:
        extent = written.get_window_extent(renderer)
        x = np.arange(extent.x0, extent.x1, _STEP * point / 2)
        y = np.arange(extent.y0, extent.y1, _STEP * point / 2)
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        path = (grid - (box.x0, box.y0)) / point
        parts.append(np.column_stack([path, np.full(len(path), 20.0)]))
    return np.concatenate(parts)


def _pixels(artist: Artist) -> list[FloatArray]:
    """The vertices of what is drawn, on the screen."""
    if isinstance(artist, Line2D):
        return [artist.get_transform().transform(np.asarray(artist.get_xydata(), dtype=float))]
    if isinstance(artist, Patch):
        return [np.asarray(artist.get_transform().transform_path(artist.get_path()).vertices)]
    if isinstance(artist, Collection):
        transform = artist.get_transform()
        places = artist.get_offset_transform().transform(artist.get_offsets())
        if len(places) > 1 or np.any(artist.get_offsets()):
            return [places]
        return [np.asarray(transform.transform_path(path).vertices) for path in artist.get_paths()]
    return []


def _outline(artist: Artist, box: Bbox, point: float) -> FloatArray:
    """Points in the axes along what is drawn, in points from their lower left corner."""
    alone = isinstance(artist, Line2D) and artist.get_linestyle() == "None"
    found = [np.zeros((0, 2))]
    for vertices in _pixels(artist):
        path = (vertices - (box.x0, box.y0)) / point
        found.append(_ringed(path, artist) if alone else _filled(path))
    points = np.concatenate(found)
    inside = (points >= 0) & (points <= (box.width / point, box.height / point))
    return np.asarray(points[inside.all(axis=1)])


def _ringed(path: FloatArray, artist: Artist) -> FloatArray:
    """Points around markers."""
    radius = artist.get_markersize() / 2 if isinstance(artist, Line2D) else 0.0
    angle = np.linspace(0, 2 * np.pi, 9)[:8]
    ring = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    return np.asarray((path[:, None] + ring).reshape(-1, 2))


def _filled(path: FloatArray) -> FloatArray:
    """Points at equal distances along a line that may be broken by NaN."""
    start, end = path[:-1], path[1:]
    length = np.linalg.norm(end - start, axis=1)
    known = np.isfinite(length)
    start, end, length = start[known], end[known], length[known]
    count = np.minimum(length / _STEP, 1e4).astype(int) + 1
    segment = np.repeat(np.arange(len(count)), count)
    step = np.arange(len(segment)) - np.repeat(np.cumsum(count) - count, count)
    share = ((step + 0.5) / count[segment])[:, None]
    return np.asarray(start[segment] + share * (end - start)[segment])
