"""Which predictions are refused, with which error, and which unusual ones are accepted."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from refusals import refused

import costspace as cs
from costspace import LabelError, ScoreError, SourceError, WeightError

Y = [0, 0, 1, 1]
S = [0.1, 0.6, 0.4, 0.9]
NAN, INF = float("nan"), float("inf")
Rows = cs.ScoredRows.from_predictions


def refuse(error: type[cs.CostspaceError], text: str, *args: Any, **kwargs: Any) -> None:
    """Expect the same refusal from every verb that takes predictions."""
    with refused(error, text):
        cs.auc(*args, **kwargs)
    with refused(error, text):
        cs.expected_loss(*args, choice=cs.Optimal(), **kwargs)
    with refused(error, text):
        cs.loss_shares(*args, choice=cs.Optimal(), **kwargs)
    with refused(error, text):
        cs.evaluate(*args, **kwargs)


@pytest.mark.parametrize(
    ("labels", "shown"),
    [([0, 0], "0"), ([1, 1], "1"), ([True, True], "True"), ([-1, -1], "-1"), ([0.0, 0.0], "0.0")],
)
def test_one_class(labels: list[Any], shown: str) -> None:
    refuse(LabelError, f"there is only one class: every label is {shown}.", labels, [0.1, 0.2])


@pytest.mark.parametrize("label", ["a", 1, True])
def test_one_class_with_pos_label(label: object) -> None:
    text = f"there is only one class: every label is {label!r}. Both classes are needed."
    refuse(LabelError, text, [label] * 3, [1, 2, 3], pos_label=label)


@pytest.mark.parametrize("pos_label", ["c", 1, 2.5, NAN, None])
def test_pos_label_absent(pos_label: object) -> None:
    if pos_label is None:
        text = "y_true has labels 'a', 'b': say which is the positive class with pos_label."
    else:
        text = f"pos_label {pos_label!r} is not among the labels: 'a', 'b'."
    refuse(LabelError, text, ["a", "b"], [0.1, 0.2], pos_label=pos_label)


def test_the_only_label_is_the_negative_one() -> None:
    text = "pos_label 1 is not among the labels: 0. Give the label of the positive class."
    refuse(LabelError, text, [0, 0], [0.1, 0.2], pos_label=1)


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (
            [0, 1, 2],
            "the labels must be of two classes, got 0, 1, 2: to tell one class",
        ),
        ([1, 2, 2], "y_true has labels from 1 to 2, not 0 and 1: say which is the positive class"),
        ([-1, 0, 0], "y_true has labels from -1 to 0, not 0 and 1"),
        ([0, 1, INF], "the labels must be of two classes, got 0.0, 1.0, inf: to tell one"),
        (
            [0, 0.5, 1],
            "the labels must be of two classes, got 0.0, 0.5, 1.0, which look like",
        ),
        ([-1, 0, 1], "the labels must be of two classes, got -1, 0, 1: to tell one class from"),
        (["a", "b", "a"], "y_true has labels 'a', 'b': say which is the positive class"),
        (["0", "1", "0"], "y_true has labels '0', '1': say which is the positive class"),
        (list("abcdef"), "of two classes, got 'a', 'b', 'c', 'd' and 2 more: to tell one class"),
    ],
)
def test_labels_that_are_not_0_and_1(labels: list[Any], text: str) -> None:
    refuse(LabelError, text, labels, np.arange(len(labels)))


def test_a_third_label_far_down_is_named() -> None:
    labels = ["a", "b"] * 60_000 + ["c"]
    refuse(LabelError, "'c'", labels, np.arange(len(labels)), pos_label="a")


@pytest.mark.parametrize("pos_label", [None, 1])
def test_missing_label(pos_label: object) -> None:
    text = "y_true has a missing label in row 2"
    refuse(LabelError, text, [0, NAN, 1], [1, 2, 3], pos_label=pos_label)


@pytest.mark.parametrize("missing", [None, NAN])
@pytest.mark.parametrize("other", [1, "yes"])
def test_missing_labels_are_not_a_class(missing: object, other: object) -> None:
    labels = np.array([missing, missing, other], dtype=object)
    refuse(LabelError, "row 1", labels, [1, 2, 3], pos_label=other)


@pytest.mark.parametrize("kind", [float, np.float32, np.float16, object])
@pytest.mark.parametrize("row", [1, 2, 4])
def test_missing_score(kind: type, row: int) -> None:
    scores = np.array(S, dtype=kind)
    scores[row - 1] = NAN
    text = f"the scores of 'y_score' have a missing value (NaN) in row {row}: fill or drop it."
    refuse(ScoreError, text, Y, scores)


def test_missing_score_among_infinite_ones() -> None:
    refuse(ScoreError, "missing value (NaN) in row 3", [0, 1, 1, 0], [-INF, INF, NAN, 0])
    refuse(ScoreError, "missing value (NaN) in row 2", Y, [0.1, None, 0.4, 0.9])


def test_the_model_is_named() -> None:
    with refused(ScoreError, "the scores of 'second' have a missing value (NaN) in row 4"):
        cs.evaluate(Y, {"first": S, "second": [1, 2, 3, NAN]})
    with refused(ScoreError, "the scores of 'second' have 3 values for 4 labels: give one a row."):
        cs.evaluate(Y, {"first": S, "second": [1, 2, 3]})


def test_two_models_of_one_name() -> None:
    with refused(ScoreError, "'1'"):
        cs.evaluate(Y, {1: S, "1": S})


def test_lengths_that_differ() -> None:
    text = "the scores of 'y_score' have 3 values for 2 labels: give one a row."
    refuse(ScoreError, text, [0, 1], [1, 2, 3])
    text = "sample_weight has 1 values for 2 labels: give one a row."
    refuse(WeightError, text, [0, 1], [1, 2], sample_weight=[1])


def test_empty_input() -> None:
    refuse(LabelError, "y_true must not be empty", [], [])
    refuse(ScoreError, "the scores of 'y_score' must not be empty", [0, 1], [])
    refuse(WeightError, "sample_weight must not be empty", [0, 1], [1, 2], sample_weight=[])
    with refused(ScoreError, "there are no scores: give at least one model's."):
        cs.evaluate(Y, {})


def test_dimensions() -> None:
    text = "got shape (2, 2): give only predict_proba's column of the positive class."
    refuse(ScoreError, text, [0, 1], np.array([[0.3, 0.7], [0.2, 0.8]]))
    refuse(ScoreError, "must have one dimension, got shape (2, 1, 1).", [0, 1], [[[0.3]], [[0.7]]])
    refuse(ScoreError, "must have one dimension, a value for each row, got 0.5.", [0, 1], 0.5)
    refuse(LabelError, "y_true must have one dimension, got shape (1, 2).", [[0, 1]], [1, 2])
    refuse(
        WeightError, "sample_weight must have one dimension", [0, 1], [1, 2], sample_weight=[[1, 2]]
    )
    refuse(WeightError, "a value for each row, got 1.0.", [0, 1], [1, 2], sample_weight=1.0)


def test_ragged_input() -> None:
    refuse(ScoreError, "y_score", [0, 1], [[0.3, 0.7], [0.2]])
    refuse(LabelError, "y_true", [[0, 1], [1]], [0.3, 0.7])
    refuse(WeightError, "sample_weight", [0, 1], [0.3, 0.7], sample_weight=[[1], 2])


@pytest.mark.parametrize(
    ("scores", "came"),
    [
        (["a", "b"], "text such as 'a'."),
        (["0.1", "0.2"], "text such as '0.1'."),
        ([1j, 2], "complex128"),
        (np.array(["2020", "2021"], dtype="M8[Y]"), "datetime64[Y]"),
        (np.array(["a", 2], dtype=object), "'a', 2"),
        (np.array(["0.1", "0.2"], dtype=object), "'0.1'"),
    ],
)
def test_scores_that_are_not_numbers(scores: Any, came: str) -> None:
    refuse(ScoreError, f"the scores of 'y_score' must be numbers, got {came}", [0, 1], scores)


@pytest.mark.parametrize(
    "scores",
    [
        [2**53 + 1, 1],
        [-(2**60), 1],
        np.array([-(2**63), 1]),
        np.array([2**63 + 1, 1], dtype=np.uint64),
        [2**70 + 1, 2**70],
        [10**400, 1],
        [2**53 + 1, 0.5],
        (0.5, -(2**53) - 1),
    ],
)
def test_integers_that_floats_cannot_tell_apart(scores: Any) -> None:
    refuse(
        ScoreError,
        "2^53, which floats cannot tell apart: give smaller ones, such as ranks.",
        [0, 1],
        scores,
    )


@pytest.mark.parametrize(
    ("weight", "text"),
    [
        ([1, -1, 1, 1], "must be non-negative and finite, got -1 in row 2."),
        ([1, 1, INF, 1], "must be non-negative and finite, got inf in row 3."),
        ([1, 1, 1, NAN], "must be non-negative and finite, got nan in row 4."),
        ([0, 0, 0, 0], "sample_weight is zero everywhere: at least one row needs a weight."),
        (list("abcd"), "sample_weight must be numbers, got text such as 'a'."),
        ([1, None, 1, 1], "must be non-negative and finite, got nan in row 2."),
        ([Decimal(1), "2", 1, 1], "sample_weight must be numbers, got Decimal('1'), '2'."),
        ([1j] * 4, "sample_weight must be numbers, got complex128."),
    ],
)
def test_weights(weight: list[Any], text: str) -> None:
    refuse(WeightError, text, Y, S, sample_weight=weight)


def test_weights_of_decimals() -> None:
    weights = [Decimal("0.5"), Fraction(1, 4), 2, 3]
    floats = [0.5, 0.25, 2.0, 3.0]
    assert cs.auc(Y, S, sample_weight=weights) == cs.auc(Y, S, sample_weight=floats)


def test_floats_beyond_2_53_among_integers() -> None:
    assert cs.auc([0, 1], [1, 2.0**60]) == cs.auc([0, 1], [0.5, 2**53]) == 1


def test_a_class_of_weight_zero() -> None:
    text = "every negative row has weight zero: both classes are needed."
    refuse(LabelError, text, Y, S, sample_weight=[0, 0, 1, 1])
    text = "every positive row has weight zero: both classes are needed."
    refuse(LabelError, text, Y, S, sample_weight=[1, 1, 0, 0])


@pytest.mark.parametrize("argument", ["y_true", "y_score", "sample_weight"])
def test_masked_values_are_not_used(argument: str) -> None:
    arguments: dict[str, Any] = {"y_true": Y, "y_score": S, "sample_weight": [1, 2, 3, 4]}
    arguments[argument] = np.ma.masked_array(arguments[argument], mask=[0, 1, 0, 0])
    with refused(cs.CostspaceError, "row 2"):
        cs.auc(**arguments)


@pytest.mark.parametrize(
    "labels",
    [
        [False, False, True, True],
        [-1, -1, 1, 1],
        [0.0, 0.0, 1.0, 1.0],
        (0, 0, 1, 1),
        *(np.array(Y, dtype=kind) for kind in ("?", "i1", "u1", "u8", "f2", "f4", "f8", ">i4")),
    ],
)
def test_labels_that_need_no_pos_label(labels: Any) -> None:
    assert cs.auc(labels, S) == 0.75
    assert Rows(labels, {"m": S}).positive.tolist() == [False, False, True, True]


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        (["no", "no", "yes", "yes"], "yes"),
        ([b"n", b"n", b"y", b"y"], b"y"),
        ([1, 1, 2, 2], 2),
        ([1, 1, 0, 0], 0),
        ([0, 0, 1, 1], True),
        (np.array([0, 0, 1, 1], dtype=object), 1),
        (np.array(["2020", "2020", "2021", "2021"], dtype="M8[Y]"), np.datetime64("2021", "Y")),
    ],
)
def test_labels_with_pos_label(labels: Any, pos_label: object) -> None:
    assert cs.auc(labels, S, pos_label=pos_label) == 0.75


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "g", ">f4", ">f8", ">f2", "O"])
def test_kinds_of_floats(kind: str) -> None:
    scores = np.array([0.25, 0.5, 0.375, 0.75], dtype=kind)
    assert cs.auc(Y, scores) == 0.75
    expected = cs.brier_score(Y, [0.25, 0.5, 0.375, 0.75])
    assert cs.brier_score(Y, scores) == expected
    assert cs.evaluate(Y, scores).models["y_score"].metrics["brier"] == expected


@pytest.mark.parametrize("kind", ["?", "i1", "u1", "i8", "u8", ">i2"])
def test_kinds_of_integers(kind: str) -> None:
    scores = np.array([0, 1, 0, 1]).astype(kind)
    assert cs.auc(Y, scores) == cs.brier_score(Y, scores) == 0.5


def test_small_integers_do_not_wrap() -> None:
    assert cs.auc(Y, np.array([1, 3, 2, 255], dtype=np.uint8)) == 0.75
    assert cs.auc(Y, np.array([-128, 3, 2, 127], dtype=np.int8)) == 0.75
    assert cs.auc([0, 1], [-(2**53), 2**53]) == 1


def test_float32_stays_float32() -> None:
    assert Rows(Y, {"m": np.float32(S)}).scores["m"].dtype == np.float32
    assert Rows(Y, {"m": np.float16(S)}).scores["m"].tolist() == S
    assert Rows(Y, {"m": [1, 2, 3, 4]}).scores["m"].dtype == np.float64


def test_memory_layouts() -> None:
    square = np.zeros((4, 3), order="F")
    square[:, 1] = S
    fixed = np.array(S)
    fixed.flags.writeable = False
    for scores in (square[:, 1], square.T[1], np.repeat(S, 2)[::2], fixed, np.array(S[::-1])[::-1]):
        assert cs.brier_score(Y, scores) == cs.brier_score(Y, S)


def test_infinite_scores_are_ranks() -> None:
    infinite = [-INF, 0.6, 0.4, INF]
    metrics = (cs.auc, cs.auc_hull, cs.gini, cs.kendall_tau, cs.h_measure, cs.voros)
    for metric in (*metrics, cs.refinement_loss, cs.accuracy):
        assert metric(Y, infinite) == metric(Y, S)
    for choice in (cs.RateDriven(), cs.RateDriven(stepped=True), cs.RateUniform(), cs.Optimal()):
        arguments = {"choice": choice, "costs": cs.Beta(2, 2)}
        assert cs.expected_loss(Y, infinite, **arguments) == cs.expected_loss(Y, S, **arguments)


def test_two_rows() -> None:
    assert cs.auc([0, 1], [0, 1]) == cs.h_measure([0, 1], [0, 1]) == cs.voros([0, 1], [0, 1]) == 1
    assert cs.auc([0, 1], [1, 0]) == cs.h_measure([0, 1], [1, 0]) == 0
    assert cs.brier_score([0, 1], [1, 0]) == 1
    assert cs.expected_loss([0, 1], [1, 0], choice=cs.Optimal()) == 0.25


def test_zero_weights_leave_rows_out() -> None:
    weighted = {"sample_weight": [2, 0, 1, 0, 1]}
    for metric in (cs.auc, cs.brier_score, cs.refinement_loss, cs.h_measure):
        found = metric([0, 0, 1, 1, 1], [0.3, 0.9, 0.2, 0.1, 0.8], **weighted)
        assert found == pytest.approx(metric([0, 0, 1, 1], [0.3, 0.3, 0.2, 0.8]), abs=1e-15)


@pytest.mark.parametrize("scale", [1e-100, 0.1, 1e100])
def test_only_the_proportions_of_weights_count(scale: float) -> None:
    weight = scale * np.array([1, 0.5, 0.5, 1])
    for metric in (cs.auc, cs.auc_hull, cs.brier_score, cs.h_measure, cs.voros):
        expected = metric(Y, S, sample_weight=[2, 1, 1, 2])
        assert metric(Y, S, sample_weight=weight) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("scale", [1e-170, 1e160, 1e308])
def test_weights_whose_products_floats_cannot_hold(scale: float) -> None:
    text = "the largest sample_weight must be from 1e-100 to 1e+100"
    refuse(WeightError, text, Y, S, sample_weight=[scale] * len(Y))


def test_input_is_not_changed() -> None:
    generator = np.random.default_rng(0)
    labels, weight = generator.integers(0, 2, 50), generator.random(50)
    for kind in (float, np.float32, np.int64):
        scores = (generator.random(50) * 2).astype(kind) / 2
        before = [array.copy() for array in (labels, scores, weight)]
        cs.evaluate(labels, scores, sample_weight=weight)
        cs.evaluate(labels, scores)
        for choice in (cs.ScoreDriven(), cs.RateDriven(), cs.Optimal()):
            cs.loss_shares(labels, scores, choice=choice, sample_weight=weight)
        for array, copy in zip((labels, scores, weight), before, strict=True):
            np.testing.assert_array_equal(array, copy)
            assert array.flags.writeable


def test_rows_by_class() -> None:
    rows = Rows(Y, {"m": S}, sample_weight=[1, 2, 3, 4])
    assert len(rows) == 4
    assert rows.class_weights == (3, 7)
    (negatives, weight), (positives, _) = rows.by_class("m")
    assert negatives.tolist() == [0.1, 0.6]
    assert positives.tolist() == [0.4, 0.9]
    assert weight is not None
    assert weight.tolist() == [1, 2]
    negatives[0] = 5
    assert rows.scores["m"][0] == 0.1
    assert not rows.scores["m"].flags.writeable


def test_some_rows() -> None:
    costs = cs.CaseCosts([1, 2, 3, 4], 10)
    scores = {"a": S, "b": np.float32(S)}
    rows = Rows(Y, scores, sample_weight=[1, 2, 3, 4], case_costs=costs)
    for asked in ([False, True, False, True], np.array([1, 3]), [1, 3]):
        some = rows.take(asked)
        assert some.positive.tolist() == [False, True]
        assert some.scores["a"].tolist() == [0.6, 0.9]
        assert some.scores["b"].dtype == np.float32
        assert some.weight is not None
        assert some.weight.tolist() == [2, 4]
        assert some.known_costs.columns()["fp_cost"].tolist() == [2, 4]
    assert rows.take([3, 0, 3]).scores["a"].tolist() == [0.9, 0.1, 0.9]
    bare = Rows(Y, {"a": S}).take([0, 2])
    assert bare.weight is bare.costs is None


def test_groups_are_numbered() -> None:
    rows = Rows(Y, {"m": S}, groups=["b", "a", "b", "c"])
    assert rows.groups is not None
    assert rows.groups.tolist() == [1, 0, 1, 2]
    assert not rows.groups.flags.writeable
    some = rows.take([0, 3, 3]).groups
    assert some is not None
    assert some.tolist() == [0, 1, 1]
    assert Rows(Y, {"m": S}).take([0, 2]).groups is None
    costs = cs.CaseCosts(1, 2)
    by_cost = Rows(Y, {"m": S}, case_costs=costs, groups=[7.5, 1, 1, 3]).weighed_by_cost()
    assert by_cost.groups is not None
    assert by_cost.groups.tolist() == [2, 0, 0, 1]


@pytest.mark.parametrize(
    ("groups", "text"),
    [
        ([1, 2, 3], "groups has 3 values for 4 labels: give one a row."),
        ([1, 2, NAN, 3], "groups has a missing value in row 3: fill or drop it."),
        (["a", None, "b", "b"], "groups has a missing value in row 2: fill or drop it."),
        ([[1, 2], [3, 4]], "groups must have one dimension, got shape (2, 2)."),
        (np.array([1, "a", 2, "b"], dtype=object), "groups must be all numbers or all text"),
    ],
)
def test_refused_groups(groups: Any, text: str) -> None:
    with refused(SourceError, text):
        Rows(Y, {"m": S}, groups=groups)


def test_some_rows_need_both_classes() -> None:
    rows = Rows(Y, {"m": S}, sample_weight=[0, 1, 1, 1])
    for asked, text in (
        ([0, 1], "there is no positive row: both classes are needed."),
        ([2, 3], "there is no negative row: both classes are needed."),
        ([0, 2], "every negative row has weight zero: both classes are needed."),
        ([False] * 4, "there is no positive row"),
    ):
        with refused(LabelError, text):
            rows.take(asked)


@pytest.mark.parametrize("asked", [[4], [-1, 2], [0.5, 1.0], [True, False], [[0, 2]], [], 2, "ab"])
def test_numbers_of_missing_rows_are_refused(asked: Any) -> None:
    text = "rows must be numbers from 0 to 3, or 4 truth values, got "
    with refused(SourceError, text):
        Rows(Y, {"m": S}).take(asked)


ULP = np.finfo(np.longdouble).eps
longer = pytest.mark.skipif(np.finfo(float).eps == ULP, reason="long double is double here")


@pytest.mark.parametrize(
    "scores",
    [
        [Decimal("0.1"), Decimal("0.10000000000000000001"), Decimal("0.3"), Decimal("0.4")],
        [Decimal("0.1"), 0.1, 0.2, 0.3],
        [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30), 1, 2],
        [Decimal("1e-400"), 0, 1, 2],
        pytest.param(np.array([1, 1 + ULP, 2, 3], dtype=np.longdouble), marks=longer),
        pytest.param([np.longdouble(1), 1 + ULP, 2, 3.0], marks=longer),
    ],
)
def test_scores_that_only_a_double_takes_for_equal(scores: Any) -> None:
    text = "have values that differ, but are the same in double precision"
    refuse(ScoreError, text, [0, 1, 0, 1], scores)


@pytest.mark.parametrize(
    "score",
    [
        *(Decimal("1e400"), Decimal("-1e400"), Fraction(10**400), -Fraction(10**400)),
        pytest.param(np.longdouble("1e400"), marks=longer),
    ],
)
def test_scores_beyond_every_double(score: Any) -> None:
    refuse(ScoreError, "go beyond 1.79769e+308: give their log", [0, 1, 0, 1], [score, 1, 2, 3])


@pytest.mark.parametrize(
    "scores",
    [
        [Decimal("0.1"), Decimal("0.6"), Decimal("0.4"), Decimal("0.9")],
        [Decimal("0.1"), Decimal("0.1"), Fraction(1, 3), Decimal("Infinity")],
        [Decimal("0.10000000000000000001"), 0.6, True, -np.inf],
        np.array(["0.1", "0.6", "0.4", "0.9"], dtype=np.longdouble) / 3,
        np.array([1, 1, 2, np.inf], dtype=np.longdouble),
    ],
)
def test_scores_that_are_rounded_but_do_not_tie(scores: Any) -> None:
    rows = Rows([0, 1, 0, 1], {"model": scores})
    assert rows.scores["model"].tolist() == [float(score) for score in scores]


def test_costs_of_more_digits_may_tie() -> None:
    costs = [Decimal("0.1"), Decimal("0.10000000000000000001")]
    assert cs.CaseCosts(costs, 1.0).fp_cost.tolist() == [0.1, 0.1]


@pytest.mark.parametrize("score", [np.zeros(2), "a", date(2020, 1, 1), 1j])
def test_scores_stored_as_objects_must_be_numbers(score: Any) -> None:
    scores = np.empty(2, dtype=object)
    scores[:] = [score, 0.5]
    refuse(ScoreError, "must be numbers, got ", [0, 1], scores)


def test_a_masked_score_and_a_signalling_nan() -> None:
    text = "the scores of 'y_score' have a missing value "
    refuse(ScoreError, text + "(masked) in row 2", [0, 1], np.ma.array([1, 2], mask=[0, 1]))
    refuse(ScoreError, text + "(NaN) in row 1", [0, 1], [Decimal("sNaN"), 1])


@pytest.mark.parametrize(
    "labels",
    [range(8), list("hgfedcba"), pd.date_range("2026-01-01", periods=8), [0] * 4 + [1] * 4],
)
def test_an_index_in_another_order_is_refused(labels: Any) -> None:
    y = pd.Series([0, 1] * 4, index=labels)
    s, t = (pd.Series(values, index=labels) for values in np.random.default_rng(0).random((2, 8)))
    other = s.iloc[::-1]
    for refused_name, call in {
        "y_score": lambda: cs.auc(y, other),
        "m": lambda: cs.evaluate(y, {"n": s, "m": other}),
        "sample_weight": lambda: cs.auc(y, s, sample_weight=other),
        "groups": lambda: cs.estimate(y, s, metric=cs.auc, groups=other),
        "baseline": lambda: cs.decide(y, s, fp_cost=1, fn_cost=2, baseline=y.iloc[::-1]),
        "case_costs": lambda: cs.decide(y, s, case_costs=cs.CaseCosts(1, 2 + other)),
        "costs": lambda: cs.expected_cost(y, s, fp_cost=1, fn_cost=2 + other, threshold=0.3),
    }.items():
        with refused(cs.SourceError, f"{refused_name} has the index of y_true in another order"):
            call()
    with refused(cs.SourceError, "y_score has the index of y_true in another order"):
        cs.evaluate(y, pd.DataFrame({"m": s, "n": t}).iloc[::-1])


def test_an_index_of_scores_is_held_against_that_of_others() -> None:
    s = pd.Series(np.linspace(0, 1, 8))
    with refused(cs.SourceError, "b has the index of a in another order"):
        cs.evaluate([0, 1] * 4, {"a": s, "b": s.iloc[::-1]})
    with refused(cs.SourceError, "sample_weight has the index of y_score in another order"):
        cs.auc([0, 1] * 4, s, sample_weight=1 + s.iloc[::-1])


def test_an_index_of_other_labels_is_not_looked_at() -> None:
    y = pd.Series([0, 1] * 400, index=[f"a{i}" for i in range(800)])
    s = pd.Series(np.linspace(0, 1, 800), index=[f"a{799 - i}" for i in range(800)])
    for labels in ([f"b{i}" for i in range(800)], [*s.index[:-1], "b"]):
        other = s.set_axis(labels)
        assert cs.auc(y, other) == cs.auc(y.to_numpy(), s.to_numpy())
    with refused(cs.SourceError, "y_score has the index of y_true in another order"):
        cs.auc(y, s)
    named = pd.Series([0.1, 1.2, 0.3], index=["a", "_mask", "c"])
    assert cs.auc([0, 1, 0], named) == 1.0


def test_the_same_labels_of_other_types_are_compared() -> None:
    at = pd.date_range("2026-01-01", periods=8, tz="UTC")
    kinds = [
        (at, at.tz_convert("Europe/Berlin")),
        (pd.Index(range(8)), pd.Index(range(8), dtype="Int64")),
        (pd.Index(list("abcdefgh")), pd.Index(list("abcdefgh"), dtype="string")),
        (pd.Index([1, "a", 2, "b", 3, "c", 4, "d"]),) * 2,
    ]
    for one, other in kinds:
        y, s = pd.Series([0, 1] * 4, index=one), pd.Series(np.linspace(0, 1, 8), index=other)
        assert cs.auc(y, s) == cs.auc(y.to_numpy(), s.to_numpy())
        with refused(cs.SourceError, "y_score has the index of y_true in another order"):
            cs.auc(y, s.iloc[::-1])


def test_a_model_may_be_called_as_an_argument_is() -> None:
    for name in ("y_true", "y_score", "sample_weight", "groups", "given"):
        assert list(cs.evaluate(Y, {name: S}).models) == [name]


def test_another_index_is_not_looked_at() -> None:
    y, s = pd.Series([0, 1] * 4), pd.Series(np.linspace(0, 1, 8))
    for index in (range(100, 108), [*"abcdefgh"], [0, "a", None, 2.5, "b", 5, 6, 7]):
        assert cs.auc(y, s.set_axis(index)) == cs.auc(y, s)
    assert cs.auc(y.tolist(), s.iloc[::-1]) == cs.auc(y.tolist(), s.iloc[::-1].to_numpy())
