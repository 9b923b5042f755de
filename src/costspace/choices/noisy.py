"""A condition that is not known exactly when the threshold is chosen."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, IndexArray
from costspace.choices.base import Follows, Monotone, Seen, ThresholdChoice, check_choice
from costspace.choices.flagging import Exposure, Flagging
from costspace.costs.base import CostDistribution
from costspace.costs.scipy_frozen import scipy_written
from costspace.curve import OperatingPath, OperatingPoints, SmoothPath
from costspace.curve.cells import Cells, cells_along
from costspace.curve.loss import pieces_at
from costspace.errors import ConditionError, brief
from costspace.scores.base import ScoreSource
from costspace.scores.density import is_frozen

TOLERANCE = 1e-9
# Tolerances of quadratics for a path that bends, for the loss on a blurred path, and for the
# distribution function of the errors.
_PATH = 1e-10
_LOSS = 3e-10
_SHARE = 1e-11
# Narrower cells of a path make no difference beyond rounding.
_LEAST = 1e-12
# Over a narrower range the mean of the distribution function is that of its ends, and over one not
# much wider it is linear: differences of integrals would be only rounding.
_NARROW = 1e-9
_LINEAR = 1e-6
# At how many conditions per middle half of the errors the blurred path is evaluated at a change.
_EVALUATIONS = 4
# Conditions blurred together, times pieces.
_BLOCK = 1 << 18
# A negative and a positive of the same score: both flagged, then neither.
_ONE_OF_EACH = OperatingPoints(np.array([1.0, 0.0]), np.array([0.0, 1.0]))


@final
@dataclass(frozen=True, eq=False)
class NoisyCondition(FrozenValue, ThresholdChoice):
    """A method that sees an estimate of the condition: the true one plus an error.

    At deployment the condition assumed is C + error, clipped to [0, 1]; the loss is counted at
    the true C. The curve is smooth, not piecewise quadratic: its values are sums over the pieces
    of the exact choice's path, exact where that is straight, else within 1e-9; so are its
    integrals, if the errors spread over 1e-5 or more.

    Parameters
    ----------
    choice : ThresholdChoice
        The method, which takes the assumed condition as the true one.
    error : frozen ``scipy.stats`` distribution
        Of the error: continuous, such as ``norm(0, 0.1)`` or ``uniform(-0.1, 0.2)``.

    Raises
    ------
    ConditionError
        If `choice` is not a threshold choice method, or `error` no such distribution.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 7.3: what is known about the
    operating condition, and how reliably, decides which method is reasonable.

    Examples
    --------
    >>> import costspace as cs
    >>> from scipy.stats import norm
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> exact = cs.expected_loss(y, s, choice=cs.ScoreDriven())
    >>> noisy = cs.expected_loss(y, s, choice=NoisyCondition(cs.ScoreDriven(), norm(0, 0.2)))
    >>> round(exact, 6), round(noisy, 6)
    (0.185, 0.218989)
    """

    choice: ThresholdChoice
    error: Any
    # With an error in the condition, every score is flagged at random.
    fixed_by = ""

    def __post_init__(self) -> None:
        check_choice(self.choice, "NoisyCondition needs")
        if not is_frozen(self.error):
            raise ConditionError(
                "NoisyCondition needs a frozen continuous scipy distribution of the error, such "
                f"as scipy.stats.norm(0, 0.1), got {brief(self.error)}."
            )

    def __repr__(self) -> str:
        return f"NoisyCondition({self.choice!r}, {scipy_written(self.error)})"

    @property
    def sees(self) -> Seen:
        return self.choice.sees

    @property
    def follows(self) -> Follows:
        return self.choice.follows

    @property
    def on_probabilities(self) -> bool:
        return self.choice.on_probabilities

    @property
    def by_rank(self) -> bool:
        return self.choice.by_rank

    @property
    def monotone(self) -> Monotone:
        # A point that is best at another condition has the least loss there, not here.
        return "rates" if self.choice.monotone == "rates" else "unknown"

    @property
    def unbounded(self) -> str:
        return (
            "noise can move its threshold away from the best one: fit "
            f"{self.choice} on a sample, Fitted(..., on)"
        )

    def misfit(self, source: ScoreSource) -> str:
        return self.choice.misfit(source)

    def path(self, source: ScoreSource) -> SmoothPath:
        return _blurred(self.choice.path(source), self._error)

    def flagging(self, source: ScoreSource, scores: FloatArray) -> Flagging:
        return _NoisyFlagging(self.choice, source, scores, self._error)

    @cached_property
    def _error(self) -> "_Error":
        return _Error(self.error)


@final
@dataclass(frozen=True, eq=False)
class _Error(FrozenValue):
    """The distribution of an assumed condition around the true one."""

    frozen: Any

    def below(self, x: FloatArray) -> FloatArray:
        """P(error < x)."""
        return np.asarray(self.frozen.cdf(x), dtype=float)

    @cached_property
    def _share(self) -> Cells:
        """P(error < x) by quadratics, over the range where it matters."""

        def share(x: FloatArray) -> FloatArray:
            return self.below(x)[None]

        ends = np.clip(np.asarray(self.frozen.support(), dtype=float), -1, 1)
        return cells_along(share, share, np.union1d(ends, [-1.0, 1.0]), _SHARE)

    @cached_property
    def quartiles(self) -> FloatArray:
        share = np.append(self._share.start[0], self._share.end[0, -1])
        return np.interp([0.25, 0.5, 0.75], np.maximum.accumulate(share), self._share.breaks)

    @cached_property
    def _terms(self) -> tuple[FloatArray, ...]:
        """For each cell P(error < x) in powers of the distance, and its integrals before it."""
        h = np.diff(self._share.breaks)
        (share,), (end,), (bend,) = self._share.start, self._share.end, self._share.bend
        curve = 2 * bend / h / h
        slope = (end - share) / h - curve * h
        once = _before(h * (share + h * (slope / 2 + h * curve / 3)))
        twice = _before(h * (once + h * (share / 2 + h * (slope / 6 + h * curve / 12))))
        return share, slope, curve, once, twice

    def integrals(self, x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """P(error < x), its integral from -1 to x, and the integral of that, x in [-1, 1]."""
        breaks = self._share.breaks
        cell = pieces_at(breaks, x)
        share, slope, curve, once, twice = (term[cell] for term in self._terms)
        d = x - breaks[cell]
        return (
            share + d * (slope + d * curve),
            once + d * (share + d * (slope / 2 + d * curve / 3)),
            twice + d * (once + d * (share / 2 + d * (slope / 6 + d * curve / 12))),
        )


def _before(parts: FloatArray) -> FloatArray:
    """The sum of the parts before each, in long doubles."""
    return np.append(0.0, np.cumsum(parts[:-1], dtype=np.longdouble)).astype(float)


def _blurred(path: OperatingPath | SmoothPath, error: _Error) -> SmoothPath:
    """The path, averaged over the assumed condition given the true one."""
    pieces = path.cells(_PATH, _LEAST)
    breaks = _conditions_around(path.breaks, error)
    return SmoothPath(breaks, _Changes(pieces, error).at, path.prevalence, tolerance=_LOSS)


def _conditions_around(changes: FloatArray, error: _Error) -> FloatArray:
    """Conditions around each change, by the quartiles of the errors, so that none is missed."""
    at = np.unique(changes - error.quartiles[:, None])
    at = at[(at > 0) & (at < 1)]
    step = max(float(np.ptp(error.quartiles)) / _EVALUATIONS, TOLERANCE)
    _, first = np.unique(np.floor(at / step), return_index=True)
    return np.union1d([0.0, 1.0], at[first])


@final
@dataclass(frozen=True, eq=False)
class _Changes(FrozenValue):
    """The changes of FPR and FNR along a path, blurred by the error."""

    pieces: Cells
    error: _Error

    @cached_property
    def _jumps(self) -> tuple[FloatArray, FloatArray]:
        """Where the rates jump between pieces, and by how much."""
        at = self.pieces.breaks[1:-1]
        rise = self.pieces.start[:, 1:] - self.pieces.end[:, :-1]
        # An assumed condition of 0 has always passed a jump at 0.
        jump = np.any(rise != 0, axis=0) & (at > 0)
        return at[jump], rise[:, jump]

    @cached_property
    def _slides(self) -> tuple[IndexArray, FloatArray, FloatArray]:
        """The pieces along which the rates change, by how much, and how they bend."""
        rise, bend = self.pieces.end - self.pieces.start, self.pieces.bend
        moving = np.any((rise != 0) | (bend != 0), axis=0) & (np.diff(self.pieces.breaks) > 0)
        return np.flatnonzero(moving), rise[:, moving], bend[:, moving]

    def at(self, c: FloatArray) -> OperatingPoints:
        rates = np.empty((2, len(c)))
        rows = max(1, _BLOCK // len(self.pieces.breaks))
        for i in range(0, len(c), rows):
            rates[:, i : i + rows] = self._rates(c[i : i + rows, None])
        return OperatingPoints(*rates)

    def _rates(self, c: FloatArray) -> tuple[FloatArray, FloatArray]:
        (at, jump), (_, rise, bend) = self._jumps, self._slides
        ahead = self.error.below(at - c)
        mean, tilt = self._means_ahead(c)
        # FPR as its end plus the changes ahead, FNR as its start plus the changes passed, so that
        # small rates lose no digits.
        start = self.pieces.start[1, np.searchsorted(self.pieces.breaks, 0.0, side="right") - 1]
        fpr = jump[0] * ahead, rise[0] * mean + 2 * bend[0] * tilt
        fnr = jump[1] * (1 - ahead), rise[1] * (1 - mean) - 2 * bend[1] * tilt
        return (
            self.pieces.end[0, -1] - sum(np.sum(part, axis=1) for part in fpr),
            start + sum(np.sum(part, axis=1) for part in fnr),
        )

    def _means_ahead(self, c: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The mean of P(error < x - c) over the x of each slide, also times 2 u - 1.

        u is the share of the piece that is passed.
        """
        piece, breaks = self._slides[0], self.pieces.breaks
        if piece.size == 0:
            return np.zeros((len(c), 0)), np.zeros((len(c), 0))
        share, once, twice = self.error.integrals(breaks - c)
        width, low, high = np.diff(breaks)[piece], piece, piece + 1
        step = share[:, high] - share[:, low]
        mean = (once[:, high] - once[:, low]) / width
        tilt = (once[:, high] + once[:, low]) / width
        # The narrowest are not used below; their squares are 0.
        with np.errstate(divide="ignore", invalid="ignore"):
            tilt -= 2 * (twice[:, high] - twice[:, low]) / width**2
        return (
            np.where(width > _NARROW, mean, share[:, low] + step / 2),
            np.where(width > _LINEAR, tilt, step / 6),
        )


@final
@dataclass(frozen=True, eq=False)
class _NoisyFlagging(FrozenValue, Flagging):
    """Flagged like under the choice at the assumed condition."""

    choice: ThresholdChoice
    source: ScoreSource
    scores: FloatArray
    error: _Error

    def exposure(self, costs: CostDistribution) -> Exposure:
        distinct, where = np.unique(self.scores, return_inverse=True)
        found = np.array([self._risks(score, costs) for score in distinct[:, None]])
        as_negative, as_positive = found[np.ravel(where)].T
        return Exposure(as_negative, as_positive)

    def _risks(self, score: FloatArray, costs: CostDistribution) -> FloatArray:
        """The risk of one row, from a sample of a negative and a positive of its score."""
        flagging = self.choice.flagging(self.source, score)
        path = _blurred(flagging.path(_ONE_OF_EACH, 0.5), self.error)

        def risks(c: FloatArray) -> FloatArray:
            points = path.at(c)
            return np.stack([c * points.fpr, (1 - c) * points.fnr])

        cells = cells_along(risks, risks, path.breaks, path.tolerance)
        return np.maximum(cells.expectation(costs, risks(np.ones(1))[:, 0]), 0)

    def path(self, points: OperatingPoints, prevalence: float) -> SmoothPath:
        exact = self.choice.flagging(self.source, self.scores).path(points, prevalence)
        return _blurred(exact, self.error)
