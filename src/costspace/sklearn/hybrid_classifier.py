"""A classifier that uses the best of several at each operating condition."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from sklearn.utils import Bunch, _safe_indexing, indexable

from costspace.arrays import BoolArray, Floats
from costspace.errors import ConditionError, brief
from costspace.sklearn.base import ConditionalClassifier
from costspace.sklearn.condition import Condition
from costspace.sklearn.fitting import Thresholds
from costspace.sklearn.hybrid_rules import HybridRules

_OF_ROUTING = ("method_mapping", "self", "splitter")


@final
@dataclass(eq=False, repr=False)
class HybridClassifier(ConditionalClassifier):
    """A classifier that uses the best of several for each operating condition.

    Each is fitted. On the scores of the same held-out rows, thresholds are chosen for every
    condition, and then the classifier of least loss. The costs given to `predict` select the
    classifier, which alone scores the row, and its threshold, without another fit.

    Parameters
    ----------
    estimators : list of (str, classifier)
        Of two classes, by name; if several are equally good, the first is used.
    choice, constraints, cost_proportion, fp_cost, fn_cost, prevalence
        As in `ThresholdChoiceClassifier`, for each of them.
    response_method, pos_label, cv, refit, n_jobs, random_state
        As there, except that rows are always held out: the losses on them decide which
        classifier is used where.

    Attributes
    ----------
    estimators_ : list of classifiers
        The fitted ones.
    named_estimators_ : Bunch
        The same by name.
    classes_ : array of shape (2,)
        The labels, in order.
    positive_ : label
        The positive one.
    prevalence_ : float
        Share of positives in the training data, as weighted.
    score_tables_ : dict of str to ScoreTable
        Scores of the held-out rows, by classifier.
    hybrid_ : Hybrid
        The classifier in use over cost proportions, at the usual prevalence. Its `curve` is on the
        rows that chose it, and so a little optimistic.
    n_features_in_, feature_names_in_
        Of the first fitted classifier, if it has them.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 5: hybrid classifiers; Provost and Fawcett
    (2001), Machine Learning 42, for the hull of several ROC curves.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> import costspace as cs
    >>> from costspace.sklearn import HybridClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = [("bayes", GaussianNB()), ("forest", RandomForestClassifier(random_state=0))]
    >>> classifier = HybridClassifier(models, choice=cs.Optimal(), pos_label=0).fit(X, y)
    >>> classifier.model_at(fp_cost=1, fn_cost=1)
    'forest'
    """

    estimators: Sequence[tuple[str, Any]]

    # --- Parameters, of which those of the classifiers go by their names ---

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002 - as scikit-learn
        """Parameters by name; with `deep`, the classifiers and their parameters too."""
        params: dict[str, Any] = super().get_params(deep=False)
        for name, estimator in self._named().items() if deep else ():
            params[name] = estimator
            own = estimator.get_params(deep=True)
            params |= {f"{name}__{parameter}": value for parameter, value in own.items()}
        return params

    def set_params(self, **params: Any) -> "HybridClassifier":
        """Set parameters, classifiers by their names, and parameters of these."""
        if "estimators" in params:
            self.estimators = params.pop("estimators")
        given = {name: params.pop(name) for name in self._named() if name in params}
        if given:
            self.estimators = [(name, given.get(name, own)) for name, own in self.estimators]
        super().set_params(**params)
        return self

    def _named(self) -> dict[str, Any]:
        """The classifiers by name; empty if they are invalid, for which fit raises an error."""
        if not isinstance(self.estimators, Sequence):
            return {}
        try:
            named: dict[Any, Any] = dict(self.estimators)
        except (TypeError, ValueError):
            return {}
        good = all(isinstance(n, str) and hasattr(own, "get_params") for n, own in named.items())
        return named if good else {}

    def _estimators(self) -> dict[str, Any]:
        named = self._named()
        if not named or len(named) < len(self.estimators):
            raise ConditionError(
                "estimators must be pairs of different names and classifiers, at least one, got "
                f"{brief(self.estimators)}."
            )
        taken = {*super().get_params(deep=False), *_OF_ROUTING}
        for name in named:
            if name in taken or "__" in name:
                raise ConditionError(f"{name!r} cannot name a classifier here: use another name.")
        return named

    def _usually_used(self) -> list[Any]:
        if hasattr(self, "hybrid_"):
            return [self.named_estimators_[self.model_at()]]
        return list(self._named().values())

    @property
    def _looks_at_scores(self) -> bool:
        return True

    def fit(self, X: Any, y: Any, **params: Any) -> "HybridClassifier":
        """Fit the classifiers, choose their thresholds and where each is used.

        Parameters
        ----------
        X : array-like of shape (n, features)
        y : array-like of shape (n,)
            Labels of two classes.
        **params
            `sample_weight`, which counts for thresholds, losses and classifiers; with metadata
            routing enabled, what classifiers and splitter request.

        Returns
        -------
        HybridClassifier
            Itself.

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError, InfeasibleError
            If labels are not of two classes, a classifier lacks the scores that the choice needs, a
            parameter is invalid, or no rule of a classifier satisfies the constraints.
        """
        named = self._estimators()
        rows = self._rows(X, y, params)
        passed, to_split = self._routed(params)
        splits = self._splits(rows, to_split)
        self._scorers = {
            name: self._fit_one(estimator, rows, splits, passed[name])
            for name, estimator in named.items()
        }
        self.named_estimators_ = Bunch(**{n: s.estimator for n, s in self._scorers.items()})
        self.estimators_ = list(self.named_estimators_.values())
        self._take_features_of(self.estimators_[0])
        self.score_tables_ = {name: scorer.table for name, scorer in self._scorers.items()}
        self._hybrid = HybridRules({n: self._by_path(t) for n, t in self.score_tables_.items()})
        self.hybrid_ = self._hybrid.at(self._usual_prevalence)
        self._thresholds = {n: self._reacting(table) for n, table in self.score_tables_.items()}
        return self

    def _flagged(self, X: Any, asked: Condition) -> BoolArray:
        (X,) = indexable(X)
        cases = X.shape[0] if hasattr(X, "shape") else len(X)
        c, p = map(np.asarray, asked.values(self.prevalence_, cases))
        used = self._hybrid.models_at(c, p)
        if used.ndim == 0:
            rules = self._thresholds[str(used)].rules(c, p)
            scores = self._scorers[str(used)].scores(X)
            return rules.decided(scores, self._random(rules.draws, cases))
        parts = {str(name): np.flatnonzero(used == name) for name in np.unique(used)}
        each = {name: self._thresholds[name].rules(c[i], p[i]) for name, i in parts.items()}
        random = self._random(any(rules.draws for rules in each.values()), cases)
        flagged: BoolArray = np.empty(cases, dtype=bool)
        for name, rows in parts.items():
            scores = self._scorers[name].scores(_safe_indexing(X, rows))
            flagged[rows] = each[name].decided(scores, random[rows])
        return flagged

    def _thresholds_of(self, cost_proportion: Floats, prevalence: Floats) -> Thresholds:
        return self._thresholds[str(self._hybrid.models_at(cost_proportion, prevalence))]

    def model_at(
        self,
        cost_proportion: float | None = None,
        *,
        fp_cost: float | None = None,
        fn_cost: float | None = None,
        prevalence: float | None = None,
    ) -> str:
        """The name of the classifier in use at an operating condition.

        Parameters
        ----------
        cost_proportion, fp_cost, fn_cost, prevalence : float, optional
            As for `predict`.

        Returns
        -------
        str

        Raises
        ------
        ConditionError, LabelError
            If costs or the prevalence are out of range, or given without a positive class.
        """
        asked = self._asked(cost_proportion, fp_cost, fn_cost, prevalence)
        return str(self._hybrid.models_at(*asked.one(self.prevalence_)))
