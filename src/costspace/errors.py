"""What can be wrong with a question: one exception class per kind of input.

Every message says what was asked, what came, and what to do about it. All are `ValueError`
too, so callers that know nothing of costspace still catch them.
"""

_BRIEF = 60


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
