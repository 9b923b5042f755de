"""Doubts about scores: that they are not a model's, or do not suit probability thresholds."""

from collections.abc import Iterable, Mapping, Sequence

from costspace.choices.base import ThresholdChoice
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.errors import warn_of
from costspace.scores.table import ScoreTable

# The names among the notes of a model: what its scores look like, which of them count as another,
# and why the thresholds of choices do not suit them.
SCORES, ROUNDED, THRESHOLDS = "scores", "rounded", "thresholds"
DOUBTS = SCORES, ROUNDED, THRESHOLDS


def doubts_of(
    table: ScoreTable, choices: Iterable[ThresholdChoice] = tuple(PARAMETER_FREE.values())
) -> dict[str, str]:
    """The doubts about the scores of a table, and of choices, by what they concern."""
    misfits = (choice.misfit(table) for choice in choices)
    doubts = {
        SCORES: table.looks,
        ROUNDED: table.rounded,
        THRESHOLDS: next(filter(None, misfits), ""),
    }
    return {name: text for name, text in doubts.items() if text}


def doubts_by(tables: Mapping[str, ScoreTable], asked: Sequence[str]) -> dict[str, str]:
    """The doubts of several tables that concern the quantities `asked` for, as in `with_names`.

    Thresholds are included only if an expected loss that depends on them is asked for.
    """
    found: dict[str, dict[str, str]] = {}
    for name, table in tables.items():
        doubts = found[name] = doubts_of(table)
        misfits = tuple(f".{what}" for what, one in PARAMETER_FREE.items() if one.misfit(table))
        if not any(what.endswith(misfits) for what in asked):
            doubts.pop(THRESHOLDS, None)
    return with_names(found)


def with_names(doubts: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The doubts of several tables, with the table's name added to each key."""
    return {
        f"{what}.{name}": text for name, found in doubts.items() for what, text in found.items()
    }


def noted(name: str, why: str) -> str:
    """A note on a comparison as a line: a doubt from `doubts_by`, or why something is missing."""
    what, _, of = name.partition(".")
    return f"{of}: {why}" if what in DOUBTS else f"No {name}: {why}"


def doubts_among(notes: Mapping[str, str]) -> list[str]:
    """The doubts among the notes of a model."""
    return [notes[name] for name in DOUBTS if name in notes]


def warn_of_thresholds(notes: Mapping[str, Mapping[str, str]]) -> None:
    """Warn of each model's thresholds; warnings of its scores are given when they are read."""
    for model, of_model in notes.items():
        if THRESHOLDS in of_model:
            warn_of(f"{model}: {of_model[THRESHOLDS]}")


def warn_of_doubted(doubts: Mapping[str, str]) -> None:
    """`warn_of_thresholds` for the doubts of `doubts_by`."""
    for name, text in doubts.items():
        if name.startswith(f"{THRESHOLDS}."):
            warn_of(noted(name, text))
