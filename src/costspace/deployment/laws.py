"""Laws of numbers on a line: atoms and piecewise polynomial densities, and their sums."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.deployment.panels import WIDEST, Function, Panels, clenshaw, panels_of


@final
@dataclass(frozen=True, eq=False)
class Law(FrozenValue):
    """A measure on a line: atoms and a density.

    Attributes
    ----------
    values, masses : arrays of shape (k,)
        The atoms, perhaps none.
    density : Panels, optional
    """

    values: FloatArray
    masses: FloatArray
    density: Panels | None = None

    @classmethod
    def of_density(cls, density: Panels) -> "Law":
        """A law without atoms."""
        return cls(np.zeros(0), np.zeros(0), density)

    @property
    def mass(self) -> float:
        """The whole measure."""
        return float(self.masses.sum()) + (self.density.mass if self.density else 0.0)

    def reflected(self) -> "Law":
        """The law of -X."""
        return Law(-self.values, self.masses, self.density and self.density.reflected())

    def times(self, factor: Function) -> "Law":
        """The measure that has `factor` as its density under this one."""
        density = self.density and self.density.times(factor)
        return Law(self.values, self.masses * factor(self.values), density)

    def between(self, low: float, high: float) -> "Law":
        """What of the measure lies in a range, the ends included."""
        inside = (self.values >= low) & (self.values <= high)
        density = self.density
        if density is not None:
            ends = np.clip([low, high], *density.edges[[0, -1]])
            within = [x[(x > ends[0]) & (x < ends[1])] for x in (density.kinks, density.edges)]
            some = ends[0] < ends[1]
            density = panels_of(density, np.append(ends, within[0]), within[1]) if some else None
        return Law(self.values[inside], self.masses[inside], density)

    def scaled(self, factor: float) -> "Law":
        """The measure times a number."""
        return self.times(lambda x: np.full_like(x, factor))

    def plus(self, other: "Law", *, widest: float = WIDEST) -> "Law":
        """The law of a sum of independent numbers, on panels no wider than `widest`."""
        values = np.add.outer(self.values, other.values).ravel()
        masses = np.multiply.outer(self.masses, other.masses).ravel()
        for atoms, law in ((self, other), (other, self)):
            if atoms.density is None and atoms.values.size == 1 and not law.values.size:
                return law.scaled(float(atoms.masses[0])).shifted(float(atoms.values[0]))
        terms: list[Function] = []
        kinks = [np.zeros(0)]
        for atoms, law in ((self, other), (other, self)):
            if law.density is not None and atoms.values.size:
                terms.append(_shifts(law.density, atoms.values, atoms.masses))
                kinks.append(np.add.outer(law.density.kinks, atoms.values).ravel())
        one, two = self.density, other.density
        if one is not None and two is not None:
            terms.append(lambda t: one.convolved(two, t))
            kinks.append(np.add.outer(one.kinks, two.kinks).ravel())
        if not terms:
            return Law(values, masses)
        density = panels_of(
            lambda t: _total(terms, t),
            np.concatenate(kinks),
            widest=widest,
            places=max(self._farthest, other._farthest),
        )
        return Law(values, masses, density)

    @property
    def _farthest(self) -> float:
        edges = self.density.edges if self.density else np.zeros(0)
        return float(np.max(np.abs(np.concatenate([self.values, edges])), initial=0.0))

    def shifted(self, by: float) -> "Law":
        """The law of X plus a number."""
        d = self.density
        moved = d and Panels(d.edges + by, d.coefficients, d.kinks + by)
        return Law(self.values + by, self.masses, moved)

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        """Independent draws: of an atom or a panel, and there by rejection."""
        density = self.density
        over = density.integrals()[1] if density is not None else np.zeros(0)
        shares = np.cumsum(np.concatenate([self.masses, np.maximum(over, 0)]))
        at = np.searchsorted(shares, rng.random(size) * shares[-1], side="right")
        drawn = self.values[np.minimum(at, len(self.values) - 1)] if self.values.size else at * 1.0
        going = np.flatnonzero(at >= len(self.values))
        while density is not None and going.size:
            panel = at[going] - len(self.values)
            u = rng.uniform(-1, 1, going.size)
            most = np.sum(np.abs(density.coefficients), axis=0)[panel]
            taken = rng.random(going.size) * most < clenshaw(density.coefficients, panel, u)
            start, end = density.edges[panel], density.edges[panel + 1]
            drawn[going[taken]] = ((start + end) / 2 + (end - start) / 2 * u)[taken]
            going = going[~taken]
        return drawn


def total(laws: list[Law]) -> Law:
    """The law of a sum of several independent numbers."""
    # Densities first: a sum with many atoms has many kinks.
    first, *rest = sorted(laws, key=lambda law: law.density is None)
    for law in rest:
        first = first.plus(law)
    return first


def mixed(laws: list[Law], weights: list[float]) -> Law:
    """The weighted sum of measures."""
    parts = [law.scaled(weight) for law, weight in zip(laws, weights, strict=True)]
    densities = [part.density for part in parts if part.density is not None]
    density = None
    if densities:
        kinks = np.concatenate([density.kinks for density in densities])
        edges = np.concatenate([density.edges for density in densities])
        density = panels_of(lambda x: _total(list(densities), x), kinks, edges)
    return Law(
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.masses for part in parts]),
        density,
    )


def _shifts(density: Panels, values: FloatArray, masses: FloatArray) -> Function:
    def at(t: FloatArray) -> FloatArray:
        found = np.zeros(t.shape)
        for value, mass in zip(values, masses, strict=True):
            found += mass * density(t - value)
        return found

    return at


def _total(terms: list[Function], t: FloatArray) -> FloatArray:
    return np.sum([term(t) for term in terms], axis=0)
