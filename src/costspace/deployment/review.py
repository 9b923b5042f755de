"""A third action: a person looks at a case, at a cost, and decides it with errors of their own."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenDict, FrozenValue
from costspace.checks import MONEY, check_number
from costspace.deployment.actions import ACTIONS, FLAG, PASS, REVIEW
from costspace.deployment.amounts import Amount, Between, Drawn, Uncertain
from costspace.deployment.cost_table import CostTable
from costspace.deployment.parts import as_cost, number_or_bounds
from costspace.errors import ConditionError, brief

CostValue = TypeVar("CostValue", float, FloatArray)


@final
@dataclass(frozen=True)
class ReviewStep:
    """The costs of one of the two decisions that three actions are, from those of two.

    What flagging and passing cost on a class is multiplied by a factor, and that of the mistake
    moved by an amount.
    """

    negatives: tuple[float, float]
    positives: tuple[float, float]

    def of_mistakes(self, fp_cost: CostValue, fn_cost: CostValue) -> tuple[CostValue, CostValue]:
        """What a false positive and a false negative cost in it."""
        (scale, shift), (other, moved) = self.negatives, self.positives
        return scale * fp_cost + shift, other * fn_cost + moved

    def of_right(self, tp_cost: CostValue, tn_cost: CostValue) -> tuple[CostValue, CostValue]:
        """What a true positive and a true negative cost in it."""
        return self.positives[0] * tp_cost, self.negatives[0] * tn_cost


@final
@dataclass(frozen=True, eq=False, repr=False)
class Review(FrozenValue):
    """A person looks at a case before it is decided.

    Parameters
    ----------
    cost
        What one review costs, in the unit of the other costs, whatever it finds: a number above 0;
        ``(low, high)``, log-uniform between them; `Drawn` values; a `LogUniform`; or a frozen
        continuous scipy distribution.
    sensitivity, specificity, optional
        The share of positives, and of negatives, that the reviewer decides rightly, in [0, 1]: a
        number; ``(low, high)``, uniform between them; or `Drawn` values. They are taken to be the
        same for every score. By default a review makes no mistakes.

    Attributes
    ----------
    cost, sensitivity, specificity
        The distributions of the parts. Rules do not follow them, so that only their means count.

    Raises
    ------
    ConditionError
        If a part is none of these, the cost is not positive, or a rate is not in [0, 1].

    Notes
    -----
    Reviewing a negative costs the review and, where the reviewer is mistaken, a false positive:
    u = cost + (1 - specificity) fp; a positive v = cost + (1 - sensitivity) fn. With what passing
    and flagging cost these are three columns of a `CostTable`. Chow (1970), IEEE Transactions on
    Information Theory 16, for a perfect reviewer.

    Examples
    --------
    >>> import costspace as cs
    >>> review = cs.Review(cost=1, sensitivity=0.9)
    >>> review
    Review(cost=1, sensitivity=0.9)
    >>> review.table(fp_cost=2, fn_cost=10)
    CostTable(pass: 0, 10; review: 1, 2; flag: 2, 0)
    >>> cs.Review(cost=1.6).table(fp_cost=2, fn_cost=10).useful
    CostTable(pass: 0, 10; review: 1.6, 1.6; flag: 2, 0)
    >>> cs.Review(cost=1.8).table(fp_cost=2, fn_cost=10).useful
    CostTable(pass: 0, 10; flag: 2, 0)
    """

    cost: Uncertain
    sensitivity: Uncertain = 1.0
    specificity: Uncertain = 1.0

    def __post_init__(self) -> None:
        cost = as_cost("cost of a review", self.cost)
        if not cost.bounds.low >= MONEY[0] and not cost.bounds.high > cost.bounds.low >= 0:
            low = cost.bounds.low
            do = "give what one costs (--review-cost)" if low else "where it is free review all"
            raise ConditionError(f"the cost of a review must be above 0, got {low:g}: {do}.")
        object.__setattr__(self, "cost", cost)
        for name in ("sensitivity", "specificity"):
            object.__setattr__(self, name, _as_rate(name, getattr(self, name)))

    def __repr__(self) -> str:
        parts = [("cost", self.cost), *self._rates()]
        return f"Review({', '.join(f'{name}={amount.span}' for name, amount in parts)})"

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What is assumed of it, one part of a sentence each."""
        errs = [f"{name} {amount}" for name, amount in self._rates()]
        errors = ", ".join([*errs, "whatever the score"]) if errs else "a review makes no mistakes"
        return f"cost of a review {self.cost}", errors

    @property
    def varies(self) -> bool:
        """Whether a part may have several values."""
        return any(part.varies for part in (self.cost, self.sensitivity, self.specificity))

    @property
    def corners(self) -> FloatArray:
        """The ends of its parts, in all ways that they go together; shape (3, 8)."""
        bounds = (part.bounds for part in (self.cost, self.sensitivity, self.specificity))
        ends = np.meshgrid(*([one.low, one.high] for one in bounds), indexing="ij")
        return np.stack([grid.ravel() for grid in ends])

    def _rates(self) -> list[tuple[str, Amount]]:
        """The rates that are not 1."""
        rates = [("sensitivity", self.sensitivity), ("specificity", self.specificity)]
        return [(name, amount) for name, amount in rates if amount.mean != 1]

    def table(
        self, *, fp_cost: float, fn_cost: float, tp_cost: float = 0.0, tn_cost: float = 0.0
    ) -> CostTable:
        """What passing, reviewing and flagging cost, by the means of the parts.

        Parameters
        ----------
        fp_cost, fn_cost, tp_cost, tn_cost : float

        Returns
        -------
        CostTable
        """
        cost, found, kept = self.cost.mean, self.sensitivity.mean, self.specificity.mean
        reviewed = (
            cost + kept * tn_cost + (1 - kept) * fp_cost,
            cost + found * tp_cost + (1 - found) * fn_cost,
        )
        columns = zip((tn_cost, fn_cost), reviewed, (fp_cost, tp_cost), strict=True)
        return CostTable(list(columns), (PASS, REVIEW, FLAG))

    def priced(self, more: float) -> "Review":
        """The same where a review costs so much more."""
        return Review(self.cost.mean + more, self.sensitivity, self.specificity)

    @property
    def steps(self) -> tuple[ReviewStep, ReviewStep]:
        """The decision between passing and reviewing, and that between reviewing and flagging."""
        cost, found, kept = self.cost.mean, self.sensitivity.mean, self.specificity.mean
        return (
            ReviewStep((1 - kept, cost), (found, -cost)),
            ReviewStep((kept, -cost), (1 - found, cost)),
        )

    def split(self, costs: Sequence[FloatArray]) -> list[list[FloatArray]]:
        """What decisions cost in each step, of cases or conditions with costs of their own.

        Parameters
        ----------
        costs : four arrays of shape (n,)
            Of a false positive, a false negative, a true positive and a true negative.

        Returns
        -------
        list of two lists of four such arrays
            Where a review is not worth it both are half of what passing and flagging cost, so that
            the two are one decision.
        """
        fp, fn, tp, tn = costs
        pays = self.pays(fp - tn, fn - tp)
        return [
            [
                np.where(pays, own, cost / 2)
                for own, cost in zip(
                    (*step.of_mistakes(fp, fn), *step.of_right(tp, tn)), costs, strict=True
                )
            ]
            for step in self.steps
        ]

    def most(self, net_fp_cost: CostValue, net_fn_cost: CostValue) -> CostValue:
        """The cost from which on a review is worth it at no probability; not positive if never.

        Parameters
        ----------
        net_fp_cost, net_fn_cost : float or array
            What a false positive costs more than a true negative, and a false negative more than
            a true positive.
        """
        right = self.sensitivity.mean + self.specificity.mean - 1
        return right * (net_fp_cost / (net_fp_cost + net_fn_cost)) * net_fn_cost

    def pays(self, net_fp_cost: FloatArray, net_fn_cost: FloatArray) -> BoolArray:
        """Whether a review can cost least at some probability, at each of some costs."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.cost.mean < self.most(net_fp_cost, net_fn_cost))


def _as_rate(name: str, value: Uncertain) -> Amount:
    """A share of cases that are decided rightly, or `ConditionError`."""
    found = value
    if not isinstance(value, Drawn | Between):
        low, high = number_or_bounds(name, value, "or Drawn values")
        found = Drawn([low]) if low == high else Between(low, high)
    for bound in (found.bounds.low, found.bounds.high):
        check_number(name, bound, low=0, high=1)
    return found


def named_actions(names: Any, actions: Sequence[str]) -> FrozenDict[str, str]:
    """What each of some actions is called, or `ConditionError` unless each has a word of its own.

    In the same words as they have there are none.
    """
    # Sets have no order, and what a mapping means is its values' names.
    ordered = isinstance(names, Iterable) and not isinstance(names, str | set | frozenset | Mapping)
    listed = list(names) if ordered else []
    words = {name.strip() for name in listed if isinstance(name, str) and name.strip()}
    if len(words) != len(actions) or len(listed) != len(actions):
        raise ConditionError(
            f"actions (--actions) must be {len(actions)} different words, for "
            f"{', '.join(actions)} in this order, got {brief(names)}."
        )
    for word, own in zip(map(str, listed), actions, strict=True):
        if word in ACTIONS and word != own:
            raise ConditionError(
                f"actions (--actions) are words for {', '.join(actions)} in this order, and that "
                f"for {own} is {word!r}, which is another of them: take other words."
            )
    same = listed == list(actions)
    return FrozenDict({} if same else zip(actions, map(str, listed), strict=True))


def check_actions(names: Any, review: Review | None) -> FrozenDict[str, str]:
    """The same of all actions that there are with a review, or without one."""
    actions = (PASS, FLAG) if review is None else ACTIONS
    return named_actions(actions if names is None else names, actions)


def check_review(review: object) -> None:
    """`ConditionError` unless it is a `Review`, or None."""
    if review is not None and not isinstance(review, Review):
        raise ConditionError(
            f"review must be a Review, such as Review(cost=15), got {brief(review)}."
        )
