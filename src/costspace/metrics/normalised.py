"""Expected losses on a scale from the better trivial rule to perfect: the H-measure."""

from __future__ import annotations

from functools import partial

from numpy.typing import ArrayLike

from costspace.choices import Optimal
from costspace.costs import Beta, CostDistribution
from costspace.costs.scipy_frozen import as_costs
from costspace.errors import ConditionError
from costspace.influences.influence import Influence
from costspace.influences.losses import least_loss_influence
from costspace.influences.optimism import loss_optimism
from costspace.influences.slopes import slope_of
from costspace.influences.statistic import Statistic, makes_statistic
from costspace.metrics.traits import metric
from costspace.metrics.trivial import trivial_path
from costspace.predictions import Labels, source_of
from costspace.samples.rows import NamedScores
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable


@metric(reads="ranks", larger_is_better=True, ends=(0.0, 1.0), name="h_measure", words="H-measure")
def h_measure(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    costs: CostDistribution | None = None,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """H-measure: one minus the optimal expected loss over that of the better trivial rule.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable, ScoreCounts or ScoredRows alone
        Labels of two classes and scores, higher meaning more positive.
    costs : CostDistribution, optional
        Distribution of the cost proportion. By default Beta(2, 1 + pi0 / pi1), the `hmeasure` R
        package's, whose mode is where the classes' costs balance their shares;
        ``Beta(2, 2)`` is Hand's of 2009.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; the data's by default.
    pos_label : label, optional
        The label of the positive class.
    sample_weight : array of shape (n,), optional
        Non-negative.

    Returns
    -------
    float in [0, 1]
        Larger is better: 1 separates the classes, 0 is no better than a trivial rule.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order. Also if the distribution leaves trivial rules
        without loss.

    Notes
    -----
    Hand (2009), Machine Learning 77; Hand and Anagnostopoulos (2014), Pattern Recognition
    Letters 40, for the default.

    Examples
    --------
    >>> import costspace as cs
    >>> round(h_measure([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], costs=cs.Beta(2, 2)), 12)
    0.5
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    distribution, trivial = _trivial(source, costs)
    if not trivial > 0:
        raise ConditionError(
            f"H has no meaning under {distribution}: a trivial rule is without loss there."
        )
    # Rounding may leave the optimal loss an ulp above the trivial one.
    return max(1 - Optimal().expected_loss(source, distribution) / trivial, 0.0)


@makes_statistic(h_measure)
def _h_measure(*, costs: CostDistribution | None = None) -> Statistic:
    return Statistic(
        "h_measure",
        partial(h_measure, costs=costs),
        partial(_h_influence, costs=costs),
        bias=partial(_h_bias, costs=costs),
    )


def _h_influence(table: ScoreTable, costs: CostDistribution | None) -> Influence:
    """Influence of the H-measure, 1 minus the optimal loss over that of the trivial rules.

    Its slope is the total derivative: the default distribution and the trivial loss depend on the
    prevalence.
    """
    distribution, trivial = _trivial(table, costs)
    influence = least_loss_influence(table, distribution).times(-1 / trivial)
    return influence.sloping(slope_of(lambda t: h_measure(t, costs=costs), table))


def _h_bias(
    table: ScoreTable, weights: str, design_effect: float, *, costs: CostDistribution | None
) -> float:
    """The expected excess of a sample's H-measure over the population's."""
    distribution, trivial = _trivial(table, costs)
    return loss_optimism(table, distribution, weights, design_effect) / trivial


def _trivial(source: ScoreSource, costs: CostDistribution | None) -> tuple[CostDistribution, float]:
    """The distribution of conditions, and the expected loss of the better trivial rule."""
    p = source.prevalence
    distribution = Beta(2, 1 + (1 - p) / p) if costs is None else as_costs(costs)
    return distribution, trivial_path(p).expected_loss(distribution)
