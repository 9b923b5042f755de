"""A decision applied to the rows of any dataframe, by the engine that it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from costspace.arrays import FrozenDict
from costspace.decision.actions import counts_shown
from costspace.decision.decision import Decision
from costspace.decision.deployed import DeployedRules, needs_seed
from costspace.decision.queue import Queue, too_small_told
from costspace.decision.rule import Rule
from costspace.decision.rules_by_condition import ByPieces
from costspace.decision.saved import SavedDecision
from costspace.errors import ConditionError, ScoreError, brief, warn_of
from costspace.frames.complaints import complaining_of_rows
from costspace.frames.opened import number_column
from costspace.frames.queues import BATCH, SCORE, batch_column, queue_of, queues_of, with_cuts
from costspace.frames.rules import (
    action_by_condition,
    action_in_batches,
    action_of,
    with_draws,
)
from costspace.frames.seen import SeenColumns, check_rows, clipped, staged
from costspace.frames.whole import PLACE, WholeFrame, open_whole

if TYPE_CHECKING:
    import narwhals as nw

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
        Of the kind that was given, with one column more.
    counts : mapping of str to int
        How many rows each action has, of those that any has.
    tied, note
        As of `Actions`.
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
    """Rows with a column `ACTION`, and what is said of it.

    Attributes
    ----------
    rows : narwhals LazyFrame
    tied, note
        As of `Actions`.
    """

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
    """Add what a decision does with each row to a dataframe, in the engine that it belongs to.

    Parameters
    ----------
    decision : Decision or SavedDecision
        What is recommended is done.
    frame : dataframe
        Of pandas, Polars (eager or lazy), pyarrow, DuckDB, Dask or PySpark.
    score : str, optional
        Column of scores; by default it has the name of the model. A rule that does the same with
        everybody needs none.
    fp_cost, fn_cost, tp_cost, tn_cost : float or str, optional
        What decisions cost where the rule follows that: one number, or the name of a column.
    prevalence : float or str, optional
        The share of positives where the rule follows that: one number, or the name of a column.
    column : str, default "action"
        The column that is added, of text.
    seed : int, optional
        For a rule that draws at random; it needs one.
    order_by : str or sequence of str, optional
        Columns that put the rows of a lazy frame in order, no two rows alike in them: draws go by
        the place of a row. Eager frames have an order of their own.
    batch : str, optional
        Column of the batch that each row is in, where the rule is of a queue: each batch is a queue
        of its own, and all rows are one unless given. A lazy frame may get another order by it,
        unless `order_by` puts it in one.

    Returns
    -------
    AppliedFrame
        Actions and draws are those of `Decision.apply`, whatever the engine.

    Raises
    ------
    ConditionError, ScoreError
        As `Decision.apply`.
    FileError
        If there is no such column (near names are given), or `column` is there already.
    SourceError
        If the frame is none, a row is in no batch, or the column cannot name batches.
    MissingExtraError
        If Narwhals is not installed.

    Notes
    -----
    The engine passes over the data once to look at it, once to count the actions, and once for
    whoever looks at the result. A rule by share takes one pass more, in which the distinct scores
    come back, those of each batch.

    Examples
    --------
    >>> import pandas as pd
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9]
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
        score = rules.model if score is None else score
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
    """The rules of a decision, kept or not."""
    if isinstance(decision, Decision | SavedDecision):
        return decision.rules
    raise ConditionError(
        f"what is applied is a Decision, or what load_decision gives, got {brief(decision)}."
    )


def _numbers(whole: WholeFrame, wanted: Mapping[str, str]) -> list[nw.Expr]:
    """The columns of numbers that are looked at, as doubles under names of their own."""
    import narwhals as nw

    types, found = whole.rows.collect_schema(), []
    for own, name in wanted.items():
        here = whole.here(name)
        what = {SCORE: "scores", "prevalence": "shares"}.get(own, "costs")
        error = ScoreError if own == SCORE else ConditionError
        number = number_column(name, here, types[here], what, error).cast(nw.Float64())
        found.append(number.alias(own))
    return found


def with_actions(
    rows: nw.LazyFrame[Any],
    rules: DeployedRules,
    seen: SeenColumns,
    seed: int | None,
    batch: str | None = None,
) -> ActedRows:
    """The rows with a column `ACTION`; `SCORE` and what is seen are columns of doubles.

    If the caller has a column of batches, its text is in `BATCH`.
    """
    import narwhals as nw

    at = None
    if rules.rule is None and seen.by_rows:
        rows, at = staged(rows, rules, seen)
    low, high = check_rows(rows, rules, seen, at)
    if low is not None and high is not None:
        rules.check_scale(low, high)
    if at is not None:
        draws = any(
            isinstance(band.rules, ByPieces) and band.rules.thresholds.draws for band in rules.bands
        )
        rows = clipped(_ready(rows, seed, rules) if draws else rows, rules, at)
        bands = rules.bands_for(at.prevalence)
        action = action_by_condition(bands, nw.col(SCORE), at.costs, at.skews, at.prevalence)
        return ActedRows(rows.with_columns(action.alias(ACTION)))
    rule = rules.rule or rules.rules_at(rules.completed_conditions(seen.amounts)).one
    tied, note = None, ""
    if rule.queued and batch is not None:
        return _acted_in_batches(rows, rules, rule, seed, batch)
    if rule.queued:
        queue = queue_of(rows)
        tied = queue.tied(rule)
        if queue.cases == 1:
            rule, note = rules.of_one_case(rule)
        else:
            note = _warned_of_small(rules, rule, [queue], batches=False)
        rule = queue.by_score(rule)
    rows = _ready(rows, seed, rules) if rule.randomised else rows
    some = nw.col(rows.collect_schema().names()[0])
    acted = rows.with_columns(action_of(rule, nw.col(SCORE), some).alias(ACTION))
    return ActedRows(acted, tied, note)


def _acted_in_batches(
    rows: nw.LazyFrame[Any], rules: DeployedRules, rule: Rule, seed: int | None, batch: str
) -> ActedRows:
    """The rows with `ACTION` by a rule of which each batch is a queue."""
    import narwhals as nw

    queues = queues_of(rows, batch)
    rows = with_cuts(rows, rule, queues)
    rows = _ready(rows, seed, rules) if rule.randomised else rows
    some = nw.col(rows.collect_schema().names()[0])
    action = action_in_batches(rule, nw.col(SCORE), some)
    tied = sum(queue.tied(rule) for queue in queues.values())
    note = _warned_of_small(rules, rule, queues.values(), batches=True)
    return ActedRows(rows.with_columns(action.alias(ACTION)), tied, note)


def _warned_of_small(
    rules: DeployedRules, rule: Rule, queues: Iterable[Queue], *, batches: bool
) -> str:
    """That queues are too small for anybody to be flagged, with a warning; nothing if none is."""
    note = too_small_told(rule, queues, batches=batches)
    if note:
        warn_of(f"{rules.what}: {note}.")
    return note


def _ready(rows: nw.LazyFrame[Any], seed: int | None, rules: DeployedRules) -> nw.LazyFrame[Any]:
    """The rows with numbers drawn, or `ConditionError` if those could not be drawn again."""
    if seed is None:
        raise ConditionError(needs_seed(rules.what))
    if PLACE not in rows.collect_schema().names():
        raise ConditionError(
            f"{rules.what} draws at random by the place of each row, and rows of this frame have "
            "none: give order_by, columns that put them in order."
        )
    return with_draws(rows, seed)


def counted(rows: nw.LazyFrame[Any]) -> Mapping[str, int]:
    """How many rows each action has."""
    import narwhals as nw

    found = rows.select(ACTION).group_by(ACTION).agg(nw.len().alias(_ROWS)).collect()
    return FrozenDict(sorted((str(name), int(count)) for name, count in found.rows()))
