"""What is fixed before the first look at a watch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, final

import numpy as np

from costspace.arrays import FloatArray, FrozenDict, FrozenValue
from costspace.checks import check_number, check_whole
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.plain_rules import plain_rules, rules_of
from costspace.deployment.actions import ACTIONS, REVIEW
from costspace.deployment.amounts import LARGEST
from costspace.deployment.conditions import CASES
from costspace.errors import ConditionError, brief
from costspace.estimates.interval import Ends, check_level
from costspace.watching.case_cells import MOST_RULES, VALUES, parts_of_row
from costspace.watching.joint_counts import JointCounts
from costspace.watching.one_rule import sole_rule

# What all rules do with a case is one number in a file.
_MOST_RULES = 8
_MOST_LOOKS = 10**9
REFUSED = "a watch counts what one rule by score does, the same for all cases"
INSTEAD = "save a decision for known costs, without a queue"


@final
@dataclass(frozen=True, eq=False)
class WatchTerms(FrozenValue):
    """What is fixed before the first look at a watch.

    Attributes
    ----------
    rules : mapping of str to object
        The rules that are compared on the same rows; the first is the one that is watched.
    costs : mapping of str to pair of floats
        What each action costs on a negative and on a positive; empty where each case has its own.
    most : float or None
        The most that a case may cost then.
    tolerance : float
        What the first rule may cost per 1,000 cases.
    level : float in (0, 1)
        1 less the chance of a false alarm.
    looks, rows : int or None
        How many looks are planned at most, and how many rows each has.

    Raises
    ------
    ConditionError
        If any is out of range, or does not fit the others.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1] * 50, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9] * 50
    >>> watch = cs.begin_watch(cs.decide(y, {"model": s}, fp_cost=1, fn_cost=2), tolerance=200)
    >>> dict(watch.terms.costs)
    {'pass': (0.0, 2.0), 'flag': (1.0, 0.0)}
    """

    rules: Mapping[str, DeployedRules]
    costs: Mapping[str, tuple[float, float]]
    most: float | None
    tolerance: float
    level: float
    looks: int | None
    rows: int | None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_level(self.level)
        for name in ("looks", "rows"):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name), least=1, most=_MOST_LOOKS)
        if self.rows is not None and self.looks is None:
            raise ConditionError("rows (--rows) is of planned looks: give looks (--looks), too.")
        most_rules = _MOST_RULES if self.most is None else MOST_RULES
        if not 1 <= len(self.rules) <= most_rules:
            raise ConditionError(
                f"a watch compares 1 to {most_rules} rules"
                f"{' where each case has its own costs' if self.most is not None else ''}, got "
                f"{len(self.rules)}."
            )
        self._check_costs()
        low, high = (CASES * end for end in self.cost_range(0))
        check_number("tolerance", self.tolerance)
        if not low < self.tolerance < high:
            raise ConditionError(
                f"tolerance must be what the rule can cost per {CASES:,} cases, between {low:g} "
                f"and {high:g}, got {self.tolerance:g}."
            )

    def _check_costs(self) -> None:
        """`ConditionError` unless there are costs of each action, or the most that a case costs."""
        if self.most is not None:
            check_number("most_cost", self.most, low=0, high=LARGEST, open_ends=True)
            if self.costs or any(REVIEW in rule.actions for rule in self.rules.values()):
                raise ConditionError(
                    "a watch with costs of each case (most_cost, --most-cost) has no others, and "
                    "rules without a review."
                )
            return
        for name, rule in self.rules.items():
            sole_rule(rule, REFUSED, INSTEAD)
            if not {*rule.actions} <= {*ACTIONS} & self.costs.keys():
                raise ConditionError(
                    f"the rule {name!r} may {' or '.join(rule.actions)}, and costs are of "
                    f"{', '.join(self.costs)}."
                )
        for action, pair in self.costs.items():
            for cost in pair:
                check_number(f"the cost of {action}", cost, low=-LARGEST, high=LARGEST)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The terms of `to_dict`, or `ConditionError` unless every value is one of those."""
        rules, costs = (values.get(name) for name in ("rules", "costs"))
        if not isinstance(rules, dict) or not isinstance(costs, dict):
            raise ConditionError(f"rules and costs must be objects, got {brief(values)}.")
        pairs = {action: tuple(pair) for action, pair in costs.items()}
        if any(len(pair) != 2 for pair in pairs.values()):
            raise ConditionError(f"each action has two costs, got {brief(costs)}.")
        return cls(
            rules=FrozenDict({name: rules_of(own) for name, own in rules.items()}),
            costs=FrozenDict(pairs),
            most=values.get("most"),
            tolerance=check_number("tolerance", values.get("tolerance", np.nan)),
            level=values.get("level", np.nan),
            looks=values.get("looks"),
            rows=values.get("rows"),
        )

    @property
    def kinds(self) -> int:
        """How many numbers there are of what all rules do, or of what that costs."""
        return int((len(ACTIONS) if self.most is None else len(VALUES)) ** len(self.rules))

    def cost_range(self, rule: int) -> Ends:
        """Between what and what a rule may cost on a case."""
        if self.most is not None:
            return 0.0, self.most
        own = list(self.rules.values())[rule].actions
        found = [cost for action in own for cost in self.costs[action]]
        return min(found), max(found)

    def check_costs(self, *, given: bool) -> None:
        """`ConditionError` unless costs of each case are given where each has its own."""
        if self.most is not None and not given:
            raise ConditionError(
                "case_costs is missing, and the watch began with the most that a case may cost: "
                "give what each costs (--fp-cost-column, --fn-cost-column)."
            )
        if self.most is None and given:
            raise ConditionError(
                "case_costs is given, and the watch has costs that are the same for all cases: "
                "begin one with most_cost (--most-cost)."
            )

    @property
    def parts(self) -> int:
        """How many parts a row has in counts."""
        return 1 if self.most is None else parts_of_row(len(self.rules))

    def costs_on(self, counts: JointCounts, rule: int) -> FloatArray:
        """What a rule costs on each kind of labelled rows."""
        if self.most is not None:
            return self.most * VALUES[counts.digit(rule, len(VALUES))]
        none = (np.nan, np.nan)
        table = np.array([self.costs.get(action, none) for action in ACTIONS])
        return np.asarray(table[counts.digit(rule, len(ACTIONS)), counts.positive])

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "rules": {name: plain_rules(rules) for name, rules in self.rules.items()},
            "costs": {action: list(pair) for action, pair in self.costs.items()},
            "most": self.most,
            "tolerance": self.tolerance,
            "level": self.level,
            "looks": self.looks,
            "rows": self.rows,
        }
