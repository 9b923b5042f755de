"""What keeping to limits costs over a range of prevalence, as a sum over parts of a chain of cuts.

As the condition grows a rule moves along the chain from flagging everybody to nobody. It passes a
stretch that keeps to the limits where its choice does, and a gap where its choice is halfway, in
share flagged, between the places to go to. Which parts there are changes at roots of polynomials
of the prevalence, and between those what a part adds to the loss is smooth.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from costspace.arrays import FloatArray, IndexArray
from costspace.choices import ThresholdChoice
from costspace.choices.base import ShareFlagged
from costspace.choices.flagging import SwitchedFlagging
from costspace.costs import CostDistribution, Point, Uniform
from costspace.decision.limits.best_parts import best_parts
from costspace.decision.limits.constraints import Constraints
from costspace.decision.limits.gaps import gaps_between
from costspace.decision.limits.lifetimes import kept_cuts, kept_stretches
from costspace.decision.limits.places import LimitedChain
from costspace.decision.limits.slid_parts import Slid
from costspace.decision.limits.stepped_parts import Stepped
from costspace.decision.limits.stretches import Chain
from costspace.decision.money.costed import CostedScores
from costspace.decision.rules.above import above
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import BALANCED
from costspace.deployment.deployment import Deployment
from costspace.scores.table import ScoreTable
from costspace.special import expit

# Raises an error if no rule keeps to the limits at a prevalence.
Check: TypeAlias = Callable[[float], object]


def limited_loss(
    scores: CostedScores,
    choice: ThresholdChoice,
    conditions: Deployment,
    constraints: Constraints,
    check: Check,
    *,
    randomise: bool,
) -> float | None:
    """Expected money of mistakes per case, as far as the prevalence has a density.

    None for a choice whose thresholds follow the prevalence in a way that it does not tell.
    """
    mixes = randomise and scores.costs is scores.rows
    span = conditions.spread_range
    on_hull = choice.least_loss and mixes
    chain = Chain.of_hull(scores.rows) if on_hull else Chain.of_cuts(scores.rows)
    limited = LimitedChain.of(chain, above(scores.costs, chain.thresholds), constraints)
    parts = _parts(scores, choice, limited, span, check, mixes=mixes)
    if parts is None:
        return None
    pieces = parts.split_at(_edges(conditions))

    def loss(which: IndexArray, p: FloatArray, costs: CostDistribution, size: float) -> FloatArray:
        part = pieces.of[which]
        exposure = parts.exposure(part, p, costs)
        first, last = (
            limited.rates_of_cost(end.take(part), p) for end in (parts.first, parts.last)
        )
        false_positives = (1 - p) * (first.fpr - last.fpr) * exposure.as_negative
        return size * (false_positives + p * (last.fnr - first.fnr) * exposure.as_positive)

    return conditions.over_ranges(loss, pieces.low, pieces.high)


def _parts(
    scores: CostedScores,
    choice: ThresholdChoice,
    limited: LimitedChain,
    span: Range,
    check: Check,
    *,
    mixes: bool,
) -> Stepped | Slid | None:
    """What a choice passes, and where."""
    end, rows = limited.last, scores.rows
    if choice.least_loss and not mixes:
        return best_parts(limited, kept_cuts(limited, span), span, check)
    share = choice.share_flagged if choice.chosen_on(rows) is rows else None
    if share is not None:
        kept = kept_stretches(limited, span)
        gaps = gaps_between(kept, end, span, check, mixes=mixes)
        return Slid.of(limited, kept, gaps, _drawn(share))
    switches = rows.by_skew.breaks if choice.least_loss else _switches(choice, rows)
    if switches is None:
        return None
    by_skew = choice.least_loss or choice.through_skew
    kept = kept_stretches(limited, span) if mixes else kept_cuts(limited, span)
    gaps = gaps_between(kept, end, span, check, mixes=mixes)
    parts = Stepped.of_gaps(limited, gaps, switches, by_skew=by_skew)
    if not mixes:
        return parts
    return parts.and_those(Stepped.of_stretches(kept, switches, by_skew=by_skew))


def _drawn(share: ShareFlagged) -> CostDistribution | None:
    """Where the share that is not flagged lies, if the costs have no say in it."""
    if isinstance(share, float):
        return Point(1 - share)
    return Uniform() if share == "any" else None


def _switches(choice: ThresholdChoice, rows: ScoreTable) -> FloatArray | None:
    """The conditions at which a choice steps from cut to cut, if they stay what they are.

    As skews if it is through the skew, else as cost proportions.
    """
    if choice.drawn(rows, np.zeros(0)) is not None:
        return None
    if not choice.through_skew and not choice.sees <= {"costs"}:
        return None
    on = rows.with_prevalence(BALANCED) if choice.through_skew else rows
    flagging = choice.flagging(on, on.by_score.breaks)
    return flagging.until if isinstance(flagging, SwitchedFlagging) else None


def _edges(conditions: Deployment) -> FloatArray:
    """The cost proportions between which their distribution is smooth, ascending."""
    known = conditions.cost_log_odds
    edges = (density.origin + density.edges for density in known.densities)
    return np.unique(expit(np.concatenate([known.values, *edges])))
