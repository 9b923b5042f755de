"""How cost-sensitive classifiers are fitted, and what sets their thresholds."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.frozen import FrozenEstimator
from sklearn.utils import assert_all_finite, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, column_or_1d, has_fit_parameter

from costspace.arrays import BoolArray, FloatArray
from costspace.choices import Optimal, ScoreDriven, ThresholdChoice
from costspace.choices.base import check_choice, choice_for
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.decision.decision import Decision
from costspace.decision.limits.constraints import Constraints
from costspace.errors import ConditionError, LabelError, ScoreError, WeightError, brief
from costspace.samples.validation import weight_array
from costspace.scores.table import ScoreTable
from costspace.sklearn.condition import Condition
from costspace.sklearn.held_out import Rows, ScoringClassifier, Splits, splits_of
from costspace.sklearn.reacting_rules import ReactingRules
from costspace.sklearn.response import (
    PROBABILITIES,
    method_of,
    methods_for,
    methods_named,
    positive_class,
)

Thresholds: TypeAlias = ReactingRules | DeployedRules


@dataclass(eq=False, kw_only=True, repr=False)
class FittedWithThresholds(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose thresholds are set on scores of held-out rows, if needed."""

    # `fit` takes sample_weight in **params.
    __metadata_request__fit = {"sample_weight": None}  # noqa: RUF012 - as scikit-learn has it

    choice: ThresholdChoice | None = None
    constraints: Constraints | None = None
    cost_proportion: float | None = None
    fp_cost: float | None = None
    fn_cost: float | None = None
    prevalence: float | None = None
    response_method: str = "auto"
    pos_label: object = None
    cv: Any = None
    refit: bool = True
    n_jobs: int | None = None
    random_state: Any = None
    decision: Decision | SavedDecision | None = None

    classes_: NDArray[Any] = field(init=False)
    positive_: Any = field(init=False)
    prevalence_: float = field(init=False)

    @abstractmethod
    def _estimators(self) -> dict[str, Any]:
        """The classifiers to fit, by the names that route their metadata."""

    @property
    def _usual(self) -> Condition:
        prevalence = self.prevalence
        if prevalence is None and self.decision is not None:
            prevalence = self._decided().sole_prevalence
        return Condition(self.cost_proportion, self.fp_cost, self.fn_cost, prevalence)

    @property
    def _usual_prevalence(self) -> float:
        _, prevalence = self._usual.one(self.prevalence_)
        return float(prevalence)

    def _rows(self, X: Any, y: Any, params: Mapping[str, Any]) -> Rows:
        """The rows to fit on, after all checks."""
        X, y = indexable(X, y)
        # First, since type_of_target would warn of NaN.
        assert_all_finite(y, input_name="y")
        kind = type_of_target(y, input_name="y", raise_unknown=True)
        if kind != "binary":
            raise LabelError(
                f"Only binary classification is supported. The type of the target is {kind}."
            )
        y = column_or_1d(y, warn=True)
        # So that no thresholds of an earlier fit remain if this one fails.
        self.__dict__.pop("_thresholds", None)
        self.classes_ = np.unique(y)
        second = self._needs_no_positive or self._positive_class() == self.classes_[1]
        self.positive_ = self.classes_[int(second)]
        positive = np.asarray(y == self.positive_)
        rows = Rows(X, y, positive, _weights(params.get("sample_weight"), positive))
        self.prevalence_ = rows.prevalence
        # Raise errors about the usual condition before anything is fitted.
        self._usual.one(self.prevalence_)
        return rows

    @property
    def _needs_no_positive(self) -> bool:
        """Whether there are two classes, and no parameter distinguishes them."""
        given = (
            self.decision,
            self.choice,
            self.constraints,
            self.cost_proportion,
            self.fp_cost,
            self.fn_cost,
        )
        unset = all(value is None for value in (*given, self.prevalence, self.pos_label))
        return unset and len(self.classes_) == 2

    def _positive_class(self) -> Any:
        return positive_class(self.classes_, self.pos_label)

    def _routed(
        self, params: Mapping[str, Any]
    ) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
        """The parameters for each classifier's `fit`, and for `split`."""
        names = self._estimators()
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **params)
            return {name: routed[name].fit for name in names}, routed.splitter.split
        others = sorted(set(params) - {"sample_weight"})
        if others:
            raise ConditionError(
                f"fit passes {others[0]!r} on only with metadata routing: call "
                "sklearn.set_config(enable_metadata_routing=True) and request it."
            )
        own = {name: value for name, value in params.items() if value is not None}
        fitted = isinstance(self.cv, str)
        for estimator in names.values() if own and not fitted else ():
            # A frozen estimator is not fitted: weights are for the thresholds only.
            frozen = isinstance(estimator, FrozenEstimator)
            if not frozen and not has_fit_parameter(estimator, "sample_weight"):
                raise WeightError(
                    f"{type(estimator).__name__}.fit takes no sample_weight: call "
                    "sklearn.set_config(enable_metadata_routing=True) and request it where it is "
                    "to be used."
                )
        return dict.fromkeys(names, own), {}

    def get_metadata_routing(self) -> MetadataRouter:
        """Which metadata go to the classifiers, and to the splitter."""
        router = MetadataRouter(owner=self).add_self_request(self)
        fitting = MethodMapping().add(caller="fit", callee="fit")
        for name, estimator in self._estimators().items():
            router.add(**{name: estimator}, method_mapping=fitting)
        splitting = MethodMapping().add(caller="fit", callee="split")
        return router.add(splitter=self.cv, method_mapping=splitting)

    @property
    def _choice(self) -> ThresholdChoice:
        if self.decision is None:
            return ScoreDriven() if self.choice is None else check_choice(self.choice)
        rules = self._decided()
        if isinstance(self.decision, Decision) and self.decision.strategy is not None:
            return self.decision.strategy.choice
        # A file has no choices: one that asks the same of the scores.
        return ScoreDriven() if rules.on_probabilities else Optimal()

    def _decided(self) -> DeployedRules:
        """The decision's rules, or an error if other parameters set thresholds."""
        decision: Any = self.decision
        if not isinstance(decision, Decision | SavedDecision):
            raise ConditionError(
                "decision must be a Decision, or what load_decision returns, got "
                f"{brief(decision)}."
            )
        for name in ("choice", "constraints"):
            if getattr(self, name) is not None:
                raise ConditionError(f"a decision has its own {name}: leave {name} out.")
        return decision.rules

    @property
    def _constraints(self) -> Constraints:
        constraints = Constraints() if self.constraints is None else self.constraints
        if not isinstance(constraints, Constraints):
            raise ConditionError(f"constraints must be Constraints, got {brief(constraints)}.")
        if constraints.review_capacity is not None:
            raise ConditionError(
                "review_capacity is how many cases can be reviewed, and these rules flag or pass: "
                "decide with review=Review(...), and give the result as decision."
            )
        return constraints

    @property
    def _looks_at_scores(self) -> bool:
        """Whether fitting needs scores of held-out rows."""
        by_formula = self._by_formula
        return self.decision is None and not by_formula

    @property
    def _by_formula(self) -> bool:
        """Whether the condition alone tells the thresholds of the choice."""
        told = self._calibrated_choice.threshold_at(0.5, 0.5) is not None
        return told and not self._constraints

    def _splits(self, rows: Rows, params: Mapping[str, Any]) -> Splits | None:
        """The splits into rows to fit and to hold out, if needed; None for fitted classifiers."""
        splits = splits_of(self.cv, rows, self.random_state, params)
        if splits is None:
            return None
        if self.refit and not self._looks_at_scores:
            return []
        found = list(splits)
        if not found:
            raise ConditionError(
                "cv has no splits: give at least one, and a list instead of a generator, which can "
                "be used only once."
            )
        return found

    def _fit_one(
        self, estimator: Any, rows: Rows, splits: Splits | None, passed: Mapping[str, Any]
    ) -> ScoringClassifier:
        """Fit one classifier, and score the held-out rows if thresholds depend on them."""
        scorer = self._scoring(estimator, rows, splits, passed)
        classes, own = (each.classes_.tolist() for each in (scorer.estimator, self))
        if classes != own:
            raise LabelError(
                f"{type(estimator).__name__} was fitted on the classes {brief(classes)}, and y has "
                f"{brief(own)}: they must be the same."
            )
        table = scorer.table
        if table is None and scorer.method not in PROBABILITIES:
            # Thresholds need no scores, but may not suit these: warn.
            table = scorer.on(rows).table
        if table is not None:
            choice_for(table, self._choice)
        return scorer

    def _scoring(
        self, estimator: Any, rows: Rows, splits: Splits | None, passed: Mapping[str, Any]
    ) -> ScoringClassifier:
        scorer = ScoringClassifier(estimator, self._method(estimator), self.positive_)
        if splits is None:
            check_is_fitted(estimator)
            return scorer.on(rows) if self._looks_at_scores else scorer
        if not self.refit and len(splits) > 1:
            raise ConditionError(
                f"refit=False needs a single split, got {len(splits)}: several classifiers "
                "leave open which one to use."
            )
        if not self._looks_at_scores and self.refit:
            return scorer.fitted(rows, passed)
        held_out = scorer.held_out(rows, splits, passed, self.n_jobs)
        if not self.refit:
            return held_out
        return replace(scorer.fitted(rows, passed), table=held_out.table)

    def _method(self, estimator: Any) -> str:
        """The method that gives a classifier's scores."""
        choice = self._choice
        methods = methods_named(self.response_method, self._usual_methods)
        if choice.on_probabilities and methods != PROBABILITIES:
            raise ScoreError(
                f"{brief(choice)} needs predict_proba, got response_method={methods[0]!r}: use a "
                "rank-based or optimal choice."
            )
        asked_by = choice if self.decision is None else self._decided().what
        return method_of(estimator, methods, asked_by)

    @property
    def _usual_methods(self) -> tuple[str, ...]:
        """The methods of a classifier whose scores suit the thresholds, best first."""
        rules = None if self.decision is None else self._decided()
        if rules is None or rules.model is None:
            return methods_for(self._choice)
        # Thresholds are on the scale of the decision's scores.
        if isinstance(self.decision, Decision):
            scores = self.decision.task.rows.scores[rules.model]
        elif rules.decided_on is not None:
            scores = rules.decided_on.scores
        else:
            return methods_for(self._choice)
        inside = scores.min() >= 0 and scores.max() <= 1
        return PROBABILITIES if inside else ("decision_function",)

    @property
    def _calibrated_choice(self) -> ThresholdChoice:
        # If scores are calibrated, it is to the training rows.
        return self._choice.calibrated(self.prevalence_)

    def _reacting(self, table: ScoreTable | None) -> Thresholds:
        """The thresholds, from the scores of held-out rows if they need any."""
        if self.decision is not None:
            return self._decided()
        return self._by_path(None if self._by_formula else table)

    def _by_path(self, table: ScoreTable | None) -> ReactingRules:
        """The thresholds and losses on the scores of held-out rows."""
        return ReactingRules(self._calibrated_choice, table, self._constraints)

    def _take_features_of(self, estimator: Any) -> None:
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(estimator, name):
                setattr(self, name, getattr(estimator, name))
            elif hasattr(self, name):
                delattr(self, name)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_thresholds")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        try:
            estimators = list(self._estimators().values())
        except ConditionError:
            # `fit` raises the error; reading the tags must not.
            estimators = []
        each = [get_tags(estimator).input_tags for estimator in estimators]
        tags.input_tags.sparse = bool(each) and all(own.sparse for own in each)
        tags.input_tags.allow_nan = bool(each) and all(own.allow_nan for own in each)
        return tags


def _weights(weight: ArrayLike | None, positive: BoolArray) -> FloatArray | None:
    try:
        return None if weight is None else weight_array(weight, positive)
    except LabelError as error:
        raise LabelError(f"sample_weight: {error}") from None
