"""The decision: against trying every threshold at every condition, and what must hold of it."""

import json
import pickle
from itertools import pairwise
from statistics import NormalDist

import numpy as np
import pytest
from brute_force_decision import (
    BY_SKEW,
    Sample,
    conditions_of,
    log_odds_grid,
    log_uniform_grid,
    mean_money,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from two_models import drawn, knowing

import costspace as cs

# Off round numbers, so that no condition falls on a score.
FP, FN = [1.0, 1.7031], [2.0307, 5.0711, 20.113]
PREVALENCES = [0.0511, 0.2071, 0.4117]
RANGE = cs.Deployment(1, (2, 20), (0.05, 0.4))


def choices_of(methods, calibrated_to):
    """The choices of the papers, by the names that brute force has for them."""
    found = {
        "score_fixed": cs.ScoreFixed(),
        "score_driven": cs.ScoreDriven(calibrated_to),
        "score_driven_uncorrected": cs.ScoreDriven(),
        "rate_driven": cs.RateDriven(),
        "optimal": cs.Optimal(),
    }
    return {name: found[name] for name in methods}


WITH_THRESHOLD = [
    *("score_fixed", "score_driven", "score_driven_uncorrected", "rate_driven", "optimal"),
]
Y, S = drawn(1)
OTHER = drawn(2)
SAMPLES = {name: Sample(Y, s) for name, s in S.items()}
OTHERS = {name: Sample(OTHER[0], s) for name, s in OTHER[1].items()}


def known(prevalences=PREVALENCES, tp=-0.7, tn=0.13):
    """The same conditions for the library and for brute force."""
    conditions = cs.Deployment(
        cs.Drawn(FP), cs.Drawn(FN), cs.Drawn(prevalences), tp_cost=tp, tn_cost=tn
    )
    return conditions, conditions_of(FP, FN, prevalences, [tp], [tn])


def assert_same(one, other):
    """Two plain values of the same names and, up to rounding, the same numbers."""
    if isinstance(other, dict):
        assert one.keys() == other.keys()
        for name, expected in other.items():
            assert_same(one[name], expected)
    elif isinstance(other, list):
        for mine, expected in zip(one, other, strict=True):
            assert_same(mine, expected)
    else:
        assert one == (pytest.approx(other, rel=1e-9) if isinstance(other, float) else other)


def in_sample(decision, model, choice):
    """What a strategy costs on the rows that chose it; None if nothing keeps to the limits."""
    own = (model, choice)
    (fit,) = (one for one in decision.fits if (one.strategy.model, one.strategy.name) == own)
    return fit.in_sample


def held_out_points(name, method, conditions, calibrated_to):
    """Where thresholds chosen on one sample work on the other, at each condition."""
    train, test = SAMPLES[name], OTHERS[name]
    for one in conditions:
        odds = one.skew / (1 - one.skew) * calibrated_to / (1 - calibrated_to)
        thresholds = {
            "score_fixed": 0.5,
            "score_driven": odds / (1 + odds),
            "score_driven_uncorrected": one.a / (one.a + one.b),
        }
        if method in thresholds:
            yield test.rate_at(thresholds[method])
        else:
            yield train.carried(train.rule(method, one, calibrated_to), test)


def held_out_money(conditions, methods, calibrated_to):
    """What each model with each method costs on the other sample, condition by condition."""
    found = {
        (None, "flag_nobody"): [one.money(0, 1) for one in conditions],
        (None, "flag_everybody"): [one.money(1, 0) for one in conditions],
    }
    for name in SAMPLES:
        for method in methods:
            points = held_out_points(name, method, conditions, calibrated_to)
            found[name, method] = [
                one.money(*point) for one, point in zip(conditions, points, strict=True)
            ]
    return {key: np.array(money) for key, money in found.items()}


@pytest.mark.parametrize("prevalences", [[0.2071], PREVALENCES])
def test_cost_of_every_method(prevalences):
    conditions, all_of_them = known(prevalences)
    methods = WITH_THRESHOLD if len(prevalences) == 1 else BY_SKEW
    decision = knowing(
        *(Y, S), conditions=conditions, choices=choices_of(methods, 0.3), validation=OTHER
    )
    for name, sample in SAMPLES.items():
        for method in methods:
            expected = mean_money(
                all_of_them,
                lambda one, method=method, sample=sample: sample.point(
                    sample.rule(method, one, 0.3)
                ),
            )
            assert in_sample(decision, name, method) == pytest.approx(expected, rel=1e-11), method
    for rule, point in (("flag_nobody", (0, 1)), ("flag_everybody", (1, 0))):
        expected = mean_money(all_of_them, lambda _, point=point: point)
        assert decision.trivial[rule] == pytest.approx(expected, rel=1e-12)


def test_cost_over_intervals_against_a_fine_grid():
    choices = choices_of(BY_SKEW, Y.mean())
    decision = knowing(*(Y, S), conditions=RANGE, choices=choices, validation=OTHER)
    grid = conditions_of([1.0], log_uniform_grid(2, 20, 40), log_odds_grid(0.05, 0.4, 40))
    for name, sample in SAMPLES.items():
        for method in BY_SKEW:
            expected = mean_money(
                grid,
                lambda one, method=method, sample=sample: sample.point(
                    sample.rule(method, one, Y.mean())
                ),
            )
            found = in_sample(decision, name, method)
            assert found == pytest.approx(expected, rel=4e-3), method


LIMITS = [
    {"capacity": 0.2},
    {"min_precision": 0.5},
    {"min_recall": 0.7},
    {"min_npv": 0.9},
    {"max_fpr": 0.1},
    {"capacity": 0.3, "min_recall": 0.45},
    {"min_precision": 0.2, "min_npv": 0.6, "max_fpr": 0.5},
    {"min_recall": 1},
    {"min_precision": 1},
    {"capacity": 0},
]


# Rules that do not draw have a margin for chance, in each of the models.
ROOM = {"quantile": NormalDist().inv_cdf(1 - 0.05 / len(SAMPLES))}


@pytest.mark.parametrize("randomise", [True, False])
@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_constrained_optima(limits, randomise):
    conditions, all_of_them = known()
    given = {
        "conditions": conditions,
        "constraints": cs.Constraints(**limits),
        "choices": [cs.Optimal()],
        "randomise": randomise,
        "validation": OTHER,
    }
    decision, single = knowing(Y, S, **given), cs.decide(Y, S, **given)
    ends = [PREVALENCES[0], PREVALENCES[-1]]
    room = {} if randomise else ROOM
    for name, sample in SAMPLES.items():
        best = sample.best_within if randomise else sample.best_cut_within
        rules = [
            best((1 - one.p) * one.a, one.p * one.b, limits, [one.p], **room) for one in all_of_them
        ]
        found = in_sample(decision, name, "optimal")
        if any(rule is None for rule in rules):
            assert found is None
        else:
            by_condition = dict(zip(all_of_them, rules, strict=True))
            expected = mean_money(
                all_of_them, lambda one, by=by_condition, sample=sample: sample.point(by[one])
            )
            assert found == pytest.approx(expected, rel=1e-9)

        negative = sum(one.probability * (1 - one.p) * one.a for one in all_of_them)
        positive = sum(one.probability * one.p * one.b for one in all_of_them)
        rule = best(negative, positive, limits, ends, **room)
        found = in_sample(single, name, "optimal")
        assert (found is None) == (rule is None)
        if found is not None:
            expected = mean_money(all_of_them, lambda _, r=rule, of=sample: of.point(r))
            assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("randomise", [True, False])
@pytest.mark.parametrize("limits", LIMITS[:4], ids=str)
def test_methods_move_to_the_nearest_feasible_rule(limits, randomise):
    prevalence = 0.2071
    conditions, all_of_them = known([prevalence])
    decision = knowing(
        *(Y, S),
        conditions=conditions,
        constraints=cs.Constraints(**limits),
        randomise=randomise,
        choices=choices_of(("score_fixed", "score_driven", "rate_driven"), Y.mean()),
        validation=OTHER,
    )
    name, sample = "tied", SAMPLES["tied"]
    for method in ("score_fixed", "score_driven", "rate_driven"):
        if method == "rate_driven" and not randomise:
            continue
        rules = {
            one: sample.moved(
                sample.rule(method, one, Y.mean()),
                limits,
                [prevalence],
                prevalence,
                randomise=randomise,
                **({} if randomise else ROOM),
            )
            for one in all_of_them
        }
        expected = mean_money(all_of_them, lambda one, rules=rules: sample.point(rules[one]))
        found = in_sample(decision, name, method)
        assert found == pytest.approx(expected, rel=2e-3 if randomise else 1e-11), method


@pytest.mark.parametrize("prevalences", [[0.2071], PREVALENCES])
def test_recommendation_on_other_rows(prevalences):
    conditions, all_of_them = known(prevalences)
    methods = WITH_THRESHOLD if len(prevalences) == 1 else BY_SKEW
    decision = knowing(
        *(Y, S), conditions=conditions, validation=OTHER, choices=choices_of(methods, 0.4)
    )
    money = held_out_money(all_of_them, methods, 0.4)
    weight = np.array([one.probability for one in all_of_them])
    expected = {key: weight @ values for key, values in money.items()}

    found = {(one.strategy.model, one.strategy.name): one.money for one in decision.fits}
    assert found == pytest.approx(expected, rel=1e-11)

    # Chosen on the rows that thresholds are chosen on, and not on those that it is judged on.
    recommended = decision.recommendation
    own = expected[recommended.model, recommended.choice]
    assert recommended.money == pytest.approx(own, rel=1e-11)
    assert decision.choosing.best.in_sample == pytest.approx(
        min(fit.in_sample for fit in decision.fits), rel=1e-11
    )


def test_losses_by_condition_and_whose_are_least():
    choices = choices_of(BY_SKEW, Y.mean())
    decision = knowing(Y, S, conditions=RANGE, validation=OTHER, choices=choices)
    skews = np.linspace(RANGE.skew_range.low, RANGE.skew_range.high, 802)[1:-1]
    # At prevalence 1/2 and a + b = 1 a skew is a cost proportion.
    conditions = [one for z in skews for one in conditions_of([z], [1 - z], [0.5])]
    money = held_out_money(conditions, BY_SKEW, Y.mean())
    losses = decision.losses()
    assert {(one.model, one.name) for one in losses} == set(money)
    for one, curve in losses.items():
        expected = money[one.model, one.name] / 500
        assert curve(skews) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    of_models = [
        np.min([values for (name, _), values in money.items() if name == model], axis=0)
        for model in S
    ]
    found, names = decision.dominance(), np.array(list(S))
    for z, costs in zip(skews, np.transpose(of_models), strict=True):
        best = found.best[np.searchsorted(found.breaks, z) - 1]
        assert set(best) & set(names[costs <= costs.min() + 1e-9])
    # They are of what would be known, whatever is.
    unknown = cs.decide(Y, S, conditions=RANGE, validation=OTHER, choices=choices)
    assert unknown.dominance().breaks.tolist() == found.breaks.tolist()


def test_score_driven_thresholds_beat_optimal_ones_on_calibrated_scores():
    rng = np.random.default_rng(7)

    def calibrated(rows):
        score = rng.beta(1, 2, rows)
        return (rng.random(rows) < score).astype(int), {"model": score}

    (y, scores), other = calibrated(40), calibrated(4000)
    conditions = cs.Deployment(1, (1, 10), 0.33)
    choices = choices_of(("score_driven", "optimal"), 0.33)
    decision = knowing(y, scores, conditions=conditions, validation=other, choices=choices)
    trusting, optimal = (
        next(fit for fit in decision.fits if fit.strategy.name == name)
        for name in ("score_driven", "optimal")
    )
    assert optimal.in_sample < trusting.in_sample
    assert trusting.money < 0.97 * optimal.money
    assert decision.basis == "validation rows"


@given(st.data())
@settings(max_examples=5, deadline=None)
def test_constraints_that_bind_nothing_change_nothing(data):
    y, s = drawn(data.draw(st.integers(0, 10**6)), n=30)
    given = {"conditions": RANGE, "choices": choices_of(BY_SKEW, 0.3), "validation": OTHER}
    free = knowing(y, s, **given)
    loose = knowing(y, s, **given, constraints=cs.Constraints(capacity=1, min_precision=0))
    found, expected = loose.to_dict(details=True), free.to_dict(details=True)
    assert found.pop("limits") == {"capacity": 1, "min_precision": 0}
    assert expected.pop("limits") == {}
    assert [one["status"] for one in found.pop("limits_kept")] == ["kept", "kept"]
    assert expected.pop("limits_kept") == []
    assert found == expected


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("capacity", [0.6, 0.3, 0.1, 0]),
        ("min_precision", [0.2, 0.5, 0.8, 1]),
        ("min_recall", [0.2, 0.6, 0.9, 1]),
        ("min_npv", [0.6, 0.8, 0.95, 1]),
        ("max_fpr", [0.5, 0.2, 0.05, 0]),
    ],
)
@pytest.mark.parametrize("prevalence", [0.2, cs.Drawn(PREVALENCES)])
def test_tightening_a_constraint_never_saves(name, limits, prevalence):
    conditions = cs.Deployment(1, (2, 20), prevalence)
    for seen in ("costs,prevalence", ()):
        decisions = [
            cs.decide(
                Y,
                S,
                conditions=conditions,
                constraints=constraints,
                choices=[cs.Optimal()],
                known=seen,
                randomise=True,
                validation=OTHER,
            )
            for constraints in (cs.Constraints(), *(cs.Constraints(**{name: x}) for x in limits))
        ]
        for model in S:
            costs = [in_sample(decision, model, "optimal") for decision in decisions]
            assert all(later >= sooner - 1e-9 for sooner, later in pairwise(costs))


@pytest.mark.parametrize("limits", [{"capacity": 0.1}, {"min_precision": 0.3}])
def test_a_prevalence_may_come_close_to_0_under_limits(limits):
    near, at = (
        knowing(
            Y,
            S,
            conditions=cs.Deployment(1, 5, cs.Uniform(low, 0.2)),
            constraints=cs.Constraints(**limits),
            choices=[cs.Optimal()],
            randomise=True,
            validation=OTHER,
        )
        for low in (1e-9, 0.0)
    )
    for one, other in zip(near.strategies, at.strategies, strict=True):
        assert one.money == pytest.approx(other.money, rel=1e-6)


def test_costs_of_each_case_that_are_all_the_same():
    n = len(Y)
    costs = cs.CaseCosts(np.full(n, 1.3), np.full(n, 6.1), np.full(n, -0.4), np.full(n, 0.2))
    given = {"choices": choices_of(BY_SKEW, Y.mean()), "folds": 2}
    by_case = knowing(Y, S, case_costs=costs, prevalence=(0.05, 0.4), **given)
    conditions = cs.Deployment(1.3, 6.1, (0.05, 0.4), tp_cost=-0.4, tn_cost=0.2)
    ordinary = knowing(Y, S, conditions=conditions, **given)
    for mine, theirs in zip(by_case.fits, ordinary.fits, strict=True):
        assert mine.money == pytest.approx(theirs.money, rel=1e-9)
        assert mine.in_sample == pytest.approx(theirs.in_sample, rel=1e-9)
    assert by_case.trivial == pytest.approx(ordinary.trivial, rel=1e-12)


@pytest.mark.parametrize("limits", [{}, {"capacity": 0.25}])
def test_scaling_all_costs_scales_the_money_only(limits):
    constraints, by = cs.Constraints(**limits), 128

    def decided(scale):
        conditions = cs.Deployment(scale, (2 * scale, 20 * scale), cs.Drawn(PREVALENCES))
        return cs.decide(
            *(Y, S),
            conditions=conditions,
            constraints=constraints,
            choices=choices_of(BY_SKEW, Y.mean()),
            validation=OTHER,
        )

    one, other = decided(1), decided(by)
    assert one.recommendation.choice == other.recommendation.choice
    assert by * one.recommendation.money == pytest.approx(other.recommendation.money)
    for mine, theirs in zip(one.fits, other.fits, strict=True):
        assert mine.feasible == theirs.feasible
        if mine.feasible:
            assert by * mine.in_sample == pytest.approx(theirs.in_sample, rel=1e-9)
        assert mine.rule == theirs.rule


def test_nothing_is_feasible():
    limits = cs.Constraints(capacity=0.1, min_recall=0.9)
    decision = knowing(Y, S, conditions=RANGE, constraints=limits, validation=OTHER)
    recommended = decision.recommendation
    assert (recommended.model, recommended.choice, recommended.money) == (None, None, None)
    assert recommended.text == (
        "Loosen a limit. Nothing keeps to the limits: at prevalence 0.4, recall of at least 90 % "
        "flags at least 36 % of the cases, above 10 %, whatever the model."
    )
    assert decision.losses() is None
    assert {fit.in_sample for fit in decision.fits} == {None}
    result = json.loads(json.dumps(decision.to_dict(details=True), allow_nan=False))
    assert result["dominance"] == []


def test_outside_zero_and_one_scores_are_no_probabilities():
    scores = {"margin": 4 * S["fine"] - 2, "infinite": np.where(S["fine"] > 0.6, np.inf, 0.0)}
    result = cs.decide(Y, scores, conditions=RANGE).to_dict(details=True)
    compared = {(one["model"], one["choice"]) for one in result["strategies"] if one["model"]}
    assert compared == {("margin", "smoothed"), ("infinite", "smoothed")}
    json.dumps(result, allow_nan=False)


KEYS = [
    *(
        "version",
        "recommendation",
        "strategies",
        "baseline",
        "trivial",
        "knowing_more",
        "limits",
    ),
    *("condition", "assumptions", "dominance"),
]


@given(st.data())
@settings(max_examples=6)
def test_dictionary(data):
    seed = data.draw(st.integers(0, 10**6))
    y, s = drawn(seed, n=data.draw(st.sampled_from([12, 40])))
    limits = data.draw(
        st.dictionaries(
            st.sampled_from(["capacity", "min_precision", "min_recall", "min_npv", "max_fpr"]),
            st.sampled_from([0, 0.1, 0.5, 0.9, 1]),
            max_size=2,
        )
    )
    conditions = data.draw(st.sampled_from([known()[0], cs.Deployment(1, (1e3, 1e9), 1e-7)]))
    given_limits = {"conditions": conditions, "constraints": cs.Constraints(**limits)}
    decision = cs.decide(y, s, **given_limits, folds=2)
    result = decision.to_dict(details=True)
    assert set(KEYS) <= set(result)
    assert list(result["trivial"]) == ["flag_nobody", "flag_everybody"]
    text = json.dumps(result, allow_nan=False)
    again = cs.decide(y, s, **given_limits, folds=2)
    assert json.dumps(again.to_dict(details=True)) == text
    assert json.dumps(pickle.loads(pickle.dumps(decision)).to_dict(details=True)) == text


def test_costs_are_given_as_those_of_a_deployment():
    costs = {"fp_cost": 1, "fn_cost": (5, 20), "tp_cost": -1, "prevalence": (0.1, 0.3)}
    known = cs.Deployment(**costs)
    assert str(cs.decide(Y, S, **costs)) == str(cs.decide(Y, S, conditions=known))
    saved = cs.compare_money(Y, S, fp_cost=1, fn_cost=5)
    assert saved.text == cs.compare_money(Y, S, conditions=cs.Deployment(1, 5)).text


def test_bad_input():
    known_costs = {"conditions": RANGE}
    with refused(cs.ConditionError, "what decisions cost is needed"):
        cs.decide(Y, S)
    with refused(cs.ConditionError, "conditions and case_costs are both given"):
        cs.decide(Y, S, case_costs=cs.CaseCosts(1, 5), **known_costs)
    with refused(cs.ConditionError, "case_costs must be CaseCosts, got 4: give CaseCosts(fp_cost"):
        cs.decide(Y, S, case_costs=4)
    with refused(cs.ConditionError, "conditions and prevalence are both given"):
        cs.decide(Y, S, prevalence=0.2, **known_costs)
    with refused(cs.ConditionError, "conditions and fp_cost are both given"):
        cs.decide(Y, S, fp_cost=1, **known_costs)
    with refused(cs.ConditionError, "case_costs and fp_cost are both given"):
        cs.decide(Y, S, case_costs=cs.CaseCosts(1, 5), fp_cost=1, fn_cost=5)
    with refused(cs.ConditionError, "fn_cost is missing beside fp_cost and tn_cost"):
        cs.decide(Y, S, fp_cost=1, tn_cost=-1)
    with refused(cs.ConditionError, "conditions must be a Deployment or Scenarios"):
        cs.decide(Y, S, conditions=0.2)
    with refused(cs.ConditionError, "constraints must be Constraints, got 0.2"):
        cs.decide(Y, S, constraints=0.2, **known_costs)
    with refused(cs.ScoreError, "validation must be a tuple of labels and scores"):
        cs.decide(Y, S, validation=3, **known_costs)
    with refused(cs.ScoreError, "there are no scores of 'tied'"):
        cs.decide(Y, S, validation=(Y, {"fine": S["fine"]}), **known_costs)
    with refused(cs.ConditionError, "calibrated_to"):
        cs.decide(Y, S, calibrated_to=1, **known_costs)
    with refused(cs.LabelError, "cross-validation needs 2 rows of each class"):
        cs.decide([0, 0, 1], [0.1, 0.2, 0.3], **known_costs)
