"""Cost lines: each operating point as a straight line over an operating condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, FrozenValue
from costspace.checks import check_conditions, check_number, check_positive, check_prevalence
from costspace.condition import loss_at
from costspace.curve.loss import PiecewiseQuadratic
from costspace.curve.points import OperatingPoints
from costspace.errors import ConditionError, brief
from costspace.roc.hull import lowest_lines

# The name of each axis's condition in messages.
_CONDITIONS = {
    "prevalence": "a prevalence",
    "cost": "a cost proportion",
    "skew": "a skew",
    "pc": "a probability cost",
}


@final
@dataclass(frozen=True, eq=False)
class CostLines(FrozenValue):
    """The loss of operating points, a straight line each, over an operating condition x.

    Make them with `cost_lines`; call them for the losses at one condition or several.

    Attributes
    ----------
    axis : {"prevalence", "cost", "skew", "pc"}
        What the condition x is.
    left, right : array of shape (m,)
        Loss of each point at x = 0 and at x = 1; smaller is better.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65: a point of ROC space is a line of cost space.

    Examples
    --------
    >>> import costspace as cs
    >>> lines = cs.cost_lines(([0.2, 0.5], [0.4, 0.0]), axis="pc")
    >>> lines(0.25), lines([0, 1])
    (array([0.25 , 0.375]), array([[0.2, 0.4], [0.5, 0. ]]))
    >>> round(lines.crossing(), 12)
    0.428571428571
    """

    axis: str
    left: FloatArray
    right: FloatArray

    def __call__(self, x: ArrayLike) -> FloatArray:
        """Loss of every point at each condition: one row a line."""
        u = check_conditions(_CONDITIONS[self.axis], x)
        return np.multiply.outer(self.left, 1 - u) + np.multiply.outer(self.right, u)

    def crossing(self, first: int = 0, second: int = 1) -> float | None:
        """The condition at which two of the lines, by index, have the same loss.

        None if there is none, or if they are equal at every condition.
        """
        i, j = (self._line(index) for index in (first, second))
        at_0 = float(self.left[j] - self.left[i])
        at_1 = float(self.right[j] - self.right[i])
        # Differences are compared, not multiplied: a product could underflow.
        apart = at_0 == at_1 or (at_0 > 0 and at_1 > 0) or (at_0 < 0 and at_1 < 0)
        return None if apart else at_0 / (at_0 - at_1)

    def _line(self, index: int) -> int:
        if not 0 <= index < len(self.left):
            raise ConditionError(
                f"there is no line {brief(index)}: there are lines 0 to {len(self.left) - 1}."
            )
        return int(index)

    def envelope(self) -> PiecewiseQuadratic:
        """The lower envelope: the loss of the best point at each condition.

        With the trivial rules (1, 0) and (0, 1) among the points it is the cost curve; for
        predictions that is the loss curve of `Optimal`.
        """
        best = lowest_lines(self.left, self.right)
        left, right = self.left[best], self.right[best]
        gained, lost = np.diff(left), -np.diff(right)
        at = np.maximum.accumulate(gained / (gained + lost))
        breaks = np.concatenate([[0.0], at, [1.0]])
        return PiecewiseQuadratic(breaks, np.stack([left, right - left, np.zeros_like(left)]))

    def columns(self) -> dict[str, FloatArray]:
        """One row a line: its two ends."""
        return {"left": self.left, "right": self.right}


def cost_lines(
    points: OperatingPoints | tuple[ArrayLike, ArrayLike],
    *,
    axis: str,
    prevalence: float | None = None,
    fp_cost: float | None = None,
    fn_cost: float | None = None,
) -> CostLines:
    """Cost lines of operating points over an operating condition.

    Parameters
    ----------
    points : OperatingPoints, or (fpr, fnr)
        Rates of m points, each in [0, 1].
    axis : {"prevalence", "cost", "skew", "pc"}
        What the condition x is, and with it the loss:

        - "prevalence": expected cost, (1 - x) FPR fp_cost + x FNR fn_cost;
        - "cost": the loss 2 (x pi0 FPR + (1 - x) pi1 FNR) at cost proportion x;
        - "skew": the loss x FPR + (1 - x) FNR at skew x;
        - "pc": the same over PC(+) = 1 - skew, (1 - x) FPR + x FNR.
    prevalence : float in (0, 1), optional
        Share of positives: needed on the cost axis, without effect over skew and PC(+).
    fp_cost, fn_cost : float, positive, optional
        Cost of each mistake over prevalence; 1 by default, which makes the loss the error rate.

    Returns
    -------
    CostLines

    Raises
    ------
    ConditionError
        If a rate, the axis, the prevalence or a cost is out of its range, or one of them is missing
        or does not belong to the axis.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65. Divided by the worst expected cost the loss
    over prevalence is not a line unless the costs are equal: `normalised_cost` computes it.

    Examples
    --------
    Two classifiers' error rates over the share of positives:

    >>> import costspace as cs
    >>> lines = cs.cost_lines(([0.2, 0.13], [0.08, 0.18]), axis="prevalence")
    >>> round(lines.crossing(), 4)
    0.4118
    """
    _check_axis(axis)
    fpr, fnr = _rates(points)
    if axis != "prevalence" and not (fp_cost is None and fn_cost is None):
        raise ConditionError(
            f"fp_cost and fn_cost belong to axis='prevalence': on axis={axis!r} the condition "
            "says what mistakes cost."
        )
    if axis == "prevalence":
        if prevalence is not None:
            raise ConditionError(
                "on axis='prevalence' the prevalence is the condition: leave it out, or choose "
                "axis='cost'."
            )
        fp = _cost("fp_cost", fp_cost)
        fn = _cost("fn_cost", fn_cost)
        return CostLines(axis, fp * fpr, fn * fnr)
    if axis == "cost":
        if prevalence is None:
            raise ConditionError("axis='cost' needs a prevalence: give it, or use 'skew' or 'pc'.")
        share = check_prevalence(prevalence)
    else:
        share = 0.5
    at_0, at_1 = (np.asarray(loss_at(fpr, fnr, c=c, prevalence=share)) for c in (0, 1))
    return CostLines(axis, at_1, at_0) if axis == "pc" else CostLines(axis, at_0, at_1)


def _cost(name: str, cost: float | None) -> float:
    if cost is None:
        return 1.0
    return float(check_positive(name, check_number(name, cost)))


def _check_axis(axis: object) -> None:
    if not isinstance(axis, str) or axis not in _CONDITIONS:
        raise ConditionError(
            f"axis must be 'prevalence', 'cost', 'skew' or 'pc', got {brief(axis)}."
        )


def _rates(points: OperatingPoints | tuple[ArrayLike, ArrayLike]) -> tuple[FloatArray, FloatArray]:
    if isinstance(points, OperatingPoints):
        return np.atleast_1d(points.fpr), np.atleast_1d(points.fnr)
    try:
        fpr, fnr = points
    except (TypeError, ValueError):
        raise ConditionError(
            f"points must be OperatingPoints or (fpr, fnr), got {brief(points)}."
        ) from None
    x: FloatArray = np.atleast_1d(check_conditions("fpr", fpr))
    y: FloatArray = np.atleast_1d(check_conditions("fnr", fnr))
    if x.ndim != 1 or x.shape != y.shape or x.size == 0:
        raise ConditionError(
            f"fpr and fnr must be lists of the same length, got shapes {x.shape} and {y.shape}."
        )
    return x, y
