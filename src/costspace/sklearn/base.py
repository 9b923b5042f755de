"""The common base of cost-sensitive classifiers."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from costspace.arrays import BoolArray, FloatArray, Floats
from costspace.decision.rules.rule import Rule
from costspace.errors import warn_of
from costspace.sklearn.condition import Condition
from costspace.sklearn.fitting import FittedWithThresholds, Thresholds


def usually_has(method: str) -> Callable[["ConditionalClassifier"], bool]:
    """A check that the classifier in use has a method."""

    def has(classifier: "ConditionalClassifier") -> bool:
        for estimator in classifier._usually_used():
            # Not hasattr: the estimator's own error about the missing method must reach the user.
            getattr(estimator, method)
        return True

    return has


class ConditionalClassifier(FittedWithThresholds):
    """A classifier whose `predict` takes costs and prevalence."""

    @abstractmethod
    def _usually_used(self) -> list[Any]:
        """The classifier in use at the usual condition; before fitting, all candidates."""

    @abstractmethod
    def _flagged(self, X: Any, asked: Condition) -> BoolArray:
        """Which rows are flagged at a condition."""

    @abstractmethod
    def _thresholds_of(self, cost_proportion: Floats, prevalence: Floats) -> Thresholds:
        """The thresholds to use at one condition."""

    def _asked(self, *asked: ArrayLike | None) -> Condition:
        """The condition of a call to a fitted classifier."""
        check_is_fitted(self)
        if any(each is not None for each in asked):
            # Fitting may not have needed the positive class.
            self._positive_class()
        return Condition(*asked).over(self._usual)

    def predict(
        self,
        X: Any,
        *,
        cost_proportion: ArrayLike | None = None,
        fp_cost: ArrayLike | None = None,
        fn_cost: ArrayLike | None = None,
        prevalence: ArrayLike | None = None,
    ) -> NDArray[Any]:
        """Decide at an operating condition.

        Parameters
        ----------
        X : array-like of shape (n, features)
        cost_proportion : float or array of shape (n,) in [0, 1], optional
            For all cases, or for each; the usual costs if neither it nor costs are given.
        fp_cost, fn_cost : float or array of shape (n,), positive, optional
            Both, instead of the proportion.
        prevalence : float or array of shape (n,) in (0, 1), optional
            Share of positives at deployment; the usual one by default.

        Returns
        -------
        array of shape (n,)
            Labels.

        Raises
        ------
        ConditionError, LabelError
            If costs or prevalences are out of range, or given without a positive class.

        Warns
        -----
        DataWarning
            If no costs are given, here or to the classifier, and no decision that has them: both
            mistakes are taken to cost the same, and the warning has the rule that is used.
        """
        asked = self._asked(cost_proportion, fp_cost, fn_cost, prevalence)
        self._tell_of_equal_costs(asked)
        flagged = self._flagged(X, asked)
        second = self.positive_ == self.classes_[1]
        return self.classes_.take((flagged if second else ~flagged).view(np.int8))

    def _tell_of_equal_costs(self, asked: Condition) -> None:
        """Warn that costs are taken to be equal, where thresholds follow them."""
        given = asked.cost_proportion is not None or asked.fp_cost is not None
        if given or self.decision is not None or "costs" not in self._choice.sees:
            return
        own: Any = asked.prevalence
        used = "" if np.ndim(own) else f", to {self.rule_at(prevalence=own)}"
        warn_of(
            f"predict was given no costs, and takes both mistakes to cost the same{used}: give "
            "fp_cost and fn_cost, or cost_proportion=0.5 where they do."
        )

    def rule_at(
        self,
        cost_proportion: float | None = None,
        *,
        fp_cost: float | None = None,
        fn_cost: float | None = None,
        prevalence: float | None = None,
    ) -> Rule:
        """The rule at one operating condition, for the scores of the classifier in use.

        Parameters
        ----------
        cost_proportion, fp_cost, fn_cost, prevalence : float, optional
            As for `predict`.

        Returns
        -------
        Rule

        Raises
        ------
        ConditionError, LabelError
            If costs or the prevalence are out of range, or given without a positive class.
        """
        return self._rule_at(self._asked(cost_proportion, fp_cost, fn_cost, prevalence))

    def _rule_at(self, asked: Condition) -> Rule:
        values = asked.one(self.prevalence_)
        return self._thresholds_of(*values).rules(*values).one

    @available_if(usually_has("predict_proba"))
    def predict_proba(self, X: Any) -> FloatArray:
        """Probabilities of the classes, of the classifier in use at the usual condition."""
        return self._usual_estimator.predict_proba(X)

    @available_if(usually_has("predict_log_proba"))
    def predict_log_proba(self, X: Any) -> FloatArray:
        """Their logarithms."""
        return self._usual_estimator.predict_log_proba(X)

    @available_if(usually_has("decision_function"))
    def decision_function(self, X: Any) -> FloatArray:
        """Decision values of the same classifier, higher for the second class."""
        return self._usual_estimator.decision_function(X)

    @property
    def _usual_estimator(self) -> Any:
        check_is_fitted(self)
        return self._usually_used()[0]

    def _random(self, draws: bool, cases: int) -> FloatArray:  # noqa: FBT001
        """Random numbers for rules that draw one of two thresholds, if any does."""
        if not draws:
            return np.zeros(cases)
        return check_random_state(self.random_state).random_sample(cases)
