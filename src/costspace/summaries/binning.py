"""Binnings: monotone maps from scores to the numbers of bins, in few pieces."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import EXACT, FloatArray, FrozenValue, IndexArray
from costspace.checks import check_range, check_whole
from costspace.errors import ConditionError, ScoreError, brief
from costspace.single import doubles

DEFAULT_BINS = 2**20
SCALES = ("linear", "log", "log from one")
# A range twice as wide is still finite.
_LARGEST_BOUND = 8e307


@final
@dataclass(frozen=True)
class Piece:
    """An interval of scores cut into bins of equal width on some scale.

    Parameters
    ----------
    low, high : float
        The bins lie above `low` and not above `high`; each holds its upper edge.
    bins : int
        Number of bins, at least 1.
    scale : {"linear", "log", "log from one"}
        The scale of equal widths: the score, the logarithm of its distance from 0 (which is not in
        the interval), or that of its distance from 1 (which is above the interval).

    Raises
    ------
    ConditionError
        If the bounds, the number or the scale are out of range, or bins would be narrower than the
        precision of floats.

    Notes
    -----
    Bin j, from 1, holds the scores with ``ceil((t(s) - origin) * factor) == j``, t the scale. On
    the linear scale this is one subtraction, one product and one rounding, with the same result in
    every engine. The distance from 1 is exact for scores from 1/2 to 1.

    Examples
    --------
    >>> piece = Piece(0.0, 1.0, 4)
    >>> piece.origin, piece.factor, piece.steps([0.25, 0.3, 1.0, 2.0])
    (0.0, 4.0, array([1., 2., 4., 5.]))
    """

    low: float
    high: float
    bins: int
    scale: str = "linear"

    def __post_init__(self) -> None:
        low, high = check_range(self.low, self.high, inside=(-_LARGEST_BOUND, _LARGEST_BOUND))
        # -0.0 and 0.0 are the same score.
        object.__setattr__(self, "low", low + 0.0)
        object.__setattr__(self, "high", high + 0.0)
        object.__setattr__(self, "bins", check_whole("bins", self.bins, least=1))
        _check_told_apart(self.bins)
        if self.scale not in SCALES:
            names = ", ".join(map(repr, SCALES))
            raise ConditionError(f"scale must be one of {names}, got {brief(self.scale)}.")
        if self.scale == "log" and low <= 0 <= high:
            raise ConditionError(
                f"scale 'log' needs scores all above 0 or all below, got {low:g} to {high:g}."
            )
        if self.scale == "log from one" and high >= 1:
            raise ConditionError(f"scale 'log from one' needs scores below 1, got {high:g}.")
        if not self._width > 0 or math.isinf(self.bins / self._width):
            raise ConditionError(f"a piece from {low!r} to {high!r} is too narrow for bins.")

    @property
    def origin(self) -> float:
        """The lower bound on the scale."""
        return self._scaled(self.low)

    @property
    def factor(self) -> float:
        """Bins per unit of the scale."""
        return self.bins / self._width

    @property
    def _width(self) -> float:
        return self._scaled(self.high) - self._scaled(self.low)

    def _scaled(self, score: float) -> float:
        if self.scale == "linear":
            return score
        if self.scale == "log from one":
            return -math.log(1 - score)
        return math.log(score) if self.low > 0 else -math.log(-score)

    def steps(self, scores: ArrayLike) -> FloatArray:
        """The number of each score's bin, `bins` + 1 above `high`.

        Parameters
        ----------
        scores : array of shape (n,)
            Above `low`.

        Returns
        -------
        array of shape (n,)
            From 0 (for a score above `low` that equals it on the scale) to `bins` + 1.
        """
        scores = doubles(np.asarray(scores))
        above = scores > self.high
        steps = np.minimum(scores, self.high)
        if self.scale == "log from one":
            np.subtract(1, steps, out=steps)
            np.negative(np.log(steps, out=steps), out=steps)
        elif self.scale == "log" and self.low > 0:
            np.log(steps, out=steps)
        elif self.scale == "log":
            np.negative(steps, out=steps)
            np.negative(np.log(steps, out=steps), out=steps)
        steps -= self.origin
        steps *= self.factor
        np.ceil(steps, out=steps)
        np.clip(steps, 0, self.bins, out=steps)
        steps += above
        return steps


@final
@dataclass(frozen=True)
class Binning(FrozenValue):
    """A monotone map from scores to bins, numbered from 0.

    The scores up to the first piece's `low` have key 0. Each bin of a piece has the next key,
    followed by a key for the scores above the piece up to the `low` of the next. So a score equal
    to the `low` of a piece is separate from the scores in it.

    Parameters
    ----------
    pieces : sequence of Piece
        At least one, ascending; they may touch, but not overlap.

    Raises
    ------
    ConditionError
        If there are no pieces, or they overlap or do not ascend.

    Notes
    -----
    Bounds from bins use only the lowest and the highest score of each, so they hold however an
    engine rounds the edges of bins.

    Examples
    --------
    >>> import costspace as cs
    >>> binning = cs.Binning.uniform(bins=4)
    >>> binning.keys([-1, 0, 0.25, 0.26, 1, 3])
    array([0., 0., 1., 2., 4., 5.])
    >>> cs.Binning.from_dict(binning.to_dict()) == binning
    True
    """

    pieces: tuple[Piece, ...]

    def __post_init__(self) -> None:
        try:
            pieces = tuple(self.pieces)
        except TypeError:
            pieces = ()
        if not pieces or not all(isinstance(piece, Piece) for piece in pieces):
            raise ConditionError(f"Binning needs a list of pieces, got {brief(self.pieces)}.")
        for below, above in pairwise(pieces):
            if above.low < below.high:
                raise ConditionError(
                    f"pieces must ascend without overlap, got {below.low:g} to {below.high:g} "
                    f"before {above.low:g} to {above.high:g}."
                )
        object.__setattr__(self, "pieces", pieces)
        _check_told_apart(self.bins)

    @classmethod
    def uniform(cls, low: float = 0.0, high: float = 1.0, bins: int = DEFAULT_BINS) -> "Binning":
        """Bins of equal width.

        Parameters
        ----------
        low, high : float
            Scores up to `low` are one more bin, scores above `high` another.
        bins : int, default 2^20
            How many are between.

        Returns
        -------
        Binning
            Over [0, 1] the edges of a power of two of bins are exact, and the bins of a larger
            power are parts of them.

        Raises
        ------
        ConditionError
            If the bounds or the number are invalid.
        """
        return cls((Piece(low, high, bins),))

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "Binning":
        """The binning that `to_dict` wrote.

        Raises
        ------
        ConditionError
            If it is not one.
        """
        try:
            pieces = [Piece(low, high, bins, scale) for low, high, bins, scale in plain["pieces"]]
            return cls(tuple(pieces))
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            why = f" ({error.args[0].rstrip('.')})" if isinstance(error, ConditionError) else ""
            raise ConditionError(f"this is not a binning: {brief(plain)}{why}.") from None

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, ready for JSON."""
        return {"pieces": [[p.low, p.high, p.bins, p.scale] for p in self.pieces]}

    @property
    def bins(self) -> int:
        """How many keys there are."""
        return sum(piece.bins + 1 for piece in self.pieces) + 1

    @property
    def starts(self) -> IndexArray:
        """The key of scores up to the `low` of each piece; its bins have the following keys."""
        return np.cumsum([0] + [piece.bins + 1 for piece in self.pieces[:-1]])

    @cached_property
    def _lows(self) -> FloatArray:
        return np.array([piece.low for piece in self.pieces])

    def keys(self, scores: ArrayLike) -> FloatArray:
        """The key of each of some scores.

        Parameters
        ----------
        scores : array of shape (n,)
            Without NaN; infinite scores have a key too.

        Returns
        -------
        array of shape (n,)
            Whole numbers from 0 to `bins` - 1, ascending with the score up to the rounding of
            logarithms.

        Raises
        ------
        ScoreError
            If a score is NaN.
        """
        scores = doubles(np.asarray(scores))
        if np.isnan(scores).any():
            raise ScoreError("a score is missing (NaN), so it has no bin: fill or drop it.")
        piece = np.searchsorted(self._lows, scores) - 1
        keys = np.zeros(scores.shape)
        # Most or all of a block of sorted scores are in one piece.
        for i in range(max(piece.min(initial=0), 0), piece.max(initial=-1) + 1):
            inside = piece == i
            if inside.all():
                inside = np.s_[:]
            keys[inside] = self.starts[i] + self.pieces[i].steps(scores[inside])
        return keys


def _check_told_apart(bins: int) -> None:
    """Raise `ConditionError` unless so many keys are exact floats."""
    if bins >= EXACT:
        raise ConditionError("there are too many bins for exact keys: give fewer.")
