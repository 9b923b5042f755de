"""What it costs to flag a share of the cases, over laws of the costs and of the prevalence."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from scipy.special import expit, logit

from costspace.arrays import BoolArray, FloatArray, Floats, FrozenValue, IndexArray
from costspace.costs.base import NEXT_TO_0
from costspace.deployment.laws import Law
from costspace.deployment.panels import Panels, clenshaw

# Between edges of all laws and log-odds at most 2 apart this is exact to rounding.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
# How many shares of cases may go with one share of those that a threshold is set on.
_MOST_TO_ONE = 1e4
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

    @property
    def can_split(self) -> bool:
        """Whether there are cases to split wherever there are some that are used on.

        Next to none would do, but for rounding.
        """
        some, others = (np.diff(rates).sum(axis=0) for rates in (self.set_on, self.used_on))
        return bool(np.all(others <= _MOST_TO_ONE * some))

    @cached_property
    def mirrored(self) -> "Corners":
        """The curve with the classes exchanged, and being flagged with not being flagged."""
        return Corners(1 - self.set_on[::-1, ::-1], 1 - self.used_on[::-1, ::-1])

    def driven_loss(self, costs: Law, prevalence: Law) -> float:
        """The mean loss if the share of all cases that is not flagged is the cost proportion c.

        Parameters
        ----------
        costs, prevalence : Law
            Of the log-odds of c, weighted by a + b, and of the prevalence.

        Returns
        -------
        float
            Money per case, exact to rounding.
        """
        # Where c is above 1/2, 1 - c is what is small.
        above = costs.between(NEXT_TO_0, np.inf)
        found = 0.0
        for corners, part, of_prevalence in (
            (self, costs.between(-np.inf, 0), prevalence),
            (self.mirrored, above.reflected(), prevalence.reflected()),
        ):
            if part.mass > 0:
                of_negatives, of_positives = _weighted(part)
                _, negatives = _weighted(of_prevalence)
                found += of_negatives.mass * negatives.mass
                found += corners._beyond_flagging_all(of_negatives, of_positives, of_prevalence)
        return found

    def fixed_loss(self, rate: float, costs: Law, prevalence: Law) -> float:
        """The same if the share that is not flagged is one number, whatever the costs."""
        at, nothing = Law(logit([rate]), np.ones(1)), Law(logit([rate]), np.zeros(1))
        of_negatives, of_positives = _weighted(costs)
        missed = self._beyond_flagging_all(nothing, at, prevalence)
        at, nothing = at.reflected(), nothing.reflected()
        flagged = self.mirrored._beyond_flagging_all(nothing, at, prevalence.reflected())
        return of_negatives.mass * flagged + of_positives.mass * missed

    def _beyond_flagging_all(self, of_negatives: Law, of_positives: Law, prevalence: Law) -> float:
        """By how much more is lost than if everybody were flagged.

        Both laws are of the log-odds of the share R that is not flagged, weighted by what a mistake
        on either class costs. From corner k, where R is R_k, to the next everything is linear in R:
        of all cases u_k times what R grows by are negatives, and v_k times are positives. So

            pi0 (1 - FPR) = sum over k of (u_k - u_{k-1}) max(R - R_k, 0)
            pi1 FNR = sum over k of (v_k - v_{k-1}) max(R - R_k, 0)

        and of R only its mean excess over each R_k counts. Each term is analytic in the log-odds
        of the prevalence but where R_k passes an edge of the law of R.
        """
        excess = _Excess(of_negatives, of_positives)
        turns = _Turns.of(self)
        found = sum(
            mass * float(np.sum(turns.parts(excess, w)))
            for w, mass in zip(prevalence.values, prevalence.masses, strict=True)
        )
        if prevalence.density is not None:
            found += turns.integral(excess, prevalence.density.shortened())
        return float(found)


def _weighted(law: Law) -> tuple[Law, Law]:
    """A law of log-odds, weighted by what they are the odds of and by what that leaves to 1."""
    return law.times(expit), law.times(lambda t: expit(-t))


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
        ends = np.sort([self.rates(density.edges[0]), self.rates(density.edges[-1])], axis=0)
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
            at = np.log(-away[0] / away[1])
        corner = np.concatenate([np.repeat(every, len(ends) - 1), passing])
        low = np.concatenate(
            [np.tile(ends[:-1], len(every)), np.fmin(np.fmax(at, ends[0]), ends[-1])]
        )
        order = np.lexsort([low, corner])
        corner, low = corner[order], low[order]
        high = np.where(np.diff(corner, append=-1) == 0, np.append(low[1:], 0.0), ends[-1])
        half, middle = (high - low) / 2, (high + low) / 2
        counts = (half > 0) & (self[corner].rates(middle) < excess.edges[-1])
        turns, half, middle = self[corner[counts]], half[counts], middle[counts]
        found = 0.0
        for node, weight in zip(_NODES, _WEIGHTS, strict=True):
            w = middle + half * node
            found += weight * float(np.sum(half * density(w) * turns.parts(excess, w)))
        return found


@final
class _Excess:
    """The mean of max(R - x, 0) for each x, as R has either of two laws in log-odds.

    They have the same atoms and edges.

    Attributes
    ----------
    edges : array
        Between which it is smooth, ascending; it is 0 from the last on.
    """

    def __init__(self, *laws: Law) -> None:
        order = np.argsort(laws[0].values)
        self._atoms = expit(laws[0].values[order])
        masses = np.array([law.masses[order] for law in laws])
        self._mass, self._moment = (
            np.append(np.cumsum(part[:, ::-1], axis=1)[:, ::-1], np.zeros((len(laws), 1)), axis=1)
            for part in (masses, masses * self._atoms)
        )
        self._densities = [
            # The derivative is minus the mass above.
            (
                law.density.above().times(lambda t: expit(t) * expit(-t)).above().shortened(),
                law.density.mass,
            )
            for law in laws
            if law.density is not None
        ]
        edges = [expit(density.edges) for density, _ in self._densities]
        self.edges = np.unique(np.concatenate([self._atoms, *edges]))

    def __call__(self, x: FloatArray) -> list[FloatArray]:
        above = np.searchsorted(self._atoms, x, side="right")
        found = self._moment[:, above] - x * self._mass[:, above]
        if self._densities:
            ends = self._densities[0][0].edges[[0, -1]]
            panel, u = self._densities[0][0].locate(np.clip(logit(x), *ends))
            below = np.maximum(expit(ends[0]) - x, 0)
            for row, (density, mass) in enumerate(self._densities):
                found[row] += clenshaw(density.coefficients, panel, u) + mass * below
        return list(found)
