"""Rules to deploy, and paths of them."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, CHOICES, Predictions, fit_for, same_curve
from refusals import refused

import costspace as cs
from costspace.decision.rules.rules import Rules

GRID = st.sampled_from([-np.inf, 0.0, 0.25, 0.3, 0.5, 1.0, np.inf])
TRIAGE = cs.Rule((0.3, 0.7), ("pass", "review", "block"))
QUEUE = cs.Rule((0.2, 0.5), ("block", "review", "pass"), by="share")
SET = [name for name in CHOICES if "uniform" not in name and "batch" not in name]


@settings(max_examples=50)
@given(ANY, GRID, GRID, st.sampled_from([0.0, 0.25, 0.7, 1.0]))
def test_a_rule_on_a_sample_is_what_it_does_to_each_score(
    sample: Predictions, first: float, second: float, mix: float
) -> None:
    rule = cs.Rule(first, otherwise=cs.Rule(second), chance=mix)
    share = rule.flagged(sample.s)
    point = rule.on(sample.table)
    for rate, label, missed in ((point.fpr, 0, share), (point.fnr, 1, 1 - share)):
        inside = sample.y == label
        expected = np.average(missed[inside], weights=sample.weights[inside])
        assert rate == pytest.approx(expected, abs=1e-12)
    path = cs.decision.ThresholdPath.constant(rule).on(sample.table)
    assert (path.start.fpr[0], path.start.fnr[0]) == (point.fpr, point.fnr)


@pytest.mark.parametrize("name", SET)
@settings(max_examples=25)
@given(st.data())
def test_thresholds_have_the_curve_of_their_choice(name: str, data: st.DataObject) -> None:
    case = CHOICES[name]
    for axis in ("cost", "skew"):
        table = fit_for(case, data).on(axis)
        found = cs.threshold_path(table, choice=case.choice)
        same_curve(found.on(table).loss(), case.choice.path(table).loss())
        assert np.all(found.threshold <= found.threshold_2)


@pytest.mark.parametrize("name", ["optimal", "rate_fixed", "rate_driven"])
@settings(max_examples=20)
@given(ANY, ANY)
def test_thresholds_carry_over_as_fitted_choices_do(
    name: str, train: Predictions, test: Predictions
) -> None:
    choice, table = CHOICES[name].choice, test.table
    found = cs.threshold_path(train.table.with_prevalence(table.prevalence), choice=choice).on(
        table
    )
    fitted = cs.Fitted(choice, train.table)
    same_curve(found.loss(), fitted.path(table.with_prevalence(table.prevalence)).loss())


@settings(max_examples=40)
@given(ANY, st.sampled_from(["optimal", "rate_driven", "score_driven"]), st.data())
def test_the_rule_at_a_condition(sample: Predictions, name: str, data: st.DataObject) -> None:
    table = sample.table
    path = cs.threshold_path(table, choice=CHOICES[name].choice)
    loss = path.on(table).loss()
    inner = data.draw(st.sampled_from(sorted({0.0, 1.0, *path.breaks.tolist()})))
    for c in (inner, data.draw(st.floats(0, 1))):
        point = path.rule_at(c).on(table)
        expected = cs.condition.loss_at(point.fpr, point.fnr, c=c, prevalence=table.prevalence)
        assert float(loss(c)) == pytest.approx(float(expected), abs=1e-9)


def drawn(first: float, second: float, chance: float) -> cs.Rule:
    """The rule that applies the first threshold with a probability, else the second."""
    return cs.Rule(first, otherwise=cs.Rule(second), chance=chance)


def test_words() -> None:
    assert str(cs.Rule(0.25)) == "flag scores above 0.25"
    assert str(drawn(0.25, 0.5, 0)) == "flag scores above 0.5"
    assert str(drawn(0.25, 0.25, 0.5)) == "flag scores above 0.25"
    mixed = "flag scores above 0.5, and those above 0.25 with probability 0.3"
    assert str(drawn(0.25, 0.5, 0.3)) == mixed == str(drawn(0.5, 0.25, 0.7))
    assert str(drawn(-np.inf, 0.5, 0.3)) == (
        "flag scores above 0.5, and all others with probability 0.3"
    )
    assert str(drawn(np.inf, 0.5, 0.3)) == "flag scores above 0.5 with probability 0.7"
    assert str(drawn(np.inf, -np.inf, 0.75)) == "flag everybody with probability 0.25"
    assert str(cs.Rule(-np.inf)) == "flag everybody"
    assert str(cs.Rule(np.inf)) == "flag nobody"
    assert str(cs.Rule((), ("review",))) == "review everybody"
    assert str(TRIAGE) == "block scores above 0.7, review those above 0.3, pass the rest"
    assert str(QUEUE) == "block the top 20 % of the queue, review the next to 50 %, pass the rest"
    assert str(cs.Rule(0.02, by="share")) == "flag the top 2 % of the queue"
    assert str(cs.Rule(0.5, ("flag", "pass"))) == "pass scores above 0.5, flag the rest"
    other = cs.Rule(0.5, otherwise=QUEUE, chance=0.25)
    assert str(other) == f"flag scores above 0.5 with probability 0.25, else {QUEUE}"


def test_columns() -> None:
    columns = {name: column.tolist() for name, column in TRIAGE.columns().items()}
    assert columns == {
        "from": [-np.inf, 0.3, 0.7],
        "to": [0.3, 0.7, np.inf],
        "action": ["pass", "review", "block"],
    }
    queue = QUEUE.columns()
    assert (queue["from"].tolist(), queue["to"].tolist()) == ([0, 0.2, 0.5], [0.2, 0.5, 1])


def test_pieces_of_no_length() -> None:
    # Flag everybody as c tends to 0, and nobody only at 1.
    path = cs.decision.ThresholdPath.stepping(
        np.array([0.0, 1.0]), np.array([-np.inf, 0.5, np.inf])
    )
    assert [path.rule_at(c) for c in (0, 0.5, 1)] == [cs.Rule(t) for t in (0.5, 0.5, np.inf)]
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
        cs.threshold_path(table, choice=choice)


def test_a_fitted_rate_that_splits_a_block_of_several_scores() -> None:
    train = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0.5, 0.5, 0.9, 0.1])
    test = cs.ScoreTable.from_predictions([0, 1, 1], [0.45, 0.55, 0.95])
    choice = cs.Fitted(cs.RateFixed(0.5), train)
    same_curve(cs.threshold_path(test, choice=choice).on(test).loss(), choice.path(test).loss())


def test_a_condition_outside() -> None:
    with refused(cs.ConditionError, "an operating condition must be in [0, 1], got 2"):
        cs.decision.ThresholdPath.constant(cs.Rule(0.5)).rule_at(2)


# --- Rules for several cases -------------------------------------------------------------------


@settings(max_examples=50)
@given(ANY, st.sampled_from(["optimal", "rate_driven", "rate_fixed", "score_driven"]), st.data())
def test_rules_at_conditions_are_those_at_each(
    sample: Predictions, name: str, data: st.DataObject
) -> None:
    path = cs.threshold_path(sample.table, choice=CHOICES[name].choice)
    breaks = st.sampled_from(sorted({0.0, 1.0, *path.breaks.tolist()}))
    conditions = data.draw(st.lists(st.floats(0, 1) | breaks, min_size=1, max_size=8))
    rules = path.rules_at(conditions)
    each = [path.rule_at(c) for c in conditions]
    score = data.draw(st.sampled_from(sample.s.tolist()))
    at_one_score = np.full(len(each), score)
    expected = [rule.flagged([score])[0] for rule in each]
    np.testing.assert_array_equal(rules.flagged(at_one_score), expected)
    likelier = [rule.thresholds[0 if rule.chance >= 0.5 else 1] for rule in each]
    np.testing.assert_array_equal(rules.likelier, likelier)


@settings(max_examples=40)
@given(ANY, st.sampled_from(["optimal", "rate_driven"]), st.floats(0, 1))
def test_one_rule_for_all_cases(sample: Predictions, name: str, c: float) -> None:
    path = cs.threshold_path(sample.table, choice=CHOICES[name].choice)
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
    assert Rules(0.2, 0.4, 0.3).one == drawn(0.2, 0.4, 0.3)


@pytest.mark.parametrize("low", [0.1, 0.3, 0.7])
def test_thresholds_are_not_rounded_to_single_precision(low: float) -> None:
    scores = np.array([low, np.nextafter(np.float32(low), np.float32(1))], dtype=np.float32)
    between = float(scores.astype(float).mean())
    for rule in (cs.Rule(between), Rules.of(between), Rules.of([between, between])):
        assert rule.flagged(scores).tolist() == [0, 1]
    table = cs.ScoreTable.from_predictions([0, 1], scores)
    point = cs.threshold_path(table, choice=cs.Optimal()).rule_at(0.5).on(table)
    assert (point.fpr, point.fnr) == (0, 0)
    rule = cs.Rule(low)
    share = rule.flagged(scores)
    assert (rule.on(table).fpr, 1 - rule.on(table).fnr) == (share[0], share[1])


@pytest.mark.parametrize("bad", [[0.5, 2], np.nan, "half"])
def test_conditions_outside(bad: Any) -> None:
    with refused(cs.ConditionError, "an operating condition must be"):
        cs.decision.ThresholdPath.constant(cs.Rule(0.5)).rules_at(bad)


# --- Several cuts, and shares of a queue -------------------------------------------------------

SCORES = [0.9, -np.inf, 0.3, 0.7, 0.31, np.inf, 0.1, 0.71, 0.3, 0.05]
ACTIONS = st.lists(st.sampled_from(["pass", "flag", "review", "block"]), min_size=1, max_size=4)


TRIAGED = ("pass", "review", "flag")


def by_definition(cuts: list[float], actions: list[str], scores: list[float]) -> list[str]:
    """The action of the stretch that each score is on: above all cuts that it exceeds."""
    return [actions[sum(score > cut for cut in cuts)] for score in scores]


def of_a_queue(cuts: list[float], actions: list[str], scores: list[float]) -> list[str]:
    """The same by share: a case is within a cut if all that score as much fit into it."""
    shares = [sum(other >= score for other in scores) / len(scores) for score in scores]
    return [actions[sum(share > cut + 1e-9 for cut in cuts)] for share in shares]


@settings(max_examples=50)
@given(st.data(), ACTIONS, st.sampled_from(["score", "share"]))
def test_what_is_done_with_each_case(data: st.DataObject, actions: list[str], by: str) -> None:
    few = st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.75])
    cuts = sorted(data.draw(st.sets(few, min_size=len(actions) - 1, max_size=len(actions) - 1)))
    scores = data.draw(
        st.lists(few | st.sampled_from([-np.inf, 0.31, np.inf]), min_size=1, max_size=12)
    )
    rule = cs.Rule(cuts, actions, by=by)
    expected = (by_definition if by == "score" else of_a_queue)(cuts, actions, scores)
    assert rule.applied(scores).tolist() == expected
    chances = rule.chances(scores)
    assert set(chances) == set(actions)
    for action, chance in chances.items():
        assert chance.tolist() == [float(done == action) for done in expected]
    top = actions[0 if by == "share" else -1]
    flag = "flag" if "flag" in actions else top if top not in {"pass", "review"} else None
    assert rule.flagged(scores).tolist() == [float(done == flag) for done in expected]
    assert cs.Rule.from_dict(json.loads(json.dumps(rule.to_dict()))) == rule


@pytest.mark.parametrize(
    ("actions", "by", "flagged"),
    [
        (("pass", "review", "flag"), "score", [0, 0, 1]),
        (("approve", "review", "decline"), "score", [0, 0, 1]),
        (("block", "review", "pass"), "share", [0, 0, 1]),
        (("flag", "review", "pass"), "score", [1, 0, 0]),
        (("pass", "watch", "review"), "score", [0, 0, 0]),
    ],
)
def test_what_is_reviewed_is_not_flagged(actions, by: str, flagged: list[int]) -> None:
    assert cs.Rule((0.4, 0.7), actions, by=by).flagged([0.1, 0.5, 0.9]).tolist() == flagged


def test_reviewing_everybody_flags_nobody() -> None:
    assert cs.Rule((), ("review",)).flagged([0.1, 0.9]).tolist() == [0, 0]
    drawn = cs.Rule((0.2, 0.6), TRIAGED, otherwise=cs.Rule((), ("review",)), chance=0.25)
    assert drawn.flagged([0.1, 0.5, 0.9]).tolist() == [0, 0, 0.25]


def test_two_thresholds_and_three_actions() -> None:
    done = TRIAGE.applied(SCORES).tolist()
    assert done == [
        *("block", "pass", "pass", "review", "review"),
        *("block", "pass", "block", "pass", "pass"),
    ]
    # 20 % of ten cases are two: those of inf and 0.9. Half are five: 0.71, 0.7 and 0.31 more.
    queue = QUEUE.applied(SCORES).tolist()
    assert [score for score, action in zip(SCORES, queue, strict=True) if action == "block"] == [
        0.9,
        np.inf,
    ]
    assert [score for score, action in zip(SCORES, queue, strict=True) if action == "review"] == [
        0.7,
        0.31,
        0.71,
    ]
    with refused(cs.ConditionError, "a rule with one threshold was asked for, got block scores"):
        _ = TRIAGE.thresholds
    with refused(cs.ConditionError, "a rule with one threshold was asked for, got block the top"):
        QUEUE.on(cs.ScoreTable.from_predictions([0, 1], [0.1, 0.9]))


def test_ties_on_a_cut_of_a_queue_come_after_it() -> None:
    top = cs.Rule(0.25, by="share")
    assert top.flagged([0.9, 0.5, 0.5, 0.1]).tolist() == [1, 0, 0, 0]
    assert top.flagged([0.9, 0.9, 0.5, 0.1]).tolist() == [0, 0, 0, 0]
    assert cs.Rule(0.5, by="share").flagged([0.9, 0.9, 0.5, 0.1]).tolist() == [1, 1, 0, 0]
    # Of three cases a third is one, whatever a third times three rounds to.
    assert cs.Rule(1 / 3, by="share").flagged([3.0, 2.0, 1.0]).tolist() == [1, 0, 0]
    assert cs.Rule(0.07, by="share").flagged(np.arange(100.0)).sum() == 7


def test_an_infinite_cut_has_nothing_beyond_it() -> None:
    scores = [-np.inf, 0.0, np.inf]
    everybody, nobody = cs.Rule(-np.inf), cs.Rule(np.inf)
    assert everybody.flagged(scores).tolist() == [1, 1, 1]
    assert nobody.flagged(scores).tolist() == [0, 0, 0]
    assert everybody == cs.Rule((), ("flag",))
    assert nobody == cs.Rule((), ["pass"])
    assert cs.Rule([-np.inf, 0.5], ["block", "pass", "flag"]) == cs.Rule(0.5)
    assert cs.Rule((0, 0.5, 1), ("a", "b", "c", "d"), by="share") == cs.Rule(
        0.5, ("b", "c"), by="share"
    )
    assert everybody.thresholds == (-np.inf, -np.inf)
    assert nobody.thresholds == (np.inf, np.inf)
    assert everybody.trivial
    assert not cs.Rule(0.5).trivial
    assert not drawn(-np.inf, np.inf, 0.5).trivial


def test_a_rule_that_draws() -> None:
    rule = cs.Rule((0.3, 0.7), ("pass", "review", "block"), otherwise=cs.Rule(0.5), chance=0.25)
    scores = np.array([0.2, 0.4, 0.6, 0.8])
    chances = {action: chance.tolist() for action, chance in rule.chances(scores).items()}
    assert chances == {
        "pass": [1, 0.75, 0, 0],
        "review": [0, 0.25, 0.25, 0],
        "block": [0, 0, 0, 0.25],
        "flag": [0, 0, 0.75, 0.75],
    }
    assert rule.flagged(scores).tolist() == [0, 0, 0.75, 1]
    many = np.repeat(scores, 4000)
    done = rule.applied(many, seed=3)
    np.testing.assert_array_equal(done, rule.applied(many, seed=3))
    for action, chance in rule.chances(many).items():
        shares = (done == action).reshape(4, -1).mean(axis=1)
        np.testing.assert_allclose(shares, chance.reshape(4, -1).mean(axis=1), atol=0.03)
    with refused(cs.ConditionError, "draws at random: give a seed."):
        rule.applied(scores)
    assert cs.Rule.from_dict(json.loads(json.dumps(rule.to_dict()))) == rule


def test_a_draw_that_changes_nothing_is_one_rule() -> None:
    first, second = cs.Rule(0.3), TRIAGE
    assert cs.Rule(0.3, otherwise=second) == first
    assert cs.Rule(0.3, otherwise=first, chance=0.5) == first
    assert cs.Rule(0.3, otherwise=second, chance=0) == second
    assert cs.Rule(0.3, otherwise=second, chance=0).to_dict() == second.to_dict()
    found = [drawn(0, 1, chance).randomised for chance in (0, 0.5, 1)]
    assert found == [False, True, False]


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda: cs.Rule(np.nan), "a cut must be a number, got nan"),
        (lambda: cs.Rule("0.5"), "a cut must be a number, got '0.5'"),
        (lambda: cs.Rule((0.5, 0.3), "abc"), "the cuts of a rule must ascend, got (0.5, 0.3)."),
        (lambda: cs.Rule((0.5, 0.5), "abc"), "the cuts of a rule must ascend"),
        (lambda: cs.Rule((0.3, 0.5)), "a rule of 2 cuts needs a list of 3 actions, got"),
        (lambda: cs.Rule(0.3, "ab"), "a rule of 1 cuts needs a list of 2 actions, got 'ab'"),
        (lambda: cs.Rule(0.3, [["pass", "flag"]]), "a rule of 1 cuts needs a list of 2 actions"),
        (lambda: cs.Rule([[0.3]]), "cuts must be a number, or a list of numbers, got [[0.3]]."),
        (lambda: cs.Rule(np.array([[0.3]])), "cuts must be a number, or a list of numbers, got"),
        (lambda: cs.Rule(0.3, ("pass", 1)), "a rule of 1 cuts needs a list of 2 actions"),
        (lambda: cs.Rule(0.3, 3), "a rule of 1 cuts needs a list of 2 actions, got 3"),
        (lambda: cs.Rule(2, by="share"), "a cut must be in [0, 1], got 2: 2 % is 0.02"),
        (lambda: cs.Rule(0.5, by="rank"), "a rule cuts by 'score' or by 'share', got 'rank'"),
        (lambda: cs.Rule(0.5, chance=0.5), "applied with probability 0.5 needs another"),
        (lambda: drawn(0, 1, 2), "chance must be in [0, 1], got 2"),
        (lambda: drawn(0, 1, np.nan), "chance must be"),
        (lambda: cs.Rule(0.5, otherwise=0.3, chance=0.5), "otherwise must be Rule, got 0.3."),
        (
            lambda: cs.Rule(0.5, otherwise=drawn(0, 1, 0.5), chance=0.5),
            "otherwise must be a Rule that draws nothing itself",
        ),
        (lambda: cs.Rule.from_dict({"by": "score"}), "a rule has 'by', 'cuts' and 'actions'"),
        (lambda: cs.Rule.from_dict([1, 2]), "a rule has 'by', 'cuts' and 'actions'"),
        (
            lambda: cs.Rule.from_dict({"by": "score", "cuts": 0.3, "actions": ["a", "b"]}),
            "a rule has 'by', 'cuts' and 'actions'",
        ),
        (
            lambda: cs.Rule.from_dict({"by": "score", "cuts": [0.3], "actions": "ab"}),
            "a rule of 1 cuts needs a list of 2 actions, got 'ab'",
        ),
        (
            lambda: cs.Rule.from_dict({"by": "score", "cuts": [None], "actions": ["a", "b"]}),
            "a cut must be a number, got None",
        ),
        (
            lambda: cs.Rule.from_dict({**cs.Rule(0.3).to_dict(), "otherwise": 3, "chance": 0.5}),
            "a rule has 'by', 'cuts' and 'actions', got 3",
        ),
    ],
)
def test_bad_rules(build: Callable[[], Any], text: str) -> None:
    with refused(cs.ConditionError, text):
        build()


@pytest.mark.parametrize("rule", [TRIAGE, QUEUE, cs.Rule((), ("flag",))])
@pytest.mark.parametrize(
    ("scores", "text"),
    [
        ([np.nan, None, "x"], "scores must be numbers, got nan, None, 'x'."),
        ([0.2, np.nan], "scores have a missing value (NaN) in row 2: fill or drop it."),
        ([None], "scores have a missing value (NaN) in row 1"),
        (np.ma.array([0.2, 0.4], mask=[False, True]), "a missing value (masked) in row 2"),
        (["0.2"], "scores must be numbers, got text such as '0.2'."),
        ([0.2j], "scores must be numbers, got complex128."),
        ([2**60], "scores have integers beyond 2^53"),
        (0.2, "scores must have one dimension, a value for each row, got 0.2."),
        (None, "scores must have one dimension, a value for each row, got None."),
        ([[0.2, 0.8]], "scores must have one dimension, got shape (1, 2)"),
        ([], "scores must not be empty: give at least one row."),
    ],
)
def test_a_rule_takes_one_number_for_each_case(rule: cs.Rule, scores: Any, text: str) -> None:
    for act in (rule.applied, rule.flagged, rule.chances):
        with refused(cs.ScoreError, text):
            act(scores)
