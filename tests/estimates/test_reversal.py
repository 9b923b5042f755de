"""Scores that rank the wrong way round are told by every function that keeps a record."""

import numpy as np
import pytest

import costspace as cs

RNG = np.random.default_rng(5)
Y = (np.arange(120) % 3 == 0).astype(int)
GOOD = 1 / (1 + np.exp(-RNG.normal(1.5 * Y - 1)))
TOLD = (
    "ranks positives below negatives: is the right class positive? If higher scores mean fewer "
    "positives, change their sign (--score=-NAME, or 1-NAME of probabilities)."
)


def told(name: str, y: np.ndarray, s: np.ndarray) -> str:
    return f"{name} (AUC {cs.auc(y, s):.4g}) {TOLD}"


@pytest.mark.parametrize("weight", [None, 1 + np.arange(120) % 2])
def test_records(weight: np.ndarray | None) -> None:
    turned = 1 - GOOD
    with pytest.warns(cs.DataWarning, match="positives below negatives"):
        found = cs.evaluate(Y, {"m": turned, "good": GOOD}, sample_weight=weight)
    text = found.models["m"].notes["reversed"]
    assert text.endswith(TOLD)
    assert repr(found).count(text) == 1
    assert not found.models["good"].notes
    compared = cs.compare(Y, {"m": turned, "good": GOOD}, sample_weight=weight)
    assert compared.notes["reversed.m"] == text
    assert text in compared.remarks()
    known = cs.Deployment(fp_cost=1, fn_cost=4, prevalence=0.3)
    decision = cs.decide(Y, {"m": turned, "good": GOOD}, conditions=known, sample_weight=weight)
    assert text in decision.recommendation.warnings
    money = cs.compare_money(Y, {"m": turned, "good": GOOD}, conditions=known, sample_weight=weight)
    assert text in money.warnings


def test_a_sign_that_is_changed_is_to_be_changed_back() -> None:
    with pytest.warns(cs.DataWarning, match=r"change their sign \(--score=NAME\)"):
        cs.evaluate(Y, {"-m": 1 - GOOD})


def test_binned_scores_and_drift() -> None:
    binned = cs.ScoreCounts.from_predictions(Y, 1 - GOOD, binning=cs.Binning.uniform(bins=64))
    with pytest.warns(cs.DataWarning, match="positives below negatives"):
        notes = cs.evaluate(binned).models["y_score"].notes
    assert notes["reversed"].endswith(TOLD)
    before = cs.ScoreTable.from_predictions(Y, GOOD)
    with pytest.warns(cs.DataWarning, match="positives below negatives"):
        drift = cs.drift(before, cs.ScoreTable.from_predictions(Y, 1 - GOOD), quantities=["auc"])
    assert drift.notes["reversed.after"] == told("after", Y, 1 - GOOD)
    assert "reversed.before" not in drift.notes


@pytest.mark.filterwarnings("ignore::costspace.DataWarning")
def test_what_chance_can_do_is_not_told() -> None:
    seen = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        table = cs.ScoreTable.from_predictions(np.arange(40) % 2, rng.random(40))
        found = cs.evaluate(table).models["y_score"].notes
        turned = cs.estimate(table, metric=cs.auc, design="independent").high < 0.5
        assert ("reversed" in found) == turned
        seen += turned
    assert 0 < seen < 12


def test_few_rows_may_rank_last_by_chance() -> None:
    assert "reversed" not in cs.evaluate([0, 1, 1], [0.9, 0.2, 0.1]).models["y_score"].notes
