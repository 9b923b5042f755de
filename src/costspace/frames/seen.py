"""What rules see of the rows of a frame: costs and prevalence, numbers or columns, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from costspace.condition import MONEY, by_how_much
from costspace.decision.conditions_seen import room, said_outside
from costspace.decision.deployed import DeployedRules
from costspace.errors import ConditionError, CostspaceError, ScoreError
from costspace.frames.rules import proportion, skew
from costspace.frames.survey import check_filled, is_nan
from costspace.frames.whole import PLACE
from costspace.scores.validation import cost_array

if TYPE_CHECKING:
    import narwhals as nw

_PREVALENCE = "prevalence"
_PAIRS = (("fp_cost", "tn_cost"), ("fn_cost", "tp_cost"))


@final
@dataclass(frozen=True, eq=False)
class Seen:
    """What was given, and which of it are columns.

    Attributes
    ----------
    amounts : mapping of str to float, str or None
        Costs and prevalence, by the names of the arguments.
    columns : mapping of str to str
        What the caller calls the columns, of scores too, by the names that they have here.
    """

    amounts: Mapping[str, Any]
    columns: Mapping[str, str]

    @property
    def by_rows(self) -> bool:
        """Whether rows have conditions of their own."""
        return any(name in self.columns for name in self.amounts)

    def value(self, name: str) -> Any:
        """A number, or a column."""
        import narwhals as nw

        if name in self.columns:
            return nw.col(name)
        given = self.amounts[name]
        if name == _PREVALENCE or given is None:
            return 0.0 if given is None else given
        return float(cost_array(given, name))


@final
@dataclass(frozen=True, eq=False)
class RowConditions:
    """Conditions, of which some are columns: cost proportions, skews and prevalences."""

    costs: Any
    skews: Any
    prevalence: Any


def seen_by_rows(rules: DeployedRules, seen: Seen, *, clipped: bool = True) -> RowConditions:
    """The condition of each row; on the ends of the ranges where rounding put it beyond them."""
    false_alarm, miss = (seen.value(a) - seen.value(b) for a, b in _PAIRS)
    costs, known = proportion(false_alarm, miss), rules.prevalence
    p = seen.value(_PREVALENCE)
    if _PREVALENCE not in seen.columns:
        p = rules.one_prevalence(seen.amounts[_PREVALENCE])
    elif clipped:
        p = p.clip(known.low, known.high)
    skews = skew(costs, p)
    if clipped and rules.skews is not None and not isinstance(skews, float):
        skews = skews.clip(rules.skews.low, rules.skews.high)
    return RowConditions(costs, skews, p)


@final
@dataclass(frozen=True, eq=False)
class _Check:
    """What no row may be, what it is then, and what to say of that."""

    bad: nw.Expr
    value: nw.Expr
    said: Any


def check_rows(
    rows: nw.LazyFrame[Any], rules: DeployedRules, seen: Seen
) -> tuple[float | None, float | None]:
    """Raise an error at the first thing that is wrong with some row; the range of the scores."""
    import narwhals as nw

    if not seen.columns:
        return None, None
    checks = _checks(rules, seen)
    placed = PLACE in rows.collect_schema().names()
    parts = [nw.len().alias("rows")]
    for name in seen.columns:
        missing = nw.col(name).is_null() | is_nan(nw.col(name))
        parts += [missing.cast(nw.Int64()).sum().alias(f"{name}_missing")]
        parts += [nw.col(name).min().alias(f"{name}_low"), nw.col(name).max().alias(f"{name}_high")]
    flags = [one.bad.cast(nw.Int64()).alias(f"bad{i}") for i, one in enumerate(checks)]
    rows = rows.with_columns(*flags) if flags else rows
    parts += [nw.col(f"bad{i}").sum().alias(f"bad{i}") for i in range(len(checks))]
    ((found),) = rows.select(*parts).collect().rows(named=True)
    for name, said in seen.columns.items():
        what, error = ("scores", ScoreError) if name == "score" else ("values", ConditionError)
        check_filled(said, what, int(found[f"{name}_missing"] or 0), int(found["rows"]), error)
    for i, check in enumerate(checks):
        if found[f"bad{i}"]:
            _refuse(rows, i, check, int(found[f"bad{i}"]), placed=placed)
    return found.get("score_low"), found.get("score_high")


def _refuse(rows: nw.LazyFrame[Any], i: int, check: _Check, count: int, *, placed: bool) -> None:
    import narwhals as nw

    bad = rows.filter(nw.col(f"bad{i}") == 1)
    if placed:
        first = bad.select(nw.col(PLACE).min()).collect().item()
        bad, place = bad.filter(nw.col(PLACE) == first), f" in row {int(first) + 1}"
    else:
        place = f" in one of {count} such rows"
    value = bad.select(check.value.cast(nw.Float64()).alias("value")).head(1).collect().item()
    raise check.said(float(value), place)


def _checks(rules: DeployedRules, seen: Seen) -> list[_Check]:
    """What no row may be, in the order in which it is told."""
    import narwhals as nw

    found: list[_Check] = []
    if not seen.by_rows:
        return found
    for mistake, correct in _PAIRS:
        gap = seen.value(mistake) - seen.value(correct)
        told = _costs_too_little(mistake, correct)
        if isinstance(gap, float):
            if not MONEY[0] <= gap <= MONEY[1]:
                raise told(gap, "")
        else:
            found.append(_Check((gap < MONEY[0]) | (gap > MONEY[1]), gap, told))
    ranges = [("the prevalence", nw.col(_PREVALENCE), rules.prevalence)]
    if _PREVALENCE not in seen.columns:
        ranges = []
    if rules.skews is not None:
        skews = seen_by_rows(rules, seen, clipped=False).skews
        ranges.append(("the skew of the costs and the prevalence", skews, rules.skews))
    for what, value, known in ranges:
        low, high = room(known)

        def told(x: float, place: str, what: str = what, known: Any = known) -> CostspaceError:
            return ConditionError(said_outside(what, x, place, known))

        found.append(_Check((value < low) | (value > high), value, told))
    return found


def _costs_too_little(mistake: str, correct: str) -> Any:
    def told(gap: float, place: str) -> CostspaceError:
        return ConditionError(
            f"{mistake} must be above {correct}{by_how_much(1)}, got {gap:g} more{place}: a "
            "mistake has to cost more than the correct decision."
        )

    return told
