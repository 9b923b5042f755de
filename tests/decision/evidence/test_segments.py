"""What one rule costs and saves by segment: parts of the whole, with intervals and thresholds."""

import numpy as np
import pandas as pd
import pytest

import costspace as cs
from costspace.errors import ConditionError, SourceError

RNG = np.random.default_rng(7)
N = 3000
SITE = RNG.choice(["a", "b", "c", "d"], N, p=[0.5, 0.3, 0.195, 0.005])
Y = RNG.random(N) < np.where(SITE == "b", 0.3, 0.15)
S = 1 / (1 + np.exp(1.5 - RNG.normal(1.8 * Y)))
COSTS = {"fp_cost": 1, "fn_cost": 6}
ASKED = {
    "estimated": COSTS,
    "given": {**COSTS, "prevalence": 0.03},
    "rule in use": {**COSTS, "baseline": ("m", 0.5)},
    "right decisions": {**COSTS, "prevalence": (0.05, 0.2), "tp_cost": -2, "tn_cost": 0.1},
    "known": {"fp_cost": 1, "fn_cost": (4, 12), "prevalence": 0.1, "known": "costs"},
    "weights": {**COSTS, "prevalence": 0.1, "sample_weight": RNG.integers(0, 3, N)},
    "counts": {**COSTS, "weights": "counts", "sample_weight": RNG.integers(0, 3, N)},
    "groups": {**COSTS, "groups": np.arange(N) // 3},
    "cases": {"case_costs": cs.CaseCosts(RNG.random(N) + 1, 9 * RNG.random(N) + 1, 0.5)},
    "queue": {**COSTS, "constraints": cs.Constraints(capacity=0.1)},
    "review": {**COSTS, "prevalence": 0.1, "review": cs.Review(0.2)},
    "validation": {**COSTS, "validation": (Y, {"m": S})},
}


@pytest.mark.parametrize("case", ASKED)
def test_segments_add_up_to_the_whole(case):
    decision = cs.decide(Y, {"m": S}, **ASKED[case])
    found = decision.by(SITE)
    stated = decision.recommendation.stated
    assert found.cost == pytest.approx(decision.evidence.cost(stated), rel=1e-12)
    assert sum(one.contribution for one in found.segments) == pytest.approx(found.cost, abs=1e-9)
    assert sum(one.share for one in found.segments) == pytest.approx(1, abs=1e-12)
    p = decision.conditions.mean_prevalence
    assert sum(one.share * one.prevalence for one in found.segments) == pytest.approx(p, abs=1e-12)
    against = decision.evidence.cost(found.against)
    saved = sum(one.share * one.saving.difference for one in found.segments)
    assert saved == pytest.approx(against - found.cost, abs=1e-9)
    for one in found.segments[:-1]:
        assert one.money.low < one.money.money < one.money.high
        assert one.saving.low < one.saving.difference < one.saving.high


def test_a_segment_has_the_cost_of_its_rows_at_the_odds_of_deployment():
    choices = {"choices": [cs.ScoreFixed(0.3)], "tp_cost": -1}
    decision = cs.decide(Y, {"m": S}, **COSTS, prevalence=0.03, **choices)
    flagged, share = S > 0.3, Y.mean()
    weight = np.where(Y, 0.03 / share, 0.97 / (1 - share))
    cost = np.where(Y, np.where(flagged, -1, 6), flagged)
    found = {one.name: one for one in decision.by(SITE).segments}
    for name, one in found.items():
        own = name == SITE
        by_hand = 1000 * np.average(cost[own], weights=weight[own])
        assert one.money.money - found["a"].money.money == pytest.approx(
            by_hand - 1000 * np.average(cost[SITE == "a"], weights=weight[SITE == "a"])
        )
        assert one.share == pytest.approx(weight[own].sum() / N)
        assert one.prevalence == pytest.approx(np.average(Y[own], weights=weight[own]))
        assert one.rows == own.sum()


@pytest.mark.parametrize("case", ["estimated", "rule in use", "groups", "cases"])
def test_one_segment_of_all_rows_is_the_whole(case):
    decision = cs.decide(Y, {"m": S}, **ASKED[case])
    found = decision.by(np.zeros(N))
    (one,), own = found.segments, decision.evidence.of(found.strategy)
    ends = [(x.low, x.high, x.standard_error) for x in (one.money, own)]
    assert ends[0] == pytest.approx(ends[1], rel=1e-9)
    more = decision.evidence.of(found.against).more
    ends = [(x.difference, x.low, x.high) for x in (one.saving, more)]
    assert ends[0] == pytest.approx(ends[1], rel=1e-9)


def test_intervals_hold_at_once():
    decision, wider = (cs.decide(Y, {"m": S}, **COSTS, level=level) for level in (0.95, 0.975))
    # Two segments, and one with an interval beside rows that are too few for any.
    few = np.where(Y & (np.cumsum(Y) <= 3), "few", "rest")
    alone = wider.by(few)
    assert (alone.intervals, alone.level_of_each) == (1, 0.975)
    halves = np.where(few == "few", "rest", few)
    halves[1::2] = "other"
    found = decision.by(halves)
    assert (found.intervals, found.level_of_each) == (2, 0.975)
    one, same = (of.by(halves).segments[0].money for of in (decision, wider))
    assert one.high - one.low < same.high - same.low
    p = found.segments[0].saving.p
    assert found.segments[0].saving.p_adjusted == pytest.approx(min(2 * p, 1), abs=1e-300)


@pytest.mark.parametrize("given", [{}, {"prevalence": 0.1}])
def test_a_row_that_counts_twice_is_two_rows(given):
    twice = RNG.integers(1, 3, N)
    asked = {**COSTS, **given, "choices": [cs.ScoreFixed(0.3)]}
    counted = cs.decide(Y, {"m": S}, **asked, sample_weight=twice, weights="counts")
    y, s, site = (np.repeat(of, twice) for of in (Y, S, SITE))
    one, other = counted.by(SITE), cs.decide(y, {"m": s}, **asked).by(site)
    for own, same in zip(one.segments, other.segments, strict=True):
        assert (own.name, own.share) == (same.name, pytest.approx(same.share))
        for what in ("money", "low", "high"):
            assert getattr(own.money, what) == pytest.approx(getattr(same.money, what), nan_ok=True)
        for what in ("difference", "low", "high", "p"):
            assert getattr(own.saving, what) == pytest.approx(
                getattr(same.saving, what), nan_ok=True
            )


def test_segments_that_differ_from_the_rest_are_told():
    decision = cs.decide(Y, {"m": S}, **COSTS, choices=[cs.ScoreFixed(0.8)])
    found = decision.by(SITE)
    told = {one.name: found.differs(one) for one in found.segments}
    assert (told["a"], told["b"], told["d"]) == ("less", "more", None)
    assert {row["by"]["segment"]: row["differs"] for row in found.to_dict()["segments"]} == told
    for same in (RNG.permutation(SITE), np.zeros(N)):
        alike = decision.by(same)
        assert {alike.differs(one) for one in alike.segments} == {None}


def test_how_often_segments_that_are_alike_seem_to_differ():
    rng, told = np.random.default_rng(5), 0
    for _ in range(100):
        y = rng.random(1200) < 0.3
        s = 1 / (1 + np.exp(1.2 - rng.normal(1.8 * y)))
        found = cs.decide(y, {"m": s}, **COSTS, choices=[cs.ScoreFixed(0.3)]).by(
            rng.integers(0, 4, 1200), own_thresholds=False
        )
        told += any(map(found.differs, found.segments))
    # Of 100 samples 5 are expected, and more than 11 with a chance of .4 %.
    assert told <= 11


def test_what_is_joined_has_a_name_of_its_own():
    site = SITE.astype("U8")
    site[:3] = ["tiny", "small", "few"]
    found = cs.decide(Y, {"m": S}, **COSTS).by(np.where(site == "b", "others", site))
    assert [one.name for one in found.segments if one.number > 1] == ["(others)"]
    assert "others" in {one.name for one in found.segments}


def test_the_most_comes_first_and_small_ones_are_joined():
    tiny = SITE.astype("U8")
    tiny[:12] = [f"tiny {i}" for i in range(12)]
    found = cs.decide(Y, {"m": S}, **COSTS).by({"site": tiny, "kind": np.ones(N, int)})
    names = [(one.name, one.number, one.rows) for one in found.segments]
    assert names[-1] == ("others, others", 13, 12 + (tiny == "d").sum())
    lost = [one.contribution for one in found.segments[:-1]]
    assert lost == sorted(lost, reverse=True)
    assert [one.number for one in found.segments[:-1]] == [1, 1, 1]
    assert found.by == ("site", "kind")
    row = found.to_dict()["segments"][0]
    assert next(iter(row)) == "by"
    assert row["by"] == {"site": names[0][0].split(",")[0], "kind": 1}


def test_one_small_segment_keeps_its_name():
    found = cs.decide(Y, {"m": S}, **COSTS).by(SITE)
    last = next(one for one in found.segments if one.name == "d")
    assert last.reason == "fewer than 5 rows of a class say too little"
    assert np.isnan([last.money.low, last.saving.low]).all()
    assert last.own_saving is None


def test_rows_without_a_value_are_a_segment():
    frame = pd.DataFrame({"site": SITE}).replace({"site": {"d": None}})
    found = cs.decide(Y, {"m": S}, **COSTS).by(frame)
    assert {one.by["site"] for one in found.segments} == {"a", "b", "c", None}
    assert "(none)" in {one.name for one in found.segments}


def test_thresholds_of_their_own_save_where_scores_are_shifted():
    shifted = np.where(SITE == "b", S**3, S)
    decision = cs.decide(Y, {"m": shifted}, **COSTS, prevalence=0.2)
    found = decision.by(SITE)
    own = {one.name: one.own_saving for one in found.segments}
    assert own["b"].low > 0
    assert found.own_saving.low > 0
    saved = sum(one.share * one.own_saving.difference for one in found.segments if one.own_saving)
    assert found.own_saving.difference == pytest.approx(saved, abs=1e-9)
    same = cs.decide(Y, {"m": S}, **COSTS).by(RNG.permutation(SITE))
    assert same.own_saving.low < 0


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ("queue", "limits are of all cases together"),
        ("review", "what is stated is not one threshold"),
        ("cases", "what is stated is not one threshold"),
    ],
)
def test_why_there_are_no_thresholds_of_their_own(case, why):
    found = cs.decide(Y, {"m": S}, **ASKED[case]).by(SITE)
    assert found.why_not_own == why
    assert found.own_saving is None
    assert all(one.own_saving is None for one in found.segments)


def test_many_rows_are_divided_one_by_one():
    rng = np.random.default_rng(0)
    y = rng.random(120_000) < 0.1
    s = rng.normal(1.5 * y)
    decision = cs.decide(y, {"m": s}, **COSTS)
    found = decision.by(rng.integers(0, 5, y.size))
    assert decision.task.together is not None or decision.choosing.task.together is not None
    assert found.cost == pytest.approx(decision.recommendation.money, rel=1e-9)
    assert sum(one.contribution for one in found.segments) == pytest.approx(found.cost, abs=1e-9)


def test_what_cannot_be_divided_is_refused():
    decision = cs.decide(Y, {"m": S}, **COSTS)
    with pytest.raises(SourceError, match="segment has 3 values for 3000 rows"):
        decision.by([1, 2, 3])
    with pytest.raises(SourceError, match="no columns"):
        decision.by({})
    with pytest.raises(SourceError, match="all numbers or all text"):
        decision.by(np.array([1, "a", *[2] * (N - 2)], dtype=object))
    nothing = cs.Constraints(max_fpr=0.01, min_recall=0.999)
    with pytest.raises(ConditionError, match="nothing keeps to the constraints"):
        cs.decide(Y, {"m": S}, **COSTS, constraints=nothing).by(SITE)
