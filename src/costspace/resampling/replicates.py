"""Metrics on resamples of the rows, and the intervals from them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray, FrozenValue
from costspace.errors import ConditionError, ScoreError, brief
from costspace.estimates.estimates import Estimate
from costspace.estimates.interval import check_level
from costspace.notebook import Tabulated
from costspace.resampling.corrections import Correction
from costspace.resampling.intervals import bootstrap_interval, check_method
from costspace.resampling.table_metrics import spreads


@final
@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap(FrozenValue, Tabulated):
    """Metrics of predictions, and their values on resamples of the rows.

    Attributes
    ----------
    names : tuple of str
        The k metrics.
    estimate : array of shape (k,)
        Their values on the sample.
    replicates : array of shape (b, k)
        Their values on each resample.
    acceleration : array of shape (k,), or None
        How fast each standard error changes with the metric, if BCa intervals were requested.
    corrections : mapping of str to Correction
        The closed-form bias, by the name of a metric whose thresholds are optimal on the sample.
        The interval of such a metric is around the estimate minus that bias.
    level : float in (0, 1)
        Confidence level of `low` and `high`.
    method : {"percentile", "basic", "bca"}
        Their method.
    n : int
        Number of rows.
    design : {"independent", "stratified"}
        What varies from one resample to the next.
    dropped : int
        Resamples that lacked a class and were replaced.
    notes : mapping of str to str
        Why a metric has no interval by this method, by its name; its ends are NaN.
    note : str or None
        How intervals do in simulations if few rows decide; None if coverage is near the level.
    told : mapping of str to str or None
        The note of each metric, by its name.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9]
    >>> found = cs.bootstrap(y, s, metrics=[cs.auc, cs.brier_score], design="stratified")
    >>> found.names, found.estimate.round(4), found.replicates.shape
    (('auc', 'brier_score'), array([0.9375, 0.1262]), (1000, 2))
    """

    names: tuple[str, ...]
    estimate: FloatArray
    replicates: FloatArray
    acceleration: FloatArray | None
    corrections: Mapping[str, Correction]
    level: float
    method: str
    n: int
    design: str
    dropped: int
    notes: Mapping[str, str]
    note: str | None = None
    told: Mapping[str, str | None] = field(default_factory=dict)

    def __repr__(self) -> str:
        lines = (
            f"  {name} {value:.6g}, "
            + (
                "no interval"
                if name in self.notes
                else f"{100 * self.level:g} % interval {low:.6g} to {high:.6g}"
            )
            for name, value, low, high in zip(
                self.names, self.estimate, self.low, self.high, strict=True
            )
        )
        head = f"Bootstrap({len(self.replicates)} replicates, {self.method}, {self.design})"
        return "\n".join([head, *lines, *self._notes()])

    def _notes(self) -> list[str]:
        return [] if self.note is None else [self.note]

    @property
    def standard_error(self) -> FloatArray:
        """Standard deviation of the replicates of each metric."""
        return np.asarray(np.std(self.replicates, axis=0, ddof=1))

    @property
    def bias(self) -> FloatArray:
        """Mean of the replicates of each metric, minus its estimate."""
        return np.asarray(np.mean(self.replicates, axis=0) - self.estimate)

    @property
    def corrected(self) -> FloatArray:
        """Each estimate, minus its bias if that is known in closed form."""
        known = [
            self.corrections[name].bias if name in self.corrections else 0.0 for name in self.names
        ]
        return self.estimate - np.array(known)

    @property
    def low(self) -> FloatArray:
        """Lower end of each metric's interval."""
        return self._intervals[:, 0]

    @property
    def high(self) -> FloatArray:
        """Upper end of each metric's interval."""
        return self._intervals[:, 1]

    @property
    def _intervals(self) -> FloatArray:
        return np.array(
            [
                (np.nan, np.nan) if name in self.notes else self._ends(i, self.method, self.level)
                for i, name in enumerate(self.names)
            ]
        )

    def interval(
        self, name: str, *, method: str | None = None, level: float | None = None
    ) -> Estimate:
        """A metric with an interval, by another method or at another level if asked.

        Parameters
        ----------
        name : str
            One of `names`.
        method : {"percentile", "basic", "bca"}, optional
            "bca" only if the bootstrap was made with it.
        level : float in (0, 1), optional

        Returns
        -------
        Estimate

        Raises
        ------
        ConditionError
            If there is no such metric, method or level, or too few replicates for it.
        ScoreError
            If the replicates do not vary, or a BCa interval has no meaning.
        """
        if name not in self.names:
            known = ", ".join(map(repr, self.names))
            raise ConditionError(f"there are no replicates of {brief(name)}: there are {known}.")
        i = self.names.index(name)
        method = self.method if method is None else method
        level = self.level if level is None else check_level(level)
        low, high = (float(end) for end in self._ends(i, method, level))
        error = float(np.std(self._around(i), ddof=1))
        value = float(self.estimate[i])
        bias = value - float(self.corrected[i])
        note = self.told.get(name)
        return Estimate(
            *(name, value, error, low, high, level, method, self.n, self.design, bias, note)
        )

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a metric."""
        return {
            "metric": np.array(self.names),
            "estimate": self.estimate,
            "corrected": self.corrected,
            "bias": self.bias,
            "standard_error": self.standard_error,
            "low": self.low,
            "high": self.high,
        }

    def _ends(self, i: int, method: str, level: float) -> FloatArray:
        check_method(method)
        acceleration = 0.0
        if method == "bca":
            if self.acceleration is None:
                raise ConditionError(
                    "BCa intervals need more than replicates: call bootstrap with method='bca'."
                )
            acceleration = float(self.acceleration[i])
        if not spreads(self.replicates[:, [i]])[0]:
            raise ScoreError(
                f"{self.names[i]} is {self.replicates[0, i]:.6g} on every resample, which does not "
                "show its error: leave it out, or use an interval in closed form."
            )
        centre = float(self.corrected[i])
        known = self.corrections.get(self.names[i])
        one_sided = known is not None and known.one_sided
        ends = bootstrap_interval(
            self._around(i),
            centre,
            # A one-sided interval has all of 1 minus the level above it.
            level=2 * level - 1 if one_sided else level,
            method=method,
            acceleration=acceleration,
        )
        if known is None:
            return ends
        low, high = np.clip(ends, *known.inside)
        return np.array([known.inside[0], max(high, centre)] if one_sided else [low, high])

    def _around(self, i: int) -> FloatArray:
        """The replicates of a metric, around its corrected value if the bias is known."""
        known, replicates = self.corrections.get(self.names[i]), self.replicates[:, i]
        return replicates if known is None else known.centred(replicates, float(self.estimate[i]))
