"""A model's loss curve on a sample, and which rows it flags."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.bands.competing_thresholds import CompetingThresholds
from costspace.bands.row_losses import FlaggedRows
from costspace.bands.sampled_rows import SampledRows
from costspace.choices import ThresholdChoice
from costspace.choices.base import check_choice, choice_for
from costspace.curve import PiecewiseQuadratic, weighted_sum
from costspace.errors import ConditionError, brief
from costspace.influences.optimism import optimism_curve
from costspace.metrics.trivial import trivial_curve
from costspace.single import doubles


@final
@dataclass(frozen=True, eq=False)
class SampleCurve:
    """A loss curve of a sample, and which rows it flags."""

    curve: PiecewiseQuadratic
    flagged: FlaggedRows  # along the conditions
    # The rows for draws of random errors: the same, except for optimal thresholds. Those of the
    # sample jump from corner to corner of the hull, the population's pass the scores one by one.
    drawn: FlaggedRows
    # By how much it is expected to be too low, since its thresholds were chosen on the sample.
    optimism: PiecewiseQuadratic
    ceiling: PiecewiseQuadratic  # the largest loss in any population
    # The thresholds that could be best in the population, if thresholds are optimal.
    competing: CompetingThresholds | None = None


def sample_curve(sample: SampledRows, model: str, choice: ThresholdChoice) -> SampleCurve:
    """The loss curve of a choice whose thresholds do not vary with the sample.

    `ConditionError` if they vary with it, with an effect of first order.
    """
    table = sample.table(model)
    _check_still(choice, sample)
    choice_for(table, choice, model)
    scores = doubles(sample.rows.scores[model])
    held = choice.flagging(table, scores).held
    if held is None:
        raise ConditionError(
            f"{brief(choice)} flags some scores with a probability that changes with the "
            "condition, which bands cannot handle: use the bootstrap."
        )
    flagged = FlaggedRows(held.share, held.until)
    curve = choice.path(table).loss().piecewise()
    drawn, optimism, competing = flagged, weighted_sum([curve], weights=[0.0]), None
    if choice.least_loss and flagged.until is not None:
        drawn = FlaggedRows(flagged.share, _one_by_one(flagged.until, scores))
        optimism = optimism_curve(table, sample.weights, sample.design_effect(model))
        competing = CompetingThresholds.among(table.hull_thresholds, scores)
    return SampleCurve(curve, flagged, drawn, optimism, _ceiling(sample, choice), competing)


def _one_by_one(until: FloatArray, scores: FloatArray) -> FloatArray:
    """Conditions that pass scores one by one where hull segments pass several together.

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


def _check_still(choice: ThresholdChoice, sample: SampledRows) -> None:
    """Refuse thresholds that depend on the rows: through their ranks or their class shares."""
    check_choice(choice)
    if choice.follows == "scores" and not choice.least_loss:
        instead = f", or {choice.fixed_by}" if choice.fixed_by else ""
        raise ConditionError(
            f"the thresholds of {brief(choice)} vary with the sample (`follows`), and so does its "
            f"loss at a condition: use the bootstrap{instead}."
        )
    if choice.follows == "prevalence" and not sample.fixed:
        raise ConditionError(
            f"{brief(choice)} corrects its thresholds for the sample's own share of positives, "
            'which varies: give the prevalence, or use axis="skew" or design="stratified".'
        )


def _ceiling(sample: SampledRows, choice: ThresholdChoice) -> PiecewiseQuadratic:
    if sample.fixed:
        p = sample.shares.known
        if choice.least_loss:
            return trivial_curve(prevalence=p)
        return PiecewiseQuadratic(np.array([0.0, 1.0]), np.array([[2 * p], [2 - 4 * p], [0.0]]))
    if choice.least_loss:
        # The better trivial rule, at the prevalence where it loses most.
        return PiecewiseQuadratic(np.array([0.0, 1.0]), np.array([[0.0], [2.0], [-2.0]]))
    return PiecewiseQuadratic(
        np.array([0.0, 0.5, 1.0]), np.array([[2.0, 0.0], [-2.0, 2.0], [0.0, 0.0]])
    )
