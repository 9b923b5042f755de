"""The range of a quantity, and the stakes at conditions."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue


@final
@dataclass(frozen=True)
class Range:
    """The least and the greatest value that a quantity can take.

    Attributes
    ----------
    low, high : float
        The ends; equal if the quantity is known.

    Examples
    --------
    >>> import costspace as cs
    >>> cs.Deployment(fp_cost=1, fn_cost=(1, 4), prevalence=0.5).skew_range
    Range(low=0.2, high=0.5)
    """

    low: float
    high: float

    def columns(self) -> dict[str, FloatArray]:
        """One row: both ends."""
        return {"low": np.array([self.low]), "high": np.array([self.high])}


@final
@dataclass(frozen=True, eq=False)
class Stakes(FrozenValue):
    """The stake of each class at several conditions, per case.

    Attributes
    ----------
    negative : array of shape (m,)
        pi0 a, what flagging all negatives costs.
    positive : array of shape (m,)
        pi1 b, what missing all positives costs.

    Examples
    --------
    >>> import costspace as cs
    >>> known = cs.Scenarios(fp_cost=1, fn_cost=[2, 8], prevalence=[0.1, 0.5])
    >>> known.where_rarer(np.array([0.1, 0.5])).positive
    array([0.1, 2.1])
    """

    negative: FloatArray
    positive: FloatArray

    def columns(self) -> dict[str, FloatArray]:
        """One row for each condition."""
        return {"negative": self.negative, "positive": self.positive}
