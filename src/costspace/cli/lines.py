"""Lines of a page on the terminal: wrapped, shortened, and no more than it has room for."""

from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from costspace.cli.console import printable

WIDTH, LINES = 80, 25
_CUT = " ..."


def wrapped(text: str) -> list[str]:
    """Text in lines of the page's width."""
    lines = Text(printable(text)).wrap(Console(width=WIDTH), WIDTH)
    return [line.plain.rstrip() for line in lines]


def cut(lines: list[str], most: int) -> list[str]:
    """The first of some lines, the last of which says if there are more."""
    if len(lines) <= most:
        return lines
    *whole, last = lines[:most]
    while cell_len(last) > WIDTH - len(_CUT):
        last = last.rpartition(" ")[0]
    return [*whole, f"{last}{_CUT}"]


def fitting(texts: Iterable[str], most: int) -> list[str]:
    """The texts that so many lines have room for, each as a whole."""
    found = []
    for text in texts:
        lines = len(wrapped(text))
        if lines <= most:
            found.append(text)
            most -= lines
    return found


def shortened(name: str, room: int) -> str:
    """A name in so many columns of a terminal, by its beginning and its end if it has more."""
    if cell_len(name) <= room:
        return name
    end = (room - 1) // 2
    while cell_len(name[-end:]) > (room - 1) // 2:
        end -= 1
    tail = name[-end:] if end else ""
    start = room - 1
    while cell_len(name[:start]) + 1 + cell_len(tail) > room:
        start -= 1
    return f"{name[:start]}…{tail}"
