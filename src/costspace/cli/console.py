"""What commands show while they run and write when they are done."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

from costspace.deferral import deferred_calls
from costspace.errors import FileError

if TYPE_CHECKING or not deferred_calls(globals()):
    from rich.progress import Progress

    from costspace.frames.paths import files_of, is_data_of
    from costspace.output import check_writable, write_text

# As wide as this is no page: lines for a file or another program depend on no terminal.
_UNBOUNDED = 10_000
# Columns of words keep so many letters, or columns go.
_LEAST_WORDS = 12
_NUMBER = re.compile(r"-?[\d,]*\.?\d+(e[-+]\d+)?( \w+)?")
# A word of a message that is longer is shown by its beginning and its end.
_LONG_WORD, _BEGINNING, _END = 160, 100, 40
# Makes a bar of a name and a total, and gives what is told how far it is.
Step: TypeAlias = Callable[[str, float], Callable[[float], None]]


class Terminal(Console):
    """A terminal or what stands for it, of which a reader that goes away is told as of any file.

    Tables that are wider than it lose columns, from the last on, and no digit of any other.
    """

    def print(self, *objects: Any, **options: Any) -> None:
        left_out = [
            heading
            for one in objects
            if isinstance(one, Table)
            for heading in narrowed(one, self.width)
        ]
        super().print(*objects, **options)
        if left_out:
            told = f"No room for: {', '.join(reversed(left_out))}. Widen the terminal, or --json."
            super().print(Text(told, "dim"))

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


@contextmanager
def progress() -> Iterator[Step]:
    """Bars on a terminal's standard error; each step gets one and says how far it is."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda *_: lambda _: None
        return
    with Progress(console=Terminal(stderr=True), transient=True) as bars:

        def step(name: str, total: float) -> Callable[[float], None]:
            task = bars.add_task(escape(printable(name)), total=total)
            return lambda done: bars.update(task, completed=done)

        yield step


def narrowed(table: Table, width: int) -> list[str]:
    """Leaves out last columns of a table until it fits, and gives their headings.

    Columns of words may be cut to some letters; those of numbers are shown whole.
    """
    left_out = []
    for column in table.columns:
        if _has_numbers(column):
            column.min_width = _width(column)
    while len(table.columns) > 1 and sum(2 + _least(one) for one in table.columns) - 2 > width:
        left_out.append(_text(table.columns.pop().header))
    over = sum(2 + _width(one) for one in table.columns) - 2 - width
    for column in sorted(table.columns, key=_width, reverse=True):
        less = min(max(over, 0), _width(column) - _least(column))
        if less:
            column.max_width = _width(column) - less
        over -= less
    return left_out


def _least(column: Column) -> int:
    return _width(column) if _has_numbers(column) else min(_width(column), _LEAST_WORDS)


def _width(column: Column) -> int:
    # A heading that may be folded needs no room.
    heading = "" if column.overflow == "fold" else _text(column.header)
    return max(map(cell_len, (heading, *map(_text, column.cells))))


def _has_numbers(column: Column) -> bool:
    return column.justify == "right" or any(_NUMBER.fullmatch(_text(cell)) for cell in column.cells)


def _text(cell: object) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)


def check_output(output: Path | None, *inputs: Path) -> None:
    """`FileError`, before anything is read, if an output cannot be written or is an input."""
    if output is None:
        return
    place = os.path.realpath(output)
    for path in inputs:
        if any(os.path.realpath(file) == place for file in files_of(path)):
            raise FileError(f"{output} is read too: write to another file.")
        if is_data_of(Path(os.path.realpath(path)), Path(place)):
            raise FileError(f"{output} would be read with {path} from then on: write elsewhere.")
    check_writable(output)


@contextmanager
def page(output: Path | None) -> Iterator[Console]:
    """The terminal to print on, or what becomes a file or a pipe's text once all is printed."""
    terminal = Terminal(highlight=False, emoji=False)
    if output is None and terminal.is_terminal:
        yield terminal
        return
    text = StringIO()
    yield Console(file=text, highlight=False, emoji=False, width=_UNBOUNDED)
    lines = "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())
    if output is None:
        terminal.file.write(lines)
    else:
        write_text(output, lines)
        told_written(output)


def say(console: Console, *lines: str, style: str = "") -> None:
    """Print lines, which the terminal may wrap."""
    for line in lines:
        console.print(Text(printable(line), style), soft_wrap=True)


def title(console: Console, text: str) -> None:
    """Print a heading below an empty line."""
    console.print()
    say(console, text, style="bold")


def write_json(value: dict[str, Any], output: Path | None) -> None:
    """Write JSON in full precision to the terminal or to a file."""
    text = json.dumps(value, indent=2, allow_nan=False) + "\n"
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(output, text)
        told_written(output)


def told_written(output: Path) -> None:
    """Say on a terminal's standard error that a file is written."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"{printable(f'wrote {output}')}\n")


def one_line(message: str) -> str:
    """A message as it is told: on one line, with no word that a reader would scroll past."""
    words = (
        word if len(word) <= _LONG_WORD else f"{word[:_BEGINNING]}...{word[-_END:]}"
        for word in message.split()
    )
    return printable(" ".join(words))


def printable(text: str) -> str:
    """Text from a file or the command line without characters that would steer the terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
