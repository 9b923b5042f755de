"""The rules of the strategy that was decided on, at any costs and prevalence that they are for."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, Floats, FrozenValue
from costspace.condition import skew_from_cost
from costspace.decision.deployed import DeployedRules
from costspace.decision.threshold_paths import Rules, ThresholdPath


@final
@dataclass(frozen=True, eq=False)
class DecidedRules(FrozenValue):
    """Rules as a classifier asks for them: by cost proportion and prevalence.

    Attributes
    ----------
    deployed : DeployedRules
    """

    deployed: DeployedRules

    def rules(self, cost_proportion: Floats, prevalence: Floats) -> Rules:
        """The rule at each condition; all of them are numbers, or arrays of one shape.

        Raises
        ------
        ConditionError
            If there is no rule for a prevalence.
        """
        if self.deployed.rule is not None:
            one = ThresholdPath.constant(self.deployed.rule)
            return one.rules_at(np.zeros(np.shape(cost_proportion)))
        costs, p = np.broadcast_arrays(
            np.asarray(cost_proportion, dtype=float), np.asarray(prevalence, dtype=float)
        )
        place = self.deployed.bands_of(p)
        found: list[FloatArray] = [np.empty(p.shape) for _ in range(3)]
        for i, band in enumerate(self.deployed.bands):
            cases = place == i
            at = costs[cases]
            if band.on_skews:
                at = np.asarray(skew_from_cost(at, p[cases]))
            some = band.rules.rules_at(at)
            columns = some.threshold, some.threshold_2, some.mix
            for column, values in zip(found, columns, strict=True):
                column[cases] = values
        return Rules(*found)

    def path(self, prevalence: float) -> ThresholdPath | None:
        """The rule over cost proportions at a prevalence, if it is one for all of them."""
        rule = self.deployed.rule
        return None if rule is None else ThresholdPath.constant(rule)
