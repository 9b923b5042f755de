"""Case-dependent costs of decisions."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import (
    BoolArray,
    FloatArray,
    Floats,
    FrozenValue,
    IndexArray,
    hold,
    plain,
    read_only,
)
from costspace.checks import MONEY, by_how_much, check_prevalence, check_rates, undecided
from costspace.deferral import deferred_calls
from costspace.deployment.conditions import COSTS
from costspace.errors import ConditionError, brief
from costspace.samples.order import Indexed, index_of
from costspace.samples.validation import cost_array

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.deployment.review import Review


@final
@dataclass(frozen=True, eq=False, repr=False)
class CaseCosts(FrozenValue):
    """The cost of each decision on each case.

    Parameters
    ----------
    fp_cost, fn_cost : float or array of shape (n,)
        Cost of flagging the case if it is negative, and of not flagging it if it is positive.
    tp_cost, tn_cost : float or array of shape (n,)
        Cost of flagging it if it is positive, and of not flagging it if it is negative: of
        correct decisions, negative for a gain.

    Raises
    ------
    ConditionError
        If costs are not finite numbers or differ in shape, or a mistake on a case does not cost
        more than the correct decision: ``fp_cost > tn_cost`` and ``fn_cost > tp_cost``. Some of
        several cases may have ``fn_cost <= tp_cost``: flagging these is never worth it, so that
        `decide` and `apply` pass them; metrics refuse them.

    Notes
    -----
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI: the cost matrix of a
    case, and the conditions under which it is reasonable. The costs of the other class are
    needed too: the Bayes rule uses all four.

    Examples
    --------
    >>> costs = CaseCosts(fp_cost=[5, 5, 20], fn_cost=[100, 300, 40], tp_cost=5)
    >>> costs
    CaseCosts(3 rows)
    >>> costs.net_fp_cost, costs.net_fn_cost
    (array([ 5.,  5., 20.]), array([ 95., 295.,  35.]))
    """

    fp_cost: ArrayLike
    fn_cost: ArrayLike
    tp_cost: ArrayLike = 0.0
    tn_cost: ArrayLike = 0.0
    # Of the first costs that pandas has.
    order: Indexed | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        costs = {name: cost_array(getattr(self, name), name) for name in COSTS}
        if len({np.shape(cost) for cost in costs.values()} - {()}) > 1:
            sizes = ", ".join(f"{np.size(cost)} of {name}" for name, cost in costs.items())
            raise ConditionError(f"costs must be one number or one a row, got {sizes}.")
        indices = (index_of(getattr(self, name)) for name in COSTS)
        order = next((Indexed(index) for index in indices if index is not None), None)
        hold(self, order=order, **costs)
        _check_above("fp_cost", "tn_cost", costs)
        _check_above("fn_cost", "tp_cost", costs, or_less=True)

    def __repr__(self) -> str:
        if self.rows is None:
            return f"CaseCosts({', '.join(f'{name}={getattr(self, name):g}' for name in COSTS)})"
        return f"CaseCosts({self.rows} rows)"

    @property
    def rows(self) -> int | None:
        """The number of rows; None if the costs are the same for all rows."""
        return max((len(array) for array in self._arrays if array.ndim), default=None)

    @property
    def net_fp_cost(self) -> FloatArray:
        """Effective cost of flagging each negative case, fp_cost - tn_cost; positive."""
        return np.asarray(np.subtract(self.fp_cost, self.tn_cost))

    @property
    def net_fn_cost(self) -> FloatArray:
        """Effective cost of not flagging each positive case, fn_cost - tp_cost.

        Positive, but for cases that are never worth flagging.
        """
        return np.asarray(np.subtract(self.fn_cost, self.tp_cost))

    @cached_property
    def worth_flagging(self) -> BoolArray | None:
        """Which cases flagging may be worth it of; None if it may of all."""
        worth = self.net_fn_cost > 0
        return None if worth.all() else worth

    @property
    def all_worth(self) -> CaseCosts:
        """The same costs, or `ConditionError` unless flagging may be worth it of all cases."""
        if self.worth_flagging is not None:
            _check_above("fn_cost", "tp_cost", {name: getattr(self, name) for name in COSTS})
        return self

    def of_flags(self, flagged: BoolArray, positive: BoolArray) -> FloatArray:
        """The cost of each case if these are flagged."""
        if_positive = np.where(flagged, self.tp_cost, self.fn_cost)
        return np.where(positive, if_positive, np.where(flagged, self.fp_cost, self.tn_cost))

    def take(self, rows: IndexArray) -> CaseCosts:
        """The costs of some of the rows, counted from 0."""
        return CaseCosts(*(array[rows] if array.ndim else array for array in self._arrays))

    def of_step(self, review: Review, step: int) -> CaseCosts:
        """The costs in one of the two decisions that three actions are, 0 or 1."""
        size = self.rows or 1
        split = review.split([np.broadcast_to(array, size) for array in self._arrays])
        fp_cost, fn_cost, tp_cost, tn_cost = split[step]
        return CaseCosts(fp_cost, fn_cost, tp_cost, tn_cost)

    def means(self, positive: BoolArray, weight: FloatArray | None = None) -> MeanCosts:
        """Mean costs of the rows of each class.

        Parameters
        ----------
        positive : boolean array of shape (n,)
            Whether a row belongs to the positive class.
        weight : array of shape (n,), optional
            Weight of each row.

        Returns
        -------
        MeanCosts
        """
        _, _, tp_cost, tn_cost = self._arrays
        return MeanCosts(
            net_fp_cost=_mean(self.net_fp_cost, ~positive, weight),
            net_fn_cost=_mean(self.net_fn_cost, positive, weight),
            tp_cost=_mean(tp_cost, positive, weight),
            tn_cost=_mean(tn_cost, ~positive, weight),
        )

    def check_rows(self, rows: int) -> None:
        """Raise `ConditionError` unless the costs are for so many rows."""
        if self.rows not in (None, rows):
            raise ConditionError(
                f"costs are for {self.rows} rows, and there are {rows} labels: give one a row."
            )

    def columns(self) -> dict[str, FloatArray]:
        """One row a case, or a single one; the names are those of every function's arguments."""
        arrays = np.broadcast_arrays(*self._arrays, np.empty(self.rows or 1))
        return {name: read_only(array) for name, array in zip(COSTS, arrays[:-1], strict=True)}

    @property
    def _arrays(self) -> list[FloatArray]:
        return [np.asarray(getattr(self, name)) for name in COSTS]


@final
@dataclass(frozen=True)
class MeanCosts:
    """The mean cost of each decision on a case of each class.

    With rates weighted by the cases' costs, `per_case` gives the cost as if all cases had these
    means.

    Attributes
    ----------
    net_fp_cost : float
        Effective cost of flagging a negative, positive.
    net_fn_cost : float
        Effective cost of not flagging a positive, positive.
    tp_cost, tn_cost : float
        Cost of the correct decision on a positive and on a negative.

    Notes
    -----
    Fawcett (2006), ROC graphs with instance-varying costs, Pattern Recognition Letters 27.

    Examples
    --------
    >>> import costspace as cs
    >>> means = cs.CaseCosts([1, 3, 2], 10, tp_cost=2).means(np.array([False, False, True]))
    >>> means.net_fp_cost, means.net_fn_cost, means.fn_cost
    (2.0, 8.0, 10.0)
    >>> means.per_case(prevalence=0.5, fpr=0.0, fnr=1.0)
    5.0
    """

    net_fp_cost: float
    net_fn_cost: float
    tp_cost: float = 0.0
    tn_cost: float = 0.0

    @property
    def fp_cost(self) -> float:
        """Cost of flagging a negative."""
        return self.net_fp_cost + self.tn_cost

    @property
    def fn_cost(self) -> float:
        """Cost of not flagging a positive."""
        return self.net_fn_cost + self.tp_cost

    def per_case(self, prevalence: float, fpr: ArrayLike, fnr: ArrayLike) -> Floats:
        """Mean cost of a case, pi0 (net_fp_cost FPR + tn_cost) + pi1 (net_fn_cost FNR + tp_cost).

        Parameters
        ----------
        prevalence : float in (0, 1)
            Share of positives.
        fpr, fnr : float or array in [0, 1]
            Rates weighted by what a mistake on each case costs.

        Returns
        -------
        float or array
            Cost per case; smaller is better.

        Raises
        ------
        ConditionError
            If the prevalence is not inside (0, 1) or the rates not in [0, 1].
        """
        p = check_prevalence(prevalence)
        fpr, fnr = check_rates(fpr, fnr)
        on_negatives = self.net_fp_cost * fpr + self.tn_cost
        return plain((1 - p) * on_negatives + p * (self.net_fn_cost * fnr + self.tp_cost))

    def columns(self) -> dict[str, FloatArray]:
        """One row."""
        return {field.name: np.array([getattr(self, field.name)]) for field in fields(self)}


def check_case_costs(costs: object) -> CaseCosts:
    """Return costs of each case, or `ConditionError` unless they are `CaseCosts`."""
    if not isinstance(costs, CaseCosts):
        raise ConditionError(
            f"case_costs must be CaseCosts, got {brief(costs)}: give CaseCosts(fp_cost, fn_cost), "
            "each one number or one for each row."
        )
    return costs


def _mean(costs: FloatArray, rows: BoolArray, weight: FloatArray | None) -> float:
    if costs.ndim == 0:
        return float(costs)
    return float(np.average(costs[rows], weights=None if weight is None else weight[rows]))


def _check_above(
    mistake: str, correct: str, costs: dict[str, Floats], *, or_less: bool = False
) -> None:
    """Raise `ConditionError` unless the mistake costs more than the correct decision.

    On some of several cases it may cost as much `or_less`.
    """
    high, low = np.broadcast_arrays(costs[mistake], costs[correct])
    with np.errstate(over="ignore"):
        gap = high - low
    fair = (gap >= MONEY[0]) & (gap <= MONEY[1])
    if fair.ndim and or_less:
        fair |= gap <= 0
    if fair.all():
        return
    row = int(np.argmin(fair))
    place = f" in row {row + 1}" if fair.ndim else ""
    advice = f" {undecided(mistake)}" if fair.ndim else ""
    raise ConditionError(
        f"{mistake} must be above {correct}{by_how_much(gap.flat[row])}, got "
        f"{high.flat[row]:g} and {low.flat[row]:g}{place}: a mistake must cost more than the "
        f"correct decision.{advice}"
    )
