"""The lecture's classifiers: its own and, where it gives no numbers, others in their place."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

import costspace as cs

# The rules 1R and C4.5, as the ends of their cost lines.
ONE_R_AND_C45 = cs.OperatingPoints(np.array([0.20, 0.13]), np.array([0.08, 0.18]))

# The slide's classifiers 1 to 3 have no numbers: here as there 3 always beats 1, and 3 beats 2
# while less than 0.7 of the rows are positive.
THREE_CLASSIFIERS = cs.OperatingPoints(np.array([0.3, 0.45, 0.1]), np.array([0.5, 0.15, 0.3]))

# Points of one ROC curve each. The lines of A fall, those of B rise.
_RATES = np.array([0.4, 0.5, 0.6, 0.7, 0.8])
FAMILIES: Mapping[str, cs.OperatingPoints] = MappingProxyType(
    {
        "A": cs.OperatingPoints(_RATES, 1 - _RATES ** (1 / 4)),
        "B": cs.OperatingPoints(1 - _RATES ** (1 / 3), _RATES),
    }
)

# Scores whose densities are triangles, for thresholds of one classifier.
TRIANGLES = cs.AnalyticScores(
    cs.scores.ScoreDensity(lambda t: 2 * (1 - t)), cs.scores.ScoreDensity(lambda t: 2 * t), 0.5
)

_EVEN = cs.scores.ScoreDensity(np.ones_like)
# Two models that rank alike with the classes exchanged, so their cost curves cross at 1/2.
MIRRORED: Mapping[str, cs.AnalyticScores] = MappingProxyType(
    {
        "f1": cs.AnalyticScores(_EVEN, cs.scores.ScoreDensity(lambda t: 4 * t**3), 0.5),
        "f2": cs.AnalyticScores(cs.scores.ScoreDensity(lambda t: 4 * (1 - t) ** 3), _EVEN, 0.5),
    }
)
