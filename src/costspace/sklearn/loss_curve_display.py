"""Loss curves of a classifier under any threshold choices, over operating conditions."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.choices import Optimal, ThresholdChoice
from costspace.costs import CostDistribution, Uniform, as_costs
from costspace.curve import LossCurve, OperatingPoints, PiecewiseQuadratic, combine
from costspace.curve.lines import CostLines, cost_lines
from costspace.errors import ConditionError, without_data_warnings
from costspace.inference.bands.band import LossBand
from costspace.inference.bands.banding import loss_band
from costspace.inference.interval import check_level
from costspace.metrics.expected import loss_curve
from costspace.scores.table import ScoreTable
from costspace.sklearn.display import (
    Choices,
    Keywords,
    ScoreDisplay,
    folds_looks,
    folds_of,
    named,
    of_each,
    titled,
)
from costspace.sklearn.scored import Folds

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@final
class LossCurveDisplay(ScoreDisplay):
    """Loss curves of a classifier over operating conditions, one for each threshold choice.

    Make it with `from_estimator`, `from_predictions` or `from_cv_results`, which draw it too. To
    compare classifiers, draw the next on the axes of the one before: ``ax=display.ax_``.

    Parameters
    ----------
    curves : mapping of str to LossCurve
        By the names of the choices. Of a cross-validation each is the mean of the folds' curves:
        what the loss is at each condition in the mean over folds, whose thresholds need not be
        comparable.
    tables : sequence of ScoreTable
        The scores, a table for each fold.
    axis : {"cost", "skew"}
        What the condition is.
    prevalence : float in (0, 1)
        Share of positives that the losses are for; 1/2 on the skew axis.
    expected_losses : mapping of str to float
        What the legend says of each curve: its mean over the costs that are expected.
    fold_curves : mapping of str to sequence of LossCurve
        Those of each fold; empty sequences without folds.
    bands : mapping of str to LossBand
        Confidence bands of those curves that have one.
    name : str, optional
        What to call the classifier in the legend.

    Attributes
    ----------
    line_ : matplotlib Line2D, or list of such
        The curves; one alone is no list.
    ax_, figure_ : matplotlib Axes and Figure
    display_ : Display
        Everything that is drawn, by name.

    See Also
    --------
    costspace.plots.plot_cost_space : What draws it.
    CostSpaceDisplay : Cost lines and their lower envelope.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> bayes = GaussianNB().fit(X_train, y_train)
    >>> display = LossCurveDisplay.from_estimator(
    ...     bayes, X_test, y_test, choices=[cs.ScoreDriven(), cs.Optimal()], plot_chance_level=True
    ... )
    >>> for label, loss in display.expected_losses.items():
    ...     print(label, round(loss, 4))
    score-driven 0.0612
    optimal 0.0318
    >>> plt.close(display.figure_)
    """

    def __init__(
        self,
        *,
        curves: Mapping[str, LossCurve],
        tables: Sequence[ScoreTable],
        axis: str,
        prevalence: float,
        expected_losses: Mapping[str, float],
        fold_curves: Mapping[str, Sequence[LossCurve]],
        bands: Mapping[str, LossBand],
        name: str | None = None,
    ) -> None:
        self.curves = curves
        self.tables = tables
        self.axis = axis
        self.prevalence = prevalence
        self.expected_losses = expected_losses
        self.fold_curves = fold_curves
        self.bands = bands
        self.name = name

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike | None = None,
        *,
        choices: Choices = Optimal(),
        axis: str = "cost",
        prevalence: float | None = None,
        costs: CostDistribution = Uniform(),
        level: float | None = None,
        sample_weight: ArrayLike | None = None,
        pos_label: object = None,
        name: str | None = None,
        ax: "Axes | None" = None,
        **drawing: Any,
    ) -> Self:
        """Draw the loss curves of predictions.

        Parameters
        ----------
        y_true, y_score : arrays of shape (n,)
            Labels of two classes and scores, higher meaning more positive.
        choices : ThresholdChoice, or sequence of such, or mapping of name to such
            A curve for each: `Optimal()` gives the cost curve, `ScoreDriven()` the Brier curve,
            `RateDriven()` the rate-driven curve.
        axis : {"cost", "skew"}
            What the condition is.
        prevalence : float in (0, 1), optional
            Share of positives at deployment; the data's by default. The skew axis ignores it.
        costs : CostDistribution, default Uniform()
            Distribution of the condition, over which the legend's expected losses are.
        level : float in (0, 1), optional
            Confidence level of simultaneous bands around the curves, where `loss_band` has one
            for the choice: rate-based ones have none, nor have the curves of folds.
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
        LossCurveDisplay

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError
            If the input is not so.
        """
        wanted = named(choices)
        folds = Folds.given(y_true, y_score, sample_weight, pos_label)
        tables = [part.table for part in folds.parts]
        curves: dict[str, LossCurve] = {}
        fold_curves: dict[str, Sequence[LossCurve]] = {}
        for label, choice in wanted.items():
            each = [
                loss_curve(table, choice=choice, axis=axis, prevalence=prevalence)
                for table in tables
            ]
            curves[label] = each[0] if len(each) == 1 else combine(each)
            fold_curves[label] = each if len(each) > 1 else ()
        display = cls(
            curves=curves,
            tables=tables,
            axis=axis,
            prevalence=_prevalence(tables, axis, prevalence),
            expected_losses={
                label: curve.expectation(as_costs(costs)) for label, curve in curves.items()
            },
            fold_curves=fold_curves,
            bands={} if level is None else _bands(folds, wanted, axis, prevalence, level),
            name=name,
        )
        return display.plot(ax, **drawing)

    def plot(
        self,
        ax: "Axes | None" = None,
        *,
        name: str | None = None,
        curve_kwargs: Keywords | Sequence[Keywords] | None = None,
        plot_lines: bool = False,
        plot_envelope: bool = False,
        plot_chance_level: bool = False,
        chance_level_kw: Keywords | None = None,
        scale: str = "linear",
        limits: tuple[float, float] | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What to call the classifier in the legend, instead of the name that there is.
        curve_kwargs : dict, or list of dict, optional
            Keywords of matplotlib's `plot` for all curves, or for each in its order.
        plot_lines : bool, default False
            Draw the cost line of every threshold.
        plot_envelope : bool, default False
            Draw the lower envelope of the cost lines: the least loss that the scores allow at each
            condition, of folds the mean of theirs.
        plot_chance_level : bool, default False
            Draw the losses of flagging everybody and of flagging nobody.
        chance_level_kw : dict, optional
            Keywords of matplotlib's `plot` for these two.
        scale : {"linear", "logit"}
            The logit scale shows conditions such as 1/5000 and 1/500 apart.
        limits : (low, high), optional
            Range of conditions to draw.
        despine : bool, default False
            Leave out the top and the right spine.

        Returns
        -------
        LossCurveDisplay
            Itself.
        """
        from costspace.plots import plot_cost_space
        from costspace.plots.axes import line_keywords, styles_on
        from costspace.plots.cost_space import TRIVIAL

        name = self.name if name is None else name
        shown: dict[str, LossCurve] = {}
        looks: dict[str, Keywords] = {}
        styles = styles_on(ax)
        for (choice, curve), asked in zip(
            self.curves.items(), of_each(curve_kwargs, len(self.curves)), strict=True
        ):
            title = titled(name, choice)
            label = titled(name, choice, self.expected_losses[choice], "expected loss")
            look = {**next(styles).line(), "label": label, **line_keywords(asked)}
            folds = folds_of(title, self.fold_curves[choice])
            looks |= {title: look, **folds_looks(look["color"], folds, first=not shown)}
            shown |= {title: curve, **folds}
        if plot_chance_level:
            looks |= dict.fromkeys(TRIVIAL, chance_level_kw or {})
        display = plot_cost_space(
            shown,
            bands={titled(name, choice): band for choice, band in self.bands.items()},
            lines=self.lines if plot_lines else None,
            envelope=self.envelope if plot_envelope else False,
            trivial=self.prevalence if plot_chance_level else None,
            axis=self.axis,
            scale=scale,
            limits=limits,
            looks=looks,
            ax=ax,
        )
        drawn: list[Any] = [display.artists[titled(name, choice)] for choice in self.curves]
        self.line_ = drawn[0] if len(drawn) == 1 else drawn
        return self._finish(display, despine=despine)

    @property
    def lines(self) -> CostLines:
        """The cost line of every threshold, in folds of every fold's."""
        points = [table.distinct_points.after_flagging_all() for table in self.tables]
        every = OperatingPoints(
            np.concatenate([np.atleast_1d(p.fpr) for p in points]),
            np.concatenate([np.atleast_1d(p.fnr) for p in points]),
        )
        return cost_lines(every, axis=self.axis, prevalence=self.prevalence)

    @property
    def envelope(self) -> PiecewiseQuadratic:
        """The least loss at each condition, in the mean over folds."""
        return combine(
            [
                loss_curve(table, choice=Optimal(), axis=self.axis, prevalence=self.prevalence)
                for table in self.tables
            ]
        )

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a piece of a curve; the fold is 0 for the curves that are drawn bold."""
        parts: list[dict[str, NDArray[Any]]] = []
        for choice, curve in self.curves.items():
            for fold, one in enumerate([curve, *self.fold_curves[choice]]):
                pieces = one.piecewise().columns()
                size = len(pieces["from"])
                parts.append(
                    {"choice": np.full(size, choice), "fold": np.full(size, fold), **pieces}
                )
        return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}


def _prevalence(tables: Sequence[ScoreTable], axis: str, asked: float | None) -> float:
    """The prevalence of the losses, of folds the mean of theirs."""
    if axis == "skew":
        return 0.5
    return float(np.mean([table.prevalence for table in tables])) if asked is None else asked


def _bands(
    folds: Folds,
    choices: Mapping[str, ThresholdChoice],
    axis: str,
    prevalence: float | None,
    level: float,
) -> dict[str, LossBand]:
    check_level(level)
    if len(folds.parts) > 1:
        raise ConditionError("bands are for one sample, and folds share rows: leave out level.")
    part = folds.pooled
    bands = {}
    for label, choice in choices.items():
        try:
            # What there is to say of the scores was said of the curve.
            with without_data_warnings():
                bands[label] = loss_band(
                    part.y_true,
                    part.y_score,
                    choice=choice,
                    axis=axis,
                    level=level,
                    prevalence=prevalence,
                    pos_label=part.pos_label,
                    sample_weight=part.weight,
                )
        except ConditionError:
            # The curve is there with all of these, so the choice is what has no band.
            continue
    return bands
