"""Titles of plots, in as many lines as they need."""

import re
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties

# Axes of no more points are narrow, and have small letters. What a letter takes, as a share of its
# size, and how much wider than the axes a title may be.
_NARROW = 220
_LETTER, _WIDER = 0.54, 1.1
# Points between a title of two lines and narrow axes, so that both fit above them.
_PAD = 3.0
_UNBROKEN = "\N{NO-BREAK SPACE}"


def write_title(ax: Axes, title: str) -> None:
    """Write a title in as many lines as it needs."""
    size = size_of_letters(ax)
    letter = _LETTER * FontProperties(size=size).get_size_in_points()
    broken = _broken(title, int(_WIDER * points_across(ax) / letter))
    pad = None if size == "medium" else _PAD
    ax.set_title(broken, fontsize=size, pad=pad, parse_math=False)


def points_across(ax: Axes) -> float:
    """The width of axes in points, before the figure is laid out."""
    return float(ax.bbox.width * 72 / ax.figure.dpi)


def size_of_letters(ax: Axes) -> str:
    """How large letters are beside axes of this width."""
    return "medium" if points_across(ax) > _NARROW else "small"


def _broken(title: str, letters: int) -> str:
    """A title in lines of so many letters, the first break before brackets at an end."""
    lines = []
    for line in title.splitlines():
        parts = line if len(line) <= letters else re.sub(r" (\([^()]*\))$", r"\n\1", line)
        # A number and its unit stay together.
        whole = parts.replace(" %", _UNBROKEN + "%")
        lines += [
            fill(part, letters, break_long_words=False, break_on_hyphens=False)
            for part in whole.splitlines()
        ]
    return "\n".join(lines).replace(_UNBROKEN, " ")
