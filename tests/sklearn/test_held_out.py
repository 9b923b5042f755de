"""Which rows are held out, and what is fitted on the others."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from classifying import Told, rows
from refusals import refused
from sklearn.model_selection import (
    KFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_predict,
)

import costspace as cs
from costspace import ConditionError, LabelError
from costspace.decision.rules.written import written
from costspace.sklearn import ThresholdChoiceClassifier
from costspace.sklearn.held_out import Rows, splits_of

X, Y = rows(60)
ROWS = Rows(X, Y, Y == 1, None)


def splits(cv: Any, seed: Any = None) -> list[tuple[list[int], list[int]]]:
    found = splits_of(cv, ROWS, seed, {})
    assert found is not None
    return [(train.tolist(), test.tolist()) for train, test in found]


def as_lists(splitter: Any) -> list[tuple[list[int], list[int]]]:
    return [(train.tolist(), test.tolist()) for train, test in splitter.split(X, Y)]


def test_ways_to_split() -> None:
    assert splits(None) == as_lists(StratifiedKFold(5))
    assert splits(3) == as_lists(StratifiedKFold(3))
    assert splits(KFold(4)) == as_lists(KFold(4))
    share = StratifiedShuffleSplit(n_splits=1, test_size=0.25, random_state=7)
    assert splits(0.25, 7) == as_lists(share)
    assert splits(share) == as_lists(share)
    assert splits(list(KFold(4).split(X))) == as_lists(KFold(4))
    assert splits(KFold(4).split(X)) == as_lists(KFold(4))
    assert splits_of("prefit", ROWS, None, {}) is None


@pytest.mark.parametrize("cv", [0.0, 1.0, 1.5, float("nan")])
def test_shares_that_are_none(cv: float) -> None:
    with refused(ConditionError, "cv as a share to hold out must be in (0, 1), got"):
        splits_of(cv, ROWS, None, {})


def test_words_that_are_no_way_to_split() -> None:
    with refused(ConditionError, "cv must be a number, a splitter or 'prefit', got 'fitted'."):
        splits_of("fitted", ROWS, None, {})


def test_what_belongs_to_rows_is_split_with_them() -> None:
    some = np.array([5, 1, 9, *np.flatnonzero(Y)])
    each = np.arange(60.0)
    params = {
        "array": each,
        "listed": each.tolist(),
        "series": pd.Series(each),
        "square": np.stack([each, each], axis=1),
        "word": "x" * 60,
        "number": 3,
        "short": [1, 2],
        "nothing": None,
    }
    kept = ROWS.fitted(Told(), params, some).params_
    for name in ("array", "listed", "series"):
        assert np.asarray(kept[name]).tolist() == some.tolist()
    assert kept["square"].shape == (len(some), 2)
    for name in ("word", "number", "short", "nothing"):
        assert kept[name] == params[name]
    assert ROWS.fitted(Told(), params).params_ == params


def test_prevalence_is_as_weighted() -> None:
    weight = np.where(Y == 1, 3.0, 1.0)
    assert ROWS.prevalence == Y.mean()
    assert Rows(X, Y, Y == 1, weight).prevalence == pytest.approx(
        weight[Y == 1].sum() / sum(weight)
    )


@pytest.mark.parametrize("label", [0, 1])
def test_splits_of_one_class(label: int) -> None:
    one, every = np.flatnonzero(label == Y), np.arange(60)
    choice = cs.Optimal()
    said = f"the {len(one)} rows of a split to fit on have only one class, and both are needed"
    with refused(LabelError, said):
        ThresholdChoiceClassifier(Told(), choice=choice, cv=[(one, every)]).fit(X, Y)
    said = f"the {len(one)} rows held out have only one class, and both are needed"
    with refused(LabelError, said):
        ThresholdChoiceClassifier(Told(), choice=choice, cv=[(every, one)]).fit(X, Y)
    # Of the held-out rows together, both have to be there.
    other = np.flatnonzero(label != Y)
    cv = [(every, one), (every, other)]
    fitted = ThresholdChoiceClassifier(Told(), choice=choice, cv=cv).fit(X, Y)
    whole = cs.ScoreTable.from_predictions(Y, X[:, 0])
    rule = cs.threshold_path(whole.with_prevalence(0.5), choice=choice).rule_at(0.3)
    assert fitted.threshold_at(0.3, prevalence=0.5) == written(rule, whole).thresholds[0]


def test_scores_are_of_rows_that_were_not_fitted_on() -> None:
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(min_samples_leaf=3, random_state=0)
    fitted = ThresholdChoiceClassifier(tree, choice=cs.Optimal(), cv=4).fit(X, Y)
    scores = cross_val_predict(tree, X, Y, cv=4, method="predict_proba")[:, 1]
    expected = cs.ScoreTable.from_predictions(Y, scores)
    for metric in (cs.auc, cs.brier_score, cs.refinement_loss):
        assert metric(fitted.score_table_) == metric(expected)
    assert fitted.estimator_.score(X, Y) > cs.accuracy(expected)
