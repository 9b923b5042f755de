"""A decision applied to dataframes of every engine, against the same in Python."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.frames import apply_decision
from costspace.frames.dataframes import as_narwhals
from costspace.frames.labels import is_missing

RNG = np.random.default_rng(7)
Y = (RNG.random(300) < 0.3).astype(int)
S = np.round(1 / (1 + np.exp(1 - 2 * Y - RNG.normal(size=300))), 2)
NEW = 60
ROWS = {
    "id": np.arange(NEW),
    "m": np.round(RNG.random(NEW), 2),
    "fp": np.linspace(1, 2, NEW),
    "fn": np.linspace(4, 9, NEW) + 3 * RNG.random(NEW),
    "p": np.linspace(0.1, 0.2, NEW),
}
KNOWN = cs.Deployment(fp_cost=1, fn_cost=4, prevalence=0.2)
RANGE = cs.Deployment(fp_cost=(1, 2), fn_cost=(4, 12), prevalence=(0.1, 0.2))
LIMITS = cs.Constraints(capacity=0.3)
BY_ROW = {"fp_cost": "fp", "fn_cost": "fn", "prevalence": "p"}
ONE = {"fp_cost": 1.5, "fn_cost": 6.0, "prevalence": 0.13}
FEW = {
    "choices": [cs.Optimal(), cs.ScoreDriven(0.3)],
    "known": "costs,prevalence",
    "randomise": True,
}


@cache
def kept(choice: str, conditions: cs.Deployment = RANGE, *, limits: bool = False) -> SavedDecision:
    """A decision to set the threshold by one choice."""
    found = cs.decide(
        Y,
        {"m": S},
        conditions=conditions,
        constraints=LIMITS if limits else cs.Constraints(),
        **FEW,
    )
    (own,) = (one.strategy for one in found.strategies if str(one.strategy) == choice)
    return found.saved(own)


@cache
def reviewed(name: str = "", **more: Any) -> SavedDecision:
    """A decision to pass, review or flag by one choice."""
    review = cs.Review(cost=0.4, sensitivity=0.9, specificity=0.95)
    costs = {"fp_cost": (1, 2), "fn_cost": (4, 12), "prevalence": (0.1, 0.2)}
    asked = {**costs, "known": "costs,prevalence", "choices": [FEW["choices"][1], cs.Optimal()]}
    found = cs.decide(Y, {"m": S}, review=review, **{**asked, **more})
    (own,) = (
        one.strategy
        for one in found.fits
        if one.strategy.reviews and name in str(one.strategy) and one.strategy.model
    )
    kept = found.saved(own)
    assert kept.rules.steps
    return kept


def by_rule(rule: cs.Rule) -> SavedDecision:
    return SavedDecision({}, DeployedRules("m", "own", rule))


def optimal(**more: Any) -> SavedDecision:
    return kept("m, optimal", **more)


CASES: dict[str, tuple[Callable[[], SavedDecision], dict[str, Any]]] = {
    "a rule": (lambda: optimal(conditions=KNOWN), {}),
    "everybody": (lambda: kept("flag_everybody", KNOWN), {}),
    "one condition": (optimal, ONE),
    "a formula": (lambda: kept("m, ScoreDriven(calibrated_to=0.3)"), BY_ROW),
    "pieces": (optimal, BY_ROW),
    "pieces that draw, by band": (lambda: optimal(limits=True), {**BY_ROW, "seed": 3}),
    "reviews by a formula": (lambda: reviewed("ScoreDriven"), BY_ROW),
    "reviews by pieces": (lambda: reviewed("optimal"), BY_ROW),
    "reviews at one condition": (lambda: reviewed("optimal"), ONE),
    "reviews by the prevalence": (
        lambda: reviewed("optimal", known="prevalence"),
        {"prevalence": "p"},
    ),
    "reviews by the costs": (
        lambda: reviewed("optimal", known="costs", prevalence=0.15),
        {"fp_cost": "fp", "fn_cost": "fn"},
    ),
    "reviews that draw": (
        lambda: reviewed(known="costs", prevalence=0.15, choices=(cs.RateDriven(),)),
        {"fp_cost": "fp", "fn_cost": "fn", "seed": 3},
    ),
    "reviews that draw at one condition": (
        lambda: reviewed(known="costs", prevalence=0.15, choices=(cs.RateDriven(),)),
        {"fp_cost": 1.5, "fn_cost": 6.0, "seed": 3},
    ),
    "two cuts": (lambda: by_rule(cs.Rule((0.3, 0.6), ("pass", "review", "block"))), {}),
    "a queue": (
        lambda: by_rule(cs.Rule((0.1, 0.25), ("block", "review", "pass"), by="share")),
        {},
    ),
    "a draw": (lambda: by_rule(cs.Rule(0.3, otherwise=cs.Rule(0.7), chance=0.4)), {"seed": 5}),
}


@pytest.mark.parametrize("name", CASES)
def test_every_engine_does_what_python_does(name: str, engine: Any) -> None:
    make, known = CASES[name]
    decision = make()
    arrays = {key: ROWS.get(value, value) for key, value in known.items()}
    wanted = decision.apply(ROWS["m"], **arrays)
    frame = engine.frame(**ROWS)
    order = {"order_by": "id"} if "seed" in known else {}
    found = apply_decision(decision, frame, **known, **order)
    assert found.counts == wanted.counts
    assert found.doubt == wanted.doubt
    assert type(found.frame) is type(frame)
    rows = as_narwhals(found.frame).collect().sort("id")
    assert rows.columns == [*ROWS, "action"]
    assert list(rows["action"].to_list()) == wanted.action.tolist()
    assert rows["fn"].to_list() == ROWS["fn"].tolist()


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_every_engine_compares_scores_as_python_does(kind: Any, engine: Any) -> None:
    decision = optimal(conditions=KNOWN)
    for scores in (S, 1 - S, np.where(np.arange(300) < 3, np.inf, S)):
        own = scores.astype(kind)
        wanted = decision.apply(own).doubt
        assert bool(wanted) is bool(scores[-1] != S[-1])
        assert apply_decision(decision, engine.frame(m=own)).doubt == wanted


def test_a_model_named_with_a_hyphen_reads_its_column_with_the_sign_changed(engine: Any) -> None:
    y = np.arange(60) % 3 == 0
    points = np.round(600 - 100 * np.random.default_rng(1).normal(1.5 * y))
    known = cs.Deployment(fp_cost=1, fn_cost=3, prevalence=0.3)
    decision = cs.decide(y, {"-points": -points}, conditions=known, choices=[cs.Smoothed()])
    (cut,) = decision.recommendation.rule.cuts
    new = np.array([-cut - 50.0, -cut + 50.0])
    frame = engine.frame(id=np.arange(2), points=new)
    for asked in ({}, {"score": "-points"}):
        found = as_narwhals(apply_decision(decision, frame, **asked).frame).collect().sort("id")
        assert found["action"].to_list() == ["flag", "pass"]
        assert found["points"].to_list() == new.tolist()
    with refused(cs.ConditionError, "score must be '-points', got 'points': the decision reads"):
        apply_decision(decision, frame, score="points")


def test_what_rows_may_not_be(engine: Any) -> None:
    """The words are the same on every engine, without the row where rows have no order."""
    bad = {
        "m": [0.1, None, 0.3],
        "fp": [1.0, 5.0, 1.0],
        "tn": [0.0, 6.0, 0.0],
        "p": [0.1, 0.2, 0.9],
    }
    frame = engine.frame(id=[0, 1, 2], good=[0.1, 0.2, 0.3], **bad)
    fixed, follows = optimal(conditions=KNOWN), optimal()
    with refused(cs.ScoreError, "1 missing scores (null or NaN) in 3 rows: fill or drop"):
        apply_decision(fixed, frame)
    with refused(cs.FileError, "the frame has no column 'god': did you mean 'good'?"):
        apply_decision(fixed, frame, score="god")
    with refused(cs.FileError, "the frame has a column 'good' already"):
        apply_decision(fixed, frame, score="good", column="good")
    own = {"fp_cost": "fp", "fn_cost": 6, "prevalence": 0.15, "score": "good", "order_by": "id"}
    with refused(cs.ConditionError, "got a difference of -1 in row 2: a mistake must cost more"):
        apply_decision(follows, frame, **{**own, "tn_cost": "tn"})
    with refused(cs.ConditionError, "the prevalence is 0.9 in row 3, and the decision is for 0.1"):
        apply_decision(follows, frame, **{**own, "fp_cost": 1, "prevalence": "p"})
    with refused(
        cs.ConditionError, "a false negative costs more in row 1 than the decision is for"
    ):
        apply_decision(follows, frame, **{**own, "fn_cost": 900})


def test_every_engine_writes_the_words_asked_for(engine: Any) -> None:
    words = ("approve", "review", "decline")
    for decision, known in ((reviewed("optimal"), BY_ROW), (by_rule(cs.Rule(0.5)), {})):
        own = words if known else words[::2]
        arrays = {key: ROWS.get(value, value) for key, value in known.items()}
        wanted = decision.apply(ROWS["m"], **arrays, actions=own)
        found = apply_decision(decision, engine.frame(**ROWS), **known, actions=own)
        rows = as_narwhals(found.frame).collect().sort("id")
        assert list(rows["action"].to_list()) == wanted.action.tolist()
        assert found.counts == wanted.counts
        assert set(found.counts) == {*own}
        with refused(cs.ConditionError, "different words, for pass, "):
            apply_decision(decision, engine.frame(**ROWS), **known, actions=("a", "a"))


def test_costs_beyond_what_a_review_was_decided_for_are_refused_on_every_engine(
    engine: Any,
) -> None:
    rows = {**ROWS, "fp": 100 * ROWS["fp"], "fn": 100 * ROWS["fn"]}
    with refused(cs.ConditionError, "between pass and review, relative to a false positive"):
        apply_decision(reviewed("optimal"), engine.frame(**rows), **BY_ROW, order_by="id")


GAPS: dict[str, Any] = {
    "id": np.arange(NEW),
    "m": [None if i % 9 == 0 else float(m) for i, m in enumerate(ROWS["m"])],
    "fp": ROWS["fp"],
    "fn": [None if i % 9 == 4 else float(fn) for i, fn in enumerate(ROWS["fn"])],
    "p": [None if i % 20 == 7 else float(p) for i, p in enumerate(ROWS["p"])],
}


@pytest.mark.parametrize("missing", ["pass", "review", "flag"])
@pytest.mark.parametrize("name", CASES)
def test_every_engine_does_with_missing_values_what_python_does(
    name: str, missing: str, engine: Any
) -> None:
    make, known = CASES[name]
    decision = make()
    arrays = {key: GAPS.get(value, value) for key, value in known.items()}
    wanted = decision.apply(GAPS["m"], **arrays, missing=missing)
    order = {"order_by": "id"} if "seed" in known else {}
    found = apply_decision(decision, engine.frame(**GAPS), **known, **order, missing=missing)
    # A rule that treats everybody alike reads no scores.
    reads = decision.model is not None
    assert found.missing == (wanted.missing if reads else 0)
    if reads:
        assert (found.counts, found.tied) == (wanted.counts, wanted.tied)
        assert found.doubt == wanted.doubt
        rows = as_narwhals(found.frame).collect().sort("id")
        assert list(rows["action"].to_list()) == wanted.action.tolist()
        given = [None if is_missing(x) else x for x in rows["m"].to_list()]
        assert given == GAPS["m"]


@pytest.mark.parametrize("missing", ["pass", "review", "flag"])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_queues_of_batches_with_missing_scores(kind: Any, missing: str, engine: Any) -> None:
    scores = ROWS["m"].astype(kind)
    scores[::7] = np.nan
    day = np.repeat(["mon", "tue", "wed"], NEW // 3)
    decision = by_rule(cs.Rule(0.25, by="share"))
    wanted = decision.apply(scores, batch=day, missing=missing)
    frame = engine.frame(id=ROWS["id"], m=scores, day=day.tolist())
    found = apply_decision(decision, frame, batch="day", missing=missing)
    rows = as_narwhals(found.frame).collect().sort("id")
    assert list(rows["action"].to_list()) == wanted.action.tolist()
    assert (found.tied, found.missing) == (wanted.tied, 9)


def test_rows_never_worth_acting_on_are_passed_on_every_engine(engine: Any) -> None:
    costs = cs.CaseCosts(fp_cost=4, fn_cost=np.linspace(5, 50, 300), tp_cost=4)
    decision = cs.decide(Y, {"m": S}, case_costs=costs, folds=2).saved()
    losses = np.where(np.arange(NEW) % 5 == 0, 3.5, 10.0 + np.arange(NEW))
    gaps = [None if i % 6 == 0 else float(x) for i, x in enumerate(losses)]
    scores = S[:NEW]
    for loss, missing in ((losses, "refuse"), (gaps, "flag")):
        wanted = decision.apply(scores, fp_cost=4, fn_cost=loss, missing=missing)
        frame = engine.frame(id=ROWS["id"], m=scores, loss=loss)
        found = apply_decision(decision, frame, fp_cost=4, fn_cost="loss", missing=missing)
        rows = as_narwhals(found.frame).collect().sort("id")
        assert list(rows["action"].to_list()) == wanted.action.tolist()
        assert (found.missing, found.not_worth) == (wanted.missing, wanted.not_worth)
        assert found.not_worth == (10 if missing == "flag" else 12)
    frame = engine.frame(id=[0, 1], m=[0.1, 0.9], free=[0.0, 4.0], loss=[9.0, 9.0])
    with refused(cs.ConditionError, "fp_cost must be above tn_cost by 1e-50 to 1e+50, got a"):
        apply_decision(decision, frame, fp_cost="free", fn_cost="loss", order_by="id")
    with refused(cs.ConditionError, "fn_cost must be above tp_cost by 1e-50 to 1e+50, got a"):
        apply_decision(decision, frame, fp_cost="loss", fn_cost=3, order_by="id")


def test_numbers_that_no_float_has_are_not_missing(engine: Any) -> None:
    if engine.name in ("pandas", "dask"):
        pytest.skip("has such numbers as floats")
    frame = engine.frame(m=[1, None, 2**60])
    decision = by_rule(cs.Rule(0.5))
    with refused(cs.ScoreError, "column 'm' has integers beyond 2^53"):
        apply_decision(decision, frame, missing="pass")
    with refused(
        cs.ConditionError, "missing must be one of 'refuse', 'pass', 'review', 'flag', got 'no'"
    ):
        apply_decision(decision, frame, missing="no")


def test_draws_need_a_seed_and_rows_in_order() -> None:
    pl = pytest.importorskip("polars")
    decision, frame = CASES["a draw"][0](), pl.DataFrame(ROWS)
    with refused(cs.ConditionError, "draws at random: give a seed"):
        apply_decision(decision, frame)
    with refused(cs.ConditionError, "have no order: give order_by"):
        apply_decision(decision, frame.lazy(), seed=1)
    eager = apply_decision(decision, frame, seed=1)
    lazy = apply_decision(decision, frame.lazy(), seed=1, order_by=["id"])
    assert eager.counts == lazy.counts
    assert repr(eager).startswith("AppliedFrame(flag ")


def test_names_of_columns_may_be_anything(engine: Any) -> None:
    names = {"^m.*$": [0.1, 0.9], "a.b `c`": [1, 2], 'x"y': ["u", None]}
    found = apply_decision(optimal(conditions=KNOWN), engine.frame(**names), score="^m.*$")
    assert as_narwhals(found.frame).collect_schema().names() == [*names, "action"]
    assert found.counts == {"flag": 1, "pass": 1}


@pytest.mark.parametrize("kind", [float, np.float32])
def test_infinite_scores_and_ties_in_a_queue(engine: Any, kind: type) -> None:
    scores = np.array([-np.inf, -np.inf, 0.0, -0.0, 0.7, 0.7, 0.7, np.inf], dtype=kind)
    for share in (0.1, 0.2, 0.5, 0.6, 0.8, 0.9):
        rule = cs.Rule(share, ("flag", "pass"), by="share")
        found = apply_decision(by_rule(rule), engine.frame(m=scores, id=list(range(8))))
        rows = as_narwhals(found.frame).collect().sort("id")
        assert list(rows["action"].to_list()) == rule.applied(scores).tolist(), share
    found = apply_decision(by_rule(cs.Rule(-np.inf)), engine.frame(m=scores))
    assert found.counts == {"flag": 8}
