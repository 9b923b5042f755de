"""What can be used at deployment: each model with each method of setting its threshold."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import final

from costspace.choices import ScoreDriven, ThresholdChoice
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.curve import OperatingPath
from costspace.errors import ConditionError, brief
from costspace.rules.costed import CostedScores
from costspace.rules.rule import Rule

# Rules that need no model, by where in ROC space, (FPR, FNR), they are.
TRIVIAL = MappingProxyType({"flag_nobody": (0.0, 1.0), "flag_everybody": (1.0, 0.0)})
TRIVIAL_RULES = MappingProxyType({"flag_nobody": Rule(inf), "flag_everybody": Rule(-inf)})
# Methods that draw their threshold: there is none to use.
_WITHOUT_THRESHOLD = ("score_uniform", "rate_uniform")
_SCORE_DRIVEN = ("score_driven", "score_driven_uncorrected")


@final
@dataclass(frozen=True)
class Candidate:
    """A model and a method of setting its threshold, or a rule that needs no model.

    Parameters
    ----------
    model : str or None
        Name of the model; None for the trivial rules.
    method : str
        A method by the name that `evaluate` gives it ("optimal", "score_driven", ...),
        "score_driven_uncorrected", "flag_nobody" or "flag_everybody".

    Raises
    ------
    ConditionError
        If there is no such method, a trivial rule has a model or another method none.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 1: what is deployed is a model
    and a threshold choice method, and it is the pair that has an expected loss.

    Examples
    --------
    >>> str(Candidate("logistic", "optimal")), str(Candidate(None, "flag_nobody"))
    ('logistic, optimal', 'flag_nobody')
    """

    model: str | None
    method: str

    def __post_init__(self) -> None:
        if self.method not in (*METHODS, *TRIVIAL):
            known = ", ".join(map(repr, (*METHODS, *TRIVIAL)))
            raise ConditionError(f"there is no method {brief(self.method)}: there are {known}.")
        if (self.model is None) != (self.method in TRIVIAL):
            which = "needs no model" if self.method in TRIVIAL else "needs a model"
            raise ConditionError(f"{self.method!r} {which}, got model={brief(self.model)}.")

    def __str__(self) -> str:
        return self.method if self.model is None else f"{self.model}, {self.method}"


def method_choices(calibrated_to: float) -> dict[str, ThresholdChoice]:
    """Every method by its name, for scores that are calibrated to a prevalence.

    "score_driven" corrects its thresholds for the prevalence at deployment;
    "score_driven_uncorrected" is beside it, T(c) = c on the cost axis.
    """
    choices: dict[str, ThresholdChoice] = {}
    for name, choice in PARAMETER_FREE.items():
        choices[name] = choice
        if name == "score_driven":
            choices[name] = ScoreDriven(calibrated_to)
            choices["score_driven_uncorrected"] = choice
    return choices


METHODS = tuple(method_choices(0.5))


def candidates(
    models: Mapping[str, CostedScores], choices: Mapping[str, ThresholdChoice], *, by_skew: bool
) -> dict[Candidate, ThresholdChoice | None]:
    """What a decision table compares, the trivial rules first: the simplest wins a tie.

    Parameters
    ----------
    models : mapping of str to CostedScores
        Each model's scores.
    choices : mapping of str to ThresholdChoice
        Methods by their names, as `method_choices` gives them.
    by_skew : bool
        Whether only methods may take part to which costs and prevalence matter through the skew
        alone: what a table by skew over a range of prevalence needs.

    Returns
    -------
    dict of Candidate to ThresholdChoice or None
        None for the trivial rules. Methods that draw their threshold at random are left out,
        since they have none to use, and score-driven ones of models whose scores are outside
        [0, 1].
    """
    found: dict[Candidate, ThresholdChoice | None] = {Candidate(None, r): None for r in TRIVIAL}
    for model, scores in models.items():
        low, high = scores.rows.score_range
        for method, choice in choices.items():
            usable = method not in _WITHOUT_THRESHOLD and (choice.through_skew or not by_skew)
            if usable and (method not in _SCORE_DRIVEN or (low >= 0 and high <= 1)):
                found[Candidate(model, method)] = choice
    return found


def path_of_trivial(candidate: Candidate, prevalence: float) -> OperatingPath:
    """The path of a rule that needs no model: it stays at its point."""
    return OperatingPath.constant(*TRIVIAL[candidate.method], prevalence)
