"""Finitely many conditions, each with its weight."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, FrozenValue, IndexArray, read_only
from costspace.checks import MONEY, by_how_much
from costspace.costs import CostDistribution, Point, Sampled
from costspace.costs.base import check_weights
from costspace.deployment.bounds import Range, Stakes
from costspace.deployment.conditions import COSTS, Band, JointConditions, OfPrevalence
from costspace.deployment.prevalence import band_of_each
from costspace.deployment.review import Review, check_review
from costspace.errors import ConditionError, brief

_PARTS = (*COSTS, "prevalence")


@final
@dataclass(frozen=True, eq=False, repr=False)
class Scenarios(FrozenValue, JointConditions):
    """A list of operating conditions, in which costs and prevalence may vary together.

    Parameters
    ----------
    fp_cost, fn_cost : float or array of shape (m,)
        Cost of one false positive and of one false negative, in any common unit.
    prevalence : float or array of shape (m,), inside (0, 1)
        Share of positives.
    tp_cost, tn_cost : float or array of shape (m,)
        Cost of one true positive and of one true negative, negative for a gain. Below fn_cost and
        fp_cost.
    weights : array of shape (m,), optional
        Non-negative, not all zero; equal by default. They are scaled to sum to 1.
    review : Review, optional
        What it costs in each of them that a person looks at a case first.

    Attributes
    ----------
    fp_cost, fn_cost, prevalence, tp_cost, tn_cost, weights : arrays of shape (m,)
        One entry for each scenario.

    Raises
    ------
    ConditionError
        If a value is not a number, the lengths differ, a prevalence is not inside (0, 1), a mistake
        does not cost more than the correct decision, or the weights are invalid.

    Examples
    --------
    In bad years fraud is more frequent and costs more:

    >>> import costspace as cs
    >>> years = cs.Scenarios(fp_cost=1, fn_cost=[50, 500], prevalence=[0.01, 0.1], weights=[3, 1])
    >>> years
    Scenarios(2 conditions, skew 0.0176817 to 0.66443)
    >>> round(years.stake, 4)
    13.8425
    >>> round(years.skews().mean(), 4), round(years.skews(staked=False).mean(), 4)
    (0.0699, 0.5027)
    """

    fp_cost: ArrayLike
    fn_cost: ArrayLike
    prevalence: ArrayLike
    tp_cost: ArrayLike = 0.0
    tn_cost: ArrayLike = 0.0
    weights: ArrayLike | None = None
    review: Review | None = None

    def __post_init__(self) -> None:
        parts = dict(zip(_PARTS, self._broadcast(), strict=True))
        p = parts["prevalence"]
        if not np.all((p > 0) & (p < 1)):
            raise ConditionError(f"prevalence must be in (0, 1), got {brief(self.prevalence)}.")
        for wrong, right in (("fp_cost", "tn_cost"), ("fn_cost", "tp_cost")):
            with np.errstate(over="ignore"):
                gap = parts[wrong] - parts[right]
            fair = (gap >= MONEY[0]) & (gap <= MONEY[1])
            if not fair.all():
                i = int(np.argmin(fair))
                raise ConditionError(
                    f"{wrong} must be above {right}{by_how_much(gap[i])} in every scenario, got "
                    f"{parts[wrong][i]:g} and {parts[right][i]:g} in scenario {i}."
                )
        w = np.ones(len(p))
        if self.weights is not None:
            w = check_weights("Scenarios", self.weights, len(p))
        w = w / w.max()
        for name, values in (*parts.items(), ("weights", w / w.sum())):
            object.__setattr__(self, name, read_only(values))
        check_review(self.review)

    def _broadcast(self) -> list[FloatArray]:
        """The parts as new arrays of the same length."""
        found = []
        for name in _PARTS:
            value = getattr(self, name)
            try:
                array = np.atleast_1d(np.array(value, dtype=float))
            except (TypeError, ValueError):
                array = np.full(1, np.nan)
            if array.ndim != 1 or array.size == 0 or not np.all(np.isfinite(array)):
                raise ConditionError(
                    f"{name} must be a number or a list of numbers, got {brief(value)}."
                )
            found.append(array)
        sizes = {len(array) for array in found} - {1}
        if len(sizes) > 1:
            raise ConditionError(
                f"the parts of Scenarios must have the same length, got {sorted(sizes)}."
            )
        return [np.array(array) for array in np.broadcast_arrays(*found)]

    def __repr__(self) -> str:
        span = self.skew_range
        return f"Scenarios({len(self._weights)} conditions, skew {span.low:.6g} to {span.high:.6g})"

    def columns(self) -> dict[str, FloatArray]:
        return {name: self._of(name) for name in (*_PARTS, "weights")}

    def _of(self, name: str) -> FloatArray:
        return np.asarray(getattr(self, name))

    @property
    def _weights(self) -> FloatArray:
        return self._of("weights")

    @property
    def _a(self) -> FloatArray:
        return self._of("fp_cost") - self._of("tn_cost")

    @property
    def _b(self) -> FloatArray:
        return self._of("fn_cost") - self._of("tp_cost")

    @cached_property
    def _stakes(self) -> Stakes:
        p = self._of("prevalence")
        return Stakes((1 - p) * self._a, p * self._b)

    @property
    def _skews(self) -> FloatArray:
        return 1 / (1 + self._stakes.positive / self._stakes.negative)

    @property
    def stakes(self) -> FloatArray:
        negative, positive = self._stakes.negative, self._stakes.positive
        return np.array([[0.0, self._weights @ negative], [self._weights @ positive, 0.0]])

    @property
    def of_right(self) -> tuple[float, float]:
        p = self._of("prevalence")
        on_negatives, on_positives = (1 - p) * self._of("tn_cost"), p * self._of("tp_cost")
        return float(self._weights @ on_negatives), float(self._weights @ on_positives)

    @property
    def mean_prevalence(self) -> float:
        return float(self._weights @ self._of("prevalence"))

    @property
    def prevalence_range(self) -> Range:
        return self.bounds_of("prevalence")

    @property
    def skew_range(self) -> Range:
        return self._range(self._skews)

    def bounds_of(self, part: str) -> Range:
        return self._range(self._of(part))

    @property
    def corners(self) -> FloatArray:
        """Each scenario that occurs."""
        parts = (*COSTS, "prevalence")
        return np.array([self._of(name)[self._weights > 0] for name in parts])

    def _range(self, values: FloatArray) -> Range:
        seen = values[self._weights > 0]
        return Range(float(seen.min()), float(seen.max()))

    def skews(self, *, staked: bool = True) -> CostDistribution:
        stakes = self._stakes.negative + self._stakes.positive if staked else 1.0
        return sampled(self._skews, self._weights * stakes)

    def skews_of_class(self, *, positive: bool) -> CostDistribution:
        p = self._of("prevalence")
        return sampled(self._skews, self._weights * (p if positive else 1 - p))

    def over_prevalence(self, f: OfPrevalence) -> float:
        size, c = self._a + self._b, 1 / (1 + self._b / self._a)
        total = 0.0
        for prevalence, rows in self._alike(("prevalence",)):
            w = self._weights[rows]
            if w.any():
                costs = sampled(c[rows], w * size[rows])
                total += w.sum() * f(float(prevalence[0]), costs, float(w @ size[rows] / w.sum()))
        return float(total)

    def _alike(self, names: tuple[str, ...]) -> list[tuple[FloatArray, IndexArray]]:
        """The distinct values of some parts, and the scenarios that have them."""
        if not names:
            return [(np.zeros(0), np.arange(len(self._weights)))]
        table = np.stack([self._of(name) for name in names], axis=1)
        values, which = np.unique(table, axis=0, return_inverse=True)
        order = np.argsort(which.ravel(), kind="stable")
        counts = np.bincount(which.ravel())
        return list(zip(values, np.split(order, np.cumsum(counts)[:-1]), strict=True))

    def averaging(self, *, costs: bool = False, prevalence: bool = False) -> Scenarios:
        known = (() if costs else COSTS) + (() if prevalence else ("prevalence",))
        groups = [rows for _, rows in self._alike(known) if self._weights[rows].any()]
        starts = np.cumsum([0, *(len(rows) for rows in groups[:-1])])
        order = np.concatenate(groups)

        def total(values: FloatArray) -> FloatArray:
            return np.add.reduceat(values[order], starts)

        w, p = self._weights, self._of("prevalence")
        weights = total(w)
        # A cost is weighted by the share of its class.
        of_negatives, of_positives = total(w * (1 - p)), total(w * p)
        means = {
            name: total(w * share * self._of(name)) / counted
            for name, share, counted in (
                ("fp_cost", 1 - p, of_negatives),
                ("fn_cost", p, of_positives),
                ("tp_cost", p, of_positives),
                ("tn_cost", 1 - p, of_negatives),
            )
        }
        p = of_positives / weights
        return Scenarios(**means, prevalence=p, weights=weights, review=self.review)

    def where_rarer(self, prevalence: FloatArray, *, cases: bool = False) -> Stakes:
        w, p = self._weights, self._of("prevalence")
        order = np.argsort(p)
        counted = np.searchsorted(p[order], prevalence, side="right")
        parts = (1 - p, p) if cases else (self._stakes.negative, self._stakes.positive)
        return Stakes(*(np.append(0.0, np.cumsum((w * part)[order]))[counted] for part in parts))

    def bands(self, count: int) -> list[Band]:
        which = band_of_each(self._of("prevalence"), self._weights, count)
        found = []
        for index in range(which.max() + 1):
            rows = which == index
            parts = {name: self._of(name)[rows] for name in (*_PARTS, "weights")}
            if parts["weights"].any():
                share = float(parts["weights"].sum())
                found.append(Band(Scenarios(**parts, review=self.review), share))
        return found

    @property
    def assumptions(self) -> tuple[str, ...]:
        m = len(self._weights)
        alike = "all equally likely" if np.ptp(self._weights) == 0 else "by weight"
        reviewed = () if self.review is None else self.review.assumptions
        return f"costs and prevalence vary together: {m} scenarios, {alike}", *reviewed

    @property
    def steps(self) -> tuple[JointConditions, ...]:
        if self.review is None:
            return (self,)
        if not self.review.pays(self._a, self._b)[self._weights > 0].any():
            return (replace(self, review=None),)
        split = self.review.split([self._of(name) for name in COSTS])
        return tuple(
            Scenarios(fp, fn, self.prevalence, tp, tn, self.weights) for fp, fn, tp, tn in split
        )


def sampled(values: FloatArray, weights: FloatArray) -> CostDistribution:
    """The distribution on finitely many conditions; `Point` if there is only one."""
    seen = values[weights > 0]
    return Point(float(seen[0])) if seen.min() == seen.max() else Sampled(values, weights)
