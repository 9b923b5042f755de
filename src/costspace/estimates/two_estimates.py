"""The difference of two estimates, on the same rows or on independent samples, and its evidence."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from costspace.arrays import FloatArray, IndexArray
from costspace.estimates.interval import Ends, interval_around, two_sided_p, varies
from costspace.estimates.measured import Measured
from costspace.estimates.model_samples import ModelSample
from costspace.influences.optimism import BIAS_ERROR
from costspace.influences.statistic import Statistic


class EstimateBounds(NamedTuple):
    """An estimate, or the bounds that contain it."""

    # For known scores both ends are equal; for binned scores they differ.
    values: Ends
    biases: Ends
    error: float  # the standard error, without that of the bias
    means: bool  # whether its error is a sum of class means

    @property
    def middle(self) -> float:
        return sum(self.values) / 2


class ErrorOfDifference(NamedTuple):
    """How the difference of two estimates varies."""

    variance: float  # of the difference
    # Of the difference of two variables of variance 1, with the correlation of the estimates.
    apart: float


def bounds_of(found: Measured) -> EstimateBounds:
    """The estimate of a statistic of exact scores."""
    value, bias = found.value, found.bias
    return EstimateBounds((value, value), (bias, bias), found.error, found.means is not None)


def spread_of_same_rows(first: Measured, second: Measured) -> ErrorOfDifference:
    """How a difference on the same rows varies: by the differences of the rows' influences."""
    difference = first.by_row - second.by_row
    in_units = first.by_row / _unit(first) - second.by_row / _unit(second)
    return ErrorOfDifference(first.error_of(difference) ** 2, first.error_of(in_units) ** 2)


def spread_of_same_groups(
    first: Measured, second: Measured, first_groups: IndexArray, second_groups: IndexArray
) -> ErrorOfDifference:
    """How a difference of two samples varies in which the same groups may be.

    By the differences of what each group adds to the errors: Obuchowski (1997), Biometrics 53.

    Parameters
    ----------
    first_groups, second_groups : array of int
        What number each group of a sample has among those of both.
    """
    most = max(first_groups.max(), second_groups.max()) + 1
    sides = ((first, first_groups), (second, second_groups))
    own, other = (_of_groups(found, groups, most) for found, groups in sides)
    in_units = own / _unit(first) - other / _unit(second)
    return ErrorOfDifference(float(np.sum((own - other) ** 2)), float(np.sum(in_units**2)))


def _of_groups(found: Measured, groups: IndexArray, most: int) -> FloatArray:
    """The part of each group in the error of a statistic, 0 of those that are not in the sample."""
    parts = np.zeros(most)
    parts[groups] = found.by_group
    return parts


def _unit(found: Measured) -> float:
    # Without variation there is no unit for the difference.
    return found.error if varies(found.value, found.error, found.statistic.range) else np.inf


class Difference(NamedTuple):
    """One estimate minus another, with its evidence."""

    bounds: Ends  # bounds that certainly contain it
    bias: float  # its expected excess; the middle of its bounds
    standard_error: float
    # Its interval, minus the bias: from the lower end at the least difference to the upper end at
    # the largest.
    low: float
    high: float
    p: float  # P-value of no difference, the largest that the bounds allow
    method: str

    def evidence(self, design: str) -> dict[str, Any]:
        """The common attributes of records of a difference, with the p-value not adjusted yet."""
        names = ("standard_error", "low", "high", "p", "method", "bias")
        found = {name: getattr(self, name) for name in names}
        return {**found, "p_adjusted": self.p, "design": design}


def difference_of(
    statistic: Statistic,
    first: EstimateBounds,
    second: EstimateBounds,
    samples: Sequence[ModelSample],
    *,
    level: float,
    spread: ErrorOfDifference | None = None,
) -> Difference:
    """The first estimate of a statistic minus the second, each on its sample.

    The spread is how the difference varies, by default as for independent samples. `ScoreError` as
    in `interval_around`.
    """
    if spread is None:
        spread = ErrorOfDifference(first.error**2 + second.error**2, 2.0)
    error = float(np.sqrt(spread.variance + _bias_variance(statistic, first, second, spread)))
    low, high = statistic.range
    known: dict[str, Any] = {
        "inside": (low - high, high - low),
        "span": None if statistic.span is None else 2 * statistic.span,
        "effective_size": min(min(sample.effective_sizes) for sample in samples),
        "clustered": any(sample.clustered for sample in samples),
    }
    bounds, biases = _minus(first.values, second.values), _minus(first.biases, second.biases)
    least, most = np.clip(_minus(bounds, biases), *known["inside"]).tolist()
    intervals = [
        interval_around(end, error, level=level, method="linear", **known) for end in (least, most)
    ]
    return Difference(
        bounds,
        sum(biases) / 2,
        error,
        intervals[0].low,
        intervals[1].high,
        two_sided_p(min(max(least, 0.0), most), error, **known),
        intervals[0].method,
    )


def _bias_variance(
    statistic: Statistic, first: EstimateBounds, second: EstimateBounds, spread: ErrorOfDifference
) -> float:
    """Variance of the difference of two estimated biases, as correlated as the estimates.

    The random error of the bias of a one-sided statistic is in its influences already.
    """
    one, other = (max(estimate.biases, key=abs) for estimate in (first, second))
    common = 0.0 if statistic.one_sided else one * other * spread.apart
    return BIAS_ERROR**2 * ((one - other) ** 2 + common)


def _minus(first: Ends, second: Ends) -> Ends:
    """The least and the largest possible difference."""
    return first[0] - second[1], first[1] - second[0]
