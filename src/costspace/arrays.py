"""Types that many modules share, and the base class of frozen values."""

from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError
from functools import cached_property, wraps
from typing import Any, Never, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
Floats: TypeAlias = float | FloatArray
BoolArray: TypeAlias = NDArray[np.bool_]
IndexArray: TypeAlias = NDArray[np.intp]
# Scores as they came, in float32 or float64. `doubles` reads them.
ScoreArray: TypeAlias = NDArray[np.floating[Any]]

# A function of each score, hashable so that its means over a sample can be cached.
ScoreFunction: TypeAlias = Callable[[FloatArray], FloatArray]

# A real function, vectorised.
Function: TypeAlias = Callable[[FloatArray], FloatArray]

# Called with the share of the work that is done, from 0 to 1.
Progress: TypeAlias = Callable[[float], None]

# Whole numbers up to this are floats, and so is every sum of them.
EXACT = 2**53

# Common types of values that need no freezing.
_NEVER_CHANGED = frozenset({bool, float, int, str, tuple, type(None)})

# Of the flags of an array, asked of as a number: by its name NumPy warns of broadcast arrays.
_WRITEABLE = 0x400

Array = TypeVar("Array", bound=NDArray[Any])
Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")
Key = TypeVar("Key")
Entry = TypeVar("Entry")


def underflow_to_zero(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Let numbers too small for a float be 0, even where NumPy is set to raise an error.

    Overflow, division by zero and invalid values would be bugs.
    """

    @wraps(function)
    def computed(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        with np.errstate(under="ignore"):
            return function(*args, **kwargs)

    return computed


class FrozenDict(dict[Key, Entry]):
    """A dictionary that cannot be changed, but can be written as JSON and pickled."""

    def _refuse(self, *_: Any, **__: Any) -> Never:
        raise TypeError("this mapping is part of a result and cannot be changed: dict() copies it.")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return _frozen_again, (dict(self),)


class FrozenValue:
    """A value that stays frozen when it is copied or pickled, as joblib does.

    Cached properties are not copied, but computed anew.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        freeze(self, *vars(self))

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __getstate__(self) -> dict[str, Any]:
        kept = {
            name
            for kind in type(self).__mro__
            for name, value in vars(kind).items()
            if isinstance(value, cached_property)
        }
        # So that arrays are unwritable after unpickling with any protocol.
        seen: dict[int, Any] = {}
        return {name: _frozen(v, seen) for name, v in vars(self).items() if name not in kept}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)
        _lock(state.values())


def read_only(array: Array) -> Array:
    """Return a view of `array` that cannot be written through."""
    view = array.view()
    view.setflags(write=False)
    return view


def kept(array: Array) -> Array:
    """An array to be kept in a frozen value: this one if it cannot be written, else a copy."""
    return read_only(array.copy()) if array.flags.num & _WRITEABLE else array


def owned(array: Array) -> Array:
    """A read-only copy: who holds an array, or what it is a view of, may write to that."""
    return read_only(array.copy())


def hold(record: object, **values: object) -> None:
    """Set the attributes of a frozen value."""
    for name, value in values.items():
        object.__setattr__(record, name, value)


def freeze(record: object, *names: str) -> None:
    """Replace what can be changed of a frozen record, arrays that can be written by copies."""
    seen: dict[int, Any] = {}
    for name in names:
        value = getattr(record, name)
        frozen = _frozen(value, seen)
        if frozen is not value:
            object.__setattr__(record, name, frozen)


def _frozen(value: Any, seen: dict[int, Any]) -> Any:
    """An unchangeable version of a value. An array that occurs twice stays one array."""
    if type(value) in _NEVER_CHANGED:
        return value
    if isinstance(value, np.ndarray):
        if id(value) not in seen:
            seen[id(value)] = kept(value)
        return seen[id(value)]
    if isinstance(value, (FrozenDict, FrozenValue)):
        return value
    if isinstance(value, Mapping):
        return FrozenDict({key: _frozen(each, seen) for key, each in value.items()})
    if type(value) is list:
        return tuple(_frozen(each, seen) for each in value)
    return value


def _frozen_again(found: dict[Any, Any]) -> FrozenDict[Any, Any]:
    _lock(found.values())
    return FrozenDict(found)


def _lock(values: Any) -> None:
    """Make arrays of a fresh copy unwritable in place: nobody else holds them."""
    for value in values:
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        elif isinstance(value, tuple):
            _lock(value)


def plain(value: Floats) -> Floats:
    """Turn a NumPy scalar into a Python float and leave arrays alone."""
    return float(value) if np.ndim(value) == 0 else value
