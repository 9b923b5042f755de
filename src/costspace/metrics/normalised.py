"""Expected losses on a scale from the better trivial rule to perfect: the H-measure."""

from __future__ import annotations

from numpy.typing import ArrayLike

from costspace.choices import Optimal
from costspace.costs import Beta, CostDistribution
from costspace.costs.scipy_frozen import as_costs
from costspace.errors import ConditionError
from costspace.metrics.traits import metric
from costspace.metrics.trivial import trivial_path
from costspace.scores.base import ScoreSource
from costspace.scores.predictions import source_of


@metric(reads="ranks", larger_is_better=True, ends=(0.0, 1.0))
def h_measure(
    y_true: ArrayLike | ScoreSource,
    y_score: ArrayLike | None = None,
    *,
    costs: CostDistribution | None = None,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """H-measure: one minus the optimal expected loss over that of the better trivial rule.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreTable alone
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
    p = source.prevalence
    distribution = Beta(2, 1 + (1 - p) / p) if costs is None else as_costs(costs)
    trivial = trivial_path(p).expected_loss(distribution)
    if not trivial > 0:
        raise ConditionError(
            f"H has no meaning under {distribution}: a trivial rule is without loss there."
        )
    # Rounding may leave the optimal loss an ulp above the trivial one.
    return max(1 - Optimal().expected_loss(source, distribution) / trivial, 0.0)
