"""Numbers as options are given them, and what to say of a text that is none."""

import math
import re
from collections.abc import Sequence
from typing import Annotated, TypeAlias

from cyclopts import Parameter, Token
from cyclopts.validators import Number

from costspace.errors import ConditionError, brief, meant

# As people write a number: float() also reads 1_0, nan, and the digits of other scripts.
_NUMBER = re.compile(r"\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\s*", re.ASCII)
# Thousands, or three decimals that nobody writes by hand.
_THOUSANDS = re.compile(r"\s*([-+]?[1-9][0-9]{0,2})\.000\s*", re.ASCII)
_WHOLE = re.compile(r"\s*[-+]?[0-9]+\s*", re.ASCII)
_RANGE = re.compile(r"\s*([0-9.]+)\s*(?:-|\u2013|to)\s*([0-9.]+)\s*", re.ASCII)


def number_in(text: str) -> float | None:
    """The number that a text is; None if it is none, or none that a double can hold."""
    written = _NUMBER.fullmatch(text)
    if written is None:
        return None
    number = float(text)
    vanishes = number == 0 and re.search("[1-9]", written[1])
    return None if vanishes or not math.isfinite(number) else number


def refuse_thousands(option: str, text: str) -> None:
    """`ConditionError` for a cost such as 3.000, which many write for 3000."""
    if either := _THOUSANDS.fullmatch(text):
        raise ConditionError(
            f"{option} has {brief(text)}, which may be {either[1]}000 or {either[1]}: write one of "
            "these."
        )


def came(text: str, *, most: float | None = None) -> str:
    """A text that is no number as messages show it, and what it may stand for.

    With `most` it is no LOW:HIGH either, of numbers up to that.
    """
    hint = meant(text)
    if most is not None:
        hint = _meant_bounds(text, most) or hint
    if not hint and _NUMBER.fullmatch(text):
        hint = "it is beyond what a double can hold"
    return f"{brief(text)}: {hint}" if hint else brief(text)


def _meant_bounds(text: str, most: float) -> str:
    """What a text that is no LOW:HIGH may stand for, or nothing."""
    written = _RANGE.fullmatch(text)
    if written:
        low, high = map(number_in, written.groups())
        fits = low is not None and high is not None and low < high <= most
        return f"a range is {written[1]}:{written[2]}" if fits else ""
    low_text, colon, high_text = text.partition(":")
    hints = [meant(low_text), meant(high_text)] if colon else []
    return ", and ".join(hint for hint in hints if hint)


def _number(_: object, tokens: Sequence[Token]) -> float:
    number = number_in(tokens[0].value)
    if number is None:
        raise ConditionError(f"{tokens[0].keyword} must be a number, got {came(tokens[0].value)}.")
    return number


def _cost(option: object, tokens: Sequence[Token]) -> float:
    refuse_thousands(tokens[0].keyword or "", tokens[0].value)
    return _number(option, tokens)


def _whole(_: object, tokens: Sequence[Token]) -> int:
    text = tokens[0].value
    number = number_in(text)
    if number is None or not number.is_integer():
        raise ConditionError(f"{tokens[0].keyword} must be a whole number, got {came(text)}.")
    return int(text) if _WHOLE.fullmatch(text) else int(number)


_WRITTEN = Parameter(converter=_number)
Real: TypeAlias = Annotated[float, _WRITTEN]
OptionalReal: TypeAlias = Annotated[float | None, _WRITTEN]
OptionalCost: TypeAlias = Annotated[float | None, Parameter(converter=_cost)]
OptionalWhole: TypeAlias = Annotated[int | None, Parameter(converter=_whole)]
OptionalCount: TypeAlias = Annotated[OptionalWhole, Parameter(validator=Number(gte=1))]
