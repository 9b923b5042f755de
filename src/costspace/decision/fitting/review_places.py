"""Reviews within a capacity: only cases where a review saves more than some price are reviewed.

With the price added to what a review costs the band between the two thresholds is narrower, for
every choice whose flagged set shrinks as false positives cost more. The least price with which the
reviews find a place is what one more place is worth.
"""

from dataclasses import dataclass, replace
from typing import cast, final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, IndexArray
from costspace.condition import PLACES
from costspace.curve import OperatingPoints
from costspace.decision.fitting.fit_rules import rules_of
from costspace.decision.fitting.fitted import FittedByCondition
from costspace.decision.fitting.fitted_by_case import FittedByCase
from costspace.decision.fitting.fitted_review import FittedReview
from costspace.decision.held_out.rows import HeldOutRows
from costspace.decision.limits.constraints import Constraints
from costspace.decision.limits.stretches import Chain
from costspace.decision.money.costed import CostedScores
from costspace.decision.rules.above import above
from costspace.decision.rules.between import reviewed_between
from costspace.decision.rules.review_queue import ReviewWorth
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.saved_by_review import SavedByReview
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.decision.rules.written import written
from costspace.decision.strategy import Strategy
from costspace.decision.task import Task
from costspace.deployment.conditions import BALANCED
from costspace.deployment.review import Review


def within_places(fit: FittedReview) -> FittedReview:
    """The same with no more reviews than there is room for, and the best within limits."""
    if not fit.feasible or not (fit.task.places_with_room or _is_best_pair(fit)):
        return fit
    passing, flagging = fit.steps
    if isinstance(passing, FittedByCase) and isinstance(flagging, FittedByCase):
        return _by_case(fit, passing, flagging)
    if isinstance(passing, FittedByCondition) and isinstance(flagging, FittedByCondition):
        return _by_condition(fit, passing, flagging)
    return fit


def _is_best_pair(fit: FittedReview) -> bool:
    """Whether the two thresholds are those that cost least together, where limits bind one."""
    limited = fit.task.limits and fit.task.sole_condition is not None
    return bool(limited and fit.strategy.choice.least_loss)


def _price(saved: FloatArray, masses: tuple[FloatArray, FloatArray], task: Task) -> float:
    """The price at which those that save more find a place; between what two of them save.

    Parameters
    ----------
    saved : array of shape (n,)
        The price up to which each is reviewed.
    masses : two arrays of shape (n,)
        The share of either class that each is.
    """
    order = np.argsort(-saved, kind="stable")
    worth = saved[order]
    fpr, tpr = (np.append(0.0, np.cumsum(mass[order])) for mass in masses)
    points, places = OperatingPoints(fpr, 1 - tpr), task.places_with_room
    fits = np.all([places.holds(points, end) for end in task.whole.ends], axis=0)
    # Those that save the same go together; who saves nothing is not reviewed.
    apart = np.concatenate([[True], worth[1:] < worth[:-1], [True]]) & np.append(True, worth > 0)
    last = int(np.flatnonzero(apart)[-1])
    if fits[last]:
        return 0.0
    kept = int(np.flatnonzero(apart & fits)[-1])
    if kept == 0:
        # Nobody is reviewed.
        return float(worth[0]) * (1 + 1 / PLACES)
    return float((worth[kept - 1] + max(worth[kept], 0.0)) / 2)


def _by_condition(
    fit: FittedReview, passing: FittedByCondition, flagging: FittedByCondition
) -> FittedReview:
    """The same where one rule serves all conditions."""
    task, model = fit.task, fit.strategy.whose_scores
    trains = [split.train for split in task.held_out_scores[model].splits]
    plain = zip(*((one.rules[0], *one.parts[0]) for one in (passing, flagging)), strict=True)
    whole, *parts = (
        _pair(fit, scores, (low.rules_at(BALANCED).one, high.rules_at(BALANCED).one))
        for scores, (low, high) in zip([task.models[model], *trains], plain, strict=True)
    )
    low, high = (
        replace(
            step,
            rules={0: ThresholdPath.constant(whole.rules[i])},
            parts={0: tuple(ThresholdPath.constant(part.rules[i]) for part in parts)},
        )
        for i, step in enumerate((passing, flagging))
    )
    return replace(fit, steps=(low, high), price=whole.price)


@final
@dataclass(frozen=True)
class _Pair:
    """The rules of both steps that are chosen on some rows, and the price of a place there."""

    rules: tuple[Rule, Rule]
    price: float


def _pair(fit: FittedReview, scores: CostedScores, plain: tuple[Rule, Rule]) -> _Pair:
    """What is chosen on some rows for the one condition, where `plain` rules have all the room."""
    task, table = fit.task, scores.rows
    chain = Chain.of_cuts(table)
    if not _is_best_pair(fit):
        acted, flagged = (above(table, np.array(rule.thresholds[0])) for rule in plain)
        if _reviews_fit(acted, flagged, task).all():
            return _Pair(plain, 0.0)
    allowed = _allowed(chain, task)
    worth = worth_of(fit.strategy, task, scores)
    saved = worth.saved(table.by_score.breaks).within(allowed)
    masses = -np.diff(chain.points.fpr), np.diff(chain.points.fnr)
    price = _price(saved.least, masses, task) if task.places_with_room else 0.0
    # What is reviewed is told by the rows, and so is the cut between two scores.
    low, high = (len(some) - int(np.count_nonzero(some)) for some in saved.at(price))
    if fit.strategy.choice.least_loss or not allowed[high]:
        low, high = _best_pair(scores, chain, task)
    if low == high:
        # Nobody is reviewed: it is the rule without a review.
        alone = _constant_rule(fit, scores)
        return _Pair((alone, alone), price)
    first, last = (written(Rule(float(chain.thresholds[at])), table) for at in (low, high))
    return _Pair((first, last), price)


def _constant_rule(fit: FittedReview, scores: CostedScores) -> Rule:
    """What is chosen on some rows without a review."""
    task = fit.task
    rules = rules_of(fit.strategy.steps[1], scores, task, task.bands[0], task.sole_condition)
    return rules.rules_at(BALANCED).one


def worth_of(strategy: Strategy, task: Task, scores: CostedScores) -> ReviewWorth:
    """What reviewing rows of each score saves, as the choice has it that some rows are for.

    Limits have no part in that: what they allow is the same whatever a review saves.
    """
    steps = task.steps
    free = replace(steps[0], constraints=Constraints())
    rules = rules_of(strategy.steps[0], scores, free, free.bands[0], None)
    seen = [step.seen for step in steps]
    low, high = ((one.negative_stake, one.positive_stake) for one in seen)
    return ReviewWorth(rules, free.bands[0].axis, seen[0].mean_prevalence, (low, high))


def _allowed(chain: Chain, task: Task) -> BoolArray:
    """Above which thresholds flagging keeps to the limits, at every prevalence."""
    limits = task.steps[1].limits_with_room
    return np.all([limits.holds(chain.points, end) for end in task.whole.ends], axis=0)


def _by_case(fit: FittedReview, passing: FittedByCase, flagging: FittedByCase) -> FittedReview:
    """The same where each case has costs of its own: a price for all of them."""
    task = fit.task
    held_out, review = cast(HeldOutRows, task.held_out), cast(Review, task.conditions.review)
    steps = [held_out.in_step(review, step) for step in (0, 1)]

    def price(part: int | None) -> float:
        rows = held_out.training(part)
        until = [step.until_of(rows, part) for step in (passing, flagging)]
        costs = [step.training(part).known_costs for step in steps]
        # Where a review is not worth it the steps are one, and nothing is saved.
        saved = SavedByReview.of(until, [(one.net_fp_cost, one.net_fn_cost) for one in costs])
        weight = np.ones(len(rows)) if rows.weight is None else rows.weight
        sides = [np.where(own, weight, 0.0) for own in (~rows.positive, rows.positive)]
        negative, positive = (side / side.sum() for side in sides)
        return _price(saved.least, (negative, positive), task)

    prices = {part: price(part) for part in (None, *range(len(task.judged.parts)))}
    chosen = {
        part: [held_out.in_step(review.priced(more), step) for step in (0, 1)]
        for part, more in prices.items()
    }
    low, high = (
        replace(step, deciding={part: rows[i] for part, rows in chosen.items()})
        for i, step in enumerate((passing, flagging))
    )
    return replace(fit, steps=(low, high), price=prices[None])


def _reviews_fit(acted: OperatingPoints, flagged: OperatingPoints, task: Task) -> BoolArray:
    """Whether the cases that are acted on and not flagged find a place, at every prevalence."""
    reviewed, places = reviewed_between(acted, flagged), task.places_with_room
    found = [places.holds(reviewed, end) for end in task.whole.ends]
    return np.all(found, axis=0)


def _best_pair(scores: CostedScores, chain: Chain, task: Task) -> tuple[int, int]:
    """The places of the two thresholds that cost least, within the limits and the places."""
    at, steps = above(scores.costs, chain.thresholds), task.steps
    passing, flagging = (
        step.seen.negative_stake * at.fpr + step.seen.positive_stake * at.fnr for step in steps
    )
    flagging = np.where(_allowed(chain, task), flagging, np.inf)
    last = _last_in_places(chain.points, task)
    costs = passing + _least_within(flagging, last)
    # Of those that cost the same the one that acts on fewest.
    low = len(costs) - 1 - int(np.argmin(costs[::-1]))
    within = flagging[low : last[low] + 1]
    return low, int(last[low]) - int(np.argmin(within[::-1]))


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
