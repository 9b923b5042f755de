"""What a strategy does to 1,000 cases at deployment: what it flags, rightly and wrongly."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray, FrozenValue
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.fitting.fitted_queue import FittedQueue
from costspace.decision.money.class_intervals import count_ends
from costspace.decision.money.row_money import RowMoney
from costspace.deployment.conditions import CASES
from costspace.errors import LabelError
from costspace.inference.interval import Ends, interval_around, varies
from costspace.notebook import Tabulated


@final
@dataclass(frozen=True)
class Count:
    """A number of cases, or a rate of them, with its confidence interval.

    Attributes
    ----------
    value : float
    low, high : float or None
        Ends of the interval; None where rows allow none.

    Examples
    --------
    >>> Count(120.0, 100.0, 150.0).to_dict()
    {'value': 120.0, 'low': 100.0, 'high': 150.0}
    """

    value: float
    low: float | None
    high: float | None

    def to_dict(self) -> dict[str, float | None]:
        """Plain values, ready for JSON."""
        return {"value": self.value, "low": self.low, "high": self.high}


@final
@dataclass(frozen=True)
class Outcomes(Tabulated):
    """The expected outcomes of 1,000 cases at the mean prevalence of deployment.

    They are those of the rule itself, which is chosen on all rows: what it does to these, or to
    validation rows, every row counting once or by its weight. So they add up, and the share flagged
    is that above the threshold that is stated; costs are held-out nevertheless. Of rules that
    follow the condition they are means over the conditions, in which a condition counts by how many
    cases of the class there are in it.

    Attributes
    ----------
    flagged : Count
        Cases flagged, of both classes.
    true_positives, false_negatives : Count
        Positives that are flagged, and that are not.
    false_positives, true_negatives : Count
        Negatives that are flagged, and that are not.
    precision : Count or None
        Share of positives among the flagged; None if nothing is flagged.
    recall : Count
        Share of the positives that are flagged.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=2, prevalence=0.5)
    >>> found = cs.decide(y, {"model": s}, conditions=known).outcomes()
    >>> found.true_positives.value, found.false_negatives.value, found.false_positives.value
    (500.0, 0.0, 200.0)
    """

    flagged: Count
    true_positives: Count
    false_negatives: Count
    false_positives: Count
    true_negatives: Count
    precision: Count | None
    recall: Count

    @property
    def rates(self) -> tuple[float, float]:
        """The false positive rate and the false negative rate."""
        positives = self.true_positives.value + self.false_negatives.value
        negatives = self.false_positives.value + self.true_negatives.value
        return self.false_positives.value / negatives, self.false_negatives.value / positives

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row an outcome."""
        rows = {name: one for name, one in vars(self).items() if one is not None}
        return {
            "outcome": np.array(list(rows)),
            **{
                name: np.array([getattr(one, name) for one in rows.values()], dtype=float)
                for name in ("value", "low", "high")
            },
        }

    def to_dict(self) -> dict[str, Any]:
        """Cases by action and class, and rates, ready for JSON."""
        return {
            "flag": {
                "positive": self.true_positives.to_dict(),
                "negative": self.false_positives.to_dict(),
            },
            "pass": {
                "positive": self.false_negatives.to_dict(),
                "negative": self.true_negatives.to_dict(),
            },
            "precision": None if self.precision is None else self.precision.to_dict(),
            "recall": self.recall.to_dict(),
        }


def outcomes_of(fit: FittedStrategy) -> Outcomes:
    """What the rule of a strategy does to the rows, with intervals where rows allow them."""
    found = _Counted.of(fit)
    p, (fpr, recall) = fit.task.conditions.mean_prevalence, found.rates
    true_positives = found.in_places(found.cases(recall, found.hits, 1))
    false_positives = found.in_places(found.cases(fpr, found.alarms, 0))
    precision = None
    if fpr > 0 and recall > 0:
        precision = found.precision
    elif recall > 0:
        precision = Count(1.0, *_ends(lambda odds: 1 / (1 + odds), false_positives, true_positives))
    elif fpr > 0:
        precision = Count(
            0.0, *_ends(lambda odds: odds / (1 + odds), true_positives, false_positives)
        )
    known = fit.strategy.model is None or found.queue is not None
    if (0 < fpr < 1 and 0 < recall < 1) or known:
        flagged = found.flagged_cases
    else:
        flagged = _sum(true_positives, false_positives, most=CASES)
    # As a share of positives, whatever their number.
    of_positives = (found.hits - recall * found.positives) / p
    return Outcomes(
        flagged=flagged,
        true_positives=true_positives,
        false_negatives=found.cases(1 - recall, found.positives - found.hits, 1),
        false_positives=false_positives,
        true_negatives=found.cases(1 - fpr, found.negatives - found.alarms, 0),
        precision=precision,
        recall=found.number(recall, of_positives, 1.0, 1, of_class=True),
    )


@final
@dataclass(frozen=True, eq=False)
class _Counted(FrozenValue):
    """The rows that count, and the influence of each on the shares of all cases of either class.

    Attributes
    ----------
    fit : FittedStrategy
    sample : RowMoney
    flagged : array of shape (n,)
        How likely each row is flagged.
    negatives, positives, alarms, hits : arrays of shape (n,)
        The influences on the shares of both classes, and on those of them that are flagged.
    """

    fit: FittedStrategy
    sample: RowMoney
    flagged: FloatArray
    negatives: FloatArray
    positives: FloatArray
    alarms: FloatArray
    hits: FloatArray

    @classmethod
    def of(cls, fit: FittedStrategy) -> "_Counted":
        task = fit.task
        judged = task.judged.rows
        rows, counts = judged.counting, judged.counts
        sample = RowMoney.of_rates(rows, task.judged_weights, estimated=task.estimated)
        flagged, p = fit.part_flagged(None)[counts], task.conditions.mean_prevalence
        parts = np.where(rows.positive, 0.0, 1 - p), np.where(rows.positive, p, 0.0)
        alarms, hits = (
            sample.influences(own * flagged)
            + (moved if isinstance(moved, float) else moved[counts])
            for own, moved in zip(parts, fit.flagged_moved, strict=True)
        )
        negatives, positives = (sample.influences(own) for own in parts)
        return cls(fit, sample, flagged, negatives, positives, alarms, hits)

    @cached_property
    def rates(self) -> Ends:
        """The false positive rate and the recall."""
        return self.sample.class_means(self.flagged)

    @cached_property
    def shares(self) -> Ends:
        """The shares of all cases that are negative, and positive."""
        p = self.fit.task.conditions.mean_prevalence
        return 1 - p, p

    @cached_property
    def share(self) -> float:
        """The share of all cases that is flagged."""
        return sum(share * rate for share, rate in zip(self.shares, self.rates, strict=True))

    @cached_property
    def by_chance(self) -> bool:
        """Whether some rows are flagged with a chance, or compete for places."""
        chances = bool(np.any((self.flagged > 0) & (self.flagged < 1)))
        return chances or self.queue is not None

    def cases(self, rate: float, influences: FloatArray, which: int) -> Count:
        """Of 1,000 cases those that are some share of a class."""
        most = CASES * self.shares[which]
        return self.number(most * rate, CASES * influences, most, which)

    def number(
        self,
        value: float,
        influences: FloatArray,
        most: float,
        which: int | None = None,
        *,
        of_class: bool = False,
    ) -> Count:
        """What rows have such influences on, of which there is so much at most.

        Where it counts one class, that is `which`: if the class may be larger than among these
        rows, and it is not a share `of_class`, there may be more.
        """
        sample, level = self.sample, self.fit.task.level
        if of_class:
            sample = replace(sample, estimated=False)
        beyond = CASES if sample.estimated and which is not None else most
        try:
            error = sample.error(influences)
        except LabelError:
            return Count(value, None, None)
        varying = varies(value, error, (0.0, beyond))
        if self.fit.strategy.model is None and not varying:
            return Count(value, value, value)
        if self.by_chance and which is not None:
            errors = sample.errors(influences)
            ends = count_ends(sample, which, value, errors, most=most, level=level)
            return Count(value, *ends)
        sizes = sample.effective_sizes
        interval = interval_around(
            value,
            error,
            inside=(0.0, beyond),
            level=level,
            effective_size=sample.effective_size if varying or which is None else sizes[which],
            clustered=sample.clustered,
            span=beyond,
        )
        return Count(value, interval.low, interval.high)

    @property
    def precision(self) -> Count:
        """The share of positives among the flagged, if there are some of both classes."""
        share = self.share
        value = self.shares[1] * self.rates[1] / share
        influences = ((1 - value) * self.hits - value * self.alarms) / share
        if self.queue is None:
            return self.number(value, influences, 1.0)
        # Of a number of cases that is known the rarer ones are counted.
        which = int(value <= 1 / 2)
        of = value if which else 1 - value
        most, moved = self.shares[which] / share, influences if which else -influences
        one = self.number(of, moved, most, which, of_class=True)
        if one.low is None or one.high is None:
            return replace(one, value=value)
        low, high = one.low, min(one.high, 1.0)
        return Count(value, low, high) if which else Count(value, 1 - high, 1 - low)

    @property
    def flagged_cases(self) -> Count:
        """Of 1,000 cases those that are flagged."""
        value = CASES * self.share
        if self.queue is not None:
            left = self.queue.places.mean_share - self.share
            rows = zip(self.shares, self.sample.sizes, strict=True)
            if left <= max(share / size for share, size in rows):
                return Count(value, value, value)
        # A queue leaves out cases that tie at its edge: how many there are is seen in the rows.
        return self.in_places(self.number(value, CASES * (self.alarms + self.hits), CASES))

    @property
    def queue(self) -> FittedQueue | None:
        """What is fitted, if that is a queue."""
        return self.fit if isinstance(self.fit, FittedQueue) else None

    def in_places(self, one: Count) -> Count:
        """A number of flagged cases, of which a queue has no more than places."""
        if self.queue is None or one.high is None:
            return one
        most = max(CASES * self.queue.places.mean_share, one.value)
        return replace(one, high=min(one.high, most))


def _sum(one: Count, other: Count, *, most: float) -> Count:
    """The sum of two counts of which one may not vary in the rows.

    Its ends are made of those of both: Zou and Donner (2008), Statistics in Medicine 27, 1693-1702.
    """
    value = one.value + other.value
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Count(value, None, None)
    below = math.hypot(one.value - one.low, other.value - other.low)
    above = math.hypot(one.high - one.value, other.high - other.value)
    return Count(value, value - below, max(min(value + above, most), value))


def _ends(
    share: Callable[[float], float], none: Count, some: Count
) -> tuple[float | None, float | None]:
    """The ends of a share that follows the quotient of two counts, the first of which is 0.

    The quotient's upper end is that of MOVER-R, which is made of the ends of both: Newcombe (2016),
    Statistical Methods in Medical Research 25, 1774-1778.
    """
    if none.high is None or some.low is None:
        return None, None
    if none.high == 0:
        return share(0.0), share(0.0)
    below = some.low * (2 * some.value - some.low)
    if below <= 0:
        return 0.0, 1.0
    ends = sorted((share(0.0), share(none.high / math.sqrt(below))))
    return ends[0], ends[1]
