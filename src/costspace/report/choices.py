"""What a page calls threshold choices."""

from types import MappingProxyType
from typing import Any

from costspace.choices import Smoothed
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.decision.strategy import REVIEW_QUEUE, UNREVIEWED, Strategy, parameter_free

# What the page calls choices and rules by their names, in the order that it shows them in; then
# come other choices without parameters.
_LABELS = MappingProxyType(
    {
        "optimal": "Optimal",
        "score_driven": "Score-driven",
        "score_driven_uncorrected": "Score-driven, uncorrected",
        "rate_driven": "Rate-driven",
        "score_fixed": "Fixed at 0.5",
        "score_uniform": "Score-uniform",
        "rate_uniform": "Rate-uniform",
        "flag_nobody": "Flag nobody",
        "flag_everybody": "Flag everybody",
        "review_everybody": "Review everybody",
        "smoothed": "Smoothed",
        "queue": "Top of the queue",
        "baseline": "The rule in use",
    }
)


def label(name: str) -> str:
    """What a page calls a choice: one that is not the package's goes by its own name."""
    own = name.replace("_", "-").capitalize() if name in PARAMETER_FREE else name
    return _LABELS.get(name, own)


def label_of(strategy: Strategy, calibrated_to: float) -> str:
    """What a page calls the choice of a strategy: a user's own goes by the name that it has."""
    defaults = {**parameter_free(calibrated_to), "smoothed": Smoothed()}
    name, how = strategy.name, ""
    for ending, told in ((UNREVIEWED, ", no review"), (REVIEW_QUEUE, ", queue")):
        if name.endswith(ending):
            name, how = name.removesuffix(ending), told
    found = label(name) if strategy.choice == defaults.get(name, strategy.choice) else name
    return f"{found}{how}"


def stored_choices(calibrated_to: float) -> list[dict[str, Any]]:
    """The choices of the papers, for scores calibrated to a prevalence, by what a page calls them.

    "evaluated" is the name of the choice in an evaluation, which takes scores as probabilities.
    """
    choices = parameter_free(calibrated_to)
    return [
        {
            "name": name,
            "label": label(name),
            "evaluated": next((n for n, c in PARAMETER_FREE.items() if c == choices[name]), None),
        }
        for name in sorted(choices, key=[*_LABELS, *choices].index)
    ]
