"""The cost of flagging a share of the cases, over uncertain costs and prevalence."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, Floats, FrozenValue, IndexArray
from costspace.deployment.measures import Measure
from costspace.deployment.panels import Panels
from costspace.special import expit, logit

# Exact to rounding between edges of all densities, over log-odds at most 2 apart.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
# The largest ratio of a share of cases to the share of those that the threshold is set on.
_MOST_TO_ONE = 1e4
# The share of all cases that a line passes: on shorter lines the result would be rounding.
_SHORT = 1e-9
# So many neighbouring corners at once: they mostly pass the same edges.
_BLOCK = 1 << 11


@final
@dataclass(frozen=True, eq=False)
class Corners(FrozenValue):
    """The corners of a ROC curve, from where everybody is flagged to where nobody is.

    A threshold that flags a share of the cases is set on some cases, splitting tied scores at
    random, and used on the same or on others.
    """

    # Shape (2, m): share not flagged of the negatives and of the positives that it is set on, from
    # 0 to 1.
    set_on: FloatArray
    used_on: FloatArray  # shape (2, m): the same of those that it is used on

    @classmethod
    def of_curve(cls, fpr: FloatArray, fnr: FloatArray) -> "Corners":
        """The points at which a curve turns: it is straight over a run of scores of one class."""
        points = np.stack([1 - fpr, fnr])
        points = points[:, np.append(True, np.any(np.diff(points) > 0, axis=0))]
        same = np.diff(points) == 0
        straight = np.any(same[:, 1:] & same[:, :-1], axis=0)
        points = points[:, np.concatenate([[True], ~straight, [True]])]
        return cls(points, points)

    @property
    def can_split(self) -> bool:
        """Whether it is set on some cases wherever it is used on some.

        Rounding forbids shares that are too small.
        """
        some, others = (np.diff(rates).sum(axis=0) for rates in (self.set_on, self.used_on))
        return bool(np.all(others <= _MOST_TO_ONE * some))

    @cached_property
    def mirrored(self) -> "Corners":
        """The curve with the classes exchanged, and flagged exchanged with not flagged."""
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
            Cost per case.
        """
        return self._loss(costs.times(expit), costs.times(_rest), prevalence)

    def fixed_loss(self, rate: float, costs: Measure, prevalence: Measure) -> float:
        """The same if the share that is not flagged does not depend on the costs."""
        of_negatives, of_positives = (
            Measure(logit([rate]), np.array([costs.times(weight).mass]))
            for weight in (expit, _rest)
        )
        return self._loss(of_negatives, of_positives, prevalence)

    def _loss(self, of_negatives: Measure, of_positives: Measure, prevalence: Measure) -> float:
        """The mean loss, given the share not flagged weighted by the costs of either class."""
        everybody = of_negatives.mass * prevalence.times(_rest).mass
        nobody = of_positives.mass * prevalence.times(expit).mass
        if everybody <= nobody:
            return everybody + self._beyond_flagging_all(of_negatives, of_positives, prevalence)
        # The loss beyond the smaller of the two is more exact.
        return nobody + self.mirrored._beyond_flagging_all(
            of_positives.reflected(), of_negatives.reflected(), prevalence.reflected()
        )

    def _beyond_flagging_all(
        self, of_negatives: Measure, of_positives: Measure, prevalence: Measure
    ) -> float:
        """The loss minus that of flagging everybody.

        Both measures are of the log-odds of the share R that is not flagged, weighted by what a
        mistake on either class costs. From corner k, where R is R_k, to the next all is linear in
        R: per unit of R, u_k of all cases are negatives and v_k positives. So

            pi0 (1 - FPR) = sum over k of (u_k - u_{k-1}) max(R - R_k, 0)
            pi1 FNR = sum over k of (v_k - v_{k-1}) max(R - R_k, 0)

        and only the mean excess of R over each R_k counts. Each term is analytic in the log-odds of
        the prevalence, except where R_k passes an edge of the measure of R.
        """
        excess = _Excess(of_negatives, of_positives)
        turns = _Turns.of(self)
        found = sum(
            mass * float(np.sum(turns.parts(excess, w)))
            for w, mass in zip(prevalence.values, prevalence.masses, strict=True)
        )
        found += sum(turns.integral(excess, d) for d in prevalence.densities)
        return float(found)


def _rest(log_odds: FloatArray) -> FloatArray:
    """1 minus a share with these log-odds."""
    return np.asarray(expit(-log_odds))


@final
@dataclass(frozen=True, eq=False)
class _Turns(FrozenValue):
    """Corners, each with the lines of the curve before and after it."""

    unflagged: FloatArray  # shape (2, m): shares of the classes that the threshold is set on
    # Shape (4, m): shares passed along the line: of the classes that it is set on, and that it is
    # used on.
    before: FloatArray
    after: FloatArray

    @classmethod
    def of(cls, corners: Corners) -> "_Turns":
        lines = np.diff(np.concatenate([corners.set_on, corners.used_on]))
        # A line without cases to split passes nothing: divide by 1 instead of 0.
        lines[0, ~np.any(lines[:2] > 0, axis=0)] = 1.0
        first = np.array([[1.0], [0.0], [0.0], [0.0]])
        before = np.concatenate([first, lines[:, :-1]], axis=1)
        return cls(corners.set_on[:, :-1], before, lines)

    def __getitem__(self, which: slice | BoolArray | IndexArray) -> "_Turns":
        return _Turns(self.unflagged[:, which], self.before[:, which], self.after[:, which])

    def rates(self, w: Floats) -> FloatArray:
        """Share of all cases that is unflagged at each corner, at log-odds of the prevalence."""
        odds = np.exp(-w)
        return np.asarray((self.unflagged[0] * odds + self.unflagged[1]) / (1 + odds))

    def parts(self, excess: "_Excess", w: Floats) -> FloatArray:
        """The contribution of each corner to the loss."""
        odds, rates = np.exp(-w), self.rates(w)
        of_negatives, of_positives = excess(rates)
        found: Floats = 0.0
        for sign, line in ((1, self.after), (-1, self.before)):
            lost = line[3] * of_positives - line[2] * odds * of_negatives
            passed = np.maximum(line[0] * odds + line[1], _SHORT * (1 + odds))
            found = found + sign * lost / passed
        return np.asarray(found + self._on_short_lines(excess, rates, odds))

    def _on_short_lines(self, excess: "_Excess", rates: FloatArray, odds: Floats) -> FloatArray:
        """The loss on lines along which a difference of excesses is mostly rounding.

        They count as points: the whole loss of a line occurs where R is beyond it.
        """
        line = self.after
        share = 1 - (line[0] * odds + line[1]) / (_SHORT * (1 + odds))
        found, short = np.zeros(share.shape), share > 0
        if short.any():
            of_negatives, of_positives = excess.beyond(rates[short])
            line, odds = line[:, short], np.broadcast_to(odds, share.shape)[short]
            lost = line[3] * of_positives - line[2] * odds * of_negatives
            found[short] = share[short] * lost / (1 + odds)
        return found

    def integral(self, excess: "_Excess", density: Panels) -> float:
        """The sum of the parts, integrated over a density of the log-odds of the prevalence."""
        least = np.min(self.rates((density.origin + density.edges[[0, -1]])[:, None]), axis=0)
        turns = self[least < excess.edges[-1]]
        return sum(
            turns[start : start + _BLOCK]._integral(excess, density)
            for start in range(0, turns.unflagged.shape[1], _BLOCK)
        )

    def _integral(self, excess: "_Excess", density: Panels) -> float:
        """The same, cut where a corner passes an edge, and between panels."""
        reached = self.rates((density.origin + density.edges[[0, -1]])[:, None])
        passed = excess.edges[(excess.edges > reached.min()) & (excess.edges < reached.max())]
        away = passed[:, None] - self.unflagged[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            at = np.log(-away[0] / away[1]) - density.origin
        panels = np.broadcast_to(density.edges[:, None], (len(density.edges), at.shape[1]))
        cuts = np.sort(np.concatenate([np.fmin(np.fmax(at, 0), density.width), panels]), axis=0)
        half, middle = np.diff(cuts, axis=0) / 2, (cuts[1:] + cuts[:-1]) / 2
        counts = (half > 0) & (self.rates(density.origin + middle) < excess.edges[-1])
        turns, half, middle = self[np.nonzero(counts)[1]], half[counts], middle[counts]
        found = 0.0
        for node, weight in zip(_NODES, _WEIGHTS, strict=True):
            x = middle + half * node
            parts = turns.parts(excess, density.origin + x)
            found += weight * float(np.sum(half * density(x) * parts))
        return found


@final
class _Excess:
    """The mean of max(R - x, 0) for each x, by either of two measures of the log-odds of R.

    The two measures have the same atoms and panels: one is the other times a function.

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
            [d.above().times(lambda t: expit(t) * expit(-t)).above() for d in each]
            for each in self._densities
        ]
        panels = [expit(first.origin + first.edges) for first, *_ in self._densities]
        self.edges = np.unique(np.concatenate([self._atoms, *panels]))

    def beyond(self, x: FloatArray) -> FloatArray:
        """The mass of R beyond each x."""
        found = self._mass[:, np.searchsorted(self._atoms, x, side="right")]
        for densities in self._densities:
            for i, density in enumerate(densities):
                found[i] += density.above()(logit(x) - density.origin)
        return found

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
