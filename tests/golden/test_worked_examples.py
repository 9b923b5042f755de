"""Every figure of the worked examples, by the public functions."""

from collections.abc import Callable
from typing import Any

import pytest
from worked_examples import EXAMPLES, each_example, each_partitioned_example, exactly

import costspace as cs

CHOICES = {
    "score_fixed_0.5": cs.ScoreFixed(0.5),
    "score_uniform": cs.ScoreUniform(),
    "score_driven": cs.ScoreDriven(),
    "rate_fixed_flagged_0.3": cs.RateFixed(flagged=0.3),
    "rate_uniform": cs.RateUniform(),
    "rate_driven": cs.RateDriven(),
    "rate_driven_stepped": cs.RateDriven(stepped=True),
    "optimal": cs.Optimal(),
}
MEANS = {
    "uniform": cs.Uniform(),
    "beta_2_2": cs.Beta(2, 2),
    "uniform_0.1_0.4": cs.Uniform(0.1, 0.4),
}
METRICS = {
    "auc": cs.auc,
    "auch": cs.auc_hull,
    "brier": cs.brier_score,
    "macro_brier": cs.macro_brier_score,
    "mae": cs.mean_absolute_error,
    "macro_mae": cs.macro_mean_absolute_error,
}
PARTITIONS = {"roc": "roc", "rocch": "hull"}

Call = Callable[..., Any]


def by_predictions(name: str) -> Call:
    """Call a function on the arrays of an example, at its prevalence."""
    entry = EXAMPLES[name]
    options = {"sample_weight": entry["sample_weight"], "prevalence": entry["prior_override"]}

    def call(function: Call, **arguments: Any) -> Any:
        return function(entry["y_true"], entry["y_score"], **options, **arguments)

    return call


def by_table(name: str) -> Call:
    """Call a function on the table of an example, reweighted to its prevalence."""
    entry = EXAMPLES[name]
    table = cs.ScoreTable.from_predictions(
        entry["y_true"], entry["y_score"], sample_weight=entry["sample_weight"]
    )
    if entry["prior_override"] is not None:
        table = table.with_prevalence(entry["prior_override"])
    return lambda function, **arguments: function(table, **arguments)


each_axis = pytest.mark.parametrize("axis", ["cost", "skew"])
each_way = pytest.mark.parametrize("way", [by_predictions, by_table])


@each_example
def test_size_and_prevalence(name: str) -> None:
    entry, expect = EXAMPLES[name], EXAMPLES[name]["expect"]
    evaluation = cs.evaluate(
        entry["y_true"],
        entry["y_score"],
        sample_weight=entry["sample_weight"],
        prevalence=entry["prior_override"],
    )
    assert evaluation.source.rows == expect["n"]
    assert evaluation.condition.prevalence == exactly(expect["prior"])
    table = cs.ScoreTable.from_predictions(
        entry["y_true"], entry["y_score"], sample_weight=entry["sample_weight"]
    )
    if entry["prior_override"] is None:
        assert table.prevalence == exactly(expect["prior"])


@each_way
@each_example
def test_metrics(name: str, way: Callable[[str], Call]) -> None:
    expect, call = EXAMPLES[name]["expect"], way(name)
    found = {key: call(metric) for key, metric in METRICS.items()}
    found["h_measure_beta_2_2"] = call(cs.h_measure, costs=cs.Beta(2, 2))
    for low, high in ((0, 1), (0, 0.25), (0.75, 1)):
        found[f"voros_{low}_{high}"] = call(cs.voros, low=low, high=high)
    assert found == exactly({key: expect[key] for key in found})


@each_way
@each_partitioned_example
def test_partition_losses(name: str, way: Callable[[str], Call]) -> None:
    expect, call = EXAMPLES[name]["expect"], way(name)
    for key, partition in PARTITIONS.items():
        calibration = call(cs.calibration_loss, partition=partition)
        refinement = call(cs.refinement_loss, partition=partition)
        assert calibration == exactly(expect[f"calibration_loss_{key}"])
        assert refinement == exactly(expect[f"refinement_loss_{key}"])
    hull = expect["refinement_loss_rocch"]
    assert call(cs.miscalibration) == exactly(expect["brier"] - hull)


@each_way
@each_axis
@each_example
def test_losses(name: str, axis: str, way: Callable[[str], Call]) -> None:
    call = way(name)
    for key, figures in EXAMPLES[name]["expect"]["expected_loss"][axis].items():
        choice = CHOICES[key]
        curve = call(cs.loss_curve, choice=choice, axis=axis)
        assert {c: curve(float(c)) for c in figures["at"]} == exactly(figures["at"]), key
        for mean, costs in MEANS.items():
            found = call(cs.expected_loss, choice=choice, costs=costs, axis=axis)
            assert found == exactly(figures[mean]), (key, mean)
            assert curve.expectation(costs) == exactly(figures[mean]), (key, mean)


@each_axis
@each_example
def test_loss_shares_sum_to_the_losses(name: str, axis: str) -> None:
    call = by_predictions(name)
    for key, figures in EXAMPLES[name]["expect"]["expected_loss"][axis].items():
        for mean, costs in MEANS.items():
            shares = call(cs.loss_shares, choice=CHOICES[key], costs=costs, axis=axis)
            assert shares.sum() == exactly(figures[mean]), (key, mean)


@each_example
def test_evaluation(name: str) -> None:
    entry, expect = EXAMPLES[name], EXAMPLES[name]["expect"]
    for mean, costs in MEANS.items():
        evaluation = cs.evaluate(
            entry["y_true"],
            {"model": entry["y_score"]},
            costs=costs,
            sample_weight=entry["sample_weight"],
            prevalence=entry["prior_override"],
        )
        model = evaluation.models["model"]
        for axis, losses in model.expected_loss.items():
            for choice, loss in losses.items():
                key = "score_fixed_0.5" if choice == "score_fixed" else choice
                figure = expect["expected_loss"][axis][key][mean]
                assert loss == exactly(figure), (axis, choice, mean)
        for key, ours in {"auc": "auc", "auch": "auc_hull", "brier": "brier", "mae": "mae"}.items():
            assert model.metrics[ours] == exactly(expect[key])
        assert model.metrics["macro_brier"] == exactly(expect["macro_brier"])
        assert model.metrics["macro_mae"] == exactly(expect["macro_mae"])
        assert model.metrics["voros"] == exactly(expect["voros_0_1"])


def test_every_figure_is_checked() -> None:
    checked = {"n", "prior", "expected_loss", "h_measure_beta_2_2", *METRICS}
    checked |= {"voros_0_1", "voros_0_0.25", "voros_0.75_1"}
    checked |= {f"{loss}_loss_{p}" for loss in ("calibration", "refinement") for p in PARTITIONS}
    for entry in EXAMPLES.values():
        assert set(entry["expect"]) <= checked
        for losses in entry["expect"]["expected_loss"].values():
            assert set(losses) <= set(CHOICES)
            for figures in losses.values():
                assert set(figures) == {"at", *MEANS}
