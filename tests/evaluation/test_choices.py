"""Models are evaluated by the choices that are asked for, in every report."""

from functools import partial

import numpy as np
import pytest
from scipy import stats

import costspace as cs

RNG = np.random.default_rng(4)
Y = (np.arange(90) % 3 == 0).astype(int)
S = 1 / (1 + np.exp(-RNG.normal(1.5 * Y - 1)))
QUEUE = cs.RateFixed(0.2)


@pytest.mark.parametrize("choices", [[QUEUE, cs.Optimal()], {"top": QUEUE, "best": cs.Optimal()}])
def test_losses_are_those_of_the_choices(choices: object) -> None:
    found = cs.evaluate(Y, {"m": S}, choices=choices)
    first, second = ("top", "best") if isinstance(choices, dict) else (str(QUEUE), "optimal")
    losses = found.models["m"].expected_loss
    for axis in ("cost", "skew"):
        assert losses[axis] == {
            first: cs.expected_loss(Y, S, choice=QUEUE, axis=axis),
            second: cs.expected_loss(Y, S, choice=cs.Optimal(), axis=axis),
        }
    assert list(found.to_dict()["models"]["m"]["expected_loss"]["cost"]) == [first, second]
    assert found.columns()[f"expected_loss_cost_{first}"] == losses["cost"][first]
    assert first in repr(found)
    assert "rate_driven" not in repr(found)


def test_intervals_are_those_of_the_choices() -> None:
    choices = {"top": cs.ScoreFixed(0.3)}
    found = cs.evaluate(Y, {"m": S}, choices=choices, intervals=True).models["m"].intervals
    assert found is not None
    one = found.expected_loss["skew"]["top"]
    metric = partial(cs.expected_loss, choice=cs.ScoreFixed(0.3), axis="skew")
    expected = cs.estimate(Y, S, metric=metric)
    assert one is not None
    assert (one.low, one.high) == (expected.low, expected.high)


def test_a_population_by_any_choice() -> None:
    population = cs.AnalyticScores(stats.beta(2, 4), stats.beta(4, 2), prevalence=0.3)
    found = cs.evaluate(population, choices=[cs.ScoreFixed(0.4)]).models["y_score"]
    expected = cs.expected_loss(population, choice=cs.ScoreFixed(0.4))
    assert found.expected_loss["cost"] == {str(cs.ScoreFixed(0.4)): expected}


@pytest.mark.parametrize("choices", ["optimal", [], [cs.Optimal(), cs.Optimal()], [0.5]])
def test_what_is_no_choice_is_refused(choices: object) -> None:
    with pytest.raises(cs.ConditionError, match="choices must"):
        cs.evaluate(Y, S, choices=choices)
