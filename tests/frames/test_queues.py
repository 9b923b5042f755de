"""Rules for queues on dataframes of every engine: ties at the edge, batches, and single rows."""

from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.frames import apply_decision
from costspace.frames.dataframes import as_narwhals

RNG = np.random.default_rng(5)
NEW = 60
DAY = RNG.permutation(np.repeat(["tue", "mon", "fr`i d.y", "sun"], [25, 20, 14, 1]))
ROWS = {
    "id": np.arange(NEW),
    # Days differ, and have ties.
    "m": np.round(RNG.random(NEW) + 0.4 * (DAY == "tue"), 1),
    "day": DAY.tolist(),
    "number": np.unique(DAY, return_inverse=True)[1],
}
TWO_CUTS = cs.Rule((0.1, 0.25), ("block", "review", "pass"), by="share")
DRAWN = cs.Rule(0.2, by="share", otherwise=cs.Rule(0.4, by="share"), chance=0.4)
ONE_BY_ONE = cs.Rule(0.5)


def by_rule(rule: cs.Rule, one_by_one: cs.Rule | None = None) -> SavedDecision:
    return SavedDecision({}, DeployedRules("m", "own", rule, one_by_one=one_by_one))


def actions(frame: Any) -> list[str]:
    return list(as_narwhals(frame).collect().sort("id")["action"].to_list())


def test_each_batch_is_a_queue_of_its_own(engine: Any) -> None:
    """The same as in Python, where it is checked by hand."""
    asked: list[tuple[cs.Rule, str | None, dict[str, Any]]] = [
        (cs.Rule(0.2, by="share"), "day", {}),
        (TWO_CUTS, None, {}),
    ]
    # Draws take these two long, and are tested without batches.
    if engine.name not in {"spark", "dask"}:
        asked += [(TWO_CUTS, "number", {}), (DRAWN, "day", {"seed": 3})]
    frame = engine.frame(**ROWS)
    for rule, batch, seed in asked:
        labels = None if batch is None else ROWS[batch]
        wanted = by_rule(rule).apply(ROWS["m"], batch=labels, **seed)
        order = {"order_by": "id"} if seed else {}
        found = apply_decision(by_rule(rule), frame, batch=batch, **seed, **order)
        assert actions(found.frame) == wanted.action.tolist()
        assert found.counts == wanted.counts
        assert found.tied == wanted.tied > 0
        assert found.note == wanted.note
        assert ("1 of 4" in wanted.note) == (batch is not None)
        assert type(found.frame) is type(frame)
        assert as_narwhals(found.frame).collect_schema().names() == [*ROWS, "action"]
        assert repr(found).endswith(f"; {wanted.tied} tied at the edge are left out)")


def test_a_row_without_a_batch_is_refused(engine: Any) -> None:
    queue = by_rule(cs.Rule(0.5, by="share"))
    frame = engine.frame(m=[0.1, 0.2, 0.3], day=["mon", None, None], at=[1.0, 2.0, float("nan")])
    with refused(cs.SourceError, "column 'day' has 2 missing batches (null or NaN) in 3 rows"):
        apply_decision(queue, frame, batch="day")
    with refused(cs.SourceError, "column 'at' has 1 missing batches"):
        apply_decision(queue, frame, batch="at")


def test_a_single_row_is_no_queue(engine: Any) -> None:
    queue = by_rule(cs.Rule(0.1, by="share"), ONE_BY_ONE)
    wanted = queue.apply([0.6])
    found = apply_decision(queue, engine.frame(id=[0], m=[0.6]))
    assert actions(found.frame) == ["flag"]
    assert (found.counts, found.tied, found.note) == ({"flag": 1}, 0, wanted.note)
    assert wanted.note


def test_a_queue_too_small_for_anybody_is_warned_of(engine: Any) -> None:
    queue, scores = by_rule(cs.Rule(0.1, by="share")), [0.6, 0.7, 0.8]
    with pytest.warns(cs.DataWarning, match=r"m \(own\): 3 cases are too few for anybody to be fl"):
        found = apply_decision(queue, engine.frame(m=scores))
    assert found.note == queue.apply(scores).note
    assert found.note.startswith("3 cases are too few")


def test_infinite_scores_in_batches() -> None:
    pa = pytest.importorskip("pyarrow")
    scores = [-np.inf, -np.inf, 0.0, -0.0, 0.5, 0.5, np.inf, -np.inf, -np.inf]
    batch = [1] * 7 + [2] * 2
    for share in (0.2, 0.5, 0.8, 0.9):
        rule = by_rule(cs.Rule(share, by="share"))
        found = apply_decision(rule, pa.table({"m": scores, "b": batch}), batch="b")
        wanted = rule.apply(scores, batch=batch)
        assert found.frame["action"].to_pylist() == wanted.action.tolist()
        assert found.tied == wanted.tied
    everybody = by_rule(cs.Rule(1 / 2, ("flag", "flag"), by="share"))
    found = apply_decision(everybody, pa.table({"m": scores, "b": batch}), batch="b")
    assert found.counts == {"flag": 9}


def test_a_frame_keeps_its_index_and_its_order() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(ROWS, index=RNG.permutation(NEW) + 100)
    found = apply_decision(by_rule(TWO_CUTS), frame, batch="day").frame
    assert found.index.equals(frame.index)
    assert found["id"].tolist() == list(range(NEW))
    pl = pytest.importorskip("polars")
    many = pl.DataFrame({"m": np.arange(5000) % 7, "b": np.arange(5000) % 1700})
    rule = by_rule(cs.Rule(0.4, by="share"))
    found = apply_decision(rule, many, batch="b")
    assert found.frame.drop("action").equals(many)
    # Each of the first 1,600 has 3 rows, and room for one of them; the others have 2, and for none.
    assert found.counts == {"flag": 1600, "pass": 3400}
    assert found.tied == 0
    lazy = apply_decision(rule, many.with_row_index().lazy(), batch="b", order_by="index")
    assert lazy.frame.collect()["index"].to_list() == list(range(5000))


def test_what_is_no_queue_has_no_batches() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(ROWS)
    with refused(cs.ConditionError, "m (own) works down no queue"):
        apply_decision(by_rule(cs.Rule(0.5)), frame, batch="day")
    found = apply_decision(by_rule(cs.Rule(0.5)), frame)
    assert (found.tied, found.note) == (None, "")
    queue = by_rule(TWO_CUTS)
    with refused(cs.FileError, "the frame has no column 'dai': did you mean 'day'?"):
        apply_decision(queue, frame, batch="dai")
    with refused(cs.SourceError, "which cannot name batches"):
        apply_decision(queue, frame.assign(day=[[1]] * NEW), batch="day")
