"""Metrics made from a function of a source: ordinary functions, with a metric's signature."""

import inspect
import pickle
from typing import Any

import pytest

import costspace as cs
from costspace.metrics.of_predictions import of_predictions

METRICS: list[Any] = [cs.auc, cs.brier_score, cs.log_loss]


@of_predictions
def prevalence_of(source: cs.ScoreSource) -> float:
    """The share of positives."""
    return source.prevalence


@pytest.mark.parametrize("metric", [*METRICS, prevalence_of])
def test_the_signature_is_that_of_the_code(metric: Any) -> None:
    assert not {"__signature__", "__wrapped__"} & vars(metric).keys()
    code = metric.__code__
    shown = inspect.signature(metric)
    assert tuple(shown.parameters) == code.co_varnames[: len(shown.parameters)]
    assert shown.return_annotation in (float, "float")
    assert pickle.loads(pickle.dumps(metric)) is metric


def test_it_takes_predictions_or_a_table() -> None:
    y, s = [0, 0, 0, 1], [0.1, 0.2, 0.3, 0.4]
    assert prevalence_of(y, s) == prevalence_of(cs.ScoreTable.from_predictions(y, s)) == 0.25
    assert prevalence_of(y, s, prevalence=0.5) == 0.5
    assert prevalence_of(y, s, pos_label=0) == 0.75
    assert prevalence_of(y, s, sample_weight=[1, 1, 1, 3]) == 0.5
    assert prevalence_of.__doc__ == "The share of positives."
    with pytest.raises(TypeError, match=r"prevalence_of\(\) got an unexpected keyword argument"):
        prevalence_of(y, s, threshold=0.5)  # type: ignore[call-arg]
