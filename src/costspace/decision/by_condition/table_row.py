"""One row of a decision table: a range of conditions, and what to use there."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, final

import numpy as np

from costspace.condition import cost_from_skew, skew_from_cost
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules_by_condition import RulesByCondition
from costspace.decision.strategy import Strategy


@final
@dataclass(frozen=True)
class DecisionRow:
    """The strategy to use in a range of skews, and its held-out loss there.

    Attributes
    ----------
    skew_low, skew_high : float
        The row is for skews from the one to the other, which belongs to the next row.
    strategy : Strategy
    rule : Rule
        That at `skew_low`.
    rule_at_high : Rule
        What it tends to at `skew_high`: another one only where it moves with the condition.
    loss : float
        Loss z FPR + (1 - z) FNR in the middle of the row, on rows that thresholds were not chosen
        on; smaller is better.
    prevalence_low, prevalence_high : float or None
        The prevalences that the row is for, if the table is by prevalence too.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65, Section 5: which classifier to use is a
    matter of the operating condition.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=(5, 20), prevalence=0.1)
    >>> row = cs.decide(y, {"model": s}, conditions=known).table().rows[0]
    >>> row.strategy.model, row.rule_at(0.4)
    ('model', Rule(flag scores above 0.25))
    """

    skew_low: float
    skew_high: float
    strategy: Strategy
    rule: Rule
    rule_at_high: Rule
    loss: float
    moving: "Moving | None" = None
    prevalence_low: float | None = None
    prevalence_high: float | None = None

    def rule_at(self, skew: float) -> Rule:
        """The rule of the row at a skew in it."""
        return self.rule if self.moving is None else self.moving.rule_at(skew)

    def covers(self, prevalence: float | None) -> bool:
        """Whether the row is for a prevalence, its ends included."""
        if self.prevalence_low is None or self.prevalence_high is None:
            return True
        return prevalence is not None and self.prevalence_low <= prevalence <= self.prevalence_high

    def same_use(self, other: "DecisionRow") -> bool:
        """Whether one rule is used in all of both rows."""
        return self.moving is None and self == replace(
            other, skew_low=self.skew_low, skew_high=self.skew_high, loss=self.loss
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON, without what the row does not need."""
        row: dict[str, Any] = {"skew_low": self.skew_low, "skew_high": self.skew_high}
        if self.prevalence_low is not None:
            row |= {
                "prevalence_low": self.prevalence_low,
                "prevalence_high": self.prevalence_high,
            }
        row |= {
            "model": self.strategy.model,
            "choice": self.strategy.name,
            "rule": self.rule.to_dict(),
        }
        if self.moving is not None:
            row["rule_at_high"] = self.rule_at_high.to_dict()
        return {**row, "loss": self.loss}


@final
@dataclass(frozen=True, eq=False)
class Moving:
    """The rule of a row in which it moves with the condition.

    Attributes
    ----------
    rules : RulesByCondition
    low, high : float
        The conditions at the ends of the row.
    axis : float
        The prevalence whose cost proportions those are.
    """

    rules: RulesByCondition
    low: float
    high: float
    axis: float

    def rule_at(self, skew: float) -> Rule:
        """The rule at a skew in the row."""
        c = max(float(cost_from_skew(skew, prevalence=self.axis)), self.low)
        found = self.rules.rules_at(c) if c < self.high else self.rules.before(self.high)
        return found.one


@final
@dataclass(frozen=True)
class DecisionRange:
    """A range of skews in which one strategy is used.

    Attributes
    ----------
    skew_low, skew_high : float
    strategy : Strategy
    threshold_low, threshold_high : float
        The least and the greatest threshold in use.
    prevalence_low, prevalence_high : float or None
        The prevalences that it is for, if the table is by prevalence too.
    randomised : bool
        Whether somewhere in it one of two thresholds is drawn for each case.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 5: dominance intervals.

    Examples
    --------
    >>> import costspace as cs
    >>> use = cs.decision.Strategy("model", cs.Optimal())
    >>> low = DecisionRange(0.2, 0.4, use, 0.3, 0.3, None, None)
    >>> low.to(DecisionRange(0.4, 0.7, use, 0.5, 0.5, None, None)).threshold_high
    0.5
    """

    skew_low: float
    skew_high: float
    strategy: Strategy
    threshold_low: float
    threshold_high: float
    prevalence_low: float | None
    prevalence_high: float | None
    randomised: bool = False

    @classmethod
    def of(cls, row: DecisionRow) -> "DecisionRange":
        """The range of one row."""
        thresholds = *row.rule.thresholds, *row.rule_at_high.thresholds
        return cls(
            *(row.skew_low, row.skew_high, row.strategy, min(thresholds), max(thresholds)),
            *(row.prevalence_low, row.prevalence_high),
            randomised=row.rule.randomised or row.rule_at_high.randomised,
        )

    def goes_on(self, following: "DecisionRange") -> bool:
        """Whether the one that follows belongs to the same range."""
        names = ("strategy", "prevalence_low", "prevalence_high")
        return all(getattr(self, name) == getattr(following, name) for name in names)

    def to(self, following: "DecisionRange") -> "DecisionRange":
        """The range with the one that follows."""
        return replace(
            self,
            skew_high=following.skew_high,
            threshold_low=min(self.threshold_low, following.threshold_low),
            threshold_high=max(self.threshold_high, following.threshold_high),
            randomised=self.randomised or following.randomised,
        )


def table_rows_of(
    strategy: Strategy, rules: RulesByCondition, low: float, high: float, axis: float
) -> list[DecisionRow]:
    """The rows of one strategy from one condition to another, on the cost axis at `axis`.

    A row ends where the rule jumps or bends. Losses are left 0.
    """
    edges = np.concatenate([[low], rules.changes(low, high), [high]])
    skews = np.asarray(skew_from_cost(edges, prevalence=axis)).tolist()
    firsts = rules.rules_at(edges[:-1]).each()
    lasts = firsts if low == high else rules.before(edges[1:]).each()
    return [
        DecisionRow(
            *(*skew, strategy, first, last, 0.0),
            moving=None if first == last else Moving(rules, *ends, axis),
        )
        for skew, ends, first, last in zip(
            pairwise(skews), pairwise(edges.tolist()), firsts, lasts, strict=True
        )
    ]
