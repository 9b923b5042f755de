"""Random predictions: labels, scores and weights of every kind, and what is known of them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import brute_force
import numpy as np

from costspace.samples.rounding import in_unit, only_rounding

Rng = np.random.Generator
SUBNORMAL = 5e-324


@dataclass(frozen=True, eq=False)
class Sample:
    """Labels 0 and 1, scores and weights as plain float arrays, and a prevalence or None.

    Both classes have weight, and rows of weight zero are absent: `unit` says that the scores of
    the others are in [0, 1], `finite` that none of them is infinite; `kind` says of which kind
    they are.
    """

    y: np.ndarray
    s: np.ndarray
    w: np.ndarray | None
    prevalence: float | None
    kind: str

    def __len__(self) -> int:
        return len(self.y)

    @property
    def unit(self) -> bool:
        s = self.s[self.present]
        return bool(np.all((s >= 0) & (s <= 1)))

    @property
    def finite(self) -> bool:
        return bool(np.all(np.isfinite(self.s[self.present])))

    @property
    def tied(self) -> bool:
        return len(np.unique(self.s)) < len(self.s)

    @cached_property
    def weights(self) -> np.ndarray:
        return np.ones(len(self.y)) if self.w is None else self.w

    @property
    def present(self) -> np.ndarray:
        return self.weights > 0

    @cached_property
    def oracle(self) -> brute_force.Sample:
        return brute_force.Sample(self.y, self.s.astype(float), self.w, self.prevalence)

    @cached_property
    def ranked(self) -> brute_force.Sample:
        """Evenly spaced scores in the same order, for what looks at nothing else."""
        distinct, rank = np.unique(self.s, return_inverse=True)
        spaced = (rank + 1) / (len(distinct) + 1)
        return brute_force.Sample(self.y, spaced, self.w, self.prevalence)

    @property
    def pi1(self) -> float:
        return self.oracle.positive_share()

    def rows(self, index: Any) -> "Sample":
        w = None if self.w is None else self.w[index]
        return Sample(self.y[index], self.s[index], w, self.prevalence, self.kind)


def _ends(rng: Rng, n: int) -> np.ndarray:
    return rng.choice([0.0, 1.0, 0.5, rng.random()], n)


def _neighbours(rng: Rng, n: int) -> np.ndarray:
    return rng.choice([0.1, 0.3, 0.7]) * (1 + rng.integers(0, 6, n) * 2.0**-52)


def _subnormal(rng: Rng, n: int) -> np.ndarray:
    return rng.integers(0, 9, n) * SUBNORMAL


def _signed_zeros(rng: Rng, n: int) -> np.ndarray:
    return rng.choice([0.0, -0.0, 1.0, 0.25], n)


def _near_one(rng: Rng, n: int) -> np.ndarray:
    return 1 - rng.integers(0, 9, n) * 2.0**-53


UNIT = {
    "continuous": lambda rng, n: rng.random(n),
    "plain": lambda rng, n: rng.random(n).round(3),
    "tenths": lambda rng, n: rng.integers(0, 11, n) / 10,
    "halves": lambda rng, n: rng.integers(0, 3, n) / 2,
    "one value": lambda rng, n: np.full(n, rng.choice([0.0, 0.3, 0.5, 1.0])),
    "ends": _ends,
    "neighbours": _neighbours,
    "signed zeros": _signed_zeros,
    "subnormal": _subnormal,
    "near one": _near_one,
    "tiny": lambda rng, n: 10.0 ** -rng.integers(0, 320, n),
}
WIDE = {
    "decisions": lambda rng, n: rng.normal(size=n),
    "integers": lambda rng, n: rng.integers(-3, 4, n).astype(float),
    "huge": lambda rng, n: rng.uniform(-1, 1, n) * 1e308,
    "largest": lambda rng, n: rng.choice(np.finfo(float).max * np.array([1, -1, 0.5]), n),
    "every size": lambda rng, n: rng.choice([-1, 1], n) * 10.0 ** rng.integers(-300, 300, n),
    "beyond 2^53": lambda rng, n: 2.0**53 + 2 * rng.integers(0, 5, n),
}
INFINITE = {
    "infinite": lambda rng, n: rng.choice([-np.inf, np.inf, 0.0, 0.5, 1.0], n),
    "infinite high": lambda rng, n: rng.choice([np.inf, 0.1, 0.6], n),
}
KINDS = {**UNIT, **WIDE, **INFINITE}


def _weights(rng: Rng, n: int) -> np.ndarray:
    match rng.integers(7):
        case 0:
            return rng.integers(0, 4, n).astype(float)
        case 1:
            return rng.uniform(0.01, 10, n)
        case 2:
            return 10 ** rng.uniform(-3, 3, n)
        case 3:
            return rng.choice([0.0, 1.0], n)
        case 4:
            return np.full(n, rng.choice([1.0, 0.1, 1e-90, 1e90, 2.0**-40]))
        case 5:
            return rng.integers(1, 3, n) * float(rng.choice([1e-100, 1e-50, 1e50, 4e99]))
        case _:
            return rng.uniform(0, 1, n) * rng.choice([1, 1e-8, 1e8])


def _prevalence(rng: Rng) -> float:
    return float(rng.choice([0.5, 0.001, 0.25, 0.995, rng.uniform(0.01, 0.99), 1e-6]))


def sample(
    rng: Rng,
    kinds: dict[str, Any] = KINDS,
    *,
    rows: tuple[int, int] = (2, 13),
    weighted: bool = True,
    prevalence: bool = True,
    distinct: bool = False,
) -> Sample:
    """Rows in any order, both classes of some weight."""
    n = int(rng.integers(*rows))
    kind = str(rng.choice(list(kinds)))
    s = kinds[kind](rng, n)
    if only_rounding(float(s.min()), float(s.max())):
        # By chance: they count as the ends of [0, 1].
        s = in_unit(s)
    if distinct:
        s = rng.permutation(n) / n
    share = rng.choice([0.5, 0.5, 0.1, 0.9])
    y = (rng.random(n) < share).astype(np.int64)
    first, second = rng.permutation(n)[:2]
    y[first], y[second] = 0, 1
    w = _weights(rng, n) if weighted and rng.random() < 0.4 else None
    if w is not None:
        filler = max(float(w.max()), 1.0) if w.max() < 1e-100 else float(w.max())
        for one in (first, second):
            w[one] = w[one] or filler or 1.0
    p = _prevalence(rng) if prevalence and rng.random() < 0.3 else None
    return Sample(y, s, w, p, kind)


def small(rng: Rng, **options: Any) -> Sample:
    """A sample of probabilities."""
    return sample(rng, UNIT, **options)
