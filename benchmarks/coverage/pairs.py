"""Differences of two models, by `compare`, and how often equal models are told apart."""

import numpy as np

import costspace as cs
from benchmarks.coverage.models import PAIRS
from benchmarks.coverage.populations import generator_of
from benchmarks.coverage.study import DISTINCT, LEVEL, Cell, Part, cells_of
from costspace.estimates.named import statistic_named


def targets(cell: Cell) -> np.ndarray:
    pair = PAIRS[cell.scores]
    sources = (model.population(cell.prevalence) for model in (pair.first, pair.second))
    values = [[statistic_named(name).value(one) for name in DISTINCT] for one in sources]
    return np.subtract(*values)


def simulate(cell: Cell, simulation: int) -> list[tuple[float, ...]]:
    rng, pair = generator_of(cell, simulation), PAIRS[cell.scores]
    positive = rng.random(cell.n) < cell.prevalence
    first, second = pair.draw(positive, cell.prevalence, rng)
    labels = positive
    if cell.design == "unpaired":
        other = rng.random(cell.n) < cell.prevalence
        second = pair.second.draw(other, cell.prevalence, rng)
        labels = {"first": positive, "second": other}
    found = cs.compare(labels, {"first": first, "second": second}, metrics=DISTINCT, level=LEVEL)
    return [
        (
            *(one.low, one.high, one.difference, one.difference - one.bias),
            *(one.standard_error, one.p),
        )
        for one in found.pairs
    ]


PART = Part(
    "Differences of two models",
    "Paired: two models on the same rows, their evidence correlated by 0.6 within each class; "
    "AUC 0.84 and 0.80, continuous or tied, or two models that are equal. Unpaired: the first "
    "two on rows of their own.",
    (*cells_of(list(PAIRS), ("paired",)), *cells_of(("different",), ("unpaired",))),
    {200: 2000, 1000: 2000, 5000: 2000},
    lambda cell: DISTINCT,
    targets,
    simulate,
)
