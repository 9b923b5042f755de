"""What the caller gives as labels, scores, weights and costs, checked, in the package's types."""

from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import EXACT, BoolArray, FloatArray, Floats, IndexArray, ScoreArray, read_only
from costspace.condition import check_number
from costspace.errors import (
    ConditionError,
    CostspaceError,
    LabelError,
    ScoreError,
    SourceError,
    WeightError,
    brief,
)

# The pairs of labels of which 1 is the positive one without saying so.
_PLAIN_LABELS = ((0, 1), (-1, 1))
# Products of two sums of weights must neither overflow nor vanish.
WEIGHTS = (1e-100, 1e100)


def _vector(values: ArrayLike, name: str, error: type[CostspaceError]) -> np.ndarray:
    if np.ma.is_masked(values):
        row = int(np.argmax(np.ma.getmaskarray(np.ma.asarray(values)))) + 1
        raise error(f"{name} has a missing value (masked) in row {row}: fill or drop it.")
    try:
        array = np.asarray(values)
    except ValueError:
        raise error(f"{name} must have one dimension, got {brief(values)}.") from None
    if array.ndim != 1:
        hint = (
            ": of predict_proba's columns pass the positive class's"
            if error is ScoreError and array.ndim == 2 and array.shape[1] == 2
            else ""
        )
        raise error(f"{name} must have one dimension, got shape {array.shape}{hint}.")
    if array.size == 0:
        raise error(f"{name} must not be empty: nothing can be evaluated without rows.")
    return array


def positive_rows(y_true: ArrayLike, pos_label: Any, *, both: bool = True) -> BoolArray:
    """Tell the positive rows, or raise `LabelError` unless there are exactly two classes.

    Without `both`, one of the two may be missing.
    """
    labels = _plain_objects(_vector(y_true, "y_true", LabelError))
    missing = _missing(labels)
    if missing is not None:
        raise LabelError(f"y_true has a missing label in row {missing + 1}: fill or drop it.")
    if pos_label is None:
        pos_label = _usual_positive(labels, both=both)
        if labels.dtype.kind in "biu" and labels.min() == 0:
            # Between 0 and 1 there is nothing else.
            return labels == 1
    if np.ndim(pos_label) != 0:
        raise LabelError(f"pos_label must be one label, got {brief(pos_label)}.")
    positive = np.asarray(labels == pos_label)
    count = int(np.count_nonzero(positive)) if positive.shape == labels.shape else 0
    if count == 0 and both:
        raise LabelError(
            f"pos_label {brief(pos_label)} is not among the labels: {_some(labels)}. Give the "
            "label of the positive class."
        )
    if count == len(labels):
        if not both:
            return positive
        raise LabelError(
            f"there is only one class: every label is {brief(pos_label)}. Both classes are needed."
        )
    other = labels[np.argmin(positive)]
    if np.count_nonzero(labels == other) + count != len(labels):
        raise LabelError(f"the labels must be of two classes, got {_some(labels)}.")
    return positive


def _usual_positive(labels: np.ndarray, *, both: bool) -> Any:
    """The positive label, 1, of labels that need no `pos_label`."""
    if labels.dtype.kind not in "biuf":
        kinds = _some(labels)
        raise LabelError(
            f"y_true has labels {kinds}: say which is the positive class with pos_label."
        )
    low, high = labels.min().item(), labels.max().item()
    if low == high:
        if both:
            raise LabelError(f"there is only one class: every label is {low}. Both are needed.")
        if low in (-1, 0, 1):
            return type(low)(1)
    if (low, high) not in _PLAIN_LABELS:
        raise LabelError(
            f"y_true has labels from {low} to {high}, not 0 and 1: say which is the positive "
            "class with pos_label."
        )
    return high


def _plain_objects(labels: np.ndarray) -> np.ndarray:
    """Labels stored as objects in the type that they share, if they share one."""
    if labels.dtype.kind != "O" or len({type(label) for label in labels}) > 1:
        return labels
    plain = np.asarray(labels.tolist())
    return plain if plain.shape == labels.shape else labels


def _missing(labels: np.ndarray) -> int | None:
    """The first row without a label."""
    if labels.dtype.kind == "f":
        # The sum tells in one pass.
        missing = np.isnan(labels) if np.isnan(np.sum(labels)) else np.zeros(1, dtype=bool)
    elif labels.dtype.kind == "O":
        missing = np.array([_is_missing(label) for label in labels])
    else:
        return None
    return int(np.argmax(missing)) if missing.any() else None


def _is_missing(label: Any) -> bool:
    try:
        return label is None or bool(label != label)  # noqa: PLR0124  (only NaN differs from itself)
    except TypeError:
        # pandas.NA is neither equal nor unequal to anything.
        return True


def _some(labels: np.ndarray) -> str:
    distinct = list(dict.fromkeys(labels.tolist()))
    shown = ", ".join(brief(label) for label in distinct[:4])
    return shown + (f" and {len(distinct) - 4} more" if len(distinct) > 4 else "")


def score_array(values: ArrayLike, name: str, rows: int) -> ScoreArray:
    """Scores as float32 or float64, or `ScoreError` unless they are one number for each row."""
    array = _vector(values, name, ScoreError)
    if len(array) != rows:
        raise ScoreError(f"{name} are {len(array)} for {rows} labels: give one for each row.")
    array = _as_float(array, name, ScoreError)
    # Adding up is one pass and is NaN if any score is, or if infinities of both signs meet.
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
    array = _vector(values, name, ConditionError)
    costs = _as_float(array, f"values of {name}", ConditionError).astype(float, copy=False)
    finite = np.isfinite(costs)
    if not finite.all():
        row = int(np.argmin(finite))
        raise ConditionError(
            f"{name} must be finite, got {costs[row]:g} in row {row + 1}: fill or drop it."
        )
    return read_only(costs)


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
    return array.astype(np.float32 if array.dtype == np.float16 else float)


def _unlike_numbers(array: np.ndarray) -> str:
    is_text = array.dtype.kind in "UST"
    return f"text such as {brief(array[:1].tolist()[0])}" if is_text else str(array.dtype)


def _objects_as_float(array: np.ndarray, name: str, error: type[CostspaceError]) -> np.ndarray:
    values = [np.nan if _is_missing(value) else value for value in array]
    if not all(isinstance(value, (Real, Decimal)) for value in values):
        raise error(f"{name} must be numbers, got {_some(array)}.")
    integers = [int(value) for value in values if isinstance(value, Integral)]
    _check_exact(name, min(integers, default=0), max(integers, default=0), error)
    return np.array([float(value) for value in values])


def _check_exact(name: str, low: int, high: int, error: type[CostspaceError]) -> None:
    if max(-low, high) > EXACT:
        raise error(f"{name} are integers beyond 2^53, which floats cannot tell apart.")


def weight_array(values: ArrayLike, positive: BoolArray, *, both: bool = True) -> FloatArray:
    """Weights as float64, or an error unless there is one for each row and both classes count.

    Without `both`, one class need not count.
    """
    weight = _vector(values, "sample_weight", WeightError)
    if len(weight) != len(positive):
        raise WeightError(
            f"sample_weight has {len(weight)} values for {len(positive)} labels: give one a row."
        )
    if weight.dtype.kind not in "biuf":
        raise WeightError(f"sample_weight must be numbers, got {_unlike_numbers(weight)}.")
    weight = weight.astype(float, copy=False)
    low, high = weight.min(), weight.max()
    if not (low >= 0 and high < np.inf):
        bad = int(np.argmin((weight >= 0) & np.isfinite(weight)))
        raise WeightError(
            f"sample_weight must be non-negative and finite, got {weight[bad]:g} in row {bad + 1}."
        )
    if high == 0:
        raise WeightError("sample_weight is zero everywhere: at least one row must count.")
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
    """Tell the positive rows of a part of the data, their scores and weights, or raise an error.

    A class may be missing, or have no weight.
    """
    positive = positive_rows(y_true, pos_label, both=False)
    scores = score_array(y_score, "y_score", len(positive))
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
    """Which of `count` rows are asked for, or `SourceError` unless they are among them."""
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


def group_numbers(values: ArrayLike, rows: int) -> IndexArray:
    """The cluster of each row by a number from 0, or `SourceError` unless each row has one."""
    groups = _plain_objects(_vector(values, "groups", SourceError))
    if len(groups) != rows:
        raise SourceError(f"groups has {len(groups)} values for {rows} labels: give one a row.")
    missing = _missing(groups)
    if missing is not None:
        raise SourceError(f"groups has a missing value in row {missing + 1}: fill or drop it.")
    try:
        _, numbers = np.unique(groups, return_inverse=True)
    except TypeError:
        raise SourceError(
            f"groups must be of one kind that can be sorted, numbers or text, got {brief(values)}."
        ) from None
    return read_only(numbers)
