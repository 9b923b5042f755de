"""Rules in words, from their plain values: `Rule.to_dict`, which a page holds too."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from costspace.decision.words import shares_shown, thresholds_shown
from costspace.deployment.actions import FLAG, PASS
from costspace.digits import ALL_DIGITS

_CHANCE_DIGITS = 6
_TRIVIAL = {FLAG: "flag everybody", PASS: "flag nobody"}


def rule_said(rule: Mapping[str, Any], digits: int = ALL_DIGITS) -> str:
    """What a rule does: who applies what is said applies the rule.

    Parameters
    ----------
    rule : mapping
        As `Rule.to_dict` gives it.
    digits : int, optional
        Of thresholds, and more where they would look alike; all of them by default.
    """
    if "otherwise" not in rule:
        return _said(rule, digits)
    other, chance = rule["otherwise"], rule["chance"]
    first, second = threshold_of(rule), threshold_of(other)
    if first is None or second is None:
        said = f"{_said(rule, digits)} with probability {chance:.{_CHANCE_DIGITS}g}"
        return f"{said}, else {_said(other, digits)}"
    return _drawn(first, second, chance, digits)


def threshold_of(rule: Mapping[str, Any]) -> float | None:
    """The score above which a rule flags, without the other; None if it does more than that."""
    cuts, actions = rule["cuts"], list(rule["actions"])
    if rule["by"] == "score" and actions == [PASS, FLAG]:
        return float(cuts[0])
    return {FLAG: -math.inf, PASS: math.inf}.get(actions[0]) if len(actions) == 1 else None


def _said(rule: Mapping[str, Any], digits: int) -> str:
    """What is done on each stretch between the cuts, without the other rule."""
    cuts: Sequence[float] = rule["cuts"]
    actions: Sequence[str] = rule["actions"]
    if not cuts:
        return _TRIVIAL.get(actions[0], f"{actions[0]} everybody")
    if rule["by"] == "share":
        shares = shares_shown(*cuts)
        parts = [f"{actions[0]} the top {shares[0]} of the queue"]
        inner = zip(actions[1:-1], shares[1:], strict=True)
        parts += [f"{action} the next to {share}" for action, share in inner]
        plain, rest = [FLAG, PASS], actions[-1]
    else:
        shown = thresholds_shown(*cuts, digits=digits)
        parts = [f"{actions[-1]} scores above {shown[-1]}"]
        inner = zip(actions[-2:0:-1], shown[-2::-1], strict=True)
        parts += [f"{action} those above {cut}" for action, cut in inner]
        plain, rest = [PASS, FLAG], actions[0]
    return ", ".join(parts if list(actions) == plain else [*parts, f"{rest} the rest"])


def _drawn(first: float, second: float, chance: float, digits: int) -> str:
    """Flagging scores above the first of two thresholds by chance, and else above the second."""
    low, high = first, second
    if low > high:
        low, high, chance = high, low, 1 - chance
    lower, upper = thresholds_shown(low, high, digits=digits)
    probability = f"with probability {chance:.{_CHANCE_DIGITS}g}"
    if high == math.inf:
        some = "everybody" if low == -math.inf else f"scores above {lower}"
        return f"flag {some} {probability}"
    others = "all others" if low == -math.inf else f"those above {lower}"
    return f"flag scores above {upper}, and {others} {probability}"
