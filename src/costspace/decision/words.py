"""Numbers of a decision as people read them."""

import math

# Less than this is what rounding leaves.
_NOTHING = 5e-7


def money_shown(amount: float | None) -> str:
    """Money in five digits, thousands apart; an n-dash for none."""
    if amount is None or not math.isfinite(amount):
        return "–"
    if abs(amount) < _NOTHING:
        return "0"
    magnitude = math.floor(math.log10(abs(amount)))
    text = f"{amount:,.{min(max(4 - magnitude, 0), 6)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
