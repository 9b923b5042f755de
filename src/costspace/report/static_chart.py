"""What strategies cost, with intervals, as a picture that needs no script."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from costspace.decision.words import alone_shown, estimate_shown

# In pixels: a row, the columns of names and of amounts, and where the dots are.
_ROW, _WIDTH, _FROM, _TO = 24, 790, 320, 590
_TOP, _BOTTOM = 6, 22
# Names have so many letters, and what costs so many times all else is left to the table.
_LETTERS, _FAR, _MOST = 50, 5.0, 10


def static_chart(named: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """Strategies by name in rows, each a dot and its interval on an axis of costs from 0.

    Parameters
    ----------
    named : sequence of (str, mapping)
        Names, and strategies as `Decision.answer` has them, in the order of the rows.
    """
    ends = [_ends(one) for _, one in named]
    near = min((high for _, _, high in ends), default=0.0)
    rows = [
        (name, *three)
        for (name, _), three in zip(named, ends, strict=True)
        if three[1] <= _FAR * max(near, 0.0) or three[1] <= 0
    ][:_MOST]
    if not rows:
        return ""
    least = min(0.0, *(low for _, low, _, _ in rows))
    most = max(0.0, *(high for _, _, _, high in rows))

    def at(amount: float) -> str:
        return f"{_FROM + (_TO - _FROM) * (amount - least) / ((most - least) or 1.0):.1f}"

    height = _TOP + _ROW * len(rows) + _BOTTOM
    bottom = height - _BOTTOM
    marks = [_axis(at(amount), amount, bottom) for amount in sorted({least, 0.0, most})]
    for k, (name, low, money, high) in enumerate(rows):
        y = _TOP + _ROW * k + _ROW / 2
        amount, interval = alone_shown(money), ""
        if low < high:
            amount, interval = estimate_shown(money, low, high)
            marks.append(
                f'<path d="M{at(low)},{y}H{at(high)}" stroke="currentColor" stroke-width="2"/>'
            )
        told = f"{amount} ({interval})" if interval else amount
        marks.append(
            f'<circle cx="{at(money)}" cy="{y}" r="4.5" fill="currentColor"/>'
            f'<text x="0" y="{y + 4}">{escape(_cut(name))}</text>'
            f'<text x="{_TO + 16}" y="{y + 4}">{told}</text>'
        )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img" '
        'aria-label="Cost per 1,000 cases of each strategy, as in the table" '
        f'font-size="12" fill="currentColor">{"".join(marks)}</svg>'
    )


def _axis(x: str, amount: float, bottom: float) -> str:
    """A line at an amount, with that below it."""
    return (
        f'<path d="M{x},0V{bottom}" stroke="currentColor" opacity="0.25"/>'
        f'<text x="{x}" y="{bottom + 15}" text-anchor="middle">{alone_shown(amount)}</text>'
    )


def _ends(one: Mapping[str, Any]) -> tuple[float, float, float]:
    """The lower end of the interval of a cost, the cost, and the upper end."""
    money = float(one["cost_per_1000"])
    low, high = (money if one[end] is None else float(one[end]) for end in ("low", "high"))
    return low, money, high


def _cut(name: str) -> str:
    """A name by its beginning and its end, if it is long."""
    half = _LETTERS // 2
    return name if len(name) <= _LETTERS else f"{name[:half]}…{name[-half + 1 :]}"
