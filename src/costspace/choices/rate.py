"""Thresholds set on the share of rows flagged: fixed, spread, or driven by the condition."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.checks import check_number
from costspace.choices.base import NOTHING, Monotone, Seen, ShareFlagged, ThresholdChoice
from costspace.choices.flagging import (
    ConstantFlagging,
    Flagging,
    SlidingFlagging,
    SwitchedFlagging,
)
from costspace.choices.places import Batch, Places, checked_batches
from costspace.condition import negative_share
from costspace.costs.base import CostDistribution
from costspace.curve import OperatingPath, SmoothPath
from costspace.errors import ConditionError, SourceError, brief
from costspace.influences.influence import Influence
from costspace.influences.losses import check_density
from costspace.influences.ranks import auc_influence, rate_driven_influence
from costspace.scores.base import ScoreSource
from costspace.scores.look_ups import Straight
from costspace.scores.table import ScoreTable, check_table


@final
@dataclass(frozen=True)
class RateFixed(ThresholdChoice):
    """Flag one share of rows at every condition.

    A block of tied scores at the threshold is split at random, that is, interpolated along the
    ROC segment. Its expected loss under uniform costs is the error rate there.

    Parameters
    ----------
    flagged : float in [0, 1]
        Share of rows predicted positive.
    batch : int or sequence of int, optional
        The share is not of all rows but of each batch of so many, drawn at random: the k = B
        `flagged` highest of B, rounded down. Then the share of all rows that is above the
        threshold of a batch is drawn from Beta(k, B - k), and a row with the share u above it is
        flagged with the chance 1 - I_u(k, B - k). Of several sizes, one for each batch, a row is
        in one in proportion to its size.

    Raises
    ------
    ConditionError
        If the share is not in [0, 1], or a size no whole number from 1.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 5; by batch: David and Nagaraja
    (2003), Order Statistics, Section 2.3.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> cs.expected_loss(y, s, choice=RateFixed(0.25))
    0.25
    >>> round(cs.expected_loss(y, s, choice=RateFixed(0.25, batch=4)), 4)
    0.3789
    """

    flagged: float
    batch: Batch = None
    sees = frozenset({"scores"})
    by_rank = True
    monotone = "rates"

    def __post_init__(self) -> None:
        flagged = check_number("flagged", self.flagged, low=0, high=1)
        sizes = checked_batches(self.batch)
        object.__setattr__(self, "flagged", flagged)
        object.__setattr__(self, "batch", sizes if len(sizes) > 1 else next(iter(sizes), None))

    def __repr__(self) -> str:
        batch = "" if self.batch is None else f", batch={self.batch}"
        return f"RateFixed(flagged={self.flagged}{batch})"

    @property
    def share_flagged(self) -> float | None:
        return self.flagged if self.batch is None else None

    @property
    def places(self) -> Places:
        return Places(self.flagged, checked_batches(self.batch))

    def path(self, source: ScoreSource) -> OperatingPath:
        if self.batch is not None:
            return self._path_by_batch(source)
        point = source.by_flagged.at(self.flagged)
        return OperatingPath.constant(point.fpr, point.fnr, source.prevalence)

    def _path_by_batch(self, source: ScoreSource) -> OperatingPath:
        if source.by_score.between != "smooth":
            flagging = self.flagging(source, source.by_score.breaks)
            return flagging.path(source.by_score.corners, source.prevalence)

        def flagged(scores: FloatArray) -> FloatArray:
            return self.flagging(source, scores).share

        fpr, tpr = source.class_means(flagged, flagged)
        return OperatingPath.constant(fpr, 1 - tpr, source.prevalence)

    def flagging(self, source: ScoreSource, scores: FloatArray) -> ConstantFlagging:
        before, after = _passed(source, scores)
        if self.batch is not None:
            return ConstantFlagging(self.places.chance(1 - after, 1 - before))
        width = after - before
        rate = 1 - self.flagged
        whole = np.where(rate <= before, 1.0, 0.0)
        share = np.divide(after - rate, width, out=whole, where=width > 0)
        return ConstantFlagging(np.clip(share, 0, 1))


@final
@dataclass(frozen=True)
class RateUniform(ThresholdChoice):
    """Flag a share of rows drawn uniformly from [0, 1].

    Its expected loss under uniform costs is pi0 pi1 (1 - 2 AUC) + 1/2.

    Parameters
    ----------
    stepped : bool, default False
        Instead, draw one of the n + 1 cut points between n distinct scores of equal weight. The
        loss is then pi0 pi1 (1 - 2 AUC) n / (n + 1) + 1/2.

    Raises
    ------
    ConditionError
        If `stepped` is neither True nor False.
    SourceError
        When applied stepped, if the source is not a ScoreTable of distinct, unweighted scores.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Theorem 8; stepped: Section 5.1.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> cs.expected_loss(y, s, choice=RateUniform())
    0.375
    >>> cs.expected_loss(y, s, choice=RateUniform(stepped=True))
    0.4
    """

    stepped: bool = False
    by_rank = True
    unbounded = "it needs the exact scores: use RateUniform(), which interpolates"

    def __post_init__(self) -> None:
        _check_stepped(self.stepped)

    @property
    def sees(self) -> Seen:
        return NOTHING if self.stepped else frozenset({"scores"})

    @property
    def share_flagged(self) -> ShareFlagged:
        return None if self.stepped else "any"

    @property
    def monotone(self) -> Monotone:
        return "unknown" if self.stepped else "rates"

    def path(self, source: ScoreSource) -> OperatingPath:
        if self.stepped:
            points = _untied(source, self).distinct_points.after_flagging_all()
            mean = float(np.mean(points.fpr)), float(np.mean(points.fnr))
            return OperatingPath.constant(*mean, source.prevalence)
        p, misranked = source.prevalence, 1 - source.auc
        # The mean of FPR over rates dR = pi0 dF0 + pi1 dF1: within its own class the mean is
        # 1/2, across the classes it is 1 - AUC.
        fpr = (1 - p) / 2 + p * misranked
        fnr = p / 2 + (1 - p) * misranked
        return OperatingPath.constant(fpr, fnr, p)

    def flagging(self, source: ScoreSource, scores: FloatArray) -> ConstantFlagging:
        if self.stepped:
            return ConstantFlagging(_cut_points_below(_untied(source, self), scores))
        before, after = _passed(source, scores)
        return ConstantFlagging((before + after) / 2)

    def drawn(self, source: ScoreSource, scores: FloatArray) -> Flagging:
        return RateDriven(self.stepped).flagging(source, scores)

    def influence(self, table: ScoreTable, costs: CostDistribution) -> Influence:
        """The influence of the interpolating choice; the stepped loss differs by order 1/n.

        With m = 1 - AUC it is 2 (E[c] pi0 (pi0 / 2 + pi1 m) + (1 - E[c]) pi1 (pi1 / 2 + pi0 m)).
        """
        p, mean, misranked = table.prevalence, costs.mean(), 1 - table.auc
        slope = 2 * ((1 - mean) * p - mean * (1 - p) + (1 - 2 * p) * misranked)
        return auc_influence(table).times(-2 * p * (1 - p)).sloping(slope)


@final
@dataclass(frozen=True)
class RateDriven(ThresholdChoice):
    """Flag the share 1 - c of rows at condition c.

    The path runs along the ROC curve, tied blocks interpolated, so the loss is piecewise
    quadratic. Its expected loss under uniform costs is pi0 pi1 (1 - 2 AUC) + 1/3, ties included.

    Parameters
    ----------
    stepped : bool, default False
        Instead, cut the conditions into n + 1 equal pieces and predict i rows negative on
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
    n + 1 pieces), and (2012), arXiv:1112.2640, Theorem 10.

    Examples
    --------
    >>> import costspace as cs
    >>> round(cs.expected_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=RateDriven()), 12)
    0.208333333333
    """

    stepped: bool = False
    meaning = "flags a share that the costs tell"
    by_rank = True
    unbounded = "it needs the exact scores: use RateDriven(), which interpolates"
    # Interpolation flags a block with a probability that changes with the condition.
    fixed_by = "fit RateDriven(stepped=True) on another sample with Fitted(...)"

    def __post_init__(self) -> None:
        _check_stepped(self.stepped)

    @property
    def name(self) -> str:
        return str(self) if self.stepped else "rate-driven"

    @property
    def sees(self) -> Seen:
        return frozenset({"costs"} if self.stepped else {"costs", "scores"})

    @property
    def share_flagged(self) -> ShareFlagged:
        return None if self.stepped else "1 - c"

    @property
    def monotone(self) -> Monotone:
        return "unknown" if self.stepped else "rates"

    def path(self, source: ScoreSource) -> OperatingPath | SmoothPath:
        if self.stepped:
            points = _untied(source, self).distinct_points.after_flagging_all()
            pieces = len(points.fpr)
            at = np.arange(1, pieces) / pieces
            return OperatingPath.stepping(at, points, source.prevalence)
        # The condition is the share not flagged.
        return source.by_flagged.path(source.prevalence, Straight(1, 0))

    def flagging(self, source: ScoreSource, scores: FloatArray) -> Flagging:
        if self.stepped:
            switch = _cut_points_below(_untied(source, self), scores)
            return SwitchedFlagging(switch)
        return SlidingFlagging(*_passed(source, scores))

    def expected_loss(self, source: ScoreSource, costs: CostDistribution) -> float:
        if self.stepped or not costs.is_uniform:
            return super().expected_loss(source, costs)
        p = source.prevalence
        return p * (1 - p) * (1 - 2 * source.auc) + 1 / 3

    def influence(self, table: ScoreTable, costs: CostDistribution) -> Influence:
        """The influence of the interpolating choice; the stepped loss differs by order 1/n."""
        if costs.is_uniform:
            p = table.prevalence
            slope = (1 - 2 * p) * (1 - 2 * table.auc)
            return auc_influence(table).times(-2 * p * (1 - p)).sloping(slope)
        check_density(costs, f"{self}", "take a distribution with a density")
        return rate_driven_influence(table, costs)


def _check_stepped(stepped: object) -> None:
    if not isinstance(stepped, bool):
        raise ConditionError(f"stepped must be True or False, got {brief(stepped)}.")


def _passed(source: ScoreSource, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Share of rows below each score's block, and share up to the block's end."""
    block = source.block_of(scores)
    points = (source.by_score.at(block, most=most) for most in (True, False))
    before, after = (negative_share(source.prevalence, at.fpr, at.fnr) for at in points)
    return np.asarray(before), np.asarray(after)


def _untied(source: ScoreSource, choice: RateUniform | RateDriven) -> ScoreTable:
    """The table behind a stepped choice, or `SourceError` if it has ties or weights."""
    name = type(choice).__name__
    needs = f"a ScoreTable ({name}() takes any source)"
    table = check_table(f"{name}(stepped=True)", source, needs=needs)
    sides = table.negatives, table.positives
    weighted = any(side.weighted for side in sides)
    # A table of counted rows has each score once, with the number of rows as its weight.
    counted = any(side.weights is not None for side in sides)
    if counted or len(table.by_score.breaks) < sum(map(len, sides)):
        raise SourceError(
            f"{name}(stepped=True) needs distinct scores of equal weight, and this table has "
            f"{'weights' if weighted else 'ties'}: use {name}(), which interpolates."
        )
    return table


def _cut_points_below(table: ScoreTable, scores: FloatArray) -> FloatArray:
    """Share of the n + 1 cut points of a table at which each score is flagged."""
    scores = table.block_of(scores)
    up_to = table.negatives.position(scores) + table.positives.position(scores)
    return up_to / (len(table.by_score.breaks) + 1)
