"""What tells one file of data from another: its name, its columns, a hash, and its period."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import final

from costspace.errors import ConditionError
from costspace.frames.cells import text
from costspace.frames.paths import files_of
from costspace.frames.relation import open_relation

_BLOCK = 1 << 20


@final
@dataclass(frozen=True)
class Fingerprint:
    """What tells one file of data from another.

    Attributes
    ----------
    name : str
        The name of the file, or of the folder, without what it is in.
    files : int
        How many files there are.
    digest : str
        The SHA-256 of their bytes, one file after the other by name, in hexadecimal.
    columns : int or None
        How many columns they have; None of a saved table.
    period : str or None
        The first and the last value of a column of dates or numbers, if one is named.
    """

    name: str
    files: int
    digest: str
    columns: int | None = None
    period: str | None = None


def fingerprint_of(path: Path, *, saved: bool, period: str | None = None) -> Fingerprint:
    """The fingerprint of a file, a folder or a glob; of a `saved` table without its columns.

    Raises
    ------
    FileError
        If there is no such file or column.
    ConditionError
        If the column is not one of dates, or of numbers.
    """
    files, digest = files_of(path), sha256()
    for file in files:
        with file.open("rb") as opened:
            while block := opened.read(_BLOCK):
                digest.update(block)
    found = path.name, len(files), digest.hexdigest()
    if saved and period is None:
        return Fingerprint(*found)
    with open_relation(path, [] if period is None else [period]) as relation:
        columns = len(relation.layout.columns)
        span = None
        if period is not None:
            value = text(relation, period)
            span = _span(
                relation.rows(
                    "SELECT count(v), count(t), count(d), arg_min(v, t), arg_max(v, t), "
                    "arg_min(v, d), arg_max(v, d) FROM (SELECT v, TRY_CAST(v AS TIMESTAMP) AS t, "
                    f"TRY_CAST(v AS DOUBLE) AS d FROM (SELECT {value} AS v FROM {relation.sql}))"
                )[0],
                period,
            )
    return Fingerprint(*found, columns, span)


def _span(found: tuple[int, int, int, str, str, str, str], name: str) -> str:
    """The first and the last value of a column, by what all its values are."""
    filled, dates, numbers, *ends = found
    if filled and numbers == filled:
        first, last = ends[2:]
    elif filled and dates == filled:
        first, last = ends[:2]
    else:
        raise ConditionError(
            f"--period names a column of dates, such as 2026-03-31, or of numbers, and {name!r} "
            "has other values."
        )
    return f"{first} to {last}"
