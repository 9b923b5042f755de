"""Functions on a line, by polynomials on panels: sums, integrals and convolutions to rounding."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray

Function: TypeAlias = Callable[[FloatArray], FloatArray]

_DEGREES = np.arange(20)
_ANGLES = np.pi * (_DEGREES + 0.5) / len(_DEGREES)
_NODES = np.cos(_ANGLES)
_TO_COEFFICIENTS = 2 / len(_DEGREES) * np.cos(_ANGLES[:, None] * _DEGREES)
_TO_COEFFICIENTS[:, 0] /= 2
# Exact for the product of two polynomials on a panel.
_GAUSS, _GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(len(_DEGREES))

# A panel is halved until its last coefficients are this small beside its largest, or no larger
# than what rounding of places brings about, or until they are worth this share of the fullest panel
# or it has this share of its place's size, as where a density jumps.
_TOLERANCE = 1e-14
_ROUNDING = 1e-15
_NEGLIGIBLE = 1e-17
_NARROWEST = 1e-12
# Coefficients this small beside a panel's largest say nothing.
_DROPPED = 5e-16
# More to halve at once is noise.
_MOST_PANELS = 10_000
# Over panels this wide in log-odds, polynomials follow the skew and the odds to rounding.
WIDEST = 2.0
_CHUNK = 2_000_000


@final
@dataclass(frozen=True, eq=False)
class Panels(FrozenValue):
    """A function on a line, a polynomial on each panel and 0 beyond the last.

    Attributes
    ----------
    edges : array of shape (m + 1,)
        The ends of the panels, ascending.
    coefficients : array of shape (n, m)
        Of Chebyshev polynomials over each panel.
    kinks : array
        The edges at which the function need not be smooth; the two ends among them.
    """

    edges: FloatArray
    coefficients: FloatArray
    kinks: FloatArray

    def __call__(self, x: FloatArray) -> FloatArray:
        panel, u = self.locate(x)
        return np.where(np.abs(u) <= 1, clenshaw(self.coefficients, panel, u), 0.0)

    def locate(self, x: FloatArray) -> tuple[IndexArray, FloatArray]:
        """The panel that each of `x` lies in, and where on it: -1 at its start, 1 at its end."""
        panel = np.searchsorted(self.edges[1:-1], x, side="right")
        # In this form both ends are found exactly.
        return panel, 2 * ((x - self.edges[panel]) / np.diff(self.edges)[panel]) - 1

    def integrals(self) -> tuple[FloatArray, FloatArray]:
        """The coefficients of the integral from each panel's start, and that over each panel."""
        c = np.concatenate([self.coefficients, np.zeros((2, self.coefficients.shape[1]))])
        degree = np.arange(1, len(c) - 1)[:, None]
        first = c[0] * 2
        lower = np.concatenate([[first], c[1:-2]])
        rest = (lower - c[2:]) / (2 * degree) * (np.diff(self.edges) / 2)
        signs = (-1.0) ** degree
        coefficients = np.concatenate([[-np.sum(signs * rest, axis=0)], rest])
        return coefficients, 2 * np.sum(rest[::2], axis=0)

    @property
    def mass(self) -> float:
        """The integral over all."""
        return float(self.integrals()[1].sum())

    def above(self) -> "Panels":
        """The integral from each place to the end."""
        within, over = self.integrals()
        after = np.cumsum(over[::-1])[::-1]
        coefficients = -within
        coefficients[0] += after
        return Panels(self.edges, coefficients, self.kinks)

    def shortened(self) -> "Panels":
        """The same without the last coefficients, if they are all within rounding."""
        size = np.abs(self.coefficients)
        counts = np.any(size > _DROPPED * size.max(axis=0), axis=1)
        last = np.max(np.flatnonzero(counts), initial=0)
        return Panels(self.edges, self.coefficients[: last + 1], self.kinks)

    def cut_off(self, tail: float, cuts: FloatArray) -> FloatArray:
        """The kinks and the cuts between the tails of so small a share, which end it."""
        passed = np.cumsum(self.integrals()[1])
        share = passed / passed[-1]
        first, half, last = np.searchsorted(share, [tail, 0.5, 1 - tail])
        low, high = self.edges[first], self.edges[last + 1]
        inside = np.concatenate([self.kinks, cuts, [self.edges[half]]])
        return np.unique(np.concatenate([[low, high], np.clip(inside, low, high)]))

    def times(self, factor: Function) -> "Panels":
        """The product with a function that is smooth and changes little over a panel."""
        x = _nodes(self.edges[:-1], self.edges[1:])
        panel = np.arange(len(x))[:, None]
        values = clenshaw(self.coefficients, panel, np.broadcast_to(_NODES, x.shape))
        return Panels(self.edges, (values * factor(x) @ _TO_COEFFICIENTS).T, self.kinks)

    def reflected(self) -> "Panels":
        """The function of -x."""
        signs = (-1.0) ** _DEGREES[:, None]
        return Panels(-self.edges[::-1], self.coefficients[:, ::-1] * signs, -self.kinks[::-1])

    def convolved(self, other: "Panels", at: FloatArray) -> FloatArray:
        """The convolution with `other`, the density of a sum, at each of `at`."""
        per_point = (len(self.edges) + len(other.edges)) * len(_GAUSS)
        chunks = np.array_split(at.ravel(), per_point * at.size // _CHUNK + 1)
        found = [self._convolved(other, x[:, None]) for x in chunks]
        return np.concatenate(found).reshape(at.shape)

    def _convolved(self, other: "Panels", at: FloatArray) -> FloatArray:
        low = np.maximum(self.edges[0], at - other.edges[-1])
        high = np.maximum(low, np.minimum(self.edges[-1], at - other.edges[0]))
        own = np.broadcast_to(self.edges, (len(at), len(self.edges)))
        ends = np.sort(np.clip(np.concatenate([own, at - other.edges], axis=1), low, high))
        half, middle = np.diff(ends) / 2, (ends[:, 1:] + ends[:, :-1]) / 2
        x = middle[..., None] + half[..., None] * _GAUSS
        return np.sum(half * ((self(x) * other(at[..., None] - x)) @ _GAUSS_WEIGHTS), axis=1)


def clenshaw(coefficients: FloatArray, panel: IndexArray, u: FloatArray) -> FloatArray:
    """The sum of Chebyshev polynomials at `u` in [-1, 1], by the coefficients of each panel."""
    # In place: distributions of conditions are asked for 10^6 values at once.
    twice = 2 * u
    ahead, value = np.zeros(u.shape), np.zeros(u.shape)
    for row in coefficients[:0:-1]:
        ahead, value = value, twice * value - ahead
        value += row[panel]
    return coefficients[0][panel] + u * value - ahead


def panels_of(
    f: Function,
    kinks: FloatArray,
    seeds: FloatArray | None = None,
    *,
    widest: float = WIDEST,
    places: float = 0.0,
) -> Panels:
    """A function by polynomials, to rounding where it is analytic between its kinks.

    Parameters
    ----------
    f : callable
        Vectorised; never asked for the ends of a panel.
    kinks : array
        Where it may jump or bend, with the ends of what is asked.
    seeds : array, optional
        Further places to cut at, so that no narrow peak hides.
    widest : float
        No panel is wider.
    places : float
        The size of the numbers that `f` looks at, if that is more than what it is asked for.
    """
    kinks = _distinct(kinks)
    coarse = kinks if seeds is None else _distinct(np.concatenate([kinks, seeds]))
    edges = np.unique(np.concatenate([_cut(a, b, widest) for a, b in pairwise(coarse)]))
    a, b = edges[:-1], edges[1:]
    found: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    fullest = 0.0
    while a.size:
        width, size_of_place = b - a, np.maximum(np.maximum(np.abs(a), np.abs(b)), places)
        c = f(_nodes(a, b)) @ _TO_COEFFICIENTS
        size = np.max(np.abs(c), axis=1)
        fullest = max(fullest, float(np.max(size * width)))
        allowed = size * (_TOLERANCE + _ROUNDING * size_of_place / width)
        last = np.max(np.abs(c[:, -2:]), axis=1)
        going = (last > allowed) & (last * width > _NEGLIGIBLE * fullest)
        going &= width > _NARROWEST * size_of_place
        going &= len(a) <= _MOST_PANELS
        found.append((a[~going], b[~going], c[~going]))
        a, b, middle = a[going], b[going], ((a + b) / 2)[going]
        a, b = np.concatenate([a, middle]), np.concatenate([middle, b])
    starts, ends, coefficients = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(starts)
    return Panels(np.append(starts[order], ends.max()), coefficients[order].T, kinks)


def _nodes(a: FloatArray, b: FloatArray) -> FloatArray:
    return (a + b)[:, None] / 2 + (b - a)[:, None] / 2 * _NODES


def _cut(a: float, b: float, widest: float) -> FloatArray:
    return np.linspace(a, b, max(1, int(np.ceil((b - a) / widest))) + 1)


def _distinct(x: FloatArray) -> FloatArray:
    """Ascending, without those that only rounding tells from the one before."""
    x = np.sort(x)
    apart = np.diff(x) > 8 * np.finfo(float).eps * np.maximum(np.abs(x[1:]), np.abs(x[:-1]))
    return x[np.append(True, apart)]
