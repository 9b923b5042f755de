"""What deployed rules do with each row of a table, as an expression of SQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from costspace.checks import MONEY
from costspace.decision.applying.applied_how import REFUSE, Asked
from costspace.decision.applying.conditions_seen import NEAR, room
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.of_rows import (
    PAIRS,
    costs_too_little,
    gaps_in_steps,
    is_fair,
    proportion,
    skew,
)
from costspace.decision.applying.sql_terms import Dialect, SqlColumn, Term, dialect_of, where
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules_by_condition import ByFormula, RulesByCondition
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.deployment.actions import FLAG, PASS, REVIEW
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import COSTS
from costspace.errors import ConditionError, brief
from costspace.samples.rounding import ROUNDING
from costspace.samples.turned import turned_from
from costspace.samples.validation import cost_array
from costspace.single import singles

# Beyond every condition, which is in [0, 1].
_ALWAYS, _NEVER = 2.0, 0.0
_LARGEST = float(np.finfo(np.float32).max)
_IN_FRAMES = "apply it with costspace.frames.apply_decision, or costspace apply"


@final
@dataclass(frozen=True, eq=False)
class _Score:
    """The scores of a column, as they are or turned."""

    column: SqlColumn
    taken_from: float | None = None  # the number that the column is subtracted from, if one

    @property
    def number(self) -> Term:
        """They as doubles."""
        own = self.column.number
        return own if self.taken_from is None else self.taken_from - own

    def above(self, threshold: float) -> Term:
        """Whether they are above a number."""
        if self.taken_from is not None:
            return self.number > threshold
        own, threshold = self.column.own, threshold + 0.0  # no negative zero
        single = _in_single(threshold)
        if single is None or not self.column.dialect.single:
            return own > threshold
        return own > where([(self.column.is_single, own.of(single))], own.of(threshold))


def _in_single(threshold: float) -> float | None:
    """What numbers of 32 bits are above where the decimals that they print as are above a number.

    None where they are above that number itself.
    """
    if not abs(threshold) < _LARGEST:
        return None
    last = float(singles(np.array(threshold)))
    following = float(np.nextafter(np.float32(last), np.float32(np.inf)))
    return None if last <= threshold < following else last


def action_in_sql(
    rules: DeployedRules,
    dialect: str,
    *,
    score: str | None,
    given: Mapping[str, float | str | None],
    missing: str | None,
    actions: Sequence[str] | None,
) -> str:
    """What `to_sql` of a decision returns."""
    into = dialect_of(dialect)
    asked = Asked(missing=REFUSE if missing is None else missing, actions=actions)
    if missing == REFUSE:
        raise ConditionError(
            "SQL cannot refuse rows: missing is None, for no action (NULL), or 'pass', 'review' or "
            "'flag'."
        )
    names = rules.called(asked).names
    rules.check_needs(given)
    _check_exact(rules)
    amounts = rules.completed({**dict.fromkeys((*COSTS, "prevalence")), **given})
    named = {name: one for name, one in amounts.items() if isinstance(one, str)}
    for name, one in named.items():
        if {"*", "+"} & {*one}:
            raise ConditionError(
                f"SQL names columns, and {name} is {brief(one)}, which is a formula: make it a "
                "column of its own, and name that."
            )
    columns = {name: SqlColumn(one, into) for name, one in named.items()}

    def word(action: str | None) -> str:
        return "NULL" if action is None else into.literal(names.get(action, action))

    if rules.model is None:
        return word(rules.rule_at(amounts).actions[0])
    scores = _scores(rules.model, score, into)
    read = [scores.column, *columns.values()]
    cases = [(Term(" OR ".join(str(one.missing) for one in read), into), missing)]
    if rules.on_probabilities:
        beyond = scores.number < -ROUNDING, scores.number > 1 + ROUNDING
        cases.append((beyond[0] | beyond[1], None))
    if columns:
        cases += _by_columns(rules, _Amounts(amounts, columns), scores)
        last = PASS
    else:
        rule = rules.rule_at(amounts)
        cases += _by_rule(rules, rule, scores)
        last = rule.actions[0]
    whens = [f"  WHEN {condition} THEN {word(action)}" for condition, action in cases]
    return "\n".join(["CASE", *whens, f"  ELSE {word(last)}", "END"])


def _check_exact(rules: DeployedRules) -> None:
    """`ConditionError` unless what is done with a row depends on its own values alone."""
    if rules.queued:
        raise ConditionError(
            f"{rules.what} works down a queue, so that what is done with a row depends on the "
            f"others, which an expression of SQL does not see: {_IN_FRAMES}."
        )
    if rules.draws or (rules.rule is not None and rules.rule.randomised):
        raise ConditionError(
            f"{rules.what} draws at random, and SQL has no draws that can be repeated: "
            f"{_IN_FRAMES} with a seed, or decide again without randomised rules."
        )


def _scores(model: str, score: str | None, dialect: Dialect) -> _Score:
    turned = turned_from(model)
    if score is not None or turned is None:
        return _Score(SqlColumn(model if score is None else score, dialect))
    return _Score(SqlColumn(turned[1], dialect), turned[0])


def _by_rule(rules: DeployedRules, rule: Rule, scores: _Score) -> Iterator[tuple[Term, str | None]]:
    """The actions of one rule, from the highest scores down."""
    for cut, action in zip(rule.cuts[::-1], rule.actions[:0:-1], strict=True):
        # Scores that rounding took beyond 1 count as 1.
        if not (rules.on_probabilities and cut >= 1):
            yield scores.above(cut), action


@final
@dataclass(frozen=True, eq=False)
class _Amounts:
    """Costs and the prevalence, as numbers or columns."""

    given: Mapping[str, Any]
    columns: Mapping[str, SqlColumn]

    def cost(self, name: str) -> Any:
        """A cost, as a number or a term."""
        if name in self.columns:
            return self.columns[name].number
        return 0.0 if self.given[name] is None else float(cost_array(self.given[name], name))

    def gaps(self) -> list[Any]:
        """How much more each mistake costs, or `ConditionError` if it does not in any row."""
        gaps = [self.cost(mistake) - self.cost(correct) for mistake, correct in PAIRS]
        for gap, pair in zip(gaps, PAIRS, strict=True):
            if isinstance(gap, float) and not is_fair(gap):
                raise costs_too_little(*pair)(gap, "")
        return gaps


def _by_columns(
    rules: DeployedRules, amounts: _Amounts, scores: _Score
) -> Iterator[tuple[Term, str | None]]:
    """The actions of rules by condition, of rows with conditions of their own."""
    gaps = amounts.gaps()
    yield from _unfair(*gaps)
    p: Any = amounts.given["prevalence"]
    if isinstance(p, str):
        p = amounts.columns["prevalence"].number
        yield _outside(p, rules.prevalence), None
    else:
        p = rules.one_prevalence(p)
    steps = [(rules, proportion(*gaps))]
    if rules.review is not None:
        yield from _skew_outside(*steps[0], p)
        own = gaps_in_steps(rules.review, [*map(amounts.cost, COSTS)], gaps, _chosen)
        steps = [
            (step, proportion(*mine) if step.costs is None else step.costs)
            for step, mine in zip(rules.steps, own, strict=True)
        ]
    for step, costs in steps:
        yield from _skew_outside(step, costs, p)
    first, *others = (_flagged(step, costs, p, scores) for step, costs in steps)
    for second in others:
        yield first & second, FLAG
        yield first | second, REVIEW
    if not others:
        yield first, FLAG


def _unfair(net_fp: Any, net_fn: Any) -> Iterator[tuple[Term, str | None]]:
    """What is done where a mistake costs too little: flagging may never be worth it."""
    if isinstance(net_fn, Term):
        never = net_fn <= 0.0
        yield (never & is_fair(net_fp) if isinstance(net_fp, Term) else never), PASS
    for gap in (net_fp, net_fn):
        if isinstance(gap, Term):
            yield (gap < MONEY[0]) | (gap > MONEY[1]), None


def _chosen(pays: Term, one: Any, half: Any) -> Term:
    return where([(pays, pays.of(one))], pays.of(half))


def _outside(value: Term, known: Range) -> Term:
    low, high = room(known)
    return (value < low) | (value > high)


def _skew_outside(rules: DeployedRules, costs: Any, p: Any) -> Iterator[tuple[Term, None]]:
    """No action where the rules are not for the costs of a row."""
    z = skew(costs, p)
    if rules.skews is not None and isinstance(z, Term):
        yield _outside(z, rules.skews), None


def _flagged(rules: DeployedRules, costs: Any, p: Any, scores: _Score) -> Term:
    """Whether rows are flagged, by the rules of the band that their prevalence is in."""
    found = None
    bands = rules.bands_for(p)
    for i, (span, own) in enumerate(bands):
        by_skew = span.low < span.high
        at = skew(costs, p) if by_skew else costs
        here = _above(own, at, rules.skews if by_skew else None, scores)
        if i > 0:
            here = (p >= span.low * (1 - NEAR)) & here
        if i + 1 < len(bands):
            here = (p < bands[i + 1][0].low * (1 - NEAR)) & here
        found = here if found is None else found | here
    if found is None:
        raise ConditionError("the rules have no band of prevalence.")
    return found


def _above(rules: RulesByCondition, at: Any, known: Range | None, scores: _Score) -> Term:
    """Whether scores are above the thresholds at conditions, which are moved to a range."""
    if isinstance(rules, ThresholdPath):
        return _by_pieces(rules, at, known, scores)
    if not isinstance(rules, ByFormula) or not _is_the_condition(rules):
        raise ConditionError(
            "the threshold of each row is a formula that SQL cannot have in one expression: give "
            "one number for each cost and the prevalence, decide with choices=[Optimal()], or "
            f"{_IN_FRAMES}."
        )
    number = scores.number
    at = number.of(at) if known is None else number.of(at).clip(known.low, known.high)
    # Scores that rounding took beyond 1 count as 1.
    return (number > at) & (at < 1.0)


def _is_the_condition(rules: ByFormula) -> bool:
    """Whether thresholds are the conditions themselves."""
    formula = rules.choice.formula
    return formula is not None and formula["calibrated_to"] in (None, rules.prevalence)


def _by_pieces(path: ThresholdPath, at: Any, known: Range | None, scores: _Score) -> Term:
    """Whether scores are above cuts that ascend with the condition, from break to break.

    A score is flagged up to the break where the cuts have come to be as high.
    """

    def until(condition: float) -> float:
        if known is None or known.low < condition <= known.high:
            return condition
        return _NEVER if condition <= known.low else _ALWAYS

    breaks = [until(float(one)) for one in path.breaks[:-1]] + [_ALWAYS]
    everybody = int(np.count_nonzero(np.isneginf(path.threshold)))
    pairs = []
    for i in reversed(range(everybody, len(path.threshold))):
        same = breaks[i + 1] == breaks[i]
        if np.isfinite(path.threshold[i]) and not same:
            pairs.append((scores.above(float(path.threshold[i])), breaks[i + 1]))
    some = scores.number
    ends = where([(above, some.of(end)) for above, end in pairs], some.of(breaks[everybody]))
    return some.of(at) < ends
