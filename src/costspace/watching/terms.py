"""What is fixed before the first look at a watch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.plain_rules import plain_rules
from costspace.deployment.actions import ACTIONS
from costspace.errors import ConditionError
from costspace.estimates.interval import Ends
from costspace.watching.case_cells import VALUES, parts_of_row
from costspace.watching.joint_counts import JointCounts


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
