"""Thresholds set on the share of examples flagged: fixed, spread, or driven by the condition."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices.base import (
    Exposure,
    ThresholdChoice,
    exposure_at_share,
    exposure_between,
    exposure_up_to,
)
from costspace.condition import check_number
from costspace.costs.base import CostDistribution
from costspace.costs.uniform import Uniform
from costspace.curve import OperatingPath
from costspace.errors import ConditionError, SourceError, brief
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable


@final
@dataclass(frozen=True)
class RateFixed(ThresholdChoice):
    """Flag one share of examples, whatever the condition.

    A block of tied scores at the threshold is split at random, that is, interpolated along the
    ROC segment. Its expected loss under uniform costs is the error rate there.

    Parameters
    ----------
    flagged : float in [0, 1]
        Share of examples predicted positive.

    Raises
    ------
    ConditionError
        If the share is not in [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Section 5.

    Examples
    --------
    >>> import costspace as cs
    >>> cs.expected_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=RateFixed(0.25))
    0.25
    """

    flagged: float

    def __post_init__(self) -> None:
        flagged = check_number("flagged", self.flagged, low=0, high=1)
        object.__setattr__(self, "flagged", flagged)

    def path(self, source: ScoreSource) -> OperatingPath:
        point = source.at_rate(1 - self.flagged)
        return OperatingPath.constant(point.fpr, point.fnr, source.prevalence)

    def exposure(
        self, source: ScoreSource, scores: FloatArray, costs: CostDistribution
    ) -> Exposure:
        before, after = source.rates_at_score(scores)
        width = after - before
        rate = 1 - self.flagged
        whole = np.where(rate <= before, 1.0, 0.0)
        share = np.divide(after - rate, width, out=whole, where=width > 0)
        return exposure_at_share(np.clip(share, 0, 1), costs)


@final
@dataclass(frozen=True)
class RateUniform(ThresholdChoice):
    """Flag a share of examples drawn uniformly from [0, 1], whatever the condition.

    Its expected loss under uniform costs is pi0 pi1 (1 - 2 AUC) + 1/2.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Theorem 20.

    Examples
    --------
    >>> import costspace as cs
    >>> cs.expected_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=RateUniform())
    0.375
    """

    def path(self, source: ScoreSource) -> OperatingPath:
        # The mean of FPR over rates dR = pi0 dF0 + pi1 dF1: within its own class the mean is
        # 1/2, across the classes it is 1 - AUC.
        p, misranked = source.prevalence, 1 - source.auc
        fpr = (1 - p) / 2 + p * misranked
        fnr = p / 2 + (1 - p) * misranked
        return OperatingPath.constant(fpr, fnr, p)

    def exposure(
        self, source: ScoreSource, scores: FloatArray, costs: CostDistribution
    ) -> Exposure:
        before, after = source.rates_at_score(scores)
        return exposure_at_share((before + after) / 2, costs)


@final
@dataclass(frozen=True)
class RateDriven(ThresholdChoice):
    """The condition is the share predicted negative: R(T(c)) = c.

    The path runs along the ROC curve, tied blocks interpolated, so the loss is piecewise
    quadratic. Its expected loss under uniform costs is pi0 pi1 (1 - 2 AUC) + 1/3, ties included.

    Parameters
    ----------
    stepped : bool, default False
        Instead, cut the conditions into n + 1 equal pieces and predict i examples negative on
        piece i. It needs n distinct scores of equal weight.

    Raises
    ------
    ConditionError
        If `stepped` is neither True nor False.
    SourceError
        When applied stepped, if the source is not a ScoreTable of distinct, unweighted scores.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), arXiv:1107.5930, Section 5 (stepped: Equation 19 with
    n + 1 pieces), and (2012), JMLR 13, Theorem 22.

    Examples
    --------
    >>> import costspace as cs
    >>> round(cs.expected_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=RateDriven()), 12)
    0.208333333333
    """

    stepped: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.stepped, bool):
            raise ConditionError(f"stepped must be True or False, got {brief(self.stepped)}.")

    def path(self, source: ScoreSource) -> OperatingPath:
        if self.stepped:
            points = _untied(source).distinct_points.after_flagging_all()
            pieces = len(points.fpr)
            at = np.arange(1, pieces) / pieces
            return OperatingPath.stepping(at, points, source.prevalence)
        breaks = source.rate_breaks
        points = source.at_rate(breaks)
        return OperatingPath(breaks, points[:-1], points[1:], source.prevalence)

    def exposure(
        self, source: ScoreSource, scores: FloatArray, costs: CostDistribution
    ) -> Exposure:
        if self.stepped:
            table = _untied(source)
            up_to = table.negatives.position(scores) + table.positives.position(scores)
            n = len(table.negatives) + len(table.positives)
            return exposure_up_to(up_to / (n + 1), costs)
        return exposure_between(*source.rates_at_score(scores), costs)

    def expected_loss(self, source: ScoreSource, costs: CostDistribution) -> float:
        if self.stepped or costs != Uniform():
            return super().expected_loss(source, costs)
        p = source.prevalence
        return p * (1 - p) * (1 - 2 * source.auc) + 1 / 3


def _untied(source: ScoreSource) -> ScoreTable:
    """The table behind a stepped curve, or `SourceError` if it has ties or weights."""
    if not isinstance(source, ScoreTable):
        raise SourceError(
            "RateDriven(stepped=True) steps from example to example, so it needs a ScoreTable: "
            "use RateDriven()."
        )
    weighted = source.negatives.weights is not None or source.positives.weights is not None
    if weighted or len(source.score_breaks) < len(source.negatives) + len(source.positives):
        raise SourceError(
            "RateDriven(stepped=True) needs distinct scores of equal weight, and this table has "
            f"{'weights' if weighted else 'ties'}: use RateDriven(), which interpolates."
        )
    return source
