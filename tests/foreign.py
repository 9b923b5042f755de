"""Variants of the open axes as a user would write them, of whom the package knows nothing."""

from dataclasses import dataclass

import numpy as np

import costspace as cs
from costspace.choices.flagging import SwitchedFlagging


@dataclass(frozen=True)
class Bare(cs.ThresholdChoice):
    """The nearest of a few thresholds on the score; it answers no more than it has to."""

    settings: tuple[float, ...] = (0.2, 0.5, 0.8)

    @property
    def _ends(self):
        settings = np.array(self.settings)
        return np.append((settings[1:] + settings[:-1]) / 2, 1.0)

    def path(self, source):
        points = source.at_score(np.append(self.settings, np.inf))
        return cs.OperatingPath.stepping(self._ends, points, source.prevalence)

    def flagging(self, source, scores):
        exceeded = np.searchsorted(self.settings, scores, side="left")
        until = np.append(0.0, self._ends)[exceeded]
        return SwitchedFlagging(until, until)


@dataclass(frozen=True)
class Settings(Bare):
    """The same, and it says of itself what is so."""

    @property
    def monotone(self):
        return "rates"

    @property
    def sees(self):
        return frozenset({"costs"})

    @property
    def follows(self):
        return "nothing"

    def thresholds(self, cost_proportion, prevalence):
        nearest = np.searchsorted(self._ends, cost_proportion, side="right")
        return np.append(self.settings, np.inf)[nearest]


class LeastLoss(cs.ThresholdChoice):
    """The threshold of least loss, written anew."""

    @property
    def least_loss(self):
        return True

    @property
    def by_rank(self):
        return True

    def path(self, source):
        return cs.Optimal().path(source)

    def flagging(self, source, scores):
        return cs.Optimal().flagging(source, scores)


class Parabola(cs.CostDistribution):
    """The density 6 x (1 - x), by the four methods that a distribution has to answer."""

    def below(self, c, power):
        x = np.clip(c, 0, 1)
        return 6 * (x ** (power + 2) / (power + 2) - x ** (power + 3) / (power + 3))

    def complement_from(self, c):
        rest = 1 - np.clip(c, 0, 1)
        return 2 * rest**3 - 1.5 * rest**4

    def odds_moments(self, edges):
        x = np.clip(edges, 0, 1)
        return np.diff(2 * x**3), np.diff(-2 * (1 - x) ** 3)

    def __str__(self):
        return "parabola"
