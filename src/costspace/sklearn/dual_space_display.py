"""A classifier in ROC space and, beside it, in cost space."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.condition import check_axis
from costspace.errors import ConditionError, brief
from costspace.sklearn.cost_space_display import CostSpaceDisplay
from costspace.sklearn.display import Choices, Keywords, ScoreDisplay
from costspace.sklearn.roc_space_display import RocSpaceDisplay
from costspace.sklearn.scored import Folds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BELOW = MappingProxyType({"loc": "upper center", "bbox_to_anchor": (0.5, -0.14)})


@final
class DualSpaceDisplay(ScoreDisplay):
    """A classifier in the two dual spaces: ROC space on the left, cost space on the right.

    Points on the left are lines on the right, the convex hull there is the lower envelope here,
    the path of a choice is its loss curve, and a line of equal loss is a condition. Make it with
    `from_estimator`, `from_predictions` or `from_cv_results`, which draw it too.

    Parameters
    ----------
    roc_space : RocSpaceDisplay
    cost_space : CostSpaceDisplay

    Attributes
    ----------
    ax_ : tuple of two matplotlib Axes
    figure_ : matplotlib Figure

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> display = DualSpaceDisplay.from_predictions(
    ...     y, s, choices=cs.ScoreDriven(), conditions=[0.2, 0.5]
    ... )
    >>> [ax.get_xlabel().split()[0] for ax in display.ax_]
    ['False', 'Cost']
    >>> plt.close(display.figure_)
    """

    def __init__(self, *, roc_space: RocSpaceDisplay, cost_space: CostSpaceDisplay) -> None:
        self.roc_space = roc_space
        self.cost_space = cost_space
        self.name = roc_space.name

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike | None = None,
        *,
        choices: Choices = (),
        conditions: ArrayLike = (),
        axis: str = "cost",
        prevalence: float | None = None,
        sample_weight: ArrayLike | None = None,
        pos_label: object = None,
        name: str | None = None,
        ax: "Sequence[Axes] | None" = None,
        **drawing: Any,
    ) -> Self:
        """Draw both spaces of predictions.

        Parameters
        ----------
        y_true, y_score : arrays of shape (n,)
            Labels of two classes and scores, higher meaning more positive.
        choices : ThresholdChoice, or sequence of such, or mapping of name to such
            Whose paths and losses to draw; by default of none.
        conditions : array in [0, 1]
            Conditions to mark: by lines of equal loss on the left, by their places on the right.
        axis : {"cost", "skew"}
            What the condition is.
        prevalence : float in (0, 1), optional
            Share of positives at deployment; the data's by default. The skew axis ignores it.
        sample_weight : array of shape (n,), optional
            Non-negative.
        pos_label : label, optional
            The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
        name : str, optional
            What to call the classifier in the legends.
        ax : pair of matplotlib Axes, optional
            For ROC space and for cost space; by default those of a new figure.
        **drawing
            As in `plot`.

        Returns
        -------
        DualSpaceDisplay

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError
            If the input is not so.
        """
        check_axis(axis)
        folds = Folds.given(y_true, y_score, sample_weight, pos_label)
        asked: dict[str, Any] = {"choices": choices, "axis": axis, "prevalence": prevalence}
        display = cls(
            roc_space=RocSpaceDisplay.of(folds, conditions=conditions, name=name, **asked),
            cost_space=CostSpaceDisplay.of(folds, name=name, **asked),
        )
        return display.plot(ax, **drawing)

    def plot(
        self,
        ax: "Sequence[Axes] | None" = None,
        *,
        name: str | None = None,
        curve_kwargs: Keywords | None = None,
        plot_operating_range: bool = False,
        plot_chance_level: bool = False,
        chance_level_kw: Keywords | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw ROC space on the first axes and cost space on the second.

        Parameters
        ----------
        ax : pair of matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What to call the classifier in the legends, instead of the name that there is.
        curve_kwargs : dict, optional
            Keywords of matplotlib's `plot` for the ROC curve and the lower envelope.
        plot_operating_range : bool, default False
            Shade, on the right, where the best threshold loses less than flagging everybody and
            flagging nobody.
        plot_chance_level : bool, default False
            Draw the diagonal on the left, and on the right the losses of flagging everybody and
            of flagging nobody.
        chance_level_kw : dict, optional
            Keywords of matplotlib's `plot` for these.
        despine : bool, default False
            Leave out the top and the right spines.

        Returns
        -------
        DualSpaceDisplay
            Itself.
        """
        from costspace.plots.axes import closed_on_error, new_pair, put_legend

        name = self.name if name is None else name
        figure = None
        if ax is None:
            figure, ax = new_pair()
        pair = np.ravel(np.asarray(ax, dtype=object))
        if len(pair) != 2:
            raise ConditionError(f"ax must be two matplotlib Axes, got {brief(ax)}.")
        common: dict[str, Any] = {
            "name": name,
            "curve_kwargs": curve_kwargs,
            "plot_chance_level": plot_chance_level,
            "chance_level_kw": chance_level_kw,
            "despine": despine,
        }
        with closed_on_error(figure):
            left = self.roc_space.plot(pair[0], **common)
            right = self.cost_space.plot(
                pair[1],
                plot_operating_range=plot_operating_range,
                conditions=self.roc_space.conditions,
                **common,
            )
        self.ax_, self.figure_ = (left.ax_, right.ax_), left.figure_
        for one in self.ax_:
            put_legend(one, frameon=False, ncols=2, **_BELOW)
        return self

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a threshold: its point on the left, and the ends of its line on the right."""
        return {**self.roc_space.columns(), **self.cost_space.columns()}
