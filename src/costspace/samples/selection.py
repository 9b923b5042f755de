"""Some of many values, a block at a time, which saves an index as large as the values."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import BoolArray

# Values copied together.
_BLOCK = 1 << 16


def selected(values: NDArray[Any], rows: BoolArray) -> NDArray[Any]:
    """`values[rows]`, without an index as large as the values."""
    found = np.empty(np.count_nonzero(rows), dtype=values.dtype)
    return fill(found, values, lambda block: rows[block])


def fill(
    found: NDArray[Any],
    values: NDArray[Any],
    rows: Callable[[slice], BoolArray],
    *,
    from_end: bool = False,
) -> NDArray[Any]:
    """Fill an array with some of the values, and return the part that is filled.

    `rows` tells which values of a slice are chosen. Blocks follow each other from the start of the
    array, or `from_end` are put one before the other.
    """
    filled = 0
    for start in range(0, len(values), _BLOCK):
        block = slice(start, start + _BLOCK)
        some = rows(block).nonzero()[0]
        end = filled + len(some)
        place = slice(len(found) - end, len(found) - filled) if from_end else slice(filled, end)
        # Other modes check each number, though all are in range.
        values[block].take(some, out=found[place], mode="clip")
        filled = end
    return found[len(found) - filled :] if from_end else found[:filled]
