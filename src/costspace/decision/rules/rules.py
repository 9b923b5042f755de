"""Rules of many cases at once, each flagging above a threshold, or drawing one of two."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray, FloatArray, FrozenValue, read_only
from costspace.decision.rules.above import is_above
from costspace.decision.rules.rule import Rule
from costspace.single import doubles


@final
@dataclass(frozen=True, eq=False)
class Rules(FrozenValue):
    """A rule for each of some cases, or one for all of them."""

    # Shape (n,): as of a `Rule`; the thresholds are equal where nothing is drawn at random.
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

    @classmethod
    def joined(cls, shape: tuple[int, ...], parts: Iterable[tuple[BoolArray, "Rules"]]) -> "Rules":
        """The rules of cases of some shape, each of which is in one of the parts."""
        found = [np.empty(shape) for _ in range(3)]
        for cases, rules in parts:
            columns = rules.threshold, rules.threshold_2, rules.mix
            for column, values in zip(found, columns, strict=True):
                column[cases] = values
        return cls(*found)

    @property
    def one(self) -> Rule:
        """The rule, if it is one for all cases."""
        return _rule(float(self.threshold), float(self.threshold_2), float(self.mix))

    def each(self) -> list[Rule]:
        """The rule of each of some cases."""
        columns = (self.threshold, self.threshold_2, self.mix)
        return [_rule(*values) for values in zip(*(c.tolist() for c in columns), strict=True)]

    @property
    def likelier(self) -> FloatArray:
        """The threshold that each rule applies, the likelier one where it draws one of two."""
        return np.where(self.mix >= 0.5, self.threshold, self.threshold_2)

    def flagged(self, scores: FloatArray) -> FloatArray:
        """The probability that each case is flagged."""
        scores = doubles(np.asarray(scores))
        first = is_above(scores, self.threshold)
        if not self.draws:
            return first.astype(float)
        return self.mix * first + (1 - self.mix) * is_above(scores, self.threshold_2)

    @cached_property
    def draws(self) -> bool:
        """Whether a rule may draw one of two thresholds."""
        return not np.array_equal(self.threshold, self.threshold_2)

    def decided(self, scores: FloatArray, random: FloatArray) -> BoolArray:
        """Whether each case is flagged, by numbers drawn from [0, 1) where rules draw."""
        scores = doubles(np.asarray(scores))
        first = is_above(scores, self.threshold)
        if not self.draws:
            return first
        return np.where(random < self.mix, first, is_above(scores, self.threshold_2))


def _rule(first: float, second: float, mix: float) -> Rule:
    """The rule that applies the first threshold with probability `mix`, else the second."""
    if first == second or mix == 1:
        return Rule(first)
    return Rule(second) if mix == 0 else Rule(first, otherwise=Rule(second), chance=mix)
