"""A confidence band around a loss curve or a difference of two, exact at every condition."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray, FloatArray, Floats, IndexArray, plain
from costspace.bands.crossing_intervals import CrossingIntervals
from costspace.checks import check_conditions
from costspace.curve import PiecewiseQuadratic, SignIntervals, sign_intervals, weighted_sum
from costspace.curve.crossing import split_at_roots
from costspace.curve.loss import common_breaks
from costspace.errors import ConditionError, brief
from costspace.notebook import Tabulated

# A curve at some conditions, or its limits from the left.
_Reading: TypeAlias = Callable[[PiecewiseQuadratic], Floats]


@final
@dataclass(frozen=True, eq=False, repr=False)
class LossBand(Tabulated):
    """A loss curve, or a difference of two, with a confidence band.

    Attributes
    ----------
    curve : PiecewiseQuadratic
        The estimate, linear between breaks. Of a difference, negative where the first is better.
    variance : PiecewiseQuadratic
        The square of its standard error, which is quadratic between breaks.
    critical : float
        How many standard errors the estimate may be off, with the standard error at each value.
    below, above : PiecewiseQuadratic
        The squares of how far such values extend down and up, quadratic between breaks if class
        shares are fixed, else by interpolation, exact to 1e-4.
    too_high, too_low : PiecewiseQuadratic
        How much further the band extends down and up if thresholds are optimal on the sample: by
        the bias of the estimate, and since other thresholds may have a lower loss. 0 for other
        choices.
    floor, ceiling : PiecewiseQuadratic
        Bounds on any population's curve; the band stays within them.
    start, end : float
        The range of conditions of the band.
    level : float in (0, 1)
        How often such bands contain the population's curve.
    kind : str
        "simultaneous" for the whole curve in the range, "pointwise" for each value alone.
    n : int
        Number of rows.
    design : str
        What varies from sample to sample: "independent" rows, with their class shares, or
        "stratified", with class sizes fixed.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 1, 1], [0.1, 0.2, 0.6, 0.4, 0.7, 0.9]
    >>> band = cs.loss_band(y, s, choice=cs.ScoreDriven(), simultaneous=False)
    >>> band
    LossBand(pointwise 95 % band for conditions from 0 to 1, n 6, independent)
    >>> round(band.low(0.5), 4), round(band.curve(0.5), 4), round(band.high(0.5), 4)
    (0.0, 0.3333, 0.9524)
    """

    curve: PiecewiseQuadratic
    variance: PiecewiseQuadratic
    critical: float
    below: PiecewiseQuadratic
    above: PiecewiseQuadratic
    too_high: PiecewiseQuadratic
    too_low: PiecewiseQuadratic
    floor: PiecewiseQuadratic
    ceiling: PiecewiseQuadratic
    start: float
    end: float
    level: float
    kind: str
    n: int
    design: str

    def __repr__(self) -> str:
        return (
            f"LossBand({self.kind} {100 * self.level:g} % band for conditions from {self.start:g} "
            f"to {self.end:g}, n {self.n}, {self.design})"
        )

    def standard_error(self, c: ArrayLike) -> Floats:
        """Standard error at each condition, not negative."""
        return plain(_root(self.variance(self._in_range(c))))

    def low(self, c: ArrayLike) -> Floats:
        """Lower end of the band at each condition in its range, right-continuous."""
        c = self._in_range(c)
        return plain(self._low(lambda curve: curve(c)))

    def high(self, c: ArrayLike) -> Floats:
        """Upper end of the band at each condition in its range, right-continuous."""
        c = self._in_range(c)
        return plain(self._high(lambda curve: curve(c)))

    def _low(self, of: _Reading) -> FloatArray:
        low = of(self.curve) - of(self.too_high) - _root(of(self.below))
        return np.maximum(low, of(self.floor))

    def _high(self, of: _Reading) -> FloatArray:
        high = of(self.curve) + of(self.too_low) + _root(of(self.above))
        return np.minimum(high, of(self.ceiling))

    def _in_range(self, c: ArrayLike) -> FloatArray:
        conditions = check_conditions("an operating condition", c)
        outside = (conditions < self.start) | (conditions > self.end)
        if np.any(outside):
            raise ConditionError(
                f"the band is for conditions from {self.start:g} to {self.end:g}, got "
                f"{float(conditions[outside].flat[0]):g}: ask for a band over a wider range."
            )
        return conditions

    def where(self, sign: int) -> list[tuple[float, float]]:
        """The intervals in which the band is above 0, below it, or contains it.

        Parameters
        ----------
        sign : {1, -1, 0}
            For a difference of two models, -1 means that the first has the lower loss, 1 the
            second. By a simultaneous band this holds in all of these conditions with the
            confidence of its level.

        Returns
        -------
        list of pairs of float
            Exact up to rounding.

        Raises
        ------
        ConditionError
            If the sign is none of these.
        """
        if sign not in (1, -1, 0):
            raise ConditionError(f"sign must be 1, -1 or 0, got {brief(sign)}.")
        breaks, signs = self._signs
        return [(float(breaks[i]), float(breaks[i + 1])) for i in np.flatnonzero(signs == sign)]

    @property
    def _signs(self) -> tuple[FloatArray, IndexArray]:
        """Breaks, and the sign between them; neighbouring signs differ."""
        above = self._beyond(
            weighted_sum([self.curve, self.too_high], weights=[1.0, -1.0]), self.below, 1
        )
        below = self._beyond(
            weighted_sum([self.curve, self.too_low], weights=[1.0, 1.0]), self.above, -1
        )
        edges = np.array([self.start, self.end, *above.ravel(), *below.ravel()])
        breaks = np.unique(edges)
        middle = (breaks[:-1] + breaks[1:]) / 2
        signs = _covered(above, middle).astype(np.intp) - _covered(below, middle)
        new = np.append(True, signs[1:] != signs[:-1])
        return np.append(breaks[:-1][new], self.end), signs[new]

    def _beyond(
        self, centre: PiecewiseQuadratic, reach: PiecewiseQuadratic, sign: int
    ) -> FloatArray:
        """The intervals (k, 2) where a line is further from 0 than the root of a reach."""
        breaks = common_breaks([centre, reach])
        d0, d1, _ = centre.coefficients_on(breaks)
        squared = np.stack([d0 * d0, 2 * d0 * d1, d1 * d1])
        squared -= reach.coefficients_on(breaks)
        a, b, beyond = split_at_roots(breaks, squared)
        a, b = np.maximum(a, self.start), np.minimum(b, self.end)
        middle = (a + b) / 2
        found = (a < b) & (beyond[0] + middle * (beyond[1] + middle * beyond[2]) > 0)
        found[found] = np.sign(centre(middle[found])) == sign
        return np.stack([a[found], b[found]], axis=1)

    def crossings(self) -> CrossingIntervals:
        """Confidence intervals for the conditions at which the curve crosses 0.

        Returns
        -------
        CrossingIntervals
            Each is an interval in which the band contains 0 and the estimate changes sign.

        Notes
        -----
        The conditions at which a value of 0 is not rejected, as in Fieller (1954), Journal of the
        Royal Statistical Society B 16. With the confidence of its level, a simultaneous band
        contains 0 at all crossings of the population's curve in the range, and a pointwise band at
        each single one.
        """
        breaks, signs = self._signs
        changes = _sign_changes(sign_intervals(self.curve))
        found = []
        for i, sign in enumerate(signs):
            low, high = breaks[i], breaks[i + 1]
            inside = changes[(changes >= low) & (changes <= high)]
            if sign == 0 and len(inside):
                before = signs[i - 1] if i else 0
                after = signs[i + 1] if i + 1 < len(signs) else 0
                found.append((low, high, inside[0], inside[-1], before, after))
            elif sign and i and signs[i - 1] == -sign:
                found.append((low, low, low, low, -sign, sign))
        columns = np.array(found, dtype=float).reshape(-1, 6).T
        low, high, first, last = columns[:4]
        before, after = columns[4:].astype(np.intp)
        return CrossingIntervals(low, high, first, last, before, after, self.level, self.kind)

    def columns(self) -> dict[str, FloatArray]:
        """One row a piece in the range: its ends, and the curve and the band at both ends.

        The values at the end of a piece are limits.
        """
        reach = (self.below, self.above, self.too_high, self.too_low)
        breaks = common_breaks([self.curve, *reach, self.floor, self.ceiling])
        inner = np.unique(breaks[(breaks > self.start) & (breaks < self.end)])
        a, b = np.append(self.start, inner), np.append(inner, self.end)
        columns = {"from": a, "to": b}
        ends: dict[str, _Reading] = {
            "start": lambda curve: curve(a),
            "end": lambda curve: curve.left(b),
        }
        for end, of in ends.items():
            columns[f"loss_{end}"] = np.asarray(of(self.curve))
            columns[f"low_{end}"] = self._low(of)
            columns[f"high_{end}"] = self._high(of)
        return columns


def _root(square: Floats) -> FloatArray:
    """The root of a square that rounding may make negative."""
    return np.asarray(np.sqrt(np.maximum(square, 0)))


def _sign_changes(intervals: SignIntervals) -> FloatArray:
    """Where a curve passes from one sign to the other, perhaps over an interval at 0."""
    signed = np.flatnonzero(intervals.sign)
    changed = intervals.sign[signed[1:]] != intervals.sign[signed[:-1]]
    ends = intervals.breaks[signed[:-1][changed] + 1], intervals.breaks[signed[1:][changed]]
    return np.asarray((ends[0] + ends[1]) / 2)


def _covered(intervals: FloatArray, at: FloatArray) -> BoolArray:
    """Whether each condition is in one of some disjoint, ascending intervals."""
    if not len(intervals):
        return np.zeros(len(at), dtype=bool)
    last = np.searchsorted(intervals[:, 0], at, side="right") - 1
    return (last >= 0) & (at <= intervals[last, 1])
