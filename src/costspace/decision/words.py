"""Numbers of a decision as people read them."""

import math
import sys
from collections.abc import Sequence

# Less than this is what rounding leaves.
_NOTHING = 5e-7
_SMALLEST_P = 0.001
# As many as tell any two numbers of double precision apart.
_ALL_DIGITS = 17


def money_shown(amount: float | None) -> str:
    """Money in five digits, thousands apart; an n-dash for none."""
    if amount is None or not math.isfinite(amount):
        return "–"
    if abs(amount) < _NOTHING:
        return "0"
    magnitude = math.floor(math.log10(abs(amount)))
    text = f"{amount:,.{min(max(4 - magnitude, 0), 6)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def at_most(amount: float) -> str:
    """An amount above 0, rounded up to one digit."""
    digit = 10.0 ** math.floor(math.log10(amount))
    return f"{math.ceil(amount / digit) * digit:.1g}"


def interval_shown(low: float, high: float) -> str:
    """The ends of an interval, in as many digits as its width has a meaning for."""
    return f"{amount_within(low, high - low)} to {amount_within(high, high - low)}"


def amount_within(amount: float, width: float) -> str:
    """Money to three digits of the width of its interval; in five digits if that has none."""
    if not _NOTHING < width < math.inf:
        return money_shown(amount)
    decimals = min(2 - math.floor(math.log10(width)), 6)
    # No minus before a zero.
    return f"{round(amount, decimals) + 0.0:,.{max(decimals, 0)}f}"


def units_shown(units: int, *, groups: bool) -> str:
    """So many rows, or groups of them."""
    return f"{units} {'group' if groups else 'row'}{'' if units == 1 else 's'}"


def p_shown(p: float) -> str:
    """A p-value in two digits, three near 0.05, or that it is below what is worth telling."""
    if p < _SMALLEST_P:
        return f"below {_SMALLEST_P:g}"
    return f"{p:.3g}" if 0.045 <= p < 0.055 else f"{p:.2g}"


def sides_shown(low: float, high: float, above: str, below: str) -> str:
    """An interval of a difference in words for its sides, such as "39 more to 90 less"."""
    if low < 0 < high:
        first, last = (amount_within(end, high - low) for end in (-low, high))
        return f"{first} {below} to {last} {above}"
    return interval_shown(low, high)


def known_within(amount: float, width: float) -> str:
    """Money that has no interval, no finer than beside one of that width."""
    text = amount_within(amount, width)
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return min(text, money_shown(amount), key=len)


def thresholds_shown(*thresholds: float, digits: int = 6) -> list[str]:
    """Thresholds in so many digits; in more where they would look alike, or like 0 or 1."""
    others = {0.0, 1.0, *thresholds}

    def shown(threshold: float) -> str:
        if threshold == -sys.float_info.max:
            # What scores above it is all but scores of -inf.
            return "-inf"
        texts = (
            {other: f"{other:.{d}g}" for other in others} for d in range(digits, _ALL_DIGITS + 1)
        )
        apart = (by[threshold] for by in texts if list(by.values()).count(by[threshold]) == 1)
        return next(apart, f"{threshold:.{_ALL_DIGITS}g}")

    return [shown(threshold) for threshold in thresholds]


def listed(words: Sequence[str]) -> str:
    """Several words as a sentence has them: "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
