"""Labels, scores and weights, validated once: where every question about rows starts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import BoolArray, FloatArray, ScoreArray, read_only
from costspace.errors import CostspaceError, LabelError, ScoreError, WeightError

# The pairs of labels of which 1 is the positive one without saying so.
_PLAIN_LABELS = ((0, 1), (-1, 1))
_LARGEST_EXACT_INTEGER = 2**53
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
    array = np.asarray(values)
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
    if pos_label is None:
        pos_label = _usual_positive(labels)
    positive = np.asarray(labels == pos_label)
    if positive.shape != labels.shape:
        positive = np.zeros(labels.shape, dtype=bool)
    count = int(np.count_nonzero(positive))
    if count == 0:
        raise LabelError(
            f"pos_label {pos_label!r} is not among the labels: {_some(labels)}. Give the label "
            "of the positive class."
        )
    if count == len(labels):
        raise LabelError(
            f"there is only one class: every label is {pos_label!r}. Both classes are needed."
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
    if labels.dtype.kind == "b":
        low, high = int(labels.min()), int(labels.max())
    else:
        low, high = labels.min(), labels.max()
    if low == high:
        raise LabelError(f"there is only one class: every label is {low}. Both are needed.")
    if (low, high) not in _PLAIN_LABELS:
        if np.isnan(low):
            row = int(np.argmax(np.isnan(labels))) + 1
            raise LabelError(f"y_true has a missing label (NaN) in row {row}: fill or drop it.")
        raise LabelError(
            f"y_true has labels from {low} to {high}, not 0 and 1: say which is the positive "
            "class with pos_label."
        )
    return high


def _some(labels: np.ndarray) -> str:
    distinct = list(dict.fromkeys(labels[:100_000].tolist()))
    shown = ", ".join(repr(label) for label in distinct[:4])
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
        return array
    if kind in "iu" and max(abs(int(array.min())), abs(int(array.max()))) > _LARGEST_EXACT_INTEGER:
        raise ScoreError(f"{name} are integers beyond 2^53, which floats cannot tell apart.")
    if kind not in "biufO":
        raise ScoreError(f"{name} must be numbers, got {array.dtype}.")
    try:
        return array.astype(np.float32 if array.dtype == np.float16 else float)
    except (TypeError, ValueError):
        raise ScoreError(f"{name} must be numbers, got {_some(array)}.") from None


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
    if low > 0:
        return read_only(weight)
    for rows, name in ((positive, "positive"), (~positive, "negative")):
        if not np.any((weight > 0) & rows):
            raise LabelError(f"every {name} row has weight zero: both classes are needed.")
    return read_only(weight)
