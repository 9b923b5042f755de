"""The costs and prevalence that rules see of the rows of a frame, as checked numbers or columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from costspace.checks import MONEY
from costspace.decision.applying.conditions_seen import (
    STEPS,
    prevalence_outside,
    room,
    skew_outside,
)
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.of_rows import (
    PAIRS,
    costs_too_little,
    gaps_in_steps,
    is_fair,
    proportion,
    skew,
)
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import COSTS
from costspace.errors import ConditionError, CostspaceError, ScoreError
from costspace.frames.dataframes import nw
from costspace.frames.decided_on import TRUTH, counted_scores, counting
from costspace.frames.queues import SCORE
from costspace.frames.same_rows import MARK, SeenRows, mark_of
from costspace.frames.set_aside import ABSENT, NOT_WORTH, as_flag, refuse_odd
from costspace.frames.set_aside import counting as counting_aside
from costspace.frames.survey import check_filled, is_nan
from costspace.frames.whole import PLACE
from costspace.samples.validation import cost_array

_PREVALENCE = "prevalence"
_COST, _SHARE, _SKEW = "at_cost", "at_share", "at_skew"
_OR_MISSING = ", or say what to do with such rows: missing='pass', 'review' or 'flag'"
_GAPS = ("net_fp_cost", "net_fn_cost")


@final
@dataclass(frozen=True, eq=False)
class SeenColumns:
    """The costs and prevalence that were given, and the columns that hold them."""

    amounts: Mapping[str, Any]  # costs and prevalence, by the names of the arguments
    # The caller's names of the columns, with that of scores, by their names here.
    columns: Mapping[str, str]
    again: bool = False  # whether the rows are computed anew for each pass

    @property
    def by_rows(self) -> bool:
        """Whether rows have conditions of their own."""
        return any(name in self.columns for name in self.amounts)

    def value(self, name: str) -> Any:
        """A number, or a column."""
        if name in self.columns:
            return nw.col(name)
        given = self.amounts[name]
        if name == _PREVALENCE or given is None:
            return 0.0 if given is None else given
        return float(cost_array(given, name))


@final
@dataclass(frozen=True, eq=False)
class RowConditions:
    """Conditions, as numbers or columns: cost proportions, skews and prevalences."""

    costs: Any
    skews: Any
    prevalence: Any
    # Those of each decision that a review makes of one.
    steps: tuple[RowConditions, ...] = ()


def staged(
    rows: nw.LazyFrame[Any], rules: DeployedRules, seen: SeenColumns
) -> tuple[nw.LazyFrame[Any], RowConditions]:
    """The rows with columns for the condition of each, null where it is missing.

    Each step is a column: some engines fail on expressions that repeat others many times.
    """
    gaps: list[Any] = [seen.value(mistake) - seen.value(correct) for mistake, correct in PAIRS]
    checked: list[nw.Expr] = []
    if not isinstance(gaps[1], float):
        # A false negative that costs no more than a true positive.
        only = (gaps[1] <= 0.0) & (True if isinstance(gaps[0], float) else is_fair(gaps[0]))
        checked.append(as_flag(only, NOT_WORTH))
    for i, (name, pair) in enumerate(zip(_GAPS, PAIRS, strict=True)):
        gap = gaps[i]
        if isinstance(gap, float) and not is_fair(gap):
            raise costs_too_little(*pair)(gap, "")
        if not isinstance(gap, float):
            # Engines differ in how they divide by zero.
            checked.append(nw.when(is_fair(gap)).then(gap).alias(name))
            gaps[i] = nw.col(name)
    p: Any = nw.col(_PREVALENCE)
    if _PREVALENCE in seen.columns:
        checked.append(nw.when((p > 0.0) & (p < 1.0)).then(p).alias(_SHARE))
        p = nw.col(_SHARE)
    else:
        p = rules.one_prevalence(seen.amounts[_PREVALENCE])
    rows = rows.with_columns(*checked) if checked else rows
    costs = proportion(*gaps)
    if not isinstance(costs, float):
        rows, costs = rows.with_columns(costs.alias(_COST)), nw.col(_COST)
    rows = rows.with_columns(_column(skew(costs, p)).alias(_SKEW))
    found = RowConditions(costs, nw.col(_SKEW), p)
    if rules.review is None:
        return rows, found
    steps = []
    of_steps = gaps_in_steps(rules.review, [*map(seen.value, COSTS)], gaps, _chosen)
    for i, (step, own) in enumerate(zip(rules.steps, of_steps, strict=True)):
        if step.costs is None:
            named = [f"{name}{i}" for name in _GAPS]
            rows = rows.with_columns(
                _column(gap).alias(name) for gap, name in zip(own, named, strict=True)
            )
            costs = proportion(*map(nw.col, named))
        else:
            costs = step.costs
        rows = rows.with_columns(_column(costs).alias(f"{_COST}{i}"))
        at = nw.col(f"{_COST}{i}")
        rows = rows.with_columns(skew(at, p).alias(f"{_SKEW}{i}"))
        steps.append(RowConditions(at, nw.col(f"{_SKEW}{i}"), p))
    return rows, replace(found, steps=tuple(steps))


def _chosen(pays: nw.Expr, one: Any, half: Any) -> nw.Expr:
    return nw.when(pays).then(_column(one)).otherwise(_column(half))


def _column(value: Any) -> nw.Expr:
    return value if isinstance(value, nw.Expr) else nw.lit(value)


def clipped(rows: nw.LazyFrame[Any], rules: DeployedRules, at: RowConditions) -> nw.LazyFrame[Any]:
    """The rows with conditions moved to the ends of the ranges, where rounding put them beyond."""
    ends = [(_SHARE, at.prevalence, rules.prevalence), (_SKEW, at.skews, rules.skews)]
    for i, (own, step) in enumerate(zip(at.steps, rules.steps, strict=True)):
        ends.append((f"{_SKEW}{i}", own.skews, step.skews))
    on_ends = [
        value.clip(known.low, known.high).alias(name)
        for name, value, known in ends
        if known is not None and not isinstance(value, float)
    ]
    return rows.with_columns(*on_ends) if on_ends else rows


@final
@dataclass(frozen=True, eq=False)
class _Check:
    """An invalid condition of a row, the value that it has, and the error for it."""

    bad: nw.Expr
    value: nw.Expr
    said: Any


@final
@dataclass(frozen=True)
class CheckedRows:
    """What a pass over valid rows has found."""

    # The range of the scores, None if the rules read none.
    low: float | None = None
    high: float | None = None
    doubt: str = ""  # why scores are not like those that the decision was made on, if so
    # How many rows lack a value, and how many are never worth flagging.
    missing: int = 0
    not_worth: int = 0

    seen: SeenRows | None = None  # of the rows and their scores, if rules read scores

    @property
    def aside(self) -> bool:
        """Whether there are rows that no rule decides."""
        return self.missing + self.not_worth > 0


def check_rows(
    rows: nw.LazyFrame[Any], rules: DeployedRules, seen: SeenColumns, at: RowConditions | None
) -> CheckedRows:
    """Raise an error if a row is invalid, else return what the rows have."""
    if not seen.columns:
        return CheckedRows()
    checks = [] if at is None else _checks(rules, seen, at)
    schema, own = rows.collect_schema(), rules.decided_on
    placed = PLACE in schema.names()
    parts = [nw.len().alias("rows"), *counting_aside(schema.names())]
    for name in seen.columns:
        missing = nw.col(name).is_null() | is_nan(nw.col(name))
        parts += [missing.cast(nw.Int64()).sum().alias(f"{name}_missing")]
        parts += [nw.col(name).min().alias(f"{name}_low"), nw.col(name).max().alias(f"{name}_high")]
    if own is not None:
        single, labelled = schema[SCORE] == nw.Float32, TRUTH in schema.names()
        parts += counting(own, nw.col(SCORE), single=single, labelled=labelled)
    if seen.again and SCORE in seen.columns:
        parts.append(mark_of(nw.col(SCORE)).sum().alias(MARK))
    flags = [one.bad.cast(nw.Int64()).alias(f"bad{i}") for i, one in enumerate(checks)]
    rows = rows.with_columns(*flags) if flags else rows
    parts += [nw.col(f"bad{i}").sum().alias(f"bad{i}") for i in range(len(checks))]
    ((found),) = rows.select(*parts).collect().rows(named=True)
    errors = {name: ScoreError if name == SCORE else ConditionError for name in seen.columns}
    refuse_odd(found, seen.columns, errors)
    for name, said in seen.columns.items() if ABSENT not in schema.names() else ():
        what = "scores" if name == SCORE else "values"
        gaps = int(found[f"{name}_missing"] or 0)
        check_filled(said, what, gaps, int(found["rows"]), errors[name], more=_OR_MISSING)
    for i, check in enumerate(checks):
        if found[f"bad{i}"]:
            _refuse(rows, i, check, int(found[f"bad{i}"]), placed=placed)
    absent, never = (int(found.get(name) or 0) for name in (ABSENT, NOT_WORTH))
    scored = int(found["rows"]) - absent
    doubt = "" if own is None else rules.doubt(counted_scores(own, scored, found))
    low, high = found.get(f"{SCORE}_low"), found.get(f"{SCORE}_high")
    whole = SeenRows(int(found["rows"]), float(found[MARK] or 0)) if MARK in found else None
    return CheckedRows(low, high, doubt, absent, never, whole)


def _refuse(rows: nw.LazyFrame[Any], i: int, check: _Check, count: int, *, placed: bool) -> None:
    bad = rows.filter(nw.col(f"bad{i}") == 1)
    if placed:
        first = bad.select(nw.col(PLACE).min()).collect().item()
        bad, place = bad.filter(nw.col(PLACE) == first), f" in row {int(first) + 1}"
    else:
        place = f" in one of {count} such rows"
    value = bad.select(check.value.cast(nw.Float64()).alias("value")).head(1).collect().item()
    raise check.said(float(value), place)


def _checks(rules: DeployedRules, seen: SeenColumns, at: RowConditions) -> list[_Check]:
    """The checks of each row, in the order in which they are reported."""
    found: list[_Check] = []
    for mistake, correct in PAIRS:
        gap = seen.value(mistake) - seen.value(correct)
        if not isinstance(gap, float):
            unfair = (gap < MONEY[0]) | (gap > MONEY[1])
            if mistake == "fn_cost":
                unfair &= nw.col(NOT_WORTH) == 0
            found.append(_Check(unfair, gap, costs_too_little(mistake, correct)))
    if _PREVALENCE in seen.columns:
        found.append(_within(nw.col(_PREVALENCE), rules.prevalence, prevalence_outside))
    if rules.skews is not None:
        found.append(_within(at.skews, rules.skews, skew_outside))
    for own, step, what in zip(at.steps, rules.steps, STEPS, strict=False):
        if step.skews is not None:
            found.append(_within(own.skews, step.skews, skew_outside, what))
    return found


def _within(
    value: Any, known: Range, said: Callable[[float, str, Range], str], what: str = ""
) -> _Check:
    """That a value is in a range."""
    low, high = room(known)

    def told(x: float, place: str) -> CostspaceError:
        return ConditionError(f"{what}{said(x, place, known)}")

    return _Check((value < low) | (value > high), value, told)
