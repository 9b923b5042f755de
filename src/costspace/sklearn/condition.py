"""The operating condition of a classifier's decision."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import Floats, FrozenValue
from costspace.checks import check_conditions
from costspace.condition import cost_proportion, skew_from_cost
from costspace.errors import ConditionError

_EQUAL_COSTS = 0.5


@final
@dataclass(frozen=True)
class Condition(FrozenValue):
    """Costs and prevalence as given: numbers, or arrays with one for each case.

    Raises
    ------
    ConditionError
        If costs are given twice, or one of the two is missing.
    """

    cost_proportion: ArrayLike | None = None  # in [0, 1]
    # Instead of a cost proportion, and both or neither.
    fp_cost: ArrayLike | None = None
    fn_cost: ArrayLike | None = None
    prevalence: ArrayLike | None = None  # in (0, 1)

    def __post_init__(self) -> None:
        given = [name for name in ("fp_cost", "fn_cost") if getattr(self, name) is not None]
        if self.cost_proportion is not None and given:
            raise ConditionError(
                f"cost_proportion and {given[0]} are both given: give the proportion or the costs."
            )
        if len(given) == 1:
            missing = ({"fp_cost", "fn_cost"} - set(given)).pop()
            raise ConditionError(f"{given[0]} is given without {missing}: give both.")

    def over(self, usual: "Condition") -> "Condition":
        """The condition, with missing costs or prevalence from the usual one."""
        has_costs = self.cost_proportion is not None or self.fp_cost is not None
        costs = self if has_costs else usual
        prevalence = usual.prevalence if self.prevalence is None else self.prevalence
        return Condition(costs.cost_proportion, costs.fp_cost, costs.fn_cost, prevalence)

    def one(self, prevalence: float) -> tuple[Floats, Floats]:
        """As `values`, for a single condition.

        Raises
        ------
        ConditionError
            As `values`, or if there are several.
        """
        for name, value in vars(self).items():
            if np.ndim(value) > 0:
                raise ConditionError(
                    f"{name} must be one number here, got shape {np.shape(value)}."
                )
        return self.values(prevalence)

    def values(self, prevalence: float, cases: int | None = None) -> tuple[Floats, Floats]:
        """The cost proportion and the prevalence, by default that of the training data.

        Both are numbers, or arrays of the same shape.

        Raises
        ------
        ConditionError
            If they are out of their ranges, or arrays are not one number for each case.
        """
        own = prevalence if self.prevalence is None else self.prevalence
        given: dict[str, Any] = {
            "cost_proportion": self.cost_proportion,
            "fp_cost": self.fp_cost,
            "fn_cost": self.fn_cost,
            "prevalence": own,
        }
        sizes = {name: np.shape(value) for name, value in given.items() if np.ndim(value) > 0}
        if cases is None and sizes:
            cases = max(size[0] for size in sizes.values())
        for name, size in sizes.items():
            if size != (cases,):
                raise ConditionError(
                    f"{name} must be one number, or one for each of {cases} rows, got shape {size}."
                )
        costs = self._cost_proportion()
        # Checked where it is used, unless nothing depends on it.
        skew_from_cost(costs, prevalence=own)
        if not sizes:
            return costs, float(given["prevalence"])
        costs, own = np.broadcast_arrays(costs, np.asarray(own, dtype=float))
        return costs, own

    def _cost_proportion(self) -> Floats:
        if self.cost_proportion is not None:
            return check_conditions("cost_proportion", self.cost_proportion)
        if self.fp_cost is not None and self.fn_cost is not None:
            return cost_proportion(fp_cost=self.fp_cost, fn_cost=self.fn_cost)
        return _EQUAL_COSTS
