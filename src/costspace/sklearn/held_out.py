"""Scores of held-out rows, by cross-validation or a split."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedShuffleSplit, check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import Parallel, delayed

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.checks import check_number
from costspace.errors import ConditionError, LabelError, brief
from costspace.scores.table import ScoreTable
from costspace.sklearn.response import scores_of, table_of_classifier

TrainAndTest = tuple[IndexArray, IndexArray]
Splits = Sequence[TrainAndTest]


@final
@dataclass(frozen=True, eq=False)
class Rows(FrozenValue):
    """Rows to fit on, with their labels and weights."""

    X: Any
    y: Any
    positive: BoolArray
    weight: FloatArray | None

    @property
    def prevalence(self) -> float:
        """Share of positives, as weighted."""
        return float(np.average(self.positive, weights=self.weight))

    def table(self, rows: IndexArray, scores: FloatArray) -> ScoreTable:
        """The table of the scores of some rows, or `LabelError` if they lack a class."""
        self._check_both(rows, "held out")
        return table_of_classifier(
            self.positive[rows], scores, None if self.weight is None else self.weight[rows]
        )

    def _check_both(self, rows: IndexArray, which: str) -> None:
        if self.positive[rows].all() or not self.positive[rows].any():
            raise LabelError(
                f"the {len(rows)} rows {which} have only one class, and both are needed: use fewer "
                "folds, or stratified ones."
            )

    def fitted(
        self, estimator: Any, params: Mapping[str, Any], rows: IndexArray | None = None
    ) -> Any:
        """A clone of a classifier, fitted on all rows, or on some that have both classes."""
        if rows is None:
            return clone(estimator).fit(self.X, self.y, **params)
        self._check_both(rows, "of a split to fit on")
        own = {
            name: _safe_indexing(value, rows) if _is_for_rows(value, len(self.positive)) else value
            for name, value in params.items()
        }
        return clone(estimator).fit(
            _safe_indexing(self.X, rows), _safe_indexing(self.y, rows), **own
        )


def splits_of(
    cv: Any, rows: Rows, random_state: Any, params: Mapping[str, Any]
) -> Iterator[TrainAndTest] | None:
    """The rows to fit on and to hold out, split by split; None if `cv` is "prefit".

    `ConditionError` if it is invalid. Splits are made lazily, and so are their errors.
    """
    if isinstance(cv, str):
        if cv != "prefit":
            raise ConditionError(f"cv must be a number, a splitter or 'prefit', got {brief(cv)}.")
        return None
    if isinstance(cv, float):
        share = check_number("cv as a share to hold out", cv, low=0, high=1, open_ends=True)
        cv = StratifiedShuffleSplit(n_splits=1, test_size=share, random_state=random_state)
    return iter(check_cv(cv, y=rows.y, classifier=True).split(rows.X, rows.y, **params))


@final
@dataclass(frozen=True, eq=False)
class ScoringClassifier:
    """A fitted classifier and the method that gives its scores."""

    estimator: Any
    method: str  # {"predict_proba", "decision_function"}
    positive: Any  # the positive one of its classes
    table: ScoreTable | None = None  # scores of rows that it was not fitted on

    def scores(self, X: Any) -> FloatArray:
        """The scores of some rows."""
        return scores_of(self.estimator, X, self.method, self.positive)

    def on(self, rows: Rows) -> "ScoringClassifier":
        """The same with the scores of rows that it was not fitted on."""
        every = np.arange(len(rows.positive))
        return replace(self, table=rows.table(every, self.scores(rows.X)))

    def fitted(self, rows: Rows, params: Mapping[str, Any]) -> "ScoringClassifier":
        """The same with a clone of the classifier, fitted on all rows."""
        return replace(self, estimator=rows.fitted(self.estimator, params))

    def held_out(
        self, rows: Rows, splits: Splits, params: Mapping[str, Any], n_jobs: int | None
    ) -> "ScoringClassifier":
        """The first of the clones fitted on parts of the rows, with the scores of held-out rows."""
        found = Parallel(n_jobs=n_jobs)(
            delayed(_held_out)(self, rows, split, params) for split in splits
        )
        tests = np.concatenate([test for _, test in splits])
        scores = np.concatenate([scores for _, scores in found])
        return replace(self, estimator=found[0][0], table=rows.table(tests, scores))


def _held_out(
    scorer: ScoringClassifier, rows: Rows, split: TrainAndTest, params: Mapping[str, Any]
) -> tuple[Any, FloatArray]:
    train, test = split
    fitted = rows.fitted(scorer.estimator, params, train)
    return fitted, replace(scorer, estimator=fitted).scores(_safe_indexing(rows.X, test))


def _is_for_rows(value: object, rows: int) -> bool:
    """Whether a parameter of fit has one entry for each row."""
    if isinstance(value, str) or not hasattr(value, "__len__"):
        return False
    return bool(np.shape(value)[:1] == (rows,)) if hasattr(value, "shape") else len(value) == rows
