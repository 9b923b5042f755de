"""One row of a decision table: a range of conditions, and what to use there."""

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from costspace.choices import ScoreDriven
from costspace.condition import cost_from_skew, skew_from_cost
from costspace.decision.candidates import Candidate
from costspace.decision.rule import Rule, ThresholdPath, mixes_at, plain_threshold


@final
@dataclass(frozen=True)
class DecisionRow:
    """What to use from one skew to the next, and what it loses there on rows held out.

    Attributes
    ----------
    skew_low, skew_high : float
        The row is for skews from the one to the other, which belongs to the next row.
    model : str or None
        None if the rule is trivial.
    method : str
    threshold : float
        Scores above it are flagged; -inf flags everybody, inf nobody.
    threshold_at_high : float
        What the threshold tends to at `skew_high`: another one only where it is driven by the
        condition.
    loss : float
        Loss z FPR + (1 - z) FNR in the middle of the row, on rows that thresholds were not chosen
        on; smaller is better.
    threshold_2 : float or None
        The other threshold of a rule that draws one of two for each case.
    mix, mix_at_high : float
        The probability that `threshold` is applied at `skew_low`, and what it tends to at
        `skew_high`; else `threshold_2` is.
    prevalence_low, prevalence_high : float or None
        The prevalences that the row is for, if the table is by prevalence too.
    calibrated_to : float or None
        The prevalence for which the condition itself is the threshold, if it drives it.
    axis : float
        The prevalence at which the rule was found, 1/2 if it depends on the skew alone.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65, Section 5: which classifier to use is a
    matter of the operating condition.

    Examples
    --------
    >>> row = DecisionRow(0.2, 0.5, "model", "optimal", 0.3, 0.3, loss=0.25)
    >>> row.rule_at(0.4)
    Rule(flag scores above 0.3)
    """

    skew_low: float
    skew_high: float
    model: str | None
    method: str
    threshold: float
    threshold_at_high: float
    loss: float
    threshold_2: float | None = None
    mix: float = 1.0
    mix_at_high: float = 1.0
    prevalence_low: float | None = None
    prevalence_high: float | None = None
    calibrated_to: float | None = None
    axis: float = 0.5

    def rule_at(self, skew: float) -> Rule:
        """The rule of the row at a skew in it."""
        if self.calibrated_to is not None:
            return Rule(float(cost_from_skew(skew, self.calibrated_to)))
        if self.threshold_2 is None:
            return Rule(self.threshold)
        low, high, c = (
            float(cost_from_skew(z, self.axis)) for z in (self.skew_low, self.skew_high, skew)
        )
        along = (c - low) / (high - low) if high > low else 0.0
        mix = (1 - along) * self.mix + along * self.mix_at_high
        return Rule(self.threshold, self.threshold_2, mix)

    def covers(self, prevalence: float | None) -> bool:
        """Whether the row is for a prevalence, its ends included."""
        if self.prevalence_low is None or self.prevalence_high is None:
            return True
        return prevalence is not None and self.prevalence_low <= prevalence <= self.prevalence_high

    def same_use(self, other: "DecisionRow") -> bool:
        """Whether one rule is used in both rows throughout."""
        stays = self.threshold == self.threshold_at_high and self.mix == self.mix_at_high
        return stays and self == replace(
            other, skew_low=self.skew_low, skew_high=self.skew_high, loss=self.loss
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON, without what the row does not need.

        An infinite threshold is None, and "flags" says which rule that is: "flag_all" or
        "flag_none"; "flags_2" says it of `threshold_2`.
        """
        row: dict[str, Any] = {"skew_low": self.skew_low, "skew_high": self.skew_high}
        if self.prevalence_low is not None:
            row |= {
                "prevalence_low": self.prevalence_low,
                "prevalence_high": self.prevalence_high,
            }
        row |= {"model": self.model, "method": self.method, **plain_threshold("", self.threshold)}
        if self.threshold_at_high != self.threshold:
            row["threshold_at_high"] = self.threshold_at_high
        if self.threshold_2 is not None:
            row |= {**plain_threshold("_2", self.threshold_2), "mix": self.mix}
        if self.mix_at_high != self.mix:
            row["mix_at_high"] = self.mix_at_high
        return {**row, "loss": self.loss}


@final
@dataclass(frozen=True)
class DecisionRange:
    """A range of skews in which one model is used with one method.

    Attributes
    ----------
    skew_low, skew_high : float
    model : str or None
        None if the rule is trivial.
    method : str
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
    >>> low = DecisionRange(0.2, 0.4, "model", "optimal", 0.3, 0.3, None, None)
    >>> low.to(DecisionRange(0.4, 0.7, "model", "optimal", 0.5, 0.5, None, None)).threshold_high
    0.5
    """

    skew_low: float
    skew_high: float
    model: str | None
    method: str
    threshold_low: float
    threshold_high: float
    prevalence_low: float | None
    prevalence_high: float | None
    randomised: bool = False

    def goes_on(self, following: "DecisionRange") -> bool:
        """Whether the one that follows belongs to the same range."""
        names = ("model", "method", "prevalence_low", "prevalence_high")
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
    candidate: Candidate,
    rule: ThresholdPath | ScoreDriven,
    low: float,
    high: float,
    axis: float,
) -> list[DecisionRow]:
    """The rows of one candidate from one condition to another, on the cost axis at `axis`.

    A row ends where the thresholds of the rule change. Losses are left 0.
    """
    if isinstance(rule, ScoreDriven):
        return [_driven_row(candidate, rule, low, high, axis)]
    inner = rule.breaks[(rule.breaks > low) & (rule.breaks < high)]
    edges = np.concatenate([[low], np.unique(inner), [high]])
    piece = np.searchsorted(rule.breaks, edges[:-1], side="right") - 1
    piece = np.minimum(piece, len(rule.threshold) - 1)
    skews = np.asarray(skew_from_cost(edges, axis))
    columns = (
        *(skews[:-1], skews[1:], rule.threshold[piece], rule.threshold_2[piece]),
        *(mixes_at(rule, piece, edges[:-1]), mixes_at(rule, piece, edges[1:])),
    )
    return [
        _row(candidate, axis, *values)
        for values in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _row(candidate: Candidate, axis: float, *values: float) -> DecisionRow:
    low, high, first, second, mix, mix_at_high = values
    row = DecisionRow(low, high, candidate.model, candidate.method, first, first, 0.0, axis=axis)
    if first == second or mix == mix_at_high == 1:
        return row
    if mix == mix_at_high == 0:
        return replace(row, threshold=second, threshold_at_high=second)
    return replace(row, threshold_2=second, mix=mix, mix_at_high=mix_at_high)


def _driven_row(
    candidate: Candidate, choice: ScoreDriven, low: float, high: float, axis: float
) -> DecisionRow:
    from_, to = (float(skew_from_cost(c, axis)) for c in (low, high))
    trusted = axis if choice.calibrated_to is None else choice.calibrated_to
    first, last = (float(cost_from_skew(z, trusted)) for z in (from_, to))
    row = DecisionRow(from_, to, candidate.model, candidate.method, first, last, 0.0, axis=axis)
    return replace(row, calibrated_to=trusted)
