"""Traits of metrics, and the arguments that all metrics take."""

import inspect
from collections.abc import Callable

import numpy as np
import pytest
from laws.metrics import METRICS as LAWS

import costspace as cs
from costspace.metrics import METRICS
from costspace.metrics.traits import UNKNOWN, Traits, metric, traits_of

Y, S, W = [0, 0, 1, 1, 1], [0.1, 0.6, 0.4, 0.9, 0.6], [1, 2, 1, 3, 1]
# Every one that there is, by its name in the subpackage.
EVERY = {
    name: getattr(cs.metrics, name)
    for name in cs.metrics.__all__
    if traits_of(getattr(cs.metrics, name)) is not UNKNOWN
}
OPTIONS = {"expected_loss": {"choice": cs.ScoreDriven()}}
# Put to laws of other metrics, which they are made of.
ELSEWHERE = {
    *("expected_loss", "partial_brier_score", "relative_voros"),
    *("boosting_loss", "cost_loss_utility", "log_loss", "zero_one_loss"),
}


def test_the_decorator_sets_the_traits_of_a_metric() -> None:
    @metric(reads="ranks", larger_is_better=True, unbounded="it may fall", ends=(0.0, 1.0))
    def mine(y_true: object) -> float:
        return 0.5

    assert traits_of(mine) == Traits("ranks", True, "it may fall", (0.0, 1.0))
    for other in (len, mine.__code__, [], "auc"):
        assert traits_of(other) is UNKNOWN


def test_every_metric_of_labels_and_scores_has_traits() -> None:
    functions = {name: getattr(cs.metrics, name) for name in cs.metrics.__all__}
    of_scores = {
        name
        for name, one in functions.items()
        if inspect.isfunction(one)
        and inspect.signature(one).return_annotation in (float, "float")
        and {"y_true", "prevalence"} <= inspect.signature(one).parameters.keys()
        and "fp_cost" not in inspect.signature(one).parameters
    }
    assert EVERY.keys() == of_scores


def test_metrics_of_every_evaluation_have_bounds() -> None:
    assert all(traits_of(one).unbounded is None for one in METRICS.values())


@pytest.mark.parametrize("name", EVERY)
def test_scores_of_the_labels_are_better_than_those_of_the_others(name: str) -> None:
    sure = np.array([0.1, 0.1, 0.9, 0.9, 0.9])
    good, bad = (EVERY[name](Y, s, **OPTIONS.get(name, {})) for s in (sure, 1 - sure))
    assert good > bad if traits_of(EVERY[name]).larger_is_better else good < bad


def test_every_metric_is_put_to_the_laws() -> None:
    known = {case.metric for case in LAWS.values()}
    assert {name for name, one in EVERY.items() if one not in known} == ELSEWHERE


@pytest.mark.parametrize("name", LAWS)
def test_the_laws_are_those_of_the_traits(name: str) -> None:
    case = LAWS[name]
    reads = traits_of(case.metric).reads
    assert reads == "either" or case.ranks == (reads == "ranks")
    if case.bounded:
        assert traits_of(case.metric).unbounded is None


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("pos_label", [0, 1])
def test_predictions_and_their_table_give_the_same_number(name: str, pos_label: int) -> None:
    asked: Callable[..., float] = EVERY[name]
    options = OPTIONS.get(name, {})
    table = cs.ScoreTable.from_predictions(Y, S, pos_label=pos_label, sample_weight=W)
    found = asked(Y, S, prevalence=0.3, pos_label=pos_label, sample_weight=W, **options)
    assert found == asked(table.with_prevalence(0.3), **options)
    assert found == asked(table, prevalence=0.3, **options)


RANGES: dict[str, tuple[Callable[..., float], float, float]] = {
    "auc": (cs.auc, 0, 1),
    "auc_hull": (cs.auc_hull, 0.5, 1),
    "gini": (cs.gini, -1, 1),
    "brier_score": (cs.brier_score, 0, 1),
    "mean_absolute_error": (cs.mean_absolute_error, 0, 1),
    "refinement_loss": (cs.refinement_loss, 0, 0.25),
    "calibration_loss": (cs.calibration_loss, 0, 1),
    "miscalibration": (cs.miscalibration, 0, 1),
    "h_measure": (cs.h_measure, 0, 1),
    "voros": (cs.voros, 0.5, 1),
}


@pytest.mark.parametrize("name", RANGES)
def test_ranges(name: str) -> None:
    metric, low, high = RANGES[name]
    generator = np.random.default_rng(0)
    for _ in range(80):
        y = np.append([0, 1], generator.integers(0, 2, generator.integers(0, 8)))
        s = generator.choice([0, 0.2, 0.5, 1], len(y))
        for scores in (s, y, 1 - y, np.full(len(y), 0.3)):
            for weight in (None, generator.random(len(y)) + 0.01):
                value = metric(y, scores, sample_weight=weight)
                assert isinstance(value, float)
                assert low - 1e-15 <= value <= high + 1e-15


@pytest.mark.parametrize("name", EVERY)
def test_signatures(name: str) -> None:
    asked = EVERY[name]
    parameters = inspect.signature(asked).parameters
    assert list(parameters)[:2] == ["y_true", "y_score"]
    for option in ("prevalence", "pos_label", "sample_weight"):
        assert parameters[option].kind is inspect.Parameter.KEYWORD_ONLY
    assert all(parameter in (asked.__doc__ or "") for parameter in parameters)
    with pytest.raises(TypeError, match="unexpected keyword"):
        asked(Y, S, treshold=0.3)


def test_reports_have_every_metric_with_a_name_and_call_it_something() -> None:
    named = {traits.name for traits in map(traits_of, EVERY.values()) if traits.name}
    assert named == METRICS.keys()
    assert all(traits_of(one).words for one in METRICS.values())
