"""Public functions have signatures of one shape: data by place, the rest by keyword."""

import inspect
from typing import Any

import pytest
from public_names import PUBLIC

import costspace as cs
import costspace.frames
import costspace.plots
import costspace.report
import costspace.sklearn

# What a function is about, in the order in which it may be given by place.
DATA = """
    data path decision y_true y_score before after first second a b source sources table binned
    model models rows frame curve curves points paths parts partition partitions band surface
    result fail_if contents counts values look fpr fnr c z
"""
# Everything else has one name in all functions. Those of frames name columns, and plots draw.
NAMED = """
    actions against axis baseline batch binning c calibrated_to case_costs cases_a_year choice
    choices class_ratio condition condition_known conditions constraints correction cost_ratio
    costs currency data dated decision design flagged fn_cost fnr folds fp_cost fpr groups high
    how in_use intervals known level looks loss low method metric metrics most_cost owner partition
    pos_label precision prevalence progress purpose quantities randomise relative_cost repeats
    replicates response_method review rows sample_weight seed segments simultaneous t threshold
    tn_cost tolerance tp_cost validation weights z
"""
OTHERS = [cs.frames, cs.plots, cs.report, cs.sklearn]
FUNCTIONS = {
    name: one
    for name, one in [
        *PUBLIC.items(),
        *((name, getattr(room, name)) for room in OTHERS for name in room.__all__),
        *(
            (f"{kind.__name__}.from_predictions", kind.from_predictions)
            for kind in (cs.ScoreTable, cs.ScoreCounts, cs.ScoredRows)
        ),
    ]
    if callable(one) and not inspect.isclass(one)
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_data_are_given_by_place_and_the_rest_by_keyword(name: str) -> None:
    parameters = inspect.signature(FUNCTIONS[name]).parameters.values()
    data = [one.name for one in parameters if one.kind is not one.KEYWORD_ONLY]
    assert set(data) <= set(DATA.split())
    assert data == sorted(data, key=DATA.split().index)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_same_thing_has_the_same_name(name: str) -> None:
    function: Any = FUNCTIONS[name]
    if not function.__module__.startswith(("costspace.frames", "costspace.plots")):
        parameters = inspect.signature(function).parameters.values()
        named = {one.name for one in parameters if one.kind is one.KEYWORD_ONLY}
        assert named <= set(NAMED.split())


def test_models_are_compared_by_the_options_of_a_decision() -> None:
    own, others = (inspect.signature(one).parameters for one in (cs.compare_money, cs.decide))
    assert {*own} - {*others} == {"correction"}
    assert {name: own[name] for name in others} == {**others}
