"""Outcomes against counts row by row: of the rule, and rates of rules that a row had no part in."""

import json

import numpy as np
import pytest
from brute_force_decision import Sample, conditions_of, log_odds_grid, log_uniform_grid
from refusals import refused
from two_models import drawn, knowing

import costspace as cs
from costspace.decision.rules.written import written
from costspace.decision.strategy import FLAG_EVERYBODY, FLAG_NOBODY, NOTHING
from costspace.decision.words import thresholds_shown

KNOWN = cs.Deployment(1.7031, 5.0711, 0.2071, tp_cost=-0.4, tn_cost=0.13)
(CONDITION,) = conditions_of([1.7031], [5.0711], [0.2071], [-0.4], [0.13])
RANGE = cs.Deployment(1, (2, 20), (0.05, 0.4))
WEIGHT = np.arange(90) % 4
GROUPS = np.arange(90) // 3
AMOUNTS = np.random.default_rng(3).uniform(1, 9, (2, 90))
CASES = {
    "plain": {},
    "weights": {"sample_weight": WEIGHT},
    "groups": {"groups": GROUPS},
    "resampled": {},
    "validation": {"validation": drawn(2, 50)},
}

CHOICES = {
    "score_fixed": cs.ScoreFixed(),
    "score_driven_uncorrected": cs.ScoreDriven(),
    "optimal": cs.Optimal(),
}
COUNTS = ["true_positives", "false_negatives", "false_positives", "true_negatives", "flagged"]
RATES = ["precision", "recall"]


def weights_of(rows):
    return np.ones(len(rows)) if rows.weight is None else np.asarray(rows.weight, dtype=float)


def flagged_by_hand(decision, strategy, conditions, *, held_out=False):
    """How likely each row is flagged at each condition: one row a condition.

    By the rule that is chosen on all rows, or outside each part that is held out.
    """
    task = decision.task
    judged, trained, name = task.judged.rows, task.rows, strategy.model
    found, apart = np.zeros((len(conditions), len(judged))), task.held_out.validation is not None
    if name is None:
        found[:] = strategy == FLAG_EVERYBODY
        return found
    thresholds = [threshold_of(strategy.name, one, task.calibrated_to) for one in conditions]
    whole = apart or not held_out
    times = 1 if whole else len(task.held_out.folds)
    for part in [slice(None)] if whole else task.judged.parts:
        kept = np.ones(len(trained), bool)
        if not whole:
            kept[part] = False
        s, w = trained.scores[name][kept], weights_of(trained)[kept]
        train = Sample(trained.positive[kept], s, w)
        scores = np.asarray(judged.scores[name])[part]
        cuts = train.cuts
        # Rules have cuts in few digits, which may pass scores that they were not chosen on.
        table = cs.ScoreTable.from_predictions(trained.positive[kept], s, sample_weight=w)
        inner = [written(cs.Rule(cut), table).cuts[0] for cut in cuts[1:-1]]
        cuts = np.array([cuts[0], *inner, cuts[-1]])
        above = scores > cuts[:, None]
        if strategy.known == NOTHING and strategy.name == "optimal":
            found[:, part] += best_of_all(train, conditions) @ above / times
            continue
        if None not in thresholds:
            found[:, part] += (scores > np.array(thresholds)[:, None]) / times
            continue
        for i, one in enumerate(conditions):
            found[i, part] += train.rule(strategy.name, one, task.calibrated_to) @ above / times
    return found


def threshold_of(name, one, calibrated_to):
    odds = one.skew / (1 - one.skew) * calibrated_to / (1 - calibrated_to)
    return {
        "score_fixed": 0.5,
        "score_driven": odds / (1 + odds),
        "score_driven_uncorrected": one.a / (one.a + one.b),
    }.get(name)


def driven(calibrated_to):
    """The choices, with one that trusts scores calibrated to a prevalence."""
    return {"score_driven": cs.ScoreDriven(calibrated_to), **CHOICES}


def best_of_all(train, conditions):
    negative = sum(one.probability * (1 - one.p) * one.a for one in conditions)
    positive = sum(one.probability * one.p * one.b for one in conditions)
    money = negative * train.fpr + positive * train.fnr
    return train.sole(np.flatnonzero(money <= money.min() * (1 + 1e-12))[-1])


def counts_of(decision, flagged, prevalence):
    """What 1,000 cases come to, given how likely each row is flagged."""
    judged = decision.task.judged.rows
    w, y = weights_of(judged), judged.positive
    fpr = np.sum((w * flagged)[~y]) / np.sum(w[~y])
    recall = np.sum((w * flagged)[y]) / np.sum(w[y])
    found = {
        "true_positives": 1000 * prevalence * recall,
        "false_negatives": 1000 * prevalence * (1 - recall),
        "false_positives": 1000 * (1 - prevalence) * fpr,
        "true_negatives": 1000 * (1 - prevalence) * (1 - fpr),
        "recall": recall,
    }
    found["flagged"] = found["true_positives"] + found["false_positives"]
    found["precision"] = found["true_positives"] / found["flagged"] if found["flagged"] else None
    return found


def expected_of(decision, strategy, conditions, prevalence):
    """Numbers by the rule, and rates on held-out rows, on average over conditions."""
    rule, held_out = (
        counts_over(decision, strategy, conditions, prevalence, held_out=part)
        for part in (False, True)
    )
    return rule | {name: held_out[name] for name in RATES}


def counts_over(decision, strategy, conditions, prevalence, *, held_out):
    """What 1,000 cases come to on average over conditions, each with its own prevalence."""
    flagged = flagged_by_hand(decision, strategy, conditions, held_out=held_out)
    each = [counts_of(decision, row, one.p) for row, one in zip(flagged, conditions, strict=True)]
    found = {name: np.mean([counts[name] for counts in each]) for name in COUNTS}
    found["recall"] = found["true_positives"] / (1000 * prevalence)
    found["precision"] = found["true_positives"] / found["flagged"] if found["flagged"] else None
    return found


def assert_counts(outcomes, expected, **tolerance):
    for name, value in expected.items():
        count = getattr(outcomes, name)
        if value is None:
            assert count is None
        else:
            assert count.value == pytest.approx(value, **tolerance), name
            assert count.low <= count.value <= count.high, name


@pytest.mark.parametrize("case", CASES)
def test_counts_and_money_at_known_costs(case):
    y, s = drawn(1)
    own = 0.4 if case == "resampled" else y.mean()
    decision = knowing(
        y, s, conditions=KNOWN, calibrated_to=own, choices=driven(own), **CASES[case]
    )
    assert len(decision.strategies) == 10
    for one in decision.strategies:
        expected = expected_of(decision, one.strategy, [CONDITION], CONDITION.p)
        assert_counts(decision.outcomes(one.strategy), expected, rel=1e-12, abs=1e-12)
        # The cost is held-out.
        (flagged,) = flagged_by_hand(decision, one.strategy, [CONDITION], held_out=True)
        expected = counts_of(decision, flagged, CONDITION.p)
        fpr, fnr = expected["false_positives"] / (1000 * (1 - CONDITION.p)), 1 - expected["recall"]
        margin = 0.0 if one.strategy.model is None else decision.evidence.margin
        assert one.money == pytest.approx(CONDITION.money(fpr, fnr) + margin, rel=1e-12)


@pytest.mark.parametrize("case", ["plain", "weights", "validation"])
def test_over_a_range_they_are_means_over_the_conditions(case):
    y, s = drawn(1)
    choices = {k: v for k, v in driven(y.mean()).items() if v != cs.ScoreDriven()}
    decision = knowing(
        y, s, conditions=RANGE, choices=choices, calibrated_to=y.mean(), **CASES[case]
    )
    grid = conditions_of([1.0], log_uniform_grid(2, 20, 40), log_odds_grid(0.05, 0.4, 40))
    prevalence = RANGE.mean_prevalence
    assert np.mean([one.p for one in grid]) == pytest.approx(prevalence, rel=1e-3)
    for one in decision.strategies:
        if one.more is None:
            continue
        expected = expected_of(decision, one.strategy, grid, prevalence)
        assert_counts(decision.outcomes(one.strategy), expected, rel=5e-3, abs=1e-9)


def test_one_threshold_is_fixed_before_the_range_is_averaged():
    y, s = drawn(1)
    prevalences = [0.0511, 0.2071, 0.4117]
    conditions = cs.Deployment(1, cs.Drawn([2.03, 20.1]), cs.Drawn(prevalences))
    points = conditions_of([1], [2.03, 20.1], prevalences)
    decision = cs.decide(y, s, conditions=conditions, choices={"optimal": cs.Optimal()})
    for one in decision.strategies:
        if one.more is None:
            continue
        expected = expected_of(decision, one.strategy, points, np.mean(prevalences))
        assert_counts(decision.outcomes(one.strategy), expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_costs_of_each_case_do_not_count_in_them(weighted):
    y, s = drawn(1)
    costs = cs.CaseCosts(*AMOUNTS)
    decision = cs.decide(
        *(y, s),
        case_costs=costs,
        prevalence=0.2,
        sample_weight=WEIGHT if weighted else None,
        choices={"trusting": cs.ScoreDriven(0.3), "score_fixed": cs.ScoreFixed()},
        baseline=("fine", 0.37),
    )
    own = {one.strategy.model: one for one in decision.strategies if one.strategy.by_case}
    assert set(own) == {"fine", "tied"}
    for name, one in own.items():
        # The odds at which each case is worth flagging, corrected from the rows to 0.2.
        odds = AMOUNTS[0] / AMOUNTS[1] * (0.8 / 0.2)
        trusted = 0.3 / 0.7
        flagged = s[name] > odds * trusted / (1 + odds * trusted)
        expected = counts_of(decision, flagged, 0.2)
        if one.more is not None:
            assert_counts(decision.outcomes(one.strategy), expected, rel=1e-12)
    assert any(one.more is not None for one in own.values())
    fixed = next(one for one in decision.strategies if one.strategy.name == "score_fixed")
    expected = counts_of(decision, s["fine"] > 0.5, 0.2)
    assert_counts(decision.outcomes(fixed.strategy), expected, rel=1e-12)


def test_a_rule_that_draws_flags_in_part():
    y, s = drawn(1)
    limits = cs.Constraints(capacity=0.15)
    decision = cs.decide(
        *(y, s),
        conditions=KNOWN,
        constraints=limits,
        choices=[cs.Optimal(), cs.RateDriven()],
        randomise=True,
    )
    drawing = [fit for fit in decision.fits if fit.money is not None and fit.rule.randomised]
    assert len(drawing) > 1
    for fit in drawing:
        flagged = fit.rule.flagged(s[fit.strategy.model])
        expected = counts_of(decision, flagged, CONDITION.p)
        counts = {name: expected[name] for name in COUNTS}
        assert_counts(decision.outcomes(fit.strategy), counts, rel=1e-12, abs=1e-12)


def test_the_share_flagged_is_that_above_the_threshold_that_is_stated():
    for seed in range(6):
        rng = np.random.default_rng(seed)
        y = rng.random(150) < 0.2
        s = rng.normal(1.2 * y)
        known = cs.Deployment(1, 6, 0.1)
        decision = cs.decide(y, {"m": s}, conditions=known, choices=[cs.Smoothed()])
        (cut,) = decision.saved(decision.recommendation.stated).rules.rule.cuts
        flagged = 1000 * (0.1 * np.mean(s[y] > cut) + 0.9 * np.mean(s[~y] > cut))
        found = decision.outcomes(decision.recommendation.stated)
        assert found.flagged.value == pytest.approx(flagged)
        assert found.true_positives.value == pytest.approx(100 * np.mean(s[y] > cut))


def test_folds_that_would_flag_other_shares_are_told_with_their_thresholds():
    seen = set()
    for seed in range(8):
        rng = np.random.default_rng(seed)
        n = 1200 if seed % 2 else 120
        y = rng.random(n) < 0.2
        s = np.clip(rng.normal(0.3 + 0.3 * y, 0.2), 0, 1)
        known = cs.Deployment(1, 5, 0.2)
        decision = cs.decide(y, {"m": s}, conditions=known, choices=[cs.Smoothed()])
        found, fit = decision.recommendation, decision.fits[-1]
        cuts = sorted(rules.rules_at(0.5).one.cuts[0] for rules in fit.parts[0])
        shares = [0.2 * np.mean(s[y] > cut) + 0.8 * np.mean(s[~y] > cut) for cut in cuts]
        own = decision.outcomes(fit.strategy).flagged.value / 1000
        apart = max(abs(share / own - 1) for share in shares) > 0.2
        (low, high), (first, last) = (
            thresholds_shown(cuts[0], cuts[-1], digits=3),
            shares[::-1][:: len(shares) - 1],
        )
        told = (
            f"The threshold is not settled: folds choose {low} to {high}, and flag "
            f"{100 * first:.3g} to {100 * last:.3g} % of the cases."
        )
        assert (told in found.told) == apart
        assert apart or "not settled" not in found.text
        seen.add(apart)
    by_formula = cs.decide(y, {"m": s}, conditions=known, choices=[cs.ScoreDriven()])
    assert "not settled" not in by_formula.recommendation.text
    assert seen == {True, False}


def test_what_needs_no_model_is_known():
    y, s = drawn(1)
    decision = cs.decide(y, s, conditions=KNOWN)
    nobody, everybody = (decision.outcomes(one) for one in (FLAG_NOBODY, FLAG_EVERYBODY))
    assert nobody.precision is None
    assert (nobody.flagged.value, nobody.flagged.low, nobody.flagged.high) == (0, 0, 0)
    assert nobody.false_negatives.value == pytest.approx(207.1)
    assert everybody.precision.value == pytest.approx(0.2071)
    assert everybody.false_positives.low == everybody.false_positives.high == pytest.approx(792.9)
    assert "precision" not in nobody.columns()["outcome"]
    assert nobody.to_dict()["precision"] is None


def test_intervals_are_those_of_proportions():
    y, s = drawn(3, 400)
    given = {"conditions": cs.Deployment(1, 4, 0.2), "choices": CHOICES}
    decision = cs.decide(y, s, **given)
    fixed = next(one for one in decision.strategies if str(one.strategy) == "fine, score_fixed")
    found = decision.outcomes(fixed.strategy)
    flagged = s["fine"] > 0.5
    recall = cs.decision.Count(*(getattr(found.recall, name) for name in ("value", "low", "high")))
    share, n = flagged[y == 1].mean(), np.sum(y == 1)
    error = np.sqrt(share * (1 - share) / (n - 1))
    assert recall.value == pytest.approx(share)
    assert recall.high - recall.low == pytest.approx(2 * 1.96 * error, rel=0.05)
    wide = cs.decide(y, s, **given, level=0.99).outcomes(fixed.strategy)
    assert wide.recall.low < recall.low < recall.high < wide.recall.high
    assert found.true_positives.low == pytest.approx(200 * recall.low)
    assert found.false_negatives.high == pytest.approx(200 * (1 - recall.low))


def certain(y, flagged):
    """The outcomes of a threshold that flags some rows, on held-out rows."""
    known = cs.Deployment(1, 4, 0.2)
    scores = {"m": flagged.astype(float), "other": y.astype(float)}
    decision = cs.decide(y, scores, conditions=known, choices=[cs.ScoreFixed(0.5)])
    fixed = next(one for one in decision.strategies if one.strategy.model == "m")
    return decision.outcomes(fixed.strategy)


@pytest.mark.parametrize("right", [True, False])
def test_a_few_flagged_rows_of_one_class_do_not_prove_the_precision(right):
    y = np.arange(1000) % 5 == 0
    flagged = np.zeros(1000, bool)
    flagged[np.flatnonzero(y == right)[:3]] = True
    found = certain(y, flagged)
    none, some = (found.false_positives, found.true_positives)[:: 1 if right else -1]
    # What no row of a class does, so many rows of that class may do.
    size, most = (800, 800) if right else (200, 200)
    assert (none.value, none.low) == (0, 0)
    assert none.high == pytest.approx(most * (1 - 0.025 ** (1 / size)))
    precision = found.precision
    assert precision.value == right
    # Beyond the estimate, and not as far as with both counts at their ends.
    odds = none.high / some.value, none.high / some.low
    ends = sorted(1 / (1 + x) if right else x / (1 + x) for x in odds)
    inner = precision.low if right else precision.high
    assert ends[0] < inner < ends[1]
    assert (precision.high if right else precision.low) == right


def test_flagged_may_be_all_that_either_class_may_be():
    y = np.arange(315) >= 15
    flagged = np.arange(315) >= 39
    found = certain(y, flagged)
    assert found.false_positives.value == 0
    for end in ("low", "high"):
        off = [
            abs(getattr(one, end) - one.value)
            for one in (found.true_positives, found.false_positives)
        ]
        assert abs(getattr(found.flagged, end) - found.flagged.value) == pytest.approx(
            np.hypot(*off)
        )
    assert found.flagged.high > found.false_positives.high


@pytest.mark.parametrize("seed", range(6))
def test_found_and_recall_have_one_interval(seed):
    # Weights leave an error of rounding where nothing varies.
    y = np.arange(162) >= 12
    weight = np.random.default_rng(seed).random(162) + 0.01
    decision = cs.decide(
        y, {"m": np.ones(162)}, conditions=KNOWN, sample_weight=weight, choices=[cs.ScoreFixed(0.5)]
    )
    fixed = next(one for one in decision.strategies if one.strategy.model == "m")
    found = decision.outcomes(fixed.strategy)
    positives = found.true_positives.value + found.false_negatives.value
    assert found.true_positives.low == pytest.approx(positives * found.recall.low)
    assert found.false_negatives.high == pytest.approx(positives * (1 - found.recall.low))


def test_precision_of_decisions_without_a_mistake():
    y = np.arange(1000) % 5 == 0
    found = certain(y, y)
    assert (found.precision.value, found.precision.high) == (1, 1)
    assert 0.97 < found.precision.low < 1


def test_the_counts_of_a_queue_add_up():
    y, s = drawn(1, 60)
    found = cs.decide(y, s, conditions=KNOWN, constraints=cs.Constraints(0.1)).outcomes()
    assert found.flagged.value == pytest.approx(
        found.true_positives.value + found.false_positives.value
    )
    assert found.precision.value == pytest.approx(found.true_positives.value / found.flagged.value)


def test_the_share_of_a_queue_is_that_of_the_limit():
    rng = np.random.default_rng(0)
    y = rng.random(600) < 0.2
    scores = {name: rng.normal(1.0 * y) for name in "ab"}
    limits = cs.Constraints(capacity=0.15)
    found = cs.decide(y, scores, conditions=cs.Deployment(1, 4, 0.2), constraints=limits)
    assert found.strategy.name == "queue"
    flagged = found.outcomes().flagged.value
    assert flagged == pytest.approx(150, abs=1)
    (kept,) = found.limits_kept()
    assert kept.reached == pytest.approx(flagged / 1000)
    assert kept.status == "kept"


def test_the_rule_in_use_has_its_outcomes_in_the_answer():
    y, s = drawn(1)
    decision = cs.decide(y, s, conditions=KNOWN, baseline=("fine", 0.4))
    used = decision.answer()["baseline"]
    assert used["outcomes"] == decision.outcomes(decision.task.baseline).to_dict()
    told = [one for one in decision.answer()["strategies"] if one["outcomes"] is not None]
    stated = decision.recommendation.stated
    assert {(one["model"], one["choice"]) for one in told} == {
        (one.model, one.name) for one in (decision.strategy, stated, decision.task.baseline)
    }


def test_records():
    y, s = drawn(1)
    decision = cs.decide(y, s, conditions=KNOWN)
    best = decision.outcomes()
    rows = decision.to_dict()["strategies"]
    place = [one.more is None for one in decision.strategies].index(True)
    assert rows[place]["outcomes"] == best.to_dict()
    json.dumps(best.to_dict(), allow_nan=False)
    assert best.to_dict()["flag"]["positive"]["value"] == best.true_positives.value
    assert best.to_dict()["pass"]["negative"]["high"] == best.true_negatives.high
    assert decision.to_dict()["recommendation"]["flagged_share"] == best.flagged.value / 1000
    columns = best.columns()
    assert columns["value"][columns["outcome"] == "false_negatives"] == [best.false_negatives.value]


def test_strategies_without_outcomes_are_refused():
    y, s = drawn(1)
    decision = cs.decide(y, s, conditions=KNOWN)
    with refused(cs.ConditionError, "there is no strategy 'fine, RateFixed("):
        decision.outcomes(cs.decision.Strategy("fine", cs.RateFixed(0.1)))
    nothing = cs.decide(y, s, conditions=KNOWN, constraints=cs.Constraints(0.1, min_recall=0.9))
    with refused(cs.ConditionError, "nothing keeps to the constraints, so that nothing has"):
        nothing.outcomes()


def test_a_rule_that_flags_nobody_has_no_precision():
    y, s = np.arange(20) % 4 == 0, np.arange(20) % 7 / 20
    held_out = cs.hold_out(cs.ScoredRows.from_predictions(y, {"m": s}))
    # The threshold is above 0.5 at each of these conditions, and every score below.
    known = cs.Deployment((24.0, 100.0), (11.0, 16.0), 0.12)
    decision = cs.decide(held_out, conditions=known, known="costs", choices=[cs.ScoreDriven()])
    (one,) = (each.strategy for each in decision.strategies if each.strategy.model == "m")
    found = decision.outcomes(one)
    assert (found.flagged.value, found.precision) == (0, None)


def test_no_more_than_all_are_flagged() -> None:
    """All positives are, and a share of the negatives that is estimated with them."""
    y = np.arange(20) < 7
    s = np.where(y, 0.9, np.linspace(0.1, 0.7, 20))
    decision = cs.decide(y, {"m": s}, conditions=cs.Deployment(1, 3), choices=[cs.ScoreFixed(0.2)])
    (one,) = (one.strategy for one in decision.strategies if one.strategy.model)
    assert decision.outcomes(one).flagged.high == 1000.0
