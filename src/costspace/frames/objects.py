"""Object columns of pandas as plain types. Numbers that would tie as floats are refused."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from importlib import import_module
from numbers import Integral
from typing import Any

import numpy as np

from costspace.arrays import EXACT
from costspace.errors import CostspaceError, ScoreError
from costspace.frames.paths import short
from costspace.samples.vectors import ADVICE, BEYOND

# Different decimals of up to so many digits are different floats.
DIGITS = 15


def plain_column(column: Any, name: str, error: type[CostspaceError] | None) -> Any:
    """A column of objects in a plain type.

    One of numbers has an `error`, which is raised if floats cannot tell its integers apart.
    """
    plain = column.convert_dtypes()
    if error and plain.dtype == "Float64":
        integers = [int(cell) for cell in column if isinstance(cell, Integral)]
        if any(abs(integer) > EXACT for integer in integers):
            raise error(f"column {name!r} has {BEYOND}: {ADVICE[error]}.")
    if plain.dtype != object:
        return plain
    cells = plain.dropna()
    if all(isinstance(cell, Decimal) for cell in cells):
        return _floats(plain, name)
    if len(cells) and all(isinstance(cell, list | tuple | np.ndarray) for cell in cells):
        return _lists(column)
    return plain.astype("date32[pyarrow]") if all(type(cell) is date for cell in cells) else plain


def _floats(decimals: Any, name: str) -> Any:
    floats = decimals.astype(float)
    ends = decimals.dropna().groupby(floats).agg(["min", "max"])
    for low, high in ends[ends["min"] != ends["max"]].head(1).itertuples(index=False):
        raise ScoreError(tied_decimals(name, low, high))
    return floats


def _lists(column: Any) -> Any:
    """Lists of numbers in the type that Arrow has for them; as they are if they hold others."""
    pa, pd = import_module("pyarrow"), import_module("pandas")
    try:
        cells = pa.chunked_array([pa.array(column, from_pandas=True)])
    except pa.ArrowException:
        return column
    return pd.Series(pd.arrays.ArrowExtensionArray(cells), column.index)


def tied_decimals(name: str, low: Any, high: Any) -> str:
    """The message about decimals that are the same float."""
    return (
        f"column {name!r} has decimals that floats cannot tell apart, such as {short(str(low))} "
        f"and {short(str(high))}: give fewer digits, or ranks."
    )
