"""A decision about classifiers: what each loses over the conditions, and which to use where."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import _safe_indexing

from costspace.decision.deciding import NamedScores, decide
from costspace.decision.decision import Decision
from costspace.deployment.conditions import JointConditions
from costspace.errors import ConditionError
from costspace.rules.constraints import Constraints
from costspace.sklearn.display import DrawnDisplay
from costspace.sklearn.response import ANY, methods_named
from costspace.sklearn.scored import in_order, scored_by, scored_in_folds

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@final
class DecisionDisplay(DrawnDisplay):
    """What models and methods lose over operating conditions, and which to use where.

    Make it with `from_estimator`, `from_predictions` or `from_cv_results`, which decide and draw,
    or of a decision that there is: ``DecisionDisplay(decision=...).plot()``.

    Parameters
    ----------
    decision : Decision
        What `costspace.decide` gives.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    display_ : Display
        Everything that is drawn, by name.

    See Also
    --------
    costspace.plots.plot_decision : What draws it.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> keep = {"return_estimator": True, "return_indices": True}
    >>> results = cross_validate(GaussianNB(), X, y, **keep)
    >>> known = cs.Deployment(fp_cost=(1, 10), fn_cost=1, prevalence=(0.5, 0.7))
    >>> display = DecisionDisplay.from_cv_results(results, X, y, conditions=known)
    >>> display.decision.recommendation.method
    'optimal'
    >>> plt.close(display.figure_)
    """

    def __init__(self, *, decision: Decision) -> None:
        self.decision = decision

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        conditions: JointConditions | None = None,
        constraints: Constraints = Constraints(),
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: object = None,
        name: str | None = None,
        ax: "Axes | None" = None,
        **options: Any,
    ) -> Self:
        """Decide about fitted classifiers by rows that they were not fitted on, and draw it.

        Parameters
        ----------
        estimator : classifier, or mapping of str to classifier
            Fitted, of two classes; several by their names.
        X : array-like of shape (n, features)
        y : array-like of shape (n,)
            Labels.
        conditions : JointConditions
            What is known of costs and prevalence at deployment, such as a `Deployment`.
        constraints : Constraints, optional
            What every rule has to keep to.
        sample_weight : array-like of shape (n,), optional
        response_method : {"auto", "predict_proba", "decision_function"}
            Whose scores are used; by default the first of the two that a classifier has.
        pos_label : label, optional
            The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
        name : str, optional
            What to call a single classifier; by default its class.
        ax : matplotlib Axes, optional
            By default those of a new figure.
        **options
            As in `from_predictions`.

        Returns
        -------
        DecisionDisplay

        Raises
        ------
        NotFittedError
            If a classifier is not fitted.
        LabelError, ScoreError, WeightError, ConditionError
            If the input is not so.
        """
        scored = {
            label: scored_by(
                one,
                X,
                y,
                sample_weight=sample_weight,
                methods=methods_named(response_method, ANY),
                asked_by="a DecisionDisplay",
                pos_label=pos_label,
            )
            for label, one in _several(estimator, name).items()
        }
        first = next(iter(scored.values()))
        return cls.from_predictions(
            y,
            {label: one.y_score for label, one in scored.items()},
            conditions=conditions,
            constraints=constraints,
            sample_weight=sample_weight,
            pos_label=first.pos_label,
            ax=ax,
            **options,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        conditions: JointConditions | None = None,
        constraints: Constraints = Constraints(),
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: object = None,
        name: str | None = None,
        ax: "Axes | None" = None,
        **options: Any,
    ) -> Self:
        """Decide about classifiers by the rows left out of each fit of a cross-validation.

        Their scores are pooled: classifiers of different folds should mean the same by a score.

        Parameters
        ----------
        cv_results : dict, or mapping of str to such
            What scikit-learn's `cross_validate` returns with ``return_estimator=True`` and
            ``return_indices=True``; of several classifiers by their names.
        X, y, sample_weight
            All rows that were cross-validated.
        conditions, constraints, response_method, pos_label, name, ax, **options
            As in `from_estimator`.

        Returns
        -------
        DecisionDisplay

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError
            If the input is not so: a row in the test parts of two folds, for example.
        """
        several = dict(cv_results) if _are_named(cv_results) else {name: cv_results}
        scores: dict[str, Any] = {}
        every: list[Any] = []
        positive = pos_label
        for label, results in several.items():
            folds = scored_in_folds(
                results,
                X,
                y,
                sample_weight=sample_weight,
                methods=methods_named(response_method, ANY),
                asked_by="a DecisionDisplay",
                pos_label=pos_label,
            )
            rows, values = in_order(folds)
            scores[label or type(results["estimator"][0]).__name__] = values
            positive = folds.parts[0].pos_label
            every.append(rows)
        if not all(np.array_equal(rows, every[0]) for rows in every):
            raise ConditionError(
                "the classifiers were tested on different rows: cross-validate them on the same."
            )
        weight = None if sample_weight is None else _safe_indexing(sample_weight, every[0])
        return cls.from_predictions(
            _safe_indexing(y, every[0]),
            scores,
            conditions=conditions,
            constraints=constraints,
            sample_weight=weight,
            pos_label=positive,
            ax=ax,
            **options,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: NamedScores,
        *,
        conditions: JointConditions | None = None,
        constraints: Constraints = Constraints(),
        sample_weight: ArrayLike | None = None,
        pos_label: object = None,
        ax: "Axes | None" = None,
        short: bool = True,
        scale: str = "linear",
        limits: tuple[float, float] | None = None,
        despine: bool = False,
        **deciding: Any,
    ) -> Self:
        """Decide by predictions, and draw it.

        Parameters
        ----------
        y_true : array of shape (n,)
            Labels of two classes.
        y_score : array of shape (n,), or mapping of str to such arrays
            Scores of one model or of several, higher meaning more positive.
        conditions : JointConditions
            What is known of costs and prevalence at deployment, such as a `Deployment`.
        constraints : Constraints, optional
            What every rule has to keep to.
        sample_weight : array of shape (n,), optional
            Non-negative.
        pos_label : label, optional
            The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
        ax, short, scale, limits, despine
            As in `plot`.
        **deciding
            Everything else that `costspace.decide` takes: `case_costs`, `validation`,
            `calibrated_to`, `folds`, `groups`, ...

        Returns
        -------
        DecisionDisplay

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError, SourceError
            If the input is not so, or nothing keeps to the constraints.
        """
        decision = decide(
            y_true,
            y_score,
            conditions=conditions,
            constraints=constraints,
            sample_weight=sample_weight,
            pos_label=pos_label,
            **deciding,
        )
        display = cls(decision=decision)
        return display.plot(ax, short=short, scale=scale, limits=limits, despine=despine)

    def plot(
        self,
        ax: "Axes | None" = None,
        *,
        short: bool = True,
        scale: str = "linear",
        limits: tuple[float, float] | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw the decision.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        short : bool, default True
            Show the ranges of the short table, in which a model is kept while it loses at most
            1 % more than the best.
        scale : {"linear", "logit"}
            The logit scale shows conditions such as 1/5000 and 1/500 apart.
        limits : (low, high), optional
            Range of conditions to draw; by default those that the decision is for.
        despine : bool, default False
            Leave out the top and the right spine.

        Returns
        -------
        DecisionDisplay
            Itself.
        """
        from costspace.plots import plot_decision

        display = plot_decision(self.decision, short=short, scale=scale, limits=limits, ax=ax)
        return self._finish(display, despine=despine)

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a row of the decision table; none if nothing keeps to the constraints."""
        return {} if self.decision.table is None else self.decision.table.columns()

    def __repr__(self) -> str:
        return f"DecisionDisplay({self.decision.recommendation.text})"


def _several(estimator: Any, name: str | None) -> dict[str, Any]:
    if isinstance(estimator, Mapping):
        if not estimator:
            raise ConditionError("there are no classifiers to decide about: give at least one.")
        return dict(estimator)
    return {type(estimator).__name__ if name is None else name: estimator}


def _are_named(cv_results: Any) -> bool:
    """Whether results are of several classifiers, by their names."""
    return (
        isinstance(cv_results, Mapping)
        and len(cv_results) > 0
        and all(isinstance(one, Mapping) for one in cv_results.values())
    )
