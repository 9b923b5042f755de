"""Models are evaluated by the choices that are asked for, in every report."""

from functools import partial

import numpy as np
import pytest
from scipy import stats

import costspace as cs
from costspace.metrics import METRICS

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
    for name in (first, second):
        assert found.columns()[f"expected_loss_cost_{name}"] == losses["cost"][name]
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


NO_CHOICES = ["optimal", [], [cs.Optimal(), cs.Optimal()], [0.5], {"a": 0.5}]
UNNAMED = [{"": QUEUE}, {" ": QUEUE}, {1: QUEUE, "1": cs.Optimal()}]


@pytest.mark.parametrize("choices", [*NO_CHOICES, *UNNAMED])
def test_what_is_no_choice_is_refused(choices: object) -> None:
    with pytest.raises(cs.ConditionError, match="choices must"):
        cs.evaluate(Y, S, choices=choices)
    with pytest.raises(cs.ConditionError, match="choices must"):
        cs.decide(Y, S, choices=choices, conditions=cs.Deployment(1, 5, 0.3))


@pytest.mark.parametrize("intervals", [False, True])
def test_numbers_stand_below_each_other_beside_long_names(intervals: bool) -> None:
    long = "a name that is much longer than those of metrics"
    found = cs.evaluate(Y, {"m": S}, choices={long: QUEUE, "b": cs.Optimal()}, intervals=intervals)
    table = repr(found).split("\n\nBelow")[0].splitlines()
    rows = [line for line in table[1:] if line and (line[-1].isdigit() or line[-1] == "–")]
    assert len({len(line) for line in rows}) == 1
    assert len(rows) == (2 if intervals else 1) * (len(METRICS) + 2)


def test_a_distribution_is_named_as_it_is_written() -> None:
    error, later = stats.norm(0, 0.1), stats.norm(loc=np.float64(0.5), scale=0.25)
    noisy = cs.NoisyCondition(cs.Optimal(), error)
    name = "NoisyCondition(Optimal(), norm(0, 0.1))"
    assert str(noisy) == repr(noisy) == noisy.name == name
    assert list(cs.evaluate(Y, S, choices=[noisy]).models["y_score"].expected_loss["cost"]) == [
        name
    ]
    assert repr(cs.NoisyCondition(QUEUE, later)).endswith("norm(loc=0.5, scale=0.25))")
    assert repr(cs.ScipyFrozen(stats.beta(2, b=3))) == "ScipyFrozen(beta(2, b=3))"


def test_a_choice_of_ones_own_has_the_same_name_in_every_run() -> None:
    class Own(cs.ThresholdChoice):
        path = cs.Optimal.path
        flagging = cs.Optimal.flagging

    assert Own().name == str(Own()) == "Own()"


def test_why_a_number_is_missing_stands_below_the_table() -> None:
    choices = {"trusting": cs.ScoreDriven(), "learnt": cs.Smoothed()}
    shown = repr(cs.evaluate(Y, {"m": 4 * S, "k": S}, choices=choices))
    missing = "No brier, macro_brier, mae, macro_mae, miscalibration, trusting of m: that needs "
    assert shown.count(f"{missing}scores in [0, 1], got scores from ") == 1
    assert shown.count("No ") == 1
    population = cs.AnalyticScores(stats.beta(2, 4), stats.beta(4, 2), prevalence=0.3)
    found = cs.evaluate(population, choices=choices, axis="skew")
    why = "No learnt of y_score: that needs the labelled rows of a ScoreTable"
    assert why in repr(found)
    assert why in found._repr_html_()


def test_only_the_choices_that_are_asked_for_are_doubted() -> None:
    off, fixed = 40 * S - 20, cs.ScoreFixed(0.3)
    with pytest.warns(cs.DataWarning, match="the threshold 0.3 is on the scale"):
        found = cs.evaluate(Y, off, choices={"at": fixed, "top": QUEUE}).models["y_score"]
    assert found.off_scale == ("at",)
    assert "thresholds" not in cs.evaluate(Y, off, choices=[QUEUE]).models["y_score"].notes


def test_losses_of_binned_scores_are_between_those_of_the_choices() -> None:
    binned = cs.ScoreCounts.from_predictions(Y, S, binning=cs.Binning.uniform(bins=5))
    found = cs.evaluate(binned, choices={"top": QUEUE}).models["y_score"]
    assert found.bounds is not None
    ends = [cs.expected_loss(one, choice=QUEUE) for one in (binned.best, binned.worst)]
    bounds = found.bounds.expected_loss["cost"]["top"]
    assert bounds is not None
    assert (bounds.low, bounds.high) == pytest.approx(sorted(ends), rel=1e-12)
    assert bounds.low < bounds.high
