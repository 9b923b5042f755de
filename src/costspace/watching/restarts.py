"""A detector of a change that comes later: bets that begin anew at every look."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.watching.sequences import log_mean_exp

# The mean number of looks between two false alarms, at least, if there is no end of looks.
LOOKS_BETWEEN = 20_000
# Where looks are planned, so much of the chance of a false alarm is that of this detector.
OF_CHANGES = 0.2


@final
@dataclass(frozen=True)
class Restarts:
    """What bets that begin at each look say of a mean above another.

    Attributes
    ----------
    evidence : array of shape (looks,)
        The logarithm of what all bets that have begun by then have together, a stake of 1 at each
        look.
    between : float
        The mean number of looks before a false alarm, at least.

    Notes
    -----
    An alarm is raised where they have `between`: the detector of Shin, Ramdas and Rinaldo (2024),
    New England Journal of Statistics in Data Science 2, which adds up as that of Shiryaev and
    Roberts. Within so many looks there is a false alarm with a probability of their number over
    `between` at most.
    """

    evidence: FloatArray
    between: float

    @property
    def first(self) -> int | None:
        """The look of the first alarm, from 0; None if there is none."""
        return first_above(self.evidence, float(np.log(self.between)))


def first_above(values: FloatArray, limit: float) -> int | None:
    """The place of the first value that has reached a limit."""
    found = np.flatnonzero(values >= limit)
    return int(found[0]) if len(found) else None


def restarted(stakes: FloatArray, between: float) -> Restarts:
    """The detector from the logarithms of what each bet gains at each look, shape (looks, bets)."""
    together = np.empty_like(stakes)
    before = np.full(stakes.shape[1], -np.inf)
    for look, gained in enumerate(stakes):
        before = np.logaddexp(before, 0.0) + gained
        together[look] = before
    return Restarts(log_mean_exp(together), between)


def best_start(stakes: FloatArray, look: int) -> int:
    """The look whose bets have gained most by a later one: when the mean began to be above."""
    since = np.cumsum(stakes[look::-1], axis=0)
    return look - int(np.argmax(log_mean_exp(since)))
