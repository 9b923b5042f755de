"""The analytic score models of Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Appendix A."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import trapezoid

import costspace as cs


def polygon(scores: Sequence[float], heights: Sequence[float]) -> cs.scores.ScoreDensity:
    """The density in proportion to straight lines through the heights at ascending scores."""
    x, y = np.array(scores), np.array(heights)
    area = trapezoid(y, x)
    return cs.scores.ScoreDensity(
        lambda t: np.interp(t, x, y) / area, scores[0], scores[-1], scores[1:-1]
    )


def uniform(low: float, high: float) -> cs.scores.ScoreDensity:
    """The density of scores spread evenly from low to high."""
    return polygon([low, high], [1, 1])


def _ranked_as_figure_5(power: int) -> tuple[cs.scores.ScoreDensity, cs.scores.ScoreDensity]:
    """The model of Figure 5 with a power of the score in place of the score."""

    def change(t: NDArray[np.float64]) -> NDArray[np.float64]:
        return power * t ** (power - 1)

    return (
        cs.scores.ScoreDensity(lambda t: 2 * (1 - t**power) * change(t)),
        cs.scores.ScoreDensity(lambda t: 2 * t**power * change(t)),
    )


# The densities of the negatives and of the positives, by figure. Figures 7, 10 and 14 do not state
# theirs: these have what the captions say of them.
DENSITIES: Mapping[int, tuple[cs.scores.ScoreDensity, cs.scores.ScoreDensity]] = {
    5: _ranked_as_figure_5(1),
    6: _ranked_as_figure_5(2),
    7: _ranked_as_figure_5(3),
    8: (polygon([0, 1], [1, 0]), cs.scores.ScoreDensity(lambda t: 4 * t**3)),
    9: (polygon([0, 3 / 4, 1], [1, 1, 0]), polygon([0, 1 / 3, 1], [0, 1, 1])),
    10: (
        cs.scores.ScoreDensity(lambda t: 3 * (1 - t) ** 2),
        cs.scores.ScoreDensity(lambda t: 1 + 0.9 * np.sin(6 * np.pi * t)),
    ),
    11: (uniform(0, 1), uniform(0, 1)),
    12: (uniform(0.495, 0.505), uniform(0.495, 0.505)),
    13: (uniform(0, 1), polygon([0, 1], [1, 3])),
    14: (
        polygon([0, 3 / 4, 1], [1, 1, 0]),
        polygon([0, 1 / 3, 3 / 4, 1], [3 / 7, 51 / 49, 51 / 49, 26 / 49]),
    ),
    15: (uniform(0, 0.6), uniform(0.5, 1)),
}

# By the number of the figure; the classes are balanced.
MODELS: Mapping[int, cs.AnalyticScores] = MappingProxyType(
    {figure: cs.AnalyticScores(f0, f1, 0.5) for figure, (f0, f1) in DENSITIES.items()}
)
