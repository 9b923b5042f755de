"""What a strategy does to 1,000 cases at deployment: flagged, found, missed, false positives."""

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray
from costspace.decision.choosing import Choosing
from costspace.decision.fitted import FittedStrategy
from costspace.decision.row_money import RowMoney
from costspace.deployment.conditions import CASES
from costspace.errors import LabelError
from costspace.inference.interval import interval_around
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

    Rates are those of rows that the rules were not fitted on, every row counting once or by its
    weight. Of rules that follow the condition they are means over the conditions, in which a
    condition counts by how many cases of the class there are in it.

    Attributes
    ----------
    flagged : Count
        Cases flagged, of both classes.
    found, missed : Count
        Positives that are flagged, and that are not.
    false_alarms, passed : Count
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
    >>> found.found.value, found.missed.value, found.false_alarms.value
    (400.0, 100.0, 200.0)
    """

    flagged: Count
    found: Count
    missed: Count
    false_alarms: Count
    passed: Count
    precision: Count | None
    recall: Count

    @property
    def rates(self) -> tuple[float, float]:
        """The false positive rate and the false negative rate."""
        positives = self.found.value + self.missed.value
        negatives = self.false_alarms.value + self.passed.value
        return self.false_alarms.value / negatives, self.missed.value / positives

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
                "positive": self.found.to_dict(),
                "negative": self.false_alarms.to_dict(),
            },
            "pass": {"positive": self.missed.to_dict(), "negative": self.passed.to_dict()},
            "precision": None if self.precision is None else self.precision.to_dict(),
            "recall": self.recall.to_dict(),
        }


def outcomes_of(fit: FittedStrategy | Choosing) -> Outcomes:
    """The outcomes of a fitted strategy on held-out rows, with intervals where rows allow them."""
    task = fit.task
    prevalence = task.conditions.mean_prevalence
    rows = replace(task.judged.rows, costs=None)
    counts = np.ones(len(rows), bool) if rows.weight is None else rows.weight > 0
    rows = rows if counts.all() else rows.take(counts)
    sample = RowMoney(rows, task.judged_weights, None)
    flagged, positive = fit.flagged[counts], rows.positive
    negatives, positives = np.where(positive, 0.0, flagged), np.where(positive, flagged, 0.0)
    fpr, recall = sample.mean(negatives), sample.mean(positives)
    whole = positive.astype(float)
    missed, passed = sample.mean(whole - positives), sample.mean(1 - whole - negatives)

    def count(value: float, parts: FloatArray, most: float) -> Count:
        """A weighted sum of the two rates, of which each row has a part."""
        known = fit.strategy.model is None
        try:
            error = 0.0 if known else sample.error(sample.influences(parts))
        except LabelError:
            return Count(value, None, None)
        if known:
            return Count(value, value, value)
        interval = interval_around(
            value,
            error,
            inside=(0.0, most),
            level=task.level,
            effective_size=sample.effective_size,
            clustered=sample.clustered,
            span=most,
        )
        return Count(value, interval.low, interval.high)

    def cases(rate: float, share: float, parts: FloatArray) -> Count:
        most = CASES * share
        return count(most * rate, most * parts, most)

    alarms, hits = (1 - prevalence) * negatives, prevalence * positives
    share = (1 - prevalence) * fpr + prevalence * recall
    precision = None
    if share > 0:
        value = prevalence * recall / share
        precision = count(value, ((1 - value) * hits - value * alarms) / share, 1.0)
    return Outcomes(
        flagged=cases(share, 1.0, alarms + hits),
        found=cases(recall, prevalence, positives),
        missed=cases(missed, prevalence, whole - positives),
        false_alarms=cases(fpr, 1 - prevalence, negatives),
        passed=cases(passed, 1 - prevalence, 1 - whole - negatives),
        precision=precision,
        recall=count(recall, positives, 1.0),
    )
