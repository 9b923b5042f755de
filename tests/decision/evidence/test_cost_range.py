"""What a rule costs between the best and the worst of the conditions that may occur."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import lognorm

import costspace as cs
from costspace.decision.money.row_money import rates_of
from costspace.decision.strategy import Strategy

RNG = np.random.default_rng(7)
Y = np.arange(600) % 4 == 0
SCORES = {"m": RNG.normal(1.5 * Y)}
RANGES = {"fp_cost": (1, 2), "fn_cost": (5, 40), "prevalence": (0.1, 0.3)}


def rates(decision: cs.Decision, strategy: Strategy | None = None) -> tuple[float, float]:
    """The held-out false positive and false negative rates of a strategy."""
    own = strategy or decision.strategy
    (fit,) = (one for one in decision.fits if one.strategy == own)
    fpr, recall = rates_of(fit.task.judged.rows, fit.flagged)
    return fpr, 1 - recall


@pytest.mark.parametrize("ranged", [{"fp_cost"}, {"fn_cost"}, {"prevalence"}, set(RANGES)])
def test_the_cost_range_is_that_of_the_corners_of_the_conditions(ranged: set[str]) -> None:
    given = {name: ends if name in ranged else ends[0] for name, ends in RANGES.items()}
    decision = cs.decide(Y, SCORES, conditions=cs.Deployment(**given))
    assert decision.recommendation.rule is not None
    fpr, fnr = rates(decision)
    corners = [
        1000 * ((1 - p) * a * fpr + p * b * fnr)
        for a, b, p in product(*(np.atleast_1d(ends) for ends in given.values()))
    ]
    found = decision.cost_range
    assert found == pytest.approx((min(corners), max(corners)), rel=1e-9)
    assert found.low < decision.recommendation.money < found.high
    assert decision.to_dict()["recommendation"]["cost_range"] == list(found)


@pytest.mark.parametrize("gain", [{"tp_cost": (0.5, 1)}, {"tn_cost": -0.3, "tp_cost": (-4, -1)}])
def test_correct_decisions_count_where_they_cost_or_gain_something(gain: dict[str, object]) -> None:
    decision = cs.decide(Y, SCORES, conditions=cs.Deployment(**RANGES, **gain))
    fpr, fnr = rates(decision)
    parts = {**RANGES, "tp_cost": 0, "tn_cost": 0, **gain}
    corners = [
        1000 * ((1 - p) * (a * fpr + d * (1 - fpr)) + p * (b * fnr + c * (1 - fnr)))
        for a, b, p, c, d in product(*(np.atleast_1d(ends) for ends in parts.values()))
    ]
    assert decision.cost_range == pytest.approx((min(corners), max(corners)), rel=1e-9)


def test_scenarios_have_a_range_where_correct_decisions_gain_something() -> None:
    known = cs.Scenarios(1, [5, 40], [0.2, 0.1], tp_cost=[-1, -4])
    decision = cs.decide(Y, SCORES, conditions=known, baseline=("m", 2.5))
    (fpr, fnr), used = rates(decision), rates(decision, decision.task.baseline)
    costs = [
        1000 * ((1 - p) * fpr + p * (b * fnr + c * (1 - fnr)))
        for b, p, c in zip([5, 40], [0.2, 0.1], [-1, -4], strict=True)
    ]
    saved = [
        1000 * ((1 - p) * (used[0] - fpr) + p * (b - c) * (used[1] - fnr))
        for b, p, c in zip([5, 40], [0.2, 0.1], [-1, -4], strict=True)
    ]
    assert decision.cost_range == pytest.approx((min(costs), max(costs)), rel=1e-9)
    assert decision.saving_range == pytest.approx((min(saved), max(saved)), rel=1e-9)


def test_ranges_have_the_margin_as_the_mean_does() -> None:
    rng = np.random.default_rng(5)
    y = np.arange(240) % 3 == 0
    scores = {name: rng.normal(1.2 * y) for name in "abcd"}
    known = cs.Scenarios(1, [4, 6], 0.3)
    decision = cs.decide(y, scores, conditions=known, baseline=("a", 1.0))
    own = decision.recommendation.money
    assert own > decision.choosing.best.money
    assert sum(decision.cost_range) / 2 == pytest.approx(own)
    saved = decision.evidence.more(decision.task.baseline).difference
    assert sum(decision.saving_range) / 2 == pytest.approx(saved)


def test_scenarios_that_do_not_occur_do_not_count() -> None:
    given = {"fp_cost": 1, "prevalence": 0.2, "tp_cost": -1}
    few = cs.decide(Y, SCORES, conditions=cs.Scenarios(fn_cost=[5, 8], **given))
    never = cs.Scenarios(fn_cost=[5, 8, 100], weights=[1, 1, 0], **given)
    assert cs.decide(Y, SCORES, conditions=never).cost_range == pytest.approx(few.cost_range)


def test_gains_that_are_nothing_in_the_mean_count() -> None:
    gains = cs.Drawn([-0.9, 0.9])
    found = cs.decide(Y, SCORES, conditions=cs.Deployment(1, (5, 40), 0.2, tn_cost=gains))
    plain = cs.decide(Y, SCORES, conditions=cs.Deployment(1, (5, 40), 0.2))
    assert found.cost_range.low < plain.cost_range.low
    assert found.cost_range.high > plain.cost_range.high


@pytest.mark.parametrize("gain", [0, -1])
def test_costs_without_an_upper_bound_have_no_range(gain: float) -> None:
    known = cs.Deployment(1, lognorm(0.5, scale=9), 0.2, tp_cost=gain)
    decision = cs.decide(Y, SCORES, conditions=known, baseline=("m", 2.5))
    assert decision.cost_range is None
    assert decision.saving_range is None


@pytest.mark.parametrize("more", [{}, {"tp_cost": (0.5, 1)}])
def test_the_saving_goes_from_one_corner_to_another(more: dict[str, object]) -> None:
    known = cs.Deployment(**RANGES, **more)
    decision = cs.decide(Y, SCORES, conditions=known, baseline=("m", 2.5))
    used, own = (rates(decision, one) for one in (decision.task.baseline, None))
    parts = {**RANGES, "tp_cost": 0, **more}
    corners = [
        1000 * ((1 - p) * a * (used[0] - own[0]) + p * (b - c) * (used[1] - own[1]))
        for a, b, p, c in product(*(np.atleast_1d(ends) for ends in parts.values()))
    ]
    found = decision.saving_range
    assert found == pytest.approx((min(corners), max(corners)), rel=1e-9)
    assert decision.to_dict()["recommendation"]["saving_range"] == list(found)
    assert found.low < 0 < found.high


@pytest.mark.parametrize(
    "more",
    [
        {"conditions": cs.Deployment(1, 5, 0.2)},
        {"conditions": cs.Deployment(1, (5, 40), 0.2), "known": "costs"},
        {"case_costs": cs.CaseCosts(1.0, np.linspace(5, 40, 600))},
    ],
)
def test_without_ranges_there_is_no_cost_range(more: dict[str, object]) -> None:
    decision = cs.decide(Y, SCORES, **more)
    assert decision.cost_range is None
    assert decision.to_dict()["recommendation"]["cost_range"] is None
    assert cs.decide(Y, SCORES, **more, baseline=("m", 2.5)).saving_range is None
