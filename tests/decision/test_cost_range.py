"""What a rule costs between the best and the worst of the conditions that may occur."""

from itertools import product

import numpy as np
import pytest

import costspace as cs

RNG = np.random.default_rng(7)
Y = np.arange(600) % 4 == 0
SCORES = {"m": RNG.normal(1.5 * Y)}
RANGES = {"fp_cost": (1, 2), "fn_cost": (5, 40), "prevalence": (0.1, 0.3)}


def rates(decision: cs.Decision) -> tuple[float, float]:
    found = decision.outcomes()
    fpr = found.false_positives.value / (found.false_positives.value + found.true_negatives.value)
    return fpr, found.false_negatives.value / (
        found.true_positives.value + found.false_negatives.value
    )


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


@pytest.mark.parametrize(
    "more",
    [
        {"conditions": cs.Deployment(1, 5, 0.2)},
        {"conditions": cs.Deployment(1, (5, 40), 0.2), "known": "costs"},
        {"conditions": cs.Deployment(1, (5, 40), 0.2, tp_cost=-1)},
        {"case_costs": cs.CaseCosts(1.0, np.linspace(5, 40, 600))},
    ],
)
def test_without_ranges_there_is_no_cost_range(more: dict[str, object]) -> None:
    decision = cs.decide(Y, SCORES, **more)
    assert decision.cost_range is None
    assert decision.to_dict()["recommendation"]["cost_range"] is None
