"""The oracle against the worked examples, and against theorems of the papers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from brute_force import Sample, area_of_lesser_classifiers, beta_density
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
METHODS: list[Named] = [
    ("score_fixed", 0.5),
    "score_uniform",
    "score_driven",
    ("score_driven", 0.2),
    ("rate_fixed", 0.3),
    "rate_uniform",
    "rate_driven",
    "optimal",
]
AXES: list[Axis] = ["cost", "skew"]

each_axis = pytest.mark.parametrize("axis", AXES)
each_seed = pytest.mark.parametrize("seed", range(6))


def example(name: str) -> Sample:
    entry = EXAMPLES[name]
    return Sample(
        entry["y_true"], entry["y_score"], entry["sample_weight"], entry["prior_override"]
    )


def random_sample(seed: int, *, ties: bool = True, prevalence: float | None = None) -> Sample:
    generator = np.random.default_rng(seed)
    n = 17
    y_true = np.concatenate([[0, 1], generator.integers(0, 2, n - 2)])
    y_score = generator.integers(0, 9, n) / 8 if ties else generator.random(n)
    weight = generator.integers(0, 4, n) + 1.0 * (np.arange(n) < 2) if ties else None
    return Sample(y_true, y_score, weight, prevalence)


def test_every_golden_key_is_checked() -> None:
    checked = {
        *("n", "prior", "auc", "auch", "brier", "macro_brier", "mae", "macro_mae"),
        *("h_measure_beta_2_2", "voros_0_1", "voros_0_0.25", "voros_0.75_1", "expected_loss"),
        *("calibration_loss_roc", "refinement_loss_roc"),
        *("calibration_loss_rocch", "refinement_loss_rocch"),
    }
    for entry in EXAMPLES.values():
        assert set(entry["expect"]) <= checked
        for by_method in entry["expect"]["expected_loss"].values():
            assert set(by_method) <= set(GOLDEN_METHODS)
            for figures in by_method.values():
                assert set(figures) == {"uniform", "beta_2_2", "uniform_0.1_0.4", "at"}


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


@each_seed
@pytest.mark.parametrize("prevalence", [None, 0.07, 0.8])
def test_uniform_expected_losses_are_the_metrics(seed: int, prevalence: float | None) -> None:
    sample = random_sample(seed, prevalence=prevalence)
    pi1 = sample.positive_share()
    spread = pi1 * (1 - pi1) * (1 - 2 * sample.auc())
    expected: dict[Named, float] = {
        ("score_fixed", 0.375): 1 - sample.accuracy(0.375),
        "score_uniform": sample.mae(),
        "score_driven": sample.brier(),
        "rate_uniform": spread + 1 / 2,
        "rate_driven": spread + 1 / 3,
        "optimal": sample.refinement_loss("hull"),
    }
    found = {method: sample.expected_loss(method, "cost") for method in expected}
    assert found == exactly(expected)
    assert sample.calibration_loss("roc") + sample.refinement_loss("roc") == exactly(sample.brier())


@each_seed
def test_stepped_rate_driven_area(seed: int) -> None:
    sample = random_sample(seed, ties=False)
    n, positives = len(sample.labels), sample.labels.sum()
    negatives, pi1 = n - positives, positives / n
    mean_rank = ((positives + 1) / 2 + negatives * sample.auc()) / (n + 1)
    area = (1 - pi1) - (4 * n + 5) / (6 * (n + 1)) + 2 * pi1 * (1 - mean_rank)
    assert sample.expected_loss("rate_driven_stepped", "cost") == exactly(area)


@each_seed
def test_stepped_rate_uniform_is_the_mean_over_the_cut_points(seed: int) -> None:
    sample = random_sample(seed, ties=False)
    n, pi1 = len(sample.labels), sample.positive_share()
    losses = [sample.expected_loss(("rate_fixed", i / n), "cost") for i in range(n + 1)]
    assert sample.expected_loss("rate_uniform_stepped", "cost") == exactly(np.mean(losses))
    area = pi1 * (1 - pi1) * (1 - 2 * sample.auc()) * n / (n + 1) + 1 / 2
    assert np.mean(losses) == exactly(area)


@each_seed
@pytest.mark.parametrize("method", METHODS, ids=str)
@each_axis
def test_weights_are_repetitions_and_zero_is_absence(seed: int, axis: Axis, method: Named) -> None:
    sample = random_sample(seed)
    times = np.asarray(sample.sample_weight, dtype=int)
    repeated = Sample(np.repeat(sample.y_true, times), np.repeat(sample.y_score, times))
    assert sample.expected_loss(method, axis) == exactly(repeated.expected_loss(method, axis))
    assert sample.calibration_loss() == exactly(repeated.calibration_loss())
    assert sample.auc_hull() == exactly(repeated.auc_hull())


@each_seed
def test_prevalence_leaves_the_skew_axis_alone(seed: int) -> None:
    sample, shifted = random_sample(seed), random_sample(seed, prevalence=0.07)
    for method in METHODS:
        expected = sample.expected_loss(method, "skew")
        assert shifted.expected_loss(method, "skew") == exactly(expected)
    assert shifted.macro_accuracy(0.3) == exactly(sample.macro_accuracy(0.3))
    assert shifted.voros(0.1, 0.6) == exactly(sample.voros(0.1, 0.6))


def test_left_limits() -> None:
    sample = example("ties")
    for c in np.unique(sample.scores):
        before = sample.loss("score_driven", "cost", c - 1e-13)
        assert sample.loss("score_driven", "cost", float(c), side="left") == exactly(before)
        after = sample.loss("score_driven", "cost", c + 1e-13)
        assert sample.loss("score_driven", "cost", float(c)) == exactly(after)
    stepped = example("fig2")
    for c in np.arange(1, 8) / 8:
        before = stepped.loss("rate_driven_stepped", "cost", c - 1e-13)
        assert stepped.loss("rate_driven_stepped", "cost", float(c), "left") == exactly(before)
        after = stepped.loss("rate_driven_stepped", "cost", c + 1e-13)
        assert stepped.loss("rate_driven_stepped", "cost", float(c)) == exactly(after)


@each_seed
def test_score_driven_corrected_for_the_prevalence(seed: int) -> None:
    sample = random_sample(seed)
    c = np.linspace(0.013, 0.987, 41)
    own: Named = ("score_driven", sample.positive_share())
    np.testing.assert_allclose(
        sample.loss(own, "cost", c), sample.loss("score_driven", "cost", c), atol=1e-12
    )
    np.testing.assert_allclose(
        sample.loss(("score_driven", 0.5), "skew", c), sample.loss("score_driven", "skew", c)
    )
    shifted = random_sample(seed, prevalence=0.02)
    for axis in AXES:
        skew_odds = c / (1 - c) * (0.98 / 0.02 if axis == "cost" else 1)
        threshold = 1 / (1 + 0.7 / (0.3 * skew_odds))
        one_by_one = [
            shifted.loss(("score_fixed", float(t)), axis, float(u))
            for t, u in zip(threshold, c, strict=True)
        ]
        np.testing.assert_allclose(shifted.loss(("score_driven", 0.3), axis, c), one_by_one)


@each_seed
@pytest.mark.parametrize("prevalence", [None, 0.02])
def test_correction_is_the_score_driven_method_on_corrected_scores(
    seed: int, prevalence: float | None
) -> None:
    sample = random_sample(seed, prevalence=prevalence)
    for axis in AXES:
        pi1 = sample.positive_share(axis)
        positive = sample.y_score * np.array(pi1 / 0.3)
        negative = (1 - np.asarray(sample.y_score)) * (1 - pi1) / 0.7
        corrected = Sample(
            sample.y_true, positive / (positive + negative), sample.sample_weight, prevalence
        )
        expected = corrected.brier() if axis == "cost" else corrected.macro_brier()
        assert sample.expected_loss(("score_driven", 0.3), axis) == exactly(expected)


@each_seed
@each_axis
def test_operating_points_carry_the_loss(seed: int, axis: Axis) -> None:
    sample = random_sample(seed)
    pi1 = sample.positive_share(axis)
    for method in METHODS:
        for c in (0.125, 0.3, 0.77):
            fpr, fnr = sample.operating_point(method, axis, c)
            loss = 2 * (c * (1 - pi1) * fpr + (1 - c) * pi1 * fnr)
            assert loss == exactly(sample.loss(method, axis, c))


def test_optimal_tie_takes_fewer_positives_and_its_left_limit_more() -> None:
    sample = example("constant")
    assert sample.operating_point("optimal", "cost", 0.5) == (0.0, 1.0)
    assert sample.operating_point("optimal", "cost", 0.5, side="left") == (1.0, 0.0)


def test_expected_loss_at_atoms() -> None:
    sample = example("fig1")
    losses = [sample.loss("optimal", "cost", c) for c in (0.1, 0.6)]
    assert sample.expected_loss_at_atoms("optimal", "cost", [0.1, 0.6]) == exactly(sum(losses) / 2)
    weighted = sample.expected_loss_at_atoms("optimal", "cost", [0.1, 0.6], [1, 3])
    assert weighted == exactly((losses[0] + 3 * losses[1]) / 4)
    atom = float(sample.scores[0])
    left = sample.loss("score_driven", "cost", atom, side="left")
    assert sample.expected_loss_at_atoms("score_driven", "cost", [atom], side="left") == left


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 2), (3, 2), (2, 1.37), (1.2, 4)])
def test_quadrature_of_a_constant_loss_under_beta(a: float, b: float) -> None:
    sample = example("base")
    fpr, fnr = sample.operating_point(("score_fixed", 0.5), "cost", 0.5)
    expected = 2 * (a * 0.5 * fpr + b * 0.5 * fnr) / (a + b)
    mean = sample.expected_loss(("score_fixed", 0.5), "cost", beta_density(a, b))
    assert mean == exactly(expected)


def test_area_of_lesser_classifiers_by_counting() -> None:
    generator = np.random.default_rng(0)
    side = (np.arange(1000) + 0.5) / 1000
    fpr, fnr = np.meshgrid(side, side)
    for t, loss in generator.random((20, 2)):
        counted = np.mean(t * fpr + (1 - t) * fnr >= loss)
        area = area_of_lesser_classifiers(np.array([t]), np.array([loss]))[0]
        assert area == pytest.approx(counted, abs=2e-3)


def test_voros_of_the_baselines_and_of_one_point() -> None:
    assert example("constant").voros() == exactly(3 / 2 - math.log(2))
    one_point = Sample([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1, 0, 1])
    low, high, h, k = 0.4, 0.6, 0.25, 0.75
    logs = (1 - k) ** 2 * math.log(high / low) - h**2 * math.log((1 - high) / (1 - low))
    expected = 1 + ((1 - k) - h) ** 2 / 2 - logs / (2 * (high - low))
    assert one_point.voros(low, high) == exactly(expected)


def test_h_measure_is_0_for_a_constant_and_1_for_a_perfect_ranking() -> None:
    for density in (beta_density(2, 2), beta_density(2, 2.5)):
        assert example("constant").h_measure(density) == exactly(0)
        assert example("perfect").h_measure(density) == exactly(1)


def test_infinite_scores_count_as_ranks() -> None:
    finite = Sample([0, 1, 0, 1], [-2, 0.3, 0.4, 2])
    infinite = Sample([0, 1, 0, 1], [-np.inf, 0.3, 0.4, np.inf])
    for method in ("rate_driven", "rate_uniform", "rate_driven_stepped", "optimal"):
        expected = finite.expected_loss(method, "cost")
        assert infinite.expected_loss(method, "cost") == exactly(expected)
    assert infinite.auc() == finite.auc() == 0.75


def test_refusals() -> None:
    with pytest.raises(ValueError, match="both labels"):
        Sample([0, 1], [0.1, 0.2], [1, 0])
    with pytest.raises(ValueError, match="prevalence"):
        Sample([0, 1], [0.1, 0.2], prevalence=1.0)
    for method in ("rate_driven_stepped", "rate_uniform_stepped"):
        with pytest.raises(ValueError, match="without ties and weights"):
            example("ties").loss(method, "cost", 0.5)
    with pytest.raises(ValueError, match="unknown method"):
        example("base").loss("score-driven", "cost", 0.5)
    with pytest.raises(ValueError, match="low must be less"):
        example("base").voros(0.5, 0.5)
