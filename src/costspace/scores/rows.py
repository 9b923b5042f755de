"""Labels, scores and weights, validated once: where every question about rows starts."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import BoolArray, FloatArray, ScoreArray, read_only
from costspace.errors import CostspaceError, LabelError, ScoreError, WeightError, brief

# The pairs of labels of which 1 is the positive one without saying so.
_PLAIN_LABELS = ((0, 1), (-1, 1))
_LARGEST_EXACT_INTEGER = 2**53
# Products of two sums of weights must neither overflow nor vanish.
_WEIGHTS = (1e-100, 1e100)
_BLOCK = 1 << 16


@final
@dataclass(frozen=True, eq=False)
class ScoredRows:
    """Rows of predictions of one or more models.

    Attributes
    ----------
    positive : boolean array of shape (n,)
        Whether a row belongs to the positive class; both classes occur.
    scores : mapping of str to array of shape (n,)
        Each model's scores, float32 or float64, without NaN.
    weight : array of shape (n,) or None
        Non-negative, finite, not all zero in either class.
    """

    positive: BoolArray
    scores: Mapping[str, ScoreArray]
    weight: FloatArray | None = None

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_scores: Mapping[str, ArrayLike],
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> "ScoredRows":
        """Validate predictions.

        Parameters
        ----------
        y_true : array of shape (n,)
            Labels of two classes: 0/1, -1/1, booleans, or any two with `pos_label`.
        y_scores : mapping of str to array of shape (n,)
            Each model's scores, higher meaning more positive.
        pos_label : label, optional
            The label of the positive class.
        sample_weight : array of shape (n,), optional
            Non-negative, finite, not all zero in a class.

        Raises
        ------
        LabelError, ScoreError, WeightError
            If the input is not so; the message says what came and what to do.

        Examples
        --------
        >>> rows = ScoredRows.from_predictions(["no", "yes"], {"m": [0.2, 0.7]}, pos_label="yes")
        >>> rows.positive
        array([False,  True])
        """
        if not y_scores:
            raise ScoreError("there are no scores: give at least one model's.")
        if len({str(name) for name in y_scores}) < len(y_scores):
            raise ScoreError(f"two models have the same name: {brief(list(y_scores))}.")
        positive = _positive(_vector(y_true, "y_true", LabelError), pos_label)
        scores = {
            str(name): _scores(values, f"the scores of {name!r}", len(positive))
            for name, values in y_scores.items()
        }
        weight = None if sample_weight is None else _weight(sample_weight, positive)
        return cls(positive, scores, weight)

    def __len__(self) -> int:
        return len(self.positive)

    def class_weights(self) -> tuple[float, float]:
        """Weight of the negatives and of the positives; without weights, their numbers."""
        sides = (~self.positive, self.positive)
        if self.weight is None:
            negatives, positives = (float(np.count_nonzero(rows)) for rows in sides)
        else:
            negatives, positives = (float(np.sum(_of_rows(r, self.weight))) for r in sides)
        return negatives, positives

    def by_class(self, model: str) -> tuple[tuple[ScoreArray, FloatArray | None], ...]:
        """A model's scores and weights for the negatives and for the positives, as copies."""
        if model not in self.scores:
            names = ", ".join(map(repr, self.scores))
            raise ScoreError(f"there are no scores of {model!r}: there are those of {names}.")
        scores = self.scores[model]
        return tuple(
            (_of_rows(rows, scores), None if self.weight is None else _of_rows(rows, self.weight))
            for rows in (~self.positive, self.positive)
        )


def _of_rows(rows: BoolArray, values: NDArray[Any]) -> NDArray[Any]:
    """`values[rows]`, a block at a time: it saves an index as large as the values."""
    chosen = np.empty(np.count_nonzero(rows), dtype=values.dtype)
    filled = 0
    for start in range(0, len(values), _BLOCK):
        block = slice(start, start + _BLOCK)
        some = np.compress(rows[block], values[block])
        chosen[filled : filled + len(some)] = some
        filled += len(some)
    return chosen


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
            if array.ndim == 2 and array.shape[1] == 2
            else ""
        )
        raise error(f"{name} must have one dimension, got shape {array.shape}{hint}.")
    if array.size == 0:
        raise error(f"{name} must not be empty: nothing can be evaluated without rows.")
    return array


def _positive(labels: np.ndarray, pos_label: Any) -> BoolArray:
    """Tell the positive rows, and raise `LabelError` unless there are exactly two classes."""
    labels = _plain_objects(labels)
    missing = _missing(labels)
    if missing is not None:
        raise LabelError(f"y_true has a missing label in row {missing + 1}: fill or drop it.")
    if pos_label is None:
        pos_label = _usual_positive(labels)
    if np.ndim(pos_label) != 0:
        raise LabelError(f"pos_label must be one label, got {brief(pos_label)}.")
    positive = np.asarray(labels == pos_label)
    count = int(np.count_nonzero(positive)) if positive.shape == labels.shape else 0
    if count == 0:
        raise LabelError(
            f"pos_label {brief(pos_label)} is not among the labels: {_some(labels)}. Give the "
            "label of the positive class."
        )
    if count == len(labels):
        raise LabelError(
            f"there is only one class: every label is {brief(pos_label)}. Both classes are needed."
        )
    other = labels[np.argmin(positive)]
    if np.count_nonzero(labels == other) + count != len(labels):
        raise LabelError(f"the labels must be of two classes, got {_some(labels)}.")
    return positive


def _usual_positive(labels: np.ndarray) -> Any:
    """The positive label, 1, of labels that need no `pos_label`."""
    if labels.dtype.kind not in "biuf":
        kinds = _some(labels)
        raise LabelError(
            f"y_true has labels {kinds}: say which is the positive class with pos_label."
        )
    low, high = labels.min().item(), labels.max().item()
    if low == high:
        raise LabelError(f"there is only one class: every label is {low}. Both are needed.")
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


def _scores(values: ArrayLike, name: str, rows: int) -> ScoreArray:
    array = _vector(values, name, ScoreError)
    if len(array) != rows:
        raise ScoreError(f"{name} are {len(array)} for {rows} labels: give one for each row.")
    array = _as_float(array, name)
    # Adding up is one pass and is NaN if any score is, or if infinities of both signs meet.
    with np.errstate(invalid="ignore", over="ignore"):
        total = np.add.reduce(array)
    if np.isnan(total) and np.isnan(array).any():
        row = int(np.argmax(np.isnan(array))) + 1
        raise ScoreError(f"{name} have a missing value (NaN) in row {row}: fill or drop it.")
    return read_only(array)


def _as_float(array: np.ndarray, name: str) -> np.ndarray:
    kind = array.dtype.kind
    if kind == "f" and array.dtype.itemsize in (4, 8):
        return array.astype(array.dtype.newbyteorder("="), copy=False)
    if kind == "O":
        array = np.array([np.nan if _is_missing(x) else x for x in array], dtype=object)
    numbers = array.tolist() if kind == "O" else array
    if kind not in "biufO" or (kind == "O" and not all(map(_is_number, numbers))):
        came = array.dtype if kind != "O" else _some(array)
        raise ScoreError(f"{name} must be numbers, got {came}.")
    integers = [x for x in numbers if isinstance(x, int)] if kind == "O" else array
    if kind in "iuO" and len(integers) > 0:
        ends = (min(integers), max(integers)) if kind == "O" else (array.min(), array.max())
        if max(abs(int(end)) for end in ends) > _LARGEST_EXACT_INTEGER:
            raise ScoreError(f"{name} are integers beyond 2^53, which floats cannot tell apart.")
    return array.astype(np.float32 if array.dtype == np.float16 else float)


def _is_number(value: Any) -> bool:
    return isinstance(value, (Real, Decimal))


def _weight(values: ArrayLike, positive: BoolArray) -> FloatArray:
    weight = _vector(values, "sample_weight", WeightError)
    if len(weight) != len(positive):
        raise WeightError(
            f"sample_weight has {len(weight)} values for {len(positive)} labels: give one a row."
        )
    if weight.dtype.kind not in "biuf":
        raise WeightError(f"sample_weight must be numbers, got {weight.dtype}.")
    weight = weight.astype(float, copy=False)
    low, high = weight.min(), weight.max()
    if not (low >= 0 and high < np.inf):
        bad = int(np.argmin((weight >= 0) & np.isfinite(weight)))
        raise WeightError(
            f"sample_weight must be non-negative and finite, got {weight[bad]:g} in row {bad + 1}."
        )
    if high == 0:
        raise WeightError("sample_weight is zero everywhere: at least one row must count.")
    if not _WEIGHTS[0] <= high <= _WEIGHTS[1]:
        raise WeightError(
            f"the largest sample_weight must be from {_WEIGHTS[0]:g} to {_WEIGHTS[1]:g}, got "
            f"{high:g}: scale them all."
        )
    if low > 0:
        return read_only(weight)
    for rows, name in ((positive, "positive"), (~positive, "negative")):
        if not np.any((weight > 0) & rows):
            raise LabelError(f"every {name} row has weight zero: both classes are needed.")
    return read_only(weight)
