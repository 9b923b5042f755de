"""A scorer of decisions by their cost."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import make_scorer

from costspace.checks import check_number, check_prevalence
from costspace.deployment.conditions import COSTS
from costspace.errors import ConditionError, without_data_warnings
from costspace.metrics.case_costs import expected_cost
from costspace.samples.case_costs import CaseCosts
from costspace.sklearn.response import positive_class


def cost_scorer(
    *,
    fp_cost: float | None = None,
    fn_cost: float | None = None,
    tp_cost: float | None = None,
    tn_cost: float | None = None,
    prevalence: float | None = None,
    pos_label: object = None,
) -> Any:
    """Scorer by the mean cost per case of the decisions of `predict`, negated.

    It also tunes thresholds in scikit-learn's `TunedThresholdClassifierCV`. Leave out costs that
    differ by row and pass them as metadata, requested by
    ``set_score_request(fp_cost=True, ...)`` with metadata routing on.

    scikit-learn calls `predict` without costs, so the score is of decisions at the classifier's
    usual costs.

    Parameters
    ----------
    fp_cost, fn_cost : float, optional
        Cost of a false positive and of a false negative. Without a default: a cost that is
        neither given here nor passed is an error.
    tp_cost, tn_cost : float, optional
        Cost of the correct decisions, negative for a gain; 0 unless given or passed.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; that of the rows scored by default.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.

    Returns
    -------
    scorer
        One of `sklearn.metrics.make_scorer`. In the unit of the costs; larger is better.

    Raises
    ------
    ConditionError
        If costs or prevalence are out of range. When it scores: if a cost is not known.
    LabelError
        When it scores: if only one class is among the rows.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import TunedThresholdClassifierCV, cross_val_score
    >>> X, y = make_classification(random_state=0)
    >>> scorer = cost_scorer(fp_cost=1, fn_cost=20)
    >>> cross_val_score(LogisticRegression(), X, y, scoring=scorer, cv=3).round(1)
    array([-0.1, -1.3, -3.7])
    >>> tuned = TunedThresholdClassifierCV(LogisticRegression(), scoring=scorer).fit(X, y)
    >>> bool(tuned.best_threshold_ < 0.5)
    True
    """
    asked = zip(COSTS, (fp_cost, fn_cost, tp_cost, tn_cost), strict=True)
    given: dict[str, object] = {
        name: check_number(name, cost) for name, cost in asked if cost is not None
    }
    if {"fp_cost", "fn_cost"} <= given.keys():
        CaseCosts(**given)  # type: ignore[arg-type]
    if prevalence is not None:
        given["prevalence"] = check_prevalence(prevalence)
    if pos_label is not None:
        given["pos_label"] = pos_label
    # Costs that are not given come from metadata; scikit-learn warns of those that are both.
    return make_scorer(decision_cost, greater_is_better=False, response_method="predict", **given)


def decision_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    fp_cost: ArrayLike | None = None,
    fn_cost: ArrayLike | None = None,
    tp_cost: ArrayLike = 0.0,
    tn_cost: ArrayLike = 0.0,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean cost of a case when decisions are what a classifier predicts.

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n,)
        Labels of two classes.
    fp_cost, fn_cost, tp_cost, tn_cost : float or array of shape (n,)
        As in `costspace.expected_cost`.
    prevalence, pos_label, sample_weight
        As there.

    Returns
    -------
    float
        Cost per case; smaller is better.

    Raises
    ------
    LabelError, WeightError, ConditionError
        For labels not of two classes, negative weights or options out of range, in this order. Also
        if a cost is missing.
    """
    if fp_cost is None or fn_cost is None:
        missing = "fp_cost" if fp_cost is None else "fn_cost"
        raise ConditionError(
            f"cost_scorer does not know {missing}: give it a number, or route an array to it by "
            f"set_score_request({missing}=True)."
        )
    decided = np.asarray(y_pred)
    positive = positive_class(np.unique(np.concatenate([np.asarray(y_true), decided])), pos_label)
    # The scores are predicted classes on purpose.
    with without_data_warnings():
        return expected_cost(
            y_true,
            decided == positive,
            fp_cost=fp_cost,
            fn_cost=fn_cost,
            tp_cost=tp_cost,
            tn_cost=tn_cost,
            threshold=0.5,
            prevalence=prevalence,
            pos_label=positive,
            sample_weight=sample_weight,
        )
