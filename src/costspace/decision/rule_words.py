"""Rules in words."""

from collections.abc import Sequence

import numpy as np

from costspace.decision.actions import FLAG, PASS
from costspace.decision.words import thresholds_shown


def rule_words(cuts: Sequence[float], actions: Sequence[str], by: str, *, with_rest: bool) -> str:
    """What is done on each stretch between cuts, `with_rest` also on that of the lowest scores."""
    if not cuts:
        (action,) = actions
        return {FLAG: "flag everybody", PASS: "flag nobody"}.get(action, f"{action} everybody")
    if by == "share":
        shares = [f"{100 * cut:g} %" for cut in cuts]
        parts = [f"{actions[0]} the top {shares[0]} of the queue"]
        inner = zip(actions[1:-1], shares[1:], strict=True)
        parts += [f"{action} the next to {share}" for action, share in inner]
        rest = actions[-1]
    else:
        shown = thresholds_shown(*cuts)
        parts = [f"{actions[-1]} scores above {shown[-1]}"]
        inner = zip(actions[-2:0:-1], shown[-2::-1], strict=True)
        parts += [f"{action} those above {cut}" for action, cut in inner]
        rest = actions[0]
    return ", ".join([*parts, f"{rest} the rest"] if with_rest else parts)


def drawn_words(first: float, second: float, chance: float) -> str:
    """Flagging scores above the first of two thresholds by chance, and else above the second."""
    low, high = first, second
    if low > high:
        low, high, chance = high, low, 1 - chance
    lower, upper = thresholds_shown(low, high)
    sometimes = "all others" if low == -np.inf else f"those above {lower}"
    if high == np.inf:
        sometimes = "everybody" if low == -np.inf else f"scores above {lower}"
        return f"flag {sometimes} with probability {chance:g}"
    return f"flag scores above {upper}, and {sometimes} with probability {chance:g}"
