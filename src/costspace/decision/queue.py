"""A rule by share of a queue as one by score, for a queue that is known by its counts."""

import numpy as np

from costspace.arrays import FloatArray
from costspace.decision.rule import ROUNDING, Rule

# Below all other scores but -inf.
_LOWEST = -np.finfo(float).max


def by_score_in(rule: Rule, scores: FloatArray, counts: FloatArray) -> Rule:
    """What a rule does to the cases of a queue, by their scores.

    Parameters
    ----------
    rule : Rule
        By share, or by score and then returned as it is.
    scores : array of shape (k,)
        The distinct scores of the queue.
    counts : array of shape (k,)
        How many cases have each.
    """
    other = None if rule.otherwise is None else by_score_in(rule.otherwise, scores, counts)
    if rule.by == "score":
        return Rule(rule.cuts, rule.actions, otherwise=other, chance=rule.chance)
    order = np.argsort(scores)
    scores, counts = scores[order], counts[order]
    down_to = counts.sum() - np.cumsum(counts) + counts
    cuts: list[float] = []
    actions = [rule.actions[-1]]
    for share, action in zip(rule.cuts[::-1], rule.actions[-2::-1], strict=True):
        beyond = scores[down_to > share * counts.sum() * (1 + ROUNDING)]
        cut = max(beyond.max(), _LOWEST) if len(beyond) else -np.inf
        if cuts and cut == cuts[-1]:
            actions[-1] = action
        else:
            cuts.append(float(cut))
            actions.append(action)
    return Rule(cuts, actions, otherwise=other, chance=rule.chance)
