"""How well the held-out rows tell what each strategy costs, and which costs least."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray

from costspace.decision.rules.rule import Rule
from costspace.decision.strategy import Strategy
from costspace.decision.words import alone_shown, estimate_shown, exact_shown
from costspace.notebook import OneRow, Tabulated


@final
@dataclass(frozen=True)
class MoneyDifference(OneRow):
    """What one way of working costs more than another on the same rows: what the other saves.

    Attributes
    ----------
    difference : float
        Per 1,000 cases; negative if it costs less.
    standard_error : float
        Not negative; 0 if the rows show no variation of it; NaN without an interval.
    sampling_error : float
        The part of that which the rows show: its square falls as their number grows. The rest is
        what rows not seen and choosing may add, whose square falls as the square of their number.
    low, high : float
        Ends of its interval, of this comparison alone; NaN if there is none.
    p : float
        In [0, 1]: two-sided p-value of there being no difference; NaN without an interval, and
        between two thresholds of one model, which rows that choose them say little of.
    p_adjusted : float
        The same, adjusted for how many models and thresholds are compared; of flagging nobody or
        everybody as it is.
    method : {"linear", "logit", "score", "cubic", "unseen", "known", "none"}
        How the interval was found: "unseen" where the rows show no variation, "known" where the
        conditions alone say what both cost, or both do the same. Where they say what one costs it
        is that of the other.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=2, prevalence=0.5)
    >>> evidence = cs.decide(y, {"model": s}, conditions=known).evidence
    >>> evidence.strategies[0].strategy.name, evidence.strategies[0].more.difference
    ('flag_nobody', 600.0)
    """

    difference: float
    standard_error: float
    sampling_error: float
    low: float
    high: float
    p: float
    p_adjusted: float
    method: str

    @classmethod
    def without_interval(cls, difference: float) -> Self:
        """Where rows are too few to tell how sure it is."""
        return cls(difference, *(np.nan,) * 6, "none")

    @property
    def none(self) -> bool:
        """Whether both make the same decisions on the rows."""
        return self.difference == self.standard_error == 0

    @property
    def turned(self) -> Self:
        """What the other costs more."""
        return replace(self, difference=-self.difference, low=-self.high, high=-self.low)


# What does the same as the recommended one costs no more, and that is no matter of rows.
SAME = MoneyDifference(0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, "known")


@final
@dataclass(frozen=True)
class StrategyMoney(Tabulated):
    """The cost of a strategy, with its uncertainty.

    Attributes
    ----------
    strategy : Strategy
    rule : Rule or None
        The rule itself, if one serves all conditions: one is known, or it looks at none.
    money : float
        Per 1,000 cases, on held-out rows; of a strategy with a model with the margin of the
        evidence.
    standard_error : float
        Not negative; 0 if the rows show no variation, or the conditions alone say what it costs;
        NaN if the rows allow no intervals.
    low, high : float
        Ends of its interval; NaN if there is none.
    method : {"logit", "score", "cubic", "known", "none"}
        How the interval was found: on the scale of the logit where the prevalence is given, as a
        share of rows where it is estimated, with a cubic for skewness where amounts vary; "known"
        where the conditions alone say what it costs.
    more : MoneyDifference or None
        What it costs more than the recommended one; None for that itself, and without intervals.
    same_as : Strategy or None
        The strategy that it does the same as on all rows, and whose money this is, if there is one:
        rows cannot tell the two apart.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=2, prevalence=0.5)
    >>> evidence = cs.decide(
    ...     y, {"model": s}, conditions=known, baseline=("model", 0.5)
    ... ).evidence
    >>> in_use = next(one for one in evidence.strategies if one.strategy.name == "baseline")
    >>> round(in_use.money, 1), round(in_use.standard_error, 1), in_use.method
    (500.0, 222.1, 'logit')
    """

    strategy: Strategy
    rule: Rule | None
    money: float
    standard_error: float
    low: float
    high: float
    method: str
    more: MoneyDifference | None
    same_as: Strategy | None = None

    @property
    def in_family(self) -> bool:
        """Whether it is compared with the recommended one by a p-value that is adjusted."""
        with_model = self.strategy.model is not None and self.same_as is None
        return with_model and self.more is not None and not np.isnan(self.more.p)

    @property
    def shown(self) -> tuple[str, str]:
        """Its cost and interval in words."""
        if self.method == "none":
            return alone_shown(self.money), ""
        if self.method != "known":
            return estimate_shown(self.money, self.low, self.high)
        return exact_shown(self.money), "exact"

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row, without the difference."""
        return columns_of([self])


@final
@dataclass(frozen=True)
class MoneyEvidence(Tabulated):
    """The cost of each strategy with intervals, and its difference from the recommended one.

    Rows are those that strategies are compared on, each judged by a rule chosen without it. The
    rules are taken as they are: what varies is the rows of each class. How many there are counts
    where the conditions give no prevalence, so that it is estimated from the rows; else prevalence
    and costs are taken as known, or as distributed, as the conditions say.

    With costs for each case the mean costs of either class are those of the rows and vary with
    them: a row's share is what it costs itself, in right decisions too, and under rules that need
    no model. The condition that thresholds are set to is taken as known nevertheless.

    Attributes
    ----------
    strategies : tuple of StrategyMoney
        Trivial rules first, if the constraints allow them.
    level : float in (0, 1)
        Confidence level of each interval.
    correction : {"bonferroni"}
        How p-values are adjusted: multiplied by the number of models and thresholds that the
        recommended one is compared with, each once of those that do the same on all rows.
    design : {"stratified", "independent"}
        Class sizes are fixed, or the prevalence is estimated from them.
    n : int
        Number of rows, but for those of weight 0.
    reason : str or None
        Why there are no intervals.
    units : int
        How many rows the rarer class has, or as many groups of equal size tell as much.
    selection : float
        How much less per 1,000 cases the recommended one seems to cost on the rows that it was
        chosen on than on held-out rows; not negative.
    margin : float
        What the cost of every strategy with a model includes for the luck of the best of several,
        per 1,000 cases; not negative. Flagging nobody and everybody and the rule in use, which are
        not chosen among them, have none, and neither has what does the same on all rows.

    Notes
    -----
    See `Choosing` for the margin, and `money_interval` for intervals. p-values are multiplied by
    the number of models and thresholds that the recommended one is compared with: if others are
    ruled out as the best where theirs is below 1 - level, the truly best one is ruled out with at
    most that chance: Hsu (1984), Annals of Statistics 12, multiple comparisons with the best.
    Whether a model is worth using at all is one question, asked of flagging nobody and everybody:
    those p-values are not multiplied. Against the rule in use they are those of `compare_money`.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=2, prevalence=0.5)
    >>> evidence = cs.decide(y, {"model": s}, conditions=known).evidence
    >>> [str(one.strategy) for one in evidence.strategies if one.more is None]
    ['model, score_driven']
    """

    strategies: Sequence[StrategyMoney]
    level: float
    correction: str
    design: str
    n: int
    reason: str | None
    units: int
    selection: float = 0.0
    margin: float = 0.0

    def of(self, strategy: Strategy) -> StrategyMoney | None:
        """What is known of one strategy; None if there are no intervals."""
        if self.reason is not None:
            return None
        return next((one for one in self.strategies if one.strategy == strategy), None)

    def cost(self, strategy: Strategy) -> float:
        """What one of the strategies costs, whether there are intervals or not."""
        return next(one.money for one in self.strategies if one.strategy == strategy)

    def more(self, strategy: Strategy) -> MoneyDifference | None:
        """What one costs more than the recommended; None if there is no interval of that."""
        one = self.of(strategy)
        return None if one is None else one.more

    def settles(self, more: MoneyDifference) -> bool:
        """Whether the data tell one from the recommended, all comparisons allowed for."""
        return more.p_adjusted < 1 - self.level

    def is_clear(self, more: MoneyDifference) -> bool:
        """Whether an interval on one side of 0 is no luck of many comparisons.

        Between two thresholds of one model there is no p, and nothing to allow for.
        """
        return self.settles(more) or self.same_model(more)

    def tells(self, more: MoneyDifference) -> bool:
        """Whether the data tell two apart: thresholds of one model by their interval alone."""
        if self.same_model(more):
            return more.low > 0 or more.high < 0
        return self.settles(more)

    @property
    def comparisons(self) -> int:
        """With how many others the recommended one is compared by p-values that allow for it."""
        return sum(one.in_family for one in self.strategies)

    def same_model(self, more: MoneyDifference) -> bool:
        """Whether it is between two thresholds of one model, of which there is no p."""
        return bool(np.isnan(more.p))

    def said(self, value: float, one: StrategyMoney | MoneyDifference) -> str:
        """An amount with its interval, in words."""
        amount, ends = estimate_shown(value, one.low, one.high)
        return f"{amount} ({100 * self.level:g} % interval {ends})"

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a strategy; those of the difference are NaN for the recommended one."""
        columns = columns_of(self.strategies)
        for name in ("difference", "standard_error", "low", "high", "p", "p_adjusted"):
            columns[name if name == "difference" else f"difference_{name}"] = np.array(
                [np.nan if one.more is None else getattr(one.more, name) for one in self.strategies]
            )
        return columns

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        found: dict[str, Any] = {
            "level": self.level,
            "correction": self.correction,
            "design": self.design,
            "rows": self.n,
            "margin": self.margin,
        }
        return found if self.reason is None else {**found, "reason": self.reason}


def columns_of(found: Sequence[StrategyMoney]) -> dict[str, NDArray[Any]]:
    """One row a strategy, without the differences."""
    strategies = [one.strategy for one in found]
    own = ("money", "standard_error", "low", "high", "method")
    return {
        "model": np.array([strategy.model or "" for strategy in strategies]),
        "choice": np.array([strategy.name for strategy in strategies]),
        **{name: np.array([getattr(one, name) for one in found]) for name in own},
    }
