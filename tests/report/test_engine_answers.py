"""A page answers every question as the package does: each number, and each word.

`python -m fuzz --part answers --minutes 60` compares as many random ones as there is time for.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from page_answers import decoded, differences, opened, put, python_answer, written_engine
from playwright.sync_api import Browser
from scipy.special import expit

import costspace as cs
from costspace.decision.asking import held_out_for
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.report.raking import raked_rows
from fuzz.questions import LIMITS, NAMES, SCORES, Rows, Scenario, random_scenario

Compare = Callable[[Any], dict[str, Any]]


@pytest.fixture(scope="module")
def compare(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Compare:
    """Put a question to both, and return the package's answer if the page's is the same."""
    ask = opened(browser, written_engine(tmp_path_factory.mktemp("engine")))

    def same(one: Any) -> dict[str, Any]:
        asked = one.held_out, one.question, one.level
        own, found = python_answer(*asked), decoded(json.loads(ask(put(*asked)))["found"])
        wrong = differences(own, found)
        assert not wrong, f"{one}\n" + "\n".join([*wrong[:8], found.get("stack", "")])
        return own

    return same


def rows(*kinds: str, n: int = 36, seed: int = 1, names: tuple[str, ...] = ()) -> Rows:
    rng = np.random.default_rng(seed)
    y = rng.permutation((np.arange(n) < n // 3).astype(int))
    named = zip(names or [f"{kind} scores" for kind in kinds], kinds, strict=True)
    return Rows(y, {name: SCORES[kind](rng, y) for name, kind in named}, kinds=kinds)


def question(**parts: Any) -> dict[str, Any]:
    """One with these parts; each amount is a value, or a range as a tuple."""
    amounts = {"fp_cost": 1.0, "fn_cost": (5.0, 50.0), "tp_cost": 0.0, "tn_cost": 0.0}
    amounts |= {"prevalence": (0.02, 0.2)}
    other = {"estimated": False, "known": [], "limits": {}, "batch": None, "baseline": None}
    found = {**amounts, **other, **parts}
    for name in amounts:
        ends = found[name]
        found[name] = list(ends) if isinstance(ends, tuple) else [ends, ends]
    return found


def review(cost: Any, sensitivity: Any = 1.0, specificity: Any = 1.0) -> dict[str, list[float]]:
    """One with these parts, each a value or a range."""
    parts = {"cost": cost, "sensitivity": sensitivity, "specificity": specificity}
    return {
        name: list(one) if isinstance(one, tuple) else [one, one] for name, one in parts.items()
    }


@pytest.mark.parametrize("kind", SCORES)
def test_scores_of_every_kind(compare: Compare, kind: str):
    assert "answer" in compare(Scenario(rows(kind, "good"), question(), often=1))


MANY = ("good",) * 12
GIVEN = rows("good", n=40)
WHOLE = 1.0 + np.arange(40) % 3
DATA = {
    "one model": GIVEN,
    "twelve models": rows(*MANY, n=24, names=tuple(f"m{k}" for k in range(12))),
    "names of all kinds": rows("good", "rounded", "good", names=NAMES[2:5]),
    "names like numbers": rows("good", "rounded", "good", names=("10", "2", "1")),
    "names of a page": rows("good", "rounded", "good", names=NAMES[8:11]),
    "names with quotes": rows("good", "rounded", names=NAMES[5:7]),
    "whole weights": Rows(GIVEN.y, GIVEN.scores, WHOLE),
    "weights": Rows(GIVEN.y, GIVEN.scores, np.random.default_rng(2).gamma(0.5, size=40) + 0.01),
    "no weight": Rows(GIVEN.y, GIVEN.scores, WHOLE - 1),
    "groups": Rows(GIVEN.y, GIVEN.scores, groups=np.arange(40) // 3),
    "three positives": rows("good", n=10),
    "rows of many": rows("rounded", n=150),
}


@pytest.mark.parametrize("name", DATA)
def test_rows_of_every_kind(compare: Compare, name: str):
    assert "answer" in compare(Scenario(DATA[name], question(), often=1))
    assert "answer" in compare(Scenario(DATA[name], question(estimated=True), often=1))


QUESTIONS = {
    "values": question(fn_cost=5.0, prevalence=0.3),
    "even odds": question(fn_cost=1.0, prevalence=0.5),
    "wide ranges": question(fp_cost=(0.001, 10.0), fn_cost=(1.0, 1e5), prevalence=(1e-5, 0.9)),
    "rare": question(prevalence=1e-5),
    "gains": question(tp_cost=(-3.0, -1.0), tn_cost=-0.5),
    "estimated, gains": question(estimated=True, tp_cost=(-3.0, -1.0), tn_cost=-0.5),
    "estimated, limits": question(estimated=True, limits={"min_precision": 0.2, "capacity": 0.5}),
    "costs known": question(known=["costs"]),
    "prevalence known": question(known=["prevalence"]),
    "both known": question(known=["costs", "prevalence"]),
    "in use at a score": question(baseline={"model": "good scores", "threshold": 0.5}),
    "in use above all": question(baseline={"model": "tied scores", "threshold": 2.0}),
    "two limits": question(limits={"min_precision": 0.2, "capacity": 0.5}),
    "no way to keep": question(limits={"min_precision": 0.999, "min_recall": 0.9}),
    "limit and known": question(limits={"capacity": 0.2}, known=["prevalence"]),
    "batches": question(limits={"capacity": 0.2}, batch=10),
    "batches of two sizes": question(limits={"capacity": 0.2}, batch=[10, 40]),
    "limit and use": question(
        fn_cost=9.0, limits={"max_fpr": 0.1}, baseline={"model": "good scores", "threshold": 0.3}
    ),
    "review": question(prevalence=0.3, review=review(0.5)),
    "review with errors": question(review=review(0.3, 0.9, 0.8)),
    "review of ranges": question(
        fp_cost=(1.0, 3.0), review=review((0.1, 0.5), (0.8, 0.95), 0.9), estimated=True
    ),
    "review, costs known": question(known=["costs"], review=review(0.2)),
    "review, both known": question(known=["costs", "prevalence"], review=review(0.2, 0.9)),
    "review that never pays": question(review=review(5.0)),
    "reviews at most": question(review=review(0.2), limits={"review_capacity": 0.1}),
    "no reviews": question(review=review(0.2), limits={"review_capacity": 0.0}),
    "reviews of batches": question(review=review(0.2), limits={"review_capacity": 0.2}, batch=10),
    "reviews of batches, over a range": question(
        prevalence=(0.1, 0.4),
        review=review((0.1, 0.3), 0.9, 0.95),
        limits={"review_capacity": 0.1},
        batch=[20, 50],
    ),
    "reviews of batches, estimated": question(
        review=review(0.2), limits={"review_capacity": 0.2}, batch=30, estimated=True
    ),
    "reviews of a queue": question(
        review=review(0.2), limits={"capacity": 0.3, "review_capacity": 0.2}, batch=[10, 40]
    ),
    "review, two limits": question(
        review=review(0.2), limits={"min_precision": 0.5, "min_recall": 0.3}
    ),
    "review beside a rule in use": question(
        prevalence=0.3, review=review(0.4), baseline={"model": "good scores", "threshold": 0.3}
    ),
    **{f"{name} alone": question(prevalence=0.2, limits={name: 0.3}) for name in LIMITS},
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions_of_every_kind(compare: Compare, name: str):
    asked = Scenario(rows("good", "tied", n=30), QUESTIONS[name], often=1)
    assert "answer" in compare(asked)


# A column of decisions, which are the rule in use.
DECIDED = {"model": "decided", "threshold": None}


@pytest.mark.parametrize("name", ["values", "both known", "two limits"])
def test_decisions_of_the_rule_in_use(compare: Compare, name: str):
    given = rows("good", "good", names=("m", "decided"))
    given.scores["decided"] = (given.scores["decided"] > 0.4).astype(float)
    found = compare(Scenario(given, {**QUESTIONS[name], "baseline": DECIDED}, often=1))
    answer = found["answer"]
    assert {one["model"] for one in answer["strategies"]} <= {None, "m", "decided"}
    assert answer["baseline"]["model"] == "decided"


@pytest.mark.smoke
@pytest.mark.parametrize("level", [0.8, 0.99])
def test_intervals_of_other_levels_and_rows_cut_often(compare: Compare, level: float):
    assert "answer" in compare(Scenario(rows("good", n=20), question(), level, often=3))


REFUSED = {
    "a limit beyond 1": question(limits={"capacity": 1.5}),
    "no prevalence": question(prevalence=0.0),
    "all positive": question(prevalence=(0.2, 1.0)),
    "a gain for mistakes": question(fn_cost=(0.5, 3.0), tp_cost=2.0),
    "no cost": question(fp_cost=-1.0),
    "no end": question(fn_cost=float("inf")),
    "no such model": question(baseline={"model": "<none>", "threshold": 0.5}),
    "known by nobody": question(known=["price"]),
    "a free review": question(review=review(0.0)),
    "no such reviewer": question(review=review(1.0, 1.5)),
    "a review of no cost": question(limits={"review_capacity": 0.2}),
    "a limit, a review and what is known": question(
        review=review(0.2), limits={"review_capacity": 0.1}, known=["costs"]
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_in_the_same_words(compare: Compare, name: str):
    found = compare(Scenario(rows("good"), REFUSED[name], often=1))
    assert found["error"][0] == "ConditionError"


@dataclass(frozen=True)
class OfMany:
    """A question about rows that a page holds the counts of."""

    held_out: HeldOutCounts
    question: dict[str, Any]
    level: float = 0.95


@pytest.fixture(scope="module")
def counts() -> HeldOutCounts:
    rng = np.random.default_rng(8)
    y = (rng.random(100_000) < 0.1).astype(int)
    own = rng.normal(1.3 * y)
    scores = {"good": expit(own - 2), "tied": expit(own + rng.normal(size=len(y)) - 2).round(1)}
    scores["decided"] = (own + rng.normal(size=len(y)) > 1).astype(float)
    held_out = held_out_for(cs.ScoredRows.from_predictions(y, scores))
    assert isinstance(held_out, HeldOutCounts)
    return HeldOutCounts(raked_rows(held_out))


@pytest.mark.parametrize("name", ["values", "costs known", "two limits", "review"])
def test_many_rows_are_answered_by_their_counts(compare: Compare, counts: HeldOutCounts, name: str):
    found = compare(OfMany(counts, {**QUESTIONS[name], "baseline": DECIDED}))
    assert any("neighbouring scores" in one for one in found["answer"]["assumptions"])


def test_many_rows_beyond_0_and_1_by_rounding(compare: Compare):
    rng = np.random.default_rng(9)
    y = (rng.random(100_000) < 0.1).astype(int)
    choices = [-1e-17, 0.0, 0.1, 0.3, 0.7, 1.0, 1.0000001]
    score = np.where(rng.random(len(y)) < 0.5, rng.choice(choices, len(y)), 0.2 + 0.3 * y)
    held_out = held_out_for(cs.ScoredRows.from_predictions(y, {"m": score}))
    assert isinstance(held_out, HeldOutCounts)
    counts = HeldOutCounts(raked_rows(held_out))
    found = compare(OfMany(counts, QUESTIONS["values"]))
    warnings = found["answer"]["recommendation"]["warnings"]
    assert any("1.0000001 counts as 1" in one for one in warnings)


@pytest.mark.parametrize("seed", range(12))
def test_random_questions(compare: Compare, seed: int):
    compare(random_scenario(np.random.default_rng([seed, 77]), most=40))
