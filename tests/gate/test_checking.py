"""What conditions say of intervals: a table, and that it is what every value in them says."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import costspace as cs
from costspace.gate.addresses import number_at
from costspace.gate.checking import FailIf, judged, parsed

OPERATORS = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}


def row(low, high, **more):
    return {"a": {"value": (low + high) / 2, "low": low, "high": high, **more}}


@pytest.mark.parametrize(
    ("low", "high", "less", "at_most", "more", "at_least"),
    [
        # What "< 2", "<= 2", "> 2" and ">= 2" say of intervals.
        (0, 1, "fail", "fail", "pass", "pass"),
        (1, 2, "undecided", "fail", "pass", "undecided"),
        (1, 3, "undecided", "undecided", "undecided", "undecided"),
        (2, 3, "pass", "undecided", "undecided", "fail"),
        (3, 4, "pass", "pass", "fail", "fail"),
    ],
)
def test_conditions_and_intervals(low, high, less, at_most, more, at_least):
    found = judged(row(low, high), parsed(["a < 2", "a <= 2", "a > 2", "a >= 2"]))
    assert [one.verdict for one in found.verdicts] == [less, at_most, more, at_least]


@given(*[st.integers(-5, 5)] * 3, st.sampled_from(sorted(OPERATORS)))
def test_a_verdict_is_what_every_value_says(first, second, number, operator):
    low, high = sorted((first, second))
    said = OPERATORS[operator](np.arange(2 * low, 2 * high + 1) / 2, number)
    expected = "fail" if said.all() else "undecided" if said.any() else "pass"
    assert FailIf.parsed(f"a {operator} {number}").verdict(low, high) == expected


@pytest.mark.parametrize(
    ("plain", "verdict", "reason"),
    [
        ({"a": 3}, "fail", ""),
        ({"a": 3.0}, "undecided", "it has no interval"),
        ({"a": {"value": None, "low": None, "high": None}}, "undecided", "it has no value"),
        ({"a": None}, "undecided", "it has no value"),
        ({"a": {"cost_per_1000": 3.0, "low": None, "high": None}}, "undecided", "no interval"),
        (row(3.0, 3.0, interval="linear"), "undecided", "nothing varied"),
        (row(1.0, 1.0), "undecided", "nothing varied"),
        (row(3.0, 3.0, interval="known"), "fail", ""),
    ],
)
def test_what_has_no_interval_is_undecided(plain, verdict, reason):
    (found,) = judged(plain, parsed(["a > 2"])).verdicts
    assert found.verdict == verdict
    assert reason in found.reason
    assert bool(reason) == bool(found.reason)


def test_the_worst_counts():
    plain = {**row(0, 1), "b": row(0, 4)["a"], "c": row(3, 4)["a"]}
    found = judged(plain, parsed(["a > 2", "b > 2", "c > 2"]))
    assert [one.verdict for one in found.verdicts] == ["pass", "undecided", "fail"]
    assert found.verdict == "fail"
    assert judged(plain, parsed(["b > 2", "a > 2"])).verdict == "undecided"
    assert judged(plain, parsed(["a > 2"])).verdict == "pass"


def test_lines_tell_a_number_from_the_condition():
    plain = {"a": {"value": 2.0001, "low": 1.99996, "high": 2.4}}
    assert judged(plain, parsed(["a > 2"])).lines == ("undecided: a > 2: 2.0001 (1.99996 to 2.4)",)


@pytest.mark.parametrize(
    "text", ["", "a", "a 2", "a = 2", "< 2", "a < b", "a < nan", "a < 1,000", "a < 1 2", "a < inf"]
)
def test_what_is_no_condition_is_refused(text):
    with pytest.raises(cs.ConditionError, match="a condition must"):
        cs.check(row(0, 1), text)


def test_what_cannot_be_checked_is_refused():
    with pytest.raises(cs.ConditionError, match="needs a condition"):
        cs.check(row(0, 1))
    with pytest.raises(cs.ConditionError, match="check takes what evaluate, decide"):
        cs.check(3, "a > 2")
    with pytest.raises(cs.ConditionError, match="a condition must be str"):
        cs.check(row(0, 1), 3)


LISTS = {
    "models": {"v1.2": {"metrics": {"auc": 0.8}, "intervals": {"auc": {"low": 0.7, "high": 0.9}}}},
    "savings": [
        {"model": "new", "against": "old", "saving_per_1000": 3.0, "low": 1.0, "high": 5.0},
        {"model": "new", "against": "baseline", "saving_per_1000": 7.0, "low": 6.0, "high": 8.0},
    ],
    "strategies": [
        {"model": None, "choice": "flag_nobody", "cost_per_1000": 9.0, "low": 8.0, "high": 10.0},
        {"model": "new", "choice": "optimal", "rule": {}, "cost_per_1000": 4.0, "p": 0.2},
    ],
    "segments": [
        {"by": {"state": "NY", "year": 2011}, "rows": 5},
        {"by": {"state": "None", "year": 2011}, "rows": 6},
        {"by": {"state": None, "year": 2011}, "rows": 7},
    ],
    "words": ["x"],
    "flag": True,
}


@pytest.mark.parametrize(
    ("address", "value", "low", "high"),
    [
        ("models.v1.2.metrics.auc", 0.8, 0.7, 0.9),
        ("savings.new.baseline", 7.0, 6.0, 8.0),
        ("savings.new.baseline.saving_per_1000", 7.0, 6.0, 8.0),
        ("savings.new.old.high", 5.0, None, None),
        ("strategies.flag_nobody.cost_per_1000", 9.0, 8.0, 10.0),
        ("strategies.new.cost_per_1000", 4.0, None, None),
        ("strategies.new.optimal.p", 0.2, 0.2, 0.2),
        ("segments.NY.2011.rows", 5, 5, 5),
        ("segments.NY.rows", 5, 5, 5),
        ("segments.None.rows", 6, 6, 6),
        ("segments.(none).2011.rows", 7, 7, 7),
    ],
)
def test_addresses(address, value, low, high):
    found = number_at(LISTS, address)
    assert (found.value, found.low, found.high) == (value, low, high)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("savings.new", "may mean 'new.old', 'new.baseline': name one of them"),
        ("savings.neu.baseline", "did you mean 'savings.new.baseline'?"),
        ("modells.x", "did you mean 'models'?"),
        ("models.v1.2.metrics.acu", "did you mean 'models.v1.2.metrics.auc'?"),
        ("models.v1.2", "is no number: name 'models.v1.2.metrics', 'models.v1.2.intervals'"),
        ("zzz", "there are 'models', 'savings', 'strategies', 'segments', 'words', 'flag'."),
        ("savings", "is no number: name 'savings.new', 'savings.new.old'"),
        ("words.x", "words has no parts"),
        ("flag", "is True: name a number"),
        ("savings.new.old.model", "is 'new': name a number"),
        ("strategies.new.optimal.rule", "is no number: name a number"),
    ],
)
def test_what_is_not_there_is_told_with_what_is_near(address, told):
    with pytest.raises(cs.ConditionError) as error:
        number_at(LISTS, address)
    assert told in str(error.value)


def test_results_and_their_json_say_the_same():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 300)
    scores = {"new": 0.6 * y + 0.8 * rng.random(300), "old": 0.4 * y + rng.random(300)}
    half = [
        cs.ScoreCounts.from_predictions(y[part], scores["new"][part])
        for part in (slice(150), slice(150, None))
    ]
    cases = [
        (cs.evaluate(y, scores, intervals=True), "models.new.metrics.auc < 0.5"),
        (cs.compare(y, scores), "pairs.new.old.auc < -0.5"),
        (cs.compare_money(y, scores, fp_cost=1, fn_cost=4), "savings.new.old > 5000"),
        (cs.decide(y, scores, fp_cost=1, fn_cost=4), "recommendation.cost_per_1000 > 5000"),
        (cs.drift(*half), "changes.auc > 0.9"),
    ]
    for result, condition in cases:
        found = cs.check(result, condition)
        assert found.verdict == "pass"
        assert found.verdicts[0].low is not None
        read = json.loads(json.dumps(result.to_dict()))
        assert cs.check(read, condition).to_dict() == found.to_dict()
        assert found.columns()["verdict"].tolist() == ["pass"]


@pytest.mark.parametrize("name", ["p", "p_adjusted", "shares"])
def test_names_of_models_do_not_make_numbers_exact(name):
    found = cs.check(
        {"models": {name: {"metrics": {"auc": 0.8}}}}, f"models.{name}.metrics.auc < 1"
    )
    assert found.verdict == "undecided"


def test_below_what_has_no_value_nothing_is_decided():
    found = cs.check({"outcomes": {"precision": None}}, "outcomes.precision.value < 0.1")
    assert (found.verdict, found.verdicts[0].reason) == (
        "undecided",
        "it has no value for these data",
    )


def test_numbers_are_plain():
    plain = {"rows": 12345, "cost": {"value": -1290.4, "low": -2001.2, "high": 1560.3}}
    lines = cs.check(plain, "rows > 3", "cost > 0").lines
    assert lines == ("fail: rows > 3: 12,345", "undecided: cost > 0: -1,290 (-2,000 to 1,560)")
