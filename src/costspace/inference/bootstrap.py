"""The bootstrap: any number of a score table on resamples of its rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FloatArray, read_only
from costspace.errors import ConditionError, ScoreError, SourceError, brief
from costspace.inference.acceleration import accelerations
from costspace.inference.bootstrap_intervals import bootstrap_interval, check_method
from costspace.inference.corrections import Correction, corrections
from costspace.inference.interval import Estimate, check_level
from costspace.inference.resampling import Resampling
from costspace.inference.standard_error import counting
from costspace.inference.table_metrics import (
    TableMetric,
    TableMetrics,
    metrics_by_name,
    spreads,
    values_of,
)
from costspace.notebook import Tabulated
from costspace.scores.base import ScoreSource
from costspace.scores.rows import ScoredRows

# Called with the number of replicates done and of all.
Progress: TypeAlias = Callable[[int, int], object]

_MODEL = "y_score"
# Times that progress is told of.
_STEPS = 100


@final
@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap(Tabulated):
    """Metrics of predictions, and what they are on resamples of the rows.

    Attributes
    ----------
    names : tuple of str
        The k metrics.
    estimate : array of shape (k,)
        Their values on the sample.
    replicates : array of shape (b, k)
        Their values on each resample.
    acceleration : array of shape (k,), or None
        How fast each standard error changes with the metric, where BCa intervals were asked for.
    corrections : mapping of str to Correction
        What is known in closed form of the bias, by the name of a metric whose thresholds are best
        on the very sample. The interval of such a metric is around the estimate less that bias.
    level : float in (0, 1)
        Confidence level of `low` and `high`.
    method : {"percentile", "basic", "bca"}
        How these were found.
    n : int
        Number of rows.
    design : {"independent", "stratified"}
        What varies from one resample to the next.
    dropped : int
        Resamples that lacked a class and were replaced.
    notes : mapping of str to str
        Why a metric has no interval by this method, by its name; its ends are NaN.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9]
    >>> found = cs.bootstrap([cs.auc, cs.brier_score], y, s, design="stratified")
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "estimate", read_only(self.estimate))
        object.__setattr__(self, "replicates", read_only(self.replicates))

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
        return "\n".join([head, *lines])

    @property
    def standard_error(self) -> FloatArray:
        """Standard deviation of the replicates of each metric."""
        return np.asarray(np.std(self.replicates, axis=0, ddof=1))

    @property
    def bias(self) -> FloatArray:
        """Mean of the replicates of each metric less its estimate."""
        return np.asarray(np.mean(self.replicates, axis=0) - self.estimate)

    @property
    def corrected(self) -> FloatArray:
        """Each estimate less its bias where that is known in closed form."""
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
            "bca" only if it was asked for from the start.
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
        return Estimate(name, value, error, low, high, level, method, self.n, self.design, bias)

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
                    "BCa intervals need more than replicates: ask bootstrap for method='bca'."
                )
            acceleration = float(self.acceleration[i])
        replicates, centre = self._around(i), float(self.corrected[i])
        if not spreads(self.replicates[:, [i]])[0]:
            raise ScoreError(
                f"{self.names[i]} is {replicates[0]:.6g} on every resample, which says nothing of "
                "its error: leave it out, or use an interval in closed form."
            )
        known = self.corrections.get(self.names[i])
        one_sided = known is not None and known.one_sided
        ends = bootstrap_interval(
            replicates,
            centre,
            # Of a one-sided interval all that the level leaves is above.
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


def bootstrap(
    metrics: TableMetrics,
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    replicates: int = 1000,
    design: str | None = None,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: str = "sampling",
    prevalence: float | None = None,
    pos_label: object = None,
    level: float = 0.95,
    method: str = "bca",
    seed: int = 0,
    progress: Progress | None = None,
) -> Bootstrap:
    """Metrics on resamples of the rows: standard errors, bias and intervals of any of them.

    Parameters
    ----------
    metrics : callable, sequence of callables, or mapping of str to callable
        Each takes a `ScoreTable` and returns a number: `cs.auc`, `cs.h_measure`, such a metric
        with parameters as in ``functools.partial(cs.voros, low=0.1)``, or any function of a table.
    y_true, y_score : arrays of shape (n,)
        Labels of two classes and scores, higher meaning more positive.
    replicates : int
        Number of resamples.
    design : {"independent", "stratified"}, optional
        Whether rows are drawn from all rows, so that the share of positives varies, or from each
        class, which keeps it. By default independent, but stratified where a prevalence is given;
        independent is refused with a prevalence.
    groups : array of shape (n,), optional
        The cluster of each row, such as a patient. Clusters are drawn whole; of a stratified
        design from each class if every cluster is of one, else from all clusters with the share of
        positives held.
    sample_weight : array of shape (n,), optional
        Non-negative.
    weights : {"sampling", "counts"}
        Whether a weight goes with its row wherever that is drawn, or stands for so many equal rows.
    prevalence : float in (0, 1), optional
        Share of positives at deployment, of every resample too.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    level : float in (0, 1)
        Confidence level.
    method : {"bca", "percentile", "basic"}
        Quantiles of the replicates moved for bias and skewness; the quantiles themselves; or their
        reflection at the estimate. The skewness is that of the rows' influences; a metric that has
        none in closed form takes up to 400 tables more.
    seed : int
        Not negative. The same seed draws the same rows for every model, so that differences of
        replicates are those of paired resamples.
    progress : callable, optional
        Called with the number of replicates done and of all, at most about a hundred times. What
        it raises ends the bootstrap, as an interrupt does.

    Returns
    -------
    Bootstrap

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        If the input is not so; if a class occurs in one row or cluster only; if a metric has no
        value on a resample; or if none has an interval. One that has none while others do is in
        the notes.

    Notes
    -----
    Efron and Tibshirani (1993), An Introduction to the Bootstrap. The rows are sorted once; a
    resample counts how often each occurs, so AUC, ROC hull and class means take one pass over the
    counts, and so does what follows from them. One resample is held at a time, and all takes about
    110 bytes a row. A resample without one of the classes is drawn again.

    The ROC hull of a sample bulges above the population's, and that of a resample above the
    sample's, but not by as much: in simulations half as much without ties, so that no quantile of
    the replicates corrects for it. The bias of H, VOROS, refinement loss, miscalibration and
    optimal losses is known in closed form, as in `estimate`: their replicates are moved so that
    the mean is the corrected estimate, and spread as the bias is one too. Of miscalibration only
    the upper end of the interval says something. Functions of a table that are none of the metrics
    of this package have intervals of the replicates as they are, which miss too often if they
    depend on the hull.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9]
    >>> found = cs.bootstrap(cs.brier_score, y, s, replicates=200)
    >>> bool(found.low[0] < cs.brier_score(y, s) < found.high[0])
    True
    """
    named = metrics_by_name(metrics)
    replicates = _whole("replicates", replicates, 2)
    seed = _whole("seed", seed, 0)
    level = check_level(level)
    check_method(method)
    if isinstance(y_true, ScoreSource):
        raise SourceError("a score table has no rows to resample: give predictions.")
    rows = ScoredRows.from_predictions(
        y_true,
        {_MODEL: y_score},
        pos_label=pos_label,
        sample_weight=sample_weight,
        groups=groups,
    )
    rows = counting(rows)
    resampling = Resampling.of(rows, _MODEL, design=design, weights=weights, prevalence=prevalence)
    estimate = values_of(named, resampling.sample, "the sample")
    values, dropped = _replicates(named, resampling, replicates, seed, progress)
    acceleration = accelerations(named, resampling, seed) if method == "bca" else None
    found = Bootstrap(
        tuple(named),
        estimate,
        values,
        acceleration,
        MappingProxyType(corrections(named, estimate, resampling, weights)),
        level,
        method,
        len(rows),
        resampling.design,
        dropped,
        MappingProxyType({}),
    )
    return _noted(found)


def _noted(found: Bootstrap) -> Bootstrap:
    """The same with notes on metrics that have no interval, or `ScoreError` if none has."""
    notes = {}
    for name in found.names:
        try:
            found.interval(name)
        except ScoreError as error:
            notes[name] = str(error)
    if len(notes) == len(found.names):
        raise ScoreError(notes[found.names[0]])
    return replace(found, notes=MappingProxyType(notes))


def _replicates(
    named: Mapping[str, TableMetric],
    resampling: Resampling,
    replicates: int,
    seed: int,
    progress: Progress | None,
) -> tuple[FloatArray, int]:
    """Values of the metrics on each resample, and how many resamples lacked a class."""
    rng = np.random.default_rng(seed)
    values, all_dropped = np.empty((replicates, len(named))), 0
    step = -(-replicates // _STEPS)
    for i in range(replicates):
        table, dropped = resampling.draw(rng)
        values[i] = values_of(named, table, f"resample {i + 1}")
        all_dropped += dropped
        done = i + 1
        if progress is not None and (done % step == 0 or done == replicates):
            progress(done, replicates)
    return values, all_dropped


def _whole(name: str, value: object, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ConditionError(
            f"{name} must be a whole number, at least {least}, got {brief(value)}."
        )
    return int(value)
