"""One quantity that costspace and other packages compute."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeAlias

import numpy as np

import costspace as cs
from benchmarks.peers.predictions import Predictions

# Numbers, arrays, or tuples of arrays.
Value: TypeAlias = Any
# From the predictions to what a call takes.
Form: TypeAlias = Callable[[Predictions], tuple[Any, ...]]

ROWS: Form = attrgetter("rows")
COSTED: Form = attrgetter("costed")
XARRAYS: Form = attrgetter("xarrays")
TENSORS: Form = attrgetter("tensors")

# The hundredths inside (0, 1), where curves are looked at.
HUNDREDTHS = np.arange(1, 100) / 100


@dataclass(frozen=True)
class Quantity:
    """What is compared, and how costspace computes it.

    Attributes
    ----------
    name, call : str
        As the page names them.
    compute : function of labels and scores, or of a ScoreTable alone, to the value
    form : function of the predictions to the arguments of `compute`
    """

    name: str
    call: str
    compute: Callable[..., Value]
    form: Form = ROWS

    @property
    def takes_table(self) -> bool:
        return self.form is ROWS

    def by(
        self, peer: str, call: str, compute: Callable[..., Value], form: Form = ROWS
    ) -> "Comparison":
        """The same as a package computes it."""
        return Comparison(self, peer, call, compute, form)


@dataclass(frozen=True)
class Comparison:
    """Both ways to one quantity, the peer's conventions turned into ours or ours into its.

    Attributes
    ----------
    quantity : Quantity
    peer : str
        The package, as its index has it.
    call : str
        As the page names it.
    compute : function of the peer's own form of the rows to the value
    form : function of the predictions to that form, which is made beforehand
    """

    quantity: Quantity
    peer: str
    call: str
    compute: Callable[..., Value]
    form: Form

    @property
    def key(self) -> str:
        return f"{self.quantity.name} | {self.call}"

    @property
    def sides(self) -> "dict[str, Quantity | Comparison]":
        """Both, of which each knows how to compute and in which form it takes the rows."""
        return {"ours": self.quantity, "theirs": self}


def table_of(*rows: Any) -> cs.ScoreTable:
    """Rows as a table, which they may be already."""
    return rows[0] if len(rows) == 1 else cs.ScoreTable.from_predictions(*rows)


def difference(ours: Value, theirs: Value) -> float:
    """The largest difference, relative to the largest value."""
    ours, theirs = (
        [
            np.asarray(part, dtype=float)
            for part in (value if isinstance(value, tuple) else (value,))
        ]
        for value in (ours, theirs)
    )
    scale = max(np.max(np.abs(part)) for part in ours)
    gaps = (np.max(np.abs(a - b)) for a, b in zip(ours, theirs, strict=True))
    return float(max(gaps) / scale)
