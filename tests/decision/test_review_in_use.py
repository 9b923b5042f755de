"""A rule in use that reviews, against money counted by hand."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from refusals import refused

import costspace as cs
from costspace import ConditionError

RNG = np.random.default_rng(5)
N = 500
Y = RNG.random(N) < 0.25
S = np.round(1 / (1 + np.exp(-(1.8 * Y + RNG.normal(size=N) - 1.5))), 2)
REVIEW = cs.Review(cost=4, sensitivity=0.9, specificity=0.95)
ASKED: dict[str, Any] = {"fp_cost": 20, "fn_cost": 100, "review": REVIEW}
PLACE = (S > 0.2).astype(int) + (S > 0.6)
WORDS = np.array(["pass", "review", "flag"])[PLACE]


def paid(place: np.ndarray, fp: Any = 20, fn: Any = 100) -> np.ndarray:
    """What each case costs by what is done with it."""
    nothing = np.zeros(N)
    negative = np.stack([nothing, 4 + 0.05 * fp + nothing, fp + nothing])
    positive = np.stack([fn + nothing, 4 + 0.1 * fn + nothing, nothing])
    rows = np.arange(N)
    return np.where(Y, positive[place, rows], negative[place, rows])


def in_use(baseline: Any, scores: Any = None, **more: Any) -> Any:
    decision = cs.decide(Y, {"m": S} if scores is None else scores, baseline=baseline, **more)
    (found,) = (one for one in decision.fits if one.strategy.name == "baseline")
    return decision, found


@pytest.mark.parametrize(
    "baseline",
    [
        ("m", 0.2, 0.6),
        WORDS,
        WORDS.tolist(),
        pd.Series(WORDS),
        PLACE / 2,
    ],
)
@pytest.mark.parametrize("p", [None, 0.1])
def test_what_is_in_use_costs_what_it_does(baseline: Any, p: float | None) -> None:
    decision, found = in_use(baseline, **ASKED, prevalence=p)
    own, at = paid(PLACE), np.mean(Y) if p is None else p
    counted = 1000 * ((1 - at) * own[~Y].mean() + at * own[Y].mean())
    assert found.money == pytest.approx(counted, rel=1e-12)
    assert found.in_sample == pytest.approx(counted, rel=1e-12)
    outcomes = decision.outcomes(found.strategy)
    reviewed = (1 - at) * np.mean(PLACE[~Y] == 1) + at * np.mean(PLACE[Y] == 1)
    assert outcomes.reviewed.value == pytest.approx(1000 * reviewed)
    assert "rule in use" in decision.recommendation.text
    assert (found.rule is None) is not isinstance(baseline, tuple)


def test_words_may_be_those_of_the_decision_and_a_column_among_the_scores() -> None:
    named = np.array(["approve", "review", "decline"])[PLACE]
    _, first = in_use(named, **ASKED, actions=("approve", "review", "decline"))
    _, second = in_use("used", {"m": S, "used": PLACE / 2}, **ASKED)
    assert first.money == second.money == pytest.approx(1000 * paid(PLACE).mean(), rel=1e-12)


def test_it_is_judged_by_costs_of_each_case() -> None:
    amount = np.round(RNG.uniform(40, 400, N))
    costs = cs.CaseCosts(fp_cost=10 + 0.01 * amount, fn_cost=amount)
    counted = 1000 * paid(PLACE, 10 + 0.01 * amount, amount).mean()
    for baseline in (("m", 0.2, 0.6), WORDS):
        _, found = in_use(baseline, case_costs=costs, review=REVIEW)
        assert found.money == pytest.approx(counted, rel=1e-9)
    # Also of rows where no review is worth it.
    amount[:50] = 3.0
    costs = cs.CaseCosts(fp_cost=10 + 0.01 * amount, fn_cost=amount)
    counted = 1000 * paid(PLACE, 10 + 0.01 * amount, amount).mean()
    _, found = in_use(("m", 0.2, 0.6), case_costs=costs, review=REVIEW)
    assert found.money == pytest.approx(counted, rel=1e-9)


def test_it_keeps_no_capacity_of_reviews_by_itself() -> None:
    limits = cs.Constraints(review_capacity=0.01)
    _, found = in_use(("m", 0.2, 0.6), **ASKED, constraints=limits)
    assert found.rule == cs.Rule((0.2, 0.6), ("pass", "review", "flag"))


def test_one_that_flags_or_passes_is_as_before() -> None:
    flags = (S > 0.6).astype(int)
    for baseline in (("m", 0.6), flags, np.where(flags, "flag", "pass")):
        _, found = in_use(baseline, **ASKED)
        assert found.money == pytest.approx(1000 * paid(2 * flags).mean(), rel=1e-12)
        assert not found.strategy.reviews
    _, plain = in_use(np.where(flags, "flag", "pass"), fp_cost=20, fn_cost=100)
    assert plain.money == pytest.approx(1000 * paid(2 * flags).mean(), rel=1e-12)


def test_counted_rows_have_reviews_in_use() -> None:
    rows = cs.ScoredRows.from_predictions(Y, {"m": S, "used": PLACE / 2})
    decision = cs.decide(rows, **ASKED, baseline="used")
    (found,) = (one for one in decision.fits if one.strategy.name == "baseline")
    assert found.money == pytest.approx(1000 * paid(PLACE).mean(), rel=1e-12)


def test_models_are_compared_with_it() -> None:
    found = cs.compare_money(Y, {"m": S}, baseline=("m", 0.2, 0.6), **ASKED)
    assert "the rule in use, m above 0.2 for a review and 0.6" in f"{found}"


@pytest.mark.parametrize(
    ("baseline", "more", "said"),
    [
        (("m", 0.2, 0.6), {"review": None}, "say what a review costs (review, --review-cost)"),
        (WORDS, {"review": None}, "say what a review costs (review, --review-cost)"),
        (WORDS, {"review": cs.Review(cost=40)}, "what a review costs is never worth it"),
        (("m", 0.6, 0.2), {}, "the threshold of reviewing comes first, and is the lower one"),
        (("m", 0.6, 0.6), {}, "the threshold of reviewing comes first, and is the lower one"),
        (("m", 0.2, 0.4, 0.6), {}, "a model and its threshold, with a review a model and two"),
        (("m", 0.2, "0.6"), {}, "a model and its threshold, with a review a model and two"),
        (("n", 0.2, 0.6), {}, "the rule in use is of 'n'"),
        (PLACE, {}, "must be decisions, 0 or 1, got 2 in row"),
        (
            np.where(WORDS == "flag", "block", WORDS),
            {},
            "pass, review, flag or 0 and 1, got 'block'",
        ),
    ],
)
def test_refusals(baseline: Any, more: dict[str, Any], said: str) -> None:
    with refused(cs.ConditionError, said):
        in_use(baseline, **{**ASKED, **more})


def test_costs_at_which_no_review_is_worth_it() -> None:
    known = cs.Scenarios([20.0, 2.0], [100.0, 3.0], 0.2, review=cs.Review(cost=5))
    y, s = np.tile([0, 0, 0, 1], 50), np.linspace(0, 1, 200)
    with refused(ConditionError, "at costs where a review costs more than it can save"):
        cs.decide(y, {"m": s}, conditions=known, known="costs", baseline=("m", 0.2, 0.6))
    # One threshold for all of them goes by their mean.
    cs.decide(y, {"m": s}, conditions=known, baseline=("m", 0.2, 0.6))


def test_decisions_in_words_with_costs_of_each_case() -> None:
    rng = np.random.default_rng(1)
    y, amount = rng.random(300) < 0.3, np.exp(rng.normal(3, 1, 300))
    words = rng.choice(["pass", "review", "flag"], 300, p=[0.6, 0.2, 0.2])
    worth = cs.Review(cost=1)
    costs = cs.CaseCosts(fp_cost=20.0, fn_cost=amount)
    s = np.clip(0.3 * y + rng.random(300) * 0.7, 0, 1)
    decision = cs.decide(y, {"m": s}, case_costs=costs, review=worth, baseline=words)
    use = next(fit for fit in decision.fits if fit.strategy.name == "baseline")
    paid = {"pass": np.where(y, amount, 0), "review": np.ones(300), "flag": np.where(y, 0, 20.0)}
    counted = 1000 * np.mean([paid[word][i] for i, word in enumerate(words)])
    assert use.money == pytest.approx(counted, rel=1e-9)
    assert use.in_sample == pytest.approx(counted, rel=1e-9)
