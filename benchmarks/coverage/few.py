"""Few rows of a class: how many positives it takes, and how many of weighted ones."""

import itertools
from collections.abc import Sequence
from functools import cache

import numpy as np
from scipy.special import ndtr

import costspace as cs
from benchmarks.coverage import bands, thresholds
from benchmarks.coverage.models import PAIRS, QUALITIES
from benchmarks.coverage.populations import generator_of
from benchmarks.coverage.samples import figures_of
from benchmarks.coverage.study import LEVEL, Cell, Part, Simulate
from costspace.estimates.estimating import estimate_on
from costspace.estimates.few_rows import BANDS, deciding_rows
from costspace.estimates.model_samples import ModelSample
from costspace.estimates.named import statistic_named

NAMES = (
    *("auc", "brier", "macro_brier", "macro_mae", "refinement_loss", "h_measure", "voros"),
    *(f"expected_loss.{which}" for which in ("cost.rate_driven", "skew.rate_driven")),
    "expected_loss.skew.optimal",
)
STATISTICS = {name: statistic_named(name) for name in NAMES}
DIFFERENCES = ("auc", "brier", "h_measure", "voros", "expected_loss.skew.optimal")
SELECTED = ("low rare", "high rare")
# The least chance that a row of either class is kept.
RAREST = 0.1
COLUMNS = (
    f"fewer than {BANDS[0]:g} decide",
    *(f"{start:g} to {end:g}" for start, end in itertools.pairwise(BANDS)),
    f"{BANDS[-1]:g} and more",
)
# Rows that show how many of a sample's decide, on average.
_MANY = 50_000
# More than there are simulations of a cell.
_NEXT = 200_000


def drawn(cell: Cell, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Classes, noise and weights of rows, at least two of either class."""
    candidates = 4 * cell.n if cell.design in SELECTED else cell.n
    while True:
        positive = rng.random(candidates) < cell.prevalence
        noise, weight = rng.standard_normal(candidates), None
        if cell.design in SELECTED:
            rank = ndtr(noise if cell.design == "low rare" else -noise)
            chance = RAREST + (1 - RAREST) * rank
            kept = np.flatnonzero(rng.random(candidates) < chance)[: cell.n]
            positive, noise, weight = positive[kept], noise[kept], 1 / chance[kept]
        if 2 <= np.count_nonzero(positive) <= len(positive) - 2:
            return positive, noise, weight


@cache
def deciding(cell: Cell) -> float:
    """How many rows decide on average: of a large sample's the part that the cell draws."""
    large = cell._replace(n=_MANY, prevalence=0.5)
    positive, noise, weight = drawn(large, np.random.default_rng(0))
    model = PAIRS[cell.scores].first if cell.design == "paired" else QUALITIES[cell.scores]
    table = cs.ScoreTable.from_predictions(
        positive, model.scores(noise, positive, 0.5), sample_weight=weight
    )
    shares = 1 - cell.prevalence, cell.prevalence
    return min(
        rows * 2 * share * cell.n / _MANY
        for rows, share in zip(deciding_rows(ModelSample(table)), shares, strict=True)
    )


def column(cell: Cell) -> str:
    return COLUMNS[sum(deciding(cell) >= end for end in BANDS)]


def simulate(cell: Cell, simulation: int) -> list[tuple[float, ...]]:
    positive, noise, weight = drawn(cell, generator_of(cell, simulation))
    scores = QUALITIES[cell.scores].scores(noise, positive, cell.prevalence)
    table = cs.ScoreTable.from_predictions(positive, scores, sample_weight=weight)
    return [
        figures_of(
            estimate_on(
                statistic,
                ModelSample(table),
                level=LEVEL,
                design="stratified" if statistic.balanced else "independent",
            )
        )
        for statistic in STATISTICS.values()
    ]


def targets(cell: Cell) -> np.ndarray:
    source = QUALITIES[cell.scores].population(cell.prevalence)
    return np.array([statistic.value(source) for statistic in STATISTICS.values()])


def simulate_pair(cell: Cell, simulation: int) -> list[tuple[float, ...]]:
    rng, pair = generator_of(cell, simulation), PAIRS[cell.scores]
    positive = np.zeros(0, dtype=bool)
    while np.count_nonzero(positive) < 2:
        positive = rng.random(cell.n) < cell.prevalence
    first, second = pair.draw(positive, cell.prevalence, rng)
    found = cs.compare(
        positive, {"first": first, "second": second}, metrics=DIFFERENCES, level=LEVEL
    )
    return [
        (
            *(one.low, one.high, one.difference, one.difference - one.bias),
            *(one.standard_error, one.p),
        )
        for one in found.pairs
    ]


def pair_targets(cell: Cell) -> np.ndarray:
    pair = PAIRS[cell.scores]
    sources = (model.population(cell.prevalence) for model in (pair.first, pair.second))
    values = [[statistic_named(name).value(one) for name in DIFFERENCES] for one in sources]
    return np.subtract(*values)


def _cells(design: str, n: int, positives: dict[str, tuple[int, ...]]) -> tuple[Cell, ...]:
    """By scores how many positives are expected."""
    return tuple(
        Cell(scores, design, count / n, n)
        for scores, counts in positives.items()
        for count in counts
    )


UP_TO_100 = (2, 5, 10, 20, 40, 100)
PART = Part(
    "Few rows of a class",
    "By how many rows decide, as `few_rows` counts them, averaged over samples: 2 to 400 "
    "expected positives, samples with fewer than two drawn again. Scores calibrated, of AUC 0.69, "
    "0.84 and 0.98; independent rows, and rows of either class kept with a chance that "
    f"falls to {RAREST:.0%} where scores are low, or where they are high, and weighted by its "
    "inverse.",
    (
        *_cells("low rare", 1000, {"calibrated": (40, 100), "strong": (40,)}),
        *_cells("independent", 1000, dict.fromkeys(("strong", "calibrated", "weak"), UP_TO_100)),
        *_cells("independent", 200, {"calibrated": (5, 20)}),
        *_cells("independent", 5000, {"calibrated": (5, 40), "strong": (40, 400)}),
        *_cells("low rare", 5000, {"calibrated": (400,), "strong": (400,)}),
        *_cells("high rare", 5000, {"calibrated": (400,)}),
    ),
    {200: 1000, 1000: 1000, 5000: 1000},
    lambda cell: NAMES,
    targets,
    simulate,
    COLUMNS,
    column,
    listed=False,
)
PAIRED = Part(
    "Few rows of a class: differences",
    "Of two models on the same rows, as above; 5 and 20 expected positives.",
    _cells("paired", 1000, dict.fromkeys(("different", "equal"), (5, 20))),
    {1000: 1000},
    lambda cell: DIFFERENCES,
    pair_targets,
    simulate_pair,
    COLUMNS,
    column,
    listed=False,
)


def simulate_threshold(cell: Cell, simulation: int) -> Sequence[tuple[float, ...]]:
    return _with_two(thresholds.simulate, cell, simulation)


def simulate_bands(cell: Cell, simulation: int) -> Sequence[tuple[float, ...]]:
    return _with_two(bands.simulate, cell, simulation)


def _with_two(simulate: Simulate, cell: Cell, simulation: int) -> Sequence[tuple[float, ...]]:
    """The simulation; if it has fewer than two positives, a later one in its place."""
    while True:
        try:
            return simulate(cell, simulation)
        except cs.LabelError:
            simulation += _NEXT


def by_positives(cell: Cell) -> str:
    return f"{cell.prevalence * cell.n:.0f} positives"


_BAND_CELLS = _cells("independent", 1000, {"overconfident": (5, 20)})
_BAND_COLUMNS = tuple(map(by_positives, _BAND_CELLS))
THRESHOLDS = Part(
    "Few rows of a class: thresholds of least loss",
    "By expected positives of 1,000 rows, as above.",
    _BAND_CELLS,
    {1000: 300},
    thresholds.PART.quantities,
    thresholds.PART.targets,
    simulate_threshold,
    _BAND_COLUMNS,
    by_positives,
    listed=False,
)
BANDED = Part(
    "Few rows of a class: bands",
    "By expected positives of 1,000 rows, as above.",
    _BAND_CELLS,
    {1000: 300},
    bands.PART.quantities,
    bands.PART.targets,
    simulate_bands,
    _BAND_COLUMNS,
    by_positives,
    listed=False,
)
