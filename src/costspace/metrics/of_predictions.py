"""Turn a function of a score source into one of predictions, documented alike."""

import inspect
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar

from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.scores.base import ScoreSource
from costspace.scores.predictions import source_of

_SECTION = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
_PREDICTIONS = """\
y_true, y_score : arrays of shape (n,), or a ScoreTable alone
    Labels of two classes and scores, higher meaning more positive.
"""
_GENERAL = """\
prevalence : float in (0, 1), optional
    Share of positives at deployment; the data's by default.
pos_label : label, optional
    The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
sample_weight : array of shape (n,), optional
    Non-negative.
"""
_ERRORS = """\
LabelError, ScoreError, WeightError, ConditionError
    If the input is not so.
SourceError
    If there are no scores, or scores, weights or `pos_label` stand beside a table.
"""

Result_co = TypeVar("Result_co", covariant=True)


class OfPredictions(Protocol[Result_co]):
    """What says how good predictions are: a metric, a curve."""

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
    ) -> Result_co: ...


def of_predictions(metric: Callable[..., Result_co]) -> OfPredictions[Result_co]:
    """Decorate ``metric(source, *, ...)`` to take predictions or a score table.

    The docstring of the metric says only what is its own. The parameters and errors that all
    share are added here.
    """
    signature = inspect.signature(metric)
    own = list(signature.parameters.values())[1:]
    names = {parameter.name for parameter in own}
    compute = underflow_to_zero(metric)

    @wraps(metric)
    def evaluated(
        y_true: ArrayLike | ScoreSource,
        y_score: ArrayLike | None = None,
        *,
        prevalence: float | None = None,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        **parameters: Any,
    ) -> Result_co:
        for name in parameters:
            if name not in names:
                raise TypeError(f"{metric.__name__}() got an unexpected keyword argument {name!r}")
        source = source_of(
            y_true,
            y_score,
            prevalence=prevalence,
            pos_label=pos_label,
            sample_weight=sample_weight,
        )
        return compute(source, **parameters)

    _, *general, _ = inspect.signature(OfPredictions.__call__).parameters.values()
    evaluated.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [*general[:2], *own, *general[2:]], return_annotation=signature.return_annotation
    )
    evaluated.__doc__ = _documented(inspect.getdoc(metric) or "")
    return evaluated


def _documented(text: str) -> str:
    """A metric's docstring with the parameters and errors that all metrics share."""
    summary, *found = _SECTION.split(text)
    own = {title: f"{body.strip()}\n" for title, body in zip(found[::2], found[1::2], strict=True)}
    sections = {
        "Parameters": _PREDICTIONS + own.pop("Parameters", "") + _GENERAL,
        "Returns": own.pop("Returns", ""),
        "Raises": _ERRORS + own.pop("Raises", ""),
        **own,
    }
    parts = [f"{title}\n{'-' * len(title)}\n{body}" for title, body in sections.items()]
    return "\n".join([f"{summary.strip()}\n", *parts])
