"""The answer: what to do, what it costs, and what would lower that cost.

A `strategy` is a model and a threshold choice. `fitting` gives its rule at each condition
(`rule`, `threshold_path`, `rules_by_condition`), within limits (`constraints`, `feasible`,
`stretches`, `moved`, `broken`); `fitted` has what it does to rows that it was not fitted on
(`holdout`, `folds`, `pooling`), which is its `money` and its `outcomes`. `deciding` compares the
strategies of a `task` by `evidence`, and `recommendation` says it in words; `comparing_money` says
what one model saves against another. What is found when asked for: the `table` by condition,
`regret`, `budget`. `record` is all of it as plain values.
"""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.decision.across_conditions import Gap
    from costspace.decision.actions import Actions
    from costspace.decision.broken import Violations, violations
    from costspace.decision.budget import LossBudget, ValueOfKnowing, value_of_knowing
    from costspace.decision.comparing_money import compare_money
    from costspace.decision.constraints import Constraints, Room
    from costspace.decision.costed import CostedScores
    from costspace.decision.deciding import decide
    from costspace.decision.decision import Decision
    from costspace.decision.evidence import MoneyDifference, MoneyEvidence, StrategyMoney
    from costspace.decision.feasible import constrained_operating_path, constrained_path
    from costspace.decision.held_out_counts import HeldOutCounts
    from costspace.decision.held_out_rows import HeldOutRows
    from costspace.decision.held_out_scores import HeldOutScores, Split
    from costspace.decision.holding_out import hold_out
    from costspace.decision.model_decision import ModelDecision, SingleRule
    from costspace.decision.money import expected_money
    from costspace.decision.money_comparison import MoneyComparison
    from costspace.decision.outcomes import Count, Outcomes
    from costspace.decision.reached import Reached
    from costspace.decision.recommendation import Recommendation
    from costspace.decision.regret import Regrets, regrets
    from costspace.decision.rule import Rule
    from costspace.decision.saved import SavedDecision, load_decision
    from costspace.decision.saving import MoneySaving
    from costspace.decision.strategy import Strategy
    from costspace.decision.table import DecisionTable, RuleInUse
    from costspace.decision.table_row import DecisionRange, DecisionRow
    from costspace.decision.threshold_paths import ThresholdPath
    from costspace.decision.thresholds import threshold_path

__all__ = [
    "Actions",
    "Constraints",
    "CostedScores",
    "Count",
    "Decision",
    "DecisionRange",
    "DecisionRow",
    "DecisionTable",
    "Gap",
    "HeldOutCounts",
    "HeldOutRows",
    "HeldOutScores",
    "LossBudget",
    "ModelDecision",
    "MoneyComparison",
    "MoneyDifference",
    "MoneyEvidence",
    "MoneySaving",
    "Outcomes",
    "Reached",
    "Recommendation",
    "Regrets",
    "Room",
    "Rule",
    "RuleInUse",
    "SavedDecision",
    "SingleRule",
    "Split",
    "Strategy",
    "StrategyMoney",
    "ThresholdPath",
    "ValueOfKnowing",
    "Violations",
    "compare_money",
    "constrained_operating_path",
    "constrained_path",
    "decide",
    "expected_money",
    "hold_out",
    "load_decision",
    "regrets",
    "threshold_path",
    "value_of_knowing",
    "violations",
]
