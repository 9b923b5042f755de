"""One quantity that costspace and another package compute."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeAlias

import numpy as np

import costspace as cs
from benchmarks.peers.predictions import Predictions

# Numbers, arrays, or tuples of arrays.
Value: TypeAlias = Any

# The hundredths inside (0, 1), where curves are looked at.
HUNDREDTHS = np.arange(1, 100) / 100


@dataclass(frozen=True)
class Comparison:
    """Both ways to one quantity, the peer's conventions turned into ours or ours into its.

    Attributes
    ----------
    quantity : str
    peer : str
        The package, as its index has it.
    call, our_call : str
        As the page names them.
    ours : function of labels and scores, or of a ScoreTable alone, to the value
    theirs : function of the peer's own form of the rows to the value
    form : function of the predictions to that form, which is made beforehand
    rows : function of the predictions to the arguments of `ours`
    takes_table : bool
        Whether `ours` can take a ScoreTable.
    """

    quantity: str
    peer: str
    call: str
    our_call: str
    ours: Callable[..., Value]
    theirs: Callable[..., Value]
    form: Callable[[Predictions], tuple[Any, ...]] = attrgetter("rows")
    rows: Callable[[Predictions], tuple[Any, ...]] = attrgetter("rows")
    takes_table: bool = True

    @property
    def key(self) -> str:
        return f"{self.quantity} | {self.call}"


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
