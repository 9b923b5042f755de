"""The difference of two estimates, of the same rows or of independent samples, and its evidence."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from costspace.inference.interval import Ends, interval_around, two_sided_p, varies
from costspace.inference.measured import Measured
from costspace.inference.optimism import BIAS_ERROR
from costspace.inference.samples import ModelSample
from costspace.inference.statistic import Statistic


class Limits(NamedTuple):
    """What an estimate lies between.

    Attributes
    ----------
    values, biases : tuple of two floats
        Of scores that are known both ends are the same; those of binned scores leave room.
    error : float
        The standard error, without that of the bias.
    means : bool
        Whether it errs as a sum of class means.
    """

    values: Ends
    biases: Ends
    error: float
    means: bool

    @property
    def middle(self) -> float:
        return sum(self.values) / 2


class ErrorOfDifference(NamedTuple):
    """How the difference of two estimates varies.

    Attributes
    ----------
    variance : float
        Of the difference.
    apart : float
        Of the difference of two numbers as correlated as the estimates are, both of variance 1.
    """

    variance: float
    apart: float


def limits_of(found: Measured) -> Limits:
    """Those of a number of scores that are known."""
    value, bias = found.value, found.bias
    return Limits((value, value), (bias, bias), found.error, found.means is not None)


def spread_of_same_rows(first: Measured, second: Measured) -> ErrorOfDifference:
    """How the difference of two numbers of the same rows varies: as the rows' differences do."""
    difference = first.by_row - second.by_row
    in_units = first.by_row / _unit(first) - second.by_row / _unit(second)
    return ErrorOfDifference(first.error_of(difference) ** 2, first.error_of(in_units) ** 2)


def _unit(found: Measured) -> float:
    # Without variation, there are no units in which numbers differ.
    return found.error if varies(found.value, found.error, found.statistic.range) else np.inf


class Difference(NamedTuple):
    """One estimate minus another, with its evidence.

    Attributes
    ----------
    bounds : tuple of two floats
        What it lies between.
    bias : float
        By how much it is too large in the mean; the middle of what that lies between.
    standard_error : float
    low, high, method
        Its interval, less the bias: from that of the least to that of the largest it can be.
    p : float
        Of there being no difference, the largest that the bounds allow.
    """

    bounds: Ends
    bias: float
    standard_error: float
    low: float
    high: float
    p: float
    method: str

    def evidence(self, design: str) -> dict[str, Any]:
        """What every record of a difference says of it, its p-value not adjusted yet."""
        names = ("standard_error", "low", "high", "p", "method", "bias")
        found = {name: getattr(self, name) for name in names}
        return {**found, "p_adjusted": self.p, "design": design}


def difference_of(
    statistic: Statistic,
    first: Limits,
    second: Limits,
    samples: Sequence[ModelSample],
    *,
    level: float,
    spread: ErrorOfDifference | None = None,
) -> Difference:
    """The first estimate of a statistic minus the second.

    Parameters
    ----------
    statistic : Statistic
    first, second : Limits
    samples : sequence of two ModelSample
        That they are estimates on.
    level : float in (0, 1)
    spread : ErrorOfDifference, optional
        How the difference varies; by default as that of independent samples does.

    Raises
    ------
    ScoreError
        As in `interval_around`.
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
    bounds, biases = _less(first.values, second.values), _less(first.biases, second.biases)
    least, most = np.clip(_less(bounds, biases), *known["inside"]).tolist()
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
    statistic: Statistic, first: Limits, second: Limits, spread: ErrorOfDifference
) -> float:
    """Of the difference of two estimated biases, which are as correlated as the estimates are.

    What the biases of a one-sided statistic owe to chance is in its influences already, since
    these are of the misfit.
    """
    one, other = (max(limits.biases, key=abs) for limits in (first, second))
    common = 0.0 if statistic.one_sided else one * other * spread.apart
    return BIAS_ERROR**2 * ((one - other) ** 2 + common)


def _less(first: Ends, second: Ends) -> Ends:
    """The least and the largest that a difference can be."""
    return first[0] - second[1], first[1] - second[0]
