"""Roots of many functions at once."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from costspace.arrays import FloatArray, IndexArray

# A bracket at least halves at each step, so no more are needed.
_MOST_STEPS = 64
# A bracket this narrow, relative to its position, has hardly a float inside.
_TIGHT = 4 * float(np.finfo(float).eps)

Pair: TypeAlias = tuple[FloatArray, FloatArray]


def narrowed(
    f: Callable[[FloatArray, IndexArray], FloatArray],
    ends: Pair,
    values: Pair,
    close: FloatArray,
) -> tuple[Pair, Pair]:
    """Narrow brackets of roots, each between a negative value and one that is not.

    By Ridders' method, until the value at an end is `close` to 0 or there are no floats between the
    ends. A bracket without such values stays as it is. `f` takes an array of points and the index
    of each point's function; ends and values are the lower and the upper ones.
    """
    a, b, at_a, at_b = (np.array(end) for end in (*ends, *values))
    going = np.flatnonzero((at_a < 0) & (at_b > 0))
    for _ in range(_MOST_STEPS):
        near = np.minimum(-at_a[going], at_b[going]) <= close[going]
        tight = b[going] - a[going] <= _TIGHT * np.maximum(np.abs(a[going]), np.abs(b[going]))
        going = going[~(near | tight)]
        if going.size == 0:
            break
        middle = (a[going] + b[going]) / 2
        value = f(middle, going)
        with np.errstate(divide="ignore", invalid="ignore"):
            beside = middle - (middle - a[going]) * value / np.sqrt(
                value**2 - at_a[going] * at_b[going]
            )
        beside = np.where(np.isnan(beside), middle, beside)
        for t, at_t in ((middle, value), (beside, f(beside, going))):
            inside = (t > a[going]) & (t < b[going])
            rises, falls = inside & (at_t < 0), inside & ~(at_t < 0)
            a[going[rises]], at_a[going[rises]] = t[rises], at_t[rises]
            b[going[falls]], at_b[going[falls]] = t[falls], at_t[falls]
    return (a, b), (at_a, at_b)
