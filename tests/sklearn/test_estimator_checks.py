"""What scikit-learn asks of every estimator, without an expected failure."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from costspace.sklearn import HybridClassifier, ThresholdChoiceClassifier

CHECKS = parametrize_with_checks(
    [
        ThresholdChoiceClassifier(LogisticRegression()),
        HybridClassifier([("logistic", LogisticRegression()), ("bayes", GaussianNB())]),
    ]
)


# A check of scikit-learn 1.6 has fewer rows of a class than folds.
@pytest.mark.filterwarnings("ignore:The least populated class:UserWarning")
# A list, since pytest warns of the generator that scikit-learn 1.6 gives it.
@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), **CHECKS.kwargs)
def test_as_scikit_learn_checks(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


def test_both_classifiers_have_the_same_options() -> None:
    first, second = (
        list(inspect.signature(kind).parameters.values())
        for kind in (ThresholdChoiceClassifier, HybridClassifier)
    )
    assert [one.name for one in (first.pop(0), second.pop(0))] == ["estimator", "estimators"]
    assert [str(one) for one in first] == [str(one) for one in second]
    assert {one.kind for one in first} == {inspect.Parameter.KEYWORD_ONLY}
