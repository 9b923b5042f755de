"""What each action costs on each class, and the operating conditions that a set of actions is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FloatArray, Floats, FrozenValue, read_only
from costspace.checks import check_prevalence
from costspace.deployment.amounts import LARGEST
from costspace.errors import ConditionError, brief


@final
@dataclass(frozen=True, eq=False)
class ActionSteps(FrozenValue):
    """The operating conditions that neighbouring actions are decided between.

    Attributes
    ----------
    costs : array of shape (k - 1,)
        The cost proportion of each step from one of k useful actions to the next, ascending.
    stakes : array of shape (k - 1,)
        What the step costs on a negative and saves on a positive, together.

    Examples
    --------
    >>> import costspace as cs
    >>> cs.CostTable([[0, 1, 2], [10, 1, 0]]).steps
    ActionSteps(costs=array([0.1, 0.5]), stakes=array([10.,  2.]))
    """

    costs: FloatArray
    stakes: FloatArray

    def columns(self) -> dict[str, FloatArray]:
        """One row a step."""
        return {"cost_proportion": self.costs, "stake": self.stakes}


@final
@dataclass(frozen=True, eq=False, repr=False)
class CostTable(FrozenValue):
    """What each of several actions costs on each class.

    Parameters
    ----------
    costs : array of shape (2, k)
        A row for negatives and one for positives, a column for each action, in any unit of money;
        negative for a gain.
    actions : list of k str, optional
        What the actions are called; by default "0", "1" and so on.

    Raises
    ------
    ConditionError
        If costs are not finite numbers in two rows, or names are not as many different texts.

    Notes
    -----
    Order the useful actions by what they cost on a negative, u, which rises, while what they cost
    on a positive, v, falls. Between action a and the next there is one operating condition: the
    cost proportion c_a = Du / (Du + Dv), with the stake S_a = Du + Dv, which ascends with a where
    the points (u, v) are a convex chain. Whoever takes, at each condition, a set of cases that
    shrinks as c grows, acts on the cases between two of these sets, and the sum by parts over the
    actions is

        cost = pi0 u_first + pi1 v_last + sum over steps of S_a / 2 Q(c_a)

    with Q the loss curve of the threshold choice. So a table of actions is a distribution of
    operating conditions, each with its stake.

    Examples
    --------
    Passing, reviewing for 1 and blocking; a false negative costs 10 and a false positive 2:

    >>> import costspace as cs
    >>> table = cs.CostTable([[0, 1, 2], [10, 1, 0]], ["pass", "review", "block"])
    >>> table
    CostTable(pass: 0, 10; review: 1, 1; block: 2, 0)
    >>> y, s = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    >>> table.cost(cs.loss_curve(y, s, choice=cs.Optimal()), prevalence=0.5)
    0.5
    """

    costs: ArrayLike
    actions: Sequence[str] = ()

    def __post_init__(self) -> None:
        try:
            costs = np.array(self.costs, dtype=float)
        except (TypeError, ValueError):
            costs = np.zeros(0)
        if costs.ndim != 2 or len(costs) != 2 or costs.size == 0:
            raise ConditionError(
                "a CostTable has a row of costs for negatives and one for positives, and a column "
                f"for each action, got {brief(self.costs)}."
            )
        if not np.all(np.abs(costs) <= LARGEST):
            raise ConditionError(f"costs must be numbers, got {brief(self.costs)}.")
        names = tuple(self.actions) or tuple(map(str, range(costs.shape[1])))
        texts = {name for name in names if type(name) is str and name}
        listed = not isinstance(self.actions, str) and len(names) == costs.shape[1]
        if not listed or len(texts) < len(names):
            raise ConditionError(
                f"actions must be {costs.shape[1]} different names, got {brief(self.actions)}."
            )
        object.__setattr__(self, "costs", read_only(costs))
        object.__setattr__(self, "actions", names)

    def __repr__(self) -> str:
        each = zip(self.actions, *self._costs.tolist(), strict=True)
        return f"CostTable({'; '.join(f'{name}: {u:g}, {v:g}' for name, u, v in each)})"

    @cached_property
    def useful(self) -> CostTable:
        """The actions that cost least at some probability, from passing to acting.

        Those on the lower left hull of what they cost on a negative and on a positive; of two that
        cost the same, and of three in a line, the one that is not needed is left out.
        """
        u, v = self._costs
        chain: list[int] = []
        for action in np.lexsort((v, u)).tolist():
            if chain and v[action] >= v[chain[-1]]:
                continue
            while len(chain) > 1:
                before, after = _steps(u[[*chain[-2:], action]], v[[*chain[-2:], action]]).costs
                if before < after:
                    break
                chain.pop()
            chain.append(action)
        return CostTable(self._costs[:, chain], [self.actions[action] for action in chain])

    @cached_property
    def steps(self) -> ActionSteps:
        """The conditions that the useful actions stand for, and their stakes."""
        return _steps(*self.useful._costs)

    def cost(self, curve: Callable[[FloatArray], Floats], prevalence: float) -> float:
        """The expected cost of a case.

        Parameters
        ----------
        curve : callable
            The loss of a threshold choice over cost proportions at the prevalence: a `LossCurve`.
        prevalence : float in (0, 1)
            The share of positives.

        Returns
        -------
        float
            Smaller is better, negative for a gain.

        Raises
        ------
        ConditionError
            If the prevalence is not in (0, 1).
        """
        p, (u, v) = check_prevalence(prevalence), self.useful._costs
        losses = np.asarray(curve(self.steps.costs))
        return float((1 - p) * u[0] + p * v[-1] + np.sum(self.steps.stakes * losses) / 2)

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row an action: its name and what it costs on either class."""
        negative, positive = self._costs
        return {"action": np.array(self.actions), "negative": negative, "positive": positive}

    @property
    def _costs(self) -> FloatArray:
        return np.asarray(self.costs)


def _steps(u: FloatArray, v: FloatArray) -> ActionSteps:
    """What is decided between neighbours of a chain of actions."""
    more, saved = np.diff(u), -np.diff(v)
    return ActionSteps(read_only(more / (more + saved)), read_only(more + saved))
