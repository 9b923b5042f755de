"""Stated values beside computed ones, and what becomes of each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import final

from papers.stated import StatedValue

HEADINGS = ("figure", "quantity", "stated", "computed", "outcome", "note")


class Outcome(StrEnum):
    """What becomes of a stated value."""

    MATCHES = "matches"
    SLIP = "differs: slip"
    OTHER_DATA = "stand-in: data"
    DIFFERS = "differs"
    MISSING = "not computed"

    @property
    def explained(self) -> bool:
        """Whether nothing is left to find out."""
        return self not in {Outcome.DIFFERS, Outcome.MISSING}


@final
@dataclass(frozen=True)
class Row:
    """A stated value, the number that costspace computes for it, if it does, and the outcome.

    Examples
    --------
    >>> row = Row.of(StatedValue("fig2", "auc", "AUC", "Section 5", "0.83333"), 5 / 6)
    >>> print(table([row]))
    figure  quantity  stated   computed   outcome  note
    fig2    AUC       0.83333  0.8333333  matches
    """

    value: StatedValue
    computed: float | None
    outcome: Outcome

    @classmethod
    def of(cls, value: StatedValue, computed: float | None) -> "Row":
        """Judge a stated value by a computed one, None if there is none."""
        if computed is None:
            outcome = Outcome.MISSING
        elif value.data:
            outcome = Outcome.OTHER_DATA
        elif value.accepts(computed):
            outcome = Outcome.MATCHES
        else:
            outcome = Outcome.SLIP if value.slip else Outcome.DIFFERS
        return cls(value, computed, outcome)

    @property
    def note(self) -> str:
        """The document's slip or the data that it lacks, and what else a reader should know."""
        slip = self.value.slip if self.outcome is Outcome.SLIP else ""
        return " ".join(filter(None, [self.value.data, slip, self.value.note]))

    def cells(self, computed: str) -> tuple[str, ...]:
        """The row, with the computed number as it is to be written."""
        value = self.value
        return value.figure, value.quantity, value.words(), computed, self.outcome, self.note

    def shown(self) -> str:
        """The computed number to seven digits, in the unit of the stated one."""
        if self.computed is None:
            return ""
        percent = self.value.stated.endswith("%")
        return f"{100 * self.computed:.7g} %" if percent else f"{self.computed:.7g}"


def table(rows: Sequence[Row]) -> str:
    """The rows as lines, their columns aligned."""
    lines = [HEADINGS, *(row.cells(row.shown()) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def summary(rows: Sequence[Row]) -> str:
    """How many stated values there are, and what became of them."""
    counts = Counter(row.outcome for row in rows)
    parts = [f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome]]
    return f"{len(rows)} stated values: {'; '.join(parts)}."
