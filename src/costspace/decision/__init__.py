"""The answer: what to do, what it costs, and what would lower that cost.

A `strategy` is a model and a threshold choice. A `task` is what is asked; `asking` makes it from
rows, conditions and `limits`. `fitting` gives each strategy its rule at each condition (`rules`) on
some of the rows; the `held_out` ones say what it costs (`money`), with what `evidence`. `deciding`
ends in a `decision`: a `recommendation` in `sentences`, and what is found when asked for, such as
losses by condition. `record` is all of it as plain values,
`applying` keeps it in a file and uses it on other cases, and `comparing` says what one model saves
against another.
"""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.decision.applying.saved import SavedDecision, load_decision
    from costspace.decision.comparing.comparing_money import compare_money
    from costspace.decision.comparing.money_comparison import MoneyComparison
    from costspace.decision.deciding import decide
    from costspace.decision.decision import Decision
    from costspace.decision.evidence.counted import Count
    from costspace.decision.evidence.money_by_segment import MoneyBySegment, SegmentMoney
    from costspace.decision.evidence.money_evidence import (
        MoneyDifference,
        MoneyEvidence,
        StrategyMoney,
    )
    from costspace.decision.evidence.outcomes import Outcomes
    from costspace.decision.evidence.value_of_rows import Settling
    from costspace.decision.held_out.counts import HeldOutCounts
    from costspace.decision.held_out.holding_out import hold_out
    from costspace.decision.held_out.rows import HeldOutRows
    from costspace.decision.held_out.scores import HeldOutScores, Split
    from costspace.decision.limits.broken import Violations, violations
    from costspace.decision.limits.constraints import Constraints, Room
    from costspace.decision.limits.feasible import constrained_operating_path, constrained_path
    from costspace.decision.limits.reached import Reached
    from costspace.decision.limits.thresholds import threshold_path
    from costspace.decision.money.costed import CostedScores
    from costspace.decision.money.expected import expected_money
    from costspace.decision.recommendation import Recommendation
    from costspace.decision.rules.actions import Actions
    from costspace.decision.rules.rule import Rule
    from costspace.decision.rules.threshold_paths import ThresholdPath
    from costspace.decision.strategy import Strategy

__all__ = [
    "Actions",
    "Constraints",
    "CostedScores",
    "Count",
    "Decision",
    "HeldOutCounts",
    "HeldOutRows",
    "HeldOutScores",
    "MoneyBySegment",
    "MoneyComparison",
    "MoneyDifference",
    "MoneyEvidence",
    "Outcomes",
    "Reached",
    "Recommendation",
    "Room",
    "Rule",
    "SavedDecision",
    "SegmentMoney",
    "Settling",
    "Split",
    "Strategy",
    "StrategyMoney",
    "ThresholdPath",
    "Violations",
    "compare_money",
    "constrained_operating_path",
    "constrained_path",
    "decide",
    "expected_money",
    "hold_out",
    "load_decision",
    "threshold_path",
    "violations",
]
