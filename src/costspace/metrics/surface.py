"""The ROC surface: at every skew, the line in ROC space that supports the curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats, plain
from costspace.checks import check_conditions, check_rates, check_whole
from costspace.choices import Optimal
from costspace.costs import CostDistribution
from costspace.curve import OperatingPath, OperatingPoints, SmoothCurve, SmoothPath
from costspace.metrics.lesser import lesser_area, mean_triangle, skews_between
from costspace.predictions import Labels, on_axis, source_of
from costspace.samples.rows import NamedScores

# The most points a side: a finer grid cannot be drawn.
_FINEST = 4096


@final
@dataclass(frozen=True, eq=False, repr=False)
class RocSurface:
    """The highest line of slope z / (1 - z) through a ROC curve, for every skew z.

    Points of ROC space above it at z lose less than every point of the curve, points below it lose
    more than the best one. Make one with `roc_surface`.

    Attributes
    ----------
    path : OperatingPath or SmoothPath
        The best point of the curve at each skew: for predictions, from corner to corner of the ROC
        convex hull.

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS, Definition 19.

    Examples
    --------
    >>> import costspace as cs
    >>> surface = cs.roc_surface([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> surface.tpr([0, 0.5, 1], 0.25)
    array([0.83333333, 1. , 1. ])
    >>> surface.lesser_area(0.25), round(surface.volume(), 12)
    (0.958333333333, 0.951713204860)
    """

    path: OperatingPath | SmoothPath

    def __repr__(self) -> str:
        return f"RocSurface({len(self.path.breaks) - 1} pieces)"

    def at(self, z: ArrayLike) -> OperatingPoints:
        """The best point of the curve at each skew; if several, the one that flags fewer."""
        return self._best(check_conditions("a skew", z))

    def tpr(self, fpr: ArrayLike, z: ArrayLike) -> Floats:
        """Height of the surface, cut off at 0 and 1.

        Parameters
        ----------
        fpr, z : float or array in [0, 1]
            False positive rate and skew; they broadcast.

        Returns
        -------
        float or array in [0, 1]
            The true positive rate that costs as much as the best point of the curve.
        """
        x, _, z = check_rates(fpr, 0.0, check_conditions("a skew", z))
        # At skew 1 the line is vertical, and its upper point is the best.
        best = self._best(z, left=True)
        aside = x - best.fpr
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            rise = np.where(aside == 0, 0.0, z / (1 - z) * aside)
        return plain(np.clip(1 - best.fnr + rise, 0, 1))

    def lesser_area(self, z: ArrayLike) -> Floats:
        """Share of ROC space that the best point of the curve beats at each skew, in [1/2, 1]."""
        best = self.at(z)
        return lesser_area(best.fpr, best.fnr, z=z)

    def volume(
        self, *, low: float = 0.0, high: float = 1.0, costs: CostDistribution | None = None
    ) -> float:
        """Volume over the surface: the mean of `lesser_area`.

        Parameters
        ----------
        low, high, costs
            Range and distribution of the skew, as in `voros`.

        Returns
        -------
        float in [1/2, 1]
            Larger is better.
        """
        return 1 - self.room(low=low, high=high, costs=costs)

    def room(
        self, *, low: float = 0.0, high: float = 1.0, costs: CostDistribution | None = None
    ) -> float:
        """Volume under the surface, 1 - `volume`, to full precision where it is small."""
        distribution = skews_between(low, high, costs)
        points = self.path.corners
        if points is None:
            return SmoothCurve(self.path.breaks, self._beating).expectation(distribution)
        odds, inverse_odds = distribution.odds_moments(self.path.breaks)
        mass = distribution.masses(self.path.breaks)
        return float(np.sum(mean_triangle(points.fpr, points.fnr, odds, mass, inverse_odds)))

    def sample(self, resolution: int = 65) -> dict[str, FloatArray]:
        """The surface on a grid, for drawing.

        Parameters
        ----------
        resolution : int, at least 2
            Points along each side of the grid.

        Returns
        -------
        dict of str to array of shape (resolution, resolution)
            "fpr", "tpr" and "skew" of each point; the rows are equally spaced in the skew and the
            columns in FPR.
        """
        side = np.linspace(0, 1, check_whole("resolution", resolution, least=2, most=_FINEST))
        z, x = np.meshgrid(side, side, indexing="ij")
        return {"fpr": x, "tpr": np.asarray(self.tpr(x, z)), "skew": z}

    def columns(self) -> dict[str, FloatArray]:
        """One row a piece: the skews at its ends and the best points there."""
        return self.path.columns()

    def _best(self, z: FloatArray, *, left: bool = False) -> OperatingPoints:
        """The best points of the curve, or their left limits."""
        points = (self.path.left if left else self.path.at)(np.ravel(z))
        return OperatingPoints(points.fpr.reshape(z.shape), points.fnr.reshape(z.shape))

    def _beating(self, z: FloatArray) -> FloatArray:
        return np.asarray(1 - self.lesser_area(z))


def roc_surface(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> RocSurface:
    """The ROC surface of predictions.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable, ScoreCounts or ScoredRows alone
        Labels of two classes and scores, higher meaning more positive.
    pos_label : label, optional
        The label of the positive class.
    sample_weight : array of shape (n,), optional
        Non-negative.

    Returns
    -------
    RocSurface
        It does not depend on the class shares.

    Raises
    ------
    LabelError, ScoreError, WeightError, SourceError
        For labels not of two classes, unusable scores, negative weights or a table that does not
        fit, in this order.

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS, Definition 19.

    Examples
    --------
    >>> import costspace as cs
    >>> surface = cs.roc_surface([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> surface.columns()["fpr_start"], surface.sample(3)["tpr"][1]
    (array([1. , 0.5, 0. , 0. ]), array([0.5, 1. , 1. ]))
    """
    source = source_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return RocSurface(Optimal().path(on_axis(source, "skew")))
