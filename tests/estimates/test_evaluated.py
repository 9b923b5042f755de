"""Intervals of everything that `evaluate` computes."""

import json
from functools import partial

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.metrics import METRICS

RNG = np.random.default_rng(3)
Y = RNG.random(400) < 0.3
S = np.clip(0.3 + 0.25 * Y + RNG.normal(0, 0.2, 400), 0, 1).round(3)
PATIENTS = np.repeat(np.arange(100), 4)


@pytest.fixture(scope="module")
def evaluation():
    return cs.evaluate(Y, {"m": S}, intervals=True)


def test_every_number_has_its_interval(evaluation):
    model = evaluation.models["m"]
    assert list(model.intervals.metrics) == list(METRICS)
    for name, found in model.intervals.metrics.items():
        assert found.estimate == model.metrics[name]
        assert found.standard_error > 0
        # What samples overestimate may be above its upper bound.
        assert found.low <= found.estimate <= found.high or name == "miscalibration"
    for axis, by in model.intervals.expected_loss.items():
        assert list(by) == list(PARAMETER_FREE)
        for choice, found in by.items():
            assert found.estimate == pytest.approx(model.expected_loss[axis][choice], abs=1e-15)
            assert found.low < found.estimate < found.high


def test_intervals_are_those_of_estimate(evaluation):
    found = evaluation.models["m"].intervals
    assert found.metrics["auc"] == cs.estimate(Y, S, metric=cs.auc)
    assert found.metrics["macro_brier"] == cs.estimate(Y, S, metric=cs.macro_brier_score)
    skew = cs.estimate(Y, S, metric=partial(cs.expected_loss, choice=cs.Optimal(), axis="skew"))
    assert found.expected_loss["skew"]["optimal"] == skew


def test_designs_follow_what_is_known(evaluation):
    found = evaluation.models["m"].intervals
    designs = {name: one.design for name, one in found.metrics.items()}
    assert designs["brier"] == "independent"
    assert designs["macro_brier"] == "stratified"
    shifted = cs.evaluate(Y, {"m": S}, intervals=True, prevalence=0.01).models["m"].intervals
    assert {one.design for one in shifted.metrics.values()} == {"stratified"}


def test_clusters_widen_what_repeats():
    # Each patient four times the same row: as much is known as from one row each.
    y, s = Y[::4], S[::4]
    once = cs.evaluate(y, {"m": s}, intervals=True).models["m"].intervals.metrics
    again = (
        cs.evaluate(np.repeat(y, 4), {"m": np.repeat(s, 4)}, intervals=True, groups=PATIENTS)
        .models["m"]
        .intervals.metrics
    )
    for name, one in once.items():
        assert again[name].standard_error == pytest.approx(one.standard_error, rel=0.03)


def test_a_higher_level_gives_wider_intervals(evaluation):
    narrow = cs.evaluate(Y, {"m": S}, intervals=True, level=0.5).models["m"].intervals
    for name, one in narrow.metrics.items():
        wide = evaluation.models["m"].intervals.metrics[name]
        assert one.high < wide.high


def test_without_intervals_asked_for_there_are_none():
    evaluation = cs.evaluate(Y, {"m": S})
    assert evaluation.models["m"].intervals is None
    assert evaluation.intervals() == {}
    assert "intervals" not in evaluation.to_dict()["models"]["m"]


def test_what_has_no_meaning_is_none_with_a_reason():
    model = cs.evaluate(Y, {"margin": 4 * S - 2}, intervals=True).to_dict()["models"]["margin"]
    json.dumps(model, allow_nan=False)
    assert model["intervals"]["brier"] is None
    assert model["intervals"]["expected_loss"]["cost"]["score_driven"] is None
    assert "needs scores in [0, 1]" in model["notes"]["intervals.brier"]
    assert set(model["intervals"]["auc"]) == {"se", "low", "high", "method", "bias"}


def test_an_evaluation_shows_its_intervals(evaluation):
    found = evaluation.models["m"].intervals.metrics["auc"]
    ends = f"{found.low:.4f} to {found.high:.4f}"
    assert ends in repr(evaluation)
    assert ends in evaluation._repr_html_()
    columns = evaluation.models["m"].intervals.columns()
    assert len(columns["quantity"]) == len(METRICS) + 2 * len(PARAMETER_FREE)
    assert columns["low"][0] == found.low


def test_an_evaluation_tells_the_bias_of_its_numbers(evaluation):
    intervals = evaluation.models["m"].intervals
    found = intervals.metrics["miscalibration"]
    assert found.bias > 0
    told = intervals.to_dict()
    assert (told["miscalibration"]["bias"], told["miscalibration"]["method"]) == (
        found.bias,
        "upper bound",
    )
    assert told["auc"]["bias"] == 0
    assert told["level"] == 0.95
    assert intervals.columns()["bias"][list(METRICS).index("miscalibration")] == found.bias
    for page in (repr(evaluation), evaluation._repr_html_()):
        assert f"up to {found.high:.4f}" in page
        assert "optimism: auc_hull, miscalibration, refinement_loss, h_measure, voros, opt" in page
        assert "its 95 % interval, of independent rows." in page
    assert evaluation.remarks()[-1].startswith(
        "Thresholds are chosen on the same rows, and intervals"
    )
    assert cs.evaluate(Y, {"m": S}).remarks() == []


def test_gaps_have_their_reason_once():
    models = {"m": S, "margin": 4 * S - 2}
    remarks = cs.evaluate(Y, models, costs=cs.Point(0.3), intervals=True).remarks()
    gaps = [line for line in remarks if line.startswith("No interval of")]
    assert [line.split(":")[0] for line in gaps] == ["No interval of rate_driven"]


def test_bad_input_is_refused():
    with refused(cs.SourceError, "groups need rows"):
        cs.evaluate(cs.ScoreTable.from_predictions(Y, S), intervals=True, groups=PATIENTS)
    with refused(cs.ConditionError, "intervals must be True or False, got 0.9"):
        cs.evaluate(Y, {"m": S}, intervals=0.9)
    with refused(cs.ConditionError, "groups is for intervals: give intervals=True"):
        cs.evaluate(Y, {"m": S}, groups=PATIENTS)
    with refused(cs.ConditionError, "level is for intervals: give intervals=True"):
        cs.evaluate(Y, {"m": S}, level=0.9)
