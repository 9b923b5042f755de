"""Bounds of metrics on binned scores: which there are, and how they are told."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.registry import COSTS
from refusals import refused

import costspace as cs
from costspace.choices import PARAMETER_FREE
from costspace.metrics.by_name import METRICS

Y, S = [0, 1, 0, 1, 0, 1], [0.1, 0.12, 0.2, 0.22, 0.55, 0.7]
BINNED = cs.BinnedScores.from_predictions(Y, S, binning=cs.Binning.uniform(bins=4))


def test_bounds_are_an_interval():
    found = cs.Bounds.of(0.5, 0.25)
    assert (found.low, found.high, found.midpoint, found.width) == (0.25, 0.5, 0.375, 0.25)
    assert 0.25 in found
    assert 0.51 not in found
    assert cs.Bounds(np.inf, np.inf).width == 0
    assert cs.Bounds(np.inf, np.inf).midpoint == np.inf
    assert cs.Bounds(1, np.inf).width == np.inf
    assert found.columns()["midpoint"].tolist() == [0.375]


def test_bounds_take_the_options_of_the_metric():
    found = cs.bounds(cs.accuracy, BINNED, threshold=0.15, prevalence=0.3)
    assert found.low < cs.accuracy(Y, S, threshold=0.15, prevalence=0.3) < found.high
    # A threshold at an edge between bins loses nothing.
    assert cs.bounds(cs.accuracy, BINNED, threshold=0.25).width == 0
    found = cs.bounds(cs.refinement_loss, BINNED, partition="hull")
    assert found == cs.bounds(cs.refinement_loss, BINNED)


@pytest.mark.parametrize(
    ("metric", "options", "text"),
    [
        (cs.calibration_loss, {}, "it can grow as scores get better: ask for miscalibration"),
        (cs.kendall_tau, {}, "ties inside bins are not known: ask for gini"),
        (cs.refinement_loss, {"partition": "roc"}, "over partition='hull' only"),
        (cs.refinement_loss, {"partition": [0.5]}, "over partition='hull' only"),
        (cs.decision_curve, {}, "decision_curve has no bounds on binned scores"),
        (sum, {}, "sum has no bounds on binned scores"),
        ("auc", {}, "'auc' has no bounds on binned scores"),
        (cs.expected_loss, {"choice": "optimal"}, "choice must be a threshold choice method"),
    ],
)
def test_what_is_not_monotone_is_refused(metric, options, text):
    with refused(cs.ConditionError, text):
        cs.bounds(metric, BINNED, **options)


def test_a_choice_says_itself_whether_it_is_monotone():
    class Never(cs.ThresholdChoice):
        def path(self, source):
            return cs.ScoreFixed(np.inf).path(source)

        def flagging(self, source, scores):
            return cs.ScoreFixed(np.inf).flagging(source, scores)

    class NeverAndSaysSo(Never):
        monotone = "rates"

    with refused(cs.ConditionError, "it does not say that better scores never cost more"):
        cs.bounds(cs.expected_loss, BINNED, choice=Never())
    assert cs.bounds(cs.expected_loss, BINNED, choice=NeverAndSaysSo()) == cs.Bounds(0.5, 0.5)


def test_only_binned_scores_have_bounds():
    with refused(cs.SourceError, "bounds are of BinnedScores, got [0, 1]"):
        cs.bounds(cs.auc, [0, 1])


def test_the_widest_is_of_all_that_is_reported():
    widths = [cs.bounds(metric, BINNED).width for metric in METRICS.values()]
    for axis in ("cost", "skew"):
        for choice in PARAMETER_FREE.values():
            options = {"choice": choice, "axis": axis, "costs": cs.Point(0.2)}
            widths.append(cs.bounds(cs.expected_loss, BINNED, **options).width)
    assert cs.widest(BINNED, costs=cs.Point(0.2)) == max(widths)
    margins = cs.BinnedScores.from_predictions(Y, np.array(S) - 0.5)
    assert 0 < cs.widest(margins) < 1


@pytest.mark.parametrize("width", [1e-2, 1e-4, 1e-6, 1e-9, 1e-12])
def test_bounds_under_a_narrow_range_of_conditions_hold(width):
    """A quadratic of huge terms that cancel says nothing: there the ends of bins must do."""
    rng = np.random.default_rng(0)
    steep = {
        "costs": (0.5, {"choice": cs.ScoreDriven(), "costs": cs.Uniform(0.5, 0.5 + width)}),
        "thresholds": (1 / width, {"choice": cs.ScoreUniform(1 / width, 1 / width + 1)}),
    }
    for name, (low, options) in steep.items():
        for _ in range(20):
            y = np.append([0, 1], rng.integers(0, 2, 30))
            s = low + (width if name == "costs" else 1.0) * rng.random(32)
            binned = cs.BinnedScores.from_predictions(y, s, binning=cs.Binning.uniform(bins=2))
            found = cs.bounds(cs.expected_loss, binned, **options)
            assert found.low - 1e-12 <= cs.expected_loss(y, s, **options) <= found.high + 1e-12


def test_means_are_computed_once_for_the_best_and_the_worst():
    class Counted:
        calls = 0

        def __call__(self, scores):
            self.calls += 1
            return np.asarray(scores)

    rises = Counted()
    binned = cs.BinnedScores.from_predictions(Y, S, binning=cs.Binning.uniform(bins=4))
    low, _ = binned.best.class_means(rises, rises)
    high, _ = binned.worst.class_means(rises, rises)
    assert low < high
    assert rises.calls == 4  # each class, at both ends


@pytest.mark.parametrize("name", COSTS)
@given(st.data())
def test_densities_that_are_constant_are_what_the_moments_say(name, data):
    costs = COSTS[name].costs
    edge = st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0]) | st.floats(0, 1)
    ends = np.sort(data.draw(st.lists(edge, min_size=2, max_size=2)))
    density = costs.flat_on(ends[:1], ends[1:])[0]
    inner = np.linspace(*ends, 7)
    if np.isnan(density):
        return
    for power in (0, 1):
        grown = costs.below(inner, power) - costs.below(ends[:1], power)
        expected = density * (inner ** (power + 1) - ends[0] ** (power + 1)) / (power + 1)
        np.testing.assert_allclose(grown, expected, rtol=0, atol=COSTS[name].tolerance)


@pytest.mark.parametrize(
    ("costs", "low", "high", "density"),
    [
        (cs.Uniform(0.2, 0.6), 0.2, 0.6, 2.5),
        (cs.Uniform(0.2, 0.6), 0.1, 0.3, np.nan),
        (cs.Uniform(0.2, 0.6), 0.6, 0.7, 0),
        (cs.Point(0.3), 0.1, 0.3, 0),
        (cs.Point(0.3), 0.3, 0.4, np.nan),
        (cs.Sampled([0.3, 0.5]), 0.35, 0.5, 0),
        (cs.Beta(2, 2), 0.4, 0.41, np.nan),
        (cs.Mixture([cs.Point(0.3), cs.Uniform(0, 0.5)]), 0.31, 0.5, 1),
        (cs.Mixture([cs.Point(0.3), cs.Uniform(0, 0.5)]), 0.2, 0.31, np.nan),
        (cs.Truncated(cs.Uniform(), 0.2, 0.7), 0.3, 0.4, 2),
        (cs.Truncated(cs.Uniform(), 0.2, 0.7), 0.71, 0.9, 0),
        (cs.Truncated(cs.Sampled([0.3, 0.7]), 0.2, 0.7), 0.7, 0.9, np.nan),
    ],
)
def test_which_densities_are_constant(costs, low, high, density):
    found = costs.flat_on(np.array([low]), np.array([high]))
    np.testing.assert_allclose(found, [density], rtol=1e-12)


# --- Everything at once ----------------------------------------------------------------------


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
            found = cs.bounds(cs.expected_loss, BINNED, costs=cs.Beta(2, 2), **options)
            assert (low, high) == (found.low, found.high)


def test_bounds_stand_below_the_numbers():
    evaluation = cs.evaluate(BINNED)
    found = evaluation.models["y_score"].bounds
    auc = found.metrics["auc"]
    lines = repr(evaluation).splitlines()
    row = next(i for i, line in enumerate(lines) if line.startswith("auc "))
    assert lines[row].split() == ["auc", f"{auc.midpoint:.6f}"]
    assert lines[row + 1].strip() == f"{auc.low:.6f} to {auc.high:.6f}"
    assert "bounds that it is between for certain" in lines[-1]
    assert f"{auc.midpoint:.6f}<br>{auc.low:.6f} to {auc.high:.6f}" in evaluation._repr_html_()
    columns = evaluation.columns()
    assert columns["auc_low"] == auc.low
    assert columns["expected_loss_skew_optimal_high"] == found.expected_loss["skew"]["optimal"].high
    assert found.columns()["quantity"][0] == "auc"
    assert found.columns()["low"][0] == auc.low


def test_tables_and_bins_go_together():
    tables = [("bins", BINNED), ("table", cs.ScoreTable.from_predictions(Y, S))]
    evaluation = cs.evaluation.evaluate_tables(tables)
    assert evaluation.models["table"].bounds is None
    assert np.isnan(evaluation.columns()["auc_low"][1])
    assert "–" in repr(evaluation)
    assert evaluation.bounds()["metrics"]["auc"][1] is None


def test_metrics_without_meaning_have_no_bounds():
    margins = cs.BinnedScores.from_predictions(Y, np.array(S) * 4 - 1)
    model = cs.evaluate(margins).models["y_score"]
    assert model.metrics["brier"] is None
    assert model.bounds.metrics["brier"] is None
    assert model.bounds.to_dict()["brier"] is None
    assert model.notes["brier"].startswith("the Brier score needs scores in [0, 1]")


def test_bins_have_no_confidence_intervals():
    with refused(cs.SourceError, "no confidence intervals"):
        cs.evaluate(BINNED, intervals=True)
    with refused(cs.SourceError, "groups go with rows"):
        cs.evaluate(BINNED, intervals=True, groups=Y)
    with refused(cs.SourceError, "give it alone"):
        cs.evaluate(BINNED, S)
