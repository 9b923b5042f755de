"""The numbers that a document prints, and how a printed number is read.

Each document's folder has them in ``stated.toml``, as strings, so that the printed precision is
kept, and nothing that is computed:

``document``
    A short citation.
``[slips]``
    Where the document errs: a sentence each, by name.
``[data]``
    What was not published with it, and what stands in for that: a sentence each, by name.
``[values.FIGURE]``
    By figure or table: ``quantity`` and ``place`` in words, the value as ``stated`` and, unless
    that is a rounded decimal or percentage, its ``kind``. A value that cannot be matched names its
    ``slip`` or the ``data`` that it lacks; a ``note`` says what else a reader should know.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, final

# Closed forms as printed.
FORMS: Mapping[str, float] = MappingProxyType({"3/2 - ln 2": 1.5 - math.log(2)})
# The field of a value that names a sentence, and the table that has it.
_SENTENCES = {"slip": "slips", "data": "data"}
# What rounding in the computation may add to a printed value that means itself.
_ROUNDING = 1e-9


@final
@dataclass(frozen=True)
class StatedValue:
    """A number that a document states.

    Attributes
    ----------
    figure, name : str
        The figure or table that it is stated for, and its name there.
    quantity, place : str
        What it is and where in the document, in words.
    stated : str
        As printed.
    kind : {"rounded", "exact", "about", "above", "below", "form"}
        How the print is to be read: as a rounded decimal, as a number that means itself, as a
        reading `within` some distance, as a bound that must be exceeded or stayed under, or as one
        of the closed forms in `FORMS`.
    within : float
        How far from an "about" a value may be.
    slip, data, note : str
        The document's error, the data that it lacks, and what else a reader should know: one
        sentence each, or nothing.

    Examples
    --------
    >>> auc = StatedValue("fig2", "auc", "AUC", "Section 5", "0.8333")
    >>> auc.accepts(5 / 6), auc.accepts(0.8334)
    (True, False)
    """

    figure: str
    name: str
    quantity: str
    place: str
    stated: str
    kind: str = "rounded"
    within: float = 0.0
    slip: str = ""
    data: str = ""
    note: str = ""

    def words(self) -> str:
        """The print, and how it is to be read where that is not as a number that is equal."""
        if self.kind == "about":
            return f"about {self.stated} (within {self.within:g})"
        return f"{self.kind} {self.stated}" if self.kind in {"above", "below"} else self.stated

    def accepts(self, computed: float) -> bool:
        """Whether a computed number agrees with the print, to its precision.

        Raises
        ------
        ValueError
            If the print does not go with its kind.
        """
        if self.kind == "form":
            return abs(computed - FORMS[self.stated]) <= _ROUNDING
        digits, percent, _ = self.stated.partition("%")
        unit = 0.01 if percent else 1.0
        printed = float(Fraction(digits.strip())) * unit
        match self.kind:
            case "above":
                return computed >= printed + _ROUNDING
            case "below":
                return computed <= printed - _ROUNDING
            case "rounded":
                within = unit * _half_of_last_digit(digits.strip())
            case "exact" | "about":
                within = self.within
            case _:
                raise ValueError(f"no number is printed as {self.kind!r}: {self}.")
        return abs(computed - printed) <= within + _ROUNDING


def read_stated(path: Path) -> tuple[str, tuple[StatedValue, ...]]:
    """A document's citation, and the values that it states, in their order there."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    values = tuple(
        StatedValue(figure, name, **_in_full(words, content))
        for figure, entries in content["values"].items()
        for name, words in entries.items()
    )
    return content["document"], values


def _in_full(words: dict[str, Any], content: dict[str, Any]) -> dict[str, Any]:
    """One entry, the names of its slip and its data replaced by their sentences."""
    named = {field: table for field, table in _SENTENCES.items() if field in words}
    return words | {field: content[table][words[field]] for field, table in named.items()}


def _half_of_last_digit(printed: str) -> float:
    return 0.5 * 10.0 ** int(Decimal(printed).as_tuple().exponent)
