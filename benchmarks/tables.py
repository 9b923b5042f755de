"""Tables of figures, kept as CSV."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

Row: TypeAlias = dict[str, str]


def read(path: Path) -> list[Row]:
    """The rows, none if there is no file."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write to a second file and rename it, so that a stopped run leaves a whole table."""
    rows = list(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part")
    with beside.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    beside.replace(path)


def in_hundredths(row: Mapping[str, Any]) -> Row:
    """A row whose numbers have two digits after the point."""
    return {k: f"{v:.2f}" if isinstance(v, float) else v for k, v in row.items()}
