"""Reviews within a capacity: only cases where a review saves more than some price are reviewed.

With the price added to what a review costs the band between the two thresholds is narrower, for
every choice whose flagged set shrinks as false positives cost more. The least price with which the
reviews find a place is what one more place is worth.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import cast, final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.condition import cost_from_skew
from costspace.curve import OperatingPoints
from costspace.decision.fitting.fit_rules import rules_of
from costspace.decision.fitting.fitted import FittedByCondition
from costspace.decision.fitting.fitted_by_case import FittedByCase
from costspace.decision.fitting.fitted_review import FittedReview
from costspace.decision.held_out.rows import HeldOutRows
from costspace.decision.limits.stretches import Chain
from costspace.decision.money.costed import CostedScores
from costspace.decision.money.row_money import rates_of
from costspace.decision.rules.above import above
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.decision.rules.written import written
from costspace.decision.task import Task
from costspace.scores.table import ScoreTable

# A price between two is halved so often: then it is next to the one where a case finds no place.
_HALVINGS = 60


def within_places(fit: FittedReview) -> FittedReview:
    """The same with no more reviews than there is room for."""
    if not fit.feasible or fit.strategy.model is None or not fit.task.places_with_room:
        return fit
    passing, flagging = fit.steps
    if isinstance(passing, FittedByCase) and isinstance(flagging, FittedByCase):
        return _by_case(fit, passing, flagging)
    if isinstance(passing, FittedByCondition) and isinstance(flagging, FittedByCondition):
        return _by_condition(fit, passing, flagging)
    return fit


def _by_condition(
    fit: FittedReview, passing: FittedByCondition, flagging: FittedByCondition
) -> FittedReview:
    """The same where one rule serves all conditions."""
    task, model = fit.task, fit.strategy.whose_scores
    whole = _pair(fit, task.models[model])
    parts = [_pair(fit, split.train) for split in task.held_out_scores[model].splits]
    low, high = (
        replace(
            step,
            rules={0: ThresholdPath.constant(whole.rules[i])},
            parts={0: tuple(ThresholdPath.constant(part.rules[i]) for part in parts)},
        )
        for i, step in enumerate((passing, flagging))
    )
    return replace(fit, steps=(low, high), price=whole.price)


def _by_case(fit: FittedReview, passing: FittedByCase, flagging: FittedByCase) -> FittedReview:
    """The same where each case has costs of its own: a price for all of them."""
    task = fit.task
    held_out, review = cast(HeldOutRows, task.held_out), task.conditions.review
    if review is None:
        return fit

    def deciding(price: float) -> list[HeldOutRows]:
        return [held_out.in_step(review.priced(price), step) for step in (0, 1)]

    def fits(part: int | None, price: float) -> bool:
        acted, flagged = (
            step.flagged_of(rows.training(part), part)
            for step, rows in zip((passing, flagging), deciding(price), strict=True)
        )
        fpr, recall = rates_of(held_out.training(part), acted - flagged)
        reviewed = OperatingPoints(np.asarray(fpr), np.asarray(1 - recall))
        return all(task.places_with_room.holds(reviewed, end) for end in task.whole.ends)

    costs = task.rows.known_costs
    most = float(np.max(review.most(costs.net_fp_cost, costs.net_fn_cost))) - review.cost.mean
    parts = (None, *range(len(task.judged.parts)))
    prices = {part: least_price(partial(fits, part), max(most, 0.0)) for part in parts}
    chosen = {part: deciding(price) for part, price in prices.items()}
    low, high = (
        replace(step, deciding={part: rows[i] for part, rows in chosen.items()})
        for i, step in enumerate((passing, flagging))
    )
    return replace(fit, steps=(low, high), price=prices[None])


@final
@dataclass(frozen=True)
class _Pair:
    """The rules of both steps that are chosen on some rows, and the price of a place there."""

    rules: tuple[Rule, Rule]
    price: float


def _pair(fit: FittedReview, scores: CostedScores) -> _Pair:
    """What is chosen on some rows for the one condition."""
    task, table = fit.task, scores.rows
    steps = [
        rules_of(strategy, scores, step, step.bands[0], None)
        for strategy, step in zip(fit.strategy.steps, task.steps, strict=True)
    ]
    line = _Prices.of(task)

    def at(price: float) -> tuple[Rule, Rule]:
        low, high = (
            written(rules.rules_at(c).one, table)
            for rules, c in zip(steps, line.conditions(price), strict=True)
        )
        return low, high

    def fits(price: float) -> bool:
        return _keeps(at(price), table, task)

    price = least_price(fits, line.most)
    rules = at(price)
    if fit.strategy.choice.least_loss:
        rules = best_pair(scores, task)
    return _Pair(rules, price)


def least_price(fits: Callable[[float], bool], most: float) -> float:
    """The least price with which reviews find a place; the most at which any case is reviewed."""
    low, high = 0.0, most
    if fits(low):
        return low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if fits(middle):
            high = middle
        else:
            low = middle
    return high


def _keeps(rules: tuple[Rule, Rule], table: ScoreTable, task: Task) -> bool:
    """Whether the reviews between two rules find a place, at every prevalence."""
    (low, _), (high, _) = (rule.thresholds for rule in rules)
    acted, flagged = (above(table, np.array(threshold)) for threshold in (low, max(low, high)))
    return bool(_reviews_fit(acted, flagged, task).all())


def _reviews_fit(acted: OperatingPoints, flagged: OperatingPoints, task: Task) -> BoolArray:
    """Whether the cases that are acted on and not flagged find a place, at every prevalence."""
    reviewed = OperatingPoints(acted.fpr - flagged.fpr, 1 - (flagged.fnr - acted.fnr))
    places = task.places_with_room
    found = [places.holds(reviewed, end) for end in task.whole.ends]
    return np.all(found, axis=0)


@final
@dataclass(frozen=True, eq=False)
class _Prices(FrozenValue):
    """The conditions of both steps as a price is added to what a review costs."""

    negatives: FloatArray  # shape (2,): what a step costs more on all negatives
    positives: FloatArray  # shape (2,): what it saves on all positives
    prevalence: float
    axis: float

    @classmethod
    def of(cls, task: Task) -> "_Prices":
        """Those of a task with one condition."""
        conditions = [step.seen for step in task.steps]
        return cls(
            np.array([one.negative_stake for one in conditions]),
            np.array([one.positive_stake for one in conditions]),
            conditions[0].mean_prevalence,
            task.steps[0].bands[0].axis,
        )

    @property
    def most(self) -> float:
        """The price with which both conditions are one, and nobody is reviewed."""
        (n, m), (a, b), p = self.negatives, self.positives, self.prevalence
        return float((m * a - n * b) / (p * (n + m) + (1 - p) * (a + b)))

    def conditions(self, price: float) -> FloatArray:
        """The conditions of the steps, on the axis of their rules."""
        more = np.array([price, -price])
        negatives = self.negatives + (1 - self.prevalence) * more
        positives = self.positives - self.prevalence * more
        skews = 1 / (1 + positives / negatives)
        return np.asarray(cost_from_skew(np.clip(skews, 0, 1), prevalence=self.axis))


def best_pair(scores: CostedScores, task: Task) -> tuple[Rule, Rule]:
    """The two thresholds that cost least of those whose reviews find a place, within the limits."""
    chain, steps = Chain.of_cuts(scores.rows), task.steps
    at = above(scores.costs, chain.thresholds)
    passing, flagging = (
        step.seen.negative_stake * at.fpr + step.seen.positive_stake * at.fnr for step in steps
    )
    limits, ends = steps[1].limits_with_room, task.whole.ends
    held = np.all([limits.holds(chain.points, end) for end in ends], axis=0)
    flagging = np.where(held, flagging, np.inf)
    last = _last_in_places(chain.points, task)
    costs = passing + _least_within(flagging, last)
    # Of those that cost the same the one that acts on fewest.
    low = len(costs) - 1 - int(np.argmin(costs[::-1]))
    within = flagging[low : last[low] + 1]
    high = int(last[low]) - int(np.argmin(within[::-1]))
    return Rule(chain.thresholds[low]), Rule(chain.thresholds[high])


def _last_in_places(points: OperatingPoints, task: Task) -> IndexArray:
    """For each threshold the highest other one between which reviews find a place."""
    low, high = np.arange(len(points.fpr)), np.full(len(points.fpr), len(points.fpr) - 1)
    while np.any(low < high):
        middle = (low + high + 1) // 2
        fits = _reviews_fit(points, points.take(middle), task)
        low, high = np.where(fits, middle, low), np.where(fits, high, middle - 1)
    return np.asarray(low)


def _least_within(values: FloatArray, last: IndexArray) -> FloatArray:
    """The least of some values from each place to another one, both included."""
    first = np.arange(len(values))
    length, found, least, size = last - first + 1, np.empty(len(values)), values, 1
    while len(least):
        # Two runs of one length, which overlap, have all of it.
        own = np.flatnonzero((length >= size) & (length < 2 * size))
        found[own] = np.minimum(least[first[own]], least[last[own] - size + 1])
        least, size = np.minimum(least[:-size], least[size:]), 2 * size
    return found
