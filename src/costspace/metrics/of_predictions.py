"""A decorator from functions of a score source to metrics of predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.predictions import Labels, source_of
from costspace.samples.rows import NamedScores
from costspace.scores.base import ScoreSource


class OfPredictions(Protocol):
    """A metric of predictions without further parameters."""

    __name__: str

    def __call__(
        self,
        y_true: Labels,
        y_score: NamedScores | None = None,
        *,
        prevalence: float | None = None,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> float: ...


def of_predictions(metric: Callable[[ScoreSource], float]) -> OfPredictions:
    """Decorate ``metric(source)`` to take predictions or a score table.

    Its docstring is that of the metric of predictions.
    """
    compute = underflow_to_zero(metric)

    def evaluated(
        y_true: Labels,
        y_score: NamedScores | None = None,
        *,
        prevalence: float | None = None,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        return compute(
            source_of(
                y_true,
                y_score,
                prevalence=prevalence,
                pos_label=pos_label,
                sample_weight=sample_weight,
            )
        )

    # Not functools.wraps, which would show the parameters of the wrapped function.
    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(evaluated, name, getattr(metric, name))
    return evaluated
