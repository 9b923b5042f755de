"""Densities that are steps: spread evenly over its step, a block of ties has the same ROC curve.

So what depends on ranks alone is that of a table whose weights are the masses of the steps.
"""

import numpy as np
import pytest
from laws.registry import close

import costspace as cs

EDGES = np.array([0, 0.15, 0.3, 0.4, 0.55, 0.8, 1])


@pytest.fixture(params=range(6))
def pair(request: pytest.FixtureRequest) -> tuple[cs.AnalyticScores, cs.ScoreTable]:
    rng = np.random.default_rng(request.param)
    masses = rng.dirichlet(np.ones(len(EDGES) - 1), size=2)
    p = float(rng.choice([0.5, 0.03, 0.8]))

    def density(mass: np.ndarray) -> cs.scores.ScoreDensity:
        heights = mass / np.diff(EDGES)

        def at(x: np.ndarray) -> np.ndarray:
            return heights[np.clip(np.searchsorted(EDGES, x, side="right") - 1, 0, len(mass) - 1)]

        return cs.scores.ScoreDensity(at, kinks=EDGES[1:-1])

    steps = list(range(len(EDGES) - 1))
    table = cs.ScoreTable.from_predictions(
        [0] * len(steps) + [1] * len(steps), 2 * steps, sample_weight=masses.ravel()
    )
    return cs.AnalyticScores(density(masses[0]), density(masses[1]), p), table.with_prevalence(p)


def test_metrics_of_ranks(pair: tuple[cs.AnalyticScores, cs.ScoreTable]) -> None:
    model, table = pair
    assert cs.auc_hull(table) > cs.auc(table) + 1e-3
    for metric in (cs.auc, cs.auc_hull, cs.gini, cs.h_measure, cs.voros):
        close(metric(model), metric(table), 1e-12)


@pytest.mark.parametrize("choice", [cs.Optimal(), cs.RateDriven(), cs.RateUniform()])
def test_losses_of_ranks(
    pair: tuple[cs.AnalyticScores, cs.ScoreTable], choice: cs.ThresholdChoice
) -> None:
    model, table = pair
    c = np.linspace(0.003, 0.997, 41)
    for axis in ("cost", "skew"):
        curves = [cs.loss_curve(source, choice=choice, axis=axis) for source in pair]
        close(curves[0](c), curves[1](c), 1e-12)
        for costs in (cs.Uniform(), cs.Beta(2, 5)):
            losses = [
                cs.expected_loss(source, choice=choice, costs=costs, axis=axis)
                for source in (model, table)
            ]
            close(*losses, 1e-12)
