"""The rules of a fitted strategy, as applying them to other cases needs them."""

from collections.abc import Mapping, Sized
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray, FloatArray, Floats, FrozenDict, FrozenValue, IndexArray
from costspace.condition import cost_proportion
from costspace.decision.applying.applied_how import Asked
from costspace.decision.applying.conditions_seen import (
    NEAR,
    STEPS,
    SeenConditions,
    check_needs,
    costs_given,
    prevalences_in,
    proportions_given,
    seen_conditions,
)
from costspace.decision.applying.decided_on import DecidedOn, ScoresFound
from costspace.decision.rules.between import three_actions
from costspace.decision.rules.queue import Queue
from costspace.decision.rules.review_queue import ReviewQueue
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules import Rules
from costspace.decision.rules.rules_by_condition import RulesByCondition
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.decision.sentences.terms import term_of_name
from costspace.deployment.actions import ACTIONS, FLAG, PASS, REVIEW
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import BALANCED, COSTS
from costspace.deployment.review import Review, named_actions
from costspace.errors import ConditionError, ScoreError
from costspace.samples.case_costs import CaseCosts, check_case_costs
from costspace.samples.rounding import ROUNDING, only_rounding
from costspace.samples.rows import NamedScores, scores_by_name
from costspace.samples.vectors import vector
from costspace.scores.base import check_probabilities

CORRECT_COSTS = ("tp_cost", "tn_cost")


def axis_of(prevalence: Range) -> float:
    """The prevalence whose cost axis the rules of a band are on."""
    return prevalence.low if prevalence.low == prevalence.high else BALANCED


@final
@dataclass(frozen=True, eq=False)
class DeployedRules(FrozenValue):
    """What a strategy does at each condition that it is for."""

    model: str | None  # whose scores it looks at, if at any
    choice: str  # the name of the choice that sets the threshold
    rule: Rule | None  # the rule, if one serves all conditions
    # Else the rules, by range of prevalence, ascending: by the cost proportion where the prevalence
    # is one, and else by the skew.
    bands: Mapping[Range, RulesByCondition] = field(default_factory=FrozenDict)
    skews: Range | None = None  # the skews that they are for; any if each case has costs of its own
    # The cost proportion of the mean costs, if those of a case are not known when it is decided.
    costs: float | None = None
    # What correct decisions cost unless given, "tp_cost" and "tn_cost"; None where that must be
    # given.
    correct_costs: Mapping[str, float | None] = field(default_factory=FrozenDict)
    # Whether the prevalence is known when a case is decided; if not, `bands` has the mean one.
    prevalence_known: bool = True
    # For cases that come one by one, if `rule` is of a queue, or `queue` is: the rule by score that
    # flags the same share of the rows that the decision was made on, as they are at deployment;
    # with batches the share that is within the places of 19 of 20.
    one_by_one: Rule | None = None
    # In place of `rule` and `bands` where the reviews of a queue have places.
    queue: ReviewQueue | None = None
    # The scores that the decision was made on; None if the rules read none, or nobody knows.
    decided_on: DecidedOn | None = None
    # In place of `bands` where cases may be reviewed: what a review costs, and the rules of the
    # decision between passing and reviewing, and of that between reviewing and flagging.
    review: Review | None = None
    steps: tuple["DeployedRules", ...] = ()
    names: Mapping[str, str] = field(default_factory=FrozenDict)  # of actions, if they have others

    @property
    def what(self) -> str:
        """What errors call it."""
        return self.choice if self.model is None else f"{self.model} ({term_of_name(self.choice)})"

    @property
    def conditional(self) -> bool:
        """Whether rules go by the condition."""
        return self.rule is None and self.queue is None

    @property
    def queued(self) -> bool:
        """Whether what is done with a case depends on the others of its queue."""
        return self.queue is not None or (self.rule is not None and self.rule.queued)

    @property
    def prevalence(self) -> Range:
        """The range of prevalence that rules by condition are for."""
        spans = list(self.steps[0].bands if self.steps else self.bands)
        return Range(spans[0].low, spans[-1].high)

    @property
    def sole_prevalence(self) -> float | None:
        """The prevalence that rules by condition are for, if that is one."""
        sole = self.conditional and self.prevalence.low == self.prevalence.high
        return self.prevalence.low if sole else None

    @property
    def follows_costs(self) -> bool:
        """Whether a case is decided by its costs."""
        return self.conditional and self.costs is None

    @property
    def follows_prevalence(self) -> bool:
        """Whether a case is decided by the prevalence, which has a range."""
        ranges = self.conditional and self.sole_prevalence is None
        return ranges and self.prevalence_known

    @property
    def followed(self) -> str:
        """What sets the threshold, and the verb."""
        parts = ["the costs"] * self.follows_costs + ["the prevalence"] * self.follows_prevalence
        return f"{' and '.join(parts)} {'sets' if parts == ['the prevalence'] else 'set'}"

    @property
    def by_condition(self) -> list[RulesByCondition]:
        """The rules of every band, in every step; or those that say what reviews save."""
        if self.queue is not None:
            return [self.queue.worth.rules]
        return [rules for one in (self, *self.steps) for rules in one.bands.values()]

    @property
    def draws(self) -> bool:
        """Whether rules by condition may draw one of two thresholds."""
        return any(rules.draws for rules in self.by_condition)

    @property
    def on_probabilities(self) -> bool:
        """Whether rules by condition take scores for probabilities."""
        return any(rules.on_probabilities for rules in self.by_condition)

    def check_needs(self, given: Mapping[str, object]) -> None:
        """`ConditionError` unless what is given is what the rules look at."""
        known = self.prevalence if self.conditional and self.prevalence_known else None
        correct = self.correct_costs if self.follows_costs else None
        check_needs(dict(given), correct_costs=correct, prevalence=known, what=self.what)

    def called(self, asked: Asked) -> "DeployedRules":
        """The same with actions called as is asked, or else as they are in the decision.

        `ConditionError` unless each action that there may be has a word of its own.
        """
        own = list(self.actions)
        if not asked.refuses and asked.missing not in own:
            own.append(asked.missing)
        if {*own} <= {*ACTIONS}:
            own = [action for action in ACTIONS if action in own]
        if asked.actions is not None:
            words, several = asked.actions, isinstance(asked.actions, Sized)
            # Those of a decision with a review serve where its rule came out without one.
            all_of = own == [PASS, FLAG] and several and len(words) == len(ACTIONS)
            names = named_actions(words, ACTIONS if all_of else own)
            return replace(self, names=FrozenDict({one: names[one] for one in own if one in names}))
        unnamed = {*own} - {*self.names}
        if self.names and unnamed:
            raise ConditionError(
                f"the decision calls its actions {', '.join(self.names.values())}, and has no word "
                f"for {', '.join(sorted(unnamed))}: give words for {', '.join(own)} (--actions)."
            )
        return self

    @property
    def actions(self) -> tuple[str, ...]:
        """What may be done with a case, from what the lowest scores get to what the highest do."""
        if self.rule is None:
            return ACTIONS if self.steps or self.queue else (PASS, FLAG)
        parts = [self.rule, *([] if self.rule.otherwise is None else [self.rule.otherwise])]
        found = dict.fromkeys(
            action
            for part in parts
            for action in (part.actions if part.by == "score" else part.actions[::-1])
        )
        # Who flags everybody, or nobody, does one of two things.
        plain = {PASS: 0, FLAG: 0} if found.keys() <= {*ACTIONS} else {}
        return tuple(sorted(found | plain, key=ACTIONS.index)) if plain else tuple(found)

    def check_batch(self, batch: object) -> None:
        """`ConditionError` if batches are given, and the rule is of no queue."""
        if batch is not None and not self.queued:
            raise ConditionError(
                f"{self.what} works down no queue, so that a case is decided alike in any batch: "
                "leave out batch (--batch)."
            )

    def of_one_case(self, scores: FloatArray) -> tuple[Rule, str]:
        """What is done with a single case instead of a queue, and what is said of it."""
        if self.one_by_one is None:
            rule = self.rule or self.the_queue.by_score(Queue.of(scores))
            return rule, (
                "one case is a queue of its own here: the decision was saved without a score cut "
                "for cases that come one by one; decide again to have one"
            )
        cut = "threshold" if self.queue is None else "thresholds"
        verb = "is" if self.queue is None else "are"
        return self.one_by_one, (
            f"one case is not a queue: the {cut} of the rows that the decision was made on {verb} "
            f"used, {self.one_by_one}"
        )

    @property
    def the_queue(self) -> ReviewQueue:
        """The reviews of a queue, or `ConditionError` if there is none."""
        if self.queue is None:
            raise ConditionError(f"{self.what} has no places for reviews of a queue.")
        return self.queue

    def own_of(self, scores: NamedScores) -> ArrayLike:
        """The scores of the model, or `ScoreError` if there are others by name only."""
        named = scores_by_name(scores)
        if self.model is None:
            # It looks at none of them: as many as there are cases, and none that is missing.
            one: Any = scores if named is None else next(iter(named.values()), ())
            return np.zeros(len(vector(one, "scores", ScoreError)))
        if named is None:
            return scores  # type: ignore[return-value]
        if self.model not in named:
            raise ScoreError(
                f"the decision is to use {self.model!r}, and there are scores of "
                f"{', '.join(map(repr, named)) or 'no model'}: give scores of it."
            )
        return named[self.model]

    def in_unit(self, low: float, high: float) -> bool:
        """Whether scores between these are beyond [0, 1] by rounding, and count as its ends.

        It raises `ScoreError` if they are further beyond where the rules trust them.
        """
        if self.on_probabilities:
            check_probabilities(self.what, low, high, beyond=ROUNDING)
            return low < 0 or high > 1
        # Elsewhere it matters only in a queue, where equal scores are not told apart.
        return self.queued and only_rounding(low, high)

    def doubt(self, found: ScoresFound) -> str:
        """What speaks against some scores' being like those that the decision was made on."""
        if self.decided_on is None or self.model is None:
            return ""
        rule = None if self.queued else self.rule
        return self.decided_on.doubt(found, self.model, rule)

    def worth_flagging(self, given: Mapping[str, ArrayLike | None]) -> BoolArray | None:
        """Which cases flagging may be worth it of, as their costs are; None if it may of all."""
        if not self.follows_costs:
            return None
        return costs_given(self._all_of(given)).worth_flagging

    def conditions(self, given: Mapping[str, ArrayLike | None]) -> SeenConditions:
        """The conditions given, or `ConditionError` unless there are rules for them."""
        self.check_needs(given)
        return self.completed_conditions(self._all_of(given))

    def _all_of(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All costs and the prevalence, as far as they are given or known."""
        return self.completed(dict.fromkeys((*COSTS, "prevalence")) | dict(given))

    def completed_conditions(self, given: Mapping[str, Any]) -> SeenConditions:
        """The same of what `completed` gives."""
        costs, prevalence = proportions_given(given), given["prevalence"]
        return seen_conditions(costs, prevalence, self.prevalence, self.skews)

    def completed(self, given: dict[str, Any]) -> dict[str, Any]:
        """What is given, with what the rules know of costs that are not."""
        if self.follows_costs:
            own = self.correct_costs.items()
            return given | {name: cost for name, cost in own if given[name] is None}
        if self.costs is None:
            return given
        # In proportion to the mean costs.
        return {**given, "fp_cost": self.costs, "fn_cost": 1 - self.costs}

    def in_steps(self, given: Mapping[str, Any]) -> list[Rules]:
        """The rules of each decision between neighbouring actions, at the conditions given.

        There is one without a review. With one each is decided by costs of its own; it raises
        `ConditionError` if its rules are not for these.
        """
        given = self._all_of(given)
        at = self.completed_conditions(given)
        if self.review is None:
            return [self.rules_at(at)]
        costs = costs_given(given)
        own = self.review.split([np.asarray(getattr(costs, name), dtype=float) for name in COSTS])
        found = []
        for step, (fp, fn, tp, tn), what in zip(self.steps, own, STEPS, strict=True):
            c = np.asarray(cost_proportion(fp_cost=fp - tn, fn_cost=fn - tp))
            c = c if step.costs is None else np.asarray(step.costs)
            seen = seen_conditions(c, given["prevalence"], step.prevalence, step.skews, what)
            found.append(step.rules_at(seen))
        return found

    def rule_at(self, given: Mapping[str, Any]) -> Rule:
        """The rule of all cases, if the conditions given are one."""
        if self.rule is not None:
            return self.rule
        first, *others = (rules.one for rules in self.in_steps(given))
        return three_actions(first, others[0]) if others else first

    def one_prevalence(self, prevalence: ArrayLike | None) -> float:
        """The prevalence of all cases, or `ConditionError` unless it is in the range."""
        return float(prevalences_in(prevalence, self.prevalence))

    def bands_for(self, prevalence: object) -> list[tuple[Range, RulesByCondition]]:
        """The band of the one prevalence of all cases; all, if that is a column."""
        bands = list(self.bands.items())
        if not isinstance(prevalence, float):
            return bands
        return [bands[int(self.bands_of(np.asarray(prevalence)))]]

    def rules(self, cost_proportion: Floats, prevalence: Floats) -> Rules:
        """The rule at each condition; all of them are numbers, or arrays of one shape.

        Costs and prevalence do not count if they are not known when a case is decided. Of a queue
        it is the one for cases that come one by one; with a review what decides who is flagged.

        Raises
        ------
        ConditionError
            If the rules are not for one of them.
        """
        costs, p = (np.asarray(values, dtype=float) for values in (cost_proportion, prevalence))
        if self.conditional:
            costs = costs if self.costs is None else np.full_like(costs, self.costs)
            p = p if self.prevalence_known else np.full_like(p, self.prevalence.low)
            return self.rules_at(seen_conditions(costs, p, self.prevalence, self.skews))
        shape = np.broadcast_shapes(costs.shape, p.shape)
        return self._constant()[-1].rules_at(np.zeros(shape))

    def each(
        self,
        costs: Floats,
        prevalence: Floats,
        fp_cost: ArrayLike | None,
        fn_cost: ArrayLike | None,
    ) -> list[Rules]:
        """The same of each decision between neighbouring actions, one without a review.

        Rules that follow the costs beside a review need those themselves, and not their proportion.
        """
        if not self.conditional:
            shape = np.broadcast_shapes(np.shape(costs), np.shape(prevalence))
            return [path.rules_at(np.zeros(shape)) for path in self._constant()]
        if not self.steps:
            return [self.rules(costs, prevalence)]
        if self.follows_costs and fp_cost is None:
            raise ConditionError(
                f"{self.what} follows the costs, and a review has one of its own: give fp_cost and "
                "fn_cost, and no cost_proportion."
            )
        p = prevalence if self.prevalence_known else None
        return self.in_steps({"fp_cost": fp_cost, "fn_cost": fn_cost, "prevalence": p})

    def _constant(self) -> list[ThresholdPath]:
        """The one rule, by score, as that of each decision between neighbouring actions."""
        rule = self.one_by_one or self.rule
        if rule is None:
            raise ConditionError(
                f"{self.what} works down a queue, and has no score cut for cases that come one by "
                "one: decide again to have one."
            )
        if REVIEW not in rule.actions:
            return [ThresholdPath.constant(rule)] * (1 if self.queue is None else 2)
        ends = [-np.inf, *rule.cuts, np.inf]
        below = (PASS,), (PASS, REVIEW)
        places = (sum(action in own for action in rule.actions) for own in below)
        return [ThresholdPath.constant(Rule(ends[place])) for place in places]

    def rules_at(self, at: SeenConditions) -> Rules:
        """The rule at each condition, if they follow it."""
        costs, p, skews = np.broadcast_arrays(at.costs, at.prevalences, at.skews)
        place = self.bands_of(p)
        parts = []
        for i, (span, rules) in enumerate(self.bands.items()):
            cases, conditions = place == i, skews if span.low < span.high else costs
            parts.append((cases, rules.rules_at(conditions[cases])))
        return Rules.joined(p.shape, parts)

    def path(self, prevalence: float) -> ThresholdPath | None:
        """The rule over cost proportions at a prevalence, if it is one for all of them."""
        return None if self.conditional else self._constant()[-1]

    def bands_of(self, prevalences: FloatArray) -> IndexArray:
        """The band that each prevalence is in, or `ConditionError` if it is in none."""
        lows = np.array([span.low * (1 - NEAR) for span in self.bands])[1:]
        place = np.searchsorted(lows, prevalences, side="right")
        highs = np.array([span.high * (1 + NEAR) for span in self.bands])
        if (prevalences > highs[place]).any():
            spans = ", ".join(f"{span.low:g} to {span.high:g}" for span in self.bands)
            raise ConditionError(
                f"the prevalence is {np.max(prevalences[prevalences > highs[place]]):g}, and the "
                f"decision has rules for {spans}: decide again for a range that has it."
            )
        return np.asarray(place)


def needs_seed(what: str) -> str:
    """What is said of a rule that draws, without a seed."""
    return f"{what} draws at random: give a seed (--seed), a whole number that repeats the draws."


def given_by_name(
    case_costs: CaseCosts | None, **given: ArrayLike | None
) -> dict[str, ArrayLike | None]:
    """What is known of the cases, or `ConditionError` if costs are given twice."""
    if case_costs is None:
        return given
    check_case_costs(case_costs)
    doubled = [name for name in COSTS if given[name] is not None]
    if doubled:
        raise ConditionError(f"case_costs and {doubled[0]} are both given: give one of them.")
    return {**given, **{name: getattr(case_costs, name) for name in COSTS}}
