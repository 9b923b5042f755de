"""Checks of what plots are given."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from costspace.checks import check_range
from costspace.errors import ConditionError, SourceError, brief

Shown = TypeVar("Shown")


def by_name(
    given: Shown | Mapping[str, Shown], kinds: tuple[type[Any], ...], asked: str
) -> dict[str, Shown]:
    """Results by the names to draw them under; one alone goes by what was `asked`.

    Raises
    ------
    SourceError
        If there is something else among them.
    """
    results = dict(given) if isinstance(given, Mapping) else {asked: given}
    for name, result in results.items():
        if not isinstance(name, str) or not isinstance(result, kinds):
            wanted = " or ".join(kind.__name__ for kind in kinds)
            what = f" for {brief(name)}" if isinstance(given, Mapping) else ""
            raise SourceError(
                f"{asked}: this needs {wanted}, or a mapping from names to such, "
                f"got {brief(result)}{what}."
            )
    return results


def check_result(given: object, kind: type[Any], needed: str) -> None:
    """Raise `SourceError`, which says what is needed, unless this is a result of that kind."""
    if not isinstance(given, kind):
        raise SourceError(f"{needed}, got {brief(given)}.")


def as_list(asked: str, given: object) -> list[Any]:
    """What was given as a list, or `SourceError` unless it is several things."""
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise SourceError(f"{asked}: a list or a mapping from names is needed, got {brief(given)}.")
    return list(given)


def each_once(results: Iterable[tuple[str, Shown]]) -> dict[str, Shown]:
    """Results by their own names, or `ConditionError` if two have the same."""
    named: dict[str, Shown] = {}
    for name, result in results:
        if name in named:
            raise ConditionError(f"two things to draw are {name!r}: give a mapping from names.")
        named[name] = result
    return named


def check_known(asked: str, what: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raise `ConditionError` unless names are all among those that are known."""
    every = list(known)
    for name in names:
        if name not in every:
            raise ConditionError(
                f"{asked}: there is no {what} {brief(name)}, there are {', '.join(every)}."
            )


def check_count(name: str, value: object, least: int) -> int:
    """Return a whole number, or raise `ConditionError` unless it is one from `least` on."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise ConditionError(f"{name} must be a whole number from {least} on, got {brief(value)}.")
    return int(value)


def check_pair(limits: object, *, inside: tuple[float, float]) -> tuple[float, float]:
    """Return limits as floats, or raise `ConditionError` unless they are two, low < high."""
    if not isinstance(limits, tuple | list | np.ndarray) or len(limits) != 2:
        raise ConditionError(f"limits must be a pair (low, high), got {brief(limits)}.")
    return check_range(limits[0], limits[1], inside=inside)
