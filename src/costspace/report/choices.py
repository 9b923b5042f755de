"""What a page calls threshold choices."""

from types import MappingProxyType
from typing import Any

from costspace.choices import Smoothed
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.decision.strategy import REVIEW_QUEUE, UNREVIEWED, Strategy, parameter_free

# What the page calls choices and rules in plain words, in the order that it shows them in; then
# come other choices without parameters.
_LABELS = MappingProxyType(
    {
        "optimal": "Best threshold in hindsight",
        "score_driven": "Probabilities taken at face value",
        "score_driven_uncorrected": "Probabilities taken at face value, uncorrected",
        "rate_driven": "Share flagged set by the costs",
        "score_fixed": "Fixed at 0.5",
        "score_uniform": "Threshold drawn at random",
        "rate_uniform": "Share flagged drawn at random",
        "flag_nobody": "Flag nobody",
        "flag_everybody": "Flag everybody",
        "review_everybody": "Review everybody",
        "smoothed": "Learned from labels",
        "queue": "Top of the queue",
        "baseline": "The rule in use",
    }
)
# Those of them that the field has a term for.
_TERMED = frozenset(
    {"optimal", "smoothed", "score_driven", "rate_driven", "score_uniform", "rate_uniform"}
)


def label(name: str) -> str:
    """What a page calls a choice: one that is not the package's goes by its own name."""
    own = name.replace("_", "-").capitalize() if name in PARAMETER_FREE else name
    return _LABELS.get(name, own)


def label_of(strategy: Strategy, calibrated_to: float) -> str:
    """What a page calls the choice of a strategy: a user's own goes by the name that it has."""
    name, how = _parted(strategy)
    return f"{name if _is_own(strategy, calibrated_to) else label(name)}{how}"


def term(name: str) -> str | None:
    """The field's term for a choice that a page calls by plain words, if there is one."""
    known = name.removesuffix("_uncorrected")
    return known.replace("_", "-") if known in _TERMED else None


def term_of(strategy: Strategy, calibrated_to: float) -> str | None:
    """The same for the choice of a strategy: a user's own has none."""
    return None if _is_own(strategy, calibrated_to) else term(_parted(strategy)[0])


def _parted(strategy: Strategy) -> tuple[str, str]:
    """The name of a choice, and how else its strategy differs."""
    for ending, told in ((UNREVIEWED, ", no review"), (REVIEW_QUEUE, ", queue")):
        if strategy.name.endswith(ending):
            return strategy.name.removesuffix(ending), told
    return strategy.name, ""


def _is_own(strategy: Strategy, calibrated_to: float) -> bool:
    """Whether a choice is a user's own under a name that a page knows."""
    known = {**parameter_free(calibrated_to), "smoothed": Smoothed()}
    return strategy.choice != known.get(_parted(strategy)[0], strategy.choice)


def stored_choices(calibrated_to: float) -> list[dict[str, Any]]:
    """The choices of the papers, for scores calibrated to a prevalence, by what a page calls them.

    "term" is the field's, or None, and "evaluated" is the name of the choice in an evaluation,
    which takes scores as probabilities.
    """
    choices = parameter_free(calibrated_to)
    return [
        {
            "name": name,
            "label": label(name),
            "term": term(name),
            "evaluated": next((n for n, c in PARAMETER_FREE.items() if c == choices[name]), None),
        }
        for name in sorted(choices, key=[*_LABELS, *choices].index)
    ]
