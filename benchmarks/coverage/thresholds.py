"""Intervals for the threshold of least loss, by `threshold_interval`."""

import numpy as np
from scipy.special import logit

import costspace as cs
from benchmarks.coverage.models import MODELS
from benchmarks.coverage.samples import drawn
from benchmarks.coverage.study import LEVEL, Cell, Part, cells_of

# On the skew axis as they are; on the cost axis the cost proportions of these skews.
SKEWS = (0.2, 0.5, 0.8)
QUANTITIES = tuple(f"threshold.{axis} at skew {z:g}" for axis in ("cost", "skew") for z in SKEWS)


def targets(cell: Cell) -> np.ndarray:
    # The likelihood ratio of the last row that is better not flagged.
    best = MODELS[cell.scores].of_evidence(logit(np.array(SKEWS)), cell.prevalence)
    return np.tile(best, 2)


def simulate(cell: Cell, simulation: int) -> list[tuple[float, ...]]:
    positive, scores = drawn(cell, simulation)
    rows = []
    for axis in ("cost", "skew"):
        for skew in SKEWS:
            odds = skew / (1 - skew) * cell.prevalence / (1 - cell.prevalence)
            one = cs.threshold_interval(
                positive,
                scores,
                condition=odds / (1 + odds) if axis == "cost" else skew,
                axis=axis,
                level=LEVEL,
            )
            low, high, threshold = np.clip([one.low, one.high, one.threshold], 0, 1)
            rows.append((low, high, threshold, threshold))
    return rows


PART = Part(
    "Thresholds of least loss",
    "Of independent rows, at three conditions on each axis. Tied scores: the interval contains "
    "the score from which the best thresholds reach to the next.",
    cells_of(list(MODELS), ("independent",)),
    {200: 1000, 1000: 1000, 5000: 1000},
    lambda cell: QUANTITIES,
    targets,
    simulate,
)
