"""A decision about classifiers: the losses of strategies, and which to use."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.decision.deciding import decide
from costspace.decision.decision import Decision
from costspace.decision.limits.constraints import Constraints
from costspace.deployment.conditions import JointConditions
from costspace.errors import ConditionError
from costspace.scores.rows import NamedScores
from costspace.sklearn.display import DrawnDisplay
from costspace.sklearn.scored import Folds, in_order

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@final
@dataclass(eq=False, kw_only=True, repr=False)
class DecisionDisplay(DrawnDisplay):
    """Losses of strategies over operating conditions, and which is best where.

    Make it with `from_estimator`, `from_predictions` or `from_cv_results`, which decide and draw,
    or from a decision: ``DecisionDisplay(decision=...).plot()``. For a cross-validation the scores
    of all folds are pooled, so a score should mean the same in all of them.

    Parameters
    ----------
    decision : Decision
        From `costspace.decide`.

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
    >>> display.decision.recommendation.choice
    'smoothed'
    >>> plt.close(display.figure_)
    """

    decision: Decision

    @classmethod
    def _by_name(cls, given: Any, name: str | None) -> dict[str | None, Any]:
        several = isinstance(given, Mapping) and all(
            isinstance(one, Mapping) or hasattr(one, "fit") for one in given.values()
        )
        return dict(given) if several else {name: given}

    @classmethod
    def _of_folds(cls, found: Mapping[str | None, Folds], **options: Any) -> Self:
        if not found:
            raise ConditionError(
                "there are no classifiers to decide about: give a fitted one, or the result of "
                "cross_validate(..., return_estimator=True, return_indices=True)."
            )
        rows, scored = zip(*map(in_order, found.values()), strict=True)
        if not all(np.array_equal(one, rows[0]) for one in rows):
            raise ConditionError(
                "the classifiers were tested on different rows: cross-validate them on the same."
            )
        first = scored[0]
        return cls.from_predictions(
            first.y_true,
            {
                one.classifier if name is None else name: one.y_score
                for name, one in zip(found, scored, strict=True)
            },
            sample_weight=first.weight,
            pos_label=first.pos_label,
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
            Limits that every rule must satisfy.
        sample_weight : array of shape (n,), optional
            Non-negative.
        pos_label : label, optional
            The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
        ax, short, scale, limits, despine
            As in `plot`.
        **deciding
            Everything else that `costspace.decide` takes: `known`, `choices`, `case_costs`,
            `validation`, `calibrated_to`, `folds`, `groups`, ...

        Returns
        -------
        DecisionDisplay

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError, SourceError
            For labels not of two classes, unusable scores, negative weights, options out of range
            or a table that does not fit, in this order. Also if no rule satisfies the constraints.
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
        """One row a row of the decision table; none if no rule satisfies the constraints."""
        table = self.decision.table()
        return {} if table is None else table.columns()

    def __repr__(self) -> str:
        return f"DecisionDisplay({self.decision.recommendation.text})"
