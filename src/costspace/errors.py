"""What can be wrong with a question: one exception class per kind of input.

Every message says what was asked, what came, and what to do about it. All are `ValueError`
too, so callers that know nothing of costspace still catch them.
"""

import re

_BRIEF = 60
_PERCENT = re.compile(r"\s*([-+]?[0-9]+(?:\.[0-9]+)?)\s*%\s*")
_COMMA = re.compile(r"\s*([-+]?[0-9]*),([0-9]+)\s*")


class CostspaceError(ValueError):
    """Base class of every error that costspace raises on purpose."""


class LabelError(CostspaceError):
    """The labels are not two known classes."""


class ScoreError(CostspaceError):
    """The scores cannot be used, or not for what was asked."""


class WeightError(CostspaceError):
    """The sample weights are not weights."""


class ConditionError(CostspaceError):
    """A cost, prevalence, threshold, axis or distribution of conditions is out of its range."""


class InfeasibleError(CostspaceError):
    """No threshold keeps to the constraints that were set."""


class SourceError(CostspaceError):
    """A score source cannot answer, or two sources do not go together."""


class FileError(CostspaceError):
    """A file, a column or a cell cannot be read, or an output cannot be written."""


class MissingExtraError(CostspaceError, ImportError):
    """A part of costspace was used whose optional libraries are not installed."""


def brief(value: object) -> str:
    """A value as one line of an error message shows it."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _BRIEF else f"{text[:_BRIEF]}..."


def check_kind(
    name: str, value: object, *kinds: type, error: type[CostspaceError] = ConditionError
) -> None:
    """Raise an error unless a value is of one of some classes."""
    if not isinstance(value, kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise error(f"{name} must be {wanted}, got {brief(value)}.")


def meant(text: str) -> str:
    """What a text that is no number may stand for: a percentage, a decimal comma; or nothing."""
    if percent := _PERCENT.fullmatch(text):
        return f"{percent[1]} % is {float(percent[1]) / 100:g}"
    if comma := _COMMA.fullmatch(text):
        return f"with a decimal point it is {comma[1] or 0}.{comma[2]}"
    return ""
