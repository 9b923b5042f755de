"""What a mistake costs more than the right decision: where that can be, and its law."""

import numpy as np

from costspace.arrays import FloatArray
from costspace.condition import MONEY, by_how_much
from costspace.deployment.amounts import QUANTILES, Amount, Cost, Frozen
from costspace.deployment.laws import Law
from costspace.deployment.panels import panels_of
from costspace.errors import ConditionError


def check_gap(wrong: str, cost: Cost, right: str, other: Cost) -> None:
    """Raise `ConditionError` unless the one is above the other, whatever they are."""
    low, high = cost.bounds.low, other.bounds.high
    # A density down to 0 leaves no mass at it.
    if isinstance(cost, Frozen) and low == high == 0:
        return
    if not low - high >= MONEY[0]:
        raise ConditionError(
            f"{wrong} must be above {right}{by_how_much(low - high)}, as a mistake costs more than "
            f"the right decision, got {wrong} down to {low:g} and {right} up to {high:g}."
        )


def gaps(wrong: Amount, right: Amount) -> FloatArray:
    """Where wrong - right can be: intervals, of shape (k, 2)."""
    found = np.subtract.outer(wrong.intervals, right.intervals[:, ::-1])
    return np.stack([found[:, 0, :, 0].ravel(), found[:, 1, :, 1].ravel()], axis=1)


def log_gap(wrong: Cost, right: Cost) -> Law:
    """The law of ln(wrong - right)."""
    gap = wrong.law.plus(right.law.reflected(), widest=np.inf)
    if gap.density is None:
        return Law(np.log(gap.values), gap.masses)
    density, edges, kinks = gap.density, gap.density.edges, gap.density.kinks
    if edges[0] <= 0:
        # The density reaches down to 0, where its share of any narrow range has no mass.
        edges = np.append(QUANTILES[0] * edges[edges > 0][0], edges[edges > 0])
    kinks = np.append(edges[0], kinks[kinks > edges[0]])

    def of_log(x: FloatArray) -> FloatArray:
        return np.exp(x) * density(np.exp(x))

    return Law.of_density(panels_of(of_log, np.log(kinks), np.log(edges)))
