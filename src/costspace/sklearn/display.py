"""What displays have in common: where they come from, and how they are drawn on axes."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar

from numpy.typing import ArrayLike, NDArray

from costspace.choices import ThresholdChoice
from costspace.errors import ConditionError, brief
from costspace.sklearn.response import ANY, PROBABILITIES, methods_named
from costspace.sklearn.scored import Folds, scored_by, scored_in_folds

if TYPE_CHECKING:
    from costspace.plots import Display

Choices = ThresholdChoice | Sequence[ThresholdChoice] | Mapping[str, ThresholdChoice]
Keywords = Mapping[str, Any]
T = TypeVar("T")


class DrawnDisplay(ABC):
    """What `plot` draws."""

    ax_: Any
    figure_: Any
    display_: "Display"

    @abstractmethod
    def columns(self) -> dict[str, NDArray[Any]]:
        """The results as columns."""

    def _finish(self, display: "Display", *, despine: bool) -> Self:
        self.display_, self.ax_, self.figure_ = display, display.ax, display.figure
        if despine:
            self.ax_.spines[["top", "right"]].set_visible(False)
        return self


class ScoreDisplay(DrawnDisplay):
    """A display that is made from labels and scores."""

    name: str | None

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
        """Draw what a fitted classifier does on some rows.

        Parameters
        ----------
        estimator : classifier
            Fitted, of two classes; a pipeline that ends in one, too.
        X : array-like of shape (n, features)
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,), optional
        response_method : {"auto", "predict_proba", "decision_function"}
            Whose scores are used; by default the first of the two that the classifier has, and
            only probabilities for choices that trust scores as such.
        pos_label : label, optional
            The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
        name : str, optional
            What to call the classifier in the legend; by default its class.
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
            If the input is not so, or the classifier has not the scores that are needed.
        """
        methods, asked_by = cls._needs(options)
        scored = scored_by(
            estimator,
            X,
            y,
            sample_weight=sample_weight,
            methods=methods_named(response_method, methods),
            asked_by=asked_by,
            pos_label=pos_label,
        )
        name = type(estimator).__name__ if name is None else name
        return cls._made(Folds((scored,)), name=name, **options)

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
        """Draw what the classifiers of a cross-validation do on the rows left out of each fit.

        Every fold has a thin curve; the class says what the bold one is.

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
            If the input is not so: rows of one class in a fold, for example.
        """
        methods, asked_by = cls._needs(options)
        folds = scored_in_folds(
            cv_results,
            X,
            y,
            sample_weight=sample_weight,
            methods=methods_named(response_method, methods),
            asked_by=asked_by,
            pos_label=pos_label,
        )
        name = type(cv_results["estimator"][0]).__name__ if name is None else name
        return cls._made(folds, name=name, **options)

    @classmethod
    def _made(cls, folds: Folds, **options: Any) -> Self:
        found: Self = cls.from_predictions(folds, None, **options)  # type: ignore[attr-defined]
        return found

    @classmethod
    def _needs(cls, options: Mapping[str, Any]) -> tuple[tuple[str, ...], object]:
        """The methods whose scores fit the choices that are asked for, and one that needs them."""
        trusting = [one for one in named(options.get("choices", ())).values() if not one.by_rank]
        return (PROBABILITIES, trusting[0]) if trusting else (ANY, f"a {cls.__name__}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({'' if self.name is None else self.name})"


def named(choices: Choices) -> dict[str, ThresholdChoice]:
    """Threshold choices by the names that they are drawn under."""
    if isinstance(choices, Mapping):
        found = dict(choices)
    else:
        # A word is a sequence, too.
        several: Sequence[Any] = (
            choices if isinstance(choices, Sequence) and not isinstance(choices, str) else [choices]
        )
        found = {}
        for one in several:
            name = one.name if isinstance(one, ThresholdChoice) else str(one)
            if name in found:
                raise ConditionError(f"two choices are {name}: give a mapping from names.")
            found[name] = one
    for one in found.values():
        if not isinstance(one, ThresholdChoice):
            raise ConditionError(
                f"choices: a ThresholdChoice is needed, as Optimal(), got {brief(one)}."
            )
    return found


def of_each(kwargs: Keywords | Sequence[Keywords] | None, count: int) -> list[dict[str, Any]]:
    """Keywords for each of several curves: the same for all, or a list of as many.

    Raises
    ------
    ConditionError
        If there are more or fewer.
    """
    if kwargs is None or isinstance(kwargs, Mapping):
        return [dict(kwargs or {}) for _ in range(count)]
    if len(kwargs) != count:
        raise ConditionError(
            f"curve_kwargs must be a dict, or a list of one for each of {count} curves, "
            f"got {len(kwargs)}."
        )
    return [dict(one) for one in kwargs]


def titled(name: str | None, what: str, value: float | None = None, measure: str = "") -> str:
    """What the legend says of a curve: whose it is, what it is, and how much it comes to."""
    title = ", ".join(str(part) for part in (name, what) if part not in (None, ""))
    return title if value is None else f"{title} ({measure} {value:.3g})"


def folds_of(name: str | None, folds: Sequence[T]) -> dict[str, T]:
    """What each fold has, by the names that it is drawn under."""
    return {titled(name, f"fold {i}"): fold for i, fold in enumerate(folds, 1)}


def folds_looks(
    colour: Any, names: Collection[str], *, first: bool = True
) -> dict[str, dict[str, Any]]:
    """Thin lines in the colour of a bold one; the legend names the first."""
    return {
        name: {
            "color": colour,
            "linewidth": 0.7,
            "linestyle": "-",
            "alpha": 0.45,
            "marker": "",
            "zorder": 1.5,
            "label": f"each of {len(names)} folds" if first and i == 0 else "_fold",
        }
        for i, name in enumerate(names)
    }
