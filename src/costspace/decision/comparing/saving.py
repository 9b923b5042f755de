"""What a model saves against another."""

from dataclasses import dataclass, replace
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray

from costspace.decision.evidence.money_evidence import MoneyDifference
from costspace.notebook import Tabulated


@final
@dataclass(frozen=True)
class MoneySaving(Tabulated):
    """What a model saves against another or the rule in use, on the same rows.

    Attributes
    ----------
    model : str
        The model that may save money.
    against : str
        The other model, or "baseline" for the rule in use.
    saving : float
        Per 1,000 cases; negative if it costs more.
    standard_error : float
        Not negative; 0 if both make the same decisions on all rows; NaN without an interval.
    low, high : float
        Ends of its interval, of this pair alone; NaN if there is none.
    p : float
        Two-sided p-value of there being no difference, in [0, 1]; NaN without an interval, and
        between two thresholds of one model, which rows that choose them say little of.
    p_adjusted : float
        The same, adjusted for all pairs.
    method : {"linear", "unseen", "known", "none"}
        How the interval was found; "unseen" where both make the same decisions on all rows, "known"
        between models that are one there.

    Examples
    --------
    >>> MoneySaving("new", "old", 19.2, 8.5, 2.5, 35.9, 0.025, 0.025, "linear").saving
    19.2
    """

    model: str
    against: str
    saving: float
    standard_error: float
    low: float
    high: float
    p: float
    p_adjusted: float
    method: str

    @classmethod
    def of(cls, model: str, against: str, more: MoneyDifference) -> Self:
        """What a model saves against what costs so much more."""
        rest = {name: value for name, value in vars(more).items() if name != "difference"}
        return cls(model, against, more.difference, **rest)

    @property
    def turned(self) -> Self:
        """What the other saves."""
        low, high = -self.high, -self.low
        return replace(
            self, model=self.against, against=self.model, saving=-self.saving, low=low, high=high
        )

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row."""
        return {name: np.array([value]) for name, value in vars(self).items()}
