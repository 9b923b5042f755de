"""A warning of what scores look like comes once, where scores are given."""

import warnings

import numpy as np
import pytest
from data_warnings import told

import costspace as cs

Y = np.tile([0, 0, 1], 50)
NOISE = np.random.default_rng(0).random(150)
SCORES = 0.5 * NOISE + 0.4 * Y
PREDICTED = (SCORES > 0.5).astype(int)
LABELS = "they look like the labels, not like a model's scores."
CLASSES = "they look like predicted classes."


LOOKS = [
    (Y, f"the scores are 0 in one class and 1 in the other: {LABELS}"),
    (2 * Y - 1, f"the scores are -1 in one class and 1 in the other: {LABELS}"),
    (1 + Y, f"the scores are 1 in one class and 2 in the other: {LABELS}"),
    (1 - Y, f"the scores are 0 in one class and 1 in the other: {LABELS}"),
    (PREDICTED, f"the only scores are 0 and 1: {CLASSES}"),
    (2 * PREDICTED - 1, f"the only scores are -1 and 1: {CLASSES}"),
    (1 + PREDICTED, f"the only scores are 1 and 2: {CLASSES}"),
    (np.full(150, 0.5), "every score is 0.5: the model does not distinguish rows."),
]
EACH_LOOK = pytest.mark.parametrize(("scores", "text"), LOOKS)


@EACH_LOOK
@pytest.mark.parametrize("dtype", [float, np.float32])
def test_what_scores_look_like(scores: np.ndarray, text: str, dtype: type) -> None:
    s, table = scores.astype(dtype), cs.ScoreTable.from_predictions
    for compute in (
        lambda: cs.auc(Y, s),
        lambda: table(Y, s),
        lambda: table(Y, s, sample_weight=1 + Y),
        lambda: cs.estimate(Y, s, metric=cs.auc),
        lambda: cs.ScoreCounts.from_predictions(Y, s).table(),
    ):
        (message,) = told(compute)
        assert text in message
    for given in (table(Y, s), cs.ScoreCounts.from_predictions(Y, s).table()):
        assert text in given.looks


@EACH_LOOK
def test_records_have_it_among_their_notes(scores: np.ndarray, text: str) -> None:
    models, known = {"a": scores, "b": SCORES}, cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.3)
    for record in (
        lambda: cs.evaluate(Y, models).models["a"].notes["scores"],
        lambda: cs.decide(Y, models, conditions=known).to_dict()["notes"]["scores.a"],
        lambda: cs.compare(Y, models, metrics=["auc"]).notes["scores.a"],
    ):
        (message,) = told(record)
        assert message.startswith(f"a: {text}")
        assert record().startswith(text)
    table = cs.ScoreTable.from_predictions(Y, scores)
    drift = cs.drift(table, cs.ScoreTable.from_predictions(Y, SCORES), quantities=["auc"])
    assert drift.notes["scores.before"].startswith(text)
    assert "scores.after" not in drift.notes
    assert f"before: {text}" in repr(drift)
    assert f"a: {text}" in repr(cs.evaluate(Y, models))
    assert f"a: {text}" in repr(cs.compare(Y, models, metrics=["auc"]))


@pytest.mark.parametrize(
    "scores",
    [
        SCORES,
        np.round(SCORES),  # as below, except one row
        0.2 + 0.6 * Y,
        0.2 + 0.6 * PREDICTED,
        2 + PREDICTED,
        PREDICTED + 1e-9 * (np.arange(150) == 149),
        np.where(np.arange(150) == 100, 0.4, 0.5),
    ],
)
def test_scores_that_look_like_scores(scores: np.ndarray) -> None:
    some = np.where(np.arange(150) == 149, 0.3, scores)
    assert told(lambda: cs.auc(Y, some)) == []
    assert told(lambda: cs.evaluate(Y, some)) == []
    assert cs.ScoreTable.from_predictions(Y, some).looks == ""


def test_parts_and_folds_give_no_warning() -> None:
    scores = np.where(np.arange(150) < 75, 0.5, SCORES)
    rows = cs.ScoredRows.from_predictions(Y, {"m": scores})
    known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.3)
    assert told(lambda: rows.take(np.arange(75))) == []
    assert told(lambda: cs.ScoreCounts.from_predictions(Y[:2], [0.0, 0.0])) == []
    assert told(lambda: cs.hold_out(rows, folds=5)) == []
    assert told(lambda: cs.decide(Y, scores, conditions=known)) == []
    # Resamples of so few rows are often of one score.
    few = [0, 0, 1, 1], [0.5, 0.5, 0.5, 0.7]
    assert (
        told(lambda: cs.bootstrap(*few, metrics=cs.auc, replicates=50, method="percentile")) == []
    )


def test_of_binned_scores_only_a_single_one_is_known() -> None:
    for scores, known in ((np.full(150, 0.5), True), (Y, False), (PREDICTED, False)):
        binned = cs.ScoreCounts.from_predictions(Y, scores, binning=cs.Binning.uniform(bins=10))
        notes = cs.evaluate(binned).models["y_score"].notes
        assert ("scores" in notes) == known


def test_it_can_be_an_error_or_silent() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", cs.DataWarning)
        with pytest.raises(cs.DataWarning, match="labels"):
            cs.auc(Y, Y)
        warnings.simplefilter("ignore", cs.DataWarning)
        assert cs.auc(Y, Y) == 1
