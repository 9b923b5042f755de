"""Operating paths: the operating point of a threshold choice at each operating condition."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, Floats, FrozenValue, IndexArray, hold, kept
from costspace.checks import check_prevalence
from costspace.costs import CostDistribution
from costspace.curve.cells import Cells
from costspace.curve.loss import PiecewiseQuadratic, pieces_at
from costspace.curve.points import OperatingPoints
from costspace.errors import SourceError, brief


@final
@dataclass(frozen=True, eq=False)
class OperatingPath(FrozenValue):
    """A path through ROC space, parameterised by the operating condition.

    On the piece between two breaks the operating point moves in a straight line from `start` to
    `end`. Pieces are closed on the left, the last one on both sides. A piece of length 0 at 0 or
    1 holds the left limit at 0 or the value at 1.

    Attributes
    ----------
    breaks : array of shape (m + 1,)
        Operating conditions, ascending, from 0 to 1.
    start, end : OperatingPoints of shape (m,)
        Where each piece begins, and its limit at the end.
    prevalence : float in (0, 1)
        The prevalence of the loss; 1/2 makes the condition a skew.
    steps : bool, default False
        Whether it is constant on every piece, so that `end` is `start`. `stepping` and `constant`
        make such paths.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: a threshold choice method
    T(c), in terms of the rates.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> path = cs.RateDriven().path(table)
    >>> path.breaks, path.end.fnr
    (array([0.  , 0.25, 0.5 , 0.75, 1.  ]), array([0. , 0.5, 0.5, 1. ]))
    """

    breaks: FloatArray
    start: OperatingPoints
    end: OperatingPoints
    prevalence: float
    steps: bool = False

    def __post_init__(self) -> None:
        hold(self, breaks=kept(self.breaks))

    @classmethod
    def constant(cls, fpr: Floats, fnr: Floats, prevalence: float) -> "OperatingPath":
        """The path that stays at one operating point."""
        point = OperatingPoints(np.asarray(fpr).reshape(1), np.asarray(fnr).reshape(1))
        return cls(np.array([0.0, 1.0]), point, point, prevalence, steps=True)

    @classmethod
    def stepping(
        cls, at: FloatArray, points: OperatingPoints, prevalence: float
    ) -> "OperatingPath":
        """The path that jumps from one of `points` to the next at each condition in `at`."""
        breaks = np.concatenate([[0.0], at, [1.0]])
        return cls(breaks, points, points, prevalence, steps=True)

    @property
    def corners(self) -> OperatingPoints | None:
        """The point on each piece; None if it moves along a piece."""
        return self.start if self.steps else None

    def at(self, c: FloatArray) -> OperatingPoints:
        """The operating points at an array of conditions, right-continuous."""
        return self.along(pieces_at(self.breaks, c), c)

    def left(self, c: FloatArray) -> OperatingPoints:
        """The left limits of the operating points at an array of conditions."""
        return self.along(pieces_at(self.breaks, c, left=True), c)

    def along(self, piece: IndexArray, c: FloatArray) -> OperatingPoints:
        """The operating points at conditions that are in the given pieces, ends included."""
        start = self.start.take(piece)
        if self.steps:
            return start
        end = self.end.take(piece)
        low, width = self.breaks[piece], np.diff(self.breaks)[piece]
        share = np.divide(c - low, width, out=np.zeros(np.shape(c)), where=width > 0)
        return OperatingPoints(
            start.fpr + share * (end.fpr - start.fpr), start.fnr + share * (end.fnr - start.fnr)
        )

    def loss(self) -> PiecewiseQuadratic:
        """The loss curve 2 (c pi0 FPR(c) + (1 - c) pi1 FNR(c)) along this path."""
        positive = check_prevalence(self.prevalence)
        negative = 1 - positive
        fpr, fpr_slope = self._line(self.start.fpr, self.end.fpr)
        fnr, fnr_slope = self._line(self.start.fnr, self.end.fnr)
        coefficients = np.stack(
            [
                2 * positive * fnr,
                2 * (negative * fpr + positive * (fnr_slope - fnr)),
                2 * (negative * fpr_slope - positive * fnr_slope),
            ]
        )
        return PiecewiseQuadratic(self.breaks, coefficients)

    def expected_loss(self, costs: CostDistribution) -> float:
        """Expected loss over a distribution of conditions: not negative, smaller is better."""
        if self.steps:
            # Directly from the rates: in powers of c the terms would cancel near c = 1.
            p = self.prevalence
            edges = self.breaks.copy()
            edges[-1] = np.inf
            below, from_ = costs.below(edges, 1), costs.complement_from(edges)
            as_negative = self.start.fpr * (below[1:] - below[:-1])
            as_positive = self.start.fnr * (from_[:-1] - from_[1:])
            return 2 * float((1 - p) * as_negative.sum() + p * as_positive.sum())
        return max(self.loss().expectation(costs), 0.0)

    def columns(self) -> dict[str, FloatArray]:
        """One row a piece: its ends in the condition and in ROC space."""
        return {
            "from": self.breaks[:-1],
            "to": self.breaks[1:],
            "fpr_start": self.start.fpr,
            "fnr_start": self.start.fnr,
            "fpr_end": self.end.fpr,
            "fnr_end": self.end.fnr,
        }

    def mapped(self, f: Callable[[OperatingPoints], OperatingPoints]) -> "OperatingPath":
        """The path with a linear function applied to its points."""
        start = f(self.start)
        end = start if self.steps else f(self.end)
        return OperatingPath(self.breaks, start, end, self.prevalence, self.steps)

    def cells(self, tolerance: float, least: float) -> Cells:
        """FPR and FNR on each piece, exact for any tolerance."""
        start, end = (np.stack([side.fpr, side.fnr]) for side in (self.start, self.end))
        return Cells(self.breaks, start, end, np.zeros_like(start), np.zeros(0, dtype=bool))

    def _line(self, start: FloatArray, end: FloatArray) -> tuple[FloatArray, FloatArray]:
        """A rate on each piece, continued to condition 0, and its slope."""
        if self.steps:
            return start, np.zeros_like(start)
        width = np.diff(self.breaks)
        slope = np.divide(end - start, width, out=np.zeros_like(width), where=width > 0)
        return start - slope * self.breaks[:-1], slope


def check_exact(asked: str, path: object) -> OperatingPath:
    """Return a path that is exact between its breaks, or raise `SourceError` if it bends."""
    if not isinstance(path, OperatingPath):
        raise SourceError(
            f"{asked} paths with breakpoints, as a ScoreTable has under a known condition, "
            f"got {brief(path)}."
        )
    return path
