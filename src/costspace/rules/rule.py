"""Rules to deploy: one threshold, or two of which one is drawn for each case."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray, read_only
from costspace.checks import check_conditions, check_number
from costspace.curve import OperatingPath, OperatingPoints
from costspace.errors import ConditionError
from costspace.notebook import Tabulated
from costspace.scores.table import ScoreTable


@final
@dataclass(frozen=True, repr=False)
class Rule:
    """Flag scores above a threshold, or above one of two drawn at random for each case.

    Parameters
    ----------
    threshold : float
        On the scale of the scores; -inf flags everybody, inf nobody.
    threshold_2 : float, optional
        The other threshold of a randomised rule; without one the rule is not randomised. The
        rules that costspace finds have the higher threshold here.
    mix : float in [0, 1], default 1
        The probability that `threshold` is applied; else `threshold_2` is.

    Raises
    ------
    ConditionError
        If a threshold is not a number, the mix not in [0, 1], or below 1 without `threshold_2`.

    Notes
    -----
    Provost and Fawcett (2001), Machine Learning 42: drawing between two classifiers
    gives every operating point on the line between theirs.

    Examples
    --------
    >>> rule = Rule(0.3, 0.6, mix=0.25)
    >>> rule
    Rule(flag scores above 0.6, and those above 0.3 with probability 0.25)
    >>> rule.flagged([0.2, 0.5, 0.9])
    array([0.  , 0.25, 1.  ])
    """

    threshold: float
    threshold_2: float | None = None
    mix: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", check_number("threshold", self.threshold))
        object.__setattr__(self, "mix", check_number("mix", self.mix, low=0, high=1))
        if self.threshold_2 is not None:
            object.__setattr__(self, "threshold_2", check_number("threshold_2", self.threshold_2))
        elif self.mix < 1:
            raise ConditionError(
                f"a rule that applies its threshold with probability {self.mix:g} needs a "
                "threshold_2 for the other cases."
            )

    @property
    def randomised(self) -> bool:
        """Whether chance decides about some scores."""
        return self.threshold_2 not in (None, self.threshold) and 0 < self.mix < 1

    @property
    def trivial(self) -> bool:
        """Whether it flags everybody or nobody, whatever the scores."""
        return not self.randomised and bool(np.isinf(self._sole))

    @property
    def _sole(self) -> float:
        """The threshold of a rule that is not randomised."""
        return self.threshold if self.threshold_2 is None or self.mix > 0 else self.threshold_2

    def __str__(self) -> str:
        other = self.threshold if self.threshold_2 is None else self.threshold_2
        if not self.randomised:
            if self.trivial:
                return "flag everybody" if self._sole < 0 else "flag nobody"
            return f"flag scores above {self._sole:g}"
        low, high = sorted((self.threshold, other))
        mix = self.mix if low == self.threshold else 1 - self.mix
        sometimes = "all others" if low == -np.inf else f"those above {low:g}"
        if high == np.inf:
            sometimes = "everybody" if low == -np.inf else f"scores above {low:g}"
            return f"flag {sometimes} with probability {mix:g}"
        return f"flag scores above {high:g}, and {sometimes} with probability {mix:g}"

    def __repr__(self) -> str:
        return f"Rule({self})"

    def flagged(self, scores: ArrayLike) -> FloatArray:
        """The probability that each of some scores is flagged."""
        # Of a single-precision score and a threshold the latter would be rounded.
        scores = np.asarray(scores, dtype=float)
        first = (scores > self.threshold).astype(float)
        if self.threshold_2 is None:
            return first
        return self.mix * first + (1 - self.mix) * (scores > self.threshold_2)

    def on(self, table: ScoreTable) -> OperatingPoints:
        """The operating point of the rule on a sample."""
        first = table.by_score.at(self.threshold)
        if self.threshold_2 is None:
            return first
        return _mixed(np.array(self.mix), first, table.by_score.at(self.threshold_2))

    def columns(self) -> dict[str, FloatArray]:
        """One row; without a second threshold it is the first."""
        other = self.threshold if self.threshold_2 is None else self.threshold_2
        values = {"threshold": self.threshold, "threshold_2": other, "mix": self.mix}
        return {name: np.array([value]) for name, value in values.items()}

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON, in which there is no infinity.

        An infinite threshold is None, with "flags": "flag_all" or "flag_none" beside it; the
        second threshold and the mix are there if it has them.
        """
        row = plain_threshold("", self.threshold)
        if self.threshold_2 is not None:
            row |= {**plain_threshold("_2", self.threshold_2), "mix": self.mix}
        return row


def plain_threshold(which: str, threshold: float) -> dict[str, Any]:
    """A threshold for JSON, and what it does if it is infinite; `which` is "" or "_2"."""
    if np.isfinite(threshold):
        return {f"threshold{which}": threshold}
    return {
        f"threshold{which}": None,
        f"flags{which}": "flag_all" if threshold < 0 else "flag_none",
    }


@final
@dataclass(frozen=True, eq=False)
class Rules(FrozenValue):
    """A rule for each of some cases, or one for all of them.

    Attributes
    ----------
    threshold, threshold_2, mix : array of shape (n,) or ()
        As of a `Rule`; the thresholds are equal where nothing is drawn at random.
    """

    threshold: FloatArray
    threshold_2: FloatArray
    mix: FloatArray

    def __post_init__(self) -> None:
        for name in ("threshold", "threshold_2", "mix"):
            object.__setattr__(self, name, read_only(np.asarray(getattr(self, name))))

    @classmethod
    def of(cls, threshold: ArrayLike) -> "Rules":
        """The rules that flag scores above thresholds, and draw nothing."""
        threshold = np.asarray(threshold, dtype=float)
        return cls(threshold, threshold, np.ones_like(threshold))

    @property
    def one(self) -> Rule:
        """The rule, if it is one for all cases."""
        first, second, mix = float(self.threshold), float(self.threshold_2), float(self.mix)
        if first == second or mix == 1:
            return Rule(first)
        return Rule(second) if mix == 0 else Rule(first, second, mix)

    @property
    def likelier(self) -> FloatArray:
        """The threshold that each rule applies, the likelier one where it draws one of two."""
        return np.where(self.mix >= 0.5, self.threshold, self.threshold_2)

    def flagged(self, scores: FloatArray) -> FloatArray:
        """The probability that each case is flagged."""
        scores = np.asarray(scores, dtype=float)
        first = scores > self.threshold
        if not self.draws:
            return first.astype(float)
        return self.mix * first + (1 - self.mix) * (scores > self.threshold_2)

    @cached_property
    def draws(self) -> bool:
        """Whether a rule may draw one of two thresholds."""
        return not np.array_equal(self.threshold, self.threshold_2)

    def decided(self, scores: FloatArray, random: FloatArray) -> BoolArray:
        """Whether each case is flagged, by numbers drawn from [0, 1) where rules draw."""
        scores = np.asarray(scores, dtype=float)
        first: BoolArray = scores > self.threshold
        if not self.draws:
            return first
        return np.where(random < self.mix, first, scores > self.threshold_2)


@final
@dataclass(frozen=True, eq=False)
class ThresholdPath(FrozenValue, Tabulated):
    """The rule at each operating condition.

    On the piece between two breaks the thresholds stay, and the probability of applying the first
    moves in a straight line from `mix_start` to `mix_end`. Pieces are closed on the left, the
    last one on both sides. A piece of no length at 0 or 1 holds the left limit at 0 or the value
    at 1.

    Attributes
    ----------
    breaks : array of shape (m + 1,)
        Operating conditions, ascending, from 0 to 1: cost proportions at the prevalence of the
        sample that the thresholds were chosen on.
    threshold, threshold_2 : array of shape (m,)
        The thresholds of each piece, the first never above the second; equal where nothing is
        drawn at random.
    mix_start, mix_end : array of shape (m,), in [0, 1]
        The probability that `threshold` is applied where each piece begins, and what it tends
        to; else `threshold_2` is.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: a threshold choice method
    T(c) as a deployed system needs it, on the scale of the scores.

    Examples
    --------
    >>> import costspace as cs
    >>> train = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> path = cs.threshold_path(train, cs.Optimal())
    >>> path.breaks[1:4].tolist(), path.threshold[1:4].tolist()
    ([0.0, 0.5, 1.0], [0.25, 0.75, inf])
    >>> path.rule_at(0.3)
    Rule(flag scores above 0.25)
    """

    breaks: FloatArray
    threshold: FloatArray
    threshold_2: FloatArray
    mix_start: FloatArray
    mix_end: FloatArray

    @classmethod
    def stepping(cls, at: FloatArray, thresholds: FloatArray) -> "ThresholdPath":
        """The path that jumps from one of some thresholds to the next at each condition."""
        breaks, mix = np.concatenate([[0.0], at, [1.0]]), np.ones(len(thresholds))
        return cls(breaks, thresholds, thresholds, mix, mix)

    @classmethod
    def constant(cls, rule: Rule) -> "ThresholdPath":
        """The path of one rule, whatever the condition."""
        row = rule.columns()
        return cls(
            np.array([0.0, 1.0]), row["threshold"], row["threshold_2"], row["mix"], row["mix"]
        )

    def on(self, table: ScoreTable) -> OperatingPath:
        """The operating point at every condition on a sample, at the sample's prevalence."""
        first, second = table.by_score.at(self.threshold), table.by_score.at(self.threshold_2)
        start = _mixed(self.mix_start, first, second)
        if np.array_equal(self.mix_start, self.mix_end):
            return OperatingPath(self.breaks, start, start, table.prevalence, steps=True)
        end = _mixed(self.mix_end, first, second)
        return OperatingPath(self.breaks, start, end, table.prevalence)

    def rule_at(self, condition: float) -> Rule:
        """The rule at one operating condition.

        Raises
        ------
        ConditionError
            If the condition is not in [0, 1].
        """
        return self.rules_at(check_number("an operating condition", condition)).one

    def rules_at(self, conditions: ArrayLike) -> "Rules":
        """The rule at each of some operating conditions.

        Raises
        ------
        ConditionError
            If a condition is not in [0, 1].
        """
        c = check_conditions("an operating condition", conditions)
        piece = np.minimum(np.searchsorted(self.breaks, c, "right"), len(self.threshold)) - 1
        first = self.threshold[piece]
        if np.array_equal(self.threshold, self.threshold_2):
            return Rules.of(first)
        return Rules(first, self.threshold_2[piece], mixes_at(self, piece, c))

    def columns(self) -> dict[str, FloatArray]:
        """One row a piece."""
        return {
            "from": self.breaks[:-1],
            "to": self.breaks[1:],
            "threshold": self.threshold,
            "threshold_2": self.threshold_2,
            "mix_start": self.mix_start,
            "mix_end": self.mix_end,
        }


def mixes_at(path: ThresholdPath, piece: IndexArray, conditions: FloatArray) -> FloatArray:
    """How likely each piece's first threshold is at a condition on it; at its end, the limit."""
    low, width = path.breaks[piece], np.diff(path.breaks)[piece]
    along = np.divide(conditions - low, width, out=np.zeros_like(width), where=width > 0)
    return (1 - along) * path.mix_start[piece] + along * path.mix_end[piece]


def _mixed(mix: FloatArray, first: OperatingPoints, second: OperatingPoints) -> OperatingPoints:
    return OperatingPoints(
        mix * first.fpr + (1 - mix) * second.fpr, mix * first.fnr + (1 - mix) * second.fnr
    )
