"""How large letters may be so that all of a rule sheet is on one page of A4."""

import re
from collections.abc import Iterable, Mapping
from html import unescape
from math import ceil

# In points: what margins leave of A4, but for a line or two, and the largest letters.
_WIDTH, _HEIGHT, _LARGEST = 527, 750, 8.5
_SMALLER = 0.98
# In parts of their size: how wide letters are in a wide font.
_LETTER = 0.64
# In lines, as the style has it: a heading with what is around it, a row of a table beyond its
# text, and what is larger than other text.
_HEADING, _ROW, _LARGER = 2.5, 0.35, 1.4
_HEADINGS = 4


def letters_that_fit(parts: Mapping[str, str]) -> float:
    """The size of letters, in points, by the parts of a sheet that are HTML.

    Examples
    --------
    >>> names = ("title", "facts", "rule", "cost", "confusion", "assumed", "limits", "strategies")
    >>> short = dict.fromkeys([*names, "why", "cautions"], "<p>Short.</p>")
    >>> letters_that_fit(short), letters_that_fit(short | {"why": "<p>Long.</p>" * 99}) < 8
    (8.5, True)
    """
    size = _LARGEST
    while _lines(parts, _WIDTH / (_LETTER * size)) * 1.35 * size > _HEIGHT:
        size *= _SMALLER
    return size


def _lines(parts: Mapping[str, str], letters: float) -> float:
    """How many lines a sheet has, if so many letters fit into one."""
    half = letters * 0.48
    large = (_LARGER * _wrapped(_texts(parts[one]), letters / _LARGER) for one in ("title", "rule"))
    whole = (_wrapped(_texts(parts[one]), letters) for one in ("cost", "why"))
    lists = [_wrapped(_texts(parts[one]), half - 2) for one in ("assumed", "limits", "cautions")]
    facts = _wrapped(_texts(parts["facts"])[1::2], letters * 0.8)
    tables = sum(_rows(parts[one], letters) for one in ("confusion", "strategies"))
    beside = max(lists[0], lists[1] + _HEADING + lists[2])
    return sum(large) + sum(whole) + facts + tables + beside + _HEADINGS * _HEADING


def _rows(table: str, letters: float) -> float:
    """How many lines a table has, whose columns are of equal widths but for names, of one line."""
    found = [re.findall(r"<t[dh][^>]*>([^<]*)", row) for row in table.split("<tr>")[1:]]
    return sum(
        _ROW + max(_wrapped([unescape(cell)], letters / len(row) - 2) for cell in row[1:])
        for row in found
    )


def _wrapped(texts: Iterable[str], letters: float) -> int:
    # What is not Latin is as wide as it has bytes, or less.
    return sum(ceil(len(text.encode()) / letters) for text in texts)


def _texts(html: str) -> list[str]:
    return [unescape(text) for text in re.findall(r"([^<>]+)(?=<|$)", html)]
