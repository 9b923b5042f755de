"""Cost space: a classifier's thresholds as lines, and the least that they lose."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.choices import Optimal
from costspace.condition import check_conditions
from costspace.curve import LossCurve
from costspace.curve.lines import CostLines, cost_lines
from costspace.errors import ConditionError, brief
from costspace.metrics.expected import loss_curve
from costspace.sklearn.display import (
    Choices,
    Keywords,
    ScoreDisplay,
    folds_looks,
    folds_of,
    named,
    titled,
)
from costspace.sklearn.scored import Folds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_AXES = ("cost", "skew", "pc")


@final
class CostSpaceDisplay(ScoreDisplay):
    """Cost lines of a classifier and their lower envelope, the dual of its ROC curve and hull.

    A point of ROC space is a line here, and the convex hull the lower envelope of the lines:
    `RocSpaceDisplay` shows the same classifier there, `DualSpaceDisplay` both. Make it with
    `from_estimator`, `from_predictions` or `from_cv_results`, which draw it too.

    Parameters
    ----------
    lines : CostLines
        A line for each threshold; of a cross-validation those of the pooled test rows.
    envelope : LossCurve
        Their lower envelope: the loss of whichever threshold is best at each condition, over the
        skew if the axis is "pc".
    axis : {"cost", "skew", "pc"}
        What the condition is.
    prevalence : float in (0, 1)
        Share of positives that the losses are for; 1/2 on every axis but "cost".
    curves : mapping of str to LossCurve
        What choices lose, by their names.
    fold_envelopes : sequence of LossCurve
        The lower envelope of each fold; none without folds.
    name : str, optional
        What to call the classifier in the legend.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The lower envelope.
    ax_, figure_ : matplotlib Axes and Figure
    display_ : Display
        Everything that is drawn, by name.

    See Also
    --------
    costspace.plots.plot_cost_space : What draws it.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> display = CostSpaceDisplay.from_predictions(y, s, name="model", plot_operating_range=True)
    >>> list(display.display_.artists)
    ['cost lines', 'model, lower envelope', 'flag everybody', 'flag nobody', 'operating range']
    >>> display.envelope(0.5)
    0.25
    >>> plt.close(display.figure_)
    """

    def __init__(
        self,
        *,
        lines: CostLines,
        envelope: LossCurve,
        axis: str,
        prevalence: float,
        curves: Mapping[str, LossCurve],
        fold_envelopes: Sequence[LossCurve],
        name: str | None = None,
    ) -> None:
        self.lines = lines
        self.envelope = envelope
        self.axis = axis
        self.prevalence = prevalence
        self.curves = curves
        self.fold_envelopes = fold_envelopes
        self.name = name

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike | None = None,
        *,
        choices: Choices = (),
        axis: str = "cost",
        prevalence: float | None = None,
        sample_weight: ArrayLike | None = None,
        pos_label: object = None,
        name: str | None = None,
        ax: "Axes | None" = None,
        **drawing: Any,
    ) -> Self:
        """Draw the cost space of predictions.

        Parameters
        ----------
        y_true, y_score : arrays of shape (n,)
            Labels of two classes and scores, higher meaning more positive.
        choices : ThresholdChoice, or sequence of such, or mapping of name to such
            Whose losses to draw beside the envelope; by default of none.
        axis : {"cost", "skew", "pc"}
            What the condition is: the cost proportion, the skew z or, as Drummond and Holte draw
            it, the probability cost 1 - z.
        prevalence : float in (0, 1), optional
            Share of positives at deployment; the data's by default. Only the cost axis needs it.
        sample_weight : array of shape (n,), optional
            Non-negative.
        pos_label : label, optional
            The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
        name : str, optional
            What to call the classifier in the legend.
        ax : matplotlib Axes, optional
            By default those of a new figure.
        **drawing
            As in `plot`.

        Returns
        -------
        CostSpaceDisplay

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError
            If the input is not so.
        """
        folds = Folds.given(y_true, y_score, sample_weight, pos_label)
        display = cls.of(folds, choices=choices, axis=axis, prevalence=prevalence, name=name)
        return display.plot(ax, **drawing)

    @classmethod
    def of(
        cls,
        folds: Folds,
        *,
        choices: Choices,
        axis: str,
        prevalence: float | None,
        name: str | None,
    ) -> Self:
        """The display of predictions, not drawn yet."""
        if axis not in _AXES:
            raise ConditionError(f"axis must be 'cost', 'skew' or 'pc', got {brief(axis)}.")
        wanted = named(choices)
        pooled = folds.pooled.table
        share = pooled.prevalence if prevalence is None else prevalence
        share = share if axis == "cost" else 0.5
        over = "cost" if axis == "cost" else "skew"
        optimal = [
            loss_curve(table, choice=Optimal(), axis=over, prevalence=share)
            for table in (pooled, *(part.table for part in folds.parts))
        ]
        return cls(
            lines=cost_lines(
                pooled.distinct_points.after_flagging_all(), axis=axis, prevalence=share
            ),
            envelope=optimal[0],
            axis=axis,
            prevalence=share,
            curves={
                label: loss_curve(pooled, choice=choice, axis=over, prevalence=share)
                for label, choice in wanted.items()
            },
            fold_envelopes=optimal[1:] if len(folds.parts) > 1 else [],
            name=name,
        )

    def plot(
        self,
        ax: "Axes | None" = None,
        *,
        name: str | None = None,
        curve_kwargs: Keywords | None = None,
        plot_lines: bool = True,
        plot_operating_range: bool = False,
        plot_chance_level: bool = False,
        chance_level_kw: Keywords | None = None,
        conditions: ArrayLike = (),
        scale: str = "linear",
        limits: tuple[float, float] | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw the lines and their envelope.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What to call the classifier in the legend, instead of the name that there is.
        curve_kwargs : dict, optional
            Keywords of matplotlib's `plot` for the envelope.
        plot_lines : bool, default True
            Draw the cost line of every threshold.
        plot_operating_range : bool, default False
            Shade the conditions at which the best threshold loses less than flagging everybody
            and flagging nobody, and draw the losses of these two.
        plot_chance_level : bool, default False
            Draw the losses of flagging everybody and of flagging nobody.
        chance_level_kw : dict, optional
            Keywords of matplotlib's `plot` for these two.
        conditions : array in [0, 1]
            Places on the axis to mark by a line, as `RocSpaceDisplay` marks its points.
        scale : {"linear", "logit"}
            The logit scale shows conditions such as 1/5000 and 1/500 apart.
        limits : (low, high), optional
            Range of conditions to draw.
        despine : bool, default False
            Leave out the top and the right spine.

        Returns
        -------
        CostSpaceDisplay
            Itself.
        """
        from costspace.plots import plot_cost_space
        from costspace.plots.axes import line_keywords, styles_on
        from costspace.plots.cost_space import TRIVIAL
        from costspace.plots.style import GREY

        name = self.name if name is None else name
        bold = {**next(styles_on(ax)).line(), **line_keywords(curve_kwargs or {})}
        title = titled(name, "lower envelope")
        folds = folds_of(name, self.fold_envelopes)
        looks: dict[str, Keywords] = {title: bold, **folds_looks(bold["color"], folds)}
        rules = plot_chance_level or plot_operating_range
        if rules:
            looks |= dict.fromkeys(TRIVIAL, chance_level_kw or {})
        others = {titled(name, choice): curve for choice, curve in self.curves.items()}
        display = plot_cost_space(
            {title: self.envelope, **others, **folds},
            lines=self.lines if plot_lines else None,
            trivial=self.prevalence if rules else None,
            operating_range=title if plot_operating_range else False,
            axis=self.axis,
            scale=scale,
            limits=limits,
            looks=looks,
            ax=ax,
        )
        for condition in np.atleast_1d(check_conditions("conditions", conditions)):
            display.ax.axvline(condition, color=GREY, linewidth=0.8, zorder=1)
            display.ax.text(
                condition,
                0.99,
                f" {condition:g}",
                transform=display.ax.get_xaxis_transform(),
                color=GREY,
                fontsize="small",
                verticalalignment="top",
                bbox={"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"},
            )
        self.line_: Any = display.artists[title]
        return self._finish(display, despine=despine)

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a cost line: its losses at the two ends of the axis."""
        return dict(self.lines.columns())
