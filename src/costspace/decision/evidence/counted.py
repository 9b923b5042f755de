"""What becomes of 1,000 cases: numbers and rates of them, with intervals."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.choices.places import Places
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.money.class_intervals import count_ends
from costspace.decision.money.row_money import RowMoney
from costspace.deployment.actions import FLAG
from costspace.deployment.conditions import CASES
from costspace.errors import LabelError
from costspace.estimates.interval import Ends, interval_around, varies


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

    def over(self, whole: float) -> "Count":
        """The same as a share of a whole."""
        ends = (None if end is None else end / whole for end in (self.low, self.high))
        return Count(self.value / whole, *ends)

    def to_dict(self) -> dict[str, float | None]:
        """Plain values, ready for JSON."""
        return {"value": self.value, "low": self.low, "high": self.high}


@final
@dataclass(frozen=True, eq=False)
class Counted(FrozenValue):
    """Rows that are flagged so often, and the influence of each on what becomes of all cases."""

    fit: FittedStrategy  # what flags them
    places: Places | None  # in which those have room that are flagged, if they compete for it
    sample: RowMoney  # the rows, which count alike
    flagged: FloatArray  # shape (n,): how likely each is flagged
    prevalence: float  # the share of positives among the cases
    # Shape (n,): the influences on the shares of both classes, and on those of them that are
    # flagged.
    negatives: FloatArray
    positives: FloatArray
    alarms: FloatArray
    hits: FloatArray

    @classmethod
    def of(
        cls,
        fit: FittedStrategy,
        flagged: FloatArray,
        prevalence: float,
        actions: Sequence[str] = (FLAG,),
    ) -> Self:
        """The rows that a strategy is judged by, of which such parts are flagged.

        In place of flagging it may be other `actions`.
        """
        task = fit.task
        judged = task.judged.rows
        rows, counts = judged.counting, judged.counts
        sample = RowMoney.of_rates(rows, task.judged_weights, estimated=task.share_varies)
        flagged, p = flagged[counts], prevalence
        parts = np.where(rows.positive, 0.0, 1 - p), np.where(rows.positive, p, 0.0)
        moved = [fit.moved(action) for action in actions]
        alarms, hits = (
            sample.influences(own * flagged)
            + sum(more if isinstance(more, float) else more[counts] for more in of_each)
            for own, of_each in zip(parts, zip(*moved, strict=True), strict=True)
        )
        negatives, positives = (sample.influences(own) for own in parts)
        places = fit.places_of(actions[0]) if len(actions) == 1 else None
        return cls(fit, places, sample, flagged, prevalence, negatives, positives, alarms, hits)

    @cached_property
    def rates(self) -> Ends:
        """The false positive rate and the recall."""
        return self.sample.class_means(self.flagged)

    @property
    def true_positives(self) -> Count:
        """Of 1,000 cases the positives that are flagged."""
        return self._in_places(self._cases(self.rates[1], self.hits, 1))

    @property
    def false_positives(self) -> Count:
        """The negatives that are flagged."""
        return self._in_places(self._cases(self.rates[0], self.alarms, 0))

    @property
    def false_negatives(self) -> Count:
        """The positives that are not flagged."""
        return self._cases(1 - self.rates[1], self.positives - self.hits, 1)

    @property
    def true_negatives(self) -> Count:
        """The negatives that are not flagged."""
        return self._cases(1 - self.rates[0], self.negatives - self.alarms, 0)

    @property
    def flagged_cases(self) -> Count:
        """All that are flagged."""
        value = CASES * self._share
        if self.places is not None:
            left = self.places.mean_share - self._share
            rows = zip(self._shares, self.sample.sizes, strict=True)
            if left <= max(share / size for share, size in rows):
                return Count(value, value, value)
        elif self.fit.strategy.model is not None and not all(0 < one < 1 for one in self.rates):
            return _sum(self.true_positives, self.false_positives, most=CASES)
        # A queue leaves out cases that tie at its edge: how many there are is seen in the rows.
        return self._in_places(self._number(value, CASES * (self.alarms + self.hits), CASES))

    @property
    def precision(self) -> Count | None:
        """The share of positives among the flagged; None if nothing is flagged."""
        counts = self.false_positives, self.true_positives
        return self._among(1, counts, (self.alarms, self.hits))

    @property
    def npv(self) -> Count | None:
        """The share of negatives among the others; None if everything is flagged."""
        counts = self.true_negatives, self.false_negatives
        return self._among(0, counts, (self.negatives - self.alarms, self.positives - self.hits))

    @property
    def recall(self) -> Count:
        """The share of the positives that are flagged."""
        return self._of_class(1, self.hits, self.positives)

    @property
    def fpr(self) -> Count:
        """The share of the negatives that are flagged."""
        return self._of_class(0, self.alarms, self.negatives)

    def _of_class(self, which: int, some: FloatArray, every: FloatArray) -> Count:
        """The share of a class that is flagged, whatever the number of its cases."""
        rate = self.rates[which]
        influences = (some - rate * every) / self._shares[which]
        return self._number(rate, influences, 1.0, which, of_class=True)

    def _among(
        self, which: int, counts: tuple[Count, Count], influences: tuple[FloatArray, FloatArray]
    ) -> Count | None:
        """The share of a class among cases of which there are so many of either class."""
        right, wrong = counts[which], counts[1 - which]
        every = (right.value + wrong.value) / CASES
        if every == 0:
            return None
        if wrong.value == 0:
            return Count(1.0, *_ends(lambda odds: 1 / (1 + odds), wrong, right))
        if right.value == 0:
            return Count(0.0, *_ends(lambda odds: odds / (1 + odds), right, wrong))
        value = right.value / CASES / every
        own = ((1 - value) * influences[which] - value * influences[1 - which]) / every
        if self.places is None:
            return self._number(value, own, 1.0)
        # Of a number of cases that is known the rarer ones are counted.
        rarer = value <= 1 / 2
        counted = which if rarer else 1 - which
        of, moved = (value, own) if rarer else (1 - value, -own)
        most, known = self._shares[counted] / every, not self.sample.estimated
        one = self._number(of, moved, most, counted, of_class=known)
        if one.low is None or one.high is None:
            return replace(one, value=value)
        low, high = one.low, min(one.high, 1.0)
        return Count(value, low, high) if rarer else Count(value, 1 - high, 1 - low)

    @property
    def _shares(self) -> Ends:
        """The shares of all cases that are negative, and positive."""
        return 1 - self.prevalence, self.prevalence

    @property
    def _share(self) -> float:
        """The share of all cases that is flagged."""
        return sum(share * rate for share, rate in zip(self._shares, self.rates, strict=True))

    @cached_property
    def _by_chance(self) -> bool:
        """Whether some rows are flagged with a chance, or compete for places."""
        chances = bool(np.any((self.flagged > 0) & (self.flagged < 1)))
        return chances or self.places is not None

    def _cases(self, rate: float, influences: FloatArray, which: int) -> Count:
        """Of 1,000 cases those that are some share of a class."""
        most = CASES * self._shares[which]
        return self._number(most * rate, CASES * influences, most, which)

    def _number(
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
        try:
            error = sample.error(influences)
        except LabelError:
            return Count(value, None, None)
        # None seen, or all, is of a class; where some are the class may be larger.
        varying = varies(value, error, (0.0, CASES))
        beyond = CASES if varying and sample.estimated and which is not None else most
        if self.fit.strategy.model is None and not varying:
            task = self.fit.task
            # How large a class is that is estimated, groups of one share do not say.
            unknown = which is not None and value > 0 and not of_class
            unknown = unknown and task.estimated and not task.share_varies
            return Count(value, None, None) if unknown else Count(value, value, value)
        if sample.says_little:
            return Count(value, None, None)
        if self._by_chance and which is not None:
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

    def _in_places(self, one: Count) -> Count:
        """A number of flagged cases, of which a queue has no more than places."""
        if self.places is None or one.high is None:
            return one
        most = max(CASES * self.places.mean_share, one.value)
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
