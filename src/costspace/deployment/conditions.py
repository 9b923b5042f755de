"""The joint distribution of costs and prevalence at deployment."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats, plain
from costspace.costs import CostDistribution
from costspace.deferral import deferred_calls
from costspace.deployment.bounds import Range, Stakes

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.deployment.review import Review

# The skew axis is the cost axis of balanced classes.
BALANCED = 0.5
# Costs are reported per so many cases.
CASES = 1000
# What wrong and right decisions cost, by the names of the arguments.
COSTS = ("fp_cost", "fn_cost", "tp_cost", "tn_cost")


class OfPrevalence(Protocol):
    """A function of a prevalence, the cost proportions that go with it, and their size."""

    def __call__(self, prevalence: float, costs: CostDistribution, size: float, /) -> float:
        """Return its value at one prevalence."""


class JointConditions(ABC):
    """A joint probability distribution of costs and prevalence.

    A condition is a prevalence pi1 with the cost of a false positive, a false negative, a true
    positive and a true negative. The effective costs of a false positive and a false negative are
    a = fp - tn and b = fn - tp. The stake is S = pi0 a + pi1 b, the skew is z = pi0 a / S and the
    cost proportion c = a / (a + b). So the cost of an operating point, per case, is

        pi0 a FPR + pi1 b FNR + pi0 tn + pi1 tp = S (z FPR + (1 - z) FNR) + pi0 tn + pi1 tp

    and the expected cost of a rule that depends only on the skew is determined by the skews
    weighted by their stakes, E[S], and the constant E[pi0 tn + pi1 tp].

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65, for the loss at a skew as the cost over the
    worst cost; Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2, note that
    conditions of the same skew may differ in size, and assume equal sizes, which is not assumed
    here.

    Examples
    --------
    A missed fraud costs 500 to 5000 times a false positive, and 0.1 to 1 % of cases are fraud:

    >>> import costspace as cs
    >>> known = cs.Deployment(fp_cost=1, fn_cost=(500, 5000), prevalence=(0.001, 0.01))
    >>> isinstance(known, cs.JointConditions)
    True
    >>> round(known.negative_stake / known.stake, 4)
    0.1152
    """

    @property
    @abstractmethod
    def stakes(self) -> FloatArray:
        """What each action costs on each class beyond the right one, per case.

        Returns
        -------
        array of shape (2, 2)
            A row for negatives and one for positives, a column for passing and one for flagging:
            [[0, E[pi0 a]], [E[pi1 b], 0]].
        """

    @property
    def negative_stake(self) -> float:
        """E[pi0 a], what flagging all negatives costs, per case."""
        return float(self.stakes[0, 1])

    @property
    def positive_stake(self) -> float:
        """E[pi1 b], what missing all positives costs, per case."""
        return float(self.stakes[1, 0])

    @property
    def stake(self) -> float:
        """E[S], what always being wrong costs, per case."""
        return self.negative_stake + self.positive_stake

    @property
    @abstractmethod
    def of_right(self) -> tuple[float, float]:
        """E[pi0 tn] and E[pi1 tp], what right decisions cost on each class, per case."""

    @property
    def constant(self) -> float:
        """E[pi0 tn + pi1 tp], the cost of always being right, per case; a gain if negative."""
        return sum(self.of_right)

    @property
    def review(self) -> Review | None:
        """What a review costs, if cases may be reviewed."""
        return None

    @property
    def steps(self) -> tuple[JointConditions, ...]:
        """The conditions of each decision between two neighbouring actions.

        Returns
        -------
        tuple of JointConditions
            Without a review those of passing or flagging, these themselves, and so too where a
            review pays at no probability. Else first what decides whether a case is passed, then
            whether it is flagged without a review: what rules cost is the sum of both, and of what
            passing every negative and flagging every positive costs.

        Raises
        ------
        ConditionError
            If a review pays at some of the costs only, and these have densities.
        """
        return (self,)

    @property
    def gives_prevalence(self) -> bool:
        """Whether the prevalence is known, if only up to a range, and not to be estimated."""
        return True

    def completed(self, prevalence: float) -> JointConditions:
        """The conditions at a prevalence that was estimated from rows, unless they give theirs."""
        return self

    def money(self, loss: Floats) -> Floats:
        """Cost per 1,000 cases, given what mistakes cost per case beyond correct decisions."""
        return CASES * (loss + self.constant)

    def money_at(self, fpr: ArrayLike, fnr: ArrayLike) -> Floats:
        """Expected cost per 1,000 cases of fixed operating points, with rates in [0, 1]."""
        lost = self.negative_stake * np.asarray(fpr) + self.positive_stake * np.asarray(fnr)
        return plain(np.asarray(self.money(lost)))

    def as_one_loss(self, axis: float) -> tuple[CostDistribution, float]:
        """A distribution of costs whose expected loss is proportional to the cost of mistakes.

        Without a review; with one there is one for each of `steps`.

        Parameters
        ----------
        axis : float
            The prevalence whose cost axis the loss is on: the known one, or 1/2, where cost
            proportions are skews.

        Returns
        -------
        costs : CostDistribution
        size : float
            The factor from the expected loss to the cost per case.
        """
        if axis == BALANCED:
            return self.skews(), self.stake
        seen = []

        def note(_: float, costs: CostDistribution, size: float) -> float:
            seen.append((costs, size / 2))
            return 0.0

        self.over_prevalence(note)
        return seen[0]

    @property
    @abstractmethod
    def mean_prevalence(self) -> float:
        """E[pi1], the expected share of positives."""

    @property
    @abstractmethod
    def prevalence_range(self) -> Range:
        """The least and the greatest prevalence; 0 or 1 if it comes arbitrarily close."""

    @property
    @abstractmethod
    def skew_range(self) -> Range:
        """The least and the greatest skew; 0 or 1 if it comes arbitrarily close."""

    @abstractmethod
    def skews(self, *, staked: bool = True) -> CostDistribution:
        """Distribution of the skew.

        Parameters
        ----------
        staked : bool
            Whether conditions are weighted by their stakes, as in expected costs.

        Returns
        -------
        CostDistribution
            Of z in [0, 1]. With stakes its mean is `negative_stake` / `stake`.
        """

    @abstractmethod
    def skews_of_class(self, *, positive: bool) -> CostDistribution:
        """Distribution of the skew at which the cases of one class are decided.

        Parameters
        ----------
        positive : bool
            Whether of the positives, which weight conditions by their prevalence, or of the
            negatives.

        Returns
        -------
        CostDistribution
            Of z in [0, 1]. If the prevalence is known it is that of all cases.
        """

    @abstractmethod
    def over_prevalence(self, f: OfPrevalence) -> float:
        """Mean over the prevalence of a function of it and of the costs that go with it.

        Parameters
        ----------
        f : callable
            ``f(prevalence, costs, size)``, with `costs` the distribution of the cost proportion c
            given the prevalence, weighted by a + b, and `size` its E[a + b]. If costs do not depend
            on the prevalence, `costs` is always the same object.

        Returns
        -------
        float
            E[f]. A sum if the prevalence has finitely many values, else an integral to a relative
            1e-10.

        Raises
        ------
        ConditionError
            If the integral does not converge to that.
        """

    @abstractmethod
    def averaging(self, *, costs: bool = False, prevalence: bool = False) -> JointConditions:
        """Return the conditions for rules that do not know the costs or the prevalence.

        Parameters
        ----------
        costs, prevalence : bool
            Whether they are unknown. The unknown is replaced by its mean given the known, which
            keeps the expected cost of any rule that does not depend on the unknown.

        Returns
        -------
        JointConditions
            With the same `stakes` and `constant`.
        """

    @abstractmethod
    def where_rarer(self, prevalence: FloatArray, *, cases: bool = False) -> Stakes:
        """Return the stakes where the prevalence is at most each of some.

        Parameters
        ----------
        prevalence : array of shape (k,)
        cases : bool, default False
            Whether to count cases instead: then the two are shares of all cases, and sum to the
            probability of a prevalence that is at most p.

        Returns
        -------
        Stakes
            E[pi0 a; pi1 <= p] and E[pi1 b; pi1 <= p] at each p.
        """

    @abstractmethod
    def bands(self, count: int) -> list[Band]:
        """Cut the range of the prevalence into bands of about the same probability.

        Parameters
        ----------
        count : int
            How many, at most: a prevalence with fewer values has fewer bands.

        Returns
        -------
        list of Band
            Ascending in the prevalence; their shares sum to 1.
        """

    @property
    @abstractmethod
    def assumptions(self) -> tuple[str, ...]:
        """What was assumed of costs and prevalence, one part of a sentence each."""

    @abstractmethod
    def bounds_of(self, part: str) -> Range:
        """Between which values a part is: "tp_cost", say, or "prevalence"."""

    @property
    def corners(self) -> FloatArray:
        """Conditions among which every rule costs least, and most, and saves so against another.

        Returns
        -------
        array of shape (5, k)
            The costs of a false positive, a false negative, a true positive and a true negative,
            and the prevalence: by default their bounds, as if each were free of the others.
        """
        # What rules cost is linear in each of the costs and in the prevalence.
        bounds = [*map(self.bounds_of, COSTS), self.prevalence_range]
        ends = np.meshgrid(*([one.low, one.high] for one in bounds), indexing="ij")
        return np.stack([grid.ravel() for grid in ends])

    @abstractmethod
    def columns(self) -> dict[str, FloatArray]:
        """One row with the bounds, or one row for each condition."""


@final
@dataclass(frozen=True, eq=False)
class Band:
    """The conditions whose prevalence is in some range.

    Attributes
    ----------
    conditions : JointConditions
        Those in the band.
    share : float
        The probability of the band.

    Examples
    --------
    >>> import costspace as cs
    >>> known = cs.Deployment(fp_cost=1, fn_cost=(5, 50), prevalence=(0.01, 0.04))
    >>> for band in known.bands(2):
    ...     print(round(band.share, 4), band.conditions)
    0.5 Deployment(fp_cost=1, fn_cost=5 to 50, prevalence=0.01 to 0.0201028)
    0.5 Deployment(fp_cost=1, fn_cost=5 to 50, prevalence=0.0201028 to 0.04)
    """

    conditions: JointConditions
    share: float

    def money(self, expected_loss: Callable[[CostDistribution], float]) -> float:
        """Cost per 1,000 cases of an expected loss on `axis`, given as a function of costs."""
        costs, size = self.conditions.as_one_loss(self.axis)
        return float(self.conditions.money(size * expected_loss(costs)))

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest prevalence of the band."""
        span = self.conditions.prevalence_range
        return span.low, span.high

    @property
    def axis(self) -> float:
        """The prevalence whose cost axis paths are on: the known one, or 1/2 for the skew axis."""
        low, high = self.ends
        return low if low == high else BALANCED

    def columns(self) -> dict[str, FloatArray]:
        """One row: the ends and the share."""
        values = (*self.ends, self.share)
        names = ("prevalence_low", "prevalence_high", "share")
        return {name: np.array([value]) for name, value in zip(names, values, strict=True)}
