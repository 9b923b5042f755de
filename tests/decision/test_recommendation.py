"""What a recommendation says: the instruction, how far the data can tell, and what is luck."""

import json

import numpy as np
import pytest
from scipy.special import expit
from two_models import knowing

import costspace as cs

KNOWN = cs.Deployment(fp_cost=1, fn_cost=4, prevalence=0.2)


def made(n: int, shift: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    return y, generator.normal(shift * y, 1.0)


def test_a_model_that_ranks_the_wrong_way_round() -> None:
    y, s = made(600, -2.0)
    found = cs.decide(y, {"turned": s}, conditions=KNOWN).recommendation
    text = f"turned (AUC {cs.auc(y, s):.4g}) ranks positives below negatives: is the right class"
    # If no model is of use, that comes before what to do as scores are; else it is a warning.
    assert found.model is None
    assert found.instruction == "Check the scores first: as they are, flag nobody."
    assert found.told[0].startswith(text)
    assert found.text.count(text) == 1
    decision = cs.decide(y, {"turned": s, "good": -s}, conditions=KNOWN)
    found = decision.recommendation
    assert found.instruction.startswith("Use good: ")
    assert [one for one in found.warnings if one.startswith(text)]
    assert set(found.warnings) <= set(found.sentences)
    assert decision.to_dict()["recommendation"]["warnings"] == list(found.warnings)
    assert found.text.count(text) == 1


@pytest.mark.parametrize("weights", ["sampling", "counts"])
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("shift", [0.0, -0.1, -0.25, -0.4])
def test_a_model_is_turned_round_only_by_more_than_chance(
    shift: float, grouped: bool, weights: str
) -> None:
    y, s = made(300, shift, 2)
    weight = np.tile([1.0, 2.0, 0.0, 3.0], 75)
    groups = np.arange(300) // 4 if grouped else None
    given = {"sample_weight": weight, "groups": groups, "weights": weights}
    found = cs.estimate(y, s, metric=cs.auc, **given)
    assert found.estimate < 0.5
    decision = cs.decide(y, {"m": s}, conditions=KNOWN, **given, choices=[cs.ScoreFixed(0.5)])
    compared = cs.compare_money(y, {"m": s, "o": -s}, conditions=KNOWN, **given)
    for warnings in (decision.recommendation.sentences, compared.warnings):
        assert any("ranks positives below" in one for one in warnings) == (found.high < 0.5)


def test_one_row_of_a_class_may_rank_last_by_chance() -> None:
    y, s = np.arange(40) == 0, np.arange(40.0)
    others, scores = made(60, 1.0)
    given = {"validation": (others, {"m": scores}), "choices": [cs.Optimal()]}
    found = cs.decide(y, {"m": s}, conditions=KNOWN, **given)
    assert "below negatives" not in found.recommendation.text
    # Nor is there an interval for counts that are no whole numbers.
    y, s = made(60, -3.0)
    for weights, told in (("sampling", True), ("counts", False)):
        given = {"sample_weight": np.full(60, 1.5), "weights": weights}
        found = cs.decide(y, {"m": s}, conditions=KNOWN, **given)
        assert ("below negatives" in found.recommendation.text) == told


def test_useless_scores_are_hardly_ever_shown_to_save_money() -> None:
    shown = []
    for seed in range(12):
        y, s = made(300, 0.0, seed)
        decision = cs.decide(y, {"useless": s}, conditions=KNOWN)
        found = decision.recommendation
        shown.append(found.shown)
        if not found.shown:
            assert found.answer[0].startswith("No model is shown to save money over flagging ")
            first = "If you use a model, use useless: ", "Check the scores first: "
            assert found.answer[1].startswith(first)
        assert ("It saves" in found.text) == found.shown
    assert sum(shown) <= 1


def test_a_model_that_saves_money_is_shown_to() -> None:
    y, s = made(600, 3.0)
    decision = cs.decide(y, {"good": s}, conditions=KNOWN)
    found, one = decision.recommendation, decision.recommendation.interval
    assert found.shown
    assert one is not None
    assert one.high < 800
    assert "No model is shown to save money." not in found.sentences
    (told,) = (text for text in found.sentences if text.startswith("It saves "))
    # Flagging nobody and flagging everybody cost 800 both.
    most = max(one.high, one.money + 1.959964 * one.standard_error)
    saved, low, high = 800 - one.money, 800 - most, 800 - one.low
    assert told == f"It saves {saved:.0f} ({low:.0f} to {high:.0f}) against flagging nobody."


@pytest.mark.parametrize("known", ["", "costs", "costs,prevalence"])
def test_flagging_nobody_is_an_instruction_whatever_is_known(known: str) -> None:
    y, s = made(300, 0.3)
    conditions = cs.Deployment(fp_cost=(50, 90), fn_cost=1, prevalence=(0.01, 0.02))
    found = cs.decide(y, {"m": s}, conditions=conditions, known=known).recommendation
    assert "Flag nobody." in found.sentences
    assert found.rule == cs.Rule(np.inf)


def test_the_saving_is_against_the_best_allowed_trivial_rule() -> None:
    # With a recall of at least half nobody may be left out; without it that is the cheapest.
    y, s = made(600, 3.0)
    known = cs.Deployment(1, 1, 0.01)
    limits = cs.Constraints(min_recall=0.5)
    found = cs.decide(y, {"m": s}, conditions=known, constraints=limits).recommendation
    assert found.shown
    assert "against flagging everybody." in found.text
    assert found.without_model.startswith("Flagging nobody costs 10 (not allowed), ")


@pytest.mark.parametrize(
    ("positives", "start"),
    [
        (4, "There is no interval: the rarer class has 4 rows, and fewer than 5 say too little."),
        (5, "The rarer class has 5 rows: they cannot tell well what anything costs."),
        (24, "The rarer class has 24 rows: they cannot tell well what anything costs."),
    ],
)
def test_few_rows_are_said_to_be_few(positives: int, start: str) -> None:
    generator = np.random.default_rng(1)
    y = np.arange(200) < positives
    s = generator.normal(2.0 * y)
    decision = cs.decide(y, {"m": s}, conditions=cs.Deployment(1, 1, 0.5))
    found = decision.recommendation
    assert found.told[0].startswith(start)
    assert decision.evidence is not None
    assert decision.evidence.units == positives
    assert (found.interval is None) == (positives < 5)
    assert (decision.evidence.reason is None) == (positives >= 5)
    if positives < 5:
        assert not found.shown
        assert np.isnan([one.low for one in decision.strategies]).all()


def test_few_groups_are_few_though_rows_are_many() -> None:
    y, s = made(400, 4.0)
    groups = np.where(y, np.arange(400) // 3 % 12, np.arange(400) + 12)
    decision = cs.decide(y, {"m": s}, conditions=KNOWN, groups=groups)
    (told,) = decision.recommendation.told
    groups_told = "The rarer class is worth 12 groups of equal size"
    assert told == f"{groups_told}: they cannot tell well what anything costs."


def test_an_interval_wider_than_the_cost_may_still_show_a_saving() -> None:
    y = np.arange(90) % 3 == 0
    decision = cs.decide(y, {"m": np.where(np.arange(90) == 4, 0.9, y)}, conditions=KNOWN)
    one = decision.recommendation.interval
    assert one is not None
    assert one.high - one.low > one.money > 0
    # That it saves money is shown, and how much.
    assert decision.recommendation.told == ()
    assert decision.recommendation.beside[0].startswith("It saves ")
    # Where none is, that is what is read first, and the interval is beside the cost: what is told
    # of a cost never depends on what it is compared with.
    useless = np.random.default_rng(0).normal(0.1 * y)
    doubtful = cs.decide(y, {"m": useless}, conditions=KNOWN, choices=[cs.Optimal()])
    own = doubtful.recommendation
    assert own.not_shown == own.sentences[0] != ""
    assert "wider" not in own.text


def test_a_large_optimism_is_told() -> None:
    told = set()
    for seed in range(6):
        generator = np.random.default_rng(seed)
        y = np.arange(60) % 2 == 0
        scores = {f"m{i}": generator.normal(0.3 * y) for i in range(4)}
        decision = cs.decide(y, scores, conditions=cs.Deployment(1, 1, 0.5), choices=[cs.Optimal()])
        choosing, evidence = decision.choosing, decision.evidence
        assert choosing is not None
        assert evidence is not None
        best = choosing.priced(choosing.best)
        luck = 0.0 if best.strategy.model is None else best.money - best.fit.in_sample
        assert evidence.selection == pytest.approx(max(luck, 0), rel=1e-9)
        much = luck > 0.1 * best.money
        amount = f"{float(f'{luck:.2g}'):g}"
        sentence = (
            f"On the rows that it was chosen on it costs {amount} less: that is optimism. Expect "
            "the held-out cost."
        )
        assert (sentence in decision.recommendation.sentences) == much
        told.add(much)
    assert True in told


def test_a_small_optimism_is_not_told() -> None:
    y, s = made(1200, 1.5)
    assert "optimism" not in cs.decide(y, {"m": s}, conditions=KNOWN).recommendation.text


def test_two_thresholds_of_one_model_have_no_p() -> None:
    y, s = made(300, 1.5)
    decision = cs.decide(y, {"m": s, "n": s + made(300, 0.0, 5)[1]}, conditions=KNOWN)
    own = decision.strategy
    assert own is not None
    for one in decision.strategies:
        if one.more is not None:
            same = one.strategy.model == own.model
            assert np.isnan(one.more.p) == np.isnan(one.more.p_adjusted) == same
            assert decision.evidence is not None
            assert decision.evidence.same_model(one.more) == same


def test_the_instruction_has_its_number_and_its_cost() -> None:
    y, s = made(600, 2.0)
    found = cs.decide(y, {"m": s}, conditions=KNOWN).recommendation
    assert found.sentences[0] == f"Use m: {found.rule}."
    assert found.text == " ".join(found.sentences)
    one = found.interval
    assert one is not None
    assert found.cost.startswith(f"It costs {one.money:.0f} (95 % interval ")
    assert found.cost.endswith(" per 1,000 cases.")
    assert found.without_model == "Flagging nobody costs 800, flagging everybody costs 800."


def test_a_threshold_that_follows_the_costs_has_both_ends() -> None:
    y, s = made(600, 2.0)
    probabilities = 1 / (1 + np.exp(2.7 - 2 * s))
    known = cs.Deployment(fp_cost=1, fn_cost=(2, 50), prevalence=1 / 3)
    found = knowing(y, {"m": probabilities}, conditions=known, choices=[cs.ScoreDriven()])
    assert found.recommendation.sentences[0] == (
        "Use m (score-driven, raw): flag scores above 0.0196 to 0.333, lower where false negatives "
        "cost more."
    )


def test_a_threshold_from_everybody_to_nobody_is_shown_in_between() -> None:
    y, s = made(600, 1.0)
    known = cs.Deployment(fp_cost=1, fn_cost=(1, 100), prevalence=0.1)
    coarse = {"m": np.clip(s, -1, 2).round(1)}
    found = knowing(y, coarse, conditions=known, choices=[cs.Optimal()])
    first = next(one for one in found.recommendation.sentences if one.startswith("Use m"))
    start = "Use m (optimal): flag everybody where false negatives cost most, flag scores"
    assert first.startswith(start)
    assert first.endswith(" in between, flag nobody where false negatives cost least.")


def test_a_share_is_an_instruction() -> None:
    y, s = made(600, 3.0)
    known = cs.Deployment(fp_cost=1, fn_cost=(2, 9), prevalence=0.3)
    found = cs.decide(y, {"m": s}, conditions=known, choices=[cs.RateFixed(0.25)])
    assert found.recommendation.rule == cs.Rule(0.25, by="share")
    assert found.recommendation.sentences[0] == f"Use m: {found.recommendation.rule}."
    assert " cost most" not in found.recommendation.sentences[0]


def test_the_data_are_not_clear_where_the_rule_in_use_costs_less() -> None:
    rng = np.random.default_rng(4)
    y = (np.arange(600) % 3 == 0).astype(int)
    scores = rng.normal(1.5 * y)
    known = cs.Deployment(fp_cost=1, fn_cost=3, prevalence=0.3)

    def is_clear(in_use: np.ndarray | None, **limits: float) -> bool:
        made = cs.Constraints(**limits)
        answer = cs.decide(y, scores, conditions=known, baseline=in_use, constraints=made).answer()
        return bool(answer["recommendation"]["clear"])

    nearly_right = np.where(rng.random(600) < 0.02, 1 - y, y)
    assert is_clear(None)
    assert not is_clear(nearly_right)
    assert is_clear(1 - nearly_right)
    # A rule in use that is not allowed is no alternative.
    assert is_clear(nearly_right, capacity=0.25)
    # Nor does another threshold of the same model stand against it.
    used = cs.decide(y, scores, conditions=known, baseline=("y_score", 0.5)).answer()
    assert used["recommendation"]["clear"]


@pytest.mark.parametrize(("threshold", "whom"), [(-9.0, "everybody"), (9.0, "nobody")])
def test_a_rule_in_use_that_treats_all_alike_is_asked_about(threshold: float, whom: str) -> None:
    rng = np.random.default_rng(4)
    y = (np.arange(600) % 3 == 0).astype(int)
    scores = rng.normal(1.5 * y)
    known = cs.Deployment(fp_cost=1, fn_cost=3, prevalence=0.3)
    asked = f"The rule in use flags {whom}: is it meant so?"
    told = cs.decide(y, scores, conditions=known, baseline=("y_score", threshold)).recommendation
    assert asked in told.told
    told = cs.decide(y, scores, conditions=known, baseline=("y_score", 0.5)).recommendation
    assert not any("is it meant so" in one for one in told.told)


def test_decisions_that_flag_the_wrong_class_are_asked_about() -> None:
    rng = np.random.default_rng(4)
    y = (np.arange(600) % 3 == 0).astype(int)
    scores = rng.normal(1.5 * y)
    known = cs.Deployment(fp_cost=1, fn_cost=3, prevalence=0.3)
    asked = "The rule in use flags negatives more often than positives: is 1 in its column a flag?"

    def told(in_use: np.ndarray) -> tuple[str, ...]:
        return cs.decide(y, scores, conditions=known, baseline=in_use).recommendation.told

    flagged = (scores > 0.7).astype(int)
    assert asked in told(1 - flagged)
    assert asked not in told(flagged)
    # Nor where chance may do it: of 400 negatives two are flagged, and of 200 positives none.
    few = np.zeros(600, dtype=int)
    few[np.flatnonzero(y == 0)[:2]] = 1
    assert asked not in told(few)


@pytest.mark.parametrize(
    ("costs", "asked"), [((50, 1), True), ((1, 0.05), True), ((1, 50), False), ((1, 3), False)]
)
def test_costs_that_may_be_swapped_are_asked_about(costs: tuple[float, float], asked: bool) -> None:
    y = (np.arange(600) % 3 == 0).astype(int)
    scores = np.random.default_rng(4).normal(0.5 * y)
    known = cs.Deployment(*costs, prevalence=0.01)
    found = cs.decide(y, scores, conditions=known)
    text = "A false positive costs more than a false negative here: is it meant so?"
    assert (text in found.recommendation.told) == asked
    if costs == (1, 3):
        # Where positives are rare nobody is flagged though a false negative costs more.
        assert found.strategy.name == "flag_nobody"


def test_a_saving_that_is_not_clear_beside_others_says_so() -> None:
    rng = np.random.default_rng(1)
    y = (rng.random(400) < 0.3).astype(int)
    z = rng.normal(1.2 * y)
    scores = {f"m{k}": z + rng.normal(0, 1.0, 400) for k in range(5)}
    in_use = (z + rng.normal(0, 1.4, 400) > 0.6).astype(int)
    known = cs.Deployment(fp_cost=1, fn_cost=3, prevalence=0.3)

    def told(**models: np.ndarray) -> str:
        found = cs.decide(y, models, conditions=known, baseline=in_use)
        more = found.evidence.more(found.task.baseline)
        assert more.low > 0
        assert (more.p_adjusted < 0.05) == (len(models) == 1)
        return next(one for one in found.recommendation.beside if "rule in use" in one)

    end = "against the rule in use; not clear after correction."
    assert told(**scores).endswith(end)
    # Of one model there is one comparison.
    assert told(m=z).endswith("against the rule in use.")


@pytest.mark.parametrize(
    ("seed", "start"),
    [
        (0, "It saves "),
        (1, "It is not shown to save money against the rule in use: "),
        # Another model has a smaller p, which is Holm's first step.
        (54, "It saves "),
        (3, "It is not shown to save money against the rule in use: "),
        (17, "It saves "),
    ],
)
def test_a_model_is_compared_with_the_rule_in_use_as_compare_does(seed: int, start: str) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=3000)
    y = rng.random(3000) < expit(-2 + 1.3 * x)
    noise = {"a": 0.5, "b": 0.5, "old": 0.75}
    scores = {name: expit(-2 + 1.2 * x + rng.normal(size=3000) * sd) for name, sd in noise.items()}
    known = cs.Deployment(fp_cost=1, fn_cost=(5, 9), prevalence=float(y.mean()))
    asked = {"conditions": known, "baseline": ("old", 0.125)}
    found = cs.decide(y, scores, **asked)
    compared = cs.compare_money(y, scores, **asked)
    own, evidence = found.recommendation.model, found.evidence
    pair, more = compared.pairs[own, "baseline"], evidence.more(found.task.baseline)
    assert (more.difference, more.low, more.high) == (pair.difference, pair.low, pair.high)
    assert more.p_adjusted == pair.p_adjusted
    assert compared.is_shown(pair) == (start == "It saves ")
    for one in compared.strategies:
        assert one.money == evidence.cost(one.strategy)
    first = found.recommendation.beside[0]
    assert first.startswith(start)
    assert "not clear" not in first


def test_against_a_rule_in_use_of_its_model_there_is_no_p() -> None:
    y, s = made(600, 2.0)
    known = cs.Deployment(1, 4, 1 / 3)
    scores = {"m": s, "n": 0.1 * s + np.arange(600) % 7}
    used = cs.decide(y, scores, conditions=known, baseline=("m", 1.0), choices=[cs.Smoothed()])
    assert used.recommendation.model == "m"
    more = used.evidence.more(used.task.baseline)
    assert np.isnan([more.p, more.p_adjusted]).all()


@pytest.mark.parametrize(
    ("known", "names"),
    [
        ({"fp_cost": 3, "tn_cost": -3}, "fp_cost and tn_cost"),
        ({"fp_cost": (2, 4), "tn_cost": (-4, -2)}, "fp_cost and tn_cost"),
        ({"fn_cost": 9, "tp_cost": -9}, "fn_cost and tp_cost"),
        ({"fp_cost": 3, "tn_cost": -2}, ""),
        ({}, ""),
    ],
)
@pytest.mark.parametrize("by_case", [False, True])
def test_a_cost_that_is_given_again_as_a_gain_is_asked_about(
    known: dict, names: str, by_case: bool
) -> None:
    y, s = made(300, 1.5)
    costs = {"fp_cost": 3, "fn_cost": 9, **known}
    told = f"{names} are one amount, as a cost and as a gain: is it counted twice?"
    if by_case and isinstance(costs["fp_cost"], tuple):
        # Of each case it is one amount: the larger cost belongs to the larger gain.
        costs["tn_cost"] = costs["tn_cost"][::-1]
    if by_case:
        rows = {name: np.resize(np.atleast_1d(cost), 300) for name, cost in costs.items()}
        found = cs.decide(y, {"m": s}, case_costs=cs.CaseCosts(**rows))
    else:
        found = cs.decide(y, {"m": s}, conditions=cs.Deployment(**costs, prevalence=0.3))
    asked = [one for one in found.recommendation.told if "counted twice" in one]
    assert asked == [told] * bool(names)


@pytest.mark.parametrize(("threshold", "told"), [(4.0, True), (4.5, False)])
def test_rows_at_the_threshold_in_use_are_asked_about(threshold: float, told: bool) -> None:
    y, s = made(600, 1.5)
    points = np.clip(np.round(2 * s) + 3, 0, 9)
    known = cs.Deployment(1, 4, 1 / 3)
    found = cs.decide(y, {"points": points}, conditions=known, baseline=("points", threshold))
    share = 100 * (points == threshold).mean()
    text = (
        f"The rule in use flags points above 4, not at 4 ({share:.3g} % of the rows). To flag "
        "these, too, write points:3.5."
    )
    assert (text in found.recommendation.told) == told
    assert told or not any(" write points:" in one for one in found.recommendation.told)


@pytest.mark.parametrize(("threshold", "told"), [(-9.0, "flagging nobody"), (1.5, None)])
def test_a_rule_in_use_that_costs_more_than_none_is_told(
    threshold: float, told: str | None
) -> None:
    y, s = made(600, 1.5)
    known = cs.Deployment(1, 1, 0.1)
    used = ("m", float(np.nextafter(s.min(), -9)) if threshold < -1 else threshold)
    found = cs.decide(y, {"m": s, "n": -s}, conditions=known, baseline=used)
    said = [one for one in found.recommendation.told if "costs more than" in one]
    assert said == ([] if told is None else [f"The rule in use costs more than {told}."])


def test_a_rule_in_use_is_not_held_against_what_rows_alone_tell() -> None:
    y, s = made(600, 1.5)
    amounts = np.random.default_rng(1).uniform(1, 3, (2, 600))
    costs = cs.CaseCosts(fp_cost=amounts[0], fn_cost=amounts[1])
    used = ("m", float(np.nextafter(s.min(), -9)))
    found = cs.decide(y, {"m": s, "n": -s}, case_costs=costs, prevalence=0.1, baseline=used)
    assert not any("costs more than" in one for one in found.recommendation.told)


@pytest.mark.parametrize(("prevalence", "told"), [(0.9, True), (0.2, False), ((0.7, 0.95), True)])
def test_a_prevalence_far_above_that_of_the_rows_is_asked_about(
    prevalence: float | tuple[float, float], told: bool
) -> None:
    rng = np.random.default_rng(2)
    y = np.arange(2000) % 25 == 0
    s = rng.normal(1.5 * y)
    found = cs.decide(y, {"m": s}, conditions=cs.Deployment(1, 4, prevalence)).recommendation
    asked = [one for one in found.told if "times that of the rows, 0.04: is it meant so?" in one]
    assert bool(asked) == told


@pytest.mark.parametrize(("points", "share"), [(6, 4.25), (2000, None)])
def test_ties_that_keep_a_queue_from_its_share_are_told(points: int, share: float | None) -> None:
    y, s = made(2000, 1.5)
    ranks = np.argsort(np.argsort(s))
    scores = np.floor(ranks * points / 2000)
    if points == 6:
        # The top score has 85 rows, the next one far more than there is room for.
        scores[ranks >= 2000 - 85] = 6
    limits = cs.Constraints(capacity=0.1)
    known = cs.Deployment(fp_cost=1, fn_cost=4, prevalence=float(y.mean()))
    found = cs.decide(y, {"m": scores}, conditions=known, constraints=limits)
    assert found.recommendation.choice == "queue"
    told = [one for one in found.recommendation.told if "--randomise" in one]
    if share is None:
        assert told == []
        return
    said = f"Only {share:g} % are flagged: cases that tie at the edge of the queue do not all fit."
    assert told == [f"{said} To draw among them: --randomise."]
    # Who draws already is not told to.
    options = {"constraints": limits, "choices": [cs.RateFixed(0.1)], "randomise": True}
    drawing = cs.decide(y, {"m": scores}, conditions=known, **options).recommendation.text
    assert said in drawing
    assert "--randomise" not in drawing
    # Nor is who works in batches, which draws between thresholds do not fill.
    limits = cs.Constraints(capacity=0.1, batch=20)
    found = cs.decide(y, {"m": scores}, conditions=known, constraints=limits)
    assert "do not all fit" in found.recommendation.text
    assert "--randomise" not in found.recommendation.text


@pytest.mark.parametrize("seed", [5, 0, 6])
def test_what_choosing_by_auc_costs_is_told_by_its_side(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = (rng.random(200) < 0.4).astype(int)
    z = rng.normal(1.0 * y)
    scores = {f"m{k}": z + rng.normal(0, 0.7, 200) for k in range(4)}
    known = cs.Deployment(fp_cost=1, fn_cost=4, prevalence=0.3)
    found = cs.decide(y, scores, conditions=known, choices=[cs.Smoothed()])
    own = found.recommendation.model
    first = max(scores, key=lambda name: float(cs.auc(y, scores[name])))
    if seed == 5:
        assert first == own
        assert found.by_auc is None
        return
    assert found.by_auc is not None
    assert found.by_auc.startswith(f"AUC would choose {first} ")
    (rival,) = (one for one in found.strategies if one.strategy.model == first)
    more = rival.money - found.recommendation.money
    assert rival.more.difference == pytest.approx(more)
    side = "less" if more < 0 else "more"
    # Its ends count in the direction of that word.
    first_end = -rival.more.high if more < 0 else rival.more.low
    told = f"that costs {abs(more):.0f} {side} (95 % interval {first_end:.0f} to "
    assert told in found.by_auc


def test_counts_have_no_interval_where_costs_have_none() -> None:
    y, s = made(400, 4.0)
    sites = np.arange(400) % 4
    decision = cs.decide(y, {"m": s}, conditions=KNOWN, groups=sites)
    assert "fewer than 5 say too little" in decision.recommendation.told[0]
    found = decision.outcomes()
    assert [one.low for one in vars(found).values() if one is not None] == [None] * 7
    assert np.isnan(found.columns()["low"]).all()
    json.dumps(found.to_dict(), allow_nan=False)
    assert found.flagged.value > 0
