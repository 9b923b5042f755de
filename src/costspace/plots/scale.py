"""The axis of operating conditions: what it measures, its scale, its ticks and its label."""

from dataclasses import dataclass
from typing import final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import XAxis, YAxis
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from costspace.arrays import FloatArray, Floats
from costspace.curve import LossCurve, PiecewiseQuadratic
from costspace.errors import ConditionError, brief
from costspace.plots.axes import Drawing
from costspace.plots.checks import check_pair
from costspace.plots.thinning import SCALES, Screen, to_screen

# What the logit scale, which has no place for 0 and 1, shows of them unless told otherwise.
_LOGIT_LIMITS = (1e-4, 1 - 1e-4)

_LABELS = {
    "cost": "Cost proportion c = FP cost / (FP + FN cost)",
    "skew": "Skew z (near 0 where false negatives cost most)",
    "pc": "Probability cost PC(+)",
    "prevalence": "Prevalence (share of positives)",
}
_LOSS_LABELS = {
    "cost": "Expected loss",
    "skew": "Expected loss",
    "pc": "Normalised expected cost",
    "prevalence": "Expected cost",
}
_SAID = {
    "cost": "cost proportion",
    "skew": "skew",
    "pc": "probability cost",
    "prevalence": "prevalence",
}
# These two grow as false negatives weigh more, cost proportion and skew as false positives do.
_FLIPPED = ("pc", "prevalence")
# A logit axis with fewer ticks than this gets finer ones.
_FEW_TICKS = 4
_MAX_DECIMALS = 6
# Points that a tick takes.
_TICK = 33
# Gaps narrower than this, in dots of the picture, are not seen.
_SEEN = 0.5


@final
@dataclass(frozen=True)
class ConditionAxis:
    """The horizontal axis of a plot over operating conditions."""

    # {"cost", "skew", "pc", "prevalence"}: what it measures; a curve over skew z is shown against 1
    # - z on the last two.
    kind: str
    scale: str  # {"linear", "logit"}
    # The range drawn, in units of the axis.
    low: float
    high: float

    @classmethod
    def asked(
        cls, kind: object, scale: object, limits: tuple[float, float] | None
    ) -> "ConditionAxis":
        """The axis that a caller asks for, or `ConditionError` if there is none such."""
        if not isinstance(kind, str) or kind not in _LABELS:
            raise ConditionError(
                f"axis must be 'cost', 'skew', 'pc' or 'prevalence', got {brief(kind)}."
            )
        if not isinstance(scale, str) or scale not in SCALES:
            raise ConditionError(f"scale must be 'linear' or 'logit', got {brief(scale)}.")
        if limits is None:
            low, high = _LOGIT_LIMITS if scale == "logit" else (0.0, 1.0)
        else:
            low, high = check_pair(limits, inside=(0, 1))
        if scale == "logit" and not (low > 0 and high < 1):
            raise ConditionError(
                "a logit scale has no place for 0 and 1: give limits between them, such as "
                f"(0.0001, 0.9999), got ({low:g}, {high:g})."
            )
        return cls(kind, scale, low, high)

    @property
    def balanced(self) -> bool:
        """Whether curves on this axis are those of classes of equal share."""
        return self.kind != "cost"

    @property
    def flipped(self) -> bool:
        """Whether a curve over skew z is shown against 1 - z."""
        return self.kind in _FLIPPED

    def turned(self, x: Floats) -> Floats:
        """The cost proportions or skews at places of the axis, and the other way round."""
        return 1 - x if self.flipped else x

    def curve(self, curve: LossCurve) -> PiecewiseQuadratic:
        """The pieces of a curve, as a function of what the axis measures."""
        pieces = curve.piecewise()
        if not self.flipped:
            return pieces
        constant, linear, quadratic = pieces.coefficients[:, ::-1]
        mirrored = [constant + linear + quadratic, -linear - 2 * quadratic, quadratic]
        return PiecewiseQuadratic(1 - pieces.breaks[::-1], np.stack(mirrored))

    def share(self, x: FloatArray) -> FloatArray:
        """How far along the axis places are: 0 at its left end, 1 at its right one."""
        with np.errstate(divide="ignore"):
            left, right = to_screen(np.array([self.low, self.high]), self.scale)
            return (to_screen(x, self.scale) - left) / (right - left)

    @property
    def label(self) -> str:
        """What the axis measures and, where its ends cannot be 0 and 1, the range drawn."""
        return self.labelled(_LABELS[self.kind])

    def labelled(self, measured: str) -> str:
        """The same where what it measures goes by another name."""
        if self.scale == "linear":
            return measured
        return f"{measured}\n(logit scale, {_written(self.low)} to {_written(self.high)})"

    def ends(self, low: Floats, high: Floats) -> tuple[FloatArray, FloatArray]:
        """Where intervals of cost proportions or skews begin and end on the axis.

        The other way round, too.
        """
        first, last = np.asarray(self.turned(low)), np.asarray(self.turned(high))
        return (last, first) if self.flipped else (first, last)

    def shown(self, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The parts of intervals on the axis that are in the range drawn."""
        seen = (low < self.high) & (high > self.low)
        return np.maximum(low[seen], self.low), np.minimum(high[seen], self.high)

    def drawn_apart(self, drawing: Drawing, intervals: list[tuple[float, float]]) -> FloatArray:
        """What is seen of intervals of cost proportions or skews, small gaps closed.

        Shape (n, 2), of places on the axis, ascending.
        """
        low, high = self.ends(*np.array(intervals, dtype=float).reshape(-1, 2).T)
        order = np.argsort(low)
        low, high = self.shown(low[order], high[order])
        if not len(low):
            return np.zeros((0, 2))
        gap = drawing.pixels[0] * (self.share(low[1:]) - self.share(high[:-1])) > _SEEN
        return np.stack([low[np.append(True, gap)], high[np.append(gap, True)]], axis=1)

    def width(self, intervals: list[tuple[float, float]]) -> float:
        """The share of the axis that intervals of cost proportions or skews take."""
        return self.covered(*self.ends(*np.array(intervals, dtype=float).reshape(-1, 2).T))

    def covered(self, low: FloatArray, high: FloatArray) -> float:
        """The share of the axis that intervals on it take."""
        low, high = self.shown(low, high)
        return float(np.sum(self.share(high) - self.share(low)))

    def within(self, low: float, high: float) -> "ConditionAxis":
        """The axis over as much of an interval of cost proportions or skews as it can show."""
        first, last = map(float, self.ends(low, high))
        return self.asked(self.kind, self.scale, (max(first, self.low), min(last, self.high)))

    @property
    def said(self) -> str:
        """What the axis measures, as a title says it."""
        return _SAID[self.kind]

    @property
    def loss_label(self) -> str:
        """What a loss over these conditions is called."""
        return _LOSS_LABELS[self.kind]

    def window(self, drawing: Drawing, bottom: float, top: float) -> Screen:
        """Show these conditions, and heights that hold two and those shown before."""
        if drawing.ax.has_data():
            before = drawing.ax.get_ylim()
            bottom, top = min(bottom, *before), max(top, *before)
        self.apply(drawing.ax)
        drawing.ax.set_ylim(bottom, top)
        width, height = drawing.pixels
        return Screen(self.low, self.high, width, (top - bottom) / height, self.scale)

    def apply(self, ax: Axes) -> None:
        """Give the axes this scale, these limits, ticks and labels."""
        ax.set_xscale(self.scale)
        if self.scale == "logit":
            write_ticks(ax.xaxis, self.low, self.high, ax.bbox.width * 72 / ax.figure.dpi)
        ax.set_xlim(self.low, self.high)
        ax.set_xlabel(self.label)
        ax.set_ylabel(self.loss_label)


def write_ticks(axis: XAxis | YAxis, low: float, high: float, points: float) -> None:
    """Give an axis, so many points long, the ticks of a logit scale."""
    ticks = logit_ticks(low, high)
    step = int(np.ceil(len(ticks) * _TICK / points))
    axis.set_major_locator(FixedLocator(ticks[::step]))
    axis.set_major_formatter(FuncFormatter(lambda x, _: _written(x)))
    axis.set_minor_locator(NullLocator())


def logit_ticks(low: float, high: float) -> list[float]:
    """Powers of ten and their complements, or more if these are few."""
    for steps in ((1,), (1, 2, 5), range(1, 10)):
        small = [step / 10**power for power in range(1, 16) for step in steps]
        both = {x for x in small if x < 0.5} | {0.5} | {1 - x for x in small if x < 0.5}
        ticks = sorted(x for x in both if low <= x <= high)
        if len(ticks) >= _FEW_TICKS:
            return ticks
    return np.linspace(low, high, _FEW_TICKS + 1).tolist()


def _written(x: float) -> str:
    """A condition in no more digits than it needs, also next to 1."""
    for decimals in range(1, _MAX_DECIMALS + 1):
        rounded = round(x, decimals)
        if abs(rounded - x) <= 1e-3 * min(x, 1 - x):
            return f"{x:.{decimals}f}"
    return f"{x:.0e}" if x < 0.5 else f"1 - {1 - x:.0e}"
