"""Scores that look like labels, predicted classes or a constant instead of a model's scores."""

import numpy as np

from costspace.arrays import BoolArray, ScoreArray
from costspace.errors import warn_of
from costspace.samples.class_sample import ClassSample

# Common pairs of numbers for two classes.
_CLASSES = ((0.0, 1.0), (-1.0, 1.0), (1.0, 2.0))
# If so many rows show more than two values, the others are not checked.
_FIRST = 64


def warn_of_scores(positive: BoolArray, scores: ScoreArray, name: str) -> None:
    """Warn if the scores of rows look like labels or predicted classes, or are all the same."""
    some = scores[:_FIRST]
    low, high = some.min(), some.max()
    if np.any((some != low) & (some != high)):
        return
    low, high = scores.min(), scores.max()
    if np.all((scores == low) | (scores == high)):
        of_negatives, of_positives = scores[~positive], scores[positive]
        sides = ((side.min(), side.max()) for side in (of_negatives, of_positives))
        if text := _said(*sides):
            warn_of(f"{name}: {text}")


def looks_of(negatives: ClassSample, positives: ClassSample) -> str:
    """A sentence on what the scores of two classes look like; empty if like scores."""
    sides = tuple((side.values[0], side.values[-1]) for side in (negatives, positives))
    if all(_has_only_ends(side) for side in (negatives, positives)):
        return _said(*sides)
    return ""


def looks_of_one(score: float) -> str:
    """The sentence if there is only one score."""
    return f"every score is {score:g}: the model does not distinguish rows."


def _has_only_ends(sample: ClassSample) -> bool:
    """Whether the lowest and the highest score are the only ones."""
    values = sample.values
    of_lowest = np.searchsorted(values, values[0], side="right")
    return bool(of_lowest == len(values) or values[of_lowest] == values[-1])


def _said(negatives: tuple[float, float], positives: tuple[float, float]) -> str:
    """The sentence if each class has only its lowest and its highest score."""
    ends = sorted({float(end) for side in (negatives, positives) for end in side})
    if len(ends) == 1:
        return looks_of_one(ends[0])
    if tuple(ends) not in _CLASSES:
        return ""
    low, high = ends
    if negatives[0] == negatives[1] and positives[0] == positives[1]:
        return (
            f"the scores are {low:g} in one class and {high:g} in the other: they look like the "
            "labels, not like a model's scores."
        )
    return (
        f"the only scores are {low:g} and {high:g}: they look like predicted classes. Use scores "
        "that rank the rows, such as predict_proba's column of the positive class."
    )
