"""ROC space: a classifier's curve and hull, and the paths of choices."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.checks import check_conditions, check_prevalence
from costspace.condition import loss_at, skew_from_cost
from costspace.curve import OperatingPath, SmoothPath
from costspace.predictions import on_axis
from costspace.roc.isometrics import Isometric, loss_isometric
from costspace.scores.table import ScoreTable
from costspace.sklearn.display import ScoreDisplay
from costspace.sklearn.looks import Keywords, folds_looks, folds_of, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@final
@dataclass(eq=False, kw_only=True, repr=False)
class RocSpaceDisplay(ScoreDisplay):
    """ROC curve and hull of a classifier, and the paths of threshold choices through ROC space.

    `CostSpaceDisplay` shows the same classifier in the dual space. Make it with `from_estimator`,
    `from_predictions` or `from_cv_results`, which draw it too.

    Parameters
    ----------
    folds, choices, axis, prevalence, name
        As `from_predictions` makes them.

    Attributes
    ----------
    table : ScoreTable
        The scores; for a cross-validation those of the pooled test rows, whose curve mixes the
        scores of all folds.
    paths : mapping of str to OperatingPath or SmoothPath
        The operating points of each choice as the condition grows.
    auc : float in [0, 1]
        Area under the curve.
    line_ : matplotlib Line2D
        The ROC curve.
    ax_, figure_ : matplotlib Axes and Figure
    display_ : Display
        Everything that is drawn, by name.

    See Also
    --------
    costspace.plots.plot_roc_space : What draws it.

    Examples
    --------
    The operating points of score-driven thresholds, and the best ones, at two cost proportions:

    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> display = RocSpaceDisplay.from_predictions(
    ...     y, s, choices=cs.ScoreDriven(), conditions=[0.2, 0.5], name="model"
    ... )
    >>> list(display.display_.artists)
    ['c = 0.2, loss 0.1', 'c = 0.5, loss 0.25', 'model, ROC curve', 'model, ROC curve, hull',
     'model, score-driven']
    >>> plt.close(display.figure_)
    """

    @cached_property
    def table(self) -> ScoreTable:
        """The scores, at the given prevalence."""
        table = self.folds.pooled.table
        if self.prevalence is None:
            return table
        return table.with_prevalence(check_prevalence(self.prevalence))

    @cached_property
    def paths(self) -> dict[str, OperatingPath | SmoothPath]:
        """The operating points of each choice as the condition grows."""
        source = on_axis(self.table, self.axis)
        return {label: choice.path(source) for label, choice in self.choices.items()}

    def isometrics(self, conditions: ArrayLike) -> dict[str, Isometric]:
        """The lines of equal loss that touch the hull at each condition."""
        source = on_axis(self.table, self.axis)
        symbol = "c" if self.axis == "cost" else "z"
        marked = np.atleast_1d(check_conditions("conditions", conditions))
        best = source.by_skew.at(skew_from_cost(marked, prevalence=source.prevalence))
        lines = {}
        for c, fpr, fnr in zip(marked, best.fpr, best.fnr, strict=True):
            loss = float(loss_at(fpr, fnr, c=c, prevalence=source.prevalence))
            label = f"{symbol} = {c:g}, loss {loss:.3g}"
            lines[label] = loss_isometric(c=c, prevalence=source.prevalence, fpr=fpr, fnr=fnr)
        return lines

    @property
    def auc(self) -> float:
        """Area under the ROC curve."""
        return self.table.auc

    def plot(
        self,
        ax: "Axes | None" = None,
        *,
        name: str | None = None,
        conditions: ArrayLike = (),
        curve_kwargs: Keywords | None = None,
        plot_hull: bool = True,
        plot_isometrics: bool = True,
        plot_chance_level: bool = False,
        chance_level_kw: Keywords | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curve, the hull and the paths.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            Name of the classifier next to its lines, instead of the display's name.
        conditions : array in [0, 1]
            Conditions to write along the paths, at each of which a line of equal loss touches the
            hull.
        curve_kwargs : dict, optional
            Keywords of matplotlib's `plot` for the ROC curve.
        plot_hull : bool, default True
            Draw the convex hull, too.
        plot_isometrics : bool, default True
            Draw the lines of equal loss at the conditions.
        plot_chance_level : bool, default False
            Draw the diagonal of random ranking.
        chance_level_kw : dict, optional
            Keywords of matplotlib's `plot` for it.
        despine : bool, default False
            Leave out the top and the right spine.

        Returns
        -------
        RocSpaceDisplay
            Itself.
        """
        from costspace.plots import plot_roc_space
        from costspace.plots.axes import line_keywords, styles_on

        name = self.name if name is None else name
        title = titled(name, "ROC curve")
        paths = {titled(name, choice): path for choice, path in self.paths.items()}
        styles = styles_on(ax, [title, *paths])
        bold = {
            **styles[title].line(),
            "label": titled(name, "ROC curve", self.auc, "AUC"),
            **line_keywords(curve_kwargs or {}),
        }
        colour = bold["color"]
        folds = folds_of(name, self.folds.tables if len(self.folds.parts) > 1 else [])
        looks: dict[str, Keywords] = {title: bold, **folds_looks(colour, folds)}
        # As in cost space, where folds come last.
        for label in paths:
            looks[label] = {"color": styles[label].colour, "marker": styles[label].marker}
        if plot_hull:
            looks[f"{title}, hull"] = {"color": colour, "label": titled(name, "convex hull")}
        if plot_chance_level:
            looks["chance level"] = chance_level_kw or {}
        display = plot_roc_space(
            {title: self.table, **folds},
            hull=[title] if plot_hull else False,
            isometrics=self.isometrics(conditions) if plot_isometrics else {},
            paths=paths,
            conditions=conditions,
            chance_level=plot_chance_level,
            looks=looks,
            ax=ax,
        )
        self.line_: Any = display.artists[title]
        return self._finish(display, despine=despine)

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a point of the ROC curve."""
        points = self.table.distinct_points.after_flagging_all()
        return {"fpr": np.asarray(points.fpr), "tpr": 1 - np.asarray(points.fnr)}
