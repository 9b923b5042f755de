"""What a strategy does to 1,000 cases at deployment: what it flags, rightly and wrongly."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.fitting.fitted_queue import FittedQueue
from costspace.decision.money.class_intervals import count_ends
from costspace.decision.money.row_money import RowMoney
from costspace.deployment.conditions import CASES
from costspace.errors import LabelError
from costspace.inference.interval import interval_around, varies
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
    task = fit.task
    prevalence = task.conditions.mean_prevalence
    rows = replace(task.judged.rows, costs=None)
    counts = np.ones(len(rows), bool) if rows.weight is None else rows.weight > 0
    rows = rows if counts.all() else rows.take(counts)
    sample = RowMoney(rows, task.judged_weights)
    in_all = replace(sample, estimated=task.estimated)
    flagged, positive = fit.part_flagged(None)[counts], rows.positive
    fpr, recall = sample.class_means(flagged)
    # What each row says of the share of either class, and of what is flagged of it.
    parts = (1 - prevalence) * ~positive, prevalence * positive
    negatives, positives = (in_all.influences(own) for own in parts)
    alarms, hits = (
        in_all.influences(own * flagged) + (moved if isinstance(moved, float) else moved[counts])
        for own, moved in zip(parts, fit.flagged_moved, strict=True)
    )
    queue = fit if isinstance(fit, FittedQueue) else None
    by_chance = queue is not None or bool(np.any((flagged > 0) & (flagged < 1)))
    sizes = sample.effective_sizes

    def count(
        value: float,
        influences: FloatArray,
        most: float,
        which: int | None = None,
        *,
        beyond: float | None = None,
        sample: RowMoney = in_all,
    ) -> Count:
        """A sum of what rows say, of which a class, `which`, has so many cases at most.

        More than that are `beyond` where its own number is not known.
        """
        beyond = most if beyond is None else beyond
        try:
            error = in_all.error(influences)
        except LabelError:
            return Count(value, None, None)
        varying = varies(value, error, (0.0, beyond))
        if fit.strategy.model is None and not varying:
            return Count(value, value, value)
        if by_chance and which is not None:
            errors = in_all.errors(influences)
            return Count(value, *count_ends(sample, which, value, errors, most, task.level))
        interval = interval_around(
            value,
            error,
            inside=(0.0, beyond),
            level=task.level,
            effective_size=sample.effective_size if varying or which is None else sizes[which],
            clustered=sample.clustered,
            span=beyond,
        )
        return Count(value, interval.low, interval.high)

    def cases(rate: float, influences: FloatArray, which: int) -> Count:
        most = CASES * (prevalence if which else 1 - prevalence)
        beyond = CASES if task.estimated else most
        return count(most * rate, CASES * influences, most, which, beyond=beyond)

    true_positives, false_positives = cases(recall, hits, 1), cases(fpr, alarms, 0)
    share = (1 - prevalence) * fpr + prevalence * recall
    precision = None
    if fpr > 0 and recall > 0:
        value = prevalence * recall / share
        more = ((1 - value) * hits - value * alarms) / share
        if queue is None:
            precision = count(value, more, 1.0)
        else:
            # Of the same number of flagged cases, the rarer ones.
            if value > 0.5:
                wrong = count(1 - value, -more, (1 - prevalence) / share, 0)
                precision = _share_of(value, wrong, other=True)
            else:
                precision = _share_of(value, count(value, more, prevalence / share, 1))
    elif recall > 0:
        precision = Count(1.0, *_ends(lambda odds: 1 / (1 + odds), false_positives, true_positives))
    elif fpr > 0:
        precision = Count(
            0.0, *_ends(lambda odds: odds / (1 + odds), true_positives, false_positives)
        )
    if queue is not None:
        flagged_cases = Count(CASES * share, CASES * share, CASES * queue.places.mean_share)
    elif (0 < fpr < 1 and 0 < recall < 1) or fit.strategy.model is None:
        flagged_cases = count(CASES * share, CASES * (alarms + hits), CASES)
    else:
        flagged_cases = _sum(true_positives, false_positives)
    return Outcomes(
        flagged=flagged_cases,
        true_positives=true_positives,
        false_negatives=cases(1 - recall, positives - hits, 1),
        false_positives=false_positives,
        true_negatives=cases(1 - fpr, negatives - alarms, 0),
        precision=precision,
        # As a share of positives, whatever their number.
        recall=count(recall, (hits - recall * positives) / prevalence, 1.0, 1, sample=sample),
    )


def _share_of(value: float, one: Count, *, other: bool = False) -> Count:
    """A share, with the interval of it or of what it leaves to the `other`."""
    if one.low is None or one.high is None:
        return Count(value, None, None)
    low, high = min(one.low, 1.0), min(one.high, 1.0)
    return Count(value, 1 - high, 1 - low) if other else Count(value, low, high)


def _sum(one: Count, other: Count) -> Count:
    """The sum of two counts of which one may not vary in the rows.

    Its ends are made of those of both: Zou and Donner (2008), Statistics in Medicine 27, 1693-1702.
    """
    value = one.value + other.value
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Count(value, None, None)
    below = math.hypot(one.value - one.low, other.value - other.low)
    above = math.hypot(one.high - one.value, other.high - other.value)
    return Count(value, value - below, value + above)


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
