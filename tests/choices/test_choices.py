"""What all threshold choice methods share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace import ConditionError
from costspace.choices.parameter_free import PARAMETER_FREE

Y = [0, 0, 1, 1]
S = [0.1, 0.6, 0.4, 0.9]
DECISIONS = [-3, 0.6, 0.4, 2.5]
CHOICES: dict[str, Callable[[], cs.ThresholdChoice]] = {
    "ScoreFixed(threshold=0.5)": cs.ScoreFixed,
    "ScoreUniform(low=0.0, high=1.0)": cs.ScoreUniform,
    "ScoreDriven(calibrated_to=None)": cs.ScoreDriven,
    "ScoreDriven(calibrated_to=0.25)": lambda: cs.ScoreDriven(0.25),
    "RateFixed(flagged=0.25)": lambda: cs.RateFixed(0.25),
    "RateUniform(stepped=False)": cs.RateUniform,
    "RateUniform(stepped=True)": lambda: cs.RateUniform(stepped=True),
    "RateDriven(stepped=False)": cs.RateDriven,
    "RateDriven(stepped=True)": lambda: cs.RateDriven(stepped=True),
    "Optimal()": cs.Optimal,
}
each_choice = pytest.mark.parametrize("name", CHOICES)


@each_choice
def test_values(name: str) -> None:
    choice = CHOICES[name]()
    assert repr(choice) == name
    assert choice == CHOICES[name]()
    assert hash(choice) == hash(CHOICES[name]())
    assert len(set(map(repr, CHOICES))) == len(CHOICES)


def test_a_long_repr_stays_on_one_line() -> None:
    with refused(ConditionError, "choice must be a threshold choice method"):
        cs.expected_loss(Y, S, choice=np.zeros(5000))
    with refused(ConditionError, "choice must be a threshold choice method"):
        cs.expected_loss(Y, S, choice=cs.evaluate(Y, S))


@each_choice
def test_which_choices_need_probabilities(name: str) -> None:
    choice = CHOICES[name]()
    verbs = (cs.expected_loss, cs.loss_curve, cs.loss_shares)
    for scores, span in ((DECISIONS, "-3 to 2.5"), ([-np.inf, 0.6, 0.4, np.inf], "-inf to inf")):
        for verb in verbs:
            if name.startswith("ScoreDriven"):
                text = (
                    f"needs scores in [0, 1], got scores from {span}: they look like decision "
                    "values, log-odds or points. Use a rate-based or optimal choice, or calibrate"
                )
                with refused(cs.ScoreError, text):
                    verb(Y, scores, choice=choice)
            else:
                verb(Y, scores, choice=choice)
                if name.startswith(("Rate", "Optimal")):
                    loss = cs.expected_loss(Y, scores, choice=choice)
                    assert loss == cs.expected_loss(Y, S, choice=choice)


@pytest.mark.parametrize("s", [[-1.1e-6, 1], [0, 1.0000011], [-0.1, 0.5], [0.5, 1.1]])
def test_scores_just_outside_0_and_1_are_refused(s: list[float]) -> None:
    with refused(cs.ScoreError, "needs scores in [0, 1]"):
        cs.expected_loss([0, 1], s, choice=cs.ScoreDriven())


def test_parameter_free_choices() -> None:
    assert list(PARAMETER_FREE) == [
        *("score_fixed", "score_uniform", "score_driven"),
        *("rate_uniform", "rate_driven", "optimal"),
    ]
    with pytest.raises(TypeError):
        PARAMETER_FREE["other"] = cs.Optimal()


@each_choice
@pytest.mark.parametrize("axis", ["cost", "skew"])
@pytest.mark.parametrize(
    "costs", [cs.Uniform(), cs.Beta(2, 3), cs.Point(0.3), cs.Point(0), cs.Point(1)], ids=str
)
def test_expected_loss_curve_and_shares_agree(
    name: str, axis: str, costs: cs.CostDistribution
) -> None:
    choice = CHOICES[name]()
    for y, s in ((Y, S), ([0, 1, 1, 0, 1], [0, 0.3, 1, 0.7, 0.5])):
        arguments: dict[str, Any] = {"choice": choice, "axis": axis, "prevalence": 0.2}
        loss = cs.expected_loss(y, s, costs=costs, **arguments)
        curve = cs.loss_curve(y, s, **arguments)
        shares = cs.loss_shares(y, s, costs=costs, **arguments)
        assert curve.expectation(costs) == pytest.approx(loss, abs=1e-14)
        assert shares.sum() == pytest.approx(loss, abs=1e-14)
        assert shares.shape == (len(y),)
        assert np.all(shares >= 0)


@each_choice
def test_shares_are_never_negative(name: str) -> None:
    choice = CHOICES[name]()
    generator = np.random.default_rng(0)
    for costs in (cs.Uniform(), cs.Beta(2, 2), cs.Point(0.3)) * 20:
        y, s = np.append([0, 1], generator.integers(0, 2, 20)), generator.random(22)
        shares = cs.loss_shares(y, s, choice=choice, costs=costs, prevalence=0.1)
        assert np.all(shares >= 0)


@each_choice
def test_two_rows(name: str) -> None:
    choice = CHOICES[name]()
    for s in ([0, 1], [1, 0], [0.2, 0.7], [0.7, 0.2]):
        loss = cs.expected_loss([0, 1], s, choice=choice)
        assert 0 <= loss <= 1
        assert isinstance(loss, float)
