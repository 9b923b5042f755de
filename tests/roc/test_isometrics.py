"""Lines of ROC space along which loss, share flagged or precision is constant."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace import ConditionError

UNIT = st.floats(0, 1)
INSIDE = st.floats(0.001, 0.999)


def along(line: cs.roc.Isometric) -> tuple[np.ndarray, np.ndarray]:
    """FPR and TPR at both ends and three points in between."""
    u = np.linspace(0, 1, 5)
    return tuple(end[0] + u * (end[1] - end[0]) for end in (line.fpr, line.tpr))


def on_the_border(line: cs.roc.Isometric) -> bool:
    return all({x, y} & {0.0, 1.0} for x, y in zip(line.fpr, line.tpr, strict=True))


def in_order(line: cs.roc.Isometric) -> bool:
    ends = np.concatenate([line.fpr, line.tpr])
    return bool(line.fpr[0] <= line.fpr[1] and ends.min() >= 0 and ends.max() <= 1)


# --- Loss ------------------------------------------------------------------------------------


@given(UNIT, INSIDE, UNIT, UNIT)
def test_the_loss_is_constant(c: float, p: float, fpr: float, fnr: float) -> None:
    line = cs.roc.loss_isometric(c=c, prevalence=p, fpr=fpr, fnr=fnr)
    assert line.value == cs.condition.loss_at(fpr, fnr, c=c, prevalence=p)
    x, y = along(line)
    np.testing.assert_allclose(
        cs.condition.loss_at(x, 1 - y, c=c, prevalence=p), line.value, atol=1e-12
    )
    assert on_the_border(line)
    assert in_order(line)
    # The slope, without a division.
    z = float(cs.skew_from_cost(c, prevalence=p))
    rise, run = np.diff(line.tpr)[0], np.diff(line.fpr)[0]
    assert (1 - z) * rise == pytest.approx(z * run, abs=1e-12)
    # The point is on the line between the ends.
    assert line.fpr[0] - 1e-9 <= fpr <= line.fpr[1] + 1e-9


@given(UNIT, INSIDE, UNIT)
def test_a_line_through_a_loss_is_the_one_through_its_points(
    c: float, p: float, share: float
) -> None:
    loss = share * float(cs.condition.loss_at(1, 1, c=c, prevalence=p))
    line = cs.roc.loss_isometric(c=c, prevalence=p, loss=loss)
    same = cs.roc.loss_isometric(c=c, prevalence=p, fpr=line.fpr[1], fnr=1 - line.tpr[1])
    np.testing.assert_allclose(same.fpr, line.fpr, atol=1e-6)
    assert same.value == pytest.approx(line.value, abs=1e-12)


@pytest.mark.parametrize(
    ("c", "loss", "fpr", "tpr"),
    [
        (0.5, 0, [0, 0], [1, 1]),
        (0.5, 1, [1, 1], [0, 0]),
        (0.5, 0.5, [0, 1], [0, 1]),
        (0.25, 0.25, [0, 1], [2 / 3, 1]),
        (0.75, 0.25, [0, 1 / 3], [0, 1]),
        (0, 0.3, [0, 1], [0.7, 0.7]),
        (1, 0.3, [0.3, 0.3], [0, 1]),
        (0, 0, [0, 1], [1, 1]),
    ],
)
def test_ends_at_balanced_classes(
    c: float, loss: float, fpr: list[float], tpr: list[float]
) -> None:
    line = cs.roc.loss_isometric(c=c, prevalence=0.5, loss=loss)
    np.testing.assert_allclose(line.fpr, fpr, atol=1e-15)
    np.testing.assert_allclose(line.tpr, tpr, atol=1e-15)


@given(INSIDE, UNIT)
def test_accuracy_is_a_loss_at_one_half(p: float, accuracy: float) -> None:
    x, y = along(cs.roc.loss_isometric(c=0.5, prevalence=p, loss=1 - accuracy))
    np.testing.assert_allclose((1 - p) * (1 - x) + p * y, accuracy, atol=1e-12)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "either a loss or a point (both fpr and fnr), got loss=None, fpr=None, fnr=None."),
        ({"fpr": 0.1}, "got loss=None, fpr=0.1, fnr=None."),
        ({"fnr": 0.1}, "got loss=None, fpr=None, fnr=0.1."),
        ({"loss": 0.1, "fpr": 0.1, "fnr": 0.1}, "got loss=0.1, fpr=0.1, fnr=0.1."),
        ({"loss": 0.1, "fnr": 0.1}, "got loss=0.1, fpr=None, fnr=0.1."),
        ({"loss": 1.7}, "no operating point has a loss of 1.7 at cost proportion 0.25 and preval"),
        ({"loss": 1.7}, "ence 0.2: losses there are from 0 to 0.7."),
        ({"loss": -0.1}, "no operating point has a loss of -0.1"),
        ({"loss": float("nan")}, "loss must be a number, got nan."),
        ({"fpr": 1.1, "fnr": 0}, "fpr must be in [0, 1], got 1.1: 1.1 % is 0.011."),
        ({"fpr": 0, "fnr": "a"}, "fnr must be a number, got 'a'."),
    ],
)
def test_bad_lines(options: Any, text: str) -> None:
    with refused(ConditionError, text):
        cs.roc.loss_isometric(c=0.25, prevalence=0.2, **options)


# --- Share flagged and precision -------------------------------------------------------------


@given(UNIT, INSIDE)
def test_the_share_flagged_is_constant(flagged: float, p: float) -> None:
    line = cs.roc.rate_isometric(flagged=flagged, prevalence=p)
    x, y = along(line)
    np.testing.assert_allclose((1 - p) * x + p * y, flagged, atol=1e-12)
    assert on_the_border(line)
    assert in_order(line)


def test_the_rate_driven_path_is_where_the_line_meets_the_curve() -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 1, 0, 1], [0.1, 0.4, 0.3, 0.8, 0.9])
    for flagged in (0.1, 0.35, 0.6, 0.95):
        point = table.by_flagged.at(flagged)
        line = cs.roc.rate_isometric(flagged=flagged, prevalence=table.prevalence)
        tpr = np.interp(point.fpr, line.fpr, line.tpr)
        assert tpr == pytest.approx(1 - point.fnr, abs=1e-12)


@given(UNIT, INSIDE)
def test_the_precision_is_constant(precision: float, p: float) -> None:
    line = cs.roc.precision_isometric(precision=precision, prevalence=p)
    assert (line.fpr[0], line.tpr[0]) == (0, 0)
    x, y = along(line)
    np.testing.assert_allclose((1 - precision) * p * y, precision * (1 - p) * x, atol=1e-12)
    assert max(line.fpr[1], line.tpr[1]) == 1
    assert in_order(line)


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_on_the_diagonal_the_precision_is_the_prevalence(p: float) -> None:
    line = cs.roc.precision_isometric(precision=p, prevalence=p)
    assert line.fpr == pytest.approx([0, 1])
    assert line.tpr == pytest.approx([0, 1])
    assert cs.roc.precision_isometric(precision=1, prevalence=p).columns()["fpr"].tolist() == [0, 0]
    assert cs.roc.precision_isometric(precision=0, prevalence=p).columns()["tpr"].tolist() == [0, 0]


def test_the_record() -> None:
    line = cs.roc.precision_isometric(precision=0.75, prevalence=0.5)
    assert (str(line), line.measure, line.value) == ("precision 0.75", "precision", 0.75)
    assert str(cs.roc.rate_isometric(flagged=1 / 3, prevalence=0.5)) == "flagged 0.333333"
    for column in line.columns().values():
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1
