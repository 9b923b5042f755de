"""How many rows files have, and whether they should be read in parts."""

from pathlib import Path

from costspace.frames.columns import Columns
from costspace.frames.memory import memory_for_rows
from costspace.frames.paths import files_of
from costspace.frames.relation import open_relation

# Files are read in parts from so many rows on; files with fewer bytes are not counted first.
_LARGE, _LARGE_FILE = 4_000_000, 1 << 24
# Bytes for each cell in an evaluation: besides the data, one model's scores are sorted at a time.
_BYTES_A_CELL = 16


def is_large(path: Path, columns: Columns) -> bool:
    """Whether files should be counted in parts, having many rows, and can be."""
    if columns.weight is not None or columns.groups is not None:
        return False
    return _many_rows(path) >= _LARGE


def fits(path: Path, columns: Columns) -> bool:
    """Whether the columns of files fit in memory, with room for their evaluation."""
    cells = 1 + len(columns.numbers())
    return _many_rows(path) * cells * _BYTES_A_CELL <= memory_for_rows()


def _many_rows(path: Path) -> int:
    """How many rows files have, 0 if the files are too small to have many."""
    if sum(file.stat().st_size for file in files_of(path)) < _LARGE_FILE:
        return 0
    with open_relation(path, ()) as file:
        _, (rows,) = file.scanned("count(*)")
        return int(rows)
