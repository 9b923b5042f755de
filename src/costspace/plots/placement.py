"""Places for the names of lines: near the line, and off other lines and names."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, freeze

# All lengths are in points, of which a label has about eight in height.
_CELL = 1.5
# How far from its line a name may stand, and in which directions.
_DISTANCES = (3.0, 8.0, 15.0, 25.0, 38.0, 55.0, 75.0, 100.0)
_DIRECTIONS = np.array([(x, y) for x in (-1, 0, 1) for y in (1, 0, -1) if (x, y) != (0, 0)])
# Places along a line that are tried, and points of a leader that are looked at.
_ANCHORS, _LEADER = 60, 12
# A name farther away than this has a leader.
_TOUCHING = 6.0
# Room around a name, and what is too near for it to belong to one line.
_PAD, _NEAR = 1.0, 5.0
# What is as near to the point that a name belongs to makes it that of another line, too.
_SAME = 2.5
# What a place costs: for a cell of ink under it, for one near it, for one that its leader crosses,
# for one near the point of the line that it belongs to, for a point of distance, for a leader, and
# for a share of the width to the right end.
_UNDER, _BESIDE, _CROSSED, _SHARED = 30.0, 2.0, 20.0, 24.0
_FAR, _LED, _LEFT = 1.0, 6.0, 4.0
# Ink of a cell with a name.
_WRITTEN = 20.0


@final
@dataclass(frozen=True, eq=False)
class Named:
    """What is to be named."""

    # Of the name.
    width: float
    height: float
    # Shape (n, 2): points along the line, or inside the area, at about equal distances.
    path: FloatArray
    # Shape (m, 2): lower left corners at which the name would be inside an area; empty for a line.
    inside: FloatArray = field(default_factory=lambda: np.zeros((0, 2)))

    def __post_init__(self) -> None:
        freeze(self, "path", "inside")


@final
@dataclass(frozen=True)
class Place:
    """Where a name stands."""

    # Its lower left corner.
    left: float
    bottom: float
    # From the line to the name, if they are apart.
    leader: tuple[tuple[float, float], tuple[float, float]] | None = None


def place_names(
    names: Sequence[Named],
    width: float,
    height: float,
    ink: FloatArray | None = None,
    *,
    overlap: bool = False,
) -> list[Place | None]:
    """Places for names in a window from (0, 0) to (width, height).

    Parameters
    ----------
    names : sequence of Named
    width, height : float
    ink : array of shape (k, 3), optional
        What else is drawn: points, and how much each of them counts beside 1 for those of lines.
    overlap : bool, default False
        Let names overlap rather than leave one out.

    Returns
    -------
    list of Place or None
        None for what has no room, or no point in the window.
    """
    shape = int(width / _CELL) + 2, int(height / _CELL) + 2
    other = np.zeros((0, 3)) if ink is None else ink
    drawn = _inked(shape, other[:, :2], other[:, 2])
    own = [_inked(shape, one.path) if not len(one.inside) else np.zeros(shape) for one in names]
    lines = drawn + np.sum([np.minimum(each, 1) for each in own], axis=0) if own else drawn
    placed: list[Place | None] = [None] * len(names)
    written = [np.zeros(shape) for _ in names]
    said = np.zeros(shape)
    # First what has the fewest places; it moves again when it knows all the others.
    order = sorted(range(len(names)), key=lambda i: len(names[i].path))
    for _ in range(2):
        for i in order:
            one = names[i]
            said -= written[i]
            everything = lines + said
            others = everything - np.minimum(own[i], 1)
            placed[i] = _best(one, (width, height), everything, others, overlap=overlap)
            written[i] = _written(shape, one, placed[i])
            said += written[i]
    return placed


def _best(
    one: Named,
    window: tuple[float, float],
    everything: FloatArray,
    others: FloatArray,
    *,
    overlap: bool,
) -> Place | None:
    """The place that costs least."""
    size = np.array([one.width, one.height])
    corners, ends = _candidates(one, size)
    fits = np.all((corners >= 0) & (corners + size <= window), axis=1)
    corners, ends = corners[fits], ends[fits]
    if not len(corners):
        return None
    touches = np.clip(ends, corners, corners + size)
    distance = np.linalg.norm(touches - ends, axis=1)
    led = distance > _TOUCHING
    cost = (
        _UNDER * _sums(everything, corners - _PAD, corners + size + _PAD)
        + _BESIDE * _sums(others, corners - _NEAR, corners + size + _NEAR)
        + _CROSSED * np.where(led, _crossed(others, ends, touches), 0)
        + _SHARED * _sums(others, ends - _SAME, ends + _SAME)
        + _FAR * distance
        + _LED * led
        - _LEFT * corners[:, 0] / window[0]
    )
    i = int(np.argmin(cost))
    if not overlap and _sums(everything, corners[[i]], corners[[i]] + size)[0] >= _WRITTEN:
        return None
    (left, bottom), (x, y), (u, v) = corners[i], ends[i], touches[i]
    leader = ((float(x), float(y)), (float(u), float(v))) if led[i] else None
    return Place(float(left), float(bottom), leader)


def _candidates(one: Named, size: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lower left corners of a name, and the points of the line that they belong to."""
    some = np.linspace(0, len(one.path) - 1, min(_ANCHORS, len(one.path))).astype(int)
    anchors = one.path[some][:, None, None, :]
    far = np.array(_DISTANCES)[:, None] / np.linalg.norm(_DIRECTIONS, axis=1)
    away = far[:, :, None] * _DIRECTIONS
    corners = anchors + away + (_DIRECTIONS - 1) * size / 2
    ends = np.broadcast_to(anchors, corners.shape).reshape(-1, 2)
    return np.vstack([one.inside, corners.reshape(-1, 2)]), np.vstack([one.inside, ends])


def _cells(points: FloatArray, shape: tuple[int, ...]) -> tuple[FloatArray, BoolArray]:
    """The cells of points, and which points are in the window."""
    cells = np.floor(points / _CELL)
    return cells, np.all((cells >= 0) & (cells < shape), axis=1)


def _inked(
    shape: tuple[int, int], points: FloatArray, weights: FloatArray | None = None
) -> FloatArray:
    """How much ink there is in each cell: the most of any point in it."""
    grid = np.zeros(shape)
    cells, seen = _cells(points, shape)
    x, y = cells[seen].astype(int).T
    np.maximum.at(grid, (x, y), 1.0 if weights is None else weights[seen])
    return grid


def _written(shape: tuple[int, int], one: Named, place: Place | None) -> FloatArray:
    """The ink of a name and of its leader."""
    grid = np.zeros(shape)
    if place is None:
        return grid
    if place.leader is not None:
        share = np.linspace(0, 1, 60)[:, None]
        start, end = np.array(place.leader)
        grid = _inked(shape, start + share * (end - start))
    left, bottom = int(place.left / _CELL), int(place.bottom / _CELL)
    right = int((place.left + one.width) / _CELL) + 1
    top = int((place.bottom + one.height) / _CELL) + 1
    grid[left:right, bottom:top] = _WRITTEN
    return grid


def _sums(ink: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """The ink in boxes, by their lower left and upper right corners."""
    table = np.pad(ink.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    most = np.array(ink.shape)
    (x0, y0), (x1, y1) = (
        np.clip(np.floor(corner / _CELL).astype(int) + end, 0, most).T
        for corner, end in ((low, 0), (high, 1))
    )
    return np.asarray(table[x1, y1] - table[x0, y1] - table[x1, y0] + table[x0, y0])


def _crossed(ink: FloatArray, start: FloatArray, end: FloatArray) -> FloatArray:
    """The ink along leaders, but for that where they begin."""
    share = np.linspace(0.15, 1, _LEADER)[:, None, None]
    points = start + share * (end - start)
    cells, seen = _cells(points.reshape(-1, 2), ink.shape)
    x, y = np.where(seen[:, None], cells, 0).astype(int).T
    return np.asarray((ink[x, y] * seen).reshape(_LEADER, -1).sum(axis=0))
