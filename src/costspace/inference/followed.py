"""A model's loss curve on rows of its own, with what the rows do to it."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices import (
    Fitted,
    Optimal,
    ScoreDriven,
    ScoreFixed,
    ScoreUniform,
    ThresholdChoice,
)
from costspace.choices.flagging import ConstantFlagging, SwitchedFlagging
from costspace.condition import check_axis, check_prevalence
from costspace.curve import PiecewiseQuadratic, combine
from costspace.errors import ConditionError, brief
from costspace.inference.designs import settled_design
from costspace.inference.interval import class_trials, normal_quantile, unseen_share
from costspace.inference.named import statistic_named
from costspace.inference.optimism import optimism_curve
from costspace.inference.rivals import Rivals
from costspace.inference.row_losses import FlaggedRows, RowLosses, row_losses
from costspace.inference.row_shares import RowShares, row_shares
from costspace.inference.standard_error import (
    check_weights_are,
    covariance,
    design_effect,
    row_influences,
    standard_error,
)
from costspace.metrics.curves import trivial_curve
from costspace.metrics.expected import check_choice
from costspace.scores.rows import ScoredRows
from costspace.scores.table import ScoreTable


@final
@dataclass(frozen=True, eq=False)
class Sample:
    """Rows, and how they came to be: everything that the errors of their losses depend on.

    Attributes
    ----------
    rows : ScoredRows
    prevalence : float or None
        Share of positives, if it is known: 1/2 on the skew axis.
    design : str
        "independent" or "stratified".
    weights : str
        "sampling" or "counts".
    """

    rows: ScoredRows
    prevalence: float | None
    design: str
    weights: str

    @classmethod
    def on(
        cls,
        axis: str,
        rows: ScoredRows,
        *,
        prevalence: float | None,
        design: str | None,
        weights: str,
    ) -> "Sample":
        """Rows on an axis, on that of skew with classes alike, by the design that fits or is asked.

        Raises
        ------
        ConditionError
            If there is no such axis, design or kind of weights, or the share of positives is not
            one, or given although it is said to vary.
        """
        balanced = check_axis(axis) == "skew"
        known = None if prevalence is None else check_prevalence(prevalence)
        settled = settled_design(design, known, balanced=balanced)
        return cls(rows, 0.5 if balanced else known, settled, check_weights_are(weights))

    @property
    def fixed(self) -> bool:
        """Whether the share of positives does not vary."""
        return self.design == "stratified" or self.prevalence is not None

    def table(self, model: str) -> ScoreTable:
        """The scores of a model."""
        table = ScoreTable.from_rows(self.rows, model)
        return table if self.prevalence is None else table.with_prevalence(self.prevalence)

    def design_effect(self, model: str) -> float:
        """How many rows of its clusters are worth one independent row for the optimal loss.

        That under uniform costs, for all conditions alike.
        """
        if self.rows.groups is None:
            return 1.0
        loss, table = statistic_named("expected_loss.cost.optimal"), self.table(model)
        design, weights = self.design, self.weights
        influence = loss.influence(table)
        of_rows = row_influences(influence, self.rows, table, model, design=design)
        return design_effect(
            loss.value(table),
            float(np.sqrt(covariance(of_rows[None], self.rows, weights=weights)[0, 0])),
            standard_error(influence, table, design=design, weights=weights),
            loss.range,
        )

    @cached_property
    def shares(self) -> RowShares:
        """What each row counts for."""
        return row_shares(
            self.rows, prevalence=self.prevalence, design=self.design, weights=self.weights
        )

    def losses(self, *flagged: FlaggedRows) -> RowLosses:
        """The errors of a sum of losses."""
        return row_losses(self.shares, flagged)

    def unseen(self, level: float) -> tuple[float, float]:
        """What no row shows of x and of y, a share unseen in each class, as a standard error."""
        rows, quantile = self.rows, normal_quantile(level)
        prevalence = rows.prevalence if self.prevalence is None else self.prevalence
        negative, positive = (unseen_share(size, level) for size in self.trials)
        return 2 * (1 - prevalence) * negative / quantile, 2 * prevalence * positive / quantile

    @property
    def trials(self) -> tuple[float, float]:
        """How many independent rows of equal weight negatives and positives amount to."""
        rows = self.rows
        if self.weights == "counts" and rows.weight is not None and rows.groups is None:
            sides = ~rows.positive, rows.positive
            return float(np.sum(rows.weight[sides[0]])), float(np.sum(rows.weight[sides[1]]))
        return class_trials(rows.positive, rows.weight, rows.groups)


@final
@dataclass(frozen=True, eq=False)
class FollowedCurve:
    """A loss curve of a sample, with what it makes of every row.

    Attributes
    ----------
    curve : PiecewiseQuadratic
    flagged : FlaggedRows
        Along the conditions.
    drawn : FlaggedRows
        What its random errors are drawn with: the same, but if thresholds are optimal. Those of
        the sample jump from corner to corner of the hull, the population's pass the scores one by
        one.
    optimism : PiecewiseQuadratic
        By how much it is too low in the mean, its thresholds having been chosen on the sample.
    ceiling : PiecewiseQuadratic
        The most that the loss can be in any population.
    rivals : Rivals or None
        The thresholds that could be best in the population, if thresholds are optimal.
    """

    curve: PiecewiseQuadratic
    flagged: FlaggedRows
    drawn: FlaggedRows
    optimism: PiecewiseQuadratic
    ceiling: PiecewiseQuadratic
    rivals: Rivals | None = None


def followed(sample: Sample, model: str, choice: ThresholdChoice) -> FollowedCurve:
    """The loss curve of a choice whose thresholds stand still while the sample varies.

    Raises
    ------
    ConditionError
        If they move with it by more than second order.
    """
    table = sample.table(model)
    _check_still(choice, sample)
    scores = np.asarray(sample.rows.scores[model], dtype=float)
    flagging = choice.flagging(table, scores)
    if isinstance(flagging, ConstantFlagging):
        flagged = FlaggedRows(np.asarray(flagging.share))
    elif isinstance(flagging, SwitchedFlagging) and np.array_equal(flagging.start, flagging.end):
        flagged = FlaggedRows(np.ones(len(scores)), flagging.end)
    else:
        raise ConditionError(
            f"{brief(choice)} flags some scores by chance that changes with the condition, which "
            "bands leave out: use the bootstrap."
        )
    curve = choice.path(table).loss().piecewise()
    drawn, optimism, rivals = flagged, combine([curve], [0.0]), None
    if isinstance(choice, Optimal) and flagged.until is not None:
        drawn = FlaggedRows(flagged.share, _one_by_one(flagged.until, scores))
        optimism = optimism_curve(table, sample.weights, sample.design_effect(model))
        rivals = Rivals.among(table.hull_thresholds, scores)
    return FollowedCurve(curve, flagged, drawn, optimism, _ceiling(sample, choice), rivals)


def _one_by_one(until: FloatArray, scores: FloatArray) -> FloatArray:
    """Conditions that pass scores in turn where hull segments pass several together.

    The scores of a segment are spread evenly from the middle between its own condition and the
    one before to the middle between it and the next.
    """
    distinct, block = np.unique(scores, return_inverse=True)
    at = np.empty(len(distinct))
    at[block] = until
    segments, first, segment, count = np.unique(
        at, return_index=True, return_inverse=True, return_counts=True
    )
    middles = (segments[1:] + segments[:-1]) / 2
    low = np.where(count > 1, np.append(0.0, middles), segments)
    high = np.where(count > 1, np.append(middles, 1.0), segments)
    share = (np.arange(len(at)) - first[segment] + 0.5) / count[segment]
    return np.asarray((low[segment] + (high - low)[segment] * share)[block])


def _check_still(choice: ThresholdChoice, sample: Sample) -> None:
    """Refuse thresholds that rows move: through their ranks, or through their class shares."""
    check_choice(choice)
    if not isinstance(choice, ScoreFixed | ScoreUniform | ScoreDriven | Optimal | Fitted):
        raise ConditionError(
            f"the thresholds of {brief(choice)} move with the sample, and its loss at a condition "
            "with them: use the bootstrap, or fit it (stepped, if rate-driven) on another sample "
            "by Fitted(...)."
        )
    if isinstance(choice, ScoreDriven) and choice.by_skew and not sample.fixed:
        raise ConditionError(
            f"{brief(choice)} corrects its thresholds for the sample's own share of positives, "
            'which varies: give the prevalence, or use axis="skew" or design="stratified".'
        )


def _ceiling(sample: Sample, choice: ThresholdChoice) -> PiecewiseQuadratic:
    optimal = isinstance(choice, Optimal)
    if sample.fixed:
        p = sample.rows.prevalence if sample.prevalence is None else sample.prevalence
        if optimal:
            return trivial_curve(p)
        return PiecewiseQuadratic(np.array([0.0, 1.0]), np.array([[2 * p], [2 - 4 * p], [0.0]]))
    if optimal:
        # The better trivial rule at the prevalence at which it loses most.
        return PiecewiseQuadratic(np.array([0.0, 1.0]), np.array([[0.0], [2.0], [-2.0]]))
    return PiecewiseQuadratic(
        np.array([0.0, 0.5, 1.0]), np.array([[2.0, 0.0], [-2.0, 2.0], [0.0, 0.0]])
    )
