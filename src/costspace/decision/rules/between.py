"""What is between two rules: the cases that are reviewed."""

from costspace.curve import OperatingPoints
from costspace.decision.rules.rule import Rule
from costspace.deployment.actions import FLAG, PASS, REVIEW


def three_actions(passing: Rule, flagging: Rule) -> Rule:
    """The rule that passes what one does not flag, and reviews what the other does not."""
    (low, _), (high, _) = passing.thresholds, flagging.thresholds
    if low >= high:
        return flagging
    return Rule((low, high), (PASS, REVIEW, FLAG))


def reviewed_between(acted: OperatingPoints, flagged: OperatingPoints) -> OperatingPoints:
    """Where reviewing works as if it were flagging: what is acted on and not flagged."""
    return OperatingPoints(acted.fpr - flagged.fpr, 1 - (flagged.fnr - acted.fnr))
