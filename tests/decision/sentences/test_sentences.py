"""What a recommendation says besides its cost."""

import re

import numpy as np
import pytest

import costspace as cs
from costspace.decision.sentences.recommended import _by_condition, instruction
from costspace.decision.sentences.varying import where_flagged

RNG = np.random.default_rng(3)
Y = np.arange(800) % 4 == 0
GOOD, POOR = RNG.normal(2.0 * Y), RNG.normal(0.3 * Y)
KNOWN = cs.Deployment(1, 5, 0.25)


def decided(scores, **more):
    return cs.decide(Y, scores, **{"conditions": KNOWN} | more)


@pytest.mark.parametrize(
    ("recall", "told"),
    [
        (0.7, "It saves "),
        (0.82, "It is not shown to save money against the rule in use: "),
    ],
)
def test_the_rule_in_use_is_compared_without_a_minus(recall, told):
    in_use = ("m", float(np.quantile(GOOD[Y], 1 - recall)))
    decision = decided({"m": GOOD}, baseline=in_use, choices=[cs.Smoothed()])
    more = decision.evidence.more(decision.task.baseline)
    (sentence,) = [one for one in decision.recommendation.sentences if "rule in use" in one]
    assert sentence.startswith(told)
    assert "costs -" not in sentence
    assert "saves -" not in sentence
    side = "lost" if more.difference < 0 else "saved"
    assert (f" {side} (" in sentence) == (more.low <= 0)


def test_no_model_costs_less_than_the_recommended_one():
    told = 0
    for seed in range(20):
        generator = np.random.default_rng(seed)
        y = np.arange(90) % 3 == 0
        decision = cs.decide(
            y, {name: generator.normal(1.2 * y) for name in "abc"}, conditions=KNOWN
        )
        for text in decision.recommendation.sentences:
            if text.startswith(("The next best model", "No clear winner")):
                assert "costs -" not in text
                assert " less (" not in text
                told += 1
    assert told


def test_the_margin_is_told_in_one_line_where_digits_show_it():
    seen = set()
    for seed in range(5):
        generator = np.random.default_rng(seed)
        y = np.arange(120) % 3 == 0
        scores = {name: generator.normal(1.2 * y) for name in "abcd"}
        decision = cs.decide(y, scores, conditions=KNOWN)
        found, margin = decision.recommendation, decision.evidence.margin
        told = re.fullmatch(
            r"Costs include a margin of ([\d.]+), because the best of several is partly lucky\.",
            found.choosing,
        )
        seen.add(told is not None)
        assert (margin >= 0.5) == (told is not None)
        assert told is None or float(told[1]) == pytest.approx(margin, abs=0.5)
        assert decision.to_dict()["evidence"]["margin"] == margin
    assert True in seen
    alone = decided({"m": GOOD}, choices=[cs.Smoothed()])
    assert alone.recommendation.choosing == ""


@pytest.mark.parametrize("prevalence", [None, 0.1])
@pytest.mark.parametrize("choice", ["score_driven", "smoothed"])
def test_most_thresholds_of_cases_with_costs_of_their_own_are_told(prevalence, choice):
    rng = np.random.default_rng(1)
    p = rng.random(900) ** 3
    y, margin, loss = rng.random(900) < p, rng.uniform(1, 3, 900), rng.uniform(5, 40, 900)
    choices = {"score_driven": cs.ScoreDriven(float(y.mean())), "smoothed": cs.Smoothed()}
    decision = cs.decide(
        *(y, {"m": p}),
        case_costs=cs.CaseCosts(fp_cost=margin, fn_cost=loss),
        prevalence=prevalence,
        choices={choice: choices[choice]},
    )
    own = np.quantile(margin / (margin + loss), [0.1, 0.9], method="inverted_cdf")
    found = decision.rules.rules(own, np.full(2, prevalence or y.mean())).each()
    low, high = (f"{rule.cuts[0]:.3g}" for rule in found)
    assert float(low) < float(high)
    instruction = decision.recommendation.instruction
    assert instruction.endswith(f": each case's costs set its threshold, mostly {low} to {high}.")
    if choice == "score_driven" and prevalence is None:
        assert [float(low), float(high)] == pytest.approx(own, rel=0.01)


def test_cases_of_one_cost_have_one_threshold_and_weights_count():
    y, s = np.arange(400) % 4 == 0, RNG.random(400)
    rare = np.where(np.arange(400) % 10 == 0, 1000.0, 2.0)
    weight = np.where(rare == 1000, 1e-9, 1.0)
    choices = {"score_driven": cs.ScoreDriven(float(weight[y].sum() / weight.sum()))}
    for costs in (cs.CaseCosts(1.0, np.full(400, 2.0)), cs.CaseCosts(1.0, rare)):
        decision = cs.decide(y, {"m": s}, case_costs=costs, choices=choices, sample_weight=weight)
        fit = next(fit for fit in decision.fits if fit.strategy.model == "m")
        assert [rule.cuts for rule in fit.usual] == [pytest.approx((1 / 3,), rel=1e-6)] * 2
        said = instruction(fit, shown=True)
        # Cases that weigh next to nothing have thresholds of their own still.
        alike = np.ptp(costs.fn_cost) == 0
        own = "flag scores above 0.3333333333333333" if alike else "each case's costs set its"
        assert said.startswith(f"Use m (score-driven): {own}")


@pytest.mark.parametrize(
    ("limits", "who"), [({"min_precision": 0.99}, "nobody"), ({"min_recall": 0.995}, "everybody")]
)
def test_where_limits_leave_models_nothing_to_tell_apart_it_is_said(limits, who):
    # One threshold beside the ends keeps to either limit, without a margin.
    poor = np.select([np.arange(800) == 4, np.arange(800) == 8], [-9, 9], POOR)
    constraints, told = cs.Constraints(**limits), f"within the limits models can only flag {who}."
    found = decided({"poor": poor}, constraints=constraints).recommendation
    assert found.choice == f"flag_{who}"
    assert f"With a margin for chance, {told} Without a margin: --randomise." in found.sentences
    grouped = decided({"poor": poor}, constraints=constraints, groups=np.arange(800) // 2)
    rows = "With a margin for chance, for which each group counts as one row,"
    assert f"{rows} {told} Without a margin: --randomise." in grouped.recommendation.text
    assert "The best model" not in found.text
    drawn = decided({"poor": poor}, constraints=constraints, randomise=True).recommendation
    assert "margin for chance" not in drawn.text
    free = decided({"poor": POOR}).recommendation
    assert "within the limits" not in free.text


def test_draws_are_not_advised_where_none_keeps_to_the_limits():
    known = {"conditions": cs.Deployment(1, 9, 0.2), "constraints": cs.Constraints(capacity=0)}
    told = cs.decide(Y, {"poor": POOR}, **known).recommendation.sentences
    assert "Within the limits models can only flag nobody." in told


def test_limits_that_no_model_can_keep_to_are_told_by_their_numbers():
    limits = cs.Constraints(capacity=0.2, min_recall=0.9)
    never = decided({"m": GOOD}, constraints=limits).recommendation
    assert never.sentences[0] == "Loosen a limit."
    assert (
        "at prevalence 0.25, recall of at least 90 % flags at least 22.5 % of the cases, "
        "above 20 %, whatever the model."
    ) in never.text
    perhaps = decided({"m": POOR}, constraints=cs.Constraints(capacity=0.23, min_recall=0.9))
    told = perhaps.recommendation.sentences
    assert told[0] == "Loosen a limit, or find a model that ranks better."
    assert "whatever the model" not in told[1]


@pytest.mark.parametrize("randomise", [False, True])
def test_where_no_model_keeps_to_limits_the_nearest_is_named_with_what_it_reaches(randomise):
    sharp = np.where(Y & (RNG.random(800) < 0.5), 10.0, 0.0) + RNG.random(800)
    models = {"good": GOOD, "sharp": sharp}
    assert cs.auc(Y, GOOD) > cs.auc(Y, sharp)
    limits, highest = cs.Constraints(max_fpr=0.01, min_recall=0.9), {}
    for order in (["good", "sharp"], ["sharp", "good"], ["good"], ["sharp"]):
        scores = {name: models[name] for name in order}
        found = decided(scores, constraints=limits, randomise=randomise).recommendation.text
        told = re.search(r"with (\w+), no .* the highest recall there is ([\d.]+) %", found)
        name, reached = told.groups()
        highest[tuple(order)] = name, float(reached)
    assert highest["good",][1] < highest["sharp",][1]
    both = highest["good", "sharp"]
    assert both == highest["sharp", "good"]
    # Two models have a larger margin for chance than one.
    assert both == highest["sharp",] if randomise else both[0] == "sharp"


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ([], False),
        (["costs"], "costs"),
        (["prevalence", "costs"], "costs and the prevalence"),
    ],
)
def test_what_is_known_and_changes_nothing_is_said(known, told):
    ranges = cs.Deployment(1, (2, 4), (0.2, 0.3))
    queue = decided(
        {"m": GOOD}, conditions=ranges, known=known, choices=[cs.RateFixed(0.25)]
    ).recommendation
    assert (f"Knowing the {told} changes nothing." in queue.text) == bool(told)
    for choice in (cs.Optimal(), cs.Smoothed()):
        found = decided({"m": GOOD}, conditions=ranges, known=known, choices=[choice])
        assert "changes nothing" not in found.recommendation.text


def test_a_queue_of_cases_with_costs_of_their_own_is_said_to_rank_by_score():
    costs = cs.CaseCosts(fp_cost=1.0, fn_cost=np.linspace(2, 9, len(Y)))
    told = "It ranks by score, whatever a case costs: a column of score times cost, as another"
    for choice, goes in ((cs.RateFixed(0.25), True), (cs.Smoothed(), False)):
        found = decided({"m": GOOD}, conditions=None, case_costs=costs, choices=[choice])
        assert (told in found.recommendation.text) == goes
        assert "changes nothing" not in found.recommendation.text


def test_one_situation_has_one_form():
    """Random scores, whatever is cheapest: what is shown, then the best model with its cost."""
    cheapest = set()
    for seed in range(30):
        generator = np.random.default_rng(seed)
        y = np.arange(120) % 3 == 0
        scores = {name: generator.normal(0.4 * y) for name in "abc"}
        decision = cs.decide(y, scores, conditions=cs.Deployment(1, 1.6, 1 / 3))
        found = decision.recommendation
        if found.shown or found.instruction.startswith("Check the scores first"):
            continue
        cheapest.add(found.model is None)
        best = min(
            (one for one in decision.strategies if one.strategy.model), key=lambda one: one.money
        )
        assert found.stated == best.strategy
        assert found.sentences[:3] == (
            "No model is shown to save money over flagging nobody.",
            f"If you use a model, use {best.strategy.model}: {best.rule}.",
            f"It costs {decision.evidence.said(best.money, best)} per 1,000 cases.",
        )
        least = min(one.money for one in decision.strategies)
        assert found.money == pytest.approx(least)
        assert decision.rules.model == found.model
        assert found.sentences[3].startswith("Flagging nobody costs ")
    assert cheapest == {True, False}


def test_a_rule_that_flags_no_row_held_out_may_be_the_best_model():
    generator = np.random.default_rng(3)
    y = generator.random(600) < 0.2
    scores = {name: generator.random(600) for name in ("coin_a", "coin_b")}
    decision = cs.decide(y, scores, conditions=cs.Deployment(1, 1))
    found, table = decision.recommendation, decision.strategies
    (best,) = (one for one in table if one.strategy == found.stated)
    # It flags one row of all, and cost no more than flagging nobody on those held out.
    assert best.rule.cuts
    assert best.money == min(one.money for one in table)
    assert found.sentences[1] == "If you use a model, use coin_b: flag scores above 0.997."


def test_of_models_that_flag_nobody_there_is_no_rule_to_state():
    decision = decided({"poor": POOR}, conditions=cs.Deployment(1, 1, 0.01))
    found = decision.recommendation
    first = "No model is shown to save money over flagging nobody.", "Flag nobody."
    assert found.sentences[:2] == first
    assert found.stated == decision.strategy


def test_a_rule_in_use_that_is_not_shown_to_save_money_is_the_best_model():
    decision = decided(
        {"m": POOR},
        conditions=cs.Deployment(1, 3, 0.25),
        baseline=("m", 0.0),
        choices=[cs.ScoreFixed(9)],
    )
    found = decision.recommendation
    if not found.shown:
        assert found.sentences[:2] == (
            "No model is shown to save money over flagging nobody.",
            "If you use a model, keep the rule in use, m: flag scores above 0.",
        )
    assert found.stated.name == "baseline"


@pytest.mark.parametrize(
    ("varying", "known", "more", "least"),
    [
        ({"fn_cost": (5, 50)}, "costs", "false negatives cost more", "false negatives cost least"),
        ({"fp_cost": (1, 7)}, "costs", "false positives cost less", "false positives cost most"),
        ({"tp_cost": (-9, 0)}, "costs", "true positives gain more", "true positives gain least"),
        ({"tp_cost": (0, 5)}, "costs", "true positives cost less", "true positives cost most"),
        ({"tn_cost": (-9, 0)}, "costs", "true negatives gain less", "true negatives gain most"),
        (
            {"prevalence": (0.02, 0.2)},
            "costs,prevalence",
            "positives are more frequent",
            "positives are least frequent",
        ),
        (
            {"fp_cost": (1, 7), "prevalence": (0.02, 0.2)},
            "costs,prevalence",
            "false positives cost less or positives are more frequent",
            "false positives cost most and positives are least frequent",
        ),
        (
            {"fp_cost": (1, 7), "prevalence": (0.02, 0.2)},
            "costs",
            "false positives cost less",
            "false positives cost most",
        ),
    ],
)
def test_what_rules_go_by_is_what_varies_and_is_known(varying, known, more, least):
    conditions = cs.Deployment(**{"fp_cost": 1, "fn_cost": 14, "prevalence": 0.1} | varying)
    known = known.split(",")
    decision = decided({"good": GOOD}, conditions=conditions, known=known)
    told = decision.recommendation.instruction
    assert re.search(rf"flag scores above \S+ to \S+, lower where {more}\.$", told), told
    assert where_flagged(decision.task.seen, decision.task.known)[::2] == (more, least)
    # At the end where more is flagged thresholds are lower.
    low, _, high = decision.choosing.best.rules_across()
    assert low.cuts < high.cuts


def test_where_only_the_prevalence_is_known_rules_go_by_that():
    known = cs.Deployment(1, 8, (0.02, 0.2))
    decision = decided({"good": GOOD}, conditions=known, known="prevalence")
    assert "false negatives" not in decision.recommendation.instruction


def test_a_rule_that_is_the_same_at_one_end_and_in_between_is_told_once():
    low, high = cs.decision.Rule(1.5), cs.decision.Rule(2.5)
    flag = cs.decision.Rule.from_dict({"by": "score", "cuts": [], "actions": ["flag"]})
    costs = cs.Deployment((1, 2), (2, 8), 0.1)
    where = where_flagged(costs, frozenset({"costs"}))
    most = "false positives cost least and false negatives cost most"
    least = "false positives cost most and false negatives cost least"
    assert _by_condition(flag, low, low, where) == (
        f"flag everybody where {most}, else flag scores above 1.5"
    )
    assert _by_condition(flag, flag, high, where) == (
        f"flag scores above 2.5 where {least}, else flag everybody"
    )
    assert _by_condition(flag, low, high, where) == (
        f"flag everybody where {most}, flag scores above 1.5 in between, "
        f"flag scores above 2.5 where {least}"
    )
