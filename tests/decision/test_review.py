"""Decisions with a third action against money counted by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace import ConditionError
from costspace.decision.strategy import REVIEW_EVERYBODY

RNG = np.random.default_rng(5)
N = 600
Y = RNG.random(N) < 0.25
S = np.round(1 / (1 + np.exp(-(1.8 * Y + RNG.normal(size=N) - 1.5))), 2)
REVIEW = cs.Review(cost=4, sensitivity=0.9, specificity=0.95)
COSTS = {"fp_cost": 20, "fn_cost": 100}


def table(review: cs.Review = REVIEW, **costs: float) -> np.ndarray:
    return np.asarray(review.table(**(COSTS | costs)).costs)


def money(rule: cs.Rule, y: np.ndarray, s: np.ndarray, costs: np.ndarray, p: float) -> float:
    """What a rule costs per 1,000 cases, each action of each class counted."""
    action = rule.applied(s)
    total = 0.0
    for row, (own, share) in enumerate([(~y, 1 - p), (y, p)]):
        for column, name in enumerate(("pass", "review", "flag")):
            total += 1000 * share * costs[row, column] * np.mean(action[own] == name)
    return total


def own_of(decision: cs.Decision):
    return {(one.strategy.model, one.strategy.name): one for one in decision.fits}


@pytest.mark.parametrize("p", [None, 0.1, (0.05, 0.4)])
@pytest.mark.parametrize("tp_cost", [0.0, -5.0])
def test_in_sample_money_is_counted(p, tp_cost: float) -> None:
    decision = cs.decide(Y, {"m": S}, **COSTS, tp_cost=tp_cost, prevalence=p, review=REVIEW)
    at = decision.task.conditions.mean_prevalence
    for fit in decision.fits:
        counted = money(fit.rule, Y, S, table(tp_cost=tp_cost), at)
        assert fit.in_sample == pytest.approx(counted, rel=1e-12), fit.strategy


def test_held_out_money_is_counted() -> None:
    half = np.arange(N) % 2 == 0
    decision = cs.decide(
        Y[half], {"m": S[half]}, **COSTS, review=REVIEW, validation=(Y[~half], {"m": S[~half]})
    )
    p = float(np.mean(Y[~half]))
    for fit in decision.fits:
        counted = money(fit.rule, Y[~half], S[~half], table(), p)
        assert fit.money == pytest.approx(counted, rel=1e-12), fit.strategy


def test_scores_that_are_trusted_have_the_thresholds_of_the_table() -> None:
    decision = cs.decide(Y, {"m": S}, **COSTS, review=REVIEW)
    rule = own_of(decision)["m", "score_driven"].rule
    steps = REVIEW.table(**COSTS).steps.costs
    assert rule.actions == ("pass", "review", "flag")
    cells = np.unique(S)
    assert [np.sum(cells > cut) for cut in rule.cuts] == [np.sum(cells > c) for c in steps]


def test_what_is_learnt_is_the_best_pair_on_the_rows() -> None:
    decision = cs.decide(Y, {"m": S}, **COSTS, review=REVIEW, choices=[cs.Optimal()])
    p, cuts = float(np.mean(Y)), [-np.inf, *np.unique(S)]
    pairs = [
        money(cs.Rule((low, high), ("pass", "review", "flag")), Y, S, table(), p)
        for i, low in enumerate(cuts)
        for high in cuts[i + 1 :]
    ]
    same = [money(cs.Rule(cut), Y, S, table(), p) for cut in cuts]
    found = own_of(decision)["m", "optimal"].in_sample
    assert found == pytest.approx(min(*pairs, *same), rel=1e-12)


def test_what_review_saves_is_told_with_its_interval() -> None:
    decision = cs.decide(Y, {"m": S}, **COSTS, review=REVIEW)
    text = decision.recommendation.text
    assert decision.choosing.best.strategy.reviews
    assert "review those above" in text
    assert "Reviews save" in text
    assert "are reviewed" in text
    assert decision.trivial["review_everybody"] == pytest.approx(
        1000 * ((1 - np.mean(Y)) * (4 + 0.05 * 20) + np.mean(Y) * (4 + 0.1 * 100))
    )


def test_without_a_review_nothing_changes() -> None:
    plain = cs.decide(Y, {"m": S}, **COSTS)
    dear = cs.decide(Y, {"m": S}, **COSTS, review=cs.Review(cost=17))
    assert [str(one.strategy) for one in dear.fits] == [str(one.strategy) for one in plain.fits]
    assert [one.money for one in dear.fits] == [one.money for one in plain.fits]
    assert (
        "No review is worth it: it would have to cost less than 16.7." in dear.recommendation.text
    )
    assert dear.outcomes().reviewed is None


def test_where_reviews_cost_too_much_for_these_rows_they_are_said_not_to_pay() -> None:
    decision = cs.decide(Y, {"m": S}, **COSTS, review=cs.Review(cost=16.5))
    assert (
        not decision.choosing.best.strategy.reviews or "not shown" in decision.recommendation.text
    )


def test_outcomes_are_those_of_the_rule() -> None:
    decision = cs.decide(Y, {"m": S}, **COSTS, review=REVIEW, prevalence=0.1)
    found, action = decision.outcomes(), decision.recommendation.rule.applied(S)
    for name, positive, negative in [
        ("pass", found.false_negatives, found.true_negatives),
        ("review", found.reviewed_positives, found.reviewed_negatives),
        ("flag", found.true_positives, found.false_positives),
    ]:
        assert positive.value == pytest.approx(1000 * 0.1 * np.mean(action[Y] == name))
        assert negative.value == pytest.approx(1000 * 0.9 * np.mean(action[~Y] == name))
        assert positive.low <= positive.value <= positive.high
    both = found.reviewed_positives.value + found.reviewed_negatives.value
    assert found.reviewed.value == pytest.approx(both)
    assert set(found.to_dict()) == {"flag", "review", "pass", "precision", "recall"}


def test_costs_of_each_case() -> None:
    amount = np.round(RNG.uniform(20, 400, N))
    costs = cs.CaseCosts(fp_cost=10 + 0.01 * amount, fn_cost=amount)
    decision = cs.decide(Y, {"m": S}, case_costs=costs, review=cs.Review(cost=5))
    fit = own_of(decision)["m", "score_driven"]
    fp, fn = np.asarray(costs.fp_cost), amount
    # Each case is decided by its own costs, with its score as the probability.
    each = np.stack([S * fn, np.full(N, 5.0), (1 - S) * fp])
    action = np.argmin(each, axis=0)
    paid = np.where(Y, [fn, np.full(N, 5.0), np.zeros(N)], [np.zeros(N), np.full(N, 5.0), fp])
    expected = 1000 * np.mean(paid[action, np.arange(N)])
    assert fit.in_sample == pytest.approx(expected, rel=1e-9)
    assert fit.money == pytest.approx(expected, rel=1e-9)


@given(st.floats(0.5, 15), st.sampled_from([0.7, 0.9, 1.0]), st.sampled_from([0.8, 1.0]))
def test_known_costs_are_a_sum_over_conditions(cost: float, found: float, kept: float) -> None:
    review = cs.Review(cost, found, kept)
    fps, fns, weights = np.array([10.0, 20, 40]), np.array([50.0, 200, 60]), np.array([1.0, 2, 1])
    known = cs.Scenarios(fps, fns, 0.2, weights=weights, review=review)
    decision = cs.decide(Y, {"m": S}, conditions=known, known="costs", choices=[cs.Optimal()])
    best = min(decision.fits, key=lambda fit: fit.in_sample)
    expected = 0.0
    for fp, fn, w in zip(fps, fns, weights / 4, strict=True):
        source = cs.ScoreTable.from_predictions(Y, S).with_prevalence(0.2)
        curve = cs.loss_curve(source, choice=cs.Optimal())
        expected += 1000 * w * review.table(fp_cost=fp, fn_cost=fn).cost(curve, 0.2)
    assert best.in_sample == pytest.approx(expected, rel=1e-9)
    money_of = cs.expected_money(Y, S, choice=cs.Optimal(), conditions=known)
    assert money_of == pytest.approx(expected, rel=1e-9)
    plain = cs.Scenarios(fps, fns, 0.2, weights=weights)
    alone = cs.decide(Y, {"m": S}, conditions=plain, known="costs", choices=[cs.Optimal()])
    if decision.task.reviews:
        unreviewed = own_of(decision)["m", "optimal_without_review"]
        assert unreviewed.money == own_of(alone)["m", "optimal"].money


def test_limits_are_of_what_is_flagged() -> None:
    limits = cs.Constraints(min_recall=0.8)
    decision = cs.decide(Y, {"m": S}, **COSTS, review=REVIEW, constraints=limits)
    for fit in decision.fits:
        if fit.feasible and fit.strategy.model:
            flagged = fit.rule.applied(S) == "flag"
            assert np.mean(flagged[Y]) >= 0.8
            counted = money(fit.rule, Y, S, table(), float(np.mean(Y)))
            assert fit.in_sample == pytest.approx(counted, rel=1e-12)


def test_intervals_bracket_and_differences_add_up() -> None:
    decision = cs.decide(Y, {"m": S}, **COSTS, review=REVIEW)
    best = decision.evidence.strategies[decision.fits.index(decision.choosing.best)]
    for one in decision.strategies:
        assert one.low <= one.money <= one.high
        if one.more is not None:
            assert one.more.difference == pytest.approx(one.money - best.money)
            assert one.more.low <= one.more.difference <= one.more.high
    trivial = next(one for one in decision.strategies if one.strategy == REVIEW_EVERYBODY)
    assert trivial.rule.applied(S).tolist() == ["review"] * N


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"review": 4}, "review must be a Review"),
        ({"review": REVIEW, "conditions": cs.Deployment(1, 2)}, "review and conditions"),
        ({**COSTS, "review": REVIEW, "randomise": True}, "--randomise"),
        (
            {
                "fp_cost": 20,
                "fn_cost": (50, 100),
                "known": "costs",
                "review": REVIEW,
                "constraints": cs.Constraints(min_recall=0.8),
            },
            "one rule for all conditions",
        ),
        (
            {"fp_cost": (1, 20), "fn_cost": 100, "known": "costs", "review": cs.Review(4)},
            "at some of the costs",
        ),
    ],
)
def test_refusals(options, said: str) -> None:
    with refused(ConditionError, said):
        cs.decide(Y, {"m": S}, **options)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"cost": 0}, "must be above 0"),
        ({"cost": -1}, "must be above 0"),
        ({"cost": "1"}, "cost of a review must be a number"),
        ({"cost": 1, "sensitivity": 1.2}, "sensitivity must be in [0, 1]"),
        ({"cost": 1, "specificity": (0.9, 1.2)}, "specificity must be in [0, 1]"),
    ],
)
def test_bad_reviews(values, said: str) -> None:
    with refused(ConditionError, said):
        cs.Review(**values)


def reviewed_by(rule: cs.Rule, p: float) -> float:
    """The share of cases that a rule reviews at a prevalence."""
    action = rule.applied(S) == "review"
    return float((1 - p) * np.mean(action[~Y]) + p * np.mean(action[Y]))


@pytest.mark.parametrize("capacity", [0.05, 0.2, 0.5])
def test_the_best_pair_within_a_capacity(capacity: float) -> None:
    limits, p = cs.Constraints(review_capacity=capacity), 0.2
    decision = cs.decide(
        Y,
        {"m": S},
        **COSTS,
        prevalence=p,
        review=REVIEW,
        constraints=limits,
        choices=[cs.Optimal()],
    )
    fit = own_of(decision)["m", "optimal"]
    places, cuts = decision.task.places_with_room, [-np.inf, *np.unique(S)]
    best = np.inf
    for i, low in enumerate(cuts):
        for high in cuts[i:]:
            rule = cs.Rule((low, high), ("pass", "review", "flag")) if low < high else cs.Rule(low)
            rates = [np.mean((rule.applied(S) == "review")[own]) for own in (~Y, Y)]
            point = cs.OperatingPoints(np.asarray(rates[0]), np.asarray(1 - rates[1]))
            if places.holds(point, p):
                best = min(best, money(rule, Y, S, table(), p))
    assert fit.in_sample == pytest.approx(best, rel=1e-12)
    assert reviewed_by(fit.rule, p) <= capacity


@pytest.mark.parametrize("capacity", [0.05, 0.2, 0.5])
def test_other_choices_review_where_it_saves_most(capacity: float) -> None:
    limits, p = cs.Constraints(review_capacity=capacity), float(np.mean(Y))
    decision = cs.decide(Y, {"m": S}, **COSTS, review=cs.Review(cost=4), constraints=limits)
    for name in ("score_driven", "smoothed"):
        fit = own_of(decision)["m", name]
        assert reviewed_by(fit.rule, p) <= capacity
        assert fit.in_sample == pytest.approx(money(fit.rule, Y, S, table(cs.Review(4)), p))
    # Those reviewed save most, if the score is the probability.
    rule = own_of(decision)["m", "score_driven"].rule
    saving = np.minimum((1 - S) * 20, S * 100)
    reviewed = rule.applied(S) == "review"
    assert saving[reviewed].min() >= saving[~reviewed].max()
    # And one more place would save the price.
    price = own_of(decision)["m", "score_driven"].price
    assert saving[~reviewed].max() <= 4 + price + 1e-9
    assert saving[reviewed].min() >= 4 + price - 1e-9


def test_a_capacity_of_each_day() -> None:
    limits = cs.Constraints(review_capacity=20, batch=200)
    decision = cs.decide(Y, {"m": S}, **COSTS, review=REVIEW, constraints=limits)
    assert limits.review_capacity == 0.1
    assert "review at most 10 %, in batches of 200 (a threshold may review" in str(limits)
    assert "One more place for a review is worth" in decision.recommendation.text
    (kept,) = decision.limits_kept()
    assert kept.name == "review_capacity"
    assert kept.status == "kept"
    assert kept.reached < 0.1


def test_a_capacity_by_case_has_one_price() -> None:
    amount = np.round(RNG.uniform(20, 400, N))
    costs = cs.CaseCosts(fp_cost=10 + 0.01 * amount, fn_cost=amount)
    limits = cs.Constraints(review_capacity=0.1)
    decision = cs.decide(
        Y, {"m": S}, case_costs=costs, review=cs.Review(cost=2), constraints=limits
    )
    fit = own_of(decision)["m", "score_driven"]
    assert 0.03 < np.mean(fit.part_reviewed(None)) <= 0.1
    saving = np.minimum((1 - S) * np.asarray(costs.fp_cost), S * amount)
    reviewed = fit.part_reviewed(None) > 0
    assert saving[reviewed].min() >= saving[~reviewed].max() - 1e-9
    assert fit.price == pytest.approx(saving[reviewed].min() - 2, abs=0.5)
    assert "One more place" in decision.recommendation.text


def test_a_capacity_needs_a_review() -> None:
    with refused(ConditionError, "--review-cost"):
        cs.decide(Y, {"m": S}, **COSTS, constraints=cs.Constraints(review_capacity=0.1))


def test_the_range_of_costs_is_that_of_all_ends() -> None:
    known = cs.Deployment((15, 25), (80, 120), 0.2, review=cs.Review((3, 5), (0.8, 0.95), 0.9))
    decision = cs.decide(Y, {"m": S}, conditions=known, baseline=("m", 0.3))
    best, use = decision.choosing.best, own_of(decision)["m", "baseline"]
    assert best.strategy.reviews
    margin, costs, saved = decision.evidence.margin, [], []
    for fp in (15, 25):
        for fn in (80, 120):
            for cost in (3, 5):
                for found in (0.8, 0.95):
                    table = cs.Review(cost, found, 0.9).table(fp_cost=fp, fn_cost=fn).costs
                    both = []
                    for fit in (best, use):
                        flagged, reviewed = fit.flagged, fit.reviewed
                        shares = np.stack([1 - flagged - reviewed, reviewed, flagged])
                        means = [np.mean(shares[:, own], axis=1) for own in (~Y, Y)]
                        both.append(1000 * (0.8 * table[0] @ means[0] + 0.2 * table[1] @ means[1]))
                    costs.append(both[0] + margin)
                    saved.append(both[1] - both[0] - margin)
    assert list(decision.cost_range) == pytest.approx([min(costs), max(costs)], rel=1e-12)
    assert list(decision.saving_range) == pytest.approx([min(saved), max(saved)], rel=1e-12)


def test_losses_by_condition_are_of_what_does_not_review() -> None:
    decision = cs.decide(Y, {"m": S}, **COSTS, review=REVIEW)
    assert not any(strategy.reviews for strategy in decision.losses())
    assert decision.dominance() is not None
    found = decision.to_dict(details=True)["recommendation"]
    assert found["reviewed_share"] == decision.outcomes().reviewed.value / 1000


def test_reviewing_everybody_costs_a_review_of_each_whether_it_pays_or_not() -> None:
    amount = np.where(np.arange(N) % 3 == 0, 6.0, 200.0)
    costs = cs.CaseCosts(fp_cost=10.0, fn_cost=amount)
    review = cs.Review(cost=5, sensitivity=0.9, specificity=0.8)
    decision = cs.decide(Y, {"m": S}, case_costs=costs, review=review)
    fit = next(one for one in decision.fits if one.strategy == REVIEW_EVERYBODY)
    each = np.where(Y, 5 + 0.1 * amount, 5 + 0.2 * 10.0)
    assert fit.money == pytest.approx(1000 * np.mean(each), rel=1e-12)
    assert fit.in_sample == pytest.approx(1000 * np.mean(each), rel=1e-12)
    assert decision.trivial["review_everybody"] == pytest.approx(fit.money, rel=1e-12)
    known = cs.Scenarios([20.0, 2.0], [100.0, 3.0], [0.2, 0.4], review=review)
    decision = cs.decide(Y, {"m": S}, conditions=known, known="costs,prevalence")
    expected = np.mean([0.8 * (5 + 0.2 * 20) + 0.2 * (5 + 0.1 * 100), 0.6 * 5.4 + 0.4 * 5.3])
    assert decision.trivial["review_everybody"] == pytest.approx(1000 * expected, rel=1e-12)


def test_two_draws_are_no_one_rule() -> None:
    decision = cs.decide(Y, {"m": S}, **COSTS, review=REVIEW, choices=[cs.RateDriven()])
    fit = own_of(decision)["m", "rate_driven"]
    assert fit.rule is None
    source = cs.ScoreTable.from_predictions(Y, S)
    curve = cs.loss_curve(source, choice=cs.RateDriven())
    expected = 1000 * REVIEW.table(**COSTS).cost(curve, source.prevalence)
    assert fit.in_sample == pytest.approx(expected, rel=1e-9)
    shares = [np.mean(fit.part_flagged(None)), np.mean(fit.part_reviewed(None))]
    action = decision.saved(fit.strategy).apply(S, seed=1).action
    assert [np.mean(action == name) for name in ("flag", "review")] == pytest.approx(
        shares, abs=0.03
    )


LIMITS = {"capacity": 0.05, "min_precision": 0.8, "max_fpr": 0.02, "min_recall": 0.6}


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("capacity", [0.05, 0.3])
@pytest.mark.parametrize("choice", [cs.ScoreDriven(), cs.Smoothed(), cs.Optimal()], ids=str)
def test_limits_beside_a_capacity_of_reviews_are_both_kept(name, capacity, choice) -> None:
    limits = cs.Constraints(**{name: LIMITS[name]}, review_capacity=capacity)
    decision = cs.decide(
        Y, {"m": S}, **COSTS, prevalence=0.25, review=REVIEW, constraints=limits, choices=[choice]
    )
    fit = next(one for one in decision.fits if one.strategy.reviews and one.strategy.model)
    assert fit.feasible
    action = fit.rule.applied(S)
    reviewed, flagged = (
        [np.mean((action == a)[own]) for own in (~Y, Y)] for a in ("review", "flag")
    )
    assert 0.75 * reviewed[0] + 0.25 * reviewed[1] <= capacity
    at = cs.OperatingPoints(np.asarray(flagged[0]), np.asarray(1 - flagged[1]))
    assert cs.Constraints(**{name: LIMITS[name]}).holds(at, 0.25)
    assert fit.in_sample == pytest.approx(money(fit.rule, Y, S, table(), 0.25), rel=1e-12)
    # Reviews find more places than without limits, and the best pair costs least.
    least = cs.decide(
        Y,
        {"m": S},
        **COSTS,
        prevalence=0.25,
        review=REVIEW,
        constraints=limits,
        choices=[cs.Optimal()],
    )
    best = own_of(least)["m", "optimal"].in_sample
    assert best <= fit.in_sample * (1 + 1e-12)


def test_a_rule_in_use_beyond_the_places_is_not_kept() -> None:
    limits = cs.Constraints(review_capacity=0.05)
    decision = cs.decide(
        Y, {"m": S}, **COSTS, review=REVIEW, constraints=limits, baseline=("m", 0.1, 0.7)
    )
    assert decision.strategy.name != "baseline"
    assert "review at most 5 %, not" in decision.recommendation.text


def test_what_is_told_of_a_decision_whose_costs_are_not_known() -> None:
    decision = cs.decide(Y, {"m": S}, fp_cost=(1, 20), fn_cost=(2, 50), review=cs.Review(4))
    assert decision.to_dict(details=True)["knowing_more"] is None


def test_rates_are_of_what_is_flagged() -> None:
    found = cs.decide(Y, {"m": S}, **COSTS, review=REVIEW).outcomes()
    fpr, fnr = found.rates
    assert fpr == pytest.approx(found.false_positives.value / (1000 * np.mean(~Y)))
    assert 1 - fnr == pytest.approx(found.true_positives.value / (1000 * np.mean(Y)))
    everybody = cs.decide(Y, {"m": S}, **COSTS, review=cs.Review(1e-3)).outcomes(REVIEW_EVERYBODY)
    assert everybody.rates == (0.0, 1.0)


def test_what_reviewing_everybody_costs_is_told_whatever_the_order_of_rows() -> None:
    amount = np.where(np.arange(N) % 3 == 0, 30.0, 200.0)
    ends = set()
    for order in (np.arange(N), np.arange(N)[::-1]):
        costs = cs.CaseCosts(fp_cost=10.0, fn_cost=amount[order])
        half = np.arange(N) % 2 == 0
        rows, other = (
            cs.ScoredRows.from_predictions(
                Y[order][own], {"m": S[order][own]}, case_costs=costs.take(np.flatnonzero(own))
            )
            for own in (half, ~half)
        )
        both = (rows, other) if order[0] == 0 else (other, rows)
        decision = cs.decide(both[0], review=cs.Review(5), validation=both[1])
        one = next(one for one in decision.strategies if one.strategy == REVIEW_EVERYBODY)
        more = one.more or next(o.more for o in decision.strategies if o.more is not None)
        ends.add((round(one.low, 6), round(one.high, 6), round(more.low, 6), round(more.high, 6)))
    assert len(ends) == 1
    assert next(iter(ends))[:2] == (5000.0, 5000.0)


@pytest.mark.parametrize("limit", [{"min_recall": 0.5}, {"capacity": 0.2}, {"max_fpr": 0.05}])
def test_one_rule_for_cases_of_some_of_which_no_review_is_worth_it(limit) -> None:
    amount = np.exp(np.random.default_rng(3).normal(2.5, 1.2, N))
    costs = cs.CaseCosts(fp_cost=20.0, fn_cost=amount)
    review = cs.Review(cost=6, sensitivity=0.95, specificity=0.9)
    assert not review.pays(costs.net_fp_cost, costs.net_fn_cost).all()
    decision = cs.decide(
        Y, {"m": S}, case_costs=costs, review=review, constraints=cs.Constraints(**limit)
    )
    looked = np.where(Y, 6 + 0.05 * amount, 6 + 0.1 * 20)
    paid = {
        "pass": np.where(Y, amount, 0.0),
        "review": looked,
        "flag": np.where(Y, 0.0, 20.0),
    }
    for fit in decision.fits:
        if fit.feasible and fit.strategy.reviews and fit.strategy.model:
            action = fit.rule.applied(S)
            counted = 1000 * np.mean([paid[a][i] for i, a in enumerate(action)])
            assert fit.in_sample == pytest.approx(counted, rel=1e-9)


def test_a_draw_beside_a_limit_reviews_no_fewer_than_nobody() -> None:
    decision = cs.decide(
        Y,
        {"m": S},
        fp_cost=2,
        fn_cost=20,
        review=cs.Review(0.5),
        choices=[cs.RateDriven()],
        constraints=cs.Constraints(min_recall=0.8),
    )
    for fit in decision.fits:
        if fit.feasible:
            assert fit.part_reviewed(None).min() >= 0
            assert fit.reviewed.min() >= 0


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("limit", [{"min_recall": 0.55}, {"max_fpr": 0.3}, {"min_precision": 0.6}])
def test_the_optimal_choice_has_the_best_pair_within_limits(limit, seed) -> None:
    rng = np.random.default_rng(seed)
    y, s = np.append(rng.integers(0, 2, 22), [0, 0, 1, 1]) == 1, rng.integers(0, 9, 26) / 10
    review, limits = cs.Review(1), cs.Constraints(**limit)
    options = {"review": review, "constraints": limits, "choices": [cs.Optimal()], "folds": 2}
    decision = cs.decide(y, {"m": s}, fp_cost=2, fn_cost=10, **options)
    fit = next(one for one in decision.fits if one.strategy.reviews and one.strategy.model)
    if not fit.feasible:
        return
    costs, held = review.table(fp_cost=2, fn_cost=10).costs, decision.task.limits_with_room
    cuts, best = [-np.inf, *np.unique(s)], np.inf
    for i, low in enumerate(cuts):
        for high in cuts[i:]:
            flagged, acted = s > high, s > low
            if high == -np.inf:
                flagged = np.ones(26, bool)
            if low == -np.inf:
                acted = np.ones(26, bool)
            at = [np.asarray(np.mean(flagged[own])) for own in (~y, y)]
            if held.holds(cs.OperatingPoints(at[0], 1 - at[1]), float(np.mean(y))):
                column = flagged.astype(int) + acted
                best = min(best, 1000 * np.mean(costs[y.astype(int), column]))
    assert fit.in_sample == pytest.approx(best, rel=1e-12)


def test_the_thresholds_that_are_told_have_the_price_of_a_place() -> None:
    amount = np.round(RNG.uniform(20, 400, N))
    costs = cs.CaseCosts(fp_cost=10 + 0.01 * amount, fn_cost=amount)
    free, held = (
        cs.decide(Y, {"m": S}, case_costs=costs, review=cs.Review(2), constraints=limits)
        for limits in (cs.Constraints(), cs.Constraints(review_capacity=0.05))
    )
    rules = [own_of(decision)["m", "score_driven"].passing.usual for decision in (free, held)]
    assert rules[0][0].cuts[0] < rules[1][0].cuts[0]


def test_places_for_nobody_leave_the_rule_without_a_review() -> None:
    limits = cs.Constraints(review_capacity=0.1, batch=4)
    decision = cs.decide(Y, {"m": S}, **COSTS, review=REVIEW, constraints=limits)
    found = own_of(decision)
    for name in ("score_driven", "smoothed"):
        assert found["m", name].rule == found["m", f"{name}_without_review"].rule
        alone = found["m", f"{name}_without_review"].money
        assert found["m", name].money == pytest.approx(alone, rel=1e-12)
    assert "No case is reviewed" in decision.recommendation.text


@pytest.mark.parametrize("costs", [(200, 2000, 60), (3, 7, 0.3), (2, 10, 0.5), (200, 2000, 15)])
def test_a_perfect_reviewer_of_everybody_costs_what_that_costs(costs) -> None:
    fp, fn, cost = costs
    decision = cs.decide(Y, {"m": S}, fp_cost=fp, fn_cost=fn, review=cs.Review(cost))
    one = next(one for one in decision.strategies if one.strategy == REVIEW_EVERYBODY)
    assert (one.low, one.high, one.method) == (one.money, one.money, "known")


@pytest.mark.parametrize(
    "actions",
    [
        {"pass": "a", "review": "b", "flag": "c"},
        {"a", "b", "c"},
        ("flag", "review", "pass"),
        ("pass", "flag", "review"),
        ("a", "a ", "b"),
    ],
    ids=["mapping", "set", "turned", "crossed", "alike"],
)
def test_words_for_actions_have_an_order(actions) -> None:
    with refused(ConditionError, "actions (--actions)"):
        cs.decide(Y, {"m": S}, **COSTS, review=REVIEW, actions=actions)
