"""The data of displays: labels and scores of rows, together or in folds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils.validation import check_is_fitted

from costspace.arrays import FrozenValue, IndexArray
from costspace.errors import ConditionError, brief
from costspace.scores.table import ScoreTable
from costspace.sklearn.response import (
    method_of,
    positive_class,
    scores_of,
    table_of_classifier,
)

_KEYS = ("estimator", "indices")


@final
@dataclass(frozen=True, eq=False)
class Scored(FrozenValue):
    """Rows that a classifier scored."""

    # Shape (n,)
    y_true: ArrayLike
    y_score: ArrayLike
    weight: ArrayLike | None  # shape (n,)
    pos_label: object  # the label of the positive class, None for labels 0/1, -1/1 or boolean
    # The class of the classifier that scored them, None if scores were given.
    classifier: str | None = None

    @cached_property
    def table(self) -> ScoreTable:
        """Their scores, sorted by class."""
        if self.classifier is not None:
            return table_of_classifier(self.y_true, self.y_score, self.weight, self.pos_label)
        return ScoreTable.from_predictions(
            self.y_true, self.y_score, pos_label=self.pos_label, sample_weight=self.weight
        )


@final
@dataclass(frozen=True, eq=False)
class Folds(FrozenValue):
    """Rows in parts, each scored by its own classifier; or in one part."""

    parts: tuple[Scored, ...]
    # The rows of the data in each part; empty if there is one part.
    rows: tuple[IndexArray, ...] = ()

    @classmethod
    def given(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike | None,
        weight: ArrayLike | None,
        pos_label: object,
    ) -> "Folds":
        """Predictions as one part."""
        if y_score is None:
            raise ConditionError("y_score is missing: give y_true and y_score.")
        return cls((Scored(y_true, y_score, weight, pos_label),))

    @property
    def tables(self) -> list[ScoreTable]:
        """The scores of each part."""
        return [part.table for part in self.parts]

    @cached_property
    def pooled(self) -> Scored:
        """All rows as one part."""
        first, *others = self.parts
        if not others:
            return first
        weights = [part.weight for part in self.parts if part.weight is not None]
        return Scored(
            np.concatenate([np.asarray(part.y_true) for part in self.parts]),
            np.concatenate([np.asarray(part.y_score) for part in self.parts]),
            np.concatenate([np.asarray(weight) for weight in weights]) if weights else None,
            first.pos_label,
            first.classifier,
        )


def scored_by(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike | None,
    methods: Sequence[str],
    asked_by: object,
    pos_label: object,
) -> Scored:
    """Rows as a fitted classifier scores them."""
    check_is_fitted(estimator)
    method = method_of(estimator, methods, asked_by)
    positive = positive_class(estimator.classes_, pos_label)
    scores = scores_of(estimator, X, method, positive)
    return Scored(y, scores, sample_weight, positive, type(estimator).__name__)


def scored_in_folds(
    cv_results: Any,
    X: Any,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike | None,
    methods: Sequence[str],
    asked_by: object,
    pos_label: object,
) -> Folds:
    """The test rows of each fold of a cross-validation, scored by the classifier of that fold."""
    if not isinstance(cv_results, Mapping) or not all(key in cv_results for key in _KEYS):
        raise ConditionError(
            "cv_results must be the result of cross_validate(..., return_estimator=True, "
            f"return_indices=True), got {brief(cv_results)}."
        )
    X, y, sample_weight = indexable(X, y, sample_weight)
    rows = tuple(np.asarray(test) for test in cv_results["indices"]["test"])
    last, given = max(int(test.max()) for test in rows), np.shape(y)[0]
    if last >= given:
        raise ConditionError(
            f"row {last} was cross-validated, but only {given} rows are given: give all of them."
        )
    parts = tuple(
        scored_by(
            estimator,
            _safe_indexing(X, test),
            _safe_indexing(y, test),
            sample_weight=None if sample_weight is None else _safe_indexing(sample_weight, test),
            methods=methods,
            asked_by=asked_by,
            pos_label=pos_label,
        )
        for estimator, test in zip(cv_results["estimator"], rows, strict=True)
    )
    return Folds(parts, rows)
