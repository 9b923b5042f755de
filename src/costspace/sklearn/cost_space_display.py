"""Cost space: a classifier's thresholds as lines, and their lower envelope."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.checks import check_conditions
from costspace.choices import Optimal
from costspace.curve import LossCurve
from costspace.curve.lines import CostLines, cost_lines
from costspace.metrics.expected import loss_curve
from costspace.scores.table import ScoreTable
from costspace.sklearn.display import ScoreDisplay
from costspace.sklearn.looks import Keywords, folds_looks, folds_of, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@final
@dataclass(eq=False, kw_only=True, repr=False)
class CostSpaceDisplay(ScoreDisplay):
    """Cost lines of a classifier and their lower envelope, the dual of its ROC curve and hull.

    A point of ROC space is a line here, and the convex hull the lower envelope of the lines:
    `RocSpaceDisplay` shows the same classifier there, `DualSpaceDisplay` both. Make it with
    `from_estimator`, `from_predictions` or `from_cv_results`, which draw it too.

    Parameters
    ----------
    folds, choices, axis, prevalence, name
        As `from_predictions` makes them.

    Attributes
    ----------
    lines : CostLines
        A line for each threshold; for a cross-validation those of the pooled test rows.
    envelope : LossCurve
        Their lower envelope: the loss of the best threshold at each condition, over the skew if
        the axis is "pc".
    curves : mapping of str to LossCurve
        The loss curves of choices, by their names.
    fold_envelopes : sequence of LossCurve
        The lower envelope of each fold; none without folds.
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

    _axes = ("cost", "skew", "pc")

    @property
    def _table(self) -> ScoreTable:
        return self.folds.pooled.table

    @cached_property
    def _condition(self) -> dict[str, Any]:
        """The axis that the curves are over, and the prevalence."""
        if self.axis != "cost":
            return {"axis": "skew", "prevalence": 0.5}
        asked = self._table.prevalence if self.prevalence is None else self.prevalence
        return {"axis": "cost", "prevalence": asked}

    @cached_property
    def lines(self) -> CostLines:
        """The cost line of every threshold."""
        points = self._table.distinct_points.after_flagging_all()
        return cost_lines(points, axis=self.axis, prevalence=self._condition["prevalence"])

    @cached_property
    def envelope(self) -> LossCurve:
        """Their lower envelope."""
        return loss_curve(self._table, choice=Optimal(), **self._condition)

    @cached_property
    def curves(self) -> dict[str, LossCurve]:
        """The loss curves of choices."""
        return {
            label: loss_curve(self._table, choice=choice, **self._condition)
            for label, choice in self.choices.items()
        }

    @cached_property
    def fold_envelopes(self) -> list[LossCurve]:
        """The lower envelope of each fold."""
        tables = self.folds.tables if len(self.folds.parts) > 1 else []
        return [loss_curve(table, choice=Optimal(), **self._condition) for table in tables]

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
            Name of the classifier next to its lines, instead of the display's name.
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
        title = titled(name, "lower envelope")
        look = styles_on(ax, [title])[title]
        bold = {**look.line(), **line_keywords(curve_kwargs or {})}
        folds = folds_of(name, self.fold_envelopes)
        looks: dict[str, Keywords] = {title: bold, **folds_looks(bold["color"], folds)}
        rules = plot_chance_level or plot_operating_range
        if rules:
            looks |= dict.fromkeys(TRIVIAL, chance_level_kw or {})
        others = {titled(name, choice): curve for choice, curve in self.curves.items()}
        display = plot_cost_space(
            {title: self.envelope, **others, **folds},
            lines=self.lines if plot_lines else None,
            trivial=self._condition["prevalence"] if rules else None,
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
