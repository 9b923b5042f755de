"""Points and models of our own, where the lecture on cost curves gives no numbers."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import numpy as np

from costspace.arrays import FloatArray
from costspace.curve import OperatingPoints
from costspace.scores.analytic import AnalyticScores
from costspace.scores.density import ScoreDensity

# The slide's classifiers 1 to 3 have no numbers: here as there 3 always beats 1, and 3 beats 2
# while less than 0.7 of the examples are positive.
THREE_CLASSIFIERS = OperatingPoints(np.array([0.3, 0.45, 0.1]), np.array([0.5, 0.15, 0.3]))

# Points of one ROC curve each. The lines of A fall, those of B rise.
_RATES = np.array([0.4, 0.5, 0.6, 0.7, 0.8])
FAMILIES: Mapping[str, OperatingPoints] = MappingProxyType(
    {
        "A": OperatingPoints(_RATES, 1 - _RATES ** (1 / 4)),
        "B": OperatingPoints(1 - _RATES ** (1 / 3), _RATES),
    }
)


@cache
def mirrored_models() -> Mapping[str, AnalyticScores]:
    """Two models that rank alike with the classes exchanged, so their cost curves cross at 1/2."""

    def flat(t: FloatArray) -> FloatArray:
        return np.ones_like(t)

    return MappingProxyType(
        {
            "f1": AnalyticScores(ScoreDensity(flat), ScoreDensity(lambda t: 4 * t**3), 0.5),
            "f2": AnalyticScores(ScoreDensity(lambda t: 4 * (1 - t) ** 3), ScoreDensity(flat), 0.5),
        }
    )
