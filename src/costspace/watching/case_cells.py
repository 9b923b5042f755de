"""Costs of each case as parts of a row on a few values, so that counts of these are enough.

A cost between two values is counted as a part of a row at either, with the mean that it has, to
about 1 in 10,000. The logarithm of what a bet gains is concave in the cost: so bets have no more
than they truly would.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np

from costspace.arrays import FloatArray, IndexArray
from costspace.errors import ConditionError

# Shares of the most that a case may cost.
VALUES = np.concatenate([[0.0], 1.2 ** np.arange(-62.0, 1.0)])
# A row has so many parts for each rule.
_PARTS = 1 << 10
# Parts of more rules would be too small, and too many.
MOST_RULES = 2


def parts_of_row(rules: int) -> int:
    """How many parts a row has."""
    return int(_PARTS**rules)


def in_cells(costs: Sequence[FloatArray], most: float) -> tuple[IndexArray, IndexArray, IndexArray]:
    """Where the parts of rows are.

    Parameters
    ----------
    costs : sequence of arrays of shape (n,)
        What each rule costs on each case.
    most : float
        The most that a case may cost.

    Returns
    -------
    tuple of three arrays
        The row of each part, the number of its values (the first rule's is the last digit to the
        base of how many there are), and how many parts of a row it is.

    Raises
    ------
    ConditionError
        If a case costs more than the most, or less than nothing.
    """
    for of_rule in costs:
        outside = (of_rule < 0) | (of_rule > most)
        if outside.any():
            raise ConditionError(
                f"{np.count_nonzero(outside):,} cases cost what is not between 0 and the most that "
                f"the watch began with, {most:g}, such as {of_rule[outside][0]:g}: begin one with "
                "a higher bound, and without gains."
            )
    sides = [_sides(of_rule / most) for of_rule in costs]
    n = len(costs[0])
    rows, places, parts = [], [], []
    for chosen in product((0, 1), repeat=len(costs)):
        place, part = np.zeros(n, dtype=np.int64), np.ones(n, dtype=np.int64)
        for rule, (side, (below, upper)) in enumerate(zip(chosen, sides, strict=True)):
            place += (below + side) * len(VALUES) ** rule
            part *= upper if side else _PARTS - upper
        there = np.flatnonzero(part)
        rows.append(there)
        places.append(place[there])
        parts.append(part[there])
    return np.concatenate(rows), np.concatenate(places), np.concatenate(parts)


def _sides(shares: FloatArray) -> tuple[IndexArray, IndexArray]:
    """The value below each share, and how many parts of it are at the one above."""
    below = np.clip(np.searchsorted(VALUES, shares, side="right") - 1, 0, len(VALUES) - 2)
    low, high = VALUES[below], VALUES[below + 1]
    upper = np.rint(_PARTS * (shares - low) / (high - low)).astype(np.int64)
    return below, upper
