"""Labels of every kind: which rows are positive, or what is wrong in one line."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from refusals import refused

import costspace as cs

S = [0.1, 0.6, 0.4, 0.9]
DAYS = np.array(["2020", "2020", "2021", "2021"], dtype="M8[D]")
FIELDS = np.array([(0,), (0,), (1,), (1,)], dtype=[("a", int)])


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        (pd.Series([0, 0, 1, 1], index=[9, 9, 7, "a"]), None),
        (pd.Categorical(list("aabb")), "b"),
        (pd.array([0, 0, 1, 1], dtype="Int64"), None),
        (np.ma.array([0, 0, 1, 1]), None),
        ([b"a", b"a", b"b", b"b"], b"b"),
        ([0, 0, 2**80, 2**80], 2**80),
        (np.array([0, 0, 2**63, 2**63], dtype="u8"), 2**63),
        (np.array([0, 0, "b", "b"], dtype=object), "b"),
        ([Fraction(1, 3)] * 2 + [Fraction(1, 2)] * 2, Fraction(1, 2)),
        ([0j, 0j, 1j, 1j], 1j),
        (DAYS, np.datetime64("2021-01-01")),
        (DAYS, date(2021, 1, 1)),
        ([{}, {}, {1: 2}, {1: 2}], {1: 2}),
    ],
)
def test_two_classes_of_any_kind(labels: Any, pos_label: Any) -> None:
    assert cs.auc(labels, S, pos_label=pos_label) == 0.75


@pytest.mark.parametrize(
    "pos_label",
    [
        *(2**63, 2**64, -(2**70), 10**400, float("nan"), None, pd.NA, np.datetime64("NaT")),
        *([1], [1, [2]], (1,), np.array([1]), {2}, {}, object, "1", b"1", 1j, Decimal("sNaN")),
        pd.Series([1, 2, 3, 4]),
        date(2020, 1, 1),
    ],
    ids=repr,
)
@pytest.mark.parametrize(
    "labels", [[3, 3, 4, 4], [3.0, 3.0, 4.0, 4.0], list("aabb"), DAYS + 700, FIELDS], ids=repr
)
def test_a_pos_label_that_is_not_a_label_is_refused(labels: Any, pos_label: Any) -> None:
    with refused(cs.LabelError, "label"):
        cs.auc(labels, S, pos_label=pos_label)


@pytest.mark.parametrize("pos_label", [2**63, 10**400, [True]])
def test_a_pos_label_that_is_not_a_truth_value_is_refused(pos_label: Any) -> None:
    with refused(cs.LabelError, "pos_label"):
        cs.auc([False, False, True, True], S, pos_label=pos_label)


@pytest.mark.parametrize("both", [{0: 1}, np.array(1), {0, 1}, "0011", b"0011", None, 3, iter(S)])
def test_an_argument_without_rows_is_refused(both: Any) -> None:
    text = "must have one dimension, a value for each row, got "
    with refused(cs.LabelError, f"y_true {text}"):
        cs.auc(both, S)
    if both is not None:
        with refused(cs.ScoreError, f"the scores of 'y_score' {text}"):
            cs.auc([0, 0, 1, 1], both)
        with refused(cs.WeightError, f"sample_weight {text}"):
            cs.auc([0, 0, 1, 1], S, sample_weight=both)
        with refused(cs.SourceError, f"groups {text}"):
            cs.estimate([0, 0, 1, 1], S, metric="auc", groups=both)


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["NaT", "2020", "2021", "2021"], dtype="M8[D]"),
        [complex("nan"), 0j, 1j, 1j],
        [Decimal("sNaN")] * 2 + [Decimal(1)] * 2,
        np.ma.array([0, 0, 1, 1], mask=[1, 0, 0, 0]),
        pd.array([None, 0, 1, 1], dtype="Int64"),
    ],
)
@pytest.mark.parametrize("pos_label", [None, 1])
def test_missing_labels_of_every_kind(labels: Any, pos_label: Any) -> None:
    with refused(cs.LabelError, "row 1"):
        cs.auc(labels, S, pos_label=pos_label)
    with refused(cs.SourceError, "groups has a missing value"):
        cs.estimate([0, 0, 1, 1], S, metric="auc", groups=labels)


def test_a_missing_value_in_a_list_of_text_is_no_text() -> None:
    y, s, own = [0, 1, 0, 1], [0.1, 0.6, 0.4, 0.9], ["a", "b", float("nan"), "a"]
    with refused(cs.LabelError, "y_true has a missing label in row 3"):
        cs.auc(own, s, pos_label="a")
    with refused(cs.SourceError, "groups has a missing value in row 3"):
        cs.estimate(y, s, metric="auc", groups=own)
    with refused(cs.ScoreError, "have a missing value (NaN) in row 3"):
        cs.auc(y, [0.1, 0.2, float("nan"), 0.9])


@pytest.mark.parametrize("pos_label", [None, 1, "b"])
@pytest.mark.parametrize(
    "labels",
    [
        [0, 1, 2, 1],
        [0.0, 1.0, 2.0, 1.0],
        ["a", "b", "c", 1],
        np.array([0, "0", 1, "b"], dtype=object),
        np.array([np.zeros(2), np.zeros(3), "b", 1], dtype=object),
        pd.Series([(0,), (0, 1), "b", 1]),
    ],
    ids=repr,
)
def test_three_classes_are_refused_with_a_hint_to_make_two(labels: Any, pos_label: Any) -> None:
    with refused(cs.LabelError, "the labels must be of two classes, got "):
        cs.auc(labels, S, pos_label=pos_label)
    with refused(cs.LabelError, ": to tell one class from the rest, give y_true == label."):
        cs.auc(labels, S, pos_label=pos_label)
    one = np.array([label == 1 if np.ndim(label) == 0 else False for label in labels])
    assert 0 <= cs.auc(one, S) <= 1


@pytest.mark.parametrize("kind", [float, np.float32, np.longdouble])
@pytest.mark.parametrize("given", [{}, {"pos_label": 1}])
@pytest.mark.parametrize("labels", [[0, 0, 1, 1], [False, False, True, True], list("aabb")])
def test_swapped_arguments_get_a_hint(labels: Any, given: Any, kind: Any) -> None:
    scores = np.array(S, dtype=kind)
    text = "which look like scores: give y_true first, then the scores."
    with refused(cs.LabelError, text):
        cs.auc(scores, labels, **given)
    with refused(cs.LabelError, text):
        cs.compare(scores, {"a": labels, "b": labels}, metrics="auc", **given)


def test_swapped_arguments_with_two_scores_get_a_hint() -> None:
    hint = "pos_label, or, if these are scores, give y_true first."
    with refused(cs.LabelError, hint):
        cs.auc([0.1, 0.2, 0.1, 0.2], [0, 1, 0, 1])
    with refused(cs.LabelError, "from 1.0 to 3.0, not 0 and 1: say which is the positive class"):
        cs.auc([1.0, 3.0, 1.0, 3.0], S)
    assert cs.auc([0.1, 0.2, 0.1, 0.2], [0, 1, 0, 0], pos_label=0.2) == 0.75


@pytest.mark.parametrize(
    "groups", [[{}] * 4, [object()] * 4, [Decimal(1), "a", (1,), None], [np.zeros(2), 1, 2, 3]]
)
def test_groups_that_cannot_be_told_apart(groups: Any) -> None:
    given = np.empty(4, dtype=object)
    given[:] = groups
    with refused(cs.SourceError, "groups"):
        cs.estimate([0, 0, 1, 1], S, metric="auc", groups=given)
