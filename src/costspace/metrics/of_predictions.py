"""Turn a metric of a score source into one of predictions, documented alike."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol

from numpy.typing import ArrayLike

from costspace.scores.base import ScoreSource
from costspace.scores.predictions import source_of

_PARAMETERS = """\
    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable alone
        Labels of two classes and scores, higher meaning more positive.
"""
_MORE_PARAMETERS = """\
    prevalence : float in (0, 1), optional
        Share of positives at deployment; the data's by default.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.
"""


class Metric(Protocol):
    """A number that says how good predictions are."""

    __name__: str

    def __call__(
        self,
        y_true: ArrayLike | ScoreSource,
        y_score: ArrayLike | None = None,
        *,
        prevalence: float | None = None,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        **parameters: Any,
    ) -> float: ...


def of_predictions(metric: Callable[..., float]) -> Metric:
    """Decorate ``metric(source, *, ...)`` to take predictions or a score table.

    The docstring's section of parameters is written here; the metric's own parameters, if it
    has any, stand in its docstring under ``Other Parameters``.
    """

    @wraps(metric)
    def evaluated(
        y_true: ArrayLike | ScoreSource,
        y_score: ArrayLike | None = None,
        *,
        prevalence: float | None = None,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        **parameters: Any,
    ) -> float:
        source = source_of(
            y_true,
            y_score,
            prevalence=prevalence,
            pos_label=pos_label,
            sample_weight=sample_weight,
        )
        return metric(source, **parameters)

    own = list(inspect.signature(metric).parameters.values())[1:]
    _, *general, _ = inspect.signature(Metric.__call__).parameters.values()
    evaluated.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [*general[:2], *own, *general[2:]], return_annotation=float
    )
    summary, rest = (metric.__doc__ or "").split("\n\n    Returns\n", 1)
    parameters_section = f"{_PARAMETERS}{_MORE_PARAMETERS}"
    evaluated.__doc__ = f"{summary}\n\n{parameters_section}\n    Returns\n{rest}"
    return evaluated
