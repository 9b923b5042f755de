"""A model and a threshold choice: what can be used at deployment."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import inf
from types import MappingProxyType
from typing import final

import numpy as np

from costspace.choices import Optimal, RateFixed, ScoreDriven, ThresholdChoice
from costspace.choices.base import check_choice
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.curve import OperatingPoints
from costspace.decision.rule import Rule
from costspace.errors import ConditionError, brief

# What may be known at each decision: the condition, its costs and its prevalence; nothing but
# its range; or what each case costs.
CONDITION, NOTHING, CASE = frozenset({"costs", "prevalence"}), frozenset[str](), frozenset({"case"})
_KNOWN = (NOTHING, CONDITION, CASE)


@final
@dataclass(frozen=True)
class Strategy:
    """A model and a threshold choice, or a rule that needs no model.

    Parameters
    ----------
    model : str or None
        Name of the model; None for a rule that flags everybody or nobody.
    choice : ThresholdChoice
        How the threshold is set.
    name : str, optional
        What tables and JSON call the choice; `str(choice)` if nothing is given.
    known : frozenset of str
        What is known at each decision: {"costs", "prevalence"}; nothing, so that one threshold
        serves the whole range of conditions; or {"case"}, what decisions on that case cost.

    Raises
    ------
    ConditionError
        If the choice is none, or what is known is something else.

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

    def __post_init__(self) -> None:
        check_choice(self.choice)
        if self.known not in _KNOWN:
            raise ConditionError(
                "known must be {'costs', 'prevalence'}, {'case'} or an empty set, got "
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
    def committed(self) -> bool:
        """Whether one rule serves all conditions, because none is known when it decides."""
        return self.known == NOTHING

    @property
    def by_case(self) -> bool:
        """Whether the threshold is set for each case by its own costs."""
        return self.known == CASE


FLAG_NOBODY = Strategy(None, RateFixed(0), "flag_nobody", NOTHING)
FLAG_EVERYBODY = Strategy(None, RateFixed(1), "flag_everybody", NOTHING)
# Rules that need no model, and what they are.
TRIVIAL = MappingProxyType({FLAG_NOBODY: Rule(inf), FLAG_EVERYBODY: Rule(-inf)})


def point_of_trivial(strategy: Strategy) -> OperatingPoints:
    """Where a rule that needs no model works in ROC space."""
    flagged = float(strategy == FLAG_EVERYBODY)
    return OperatingPoints(np.array(flagged), np.array(1 - flagged))


# Strategies that a decision adds by itself have these names.
_ONE_THRESHOLD, _PER_CASE = "one_threshold", "per_case"
_OWN_NAMES = frozenset({_ONE_THRESHOLD, _PER_CASE, *(one.name for one in TRIVIAL)})

Choices = Iterable[ThresholdChoice] | Mapping[str, ThresholdChoice]


def default_choices(calibrated_to: float) -> dict[str, ThresholdChoice]:
    """The choices that need nothing from the user, for scores calibrated to a prevalence.

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


def named_choices(choices: Choices, calibrated_to: float) -> dict[str, ThresholdChoice]:
    """Choices by their names, or `ConditionError` unless they are some, each one a choice.

    One that is a default has the name of that; "score_driven" is calibrated as the defaults are.
    """
    if isinstance(choices, Mapping):
        named = {str(name): choice for name, choice in choices.items()}
    elif not isinstance(choices, Iterable):
        raise ConditionError(f"choices must be a list of threshold choices, got {brief(choices)}.")
    else:
        known = {choice: name for name, choice in default_choices(calibrated_to).items()}
        named = {}
        for choice in choices:
            name = known.get(check_choice(choice, "choices must be"), str(choice))
            if name in named:
                raise ConditionError(f"choices must differ, got {brief(choice)} twice.")
            named[name] = choice
    if not named:
        raise ConditionError("choices must be at least one threshold choice, got none.")
    for name, choice in named.items():
        check_choice(choice, "choices must be")
        if name in _OWN_NAMES:
            raise ConditionError(
                f"choices has one named {name!r}, which a decision calls a strategy of its own: "
                "name it otherwise."
            )
    return named


def one_threshold(model: str) -> Strategy:
    """The best threshold for the whole range of conditions."""
    return Strategy(model, Optimal(), _ONE_THRESHOLD, NOTHING)


def per_case(model: str, calibrated_to: float) -> Strategy:
    """A threshold for each case by its own costs, trusting the scores."""
    return Strategy(model, ScoreDriven(calibrated_to), _PER_CASE, CASE)
