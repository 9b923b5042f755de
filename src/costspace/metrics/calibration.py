"""The parts of a Brier score: refinement loss and miscalibration."""

from __future__ import annotations

from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.choices import Optimal, ScoreDriven
from costspace.costs import Uniform
from costspace.decomposition import partition_scores
from costspace.errors import ConditionError, brief
from costspace.influences.influence import Influence, combined
from costspace.influences.optimism import loss_optimism
from costspace.influences.statistic import Statistic, makes_statistic
from costspace.metrics.expected import loss_influence, loss_statistic
from costspace.metrics.of_predictions import of_predictions
from costspace.metrics.traits import metric
from costspace.pointwise import calibration_of, refinement_of
from costspace.predictions import Labels, source_of
from costspace.samples.rows import NamedScores
from costspace.scores.analytic import densities_of
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable


@metric(reads="probabilities", name="miscalibration", words="Miscalibration")
@of_predictions
def miscalibration(source: ScoreSource) -> float:
    """Miscalibration: the Brier score minus the refinement loss over the hull.

    The expected loss of the score-driven choice minus that of the optimal one, under uniform
    cost proportions.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.

    Returns
    -------
    float in [0, 1]
        Smaller is better; 0 if and only if every score is the share of positives in its
        segment of the hull.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ScoreError
        If a score is outside [0, 1].

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 6: the area between the Brier curve and
    the optimal cost curve.

    Examples
    --------
    >>> round(miscalibration([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]), 12)
    0.06
    """
    source.check_probabilities("the miscalibration")
    brier = ScoreDriven().expected_loss(source, Uniform())
    # Rounding may leave less than nothing between two equal losses.
    return max(brier - Optimal().expected_loss(source, Uniform()), 0.0)


@metric(reads="either", name="refinement_loss", words="Refinement loss")
@underflow_to_zero
def refinement_loss(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    partition: str | ArrayLike = "hull",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Refinement loss: mean of p (1 - p) over bins of scores, p a bin's share of positives.

    Over the segments of the ROC convex hull it is the expected loss of the optimal choice under
    uniform cost proportions. Over any other partition an analytic model has one, an integral.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    partition : {"hull", "roc"}, int or array, default "hull"
        Bins of scores, as in `partition_scores`: the segments of the ROC convex hull, the
        distinct scores, a number of bins or their edges.

    Returns
    -------
    float in [0, 1/4]
        Smaller is better; 0 separates the classes.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ConditionError
        If the partition is none of these.
    SourceError
        If bins other than the hull's are asked of a source that is neither a ScoreTable nor an
        AnalyticScores.

    Notes
    -----
    Murphy (1973); Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Corollary 15.

    Examples
    --------
    >>> refinement_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    0.125
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    if isinstance(partition, str) and partition == "hull":
        return Optimal().expected_loss(source, Uniform())
    if (model := densities_of(source)) is not None:
        return refinement_of(model)
    return partition_scores(source, partition=partition).refinement_loss


@metric(
    reads="probabilities",
    unbounded="it can grow as scores get better: use miscalibration",
)
@underflow_to_zero
def calibration_loss(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    partition: str | ArrayLike = "hull",
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Murphy's calibration loss: mean squared gap of mean score and share of positives in bins.

    Over the distinct scores it and the refinement loss sum to the Brier score. Over wider bins
    they do not, and over the hull it is not continuous in the data: `miscalibration` is what
    bad calibration costs. Of an analytic model it is an integral, whatever the partition.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    partition : {"hull", "roc"}, int or array, default "hull"
        Bins of scores, as in `partition_scores`: the segments of the ROC convex hull, the
        distinct scores, a number of bins or their edges.

    Returns
    -------
    float in [0, 1]
        Smaller is better; 0 is calibrated.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.
    ConditionError
        If the partition is none of these.
    ScoreError
        If a score is outside [0, 1].
    SourceError
        If the source is neither a ScoreTable nor an AnalyticScores.

    Notes
    -----
    Murphy (1973); Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 6.

    Examples
    --------
    >>> round(calibration_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]), 12)
    0.005
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    source.check_probabilities("the calibration loss")
    if (model := densities_of(source)) is not None:
        return calibration_of(model)
    return partition_scores(source, partition=partition).calibration_loss


@makes_statistic(refinement_loss)
def _refinement(*, partition: object = "hull") -> Statistic:
    if not (isinstance(partition, str) and partition == "hull"):
        raise ConditionError(
            f"the refinement loss has a closed-form standard error over the hull, not over "
            f"{brief(partition)}: use the bootstrap."
        )
    loss = loss_statistic(choice=Optimal())
    return Statistic(
        "refinement_loss",
        refinement_loss,
        loss.influence,
        (0.0, 0.25),
        1.0,
        bias=loss.bias,
        ceiling=loss.ceiling,
    )


@makes_statistic(miscalibration)
def _miscalibration() -> Statistic:
    brier, refinement = loss_influence(ScoreDriven(), "cost"), loss_influence(Optimal(), "cost")

    def influence(table: ScoreTable) -> Influence:
        return combined([brier(table), refinement(table)], [1.0, -1.0])

    return Statistic(
        "miscalibration",
        miscalibration,
        influence,
        one_sided=True,
        bias=lambda table, *rows: loss_optimism(table, Uniform(), *rows),
    )
