"""The scores that a decision was made on, and whether those that it is applied to are like them."""

from dataclasses import dataclass, replace
from typing import Self, final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, Floats, FrozenValue
from costspace.decision.money.class_intervals import score_ends
from costspace.decision.rules.rule import Rule
from costspace.decision.words import alone_shown, estimate_shown
from costspace.deployment.bounds import Range
from costspace.estimates.interval import Ends
from costspace.estimates.reversal import reversal_told
from costspace.scores.table import ScoreTable
from costspace.special import betainc, kolmogorov, ndtri

# Shares of the cases at deployment that are not above the scores that are compared.
_LEVELS = np.array([0.02, *np.arange(1, 10) / 10, 0.98])
# A difference is told if it would come by chance in so small a part of all batches, and matters:
# by so much of all cases, or by such a factor.
_CHANCE, _PART, _FACTOR = 0.005, 0.1, 2.0
# Of the interval of a share.
_LEVEL = 0.95
# Halvings, nearly, of a range of prevalence.
_STEPS = 60


@final
@dataclass(frozen=True, eq=False)
class ScoresFound(FrozenValue):
    """How many of some rows score above each of the scores that are compared."""

    rows: int
    above: FloatArray  # shape (k,)
    # Where labels are known, the number of rows of each class, and those of them above each.
    classes: tuple[int, int] = (0, 0)
    classes_above: tuple[FloatArray, FloatArray] | None = None


@final
@dataclass(frozen=True, eq=False)
class DecidedOn(FrozenValue):
    """The scores of the model that a decision was made on, as they are at deployment."""

    # Shape (k,), ascending: quantiles of both classes together at deployment, and the thresholds
    # of the rule; and the share of each class that is above them.
    scores: FloatArray
    negatives_above: FloatArray
    positives_above: FloatArray
    rows: Ends  # how many independent rows of each class these are of
    independent: float  # how many independent rows one row counts as, at most 1
    prevalence: Range  # at deployment
    # The share that the rule flags at the mean prevalence, and the ends of what it may be over the
    # range, with its 95 % interval. None of a queue, and of rules that follow the condition.
    flagged: tuple[float, float, float] | None = None
    # The column of the labels and that of the positive class, if they were read from a file.
    label: str | None = None
    positive: str | None = None

    @classmethod
    def of(
        cls, table: ScoreTable, rows: Ends, prevalence: Range, mean: float, rule: Rule | None
    ) -> Self:
        """What a table has of them, at a range of prevalence and its mean.

        `rule` is the one that serves all conditions, if it goes by score.
        """
        cuts = table.cut_points
        place = np.searchsorted(table.with_prevalence(mean).not_flagged[1:-1], _LEVELS)
        levels = cuts[np.minimum(place, len(cuts) - 1)] if len(cuts) else cuts
        scores = np.union1d(levels[np.isfinite(levels)], _thresholds(rule))
        points = table.by_score.at(scores)
        independent = min(sum(rows) / sum(table.sizes), 1.0)
        found = cls(scores, points.fpr, 1 - points.fnr, rows, independent, prevalence)
        return found if rule is None else replace(found, flagged=found._flagged(rule, mean))

    def has_cuts_of(self, rule: Rule | None) -> bool:
        """Whether they tell how many a rule flags."""
        by_score = rule is not None and not rule.queued
        return by_score and bool(np.isin(_thresholds(rule), self.scores).all())

    def doubt(self, found: ScoresFound, model: str, rule: Rule | None) -> str:
        """What speaks against some rows' being like these, in a few sentences; empty if nothing.

        Where labels are known, it is the prevalence of these that both classes have together.
        """
        if not found.rows or not len(self.scores):
            return ""
        if found.classes_above is None or not all(found.classes):
            return self._flags_others(found, rule) or self._differs(found, self.prevalence)
        share = found.classes[1] / sum(found.classes)
        return self._turned(found, model) or self._differs(found, Range(share, share))

    def _flags_others(self, found: ScoresFound, rule: Rule | None) -> str:
        """That the rule flags another share, beyond the ends of what was expected."""
        if self.flagged is None or rule is None:
            return ""
        value, low, high = self.flagged
        flagged = self._flagged_of(rule, found.above, found.rows)
        share = flagged / found.rows
        end = min(max(share, low), high)
        rows = found.rows * self.independent
        some, rest = rows * share, rows * (1 - share)
        # How likely as many are flagged, or as few.
        chance = betainc(some, rest + 1, end) if share > end else betainc(rest, some + 1, 1 - end)
        if share == end or chance > _CHANCE or not _matters(share, end):
            return ""
        usual, ends = estimate_shown(*(100 * one for one in (value, low, high)))
        return (
            f"{alone_shown(100 * flagged / found.rows)} % of the rows are flagged, where the "
            f"decision flags {usual} % ({ends} %). {self._advice}"
        )

    def _differs(self, found: ScoresFound, prevalence: Range) -> str:
        """That scores are distributed otherwise, whatever their prevalence is in a range."""
        above = found.above / found.rows
        p = self._nearest(above, prevalence)
        own = self._above(p)
        distances = np.where(_matters(above, own), np.abs(above - own), 0.0)
        place = int(np.argmax(distances))
        # Shares of rows, and of each class, have a variance of at most 1/4 of these.
        sizes = found.rows * self.independent, *self.rows
        variance = np.sum(np.array([1.0, (1 - p) ** 2, p**2]) / sizes)
        if kolmogorov(distances[place] / np.sqrt(variance)) > _CHANCE:
            return ""
        here, there = (alone_shown(100 * one[place]) for one in (above, own))
        return (
            f"{here} % of the scores are above {self.scores[place]:.4g}, where {there} % of those "
            f"are that the decision was made on. {self._advice}"
        )

    def _turned(self, found: ScoresFound, model: str) -> str:
        """That positives rank below negatives, by more than chance, and did not."""
        if found.classes_above is None:
            return ""
        auc = _auc(*(one / n for one, n in zip(found.classes_above, found.classes, strict=True)))
        # No scores of this AUC have a larger error.
        error = np.sqrt(auc * (1 - auc) / (min(found.classes) * self.independent))
        turned = auc - ndtri(_CHANCE / 2) * error < 0.5
        before = _auc(self.negatives_above, self.positives_above)
        return reversal_told({model: auc}) if turned and before >= 0.5 else ""

    @property
    def _advice(self) -> str:
        low, high = self.prevalence.low, self.prevalence.high
        span = f"{low:.3g}" if low == high else f"from {low:.3g} to {high:.3g}"
        return (
            "Are these scores of the same model, on the same scale and of the same sign, and is "
            f"the prevalence {span}? If so, decide anew."
        )

    def _above(self, prevalence: float) -> FloatArray:
        return (1 - prevalence) * self.negatives_above + prevalence * self.positives_above

    def _nearest(self, above: FloatArray, prevalence: Range) -> float:
        """The prevalence at which the largest difference, which is convex in it, is least."""
        low, high = prevalence.low, prevalence.high
        for _ in range(_STEPS):
            thirds = low + (high - low) / 3, high - (high - low) / 3
            first, second = (np.abs(above - self._above(p)).max() for p in thirds)
            low, high = (low, thirds[1]) if first <= second else (thirds[0], high)
        return low

    def _flagged(self, rule: Rule, mean: float) -> tuple[float, float, float]:
        """The share that a rule flags at the mean prevalence, and between what that may be."""
        shares = [
            self._flagged_of(rule, above, 1.0)
            for above in (self.negatives_above, self.positives_above)
        ]
        quantile, ends = float(ndtri((1 + _LEVEL) / 2)), []
        for p in (self.prevalence.low, self.prevalence.high):
            value, errors = 0.0, []
            for weight, share, rows in zip((1 - p, p), shares, self.rows, strict=True):
                value += weight * share
                errors.append(
                    weight * np.abs(np.subtract(score_ends(share, rows, quantile), share))
                )
            # The error of a sum, from those of its parts.
            low, high = np.hypot(*errors)
            ends += [value - low, value + high]
        value = (1 - mean) * shares[0] + mean * shares[1]
        return value, float(max(min(ends), 0.0)), float(min(max(ends), 1.0))

    def _flagged_of(self, rule: Rule, above: FloatArray, cases: float) -> float:
        """How many of some cases, of which so many score above each score, are flagged."""
        ends = [cases, *above[np.searchsorted(self.scores, rule.cuts)], 0.0]
        parts = zip(rule.actions, ends[:-1], ends[1:], strict=True)
        own = float(sum(first - last for action, first, last in parts if action == rule.flag))
        if rule.otherwise is None:
            return own
        other = self._flagged_of(rule.otherwise, above, cases)
        return rule.chance * own + (1 - rule.chance) * other


def _thresholds(rule: Rule | None) -> list[float]:
    """The cuts of a rule, and of the other one where it draws."""
    return [] if rule is None else [*rule.cuts, *_thresholds(rule.otherwise)]


def _matters(share: Floats, other: Floats) -> BoolArray:
    """Whether two shares of cases above a score differ by much of all cases, or by a factor."""
    low, high = np.minimum(share, other), np.maximum(share, other)
    return np.asarray((high - low > _PART) | (high >= _FACTOR * low))


def _auc(negatives_above: FloatArray, positives_above: FloatArray) -> float:
    """The area under the ROC curve through some of its points."""
    fpr, tpr = (np.concatenate([[1.0], one, [0.0]]) for one in (negatives_above, positives_above))
    return float(-np.diff(fpr) @ (tpr[1:] + tpr[:-1]) / 2)
