"""Loss curves of a classifier under threshold choices."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from numpy.typing import NDArray

from costspace.bands.band import LossBand
from costspace.bands.banding import loss_band
from costspace.choices import Optimal, ThresholdChoice
from costspace.costs import CostDistribution, Uniform
from costspace.costs.scipy_frozen import as_costs
from costspace.curve import LossCurve, OperatingPoints, PiecewiseQuadratic, weighted_sum
from costspace.curve.lines import CostLines, cost_lines
from costspace.errors import ConditionError, without_data_warnings
from costspace.estimates.interval import check_level
from costspace.metrics.expected import loss_curve
from costspace.sklearn.display import ScoreDisplay
from costspace.sklearn.looks import Keywords, folds_looks, folds_of, of_each, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@final
@dataclass(eq=False, kw_only=True, repr=False)
class LossCurveDisplay(ScoreDisplay):
    """Loss curves of a classifier over operating conditions, one for each threshold choice.

    Make it with `from_estimator`, `from_predictions` or `from_cv_results`, which draw it too. To
    compare classifiers, draw the next on the same axes: ``ax=display.ax_``.

    Parameters
    ----------
    folds, choices, axis, prevalence, name
        As `from_predictions` makes them.

    Attributes
    ----------
    curves : mapping of str to LossCurve
        By the names of the choices. For a cross-validation each is the mean of the folds' curves,
        so the folds' thresholds need not be comparable.
    fold_curves : mapping of str to sequence of LossCurve
        The curves of each fold; empty sequences without folds.
    lines : CostLines
        The cost line of every threshold, in folds of every fold's.
    envelope : PiecewiseQuadratic
        The least loss at each condition, on average over folds.
    expected_losses_ : mapping of str to float
        The expected loss in each curve's label.
    bands_ : mapping of str to LossBand
        Confidence bands of those curves that have one.
    line_ : matplotlib Line2D, or list of such
        The curves; not a list if there is only one.
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
    >>> for label, loss in display.expected_losses_.items():
    ...     print(label, round(loss, 4))
    score-driven 0.0612
    optimal 0.0318
    >>> plt.close(display.figure_)
    """

    _usual_choices = Optimal()

    @cached_property
    def _each(self) -> dict[str, list[LossCurve]]:
        """The curves of each part, by the names of the choices."""
        return {
            label: self._losses(choice, self.prevalence) for label, choice in self.choices.items()
        }

    def _losses(self, choice: ThresholdChoice, prevalence: float | None) -> list[LossCurve]:
        return [
            loss_curve(table, choice=choice, axis=self.axis, prevalence=prevalence)
            for table in self.folds.tables
        ]

    @cached_property
    def curves(self) -> dict[str, LossCurve]:
        """The curve of each choice, as the mean over folds."""
        return {
            label: each[0] if len(each) == 1 else weighted_sum(each)
            for label, each in self._each.items()
        }

    @property
    def fold_curves(self) -> dict[str, list[LossCurve]]:
        """The curves of each fold, if there are any."""
        return {label: each if len(each) > 1 else [] for label, each in self._each.items()}

    @property
    def _share(self) -> float:
        """The prevalence of the losses, as the mean over folds."""
        if self.axis == "skew":
            return 0.5
        if self.prevalence is not None:
            return self.prevalence
        return float(np.mean([table.prevalence for table in self.folds.tables]))

    @property
    def lines(self) -> CostLines:
        """The cost line of every threshold, of all folds."""
        points = [table.distinct_points.after_flagging_all() for table in self.folds.tables]
        every = OperatingPoints(
            np.concatenate([np.atleast_1d(p.fpr) for p in points]),
            np.concatenate([np.atleast_1d(p.fnr) for p in points]),
        )
        return cost_lines(every, axis=self.axis, prevalence=self._share)

    @property
    def envelope(self) -> PiecewiseQuadratic:
        """The least loss at each condition, as the mean over folds."""
        return weighted_sum(self._losses(Optimal(), self._share))

    def _bands(self, level: float) -> dict[str, LossBand]:
        """Bands around the curves of those choices that have one."""
        level = check_level(level)
        if len(self.folds.parts) > 1:
            raise ConditionError(
                "bands need a single sample, and folds share rows: leave out level."
            )
        part = self.folds.pooled
        bands = {}
        for label, choice in self.choices.items():
            try:
                # The curve has given the warnings about the scores.
                with without_data_warnings():
                    bands[label] = loss_band(
                        part.y_true,
                        part.y_score,
                        choice=choice,
                        axis=self.axis,
                        level=level,
                        prevalence=self.prevalence,
                        pos_label=part.pos_label,
                        sample_weight=part.weight,
                    )
            except ConditionError:
                # The curve has the same arguments, so the error means that the choice has no band.
                continue
        return bands

    def plot(
        self,
        ax: "Axes | None" = None,
        *,
        name: str | None = None,
        costs: CostDistribution = Uniform(),
        level: float | None = None,
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
        ax, name, plot_lines, plot_chance_level, chance_level_kw, scale, limits, despine
            As in `CostSpaceDisplay.plot`; by default without lines and chance level.
        costs : CostDistribution, default Uniform()
            Distribution of the condition for the expected losses in the labels.
        level : float in (0, 1), optional
            Confidence level of simultaneous bands around the curves, if `loss_band` supports the
            choice: there are none for rate-based choices and for folds.
        curve_kwargs : dict, or list of dict, optional
            Keywords of matplotlib's `plot` for all curves, or for each in its order.
        plot_envelope : bool, default False
            Draw the lower envelope of the cost lines: the least loss that the scores allow at each
            condition, as the mean over folds.

        Returns
        -------
        LossCurveDisplay
            Itself.
        """
        from costspace.plots import plot_cost_space
        from costspace.plots.axes import line_keywords, styles_on
        from costspace.plots.cost_space import TRIVIAL

        name = self.name if name is None else name
        over = as_costs(costs)
        self.expected_losses_ = {
            label: curve.expectation(over) for label, curve in self.curves.items()
        }
        self.bands_ = {} if level is None else self._bands(level)
        shown: dict[str, LossCurve] = {}
        looks: dict[str, Keywords] = {}
        styles = styles_on(ax, self.curves)
        for (choice, curve), asked in zip(
            self.curves.items(), of_each(curve_kwargs, len(self.curves)), strict=True
        ):
            title = titled(name, choice)
            label = titled(name, choice, self.expected_losses_[choice], "expected loss")
            look = {**styles[choice].line(), "label": label, **line_keywords(asked)}
            folds = folds_of(title, self.fold_curves[choice])
            looks |= {title: look, **folds_looks(look["color"], folds, first=not shown)}
            shown |= {title: curve, **folds}
        if plot_chance_level:
            looks |= dict.fromkeys(TRIVIAL, chance_level_kw or {})
        display = plot_cost_space(
            shown,
            bands={titled(name, choice): band for choice, band in self.bands_.items()},
            lines=self.lines if plot_lines else None,
            envelope=self.envelope if plot_envelope else False,
            trivial=self._share if plot_chance_level else None,
            axis=self.axis,
            scale=scale,
            limits=limits,
            looks=looks,
            ax=ax,
        )
        drawn: list[Any] = [display.artists[titled(name, choice)] for choice in self.curves]
        self.line_ = drawn[0] if len(drawn) == 1 else drawn
        return self._finish(display, despine=despine)

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
