"""How tests read what the reproduction tabulates."""

from typing import Any

from costspace.reproduce.registry import FIGURES


def rows_of(name: str) -> dict[str, dict[str, Any]]:
    """The rows of a table by their first cell."""
    (figure,) = (figure for figure in FIGURES if figure.id == name)
    assert figure.table is not None
    columns = figure.table()
    return {
        str(row[0]): dict(zip(columns, row, strict=True))
        for row in zip(*columns.values(), strict=True)
    }
