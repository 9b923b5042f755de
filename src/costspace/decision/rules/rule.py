"""Rules to deploy: cuts on the score, or on the share of a queue, and what to do between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FloatArray, IndexArray
from costspace.checks import check_number
from costspace.curve import OperatingPoints
from costspace.decision.rules.above import above, mixed
from costspace.decision.rules.cuts import ROUNDING, checked_cuts
from costspace.decision.rules.draws import drawn
from costspace.decision.rules.rule_words import rule_said, threshold_of
from costspace.deployment.actions import FLAG, PASS, REVIEW
from costspace.errors import ConditionError, brief, check_kind
from costspace.samples.validation import score_array
from costspace.scores.table import ScoreTable
from costspace.single import doubles


@final
@dataclass(frozen=True, repr=False)
class Rule:
    """Which action to take on a case, by its score or its place in a queue.

    Parameters
    ----------
    cuts : float, or sequence of float
        Ascending. On the scale of the scores; or shares of the queue, from its top.
    actions : sequence of str, optional
        What to do on each stretch between the cuts, one more than those: up to the first cut,
        then above it up to the next, and above the last. By default what scores above a cut, or
        is above it in the queue, is flagged, and the rest passed.
    by : {"score", "share"}
        Whether cuts are scores or shares of the queue, (0, 1), which has the highest scores first.
        Of a queue a stretch has the cases that fit in it whole: tied scores on a cut come after it.
    otherwise : Rule, optional
        Another rule that is applied to a case where chance does not draw this one.
    chance : float in [0, 1], default 1
        The probability that this rule is applied and not the other.

    Raises
    ------
    ConditionError
        If the cuts do not ascend, there is not one action more, shares are not in (0, 1), or a
        chance below 1 has no other rule.

    Notes
    -----
    An infinite cut has nothing beyond it: ``Rule(-inf)`` flags everybody, scores of -inf too, and
    is ``Rule((), ("flag",))``. Provost and Fawcett (2001), Machine Learning 42: drawing between two
    classifiers gives every operating point on the line between theirs.

    Examples
    --------
    >>> Rule(0.3).flagged([0.2, 0.5, 0.9])
    array([0., 1., 1.])
    >>> rule = Rule(0.3, otherwise=Rule(0.6), chance=0.25)
    >>> rule
    Rule(flag scores above 0.6, and those above 0.3 with probability 0.25)
    >>> rule.flagged([0.2, 0.5, 0.9])
    array([0.  , 0.25, 1.  ])
    >>> queue = Rule((0.25, 0.5), ("block", "review", "pass"), by="share")
    >>> queue
    Rule(block the top 25 % of the queue, review the next to 50 %, pass the rest)
    >>> queue.applied([0.1, 0.9, 0.4, 0.2]).tolist()
    ['pass', 'block', 'review', 'pass']
    """

    cuts: Sequence[float]
    actions: Sequence[str]
    by: str = "score"
    otherwise: "Rule | None" = None
    chance: float = 1.0

    def __init__(
        self,
        cuts: float | Sequence[float],
        actions: Sequence[str] | None = None,
        *,
        by: str = "score",
        otherwise: "Rule | None" = None,
        chance: float = 1.0,
    ) -> None:
        own_cuts, own_actions = checked_cuts(cuts, actions, by)
        chance = check_number("chance", chance, low=0, high=1)
        if otherwise is None and chance < 1:
            raise ConditionError(
                f"a rule that is applied with probability {chance:g} needs another `otherwise`."
            )
        if otherwise is not None:
            check_kind("otherwise", otherwise, Rule)
            if otherwise.randomised:
                raise ConditionError(
                    f"otherwise must be a Rule that draws nothing itself, got {brief(otherwise)}."
                )
        values: dict[str, Any] = {
            "cuts": own_cuts,
            "actions": own_actions,
            "by": by,
            "otherwise": None,
            "chance": 1.0,
        }
        # A rule that chance does not decide about is one rule, however it came about.
        if otherwise is not None and chance == 0:
            values = vars(otherwise)
        elif otherwise is not None and chance < 1 and vars(otherwise) != values:
            values |= {"otherwise": otherwise, "chance": chance}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def randomised(self) -> bool:
        """Whether chance decides about some scores."""
        return self.otherwise is not None

    @property
    def queued(self) -> bool:
        """Whether it cuts a queue by share, so that what it does to a case depends on others."""
        rules = [rule for rule, _ in self._drawn()]
        return any(rule.by == "share" and rule.cuts for rule in rules)

    @property
    def trivial(self) -> bool:
        """Whether it does the same with everybody, whatever the scores."""
        return not self.randomised and not self.cuts

    @property
    def flag(self) -> str:
        """The action that flags, without the other rule; "" if none does.

        It is "flag", or else what is done with the highest scores, but for passing and reviewing.
        """
        top = self.actions[0 if self.by == "share" else -1]
        return FLAG if FLAG in self.actions else "" if top in (PASS, REVIEW) else top

    @property
    def thresholds(self) -> tuple[float, float]:
        """The score above which it flags, and that of the other rule if there is one.

        Raises
        ------
        ConditionError
            If it does more than flag scores above a threshold.
        """
        own = self._threshold
        return own, own if self.otherwise is None else self.otherwise._threshold

    @property
    def _threshold(self) -> float:
        found = threshold_of(self.to_dict())
        if found is None:
            raise ConditionError(f"a rule with one threshold was asked for, got {self}.")
        return found

    def called(self, names: Mapping[str, str]) -> "Rule":
        """The same with actions called otherwise, those that have names."""
        if not names:
            return self
        return Rule(
            self.cuts,
            [names.get(action, action) for action in self.actions],
            by=self.by,
            otherwise=None if self.otherwise is None else self.otherwise.called(names),
            chance=self.chance,
        )

    def chances(self, scores: ArrayLike) -> dict[str, FloatArray]:
        """How likely each action is for each of some cases.

        Parameters
        ----------
        scores : array of shape (n,)
            For a rule by share they are the whole queue.

        Returns
        -------
        dict of str to array of shape (n,)
            They sum to 1.

        Raises
        ------
        ScoreError
            If the scores are not one number for each case.
        """
        scores = doubles(score_array(scores, "scores"))
        found: dict[str, FloatArray] = {}
        for rule, chance in self._drawn():
            stretch = rule.stretches(scores)
            for i, action in enumerate(rule.actions):
                found[action] = found.get(action, np.zeros(len(scores))) + chance * (stretch == i)
        return found

    def flagged(self, scores: ArrayLike) -> FloatArray:
        """The probability that each of some cases is flagged.

        To flag is what is called "flag", or else what is done with the highest scores. What is
        reviewed is not flagged, nor what has any other action: `chances` has those of each.
        """
        scores = doubles(score_array(scores, "scores"))
        found = np.zeros(len(scores))
        for rule, chance in self._drawn():
            found += chance * (np.array(rule.actions)[rule.stretches(scores)] == rule.flag)
        return found

    def applied(self, scores: ArrayLike, *, seed: int | None = None) -> NDArray[np.str_]:
        """What to do with each of some cases.

        Parameters
        ----------
        scores : array of shape (n,)
            For a rule by share they are the whole queue.
        seed : int, optional
            For the draws of a rule that draws one of two; it needs one.

        Returns
        -------
        array of str of shape (n,)

        Raises
        ------
        ConditionError
            If the rule draws at random and there is no seed.
        ScoreError
            If the scores are not one number for each case.
        """
        scores = doubles(score_array(scores, "scores"))
        return self.decided(scores, self.random(len(scores), seed))

    def decided(self, scores: FloatArray, random: FloatArray) -> NDArray[np.str_]:
        """What to do with each case, by numbers drawn from [0, 1) if the rule draws."""
        rules = [rule for rule, _ in self._drawn()]
        first, *others = (np.array(rule.actions)[rule.stretches(scores)] for rule in rules)
        return np.where(random < self.chance, first, others[0]) if others else first

    def random(self, cases: int, seed: int | None) -> FloatArray:
        """Numbers from [0, 1) for a rule that draws, or `ConditionError` if there is no seed."""
        if not self.randomised:
            return np.zeros(cases)
        if seed is None:
            raise ConditionError(f"the rule to {self} draws at random: give a seed.")
        return drawn(seed, cases)

    def stretches(self, scores: FloatArray) -> IndexArray:
        """The stretch between the cuts that each of some cases is on, without the other rule."""
        if self.by == "score":
            return np.searchsorted(np.asarray(self.cuts, dtype=float), scores, side="left")
        # The share of the queue down to the last of those that score as a case does.
        down_to = len(scores) - np.searchsorted(np.sort(scores), scores, side="left")
        counts = np.asarray(self.cuts) * len(scores)
        return np.searchsorted(counts * (1 + ROUNDING), down_to, side="left")

    def on(self, table: ScoreTable) -> OperatingPoints:
        """The operating point on a sample of a rule that flags scores above a threshold."""
        first, *others = (above(table, np.array(one)) for one in dict.fromkeys(self.thresholds))
        return mixed(np.array(self.chance), first, *others) if others else first

    def _drawn(self) -> list[tuple["Rule", float]]:
        """The rules that are applied, each with its probability."""
        if self.otherwise is None:
            return [(self, 1.0)]
        return [(self, self.chance), (self.otherwise, 1 - self.chance)]

    def __str__(self) -> str:
        return rule_said(self.to_dict())

    def __repr__(self) -> str:
        return f"Rule({self})"

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a stretch: its action, and the cuts that it is between."""
        low, high = (0.0, 1.0) if self.by == "share" else (-np.inf, np.inf)
        return {
            "from": np.array([low, *self.cuts]),
            "to": np.array([*self.cuts, high]),
            "action": np.array(self.actions),
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; "chance" and "otherwise" where chance decides."""
        found: dict[str, Any] = {
            "by": self.by,
            "cuts": list(self.cuts),
            "actions": list(self.actions),
        }
        if self.otherwise is not None:
            found |= {"chance": self.chance, "otherwise": self.otherwise.to_dict()}
        return found

    @classmethod
    def from_dict(cls, values: Any) -> "Rule":
        """The rule of `to_dict`, or `ConditionError` unless it is one."""
        try:
            by, cuts, actions = values["by"], list(values["cuts"]), values["actions"]
            other, chance = values.get("otherwise"), values.get("chance", 1.0)
        except (AttributeError, KeyError, TypeError):
            raise ConditionError(
                f"a rule has 'by', 'cuts' and 'actions', got {brief(values)}."
            ) from None
        otherwise = None if other is None else cls.from_dict(other)
        return cls(cuts, actions, by=by, otherwise=otherwise, chance=chance)
