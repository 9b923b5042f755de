"""Numbers in single precision: each is the shortest decimal that rounds to it, as it is printed."""

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray, ScoreArray
from costspace.threads import halves, mapped

# Of a double.
_BYTES = 8
# Scores read together, few enough to stay in the processor's cache.
_BLOCK = 1 << 15
# Powers of ten up to this are doubles.
_EXACT = 22


def doubles(scores: ScoreArray) -> FloatArray:
    """Scores in double precision: those of fewer bits as the decimals that they print as.

    So a score means the same in any precision, and the same as in a file of text: the number of 32
    bits next to 0.2 is not above 0.2. Scores of double precision are returned as they are.

    Examples
    --------
    >>> np.float32(0.2).astype(float), doubles(np.float32([0.2]))
    (np.float64(0.20000000298023224), array([0.2]))
    """
    if scores.dtype.kind == "f" and scores.dtype.itemsize < _BYTES:
        return _decimals(scores)
    return scores.astype(float, copy=False)


def singles(thresholds: FloatArray) -> FloatArray:
    """The largest number of 32 bits whose decimal is not above each threshold.

    Scores of single precision are above the one where their decimals are above the other. The
    least finite number stands for finite thresholds below it.

    Examples
    --------
    >>> singles(np.array([0.2, 0.7])) == np.float32([0.2, 0.7])
    array([ True,  True])
    """
    with np.errstate(over="ignore"):
        found = thresholds.astype(np.float32)
    above = doubles(found) > thresholds
    found = np.where(above, np.nextafter(found, np.float32(-np.inf)), found)
    least = np.finfo(np.float32).min
    return np.where(thresholds > -np.inf, np.maximum(found, least), found).astype(float)


def _decimals(scores: ScoreArray) -> FloatArray:
    if scores.dtype.itemsize == np.float16().itemsize:
        return scores.astype(str).astype(float)
    # In this machine's order of bytes.
    flat = np.ravel(scores).astype(np.float32, copy=False)
    found = np.empty(len(flat))
    blocks = range(0, len(flat), _BLOCK)

    def fill(some: range) -> None:
        for i in some:
            block = slice(blocks[i], blocks[i] + _BLOCK)
            _fill(found[block], np.ascontiguousarray(flat[block]))

    mapped(fill, halves(len(blocks)), len(flat))
    return found.reshape(scores.shape)


def _scales() -> tuple[FloatArray, FloatArray]:
    """By exponent, the power of ten that makes decimals of as many digits whole numbers.

    Of the fewer digits no two decimals round to one score; of one digit more some decimal rounds to
    each. NaN where such a power is no double.
    """
    spacing = np.ldexp(1.0, np.maximum(np.arange(256), 1) - 150)
    digits = np.floor(-np.log10(spacing))
    fewer, more = (
        np.where((digits >= 0) & (d <= _EXACT), 10.0 ** np.clip(d, 0, _EXACT), np.nan)
        for d in (digits, digits + 1)
    )
    # Zero and infinity are what they are.
    fewer[[0, -1]] = 1.0
    return fewer, more


_FEWER, _MORE = _scales()


def _fill(found: FloatArray, scores: NDArray[np.float32]) -> None:
    """Fill an array with the decimals of scores."""
    exponent = scores.view(np.int32) >> 23 & 255
    found[:] = _rounded(scores, _FEWER[exponent])
    rest = np.flatnonzero(found.astype(np.float32) != scores)
    if len(rest):
        some = scores[rest]
        decimals = _rounded(some, _MORE[exponent[rest]])
        # Below a power of two scores are closer. Where arithmetic does not do, NumPy prints.
        powers = some.view(np.int32) & (1 << 23) - 1 == 0
        unsure = (decimals.astype(np.float32) != some) | powers
        decimals[unsure] = some[unsure].astype(str).astype(float)
        found[rest] = decimals


def _rounded(scores: NDArray[np.float32], scale: FloatArray) -> FloatArray:
    """Each score to the nearest whole number of parts of 1 of which there are `scale`."""
    whole = scores * scale
    np.rint(whole, out=whole)
    whole /= scale
    return whole
