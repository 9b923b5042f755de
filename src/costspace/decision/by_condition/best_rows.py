"""The rows of a decision table: which strategy loses least where, and its rule there."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from costspace.condition import cost_from_skew
from costspace.decision.by_condition.losses import Losses, winners
from costspace.decision.by_condition.table_row import DecisionRow, table_rows_of
from costspace.decision.rules.rules_by_condition import RulesByCondition
from costspace.decision.strategy import Strategy
from costspace.deployment.bounds import Range

# A row no longer than this, relatively, is there by rounding.
_ROUNDING = 1e-14


def best_rows(
    losses: Losses,
    rules: Mapping[Strategy, RulesByCondition],
    skews: Range,
    *,
    within: float = 0.0,
) -> list[DecisionRow]:
    """The rows of a decision table, for whatever prevalence."""
    axis, strategies = losses.axis, tuple(losses.curves)
    low, high = (float(cost_from_skew(z, prevalence=axis)) for z in (skews.low, skews.high))
    found = winners(losses, low, high, within=within)
    rows: list[DecisionRow] = []
    for i, (start, end) in zip(found.index, pairwise(found.breaks.tolist()), strict=True):
        rows += table_rows_of(strategies[i], rules[strategies[i]], start, end, axis)
    return [_with_loss(row, losses) for row in _merged(rows, skews)]


def _merged(rows: Sequence[DecisionRow], skews: Range) -> list[DecisionRow]:
    """The rows that have a length, those of one rule made one, over the whole range."""
    long = [row for row in rows if row.skew_high - row.skew_low > _ROUNDING * row.skew_high]
    merged: list[DecisionRow] = []
    for row in long or rows[:1]:
        if merged and merged[-1].same_use(row):
            merged[-1] = replace(merged[-1], skew_high=row.skew_high)
        else:
            start = merged[-1].skew_high if merged else row.skew_low
            merged.append(replace(row, skew_low=start))
    # The conditions were on the cost axis, and rounding may have moved the ends.
    merged[0] = replace(merged[0], skew_low=skews.low)
    merged[-1] = replace(merged[-1], skew_high=skews.high)
    return merged


def _with_loss(row: DecisionRow, losses: Losses) -> DecisionRow:
    p = losses.axis
    c = float(cost_from_skew((row.skew_low + row.skew_high) / 2, prevalence=p))
    worst = 2 * (c * (1 - p) + (1 - c) * p)
    loss = float(losses.curves[row.strategy](c))
    return replace(row, loss=loss / worst)
