"""Intervals by `bootstrap`, with its default method."""

import costspace as cs
from benchmarks.coverage.samples import drawn, figures_of, values_of
from benchmarks.coverage.study import LEVEL, Cell, Part, cells_of
from costspace.estimates.named import statistic_named

REPLICATES = 399
NAMES = ("auc", "brier", "miscalibration", "refinement_loss", "h_measure", "voros")
STATISTICS = {name: statistic_named(name) for name in NAMES}


def simulate(cell: Cell, simulation: int) -> list[tuple[float, ...]]:
    positive, scores = drawn(cell, simulation)
    found = cs.bootstrap(
        positive, scores, metrics=STATISTICS, replicates=REPLICATES, level=LEVEL, seed=simulation
    )
    return [figures_of(found.interval(name)) for name in NAMES]


PART = Part(
    "Bootstrap",
    f"{REPLICATES} resamples of independent rows, the default method.",
    cells_of(("overconfident", "tied"), ("independent",)),
    {200: 400, 1000: 300, 5000: 200},
    lambda cell: NAMES,
    lambda cell: values_of(STATISTICS.values(), cell),
    simulate,
)
