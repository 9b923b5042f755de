"""A document, and what costspace computes and draws of it."""

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, final

from matplotlib.figure import Figure as Picture
from numpy.typing import NDArray

from papers.comparison import HEADINGS, Row
from papers.stated import StatedValue, read_stated

# Those of a table, by their heads.
Columns: TypeAlias = Mapping[str, NDArray[Any]]

_DOTS_PER_INCH = 150


@final
@dataclass(frozen=True)
class Figure:
    """A figure, table or example of a document.

    Attributes
    ----------
    numbers : callable
        Computes its numbers, by the names under which the document states them.
    draw : callable or None
        Draws its content, on a new picture.
    table : callable or None
        Computes the columns of its table.
    """

    numbers: Callable[[], Mapping[str, float]] = dict
    draw: Callable[[], Picture] | None = None
    table: Callable[[], Columns] | None = None


@final
@dataclass(frozen=True)
class Document:
    """A document, by the name of its folder, and its figures by theirs."""

    name: str
    figures: Mapping[str, Figure]

    @property
    def stated(self) -> tuple[str, tuple[StatedValue, ...]]:
        """Its citation, and the values that it states."""
        return read_stated(Path(__file__).parent / self.name / "stated.toml")

    def compare(self) -> list[Row]:
        """Every value that it states, beside the computed one."""
        _, values = self.stated
        computed = {name: figure.numbers() for name, figure in self.figures.items()}
        return [Row.of(value, computed[value.figure].get(value.name)) for value in values]

    def write(self, rows: Iterable[Row], folder: Path) -> None:
        """Write a picture or a table of each figure, and the comparison, into a new folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, figure in self.figures.items():
            if figure.draw is not None:
                figure.draw().savefig(folder / f"{name}.png", dpi=_DOTS_PER_INCH)
            if figure.table is not None:
                columns = figure.table()
                _write_csv(folder / f"{name}.csv", columns, zip(*columns.values(), strict=True))
        lines = (row.cells("" if row.computed is None else str(row.computed)) for row in rows)
        _write_csv(folder / "comparison.csv", HEADINGS, lines)


def _write_csv(path: Path, head: Iterable[str], lines: Iterable[Iterable[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(lines)
