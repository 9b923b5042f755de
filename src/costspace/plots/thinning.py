"""Long curves as few vertices: what a screen cannot show is left out, and nothing else.

A curve of a million pieces has two million vertices; a picture is a few thousand dots wide. Each
narrow column of the picture keeps the first, the last, the lowest and the highest vertex in it,
so every point of the curve lies within half a pixel of the line through the vertices kept, and
every jump that can be seen stays where it is.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, IndexArray, freeze
from costspace.curve import PiecewiseQuadratic

SCALES = ("linear", "logit")

# Width of a column, and how far a chord may stray from its curve upwards, in pixels. Together,
# at right angles, less than half a pixel.
_COLUMN = 0.4
_SAG = 0.25
# Jumps larger than this, in pixels, are seen.
_VISIBLE = 0.5
# Vertices above each other that are closer than this, in pixels, are one.
_SAME = 1e-6


def to_screen(x: FloatArray, scale: str) -> FloatArray:
    """Where conditions lie on a scale, up to an affine map."""
    return np.log(x) - np.log1p(-x) if scale == "logit" else x


def from_screen(u: FloatArray, scale: str) -> FloatArray:
    """The conditions at places that `to_screen` gave."""
    return 1 / (1 + np.exp(-u)) if scale == "logit" else u


def chord_ends(low: float, high: float, chords: int, scale: str) -> FloatArray:
    """The conditions between two at which so many chords meet that look equally wide."""
    left, right = to_screen(np.array([low, high]), scale)
    return from_screen(np.linspace(left, right, chords + 1), scale)[1:-1]


@final
@dataclass(frozen=True)
class Screen:
    """The window that a curve is seen through."""

    # The conditions at its two edges.
    low: float
    high: float
    width: float  # pixels from edge to edge
    pixel: float  # height of a pixel, in loss
    scale: str = "linear"  # {"linear", "logit"}: of the conditions

    def across(self, x: FloatArray) -> FloatArray:
        """How far right of the left edge conditions lie, in pixels."""
        left = to_screen(np.array(self.low), self.scale)
        return (to_screen(x, self.scale) - left) / self.step

    @property
    def step(self) -> float:
        """Width of a pixel, in units of the scale."""
        left, right = to_screen(np.array([self.low, self.high]), self.scale)
        return float(right - left) / self.width


@final
@dataclass(frozen=True, eq=False)
class ThinLine:
    """A curve as vertices to draw lines between.

    Notes
    -----
    Jugel, Jerzak, Hackenbroich, Markl (2014), PVLDB 7: keeping the first, last, lowest and
    highest point of each column draws a line without error.
    """

    # Shape (k,): the vertices, all of them points of the curve or left limits, in its order.
    x: FloatArray
    y: FloatArray
    cuts: IndexArray  # shape (j,): the vertices that a jump leads to, from the vertex before each

    def __post_init__(self) -> None:
        freeze(self, "x", "y", "cuts")

    def lifted(self) -> tuple[FloatArray, FloatArray]:
        """The vertices with a NaN at each jump, where the pen is lifted."""
        return np.insert(self.x, self.cuts, np.nan), np.insert(self.y, self.cuts, np.nan)

    def points(self) -> IndexArray:
        """The vertices that stand alone between two jumps, or between one and the end."""
        edges = np.concatenate([[0], self.cuts, [len(self.x)]])
        return edges[:-1][np.diff(edges) == 1]


def thin_curve(curve: PiecewiseQuadratic, screen: Screen) -> ThinLine:
    """The vertices that draw a curve within half a pixel.

    Parameters
    ----------
    curve : PiecewiseQuadratic
    screen : Screen

    Returns
    -------
    ThinLine
        At most 20 vertices for each pixel of the width, usually far fewer. A jump of more than
        half a pixel is a cut, unless another one shares its 0.4 pixels: then both are strokes.
    """
    breaks, coefficients = _bend_once(*_in_view(curve, screen.low, screen.high), screen)
    across = screen.across(breaks)
    pieces = _count(breaks, coefficients, across, screen)
    x, y, piece = _vertices(breaks, coefficients, pieces, screen)
    start = np.append(True, piece[1:] != piece[:-1])
    jump = np.abs(y[start][1:] - y[np.append(start[1:], True)][:-1])
    column = _column(across)[1:-1]
    seen = jump > _VISIBLE * screen.pixel
    cut = seen & (np.bincount(column, seen, minlength=1)[column] == 1)
    run = np.append(0, np.cumsum(cut))[piece]
    return _thinned(x, y, run, _column(screen.across(x)), _SAME * screen.pixel)


def thin_chain(
    x: FloatArray, y: FloatArray, pixel: float, cuts: IndexArray | None = None
) -> ThinLine:
    """The vertices that draw a line through many points within half a pixel.

    Parameters
    ----------
    x, y : array of shape (n,)
        The points in their order.
    pixel : float
        Width of a pixel, in units of x.
    cuts : array of shape (j,), optional
        The points before which the pen is lifted, all of which are kept.

    Returns
    -------
    ThinLine
    """
    run = np.zeros(len(x), dtype=np.intp)
    if cuts is not None:
        run[cuts] = 1
    return _thinned(x, y, np.cumsum(run), _column(x / pixel), 0.0)


def thin_line(x: FloatArray, y: FloatArray, screen: Screen) -> ThinLine:
    """The same on a screen that conditions are seen on, where they ascend."""
    return _thinned(x, y, np.zeros(len(x), dtype=np.intp), _column(screen.across(x)), 0.0)


def thin_broken(x: FloatArray, y: FloatArray, screen: Screen) -> ThinLine:
    """The same of a line that may jump, with cuts as `thin_curve` has them."""
    column = _column(screen.across(x))
    seen = np.append(False, (x[1:] == x[:-1]) & (np.abs(np.diff(y)) > _VISIBLE * screen.pixel))
    cut = seen & (np.bincount(column, seen)[column] == 1)
    return _thinned(x, y, np.cumsum(cut), column, _SAME * screen.pixel)


def loss_range(curve: PiecewiseQuadratic, low: float, high: float) -> tuple[float, float]:
    """The lowest and the highest loss of a curve, left limits included, on a range."""
    breaks, coefficients = _in_view(curve, low, high)
    values = [_loss(coefficients, breaks[:-1]), _loss(coefficients, breaks[1:])]
    bent = coefficients[2] != 0
    turn = -coefficients[1, bent] / (2 * coefficients[2, bent])
    values.append(_loss(coefficients[:, bent], np.clip(turn, breaks[:-1][bent], breaks[1:][bent])))
    everything = np.concatenate(values)
    return float(everything.min()), float(everything.max())


def _in_view(curve: PiecewiseQuadratic, low: float, high: float) -> tuple[FloatArray, FloatArray]:
    """The breaks and coefficients of the pieces from one condition to another, cut off there."""
    first = np.searchsorted(curve.breaks[1:], low)
    last = np.searchsorted(curve.breaks[:-1], high, side="right")
    breaks = np.clip(curve.breaks[first : last + 1], low, high)
    return breaks, curve.coefficients[:, first:last]


def _bend_once(
    breaks: FloatArray, coefficients: FloatArray, screen: Screen
) -> tuple[FloatArray, FloatArray]:
    """Break pieces at their lowest or highest point, if that can be seen."""
    _, linear, quadratic = coefficients
    seen = np.abs(quadratic) * np.diff(breaks) ** 2 / 4 > _SAG * screen.pixel
    turn = np.full(len(linear), np.nan)
    turn[seen] = -linear[seen] / (2 * quadratic[seen])
    inside = np.flatnonzero((turn > breaks[:-1]) & (turn < breaks[1:]))
    return (
        np.insert(breaks, inside + 1, turn[inside]),
        np.insert(coefficients, inside, coefficients[:, inside], axis=1),
    )


def _count(
    breaks: FloatArray, coefficients: FloatArray, across: FloatArray, screen: Screen
) -> IndexArray:
    """Into how many chords to cut each piece, none narrower than needed nor than a column."""
    _, linear, quadratic = coefficients
    width = np.diff(across)
    if screen.scale == "linear":
        bend = 2 * np.abs(quadratic)
    else:
        # In u = logit(c) the curvature is f'' (dc/du)^2 + f' d2c/du2, with dc/du = c (1 - c)
        # and |d2c/du2| no larger.
        nearest = np.clip(0.5, breaks[:-1], breaks[1:])
        speed = nearest * (1 - nearest)
        slope = np.abs(linear + 2 * quadratic * breaks[:-1])
        slope = np.maximum(slope, np.abs(linear + 2 * quadratic * breaks[1:]))
        bend = 2 * np.abs(quadratic) * speed**2 + slope * speed
    # A chord of width w strays by at most bend w^2 / 8; a piece is monotone, so within a column
    # it needs no second chord.
    needed = width * screen.step * np.sqrt(bend / (8 * _SAG * screen.pixel))
    return np.maximum(np.ceil(np.minimum(needed, width / _COLUMN)), 1).astype(np.intp)


def _vertices(
    breaks: FloatArray, coefficients: FloatArray, pieces: IndexArray, screen: Screen
) -> tuple[FloatArray, FloatArray, IndexArray]:
    """The ends of all chords in order, their losses, and the piece that each belongs to."""
    piece = np.repeat(np.arange(len(pieces)), pieces + 1)
    step = np.arange(len(piece)) - (np.cumsum(pieces + 1) - pieces - 1)[piece]
    x = np.where(step == 0, breaks[piece], breaks[piece + 1])
    inner = np.flatnonzero((step > 0) & (step < pieces[piece]))
    if inner.size:
        u = to_screen(breaks, screen.scale)
        at, share = piece[inner], step[inner] / pieces[piece[inner]]
        x[inner] = from_screen(u[at] + share * (u[at + 1] - u[at]), screen.scale)
    return x, _loss(coefficients[:, piece], x), piece


def _loss(coefficients: FloatArray, x: FloatArray) -> FloatArray:
    constant, linear, quadratic = coefficients
    return constant + x * (linear + x * quadratic)


def _thinned(
    x: FloatArray, y: FloatArray, run: IndexArray, column: IndexArray, same: float
) -> ThinLine:
    """What a picture shows of a line through vertices, cut where another run begins."""
    kept = _extremes(column, run, y)
    x, y, run = x[kept], y[kept], run[kept]
    again = (x[1:] == x[:-1]) & (np.abs(np.diff(y)) <= same) & (run[1:] == run[:-1])
    once = np.append(np.ones(min(len(x), 1), dtype=bool), ~again)
    return ThinLine(x[once], y[once], np.flatnonzero(np.diff(run[once])) + 1)


def _column(across: FloatArray) -> IndexArray:
    return np.floor(across / _COLUMN).astype(np.intp)


def _extremes(column: IndexArray, run: IndexArray, y: FloatArray) -> IndexArray:
    """The first, last, lowest and highest of every stretch of vertices in one column and run."""
    if not y.size:
        return np.zeros(0, dtype=np.intp)
    new = np.append(True, (column[1:] != column[:-1]) | (run[1:] != run[:-1]))
    keep = new | np.append(new[1:], True)
    starts = np.flatnonzero(new)
    sizes = np.diff(np.append(starts, len(y)))
    for extreme in (np.minimum, np.maximum):
        places = np.flatnonzero(y == np.repeat(extreme.reduceat(y, starts), sizes))
        keep[places[np.searchsorted(places, starts)]] = True
    return np.flatnonzero(keep)
