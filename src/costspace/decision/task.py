"""What a decision is about: rows, what is known of deployment, and what rules must keep to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast, final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenDict, FrozenValue
from costspace.choices import ThresholdChoice
from costspace.choices.doubts import ROUNDED, SCORES, THRESHOLDS, doubts_of
from costspace.choices.places import Places, checked_batches
from costspace.condition import cost_from_skew, cost_proportion
from costspace.decision.held_out.holdout import HeldOut
from costspace.decision.held_out.judged_rows import JudgedRows
from costspace.decision.held_out.rows import HeldOutRows
from costspace.decision.held_out.scores import HeldOutScores
from costspace.decision.limits.constraints import Constraints
from costspace.decision.money.at_stake import is_at_stake
from costspace.decision.money.costed import CostedScores
from costspace.decision.money.row_conditions import conditions_of
from costspace.decision.money.row_money import RowMoney
from costspace.decision.strategy import (
    FLAG_EVERYBODY,
    FLAG_NOBODY,
    REVIEW_EVERYBODY,
    Known,
    Strategy,
)
from costspace.decision.words import at_most
from costspace.deployment.conditions import CASES, COSTS, Band, JointConditions
from costspace.deployment.deployment import Deployment
from costspace.deployment.review import Review
from costspace.estimates.effective_sizes import sizes_of_rows
from costspace.samples.rounding import furthest
from costspace.samples.rows import ScoredRows
from costspace.samples.scale import percentages
from costspace.scores.table import ScoreTable
from costspace.single import doubles

# Where constraints bind a rule keeps to them everywhere in its band of prevalence, so that narrower
# bands cost less and are more to read.
BANDS = 5
# Shares that differ by less differ by rounding.
_ROUNDING = 1e-12


@final
@dataclass(frozen=True, eq=False)
class Task(FrozenValue):
    """Models on labelled rows, what is known of deployment, and what rules must keep to.

    Attributes
    ----------
    rows : ScoredRows
    models : mapping of str to CostedScores
    held_out : HeldOut
        Which rows choose thresholds, and which those are applied to.
    choices, calibrated_to, conditions, known, constraints, randomise, level, weights, baseline
        As `decide` has them, checked: choices by name, and the rule in use as a strategy. With
        "case" costs are known of each case; of conditions that are not known the mean counts.
        Where rules do not draw, `level` is the chance with which they keep to each limit on other
        cases.
    estimated : bool
        Whether the prevalence of the conditions is that of the rows they are judged by, so that
        its error counts.
    asked : bool
        Whether the choices were asked for, and are not the default ones.
    names : mapping of str to str
        What passing, reviewing and flagging are called, if otherwise.
    passed : int
        How many more rows there were, which are passed: as their costs are, flagging them is never
        worth it.
    together : JudgedRows or None
        The held-out rows, counted together where all that are compared treat them alike.
    """

    rows: ScoredRows
    models: Mapping[str, CostedScores]
    held_out: HeldOut
    choices: Mapping[str, ThresholdChoice]
    calibrated_to: float
    conditions: JointConditions
    known: Known
    constraints: Constraints
    randomise: bool
    level: float = 0.95
    estimated: bool = False
    weights: str = "sampling"
    baseline: Strategy | None = None
    asked: bool = False
    names: Mapping[str, str] = field(default_factory=FrozenDict)
    passed: int = 0
    together: JudgedRows | None = None

    @property
    def decided_before(self) -> Strategy | None:
        """The rule in use, if it is a column of decisions and no model's."""
        use = self.baseline
        return None if use is None or use.model in self.models else use

    @property
    def judged(self) -> JudgedRows:
        """The held-out rows, one by one or counted together."""
        return self.held_out.judged if self.together is None else self.together

    @property
    def one_by_one(self) -> "Task":
        """The same with held-out rows as they are."""
        return self if self.together is None else replace(self, together=None)

    @property
    def coarse(self) -> tuple[str, ...]:
        """That neighbouring scores are taken together, and what that costs, if they are."""
        stakes = self.conditions
        forgone = CASES * self.held_out.forgone(stakes.negative_stake, stakes.positive_stake)
        if not forgone:
            return ()
        most = f"at most {at_most(forgone)} per 1,000 cases"
        return (f"neighbouring scores are taken together to choose thresholds, which costs {most}",)

    @property
    def judged_weights(self) -> str:
        """What a weight of those rows is."""
        return self.weights if self.together is None else "counts"

    @cached_property
    def limits(self) -> Constraints:
        """The constraints, if they leave out anything."""
        span = self.conditions.prevalence_range
        for scores in self.models.values():
            points = scores.rows.distinct_points.after_flagging_all()
            if not all(self.constraints.holds(points, p).all() for p in (span.low, span.high)):
                return self.constraints
        return Constraints()

    @cached_property
    def doubts(self) -> dict[str, dict[str, str]]:
        """What scores look like if not like a model's, by model and by what that concerns.

        What is compared may not suit them, and neither the rule in use.
        """
        return {name: self._doubts_of(name, scores.rows) for name, scores in self.models.items()}

    @cached_property
    def brier_scores(self) -> dict[str, float]:
        """How far the scores of each model are from the labels; infinite beyond [0, 1]."""
        return {name: _brier_score(scores.rows) for name, scores in self.models.items()}

    def tables_of(self, model: str) -> list[ScoreTable]:
        """The rows that thresholds are chosen on by a model's scores, and validation rows."""
        own = self.models[model].rows
        return (
            [own] if self.held_out.validation is None else [own, self.held_out.judged_table(model)]
        )

    def score_range(self, model: str) -> tuple[float, float]:
        """The lowest and the highest score of a model on all of these."""
        ranges = [table.score_range for table in self.tables_of(model)]
        return min(low for low, _ in ranges), max(high for _, high in ranges)

    def _doubts_of(self, name: str, table: ScoreTable) -> dict[str, str]:
        use = self.baseline
        in_use = [use.choice] if use is not None and use.model == name else []
        found = doubts_of(table, [*self.choices.values(), *in_use])
        if scale := percentages(*table.score_range):
            found.setdefault(THRESHOLDS, scale)
        if THRESHOLDS in found and is_at_stake(self.rows, name):
            # They are no probabilities on another scale.
            del found[THRESHOLDS]
        if self.held_out.validation is not None:
            for what, told in self._doubts_of_validation(name, table).items():
                found.setdefault(what, told)
        return found

    def _doubts_of_validation(self, name: str, own: ScoreTable) -> dict[str, str]:
        """What validation scores look like beside those that thresholds are chosen on."""
        table = self.held_out.judged_table(name)
        if table.rounded:
            return {ROUNDED: f"of validation rows {table.rounded}"}
        (low, high), within = table.score_range, own.score_range
        if (low >= 0 and high <= 1) or within[0] < 0 or within[1] > 1:
            return {}
        far = furthest(low, high)
        return {SCORES: f"validation rows have scores outside [0, 1], the furthest {far}."}

    @cached_property
    def seen(self) -> JointConditions:
        """The conditions as far as they are known at each decision: money is the same."""
        return self.conditions.averaging(
            costs="costs" not in self.known, prevalence="prevalence" not in self.known
        )

    @cached_property
    def steps(self) -> tuple["Task", ...]:
        """The same for each decision between neighbouring actions; itself if there are two.

        Limits are about what is flagged, the last of them.
        """
        review, costs = self.conditions.review, self.rows.costs
        if review is None:
            return (self,)
        if costs is not None:
            return self._steps_by_case(review)
        found = self.conditions.averaging(costs="costs" not in self.known).steps
        if len(found) == 1:
            return (self,)
        return self._in_steps([replace(self, conditions=step) for step in found])

    @property
    def reviews(self) -> bool:
        """Whether cases may be reviewed: somebody can, and at some probability it pays."""
        return len(self.steps) > 1

    def _steps_by_case(self, review: Review) -> tuple["Task", ...]:
        """The same where each case has costs of its own."""
        conditions, found = cast(Deployment, self.conditions), []
        for step in (0, 1):
            own = cast(HeldOutRows, self.held_out).in_step(review, step)
            rows = own.rows if own.validation is None else own.validation
            models = FrozenDict({name: own.whole(name) for name in self.models})
            found.append(
                replace(
                    self,
                    rows=own.rows,
                    held_out=own,
                    models=models,
                    conditions=conditions_of(rows, conditions.prevalence),
                )
            )
        return self._in_steps(found)

    def _in_steps(self, found: Sequence["Task"]) -> tuple["Task", ...]:
        """Tasks of each decision, with the rule in use if that reviews, and with limits once."""
        use = self.baseline
        in_use = (None, None) if use is None or not use.reviews else use.steps
        passing, flagging = (
            replace(task, baseline=own) for task, own in zip(found, in_use, strict=True)
        )
        limits = self.constraints.of_flagged
        return replace(passing, constraints=Constraints()), replace(flagging, constraints=limits)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What is assumed of costs and prevalence, one sentence part each.

        Conditions have the mean of costs that each case has of its own.
        """
        costs, conditions = self.rows.costs, self.conditions
        if not isinstance(conditions, Deployment):
            return conditions.assumptions
        own = {}
        if self.estimated:
            mean = conditions.prevalence
            own[f"prevalence {mean}"] = f"prevalence estimated from the rows: {mean.mean:.4g}"
        for name in COSTS if costs is not None else ():
            if np.ndim(getattr(costs, name)):
                mean = getattr(conditions, name)
                own[f"{name} {mean}"] = f"{name} of each case, {mean.mean:.4g} on average"
        return tuple(own.get(one, one) for one in conditions.assumptions)

    @cached_property
    def share_varies(self) -> bool:
        """Whether the rows say how far off a prevalence may be that is estimated from them.

        They do not if they are in groups that all have the same share of positives, as matched
        pairs and stratified folds have: the share is then one that was made.
        """
        if not self.estimated:
            return False
        rows = self.judged.rows.counting
        if rows.groups is None:
            return True
        weight = np.ones(len(rows)) if rows.weight is None else rows.weight
        of_group = np.bincount(rows.groups, weight)
        seen = of_group > 0
        shares = np.bincount(rows.groups, weight * rows.positive)[seen] / of_group[seen]
        return bool(np.ptp(shares) > _ROUNDING)

    @property
    def mean_cost_proportion(self) -> float:
        """That of the mean costs, each counted as often as its class."""
        stakes, p = self.conditions, self.conditions.mean_prevalence
        return float(
            cost_proportion(
                fp_cost=stakes.negative_stake / (1 - p), fn_cost=stakes.positive_stake / p
            )
        )

    @property
    def trivial(self) -> dict[str, float]:
        """What flagging nobody and everybody costs per 1,000 cases, and reviewing everybody."""
        passing, flagging = np.sum(self.conditions.stakes, axis=0).tolist()
        costs = {FLAG_NOBODY.name: passing, FLAG_EVERYBODY.name: flagging}
        if self.reviews:
            costs[REVIEW_EVERYBODY.name] = float(np.sum(self.reviewing_all(np.ones(1))))
        return {name: CASES * (cost + self.conditions.constant) for name, cost in costs.items()}

    def reviewing_all(self, amounts: FloatArray) -> FloatArray:
        """What reviewing all negatives, and all positives, costs beyond right decisions, a case.

        Parameters
        ----------
        amounts : array of shape (n,)
            By what amounts is multiplied what is said of each of some rows, the review's cost too.

        Returns
        -------
        array of shape (2, n)
        """
        conditions, p = self.conditions, self.conditions.mean_prevalence
        review = cast(Review, conditions.review)
        looks = np.multiply.outer([1 - p, p], review.cost.mean / amounts)
        errors = 1 - review.specificity.mean, 1 - review.sensitivity.mean
        stakes = conditions.negative_stake, conditions.positive_stake
        return looks + np.multiply(errors, stakes)[:, None]

    @property
    def whole(self) -> Band:
        """All conditions."""
        return Band(self.conditions, 1.0)

    @cached_property
    def bands(self) -> tuple[Band, ...]:
        """All that is seen; cut into bands of the prevalence where constraints bind."""
        span = self.seen.prevalence_range
        if not self.limits or span.low == span.high:
            return (Band(self.seen, 1.0),)
        return tuple(self.seen.bands(BANDS))

    def kept_at(self, band: Band) -> tuple[float, float]:
        """Between which prevalences the rules of a band keep to the limits."""
        return band.ends if "prevalence" in self.known else self.whole.ends

    @cached_property
    def sole_condition(self) -> float | None:
        """The one condition, on the axis of the one band, if no other is seen."""
        skews = self.seen.skew_range
        if len(self.bands) > 1 or skews.low != skews.high:
            return None
        return float(cost_from_skew(skews.low, prevalence=self.bands[0].axis))

    @cached_property
    def held_out_scores(self) -> dict[str, HeldOutScores]:
        """The scores of each model in their splits."""
        return {name: self.held_out.of(name) for name in self.models}

    @cached_property
    def limits_with_room(self) -> Constraints:
        """The limits as rules have to keep to them: without draws, with a margin for chance.

        It is that of all rows for what is chosen on a part of them, too, since that stands for what
        is chosen on all.
        """
        return self.limits if self.randomise else self._with_room(self.limits)

    @cached_property
    def places_with_room(self) -> Constraints:
        """The capacity of reviews likewise, as one of what is flagged."""
        return self._with_room(self.constraints.of_reviewed)

    @property
    def review_places(self) -> Places | None:
        """The places for reviews of each batch, where what a review saves tells who has them.

        Who is flagged without one has to keep to no limit then, and all cases have the same costs.
        """
        limits = self.constraints.of_reviewed
        if not self.reviews or limits.batch is None or self.limits or self.rows.costs is not None:
            return None
        places = Places(limits.limits["capacity"], checked_batches(limits.batch))
        return places if any(map(places.of, places.batches)) else None

    def _with_room(self, limits: Constraints) -> Constraints:
        if not limits:
            return limits
        # The cheapest of several models may be the one that luck puts within a limit.
        level = 1 - (1 - self.level) / len(self.models)
        sizes = sizes_of_rows(self.rows, self.weights)
        return limits.with_room(level, *sizes, estimated=self.estimated)

    def fitted_on(self, model: str, part: int | None) -> CostedScores:
        """The scores of a model that thresholds are chosen on: all, or those outside a part."""
        held_out = self.held_out
        return held_out.whole(model) if part is None else held_out.of(model).splits[part].train

    def judged_scores(self, model: str) -> FloatArray:
        """The scores of a model of the held-out rows."""
        return doubles(self.judged.rows.scores[model])

    def losses_of(self, positive: BoolArray, chances: FloatArray) -> FloatArray:
        """What rows say of the money, per 1,000 cases, by the chances of passing and of flagging.

        Parameters
        ----------
        positive : array of bool, of shape (n,)
        chances : array of shape (n, 2)
            A column for each action, whatever the condition.
        """
        return CASES * np.sum(self.conditions.stakes[positive.astype(int)] * chances, axis=1)

    def money_of(self, row_losses: FloatArray, rows: ScoredRows | None = None) -> float:
        """Money per 1,000 cases if rows say this of it, those held out unless others are given."""
        judged = self.judged.rows if rows is None else rows
        mean = RowMoney(judged, "sampling").mean(row_losses)
        return float(mean + CASES * self.conditions.constant)


def _brier_score(table: ScoreTable) -> float:
    """The mean squared distance of scores from labels, infinite if they are no probabilities."""
    low, high = table.score_range
    if low < 0 or high > 1:
        return np.inf
    sides = list(enumerate((table.negatives, table.positives)))
    squares = [np.sum(side.weight_of_each * (side.values - label) ** 2) for label, side in sides]
    return float(sum(squares) / sum(np.sum(side.weight_of_each) for _, side in sides))
