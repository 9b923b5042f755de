"""The threshold choices that a page sets anew for whatever is typed in, as it stores them."""

from types import MappingProxyType
from typing import Any, Literal

from costspace.choices import Smoothed, ThresholdChoice
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.decision.strategy import Strategy, parameter_free

# What the page calls choices and rules by their names, and says of them, in the order that it shows
# them in. One that is not here goes by its own name.
_SAID = MappingProxyType(
    {
        "optimal": (
            "Optimal",
            "the threshold that loses least on these cases at each condition",
        ),
        "score_driven": (
            "Score-driven",
            "trusts scores as probabilities, corrected for the prevalence: flag where acting pays",
        ),
        "score_driven_uncorrected": (
            "Score-driven, uncorrected",
            "trusts scores as probabilities as they are, whatever the prevalence",
        ),
        "rate_driven": ("Rate-driven", "flags a share of the cases that the condition sets"),
        "score_fixed": ("Fixed at 0.5", "flags scores above 0.5, whatever the condition"),
        "score_uniform": (
            "Score-uniform",
            "a threshold drawn at random, evenly over the scale of the scores",
        ),
        "rate_uniform": ("Rate-uniform", "a share flagged that is drawn at random, evenly"),
        "flag_nobody": ("Flag nobody", ""),
        "flag_everybody": ("Flag everybody", ""),
        "smoothed": ("Smoothed", ""),
        "queue": ("Top of the queue", ""),
        "baseline": ("The rule in use", ""),
    }
)

# What of a stored model a page makes the path of a choice of: the corners of its hull, the share
# flagged, one point, the score itself, or all shares alike.
Path = Literal["hull", "share", "point", "score", "every share"]


def label(name: str) -> str:
    """What a page calls a choice."""
    said = _SAID.get(name)
    return name if said is None else said[0]


def label_of(strategy: Strategy, calibrated_to: float) -> str:
    """What a page calls the choice of a strategy: a user's own goes by the name that it has."""
    defaults = {**parameter_free(calibrated_to), "smoothed": Smoothed()}
    default = defaults.get(strategy.name, strategy.choice)
    return label(strategy.name) if strategy.choice == default else strategy.name


def path_of(choice: ThresholdChoice) -> Path:
    """How a page finds where one of the default choices works."""
    if choice.least_loss:
        return "hull"
    if choice.share_flagged == "1 - c":
        return "share"
    if not choice.sees:
        return "point"
    return "score" if "costs" in choice.sees else "every share"


def stored_choices(calibrated_to: float) -> list[dict[str, Any]]:
    """What a page has to know of each choice, for scores calibrated to a prevalence.

    "evaluated" is the name of the choice in an evaluation, which trusts scores as they are.
    """
    choices = parameter_free(calibrated_to)
    return [
        {
            "name": name,
            "label": label(name),
            "about": about,
            "path": path_of(choices[name]),
            "through_skew": choices[name].through_skew,
            "on_probabilities": choices[name].on_probabilities,
            "threshold": _threshold(choices[name]),
            "evaluated": next((n for n, c in PARAMETER_FREE.items() if c == choices[name]), None),
        }
        for name, (_, about) in _SAID.items()
        if name in choices
    ]


def _threshold(choice: ThresholdChoice) -> float | None:
    """The threshold of a choice that has one for all conditions."""
    found = None if choice.sees else choice.threshold_at(0.5, 0.5)
    return None if found is None else float(found)
