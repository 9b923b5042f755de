"""One model's scores by row and by cost."""

import numpy as np
import pytest

import costspace as cs
from costspace.arrays import FloatArray
from costspace.choices import ThresholdChoice
from costspace.decision.money.costed import CostedScores

RNG = np.random.default_rng(7)
N = 200
Y = RNG.integers(0, 2, N)
S = np.round(np.clip(0.35 + 0.3 * Y + RNG.normal(0, 0.25, N), 0, 1), 2)
WEIGHT = RNG.integers(1, 4, N).astype(float)
CHOICES: list[ThresholdChoice] = [
    cs.ScoreFixed(0.5),
    cs.ScoreUniform(),
    cs.ScoreDriven(),
    cs.ScoreDriven(calibrated_to=0.3),
    cs.RateFixed(0.1),
    cs.RateUniform(),
    cs.RateDriven(),
    cs.Optimal(),
]
each_choice = pytest.mark.parametrize("choice", CHOICES, ids=repr)


def costed(costs: cs.CaseCosts | None) -> CostedScores:
    rows = cs.ScoredRows.from_predictions(Y, {"m": S}, sample_weight=WEIGHT, case_costs=costs)
    return CostedScores.from_rows(rows, "m")


def test_without_costs_of_their_own_there_is_one_table() -> None:
    scores = costed(None)
    assert scores.costs is scores.rows
    shifted = scores.with_prevalence(0.2)
    assert shifted.costs is shifted.rows


@each_choice
@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_constant_costs_are_no_costs_of_their_own(
    choice: ThresholdChoice, prevalence: float | None
) -> None:
    constant, plain = costed(cs.CaseCosts(np.full(N, 3.0), np.full(N, 7.0))), costed(None)
    assert constant.prevalence == plain.prevalence
    for low, high in ((0, 1), (0.1, 0.2), (0.25, 0.9)):
        found, expected = (
            scores.with_prevalence(prevalence or plain.prevalence)
            .path(choice)
            .expected_loss(cs.Uniform(low, high))
            for scores in (constant, plain)
        )
        assert found == pytest.approx(expected, rel=1e-12)


def with_costs_of_their_own() -> tuple[CostedScores, FloatArray, FloatArray]:
    generator = np.random.default_rng(1)
    fp, fn = 1 + generator.random(N), generator.lognormal(1, 1, N)
    return costed(cs.CaseCosts(fp, fn)), fp * WEIGHT * (Y == 0), fn * WEIGHT * (Y == 1)


def test_rates_are_shares_of_cost() -> None:
    scores, negative, positive = with_costs_of_their_own()
    assert scores.costs.prevalence == scores.rows.prevalence
    path = scores.path(cs.ScoreFixed(0.5))
    assert isinstance(path, cs.OperatingPath)
    assert path.start.fpr == pytest.approx(np.sum(negative * (S > 0.5)) / negative.sum())
    assert path.start.fnr == pytest.approx(np.sum(positive * (S <= 0.5)) / positive.sum())


def test_shares_flagged_are_of_rows() -> None:
    scores, negative, positive = with_costs_of_their_own()
    path = scores.path(cs.RateFixed(0.1))
    assert isinstance(path, cs.OperatingPath)
    # Scores from the highest down until a tenth of the weight is flagged, the last at random.
    flagged, left = np.zeros(N), 0.1 * WEIGHT.sum()
    for score in np.unique(S)[::-1]:
        tied = score == S
        flagged[tied] = min(1.0, max(0.0, left / WEIGHT[tied].sum()))
        left -= WEIGHT[tied].sum()
    assert np.sum(flagged * WEIGHT) == pytest.approx(0.1 * WEIGHT.sum())
    assert path.start.fpr == pytest.approx(np.sum(negative * flagged) / negative.sum())
    assert path.start.fnr == pytest.approx(np.sum(positive * (1 - flagged)) / positive.sum())


@pytest.mark.parametrize("c", [0.1, 0.3, 0.6])
def test_the_optimal_choice_looks_at_costs(c: float) -> None:
    scores, negative, positive = with_costs_of_their_own()
    p = scores.prevalence
    brute = min(
        2 * c * (1 - p) * np.sum(negative * (t < S)) / negative.sum()
        + 2 * (1 - c) * p * np.sum(positive * (t >= S)) / positive.sum()
        for t in [-1.0, *S]
    )
    assert scores.path(cs.Optimal()).expected_loss(cs.Point(c)) == pytest.approx(brute)
    assert cs.Optimal().expected_loss(scores.rows, cs.Point(c)) != pytest.approx(brute, rel=1e-3)
