"""What a strategy does to 1,000 cases at deployment: what it flags, rightly and wrongly."""

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.decision.evidence.counted import Count, Counted
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.deployment.actions import FLAG, PASS, REVIEW
from costspace.notebook import Tabulated


@final
@dataclass(frozen=True)
class Outcomes(Tabulated):
    """The expected outcomes of 1,000 cases at the mean prevalence of deployment.

    Numbers of cases are those of the rule itself, which is chosen on all rows: what it does to
    these, or to validation rows, every row counting once or by its weight. So they add up, and the
    share flagged is that above the threshold that is stated. Rates are held-out, as costs are: what
    rules that were chosen on other rows do. Of rules that follow the condition all are means over
    the conditions, in which a condition counts by how many cases of the class there are in it.

    Attributes
    ----------
    flagged : Count
        Cases flagged, of both classes.
    true_positives, false_negatives : Count
        Positives that are flagged, and that are passed.
    false_positives, true_negatives : Count
        Negatives that are flagged, and that are passed.
    precision : Count or None
        Share of positives among the flagged, on held-out rows; None if nothing is flagged.
    recall : Count
        Share of the positives that are flagged, on held-out rows.
    reviewed, reviewed_positives, reviewed_negatives : Count or None
        Cases reviewed, of both classes and of either; None of a strategy without a review. What is
        flagged, and precision and recall, are of what is flagged without one.

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
    reviewed: Count | None = None
    reviewed_positives: Count | None = None
    reviewed_negatives: Count | None = None

    @property
    def rates(self) -> tuple[float, float]:
        """Of what is flagged: the share of the negatives, and that of the positives that is not."""
        passed = self.false_negatives, self.true_negatives
        reviewed = self.reviewed_positives, self.reviewed_negatives
        missed, right = (
            one.value + (0.0 if more is None else more.value)
            for one, more in zip(passed, reviewed, strict=True)
        )
        positives, negatives = (
            self.true_positives.value + missed,
            self.false_positives.value + right,
        )
        return self.false_positives.value / negatives, missed / positives

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
        actions = {
            FLAG: (self.true_positives, self.false_positives),
            REVIEW: (self.reviewed_positives, self.reviewed_negatives),
            PASS: (self.false_negatives, self.true_negatives),
        }
        return {
            **{
                action: {"positive": positive.to_dict(), "negative": negative.to_dict()}
                for action, (positive, negative) in actions.items()
                if positive is not None and negative is not None
            },
            "precision": None if self.precision is None else self.precision.to_dict(),
            "recall": self.recall.to_dict(),
        }


def outcomes_of(fit: FittedStrategy) -> Outcomes:
    """What the rule of a strategy does to 1,000 cases, and its rates on held-out rows."""
    p, flagged = fit.task.conditions.mean_prevalence, fit.part_flagged(None)
    rule, held_out = Counted.of(fit, flagged, p), Counted.of(fit, fit.flagged, p)
    reviewed, rest = None, rule
    if fit.strategy.reviews:
        own = fit.part_reviewed(None)
        reviewed = Counted.of(fit, own, p, (REVIEW,))
        rest = Counted.of(fit, flagged + own, p, (FLAG, REVIEW))
    found = Outcomes(
        flagged=rule.flagged_cases,
        true_positives=rule.true_positives,
        false_negatives=rest.false_negatives,
        false_positives=rule.false_positives,
        true_negatives=rest.true_negatives,
        precision=held_out.precision,
        recall=held_out.recall,
    )
    if reviewed is None:
        return found
    return replace(
        found,
        reviewed=reviewed.flagged_cases,
        reviewed_positives=reviewed.true_positives,
        reviewed_negatives=reviewed.false_positives,
    )
