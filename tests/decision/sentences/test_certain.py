"""How sure an answer is: as its parts say, in real decisions and where parts are changed."""

from dataclasses import replace

import numpy as np
import pytest

import costspace as cs
from costspace.decision.sentences.certain import certainty

RNG = np.random.default_rng(3)
Y = np.arange(800) % 4 == 0
GOOD, POOR = RNG.normal(2.0 * Y), RNG.normal(0.3 * Y)
KNOWN = cs.Deployment(1, 5, 0.25)
AT = "at 95 %, from 800 rows"


def decided(scores, **more):
    return cs.decide(Y, scores, **{"conditions": KNOWN} | more)


def told(decision, evidence=None, excluded=None):
    unseen = bool(decision.recommendation.not_shown)
    return certainty(decision.choosing, evidence or decision.evidence, excluded, unseen=unseen)


def changed(decision, strategy, **values):
    """The evidence with other numbers for what one strategy costs more."""
    strategies = [
        replace(one, more=replace(one.more, **values)) if one.strategy == strategy else one
        for one in decision.evidence.strategies
    ]
    return replace(decision.evidence, strategies=tuple(strategies))


def none_of(decision):
    """The cheapest that needs no model."""
    return min(
        (one for one in decision.evidence.strategies if one.strategy.model is None),
        key=lambda one: one.money,
    )


def test_a_good_model_beside_a_poor_one_is_clear():
    assert decided({"good": GOOD, "poor": POOR}).certainty == (True, f"Clear {AT}")


def test_models_that_do_as_well_are_named_the_cheapest_first():
    near = {name: GOOD + RNG.normal(0, 0.05, 800) for name in ("b", "c", "d")}
    for some in ("b", "bc", "bcd"):
        decision = decided({"a": GOOD, **{name: near[name] for name in some}})
        use, sure = decision.recommendation.model, decision.certainty
        by_cost = sorted(decision.strategies, key=lambda one: one.money)
        rivals = dict.fromkeys(one.strategy.model for one in by_cost if one.strategy.model)
        named = [name for name in rivals if name != use]
        alike = " and ".join(named) if len(named) < 3 else "3 other models"
        assert sure == (False, f"No clear winner {AT}: {alike} may do as well")


def test_a_rival_is_named_only_if_its_interval_holds_0():
    decision = decided({"good": GOOD, "other": GOOD + RNG.normal(0, 0.05, 800)})
    use = decision.recommendation.model
    for one in decision.evidence.strategies:
        if one.strategy.model not in (None, use):
            more = {"difference": 100.0, "low": 50.0, "high": 150.0, "p_adjusted": 0.2}
            decision = replace(decision, evidence=changed(decision, one.strategy, **more))
    assert told(decision) == (False, f"No clear winner {AT}")


@pytest.mark.parametrize(
    ("low", "clear"), [(8.0, False), (47.0, False), (48.0, True), (180.0, True)]
)
def test_how_large_a_saving_is_is_not_clear_below_a_quarter_of_it(low, clear):
    decision = decided({"good": GOOD})
    least = none_of(decision).strategy
    evidence = changed(decision, least, difference=190.0, low=low, high=376.0)
    what = "Clear" if clear else "There is a saving, but how much is not clear"
    assert told(decision, evidence) == (clear, f"{what} {AT}")


def test_the_saving_against_the_rule_in_use_counts_where_there_is_one():
    cut = float(np.quantile(GOOD[Y], 0.18))
    decision = decided({"m": GOOD}, baseline=("m", cut), choices=[cs.Smoothed()])
    more = decision.evidence.more(decision.task.baseline)
    assert more.low <= 0 <= more.high
    what = "The best model, but no clear saving on the rule in use"
    assert decision.certainty == (False, f"{what} {AT}")
    evidence = changed(decision, decision.task.baseline, difference=-90.0, low=-120.0, high=-60.0)
    assert told(decision, evidence) == (False, f"The rule in use costs less: clear {AT}")
    # One that breaks a limit is no rule to keep.
    excluded = told(decision, evidence, decision.task.baseline)
    assert not excluded.text.startswith("The rule in use")


def test_where_no_model_is_shown_to_save_nothing_is_clear():
    decision = decided({"poor": POOR})
    assert decision.recommendation.not_shown
    assert decision.certainty == (False, f"No clear saving {AT}")


def test_what_keeps_to_no_limit_and_what_has_no_interval_is_not_sure():
    nothing = decided({"poor": POOR}, constraints=cs.Constraints(min_recall=0.99, max_fpr=0.001))
    assert nothing.certainty == (False, "Nothing keeps to the limits")
    few = cs.decide([0, 0, 1, 1, 0], {"m": [0.1, 0.2, 0.8, 0.9, 0.3]}, fp_cost=1, fn_cost=2)
    assert few.evidence.reason is not None
    assert few.certainty == (False, "The data do not tell how sure that is")


def test_groups_are_counted_beside_their_rows():
    groups = np.repeat(np.arange(160), 5)
    decision = decided({"good": GOOD}, groups=groups)
    assert decision.certainty.text.endswith("from 800 rows in 160 groups")


def test_the_level_is_the_one_of_the_intervals():
    assert " at 90 %, from" in decided({"good": GOOD}, level=0.9).certainty.text


def test_where_the_data_show_that_all_models_cost_more_that_is_clear():
    noise = np.random.default_rng(7).random(800)
    known = cs.Deployment(1, 10, 0.25)
    decision = decided({"noise": noise}, conditions=known, choices=[cs.ScoreDriven()])
    found = decision.recommendation
    assert decision.strategy.name == "flag_everybody"
    assert found.heading == "Flag everybody."
    assert found.instruction.startswith("If you use a model, use noise: ")
    assert found.saving == "No model is shown to save money over flagging everybody."
    assert found.instruction in found.why
    assert decision.certainty == (True, f"Nothing else costs less: clear {AT}")


def test_a_rival_with_the_model_in_use_is_another_threshold():
    scores = {"good": GOOD, "other": GOOD + np.random.default_rng(7).normal(0, 0.05, 800)}
    use = decided(scores).recommendation.model
    rival = next(name for name in scores if name != use)
    found = decided(scores, baseline=(rival, 9.0)).certainty
    told = f"{rival} at another threshold than in use may do as well"
    assert found == (False, f"No clear winner {AT}: {told}")
