"""Scorers: how good a fitted classifier is on held-out rows, for scikit-learn's model selection.

A scorer is called as ``scorer(estimator, X, y)``, and larger is better: losses and costs are
negated, as in scikit-learn's own. All take `sample_weight`, by metadata routing if that is on.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from costspace.choices import Optimal, ThresholdChoice
from costspace.choices.base import check_choice
from costspace.costs import CostDistribution, Uniform
from costspace.decision.money.expected import expected_money
from costspace.deployment.conditions import JointConditions
from costspace.errors import ConditionError, brief
from costspace.metrics.expected import expected_loss
from costspace.metrics.traits import UNKNOWN, Reads, traits_of, with_parameters
from costspace.sklearn.response import ANY, PROBABILITIES, RANKS, methods_for, methods_named
from costspace.sklearn.scorer import MetricScorer

# The methods of a classifier whose scores suit a metric, best first.
_METHODS: Mapping[Reads, tuple[str, ...]] = MappingProxyType(
    {"ranks": RANKS, "probabilities": PROBABILITIES, "either": ANY}
)


def expected_loss_scorer(
    *,
    choice: ThresholdChoice,
    costs: CostDistribution = Uniform(),
    axis: str = "cost",
    prevalence: float | None = None,
    pos_label: object = None,
    response_method: str = "auto",
) -> MetricScorer:
    """Scorer by expected loss over a range of operating conditions, negated.

    Parameters
    ----------
    choice : ThresholdChoice
        How the threshold follows the condition.
    costs : CostDistribution, default Uniform()
        Distribution of the condition on the asked axis, or a frozen scipy one on [0, 1].
    axis : {"cost", "skew"}
        What the condition is: cost proportion or skew.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; that of the rows scored by default.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    response_method : {"auto", "predict_proba", "decision_function"}
        The method that gives the scores. By default decision values or else probabilities for the
        optimal and the rate-based choices, for which only ranks matter, and probabilities for the
        others, whose thresholds are on the scale of the scores.

    Returns
    -------
    scorer
        A callable ``scorer(estimator, X, y, sample_weight=None)``. In [-2, 0] on the cost axis,
        [-1, 0] on the skew axis; larger is better.

    Raises
    ------
    ConditionError, ScoreError
        If an argument is out of range. When it scores: if the classifier has no such method, or
        only one class is among the rows.

    Examples
    --------
    False negatives cost from once to nineteen times as much as false positives:

    >>> import costspace as cs
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> X, y = make_classification(random_state=0)
    >>> scorer = expected_loss_scorer(choice=cs.ScoreDriven(), costs=cs.Uniform(0.05, 0.5))
    >>> cross_val_score(LogisticRegression(), X, y, scoring=scorer, cv=3).round(2)
    array([-0.08, -0.11, -0.2 ])
    """
    parameters = {"choice": choice, "costs": costs, "axis": axis, "prevalence": prevalence}
    own = "expected_loss_scorer", *_shown(parameters)
    return _scorer(own, expected_loss, parameters, pos_label, response_method)


def money_scorer(
    *,
    conditions: JointConditions,
    choice: ThresholdChoice = Optimal(),
    pos_label: object = None,
    response_method: str = "auto",
) -> MetricScorer:
    """Scorer by expected cost per 1,000 cases at deployment, negated.

    Parameters
    ----------
    conditions : JointConditions
        What is known of costs and prevalence at deployment, such as a `Deployment`.
    choice : ThresholdChoice, default Optimal()
        How the threshold follows the condition.
    pos_label, response_method
        As in `expected_loss_scorer`.

    Returns
    -------
    scorer
        A callable ``scorer(estimator, X, y, sample_weight=None)``. In the unit of the costs; larger
        is better.

    Raises
    ------
    ConditionError, ScoreError
        As by `expected_loss_scorer`.

    Examples
    --------
    >>> import costspace as cs
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> X, y = make_classification(random_state=0)
    >>> scorer = money_scorer(conditions=cs.Deployment(fp_cost=1, fn_cost=(5, 50), prevalence=0.02))
    >>> cross_val_score(LogisticRegression(), X, y, scoring=scorer, cv=3).round(-1)
    array([ -90., -150., -140.])
    """
    parameters = {"conditions": conditions, "choice": choice}
    own = "money_scorer", *_shown(parameters)
    return _scorer(own, expected_money, parameters, pos_label, response_method)


def metric_scorer(
    *,
    metric: Callable[..., float],
    pos_label: object = None,
    response_method: str = "auto",
) -> MetricScorer:
    """Scorer by a named metric of costspace, negated where smaller is better.

    Parameters
    ----------
    metric : function
        Any metric of costspace that computes a number from labels and scores, such as `auc`,
        `brier_score` or `h_measure`, with parameters as in ``functools.partial(voros, low=0.1)``.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    response_method : {"auto", "predict_proba", "decision_function"}
        The method that gives the scores. By default what suits the metric: decision values or else
        probabilities if only ranks matter, as for AUC, and probabilities if scores are taken as
        probabilities or a threshold is set.

    Returns
    -------
    scorer
        A callable ``scorer(estimator, X, y, sample_weight=None)``; larger is better.

    Raises
    ------
    ConditionError, ScoreError
        As by `expected_loss_scorer`, or if the metric is another function.
    TypeError
        If the metric does not take a parameter.

    Examples
    --------
    >>> import costspace as cs
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_validate
    >>> X, y = make_classification(random_state=0)
    >>> by_auc, by_brier = metric_scorer(metric=cs.auc), metric_scorer(metric=cs.brier_score)
    >>> scorers = {"auc": by_auc, "brier": by_brier}
    >>> found = cross_validate(LogisticRegression(), X, y, scoring=scorers, cv=3)
    >>> found["test_auc"].round(2), found["test_brier"].round(2)
    (array([0.94, 0.92, 0.89]), array([-0.11, -0.13, -0.16]))
    """
    if traits_of(metric) is UNKNOWN:
        raise ConditionError(
            "metric must be a function of costspace such as auc or brier_score, got "
            f"{brief(metric)}: make_scorer of scikit-learn takes any function."
        )
    bare, parameters = with_parameters(metric)
    shown = bare.__name__
    if parameters:
        shown = f"partial({', '.join([shown, *_shown(parameters)])})"
    own = "metric_scorer", f"metric={shown}"
    return _scorer(own, bare, parameters, pos_label, response_method)


def _scorer(
    call: Sequence[str],
    metric: Callable[..., float],
    parameters: Mapping[str, Any],
    pos_label: object,
    response_method: str,
) -> MetricScorer:
    """The scorer of a function; `call` is the function's name and its own arguments."""
    name, *own = call
    common = {"pos_label": pos_label}
    if response_method != "auto":
        common["response_method"] = response_method
    traits = traits_of(metric)
    return MetricScorer(
        f"{name}({', '.join([*own, *_shown(common)])})",
        metric,
        parameters,
        sign=1 if traits.larger_is_better else -1,
        methods=methods_named(response_method, _usual_methods(traits.reads, parameters)),
        pos_label=pos_label,
    )


def _shown(arguments: Mapping[str, Any]) -> list[str]:
    """Arguments as they are written in a call, without those that are not given."""
    return [f"{key}={value!r}" for key, value in arguments.items() if value is not None]


def _usual_methods(reads: Reads, parameters: Mapping[str, Any]) -> tuple[str, ...]:
    if reads != "choice":
        return _METHODS[reads]
    choice: Any = parameters.get("choice")
    return methods_for(check_choice(choice), RANKS)
