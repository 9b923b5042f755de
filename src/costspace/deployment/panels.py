"""A piecewise polynomial approximation of a function on a range."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import final

import numpy as np
from numpy.polynomial.chebyshev import chebder

from costspace.arrays import FloatArray, FrozenValue, Function, IndexArray, read_only

NODES = 20
_DEGREES = np.arange(NODES)
_ANGLES = np.pi * (_DEGREES + 0.5) / NODES
_PLACES = np.cos(_ANGLES)
_TO_COEFFICIENTS = 2 / NODES * np.cos(_ANGLES[:, None] * _DEGREES)
_TO_COEFFICIENTS[:, 0] /= 2

# A panel is halved until its last coefficients, relative to its largest, are this small or within
# the rounding of positions; or until their integral is this share of that of the largest panel, or
# the panel's width this share of its position, as where a density jumps.
_TOLERANCE = 1e-14
_ROUNDING = 1e-15
_NEGLIGIBLE = 1e-17
_NARROWEST = 1e-12
# Coefficients this small relative to a panel's largest are rounding.
_DROPPED = 5e-16
# More panels to halve at once are noise, of which a user's own function has more.
_MOST_PANELS, _MOST_TOLD = 10_000, 100


@final
@dataclass(frozen=True, eq=False)
class Panels(FrozenValue):
    """A function on a range: a polynomial on each panel."""

    # Positions are relative to it: a range may be much narrower than it is far from 0.
    origin: float
    edges: FloatArray  # shape (m + 1,): the ends of the panels, ascending from 0
    coefficients: FloatArray  # shape (n, m): of Chebyshev polynomials over each panel
    kinks: FloatArray  # the edges at which the function need not be smooth; the two ends among them

    def __call__(self, x: FloatArray) -> FloatArray:
        """Its values at points relative to the origin; beyond the ends those at the ends."""
        return self.at(*self.locate(x))

    def locate(self, x: FloatArray) -> tuple[IndexArray, FloatArray]:
        """The panel that each of `x` lies in, and where on it: -1 at its start, 1 at its end."""
        return located(self.edges, self._widths, x)

    def at(self, panel: IndexArray, u: FloatArray) -> FloatArray:
        """Its values at positions on panels, from -1 to 1: sums of Chebyshev polynomials."""
        return sums_at(self.coefficients, panel, u)

    def inside(self, x: FloatArray) -> FloatArray:
        """The same, but 0 beyond the ends."""
        return np.where((x >= 0) & (x <= self.width), self(x), 0.0)

    @property
    def width(self) -> float:
        """The length of its range."""
        return float(self.edges[-1])

    @cached_property
    def _widths(self) -> FloatArray:
        return read_only(np.diff(self.edges))

    @cached_property
    def mass(self) -> float:
        """The integral over all."""
        return float(self.masses.sum())

    @cached_property
    def masses(self) -> FloatArray:
        """The integral over each panel."""
        return read_only(self._integrals.sum(axis=0))

    @cached_property
    def _integrals(self) -> FloatArray:
        """The coefficients of the integral from each panel's start."""
        return read_only(_integrated(self.coefficients) * (self._widths / 2))

    def _with(self, coefficients: FloatArray) -> Panels:
        """The same panels, without last coefficients that are all within rounding."""
        size = np.abs(coefficients)
        counts = np.any(size > _DROPPED * size.max(axis=0), axis=1)
        kept = np.max(np.flatnonzero(counts), initial=0) + 1
        return Panels(self.origin, self.edges, coefficients[:kept], self.kinks)

    def below(self) -> Panels:
        """The integral from the start to each point."""
        found, masses = self._integrals.copy(), self.masses
        found[0] += np.cumsum(masses) - masses
        return self._with(found)

    def above(self) -> Panels:
        """The integral from each point to the end."""
        found = -self._integrals
        found[0] += np.cumsum(self.masses[::-1])[::-1]
        return self._with(found)

    def slope(self) -> Panels:
        """The derivative."""
        return self._with(chebder(self.coefficients) / (self._widths / 2))

    def times(self, factor: Function) -> Panels:
        """The product with a function that changes little over a panel."""
        x = _nodes(self.edges[:-1], self.edges[1:])
        return self._with((self(x) * factor(self.origin + x) @ _TO_COEFFICIENTS).T)

    def scaled(self, by: float) -> Panels:
        """The product with a number."""
        return self._with(self.coefficients * by)

    def shifted(self, by: float) -> Panels:
        """The function of x - by."""
        return Panels(self.origin + by, self.edges, self.coefficients, self.kinks)

    def stretched(self, by: float) -> Panels:
        """The function of x / by, for a number above 0."""
        return Panels(self.origin * by, self.edges * by, self.coefficients, self.kinks * by)

    def reflected(self) -> Panels:
        """The function of -x."""
        signs = (-1.0) ** np.arange(len(self.coefficients))[:, None]
        return Panels(
            -(self.origin + self.width),
            self.width - self.edges[::-1],
            self.coefficients[:, ::-1] * signs,
            self.width - self.kinks[::-1],
        )

    def drawn(self, rng: np.random.Generator, panel: IndexArray) -> FloatArray:
        """Random points in the given panels by rejection, if the function is a density."""
        found, going = np.zeros(panel.shape), np.arange(panel.size)
        most = np.sum(np.abs(self.coefficients), axis=0)
        while going.size:
            of, u = panel[going], rng.uniform(-1, 1, going.size)
            taken = rng.random(going.size) * most[of] < self.at(of, u)
            start, end = self.edges[of], self.edges[of + 1]
            found[going[taken]] = ((start + end) / 2 + (end - start) / 2 * u)[taken]
            going = going[~taken]
        return self.origin + found

    def without_tails(self, tail: float) -> FloatArray:
        """The ends of tails of a small share, with roughly the median between them."""
        passed = np.cumsum(self.masses)
        first, half, last = np.searchsorted(passed, np.array([tail, 0.5, 1 - tail]) * passed[-1])
        return self.edges[[first, half, min(last, len(passed) - 1) + 1]]


def located(edges: FloatArray, widths: FloatArray, x: FloatArray) -> tuple[IndexArray, FloatArray]:
    """The panel between edges that each of `x` lies in, and where on it, from -1 to 1."""
    x = np.clip(x, 0.0, edges[-1])
    panel = np.searchsorted(edges[1:-1], x, side="right")
    # In this form both ends are found exactly.
    return panel, 2 * ((x - edges[panel]) / widths[panel]) - 1


def sums_at(coefficients: FloatArray, panel: IndexArray, u: FloatArray) -> FloatArray:
    """Sums of Chebyshev polynomials, one for each panel, at positions on some panels."""
    twice = 2 * u
    ahead, value = np.zeros(u.shape), np.zeros(u.shape)
    for row in coefficients[:0:-1]:
        ahead, value = value, twice * value - ahead
        value += row[panel]
    return coefficients[0][panel] + u * value - ahead


def _integrated(c: FloatArray) -> FloatArray:
    """The coefficients of integrals from -1, as by NumPy's `chebint` for each panel."""
    higher = np.arange(2, len(c))[:, None]
    found = np.concatenate([np.zeros((1, c.shape[1])), c])
    found[2:3] /= 4
    found[3:] /= 2 * (higher + 1)
    found[1 : len(c) - 1] -= c[2:] / (2 * (higher - 1))
    found[0] = np.sum(found[1::2], axis=0) - np.sum(found[2::2], axis=0)
    return found


def panels_of(
    f: Function,
    origin: float,
    kinks: FloatArray,
    seeds: FloatArray | None = None,
    *,
    widest: float = np.inf,
    tolerance: float = _TOLERANCE,
    with_ends: bool = False,
) -> Panels:
    """A piecewise polynomial approximation, exact to rounding if analytic between kinks.

    Parameters
    ----------
    f : callable
        Vectorised, of points relative to the origin; not evaluated at the ends of a panel.
    origin : float
    kinks : array
        Where it may jump or bend, from 0 on, with both ends of the range.
    seeds : array, optional
        Further points to cut at, so that no narrow peak is missed.
    widest : float
        The largest width of a panel.
    tolerance : float
        Of its values, relative to the largest on a panel.
    with_ends : bool
        Whether it is evaluated at the ends of panels too, so that no bend close to one is missed.
    """
    kinks = distinct(kinks)
    coarse = kinks if seeds is None else distinct(np.concatenate([kinks, seeds]))
    edges = np.unique(np.concatenate([_cut(a, b, widest) for a, b in pairwise(coarse)]))
    a, b = edges[:-1], edges[1:]
    found: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    fullest = 0.0
    while a.size:
        width, size_of_place = b - a, np.maximum(np.abs(a), np.abs(b))
        c = f(_nodes(a, b)) @ _TO_COEFFICIENTS
        size = np.max(np.abs(c), axis=1)
        fullest = max(fullest, float(np.max(size * width)))
        allowed = size * (tolerance + _ROUNDING * size_of_place / width)
        last = np.max(np.abs(c[:, -2:]), axis=1)
        if with_ends:
            for ends, signs in ((a, (-1.0) ** _DEGREES), (b, np.ones(NODES))):
                last = np.maximum(last, np.abs(f(ends) - c @ signs))
        going = (last > allowed) & (last * width > _NEGLIGIBLE * fullest)
        going &= width > _NARROWEST * size_of_place
        going &= len(a) <= (_MOST_TOLD if with_ends else _MOST_PANELS)
        found.append((a[~going], b[~going], c[~going]))
        a, b, middle = a[going], b[going], ((a + b) / 2)[going]
        a, b = np.concatenate([a, middle]), np.concatenate([middle, b])
    starts, ends, coefficients = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(starts)
    return Panels(origin, np.append(starts[order], ends.max()), coefficients[order].T, kinks)


def _nodes(a: FloatArray, b: FloatArray) -> FloatArray:
    return (a + b)[:, None] / 2 + (b - a)[:, None] / 2 * _PLACES


def _cut(a: float, b: float, widest: float) -> FloatArray:
    return np.linspace(a, b, max(1, int(np.ceil((b - a) / widest))) + 1)


def distinct(x: FloatArray) -> FloatArray:
    """Ascending, without values that differ from the one before only by rounding."""
    x = np.sort(x)
    apart = np.diff(x) > 8 * np.finfo(float).eps * np.maximum(np.abs(x[1:]), np.abs(x[:-1]))
    return x[np.append(True, apart)]
