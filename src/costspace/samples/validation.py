"""The caller's scores, weights, costs and groups, checked and converted."""

from collections.abc import Collection
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import (
    EXACT,
    BoolArray,
    FloatArray,
    Floats,
    IndexArray,
    ScoreArray,
    owned,
    read_only,
)
from costspace.checks import check_number
from costspace.errors import (
    ConditionError,
    CostspaceError,
    LabelError,
    ScoreError,
    SourceError,
    WeightError,
    brief,
)
from costspace.samples.labels import positive_rows
from costspace.samples.vectors import (
    ADVICE,
    BEYOND,
    UNLIKE,
    distinct,
    first_few,
    is_missing,
    missing_row,
    plain_objects,
    vector,
)
from costspace.single import doubles

# Products of two sums of weights must neither overflow nor underflow.
WEIGHTS = (1e-100, 1e100)


def score_array(values: ArrayLike, name: str, rows: int | None = None) -> ScoreArray:
    """Scores as float32 or float64, or `ScoreError` unless they are one number for each row.

    Where there are no labels it may be any number of `rows`.
    """
    array = vector(values, name, ScoreError)
    _check_integers(values, array, name)
    if rows is not None and len(array) != rows:
        raise ScoreError(f"{name} have {len(array)} values for {rows} labels: give one a row.")
    given, array = array, _as_float(array, name, ScoreError)
    _check_told_apart(given, array, name)
    # The sum takes one pass, and is NaN if any score is NaN or infinities of both signs occur.
    with np.errstate(invalid="ignore", over="ignore"):
        total = np.add.reduce(array)
    if np.isnan(total) and np.isnan(array).any():
        row = int(np.argmax(np.isnan(array))) + 1
        raise ScoreError(f"{name} have a missing value (NaN) in row {row}: fill or drop it.")
    return read_only(array)


def cost_array(values: ArrayLike, name: str) -> Floats:
    """Costs as float64, one number or one for each row, or `ConditionError` unless finite."""
    if not isinstance(values, (list, tuple)) and np.ndim(values) == 0:
        cost = check_number(name, values)  # type: ignore[arg-type]
        if np.isinf(cost):
            raise ConditionError(f"{name} must be finite, got {cost:g}.")
        return cost
    array = vector(values, name, ConditionError)
    costs = doubles(_as_float(array, f"values of {name}", ConditionError))
    finite = np.isfinite(costs)
    if not finite.all():
        row = int(np.argmin(finite))
        raise ConditionError(
            f"{name} must be finite, got {costs[row]:g} in row {row + 1}: fill or drop it."
        )
    return owned(costs)


def _as_float(array: np.ndarray, name: str, error: type[CostspaceError]) -> np.ndarray:
    kind = array.dtype.kind
    if kind == "f" and array.dtype.itemsize in (4, 8):
        return array.astype(array.dtype.newbyteorder("="), copy=False)
    if kind == "O":
        return _objects_as_float(array, name, error)
    if kind not in "biuf":
        raise error(f"{name} must be numbers, got {_unlike_numbers(array)}.")
    if kind in "iu":
        _check_exact(name, int(array.min()), int(array.max()), error)
    with np.errstate(over="ignore"):
        # Numbers beyond the largest double become infinite, which callers check.
        return doubles(array)


def _check_told_apart(given: np.ndarray, floats: np.ndarray, name: str) -> None:
    """Raise `ScoreError` if different scores are the same double, or a finite one is infinite."""
    if given.dtype.kind == "O":
        values = [value for value in given if not is_missing(value)]
        bounded = all(abs(value) < np.inf for value in values)
        count = len(set(values))
    elif given.dtype.kind == "f" and given.dtype.itemsize > 8 and np.any(given != floats):
        bounded = bool(np.all(np.isfinite(given) | np.isnan(given)))
        count = len(np.unique(given[~np.isnan(given)]))
    else:
        return
    known = floats[~np.isnan(floats)]
    if len(np.unique(known)) < count:
        raise ScoreError(
            f"{name} have values that differ, but are the same in double precision: give their "
            "ranks as scores, or round them."
        )
    if bounded and np.isinf(known).any():
        raise ScoreError(f"{name} go beyond {np.finfo(float).max:.6g}: give their logarithms.")


def _unlike_numbers(array: np.ndarray) -> str:
    is_text = array.dtype.kind in "UST"
    return f"text such as {brief(array[:1].tolist()[0])}" if is_text else str(array.dtype)


def _objects_as_float(array: np.ndarray, name: str, error: type[CostspaceError]) -> np.ndarray:
    floats = _reals(array, name, error)
    integers = [int(value) for value in array if isinstance(value, Integral)]
    _check_exact(name, min(integers, default=0), max(integers, default=0), error)
    return floats


def _reals(array: np.ndarray, name: str, error: type[CostspaceError]) -> np.ndarray:
    """Objects as floats, with NaN for missing ones."""
    values = [np.nan if is_missing(value) else value for value in array]
    if not all(isinstance(value, (Real, Decimal)) for value in values):
        raise error(f"{name} must be numbers, got {first_few(distinct(array))}.")
    return np.array([_double(value) for value in values])


def _double(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _check_exact(name: str, low: int, high: int, error: type[CostspaceError]) -> None:
    if max(-low, high) > EXACT:
        raise error(f"{name} have {BEYOND}: {ADVICE[error]}.")


def _check_integers(values: ArrayLike, array: np.ndarray, name: str) -> None:
    """Raise `ScoreError` if an integer beyond 2^53 was converted to float in a mixed list."""
    if not isinstance(values, (list, tuple)) or array.dtype != float:
        return
    large = np.flatnonzero(np.abs(array) >= EXACT)
    integers = [int(v) for v in (values[i] for i in large) if isinstance(v, Integral)]
    _check_exact(name, min(integers, default=0), max(integers, default=0), ScoreError)


def weight_array(values: ArrayLike, positive: BoolArray, *, both: bool = True) -> FloatArray:
    """Weights as float64, or an error unless there is one a row and both classes have weight.

    Without `both`, one class may have none.
    """
    weight = vector(values, "sample_weight", WeightError)
    if len(weight) != len(positive):
        raise WeightError(
            f"sample_weight has {len(weight)} values for {len(positive)} labels: give one a row."
        )
    if weight.dtype.kind == "O":
        weight = _reals(weight, "sample_weight", WeightError)
    elif weight.dtype.kind not in "biuf":
        raise WeightError(f"sample_weight must be numbers, got {_unlike_numbers(weight)}.")
    with np.errstate(over="ignore"):
        weight = weight.astype(float, copy=False)
    low, high = weight.min(), weight.max()
    if not (low >= 0 and high < np.inf):
        bad = int(np.argmin((weight >= 0) & np.isfinite(weight)))
        raise WeightError(
            f"sample_weight must be non-negative and finite, got {weight[bad]:g} in row {bad + 1}."
        )
    if high == 0:
        raise WeightError("sample_weight is zero everywhere: at least one row needs a weight.")
    if not WEIGHTS[0] <= high <= WEIGHTS[1]:
        raise WeightError(
            f"the largest sample_weight must be from {WEIGHTS[0]:g} to {WEIGHTS[1]:g}, got "
            f"{high:g}: scale them all."
        )
    if low == 0 and both:
        check_classes(positive, weight)
    return read_only(weight)


def part_of_rows(
    y_true: ArrayLike, y_score: ArrayLike, pos_label: Any, sample_weight: ArrayLike | None
) -> tuple[BoolArray, ScoreArray, FloatArray | None]:
    """Return the positive rows of a part of the data, with scores and weights, or raise an error.

    A class may be missing, or have no weight.
    """
    positive = positive_rows(y_true, pos_label, both=False)
    scores = score_array(y_score, "the scores", len(positive))
    if sample_weight is None:
        return positive, scores, None
    return positive, scores, weight_array(sample_weight, positive, both=False)


def check_classes(positive: BoolArray, weight: FloatArray | None) -> None:
    """Raise `LabelError` unless both classes occur among the rows, with weight."""
    for rows, name in ((positive, "positive"), (~positive, "negative")):
        counts = weight is None or bool(np.any((weight > 0) & rows))
        check_class(name, occurs=bool(rows.any()), counts=counts)


def check_class(name: str, *, occurs: bool, counts: bool) -> None:
    """Raise `LabelError` unless a class occurs, with weight."""
    if not occurs:
        raise LabelError(f"there is no {name} row: both classes are needed.")
    if not counts:
        raise LabelError(f"every {name} row has weight zero: both classes are needed.")


def row_numbers(rows: ArrayLike, count: int) -> IndexArray:
    """Positions of the chosen ones of `count` rows, or `SourceError` if there are no such rows."""
    asked = np.asarray(rows)
    if asked.dtype == bool and asked.shape == (count,):
        return np.flatnonzero(asked)
    inside = asked.ndim == 1 and asked.dtype.kind in "iu" and asked.size > 0
    if not inside or asked.min() < 0 or asked.max() >= count:
        raise SourceError(
            f"rows must be numbers from 0 to {count - 1}, or {count} truth values, got "
            f"{brief(rows)}."
        )
    return asked.astype(np.intp, copy=False)


def group_numbers(
    values: ArrayLike, rows: int, name: str = "groups", beside: str = "labels"
) -> IndexArray:
    """The cluster of each row as a number from 0, or `SourceError` unless each row has one."""
    groups = plain_objects(vector(values, name, SourceError))
    if len(groups) != rows:
        raise SourceError(f"{name} has {len(groups)} values for {rows} {beside}: give one a row.")
    missing = missing_row(groups)
    if missing is not None:
        raise SourceError(f"{name} has a missing value in row {missing + 1}: fill or drop it.")
    try:
        _, numbers = np.unique(groups, return_inverse=True)
    except UNLIKE:
        raise SourceError(f"{name} must be all numbers or all text, got {brief(values)}.") from None
    return read_only(numbers)


def check_model(model: str, models: Collection[str]) -> str:
    """Return the name of a model, or raise `ScoreError` if it has no scores."""
    if model not in models:
        names = ", ".join(map(repr, models))
        raise ScoreError(f"there are no scores of {model!r}: there are those of {names}.")
    return model
