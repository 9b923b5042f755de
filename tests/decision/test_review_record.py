"""What the record of a decision has of reviews."""

import json
from typing import Any

import numpy as np
import pytest

import costspace as cs

RNG = np.random.default_rng(3)
Y = RNG.random(800) < 0.3
S = np.round(1 / (1 + np.exp(-(2 * Y + RNG.normal(size=800) - 1.5))), 2)
KEYS = {"review_saves", "review_worth"}


def recorded(review: Any, **more: Any) -> tuple[Any, dict[str, Any]]:
    found = cs.decide(Y, {"m": S}, fp_cost=20, fn_cost=100, review=review, **more)
    return found, json.loads(json.dumps(found.to_dict()))["recommendation"]


def test_what_reviews_save_is_that_of_the_sentence() -> None:
    found, record = recorded(cs.Review(cost=4))
    (best,) = (
        one.more for one in found.strategies if one.strategy.name == "smoothed_without_review"
    )
    saved = record["review_saves"]
    assert saved == {"difference": best.difference, "low": best.low, "high": best.high}
    assert 0 < saved["low"] < saved["difference"] < saved["high"]
    assert f"Reviews save {saved['difference']:,.0f}"[:15] in record["text"]
    assert record["review_worth"] is None


def test_one_more_place_is_worth_something_where_there_are_few() -> None:
    found, record = recorded(cs.Review(cost=4), constraints=cs.Constraints(review_capacity=0.1))
    assert record["review_worth"] == found.choosing.best.price
    assert record["review_worth"] > 0
    assert record["review_saves"]["difference"] > 0


@pytest.mark.parametrize(("cost", "most"), [(500, 1), (4, 0.02)])
def test_where_no_review_is_worth_it(cost: float, most: float) -> None:
    found, record = recorded(cs.Review(cost=cost), constraints=cs.Constraints(review_capacity=most))
    assert not found.strategy.reviews
    assert record["review_saves"] is None
    assert record["review_worth"] is None


def test_without_a_review_there_is_nothing_of_it() -> None:
    assert not KEYS & {*recorded(None)[1]}
