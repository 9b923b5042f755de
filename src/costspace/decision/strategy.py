"""A model and a threshold choice: what can be used at deployment."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from types import MappingProxyType
from typing import Any, final

import numpy as np

from costspace.checks import check_number
from costspace.choices import RateFixed, ScoreDriven, ScoreFixed, Smoothed, ThresholdChoice
from costspace.choices.base import check_choice
from costspace.choices.naming import Choices, choices_by_name
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.choices.places import Batch, Places
from costspace.curve import OperatingPoints
from costspace.decision.rules.rule import Rule
from costspace.errors import ConditionError, brief

Known = frozenset[str]
# What may be known at each decision beside its range, and what each case costs.
NOTHING, CONDITION, CASE = Known(), Known({"costs", "prevalence"}), "case"


@final
@dataclass(frozen=True)
class Strategy:
    """A model with a threshold choice method, or a trivial rule.

    Parameters
    ----------
    model : str or None
        Name of the model; None for a rule that flags everybody or nobody.
    choice : ThresholdChoice
        How the threshold is set.
    name : str, optional
        What tables and JSON call the choice; `str(choice)` if nothing is given.
    known : frozenset of str
        What is known at each decision: "costs" and "prevalence"; nothing, so that one threshold
        serves the whole range of conditions. With "case" beside "costs" they are those of each
        case.
    passing : ThresholdChoice, optional
        With a review, what decides which cases are passed without one; `choice` then decides which
        are flagged without one. By default there is no review.
    places : object, optional
        Room for reviews in each batch. Those cases of a batch are reviewed, then, of which a review
        saves most, and not all between two thresholds.

    Raises
    ------
    ConditionError
        If a choice is none, or what is known is something else.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 1: what is deployed is a model
    and a threshold choice method, and it is the pair that has an expected loss.

    Examples
    --------
    >>> import costspace as cs
    >>> str(Strategy("logistic", cs.RateFixed(0.02)))
    'logistic, RateFixed(flagged=0.02)'
    """

    model: str | None
    choice: ThresholdChoice
    name: str = ""
    # Sets have no order to be shown in.
    known: frozenset[str] = field(default=CONDITION, repr=False)
    passing: ThresholdChoice | None = None
    places: Places | None = None

    def __post_init__(self) -> None:
        check_choice(self.choice)
        if self.passing is not None:
            check_choice(self.passing, "passing must be")
        if not Known(self.known) <= {*CONDITION, CASE}:
            raise ConditionError(
                "known must be a frozenset of 'costs', 'prevalence' and 'case', got "
                f"{brief(self.known)}."
            )
        object.__setattr__(self, "name", self.name or str(self.choice))

    def __str__(self) -> str:
        return self.name if self.model is None else f"{self.model}, {self.name}"

    @property
    def whose_scores(self) -> str:
        """The model that it looks at, or `ConditionError` if it needs none."""
        if self.model is None:
            raise ConditionError(f"{self} looks at no scores: ask for a strategy with a model.")
        return self.model

    @property
    def reviews(self) -> bool:
        """Whether cases may be reviewed."""
        return self.passing is not None

    @property
    def steps(self) -> tuple["Strategy", ...]:
        """The strategies of each decision between neighbouring actions; itself if there are two."""
        if self.passing is None:
            return (self,)
        flagging = replace(self, passing=None, places=None)
        return replace(flagging, choice=self.passing), flagging

    @property
    def by_case(self) -> bool:
        """Whether the threshold is set for each case by its own costs."""
        return CASE in self.known


def check_known(known: Any) -> Known:
    """Return what is known at each decision as a set, or `ConditionError` unless it is some of it.

    A text names one thing, or several with commas between them.
    """
    named = known.split(",") if isinstance(known, str) else known
    if isinstance(named, Iterable):
        found = Known(name.strip() if isinstance(name, str) else name for name in named)
        if found - {""} <= CONDITION:
            return found - {""}
    raise ConditionError(
        "known (--known) must be what is known at each decision: 'costs', 'prevalence', or for "
        f"both 'costs,prevalence', in Python a list too, got {brief(known)}."
    )


FLAG_NOBODY = Strategy(None, RateFixed(0), "flag_nobody", NOTHING)
FLAG_EVERYBODY = Strategy(None, RateFixed(1), "flag_everybody", NOTHING)
# Rules that need no model, and what they are.
TRIVIAL = MappingProxyType({FLAG_NOBODY: Rule(inf), FLAG_EVERYBODY: Rule(-inf)})
REVIEW_EVERYBODY = Strategy(None, RateFixed(0), "review_everybody", NOTHING, RateFixed(1))
# What a strategy without a review is called beside the same one with it.
UNREVIEWED = "_without_review"
# What one is called that fills the places for reviews of each batch.
REVIEW_QUEUE = "_queue"


def point_of_trivial(strategy: Strategy) -> OperatingPoints:
    """Where a rule that needs no model works in ROC space."""
    flagged = float(strategy == FLAG_EVERYBODY)
    return OperatingPoints(np.array(flagged), np.array(1 - flagged))


# Strategies that a decision adds by itself have these names.
QUEUE, BASELINE = "queue", "baseline"
_OWN_NAMES = frozenset({BASELINE, REVIEW_EVERYBODY.name, *(one.name for one in TRIVIAL)})

# A model and its threshold, or those of reviewing and of flagging; or the name of decisions among
# the scores.
Baseline = tuple[str, float] | tuple[str, float, float] | str


def default_choices(
    calibrated_to: float, capacity: float | None, batch: Batch = None
) -> dict[str, ThresholdChoice]:
    """Trusting scores that are calibrated to a prevalence, what is learnt, and the queue."""
    # Of what costs the same the first is taken: the queue keeps to the capacity on any cases.
    queue = {} if capacity is None else {QUEUE: RateFixed(capacity, batch)}
    return {**queue, "score_driven": ScoreDriven(calibrated_to), "smoothed": Smoothed()}


def parameter_free(calibrated_to: float) -> dict[str, ThresholdChoice]:
    """The choices of the papers that need nothing from the user.

    "score_driven" corrects its thresholds for the prevalence at deployment;
    "score_driven_uncorrected" is beside it, T(c) = c on the cost axis.
    """
    choices: dict[str, ThresholdChoice] = {}
    for name, choice in PARAMETER_FREE.items():
        corrected = choice.calibrated(calibrated_to)
        choices[name] = corrected
        if corrected != choice:
            choices[f"{name}_uncorrected"] = choice
    return choices


def named_choices(choices: Choices | str, calibrated_to: float) -> dict[str, ThresholdChoice]:
    """Choices by their names, or `ConditionError` unless they are some, each one a choice.

    One that is a default has the name of that; "score_driven" is calibrated as the defaults are.
    """
    named = choices_by_name(choices, {**parameter_free(calibrated_to), "smoothed": Smoothed()})
    for name in named:
        if name in _OWN_NAMES:
            raise ConditionError(
                f"choices has one named {name!r}, which a decision calls a strategy of its own: "
                "name it otherwise."
            )
    return named


def rule_in_use(baseline: Baseline, models: Container[str], *, reviews: bool = False) -> Strategy:
    """A model and its thresholds as a strategy, or `ConditionError` unless they are such.

    A name alone is that of decisions, each of `DECIDED`; some of them are `reviews` or not.
    """
    if isinstance(baseline, str):
        return _in_use(baseline, [0.25, 0.75] if reviews else [0.5])
    try:
        model, *thresholds = baseline
        own = [check_number("the threshold of the baseline", one) for one in thresholds]
    except (TypeError, ValueError):
        model, own = "", []
    if len(own) not in (1, 2):
        raise ConditionError(
            f"baseline must be a model and its threshold, with a review a model and two, got "
            f"{brief(baseline)}."
        )
    if len(own) == 2 and f"{model}:{own[0]:g}" in models:
        # The name of a model has a number of its own.
        model, own = f"{model}:{own[0]:g}", own[1:]
    if len(own) == 2 and own[0] >= own[1]:
        raise ConditionError(
            f"the rule in use reviews scores above {own[0]:g} and flags those above {own[1]:g}: "
            "the threshold of reviewing comes first, and is the lower one."
        )
    at = own[-1]
    if model not in models:
        told = (
            f"no scores of that: add them (--score {model}), or name a column of decisions without "
            f"a threshold (--baseline {model})."
        )
        turned = {f"-{model}": ("with the sign changed", -at), f"1-{model}": ("1 minus it", 1 - at)}
        for name, (how, above) in turned.items():
            if name in models:
                told = f"scores of {name!r}, {how}: {name}:{above:g} flags below {at:g}."
        raise ConditionError(f"the rule in use is of {model!r}, and there are {told}")
    return _in_use(model, own)


def _in_use(model: str, thresholds: Sequence[float]) -> Strategy:
    """The strategy of one threshold, or of those of reviewing and of flagging."""
    passing = ScoreFixed(thresholds[0]) if len(thresholds) > 1 else None
    return Strategy(model, ScoreFixed(thresholds[-1]), BASELINE, NOTHING, passing)
