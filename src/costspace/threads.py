"""Work on long arrays in several threads, which NumPy lets run at the same time."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")
Mapped = TypeVar("Mapped")

# For fewer elements, starting threads takes longer than they save.
_MANY = 1 << 20


def mapped(f: Callable[[Item], Mapped], items: Sequence[Item], elements: int) -> list[Mapped]:
    """The result of `f` for each item, in a thread of its own if there are many elements.

    The caller's `np.errstate` holds in all of them.
    """
    if not worthwhile(elements):
        return [f(item) for item in items]
    # Loaded here, as few need it.
    from concurrent.futures import ThreadPoolExecutor

    state = np.geterr()

    def found(item: Item) -> Mapped:
        with np.errstate(**state):
            return f(item)

    with ThreadPoolExecutor(len(items)) as pool:
        return list(pool.map(found, items))


def worthwhile(elements: int) -> bool:
    """Whether several threads take less time for so many elements than one."""
    return elements >= _MANY


def halves(count: int) -> tuple[range, range]:
    """The numbers from 0 to `count`, in two parts."""
    return range(count // 2), range(count // 2, count)
