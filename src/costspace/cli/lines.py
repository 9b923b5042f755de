"""Lines of a page on the terminal: wrapped, shortened, and no more than it has room for."""

import sys
from collections.abc import Iterable, Sequence
from itertools import takewhile

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from costspace.cli.console import one_line, printable

WIDTH, LINES = 80, 25
# So much of a name stands before what tells it from another.
_BEFORE = 2


def wrapped(text: str) -> list[str]:
    """Text in lines of the page's width."""
    lines = Text(printable(text)).wrap(Console(width=WIDTH), WIDTH)
    return [line.plain.rstrip() for line in lines]


def tell_on_stderr(message: str) -> None:
    """A message on standard error, if there is one: wrapped for a reader, a line for a program."""
    if sys.stderr is not None:
        told = f"costspace: {one_line(message)}"
        lines = wrapped(told) if sys.stderr.isatty() else [told]
        sys.stderr.write("".join(f"{line}\n" for line in lines))
        sys.stderr.flush()


def each_wrapped(texts: Iterable[str]) -> list[str]:
    """Texts in lines of the page's width, each on lines of its own."""
    return [line for text in texts for line in wrapped(text)]


def fitting(texts: Iterable[str], most: int) -> list[str]:
    """The texts that so many lines have room for, each as a whole and on lines of its own."""
    found = []
    for text in texts:
        lines = len(wrapped(text))
        if lines <= most:
            found.append(text)
            most -= lines
    return found


def first_fitting(texts: Iterable[str], most: int) -> list[str]:
    """The lines of the first text that so many have room for, else of the last."""
    lines: list[str] = []
    for text in texts:
        lines = wrapped(text)
        if len(lines) <= most:
            break
    return lines


def paragraph(texts: Iterable[str], most: int = LINES) -> list[str]:
    """The lines of one paragraph: of the texts that so many have room for, each as a whole."""
    found: list[str] = []
    for text in texts:
        if len(wrapped(" ".join([*found, text]))) <= most:
            found.append(text)
    return wrapped(" ".join(found)) if found else []


def command_lines(before: str, words: Iterable[str]) -> list[str]:
    """A command in lines of the page's width, to paste into a shell; longer words stay whole.

    What stands `before` it has a line of its own, unless all of it fits into one.
    """
    first, *rest = words
    one = " ".join([before, first, *rest])
    if cell_len(one) <= WIDTH:
        return [one]
    lines = [first]
    for word in rest:
        if cell_len(f"{lines[-1]} {word} \\") <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines[-1] += " \\"
            lines.append(f"    {word}")
    return [before, *lines]


def shortened(name: str, room: int, among: Iterable[str] = ()) -> str:
    """A name in so many columns of a terminal, by its beginning and its end if it has more.

    Where others `among` those shown would look the same, what tells it from them stands first.
    """
    text = _cut(name, room)
    if text == name:
        return text
    alike = [other for other in dict.fromkeys(among) if other != name and _cut(other, room) == text]
    same = (len({*letters}) == 1 for letters in zip(name, *alike, strict=False))
    first = sum(takewhile(bool, same)) - _BEFORE if alike else 0
    if first < _BEFORE:
        return text
    return shortened(f"…{name[first:]}", room, [f"…{other[first:]}" for other in alike])


def several_in(names: Sequence[str], room: int, among: Iterable[str] = ()) -> str:
    """Several names in so many columns, or the first and how many more there are."""
    whole = ", ".join(names)
    if len(names) == 1 or cell_len(whole) <= room:
        return shortened(whole, room, among)
    return counting(names, room, among)


def counting(names: Sequence[str], room: int, among: Iterable[str] = ()) -> str:
    """The first of some names in so many columns, and how many more there are."""
    more = f" +{len(names) - 1}" if len(names) > 1 else ""
    return f"{shortened(names[0], room - len(more), among)}{more}"


def _cut(name: str, room: int) -> str:
    """A name by its beginning and its end, if it is longer than that."""
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
