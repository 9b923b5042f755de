"""Rules for a queue applied: what ties at its edge, batches of their own, and cases one by one."""

import json
import warnings
from fractions import Fraction

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision

RNG = np.random.default_rng(11)
Y = (RNG.random(400) < 0.3).astype(int)
S = np.round(1 / (1 + np.exp(1 - 2 * Y - RNG.normal(size=400))), 2)
WEIGHT = RNG.integers(1, 5, 400).astype(float)
# Wider than one prevalence, and away from that of the rows.
RANGE = cs.Deployment(fp_cost=1, fn_cost=(20, 60), prevalence=(0.02, 0.1))
SHARE = 0.05
DAYS = np.array(["tue", "mon", "wed"])[RNG.integers(0, 3, 90)]
COARSE = np.round(RNG.random(90) + 0.3 * (DAYS == "tue"), 1)
TWO_CUTS = cs.Rule((0.1, 0.25), ("block", "review", "pass"), by="share")
DRAWN = cs.Rule(0.2, by="share", otherwise=cs.Rule(0.35, by="share"), chance=0.4)


def by_rule(rule, **more):
    return SavedDecision({"version": "1.0"}, DeployedRules("m", "own", rule, **more))


def queue_decision(**more):
    return cs.decide(
        Y,
        {"m": S},
        conditions=RANGE,
        constraints=cs.Constraints(capacity=SHARE),
        choices={"queue": cs.RateFixed(SHARE)},
        **more,
    )


def kept_queue(**more):
    found = queue_decision(**more)
    (own,) = (one.strategy for one in found.strategies if one.strategy.name == "queue")
    return found.saved(own)


def tied_by_hand(rule, queue):
    """How many cases there is room for some of, and not for all that score alike."""
    found = set()
    for one in (rule, rule.otherwise):
        for cut in () if one is None or one.by == "score" else one.cuts:
            places = Fraction(str(cut)) * len(queue) // 1
            for i, score in enumerate(queue):
                above = sum(other > score for other in queue)
                if above < places < above + sum(other == score for other in queue):
                    found.add(i)
    return len(found)


@pytest.mark.parametrize("rule", [cs.Rule(0.1, by="share"), TWO_CUTS, DRAWN])
def test_what_ties_at_the_edge_is_left_out_and_counted(rule):
    most = 0
    for scores in (COARSE, COARSE[:7], np.arange(90.0), np.append(COARSE, -np.inf), np.zeros(9)):
        found = by_rule(rule).apply(scores, seed=1)
        assert found.action.tolist() == rule.applied(scores, seed=1).tolist()
        assert found.tied == tied_by_hand(rule, scores)
        most = max(most, found.tied)
    assert most > 1


def test_only_queues_count_ties():
    queue = by_rule(cs.Rule(0.5, by="share"))
    found = queue.apply([0.9, 0.4, 0.4, 0.1])
    assert (found.tied, found.note) == (2, "")
    assert repr(found) == "Actions(flag 1, pass 3; 2 tied at the edge are left out)"
    # No place is left, so that the next ones would be left out if they did not tie.
    assert queue.apply([0.9, 0.8, 0.4, 0.4]).tied == 0
    # Half a case is none.
    assert queue.apply([0.9, 0.4, 0.4]).tied == 0
    found = by_rule(cs.Rule(0.5)).apply([0.9, 0.5, 0.5, 0.1])
    assert found.tied is None
    assert repr(found) == "Actions(flag 1, pass 3)"


@pytest.mark.parametrize("rule", [cs.Rule(0.1, by="share"), TWO_CUTS, DRAWN])
@pytest.mark.parametrize("labels", [DAYS, np.unique(DAYS, return_inverse=True)[1], DAYS == "tue"])
def test_each_batch_is_a_queue_of_its_own(rule, labels):
    found = by_rule(rule).apply(COARSE, batch=labels, seed=3)
    random = rule.random(90, 3)
    tied = 0
    for day in np.unique(labels):
        here = labels == day
        first, *others = (
            (rule.applied(COARSE[here]),)
            if rule.otherwise is None
            else (
                cs.Rule(0.2, by="share").applied(COARSE[here]),
                rule.otherwise.applied(COARSE[here]),
            )
        )
        wanted = np.where(random[here] < rule.chance, first, others[0] if others else first)
        assert found.action[here].tolist() == wanted.tolist()
        tied += tied_by_hand(rule, COARSE[here])
    assert found.tied == tied > 0
    assert found.action.tolist() != by_rule(rule).apply(COARSE, seed=3).action.tolist()


def test_actions_can_be_iterated():
    found = by_rule(cs.Rule(0.5)).apply([0.9, 0.1, 0.6])
    assert list(found) == found.action.tolist() == ["flag", "pass", "flag"]
    assert len(found) == 3


def test_queues_that_are_too_small_for_anybody_are_counted():
    queue, scores = by_rule(cs.Rule(0.02, by="share")), np.linspace(0, 1, 200)
    told = "too small for anybody to be flagged: 4 of 5, since a share of 0.02 takes 50 cases; make"
    with pytest.warns(cs.DataWarning, match=rf"^m \(own\): batches {told} batches longer"):
        found = queue.apply(scores, batch=np.repeat(range(5), [25, 49, 50, 49, 27]))
    assert found.note.startswith(f"batches {told}")
    assert found.counts["flag"] == 1
    with pytest.warns(cs.DataWarning, match=r"m \(own\): 49 cases are too few for anybody to be f"):
        found = queue.apply(scores[:49])
    assert found.note.endswith(
        "of 0.02 takes 50 cases; queue more at a time, or decide on a larger share"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Room for one in the largest of its shares is enough.
        for rule, rows in ((cs.Rule(0.02, by="share"), 50), (TWO_CUTS, 4), (DRAWN, 3)):
            assert by_rule(rule).apply(scores[:rows], seed=1).note == ""
        assert queue.apply(scores, batch=np.repeat([1, 2], [100, 100])).note == ""


def test_batches_that_are_none():
    queue = by_rule(cs.Rule(0.5, by="share"))
    with refused(cs.SourceError, "batch has 1 values for 2 scores: give one a row"):
        queue.apply([0.1, 0.2], batch=["a"])
    for missing in (None, np.nan):
        with refused(cs.SourceError, "batch has a missing value in row 2: fill or drop it"):
            queue.apply([0.1, 0.2], batch=np.array([1.0, missing], dtype=object))
    with refused(cs.ConditionError, "m (own) works down no queue"):
        by_rule(cs.Rule(0.5)).apply([0.1, 0.2], batch=["a", "b"])
    costs = cs.Deployment(fp_cost=1, fn_cost=(2, 9), prevalence=0.3)
    with refused(cs.ConditionError, "leave out batch (--batch)"):
        cs.decide(
            Y, {"m": S}, conditions=costs, known="costs", choices=[cs.ScoreDriven(0.3)]
        ).apply(S, fp_cost=1, fn_cost=4, batch=Y)


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_a_queue_has_the_score_cut_of_its_rows_at_deployment(weight):
    """By hand: the lowest score above which there is at most the share, the classes as deployed."""
    rule = kept_queue(sample_weight=weight).rules.one_by_one
    row = np.ones(400) if weight is None else weight
    p = RANGE.mean_prevalence
    share = np.where(Y == 1, p * row / row[Y == 1].sum(), (1 - p) * row / row[Y == 0].sum())
    cut = min(s for s in S if share[s < S].sum() <= SHARE)
    assert rule == cs.Rule(cut)
    # That of the rows as they are is another.
    assert np.mean(cut < S) > 2 * SHARE


def test_a_single_case_is_decided_by_the_score_cut(tmp_path):
    kept = kept_queue()
    cut = kept.rules.one_by_one.cuts[0]
    for decision in (kept, by_rule(kept.rules.rule, one_by_one=kept.rules.one_by_one)):
        for score, action in ((cut, "pass"), (np.nextafter(cut, 1), "flag")):
            found = decision.apply([score])
            assert found.action.tolist() == [action]
            assert found.tied == 0
            assert found.note.startswith("one case is not a queue: the threshold of the rows that")
            assert found.note.endswith(f"flag scores above {cut:g}")
    # Two cases are a queue, and so is a batch of one, if batches are asked for.
    assert kept.apply([0.999, 0.998]).counts == {"pass": 2}
    alone = kept.apply([0.999], batch=["mon"])
    assert alone.counts == {"pass": 1}
    assert alone.note.startswith("batches too small for anybody to be flagged: 1 of 1, ")


def test_the_score_cut_is_kept_in_the_file(tmp_path):
    path = tmp_path / "decision.json"
    kept = kept_queue()
    kept.save(path)
    assert cs.load_decision(path).rules.one_by_one == kept.rules.one_by_one
    values = json.loads(path.read_text())
    assert values["apply"]["one_by_one"]["cuts"] == list(kept.rules.one_by_one.cuts)
    # Without one a case alone is a queue of one.
    without = {**values["apply"], "one_by_one": None}
    path.write_text(json.dumps({**values, "apply": without}))
    found = cs.load_decision(path)
    assert found.rules.one_by_one is None
    assert found.apply([0.999]).counts == {"pass": 1}
    assert found.apply([0.999]).note.startswith("one case is a queue of its own here")
    for wrong in (kept.rules.rule.to_dict(), {"by": "score"}):
        path.write_text(json.dumps({**values, "apply": {**without, "one_by_one": wrong}}))
        with refused(cs.FileError, "is damaged"):
            cs.load_decision(path)
    odd = {**without, "rule": cs.Rule(0.3).to_dict(), "one_by_one": cs.Rule(0.3).to_dict()}
    path.write_text(json.dumps({**values, "apply": odd}))
    with refused(cs.FileError, "one_by_one must be a rule by score beside a queue"):
        cs.load_decision(path)


def test_rules_that_are_no_queue_have_no_cut_beside_them():
    found = queue_decision()
    others = [one.strategy for one in found.strategies if one.strategy.name != "queue"]
    assert others
    assert all(found.saved(one).rules.one_by_one is None for one in others)
    everybody = cs.decide(Y, {"m": S}, conditions=RANGE, choices={"all": cs.RateFixed(1.0)})
    (own,) = (one.strategy for one in everybody.strategies if one.strategy.name == "all")
    rules = everybody.saved(own).rules
    assert (rules.one_by_one, rules.rule.queued) == (None, False)
