"""One exception class for each kind of invalid input, and one warning.

Every message says what was asked, what came, and what to do about it. All errors are `ValueError`
too, so callers that know nothing of costspace still catch them.
"""

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from pathlib import Path
from unicodedata import decimal as decimal_of

__all__ = [
    "ConditionError",
    "CostspaceError",
    "DataWarning",
    "FileError",
    "InfeasibleError",
    "LabelError",
    "MissingExtraError",
    "ScoreError",
    "SourceError",
    "WeightError",
]

_BRIEF = 60
_PERCENT = re.compile(r"\s*([-+]?[0-9]+(?:\.[0-9]+)?)\s*%\s*")
_COMMA = re.compile(r"\s*([-+]?[0-9]*),([0-9]+)\s*")
_PACKAGE = f"{Path(__file__).parent}{os.sep}"
_quiet: ContextVar[bool] = ContextVar("quiet", default=False)
_THOUSANDS = re.compile(r"\s*([-+]?[1-9][0-9]{0,2}(?:[,' ][0-9]{3})+(?:\.[0-9]+)?)\s*")
_UNDERSCORES = re.compile(r"\s*([-+]?[0-9]+(?:_[0-9]+)+(?:\.[0-9]+)?)\s*")
_NUMERIC = re.compile(r"[-+0-9.,:%\s]+")


class CostspaceError(ValueError):
    """Base class of the errors of costspace.

    Attributes
    ----------
    column : str or None
        The column of a file that is at fault, if one is.
    fault : str or None
        What is wrong there, without what to do, if that depends on what the column is for.
    """

    column: str | None = None
    fault: str | None = None


class LabelError(CostspaceError):
    """The labels are not two known classes."""


class ScoreError(CostspaceError):
    """The scores are missing, not numbers, or not in the range that is needed."""


class WeightError(CostspaceError):
    """A sample weight is negative, missing or not a number."""


class ConditionError(CostspaceError):
    """A cost, prevalence, threshold, axis or distribution of conditions is out of its range."""


class InfeasibleError(CostspaceError):
    """No threshold satisfies the constraints.

    Attributes
    ----------
    shortfall : float
        How far below a limit the best threshold stays, as a share of cases; infinite if the limit
        is not one that thresholds come near to.
    """

    shortfall: float = inf


class SourceError(CostspaceError):
    """A score source cannot answer this, or two sources do not fit together."""


class FileError(CostspaceError):
    """A file, a column or a cell cannot be read, or an output cannot be written."""


class MissingExtraError(CostspaceError, ImportError):
    """An optional library is not installed."""


class DataWarning(UserWarning):
    """The data are valid, but look like a mistake."""


def warn_of(text: str) -> None:
    """Give a `DataWarning` at the line outside this package that called it."""
    if _quiet.get():
        return
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, DataWarning, stacklevel=level)


@contextmanager
def without_data_warnings() -> Iterator[None]:
    """A context without `DataWarning`, for code that checks the same data again."""
    token = _quiet.set(True)
    try:
        yield
    finally:
        _quiet.reset(token)


def brief(value: object) -> str:
    """A value on one line, for an error message."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _BRIEF else f"{text[:_BRIEF]}..."


def check_kind(
    name: str, value: object, *kinds: type, error: type[CostspaceError] = ConditionError
) -> None:
    """Raise an error unless a value is an instance of some classes."""
    if not isinstance(value, kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise error(f"{name} must be {wanted}, got {brief(value)}.")


def meant(text: str) -> str:
    """What a text that is not a number may mean, such as a percentage; empty if unknown."""
    if percent := _PERCENT.fullmatch(text):
        return f"{percent[1]} % is {float(percent[1]) / 100:g}"
    comma = _COMMA.fullmatch(text)
    decimal = ""
    if comma:
        # Without zeros at its end, which may stand for thousands, too.
        plainest = f"{comma[1] or 0}.{comma[2]}".rstrip("0").rstrip(".")
        decimal = f"with a decimal point it is {plainest}"
    if grouped := _THOUSANDS.fullmatch(text) or _UNDERSCORES.fullmatch(text):
        number = re.sub("[,_' ]", "", grouped[1])
        whole = f"without separators it is {number}"
        return f"{whole}, {decimal}" if decimal else whole
    plain = "".join(str(decimal_of(character, character)) for character in text)
    foreign = plain != text and _NUMERIC.fullmatch(plain)
    return decimal or (f"in the digits 0 to 9 it is {plain}" if foreign else "")
