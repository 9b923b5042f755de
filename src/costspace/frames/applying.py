"""A decision applied to the rows of any dataframe, by the dataframe's own engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from costspace.arrays import FrozenDict
from costspace.decision.applying.deployed import DeployedRules, needs_seed
from costspace.decision.applying.saved import SavedDecision
from costspace.decision.decision import Decision
from costspace.decision.rules.actions import counts_shown
from costspace.decision.rules.queue import Queue, too_small_told
from costspace.decision.rules.rule import Rule
from costspace.errors import ConditionError, ScoreError, brief, warn_of
from costspace.frames.complaints import complaining_of_rows
from costspace.frames.dataframes import nw
from costspace.frames.formulas import formula_of, joined
from costspace.frames.opened import as_decimals, number_column
from costspace.frames.queues import BATCH, SCORE, batch_column, queue_of, queues_of, with_cuts
from costspace.frames.rules import (
    action_by_condition,
    action_of,
    with_draws,
)
from costspace.frames.seen import SeenColumns, check_rows, clipped, staged
from costspace.frames.whole import PLACE, WholeFrame, open_whole
from costspace.samples.turned import turned_from

ACTION = "action"
_ROWS = "rows"
# A number for all rows, or the name of a column.
Amount = float | str | None


@final
@dataclass(frozen=True, eq=False, repr=False)
class AppliedFrame:
    """A dataframe with the action for each row.

    Attributes
    ----------
    frame : dataframe
        Of the kind that was given, with one more column.
    counts : mapping of str to int
        How many rows each action has; an action without rows is not listed.
    tied, note
        As in `Actions`.
    """

    frame: Any
    counts: Mapping[str, int]
    tied: int | None = None
    note: str = ""

    def __repr__(self) -> str:
        return f"AppliedFrame({counts_shown(self.counts, self.tied)})"


@final
@dataclass(frozen=True, eq=False)
class ActedRows:
    """Rows with a column `ACTION`, and remarks on it, as in `Actions`."""

    rows: nw.LazyFrame[Any]
    tied: int | None = None
    note: str = ""


@complaining_of_rows()
def apply_decision(
    decision: Decision | SavedDecision,
    frame: Any,
    *,
    score: str | None = None,
    fp_cost: Amount = None,
    fn_cost: Amount = None,
    tp_cost: Amount = None,
    tn_cost: Amount = None,
    prevalence: Amount = None,
    column: str = "action",
    seed: int | None = None,
    order_by: str | Sequence[str] = (),
    batch: str | None = None,
) -> AppliedFrame:
    """Add a column with a decision's action for each row to a dataframe, in its own engine.

    Parameters
    ----------
    decision : Decision or SavedDecision
        Its recommendation is applied.
    frame : dataframe
        Of pandas, Polars (eager or lazy), pyarrow, DuckDB, Dask or PySpark.
    score : str, optional
        Column of scores, by default the name of the model; -NAME is the column NAME with its sign
        changed, 1-NAME the chance of the other class. A rule that treats everybody alike needs
        none.
    fp_cost, fn_cost, tp_cost, tn_cost : float or str, optional
        What decisions cost, if the rule depends on it: one number, the name of a column, or a
        formula of columns, such as ``0.6*amount``.
    prevalence : float or str, optional
        The share of positives, if the rule depends on it: one number, or the name of a column.
    column : str, default "action"
        The column to add, of text.
    seed : int, optional
        Required by a rule that draws at random.
    order_by : str or sequence of str, optional
        Columns that order the rows of a lazy frame without ties: random draws depend on the
        position of a row. Eager frames are in order already.
    batch : str, optional
        Column of the batch that each row is in, for a rule on a queue: each batch is a queue of
        its own. By default all rows are one queue. A lazy frame may come back in another order,
        unless `order_by` is given.

    Returns
    -------
    AppliedFrame
        Actions and draws are those of `Decision.apply`, whatever the engine.

    Raises
    ------
    ConditionError, ScoreError
        As `Decision.apply`.
    FileError
        If there is no such column (near names are given), or `column` exists already.
    SourceError
        If it is not a dataframe, a row is in no batch, or the column cannot name batches.
    MissingExtraError
        If Narwhals is not installed.

    Notes
    -----
    The engine reads the data once to check it, once to count the actions, and again when the
    result is read. A rule by share takes one more pass, which returns the distinct scores of each
    batch.

    Examples
    --------
    >>> import pandas as pd
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 0, 1, 1] * 5, [0.1, 0.2, 0.3, 0.4, 0.6, 0.9] * 5
    >>> known = cs.Deployment(fp_cost=1, fn_cost=3, prevalence=0.5)
    >>> decision = cs.decide(y, {"model": s}, conditions=known, folds=2)
    >>> apply_decision(decision, pd.DataFrame({"model": [0.2, 0.7]})).frame
       model action
    0    0.2   pass
    1    0.7   flag
    """
    rules = rules_in(decision)
    order = [order_by] if isinstance(order_by, str) else list(order_by)
    given: dict[str, float | str | None] = {
        "fp_cost": fp_cost,
        "fn_cost": fn_cost,
        "tp_cost": tp_cost,
        "tn_cost": tn_cost,
        "prevalence": prevalence,
    }
    rules.check_needs(given)
    rules.check_batch(batch)
    amounts = rules.completed(given)
    whole = open_whole(frame, column, order)
    if rules.model is not None:
        score = score_of(rules.model, score)
    named = {name: one for name, one in amounts.items() if isinstance(one, str)}
    wanted = {**named, **({} if score is None else {SCORE: score})}
    more = _numbers(whole, wanted)
    if batch is not None:
        here = whole.here(batch)
        dtype = whole.rows.collect_schema()[here]
        more.append(batch_column(batch, here, dtype).alias(BATCH))
    rows = whole.rows.with_columns(*more) if more else whole.rows
    found = with_actions(rows, rules, SeenColumns(amounts, wanted), seed, batch)
    added = whole.with_added(found.rows, ACTION, column)
    return AppliedFrame(added, counted(found.rows), found.tied, found.note)


def rules_in(decision: Any) -> DeployedRules:
    """The rules of a decision, saved or not."""
    if isinstance(decision, Decision | SavedDecision):
        return decision.rules
    raise ConditionError(
        f"decision must be a Decision, or what load_decision returns, got {brief(decision)}."
    )


def score_of(model: str, score: str | None) -> str:
    """What scores are made of: by default as the model's are, whose name may turn a column."""
    turned = turned_from(model)
    if score is not None and turned is not None and turned[1] == score:
        how = f"1 minus {score!r}" if turned[0] else f"{score!r} with its sign changed"
        raise ConditionError(f"score must be {model!r}, got {score!r}: the decision reads {how}.")
    return model if score is None else score


def _numbers(whole: WholeFrame, wanted: Mapping[str, str]) -> list[nw.Expr]:
    """The numeric columns that the rule reads, as `with_actions` has them."""
    types, found = whole.rows.collect_schema(), []
    for own, name in wanted.items():
        meant = formula_of(name, lambda one: one in whole.names)
        what = {SCORE: "scores", "prevalence": "shares"}.get(own, "costs")
        error = ScoreError if own == SCORE else ConditionError
        operands = {}
        for one in meant.columns:
            here = whole.here(one)
            operands[one] = number_column(one, here, types[here], what, error)
            if types[here] == nw.Float32:
                as_it_is = own == SCORE and meant.plain
                operands[one] = nw.col(here) if as_it_is else as_decimals(nw.col(here))
        found.append(meant.made(operands.__getitem__, float, joined).alias(own))
    return found


def with_actions(
    rows: nw.LazyFrame[Any],
    rules: DeployedRules,
    seen: SeenColumns,
    seed: int | None,
    batch: str | None = None,
) -> ActedRows:
    """The rows with a column `ACTION`.

    `SCORE` and what is seen are columns of doubles, or scores of single precision as they came.
    If the caller has a column of batches, its text is in `BATCH`.
    """
    at = None
    if rules.rule is None and seen.by_rows:
        rows, at = staged(rows, rules, seen)
    score, single = nw.col(SCORE), rows.collect_schema().get(SCORE) == nw.Float32
    if single and at is not None:
        rows = rows.with_columns(as_decimals(score).alias(SCORE))
    low, high = check_rows(rows, rules, seen, at)
    if low is not None and high is not None and rules.in_unit(low, high):
        score = score.clip(0.0, 1.0)
    if at is not None:
        draws = any(one.draws for one in rules.bands.values())
        rows = clipped(_ready(rows, seed, rules) if draws else rows, rules, at)
        bands = rules.bands_for(at.prevalence)
        action = action_by_condition(bands, score, at.costs, at.skews, at.prevalence)
        return ActedRows(rows.with_columns(action.alias(ACTION)))
    rule = rules.rule or rules.rules_at(rules.completed_conditions(seen.amounts)).one
    tied, note = None, ""
    if rule.queued and batch is not None:
        return _acted_in_batches(rows, rules, rule, seed, batch, score=score, single=single)
    if rule.queued:
        queue = queue_of(rows.with_columns(score))
        tied = queue.tied(rule)
        if queue.cases == 1:
            rule, note = rules.of_one_case(rule)
        else:
            note = _warned_of_small(rules, rule, [queue], batches=False)
        rule = queue.by_score(rule)
    rows = _ready(rows, seed, rules) if rule.randomised else rows
    some = nw.col(rows.collect_schema().names()[0])
    acted = rows.with_columns(action_of(rule, score, some, single=single).alias(ACTION))
    return ActedRows(acted, tied, note)


def _acted_in_batches(
    rows: nw.LazyFrame[Any],
    rules: DeployedRules,
    rule: Rule,
    seed: int | None,
    batch: str,
    *,
    score: nw.Expr,
    single: bool,
) -> ActedRows:
    """The rows with `ACTION` by a rule that takes each batch as a queue."""
    queues = queues_of(rows.with_columns(score), batch)
    rows = with_cuts(rows, rule, queues, single=single)
    rows = _ready(rows, seed, rules) if rule.randomised else rows
    some = nw.col(rows.collect_schema().names()[0])
    action = action_of(rule, score, some, single=single)
    tied = sum(queue.tied(rule) for queue in queues.values())
    note = _warned_of_small(rules, rule, queues.values(), batches=True)
    return ActedRows(rows.with_columns(action.alias(ACTION)), tied, note)


def _warned_of_small(
    rules: DeployedRules, rule: Rule, queues: Iterable[Queue], *, batches: bool
) -> str:
    """Warn of queues too small to flag anybody; the text of the warning, empty without one."""
    note = too_small_told(rule, queues, batches=batches)
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


def counted(rows: nw.LazyFrame[Any]) -> Mapping[str, int]:
    """How many rows each action has."""
    found = rows.select(ACTION).group_by(ACTION).agg(nw.len().alias(_ROWS)).collect()
    return FrozenDict(sorted((str(name), int(count)) for name, count in found.rows()))
