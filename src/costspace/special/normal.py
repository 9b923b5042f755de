"""The distribution function and the quantile of the normal distribution."""

import math

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray

# Wichura (1988), Algorithm AS 241, Applied Statistics 37, 477-484: numerators and denominators of
# rational functions, highest powers first, of relative error 1e-16. The first is of
# 0.180625 - (p - 1/2)^2; the others of r = sqrt(-log p), r - 1.6 up to r = 5 and r - 5 beyond.
_CENTRAL = (
    (
        *(2509.0809287301226727, 33430.575583588128105, 67265.770927008700853),
        *(45921.953931549871457, 13731.693765509461125, 1971.5909503065514427),
        *(133.14166789178437745, 3.387132872796366608),
    ),
    (
        *(5226.495278852854561, 28729.085735721942674, 39307.89580009271061),
        *(21213.794301586595867, 5394.1960214247511077, 687.1870074920579083),
        *(42.313330701600911252, 1.0),
    ),
)
_MIDDLE = (
    (
        *(7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177),
        *(1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055),
        *(4.6303378461565452959, 1.42343711074968357734),
    ),
    (
        *(1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966),
        *(0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494),
        *(2.05319162663775882187, 1.0),
    ),
)
_FAR = (
    (
        *(2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386),
        *(0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358),
        *(5.4637849111641143699, 6.6579046435011037772),
    ),
    (
        *(2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5),
        *(7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531),
        *(0.59983220655588793769, 1.0),
    ),
)

# How far from 1/2 p may be for the first, and from which r on the last is used.
_REACH = 0.425
_FAR_FROM = 5.0


def ndtri(probability: ArrayLike) -> FloatArray:
    """The quantile of the normal distribution: infinite at 0 and 1, NaN beyond."""
    p = np.asarray(probability, dtype=float)
    off = p - 0.5
    quantile = np.full(p.shape, np.nan)
    quantile[p == 0], quantile[p == 1] = -np.inf, np.inf
    central = np.abs(off) <= _REACH
    q = off[central]
    quantile[central] = q * _ratio(_CENTRAL, 0.180625 - q * q)
    tails = (p > 0) & (p < 1) & ~central
    r = np.sqrt(-np.log(np.minimum(p, 1 - p)[tails]))
    size = np.where(r <= _FAR_FROM, _ratio(_MIDDLE, r - 1.6), _ratio(_FAR, r - _FAR_FROM))
    quantile[tails] = np.copysign(size, off[tails])
    return quantile[()]


def _ratio(coefficients: tuple[tuple[float, ...], tuple[float, ...]], x: FloatArray) -> FloatArray:
    above, below = (_polynomial(powers, x) for powers in coefficients)
    return above / below


def _polynomial(powers: tuple[float, ...], x: FloatArray) -> FloatArray:
    """By Horner's rule, in one array: `np.polyval` makes two of each power."""
    total = np.full_like(x, powers[0])
    for coefficient in powers[1:]:
        total *= x
        total += coefficient
    return total


def ndtr(x: ArrayLike) -> FloatArray:
    """The distribution function of the normal distribution."""
    scaled = np.asarray(x, dtype=float) * -math.sqrt(0.5)
    each = [math.erfc(value) / 2 for value in np.ravel(scaled).tolist()]
    return np.reshape(each, scaled.shape)[()]
