"""The oracle against the worked examples; `tests/laws` holds it to the package and theorems."""

from __future__ import annotations

import pytest
from brute_force import Sample, beta_density
from brute_force_methods import Axis, Named
from worked_examples import EXAMPLES, each_example, each_partitioned_example, exactly

GOLDEN_METHODS: dict[str, Named] = {
    "score_fixed_0.5": ("score_fixed", 0.5),
    "score_uniform": ("score_uniform", 0, 1),
    "score_driven": "score_driven",
    "rate_fixed_flagged_0.3": ("rate_fixed", 0.3),
    "rate_uniform": "rate_uniform",
    "rate_driven": "rate_driven",
    "rate_driven_stepped": "rate_driven_stepped",
    "optimal": "optimal",
}
AXES: list[Axis] = ["cost", "skew"]

each_axis = pytest.mark.parametrize("axis", AXES)


def example(name: str) -> Sample:
    entry = EXAMPLES[name]
    return Sample(
        entry["y_true"], entry["y_score"], entry["sample_weight"], entry["prior_override"]
    )


@each_example
def test_golden_metrics(name: str) -> None:
    sample, expect = example(name), EXAMPLES[name]["expect"]
    assert len(sample.labels) == expect["n"]
    found = {
        "prior": sample.positive_share(),
        "auc": sample.auc(),
        "auch": sample.auc_hull(),
        "brier": sample.brier(),
        "macro_brier": sample.macro_brier(),
        "mae": sample.mae(),
        "macro_mae": sample.macro_mae(),
        "h_measure_beta_2_2": sample.h_measure(beta_density(2, 2)),
        "voros_0_1": sample.voros(),
        "voros_0_0.25": sample.voros(0, 0.25),
        "voros_0.75_1": sample.voros(0.75, 1),
    }
    assert found == exactly({key: expect[key] for key in found})


@each_partitioned_example
def test_golden_partition_losses(name: str) -> None:
    sample, expect = example(name), EXAMPLES[name]["expect"]
    assert sample.calibration_loss("roc") == exactly(expect["calibration_loss_roc"])
    assert sample.refinement_loss("roc") == exactly(expect["refinement_loss_roc"])
    assert sample.calibration_loss("hull") == exactly(expect["calibration_loss_rocch"])
    assert sample.refinement_loss("hull") == exactly(expect["refinement_loss_rocch"])


@each_axis
@each_example
def test_golden_losses(name: str, axis: Axis) -> None:
    sample = example(name)
    for key, figures in EXAMPLES[name]["expect"]["expected_loss"][axis].items():
        method = GOLDEN_METHODS[key]
        at = {c: sample.loss(method, axis, float(c)) for c in figures["at"]}
        means = {
            "uniform": sample.expected_loss(method, axis),
            "beta_2_2": sample.expected_loss(method, axis, beta_density(2, 2)),
            "uniform_0.1_0.4": sample.expected_loss(method, axis, low=0.1, high=0.4),
        }
        assert at == exactly(figures["at"]), key
        for c in set(map(float, at)) - set(sample.scores):
            left = sample.loss(method, axis, c, side="left")
            assert left == exactly(sample.loss(method, axis, c)), key
        assert means == exactly({mean: figures[mean] for mean in means}), key
