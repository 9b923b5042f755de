"""The thresholds of a choice at each operating condition."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats, FrozenValue, IndexArray, ScoreFunction
from costspace.checks import check_conditions, check_number
from costspace.choices.flagging import Exposure
from costspace.condition import skew_from_cost
from costspace.costs import CostDistribution
from costspace.curve import OperatingPath
from costspace.decision.rules.above import above, mixed
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules import Rules
from costspace.decision.rules.rules_by_condition import Exposing, RulesByCondition
from costspace.deployment.actions import FLAG, PASS
from costspace.errors import ConditionError, brief
from costspace.notebook import Tabulated
from costspace.quadrature import RunningIntegral
from costspace.scores.table import ScoreTable


@final
@dataclass(frozen=True, eq=False)
class ThresholdPath(FrozenValue, RulesByCondition, Tabulated):
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
    >>> path = cs.threshold_path(train, choice=cs.Optimal())
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
        """The path of one rule with one threshold, or two, whatever the condition."""
        first, second = (np.array([t]) for t in rule.thresholds)
        mix = np.array([rule.chance])
        return cls(np.array([0.0, 1.0]), first, second, mix, mix)

    @property
    def draws(self) -> bool:
        return not np.array_equal(self.threshold, self.threshold_2)

    def on(self, table: ScoreTable) -> OperatingPath:
        """The operating point at every condition on a sample, at the sample's prevalence."""
        first, second = above(table, self.threshold), above(table, self.threshold_2)
        start = mixed(self.mix_start, first, second)
        if np.array_equal(self.mix_start, self.mix_end):
            return OperatingPath(self.breaks, start, start, table.prevalence, steps=True)
        end = mixed(self.mix_end, first, second)
        return OperatingPath(self.breaks, start, end, table.prevalence)

    def rule_at(self, condition: float) -> Rule:
        """The rule at one operating condition.

        Raises
        ------
        ConditionError
            If the condition is not in [0, 1].
        """
        return self.rules_at(check_number("an operating condition", condition)).one

    def rules_at(self, conditions: ArrayLike) -> Rules:
        """The rule at each of some operating conditions.

        Raises
        ------
        ConditionError
            If a condition is not in [0, 1].
        """
        c = check_conditions("an operating condition", conditions)
        piece = np.minimum(np.searchsorted(self.breaks, c, "right"), len(self.threshold)) - 1
        first = self.threshold[piece]
        if not self.draws:
            return Rules.of(first)
        return Rules(first, self.threshold_2[piece], self._mixes_at(piece, c))

    def before(self, conditions: Floats) -> Rules:
        c = np.asarray(conditions, dtype=float)
        piece = np.maximum(np.searchsorted(self.breaks, c, "left") - 1, 0)
        return Rules(self.threshold[piece], self.threshold_2[piece], self._mixes_at(piece, c))

    def _mixes_at(self, piece: IndexArray, conditions: FloatArray) -> FloatArray:
        """How likely each piece's first threshold is at a condition on it; at its end the limit."""
        low, width = self.breaks[piece], np.diff(self.breaks)[piece]
        along = np.divide(conditions - low, width, out=np.zeros_like(width), where=width > 0)
        return (1 - along) * self.mix_start[piece] + along * self.mix_end[piece]

    def flagged(self, table: ScoreTable, scores: FloatArray, skews: CostDistribution) -> FloatArray:
        p = table.prevalence

        def below(c: FloatArray) -> FloatArray:
            return skews.below(np.asarray(skew_from_cost(c, prevalence=p)), 0)

        edges = np.asarray(skew_from_cost(self.breaks, prevalence=p))
        mass = np.diff(skews.below(np.append(edges[:-1], np.inf), 0))
        first = self.mix_start * mass
        width = np.diff(self.breaks)
        rise = self.mix_end - self.mix_start
        slopes = np.flatnonzero((rise != 0) & (width > 0))
        if len(slopes):
            # By parts: what the mix has risen by at each condition, over all of them.
            high = self.breaks[slopes + 1]
            area = RunningIntegral(below, np.array([0.0, 1.0]))
            mean = (area.below(high) - area.below(self.breaks[slopes])) / width[slopes]
            first[slopes] += rise[slopes] * (below(high) - mean)
        return self._passed(first, mass - first)(scores)

    def exposing(self, table: ScoreTable, costs: CostDistribution) -> Exposing:
        _, moment, square = costs.partial_moments(self.breaks)
        rest = -np.diff(costs.complement_from(np.append(self.breaks[:-1], np.inf)))
        width = np.diff(self.breaks)
        rise = self.mix_end - self.mix_start
        slope = np.divide(rise, width, out=np.zeros_like(width), where=width > 0)
        mix = self.mix_start - slope * self.breaks[:-1]
        # Over each piece the mean of c, and of 1 - c, where the first threshold is drawn.
        flagged = mix * moment + slope * square
        missed = mix * rest + slope * (moment - square)
        as_negative = self._passed(flagged, moment - flagged)
        as_positive, total = self._passed(missed, rest - missed), rest.sum()
        return lambda scores: Exposure(as_negative(scores), total - as_positive(scores))

    def until(self, scores: FloatArray) -> FloatArray:
        # A threshold of -inf is passed by every score.
        always = np.count_nonzero(np.isneginf(self.threshold))
        passed = np.maximum(np.searchsorted(self.threshold, scores, side="left"), always)
        return self.breaks[passed]

    def _passed(self, first: FloatArray, second: FloatArray) -> ScoreFunction:
        """The sum over the pieces of what belongs to thresholds below each score."""
        order, thresholds, always = self._ascending
        sums = np.append(0.0, np.cumsum(np.concatenate([first, second])[order]))
        # A threshold of -inf is passed by every score.
        return lambda scores: sums[
            np.maximum(np.searchsorted(thresholds, scores, side="left"), always)
        ]

    @cached_property
    def _ascending(self) -> tuple[IndexArray, FloatArray, int]:
        """The order of all thresholds, they in that order, and how many every score passes."""
        thresholds = np.concatenate([self.threshold, self.threshold_2])
        order = np.argsort(thresholds)
        return order, thresholds[order], int(np.count_nonzero(np.isneginf(thresholds)))

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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; infinite cuts are "inf" and "-inf".

        Cuts are the thresholds; "otherwise" and the mixes are there where rules draw.
        """
        found: dict[str, Any] = {
            "breaks": self.breaks.tolist(),
            "cuts": _plain_cuts(self.threshold),
            "actions": [PASS, FLAG],
        }
        if self.draws:
            found |= {
                "otherwise": _plain_cuts(self.threshold_2),
                "mix_start": self.mix_start.tolist(),
                "mix_end": self.mix_end.tolist(),
            }
        return found

    @classmethod
    def from_dict(cls, values: Any) -> "ThresholdPath":
        """The path of `to_dict`, or `ConditionError` unless it is one."""
        try:
            breaks = check_conditions("a break", values["breaks"])
            first = _cuts(values["cuts"])
            second = _cuts(values["otherwise"]) if "otherwise" in values else first
            mixes = [
                check_conditions("a mix", values[name])
                if "otherwise" in values
                else np.ones(len(first))
                for name in ("mix_start", "mix_end")
            ]
            actions = values["actions"]
        except (KeyError, TypeError):
            raise ConditionError(
                "rules by condition have 'breaks', 'cuts' and 'actions', and where they draw "
                f"'otherwise', 'mix_start' and 'mix_end', got {brief(values)}."
            ) from None
        sizes = {np.shape(array) for array in (first, second, *mixes)}
        fits = sizes == {(len(first),)} and breaks.shape == (len(first) + 1,) and len(first) > 0
        if not fits or (np.diff(breaks) < 0).any() or breaks[0] != 0 or breaks[-1] != 1:
            raise ConditionError(
                "breaks ascend from 0 to 1, and there is one cut for each stretch between them."
            )
        descends = any((one[1:] < one[:-1]).any() for one in (first, second))
        if descends or (first > second).any():
            raise ConditionError("cuts must not descend, nor be above those of 'otherwise'.")
        if actions != [PASS, FLAG]:
            raise ConditionError(f"actions must be {[PASS, FLAG]}, got {brief(actions)}.")
        return cls(breaks, first, second, *mixes)


def _plain_cuts(cuts: FloatArray) -> list[float | str]:
    return [cut if np.isfinite(cut) else str(cut) for cut in cuts.tolist()]


def _cuts(values: Any) -> FloatArray:
    """Cuts of plain values, or `ConditionError` unless they are numbers, "inf" or "-inf"."""
    ends = {"inf": np.inf, "-inf": -np.inf}
    cuts = [ends[cut] if isinstance(cut, str) and cut in ends else cut for cut in values]
    return np.array([check_number("a cut", cut) for cut in cuts])
