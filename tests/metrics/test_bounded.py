"""Bounds of metrics on binned scores: which metrics have them, and how they are shown."""

from functools import partial

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.metrics import METRICS

Y, S = [0, 1, 0, 1, 0, 1], [0.1, 0.12, 0.2, 0.22, 0.55, 0.7]
# What is known exactly has an interval no wider than this.
ROUNDING = 1e-13
BINNED = cs.ScoreCounts.from_predictions(Y, S, binning=cs.Binning.uniform(bins=4))


def test_bounds_are_an_interval():
    found = cs.metrics.Bounds(0.25, 0.5)
    assert (found.low, found.high, found.midpoint, found.width) == (0.25, 0.5, 0.375, 0.25)
    assert 0.25 in found
    assert 0.51 not in found
    assert cs.metrics.Bounds(np.inf, np.inf).width == 0
    assert cs.metrics.Bounds(np.inf, np.inf).midpoint == np.inf
    assert cs.metrics.Bounds(1, np.inf).width == np.inf
    assert found.columns()["midpoint"].tolist() == [0.375]


def test_bounds_take_the_options_of_the_metric():
    found = cs.bounds(BINNED, metric=partial(cs.accuracy, threshold=0.15, prevalence=0.3))
    assert found.low < cs.accuracy(Y, S, threshold=0.15, prevalence=0.3) < found.high
    # A threshold at an edge between bins loses nothing.
    assert 0 < cs.bounds(BINNED, metric=partial(cs.accuracy, threshold=0.25)).width < ROUNDING
    found = cs.bounds(BINNED, metric=partial(cs.refinement_loss, partition="hull"))
    assert found == cs.bounds(BINNED, metric=cs.refinement_loss)


@pytest.mark.parametrize(
    ("metric", "options", "text"),
    [
        (cs.calibration_loss, {}, "it can grow as scores get better: use miscalibration"),
        (cs.kendall_tau, {}, "ties inside bins are not known: use gini"),
        (cs.refinement_loss, {"partition": "roc"}, "only over partition='hull'"),
        (cs.refinement_loss, {"partition": [0.5]}, "only over partition='hull'"),
        (cs.decision_curve, {}, "decision_curve has no bounds on binned scores"),
        (sum, {}, "sum has no bounds on binned scores"),
        ("auc", {}, "'auc' has no bounds on binned scores"),
        (cs.expected_loss, {"choice": "optimal"}, "choice must be a threshold choice method"),
    ],
)
def test_what_is_not_monotone_is_refused(metric, options, text):
    with refused(cs.ConditionError, text):
        cs.bounds(BINNED, metric=partial(metric, **options) if options else metric)


def test_a_choice_says_itself_whether_it_is_monotone():
    class Never(cs.ThresholdChoice):
        def path(self, source):
            return cs.ScoreFixed(np.inf).path(source)

        def flagging(self, source, scores):
            return cs.ScoreFixed(np.inf).flagging(source, scores)

    class NeverAndSaysSo(Never):
        monotone = "rates"

    with refused(cs.ConditionError, "better scores may cost more under it"):
        cs.bounds(BINNED, metric=partial(cs.expected_loss, choice=Never()))
    found = cs.bounds(BINNED, metric=partial(cs.expected_loss, choice=NeverAndSaysSo()))
    assert 0.5 in found
    assert found.width < ROUNDING


def test_only_binned_scores_have_bounds():
    with refused(cs.SourceError, "bounds needs ScoreCounts by bin, got [0, 1]"):
        cs.bounds([0, 1], metric=cs.auc)


@pytest.mark.parametrize("width", [1e-2, 1e-4, 1e-6, 1e-9, 1e-12])
def test_bounds_under_a_narrow_range_of_conditions_hold(width):
    """Where the terms of a quadratic cancel, the bounds come from the ends of bins."""
    rng = np.random.default_rng(0)
    steep = {
        "costs": (0.5, {"choice": cs.ScoreDriven(), "costs": cs.Uniform(0.5, 0.5 + width)}),
        "thresholds": (1 / width, {"choice": cs.ScoreUniform(1 / width, 1 / width + 1)}),
    }
    for name, (low, options) in steep.items():
        for _ in range(20):
            y = np.append([0, 1], rng.integers(0, 2, 30))
            s = low + (width if name == "costs" else 1.0) * rng.random(32)
            binned = cs.ScoreCounts.from_predictions(y, s, binning=cs.Binning.uniform(bins=2))
            found = cs.bounds(binned, metric=partial(cs.expected_loss, **options))
            assert found.low - 1e-12 <= cs.expected_loss(y, s, **options) <= found.high + 1e-12


def test_means_are_computed_once_for_the_best_and_the_worst():
    class Counted:
        calls = 0

        def __call__(self, scores):
            self.calls += 1
            return np.asarray(scores)

    rises = Counted()
    binned = cs.ScoreCounts.from_predictions(Y, S, binning=cs.Binning.uniform(bins=4))
    low, _ = binned.best.class_means(rises, rises)
    high, _ = binned.worst.class_means(rises, rises)
    assert low < high
    assert rises.calls == 4  # each class, at both ends


def test_ends_are_rounded_outward_but_not_beyond_what_can_be():
    perfect = cs.ScoreCounts.from_predictions([0, 1], [0.2, 0.7], binning=cs.Binning.uniform())
    assert cs.bounds(perfect, metric=cs.auc).high == 1
    assert 1 - ROUNDING < cs.bounds(perfect, metric=cs.auc).low < 1
    assert cs.bounds(perfect, metric=cs.refinement_loss).low == 0
    # Gini can be below 0, and a score-driven loss above 1.
    chance = cs.ScoreCounts.from_predictions(
        [0, 1, 0, 1], [0.2, 0.2, 0.7, 0.7], binning=cs.Binning.uniform()
    )
    assert cs.bounds(chance, metric=cs.gini).low < 0 < cs.bounds(chance, metric=cs.gini).high
    wrong = cs.ScoreCounts.from_predictions([1, 0], [0.2, 0.7], binning=cs.Binning.uniform())
    most_costly = cs.bounds(
        wrong, metric=partial(cs.expected_loss, choice=cs.ScoreFixed(), costs=cs.Point(0.5))
    )
    assert most_costly.low < 1 < most_costly.high
    endless = cs.ScoreCounts.from_predictions(
        [0, 1, 1], [0.0, 0.0, 1.0], binning=cs.Binning.uniform()
    )
    assert cs.bounds(endless, metric=cs.log_loss) == cs.metrics.Bounds(np.inf, np.inf)


def test_what_is_added_up_in_another_order_is_inside():
    rng = np.random.default_rng(0)
    for n in rng.integers(100, 3000, 40):
        y, s = np.append([0, 1], rng.integers(0, 2, n)), rng.random(n + 2)
        binned = cs.ScoreCounts.from_predictions(y, s, binning=cs.Binning.uniform(bins=64))
        for metric in METRICS.values():
            assert metric(y, s) in cs.bounds(binned, metric=metric)
        for choice in PARAMETER_FREE.values():
            options = {"choice": choice, "costs": cs.Beta(2, 6.5)}
            assert cs.expected_loss(y, s, **options) in cs.bounds(
                binned, metric=partial(cs.expected_loss, **options)
            )
