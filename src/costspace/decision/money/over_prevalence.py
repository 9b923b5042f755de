"""Expected loss of a choice that looks at more than the skew, over uncertain prevalence."""

import numpy as np

from costspace.choices import ThresholdChoice
from costspace.choices.base import ShareFlagged
from costspace.costs import CostDistribution
from costspace.deployment.conditions import JointConditions
from costspace.deployment.deployment import Deployment
from costspace.deployment.share_flagged import Corners
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable


def loss_over_prevalence(
    source: ScoreSource, choice: ThresholdChoice, conditions: JointConditions
) -> float:
    """Expected money of mistakes per case, whatever the choice looks at.

    At rates that do not move with the prevalence money is linear in it, so that its mean is what
    counts. A rate-based loss bends wherever its threshold passes a score, and has a way of its
    own, exact to rounding. Other losses are integrated over the prevalence, to a relative 1e-10
    where they are smooth in it.
    """
    span = conditions.prevalence_range
    if isinstance(conditions, Deployment) and span.low < span.high:
        if choice.sees <= {"costs"}:
            conditions = conditions.averaging(prevalence=True)
        elif (share := choice.share_flagged) not in (None, "any"):
            corners = corners_of(source, choice.chosen_on(source))
            if corners and corners.can_split:
                return _by_share(share, corners, conditions)

    def loss_at(prevalence: float, costs: CostDistribution, size: float) -> float:
        return size / 2 * choice.expected_loss(source.with_prevalence(prevalence), costs)

    return conditions.over_prevalence(loss_at)


def corners_of(source: ScoreSource, on: ScoreSource) -> Corners | None:
    """Those of thresholds set on one source and used on another, if both are finite samples."""
    if on is source:
        if source.by_score.between == "smooth":
            return None
        points = source.by_score.corners
        return Corners.of_curve(points.fpr, points.fnr)
    if not (isinstance(source, ScoreTable) and isinstance(on, ScoreTable)):
        return None
    # A threshold in the middle of a gap takes with it what the other sample has below.
    cuts = np.append(on.cut_points, np.inf)
    seen, used = (
        points.after_flagging_all() for points in (on.distinct_points, source.by_score.at(cuts))
    )
    return Corners(np.stack([1 - seen.fpr, seen.fnr]), np.stack([1 - used.fpr, used.fnr]))


def _by_share(share: ShareFlagged, corners: Corners, conditions: Deployment) -> float:
    costs, prevalence = conditions.cost_log_odds, conditions.prevalence_log_odds
    if isinstance(share, float):
        return corners.fixed_loss(1 - share, costs, prevalence)
    return corners.driven_loss(costs, prevalence)
