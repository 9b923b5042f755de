"""What `evaluate` gives of binned scores: midpoints, and the bounds that they are between."""

import json
from functools import partial

import numpy as np
from refusals import refused

import costspace as cs
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.evaluation.computing import evaluate_tables

Y, S = [0, 1, 0, 1, 0, 1], [0.1, 0.12, 0.2, 0.22, 0.55, 0.7]
BINNED = cs.ScoreCounts.from_predictions(Y, S, binning=cs.Binning.uniform(bins=4))


def test_an_evaluation_of_bins_has_midpoints_and_bounds():
    evaluation = cs.evaluate(BINNED, costs=cs.Beta(2, 2), prevalence=0.2)
    exact = cs.evaluate(Y, S, costs=cs.Beta(2, 2), prevalence=0.2)
    assert evaluation.source == exact.source
    assert evaluation.condition == exact.condition
    plain = json.loads(json.dumps(evaluation.to_dict()))
    model = plain["models"]["y_score"]
    truth = exact.to_dict()["models"]["y_score"]
    assert set(model) == {*truth, "bounds"}
    assert set(model["bounds"]) == {*truth["metrics"], "expected_loss"}
    for name, value in truth["metrics"].items():
        low, high = model["bounds"][name]
        assert low - 1e-12 <= value <= high + 1e-12
        assert model["metrics"][name] == low / 2 + high / 2
    for axis, by in truth["expected_loss"].items():
        for choice, value in by.items():
            low, high = model["bounds"]["expected_loss"][axis][choice]
            assert low - 1e-12 <= value <= high + 1e-12
            options = {"choice": PARAMETER_FREE[choice], "axis": axis, "prevalence": 0.2}
            found = cs.bounds(
                BINNED, metric=partial(cs.expected_loss, costs=cs.Beta(2, 2), **options)
            )
            assert (low, high) == (found.low, found.high)


def test_bounds_stand_below_the_numbers():
    evaluation = cs.evaluate(BINNED)
    found = evaluation.models["y_score"].bounds
    auc = found.metrics["auc"]
    lines = repr(evaluation).splitlines()
    row = next(i for i, line in enumerate(lines) if line.startswith("auc "))
    assert lines[row].split() == ["auc", f"{auc.midpoint:.6f}"]
    assert lines[row + 1].strip() == f"{auc.low:.6f} to {auc.high:.6f}"
    assert "its certain bounds" in lines[-1]
    assert f"{auc.midpoint:.6f}<br>{auc.low:.6f} to {auc.high:.6f}" in evaluation._repr_html_()
    columns = evaluation.columns()
    assert columns["auc_low"] == auc.low
    assert columns["expected_loss_skew_optimal_high"] == found.expected_loss["skew"]["optimal"].high
    assert found.columns()["quantity"][0] == "auc"
    assert found.columns()["low"][0] == auc.low


def test_tables_and_bins_go_together():
    tables = [("bins", BINNED), ("table", cs.ScoreTable.from_predictions(Y, S))]
    evaluation = evaluate_tables(tables)
    assert evaluation.models["table"].bounds is None
    assert np.isnan(evaluation.columns()["auc_low"][1])
    assert "–" in repr(evaluation)
    assert evaluation.bounds()["metrics"]["auc"][1] is None


def test_metrics_without_meaning_have_no_bounds():
    margins = cs.ScoreCounts.from_predictions(Y, np.array(S) * 4 - 1, binning=cs.Binning.uniform())
    model = cs.evaluate(margins).models["y_score"]
    assert model.metrics["brier"] is None
    assert model.bounds.metrics["brier"] is None
    assert model.bounds.to_dict()["brier"] is None
    assert model.notes["brier"].startswith("the Brier score needs scores in [0, 1]")


def test_bins_have_no_confidence_intervals():
    with refused(cs.SourceError, "instead of confidence intervals"):
        cs.evaluate(BINNED, intervals=True)
    with refused(cs.SourceError, "groups need rows"):
        cs.evaluate(BINNED, intervals=True, groups=Y)
    with refused(cs.SourceError, "give it alone"):
        cs.evaluate(BINNED, S)
