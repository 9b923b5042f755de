"""Numbers of a decision as people read them: on the terminal, in sentences, and on the page."""

import math
import sys
from collections.abc import Iterable, Sequence

from costspace.digits import ALL_DIGITS, apart

# Digits of an amount, of the width of its interval at least, and of what is known exactly at most.
_DIGITS, _LEAST_DIGITS, _EXACT_DIGITS = 3, 2, 6
_MOST_DECIMALS = 6
# Amounts from these on are written in millions, billions and trillions.
_UNITS = ((1e12, 12, "tn"), (1e9, 9, "bn"), (1e6, 6, "m"))
# From the first on, and below the second, amounts have an exponent in place of their digits.
_LONGEST, _SHORTEST = 1e15, 1e-5
# Less than this, or than this share of what stands beside it, is what rounding leaves of 0.
_NOTHING = 1e-12
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
    """An amount in so many decimals, and in two digits at least; an n-dash for none.

    Thousands are apart, and what has more than six digits is in m, bn or tn.
    """
    return _written(amount, decimals, trim=False)


def alone_shown(amount: float | None) -> str:
    """An amount that has no interval, in three digits, without zeros at its end."""
    if amount is None:
        return NONE
    return _written(amount, decimals_for([amount]), trim=True)


def roughly_shown(amount: float) -> str:
    """An amount of which no more than two digits are worth telling."""
    return alone_shown(float(f"{amount:.{_LEAST_DIGITS}g}"))


def exact_shown(amount: float | None) -> str:
    """An amount that is known exactly: in full, whatever stands beside it.

    To the unit, and in three digits at least; of a million or more in six.
    """
    if amount is None:
        return NONE
    finest, coarsest = (_decimals(abs(amount), digits) for digits in (_DIGITS, _EXACT_DIGITS))
    return _written(amount, max(finest, min(coarsest, 0)), trim=True)


def estimate_shown(value: float, low: float, high: float) -> tuple[str, str]:
    """An amount and the ends of its interval, in the same digits, but two of each at least."""
    three = (value, low, high)
    decimals = decimals_for(three, high - low)
    noise = _NOTHING * max((abs(one) for one in three if math.isfinite(one)), default=0.0)
    amount, first, last = (
        amount_shown(0.0 if abs(one) < noise else one, decimals) for one in three
    )
    return amount, f"{first} to {last}"


def sides_shown(value: float, low: float, high: float, above: str, below: str) -> tuple[str, str]:
    """A difference with the word for its side, and its interval, such as "12 more", "-39 to 90".

    The ends count in the direction of that word. Without an interval, low and high NaN, there are
    no words for that.
    """
    side, ends = (below, (-high, -low)) if value < 0 else (above, (low, high))
    if math.isnan(low):
        return f"{alone_shown(abs(value))} {side}", ""
    amount, interval = estimate_shown(abs(value), *ends)
    return f"{amount} {side}", interval


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


def _written(amount: float | None, decimals: int, *, trim: bool) -> str:
    if amount is None or not math.isfinite(amount):
        return NONE
    size = abs(amount)
    if size <= _NOTHING:
        return "0" if trim else f"{0:.{max(decimals, 0)}f}"
    if size < _SHORTEST:
        return f"{amount:.{_DIGITS}g}"
    decimals = max(decimals, _decimals(size, _LEAST_DIGITS))
    if size >= _LONGEST:
        digits = math.floor(math.log10(size)) + 1 + decimals
        return f"{amount:.{max(digits, 1)}g}"
    rounded = round(amount, decimals)
    for least, power, unit in _UNITS:
        if abs(rounded) >= least:
            return f"{_digits(rounded / least, decimals + power, trim=trim)} {unit}"
    return _digits(rounded, decimals, trim=trim)


def _digits(number: float, decimals: int, *, trim: bool) -> str:
    text = f"{number:,.{max(decimals, 0)}f}"
    return text.rstrip("0").rstrip(".") if trim and "." in text else text


def _decimals(size: float, digits: int) -> int:
    """Decimals that show so many digits of a size."""
    if not _NOTHING < size < math.inf:
        return 0
    decimals = digits - 1 - math.floor(math.log10(size))
    # What rounds up to the next power of ten has a digit more before the point.
    rounds_up = round(size * 10.0**decimals) >= 10**digits
    return min(decimals - 1 if rounds_up else decimals, _MOST_DECIMALS)
