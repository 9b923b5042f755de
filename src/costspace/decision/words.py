"""Numbers of a decision as people read them."""

import math


def money_shown(amount: float | None) -> str:
    """Money in five digits, thousands apart; an n-dash for none."""
    if amount is None or not math.isfinite(amount):
        return "–"
    magnitude = 0 if amount == 0 else math.floor(math.log10(abs(amount)))
    text = f"{amount:,.{min(max(4 - magnitude, 0), 6)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
