"""What is recommended, where a name of an action is another's word."""

from typing import Any

import numpy as np
import pytest

import costspace as cs

RNG = np.random.default_rng(2)
Y = RNG.random(500) < 0.25
S = np.round(1 / (1 + np.exp(-(1.8 * Y + RNG.normal(size=500) - 1.5))), 2)
WORDS = ("approve", "flag for review", "scores: flag")
REVIEW = cs.Review(cost=4)


@pytest.mark.parametrize(
    ("known", "review"),
    [
        ({"fp_cost": (15, 20), "fn_cost": (100, 140), "known": "costs"}, REVIEW),
        ({"fp_cost": (15, 20), "fn_cost": (100, 140), "known": "costs"}, None),
        ({"fp_cost": 20, "fn_cost": 100}, REVIEW),
        ({"case_costs": cs.CaseCosts(10 + S, 20 + 300 * S)}, REVIEW),
    ],
)
def test_a_word_may_be_of_others(known: Any, review: Any) -> None:
    own, plain = ("alpha", "beta", "gamma"), {}
    for words in (own, WORDS):
        asked = words if review else words[::2]
        plain[words] = cs.decide(Y, {"m": S}, **known, review=review, actions=asked)
    told = plain[own].recommendation.instruction
    assert "gamma scores above" in told or "gamma above" in told
    for one, other in zip(own, WORDS, strict=True):
        told = told.replace(one, other)
    assert plain[WORDS].recommendation.instruction == told
