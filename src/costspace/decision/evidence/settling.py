"""How many rows would tell which of two ways costs less, and what a wrong choice costs."""

from math import exp, inf, pi, sqrt

from costspace.decision.evidence.money_evidence import (
    MoneyDifference,
    MoneyEvidence,
    StrategyMoney,
)
from costspace.decision.fitting.choosing import Choosing
from costspace.estimates.interval import normal_quantile
from costspace.special import ndtr, ndtri

# The chance to tell a saving that is there.
POWER = 0.8


def nearest_rival(choosing: Choosing, evidence: MoneyEvidence) -> StrategyMoney | None:
    """The cheapest that the rows do not tell from what is chosen: it has a difference.

    Thresholds of the chosen model are no rivals, but for the rule in use.
    """
    own = {*choosing.own_models} if choosing.best.strategy.model is not None else set[str]()
    for priced in choosing.in_order[1:]:
        one, strategy = evidence.of(priced.strategy), priced.strategy
        if one is None or one.more is None or one.more.none:
            continue
        rival = strategy == choosing.task.baseline or strategy.model not in own
        if rival and not evidence.tells(one.more):
            return one
    return None


def rows_that_tell(
    one: StrategyMoney, choosing: Choosing, evidence: MoneyEvidence, saving: float
) -> float:
    """How many rows in all would tell a rival's difference, were it that saving, by its test."""
    if one.more is None:
        return inf
    tests = evidence.comparisons if one.in_family else 1
    if one.strategy == choosing.task.baseline:
        # Holm's first step: every model is compared with the rule in use.
        tests = len(choosing.of_models)
    return rows_to_settle(one.more, saving, evidence.n, level=evidence.level, tests=tests)


def rows_to_settle(
    more: MoneyDifference, saving: float, rows: float, *, level: float, tests: int = 1
) -> float:
    """How many rows tell a saving from none with a chance of 80 %.

    Parameters
    ----------
    more : MoneyDifference
        What one way costs more on `rows`, with its errors.
    saving : float
        In the unit of `more`; infinitely many rows tell 0.
    level : float in (0, 1)
        The test is two-sided, at 1 - level.
    tests : int
        How many comparisons it is one of, by Bonferroni.

    Notes
    -----
    Of n times as many rows the square of the error is that of sampling over n, and what is added
    to it over n squared.
    """
    if saving == 0:
        return inf
    quantile = normal_quantile(1 - (1 - level) / tests) + float(ndtri(POWER))
    error = more.standard_error
    if error == 0:
        return 0.0
    times, seen = quantile * error / saving, more.sampling_error / error
    half = times * seen * seen / 2
    return rows * times * (half + sqrt(max(1 - seen * seen, 0.0) + half * half))


def value_of_two(more: float, error: float) -> float:
    """What it is worth to learn which of two ways costs less, in the unit of both.

    Parameters
    ----------
    more : float
        What the one that is not taken is thought to cost more; not negative.
    error : float
        The standard deviation of what will then be thought: of m rows beside n, where a row varies
        by `sd`, sd sqrt(m / (n (n + m))), and sd / sqrt(n) if everything is learnt.

    Notes
    -----
    Raiffa and Schlaifer (1961), Applied Statistical Decision Theory, Section 5.4: the unit normal
    loss integral.
    """
    if error <= 0:
        return 0.0
    at = more / error
    return error * exp(-at * at / 2) / sqrt(2 * pi) - more * float(ndtr(-at))
