"""The rule in use is compared with what is recommended, with the saving."""

import numpy as np
import pytest
from refusals import refused
from two_models import drawn

import costspace as cs

KNOWN = cs.Deployment(1, (2, 8), 0.3)
# The mean of a log-uniform cost of a false negative.
STAKES = 0.7, 0.3 * 6 / np.log(4)


def by_name(decision, name):
    (found,) = (one for one in decision.strategies if one.strategy.name == name)
    return found


def test_the_rule_in_use_costs_what_its_rates_on_the_rows_say():
    y, s = drawn(1, 300)
    decision = cs.decide(y, s, conditions=KNOWN, baseline=("fine", 0.6))
    one = by_name(decision, "baseline")
    flagged = s["fine"] > 0.6
    fpr, fnr = flagged[y == 0].mean(), 1 - flagged[y == 1].mean()
    assert one.money == pytest.approx(1000 * (STAKES[0] * fpr + STAKES[1] * fnr), rel=1e-9)
    assert one.rule == cs.Rule(0.6)
    assert one.strategy.model == "fine"
    assert one.more is not None
    assert one.more.difference == pytest.approx(one.money - decision.recommendation.money, rel=1e-9)
    assert decision.to_dict()["baseline"]["cost_per_1000"] == pytest.approx(one.money)
    (told,) = (
        x for x in decision.recommendation.sentences if x.endswith("against the rule in use.")
    )
    assert told.startswith(f"It saves {one.more.difference:.0f} (")


def test_without_a_rule_in_use_nothing_mentions_one():
    y, s = drawn(1, 300)
    decision = cs.decide(y, s, conditions=KNOWN)
    assert decision.task.baseline is None
    assert decision.to_dict()["baseline"] is None
    assert "rule in use" not in decision.recommendation.text


def test_the_rule_in_use_can_be_recommended():
    # Of classes that are apart at 0.5 no threshold is better, and the simplest wins a tie.
    y = np.arange(80) % 2
    decision = cs.decide(y, {"m": 0.2 + 0.6 * y}, conditions=KNOWN, baseline=("m", 0.5))
    assert decision.strategy.name == "baseline"
    assert decision.recommendation.text.startswith(
        "Keep the rule in use, m: flag scores above 0.5."
    )


def test_only_a_rule_in_use_within_limits_is_a_strategy():
    y, s = drawn(1, 200)
    limits = cs.Constraints(capacity=0.1)
    decision = cs.decide(
        y, s, conditions=KNOWN, baseline=("fine", 0.1), constraints=limits, validation=drawn(2)
    )
    feasible = [one.strategy.name for one in decision.strategies]
    found = [fit for fit in decision.fits if fit.strategy.name == "baseline"]
    assert len(found) == 1
    assert found[0].feasible == ("baseline" in feasible)


def test_a_rule_in_use_of_a_model_without_scores_is_refused():
    y, s = drawn(1)
    text = (
        "the rule in use is of 'other', and there are no scores of that: add them (--score other), "
        "or name a column of decisions without a threshold (--baseline other)."
    )
    with refused(cs.ConditionError, text):
        cs.decide(y, s, conditions=KNOWN, baseline=("other", 0.3))


def test_a_model_cannot_have_the_name_of_decisions_in_an_array():
    y, s = drawn(1)
    with refused(cs.ConditionError, "a model named 'in use'"):
        cs.decide(y, {"in use": s["fine"], **s}, conditions=KNOWN, baseline=s["fine"] > 0.5)


def test_decisions_in_an_array_are_not_those_on_validation_rows():
    y, s = drawn(1)
    with refused(cs.ConditionError, "the validation rows have none"):
        cs.decide(y, s, conditions=KNOWN, baseline=s["fine"] > 0.5, validation=drawn(2))


def test_a_rule_in_use_that_breaks_a_limit_is_said_to_do_so():
    y, s = drawn(1, 300)
    limits = cs.Constraints(capacity=0.2, max_fpr=0.99)
    p = KNOWN.mean_prevalence
    for threshold, beyond in ((0.1, True), (0.9, False)):
        decisions = s["fine"] > threshold
        flagged = (1 - p) * decisions[y == 0].mean() + p * decisions[y == 1].mean()
        limit = f"flag at most 20 %, not {100 * flagged:.3g} %"
        told = f"The rule in use is not allowed within the limits: {limit}."
        for in_use in (("fine", threshold), decisions):
            asked = {"conditions": KNOWN, "constraints": limits, "baseline": in_use}
            decision = cs.decide(y, s, **asked)
            assert (told in decision.recommendation.told) == beyond
            assert decision.to_dict()["baseline"]["broken"] == [limit] * beyond
            assert (told in cs.compare_money(y, s, **asked).warnings) == beyond
    # Of a range of prevalence it is where the most are flagged.
    asked |= {"conditions": cs.Deployment(1, (2, 8), (0.1, 0.4)), "baseline": ("fine", 0.4)}
    (limit,) = cs.decide(y, s, **asked).to_dict()["baseline"]["broken"]
    decisions = s["fine"] > 0.4
    flagged = 0.6 * decisions[y == 0].mean() + 0.4 * decisions[y == 1].mean()
    assert limit == f"flag at most 20 %, not {100 * flagged:.3g} % at prevalence 0.4"
    # Nothing is said where there is none, whatever models are called.
    named = {"baseline": s["fine"], **s}
    assert not cs.compare_money(y, named, conditions=KNOWN, constraints=limits).warnings
