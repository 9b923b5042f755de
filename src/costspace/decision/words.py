"""Numbers of a decision as people read them: on the terminal, in sentences, and on the page."""

import math
import sys
from collections.abc import Iterable, Sequence

from costspace.digits import ALL_DIGITS, apart

# Digits of an amount, and of the width of its interval at least.
_DIGITS, _LEAST_DIGITS = 3, 2
_MOST_DECIMALS = 6
# Amounts from this on have an exponent in place of their digits.
_LONGEST = 1e15
# Less than this is what rounding leaves.
_NOTHING = 5e-7
_SMALLEST_P = 0.001
# Below it, halves are written in full.
_HALVES = 1e6
# As many as leave the percent of a share without rounding errors, and whole cases whole.
_SHARE_DIGITS = 13
NONE = "–"
# A threshold that is another at other conditions.
VARIES = "varies"


def decimals_for(amounts: Iterable[float], width: float = 0.0) -> int:
    """Decimals of amounts that stand together, below 0 where tens or hundreds are rounded.

    Three digits of the largest; with an interval of some width at least two of that, and at most
    three.
    """
    sizes = [abs(amount) for amount in amounts if math.isfinite(amount)]
    found = _decimals(max(sizes, default=0.0), _DIGITS)
    if _NOTHING < width < math.inf:
        found = max(found, _decimals(width, _LEAST_DIGITS))
        found = min(found, _decimals(width, _DIGITS))
    return found


def amount_shown(amount: float | None, decimals: int) -> str:
    """An amount in so many decimals, thousands apart; an n-dash for none."""
    if amount is None or not math.isfinite(amount):
        return NONE
    if abs(amount) >= _LONGEST:
        digits = math.floor(math.log10(abs(amount))) + 1 + decimals
        return f"{amount:.{max(digits, 1)}g}"
    # No minus before a zero.
    return f"{round(amount, decimals) + 0.0:,.{max(decimals, 0)}f}"


def alone_shown(amount: float | None) -> str:
    """An amount that has no interval, without zeros at its end."""
    if amount is None or not math.isfinite(amount):
        return NONE
    return _trimmed(amount_shown(amount, decimals_for([amount])))


def estimate_shown(value: float, low: float, high: float) -> tuple[str, str]:
    """An amount and the ends of its interval, in the same digits."""
    decimals = decimals_for((value, low, high), high - low)
    ends = f"{amount_shown(low, decimals)} to {amount_shown(high, decimals)}"
    return amount_shown(value, decimals), ends


def sides_shown(value: float, low: float, high: float, above: str, below: str) -> tuple[str, str]:
    """A difference and its interval in words for their sides, such as "39 more to 90 less".

    Without an interval, low and high NaN, there are no words for that.
    """
    if math.isnan(low):
        return f"{alone_shown(abs(value))} {below if value < 0 else above}", ""
    decimals = decimals_for((value, low, high), high - low)
    amount = f"{amount_shown(abs(value), decimals)} {below if value < 0 else above}"
    first, last = (amount_shown(abs(end), decimals) for end in (low, high))
    if low < 0 < high:
        return amount, f"{first} {below} to {last} {above}"
    return amount, f"{last} to {first}" if high <= 0 else f"{first} to {last}"


def known_beside(amount: float, low: float, high: float) -> str:
    """An amount that has no interval, as fine as what has one beside it, if that has."""
    if not low < high:
        return alone_shown(amount)
    return _trimmed(amount_shown(amount, decimals_for((low, high), high - low)))


def at_most(amount: float) -> str:
    """An amount above 0, rounded up to one digit."""
    digit = 10.0 ** math.floor(math.log10(amount))
    return f"{math.ceil(amount / digit) * digit:.1g}"


def units_shown(units: int, *, groups: bool) -> str:
    """That a class has so many rows, or that its groups tell as much as so many of one size."""
    plural = "" if units == 1 else "s"
    return f"is worth {units} group{plural} of equal size" if groups else f"has {units} row{plural}"


def p_shown(p: float) -> str:
    """A p-value in two digits, three near 0.05, or that it is below what is worth telling."""
    if p < _SMALLEST_P:
        return f"below {_SMALLEST_P:g}"
    return f"{p:.3g}" if 0.045 <= p < 0.055 else f"{p:.2g}"


def thresholds_shown(*thresholds: float, digits: int = ALL_DIGITS) -> list[str]:
    """Thresholds in so many digits; in more where they would look alike, or like 0 or 1.

    In all of them by default, as few as tell a number from any other. One halfway
    between whole numbers keeps its half, since rounded it would be a score.
    """
    others = {0.0, 1.0, *thresholds}

    def shown(threshold: float) -> str:
        if threshold == -sys.float_info.max:
            # What scores above it is all but scores of -inf.
            return "-inf"
        if abs(threshold) % 1 == 0.5 and abs(threshold) < _HALVES:
            return repr(threshold)
        return apart(threshold, others, digits)

    return [shown(threshold) for threshold in thresholds]


def shares_shown(*shares: float) -> list[str]:
    """Shares of a queue in percent: who takes them has as many cases as who takes the shares."""
    return [f"{100 * share:.{_SHARE_DIGITS}g} %" for share in shares]


def limit_shown(
    name: str,
    status: str,
    reached: float | None,
    ends: Sequence[float] | None,
    prevalence: float | None,
) -> str:
    """How a limit is kept, what share is reached, and at which prevalence if that matters.

    The share may have the ends of an interval.
    """
    if reached is None:
        return f"{status} (nobody is {'flagged' if name == 'min_precision' else 'passed'})"
    told = "too close to tell" if status == "at the limit" else status
    worst = "" if prevalence is None else f" at prevalence {alone_shown(prevalence)}, the worst"
    share, interval = alone_shown(100 * reached), ""
    if ends is not None and ends[0] < ends[1]:
        share, interval = estimate_shown(*(100 * one for one in (reached, *ends)))
        interval = f", {interval}"
    return f"{told} (reaches {share} %{interval}{worst})"


def listed(words: Sequence[str]) -> str:
    """Several words as a sentence has them: "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _decimals(size: float, digits: int) -> int:
    """Decimals that show so many digits of a size."""
    if not _NOTHING < size < math.inf:
        return _MOST_DECIMALS
    decimals = digits - 1 - math.floor(math.log10(size))
    # What rounds up to the next power of ten has a digit more before the point.
    rounds_up = round(size * 10.0**decimals) >= 10**digits
    return min(decimals - 1 if rounds_up else decimals, _MOST_DECIMALS)


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
