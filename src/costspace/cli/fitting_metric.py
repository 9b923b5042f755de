"""Which number says how good models are for what is known, and who is best by it, in words."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from costspace.cli.options import EVERY_CONDITION
from costspace.decision.words import listed

# Before the name of a choice, in the name of its expected loss.
BY_COST = "expected_loss.cost."
# So many models that share a place are named.
FEW = 3
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
    found = {
        of_probabilities(costs, axis, prefix=prefix): _PROBABILITIES,
        f"{prefix}optimal": _LEARNED,
        "auc": _RANKS,
    }
    return (Use(*one) for one in found.items() if one[0] in quantities)


def of_probabilities(costs: str, axis: str = "cost", *, prefix: str = "") -> str:
    """What the loss of probabilities is called: over all cost proportions it is the Brier score."""
    every = costs == EVERY_CONDITION and axis == "cost"
    return "brier" if every else f"{prefix}score_driven"


def clause_of(use: Use, costs: str, axis: str = "cost") -> str:
    """The number, and what it fits."""
    known = f"unknown {axis}s" if costs == EVERY_CONDITION else f"{axis}s {costs}"
    return f"{use.quantity}, which fits {use.of}{'' if use.of == _RANKS else f' at {known}'}"


class Subject(NamedTuple):
    """The best models, as a sentence begins with them, and as it goes on with them."""

    begun: str
    beside: str


def subject_of(names: Sequence[str], *, all_are: bool) -> Subject:
    """The best model, or several that are equal, with how good they are."""
    if len(names) == 1:
        return Subject(f"{names[0]} is best", names[0])
    who = listed(names) if len(names) <= FEW else f"{len(names)} models"
    return Subject(f"{who} are equally {'good' if all_are else 'best'}", f"{who} equally")


def told_by(best: Iterable[tuple[Subject, str]]) -> str:
    """Who is best by what: by the first, then by what others that is too, and who else by which."""
    (first, lead), *rest = best
    others: dict[str, list[str]] = {first.beside: []}
    for subject, by in rest:
        others.setdefault(subject.beside, []).append(by)
    same = others.pop(first.beside)
    parts = [f"{first.begun} by {lead}", *([f"also by {listed(same)}"] if same else [])]
    return f"{'; '.join([*parts, *(f'{who} by {listed(by)}' for who, by in others.items())])}."
