"""Whole numbers as where NumPy's default integer has 32 bits, on any machine."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import pytest

# What gives positions and counts in the default integer, and what holds such.
_GIVE_POSITIONS = ("arange", "argsort", "bincount", "flatnonzero", "nonzero", "searchsorted")
_HOLD_POSITIONS = ("append", "empty", "full", "zeros")
_ADDING_UP = ("reduce", "accumulate", "reduceat")


class Narrow(np.ndarray):
    """Whole numbers of 32 bits that add up in 32 bits unless told otherwise."""

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **options: Any
    ) -> Any:
        kinds = [np.asarray(one).dtype.kind for one in inputs]
        if method in _ADDING_UP and kinds[0] in "biu" and options.get("dtype") is None:
            options["dtype"] = np.int32
        if out is not None:
            options["out"] = tuple(_plain(one) for one in out)
        return narrow(getattr(ufunc, method)(*map(_plain, inputs), **options))


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, Narrow) else value


def narrow(value: Any) -> Any:
    """Arrays of integers of 32 bits as such that add up in 32 bits; all else as it is."""
    if isinstance(value, np.ndarray) and value.dtype == np.int32 and value.ndim:
        return value.view(Narrow)
    return value


def _positions(value: Any) -> Any:
    """Arrays of the default integer, or several, as such of 32 bits; all else as it is."""
    if isinstance(value, tuple):
        return tuple(map(_positions, value))
    if isinstance(value, np.ndarray) and value.dtype == np.int64:
        return narrow(value.astype(np.int32))
    return value


def use_narrow_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make positions and counts, until the test ends, those of a system of 32 bits."""

    def then(function: Callable[..., Any], change: Callable[[Any], Any]) -> Callable[..., Any]:
        return wraps(function)(lambda *given, **options: change(function(*given, **options)))

    for names, change in ((_GIVE_POSITIONS, _positions), (_HOLD_POSITIONS, narrow)):
        for name in names:
            monkeypatch.setattr(np, name, then(getattr(np, name), change))
    monkeypatch.setattr(np, "intp", np.int32)
