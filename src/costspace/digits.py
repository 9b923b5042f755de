"""Numbers in as many digits as tell them apart, as thresholds on scores need them."""

from collections.abc import Collection

# As many as tell any two numbers of double precision apart.
ALL_DIGITS = 17


def apart(number: float, others: Collection[float], digits: int) -> str:
    """A number in so many digits; in more where another would look like it.

    Examples
    --------
    >>> apart(12345678.25, [12345678.5], 6), apart(0.25, [0.5], 6), apart(12345678.25, [], 3)
    ('12345678.2', '0.25', '12300000')
    """
    texts = {f"{number:.{d}g}": d for d in range(digits, ALL_DIGITS)}
    for text, d in texts.items():
        if not any(f"{other:.{d}g}" == text for other in others if other != number):
            return in_full(float(text))
    return in_full(number)


def in_full(number: float) -> str:
    """A number in the fewest digits that tell it from all others."""
    return repr(float(number)).removesuffix(".0")
