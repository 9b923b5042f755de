"""Stated values beside computed ones, and what becomes of each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.reproduce.figure import Figure
from costspace.reproduce.registry import FIGURES
from costspace.reproduce.stated import StatedValue, read_stated


class Outcome(StrEnum):
    """What becomes of a stated value."""

    MATCHES = "matches"
    SLIP = "differs: slip"
    STAND_IN = "stand-in: data"
    NO_DATA = "not computed: data"
    DIFFERS = "differs"
    MISSING = "not computed"

    @property
    def explained(self) -> bool:
        """Whether nothing is left to find out."""
        return self not in {Outcome.DIFFERS, Outcome.MISSING}


@final
@dataclass(frozen=True)
class ComparisonRow:
    """A stated value beside the computed one.

    Attributes
    ----------
    figure, quantity, stated : str
        What a document states, as printed; "about", "above" or "below" it where it says so.
    computed : float or None
        What costspace computes; from other data where a document's own are not to be had.
    outcome : Outcome
        Whether the two agree, and if not, why.
    note : str
        The document's slip, the data that it lacks, or what else a reader should know.
    """

    figure: str
    quantity: str
    stated: str
    computed: float | None
    outcome: Outcome
    note: str

    @classmethod
    def of(cls, value: StatedValue, computed: float | None) -> "ComparisonRow":
        """Judge a stated value by a computed one, None if there is none."""
        outcome = _judge(value, computed)
        reason = value.data or (value.slip if outcome is Outcome.SLIP else "")
        note = f"{reason} {value.note}".strip()
        return cls(value.figure, value.quantity, value.words(), computed, outcome, note)

    def cells(self) -> tuple[str, ...]:
        """The row as text, the computed number to seven digits and in the unit of the stated."""
        if self.computed is None:
            shown = ""
        elif self.stated.endswith("%"):
            shown = f"{100 * self.computed:.7g} %"
        else:
            shown = f"{self.computed:.7g}"
        return self.figure, self.quantity, self.stated, shown, self.outcome, self.note


_COLUMNS = tuple(field.name for field in fields(ComparisonRow))


@final
@dataclass(frozen=True)
class Comparison:
    """A reproduction: one row for every stated value.

    Attributes
    ----------
    rows : tuple of ComparisonRow
        In the order of the documents.

    Examples
    --------
    >>> from costspace.reproduce.figure import Figure
    >>> from costspace.reproduce.stated import StatedValue
    >>> table = compare_figures(
    ...     [Figure("000-fig2", "Seven scores", lambda: {"auc": 5 / 6})],
    ...     [StatedValue("000-fig2/auc", "AUC", "0.83333", "Section 5", "a paper")],
    ... )
    >>> print(table.to_text())
    figure    quantity  stated   computed   outcome  note
    000-fig2  AUC       0.83333  0.8333333  matches
    """

    rows: tuple[ComparisonRow, ...]

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a stated value; what is not computed is NaN."""
        return {
            name: np.array(
                [getattr(row, name) for row in self.rows],
                dtype=float if name == "computed" else str,
            )
            for name in _COLUMNS
        }

    def to_text(self) -> str:
        """The table for a terminal, columns aligned."""
        lines = [_COLUMNS, *(row.cells() for row in self.rows)]
        # What comes last needs no width.
        widths = [max(map(len, column)) for column in list(zip(*lines, strict=True))[:-1]] + [0]
        return "\n".join(
            "  ".join(f"{cell:{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        )

    def summary(self) -> str:
        """How many stated values there are, and what became of them."""
        counts = Counter(row.outcome for row in self.rows)
        parts = [f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome]]
        return f"{len(self.rows)} stated values: {'; '.join(parts)}."


def compare_figures(
    figures: Sequence[Figure] = FIGURES, stated: Sequence[StatedValue] | None = None
) -> Comparison:
    """Compute figures and set what the documents state beside it.

    Parameters
    ----------
    figures : sequence of Figure
        What to compute, by default all. Values stated for other figures are left out.
    stated : sequence of StatedValue, optional
        What to compare with; by default what ships with the package.

    Returns
    -------
    Comparison
    """
    if stated is None:
        stated = read_stated([figure.id for figure in FIGURES])
    computed: dict[str, float] = {}
    for figure in figures:
        computed |= figure.values()
    wanted = {figure.id for figure in figures}
    return Comparison(
        tuple(
            ComparisonRow.of(value, computed.get(value.id))
            for value in stated
            if value.figure in wanted
        )
    )


def _judge(value: StatedValue, computed: float | None) -> Outcome:
    if value.data:
        return Outcome.NO_DATA if computed is None else Outcome.STAND_IN
    if computed is None:
        return Outcome.MISSING
    if value.accepts(computed):
        return Outcome.MATCHES
    return Outcome.SLIP if value.slip else Outcome.DIFFERS
