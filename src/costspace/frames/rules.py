"""Rules as expressions on the columns of a frame, which give the same numbers as in Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from costspace.condition import ERROR, PLACES, WHOLE, without_rounding
from costspace.decision.applying.conditions_seen import NEAR
from costspace.decision.applying.of_rows import skew
from costspace.decision.rules.draws import PRIME, round_keys
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules_by_condition import ByFormula, RulesByCondition
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.deployment.actions import FLAG, PASS
from costspace.deployment.bounds import Range
from costspace.errors import ConditionError, brief
from costspace.frames.dataframes import nw
from costspace.frames.whole import PLACE
from costspace.single import singles

RANDOM = "random"
# Prefixes of the columns with the cuts of a row's batch: of the rule, and of the other rule.
CUTS = ("cut", "other_cut")
# Some engines fail on an expression with more.
_MOST_PIECES = 1000


def with_draws(rows: nw.LazyFrame[Any], seed: int) -> nw.LazyFrame[Any]:
    """The rows with a random number from [0, 1) each, the same as from `drawn`."""
    x: nw.Expr = nw.col(PLACE).cast(nw.Int64()) % PRIME
    for key in round_keys(seed):
        # One column a round: engines are slow to plan nested expressions, and to find equal terms.
        rows = rows.with_columns(((x + key) % PRIME).alias(RANDOM))
        square = nw.col(RANDOM) * nw.col(RANDOM) % PRIME
        x = square * square % PRIME * nw.col(RANDOM) % PRIME
    return rows.with_columns((x.cast(nw.Float64()) / float(PRIME)).alias(RANDOM))


def action_of(rule: Rule, score: nw.Expr, some: nw.Expr, *, single: bool = False) -> nw.Expr:
    """The action of a rule for each row.

    Where it draws it goes by the column `RANDOM`, and on queues by the columns `CUTS`. Scores may
    be numbers of `single` precision. A rule without a threshold reads `some` column only because
    Dask drops rows if no column is read.
    """
    found, *others = (
        _by_cuts(own, prefix, score, some, single=single)
        for own, prefix in zip((rule, rule.otherwise), CUTS, strict=True)
        if own is not None
    )
    return nw.when(nw.col(RANDOM) < rule.chance).then(found).otherwise(*others) if others else found


def _by_cuts(rule: Rule, prefix: str, score: nw.Expr, some: nw.Expr, *, single: bool) -> nw.Expr:
    """The action of a rule without the other one."""
    if not rule.cuts:
        found = nw.lit(rule.actions[0])
        return nw.when(some.is_null()).then(found).otherwise(found)
    if rule.by == "score":
        found, cuts = nw.lit(rule.actions[0]), np.array(rule.cuts)
        own = singles(cuts) if single else cuts
        for number, action in zip(own.tolist(), rule.actions[1:], strict=True):
            found = nw.when(score > number).then(nw.lit(action)).otherwise(found)
        return found
    return by_batch(rule.actions, prefix, score)


def by_batch(actions: Sequence[str], prefix: str, score: nw.Expr) -> nw.Expr:
    """Actions, that of the highest scores first, by the cuts of the batch of each row."""
    found = nw.lit(actions[-1])
    for i in reversed(range(len(actions) - 1)):
        cut = nw.col(f"{prefix}{i}")
        within = (score > cut) | (cut == -math.inf)
        found = nw.when(within).then(nw.lit(actions[i])).otherwise(found)
    return found


def action_by_condition(
    bands: Sequence[tuple[Range, RulesByCondition]],
    score: nw.Expr,
    costs: Any,
    skews: Any,
    prevalence: Any,
) -> nw.Expr:
    """The action of rules by condition for each row, flag or pass, at its own condition.

    The prevalence is a column if there are several bands of prevalence.
    """
    acted = [
        _action_of_band(rules, score, skews if span.low < span.high else costs)
        for span, rules in bands
    ]
    found = acted[-1]
    for action, (above, _) in zip(acted[-2::-1], bands[:0:-1], strict=True):
        below = prevalence < above.low * (1 - NEAR)
        found = nw.when(below).then(action).otherwise(found)
    return found


def _action_of_band(rules: RulesByCondition, score: nw.Expr, at: Any) -> nw.Expr:
    if isinstance(rules, ThresholdPath):
        flagged = _by_pieces(rules, score, at)
    elif isinstance(rules, ByFormula):
        flagged = score > _threshold(rules, at)
    else:
        raise ConditionError(f"rules such as {brief(rules)} cannot be applied to frames.")
    return nw.when(flagged).then(nw.lit(FLAG)).otherwise(nw.lit(PASS))


def _threshold(rules: ByFormula, at: Any) -> Any:
    """The thresholds of a formula at conditions in a column."""
    formula = rules.choice.formula
    if formula is None:
        raise ConditionError(
            f"{brief(rules.choice)} has thresholds that engines cannot compute: apply the decision "
            "to arrays, or give one number for each cost and the prevalence."
        )
    own = formula["calibrated_to"]
    if own is None or own == rules.prevalence:
        return at
    z, own = skew(at, rules.prevalence), float(own)
    return _without_rounding(1.0 / (1.0 + (1.0 - z) * (1.0 - own) / (z * own)))


def _without_rounding(value: Any) -> Any:
    """`without_rounding` of a number or a column."""
    if not isinstance(value, nw.Expr):
        return without_rounding(np.asarray(value)).item()
    # By a column: instead of dividing by a number Polars multiplies with its inverse, and rounds.
    nearest = (value * PLACES + WHOLE - WHOLE) / (0.0 * value + PLACES)
    close = ((nearest - value).abs() <= ERROR * value) & (value < 1.0)
    return nw.when(close).then(nearest).otherwise(value)


def _by_pieces(path: ThresholdPath, score: nw.Expr, at: nw.Expr) -> nw.Expr:
    """Whether each row is flagged by rules that are constant, or mixed, between breaks."""
    # A piece of length zero holds no condition that its neighbours lack.
    places = [i for i in range(len(path.threshold)) if path.breaks[i] < path.breaks[i + 1]]
    if len(places) > _MOST_PIECES:
        raise ConditionError(
            f"the rule changes with the condition in {len(places):,} steps, too many for columns "
            "of costs or prevalence: give one number for each, or apply it to arrays."
        )

    def among(low: int, high: int) -> nw.Expr:
        """Whether a row is flagged on some of the pieces, by halves."""
        if high - low == 1:
            return _on_piece(path, places[low], score, at)
        middle = (low + high) // 2
        beyond = at >= float(path.breaks[places[middle]])
        return nw.when(beyond).then(among(middle, high)).otherwise(among(low, middle))

    return among(0, len(places))


def _on_piece(path: ThresholdPath, i: int, score: nw.Expr, at: nw.Expr) -> nw.Expr:
    first, second = float(path.threshold[i]), float(path.threshold_2[i])
    if first == second:
        return _above(score, first)
    start, end = float(path.mix_start[i]), float(path.mix_end[i])
    low, width = float(path.breaks[i]), float(path.breaks[i + 1] - path.breaks[i])
    along = (at - low) / width
    mix = (1.0 - along) * start + along * end
    return nw.when(nw.col(RANDOM) < mix).then(_above(score, first)).otherwise(_above(score, second))


def _above(score: nw.Expr, threshold: float) -> nw.Expr:
    """Whether scores are above a threshold; above -inf is everybody."""
    if threshold == -math.inf:
        # True for every score, and as long as the column.
        return (score > 0.0) | (score <= 0.0)
    if threshold == math.inf:
        return (score > 0.0) & (score <= 0.0)
    return score > threshold
