"""What deployed rules do with each row of a frame, as a column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from costspace.arrays import FrozenDict
from costspace.decision.applying.applied_how import Asked
from costspace.decision.applying.deployed import DeployedRules, needs_seed
from costspace.decision.rules.queue import largest_share, too_small_told
from costspace.decision.rules.review_queue import ReviewQueue
from costspace.decision.rules.rule import Rule
from costspace.deployment.actions import ACTIONS, FLAG, PASS, REVIEW
from costspace.errors import ConditionError, warn_of
from costspace.frames.dataframes import nw
from costspace.frames.opened import as_decimals
from costspace.frames.queues import (
    SCORE,
    queue_of,
    queues_of,
    review_cuts,
    rule_cuts,
    with_cuts,
)
from costspace.frames.rules import CUTS, action_by_condition, action_of, by_batch, with_draws
from costspace.frames.same_rows import MARK, SeenRows, mark_of
from costspace.frames.seen import RowConditions, SeenColumns, check_rows, clipped, staged
from costspace.frames.set_aside import with_aside, without_missing
from costspace.frames.whole import PLACE

ACTION = "action"
_ROWS = "rows"


@final
@dataclass(frozen=True, eq=False)
class ActedRows:
    """Rows with a column `ACTION`, and remarks on it, as in `Actions`."""

    rows: nw.LazyFrame[Any]
    tied: int | None = None
    note: str = ""
    doubt: str = ""
    missing: int = 0
    not_worth: int = 0
    seen: SeenRows | None = None  # what the pass that checked them has seen, if it saw scores


def with_actions(
    rows: nw.LazyFrame[Any], rules: DeployedRules, seen: SeenColumns, asked: Asked
) -> ActedRows:
    """The rows with a column `ACTION`.

    `SCORE` and what is seen are columns of doubles, or scores of single precision as they came.
    If the caller has a column of batches, its text is in `BATCH`.
    """
    names, at = rules.called(asked).names, None
    if not asked.refuses:
        rows = without_missing(rows, seen.columns)
    # No one rule draws twice.
    if rules.conditional and (seen.by_rows or (rules.steps and rules.draws)):
        rows, at = staged(rows, rules, seen)
    score = nw.col(SCORE)
    if at is not None and _are_single(rows):
        rows = rows.with_columns(as_decimals(score).alias(SCORE))
    checked = check_rows(rows, rules, seen, at)
    if checked.low is not None and checked.high is not None:
        score = score.clip(0.0, 1.0) if rules.in_unit(checked.low, checked.high) else score
    if rules.queue is not None:
        found = _by_review_queue(rows, rules, rules.queue, score, asked)
    elif at is None:
        rule = rules.rule_at(seen.amounts)
        found = _by_one_rule(rows, rules, rule, score, asked)
    else:
        found = _by_condition(rows, rules, at, score, asked)
    action = with_aside(nw.col(ACTION), rows.collect_schema().names(), asked.missing)
    rows = found.rows.with_columns(action.alias(ACTION)) if checked.aside else found.rows
    if names:
        named = nw.col(ACTION)
        for own, word in names.items():
            named = nw.when(nw.col(ACTION) == own).then(nw.lit(word)).otherwise(named)
        rows = rows.with_columns(named.alias(ACTION))
    remarks = (found.tied, found.note, checked.doubt, checked.missing, checked.not_worth)
    return ActedRows(rows, *remarks, checked.seen)


def _are_single(rows: nw.LazyFrame[Any]) -> bool:
    return rows.collect_schema().get(SCORE) == nw.Float32


def _by_condition(
    rows: nw.LazyFrame[Any], rules: DeployedRules, at: RowConditions, score: nw.Expr, asked: Asked
) -> ActedRows:
    rows = clipped(_ready(rows, asked.seed, rules) if rules.draws else rows, rules, at)
    steps = list(zip(rules.steps, at.steps, strict=True)) or [(rules, at)]
    found = [
        action_by_condition(
            step.bands_for(at.prevalence), score, own.costs, own.skews, at.prevalence
        ).alias(f"{ACTION}{i}")
        for i, (step, own) in enumerate(steps)
    ]
    if len(found) == 1:
        return ActedRows(rows.with_columns(found[0].alias(ACTION)))
    first, last = (nw.col(f"{ACTION}{i}") == FLAG for i in range(len(found)))
    rest = nw.when(first | last).then(nw.lit(REVIEW)).otherwise(nw.lit(PASS))
    action = nw.when(first & last).then(nw.lit(FLAG)).otherwise(rest)
    return ActedRows(rows.with_columns(*found).with_columns(action.alias(ACTION)))


def _by_one_rule(
    rows: nw.LazyFrame[Any], rules: DeployedRules, rule: Rule, score: nw.Expr, asked: Asked
) -> ActedRows:
    tied, note, single = None, "", _are_single(rows)
    if rule.queued and asked.batch is not None:
        queues = queues_of(rows.with_columns(score), asked.batch, asked.missing)
        rows = with_cuts(rows, rule_cuts(rule, queues), queues, single=single)
        tied = sum(queue.tied(rule) for queue in queues.values())
        small = too_small_told(largest_share(rule), queues.values(), batches=True)
        note = _warned(rules, small)
    elif rule.queued:
        queue = queue_of(rows.with_columns(score), asked.missing)
        tied = queue.tied(rule)
        if queue.cases == 1:
            rule, note = rules.of_one_case(queue.scores)
        else:
            small = too_small_told(largest_share(rule), [queue], batches=False)
            note = _warned(rules, small)
        rule = queue.by_score(rule)
    rows = _ready(rows, asked.seed, rules) if rule.randomised else rows
    some = nw.col(rows.collect_schema().names()[0])
    acted = rows.with_columns(action_of(rule, score, some, single=single).alias(ACTION))
    return ActedRows(acted, tied, note)


def _by_review_queue(
    rows: nw.LazyFrame[Any],
    rules: DeployedRules,
    reviews: ReviewQueue,
    score: nw.Expr,
    asked: Asked,
) -> ActedRows:
    """The same where the reviews of a queue have places."""
    single, scored = _are_single(rows), rows.with_columns(score)
    if asked.batch is not None:
        queues = queues_of(scored, asked.batch, asked.missing, REVIEW)
        rows = with_cuts(rows, review_cuts(reviews, queues), queues, single=single)
        action = by_batch(ACTIONS[::-1], CUTS[0], score)
        note = _warned(rules, reviews.too_small_told(queues.values(), batches=True))
    else:
        queue = queue_of(scored, asked.missing, REVIEW)
        queues = {"": queue}
        if queue.cases == 1:
            rule, note = rules.of_one_case(queue.scores)
        else:
            note = _warned(rules, reviews.too_small_told([queue], batches=False))
            rule = reviews.by_score(queue)
        some = nw.col(rows.collect_schema().names()[0])
        action = action_of(rule, score, some, single=single)
    tied = sum(map(reviews.tied, queues.values()))
    return ActedRows(rows.with_columns(action.alias(ACTION)), tied, note)


def _warned(rules: DeployedRules, note: str) -> str:
    """A note, of which there is a warning if it says anything."""
    if note:
        warn_of(f"{rules.what}: {note}.")
    return note


def _ready(rows: nw.LazyFrame[Any], seed: int | None, rules: DeployedRules) -> nw.LazyFrame[Any]:
    """The rows with random numbers, or `ConditionError` if another run would draw other numbers."""
    if seed is None:
        raise ConditionError(needs_seed(rules.what))
    if PLACE not in rows.collect_schema().names():
        raise ConditionError(
            f"{rules.what} draws at random by the position of each row, and the rows of this frame "
            "have no order: give order_by, the columns to order them by."
        )
    return with_draws(rows, seed)


def counted(rows: nw.LazyFrame[Any], seen: SeenRows | None = None) -> Mapping[str, int]:
    """How many rows each action has; `SourceError` if not all are as an earlier pass has `seen`."""
    parts = [nw.len().alias(_ROWS)]
    if seen is None:
        rows = rows.select(ACTION)
    else:
        rows = rows.select(ACTION, mark_of(nw.col(SCORE)).alias(MARK))
        parts.append(nw.col(MARK).sum())
    found = rows.group_by(ACTION).agg(*parts).collect().rows()
    counts = {str(name): int(count) for name, count, *_ in found}
    if seen is not None:
        seen.check(SeenRows(sum(counts.values()), sum(float(mark or 0) for *_, mark in found)))
    return FrozenDict(sorted(counts.items()))
