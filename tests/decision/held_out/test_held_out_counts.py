"""Many rows, counted: what is found of them is what is found of the rows one by one."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import costspace as cs
from costspace.decision.asking import task_of
from costspace.decision.evidence.intervals import evidence_of
from costspace.decision.evidence.outcomes import outcomes_of
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.fitting.fitted import FittedByCondition, FittedStrategy
from costspace.decision.fitting.strategies import fit, strategies_of
from costspace.decision.fitting.together import together
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.held_out.folds import MANY
from costspace.decision.held_out.holdout import HeldOut
from costspace.decision.held_out.rows import HeldOutRows
from costspace.summaries.folded_rows import FoldedRows
from costspace.summaries.joint import fold_by_number

KNOWN = cs.Deployment(fp_cost=1, fn_cost=8, prevalence=0.2)
RANGE = cs.Deployment(fp_cost=1, fn_cost=(4, 20), prevalence=(0.1, 0.3))
ASKED: dict[str, dict[str, Any]] = {
    "known": {"conditions": KNOWN},
    "range": {"conditions": RANGE},
    "limits": {"conditions": RANGE, "constraints": cs.Constraints(capacity=0.3)},
    "drawn": {
        "conditions": KNOWN,
        "constraints": cs.Constraints(min_precision=0.3),
        "randomise": True,
    },
    "rule in use": {"conditions": KNOWN, "baseline": ("a", 0.5)},
    "decisions": {"conditions": KNOWN, "baseline": "decided"},
    "followed": {"conditions": RANGE, "known": ["costs"]},
}
# What changes at many scores is counted in steps: a queue at a range of prevalence flags each score
# near its end in part, and followed costs move the threshold.
GRADED = {"limits", "followed"}


def sample(n: int = 9000) -> cs.ScoredRows:
    rng = np.random.default_rng(2)
    y = (rng.random(n) < 0.25).astype(int)
    scores = {name: 1 / (1 + np.exp(-rng.normal(2 * y - 1, 1.4))) for name in "ab"}
    # One model has many ties, and one an infinite score.
    scores["b"] = np.round(scores["b"], 2)
    scores["decided"] = (rng.random(n) < 0.2 + 0.5 * y).astype(float)
    return cs.ScoredRows.from_predictions(y, scores)


def rows_for(asked: dict[str, Any]) -> cs.ScoredRows:
    rows = sample()
    if asked.get("baseline") == "decided":
        return rows
    # Steps of two models would divide these rows into too many kinds.
    models = "a" if "known" in asked else "ab"
    return replace(rows, scores={name: rows.scores[name] for name in models})


def fits_on(name: str, *, counted: bool) -> list[FittedStrategy]:
    asked = dict(ASKED[name])
    rows, fold = rows_for(asked), fold_by_number(9000, 5)
    held_out: HeldOut = HeldOutRows(rows, None, [fold.astype(np.intp)])
    if counted:
        held_out = HeldOutCounts(FoldedRows(rows, fold, 5))
    base = task_of(rows, asked.pop("conditions"), **{"constraints": cs.Constraints(), **asked})
    models = {model: held_out.whole(model) for model in base.models}
    task = replace(base, held_out=held_out, models=models)
    return [fit(one, task) for one in strategies_of(task)]


@pytest.mark.parametrize("name", ASKED)
def test_it_is_the_same_as_row_by_row(name: str) -> None:
    by_row, by_count = fits_on(name, counted=False), together(fits_on(name, counted=True))
    task = by_count[0].task
    assert task.together is not None
    assert len(task.judged.rows) < 9000 / 8
    assert task.judged.n == 9000
    # Means are as exact as ever; what rows of a step differ by is not in the errors.
    close = 2e-3 if name in GRADED else 1e-7
    for one, other in zip(by_row, by_count, strict=True):
        assert one.feasible == other.feasible
        if not one.feasible:
            continue
        assert other.rule == one.rule
        np.testing.assert_allclose(other.money or 0, one.money or 0, rtol=1e-9)
        np.testing.assert_allclose(other.in_sample or 0, one.in_sample or 0, rtol=1e-9)
        for found, expected in zip(
            vars(outcomes_of(other)).values(), vars(outcomes_of(one)).values(), strict=True
        ):
            if expected is not None:
                np.testing.assert_allclose(found.value, expected.value, rtol=1e-9)
                ends = [found.low, found.high], [expected.low, expected.high]
                np.testing.assert_allclose(*ends, rtol=close)
    own, others = (
        evidence_of(Choosing(tuple(one for one in fits if one.feasible)))
        for fits in (by_row, by_count)
    )
    assert (own.n, own.units) == (others.n, others.units)
    for key, column in own.columns().items():
        if column.dtype.kind == "f":
            np.testing.assert_allclose(
                others.columns()[key], column, rtol=close, atol=1e-9, err_msg=key
            )
        else:
            np.testing.assert_array_equal(others.columns()[key], column)


def many(n: int = MANY) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(7)
    y = (rng.random(n) < 0.1).astype(int)
    return y, {name: 1 / (1 + np.exp(-rng.normal(3 * y - 3, 1.3))) for name in "ab"}


def test_many_rows_are_judged_by_what_others_chose() -> None:
    y, scores = many()
    decision = cs.decide(y, scores, conditions=KNOWN)
    assert isinstance(decision.task.held_out, HeldOutCounts)
    (said,) = [one for one in decision.assumptions if "neighbouring" in one]
    assert said.endswith("which costs at most 0.05 per 1,000 cases"), said
    fold = fold_by_number(len(y), 5)
    for found in decision.fits:
        if not isinstance(found, FittedByCondition) or found.strategy.model is None:
            continue
        s, flagged = scores[found.strategy.model], np.zeros(len(y), bool)
        for k, rules in enumerate(found.parts[0]):
            flagged[fold == k] = s[fold == k] > rules.rules_at(0.5).one.thresholds[0]
        fpr, fnr = flagged[y == 0].mean(), 1 - flagged[y == 1].mean()
        np.testing.assert_allclose(found.money or 0, 1000 * (0.8 * fpr + 1.6 * fnr), rtol=1e-12)


@pytest.mark.parametrize("few", ["rows", "positives"])
def test_few_rows_or_positives_are_split_evenly_into_folds(few: str) -> None:
    y, scores = many(MANY - 1 if few == "rows" else MANY)
    if few == "positives":
        y[np.flatnonzero(y)[900:]] = 0
    held_out = cs.hold_out(cs.ScoredRows.from_predictions(y, scores))
    assert isinstance(held_out, HeldOutRows)
    assert np.ptp(np.bincount(held_out.folds[0][y == 1])) <= 1


def test_many_folds_have_both_classes() -> None:
    y, scores = many()
    rows = cs.ScoredRows.from_predictions(y, scores)
    assert isinstance(cs.hold_out(rows, folds=150), HeldOutCounts)
    # Some 10,000 positives may miss a fold of 5,000.
    held_out = cs.hold_out(rows, folds=5000)
    assert isinstance(held_out, HeldOutRows)
    assert np.bincount(held_out.folds[0][y == 1], minlength=5000).min() > 0


def test_the_fold_of_a_row_is_told_by_its_number() -> None:
    prime = 2**31 - 1
    exact = [(number * 48_271 % prime) ** 2 % prime % 5 for number in range(20)]
    assert fold_by_number(20, 5).tolist() == exact
    assert exact[:6] == [0, 4, 1, 1, 2, 1]
    fold = fold_by_number(200_000, 5)
    for period in (1, 2, 5, 7, 10, 64, 1000):
        for start in {0, period // 2, period - 1}:
            shares = np.bincount(fold[start::period], minlength=5) / len(fold[start::period])
            spread = np.sqrt(0.16 * period / len(fold))
            assert np.abs(shares - 0.2).max() < 5 * spread, (period, start)
