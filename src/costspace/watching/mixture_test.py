"""A test of whether new scores can be a mixture of those of both classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.notebook import OneRow
from costspace.special import gammaincc
from costspace.watching.mixture_cells import MixtureCells


@final
@dataclass(frozen=True)
class MixtureTest(OneRow):
    """A test of the hypothesis that new scores are a mixture of those of both classes.

    Attributes
    ----------
    statistic : float
        Non-negative; chi-squared distributed if they are.
    degrees : int
        Degrees of freedom: cells minus 2. With none of them nothing can speak against a mixture.
    p : float in [0, 1]
        P-value.
    cells : int
        How many cells of scores were compared.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> n = np.arange(400)
    >>> y = (n % 7 < 2).astype(int)
    >>> s = n % 80 / 80 + y / 2
    >>> before = cs.ScoreTable.from_predictions(y, s)
    >>> cs.watching.drift_unlabelled(before, np.full(100, 0.9)).test.p < 0.001
    True
    """

    statistic: float
    degrees: int
    p: float
    cells: int


def mixture_test(cells: MixtureCells, p: float) -> MixtureTest:
    """Test that the new scores are a mixture, with the errors of both samples.

    Parameters
    ----------
    cells : MixtureCells
        Few enough for ten rows of either class in each.
    p : float in [0, 1]
        An estimate of the prevalence, at which variances are taken.

    Notes
    -----
    The shares of new rows, less those of a mixture, are about normal; the statistic is their
    squared length in units of their errors, least over all prevalences (generalised least squares).
    """
    degrees = max(len(cells) - 2, 0)
    if degrees == 0:
        return MixtureTest(0.0, 0, 1.0, len(cells))
    negatives, positives, new = cells.shares
    mixture = (1 - p) * negatives + p * positives
    n0, n1, m = cells.sizes
    variance = (
        _covariance(negatives) * (1 - p) ** 2 / n0
        + _covariance(positives) * p * p / n1
        + _covariance(mixture) / m
    )
    # Shares sum to 1, so that the last cell says nothing more.
    sides = np.stack([new - negatives, positives - negatives], axis=1)[:-1]
    (own, across), (_, along) = sides.T @ np.linalg.solve(variance[:-1, :-1], sides)
    statistic = max(float(own - across**2 / along), 0.0)
    return MixtureTest(statistic, degrees, float(gammaincc(degrees / 2, statistic / 2)), len(cells))


def _covariance(shares: FloatArray) -> FloatArray:
    """Of the shares of cells in one row."""
    found: FloatArray = np.diag(shares) - np.outer(shares, shares)
    return found
