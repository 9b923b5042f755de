"""Contingency tables of operating points."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace import ConditionError

UNIT = st.floats(0, 1)


@given(UNIT, UNIT, st.floats(0.001, 0.999))
def test_totals(fpr: float, fnr: float, p: float) -> None:
    table = cs.curve.contingency_table(fpr, fnr, prevalence=p)
    assert table.positives == pytest.approx(p)
    assert table.negatives == pytest.approx(1 - p)
    assert table.flagged == pytest.approx(p * (1 - fnr) + (1 - p) * fpr)
    assert table.flagged + table.cleared == pytest.approx(1)
    assert table.fp + table.fn == pytest.approx(cs.condition.loss_at(fpr, fnr, c=0.5, prevalence=p))
    assert min(table.tp, table.fn, table.fp, table.tn) >= 0


def test_the_cells_are_shares_of_the_rows() -> None:
    y, s = np.array([0, 0, 0, 1, 1]), np.array([0.2, 0.6, 0.4, 0.3, 0.9])
    source = cs.ScoreTable.from_predictions(y, s)
    point = source.by_score.at([0.35, 0.5])
    table = cs.curve.contingency_table(point.fpr, point.fnr, prevalence=source.prevalence)
    for i, t in enumerate((0.35, 0.5)):
        cells = {name: column[i] for name, column in table.columns().items()}
        assert cells == pytest.approx(
            {
                "tp": np.mean((y == 1) & (s > t)),
                "fn": np.mean((y == 1) & (s <= t)),
                "fp": np.mean((y == 0) & (s > t)),
                "tn": np.mean((y == 0) & (s <= t)),
            }
        )


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_the_expected_table_of_the_rate_uniform_choice(prevalence: float | None) -> None:
    y = [0, 0, 1, 0, 1, 1, 0]
    source = cs.ScoreTable.from_predictions(y, [0.1, 0.5, 0.3, 0.5, 0.8, 0.5, 0.9])
    if prevalence is not None:
        source = source.with_prevalence(prevalence)
    point = cs.RateUniform().path(source).start
    table = cs.curve.contingency_table(point.fpr, point.fnr, prevalence=source.prevalence)
    # As printed, with the shares of the positives and of the negatives the right way round.
    pi1, auc = source.prevalence, source.auc
    pi0 = 1 - pi1
    expected = {
        "tp": pi1**2 / 2 + pi0 * pi1 * auc,
        "fn": pi1**2 / 2 + pi0 * pi1 * (1 - auc),
        "fp": pi0**2 / 2 + pi0 * pi1 * (1 - auc),
        "tn": pi0**2 / 2 + pi0 * pi1 * auc,
    }
    for name, column in table.columns().items():
        assert column == pytest.approx([expected[name]], abs=1e-15)
    assert table.flagged == pytest.approx(0.5)
    assert table.cleared == pytest.approx(0.5)


def test_shapes() -> None:
    single = cs.curve.contingency_table(0.2, 0.1, prevalence=0.5)
    assert isinstance(single.tp, float)
    assert {column.shape for column in single.columns().values()} == {(1,)}
    several = cs.curve.contingency_table([0.1, 0.2, 0.3], 0.5, prevalence=0.5)
    assert {column.shape for column in several.columns().values()} == {(3,)}
    assert several.tp.tolist() == [0.25, 0.25, 0.25]  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="read-only"):
        several.fp[0] = 1  # type: ignore[index]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((1.2, 0.1, 0.5), "fpr must be in [0, 1], got 1.2."),
        ((0.2, [0.1, -1], 0.5), "fnr must be in [0, 1], got [0.1, -1]."),
        ((0.2, 0.1, 0), "prevalence must be in (0, 1), got 0."),
    ],
)
def test_bad_rates(arguments: Any, text: str) -> None:
    with refused(ConditionError, text):
        cs.curve.contingency_table(*arguments[:2], prevalence=arguments[2])
