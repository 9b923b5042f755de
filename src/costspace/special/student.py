"""The distribution function and the quantile of Student's t distribution, of single numbers."""

from collections.abc import Callable
from math import exp, expm1, isinf, isnan, lgamma, log, log1p, pi, sqrt

from costspace.special.normal import ndtr, ndtri

# From here on, the first term of the normal distribution's correction, Abramowitz and Stegun
# 26.7.8, is exact to a double's digits.
_NORMAL = 1e13
# From here on a normal density is zero.
_NO_DENSITY = 40.0
# Beyond this many times the root of the degrees of freedom, the tail is a power of t.
_FAR = 1e100
# From here on, the series of a ratio of gamma functions is exact to a double's digits.
_LARGE = 30.0
# Of Gamma(a + 1/2) / Gamma(a) / sqrt(a), as powers of 1 / a: DLMF 5.11.13.
_RATIO = (1, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144, 869 / 4194304, 39325 / 33554432)
# A larger probability above t keeps more digits as its distance from one half.
_CENTRAL = 0.25
# Halley's method is of third order: a step this small is the last that changes anything.
_LAST_STEP = 1e-6


def stdtr(df: float, t: float) -> float:
    """The probability of at most t, with `df` degrees of freedom, any positive number of them."""
    df, t = float(df), float(t)
    if not df > 0 or isnan(t):
        return float("nan")
    if t == 0:
        return 0.5
    if isinf(t):
        return float(t > 0)
    if df > _NORMAL:
        if abs(t) > _NO_DENSITY:
            return float(ndtr(t))
        return float(ndtr(t)) - _correction(df, t) * exp(-t * t / 2) / sqrt(2 * pi)
    tail = _chance(df, abs(t), centre=False)[0]
    return 1 - tail if t > 0 else tail


def stdtrit(df: float, p: float) -> float:
    """The quantile of probability p, with `df` degrees of freedom, any positive number of them."""
    df, p = float(df), float(p)
    if not (df > 0 and 0 <= p <= 1):
        return float("nan")
    if p in (0, 1):
        return float("inf") if p else float("-inf")
    if p == 0.5:
        return 0.0
    if df > _NORMAL:
        z = float(ndtri(p))
        return z + _correction(df, z)
    return -_above(df, p) if p < 0.5 else _above(df, 1 - p)


def _correction(df: float, z: float) -> float:
    return (z * z * z + z) / (4 * df)


def _chance(df: float, t: float, *, centre: bool) -> tuple[float, float, float]:
    """The probability above t > 0 or, with `centre`, of 0 to t, and more for Halley's method.

    These are t times the density, and the share of it by which it grows with log t.
    """
    near = t / sqrt(df)
    if near > _FAR:
        # The leading term of DLMF 8.17.7.
        tail = exp(-df * log(near)) * _peak(df) / df
        return (0.5 - tail if centre else tail), df * tail, -df
    # The share of t^2 in df + t^2, and that of df.
    y, x = near * near / (1 + near * near), 1 / (1 + near * near)
    density = sqrt(y) * exp(-df / 2 * log1p(near * near)) * _peak(df)
    a, b = df / 2, 0.5
    # The continued fraction converges fast on one side of the mean of the beta distribution.
    if x <= (a + 1) / (a + b + 2):
        value = density * _fraction(a, b, x, y) / 2
        value = 0.5 - value if centre else value
    else:
        value = density * _fraction(b, a, y, x) / 2
        value = value if centre else 0.5 - value
    return value, density, x - df * y


def _peak(df: float) -> float:
    """1 / B(df / 2, 1 / 2)."""
    a = df / 2
    if a < _LARGE:
        return exp(lgamma(a + 0.5) - lgamma(a)) / sqrt(pi)
    series = 0.0
    for coefficient in reversed(_RATIO):
        series = series / a + coefficient
    return series * sqrt(a / pi)


def _fraction(a: float, b: float, x: float, y: float) -> float:
    """The incomplete beta function over x^a y^b / B(a, b), for x up to (a + 1) / (a + b + 2).

    The even part of the continued fraction DLMF 8.17.22, as of DiDonato and Morris (1992), ACM
    Transactions on Mathematical Software 18, 360-373; evaluated by Lentz's method, DLMF 3.10(iii).
    """
    excess = a * y - b * x
    value = a / (a + 1) * (excess + 1)
    c, d, change, n = value, 0.0, 0.0, 0
    while abs(change - 1) > 3e-16 and n < 1_000_000:
        n += 1
        m = a + 2 * n - 1
        share = n * (b - n) * x / m
        above = (a + n - 1) / m * (a + b + n - 1) * x * share
        below = n + share + (a + n) / (m + 2) * (excess + 1 + n * (1 + y))
        d = 1 / (below + above * d)
        c = below + above / c
        change = c * d
        value *= change
    return 1 / value


def _above(df: float, q: float) -> float:
    """The t > 0 that has the probability q above it, found by its logarithm."""
    centre = q > _CENTRAL
    wanted = 0.5 - q if centre else q
    whole = -log(_peak(df))
    # The tail is at most a power of t, to which it tends.
    high = log(df) / 2 - (log(q) + log(df) + whole) / df
    if high > 700:
        return exp(high) if high < 709 else float("inf")

    def at(logarithm: float) -> tuple[float, float]:
        value, density, bend = _chance(df, exp(logarithm), centre=centre)
        if value == 0:
            return float("inf"), 0.0
        slope = density / value
        off = _log_ratio(value, wanted) / slope
        return (off, bend - slope) if centre else (-off, bend + slope)

    # A lower bound each: the density is largest at zero, and the tail is above the normal one's.
    z = -float(ndtri(q))
    low = log(wanted * sqrt(df)) + whole if centre else log(z)
    near = low if centre else min(high, log(_wallace(df, z)))
    place, step = _root(near, at, low, high)
    return exp(place) * exp(step)


def _log_ratio(value: float, wanted: float) -> float:
    """log(value / wanted), which loses no digits where the two are close."""
    off = (value - wanted) / wanted
    return log1p(off) if abs(off) < 0.5 else log(value) - log(wanted)


def _wallace(df: float, z: float) -> float:
    """About the t where the normal distribution has z: Wallace (1959), Ann. Math. Statist. 30."""
    moved = z * (8 * df + 3) / (8 * df + 1)
    return sqrt(df * expm1(min(moved * moved / df, 700.0)))


def _root(
    start: float, at: Callable[[float], tuple[float, float]], low: float, high: float
) -> tuple[float, float]:
    """A place near the root of an ascending function, and the last step from there.

    `at(x)` gives Newton's step back, f / f', and the curvature f'' / f'. The bounds close in by
    the sign of f; a step that leaves them is replaced by half of the way.
    """
    x = start
    for _ in range(200):
        newton, curvature = at(x)
        low, high = (low, x) if newton > 0 else (x, high)
        damping = 1 - newton * curvature / 2
        # Far from the root, Halley's steps are short where the function flattens.
        step = -newton / (1 if damping > 1.5 else max(damping, 0.5))
        if not abs(newton) > _LAST_STEP:
            return x, step
        x = x + step if low < x + step < high else (low + high) / 2
    return x, 0.0
