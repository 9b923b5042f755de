"""Doubts about scores: that they are not a model's, or do not suit probability thresholds."""

from collections.abc import Iterable, Mapping, Sequence

from costspace.choices.base import ThresholdChoice
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.errors import warn_of
from costspace.scores.table import ScoreTable

# The names among the notes of a model: what its scores look like, which of them count as another,
# that they rank the wrong way round, and why the thresholds of choices do not suit them.
SCORES, ROUNDED, REVERSED, THRESHOLDS = "scores", "rounded", "reversed", "thresholds"
DOUBTS = SCORES, ROUNDED, REVERSED, THRESHOLDS
# What a caller in Python is warned of.
_WARNED = REVERSED, THRESHOLDS


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


def doubt_told(what: str, name: str, why: str) -> str:
    """A doubt about the scores of a model as a line: one sentence names it itself."""
    return why if what == REVERSED else f"{name}: {why}"


def noted(name: str, why: str) -> str:
    """A note on a comparison as a line: a doubt from `doubts_by`, or why something is missing."""
    what, _, of = name.partition(".")
    return doubt_told(what, of, why) if what in DOUBTS else f"No {name}: {why}"


def doubts_among(model: str, notes: Mapping[str, str]) -> list[str]:
    """The doubts among the notes of a model, as lines."""
    return [doubt_told(what, model, notes[what]) for what in DOUBTS if what in notes]


def warn_of_doubts(notes: Mapping[str, Mapping[str, str]]) -> None:
    """Warn of what each model's scores do not suit.

    Warnings of what they look like are given when they are read, and there is one at a time.
    """
    for model, found in notes.items():
        for what in _WARNED:
            if what in found and not (what == REVERSED and SCORES in found):
                warn_of(doubt_told(what, model, found[what]))


def warn_of_doubted(doubts: Mapping[str, str]) -> None:
    """`warn_of_doubts` for the doubts of `doubts_by`."""
    by_model: dict[str, dict[str, str]] = {}
    for name, text in doubts.items():
        what, _, model = name.partition(".")
        by_model.setdefault(model, {})[what] = text
    warn_of_doubts(by_model)
