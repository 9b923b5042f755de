"""The common base of displays: how they are made, and drawn on axes."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from numpy.typing import ArrayLike, NDArray

from costspace.choices import ThresholdChoice
from costspace.errors import ConditionError, brief
from costspace.sklearn.looks import Choices, named
from costspace.sklearn.response import ANY, PROBABILITIES, methods_named
from costspace.sklearn.scored import Folds, scored_by, scored_in_folds

if TYPE_CHECKING:
    from costspace.plots import Display


class DrawnDisplay(ABC):
    """A display of scores from classifiers or of given scores."""

    ax_: Any
    figure_: Any
    display_: "Display"

    _usual_choices: ClassVar[Choices] = ()

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: object = None,
        name: str | None = None,
        **options: Any,
    ) -> Self:
        """Draw the results of a fitted classifier on rows that it was not fitted on.

        Parameters
        ----------
        estimator : classifier
            Fitted, of two classes, or a pipeline that ends in one.
        X : array-like of shape (n, features)
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,), optional
        response_method : {"auto", "predict_proba", "decision_function"}
            The method that gives the scores; by default the first of the two that the classifier
            has, or only probabilities for choices that take scores as probabilities.
        pos_label : label, optional
            The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
        name : str, optional
            Name of the classifier; by default its class.
        **options
            As in `from_predictions`.

        Returns
        -------
        display
            Drawn.

        Raises
        ------
        NotFittedError
            If the classifier is not fitted.
        LabelError, ScoreError, WeightError, ConditionError
            For labels not of two classes, unusable scores, negative weights or options out of
            range, in this order. Also if the classifier lacks the scores that are needed.
        """
        asked = cls._asked(response_method, options.get("choices"))
        asked |= {"sample_weight": sample_weight, "pos_label": pos_label}
        return cls._of_folds(Folds((scored_by(estimator, X, y, **asked),)), name, **options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: object = None,
        name: str | None = None,
        **options: Any,
    ) -> Self:
        """Draw the results of a cross-validation's classifiers on the held-out rows of each fit.

        Each class says how it combines the folds.

        Parameters
        ----------
        cv_results : dict
            What scikit-learn's `cross_validate` returns with ``return_estimator=True`` and
            ``return_indices=True``.
        X, y, sample_weight
            All rows that were cross-validated.
        response_method, pos_label, name, **options
            As in `from_estimator`.

        Returns
        -------
        display
            Drawn.

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError
            For labels not of two classes, unusable scores, negative weights or options out of
            range, in this order. Also if a fold has rows of only one class.
        """
        asked = cls._asked(response_method, options.get("choices"))
        asked |= {"sample_weight": sample_weight, "pos_label": pos_label}
        return cls._of_folds(scored_in_folds(cv_results, X, y, **asked), name, **options)

    @classmethod
    def _asked(cls, response_method: str, choices: Choices | None) -> dict[str, Any]:
        """The methods whose scores suit the given choices, and what needs them."""
        trusting = [one for one in cls._named(choices).values() if not one.by_rank]
        methods = methods_named(response_method, PROBABILITIES if trusting else ANY)
        return {"methods": methods, "asked_by": trusting[0] if trusting else f"a {cls.__name__}"}

    @classmethod
    def _named(cls, choices: Choices | None) -> dict[str, ThresholdChoice]:
        """The given choices, or the usual ones, by name."""
        return named(cls._usual_choices if choices is None else choices)

    @classmethod
    @abstractmethod
    def _of_folds(cls, folds: Folds, name: str | None, **options: Any) -> Self:
        """The display of scored rows, drawn; without a name, that of the classifier's class."""

    @abstractmethod
    def columns(self) -> dict[str, NDArray[Any]]:
        """The results as columns."""

    def _finish(self, display: "Display", *, despine: bool) -> Self:
        self.display_, self.ax_, self.figure_ = display, display.ax, display.figure
        self.ax_.spines[["top", "right"]].set_visible(not despine)
        return self


@dataclass(eq=False, kw_only=True, repr=False)
class ScoreDisplay(DrawnDisplay):
    """A display of one classifier's scores, under threshold choices if given."""

    folds: Folds
    choices: Mapping[str, ThresholdChoice]
    axis: str
    prevalence: float | None
    name: str | None

    _axes: ClassVar[tuple[str, ...]] = ("cost", "skew")

    def __post_init__(self) -> None:
        if self.axis not in self._axes:
            *others, last = map(repr, self._axes)
            raise ConditionError(
                f"axis must be {', '.join(others)} or {last}, got {brief(self.axis)}."
            )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike | None = None,
        *,
        choices: Choices | None = None,
        axis: str = "cost",
        prevalence: float | None = None,
        sample_weight: ArrayLike | None = None,
        pos_label: object = None,
        name: str | None = None,
        ax: Any = None,
        **drawing: Any,
    ) -> Self:
        """Draw the results of predictions.

        Parameters
        ----------
        y_true, y_score : arrays of shape (n,)
            Labels of two classes and scores, higher meaning more positive.
        choices : ThresholdChoice, or sequence of such, or mapping of name to such
            Choices whose paths through ROC space and losses to draw: `Optimal()` gives the cost
            curve, `ScoreDriven()` the Brier curve, `RateDriven()` the rate-driven curve. By default
            the optimal one in a `LossCurveDisplay`, and none elsewhere.
        axis : {"cost", "skew", "pc"}
            What the condition is: the cost proportion, the skew z or, only in a
            `CostSpaceDisplay`, the probability cost 1 - z, as Drummond and Holte draw it.
        prevalence : float in (0, 1), optional
            Share of positives at deployment; the data's by default. Only the cost axis needs it.
        sample_weight : array of shape (n,), optional
            Non-negative.
        pos_label : label, optional
            The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
        name : str, optional
            Name of the classifier next to its lines.
        ax : matplotlib Axes, optional
            As in `plot`.
        **drawing
            As in `plot`.

        Returns
        -------
        display
            Drawn.

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError
            For labels not of two classes, unusable scores, negative weights or options out of
            range, in this order.
        """
        folds = Folds.given(y_true, y_score, sample_weight, pos_label)
        asked: dict[str, Any] = {"choices": choices, "axis": axis, "prevalence": prevalence}
        return cls._of_folds(folds, name, ax=ax, **asked, **drawing)

    @classmethod
    def _of_folds(
        cls,
        folds: Folds,
        name: str | None,
        *,
        choices: Choices | None = None,
        axis: str = "cost",
        prevalence: float | None = None,
        ax: Any = None,
        **drawing: Any,
    ) -> Self:
        display = cls(
            folds=folds,
            choices=cls._named(choices),
            axis=axis,
            prevalence=prevalence,
            name=folds.parts[0].classifier if name is None else name,
        )
        return display.plot(ax, **drawing)

    @abstractmethod
    def plot(self, ax: Any = None, *, name: str | None = None, despine: bool = False) -> Self:
        """Draw it."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({'' if self.name is None else self.name})"
