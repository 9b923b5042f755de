"""What the parts about one model share: its rows, and its statistics on them."""

from collections.abc import Iterable

import numpy as np

import costspace as cs
from benchmarks.coverage.models import MODELS
from benchmarks.coverage.populations import generator_of
from benchmarks.coverage.study import Cell
from costspace.influences.statistic import Statistic


def drawn(cell: Cell, simulation: int) -> tuple[np.ndarray, np.ndarray]:
    """Classes and scores of independent rows; a stratified design fixes class sizes."""
    rng = generator_of(cell, simulation)
    if cell.design == "stratified":
        positive = np.arange(cell.n) < round(cell.prevalence * cell.n)
    else:
        positive = rng.random(cell.n) < cell.prevalence
    return positive, MODELS[cell.scores].draw(positive, cell.prevalence, rng)


def values_of(statistics: Iterable[Statistic], cell: Cell) -> np.ndarray:
    """The values in the population."""
    source = MODELS[cell.scores].population(cell.prevalence)
    return np.array([statistic.value(source) for statistic in statistics])


def figures_of(one: cs.estimates.Estimate) -> tuple[float, ...]:
    """What an interval gives of `Found`."""
    return one.low, one.high, one.estimate, one.corrected, one.standard_error
