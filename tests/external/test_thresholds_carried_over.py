"""Thresholds chosen on one half of real data and used on the other."""

from typing import Any

import numpy as np
import pytest

import costspace as cs

each_axis = pytest.mark.parametrize("axis", ["cost", "skew"])


@pytest.fixture
def halves(predictions: Any) -> tuple[cs.ScoreTable, cs.ScoreTable]:
    train = np.random.default_rng(0).permutation(len(predictions.y)) % 2 == 0
    first, second = (
        cs.ScoreTable.from_predictions(predictions.y[rows], predictions.s[rows])
        for rows in (train, ~train)
    )
    return first, second


@each_axis
def test_train_optimal_is_never_below_test_optimal(
    halves: tuple[cs.ScoreTable, cs.ScoreTable], axis: str
) -> None:
    train, test = halves
    fitted = cs.loss_curve(test, choice=cs.Fitted(cs.Optimal(), train), axis=axis)
    best = cs.loss_curve(test, choice=cs.Optimal(), axis=axis)
    gap = (fitted - best).columns()
    assert min(gap["loss_start"].min(), gap["loss_end"].min()) > -1e-15


def test_optimal_thresholds_do_not_carry_over(scored: dict[tuple[str, str], Any]) -> None:
    predictions = scored["cancer", "saturated"]
    train, test = (
        cs.ScoreTable.from_predictions(predictions.y[i::2], predictions.s[i::2]) for i in (0, 1)
    )
    fitted = cs.expected_loss(test, choice=cs.Fitted(cs.Optimal(), train))
    assert fitted > 1.1 * cs.expected_loss(test, choice=cs.Optimal())


@each_axis
def test_score_driven_after_pav_is_train_optimal(
    halves: tuple[cs.ScoreTable, cs.ScoreTable], axis: str
) -> None:
    if axis == "skew":
        halves = halves[0].with_prevalence(0.5), halves[1].with_prevalence(0.5)
    train, test = halves
    fitted = cs.loss_curve(test, choice=cs.Fitted(cs.Optimal(), train))
    driven = cs.loss_curve(cs.pav(train).apply(test), choice=cs.ScoreDriven())
    gap = (fitted - driven).columns()
    for end in ("loss_start", "loss_end"):
        np.testing.assert_allclose(gap[end], 0, atol=1e-15)


@pytest.mark.parametrize("data", ["cancer", "digits", "wine"])
def test_a_hybrid_is_the_minimum_where_it_was_built(
    scored: dict[tuple[str, str], Any], data: str
) -> None:
    built, checked = (
        {
            model: cs.loss_curve(rows.y[i::2], rows.s[i::2], choice=cs.ScoreDriven())
            for (name, model), rows in scored.items()
            if name == data
        }
        for i in (0, 1)
    )
    c = np.linspace(0, 1, 999)
    hybrid = cs.hybrid(built)
    np.testing.assert_allclose(hybrid.curve(c), np.min([f(c) for f in built.values()], axis=0))
    # Elsewhere it switches by what it saw: never below the best of the models there.
    assert np.all(hybrid.on(checked)(c) >= np.min([f(c) for f in checked.values()], axis=0))
    used = np.searchsorted(hybrid.breaks, c[1:-1], side="right") - 1
    expected = [checked[hybrid.models[i]](x) for i, x in zip(used, c[1:-1], strict=True)]
    np.testing.assert_allclose(hybrid.on(checked)(c[1:-1]), expected)
