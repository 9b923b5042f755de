"""Everything that `evaluate` computes of one model, by `estimate`."""

import costspace as cs
from benchmarks.coverage.models import MODELS
from benchmarks.coverage.samples import drawn, figures_of, values_of
from benchmarks.coverage.study import LEVEL, QUANTITIES, Cell, Part, cells_of
from costspace.estimates.estimating import estimate_on
from costspace.estimates.model_samples import ModelSample
from costspace.estimates.named import statistic_named

STATISTICS = {name: statistic_named(name) for name in QUANTITIES}


def simulate(cell: Cell, simulation: int) -> list[tuple[float, ...]]:
    positive, scores = drawn(cell, simulation)
    table = cs.ScoreTable.from_predictions(positive, scores)
    rows = []
    for statistic in STATISTICS.values():
        # What is on the skew axis takes fixed class sizes by default.
        design = "stratified" if statistic.balanced else cell.design
        one = estimate_on(statistic, ModelSample(table), level=LEVEL, design=design)
        rows.append(figures_of(one))
    return rows


PART = Part(
    "Numbers of one model",
    "Scores calibrated, overconfident, tied; independent rows, and fixed class sizes.",
    cells_of(list(MODELS), ("independent", "stratified")),
    {200: 2000, 1000: 2000, 5000: 2000},
    lambda cell: QUANTITIES,
    lambda cell: values_of(STATISTICS.values(), cell),
    simulate,
)
