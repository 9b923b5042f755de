"""Rules to deploy, and paths of them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, CHOICES, Predictions, fit_for, same_curve
from refusals import refused

import costspace as cs
from costspace.decision.threshold_path import Rules

GRID = st.sampled_from([-np.inf, 0.0, 0.25, 0.3, 0.5, 1.0, np.inf])
SET = [name for name, case in CHOICES.items() if "uniform" not in name]


@settings(max_examples=100)
@given(ANY, GRID, GRID, st.sampled_from([0.0, 0.25, 0.7, 1.0]))
def test_a_rule_on_a_sample_is_what_it_does_to_each_score(
    sample: Predictions, first: float, second: float, mix: float
) -> None:
    rule = cs.Rule(first, second, mix)
    share = rule.flagged(sample.s)
    point = rule.on(sample.table)
    for rate, label, missed in ((point.fpr, 0, share), (point.fnr, 1, 1 - share)):
        inside = sample.y == label
        expected = np.average(missed[inside], weights=sample.weights[inside])
        assert rate == pytest.approx(expected, abs=1e-12)
    path = cs.decision.ThresholdPath.constant(rule).on(sample.table)
    assert (path.start.fpr[0], path.start.fnr[0]) == (point.fpr, point.fnr)


@pytest.mark.parametrize("name", SET)
@settings(max_examples=40)
@given(st.data())
def test_thresholds_have_the_curve_of_their_choice(name: str, data: st.DataObject) -> None:
    case = CHOICES[name]
    for axis in ("cost", "skew"):
        table = fit_for(case, data).on(axis)
        found = cs.threshold_path(table, case.choice)
        same_curve(found.on(table).loss(), case.choice.path(table).loss())
        assert np.all(found.threshold <= found.threshold_2)


@pytest.mark.parametrize("name", ["optimal", "rate_fixed", "rate_driven"])
@settings(max_examples=30)
@given(ANY, ANY)
def test_thresholds_carry_over_as_fitted_choices_do(
    name: str, train: Predictions, test: Predictions
) -> None:
    choice, table = CHOICES[name].choice, test.table
    found = cs.threshold_path(train.table.with_prevalence(table.prevalence), choice).on(table)
    fitted = cs.Fitted(choice, train.table)
    same_curve(found.loss(), fitted.path(table.with_prevalence(table.prevalence)).loss())


@settings(max_examples=60)
@given(ANY, st.sampled_from(["optimal", "rate_driven", "score_driven"]), st.data())
def test_the_rule_at_a_condition(sample: Predictions, name: str, data: st.DataObject) -> None:
    table = sample.table
    path = cs.threshold_path(table, CHOICES[name].choice)
    loss = path.on(table).loss()
    inner = data.draw(st.sampled_from(sorted({0.0, 1.0, *path.breaks.tolist()})))
    for c in (inner, data.draw(st.floats(0, 1))):
        point = path.rule_at(c).on(table)
        expected = cs.condition.loss_at(c, table.prevalence, point.fpr, point.fnr)
        assert float(loss(c)) == pytest.approx(float(expected), abs=1e-9)


def test_words() -> None:
    assert str(cs.Rule(0.25)) == "flag scores above 0.25"
    assert str(cs.Rule(0.25, 0.5, 0)) == "flag scores above 0.5"
    assert str(cs.Rule(0.25, 0.25, 0.5)) == "flag scores above 0.25"
    mixed = "flag scores above 0.5, and those above 0.25 with probability 0.3"
    assert str(cs.Rule(0.25, 0.5, 0.3)) == mixed == str(cs.Rule(0.5, 0.25, 0.7))
    assert [rule.randomised for rule in (cs.Rule(0), cs.Rule(0, 1), cs.Rule(0, 1, 0.5))] == [
        False,
        False,
        True,
    ]
    assert cs.Rule(0.5).columns() == {"threshold": [0.5], "threshold_2": [0.5], "mix": [1]}


def test_pieces_of_no_length() -> None:
    # Flag everybody as c tends to 0, and nobody only at 1.
    path = cs.decision.ThresholdPath.stepping(
        np.array([0.0, 1.0]), np.array([-np.inf, 0.5, np.inf])
    )
    assert [path.rule_at(c).threshold for c in (0, 0.5, 1)] == [0.5, 0.5, np.inf]
    columns = path.columns()
    assert columns["from"].tolist() == [0, 0, 1]
    assert columns["to"].tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    "choice",
    [
        cs.ScoreUniform(),
        cs.RateUniform(),
        cs.Fitted(cs.RateUniform(), cs.ScoreTable.from_predictions([0, 1], [0.5, 0.5])),
    ],
)
def test_choices_that_draw_their_threshold(choice: cs.ThresholdChoice) -> None:
    table = cs.ScoreTable.from_predictions([0, 1], [0.1, 0.9])
    with refused(cs.ConditionError, "has no threshold of its own at each condition"):
        cs.threshold_path(table, choice)


def test_a_fitted_rate_that_splits_a_block_of_several_scores() -> None:
    train = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0.5, 0.5, 0.9, 0.1])
    test = cs.ScoreTable.from_predictions([0, 1, 1], [0.45, 0.55, 0.95])
    choice = cs.Fitted(cs.RateFixed(0.5), train)
    same_curve(cs.threshold_path(test, choice).on(test).loss(), choice.path(test).loss())


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"threshold": np.nan}, "threshold must be a number, got nan"),
        ({"threshold": 0, "threshold_2": np.nan}, "threshold_2 must be a number, got nan"),
        ({"threshold": 0, "threshold_2": 1, "mix": 2}, "mix must be in [0, 1], got 2"),
        ({"threshold": 0, "mix": 0.5}, "with probability 0.5 needs a threshold_2"),
    ],
)
def test_bad_rules(arguments: dict[str, Any], text: str) -> None:
    with refused(cs.ConditionError, text):
        cs.Rule(**arguments)


def test_a_condition_outside() -> None:
    with refused(cs.ConditionError, "an operating condition must be in [0, 1], got 2"):
        cs.decision.ThresholdPath.constant(cs.Rule(0.5)).rule_at(2)


# --- Rules for several cases -------------------------------------------------------------------


@settings(max_examples=80)
@given(ANY, st.sampled_from(["optimal", "rate_driven", "rate_fixed", "score_driven"]), st.data())
def test_rules_at_conditions_are_those_at_each(
    sample: Predictions, name: str, data: st.DataObject
) -> None:
    path = cs.threshold_path(sample.table, CHOICES[name].choice)
    breaks = st.sampled_from(sorted({0.0, 1.0, *path.breaks.tolist()}))
    conditions = data.draw(st.lists(st.floats(0, 1) | breaks, min_size=1, max_size=8))
    rules = path.rules_at(conditions)
    each = [path.rule_at(c) for c in conditions]
    score = data.draw(st.sampled_from(sample.s.tolist()))
    at_one_score = np.full(len(each), score)
    expected = [rule.flagged([score])[0] for rule in each]
    np.testing.assert_array_equal(rules.flagged(at_one_score), expected)
    likelier = [
        r.threshold if r.mix >= 0.5 or r.threshold_2 is None else r.threshold_2 for r in each
    ]
    np.testing.assert_array_equal(rules.likelier, likelier)


@settings(max_examples=60)
@given(ANY, st.sampled_from(["optimal", "rate_driven"]), st.floats(0, 1))
def test_one_rule_for_all_cases(sample: Predictions, name: str, c: float) -> None:
    path = cs.threshold_path(sample.table, CHOICES[name].choice)
    rules = path.rules_at(c)
    assert rules.threshold.shape == ()
    np.testing.assert_array_equal(rules.flagged(sample.s), path.rule_at(c).flagged(sample.s))


def test_rules_of_thresholds_draw_nothing() -> None:
    rules = Rules.of([0.25, np.inf])
    assert rules.flagged(np.array([0.5, 0.5])).tolist() == [1, 0]
    assert rules.likelier.tolist() == [0.25, np.inf]
    assert Rules.of(0.5).one == cs.Rule(0.5)
    with pytest.raises(ValueError, match="read-only"):
        rules.threshold[0] = 0


def test_the_one_rule_has_two_thresholds_only_if_it_needs_them() -> None:
    assert Rules(0.2, 0.4, 1.0).one == cs.Rule(0.2)
    assert Rules(0.2, 0.4, 0.0).one == cs.Rule(0.4)
    assert Rules(0.2, 0.2, 0.3).one == cs.Rule(0.2)
    assert Rules(0.2, 0.4, 0.3).one == cs.Rule(0.2, 0.4, 0.3)


@pytest.mark.parametrize("low", [0.1, 0.3, 0.7])
def test_thresholds_are_not_rounded_to_single_precision(low: float) -> None:
    scores = np.array([low, np.nextafter(np.float32(low), np.float32(1))], dtype=np.float32)
    between = float(scores.astype(float).mean())
    for rule in (cs.Rule(between), Rules.of(between), Rules.of([between, between])):
        assert rule.flagged(scores).tolist() == [0, 1]
    table = cs.ScoreTable.from_predictions([0, 1], scores)
    point = cs.threshold_path(table, cs.Optimal()).rule_at(0.5).on(table)
    assert (point.fpr, point.fnr) == (0, 0)
    rule = cs.Rule(low)
    share = rule.flagged(scores)
    assert (rule.on(table).fpr, 1 - rule.on(table).fnr) == (share[0], share[1])


@pytest.mark.parametrize("bad", [[0.5, 2], np.nan, "half"])
def test_conditions_outside(bad: Any) -> None:
    with refused(cs.ConditionError, "an operating condition must be"):
        cs.decision.ThresholdPath.constant(cs.Rule(0.5)).rules_at(bad)
