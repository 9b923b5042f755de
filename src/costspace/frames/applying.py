"""A decision applied to the rows of any dataframe, by the dataframe's own engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, final

from costspace.decision.applying.applied_how import Asked
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.decision.decision import Decision
from costspace.decision.rules.actions import counts_shown
from costspace.errors import ConditionError, CostspaceError, ScoreError, brief, warn_of
from costspace.frames.acting import ACTION, counted, with_actions
from costspace.frames.complaints import complaining_of_rows
from costspace.frames.dataframes import nw
from costspace.frames.opened import is_long_integer, is_odd, made
from costspace.frames.operands import operands_in
from costspace.frames.queues import BATCH, SCORE, batch_column
from costspace.frames.seen import SeenColumns
from costspace.frames.set_aside import ODD, as_flag
from costspace.frames.whole import WholeFrame, open_whole
from costspace.samples.turned import turned_from

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
    tied, note, doubt, missing, not_worth
        As in `Actions`.
    """

    frame: Any
    counts: Mapping[str, int]
    tied: int | None = None
    note: str = ""
    doubt: str = ""
    missing: int = 0
    not_worth: int = 0

    def __repr__(self) -> str:
        return f"AppliedFrame({counts_shown(self.counts, self.tied)})"


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
    missing: str = "refuse",
    actions: Sequence[str] | None = None,
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
    missing : {"refuse", "pass", "review", "flag"}
        As of `Decision.apply`: what is done with a row where a column that the rule reads is null
        or NaN.
    actions : sequence of str, optional
        As of `Decision.apply`: the words to write.

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
    asked = Asked(seed=seed, batch=batch, missing=missing, actions=actions)
    rules.called(asked)
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
    rows = _with_numbers(whole, wanted, batch)
    found = with_actions(rows, rules, SeenColumns(amounts, wanted, again=not whole.eager), asked)
    if found.doubt:
        warn_of(f"{rules.what}: {found.doubt}")
    added = whole.with_added(found.rows, ACTION, column)
    remarks = (found.tied, found.note, found.doubt, found.missing, found.not_worth)
    return AppliedFrame(added, counted(found.rows, found.seen), *remarks)


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


def _with_numbers(
    whole: WholeFrame, wanted: Mapping[str, str], batch: str | None
) -> nw.LazyFrame[Any]:
    """The rows with the numeric columns that the rule reads, as `with_actions` has them.

    Beside each is whether it has an odd number, which is not missing and that no float is.
    """
    errors = {name: _error(own) for own, name in wanted.items()}
    found = operands_in(whole.rows, whole.names, errors, () if batch is None else [batch])
    types, more = found.rows.collect_schema(), []
    for own, name in wanted.items():
        what = {SCORE: "scores", "prevalence": "shares"}.get(own, "costs")
        more.append(made(found, name, what, _error(own), single=own == SCORE).alias(own))
        read = [found.here[one] for one in found.formulas[name].columns]
        if odds := [is_odd(one, types[one]) for one in read if is_long_integer(types[one])]:
            more.append(as_flag(reduce(or_, odds), f"{own}{ODD}"))
    if batch is not None:
        here = found.here[batch]
        more.append(batch_column(batch, here, types[here]).alias(BATCH))
    return found.rows.with_columns(*more) if more else found.rows


def _error(own: str) -> type[CostspaceError]:
    return ScoreError if own == SCORE else ConditionError
