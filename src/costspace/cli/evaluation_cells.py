"""The numbers of an evaluation as its page shows them: no finer than anyone can use."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from costspace.decision.words import (
    NONE,
    decimals_for,
    estimate_shown,
)
from costspace.estimates.estimates import Estimate
from costspace.metrics.bounded import Bounds

# An AUC of 0.9953 and one of 0.9948 are told apart.
_DECIMALS, _MOST_DECIMALS = 4, 6


class Cell(NamedTuple):
    """A number, and its interval or its bounds if it has any."""

    number: str
    ends: str = ""

    @property
    def joined(self) -> str:
        """Both on one line."""
        return f"{self.number} ({self.ends})" if self.ends not in ("", NONE) else self.number


def cells_of(
    values: Sequence[float | None], found: Sequence[Estimate | Bounds | None]
) -> list[Cell]:
    """A quantity of several models: without intervals in the same digits."""
    decimals = _decimals([value for value in values if value is not None])
    asked = any(one is not None for one in found)
    return [
        cell_of(value, one, decimals, missing=NONE if asked else "")
        for value, one in zip(values, found, strict=True)
    ]


def cell_of(
    value: float | None,
    found: Estimate | Bounds | None,
    decimals: int | None = None,
    *,
    missing: str = "",
) -> Cell:
    """A number with its interval or its bounds; `missing` stands where there are none."""
    if value is None:
        return Cell(NONE, missing)
    if decimals is None:
        decimals = _decimals([value])
    if found is None:
        return Cell(_rounded(value, decimals), missing)
    if isinstance(found, Bounds):
        return _bounded(value, found, decimals)
    if found.method == "upper bound":
        digits = decimals_for((value, found.high), found.high)
        return Cell(_rounded(value, digits), f"up to {_rounded(found.high, digits)}")
    if found.low == found.high == value:
        return Cell(_rounded(value, decimals), f"{value:g} to {value:g}")
    return Cell(*estimate_shown(value, found.low, found.high))


def _bounded(value: float, found: Bounds, decimals: int) -> Cell:
    """A number between bounds, which are rounded outward: they hold for certain."""
    if found.width <= 10.0**-_MOST_DECIMALS:
        return Cell(_rounded(value, decimals), "exact")
    digits = min(decimals_for((value, found.low, found.high), found.width), _MOST_DECIMALS)
    scale = 10.0**digits
    low = math.floor(round(found.low * scale, 6)) / scale
    high = math.ceil(round(found.high * scale, 6)) / scale
    ends = f"{_rounded(low, digits)} to {_rounded(high, digits)}"
    return Cell(_rounded(value, digits), ends)


def _rounded(value: float, decimals: int) -> str:
    """A number in so many decimals: what rounds to 0 looks like 0, without a minus."""
    return f"{round(value, decimals) + 0.0:,.{max(decimals, 0)}f}"


def _decimals(values: Sequence[float]) -> int:
    """Decimals of numbers that stand together: three digits of the least that is not shown as 0."""
    sizes = [abs(value) for value in values if round(value, _MOST_DECIMALS) != 0]
    return max(_DECIMALS, decimals_for([min(sizes)]) if sizes else 0)
