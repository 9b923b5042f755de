"""Engines' errors as one line of our own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from tempfile import gettempdir

from costspace.errors import CostspaceError, FileError, SourceError
from costspace.frames.paths import short
from costspace.frames.scratch import is_scratch

# The line at which DuckDB's messages go from the cause to long advice on DuckDB's options.
_KIND_OF_ERROR = re.compile(r"\A([A-Z]\w* )+Error: ")
_ADVICE = (
    *("Possible", "LINE ", "The search space"),
    *("Resolved plan until", "This error occurred", "== SQL", "You can explicitly"),
)
# What Java and Python say before the cause, and the calls that Java names behind it.
_BEFORE_CAUSE = re.compile(
    r"^Caused by: [\w.$]+: |Traceback \(most recent call last\):\n(?:[ \t].*\n)*", re.MULTILINE
)
_CALLS = re.compile(r"^\s+(?:at |\.\.\. \d+ more).*$", re.MULTILINE)
_INTERRUPT = re.compile(
    r"\A(INTERRUPT Error: |Query )?interrupted!?\s*\Z|\bKeyboardInterrupt\b", re.IGNORECASE
)
# DuckDB's message for lines that end differently from the first.
_LINE_ENDS = "state machine reached an invalid state"
_OF_CSV = {
    r"Expected Number of Columns: (\d+) Found: (\d+)": (
        r"it has \2 cells, not \1: put cells that hold a delimiter in quotes"
    ),
    "unterminated quote": (
        "a quote opens a cell, and none closes it: write quotes inside cells twice"
    ),
    r"Maximum line size of (\d+) bytes": (
        r"it has more than \1 bytes: leave out the long column, or write Parquet"
    ),
    "not a GZIP stream": (
        "other bytes, such as zeros, follow its packed rows: unpack it with gzip -dc, and give that"
    ),
    "Parallel CSV Reader": (
        "cells with line breaks look like rows: leave out their column, or write Parquet"
    ),
}
# How many characters of what an engine says are shown.
_ROOM = 220
# How engines, and the loader of their libraries, say that memory has run out.
_LACKS_MEMORY = re.compile(
    "out of memory|bad alloc|failed to map|cannot allocate|can't start new thread", re.IGNORECASE
)
# How DuckDB says which file it cannot write; for what does not fit in memory it names none.
_CANNOT_WRITE = re.compile(r'Could not (?:write|truncate|f?sync) file \\*"(.+?)\\*":')
_CANNOT_OFFLOAD = "failed to offload data block"
_FULL = re.compile("No space left on device|Disk quota exceeded|File too large")
_NO_MEMORY = (
    "there is not enough memory for its rows: free some, raise the memory limit, ask for "
    "fewer columns at a time, or count scores in --bins"
)


@contextmanager
def complaining(path: Path, doing: str = "read", output: Path | None = None) -> Iterator[None]:
    """A context in which DuckDB's errors of reading or writing become `FileError`.

    An `output` is what is written while the path is read.
    """
    import duckdb

    try:
        yield
    except (duckdb.Error, RuntimeError, MemoryError) as error:
        _check_interrupt(error)
        unwritten = _CANNOT_WRITE.search(str(error))
        if _CANNOT_OFFLOAD in str(error) or (unwritten and is_scratch(unwritten[1])):
            raise FileError(
                f"{gettempdir()} has no room for the rows that do not fit in memory: set TMPDIR to "
                "a folder with more."
            ) from None
        if unwritten and output is not None:
            path, doing = output, "write"
        raise FileError(f"cannot {doing} {path}: {_reason(error, path).rstrip('.')}.") from None


@contextmanager
def complaining_of_rows(doing: str = "counted") -> Iterator[None]:
    """A context in which any engine's errors on a caller's dataframe become `SourceError`."""
    try:
        yield
    except CostspaceError:
        raise
    except Exception as error:  # engines share no class of errors
        _check_interrupt(error)
        reason = _reason(error, Path()).rstrip(".")
        advice = "" if reason == _NO_MEMORY else " See whether the frame computes by itself."
        raise SourceError(f"the rows cannot be {doing}: {reason}.{advice}") from error


def _check_interrupt(error: BaseException) -> None:
    """Raise an interrupt again: while DuckDB runs Python, it reports one only as text."""
    if _INTERRUPT.search(str(error)):
        raise KeyboardInterrupt from None


def _reason(error: BaseException, path: Path) -> str:
    """The cause, without the path, the text of the row (it can be the whole file) and advice."""
    message = str(error)
    if isinstance(error, MemoryError) or _LACKS_MEMORY.search(message):
        return _NO_MEMORY
    if full := _FULL.search(message):
        return full[0]
    if _LINE_ENDS in message:
        return (
            "its lines end in different ways, or a quote is where CSV allows none: make line ends "
            "alike, as dos2unix does"
        )
    place = re.escape(str(path.absolute()))
    message = re.sub(
        rf"(: {place}|(file )?(['\"]){place}\3)", lambda m: "the file" * bool(m[3]), message
    )
    message = _CALLS.sub("", _BEFORE_CAUSE.split(_KIND_OF_ERROR.sub("", message))[-1])
    cause = takewhile(lambda line: not line.startswith(_ADVICE), message.splitlines())
    lines = [line for line in cause if line.strip()]
    found = re.search(r"CSV Error on Line: (\d+)", message)
    if found is not None:
        return f"line {found[1]} (the header is line 1): {_advised(lines[-1])}"
    return _advised(" ".join(" ".join(lines).split())) or type(error).__name__


def _advised(cause: str) -> str:
    """What is wrong with CSV and what to do about it, in place of DuckDB's words; or these."""
    for form, advice in _OF_CSV.items():
        if found := re.search(form, cause):
            return found.expand(advice)
    if len(cause) <= _ROOM:
        return cause
    # No sentence without its end, unless the first is too long.
    end = cause.rfind(". ", 0, _ROOM)
    return cause[:end] if end > 0 else short(cause, _ROOM)
