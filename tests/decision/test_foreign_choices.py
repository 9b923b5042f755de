"""A threshold choice of a user's own decides as any other does."""

import io
import json

import numpy as np
import polars as pl
import pytest
from foreign import Bare, LeastLoss, RecallReached, Settings, SettingsUnsaid
from rich.console import Console
from sklearn.base import BaseEstimator, ClassifierMixin
from two_models import knowing

import costspace as cs
import costspace.frames
from costspace.cli.decision_page import print_decision
from costspace.sklearn import ThresholdChoiceClassifier

RNG = np.random.default_rng(8)
Y = (RNG.random(400) < 0.35).astype(int)
S = np.clip(0.35 + 0.3 * Y + 0.2 * RNG.standard_normal(400), 0, 1)
OTHER = np.clip(S + 0.1 * RNG.standard_normal(400), 0, 1)
TABLE = cs.ScoreTable.from_predictions(Y, S)
# Off round numbers, so that no condition falls on a score.
AT_ONE = cs.Deployment(1, 5.0711, 0.2071)
OVER = cs.Deployment(1, (2, 20), 0.2071)


def by_name(decision, name):
    return next(one for one in decision.strategies if one.strategy.name == name)


@pytest.mark.parametrize("choice", [Settings(), Bare(), LeastLoss(), RecallReached()])
@pytest.mark.parametrize("conditions", [AT_ONE, OVER], ids=str)
def test_it_is_a_strategy_like_any_other(choice, conditions):
    decision = knowing(
        Y, {"a": S, "b": OTHER}, conditions=conditions, choices=[cs.ScoreFixed(), choice]
    )
    names = {one.strategy.name for one in decision.strategies if one.strategy.model == "a"}
    assert names == {"score_fixed", str(choice)}
    one = by_name(decision, str(choice))
    rows = cs.ScoredRows.from_predictions(Y, {"a": S})
    held_out = cs.hold_out(rows, repeats=5).of("a")
    path = held_out.path(choice, 0.2071)
    size = 1000 * (conditions.negative_stake + conditions.positive_stake)
    # What is recommended costs what choosing it does, too.
    fit = next(fit for fit in decision.fits if fit.strategy == one.strategy)
    if conditions is AT_ONE and choice != Bare():
        skew = conditions.negative_stake / (conditions.negative_stake + conditions.positive_stake)
        c = cs.cost_from_skew(skew, prevalence=0.2071)
        held = size * path.loss()(c) / (2 * (c * (1 - 0.2071) + (1 - c) * 0.2071))
        # Cuts in few digits treat the rows alike that chose them, and a held-out one perhaps not.
        assert fit.money == pytest.approx(held, abs=1000 * conditions.stake / len(Y))
    assert one.low <= one.money <= one.high
    outcomes = decision.outcomes(one.strategy)
    if conditions is AT_ONE:
        money = conditions.negative_stake * outcomes.false_positives.value / (1 - 0.2071)
        money += conditions.positive_stake * outcomes.false_negatives.value / 0.2071
        assert money == pytest.approx(fit.in_sample, rel=1e-9)
    assert outcomes.true_positives.value + outcomes.false_negatives.value == pytest.approx(207.1)


@pytest.mark.parametrize("choice", [Settings(), LeastLoss(), RecallReached()])
def test_it_is_in_the_losses_and_the_record(choice):
    decision = knowing(Y, {"a": S}, conditions=OVER, choices=[choice])
    (own,) = (one for one in decision.losses() if one.model == "a")
    assert own.choice is choice
    found = json.loads(json.dumps(decision.to_dict(details=True), allow_nan=False))
    mine = [one for one in found["strategies"] if one["choice"] == str(choice)]
    assert [one["model"] for one in mine] == ["a"]
    assert found["dominance"][0]["models"] == ["a"]
    assert decision.recommendation.text


def test_least_loss_of_ones_own_decides_as_the_optimal_one_does():
    own, known = (
        knowing(Y, {"a": S}, conditions=OVER, choices={"best": choice})
        for choice in (LeastLoss(), cs.Optimal())
    )
    for mine, theirs in zip(own.strategies, known.strategies, strict=True):
        assert mine.money == pytest.approx(theirs.money, rel=1e-12)
    limits = cs.Constraints(capacity=0.15)
    own, known = (
        knowing(Y, {"a": S}, conditions=OVER, choices=[choice], constraints=limits)
        for choice in (LeastLoss(), cs.Optimal())
    )
    assert own.recommendation.money == pytest.approx(known.recommendation.money, rel=1e-12)


@pytest.mark.parametrize(
    "conditions", [AT_ONE, OVER, cs.Scenarios([1, 1.5], [3, 11], [0.2, 0.2])], ids=type
)
def test_a_flagging_of_ones_own_need_not_say_up_to_where_it_flags(conditions):
    said, unsaid = (
        knowing(Y, {"a": S}, conditions=conditions, choices={"own": choice}).to_dict()
        for choice in (Settings(), SettingsUnsaid())
    )
    for one, other in zip(unsaid["strategies"], said["strategies"], strict=True):
        assert flat(one["outcomes"]) == pytest.approx(flat(other["outcomes"]), rel=1e-9)


def flat(outcomes):
    """What the outcomes of a strategy count, and their intervals, in one list."""
    if not isinstance(outcomes, dict):
        # A precision of nobody flagged is none.
        return [-1.0 if outcomes is None else outcomes]
    return [value for one in outcomes.values() for value in flat(one)]


def test_it_keeps_to_constraints():
    limits = cs.Constraints(capacity=0.2)
    for choice in (Settings(), Bare(), RecallReached()):
        found = knowing(Y, {"a": S}, conditions=AT_ONE, choices=[choice], constraints=limits)
        one = by_name(found, str(choice))
        table = TABLE.with_prevalence(0.2071)
        point = one.rule.on(table)
        share = (1 - 0.2071) * point.fpr + 0.2071 * (1 - point.fnr)
        assert share <= 0.2 + 1e-9


def test_what_follows_more_than_the_skew_needs_one_prevalence():
    with pytest.raises(cs.ConditionError, match="looks at more than the skew"):
        knowing(Y, S, conditions=cs.Deployment(1, 5, (0.1, 0.3)), choices=[Settings()])


@pytest.mark.parametrize(
    "choice", [Settings(), LeastLoss(), RecallReached()], ids=lambda one: type(one).__name__
)
@pytest.mark.parametrize("conditions", [AT_ONE, OVER], ids=str)
def test_it_is_applied_printed_and_followed_by_a_classifier(choice, conditions, tmp_path):
    decision = knowing(Y, {"a": S}, conditions=conditions, choices={"own": choice})
    own = by_name(decision, "own").strategy
    kept, costs, draw = decision.saved(own), {}, {"seed": 3}
    fn_cost = np.full(len(S), 5.0711)
    if conditions is OVER:
        fn_cost = np.linspace(2, 20, len(S))
        costs = {"fp_cost": 1.0, "fn_cost": fn_cost}
    found = kept.apply({"a": S}, **costs, **draw)
    # Each row is judged as the choice, set on all rows, has it at the row's own costs.
    path = cs.threshold_path(TABLE.with_prevalence(0.2071), choice=choice)
    c = 1 / (1 + fn_cost)
    chances = np.array(
        [path.rule_at(at).flagged([score])[0] for at, score in zip(c, S, strict=True)]
    )
    sure = (chances == 0) | (chances == 1)
    assert sure.mean() > 0.9
    np.testing.assert_array_equal((found.action == "flag")[sure], chances[sure] == 1)
    frame = pl.DataFrame({"a": S, "cost": fn_cost})
    columns = {"fp_cost": 1.0, "fn_cost": "cost"} if costs else {}
    if conditions is OVER and choice == Settings():
        # A formula of a user's own is in Python only.
        with pytest.raises(cs.ConditionError, match="thresholds that engines cannot compute"):
            cs.frames.apply_decision(kept, frame, **columns, **draw)
        with pytest.raises(cs.ConditionError, match="no file can hold"):
            kept.save(tmp_path / "own.json")
    else:
        applied = cs.frames.apply_decision(kept, frame, **columns, **draw)
        assert applied.frame["action"].to_list() == found.action.tolist()
        kept.save(tmp_path / "own.json")
        again = cs.load_decision(tmp_path / "own.json").apply({"a": S}, **costs, **draw)
        assert again.action.tolist() == found.action.tolist()
    printed = io.StringIO()
    print_decision(decision, Console(file=printed, width=80))
    assert decision.strategy == own
    assert " own " in printed.getvalue()
    known = {"fp_cost": 1, "fn_cost": 6.5, "prevalence": 0.2071}
    fitted = ThresholdChoiceClassifier(Scores(), decision=decision, **known).fit(S[:, None], Y)
    chance = path.rule_at(cs.cost_proportion(fp_cost=1, fn_cost=6.5) if costs else c[0]).flagged(S)
    np.testing.assert_array_equal(fitted.predict(S[:, None])[chance == 1], 1)
    np.testing.assert_array_equal(fitted.predict(S[:, None])[chance == 0], 0)


class Scores(ClassifierMixin, BaseEstimator):
    """The one feature is the score."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])
