"""The scores that a fitted classifier gives to rows, higher meaning more positive."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray
from costspace.choices import ThresholdChoice
from costspace.errors import LabelError, ScoreError, brief, warn_of, without_data_warnings
from costspace.samples.labels import one_is_positive
from costspace.scores.table import ScoreTable

PROBABILITIES = ("predict_proba",)
# The preferences of scikit-learn: where only ranks matter, and where probabilities are better.
RANKS = ("decision_function", "predict_proba")
ANY = ("predict_proba", "decision_function")


def methods_for(choice: ThresholdChoice, any_scale: tuple[str, ...] = ANY) -> tuple[str, ...]:
    """The methods of a classifier whose scores a threshold choice method can use, best first."""
    return any_scale if choice.by_rank else PROBABILITIES


def methods_named(name: str, usual: tuple[str, ...]) -> tuple[str, ...]:
    """The methods that `response_method` names, or `ScoreError`; the usual ones if it is "auto"."""
    if name == "auto":
        return usual
    if name not in ANY:
        raise ScoreError(
            f"response_method must be 'auto', {' or '.join(map(repr, ANY))}, got {brief(name)}."
        )
    return (name,)


def method_of(estimator: Any, methods: Sequence[str], asked_by: object) -> str:
    """The first of some methods that a classifier has, or `ScoreError` of what is `asked_by`."""
    for method in methods:
        if hasattr(estimator, method):
            return method
    what = " or ".join(methods)
    advice = (
        "wrap it in CalibratedClassifierCV, or use a rank-based or optimal choice"
        if tuple(methods) == PROBABILITIES
        else "use a classifier that scores"
    )
    raise ScoreError(
        f"{brief(asked_by)} needs {what}, which {type(estimator).__name__} does not have: {advice}."
    )


def positive_class(classes: Any, pos_label: object) -> Any:
    """The positive one of two classes: 1, unless given.

    Raises
    ------
    LabelError
        If there are not two classes, if `pos_label` is missing for other labels than 0/1, -1/1 or
        boolean, or if it is not one of the labels.
    """
    known = np.asarray(classes).tolist()
    if len(known) != 2:
        raise LabelError(
            f"Only binary classification is supported: there are {len(known)} classes, "
            f"{brief(known)}."
        )
    if pos_label is None:
        # Only as numbers: the text "1" has no special meaning.
        if not one_is_positive(*known):
            raise LabelError(
                f"the classes are {brief(known[0])} and {brief(known[1])}: say which is the "
                "positive one with pos_label."
            )
        return classes[1]
    if pos_label not in known:
        raise LabelError(f"pos_label={brief(pos_label)} is not a class: they are {brief(known)}.")
    return pos_label


def scores_of(estimator: Any, X: Any, method: str, pos_label: object) -> FloatArray:
    """The scores of a fitted classifier, higher for that of its two classes that is positive."""
    found = np.asarray(getattr(estimator, method)(X))
    second = pos_label == estimator.classes_[1]
    if method == "predict_proba":
        return found[:, int(second)]
    return found if second else -found


def table_of_classifier(
    y_true: ArrayLike, scores: ArrayLike, weight: ArrayLike | None, pos_label: object = None
) -> ScoreTable:
    """The table of a classifier's scores, with a `DataWarning` if they look wrong.

    The usual advice, to use probabilities, is for given predictions; this one is for classifiers.
    """
    with without_data_warnings():
        table = ScoreTable.from_predictions(
            y_true, scores, pos_label=pos_label, sample_weight=weight
        )
    if table.looks and table.score_range == (0, 1):
        warn_of(
            "the classifier gives only the scores 0 and 1, like a full-grown tree, so they do not "
            "rank the rows: limit its depth, or calibrate it."
        )
    elif table.looks:
        warn_of(f"classifier: {table.looks}")
    return table
