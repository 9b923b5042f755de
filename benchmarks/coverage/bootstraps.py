"""Intervals by `bootstrap`, with its default method."""

from functools import cache

import numpy as np

import costspace as cs
from benchmarks.coverage.models import MODELS
from benchmarks.coverage.study import LEVEL, Cell, Part, cells_of
from costspace.inference.named import statistic_named

REPLICATES = 399
NAMES = ("auc", "brier", "miscalibration", "refinement_loss", "h_measure", "voros")
REFUSABLE = "miscalibration"
STATISTICS = {name: statistic_named(name) for name in NAMES}


@cache
def targets(cell: Cell) -> np.ndarray:
    source = MODELS[cell.scores].population(cell.prevalence)
    return np.array([statistic.value(source) for statistic in STATISTICS.values()])


def simulate(cell: Cell, simulation: int) -> list[tuple[float, ...]]:
    rng = cell.generator(simulation)
    positive = rng.random(cell.n) < cell.prevalence
    scores = MODELS[cell.scores].draw(positive, cell.prevalence, rng)
    options = {"replicates": REPLICATES, "level": LEVEL, "seed": simulation}
    try:
        found = cs.bootstrap(STATISTICS, positive, scores, **options)
    except cs.ScoreError:
        # That of miscalibration may be refused, which counts as missing every value below 1.
        others = {name: one for name, one in STATISTICS.items() if name != REFUSABLE}
        ends = _ends(cs.bootstrap(others, positive, scores, **options))
        ends.insert(NAMES.index(REFUSABLE), (1.0, 1.0, *(np.nan,) * 3))
        return ends
    return _ends(found)


def _ends(found: cs.Bootstrap) -> list[tuple[float, ...]]:
    value, error = found.estimate, found.standard_error
    return list(zip(found.low, found.high, value, value - found.bias, error, strict=True))


PART = Part(
    "Bootstrap",
    f"{REPLICATES} resamples of independent rows, the default method. An interval that is "
    "refused, as that of miscalibration may be, counts as one that misses.",
    cells_of(("overconfident", "tied"), ("independent",)),
    {200: 400, 1000: 300, 5000: 200},
    lambda cell: NAMES,
    targets,
    simulate,
)
