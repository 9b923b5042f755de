"""Variants of the open axes as a user would write them, unknown to the package."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import costspace as cs
from costspace.choices import SlidingFlagging, SwitchedFlagging
from costspace.choices.flagging import Flagging
from costspace.scores import SteppedLookUp, Straight


@dataclass(frozen=True)
class Bare(cs.ThresholdChoice):
    """The nearest of a few thresholds on the score; it answers no more than it has to."""

    settings: tuple[float, ...] = (0.2, 0.5, 0.8)

    @property
    def _ends(self):
        settings = np.array(self.settings)
        return np.append((settings[1:] + settings[:-1]) / 2, 1.0)

    def path(self, source):
        points = source.by_score.at(np.append(self.settings, np.inf))
        return cs.OperatingPath.stepping(self._ends, points, source.prevalence)

    def flagging(self, source, scores):
        exceeded = np.searchsorted(self.settings, scores, side="left")
        until = np.append(0.0, self._ends)[exceeded]
        return SwitchedFlagging(until)


@dataclass(frozen=True)
class Settings(Bare):
    """The same, and it says of itself what is so."""

    monotone = "rates"
    sees = frozenset({"costs"})
    follows = "nothing"

    def threshold_at(self, cost_proportion, prevalence):
        nearest = np.searchsorted(self._ends, cost_proportion, side="right")
        return np.append(self.settings, np.inf)[nearest]


class Unsaid(Flagging):
    """Another flagging, which answers no more than it has to."""

    def __init__(self, flagging):
        self._flagging = flagging

    def exposure(self, costs):
        return self._flagging.exposure(costs)

    def path(self, points, prevalence):
        return self._flagging.path(points, prevalence)


class SettingsUnsaid(Settings):
    """The same thresholds, whose flagging does not say up to where it flags."""

    def flagging(self, source, scores):
        return Unsaid(super().flagging(source, scores))


@dataclass(frozen=True)
class RecallReached(cs.ThresholdChoice):
    """At condition c flag the fewest rows with which the recall is at least 1 - c.

    The more false positives cost, the more positives may be missed. A block of tied scores is split
    at random. Of the negatives, with `positives` False, it is the false positive rate that is
    1 - c.
    """

    positives: bool = True

    @property
    def by_rank(self) -> bool:
        return True

    @property
    def sees(self):  # at a cost proportion the same point, whatever the prevalence
        return frozenset({"costs"})

    @property
    def _mix(self) -> tuple[float, float]:
        return (0.0, 1.0) if self.positives else (1.0, 0.0)

    def path(self, source: cs.ScoreSource) -> Any:
        return source.by_share(*self._mix).path(source.prevalence, Straight(1, 0))

    def flagging(self, source: cs.ScoreSource, scores: Any) -> SlidingFlagging:
        block = source.block_of(scores)
        shares = (source.share_at(block, *self._mix, most=most) for most in (True, False))
        return SlidingFlagging(*(1 - share for share in shares))


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


class Known(cs.ScoreSource):
    """Finitely many scores and the shares of each class that have them: only what is abstract."""

    def __init__(self, scores: Any, negatives: Any, positives: Any, prevalence: float) -> None:
        self._scores, self._prevalence = np.asarray(scores, dtype=float), prevalence
        self._shares = np.asarray(negatives, dtype=float), np.asarray(positives, dtype=float)

    prevalence = property(lambda self: self._prevalence)

    def with_prevalence(self, prevalence: float) -> "Known":
        return Known(self._scores, *self._shares, prevalence)

    @property
    def by_score(self) -> SteppedLookUp:
        below = [np.append(0.0, np.cumsum(share)) for share in self._shares]
        negatives, positives = (share / share[-1] for share in below)
        return SteppedLookUp(self._scores, cs.OperatingPoints(1 - negatives, positives))
