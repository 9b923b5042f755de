"""Scores that rounding took beyond [0, 1], read by every engine: they count as its ends."""

from typing import Any

import numpy as np
import pytest

import costspace as cs
from costspace.frames import apply_decision, binned_scores, score_counts, score_table
from costspace.frames.dataframes import as_narwhals

RNG = np.random.default_rng(3)
Y = (RNG.random(90) < 0.4).astype(int)
MEANT = np.clip(np.round(0.3 + 0.3 * Y + 0.3 * RNG.normal(size=90), 2), 0, 1)
GIVEN = np.where(MEANT == 1, 1.0000001, np.where(MEANT == 0, -1e-17, MEANT))
TOLD = "rounding took scores beyond [0, 1]: 1.0000001 counts as 1 and -1e-17 counts as 0."


def test_counts_and_bins(engine: Any) -> None:
    assert {0, 1} <= {*MEANT}
    table = score_table(engine.frame(y=Y, m=GIVEN), label="y", score="m")
    expected = cs.ScoreTable.from_predictions(Y, MEANT)
    assert table.rounded == TOLD
    assert np.array_equal(table.by_score.breaks, expected.by_score.breaks)
    assert cs.brier_score(table) == pytest.approx(cs.brier_score(expected), abs=1e-15)
    binned = binned_scores(engine.frame(y=Y, m=GIVEN), label="y", score="m")
    assert binned.best.rounded == TOLD
    assert (
        cs.bounds(binned, metric=cs.auc).low
        <= expected.auc
        <= cs.bounds(binned, metric=cs.auc).high
    )


def test_parts_of_scores_on_another_scale(engine: Any) -> None:
    far = np.append(GIVEN[45:], 37.2)
    parts = (Y[:45], GIVEN[:45]), (np.append(Y[45:], 1), far)
    counts = [score_counts(engine.frame(y=y, m=m), label="y", score="m") for y, m in parts]
    table = (counts[0] + counts[1]).table()
    assert table.score_range == (-1e-17, 37.2)
    assert table.rounded == ""


def test_applied(engine: Any) -> None:
    known = cs.Deployment(fp_cost=1, fn_cost=(2, 8), prevalence=0.3)
    by_formula = cs.decide(
        Y, {"m": MEANT}, conditions=known, known="costs", choices=[cs.ScoreDriven()]
    )
    limits = cs.Constraints(capacity=0.05)
    queue = cs.decide(
        Y,
        {"m": MEANT},
        conditions=cs.Deployment(1, 9, 0.4),
        constraints=limits,
        choices=[cs.RateFixed(0.05)],
    )
    for decision, costs in ((by_formula, {"fp_cost": 1.0, "fn_cost": 4.0}), (queue, {})):
        found = [
            apply_decision(decision, engine.frame(id=np.arange(90), m=m), order_by="id", **costs)
            for m in (GIVEN, MEANT)
        ]
        assert found[0].counts == found[1].counts
        rows = as_narwhals(found[0].frame).lazy().sort("id").collect()
        # The scores are returned as they came.
        assert np.array_equal(np.asarray(rows["m"].to_numpy(), dtype=float), GIVEN)
