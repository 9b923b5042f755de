"""How limits are kept on held-out rows, and the rule in use given as what it decided."""

import re

import numpy as np
import pytest
from command_line import run
from prediction_files import write_csv

import costspace as cs

RNG = np.random.default_rng(4)
Y = np.arange(600) % 4 == 0
S = RNG.normal(1.5 * Y)
KNOWN = cs.Deployment(1, 6, 0.2)


@pytest.mark.parametrize(
    ("limit", "status"), [({"max_fpr": 0.9}, "kept"), ({"max_fpr": 0.1}, "at the limit")]
)
def test_what_is_reached_is_that_of_rows_held_out(limit, status):
    # Without a margin a limit that binds is reached.
    options = {"choices": [cs.Smoothed()], "randomise": True}
    limits = cs.Constraints(**limit)
    decision = cs.decide(Y, {"m": S}, conditions=KNOWN, constraints=limits, **options)
    (found,) = decision.limits_kept()
    flagged = decision.choosing.best.flagged
    assert found.reached == pytest.approx(flagged[~Y].mean())
    assert (found.name, found.limit, found.status) == ("max_fpr", limit["max_fpr"], status)


LIMITS = {"min_precision": 0.35, "min_recall": 0.6, "min_npv": 0.85, "max_fpr": 0.35}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("queue", [False, True])
def test_a_rate_is_told_once_with_a_verdict_that_agrees_with_its_interval(seed, queue):
    rng = np.random.default_rng(seed)
    y = rng.random(300) < 0.25
    s = rng.normal(1.6 * y)
    limits = cs.Constraints(**LIMITS, capacity=0.4 if queue else None)
    choices = [cs.RateFixed(0.4)] if queue else [cs.Optimal()]
    options = {"constraints": limits, "choices": choices, "baseline": ("m", 0.7)}
    decision = cs.decide(y, {"m": s}, conditions=cs.Deployment(1, 4), **options)
    flagged = decision.choosing.best.flagged
    fpr, recall = flagged[~y].mean(), flagged[y].mean()
    passed = 1 - flagged
    by_hand = {
        "min_precision": flagged[y].sum() / flagged.sum(),
        "min_recall": recall,
        "min_npv": passed[~y].sum() / passed.sum(),
        "max_fpr": fpr,
    }
    outcomes, kept = decision.outcomes(), decision.limits_kept()
    for one in kept:
        low, high = one.reached_low, one.reached_high
        assert low <= one.reached <= high
        if one.name == "capacity":
            continue
        assert one.reached == pytest.approx(by_hand[one.name])
        beyond = one.reached > one.limit if one.name == "max_fpr" else one.reached < one.limit
        within = low < one.limit < high
        assert one.status == ("at the limit" if within else "broken" if beyond else "kept")
    told = {one.name: (one.reached, one.reached_low, one.reached_high) for one in kept}
    for name, count in (("min_precision", outcomes.precision), ("min_recall", outcomes.recall)):
        assert told[name] == (count.value, count.low, count.high)


def test_a_limit_costs_what_deciding_without_it_saves():
    both = cs.Constraints(capacity=0.2, min_precision=0.5)
    decided = {
        name: cs.decide(Y, {"m": S}, conditions=KNOWN, constraints=limits)
        for name, limits in (
            *(("all", both), ("capacity", cs.Constraints(min_precision=0.5))),
            ("min_precision", cs.Constraints(capacity=0.2)),
        )
    }
    money = {name: one.recommendation.money for name, one in decided.items()}
    found = {one.name: one for one in decided["all"].limits_kept()}
    assert set(found) == {"capacity", "min_precision"}
    for name, one in found.items():
        assert one.costs == pytest.approx(money["all"] - money[name], abs=1e-9)
        assert one.costs_low <= one.costs <= one.costs_high
    assert found["capacity"].costs > 10


@pytest.mark.parametrize("positives", [2, 4])
def test_where_rows_are_few_what_a_limit_costs_has_no_interval(positives):
    limits = cs.Constraints(capacity=0.2)
    y = np.arange(16) < positives
    decision = cs.decide(y, S[:16] + y, conditions=KNOWN, constraints=limits)
    (found,) = decision.limits_kept()
    assert np.isfinite(found.costs)
    assert np.isnan([found.costs_low, found.costs_high]).all()


@pytest.mark.parametrize(
    ("name", "known"),
    [("min_precision", cs.Deployment(900, 1, 0.05)), ("min_npv", cs.Deployment(1, 900, 0.5))],
)
def test_a_share_of_nobody_keeps_to_any_limit(name, known):
    """Everybody costs least, or nobody does: nothing is left to take a share of."""
    limits = cs.Constraints(**{name: 0.3})
    decision = cs.decide(Y, {"m": -S}, conditions=known, constraints=limits)
    (found,) = decision.limits_kept()
    assert (found.status, found.reached, found.reached_low) == ("kept", None, None)
    assert np.isnan(found.columns()["reached"]).all()


def test_decisions_that_were_made_cost_what_they_did():
    decided = (S > 0.8).astype(int)
    decision = cs.decide(Y, {"m": S}, conditions=KNOWN, baseline=decided)
    (used,) = [one for one in decision.strategies if one.strategy.name == "baseline"]
    fpr, fnr = decided[~Y].mean(), 1 - decided[Y].mean()
    assert used.money == pytest.approx(1000 * (0.8 * fpr + 0.2 * 6 * fnr))
    assert decision.strategy != used.strategy
    with pytest.raises(cs.ConditionError, match="no rule for other cases"):
        decision.saved(used.strategy)
    with pytest.raises(cs.ConditionError, match="must be decisions, 0 or 1"):
        cs.decide(Y, {"m": S}, conditions=KNOWN, baseline="m")
    with pytest.raises(cs.ConditionError, match="3 decisions for 600 rows"):
        cs.decide(Y, {"m": S}, conditions=KNOWN, baseline=[0, 1, 1])


def test_a_limit_costs_no_more_than_what_makes_no_mistake_without_it():
    """Nobody is flagged within the limit; without it no row is decided wrongly, held-out."""
    rng = np.random.default_rng(5)
    y = np.arange(20) < 14
    s = np.where(y, rng.random(20).round(2), rng.random(20).round(2) / 5)
    rows = cs.ScoredRows.from_predictions(y, {"m": s})
    known = cs.Deployment(1, (0.0014, 0.011), 0.034)
    limits = cs.Constraints(min_precision=0.9)
    decision = cs.decide(cs.hold_out(rows), conditions=known, constraints=limits)
    (found,) = decision.limits_kept()
    assert found.costs_low < 0 < found.costs == found.costs_high


def test_a_capacity_costs_the_same_where_only_a_queue_is_asked_for():
    y, s = Y, {"m": S}
    known, limit = cs.Deployment(1, 6, 0.3), cs.Constraints(capacity=0.1)
    given = {"conditions": known, "constraints": limit}
    every = cs.decide(y, s, **given)
    assert every.strategy.name == "queue"
    queue = cs.decide(y, s, **given, choices={"queue": cs.RateFixed(0.1)})
    assert queue.strategy == every.strategy
    (one,), (other,) = every.limits_kept(), queue.limits_kept()
    assert one.costs_low > 0
    assert (other.costs, other.costs_low) == pytest.approx((one.costs, one.costs_low))


COIN = np.random.default_rng(8).random(600)


@pytest.mark.parametrize("limit", [{"capacity": 0.5}, {"max_fpr": 0.3}, {"min_precision": 0.1}])
def test_of_a_model_that_saves_nothing_counts_and_limits_are_of_the_rule_that_is_stated(limit):
    asked = {"conditions": cs.Deployment(1, 2), "choices": [cs.ScoreDriven()]}
    decision = cs.decide(Y, {"coin": COIN}, **asked, constraints=cs.Constraints(**limit))
    stated = decision.recommendation.stated
    assert (decision.strategy.model, stated.model) == (None, "coin")
    (kept,), outcomes = decision.limits_kept(), decision.outcomes(stated)
    flagged = next(fit for fit in decision.fits if fit.strategy == stated).flagged
    reached = {
        "capacity": outcomes.flagged.value / 1000,
        "max_fpr": flagged[~Y].mean(),
        "min_precision": outcomes.precision.value,
    }
    assert kept.reached == pytest.approx(reached[kept.name])
    assert kept.reached > 0
    # What the limit costs is told of what is recommended.
    free = cs.decide(Y, {"coin": COIN}, **asked)
    costs = decision.recommendation.money - free.recommendation.money
    assert kept.costs == pytest.approx(costs, abs=1e-9)


def test_the_first_screen_says_of_whom_a_limit_is_told(tmp_path, capsys):
    path = write_csv(tmp_path / "coin.csv", {"y": Y.astype(int), "coin": COIN})
    ask = ["decide", path, "--label", "y", "--score", "coin", "--fp-cost", 1, "--fn-cost", 2]
    found = run(capsys, *ask, "--choice", "score_driven", "--capacity", 0.5)
    page = " ".join(found.split())
    (flagged,) = re.findall(r"flagged ([\d.]+) \(", page)
    (share,) = re.findall(r"Flag at most 50 %: .+? \(reaches ([\d.]+) %, ", page)
    assert float(share) == pytest.approx(float(flagged) / 10, abs=0.06)
    assert "; for flagging nobody the limit" in page
