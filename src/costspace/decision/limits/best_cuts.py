"""The cuts that cost least within constraints."""

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices import Optimal
from costspace.condition import cost_from_skew
from costspace.decision.limits.constraints import Constraints
from costspace.decision.limits.stretches import Chain, infeasible
from costspace.decision.limits.thresholds import thresholds_of
from costspace.decision.money.costed import CostedScores
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.roc.hull import lowest_lines


def best_cuts_path(
    scores: CostedScores, constraints: Constraints, prevalences: FloatArray
) -> ThresholdPath:
    """The cuts that cost least at each skew, of those that keep to constraints.

    They do at each of some prevalences.
    """
    chain = Chain.of_cuts(scores.rows)
    held = np.ones(len(chain.thresholds), dtype=bool)
    for bound in constraints.bounds(chain.points).values():
        for prevalence in prevalences:
            held &= bound.excess(prevalence) <= 0
    if held.all():
        return thresholds_of(Optimal(), scores.costs)
    if not held.any():
        raise infeasible(chain, constraints, prevalences, randomise=False)
    # Of cuts that cost the same the one that flags fewer is to come first.
    thresholds = chain.thresholds[held][::-1]
    points = scores.costs.by_score.at(thresholds)
    lowest = lowest_lines(points.fnr, points.fpr)
    corners = points.take(lowest)
    fp, fn = -np.diff(corners.fpr), np.diff(corners.fnr)
    # Slopes that differ by less than rounding may have lost their order.
    skews = np.maximum.accumulate(fn / (fp + fn))
    conditions = np.asarray(cost_from_skew(skews, prevalence=scores.prevalence))
    return ThresholdPath.stepping(conditions, thresholds[lowest])
