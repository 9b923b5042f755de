"""Certain bounds on metrics of scores that are known only by bin."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray, FrozenValue, underflow_to_zero
from costspace.choices import ThresholdChoice
from costspace.choices.base import check_choice
from costspace.errors import ConditionError, SourceError, brief
from costspace.metrics.calibration import refinement_loss
from costspace.metrics.expected import expected_loss
from costspace.metrics.reported import ByKind
from costspace.metrics.traits import traits_of, with_parameters
from costspace.notebook import Tabulated
from costspace.summaries.counts import ScoreCounts, is_binned

# The best and the worst add up in another order than the data, with other rounding errors. These
# were less than 2e-15, relative to numbers above 1, in 3 million rows; each end has seven times as
# much room.
_ROUNDING = 2.0**-46


def outward(low: float, high: float) -> tuple[float, float]:
    """The ends, moved outward by the rounding error."""
    aside = (_ROUNDING * max(1.0, abs(end)) if np.isfinite(end) else 0.0 for end in (low, high))
    return low - next(aside), high + next(aside)


@final
@dataclass(frozen=True)
class Bounds(Tabulated):
    """Certain bounds of a number.

    Attributes
    ----------
    low, high : float
        ``low <= high``.

    Examples
    --------
    >>> import costspace as cs
    >>> found = cs.metrics.Bounds(0.75, 0.875)
    >>> found.midpoint, found.width, 0.8 in found
    (0.8125, 0.125, True)
    """

    low: float
    high: float

    @classmethod
    def around(cls, metric: Callable[..., float], *values: float) -> "Bounds":
        """From the least to the largest value of a metric, rounded outward."""
        low, high = outward(min(values), max(values))
        least, most = traits_of(metric).ends
        return cls(max(low, least), min(high, most))

    @property
    def midpoint(self) -> float:
        """The middle."""
        return self.low if self.low == self.high else self.low / 2 + self.high / 2

    @property
    def width(self) -> float:
        """The distance of the ends; only rounding if the number is known."""
        return 0.0 if self.low == self.high else self.high - self.low

    def __contains__(self, value: float) -> bool:
        """Whether a value is inside."""
        return self.low <= value <= self.high

    def columns(self) -> dict[str, FloatArray]:
        """One row: both ends and the middle."""
        return {name: np.array([getattr(self, name)]) for name in ("low", "high", "midpoint")}


@final
@dataclass(frozen=True)
class ModelBounds(FrozenValue, ByKind, Tabulated):
    """The bounds of one model's numbers.

    Attributes
    ----------
    metrics : mapping of str to Bounds or None
        By name; None where the metric has no meaning for the scores.
    expected_loss : mapping of str to mapping of str to Bounds or None
        By axis and choice.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 1, 0, 1], [0.1, 0.3, 0.4, 0.9]
    >>> binned = cs.ScoreCounts.from_predictions(y, s, binning=cs.Binning.uniform(bins=2))
    >>> cs.evaluate(binned).models["y_score"].bounds.metrics["auc"]
    Bounds(low=0.5, high=1.0)
    """

    metrics: Mapping[str, Bounds | None]
    expected_loss: Mapping[str, Mapping[str, Bounds | None]]

    def to_dict(self) -> dict[str, Any]:
        """The ends by quantity, under the same keys as the numbers, ready for JSON."""
        return self._plain(lambda one: one and [one.low, one.high])

    def named(self) -> dict[str, Bounds | None]:
        """All bounds, expected losses named ``expected_loss_AXIS_CHOICE``."""
        return self._by_name("_")

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a quantity, NaN where there are no bounds."""
        return self._table("_", ("low", "high", "midpoint"))


@underflow_to_zero
def bounds(binned: ScoreCounts, *, metric: Callable[..., float]) -> Bounds:
    """Certain bounds of a metric of binned scores.

    Parameters
    ----------
    binned : ScoreCounts
        The data by bin.
    metric : function
        A metric of scores, such as `auc` or `brier_score`, with parameters as in
        ``functools.partial(expected_loss, choice=RateDriven())``; an expected loss is of a choice
        that is monotone in the scores. Kendall's tau and the calibration loss have no bounds.

    Returns
    -------
    Bounds
        They contain the metric of the data. Ends are rounded outward by 2^-46, relative to ends
        above 1. The mean squared and the mean absolute error are exact up to that, from the sums in
        the bins.

    Raises
    ------
    ConditionError
        If the metric, or the choice in an expected loss, is not known to be monotone.
    SourceError
        If `binned` are not counts, or not by bin.
    LabelError, ScoreError, WeightError
        If the metric has no meaning for the data; the message says why.

    Notes
    -----
    The values on ``binned.best`` and ``binned.worst``. Moving negatives down and positives up
    lowers both rates of errors at each threshold, so the ROC curve moves towards its corner:
    areas under it grow, the least loss at each condition falls, and so does the loss at a rate,
    since the line of equal rates meets the curve nearer the corner. Loss curves have bounds at
    every condition: ``loss_curve(binned.best, ...)`` and ``loss_curve(binned.worst, ...)``.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 1, 0, 1], [0.1, 0.3, 0.4, 0.9]
    >>> binned = cs.ScoreCounts.from_predictions(y, s, binning=cs.Binning.uniform(bins=2))
    >>> cs.bounds(binned, metric=cs.auc), cs.auc(y, s)
    (Bounds(low=0.5, high=1.0), 0.75)
    """
    if not is_binned(binned):
        raise SourceError(f"bounds needs ScoreCounts by bin, got {brief(binned)}.")
    _check_metric(metric)
    return Bounds.around(metric, metric(binned.best), metric(binned.worst))


def _check_metric(metric: Callable[..., float]) -> None:
    """Raise `ConditionError` unless better scores only make the metric better."""
    bare, options = with_parameters(metric)
    name = getattr(bare, "__name__", brief(bare))
    partition = options.get("partition", "hull")
    if bare is refinement_loss and not (isinstance(partition, str) and partition == "hull"):
        raise ConditionError(
            "refinement_loss has bounds only over partition='hull': over other bins it can grow "
            "as scores get better."
        )
    if (why := traits_of(metric).unbounded) is not None:
        raise ConditionError(f"{name} has no bounds on binned scores, because {why}.")
    if bare is expected_loss and "choice" in options:
        _check_monotone(check_choice(options["choice"]))


def _check_monotone(choice: ThresholdChoice) -> None:
    if choice.monotone != "unknown":
        return
    name = type(choice).__name__
    raise ConditionError(
        f"the loss of {name} has no bounds on binned scores, because {choice.unbounded}."
    )
