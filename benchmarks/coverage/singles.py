"""Everything that `evaluate` computes of one model, by `estimate`."""

from functools import cache

import numpy as np

import costspace as cs
from benchmarks.coverage.models import MODELS
from benchmarks.coverage.study import LEVEL, QUANTITIES, Cell, Part, cells_of
from costspace.inference.estimating import estimate_on
from costspace.inference.named import statistic_named

STATISTICS = {name: statistic_named(name) for name in QUANTITIES}


@cache
def targets(cell: Cell) -> np.ndarray:
    source = MODELS[cell.scores].population(cell.prevalence)
    return np.array([statistic.value(source) for statistic in STATISTICS.values()])


def simulate(cell: Cell, simulation: int) -> list[tuple[float, ...]]:
    rng = cell.generator(simulation)
    if cell.design == "independent":
        positive = rng.random(cell.n) < cell.prevalence
    else:
        positive = np.arange(cell.n) < round(cell.prevalence * cell.n)
    scores = MODELS[cell.scores].draw(positive, cell.prevalence, rng)
    table = cs.ScoreTable.from_predictions(positive, scores)
    rows = []
    for statistic in STATISTICS.values():
        # What is on the skew axis takes fixed class sizes by default.
        design = "stratified" if statistic.balanced else cell.design
        one = estimate_on(statistic, table, level=LEVEL, design=design)
        rows.append((one.low, one.high, one.estimate, one.corrected, one.standard_error))
    return rows


PART = Part(
    "Numbers of one model",
    "Scores calibrated, overconfident, tied; independent rows, and fixed class sizes.",
    cells_of(list(MODELS), ("independent", "stratified")),
    {200: 2000, 1000: 2000, 5000: 2000},
    lambda cell: QUANTITIES,
    targets,
    simulate,
)
