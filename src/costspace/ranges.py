"""Ranges of operating conditions that follow from bounds on what is known about them."""

from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np

from costspace.arrays import FloatArray
from costspace.checks import check_positive, check_prevalence
from costspace.errors import ConditionError, brief
from costspace.notebook import Tabulated

__all__ = [
    "SkewRange",
    "skew_range",
]

NumberOrRange: TypeAlias = float | tuple[float, float]


@final
@dataclass(frozen=True, repr=False)
class SkewRange(Tabulated):
    """The range of skew from bounds on two ratios that vary independently.

    Make one with `skew_range`.

    Attributes
    ----------
    low, high : float
        The least and the greatest skew, in (0, 1). They are equal if both ratios are exact.
    cost_ratio : tuple of two floats
        Bounds assumed on the cost of a false positive over that of a false negative.
    class_ratio : tuple of two floats
        Bounds assumed on the number of negatives over that of positives.

    Notes
    -----
    Ratigan and Cowen (2024), The VOROS: bounds on costs and class sizes as a range of skew.

    Examples
    --------
    >>> import costspace as cs
    >>> cs.skew_range(cost_ratio=(1 / 5000, 1 / 500), class_ratio=(99, 999))
    SkewRange(0.0194156 to 0.666444: fp:fn cost 0.0002 to 0.002, negatives:positives 99 to 999, \
independent)
    """

    low: float
    high: float
    cost_ratio: tuple[float, float]
    class_ratio: tuple[float, float]

    def __repr__(self) -> str:
        return (
            f"SkewRange({_written(self.low, self.high)}: fp:fn cost {_written(*self.cost_ratio)}, "
            f"negatives:positives {_written(*self.class_ratio)}, independent)"
        )

    def columns(self) -> dict[str, FloatArray]:
        """One row: the range and the bounds that it was made from."""
        return {
            "low": np.array([self.low]),
            "high": np.array([self.high]),
            **{
                f"{name}_{end}": np.array([value])
                for name, bounds in (("cost", self.cost_ratio), ("class", self.class_ratio))
                for end, value in zip(("low", "high"), bounds, strict=True)
            },
        }


def skew_range(
    *,
    cost_ratio: NumberOrRange,
    class_ratio: NumberOrRange | None = None,
    prevalence: NumberOrRange | None = None,
) -> SkewRange:
    """Range of skew from bounds on the cost ratio and on the class ratio.

    Parameters
    ----------
    cost_ratio : float or (low, high), positive
        Cost of a false positive over that of a false negative: 1/500 when a false negative costs
        500 false positives. One number is an exactly known ratio.
    class_ratio : float or (low, high), positive
        Number of negatives over that of positives at deployment.
    prevalence : float or (low, high), inside (0, 1)
        Share of positives, instead of the class ratio.

    Returns
    -------
    SkewRange
        Give its `low` and `high` to `voros` or `Uniform`. If both ratios are exact, `low` equals
        `high`: use ``Point(low)``.

    Raises
    ------
    ConditionError
        If bounds are not positive, finite and ascending, or not exactly one of `class_ratio` and
        `prevalence` is given.

    Notes
    -----
    z / (1 - z) is the product of the two ratios, and intervals of positive numbers multiply end by
    end. So the range holds if the ratios vary independently. If they vary together, the range is
    narrower. Ratigan and Cowen (2024), The VOROS, pair the least cost ratio with the greatest class
    ratio in their credit example, which leaves out most of the range.

    Examples
    --------
    Between 0.1 % and 1 % of transactions are fraud, and missing one costs 500 to 5000 times as
    much as a false positive:

    >>> import costspace as cs
    >>> known = cs.skew_range(cost_ratio=(1 / 5000, 1 / 500), prevalence=(0.001, 0.01))
    >>> round(known.low, 5), round(known.high, 5)
    (0.01942, 0.66644)
    >>> round(cs.voros([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9], low=known.low, high=known.high), 4)
    0.9394
    """
    if (class_ratio is None) == (prevalence is None):
        came = "neither" if prevalence is None else "both"
        raise ConditionError(
            f"skew_range needs either class_ratio or prevalence, got {came}: class_ratio counts "
            "negatives for each positive, prevalence is the share of positives."
        )
    costs = _bounds("cost_ratio", cost_ratio)
    if class_ratio is not None:
        classes = _bounds("class_ratio", class_ratio)
    else:
        low, high = (check_prevalence(p) for p in _bounds("prevalence", prevalence))
        classes = _bounds("(1 - prevalence) / prevalence", ((1 - high) / high, (1 - low) / low))
    low, high = (cost * ratio for cost, ratio in zip(costs, classes, strict=True))
    return SkewRange(1 / (1 + 1 / low), 1 / (1 + 1 / high), costs, classes)


def _bounds(name: str, bounds: object) -> tuple[float, float]:
    """Return (low, high), equal for a single number."""
    numbers = check_positive(name, bounds)  # type: ignore[arg-type]
    if numbers.ndim == 0:
        return float(numbers), float(numbers)
    if numbers.shape != (2,) or numbers[0] > numbers[1]:
        raise ConditionError(
            f"{name} must be one number or (low, high) with low at most high, got {brief(bounds)}."
        )
    return float(numbers[0]), float(numbers[1])


def _written(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"
