"""Vectors with one value a row: common checks of labels, scores, weights, costs and groups."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray
from costspace.errors import (
    ConditionError,
    CostspaceError,
    ScoreError,
    WeightError,
    brief,
)

BEYOND = "integers beyond 2^53, which floats cannot tell apart"
# Advice on them: only the order of scores matters, and only the ratios of weights.
ADVICE: dict[type[CostspaceError], str] = {
    ScoreError: "give smaller ones, such as ranks",
    WeightError: "divide all weights by one number",
    ConditionError: "give costs in a larger unit",
}
# Errors from comparing or converting values that are not numbers.
UNLIKE = (TypeError, ValueError, ArithmeticError)


def vector(values: ArrayLike, name: str, error: type[CostspaceError]) -> np.ndarray:
    """Values as an array, or `error` unless they are of one dimension, and none is masked.

    One column of a table counts as one dimension.
    """
    # Ask its type first: numpy.ma is slow to load, and pandas looks for attributes in its index.
    if hasattr(type(values), "harden_mask") and np.ma.is_masked(values):
        row = int(np.argmax(np.ma.getmaskarray(np.ma.asarray(values)))) + 1
        has = "have" if error is ScoreError else "has"
        raise error(f"{name} {has} a missing value (masked) in row {row}: fill or drop it.")
    try:
        array = np.asarray(values)
    except UNLIKE:
        raise error(f"{name} must have one dimension, got {brief(values)}.") from None
    if array.dtype.kind == "U" and isinstance(values, list | tuple):
        # Among text NumPy writes a missing value as "nan".
        array = np.asarray(values, dtype=object) if any(map(is_missing, values)) else array
    if array.ndim == 0:
        given = brief(values)
        if isinstance(values, Mapping):
            given = f"a mapping of {first_few(list(values))}: give one array"
        raise error(f"{name} must have one dimension, a value for each row, got {given}.")
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.reshape(-1)
    if array.ndim != 1:
        hint = (
            ": give only predict_proba's column of the positive class"
            if error is ScoreError and array.ndim == 2 and array.shape[1] == 2
            else ""
        )
        raise error(f"{name} must have one dimension, got shape {array.shape}{hint}.")
    if array.size == 0:
        raise error(f"{name} must not be empty: give at least one row.")
    return array


def plain_objects(values: np.ndarray) -> np.ndarray:
    """Values stored as objects, converted to their common type if they have one."""
    if values.dtype.kind != "O" or len({type(value) for value in values}) > 1:
        return values
    try:
        plain = np.asarray(values.tolist())
    except UNLIKE:
        return values
    return plain if plain.shape == values.shape else values


def missing_row(values: np.ndarray) -> int | None:
    """The first row without a value."""
    missing = missing_rows(values)
    return int(np.argmax(missing)) if missing.any() else None


def missing_rows(values: np.ndarray) -> BoolArray:
    """Which rows have no value."""
    none = np.zeros(len(values), dtype=bool)
    if values.dtype.kind in "fc":
        # The sum is faster: it takes one pass. It is NaN of infinities of both signs, too.
        with np.errstate(invalid="ignore", over="ignore"):
            return np.isnan(values) if np.isnan(np.sum(values)) else none
    if values.dtype.kind in "mM":
        return np.isnat(values)
    if values.dtype.kind == "O":
        return np.array([is_missing(value) for value in values], dtype=bool)
    return none


def is_missing(value: Any) -> bool:
    """Whether a value is missing: None, NaN, or pandas.NA."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124  (only NaN differs from itself)
    except ValueError:
        # An array is a value, though not a valid one.
        return False
    except (TypeError, ArithmeticError):
        # pandas.NA is neither equal nor unequal to anything; a signalling NaN cannot be compared.
        return True


def equal_to(values: np.ndarray, value: Any) -> BoolArray:
    """Which values equal a value; none if they cannot be compared."""
    try:
        found = np.asarray(values == value)
        if found.shape == values.shape:
            return found.astype(bool, copy=False)
    except UNLIKE:
        pass
    return np.zeros(len(values), dtype=bool)


def distinct(values: np.ndarray) -> list[Any]:
    """The distinct values, in order of occurrence."""
    found = values.tolist()
    try:
        return list(dict.fromkeys(found))
    except TypeError:
        # Lists and dictionaries have no hash; compare their texts.
        return list({repr(value): value for value in found}.values())


def first_few(values: list[Any]) -> str:
    """The first few of the distinct values, in words."""
    shown = ", ".join(brief(value) for value in values[:4])
    return shown + (f" and {len(values) - 4} more" if len(values) > 4 else "")
