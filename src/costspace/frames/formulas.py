"""What the name of numbers means: a column, or sums and products of columns and numbers.

A column that really has a name wins over all that the name could mean otherwise.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from types import MappingProxyType
from typing import Any, TypeVar, final

from costspace.errors import FileError
from costspace.samples.turned import turned_from

T = TypeVar("T")

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![\w.])
        |"(?P<quoted>(?:[^"]|"")+)"
        |(?P<name>[^\W\d][\w.]*(?:\[\d+\])?)
        |(?P<sign>[-+*()])
    )\s*""",
    re.VERBOSE,
)
_ELEMENT = re.compile(r"(.+)\[(\d{1,9})\]", re.DOTALL)
_JOINED: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType(
    {"+": operator.add, "-": operator.sub, "*": operator.mul}
)
_BINDING = {"+": 1, "-": 1, "*": 2}


@final
@dataclass(frozen=True)
class Operand:
    """A column in a formula."""

    name: str


# In the order of a stack: operands before the sign that joins them.
_Steps = tuple[Operand | float | str, ...]


@final
@dataclass(frozen=True)
class Formula:
    """Numbers that are made of columns."""

    steps: _Steps

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns, each once."""
        return tuple(dict.fromkeys(one.name for one in self.steps if isinstance(one, Operand)))

    @property
    def plain(self) -> bool:
        """Whether it is a column as it is."""
        return len(self.steps) == 1

    @property
    def signed(self) -> bool:
        """Whether it is a column as it is, or with its sign changed: no digit is rounded."""
        return self.plain or (
            len(self.steps) == 3 and self.steps[0] == 0 and len(self.columns) == 1
        )

    def made(
        self,
        column: Callable[[str], T],
        number: Callable[[float], T],
        joined: Callable[[str, T, T], T],
    ) -> T:
        """What it makes of columns and numbers, in any terms that can be joined by a sign."""
        found: list[T] = []
        for step in self.steps:
            if isinstance(step, Operand):
                found.append(column(step.name))
            elif isinstance(step, str):
                right = found.pop()
                found.append(joined(step, found.pop(), right))
            else:
                found.append(number(step))
        return found.pop()


def joined(sign: str, one: Any, other: Any) -> Any:
    """Numbers, arrays or columns of an engine joined by a sign."""
    return _JOINED[sign](one, other)


def formula_of(name: str, has: Callable[[str], bool]) -> Formula:
    """The formula that a name stands for where there are some columns.

    If it stands for none, it is a column of that name, which there is not.
    """
    turned = turned_from(name)
    if has(name):
        return Formula((Operand(name),))
    if turned is not None and has(turned[1]):
        return Formula((turned[0], Operand(turned[1]), "-"))
    found = _parsed(name)
    # A hyphen can be part of a name that is misspelt.
    if found and (
        any(isinstance(one, float) for one in found.steps) or any(map(has, found.columns))
    ):
        return found
    return Formula((Operand(name),))


def element_of(name: str, known: Collection[str]) -> tuple[str, int] | None:
    """The column, and the place of the element of its lists, that ``NAME[1]`` speaks of."""
    found = _ELEMENT.fullmatch(name)
    if name in known or found is None or found[1] not in known:
        return None
    return found[1], int(found[2])


def check_element(where: str, size: int, name: str, place: int | None) -> None:
    """`FileError` unless a place is one in lists of a size; one of one element needs none."""
    if place is None and size != 1:
        raise FileError(
            f"{where} holds lists of {size}, as predict_proba gives: name one element, counted "
            f"from 0, such as '{name}[{size - 1}]' for the last."
        )
    if (place or 0) >= size:
        raise FileError(
            f"{where} holds lists of {size}, which have no element {place}: count from 0."
        )


def no_lists(where: str, kind: object, name: str) -> FileError:
    """The error that a column of this type has no element of such a name."""
    return FileError(f"{where} has type {kind} and holds no lists: {name!r} is no element of it.")


def possible_columns(name: str) -> set[str]:
    """All columns that a name could speak of."""
    turned, found = turned_from(name), _parsed(name)
    names = {name, *([turned[1]] if turned else ()), *(found.columns if found else ())}
    return names | {_ELEMENT.sub(r"\1", own) for own in names}


def _parsed(text: str) -> Formula | None:
    """A formula of at least one column; None unless a text is one."""
    steps: list[Operand | float | str] = []
    waiting: list[str] = []
    # Whether a number or a column comes next, and whether a part begins here.
    wanted, begins = True, True
    for sign, operand in _tokens(text):
        if operand is not None and wanted:
            steps.append(operand)
            wanted, begins = False, False
        elif sign == "(" and wanted:
            waiting.append(sign)
            begins = True
        elif sign == ")" and not wanted:
            while waiting and waiting[-1] != "(":
                steps.append(waiting.pop())
            if not waiting:
                return None
            waiting.pop()
        elif sign in _BINDING and (not wanted or (begins and sign == "-")):
            if wanted:
                steps.append(0.0)
            while waiting and _BINDING.get(waiting[-1], 0) >= _BINDING[sign]:
                steps.append(waiting.pop())
            waiting.append(sign)
            wanted, begins = True, False
        else:
            return None
    formula = Formula((*steps, *reversed(waiting)))
    return None if wanted or "(" in waiting or not formula.columns else formula


def _tokens(text: str) -> Iterator[tuple[str, Operand | float | None]]:
    """The signs, columns and numbers of a formula; an empty sign where it is none."""
    end = 0
    while end < len(text):
        found = _TOKEN.match(text, end)
        if found is None:
            yield "", None
            return
        end = found.end()
        if found["number"]:
            number = float(found["number"])
            yield "", number if isfinite(number) else None
        elif found["sign"]:
            yield found["sign"], None
        else:
            quoted = (found["quoted"] or "").replace('""', '"')
            yield "", Operand(quoted or found["name"])
