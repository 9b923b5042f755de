"""Rows that are not drawn one by one with equal chances: clusters, and sampling weights."""

import numpy as np
from scipy.special import ndtr, ndtri

import costspace as cs
from benchmarks.coverage.models import MODELS
from benchmarks.coverage.populations import generator_of
from benchmarks.coverage.samples import figures_of, values_of
from benchmarks.coverage.study import DISTINCT, LEVEL, Cell, Part, cells_of
from costspace.estimates.named import statistic_named

CLUSTER = 5  # rows
# Shares of the variance that rows of a cluster have in common.
SHARED_NOISE, SHARED_LABEL = 0.5, 0.3
# The least chance that a negative is kept; positives are all kept.
RAREST = 0.1


def simulate(cell: Cell, simulation: int) -> list[tuple[float, ...]]:
    rng = generator_of(cell, simulation)
    positive, noise, more = (_clustered if cell.design == "clusters" else _weighted)(cell, rng)
    scores = MODELS[cell.scores].scores(noise, positive, cell.prevalence)
    return [
        figures_of(cs.estimate(positive, scores, metric=name, level=LEVEL, **more))
        for name in DISTINCT
    ]


def _clustered(cell, rng):
    """Labels and noise, each row's as in the population, but alike within clusters."""
    groups = np.arange(cell.n) // CLUSTER

    def alike(share):
        common = rng.standard_normal(groups[-1] + 1)[groups]
        return np.sqrt(share) * common + np.sqrt(1 - share) * rng.standard_normal(cell.n)

    return alike(SHARED_LABEL) > -ndtri(cell.prevalence), alike(SHARED_NOISE), {"groups": groups}


def _weighted(cell, rng):
    """The first n rows that are kept: negatives rarely where scores are low."""
    candidates = 4 * cell.n
    positive = rng.random(candidates) < cell.prevalence
    noise = rng.standard_normal(candidates)
    chance = np.where(positive, 1.0, RAREST + (1 - RAREST) * ndtr(noise))
    kept = np.flatnonzero(rng.random(candidates) < chance)[: cell.n]
    return positive[kept], noise[kept], {"sample_weight": 1 / chance[kept]}


PART = Part(
    "Clusters and sampling weights",
    f"Clusters of {CLUSTER} rows with {SHARED_NOISE:.0%} of the evidence's variance in common, "
    f"and {SHARED_LABEL:.0%} of what makes the label. Sampling weights: negatives were kept with "
    f"a chance that falls to {RAREST:.0%} with their score.",
    cells_of(("calibrated", "overconfident"), ("clusters", "weights")),
    {200: 1000, 1000: 1000, 5000: 1000},
    lambda cell: DISTINCT,
    lambda cell: values_of(map(statistic_named, DISTINCT), cell),
    simulate,
)
