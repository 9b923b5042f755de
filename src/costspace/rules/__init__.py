"""Rules to deploy: thresholds of a choice, and what constraints leave of them."""

from costspace.rules.broken import Violations, violations
from costspace.rules.constraints import Constraints, Reached
from costspace.rules.costed import CostedScores
from costspace.rules.feasible import constrained_operating_path, constrained_path
from costspace.rules.rule import Rule, ThresholdPath
from costspace.rules.thresholds import threshold_path

__all__ = [
    "Constraints",
    "CostedScores",
    "Reached",
    "Rule",
    "ThresholdPath",
    "Violations",
    "constrained_operating_path",
    "constrained_path",
    "threshold_path",
    "violations",
]
