"""Operating points of classifiers in ROC space."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray, hold, kept


@final
@dataclass(frozen=True, eq=False)
class OperatingPoints(FrozenValue):
    """Points of ROC space.

    Attributes
    ----------
    fpr, fnr : array, in [0, 1]
        False positive and false negative rates, of the same shape. Smaller is better.

    Notes
    -----
    Provost and Fawcett (2001), Machine Learning 42: ROC space, with FNR = 1 - TPR.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> points = table.by_score.at([0.5, 0.7])
    >>> points.fpr, points.fnr
    (array([0.5, 0. ]), array([0.5, 0.5]))
    """

    fpr: FloatArray
    fnr: FloatArray

    def __post_init__(self) -> None:
        hold(self, fpr=kept(np.asarray(self.fpr)), fnr=kept(np.asarray(self.fnr)))

    def __getitem__(self, index: slice) -> "OperatingPoints":
        return OperatingPoints(self.fpr[index], self.fnr[index])

    def take(self, index: IndexArray) -> "OperatingPoints":
        """The points at an array of positions."""
        return OperatingPoints(self.fpr[index], self.fnr[index])

    def followed_by(self, others: "OperatingPoints") -> "OperatingPoints":
        """These points, then the others."""
        return OperatingPoints(
            np.concatenate([self.fpr, others.fpr]), np.concatenate([self.fnr, others.fnr])
        )

    def after_flagging_all(self) -> "OperatingPoints":
        """The same points after (FPR, FNR) = (1, 0), where everybody is flagged."""
        return OperatingPoints(np.append(1.0, self.fpr), np.append(0.0, self.fnr))
