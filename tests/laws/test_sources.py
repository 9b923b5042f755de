"""The laws that hold for every source of scores: tables and models with densities alike."""

from functools import cache

import numpy as np
import pytest
from brute_force import area_of_lesser_classifiers, beta_density
from brute_force_models import Model, panels
from laws.registry import AXES, EVERY_CHOICE, close, inside
from laws.sources import FEW, MODELS, SOURCES, on, source

import costspace as cs
from costspace.condition import trivial_loss

ALL = {name: case for name, case in EVERY_CHOICE.items() if not case.untied}
# Loss curves of models have pieces within 1e-12 of them.
PIECES = 3e-12

every_source = pytest.mark.parametrize("name", SOURCES)
every_model = pytest.mark.parametrize("name", [f"model_{name}" for name in MODELS])
every_choice = pytest.mark.parametrize("method", ALL)
each_family = pytest.mark.parametrize(
    "method",
    ["score_driven_corrected", "rate_fixed", "rate_driven", "optimal", "recall_reached"],
)
on_both_axes = pytest.mark.parametrize("axis", AXES)


def axes_of(name):
    """The axes that differ: at balanced classes they are one."""
    return AXES[:1] if source(name).prevalence == 0.5 else AXES


def curve_of(name, method, axis):
    return _curve_of(name, method, axis if axis in axes_of(name) else AXES[0])


@cache
def _curve_of(name, method, axis):
    return cs.loss_curve(source(name), choice=ALL[method].choice, axis=axis)


def defined(name, method):
    if not ALL[method].any_source and not isinstance(source(name), cs.ScoreTable):
        return False
    return SOURCES[name].probabilities or not ALL[method].probabilities


def skip_unless_defined(name, method):
    if not defined(name, method):
        pytest.skip("scores are no probabilities, or have no rows")


def conditions(name, method, axis):
    """Conditions off the jumps of a curve."""
    oracle = SOURCES[name].oracle
    if isinstance(oracle, Model):
        return np.concatenate([np.linspace(0.0013, 0.9987, 21), [0.2, 0.5, 0.75]])
    breaks = np.append(
        oracle.breakpoints(ALL[method].method, axis), curve_of(name, method, axis).breaks
    )
    return inside(breaks[(breaks >= 0) & (breaks <= 1)])


# --- Against the oracle ------------------------------------------------------------------------


@every_choice
@every_source
def test_the_loss_at_every_condition(name, method):
    skip_unless_defined(name, method)
    for axis in axes_of(name):
        curve, c = curve_of(name, method, axis), conditions(name, method, axis)
        expected = SOURCES[name].oracle.loss(ALL[method].method, axis, c)
        tolerance = ALL[method].tolerance
        close(curve(c), expected, tolerance)
        close(curve.left(c), expected, tolerance)
        close(curve.piecewise()(c), expected, max(tolerance, PIECES))


@every_model
def test_expected_losses_under_a_density(name):
    costs, density = cs.Beta(2.5, 6), beta_density(2.5, 6)
    oracle = SOURCES[name].oracle
    for method in ("score_driven", "rate_driven", "optimal"):
        if not defined(name, method):
            continue
        axis = AXES[len(method) % 2]
        curve = curve_of(name, method, axis)
        expected = oracle.expected_loss(ALL[method].method, axis, curve.breaks, density)
        close(curve.expectation(costs), expected, 1e-11)


@every_source
def test_areas_and_errors(name):
    scores, oracle = source(name), SOURCES[name].oracle
    close(cs.auc(scores), oracle.auc())
    close(cs.gini(scores), 2 * oracle.auc() - 1)
    if not isinstance(oracle, Model):
        close(cs.auc_hull(scores), oracle.auc_hull())
        return
    # Chords of the curve lie below it by the square of their length.
    close(cs.auc_hull(scores), oracle.auc_hull(), 2e-6)
    p = oracle.prevalence
    for t in (0.25, 0.5):
        wrong = 1 - oracle.cdfs[0](np.array(t)), oracle.cdfs[1](np.array(t))
        close(cs.accuracy(scores, threshold=t), 1 - (1 - p) * wrong[0] - p * wrong[1])
    if SOURCES[name].probabilities:
        for power, metric in ((2, cs.brier_score), (1, cs.mean_absolute_error)):
            negative = oracle.class_mean(0, lambda t, k=power: t**k)
            positive = oracle.class_mean(1, lambda t, k=power: (1 - t) ** k)
            close(metric(scores), (1 - p) * negative + p * positive, 1e-11)


@every_model
def test_h_measure_and_voros(name):
    scores, oracle = source(name), SOURCES[name].oracle
    p, breaks = oracle.prevalence, curve_of(name, "optimal", "skew").breaks
    c, share = panels(np.append(curve_of(name, "optimal", "cost").breaks, p), 0, 1)
    share = share * c * (1 - c)
    trivial = share @ np.minimum(2 * c * (1 - p), 2 * (1 - c) * p)
    optimal = share @ oracle.loss("optimal", "cost", c)
    close(cs.h_measure(scores, costs=cs.Beta(2, 2)), 1 - optimal / trivial, 1e-10)
    # Ratigan and Cowen: the mean area of the classifiers that are no better.
    for low, high in ((0, 1), (0.2, 0.6)):
        z, share = panels(np.append(breaks, 0.5), low, high)
        area = share @ area_of_lesser_classifiers(z, oracle.loss("optimal", "skew", z))
        close(cs.voros(scores, low=low, high=high), area / (high - low), 1e-9)


# --- Links between choices -----------------------------------------------------------------------


@on_both_axes
@every_source
def test_rate_choices_are_linear_in_auc(name, axis):
    # arXiv:1112.2640, Theorems 8 and 10.
    scores = on(name, axis)
    p, auc = scores.prevalence, scores.auc
    close(cs.expected_loss(scores, choice=cs.RateUniform()), p * (1 - p) * (1 - 2 * auc) + 1 / 2)
    driven = curve_of(name, "rate_driven", axis).expectation(cs.Uniform())
    close(driven, p * (1 - p) * (1 - 2 * auc) + 1 / 3, PIECES)
    close(cs.expected_loss(scores, choice=cs.RateDriven()), driven, PIECES)


@on_both_axes
@pytest.mark.parametrize("name", [name for name, case in SOURCES.items() if case.probabilities])
def test_score_choices_are_errors_of_probabilities(name, axis):
    # arXiv:1112.2640, Theorems 4 and 6.
    scores = on(name, axis)
    brier, curve = cs.brier_score(scores), curve_of(name, "score_driven", axis)
    close(cs.expected_loss(scores, choice=cs.ScoreDriven()), brier)
    close(curve.expectation(cs.Uniform()), brier, PIECES)
    absolute = cs.mean_absolute_error(scores)
    close(curve_of(name, "score_uniform", axis).expectation(cs.Uniform()), absolute)
    optimal = curve_of(name, "optimal", axis).expectation(cs.Uniform())
    close(cs.miscalibration(scores), brier - optimal, PIECES)


@on_both_axes
@every_source
def test_optimal_is_nowhere_above_anything_else(name, axis):
    best, p = curve_of(name, "optimal", axis), on(name, axis).prevalence
    for method in ALL:
        if not defined(name, method):
            continue
        other = curve_of(name, method, axis)
        c = np.unique(np.concatenate([np.linspace(0, 1, 203), other.breaks[:50], best.breaks[:50]]))
        assert np.all(best(c) <= other(c) + 1e-12), method
        assert np.all(best.left(c) <= other.left(c) + 1e-12), method
        assert np.all(best(c) <= trivial_loss(c, prevalence=p) + 1e-12)


@every_source
def test_optimal_is_a_concave_curve(name):
    # A lower envelope of lines.
    for axis in AXES:
        c = np.linspace(0, 1, 301)
        values = curve_of(name, "optimal", axis)(c)
        assert np.diff(values, 2).max() <= 1e-12
        close(values[[0, -1]], 0)


# --- Prevalence --------------------------------------------------------------------------------


@every_choice
@every_source
def test_skew_is_cost_with_balanced_classes(name, method):
    # arXiv:1112.2640, Lemma 1.
    skip_unless_defined(name, method)
    c = np.linspace(0, 1, 41)
    choice, curve = ALL[method].choice, curve_of(name, method, "skew")
    for prevalence in (0.5, 1e-6, 0.999):
        shifted = source(name).with_prevalence(prevalence)
        axis = "cost" if prevalence == 0.5 else "skew"
        again = cs.loss_curve(shifted, choice=choice, axis=axis)
        np.testing.assert_array_equal(curve(c), again(c))
        np.testing.assert_array_equal(curve.left(c), again.left(c))


@every_source
def test_prevalence_leaves_areas_and_macro_metrics_alone(name):
    scores = source(name)
    shifted = scores.with_prevalence(1e-6)
    metrics = [cs.auc, cs.auc_hull, cs.gini, cs.voros, cs.macro_accuracy]
    if SOURCES[name].probabilities:
        metrics += [cs.macro_brier_score, cs.macro_mean_absolute_error]
    for metric in metrics:
        close(metric(shifted), metric(scores), 1e-13)


# --- Seen from the examples ----------------------------------------------------------------------


def class_means_of_exposure(name, axis, method, costs):
    """E[C; flagged] over the negatives, and E[1 - C; not flagged] over the positives."""
    scores, oracle, choice = on(name, axis), SOURCES[name].oracle, ALL[method].choice
    if not isinstance(oracle, Model):
        exposure = choice.exposure(scores, oracle.scores, costs)
        means = []
        for label, part in enumerate((exposure.as_negative, exposure.as_positive)):
            own = oracle.labels == label
            means.append(np.average(part[own], weights=oracle.weights[own]))
        return means
    jumps = np.concatenate([[0, 0.125, 0.25, 0.5, 1], *scores.pair.bridges])
    if method == "rate_fixed":
        jumps = np.append(jumps, oracle._threshold_of_rate(np.array([0.8]), scores.prevalence))
    inner = jumps[(jumps > oracle.edges[0]) & (jumps < oracle.edges[-1])]
    fine = Model(oracle.pdfs, oracle.cdfs, np.union1d(oracle.edges, inner), oracle.prevalence)
    t, _ = fine.nodes
    exposure = choice.exposure(scores, t, costs)
    return (
        fine.class_mean(0, lambda _: exposure.as_negative),
        fine.class_mean(1, lambda _: exposure.as_positive),
    )


@each_family
@every_source
def test_the_exposures_of_all_rows_make_the_expected_loss(name, method):
    skip_unless_defined(name, method)
    for axis, costs in zip(AXES, (cs.Uniform(), cs.Beta(2, 3)), strict=True):
        p = on(name, axis).prevalence
        negative, positive = class_means_of_exposure(name, axis, method, costs)
        expected = cs.expected_loss(source(name), choice=ALL[method].choice, costs=costs, axis=axis)
        close(2 * ((1 - p) * negative + p * positive), expected, 1e-9)


@each_family
@every_source
def test_flagging_falls_with_the_condition_and_rises_with_the_score(name, method):
    skip_unless_defined(name, method)
    scores, oracle = source(name), SOURCES[name].oracle
    s = np.sort(oracle.nodes[0][::7] if isinstance(oracle, Model) else oracle.scores)
    values = [
        ALL[method].choice.exposure(scores, s, cs.Point(c)).as_negative / c
        for c in (0.01, 0.3, 0.6, 0.99)
    ]
    flagged = np.array(values)
    assert -1e-12 <= flagged.min() <= flagged.max() <= 1 + 1e-12
    assert np.diff(flagged, axis=1).min(initial=0) >= -1e-9
    assert np.diff(flagged, axis=0).max() <= 1e-9


# --- Shape -------------------------------------------------------------------------------------


@each_family
@pytest.mark.parametrize("name", FEW)
def test_paths_and_curves_have_columns(name, method):
    skip_unless_defined(name, method)
    path, curve = ALL[method].choice.path(source(name)), curve_of(name, method, "cost")
    for columns in (path.columns(), curve.columns()):
        assert columns["from"][0] == 0
        assert columns["to"][-1] == 1
        np.testing.assert_array_equal(columns["from"][1:], columns["to"][:-1])
        assert len({len(column) for column in columns.values()}) == 1
    ends = path.columns()
    for rate in ("fpr", "fnr"):
        for end in ("start", "end"):
            assert 0 <= ends[f"{rate}_{end}"].min() <= ends[f"{rate}_{end}"].max() <= 1
    p, long = source(name).prevalence, ends["to"] - ends["from"] > 1e-9
    for at, end, loss in (
        ("from", "start", curve(ends["from"])),
        ("to", "end", curve.left(ends["to"])),
    ):
        own = 2 * (
            ends[at] * (1 - p) * ends[f"fpr_{end}"] + (1 - ends[at]) * p * ends[f"fnr_{end}"]
        )
        close(np.asarray(loss)[long], own[long], ALL[method].tolerance)
