"""What reviewing cases saves, or that it is not worth it."""

import numpy as np

from costspace.decision.evidence.money_evidence import MoneyEvidence
from costspace.decision.evidence.outcomes import outcomes_of
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.task import Task
from costspace.decision.words import alone_shown, estimate_shown, sides_shown


def review_told(choosing: Choosing, evidence: MoneyEvidence) -> str:
    """What reviews save against the best without, or cost more than it; "" if there are none."""
    if choosing.task.conditions.review is None:
        return ""
    if not choosing.task.reviews:
        most = most_worth(choosing.task)
        return f"No review is worth it: it would have to cost less than {most}."
    other = choosing.best_otherwise
    return "" if other is None else _against(choosing, other, evidence)


def _against(choosing: Choosing, other: FittedStrategy, evidence: MoneyEvidence) -> str:
    """What is chosen saves against the best that reviews, or does not, if it is the other way."""
    best, more = choosing.best, evidence.more(other.strategy)
    if more is None:
        saved = choosing.priced(other).money - choosing.priced(best).money
        if best.strategy.reviews:
            return f"Reviews seem to save {alone_shown(saved)} against the best without."
        return f"With reviews it seems to cost {alone_shown(saved)} more."
    if not best.strategy.reviews and not np.any(other.reviewed):
        return "No case is reviewed: none finds a place, or none is worth it."
    if not best.strategy.reviews:
        amount, ends = sides_shown(more.difference, more.low, more.high, "more", "less")
        worth = "are not" if more.low > 0 else "are not shown to be"
        return f"Reviews {worth} worth it: with them it costs {amount} ({ends})."
    if more.low > 0:
        amount, ends = estimate_shown(more.difference, more.low, more.high)
        return f"Reviews save {amount} ({ends}) against the best without."
    amount, ends = sides_shown(more.difference, more.low, more.high, "saved", "lost")
    return f"Reviews are not shown to save money against the best without: {amount} ({ends})."


def share_reviewed(stated: FittedStrategy) -> str:
    """How many cases are reviewed, if some may be."""
    if not stated.strategy.reviews or stated.strategy.model is None:
        return ""
    count = outcomes_of(stated).reviewed
    if count is None:
        return ""
    if count.low is None or count.high is None:
        return f"Of 1,000 cases {alone_shown(count.value)} are reviewed."
    amount, ends = estimate_shown(count.value, count.low, count.high)
    return f"Of 1,000 cases {amount} ({ends}) are reviewed."


def place_worth(stated: FittedStrategy) -> str:
    """What one more review is worth, where there is room for so many."""
    price = stated.price
    return f"One more place for a review is worth {alone_shown(price)}." if price > 0 else ""


def most_worth(task: Task) -> str:
    """What a review may cost at most to be worth it at some probability, by the mean costs."""
    conditions, p = task.conditions, task.conditions.mean_prevalence
    review = conditions.review
    wrong, missed = conditions.negative_stake / (1 - p), conditions.positive_stake / p
    return alone_shown(0.0 if review is None else max(review.most(wrong, missed), 0.0))
