"""Confidence intervals from an estimate and its standard error, inside the quantity's range."""

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias, final

import numpy as np

from costspace.checks import check_number
from costspace.errors import ConditionError, ScoreError, brief
from costspace.special import expit, log_ndtr, logit, ndtr, ndtri, stdtr, stdtrit

Ends: TypeAlias = tuple[float, float]

# Standard errors below this share of the quantity's scale are 0 up to rounding.
_ROUNDING = 1e-14


@final
@dataclass(frozen=True)
class Interval:
    """The ends of a confidence interval, and its method."""

    low: float
    high: float
    method: str


def normal_quantile(level: float) -> float:
    """How many standard errors a two-sided interval of a level extends to each side."""
    return float(-ndtri((1 - check_level(level)) / 2))


def level_at(quantile: float) -> float:
    """The level of an interval that extends so many standard errors to each side."""
    return float(1 - 2 * ndtr(-quantile))


def check_level(level: float) -> float:
    """Return a confidence level, or raise `ConditionError` unless it is inside (0, 1)."""
    return check_number("level", level, low=0, high=1, open_ends=True)


def interval_around(
    estimate: float,
    standard_error: float,
    *,
    inside: Ends,
    level: float = 0.95,
    effective_size: float,
    clustered: bool = False,
    span: float | None = None,
    method: str | None = None,
) -> Interval:
    """Two-sided interval for a quantity that lies inside a range, which contains the estimate.

    Parameters
    ----------
    inside : tuple of two floats
        The range of the quantity, infinite where it has no end.
    effective_size : float
        Effective number of independent rows of the smaller class; see `sizes_of_rows`.
    clustered : bool
        Whether those are clusters of rows.
    span : float, optional
        How far the quantity can move if all rows differ from the sample's; the width of the range
        by default.
    method : {"linear", "logit", "log"}, optional
        The scale on which the interval is symmetric. By default logit inside two finite ends, log
        above one, linear without.

    Raises
    ------
    ConditionError
        If the level is not inside (0, 1), or there is no such method for the range.
    ScoreError
        If a number is not finite, a class has fewer than two independent rows, or nothing varies
        in a quantity without bounds.

    Notes
    -----
    The delta method on the logit or logarithm, and `unseen_share` if the sample shows no variation.
    Clusters are few and differ, so they take Student's quantile, with as many degrees of freedom as
    clusters minus one: Cameron and Miller (2015), A Practitioner's Guide to Cluster-Robust
    Inference, Journal of Human Resources 50.
    """
    check_numbers(estimate, standard_error, effective_size)
    quantile = float(-_quantile((1 - check_level(level)) / 2, effective_size, clustered=clustered))
    low, high = inside
    if not varies(estimate, standard_error, inside):
        reach = _reach(inside, span) * unseen_share(effective_size, level)
        return Interval(max(low, estimate - reach), min(high, estimate + reach), "unseen")
    method = _usual(inside) if method is None else method
    if method not in _METHODS or (method == "logit" and not np.isfinite(high - low)):
        raise ConditionError(
            f"method must be one of {', '.join(_METHODS)}, and logit needs a range with two ends, "
            f"got {brief(method)} inside {low:g} to {high:g}."
        )
    if not low + _ROUNDING < estimate < high - _ROUNDING:
        # On the other scales the end of the range is infinite.
        method = "linear"
    ends = _METHODS[method](estimate, quantile * standard_error, inside)
    return Interval(max(low, ends[0]), min(high, ends[1]), method)


def upper_bound(
    estimate: float,
    standard_error: float,
    *,
    inside: Ends,
    level: float = 0.95,
    effective_size: float,
    clustered: bool = False,
) -> Interval:
    """One-sided interval, from the range's lower end to an upper confidence bound.

    For a quantity near its lower end that samples overestimate, such as miscalibration: a symmetric
    interval would not contain a calibrated model's value. Parameters, errors and the result are
    those of `interval_around`.
    """
    check_numbers(estimate, standard_error, effective_size)
    quantile = _quantile(check_level(level), effective_size, clustered=clustered)
    if varies(estimate, standard_error, inside):
        reach = quantile * standard_error
    else:
        reach = _reach(inside, None) * unseen_share(effective_size, level)
    return Interval(inside[0], max(estimate, min(inside[1], estimate + reach)), "upper bound")


def unseen_share(effective_size: float, level: float = 0.95) -> float:
    """The largest share of rows of which a sample can have none, at a confidence level.

    Notes
    -----
    The probability that m independent rows miss a share q is (1 - q)^m. At the share returned it is
    half of 1 minus the level: Clopper and Pearson (1934), Biometrika 26, at an end; about 3.7/m at
    95 %. It bounds a mean of values in [0, 1] that are all equal, and 1 - AUC of separated classes,
    in which m disjoint pairs of a negative and a positive are in order. It also bounds 1 - VOROS,
    the mean area of corners that the ROC curve leaves out, and the optimal loss on the skew axis:
    where FPR = FNR = q, classes are separated only if no negative is above that threshold or no
    positive below it, which has probability 2 (1 - q)^m at most.
    """
    return float(-np.expm1(np.log((1 - check_level(level)) / 2) / effective_size))


def two_sided_p(
    difference: float,
    standard_error: float,
    *,
    inside: Ends,
    effective_size: float,
    clustered: bool = False,
    span: float | None = None,
) -> float:
    """Two-sided p-value of a difference of 0: 1 minus the level at which its interval reaches 0.

    Parameters and errors are those of `interval_around`; without variation the interval is that of
    `unseen_share`.
    """
    check_numbers(difference, standard_error, effective_size)
    if varies(difference, standard_error, inside):
        scaled = -abs(difference) / standard_error
        if clustered:
            return float(2 * stdtr(effective_size - 1, scaled))
        return float(2 * np.exp(log_ndtr(scaled)))
    share = min(abs(difference) / _reach(inside, span), 1.0)
    return min(1.0, float(2 * (1 - share) ** effective_size))


def check_numbers(estimate: float, standard_error: float, effective_size: float) -> None:
    """Raise `ScoreError` unless an estimate and the smaller class allow an interval."""
    if not (np.isfinite(estimate) and np.isfinite(standard_error) and standard_error >= 0):
        raise ScoreError(
            f"an interval needs a finite estimate and standard error, got {estimate:g} and "
            f"{standard_error:g}."
        )
    if not effective_size > 1:
        raise ScoreError(
            "an interval needs more than one independent row of each class to show how the class "
            f"varies, got {effective_size:.3g} in the smaller class."
        )


def varies(estimate: float, standard_error: float, inside: Ends) -> bool:
    """Whether a standard error is more than rounding."""
    width = inside[1] - inside[0]
    scale = max(abs(estimate), width) if np.isfinite(width) else abs(estimate)
    return standard_error > _ROUNDING * scale


def _quantile(level: float, effective_size: float, *, clustered: bool) -> float:
    """The quantile of a studentised error."""
    return float(stdtrit(effective_size - 1, level) if clustered else ndtri(level))


def _reach(inside: Ends, span: float | None) -> float:
    reach = inside[1] - inside[0] if span is None else span
    if not np.isfinite(reach):
        raise ScoreError(
            "a quantity without bounds has no interval if the sample shows no variation: give more "
            "rows."
        )
    return reach


def _usual(inside: Ends) -> str:
    low, high = np.isfinite(inside)
    if low and high:
        return "logit"
    return "log" if low else "linear"


def _linear(estimate: float, reach: float, _: Ends) -> Ends:
    return estimate - reach, estimate + reach


def _logit(estimate: float, reach: float, inside: Ends) -> Ends:
    low, width = inside[0], inside[1] - inside[0]
    share = (estimate - low) / width
    centre, reach = logit(share), reach / width / (share * (1 - share))
    return low + width * float(expit(centre - reach)), low + width * float(expit(centre + reach))


def _log(estimate: float, reach: float, inside: Ends) -> Ends:
    above = estimate - inside[0]
    with np.errstate(over="ignore"):
        factor = float(np.exp(np.float64(reach / above)))
    return inside[0] + above / factor, inside[0] + above * factor


_METHODS: MappingProxyType[str, Callable[[float, float, Ends], Ends]] = MappingProxyType(
    {"linear": _linear, "logit": _logit, "log": _log}
)
