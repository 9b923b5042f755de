"""Whose reviews find places in a queue, against every assignment and every price."""

from itertools import product

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.plain_rules import plain_rules, rules_of
from costspace.decision.applying.saved import SavedDecision
from costspace.decision.rules.queue import Queue
from costspace.decision.rules.review_queue import ReviewQueue, ReviewWorth
from costspace.decision.rules.rules_by_condition import ByFormula
from costspace.decision.rules.threshold_paths import ThresholdPath

ACTIONS = ("pass", "review", "flag")


def costs_of(review, fp, fn):
    """What passing, reviewing and flagging cost on a negative and on a positive."""
    return np.array(review.table(fp_cost=fp, fn_cost=fn).costs)


def worth_of(review, fp, fn, prevalence, rules=None):
    low, high = cs.Deployment(fp, fn, prevalence, review=review).steps
    stakes = [(one.negative_stake, one.positive_stake) for one in (low, high)]
    rules = rules or ByFormula(cs.ScoreDriven(prevalence), prevalence)
    return ReviewWorth(rules, prevalence, prevalence, tuple(stakes))


def drawn(seed):
    """Costs at which a review may be worth it, with a reviewer who errs."""
    rng = np.random.default_rng(seed)
    fp, fn = np.exp(rng.normal(size=2)).tolist()
    found, kept = rng.uniform(0.8, 1, 2).tolist()
    most = (found + kept - 1) * fp * fn / (fp + fn)
    return rng, fp, fn, cs.Review(rng.uniform(0.02, 0.9) * most, found, kept)


def expected(s, costs):
    """What each action costs for a case of each probability, shape (n, 3)."""
    return np.outer(1 - s, costs[0]) + np.outer(s, costs[1])


@pytest.mark.parametrize("seed", range(150))
def test_it_is_the_best_assignment_with_so_many_reviews(seed):
    rng, fp, fn, review = drawn(seed)
    n, p = int(rng.integers(1, 7)), rng.uniform(0.05, 0.6)
    s = rng.uniform(size=n)
    each = expected(s, costs_of(review, fp, fn))
    k = int(rng.integers(0, n + 1))
    best = min(
        sum(each[i, act] for i, act in enumerate(acts))
        for acts in product(range(3), repeat=n)
        if acts.count(1) <= k
    )
    rule = ReviewQueue(worth_of(review, fp, fn, p), k / n).by_score(Queue.of(s))
    acts = [ACTIONS.index(action) for action in rule.applied(s)]
    assert acts.count(1) <= k
    assert each[np.arange(n), acts].sum() == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize("by_formula", [True, False])
@pytest.mark.parametrize("seed", range(150))
def test_it_is_the_least_price_at_which_reviews_find_places(seed, by_formula):
    """Tied scores go together, and of what saves the same as much as fits is reviewed, too."""
    rng, fp, fn, review = drawn(seed)
    n, p = int(rng.integers(2, 40)), rng.uniform(0.05, 0.6)
    s = rng.integers(0, 12, n) / 12
    rules, c = None, s
    if not by_formula:
        # Steps: several scores have one probability.
        steps = np.sort(rng.uniform(size=5))
        rules = ThresholdPath.stepping(steps, np.array([-np.inf, 0.2, 0.4, 0.6, 0.8, 0.95]))
        c = np.array([0.0, *steps, 1.0])[np.searchsorted([0.2, 0.4, 0.6, 0.8, 0.95], s) + 1]
        c[s > 0.95] = 1.0
    each = expected(c, costs_of(review, fp, fn))
    saved = np.minimum(each[:, 0], each[:, 2]) - each[:, 1]
    k = int(rng.integers(0, n))
    prices = np.append(0.0, saved[saved > 0])
    price = min(one for one in prices if np.count_nonzero(saved > one + 1e-13) <= k)
    queue = Queue.of(s)
    reviews = ReviewQueue(worth_of(review, fp, fn, p, rules), k / n)
    action = reviews.by_score(queue).applied(s)
    reviewed = action == "review"
    assert np.count_nonzero(reviewed) <= k
    assert reviewed[saved > price + 1e-13].all()
    assert (saved[reviewed] > max(price - 1e-13, 0)).all()
    others = np.where(each[:, 2] < each[:, 0], "flag", "pass")
    near = np.abs(each[:, 2] - each[:, 0]) < 1e-13
    assert (near | reviewed | (action == others)).all()
    # Who ties with one who is reviewed is reviewed.
    assert not np.intersect1d(s[reviewed], s[~reviewed]).size
    assert reviews.tied(queue) <= np.count_nonzero(~reviewed)


def test_of_scores_that_save_the_same_those_near_the_middle_come_first():
    # All up to 0.3 have one probability, and so have those above 0.5; those between are flagged.
    path = ThresholdPath.stepping(np.array([0.3, 0.5]), np.array([-np.inf, 0.3, 0.5]))
    worth = worth_of(cs.Review(0.2), 1.0, 1.5, 0.5, path)
    s = np.array([0.1, 0.2, 0.3, 0.35, 0.4, 0.6])
    saved = worth.saved(s).least
    assert np.ptp(saved[:3]) == np.ptp(saved[3:5]) == 0
    assert saved[3] > saved[0] > 0 > saved[5]
    for places, reviewed in enumerate([[], [3], [3, 4], [2, 3, 4], [1, 2, 3, 4], [0, 1, 2, 3, 4]]):
        rule = ReviewQueue(worth, places / 6).by_score(Queue.of(s))
        assert np.flatnonzero(rule.applied(s) == "review").tolist() == reviewed


def test_cases_without_a_score_have_places_first_if_they_are_reviewed():
    s, worth = np.array([0.1, 0.4, 0.45, 0.5, 0.9]), worth_of(cs.Review(0.1), 1.0, 1.0, 0.5)
    lacking = np.append(s, [np.nan, np.nan])
    for missing, reviewed in [("pass", 3), ("review", 1), ("flag", 3)]:
        kept = SavedDecision({}, DeployedRules("m", "own", None, queue=ReviewQueue(worth, 3 / 7)))
        action = kept.apply(lacking, missing=missing).action
        assert np.count_nonzero(action[:5] == "review") == reviewed
        assert (action[5:] == missing).all()


def test_words_and_plain_values():
    worth = worth_of(cs.Review(0.1), 1.0, 3.0, 0.5)
    reviews = ReviewQueue(worth, 0.02)
    said = (
        "review the 2 % of the queue where that saves most, flag others above 0.25, pass the rest"
    )
    assert str(reviews) == said
    names = {"pass": "approve", "review": "look at", "flag": "decline"}
    assert reviews.said(names, "the 4 of each 200") == (
        "look at the 4 of each 200 where that saves most, decline others above 0.25, approve the "
        "rest"
    )
    rules = DeployedRules("m", "own", None, queue=reviews, one_by_one=cs.Rule(0.25))
    values = plain_rules(rules)
    assert plain_rules(rules_of(values)) == values
    assert rules_of(values).actions == ACTIONS
    for change, told in [
        ({"share": 2}, "share must be"),
        ({"stakes": [[1, 2], [3]]}, "stakes must be those of two decisions"),
        ({"stakes": [[1, 2], [3, -1]]}, "a stake must be"),
        ({"axis": 0}, "axis must be"),
        ({"formula": {"name": "else"}}, "a formula has a name"),
    ]:
        with refused(cs.ConditionError, told):
            rules_of({**values, "queue": {**values["queue"], **change}})
    with refused(cs.ConditionError, "queue must have share"):
        rules_of({**values, "queue": {"share": 0.1}})
    with refused(cs.ConditionError, "one_by_one must be a rule by score"):
        rules_of({**values, "one_by_one": cs.Rule(0.1, by="share").to_dict()})


def test_queues_too_small_for_a_review_are_told():
    reviews = ReviewQueue(worth_of(cs.Review(0.1), 1.0, 1.0, 0.5), 0.02)
    kept = SavedDecision({}, DeployedRules("m", "own", None, queue=reviews))
    with pytest.warns(cs.DataWarning, match="3 cases are too few for anybody to be reviewed"):
        found = kept.apply([0.2, 0.5, 0.8])
    assert found.action.tolist() == ["pass", "flag", "flag"]
    assert "since a share of 0.02 takes 50 cases" in found.note
