"""Probability thresholds on scores that are not probabilities."""

import numpy as np
import pytest
from data_warnings import told
from scipy.stats import norm

import costspace as cs

Y = np.tile([0, 0, 1], 20)
MARGINS = np.linspace(-2, 1, 60) + Y
PERCENT = 100 / (1 + np.exp(-MARGINS))
KNOWN = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.3)
SCALES = [
    (MARGINS, "look like decision values"),
    (PERCENT, "percentages: if so, divide them by 100."),
]


@pytest.mark.parametrize(("scores", "text"), SCALES)
@pytest.mark.parametrize("choice", [cs.ScoreFixed(), cs.ScoreUniform()])
def test_a_threshold_among_probabilities(
    scores: np.ndarray, text: str, choice: cs.ThresholdChoice
) -> None:
    given = {"choice": choice}
    table = cs.ScoreTable.from_predictions(Y, scores)
    for compute in (
        lambda: cs.expected_loss(Y, scores, **given),
        lambda: cs.expected_loss(table, **given),
        lambda: cs.loss_curve(Y, scores, **given),
        lambda: cs.loss_shares(Y, scores, **given),
        lambda: cs.decision_curve(Y, scores, **given),
        lambda: cs.metrics.murphy_curve(Y, scores, **given),
        lambda: cs.expected_money(Y, scores, conditions=KNOWN, **given),
    ):
        (message,) = told(compute)
        assert text in message
        assert len(message) < 300


@pytest.mark.parametrize(("scores", "text"), SCALES)
def test_metrics_evaluate_decide_and_drift_warn_of_their_own_threshold(
    scores: np.ndarray, text: str
) -> None:
    for compute in (
        lambda: cs.accuracy(Y, scores),
        lambda: cs.macro_accuracy(Y, scores),
        lambda: cs.evaluate(Y, {"m": scores}),
        lambda: cs.evaluate(cs.ScoreTable.from_predictions(Y, scores)),
        lambda: cs.decide(Y, {"m": scores}, conditions=KNOWN, baseline=("m", 0.5)),
        lambda: cs.bootstrap(Y, scores, metrics=cs.accuracy, replicates=40, method="percentile"),
    ):
        (message,) = told(compute)
        assert text in message
    assert text in cs.evaluate(Y, scores).models["y_score"].notes["thresholds"]
    decision = cs.decide(Y, {"m": scores}, conditions=KNOWN, baseline=("m", 0.5))
    assert text in decision.to_dict()["notes"]["thresholds.m"]
    table = cs.ScoreTable.from_predictions(Y, scores)
    found = cs.drift(table, table, quantities=["auc", "expected_loss.cost.score_fixed"])
    assert text in found.notes["thresholds.after"]
    assert "thresholds.after" not in cs.drift(table, table, quantities=["auc"]).notes


def test_a_decision_doubts_no_threshold_that_nobody_set() -> None:
    assert told(lambda: cs.decide(Y, {"m": MARGINS}, conditions=KNOWN)) == []


def test_drift_names_the_sample_that_it_warns_of() -> None:
    losses = ["expected_loss.cost.score_fixed", "expected_loss.skew.score_uniform"]
    percent, scores = (cs.ScoreTable.from_predictions(Y, one) for one in (PERCENT, PERCENT / 100))
    binning = cs.Binning.uniform(0, 100, bins=20)
    binned = cs.ScoreCounts.from_predictions(Y, PERCENT, binning=binning)
    for samples, names in (
        ((percent, percent), ["before", "after"]),
        ((percent, scores), ["before"]),
        ((binned, binned), ["before", "after"]),
        ((scores, percent), ["after"]),
        ((scores, scores), []),
    ):
        messages = told(lambda samples=samples: cs.drift(*samples, quantities=losses))
        assert [message.partition(":")[0] for message in messages] == names
        assert all("percentages" in message for message in messages)


@pytest.mark.parametrize(("scores", "text"), SCALES)
def test_every_function_given_a_threshold_warns_once(scores: np.ndarray, text: str) -> None:
    fixed, table = cs.ScoreFixed(), cs.ScoreTable.from_predictions(Y, scores)
    costs = {"fp_cost": 1, "fn_cost": 2}
    asked = {"constraints": cs.Constraints(capacity=0.6), "prevalence": 0.5}
    for compute in (
        lambda: cs.expected_cost(Y, scores, threshold=0.5, **costs),
        lambda: cs.savings_score(Y, scores, threshold=0.5, **costs),
        lambda: cs.loss_band(Y, scores, choice=fixed, replicates=100),
        lambda: cs.threshold_path(table, choice=fixed),
        lambda: cs.decision.constrained_path(table, choice=fixed, **asked),
        lambda: cs.decision.constrained_operating_path(table, choice=fixed, **asked),
        lambda: cs.decision.constrained_operating_path(table, choice=cs.ScoreUniform(), **asked),
    ):
        (message,) = told(compute)
        assert text in message
    limited = cs.Constraints(capacity=0.6)
    used = ("y_score", 0.5)
    (message,) = told(
        lambda: cs.decide(Y, scores, conditions=KNOWN, constraints=limited, baseline=used)
    )
    assert text in message
    models = {"a": MARGINS / 10, "b": scores}
    band = told(lambda: cs.difference_band(Y, models, choice=fixed, replicates=100))
    assert [message.partition(":")[0] for message in band] == ["b"]
    assert told(lambda: cs.expected_cost(Y, scores, threshold=2, **costs)) == []


@pytest.mark.parametrize(
    ("scores", "choice"),
    [
        (MARGINS, cs.ScoreFixed(0)),
        (MARGINS, cs.ScoreFixed(-0.7)),
        (MARGINS, cs.ScoreUniform(-2, 2)),
        (MARGINS, cs.Optimal()),
        (MARGINS, cs.RateDriven()),
        (PERCENT, cs.ScoreFixed(50)),
        (PERCENT / 100, cs.ScoreFixed()),
        (2 * (MARGINS > 0) - 1, cs.ScoreFixed()),
        (np.clip(MARGINS, -0.2, 1.2), cs.ScoreFixed()),
        (1000 * PERCENT, cs.ScoreFixed(500)),
        (PERCENT / 20, cs.ScoreFixed()),
    ],
)
def test_thresholds_that_suit_the_scores_give_no_warning(
    scores: np.ndarray, choice: cs.ThresholdChoice
) -> None:
    table = cs.ScoreTable.from_predictions(Y, scores)
    assert choice.misfit(table) == ""
    assert told(lambda: cs.expected_loss(table, choice=choice)) == []


@pytest.mark.parametrize("largest", [6, 10, 20])
def test_scores_up_to_20_are_not_called_percentages(largest: float) -> None:
    marks = np.linspace(0, largest, 60)
    (message,) = told(lambda: cs.accuracy(Y, marks))
    assert message.endswith(
        f"scores from 0 to {largest} are not probabilities: calibrate them, or divide them by the "
        "largest possible score."
    )
    (message,) = told(lambda: cs.accuracy(Y, 2.1 / largest * 10 * marks))
    assert message.endswith("scores from 0 to 21 may be percentages: if so, divide them by 100.")
    with pytest.raises(cs.ScoreError, match="calibrate the scores") as refused:
        cs.brier_score(Y, marks)
    assert "percentages" not in str(refused.value)


def test_fitted_and_noisy_choices_warn_as_the_choice_inside() -> None:
    table = cs.ScoreTable.from_predictions(Y, PERCENT)
    for choice in (cs.Fitted(cs.ScoreFixed(), table), cs.NoisyCondition(cs.ScoreFixed(), norm())):
        assert choice.misfit(table) == cs.ScoreFixed().misfit(table) != ""
    assert cs.Fitted(cs.Optimal(), table).misfit(table) == ""
