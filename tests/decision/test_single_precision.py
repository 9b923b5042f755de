"""Scores of few decimals mean the same in single and in double precision."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import costspace as cs


def drawn(seed: int, places: int, rows: int = 120) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.append([0, 1], rng.random(rows - 2) < 0.3).astype(int)
    return y, (1 / (1 + np.exp(1 - rng.normal(1.5 * y)))).round(places)


@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 9), st.integers(1, 9))
@settings(max_examples=8, deadline=None)
def test_decisions_are_equal_and_do_what_is_printed(seed, places, fp_cost, fn_cost):
    y, s = drawn(seed, places)
    single = s.astype(np.float32)
    known = cs.Deployment(fp_cost, fn_cost)
    found, same = (cs.decide(y, {"m": one}, conditions=known, folds=2) for one in (single, s))
    assert found.to_dict() == same.to_dict()
    for one in found.strategies:
        if one.rule is None or not one.rule.cuts:
            continue
        (cut,) = one.rule.cuts
        by_hand = single > np.float32(cut)
        assert np.array_equal(by_hand, s > cut)
        for scores in (single, s):
            assert one.rule.flagged(scores).sum() == by_hand.sum()
            applied = found.saved(one.strategy).apply(scores)
            assert applied.counts.get("flag", 0) == by_hand.sum()
        point = one.rule.on(cs.ScoreTable.from_predictions(y, single))
        assert point.fpr == by_hand[y == 0].mean()


@given(st.integers(0, 10**6), st.integers(2, 4))
@settings(max_examples=8, deadline=None)
def test_a_copy_in_single_precision_is_on_one_line(seed, places):
    y, s = drawn(seed, places)
    scores = {"single": s.astype(np.float32), "double": s}
    for order in (("single", "double"), ("double", "single")):
        models = {name: scores[name] for name in order}
        found = cs.decide(y, models, conditions=cs.Deployment(1, 4), folds=2)
        by_name = {str(one.strategy): one for one in found.strategies}
        for name in ("score_driven", "smoothed"):
            one, same = by_name[f"single, {name}"], by_name[f"double, {name}"]
            assert same.strategy in found.alike(one.strategy)
            assert one.money == same.money


@given(st.integers(0, 10**6), st.integers(2, 4))
@settings(max_examples=8, deadline=None)
def test_curves_are_equal_at_every_score(seed, places):
    y, s = drawn(seed, places, 40)
    at = np.unique(np.append(s, [0.2, 0.25, 0.8]))
    for choice in (cs.ScoreDriven(), cs.ScoreUniform(), cs.ScoreFixed(float(s[0])), cs.Optimal()):
        one, same = (cs.loss_curve(y, x, choice=choice) for x in (s.astype(np.float32), s))
        assert np.array_equal(one.breaks, same.breaks)
        assert np.array_equal(one(at), same(at))
        assert np.array_equal(one.left(at), same.left(at))
        assert one.expectation(cs.Beta(2, 2)) == same.expectation(cs.Beta(2, 2))


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_evaluations_are_equal(kind):
    y, s = drawn(1, 2)
    rows = (cs.evaluate(y, {"m": one}).to_dict() for one in (s.astype(kind), s))
    one, same = rows
    assert one == same
