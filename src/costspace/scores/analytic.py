"""The analytic source: a density of the scores of each class."""

from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, ScoreFunction
from costspace.checks import check_prevalence
from costspace.condition import cost_from_skew
from costspace.curve import OperatingPoints
from costspace.samples.sorting import Side
from costspace.scores.base import ScoreSource
from costspace.scores.density import as_scores
from costspace.scores.density_pair import DensityPair
from costspace.scores.look_ups import LookUp, SmoothLookUp
from costspace.scores.spread import SpreadScores

_SIDES: tuple[Side, Side] = "right", "left"


@final
@dataclass(frozen=True, eq=False, init=False, repr=False)
class AnalyticScores(ScoreSource):
    """A score model with a density for each class.

    It works with every choice, curve and metric, like a `ScoreTable`. Integrals are by adaptive
    quadrature to about 1e-13, loss curves piecewise within 1e-12; thresholds of least loss are
    found on a grid of thousands and refined inside its cells. Densities of a scipy distribution
    may have poles at their ends. At an end other than 0, scores between two neighbouring floats
    count as one, and an unbounded loss there is exact up to their share.

    Parameters
    ----------
    negatives, positives : frozen scipy distribution, ScoreDensity, or callable
        The score distribution of each class; a callable is a density on [0, 1].
    prevalence : float in (0, 1)
        Share of positives.

    Raises
    ------
    ScoreError
        If a distribution is invalid, or a density is negative or does not integrate to 1.
    ConditionError
        If the prevalence is not inside (0, 1).

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2 and Appendix A.

    Examples
    --------
    The model of Figure 8 of the paper:

    >>> import costspace as cs
    >>> model = AnalyticScores(lambda x: 2 * (1 - x), lambda x: 4 * x**3, 0.5)
    >>> model
    AnalyticScores(prevalence 0.5)
    >>> round(cs.expected_loss(model, choice=cs.Optimal()), 7), round(model.auc, 7)
    (0.1025619, 0.9333333)
    """

    pair: DensityPair
    _prevalence: float
    untied_pairs = 0.5

    def __init__(self, negatives: Any, positives: Any, prevalence: float) -> None:
        self._hold(DensityPair(as_scores(negatives), as_scores(positives)), prevalence)

    def _hold(self, pair: DensityPair, prevalence: float) -> None:
        object.__setattr__(self, "pair", pair)
        object.__setattr__(self, "_prevalence", check_prevalence(prevalence))

    @classmethod
    def _of(cls, pair: DensityPair, prevalence: float) -> "AnalyticScores":
        source = cls.__new__(cls)
        source._hold(pair, prevalence)
        return source

    def __repr__(self) -> str:
        return f"AnalyticScores(prevalence {self.prevalence:g})"

    @property
    def prevalence(self) -> float:
        return self._prevalence

    def with_prevalence(self, prevalence: float) -> "AnalyticScores":
        return self._of(self.pair, prevalence)

    @property
    def score_range(self) -> tuple[float, float]:
        supports = self.pair.negatives.support, self.pair.positives.support
        return min(low for low, _ in supports), max(high for _, high in supports)

    @property
    def by_score(self) -> LookUp:
        """By a threshold; kinks are where a density or its slope may jump."""
        return SmoothLookUp(self._at_score, self.pair.kinks, flags_more=False)

    def by_share(self, negatives: float, positives: float) -> LookUp:
        weights, points = (negatives, positives), self._at_score(self.pair.kinks)
        kinks = np.union1d([0.0, 1.0], negatives * points.fpr + positives * (1 - points.fnr))
        at, most = (partial(self._at_share, weights=weights, most=most) for most in (False, True))
        return SmoothLookUp(at, kinks, flags_more=True, most=most)

    @property
    def by_skew(self) -> LookUp:
        hull = self.pair.hull
        at, most = (partial(self._at_skew, side) for side in _SIDES)
        return SmoothLookUp(at, hull.skew_breaks, flags_more=False, most=most)

    def _at_score(self, t: FloatArray) -> OperatingPoints:
        # Rounding in the quadrature can leave the range.
        fpr, fnr = self.pair.negatives.sf(t), self.pair.positives.cdf(t)
        return OperatingPoints(np.clip(fpr, 0, 1), np.clip(fnr, 0, 1))

    def _at_share(
        self, flagged: FloatArray, *, weights: tuple[float, float], most: bool
    ) -> OperatingPoints:
        fpr, fnr = self.pair.at_share(np.ravel(flagged), weights, most=most)
        return OperatingPoints(fpr.reshape(flagged.shape), fnr.reshape(flagged.shape))

    def _at_skew(self, side: Side, z: FloatArray) -> OperatingPoints:
        threshold = self.pair.hull.best_threshold(np.ravel(z), side)
        return self._at_score(threshold.reshape(z.shape))

    def skew_at_score(self, s: ArrayLike) -> FloatArray:
        return self.pair.hull.skew_at_score(np.asarray(s, dtype=float))

    def class_means(
        self, on_negatives: ScoreFunction, on_positives: ScoreFunction
    ) -> tuple[float, float]:
        pair = self.pair
        return (
            pair.negatives.mean(on_negatives, pair.grid),
            pair.positives.mean(on_positives, pair.grid),
        )

    @property
    def auc(self) -> float:
        return self.pair.auc

    @property
    def auc_hull(self) -> float:
        return self.convexified().auc

    def convexified(self) -> "AnalyticScores":
        """The model whose ROC curve is the hull of this one's.

        The scores of each class are spread evenly over every interval of thresholds that are not
        optimal at any operating condition; the optimal loss does not change.

        Returns
        -------
        AnalyticScores

        Notes
        -----
        Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Definition 14 and Theorem 12.
        """
        start, end = self.pair.bridges
        if start.size == 0:
            return self
        # Scores beyond a bridge that reaches an end of the grid are lost to rounding.
        (low, high), grid = self.score_range, self.pair.grid
        support = (
            float(start[0]) if start[0] == grid[0] else low,
            float(end[-1]) if end[-1] == grid[-1] else high,
        )
        classes = self.pair.negatives, self.pair.positives
        spread = (SpreadScores(scores, start, end, support) for scores in classes)
        return self._of(DensityPair(*spread), self.prevalence)

    @property
    def is_convex(self) -> bool:
        """Whether the ROC curve is its own hull, so that c(T) never decreases."""
        return self.pair.bridges[0].size == 0

    def optimal_condition(self, t: ArrayLike) -> FloatArray:
        """c(T) = pi1 f1(T) / (pi0 f0(T) + pi1 f1(T)): the share of positives at a score.

        It is the cost proportion at which a threshold can be optimal.

        Parameters
        ----------
        t : array
            Scores.

        Returns
        -------
        array in [0, 1]
            NaN where neither class has scores.

        Notes
        -----
        Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Equation 31.
        """
        skew = self.pair.hull.skew_of(np.asarray(t, dtype=float))
        known = ~np.isnan(skew)
        conditions = np.asarray(
            cost_from_skew(np.where(known, skew, 0.0), prevalence=self.prevalence)
        )
        return np.where(known, conditions, np.nan)

    def slope(self, t: ArrayLike) -> FloatArray:
        """Slope of the ROC curve, d TPR / d FPR = f1(T) / f0(T), at a threshold.

        Parameters
        ----------
        t : array
            Thresholds.

        Returns
        -------
        array, not negative
            `inf` where only positives have scores, NaN where neither class has.

        Notes
        -----
        Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 6.1; the paper, whose
        positive class is the other, draws the reciprocal.
        """
        t = np.asarray(t, dtype=float)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.divide(self.pair.positives.pdf(t), self.pair.negatives.pdf(t))


def densities_of(source: ScoreSource) -> AnalyticScores | None:
    """The source, if it has known densities."""
    return source if isinstance(source, AnalyticScores) else None
