"""The array types of the package, and what every frozen value does to its arrays."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
Floats: TypeAlias = float | FloatArray
BoolArray: TypeAlias = NDArray[np.bool_]
IndexArray: TypeAlias = NDArray[np.intp]
# Sorted scores keep the caller's precision: float32 or float64.
ScoreArray: TypeAlias = NDArray[np.floating[Any]]

# A function of each score; it is hashable, so that means of it over a sample can be kept.
ScoreFunction: TypeAlias = Callable[[FloatArray], FloatArray]

# Whole numbers up to this are floats, and so is every sum of them.
EXACT = 2**53

Array = TypeVar("Array", bound=NDArray[Any])
Result = TypeVar("Result")
Given = ParamSpec("Given")


def underflow_to_zero(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Let what is too small for a float be 0, even where NumPy is set to raise an error for it.

    Overflow, division by zero and invalid values are errors of ours where they occur.
    """

    @wraps(function)
    def computed(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        with np.errstate(under="ignore"):
            return function(*args, **kwargs)

    return computed


def read_only(array: Array) -> Array:
    """Return a view of `array` that cannot be written through."""
    view = array.view()
    view.flags.writeable = False
    return view


def freeze(record: object, *names: str) -> None:
    """Make arrays of a frozen record views that cannot be written through."""
    for name in names:
        object.__setattr__(record, name, read_only(getattr(record, name)))
