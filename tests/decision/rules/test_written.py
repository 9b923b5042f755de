"""What is printed of a rule is what is applied: printed thresholds, applied by hand."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import costspace as cs
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.written import written


def printed(rule):
    """The threshold that a sentence states; scores above it are flagged."""
    (text,) = re.findall(r"flag scores above (\S+)$", str(rule).rstrip("."))
    return float(text)


def by_hand(decision, scores):
    """What the sentence of a decision flags."""
    rule = decision.recommendation.rule
    if rule.trivial:
        return np.full(len(scores), str(rule) == "flag everybody")
    return scores > printed(rule)


@given(
    st.integers(0, 999),
    st.integers(1, 60),
    st.sampled_from([None, 0.05, 0.1, 0.25, 0.5]),
    st.sampled_from(["score_driven", "smoothed", "optimal"]),
)
@settings(max_examples=60, deadline=None)
def test_scores_of_two_decimals(seed, fn_cost, prevalence, name):
    rng = np.random.default_rng(seed)
    y = rng.random(80) < rng.uniform(0.2, 0.5)
    y[:6] = [True, False] * 3
    s = np.round(np.clip(rng.beta(2, 3, 80) + 0.2 * y, 0, 1), 2)
    choices = {
        "score_driven": cs.ScoreDriven(),
        "smoothed": cs.Smoothed(),
        "optimal": cs.Optimal(),
    }
    decision = cs.decide(
        y,
        {"m": s},
        conditions=cs.Deployment(1, fn_cost, prevalence),
        choices={name: choices[name]},
        folds=2,
    )
    for fit in decision.fits:
        if fit.strategy.model is None or fit.rule.trivial:
            continue
        np.testing.assert_array_equal(fit.rule.flagged(s) > 0, s > printed(fit.rule))
    np.testing.assert_array_equal(decision.apply(s).action == "flag", by_hand(decision, s))


@pytest.mark.parametrize("prevalence", np.arange(1, 19) / 20)
def test_a_score_of_the_cost_proportion_is_not_flagged_at_the_files_own_prevalence(prevalence):
    n = 200
    y = np.arange(n) < round(n * prevalence)
    s = np.round(np.linspace(0.01, 0.99, n), 2)
    for conditions in (cs.Deployment(1, 4), cs.Deployment(1, 4, prevalence)):
        decision = cs.decide(y, {"m": s}, conditions=conditions, choices=[cs.ScoreDriven()])
        (fit,) = (one for one in decision.fits if one.strategy.model)
        assert list(fit.rule.cuts) == [0.2]


def test_curves_of_scores_calibrated_to_their_own_prevalence_are_those_of_the_scores():
    y = np.arange(100) % 7 < 2
    s = np.round(np.linspace(0.01, 0.99, 100), 2)
    own = cs.loss_curve(y, s, choice=cs.ScoreDriven(calibrated_to=float(y.mean())))
    plain = cs.loss_curve(y, s, choice=cs.ScoreDriven())
    for c in np.arange(1, 100) / 100:
        assert own(c) == plain(c)


def test_a_threshold_by_formula_has_no_rounding_error():
    choice = cs.ScoreDriven(calibrated_to=0.5)
    # At odds of 4 : 1 and a prevalence of 1/5 the corrected threshold is 1/2.
    assert float(choice.threshold_at(0.2, 0.2)) == 0.5
    assert float(choice.threshold_at(0.1, 0.1)) == 0.5


SAMPLES = {
    "adjacent": [0.1, np.nextafter(0.1, 1), 0.3],
    "float32": np.array([0.1, 0.2, 0.3], dtype=np.float32),
    "points": [520, 530, 531],
    "large": 12345678 + 40 * np.linspace(0, 1, 5),
    "timestamps": 1.7e9 + np.array([0.0, 1.0, 1.5]),
    "close": 0.5 + 1e-9 * np.array([-1.0, 0.0, 1.0]),
    "tiny": [1e-300, 3e-300, 1e-12],
    "negative": [-5.25, -5.2, 0.0],
}


@pytest.mark.parametrize("name", SAMPLES)
def test_learnt_cuts_are_short_and_separate_the_same_scores(name):
    s = np.asarray(SAMPLES[name])
    y = np.arange(len(s)) % 2
    table = cs.ScoreTable.from_predictions(y, s)
    for cut in table.cut_points:
        rule = written(Rule(float(cut)), table)
        (short,) = rule.cuts
        np.testing.assert_array_equal(s > short, s > cut)
        assert printed(rule) == short
        assert len(f"{short!r}") <= len(f"{float(cut)!r}")


def test_the_shortest_number_is_the_one_with_fewest_digits():
    table = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0.123, 0.188, 0.19, 0.9])
    cuts = [written(Rule(float(cut)), table).cuts[0] for cut in table.cut_points]
    assert list(cuts) == [0.16, 0.189, 0.5]


def test_a_cut_by_formula_has_six_digits_unless_scores_lie_between():
    table = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0.1, 0.3333331, 0.4, 0.5])
    assert written(Rule(0.2461392874), table).cuts[0] == 0.246139
    assert written(Rule(1 / 3), table).cuts[0] == 0.3333333
    # That a score equals the threshold by rounding alone does not flag it.
    assert written(Rule(0.1 + 1e-17 + 0.3), table).cuts[0] == 0.4


def test_the_rule_in_use_is_what_was_given():
    y, s = np.arange(60) % 2, np.linspace(0, 1, 60)
    given = 0.123456789
    decision = cs.decide(y, {"m": s}, conditions=cs.Deployment(1, 4), baseline=("m", given))
    (use,) = (fit for fit in decision.fits if fit.strategy.name == "baseline")
    assert use.rule.cuts[0] == given
    assert printed(use.rule) == given


@pytest.mark.parametrize("fn_cost", range(1, 100))
def test_a_cost_proportion_that_is_a_decimal_is_that_decimal(fn_cost):
    for fp_cost in (1, 2, 3, 7):
        exact = fp_cost / (fp_cost + fn_cost)
        found = cs.cost_proportion(fp_cost=fp_cost, fn_cost=fn_cost)
        assert found == exact or found == pytest.approx(exact, rel=1e-15)
        if len(f"{exact!r}") < 8:
            assert found == exact


def test_what_is_printed_costs_what_is_said_of_it():
    # 90 negatives at the threshold, which the printed rule lets pass.
    y = np.repeat([0, 1], [93, 7])
    s = np.concatenate([np.full(90, 0.2), [0.1, 0.15, 0.3], [0.12, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8]])
    known = cs.Deployment(1, 4, float(y.mean()))
    decision = cs.decide(y, {"m": s}, conditions=known, choices=[cs.ScoreDriven()])
    (fit,) = (one for one in decision.fits if one.strategy.model)
    flagged = s > printed(fit.rule)
    by_hand = 1000 * (np.sum(flagged & (y == 0)) + 4 * np.sum(~flagged & (y == 1))) / len(y)
    assert fit.in_sample == pytest.approx(by_hand) == pytest.approx(50.0)


@given(st.integers(1, 29), st.sampled_from([30, 70, 90, 210]))
def test_who_takes_the_printed_share_of_a_queue_takes_as_many(places, size):
    s = np.arange(3.0 * size)
    rule = Rule(places / size, ("flag", "pass"), by="share")
    (percent,) = re.findall(r"flag the top (\S+) % of the queue$", str(rule))
    printed_rule = Rule(float(percent) / 100, ("flag", "pass"), by="share")
    assert rule.flagged(s).sum() == printed_rule.flagged(s).sum() == 3 * places


def test_less_than_the_whole_queue_is_not_printed_as_all():
    assert str(Rule(0.9999999, ("flag", "pass"), by="share")).startswith("flag the top 99.99999 %")


@pytest.mark.parametrize("others", [0, 1, 20])
def test_one_threshold_is_stated_only_where_the_costs_of_all_cases_set_it(others):
    rng = np.random.default_rng(others)
    y = np.arange(300) % 3 == 0
    s = np.round(np.clip(rng.beta(2, 3, 300) + 0.4 * y, 0, 1), 3)
    fn_cost = np.where(np.arange(300) < others, 100.0, 4.0)
    costs = cs.CaseCosts(fp_cost=np.ones(300), fn_cost=fn_cost)
    decision = cs.decide(y, {"m": s}, case_costs=costs, choices=[cs.Smoothed()], folds=2)
    told = decision.recommendation.instruction
    assert ("each case's costs set its threshold, mostly 0." in told) == (others > 0)
    found = re.search(r": flag scores above (\S+)\.$", told)
    assert (found is None) == (others > 0)
    if found is not None:
        applied = decision.apply(s, fp_cost=1, fn_cost=4)
        np.testing.assert_array_equal(applied.action == "flag", s > float(found[1]))
