"""Measures on the line, with atoms and densities, and those of sums of independent variables."""

from dataclasses import dataclass
from itertools import product
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, Function
from costspace.deployment.panels import NODES, Panels, distinct, panels_of

# Exact for the product of two polynomials on a panel.
_GAUSS, _GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(NODES)
# On panels this wide in log-odds, polynomials match the skew and the odds to rounding.
WIDEST = 2.0
# A density narrower than this share of the distance between atoms would be blurred by rounding.
_NARROW = 1e-4
_CHUNK = 2_000_000


@final
@dataclass(frozen=True, eq=False)
class Measure(FrozenValue):
    """A measure on the line: atoms and densities."""

    # Shape (k,): the atoms, perhaps none.
    values: FloatArray
    masses: FloatArray
    densities: tuple[Panels, ...] = ()

    @property
    def mass(self) -> float:
        """The whole measure."""
        return float(self.masses.sum()) + sum(density.mass for density in self.densities)

    def reflected(self) -> "Measure":
        """The measure of -X."""
        return Measure(-self.values, self.masses, tuple(d.reflected() for d in self.densities))

    def times(self, factor: Function) -> "Measure":
        """The measure that has `factor` as its density under this one."""
        densities = tuple(density.times(factor) for density in self.densities)
        return Measure(self.values, self.masses * factor(self.values), densities)

    def scaled(self, by: float) -> "Measure":
        """The measure times a number."""
        return Measure(self.values, self.masses * by, tuple(d.scaled(by) for d in self.densities))

    def shifted(self, by: float) -> "Measure":
        """The measure of X + by."""
        moved = tuple(density.shifted(by) for density in self.densities)
        return Measure(self.values + by, self.masses, moved)

    def stretched(self, by: float) -> "Measure":
        """The measure of X times a number above 0."""
        wider = tuple(density.stretched(by).scaled(1 / by) for density in self.densities)
        return Measure(self.values * by, self.masses, wider)

    def plus(self, other: "Measure", *, widest: float = WIDEST) -> "Measure":
        """The measure of a sum of independent variables, on panels no wider than `widest`."""
        pairs = product(self.densities, other.densities)
        densities = [_sum(one, two, widest) for one, two in pairs]
        for one, two in ((self, other), (other, self)):
            if two.values.size:
                for density in one.densities:
                    densities += _sum_with_atoms(density, two.values, two.masses, widest)
        return Measure(
            np.add.outer(self.values, other.values).ravel(),
            np.multiply.outer(self.masses, other.masses).ravel(),
            tuple(densities),
        )

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        """Independent draws: of an atom or a density's panel, and there by rejection."""
        over = [density.masses for density in self.densities]
        shares = np.cumsum(np.maximum(np.concatenate([self.masses, *over]), 0))
        at = np.searchsorted(shares, rng.random(size) * shares[-1], side="right")
        drawn = np.append(self.values, 0.0)[np.minimum(at, len(self.values))]
        first = len(self.values)
        for density in self.densities:
            within = np.flatnonzero((at >= first) & (at < first + len(density.masses)))
            drawn[within] = density.drawn(rng, at[within] - first)
            first += len(density.masses)
        return drawn


def measure_of(
    f: Function,
    places: FloatArray,
    seeds: FloatArray | None = None,
    *,
    mass: float = 1.0,
    widest: float = np.inf,
) -> Measure:
    """The measure with a density `f` between the first and the last of the points it may bend at.

    It is an atom if the ends differ only by rounding.
    """
    places = distinct(places)
    if len(places) == 1:
        return Measure(places, np.array([mass]))
    origin = float(places[0])
    density = panels_of(
        lambda x: f(origin + x),
        origin,
        places - origin,
        None if seeds is None else np.clip(seeds - origin, 0, places[-1] - origin),
        widest=widest,
    )
    # If the ends are close, their difference has a rounding error.
    blur = np.finfo(float).eps * np.max(np.abs(places)) / density.width
    if abs(density.mass / mass - 1) <= 4 * blur:
        density = density.scaled(mass / density.mass)
    return Measure(np.zeros(0), np.zeros(0), (density,))


def _sum(first: Panels, second: Panels, widest: float) -> Panels:
    """The density of the sum of two independent variables with these densities."""
    # Positions in the narrower one are more exact relative to its own start.
    one, two = sorted((first, second), key=lambda panels: panels.width)

    def at(x: FloatArray) -> FloatArray:
        per_point = (len(one.edges) + len(two.edges)) * NODES
        chunks = np.array_split(x.ravel(), per_point * x.size // _CHUNK + 1)
        return np.concatenate([_convolution(one, two, y[:, None]) for y in chunks]).reshape(x.shape)

    kinks = np.add.outer(one.kinks, two.kinks).ravel()
    return panels_of(at, one.origin + two.origin, kinks, widest=widest)


def _sum_with_atoms(
    density: Panels, values: FloatArray, masses: FloatArray, widest: float
) -> list[Panels]:
    """Terms of the density of the sum with independent atoms."""
    if len(values) == 1 or density.width < _NARROW * np.ptp(values):
        return [density.shifted(v).scaled(m) for v, m in zip(values, masses, strict=True)]
    first = float(values.min())

    def at(x: FloatArray) -> FloatArray:
        found = np.zeros(x.shape)
        for value, mass in zip(values - first, masses, strict=True):
            found += mass * density.inside(x - value)
        return found

    kinks = np.add.outer(density.kinks, values - first).ravel()
    return [panels_of(at, density.origin + first, kinks, widest=widest)]


def _convolution(one: Panels, two: Panels, at: FloatArray) -> FloatArray:
    """The convolution at each of a column of points, relative to both origins."""
    low = np.maximum(0, at - two.width)
    high = np.maximum(low, np.minimum(one.width, at))
    own = np.broadcast_to(one.edges, (len(at), len(one.edges)))
    ends = np.sort(np.clip(np.concatenate([own, at - two.edges], axis=1), low, high))
    half, middle = np.diff(ends) / 2, (ends[:, 1:] + ends[:, :-1]) / 2
    # Most cells do not overlap at a point, and need no look-up.
    place, cell = np.nonzero(half)
    inside = half[place, cell]
    x = middle[place, cell][:, None] + inside[:, None] * _GAUSS
    half[place, cell] = inside * ((one(x) * two(at[place] - x)) @ _GAUSS_WEIGHTS)
    return np.sum(half, axis=1)
