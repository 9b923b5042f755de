"""A prevalence that nobody gave is estimated from the rows, and its error counts everywhere."""

from functools import partial

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace.decision.evidence.counted import Count
from costspace.decision.sentences.cautions import carried_by_few
from costspace.decision.strategy import FLAG_EVERYBODY, FLAG_NOBODY
from costspace.samples.rows import ScoredRows

KNOWN, ESTIMATED = cs.Deployment(1, 8, 0.2), cs.Deployment(1, 8)


def drawn(n=400, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 5 == 0
    return y.astype(int), {"m": 1.5 * y + rng.normal(size=n), "o": y + rng.normal(size=n)}


def decided(conditions, **more):
    y, scores = drawn()
    return cs.decide(y, scores, conditions=conditions, **more)


def test_what_is_said_is_that_of_the_share_in_the_rows():
    known, estimated = decided(KNOWN), decided(ESTIMATED)
    assert estimated.conditions.mean_prevalence == pytest.approx(0.2)
    for one, other in zip(known.strategies, estimated.strategies, strict=True):
        assert one.money == pytest.approx(other.money)
    assert "prevalence known: 0.2" in known.assumptions
    assert "prevalence estimated from the rows: 0.2" in estimated.assumptions
    assert known.evidence.design == "stratified"
    assert estimated.evidence.design == "independent"


def test_nothing_is_exact():
    for one in decided(ESTIMATED).strategies:
        assert one.low < one.money < one.high, one.strategy
        assert one.standard_error > 0
    trivial = [one for one in decided(KNOWN).strategies if one.strategy.model is None]
    assert {one.method for one in trivial} == {"known"}


def test_trivial_rules_cost_what_their_class_does():
    evidence = decided(ESTIMATED).evidence
    nobody, everybody = evidence.of(FLAG_NOBODY), evidence.of(FLAG_EVERYBODY)
    error = np.sqrt(0.2 * 0.8 / 400)
    assert nobody.standard_error == pytest.approx(8000 * error, rel=0.01)
    assert everybody.standard_error == pytest.approx(1000 * error, rel=0.01)
    # They differ by both at once: a positive more is a negative less.
    decision = decided(ESTIMATED, choices={"fixed": cs.ScoreFixed(9.0)})
    more = [one.more for one in decision.strategies if one.strategy.model is None and one.more]
    assert more[0].standard_error == pytest.approx(9000 * error, rel=0.01)


def test_outcomes_count_it():
    for strategy in (None, FLAG_NOBODY):
        known = decided(KNOWN).outcomes(strategy)
        estimated = decided(ESTIMATED).outcomes(strategy)
        for name in ("true_positives", "false_negatives", "true_negatives"):
            one, other = getattr(known, name), getattr(estimated, name)
            assert one.value == pytest.approx(other.value)
            if one.value:
                assert other.high - other.low > one.high - one.low
        # Of the share of positives that are found it says nothing.
        assert estimated.recall == pytest.approx(known.recall) or strategy is FLAG_NOBODY
    nobody = decided(ESTIMATED).outcomes(FLAG_NOBODY)
    assert nobody.flagged.high == nobody.true_positives.high == 0
    assert nobody.false_negatives.low < 180
    assert nobody.false_negatives.high > 220


def test_limits_have_a_margin_for_it():
    capacity = cs.Constraints(capacity=0.2)
    shares = [
        decided(one, constraints=capacity, choices=[cs.Optimal()]).outcomes().flagged.value
        for one in (KNOWN, ESTIMATED)
    ]
    assert shares[1] < shares[0] < 200
    room = [capacity.with_room(0.95, 320, 80, estimated=one) for one in (False, True)]
    at = cs.OperatingPoints(np.array([0.1]), np.array([0.3]))
    excess = [one.bounds(at)["capacity"].excess(0.2) for one in room]
    assert excess[1] > excess[0]
    # Recall does not look at the prevalence.
    recall = cs.Constraints(min_recall=0.5)
    bounds = [
        recall.with_room(0.95, 320, 80, estimated=one).bounds(at)["min_recall"].excess(0.2)
        for one in (False, True)
    ]
    assert bounds[0] == bounds[1]


def test_limits_say_how_sure_they_are_of_what_is_reached():
    def statuses(conditions, capacity):
        limits = cs.Constraints(capacity=capacity)
        decision = decided(conditions, constraints=limits, baseline=("m", 0.9))
        (kept,) = decision.limits_kept()
        return kept.status

    at = [statuses(one, capacity) for one in (KNOWN, ESTIMATED) for capacity in (0.2, 0.25, 0.3)]
    assert at[3:] == at[:3] or "at the limit" in at[3:]


def test_validation_rows_are_those_that_it_is_estimated_from():
    y, scores = drawn()
    keep = (y == 0) | (np.arange(len(y)) % 2 == 0)
    later = y[keep], {name: s[keep] for name, s in scores.items()}
    decision = cs.decide(y, scores, conditions=ESTIMATED, validation=later)
    assert decision.conditions.mean_prevalence == pytest.approx(later[0].mean())
    costs = cs.CaseCosts(1, 8)
    rows = [cs.ScoredRows.from_predictions(*one, case_costs=costs) for one in ((y, scores), later)]
    decision = cs.decide(rows[0], validation=rows[1])
    assert decision.conditions.mean_prevalence == pytest.approx(later[0].mean())


def test_models_are_compared_with_it():
    y, scores = drawn()
    found = [cs.compare_money(y, scores, conditions=one) for one in (KNOWN, ESTIMATED)]
    (known,), (estimated,) = (one.pairs.values() for one in found)
    assert known.difference == pytest.approx(estimated.difference)
    assert estimated.standard_error != known.standard_error
    assert all(one.method == "score" for one in found[1].strategies)


def test_money_of_a_choice_is_at_the_prevalence_of_the_rows():
    y, scores = drawn()
    choice = cs.ScoreFixed(0.8)
    assert cs.expected_money(y, scores["m"], choice=choice, conditions=ESTIMATED) == pytest.approx(
        cs.expected_money(y, scores["m"], choice=choice, conditions=KNOWN)
    )
    errors = [
        cs.estimate(
            y, scores["m"], metric=partial(cs.expected_money, choice=choice, conditions=one)
        ).standard_error
        for one in (KNOWN, ESTIMATED)
    ]
    flagged = scores["m"] > 0.8
    paid = 1000 * np.where(y == 1, 8.0 * ~flagged, 1.0 * flagged)
    assert errors[1] == pytest.approx(paid.std() / np.sqrt(len(y)), rel=0.02)
    assert errors[0] < errors[1]


def test_a_deployment_without_it_says_that_it_is_needed():
    assert not ESTIMATED.gives_prevalence
    assert KNOWN.completed(0.7) is KNOWN
    assert repr(ESTIMATED) == "Deployment(fp_cost=1, fn_cost=8)"
    with refused(cs.ConditionError, "the prevalence is needed, and was not given"):
        _ = ESTIMATED.stake
    with refused(cs.ConditionError, "the prevalence is needed, and was not given"):
        ESTIMATED.skews()
    with refused(cs.ConditionError, "the prevalence is needed, and was not given"):
        ESTIMATED.draw(3)


def test_few_rows_that_carry_the_cost_are_told():
    y, scores = drawn()
    amounts = np.ones(len(y))
    amounts[np.flatnonzero(y)[:3]] = 200.0
    skewed = cs.decide(y, scores, case_costs=cs.CaseCosts(0.5, amounts))
    told = "2 of 80 cases carry half of what missing all positives costs: another sample may cost"
    assert any(told in text for text in skewed.recommendation.warnings)
    even = cs.decide(y, scores, case_costs=cs.CaseCosts(0.5, amounts * 0 + 3))
    assert not any("carry half" in text for text in even.recommendation.warnings)


@pytest.mark.parametrize("rows", [500, 1000, 5000])
@pytest.mark.parametrize("prevalence", [0.1, 0.3])
def test_heavy_tails_are_nearly_always_told_and_light_ones_nearly_never(rows, prevalence):
    generator = np.random.default_rng(rows)
    y = np.arange(rows) < prevalence * rows
    told = {}
    for sigma in (0.5, 1, 2, 2.2, 2.5):
        samples = [
            ScoredRows.from_predictions(
                y,
                {"m": generator.random(rows)},
                case_costs=cs.CaseCosts(1, generator.lognormal(3, sigma, rows)),
            )
            for _ in range(150)
        ]
        told[sigma] = np.mean([carried_by_few(one) != "" for one in samples])
    assert told[0.5] == 0
    assert told[1] <= 0.04
    assert min(told[sigma] for sigma in (2, 2.2, 2.5)) >= 0.9


def test_a_full_queue_saves_as_much_whatever_the_prevalence():
    """Its places go to positives: there are more of them than places."""
    y, scores = drawn()
    limits = cs.Constraints(capacity=0.1)
    found = {}
    for conditions in (KNOWN, ESTIMATED):
        decision = cs.decide(
            y, {"m": 6.0 * y + scores["m"]}, conditions=conditions, constraints=limits
        )
        (nobody,) = (one.more for one in decision.strategies if one.strategy == FLAG_NOBODY)
        found[conditions] = nobody
        assert nobody.p == 0.0
    known, estimated = found.values()
    assert estimated.difference == pytest.approx(known.difference)
    assert estimated.low == pytest.approx(known.low, rel=0.03)
    assert estimated.high == pytest.approx(known.high, rel=0.03)


@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_groups_whose_rows_are_decided_by_themselves_tell_as_much_as_their_rows(prevalence):
    rng = np.random.default_rng(5)
    y = (rng.random(1000) < 0.2).astype(int)
    scores = {"m": 1.5 * y + rng.normal(size=1000)}
    error = {}
    for size in (1, 5, 20):
        decision = cs.decide(
            *(y, scores),
            conditions=cs.Deployment(1, 8, prevalence),
            groups=np.arange(1000) // size,
            choices={"fixed": cs.ScoreFixed(0.5)},
        )
        [one] = [one for one in decision.strategies if one.strategy.model == "m"]
        error[size] = one.standard_error
    assert error[5] == pytest.approx(error[1], rel=0.1)
    assert error[20] == pytest.approx(error[1], rel=0.25)
    # Rows that are repeated say nothing more, whatever their number.
    again = np.repeat(np.arange(1000), 4)
    repeated = cs.decide(
        *(y[again], {"m": scores["m"][again]}),
        conditions=cs.Deployment(1, 8, prevalence),
        groups=again,
        choices={"fixed": cs.ScoreFixed(0.5)},
    )
    [one] = [one for one in repeated.strategies if one.strategy.model == "m"]
    assert one.standard_error == pytest.approx(error[1], rel=0.02)


def test_groups_of_one_share_say_nothing_of_how_far_it_may_be_off():
    y, scores = drawn()
    pairs = np.arange(400) // 5
    decision = cs.decide(y, scores, conditions=ESTIMATED, groups=pairs)
    trivial = [one for one in decision.strategies if one.strategy.model is None]
    assert {one.method for one in trivial} == {"none"}
    assert all(np.isnan([one.low, one.high, one.standard_error]).all() for one in trivial)
    counts = decision.outcomes(FLAG_NOBODY)
    assert (counts.true_positives.low, counts.flagged.low) == (0, 0)
    assert counts.false_negatives == Count(pytest.approx(200), None, None)
    told = "Every group has the same share of positives, so no interval says how far"
    assert told in f"{decision}"
    assert "exact" not in f"{decision}"
    compared = cs.compare_money(y, scores, conditions=ESTIMATED, groups=pairs)
    assert any(told in warning for warning in compared.warnings)
    # The rest is as with the prevalence that the rows have.
    given = cs.decide(y, scores, conditions=KNOWN, groups=pairs)
    for one, other in zip(decision.strategies, given.strategies, strict=True):
        if one.strategy.model is not None:
            assert (one.low, one.high) == pytest.approx((other.low, other.high))
    assert told not in f"{given}"
    assert told not in f"{cs.decide(y, scores, conditions=ESTIMATED, groups=np.arange(400) // 4)}"


def test_to_know_the_prevalence_tells_no_less_where_a_class_has_no_mistake():
    rng = np.random.default_rng(2)
    y = np.arange(150) % 3 == 0
    scores = {"m": y * 4.0 + rng.normal(size=150)}
    own = cs.decide(y, scores, conditions=cs.Deployment(1, 10), choices={"c": cs.ScoreFixed(1.2)})
    given = cs.Deployment(1, 10, 1 / 3)
    known = cs.decide(y, scores, conditions=given, choices={"c": cs.ScoreFixed(1.2)})
    for decision in (own, known):
        assert decision.recommendation.shown
        [one] = [one for one in decision.strategies if one.strategy.model == "m"]
        counts = decision.outcomes(one.strategy)
        # No positive is missed: no more of them may be than of a share of 50 rows that has none.
        assert counts.false_negatives.value == 0
        assert counts.false_negatives.high == pytest.approx(1000 / 3 * 3.8 / 53.8, rel=0.1)
        most = counts.false_positives.high + 10 * counts.false_negatives.high
        assert one.high < 1.1 * most


@pytest.mark.parametrize("share", [0.5, 0.8, 0.95])
def test_the_precision_of_a_queue_is_that_of_its_positives(share):
    y, scores = drawn(1000)
    queue = cs.RateFixed(share)
    decision = cs.decide(y, {"m": scores["m"]}, conditions=ESTIMATED, choices={"queue": queue})
    [one] = [one for one in decision.strategies if one.strategy.model == "m"]
    found = decision.outcomes(one.strategy)
    hits, precision = found.true_positives, found.precision
    for name in ("value", "low", "high"):
        assert getattr(precision, name) == pytest.approx(
            getattr(hits, name) / (1000 * share), rel=0.01
        )


def test_one_group_that_has_most_rows_leaves_few_groups():
    y, scores = drawn(1000)
    groups = np.where(np.arange(1000) < 850, 0, np.arange(1000) // 5)
    decision = cs.decide(y, scores, conditions=ESTIMATED, groups=groups)
    assert decision.evidence.units == 1
    told = "the rarer class is worth 1 group of equal size, and fewer than 5 say too little"
    assert told in f"{decision}"
