"""What constraints limit, as rules have it."""

from dataclasses import dataclass, fields
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, kept
from costspace.notebook import Tabulated


@final
@dataclass(frozen=True, eq=False)
class Reached(FrozenValue, Tabulated):
    """The constrained quantities of operating points at a prevalence.

    Attributes
    ----------
    share_flagged : array, in [0, 1]
        Share of all cases that are flagged.
    precision : array, in [0, 1]
        Share of positives among the flagged; 1 where nobody is flagged.
    recall : array, in [0, 1]
        Share of the positives that are flagged.
    npv : array, in [0, 1]
        Share of negatives among those not flagged; 1 where everybody is flagged.
    fpr : array, in [0, 1]
        Share of the negatives that are flagged.

    Notes
    -----
    Provost and Fawcett (2001), Machine Learning 42: what else than cost a rule can
    be asked for, as lines in ROC space.

    Examples
    --------
    >>> import costspace as cs
    >>> point = cs.OperatingPoints(0.01, 0.4)
    >>> reached = cs.Constraints(capacity=0.02).reached(point, prevalence=0.01)
    >>> round(float(reached.share_flagged), 4), round(float(reached.precision), 4)
    (0.0159, 0.3774)
    """

    share_flagged: FloatArray
    precision: FloatArray
    recall: FloatArray
    npv: FloatArray
    fpr: FloatArray

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, kept(np.asarray(getattr(self, field.name))))

    def of(self, name: str) -> FloatArray:
        """What the constraint of a name limits."""
        return {
            "capacity": self.share_flagged,
            "min_precision": self.precision,
            "min_recall": self.recall,
            "min_npv": self.npv,
            "max_fpr": self.fpr,
        }[name]

    def columns(self) -> dict[str, FloatArray]:
        """One row an operating point."""
        return {field.name: np.ravel(getattr(self, field.name)) for field in fields(self)}
