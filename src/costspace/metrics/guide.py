"""Which threshold choice methods are reasonable, and which metric goes with each."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.choices import (
    Optimal,
    RateDriven,
    RateFixed,
    RateUniform,
    ScoreDriven,
    ScoreFixed,
    ScoreUniform,
    ThresholdChoice,
)
from costspace.errors import ConditionError, brief
from costspace.notebook import html_table

AT_EVALUATION, AT_DEPLOYMENT, NEVER = "at evaluation", "at deployment", "never"


@final
@dataclass(frozen=True)
class ReasonableChoice:
    """A threshold choice method, when it is reasonable, and the metric that goes with it.

    Attributes
    ----------
    name : str
        The method, as reports name it.
    choice : callable
        The class that makes the method.
    family : {"scores", "rates", "optimal"}
        What thresholds are set on.
    setting : {"fixed", "chosen uniformly", "driven by the condition"}
        How they are set.
    condition_known : {"at evaluation", "at deployment", "never"}
        When the operating condition has to be known for that.
    trusts : str
        What has to be reliable.
    cost_metric, skew_metric : str
        The metric of costspace that goes with it where cost proportions, or skews, are uniform.
        At skews, give `refinement_loss` a prevalence of 1/2.
    cost_loss, skew_loss : str
        The expected loss by that metric, with p the prevalence.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, a row of Tables 3, 4 and 6.

    Examples
    --------
    >>> found = reasonable_choices(condition_known="at deployment").choices[0]
    >>> found.name, found.choice(), found.trusts
    ('score_driven', ScoreDriven(calibrated_to=None), 'the scores as probabilities')
    """

    name: str
    choice: Callable[..., ThresholdChoice]
    family: str
    setting: str
    condition_known: str
    trusts: str
    cost_metric: str
    skew_metric: str
    cost_loss: str
    skew_loss: str


@final
@dataclass(frozen=True, repr=False)
class ChoiceGuide:
    """The reasonable threshold choice methods, by what is known of the condition.

    Attributes
    ----------
    condition_known : {"at evaluation", "at deployment", "never"} or None
        When the operating condition is known; None for all methods.
    choices : tuple of ReasonableChoice
        The methods.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Tables 3, 4 and 6.

    Examples
    --------
    >>> guide = reasonable_choices(condition_known="never")
    >>> guide.columns()["name"].tolist(), guide.columns()["cost_loss"].tolist()[1]
    (['score_uniform', 'rate_uniform'], 'p * (1 - p) * (1 - 2 * auc) + 1 / 2')
    """

    condition_known: str | None
    choices: tuple[ReasonableChoice, ...]

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a method, all but the class that makes it."""
        names = [field.name for field in fields(ReasonableChoice) if field.name != "choice"]
        return {name: np.array([getattr(row, name) for row in self.choices]) for name in names}

    def _shown(self) -> list[tuple[str, ...]]:
        head = ("name", "setting", "trusts", "metric", "expected loss")
        rows = ((r.name, r.setting, r.trusts, r.cost_metric, r.cost_loss) for r in self.choices)
        return [head, *rows]

    def __repr__(self) -> str:
        rows = self._shown()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        )

    def _repr_html_(self) -> str:
        head, *rows = self._shown()
        return html_table(head, rows)


_FIXED, _UNIFORM, _DRIVEN = "fixed", "chosen uniformly", "driven by the condition"
_PROBABILITIES, _RANKING = "the scores as probabilities", "the ranking"
_AUC_AT_COSTS, _AUC_AT_SKEWS = "p * (1 - p) * (1 - 2 * auc)", "(1 - 2 * auc) / 4"
_CHOICES = (
    ReasonableChoice(
        *("score_fixed", ScoreFixed, "scores", _FIXED, AT_EVALUATION),
        trusts="the decisions at the threshold",
        cost_metric="accuracy",
        skew_metric="macro_accuracy",
        cost_loss="1 - accuracy",
        skew_loss="1 - macro_accuracy",
    ),
    ReasonableChoice(
        *("rate_fixed", RateFixed, "rates", _FIXED, AT_EVALUATION),
        trusts="the ranking at the share flagged",
        cost_metric="accuracy",
        skew_metric="macro_accuracy",
        cost_loss="1 - accuracy",
        skew_loss="1 - macro_accuracy",
    ),
    ReasonableChoice(
        *("score_driven", ScoreDriven, "scores", _DRIVEN, AT_DEPLOYMENT),
        trusts=_PROBABILITIES,
        cost_metric="brier_score",
        skew_metric="macro_brier_score",
        cost_loss="brier_score",
        skew_loss="macro_brier_score",
    ),
    ReasonableChoice(
        *("rate_driven", RateDriven, "rates", _DRIVEN, AT_DEPLOYMENT),
        trusts=_RANKING,
        cost_metric="auc",
        skew_metric="auc",
        cost_loss=f"{_AUC_AT_COSTS} + 1 / 3",
        skew_loss=f"{_AUC_AT_SKEWS} + 1 / 3",
    ),
    ReasonableChoice(
        *("optimal", Optimal, "optimal", _DRIVEN, AT_DEPLOYMENT),
        trusts="the convex hull of the ROC curve",
        cost_metric="refinement_loss",
        skew_metric="refinement_loss",
        cost_loss="refinement_loss",
        skew_loss="refinement_loss",
    ),
    ReasonableChoice(
        *("score_uniform", ScoreUniform, "scores", _UNIFORM, NEVER),
        trusts=_PROBABILITIES,
        cost_metric="mean_absolute_error",
        skew_metric="macro_mean_absolute_error",
        cost_loss="mean_absolute_error",
        skew_loss="macro_mean_absolute_error",
    ),
    ReasonableChoice(
        *("rate_uniform", RateUniform, "rates", _UNIFORM, NEVER),
        trusts=_RANKING,
        cost_metric="auc",
        skew_metric="auc",
        cost_loss=f"{_AUC_AT_COSTS} + 1 / 2",
        skew_loss=f"{_AUC_AT_SKEWS} + 1 / 2",
    ),
)


def reasonable_choices(*, condition_known: str | None = None) -> ChoiceGuide:
    """List the reasonable threshold choice methods, with the metric of each.

    Parameters
    ----------
    condition_known : {"at evaluation", "at deployment", "never"}, optional
        When the operating condition becomes known: when models are compared, only when the chosen
        one decides, or never. All methods by default.

    Returns
    -------
    ChoiceGuide
        Known at evaluation, a threshold can be fixed for it. Known at deployment, thresholds
        can be driven by it: by scores that are good probabilities; else by the ROC convex hull
        if enough data estimate it; else by rates. Never known, thresholds are taken as drawn at
        random.

    Raises
    ------
    ConditionError
        If `condition_known` is another.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Tables 3, 4 and 6, Sections 7.3 and 8.2.
    The expected losses are under uniform conditions; `expected_loss` takes any others. What was
    never reasonable to choose can still turn out best on a test set.

    Examples
    --------
    >>> guide = reasonable_choices(condition_known="at deployment")
    >>> {row.name: row.cost_metric for row in guide.choices}
    {'score_driven': 'brier_score', 'rate_driven': 'auc', 'optimal': 'refinement_loss'}
    """
    known = (AT_EVALUATION, AT_DEPLOYMENT, NEVER)
    if condition_known is not None and condition_known not in known:
        raise ConditionError(
            "condition_known must be 'at evaluation', 'at deployment' or 'never', got "
            f"{brief(condition_known)}."
        )
    choices = tuple(c for c in _CHOICES if condition_known in (None, c.condition_known))
    return ChoiceGuide(condition_known, choices)
