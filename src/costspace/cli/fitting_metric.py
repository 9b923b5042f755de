"""Which number says how good models are, for what is known of their scores and of costs."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from costspace.cli.options import EVERY_CONDITION
from costspace.decision.words import listed

_PROBABILITIES, _LEARNED, _RANKS = "probabilities", "thresholds learned from labels", "ranks alone"


class Use(NamedTuple):
    """A number, and the use of scores that it fits."""

    quantity: str
    of: str

    def __str__(self) -> str:
        return f"{self.quantity} for {self.of}"


def uses_of(
    quantities: Collection[str], costs: str, axis: str = "cost", *, prefix: str = ""
) -> Iterator[Use]:
    """Those of the quantities that fit a use of scores: the first fits most of what is known.

    Losses have the `prefix` before the name of their choice.
    """
    # The Brier score is the loss of probabilities over all cost proportions.
    brier = costs == EVERY_CONDITION and axis == "cost"
    found = {
        "brier" if brier else f"{prefix}score_driven": _PROBABILITIES,
        f"{prefix}optimal": _LEARNED,
        "auc": _RANKS,
    }
    return (Use(*one) for one in found.items() if one[0] in quantities)


def clause_of(use: Use, costs: str, axis: str = "cost") -> str:
    """The number, and what it fits."""
    known = f"unknown {axis}s" if costs == EVERY_CONDITION else f"{axis}s {costs}"
    return f"{use.quantity}, which fits {use.of}{'' if use.of == _RANKS else f' at {known}'}"


def told_by(lead: str, who: str, others: Mapping[str, Sequence[str]]) -> str:
    """Who is best by what leads, then by what others that is too, and who else is by which."""
    same = [f"also by {listed(others[who])}"] if who in others else []
    rest = [f"{name} by {listed(by)}" for name, by in others.items() if name != who]
    return f"{'; '.join([lead, *same, *rest])}."
