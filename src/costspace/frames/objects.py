"""Object columns of pandas as plain types. Numbers that would tie as floats are refused."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from numbers import Integral
from typing import Any

from costspace.arrays import EXACT
from costspace.errors import ScoreError
from costspace.frames.paths import short
from costspace.samples.vectors import ADVICE, BEYOND

# Different decimals of up to so many digits are different floats.
DIGITS = 15


def plain_column(column: Any, name: str, *, scores: bool) -> Any:
    """A column of objects in a plain type, or `ScoreError` if floats cannot tell values apart."""
    plain = column.convert_dtypes()
    if scores and plain.dtype == "Float64":
        integers = [int(cell) for cell in column if isinstance(cell, Integral)]
        if any(abs(integer) > EXACT for integer in integers):
            raise ScoreError(f"column {name!r} has {BEYOND}: {ADVICE[ScoreError]}.")
    if plain.dtype != object:
        return plain
    cells = plain.dropna()
    if all(isinstance(cell, Decimal) for cell in cells):
        return _floats(plain, name)
    return plain.astype("date32[pyarrow]") if all(type(cell) is date for cell in cells) else plain


def _floats(decimals: Any, name: str) -> Any:
    floats = decimals.astype(float)
    ends = decimals.dropna().groupby(floats).agg(["min", "max"])
    for low, high in ends[ends["min"] != ends["max"]].head(1).itertuples(index=False):
        raise ScoreError(tied_decimals(name, low, high))
    return floats


def tied_decimals(name: str, low: Any, high: Any) -> str:
    """The message about decimals that are the same float."""
    return (
        f"column {name!r} has decimals that floats cannot tell apart, such as {short(str(low))} "
        f"and {short(str(high))}: give fewer digits, or ranks."
    )
