"""What a strategy does to 1,000 cases at deployment: what it flags, rightly and wrongly."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray
from costspace.decision.fitting.fitted import FittedStrategy
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
    judged = replace(task.judged.rows, costs=None)
    rows = judged.counting
    sample = RowMoney(rows, task.judged_weights)
    in_all = replace(sample, estimated=task.estimated)
    flagged, positive = fit.part_flagged(None)[judged.counts], rows.positive
    negatives, positives = np.where(positive, 0.0, flagged), np.where(positive, flagged, 0.0)
    fpr, recall = sample.mean(negatives), sample.mean(positives)
    whole = positive.astype(float)
    missed, passed = sample.mean(whole - positives), sample.mean(1 - whole - negatives)

    of_negatives, of_positives = sample.effective_sizes

    def count(
        value: float, parts: FloatArray, most: float, size: float, sample: RowMoney = in_all
    ) -> Count:
        """A weighted sum of the two rates, of which each row has a part.

        `size` is of the rows that show how far it is off where they are all alike.
        """
        try:
            error = sample.error(sample.influences(parts))
        except LabelError:
            return Count(value, None, None)
        if fit.strategy.model is None and not varies(value, error, (0.0, most)):
            return Count(value, value, value)
        interval = interval_around(
            value,
            error,
            inside=(0.0, most),
            level=task.level,
            effective_size=sample.effective_size if varies(value, error, (0.0, most)) else size,
            clustered=sample.clustered,
            span=most,
        )
        return Count(value, interval.low, interval.high)

    def cases(rate: float, share: float, parts: FloatArray, size: float) -> Count:
        most = CASES * share
        return count(most * rate, most * parts, CASES if task.estimated else most, size)

    true_positives = cases(recall, prevalence, positives, of_positives)
    false_positives = cases(fpr, 1 - prevalence, negatives, of_negatives)
    alarms, hits = (1 - prevalence) * negatives, prevalence * positives
    share = (1 - prevalence) * fpr + prevalence * recall
    precision = None
    if fpr > 0 and recall > 0:
        value = prevalence * recall / share
        parts = ((1 - value) * hits - value * alarms) / share
        precision = count(value, parts, 1.0, sample.effective_size)
    elif recall > 0:
        precision = Count(1.0, *_ends(lambda odds: 1 / (1 + odds), false_positives, true_positives))
    elif fpr > 0:
        precision = Count(
            0.0, *_ends(lambda odds: odds / (1 + odds), true_positives, false_positives)
        )
    if (0 < fpr < 1 and 0 < recall < 1) or fit.strategy.model is None:
        flagged_cases = cases(share, 1.0, alarms + hits, sample.effective_size)
    else:
        flagged_cases = _sum(true_positives, false_positives)
    return Outcomes(
        flagged=flagged_cases,
        true_positives=true_positives,
        false_negatives=cases(missed, prevalence, whole - positives, of_positives),
        false_positives=false_positives,
        true_negatives=cases(passed, 1 - prevalence, 1 - whole - negatives, of_negatives),
        precision=precision,
        recall=count(recall, positives, 1.0, of_positives, sample),
    )


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
