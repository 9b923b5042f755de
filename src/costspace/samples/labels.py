"""Which rows are positive, from labels of two classes."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray
from costspace.errors import LabelError, brief
from costspace.samples.vectors import (
    UNLIKE,
    distinct,
    equal_to,
    first_few,
    missing_row,
    plain_objects,
    vector,
)

# Labels in a block, few enough to stay in the processor's cache.
_BLOCK = 1 << 15
# The pairs of labels in which 1 is positive by default.
_PLAIN_LABELS = ((0, 1), (-1, 1))


def positive_rows(y_true: ArrayLike, pos_label: Any, *, both: bool = True) -> BoolArray:
    """Tell the positive rows, or raise `LabelError` unless there are exactly two classes.

    Without `both`, one of the two may be missing.
    """
    labels = plain_objects(vector(y_true, "y_true", LabelError))
    missing = missing_row(labels)
    if missing is not None:
        raise LabelError(f"y_true has a missing label in row {missing + 1}: fill or drop it.")
    if pos_label is None:
        low, pos_label = _usual_labels(labels, both=both)
        if labels.dtype.kind in "biu" and low == 0:
            # Integers from 0 to 1 can only be 0 and 1.
            return labels == 1
    if not _is_one(pos_label):
        raise LabelError(f"pos_label must be one label, got {brief(pos_label)}.")
    positive = equal_to(labels, pos_label)
    count = int(np.count_nonzero(positive))
    if count == 0 and both:
        _check_two_classes(labels)
        raise LabelError(
            f"pos_label {brief(pos_label)} is not among the labels: {first_few(distinct(labels))}. "
            "Give the label of the positive class."
        )
    if count == len(labels):
        if not both:
            return positive
        raise LabelError(
            f"there is only one class: every label is {brief(pos_label)}. Both classes are needed."
        )
    other = labels[np.argmin(positive)]
    if np.count_nonzero(equal_to(labels, other)) + count != len(labels):
        _check_two_classes(labels)
        raise LabelError(f"the labels must be of two classes, got {first_few(distinct(labels))}.")
    return positive


def _is_one(label: Any) -> bool:
    try:
        return np.ndim(label) == 0
    except UNLIKE:
        return False


def _usual_labels(labels: np.ndarray, *, both: bool) -> tuple[Any, Any]:
    """The least label, and the positive one, 1, of labels that need no `pos_label`."""
    if labels.dtype.kind not in "biuf":
        _check_two_classes(labels)
        raise LabelError(
            f"y_true has labels {first_few(distinct(labels))}: say which is the positive class "
            "with pos_label."
        )
    low, high = _ends(labels)
    if low == high:
        if both:
            raise LabelError(f"there is only one class: every label is {low}. Both are needed.")
        if low in (-1, 0, 1):
            return low, type(low)(1)
    if not one_is_positive(low, high):
        _check_two_classes(labels)
        hint = ", or, if these are scores, give y_true first" if _has_fractions(labels) else ""
        raise LabelError(
            f"y_true has labels from {low} to {high}, not 0 and 1: say which is the positive "
            f"class with pos_label{hint}."
        )
    return low, high


def _ends(labels: np.ndarray) -> tuple[Any, Any]:
    """The least and the greatest label; memory is read once for both."""
    blocks = [labels[i : i + _BLOCK] for i in range(0, len(labels), _BLOCK)]
    ends = [(block.min().item(), block.max().item()) for block in blocks]
    return min(low for low, _ in ends), max(high for _, high in ends)


def one_is_positive(first: Any, second: Any) -> bool:
    """Whether 1 is the positive label of two by default."""
    return (first, second) in _PLAIN_LABELS


def _has_fractions(labels: np.ndarray) -> bool:
    return labels.dtype.kind == "f" and bool(np.any(labels != np.rint(labels)))


def _check_two_classes(labels: np.ndarray) -> None:
    """Raise `LabelError` if there are more than two classes."""
    kinds = distinct(labels)
    if len(kinds) <= 2:
        return
    if _has_fractions(labels):
        raise LabelError(
            f"the labels must be of two classes, got {first_few(kinds)}, which look like scores: "
            "give y_true first, then the scores."
        )
    raise LabelError(
        f"the labels must be of two classes, got {first_few(kinds)}: to tell one class from the "
        "rest, give y_true == label."
    )
