"""Intervals by `bootstrap`, with its default method."""

from functools import cache

import numpy as np

import costspace as cs
from benchmarks.coverage.models import MODELS
from benchmarks.coverage.study import LEVEL, Cell, Part, cells_of
from costspace.inference.named import statistic_named

REPLICATES = 399
NAMES = ("auc", "brier", "miscalibration", "refinement_loss", "h_measure", "voros")
STATISTICS = {name: statistic_named(name) for name in NAMES}


@cache
def targets(cell: Cell) -> np.ndarray:
    source = MODELS[cell.scores].population(cell.prevalence)
    return np.array([statistic.value(source) for statistic in STATISTICS.values()])


def simulate(cell: Cell, simulation: int) -> list[tuple[float, ...]]:
    rng = cell.generator(simulation)
    positive = rng.random(cell.n) < cell.prevalence
    scores = MODELS[cell.scores].draw(positive, cell.prevalence, rng)
    found = cs.bootstrap(
        STATISTICS, positive, scores, replicates=REPLICATES, level=LEVEL, seed=simulation
    )
    every = [found.interval(name) for name in NAMES]
    return [(one.low, one.high, one.estimate, one.corrected, one.standard_error) for one in every]


PART = Part(
    "Bootstrap",
    f"{REPLICATES} resamples of independent rows, the default method.",
    cells_of(("overconfident", "tied"), ("independent",)),
    {200: 400, 1000: 300, 5000: 200},
    lambda cell: NAMES,
    targets,
    simulate,
)
