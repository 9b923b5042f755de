"""What it costs to flag a share of the cases, over uncertain costs and prevalence."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from scipy.special import expit, logit

from costspace.arrays import BoolArray, FloatArray, Floats, FrozenValue, IndexArray
from costspace.deployment.measures import Measure, Panels

# Between edges of all densities and log-odds at most 2 apart this is exact to rounding.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
# How many shares of cases may go with one share of those that a threshold is set on.
_MOST_TO_ONE = 1e4
# The same in the mean over the prevalence, of cases of the class that is not split.
_MOST_IN_MEAN = 1e6
# So many stretches of log-odds at once.
_BLOCK = 1 << 14


@final
@dataclass(frozen=True, eq=False)
class Corners(FrozenValue):
    """The corners of a ROC curve, from where everybody is flagged to where nobody is.

    A threshold that is to flag a share of the cases is set on some of them, blocks of tied scores
    being split at random, and is used on others or on the same.

    Attributes
    ----------
    set_on : array of shape (2, m)
        Share of the negatives and of the positives it is set on that is not flagged, from 0 to 1.
    used_on : array of shape (2, m)
        The same of those it is used on.
    """

    set_on: FloatArray
    used_on: FloatArray

    @classmethod
    def of_curve(cls, fpr: FloatArray, fnr: FloatArray) -> "Corners":
        """Where a curve turns, of which the points are given: a run of one class is straight."""
        points = np.stack([1 - fpr, fnr])
        points = points[:, np.append(True, np.any(np.diff(points) > 0, axis=0))]
        same = np.diff(points) == 0
        straight = np.any(same[:, 1:] & same[:, :-1], axis=0)
        points = points[:, np.concatenate([[True], ~straight, [True]])]
        return cls(points, points)

    def can_split(self, prevalence: Measure) -> bool:
        """Whether there are cases to split wherever there are some that are used on.

        Next to none would do, but for rounding. Where there are some of one class only, they are
        next to none at a prevalence at which that class is.
        """
        some, others = np.diff(self.set_on), np.diff(self.used_on)
        if np.any(others.sum(axis=0) > _MOST_TO_ONE * some.sum(axis=0)):
            return False
        for own, other, odds in ((0, 1, np.exp), (1, 0, _inverse_odds)):
            alone = (some[other] == 0) & (others[other] > 0) & (some[own] > 0)
            if np.any(alone):
                most = float(np.max(others[other, alone] / some[own, alone]))
                if not most * prevalence.times(odds).mass <= _MOST_IN_MEAN:
                    return False
        return True

    @cached_property
    def mirrored(self) -> "Corners":
        """The curve with the classes exchanged, and being flagged with not being flagged."""
        return Corners(1 - self.set_on[::-1, ::-1], 1 - self.used_on[::-1, ::-1])

    def driven_loss(self, costs: Measure, prevalence: Measure) -> float:
        """The mean loss if the share of all cases that is not flagged is the cost proportion c.

        Parameters
        ----------
        costs, prevalence : Measure
            Of the log-odds of c, weighted by a + b, and of the log-odds of the prevalence.

        Returns
        -------
        float
            Money per case.
        """
        everybody, nobody = (
            costs.times(one).mass * prevalence.times(other).mass
            for one, other in ((expit, _rest), (_rest, expit))
        )
        if everybody <= nobody:
            found = self._beyond_flagging_all(costs.times(expit), costs.times(_rest), prevalence)
            return everybody + found
        # What is lost beyond the lesser of the two is told more exactly.
        costs, prevalence = costs.reflected(), prevalence.reflected()
        return nobody + self.mirrored._beyond_flagging_all(
            costs.times(expit), costs.times(_rest), prevalence
        )

    def fixed_loss(self, rate: float, costs: Measure, prevalence: Measure) -> float:
        """The same if the share that is not flagged is one number, whatever the costs."""
        at, nothing = (Measure(logit([rate]), np.array([mass])) for mass in (1.0, 0.0))
        missed = self._beyond_flagging_all(nothing, at, prevalence)
        flagged = self.mirrored._beyond_flagging_all(
            nothing.reflected(), at.reflected(), prevalence.reflected()
        )
        return costs.times(expit).mass * flagged + costs.times(_rest).mass * missed

    def _beyond_flagging_all(
        self, of_negatives: Measure, of_positives: Measure, prevalence: Measure
    ) -> float:
        """By how much more is lost than if everybody were flagged.

        Both measures are of the log-odds of the share R that is not flagged, weighted by what a
        mistake on either class costs. From corner k, where R is R_k, to the next everything is
        linear in R: of all cases u_k times what R grows by are negatives, and v_k times are
        positives. So

            pi0 (1 - FPR) = sum over k of (u_k - u_{k-1}) max(R - R_k, 0)
            pi1 FNR = sum over k of (v_k - v_{k-1}) max(R - R_k, 0)

        and of R only its mean excess over each R_k counts. Each term is analytic in the log-odds
        of the prevalence but where R_k passes an edge of the measure of R.
        """
        excess = _Excess(of_negatives, of_positives)
        turns = _Turns.of(self)
        found = sum(
            mass * float(np.sum(turns.parts(excess, w)))
            for w, mass in zip(prevalence.values, prevalence.masses, strict=True)
        )
        found += sum(turns.integral(excess, d.shortened()) for d in prevalence.densities)
        return float(found)


def _inverse_odds(log_odds: FloatArray) -> FloatArray:
    return np.exp(-log_odds)


def _rest(log_odds: FloatArray) -> FloatArray:
    """What a share of these log-odds leaves to 1."""
    return np.asarray(expit(-log_odds))


@final
@dataclass(frozen=True, eq=False)
class _Turns(FrozenValue):
    """Corners, each with the lines of the curve before and after it.

    Attributes
    ----------
    unflagged : array of shape (2, m)
        Shares of the classes that the threshold is set on.
    before, after : arrays of shape (4, m)
        Shares passed along the line: of the classes that it is set on, and that it is used on.
    """

    unflagged: FloatArray
    before: FloatArray
    after: FloatArray

    @classmethod
    def of(cls, corners: Corners) -> "_Turns":
        lines = np.diff(np.concatenate([corners.set_on, corners.used_on]))
        # Where there is nothing to split, nothing is passed, and divided by anything but 0.
        lines[0, ~np.any(lines[:2] > 0, axis=0)] = 1.0
        first = np.array([[1.0], [0.0], [0.0], [0.0]])
        before = np.concatenate([first, lines[:, :-1]], axis=1)
        return cls(corners.set_on[:, :-1], before, lines)

    def __getitem__(self, which: slice | BoolArray | IndexArray) -> "_Turns":
        return _Turns(self.unflagged[:, which], self.before[:, which], self.after[:, which])

    def rates(self, w: Floats) -> FloatArray:
        """Share of all cases that each corner leaves unflagged at log-odds of the prevalence."""
        odds = np.exp(-w)
        return np.asarray((self.unflagged[0] * odds + self.unflagged[1]) / (1 + odds))

    def parts(self, excess: "_Excess", w: Floats) -> FloatArray:
        """What each corner adds to the loss."""
        odds = np.exp(-w)
        of_negatives, of_positives = excess(self.rates(w))
        found: Floats = 0.0
        for sign, line in ((1, self.after), (-1, self.before)):
            lost = line[3] * of_positives - line[2] * odds * of_negatives
            found = found + sign * lost / (line[0] * odds + line[1])
        return np.asarray(found)

    def integral(self, excess: "_Excess", density: Panels) -> float:
        """The sum of the parts, integrated over a density of the log-odds of the prevalence."""
        first_w, last_w = density.origin + density.edges[[0, -1]]
        ends = np.sort([self.rates(first_w), self.rates(last_w)], axis=0)
        counts = ends[0] < excess.edges[-1]
        turns, (low, high) = self[counts], ends[:, counts]
        first = np.searchsorted(excess.edges, low, side="right")
        passed = np.maximum(np.searchsorted(excess.edges, high, side="left") - first, 0)
        stretches = np.cumsum(passed + len(density.edges) - 1)
        found, start = 0.0, 0
        while start < len(passed):
            stop = int(np.searchsorted(stretches, stretches[start] + _BLOCK)) + 1
            some = slice(start, stop)
            found += turns[some]._over_stretches(excess, density, first[some], passed[some])
            start = stop
        return found

    def _over_stretches(
        self, excess: "_Excess", density: Panels, first: IndexArray, passed: IndexArray
    ) -> float:
        """The integral, cut where each corner passes so many edges from a first on."""
        every, ends = np.arange(len(passed)), density.edges
        passing = np.repeat(every, passed)
        edge = np.arange(len(passing)) + np.repeat(first - np.cumsum(passed) + passed, passed)
        away = excess.edges[edge] - self.unflagged[:, passing]
        with np.errstate(divide="ignore", invalid="ignore"):
            at = np.log(-away[0] / away[1]) - density.origin
        corner = np.concatenate([np.repeat(every, len(ends) - 1), passing])
        low = np.concatenate(
            [np.tile(ends[:-1], len(every)), np.fmin(np.fmax(at, ends[0]), ends[-1])]
        )
        order = np.lexsort([low, corner])
        corner, low = corner[order], low[order]
        high = np.where(np.diff(corner, append=-1) == 0, np.append(low[1:], 0.0), ends[-1])
        half, middle = (high - low) / 2, (high + low) / 2
        counts = (half > 0) & (self[corner].rates(density.origin + middle) < excess.edges[-1])
        turns, half, middle = self[corner[counts]], half[counts], middle[counts]
        found = 0.0
        for node, weight in zip(_NODES, _WEIGHTS, strict=True):
            x = middle + half * node
            parts = turns.parts(excess, density.origin + x)
            found += weight * float(np.sum(half * density(x) * parts))
        return found


@final
class _Excess:
    """The mean of max(R - x, 0) for each x, by either of two measures of the log-odds of R.

    One is the other times a function: they have the same atoms and panels.

    Attributes
    ----------
    edges : array
        Between which it is smooth, ascending; it is 0 from the last on.
    """

    def __init__(self, *measures: Measure) -> None:
        order = np.argsort(measures[0].values)
        self._atoms = expit(measures[0].values[order])
        masses = np.array([measure.masses[order] for measure in measures])
        self._mass, self._moment = (
            np.append(np.cumsum(part[:, ::-1], axis=1)[:, ::-1], np.zeros((len(measures), 1)), 1)
            for part in (masses, masses * self._atoms)
        )
        self._densities = list(zip(*(measure.densities for measure in measures), strict=True))
        self._integrals = [
            # The derivative is minus the mass above.
            [d.above().times(lambda t: expit(t) * expit(-t)).above().shortened() for d in each]
            for each in self._densities
        ]
        panels = [expit(first.origin + first.edges) for first, *_ in self._densities]
        self.edges = np.unique(np.concatenate([self._atoms, *panels]))

    def __call__(self, x: FloatArray) -> FloatArray:
        after = np.searchsorted(self._atoms, x, side="right")
        found = self._moment[:, after] - x * self._mass[:, after]
        for densities, integrals in zip(self._densities, self._integrals, strict=True):
            first = densities[0]
            place = first.locate(logit(x) - first.origin)
            below = np.maximum(expit(first.origin) - x, 0)
            for i, (density, integral) in enumerate(zip(densities, integrals, strict=True)):
                found[i] += integral.at(*place) + density.mass * below
        return found
