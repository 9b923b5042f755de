"""How tests read columns that make a table."""

from collections.abc import Mapping
from typing import Any


def rows_of(columns: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The rows of a table by their first cell."""
    lines = zip(*columns.values(), strict=True)
    return {str(row[0]): dict(zip(columns, row, strict=True)) for row in lines}
