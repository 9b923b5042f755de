"""The prevalence of new rows if only that has changed: scores within a class are as they were."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.estimates.interval import Ends
from costspace.watching.cell_estimates import CellEstimate
from costspace.watching.mixture_cells import MixtureCells

# Halvings of [0, 1], down to the spacing of floats near an end.
_HALVINGS = 60
# What rounding leaves of equal mean ranks.
_ROUNDING = 1e-12


@final
@dataclass(frozen=True, eq=False)
class LabelShift(FrozenValue):
    """The prevalence with the largest likelihood, given the shares of the classes in each cell."""

    cells: MixtureCells  # few, for a ratio of shares without much noise
    estimate: CellEstimate

    @classmethod
    def of(cls, cells: MixtureCells) -> LabelShift:
        """Saerens, Latinne, Decaestecker (2002), Neural Computation 14, solved without EM.

        The log-likelihood is concave in the prevalence, so that its slope has one root at most.
        """
        few, own = cells.merged()
        p = likeliest(*few.shares)
        return cls(few, _mean_of(cells, _ratio(few.shares, p)[own], p))

    def interval(self, quantile: float) -> Ends:
        """All prevalences that a score test does not reject, so many errors of it to each side.

        Its variance is that of a mixture of the classes at that prevalence, and of their own
        shares. An error of the ratio has no part in it of first order, since the slope of the
        likelihood has mean 0 at the truth for any ratio.
        """
        p, ends = self.estimate.value, (0.0, 1.0)
        low, high = (_studentised(self.cells, end) for end in ends)
        return (
            0.0 if low <= quantile else _root(lambda x: self._at(x) - quantile, 0.0, p),
            1.0 if high >= -quantile else _root(lambda x: self._at(x) + quantile, p, 1.0),
        )

    def _at(self, p: float) -> float:
        return _studentised(self.cells, p)


def likeliest(negatives: FloatArray, positives: FloatArray, new: FloatArray) -> float:
    """The mixture of two distributions with the largest likelihood, as its share of the second.

    All are given by the shares that cells have. Cells that neither class has rows in say nothing.
    """
    apart, known = positives - negatives, negatives + positives > 0
    apart, negatives, new = apart[known], negatives[known], new[known]

    def slope(p: float) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = new * apart / (negatives + p * apart)
        return float(np.sum(np.where(new * apart == 0, 0.0, parts)))

    if slope(0.0) <= 0:
        return 0.0
    return 1.0 if slope(1.0) >= 0 else _root(slope, 0.0, 1.0)


def moment_estimate(cells: MixtureCells) -> CellEstimate | None:
    """The prevalence at which the mean rank of new scores is that of a mixture of the classes.

    None if both classes have the same mean rank, up to rounding.

    Lipton, Wang, Smola (2018), arXiv:1802.03916, for a function of the score that is fixed: its
    mid-rank among labelled rows of balanced classes, which any monotone map of the scores keeps.
    """
    rank = _ranks(cells)
    mean = cells.shares @ rank
    if abs(mean[1] - mean[0]) < _ROUNDING:
        return None
    p = float((mean[2] - mean[0]) / (mean[1] - mean[0]))
    return _mean_of(cells, rank, p)


def moment_interval(cells: MixtureCells, quantile: float) -> Ends:
    """All prevalences in [0, 1] that a test of the mean rank does not reject.

    They are between the roots of a quadratic, as in Fieller's interval of a ratio: Fieller (1954),
    Journal of the Royal Statistical Society B 16.
    """
    rank = _ranks(cells)
    start, end, new = (cells.shares @ rank).tolist()
    (square, other, _), z = (cells.shares @ rank**2).tolist(), quantile**2
    n0, n1, m = cells.sizes.tolist()
    own, others = (square - start**2) / n0, (other - end**2) / n1
    apart, rise = end - start, other - square
    # (new - start - p apart)^2 - z (variance of new rows and of both classes at p), by powers of p.
    powers = (
        apart**2 * (1 + z / m) - z * (own + others),
        -2 * (new - start) * apart - z * ((rise - 2 * start * apart) / m - 2 * own),
        (new - start) ** 2 - z * ((square - start**2) / m + own),
    )
    if powers[0] <= 0:
        return 0.0, 1.0
    middle = -powers[1] / (2 * powers[0])
    reach = float(np.sqrt(max(middle**2 - powers[2] / powers[0], 0.0)))
    return min(max(middle - reach, 0.0), 1.0), min(max(middle + reach, 0.0), 1.0)


def _ranks(cells: MixtureCells) -> FloatArray:
    blocks = cells.shares[:2].mean(axis=0)
    found: FloatArray = np.cumsum(blocks) - blocks / 2
    return found


def _ratio(shares: FloatArray, p: float) -> FloatArray:
    """How the log-likelihood of a row in each cell rises with the prevalence; 0 in no mixture."""
    negatives, positives, _ = shares
    mixture, apart = (1 - p) * negatives + p * positives, positives - negatives
    return np.divide(apart, mixture, out=np.zeros_like(apart), where=mixture > 0)


def _mean_of(cells: MixtureCells, function: FloatArray, p: float) -> CellEstimate:
    """The prevalence at which the mean of a function is that of a mixture, as an estimate."""
    mean = cells.shares @ function
    apart = mean[1] - mean[0]
    sides = np.array([-(1 - p), -p, 1.0]) / apart / cells.totals
    return CellEstimate(p, sides[:, None] * (function - mean[:, None]), cells)


def _studentised(cells: MixtureCells, p: float) -> float:
    """The slope of the log-likelihood at a prevalence, in standard errors that it has there.

    It is infinite if rows cannot be where they are.
    """
    shares = cells.shares
    ratio = _ratio(shares, p)
    mixture = (1 - p) * shares[0] + p * shares[1]
    if np.any(shares[2][mixture == 0] > 0):
        return float(np.inf if p == 0 else -np.inf)
    variances = [
        float(own @ ratio**2 - (own @ ratio) ** 2) for own in (shares[0], shares[1], mixture)
    ]
    factors = np.array([(1 - p) ** 2, p * p, 1.0]) / cells.sizes
    variance = float(factors @ variances)
    slope = float(shares[2] @ ratio)
    return slope / float(np.sqrt(variance)) if variance > 0 else 0.0


def _root(f: Callable[[float], float], low: float, high: float) -> float:
    """Where a function falls through 0."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if f(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
