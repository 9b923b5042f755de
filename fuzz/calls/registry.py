"""Which public names are called, by what makes their cases, and which are records they return."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fuzz.case import Case

Maker = Callable[[np.random.Generator, str], Case]


@dataclass(frozen=True)
class Entry:
    """What makes the cases of some public names, and how often it is asked."""

    maker: Maker
    names: tuple[str, ...]
    weight: float


ENTRIES: list[Entry] = []


def makes(*names: str, weight: float = 1.0) -> Callable[[Maker], Maker]:
    """Register what makes cases of these names; by `weight` the slow ones are rarer."""

    def register(maker: Maker) -> Maker:
        ENTRIES.append(Entry(maker, names, weight * len(names)))
        return maker

    return register


def entry(rng: np.random.Generator) -> tuple[Entry, str]:
    """A random entry, and one of its names."""
    weights = np.array([one.weight for one in ENTRIES])
    found = ENTRIES[int(rng.choice(len(ENTRIES), p=weights / weights.sum()))]
    return found, str(rng.choice(found.names))
