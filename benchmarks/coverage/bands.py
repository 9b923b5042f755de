"""Bands around loss curves and differences of them, simultaneous and pointwise, and crossings.

The target is 0: the interval of a simultaneous band reaches from how far its lower end is above
the population's curve, at worst, to how far its upper end is above it at least.
"""

from functools import cache

import numpy as np

import costspace as cs
from benchmarks.coverage.models import MODELS, PAIRS
from benchmarks.coverage.populations import generator_of
from benchmarks.coverage.study import LEVEL, Cell, Part, cells_of
from costspace.checks import AXES
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.curve import PiecewiseQuadratic, sign_intervals

GRID = np.linspace(0, 1, 129)
POINTS = np.array([0.1, 0.3, 0.5, 0.7])
# The 0.95 quantile of so many draws is exceeded by 20 of 401 on average.
REPLICATES = 400
LOSSES = ("score_fixed", "score_uniform", "score_driven", "optimal")
DIFFERENCES = ("score_driven", "optimal")


def _bands(cell: Cell) -> list[tuple[str, str]]:
    choices = DIFFERENCES if cell.design == "paired" else LOSSES
    return [(axis, choice) for axis in AXES for choice in choices]


@cache
def population(cell: Cell, axis: str, choice: str) -> PiecewiseQuadratic:
    """The curve that the band is to contain."""
    paired = cell.design == "paired"
    pair = PAIRS[cell.scores] if paired else None
    models = [pair.first, pair.second] if pair else [MODELS[cell.scores]]
    curves = [
        cs.loss_curve(
            model.population(cell.prevalence), choice=PARAMETER_FREE[choice], axis=axis
        ).piecewise()
        for model in models
    ]
    return curves[0] - curves[1] if paired else curves[0]


@cache
def crossings(cell: Cell, axis: str, choice: str) -> np.ndarray:
    """Where the population's difference changes sign, away from the ends."""
    if cell.design != "paired":
        return np.zeros(0)
    signs = sign_intervals(population(cell, axis, choice))
    inner, sign = signs.breaks[1:-1], signs.sign
    changes = inner[sign[1:] * sign[:-1] < 0]
    return changes[(changes > 0.001) & (changes < 0.999)]


def quantities(cell: Cell) -> tuple[str, ...]:
    names = []
    for axis, choice in _bands(cell):
        of = f"{axis}.{choice}"
        names.append(f"whole curve.{of}")
        names += [f"at {c:g}.{of}" for c in POINTS]
        names += [f"crossing at {c:.4f}.{of}" for c in crossings(cell, axis, choice)]
    return tuple(names)


def simulate(cell: Cell, simulation: int) -> list[tuple[float, ...]]:
    rng = generator_of(cell, simulation)
    positive = rng.random(cell.n) < cell.prevalence
    if cell.design == "paired":
        drawn = PAIRS[cell.scores].draw(positive, cell.prevalence, rng)
        scores, band_of = dict(zip("ab", drawn, strict=True)), cs.difference_band
    else:
        scores, band_of = MODELS[cell.scores].draw(positive, cell.prevalence, rng), cs.loss_band
    rows = []
    for axis, choice in _bands(cell):
        asked = {"choice": PARAMETER_FREE[choice], "axis": axis, "level": LEVEL}
        truth = population(cell, axis, choice)
        rows.append(
            _at_worst(
                band_of(positive, scores, replicates=REPLICATES, seed=simulation, **asked), truth
            )
        )
        points = np.append(POINTS, crossings(cell, axis, choice))
        pointwise = band_of(positive, scores, simultaneous=False, **asked)
        ends = (pointwise.low(points), pointwise.high(points))
        rows += zip(*(end - truth(points) for end in ends), strict=True)
    return rows


def _at_worst(band: cs.bands.LossBand, truth: PiecewiseQuadratic) -> tuple[float, float]:
    """At both sides of every break of the band, and on a grid."""
    columns = band.columns()
    start, end = truth(columns["from"]), truth.left(columns["to"])
    between = truth(GRID)
    low = (columns["low_start"] - start, columns["low_end"] - end, band.low(GRID) - between)
    high = (columns["high_start"] - start, columns["high_end"] - end, band.high(GRID) - between)
    return np.max(np.concatenate(low)), np.min(np.concatenate(high))


PART = Part(
    "Bands",
    f"Of independent rows, {REPLICATES} draws for simultaneous bands: around loss curves of "
    "overconfident and of tied scores, and around the differences of the pairs above. "
    "A whole curve is looked at on both sides of every break of the band and on a grid; a "
    "crossing is covered if the pointwise band contains 0 there.",
    (
        *cells_of(("overconfident", "tied"), ("independent",)),
        *cells_of(("different", "tied"), ("paired",)),
    ),
    {200: 1000, 1000: 600, 5000: 300},
    quantities,
    lambda cell: np.zeros(len(quantities(cell))),
    simulate,
)
