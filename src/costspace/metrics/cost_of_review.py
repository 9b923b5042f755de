"""What cases cost by the cost of a review."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats, FrozenValue, plain, underflow_to_zero
from costspace.checks import check_number, check_numbers
from costspace.choices import ScoreDriven, ThresholdChoice
from costspace.choices.base import check_choice, choice_for
from costspace.curve import (
    OperatingPath,
    OperatingPoints,
    PiecewiseQuadratic,
    SmoothPath,
    weighted_sum,
)
from costspace.curve.reviewed import along
from costspace.deployment.parts import as_cost, check_gap
from costspace.deployment.review import Review, check_review
from costspace.errors import ConditionError, brief
from costspace.predictions import Labels, source_of
from costspace.samples.rows import NamedScores
from costspace.scores.base import ScoreSource

# Shares closer than this are the same. A price is searched in so many parts of what is left, until
# that is an ulp.
_ROUNDING, _PARTS, _ROUNDS = 1e-12, 64, 10


@final
@dataclass(frozen=True, eq=False, repr=False)
class ReviewCurve(FrozenValue):
    """The expected cost of a case as a function of what a review costs.

    Cases are passed, reviewed or flagged: reviewed if a threshold choice method flags them where
    it decides between passing and reviewing, and not where it decides between reviewing and
    flagging. Call the curve for the cost of a case at one cost of a review or several.

    Attributes
    ----------
    source : ScoreSource
        At the prevalence that the curve is for.
    choice : ThresholdChoice
    review : Review
        Its reviewer, and what a review costs now: the curve is for any other cost too.
    fp_cost, fn_cost, tp_cost, tn_cost : float

    Raises
    ------
    ConditionError
        If a cost or the review is none, or a mistake costs no more than the correct decision.
    ScoreError, SourceError
        If it is no source, or the choice does not take its scores.

    Notes
    -----
    Friedel, Rueckert and Kramer (2006), ICML workshop on ROC analysis: cost curves for abstaining
    classifiers; Pietraszek (2005), ICML. With A = fp - tn, B = fn - tp, a sensitivity se and a
    specificity sp, the cost is tn pi0 + tp pi1 + S1 / 2 Q(c1) + S2 / 2 Q(c2), where Q is the loss
    curve, S1 = se B + (1 - sp) A, c1 = (x + (1 - sp) A) / S1, S2 = sp A + (1 - se) B and
    c2 = (sp A - x) / S2. Both conditions are linear in the cost x, so that the pieces of the curve
    are those of Q.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 0, 1, 0, 0, 1, 0, 1], [0.05, 0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.9]
    >>> curve = cs.review_curve(
    ...     y, s, fp_cost=2, fn_cost=10, review=cs.Review(cost=1), choice=cs.Optimal()
    ... )
    >>> curve(1), curve.without, round(curve.most, 4), round(curve.share_reviewed(1), 12)
    (0.5, 0.6, 1.6667, 0.5)
    >>> price = curve.price(0.2)
    >>> round(price, 12), round(curve(1 + price) - price * 0.2, 12)
    (0.333333333333, 0.533333333333)
    """

    source: ScoreSource
    choice: ThresholdChoice
    review: Review
    fp_cost: float
    fn_cost: float
    tp_cost: float = 0.0
    tn_cost: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", source_of(self.source))
        check_choice(self.choice)
        if self.review is None:
            raise ConditionError("review must be a Review, such as Review(cost=15), got None.")
        check_review(self.review)
        for name in ("fp_cost", "fn_cost", "tp_cost", "tn_cost"):
            object.__setattr__(self, name, check_number(name, getattr(self, name)))
        for wrong, right in (("fp_cost", "tn_cost"), ("fn_cost", "tp_cost")):
            costs = (as_cost(name, getattr(self, name)) for name in (wrong, right))
            check_gap(wrong, next(costs), right, next(costs))
        # Scores that the choice does not take are refused here, not at the first call.
        _ = self.without

    def __repr__(self) -> str:
        return (
            f"ReviewCurve(cost from {self(0.0):.6g} where a review is free to {self.without:.6g} "
            f"where it costs {self.most:.6g})"
        )

    @property
    def most(self) -> float:
        """The cost from which on no case is worth a review; 0 if the reviewer is no better."""
        return max(self.review.most(*self._net), 0.0)

    @cached_property
    def without(self) -> float:
        """The cost of a case without reviews."""
        return float(self(np.inf))

    def __call__(self, cost: ArrayLike) -> Floats:
        """The expected cost of a case, with its reviews, at each cost of a review.

        Costs are not negative, inf for no reviews. Smaller values are better, negative ones a
        gain. At a jump of the loss curve it is the cost of what a decision does there.
        """
        more, saved = self._steps(_checked_costs(cost))
        at, p = self._points(more / (more + saved)), self.source.prevalence
        wrong, missed = np.sum(more * at.fpr, axis=0), np.sum(saved * at.fnr, axis=0)
        return plain((1 - p) * (self.tn_cost + wrong) + p * (self.tp_cost + missed))

    def share_reviewed(self, cost: ArrayLike) -> Floats:
        """The share of cases that are reviewed at each cost of a review, in [0, 1].

        The slope of the curve, for the optimal choice.
        """
        more, saved = self._steps(_checked_costs(cost))
        at, p = self._points(more / (more + saved)), self.source.prevalence
        share = (1 - p) * (at.fpr[0] - at.fpr[1]) + p * (at.fnr[1] - at.fnr[0])
        return plain(np.maximum(share, 0.0))

    def price(self, reviewed: float) -> float:
        """What one review more is worth, where at most a share of cases can be reviewed.

        Decide as if a review cost so much more: then no larger share is reviewed.

        Parameters
        ----------
        reviewed : float in [0, 1]
            The largest share of cases that can be reviewed.

        Returns
        -------
        float
            The least such price, 0 if there is room for all reviews that are worth their cost. For
            the optimal choice the least cost of a case, which may draw at random among ties, is
            ``curve(cost + price) - price * reviewed``, with the cost of the review.

        Notes
        -----
        The dual of a linear programme: the maximum of that expression over all prices.
        """
        share = check_number("reviewed", reviewed, low=0, high=1)
        own = low = self.review.cost.mean
        if self.share_reviewed(low) <= share + _ROUNDING:
            return 0.0
        high = self.most
        for _ in range(_ROUNDS):
            between = np.linspace(low, high, _PARTS + 1)
            within = np.asarray(self.share_reviewed(between)) <= share + _ROUNDING
            first = int(np.argmax(within))
            low, high = between[first - 1 : first + 1].tolist()
        return high - own

    @cached_property
    def relative(self) -> PiecewiseQuadratic:
        """The curve over the cost of a review relative to `most`, exactly.

        Its ``expectation`` is the cost of a case where only the distribution of the cost of a
        review is known: over ``Uniform()`` if any cost up to `most` is equally likely.
        """
        loss, p = self._path.loss().piecewise(), self.source.prevalence
        right = (1 - p) * self.tn_cost + p * self.tp_cost
        more, saved = (values.tolist() for values in self._steps(np.zeros(())))
        net_fp, net_fn = self._net
        best = net_fp / (net_fp + net_fn)
        parts = [along(loss, u / (u + v), best) for u, v in zip(more, saved, strict=True)]
        flat = PiecewiseQuadratic(np.array([0.0, 1.0]), np.array([[right], [0.0], [0.0]]))
        halves = ((u + v) / 2 for u, v in zip(more, saved, strict=True))
        return weighted_sum([flat, *parts], weights=[1.0, *halves])

    def columns(self) -> dict[str, FloatArray]:
        """One row a piece: the costs of a review that it is for, and the cost of a case there."""
        pieces = self.relative.columns()
        return {
            "from": self.most * pieces["from"],
            "to": self.most * pieces["to"],
            "cost_start": pieces["loss_start"],
            "cost_end": pieces["loss_end"],
        }

    @property
    def _net(self) -> tuple[float, float]:
        """What a false positive and a false negative cost more than what is right."""
        return self.fp_cost - self.tn_cost, self.fn_cost - self.tp_cost

    def _steps(self, cost: FloatArray) -> FloatArray:
        """What each step from passing to flagging costs on a negative, and saves on a positive.

        Where a review is not worth its cost each is half of the step without one.
        """
        net_fp, net_fn = self._net
        found, kept = self.review.sensitivity.mean, self.review.specificity.mean
        pays = cost < self.most
        x = np.where(pays, cost, 0.0)
        reviewing = (x + (1 - kept) * net_fp, found * net_fn - x)
        flagging = (kept * net_fp - x, x + (1 - found) * net_fn)
        halves = np.array([net_fp / 2, net_fn / 2]).reshape(2, 1, *(1,) * cost.ndim)
        return np.where(pays, np.stack([reviewing, flagging], axis=1), halves)

    def _points(self, c: FloatArray) -> OperatingPoints:
        """Where the choice is at some conditions, if possible without its path, which is longer."""
        choice, source = self.choice, self.source
        if choice.share_flagged == "1 - c" and choice.chosen_on(source) is source:
            return source.by_flagged.at(1 - c)
        thresholds = choice.threshold_at(c, source.prevalence)
        if thresholds is None:
            at = self._path.at(c.ravel())
            return OperatingPoints(at.fpr.reshape(c.shape), at.fnr.reshape(c.shape))
        if self.choice.on_probabilities:
            self.source.check_probabilities(f"the {self.choice.name} choice")
        return self.source.by_score.at(thresholds)

    @cached_property
    def _path(self) -> OperatingPath | SmoothPath:
        return self.choice.path(self.source)


def _checked_costs(values: ArrayLike) -> FloatArray:
    costs = check_numbers("the cost of a review", values)
    if not np.all(costs >= 0):
        raise ConditionError(f"the cost of a review must not be negative, got {brief(values)}.")
    return costs


@underflow_to_zero
def review_curve(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    fp_cost: float,
    fn_cost: float,
    tp_cost: float = 0.0,
    tn_cost: float = 0.0,
    review: Review,
    choice: ThresholdChoice = ScoreDriven(),
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> ReviewCurve:
    """The expected cost of a case by the cost of a review, and the share that is reviewed.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    fp_cost, fn_cost, tp_cost, tn_cost : float
        What each decision costs; a mistake more than the correct decision on the same class.
    review : Review
        The reviewer, and what a review costs now. The curve is for any other cost too.
    choice : ThresholdChoice, default ScoreDriven()
        How both thresholds are set. By default scores are taken as probabilities: cases are
        reviewed on which that costs least. `Optimal()` gives the lowest cost on the sample.

    Returns
    -------
    ReviewCurve
        Exact at every cost of a review.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`; `ConditionError` also if the costs or the review are none.

    Notes
    -----
    Chow (1970), IEEE Transactions on Information Theory 16, and the sources of `ReviewCurve`.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 0, 1, 0, 0, 1, 0, 1], [0.05, 0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.9]
    >>> curve = review_curve(y, s, fp_cost=2, fn_cost=10, review=cs.Review(cost=1))
    >>> curve([0.5, 1, 2]), round(curve.share_reviewed(1), 12)
    (array([0.4, 0.7, 1. ]), 0.5)
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    chosen = choice_for(source, choice)
    return ReviewCurve(source, chosen, review, fp_cost, fn_cost, tp_cost, tn_cost)
