"""Places for reviews of a queue on dataframes of every engine: ties, batches, single rows."""

from typing import Any

import numpy as np
import pytest

import costspace as cs
from costspace.decision.applying.saved import SavedDecision
from costspace.frames import apply_decision
from costspace.frames.dataframes import as_narwhals

RNG = np.random.default_rng(6)
NEW = 80
DAY = RNG.permutation(np.repeat(["tue", "mon", "fr`i d.y", "sun"], [35, 27, 17, 1]))
ROWS = {
    "id": np.arange(NEW),
    "m": np.round(RNG.random(NEW), 1),
    "day": DAY.tolist(),
}


@pytest.fixture(scope="module")
def kept() -> SavedDecision:
    rng = np.random.default_rng(7)
    y = rng.random(1500) < 0.3
    s = 1 / (1 + np.exp(1.5 - rng.normal(size=1500) - 2 * y))
    decision = cs.decide(
        *(y, {"m": s}),
        fp_cost=3,
        fn_cost=5,
        review=cs.Review(0.4),
        constraints=cs.Constraints(review_capacity=0.2, batch=20),
        choices=[cs.Smoothed()],
    )
    assert decision.strategy is not None
    assert decision.strategy.name == "smoothed_queue"
    return decision.saved()


def actions(frame: Any) -> list[str]:
    return list(as_narwhals(frame).collect().sort("id")["action"].to_list())


@pytest.mark.parametrize("batch", [None, "day"])
def test_the_reviews_of_each_batch_have_places(
    engine: Any, kept: SavedDecision, batch: str | None
) -> None:
    frame, labels = engine.frame(**ROWS), None if batch is None else ROWS[batch]
    names = ["approve", "look at", "decline"]
    with pytest.warns(cs.DataWarning):
        wanted = kept.apply(ROWS["m"], batch=labels, actions=names)
    with pytest.warns(cs.DataWarning):
        found = apply_decision(kept, frame, batch=batch, actions=names)
    action = np.array(actions(found.frame))
    assert action.tolist() == wanted.action.tolist()
    assert {*action.tolist()} == {*names}
    assert found.counts == wanted.counts
    assert found.tied == wanted.tied > 0
    assert found.note == wanted.note
    assert ("1 of 4" in wanted.note) == (batch is not None)
    for day in dict.fromkeys(DAY.tolist()) if batch else ():
        own = action[day == DAY]
        assert np.count_nonzero(own == "look at") <= 0.2 * len(own)
    assert type(found.frame) is type(frame)


@pytest.mark.parametrize("batch", [None, "day"])
@pytest.mark.parametrize("missing", ["pass", "review", "flag"])
def test_rows_without_a_score_have_places_first_if_they_are_reviewed(
    engine: Any, kept: SavedDecision, missing: str, batch: str | None
) -> None:
    scores = ROWS["m"].copy()
    scores[::9] = np.nan
    frame = engine.frame(**{**ROWS, "m": scores})
    with pytest.warns(cs.DataWarning):
        wanted = kept.apply(scores, batch=None if batch is None else DAY, missing=missing)
    with pytest.warns(cs.DataWarning):
        found = apply_decision(kept, frame, batch=batch, missing=missing)
    assert actions(found.frame) == wanted.action.tolist()
    assert (found.missing, found.tied) == (wanted.missing, wanted.tied)


def test_a_single_row_is_no_queue(engine: Any, kept: SavedDecision) -> None:
    assert kept.rules.one_by_one is not None
    for score in (0.1, sum(kept.rules.one_by_one.cuts) / 2, 0.9):
        wanted = kept.apply([score])
        found = apply_decision(kept, engine.frame(id=[0], m=[score]))
        assert actions(found.frame) == wanted.action.tolist()
        assert (found.tied, found.note) == (0, wanted.note)
        assert "one case is not a queue: the thresholds of the rows" in wanted.note
        assert wanted.action.tolist() == kept.rules.one_by_one.applied([score]).tolist()
