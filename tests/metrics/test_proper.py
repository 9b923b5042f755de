"""Proper scoring rules: by their definitions, by quadrature under their weights, by decisions."""

from typing import Any

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st
from laws.registry import ANY, AXES, REAL, SHIFTS, close, predictions
from refusals import refused

import costspace as cs
from costspace.metrics.proper import BOOSTING, LOG, ScoringRule

on_both_axes = pytest.mark.parametrize("axis", AXES)
INNER = st.sampled_from([st.floats(0.01, 0.99), st.sampled_from([0.2, 0.4, 0.5, 0.9])])
SAMPLES = predictions(INNER, prevalence=st.none() | SHIFTS) | predictions(INNER, weights=REAL)

BRIER = ScoringRule(
    "Brier score", lambda c: np.full_like(c, 2.0), lambda s: s**2, lambda s: (1 - s) ** 2
)
METRICS = {
    "log": (LOG, cs.log_loss),
    "boosting": (BOOSTING, cs.metrics.boosting_loss),
    "brier": (BRIER, cs.brier_score),
}
every_rule = pytest.mark.parametrize("name", METRICS)

Y, S = [0, 0, 1, 1, 0, 1], [0.1, 0.6, 0.4, 0.9, 0.25, 0.5]


def by_quadrature(curve: cs.LossCurve, rule: ScoringRule) -> float:
    """The integral of Q(c) w(c) / 2 over c = sin(a)^2, which tames the weights at 0 and 1."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    edges = np.arcsin(np.sqrt(np.unique(curve.breaks)))
    middle, half = (edges[:-1] + edges[1:]) / 2, np.diff(edges) / 2
    angle = middle[:, None] + half[:, None] * nodes
    c, per_angle = np.sin(angle) ** 2, 2 * np.sin(angle) * np.cos(angle)
    return float(np.sum(curve(c) / 2 * rule.weight(c) * per_angle * half[:, None] * weights))


@on_both_axes
@every_rule
@given(SAMPLES)
def test_a_rule_is_the_score_driven_loss_under_its_weight(
    name: str, axis: str, sample: Any
) -> None:
    table, (rule, metric) = sample.on(axis), METRICS[name]
    curve = cs.loss_curve(table, choice=cs.ScoreDriven())
    expected = by_quadrature(curve, rule)
    assert rule.loss(table) == pytest.approx(expected, rel=1e-9)
    assert metric(table) == pytest.approx(expected, rel=1e-9)


@every_rule
@pytest.mark.parametrize("score", [0.03, 0.4, 0.5, 0.95])
def test_exposures_are_integrals_of_the_weight(name: str, score: float) -> None:
    rule, _ = METRICS[name]
    nodes, weights = np.polynomial.legendre.leggauss(100)
    below = np.arcsin(np.sqrt(score)) * (1 + nodes) / 2
    above = np.pi / 2 - np.arcsin(np.sqrt(1 - score)) * (1 + nodes) / 2
    for angle, part, image in (
        (below, np.sin(below) ** 2, rule.on_negatives),
        (above, np.cos(above) ** 2, rule.on_positives),
    ):
        c = np.sin(angle) ** 2
        integrand = part * rule.weight(c) * 2 * np.sin(angle) * np.cos(angle)
        found = abs(angle[-1] - angle[0]) / (nodes[-1] - nodes[0]) * (weights @ integrand)
        assert image(np.array([score]))[0] == pytest.approx(found, rel=1e-10)


@every_rule
@pytest.mark.parametrize("p", [0.07, 0.5, 0.8])
def test_rules_are_proper(name: str, p: float) -> None:
    # Of all single scores, the share of positives costs least.
    _, metric = METRICS[name]
    scores = np.linspace(0.01, 0.99, 99)
    losses = [metric([0, 1], [score, score], prevalence=p) for score in scores]
    assert scores[np.argmin(losses)] == pytest.approx(p)


@given(SAMPLES)
def test_log_loss_is_that_of_scikit_learn(sample: Any) -> None:
    masses = sample.masses("cost")
    expected = sklearn.metrics.log_loss(sample.y, sample.printed, sample_weight=masses)
    assert cs.log_loss(sample.table) == pytest.approx(expected, rel=1e-12)


@given(SAMPLES)
def test_boosting_loss_is_the_exponential_loss_of_half_the_log_odds(sample: Any) -> None:
    margin = np.where(sample.y == 1, 1, -1) * np.log(sample.printed / (1 - sample.printed)) / 2
    expected = sample.masses("cost") @ np.exp(-margin)
    assert cs.metrics.boosting_loss(sample.table) == pytest.approx(expected, rel=1e-12)


@on_both_axes
@given(ANY)
def test_zero_one_loss_is_the_error_rate_and_the_loss_at_equal_costs(
    axis: str, sample: Any
) -> None:
    table = sample.on(axis)
    wrong = (sample.s > 0.5) != (sample.y == 1)
    close(cs.metrics.zero_one_loss(table), sample.masses(axis) @ wrong)
    close(cs.metrics.zero_one_loss(table), 1 - cs.accuracy(table))
    close(cs.metrics.zero_one_loss(table), cs.loss_curve(table, choice=cs.ScoreDriven())(0.5))


def test_certain_scores() -> None:
    right = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0, 1, 0.5, 0.5])
    assert cs.log_loss(right) == pytest.approx(np.log(2) / 2)
    assert cs.metrics.boosting_loss(right) == pytest.approx(0.5)
    perfect = cs.ScoreTable.from_predictions([0, 1], [0, 1])
    assert str(cs.log_loss(perfect)) == str(cs.metrics.boosting_loss(perfect)) == "0.0"
    for y, s in (([0, 1, 1], [0.2, 0.9, 0]), ([0, 0, 1], [0.2, 1, 0.9])):
        assert cs.log_loss(y, s) == cs.metrics.boosting_loss(y, s) == np.inf
    # The last floats before certainty are finite.
    assert cs.log_loss([0, 1], [0, 5e-324]) == pytest.approx(-np.log(5e-324) / 2)
    assert cs.metrics.boosting_loss([0, 1], [0.5, -0.0]) == np.inf
    assert cs.metrics.boosting_loss([0, 1], [0, 5e-324]) == pytest.approx(4.4985e161 / 2, rel=1e-3)
    assert cs.log_loss([0, 1], [1e-20, 1]) == pytest.approx(0.5e-20, abs=0)
    assert cs.log_loss([0, 1], [1 - 2**-53, 1]) == pytest.approx(53 * np.log(2) / 2)


def test_scores_in_single_precision_are_computed_in_double() -> None:
    single = np.array([1e-30, 0.25], dtype=np.float32)
    for metric in (cs.log_loss, cs.metrics.boosting_loss):
        assert metric([1, 0], single) == metric([1, 0], [1e-30, 0.25])


@pytest.mark.parametrize("p", [None, 0.1])
def test_utility_of_forecasts_by_the_decisions_they_make(p: float | None) -> None:
    # Between two ratios at which a decision changes the expense is linear in the ratio.
    y, s = np.array(Y), np.array(S)
    share = np.mean(y) if p is None else p
    mass = np.where(y == 1, share / np.sum(y == 1), (1 - share) / np.sum(y == 0))
    edges = np.unique([0, *S, 1])
    ratio = (edges[:-1] + edges[1:]) / 2
    protect = s[:, None] > ratio
    expense = np.where(protect, ratio, np.where(y[:, None] == 1, 1.0, 0.0))
    utility = float(mass @ (1 - expense) @ np.diff(edges))
    assert cs.metrics.cost_loss_utility(Y, S, prevalence=p) == pytest.approx(utility)


def test_murphys_identity() -> None:
    # With class 1 adverse weather and PS the probability score of Brier, over both classes.
    y, s = np.array(Y), np.array(S)
    ps = np.mean((s - y) ** 2 + ((1 - s) - (1 - y)) ** 2)
    assert cs.metrics.cost_loss_utility(Y, S) == pytest.approx(-ps / 4 + (1 + 0.5) / 2)
    assert cs.metrics.cost_loss_utility([0, 1], [0, 1], prevalence=0.2) == pytest.approx(0.9)
    assert cs.metrics.cost_loss_utility([0, 1], [1, 0], prevalence=0.2) == pytest.approx(0.4)


NAMES = {
    cs.log_loss: "the log loss",
    cs.metrics.boosting_loss: "the boosting loss",
    cs.metrics.zero_one_loss: "the zero-one loss",
    cs.metrics.cost_loss_utility: "the cost-loss utility",
}


@pytest.mark.parametrize("metric", NAMES)
@pytest.mark.parametrize("score", [-0.1, 1.5, np.inf])
def test_scores_must_be_probabilities(metric: Any, score: float) -> None:
    with refused(cs.ScoreError, f"{NAMES[metric]} needs scores in [0, 1], got scores from"):
        metric([0, 1], [0.5, score])
