"""A classifier whose threshold follows the costs and the prevalence."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import BoolArray, Floats
from costspace.decision.applying.acting import acted_in_steps, in_words
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.rules.between import three_actions
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules import Rules
from costspace.sklearn.base import ConditionalClassifier
from costspace.sklearn.condition import Condition
from costspace.sklearn.fitting import Thresholds


@final
@dataclass(eq=False, repr=False)
class ThresholdChoiceClassifier(ConditionalClassifier):
    """A classifier that decides by a threshold choice method, at any costs and prevalence.

    It fits the given classifier and chooses thresholds for *every* operating condition on the
    scores of held-out rows, all of which are candidates, without a grid. `predict` then takes the
    costs of each call, or of each row, without another fit or sort.

    Parameters
    ----------
    estimator : classifier
        Of two classes, with `predict_proba` or `decision_function`.
    choice : ThresholdChoice, optional
        How the threshold follows the condition, `ScoreDriven()` by default: the threshold is the
        cost proportion, which is best if probabilities are calibrated, as by isotonic
        `CalibratedClassifierCV`. `Optimal()` learns the thresholds from the held-out rows for any
        scores, and is the safer choice if they may not be calibrated.
    constraints : Constraints, optional
        Limits that every rule must satisfy, such as a share of cases that can be flagged.
    cost_proportion : float in [0, 1], optional
        fp_cost / (fp_cost + fn_cost) if `predict` is given no costs; 1/2 by default, of which
        `predict` warns, with the threshold that it uses.
    fp_cost, fn_cost : float, positive, optional
        Instead of the proportion.
    prevalence : float in (0, 1), optional
        Share of positives at deployment, if `predict` is given none; by default that of the
        training data, or of the decision if its rules are for one.
    response_method : {"auto", "predict_proba", "decision_function"}
        The method that gives the scores; "auto" is the first available that the choice can use.
        With a decision on scores outside [0, 1] it is "decision_function".
    pos_label : label, optional
        The positive class. Needed unless labels are 0/1, -1/1 or boolean, if a choice,
        constraints, costs or a prevalence distinguish the classes.
    cv : int, float, splitter, iterable or "prefit", optional
        Which rows are held out: a number of stratified folds, 5 by default; a share in (0, 1) in a
        single stratified split; or all rows with "prefit", if `estimator` was fitted on others. A
        choice that uses no sample, such as the default, without constraints, holds nothing out.
    refit : bool, default True
        Whether the classifier is fitted again to all rows; without it, `cv` must be a single split
        or "prefit".
    n_jobs : int, optional
        Number of folds fitted in parallel, as in scikit-learn.
    random_state : int, RandomState or None
        Seed of the split and of rules that draw one of two thresholds for each case.
    decision : Decision or SavedDecision, optional
        The result of `decide` for the scores of this classifier on rows that it was not fitted on,
        or that of `load_decision`, instead of a choice and constraints: its recommended strategy
        sets the thresholds, and nothing is held out. If it follows the condition, only its own
        conditions are valid. If it flags the top share of a queue, `predict` uses the threshold
        that flags this share of the decision's rows, since rows may come one by one. The share of
        the given rows can differ; `decision.apply` flags the exact share. Of one with a review
        `actions` has the three actions; `predict` has the positive label for what is flagged
        without one.

    Attributes
    ----------
    estimator_ : classifier
        The one that scores.
    classes_ : array of shape (2,)
        The labels, in order.
    positive_ : label
        The positive one.
    prevalence_ : float
        Share of positives in the training data, as weighted.
    score_table_ : ScoreTable or None
        Scores of the held-out rows; None if thresholds need none.
    threshold_path_ : ThresholdPath or None
        The rule at each cost proportion, at the usual prevalence; None if it is a formula, as by
        default.
    n_features_in_, feature_names_in_
        From the fitted classifier, if it has them.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640: threshold choice methods; Saerens,
    Latinne, Decaestecker (2002), Neural Computation 14, for probabilities at another prevalence:
    those of a classifier are taken to be calibrated to the rows that it was fitted on. Rates, and
    with them optimal and rate-based thresholds, are taken to stay when the prevalence changes.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> import costspace as cs
    >>> from costspace.sklearn import ThresholdChoiceClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), LogisticRegression())
    >>> classifier = ThresholdChoiceClassifier(model, pos_label=0).fit(X, y)
    >>> [int((classifier.predict(X, fp_cost=1, fn_cost=fn) == 0).sum()) for fn in (1, 10, 100)]
    [209, 246, 313]
    >>> classifier.threshold_at(fp_cost=1, fn_cost=10)
    0.0909
    >>> classifier.threshold_at(fp_cost=1, fn_cost=10, prevalence=0.01)
    0.8546
    >>> learnt = ThresholdChoiceClassifier(model, choice=cs.Optimal(), pos_label=0).fit(X, y)
    >>> learnt.rule_at(fp_cost=1, fn_cost=10)
    Rule(flag scores above 0.07)
    """

    estimator: Any

    def _estimators(self) -> dict[str, Any]:
        return {"estimator": self.estimator}

    def _usually_used(self) -> list[Any]:
        return [getattr(self, "estimator_", self.estimator)]

    def fit(self, X: Any, y: Any, **params: Any) -> "ThresholdChoiceClassifier":
        """Fit the classifier and choose the thresholds.

        Parameters
        ----------
        X : array-like of shape (n, features)
        y : array-like of shape (n,)
            Labels of two classes.
        **params
            `sample_weight`, which counts for the thresholds and, if it takes weights, for the
            classifier; with metadata routing enabled, what the classifier and the splitter request.

        Returns
        -------
        ThresholdChoiceClassifier
            Itself.

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError, InfeasibleError
            If labels are not of two classes, the classifier lacks the scores that the choice needs,
            a parameter is invalid, or no rule satisfies the constraints.
        """
        rows = self._rows(X, y, params)
        passed, to_split = self._routed(params)
        splits = self._splits(rows, to_split)
        self._scorer = self._fit_one(self.estimator, rows, splits, passed["estimator"])
        self.estimator_, table = self._scorer.estimator, self._scorer.table
        self._take_features_of(self.estimator_)
        self.score_table_ = table
        self._thresholds = self._reacting(table)
        self.threshold_path_ = self._thresholds.path(self._usual_prevalence)
        return self

    def _flagged(self, X: Any, asked: Condition) -> BoolArray:
        return self._decided_in_steps(X, asked)[-1]

    def _decided_in_steps(self, X: Any, asked: Condition) -> list[BoolArray]:
        """Which rows are flagged in each decision between neighbouring actions."""
        scores = self._scorer.scores(X)
        steps = self._in_steps(asked, len(scores))
        random = self._random(any(rules.draws for rules in steps), len(scores))
        return [rules.decided(scores, random) for rules in steps]

    def _in_steps(self, asked: Condition, cases: int | None = None) -> list[Rules]:
        values = asked.values(self.prevalence_, cases)
        if isinstance(self._thresholds, DeployedRules):
            return self._thresholds.each(*values, asked.fp_cost, asked.fn_cost)
        return [self._thresholds.rules(*values)]

    def _rule_at(self, asked: Condition) -> Rule:
        asked.one(self.prevalence_)
        first, *others = (rules.one for rules in self._in_steps(asked))
        return three_actions(first, others[0]) if others else first

    def _thresholds_of(self, cost_proportion: Floats, prevalence: Floats) -> Thresholds:
        return self._thresholds

    def actions(
        self,
        X: Any,
        *,
        cost_proportion: ArrayLike | None = None,
        fp_cost: ArrayLike | None = None,
        fn_cost: ArrayLike | None = None,
        prevalence: ArrayLike | None = None,
    ) -> NDArray[np.str_]:
        """What to do with each case at an operating condition: "pass", "review" or "flag".

        `predict` has labels of the two classes, as metrics, pipelines and searches of scikit-learn
        take them: the positive one for what is flagged without a review. What is reviewed is not
        decided yet, and has the other label there.

        Parameters
        ----------
        X : array-like of shape (n, features)
        cost_proportion, fp_cost, fn_cost, prevalence : float or array of shape (n,), optional
            As for `predict`. A decision with a review that follows the costs needs both costs.

        Returns
        -------
        array of str of shape (n,)
            In the words of the decision, if it has others; only one with a review reviews any.

        Raises
        ------
        ConditionError, LabelError
            As for `predict`.
        """
        asked = self._asked(cost_proportion, fp_cost, fn_cost, prevalence)
        found = acted_in_steps(*self._decided_in_steps(X, asked))
        rules = self._thresholds
        return in_words(found, rules.names if isinstance(rules, DeployedRules) else {})

    def threshold_at(
        self,
        cost_proportion: ArrayLike | None = None,
        *,
        fp_cost: ArrayLike | None = None,
        fn_cost: ArrayLike | None = None,
        prevalence: ArrayLike | None = None,
    ) -> Floats:
        """The threshold at an operating condition; a case is flagged if it scores above.

        With a review it is the upper of two, above which cases are flagged without one.

        Parameters
        ----------
        cost_proportion, fp_cost, fn_cost, prevalence : float or array, optional
            As for `predict`.

        Returns
        -------
        float or array
            For a rule that draws one of two thresholds the likelier one; `rule_at` has both.

        Raises
        ------
        ConditionError, LabelError
            If costs or the prevalence are out of range, or given without a positive class.
        """
        asked = self._asked(cost_proportion, fp_cost, fn_cost, prevalence)
        threshold = self._in_steps(asked)[-1].likelier
        return threshold if threshold.ndim else float(threshold)
