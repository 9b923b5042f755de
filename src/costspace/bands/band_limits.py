"""How far below and above a loss curve the population's can be, at all conditions."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray, IndexArray
from costspace.bands.row_losses import RowLosses
from costspace.curve import PiecewiseQuadratic
from costspace.estimates.class_means import score_reaches
from costspace.estimates.interval import level_at

# Pieces are no longer than 1 over so many, besides the breaks at which rows change.
_EVEN = 64
# On shorter pieces the curvature is below rounding.
_SHORT = 1e-6

# The errors of independent samples, which add.
Errors: TypeAlias = Sequence[RowLosses]

_Kind = TypeVar("_Kind", bound=np.generic)


def squared_errors(errors: Errors, unseen_at: float | None = None) -> PiecewiseQuadratic:
    """The variance of a loss with errors that add, exactly: quadratic between breaks.

    With `unseen_at`, the unseen share of each class at that level is added.
    """
    at = np.concatenate([one.at for one in errors])
    inner = np.unique(at[(at >= 0) & (at <= 1)])
    breaks = np.concatenate([[0.0], inner, [1.0]])
    xx, xy, yy = np.zeros((3, len(inner) + 1))
    for one in errors:
        products = one.products[:, steps_on(one, breaks)]
        # Rounding can make a square negative.
        xx += np.maximum(products[0], 0)
        xy += products[1]
        yy += np.maximum(products[2], 0)
        if unseen_at is not None:
            x, y = one.shares.unseen_errors(unseen_at)
            xx += x**2
            yy += y**2
    return PiecewiseQuadratic(breaks, np.stack([yy, 2 * (xy - yy), xx - 2 * xy + yy]))


class Reaches(NamedTuple):
    """The squares of how far below and above a curve a band reaches."""

    below: PiecewiseQuadratic
    above: PiecewiseQuadratic


def reaches(errors: Errors, critical: float, *, whole: bool) -> Reaches:
    """How far a band extends that has every value within some standard errors of the estimate.

    `critical` is how many, with the standard error at the value. Where a band must contain the
    `whole` curve, a class has just shown its first rows at some conditions, which do not tell how
    rare they are. So such a band always has room for unseen rows; a pointwise one has it only where
    all rows of a class are alike.

    Notes
    -----
    As in `means_interval`: the classes' parts are combined by the sum of squares, which is known at
    every condition, and stored as a quadratic on each piece. With fixed class shares it is one.
    """
    breaks = _breaks(errors)
    a, b = breaks[:-1], breaks[1:]
    nodes = np.stack([a, (a + b) / 2, b])
    below, above = (
        PiecewiseQuadratic(breaks, _through(nodes, values))
        for values in _squares(errors, critical, nodes, breaks, whole=whole)
    )
    return Reaches(below, above)


def _breaks(errors: Errors) -> FloatArray:
    at = np.concatenate([one.at for one in errors])
    inner = np.union1d(at[(at >= 0) & (at <= 1)], np.linspace(0, 1, _EVEN + 1)[1:-1])
    return np.concatenate([[0.0], inner, [1.0]])


def steps_on(one: RowLosses, breaks: FloatArray) -> IndexArray:
    """How many steps come before each piece; on the first, those left of every break."""
    later = np.searchsorted(one.at, breaks[1:-1], side="right")
    return np.append(np.searchsorted(one.at, 0.0, side="left"), later)


def _squares(
    errors: Errors, critical: float, c: FloatArray, breaks: FloatArray, *, whole: bool
) -> FloatArray:
    """The squared reaches below and above at conditions on each piece."""
    total = np.zeros((2, *c.shape))
    level = level_at(critical)
    # To broadcast values of each class.
    classes = (2,) + (1,) * c.ndim
    for one in errors:
        after = np.broadcast_to(steps_on(one, breaks), c.shape)
        moments, (below, above) = one.moments(c, after), one.rooms(c, after)
        rows = np.stack([-below, above]) / np.reshape(one.shares.effective_sizes, classes)
        parts = score_reaches(
            *moments,
            np.moveaxis(rows, 0, 1),
            critical,
            equal_tails=whole,
            either_sign=bool(np.all(one.ends[0] < 0) and np.all(one.ends[1] > 0)),
        )
        rare = np.where(one.alike[:, after], [below, above], 0)
        if whole:
            most = np.reshape(np.max(np.abs(one.ends), axis=0), classes)
            rare = np.maximum(rare, most * np.stack([c, 1 - c]))
        total += np.sum(np.square(np.reshape(one.shares.unseen(level), classes) * rare), axis=1)
        total += np.stack([np.sum(part * part, axis=0) for part in parts])
    return total


def thinned(values: NDArray[_Kind], most: int) -> NDArray[_Kind]:
    """The values, or at most so many of them, evenly spaced."""
    if len(values) <= most:
        return values
    return values[np.linspace(0, len(values) - 1, most).astype(np.intp)]


def _through(nodes: FloatArray, values: FloatArray) -> FloatArray:
    """Coefficients of the quadratics through values at the start, middle and end of pieces."""
    a, _, b = nodes
    first, half, last = values
    width = np.where(b > a, b - a, 1.0)
    slope = (last - first) / width
    # The square of a width of 1e-200 would underflow.
    bends = b - a > _SHORT
    bend = np.where(bends, 2 * (first - 2 * half + last) / np.where(bends, width, 1.0) ** 2, 0.0)
    # first + slope (c - a) + bend (c - a) (c - b)
    return np.stack([first - slope * a + bend * a * b, slope - bend * (a + b), bend])


def further_below(
    own: Errors, competing: Iterable[Errors], critical: float, *, whole: bool
) -> PiecewiseQuadratic:
    """How far the lowest lower end of competing losses is below the lower end of a loss.

    `own` are the errors of the loss, or of a difference; the competing ones step where it does.
    `critical` and `whole` are those of `reaches`.
    """
    breaks = _breaks(own)
    a, b = breaks[:-1], breaks[1:]
    nodes = np.stack([a, b])
    least = np.full(nodes.shape, np.inf)
    for one in competing:
        least = np.minimum(least, _lower_ends(one, critical, nodes, breaks, whole=whole))
    first, last = np.maximum(_lower_ends(own, critical, nodes, breaks, whole=whole) - least, 0)
    slope = (last - first) / np.where(b > a, b - a, 1.0)
    return PiecewiseQuadratic(breaks, np.stack([first - slope * a, slope, 0 * slope]))


def _lower_ends(
    errors: Errors, critical: float, nodes: FloatArray, breaks: FloatArray, *, whole: bool
) -> FloatArray:
    """The lower ends of a loss with these errors, at conditions on each piece."""
    values = np.zeros(nodes.shape)
    for one in errors:
        x, y = one.mean[:, steps_on(one, breaks)]
        values += nodes * x + (1 - nodes) * y
    return np.asarray(values - np.sqrt(_squares(errors, critical, nodes, breaks, whole=whole)[0]))
