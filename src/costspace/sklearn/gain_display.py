"""Cumulative gains and lift of a classifier."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, final

from numpy.typing import ArrayLike, NDArray

from costspace.bands.gain_bands import GainBand, gain_band
from costspace.errors import ConditionError
from costspace.metrics.cumulative_gain import GainCurve, gain_curve
from costspace.sklearn.display import DrawnDisplay
from costspace.sklearn.looks import Keywords, folds_looks, folds_of, titled
from costspace.sklearn.scored import Folds

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@final
@dataclass(eq=False, kw_only=True, repr=False)
class GainDisplay(DrawnDisplay):
    """Cumulative gains of a classifier, or its lift: positives found by the share flagged.

    Make it with `from_estimator`, `from_predictions` or `from_cv_results`, which draw it too. For
    a cross-validation the curve is that of the pooled test rows, which mixes the scores of all
    folds; each fold's is thin.

    Parameters
    ----------
    folds, prevalence, name
        As `from_predictions` makes them.

    Attributes
    ----------
    curve : GainCurve
        Cumulative gains by the share flagged.
    line_ : matplotlib Line2D
        The curve.
    ax_, figure_ : matplotlib Axes and Figure
    display_ : Display
        Everything that is drawn, by name.

    See Also
    --------
    costspace.plots.plot_gain : What draws it.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> display = GainDisplay.from_predictions(y, s, name="model")
    >>> display.line_.get_label(), display.curve.lift(0.25)
    ('model (area 0.625)', 2.0)
    >>> plt.close(display.figure_)
    """

    folds: Folds
    prevalence: float | None
    name: str | None

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike | None = None,
        *,
        prevalence: float | None = None,
        sample_weight: ArrayLike | None = None,
        pos_label: object = None,
        name: str | None = None,
        ax: Any = None,
        **drawing: Any,
    ) -> Self:
        """Draw the gains of predictions.

        Parameters
        ----------
        y_true, y_score : arrays of shape (n,)
            Labels of two classes and scores, higher meaning more positive.
        prevalence : float in (0, 1), optional
            Share of positives at deployment; the data's by default.
        sample_weight : array of shape (n,), optional
            Non-negative.
        pos_label : label, optional
            The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
        name : str, optional
            Name of the classifier next to its line.
        ax : matplotlib Axes, optional
            As in `plot`.
        **drawing
            As in `plot`.

        Returns
        -------
        GainDisplay
            Drawn.

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError
            For labels not of two classes, unusable scores, negative weights or options out of
            range, in this order.
        """
        folds = Folds.given(y_true, y_score, sample_weight, pos_label)
        return cls._of_folds(folds, name, prevalence=prevalence, ax=ax, **drawing)

    @classmethod
    def _of_folds(
        cls,
        folds: Folds,
        name: str | None,
        *,
        prevalence: float | None = None,
        ax: Any = None,
        **drawing: Any,
    ) -> Self:
        known = folds.parts[0].classifier if name is None else name
        return cls(folds=folds, prevalence=prevalence, name=known).plot(ax, **drawing)

    @cached_property
    def curve(self) -> GainCurve:
        """Cumulative gains by the share flagged."""
        return gain_curve(self.folds.pooled.table, prevalence=self.prevalence)

    def _band(self, level: float) -> GainBand:
        if len(self.folds.parts) > 1:
            raise ConditionError(
                "bands need a single sample, and folds share rows: leave out level."
            )
        part = self.folds.pooled
        return gain_band(
            part.y_true,
            part.y_score,
            level=level,
            prevalence=self.prevalence,
            pos_label=part.pos_label,
            sample_weight=part.weight,
        )

    def plot(
        self,
        ax: "Axes | None" = None,
        *,
        name: str | None = None,
        kind: str = "gain",
        level: float | None = None,
        curve_kwargs: Keywords | None = None,
        plot_chance_level: bool = True,
        chance_level_kw: Keywords | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            Name of the classifier next to its line, instead of the display's name.
        kind : {"gain", "lift"}
            The share of all positives found, or how many times as many that is as at random.
        level : float in (0, 1), optional
            Confidence level of a simultaneous band; there is none for folds.
        curve_kwargs : dict, optional
            Keywords of matplotlib's `plot` for the curve.
        plot_chance_level : bool, default True
            Draw flagging at random and, of gains, a perfect ranking.
        chance_level_kw : dict, optional
            Keywords of matplotlib's `plot` for the line of flagging at random.
        despine : bool, default False
            Leave out the top and the right spine.

        Returns
        -------
        GainDisplay
            Itself.
        """
        from costspace.plots import plot_gain
        from costspace.plots.axes import line_keywords, styles_on

        name = self.name if name is None else name
        title = titled(name, "") or kind
        look = {
            **styles_on(ax, [title])[title].line(),
            "label": f"{title} (area {self.curve.area:.3g})",
            **line_keywords(curve_kwargs or {}),
        }
        several = self.folds.tables if len(self.folds.parts) > 1 else []
        folds = {
            label: gain_curve(table, prevalence=self.curve.prevalence)
            for label, table in folds_of(name, several).items()
        }
        looks: dict[str, Keywords] = {title: look, **folds_looks(look["color"], folds)}
        if plot_chance_level:
            looks["at random"] = chance_level_kw or {}
        display = plot_gain(
            {title: self.curve, **folds},
            kind=kind,
            bands={} if level is None else {title: self._band(level)},
            trivial=plot_chance_level,
            looks=looks,
            ax=ax,
        )
        self.line_: Any = display.artists[title]
        return self._finish(display, despine=despine)

    def __repr__(self) -> str:
        return f"GainDisplay({'' if self.name is None else self.name})"

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a corner of the curve: the share flagged, the gain and the lift."""
        return {**self.curve.columns()}
