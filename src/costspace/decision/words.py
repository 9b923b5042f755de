"""Numbers of a decision as people read them."""

import math

# Less than this is what rounding leaves.
_NOTHING = 5e-7
_SMALLEST_P = 0.001


def money_shown(amount: float | None) -> str:
    """Money in five digits, thousands apart; an n-dash for none."""
    if amount is None or not math.isfinite(amount):
        return "–"
    if abs(amount) < _NOTHING:
        return "0"
    magnitude = math.floor(math.log10(abs(amount)))
    text = f"{amount:,.{min(max(4 - magnitude, 0), 6)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


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


def p_shown(p: float) -> str:
    """A p-value in two digits, or that it is below what is worth telling."""
    return f"below {_SMALLEST_P:g}" if p < _SMALLEST_P else f"{p:.2g}"
