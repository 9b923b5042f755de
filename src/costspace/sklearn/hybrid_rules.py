"""Which of several models to use at any costs and prevalence."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import Floats, FrozenValue
from costspace.comparison.hybrids import Hybrid, hybrid
from costspace.condition import skew_from_cost
from costspace.deployment.conditions import BALANCED
from costspace.sklearn.reacting_rules import ReactingRules, cases_by_prevalence, latest


@final
@dataclass(frozen=True, eq=False)
class HybridRules(FrozenValue):
    """The model of least loss on held-out rows under its own thresholds, at each condition."""

    models: Mapping[str, ReactingRules]

    def models_at(self, cost_proportion: Floats, prevalence: Floats) -> NDArray[np.str_]:
        """The model at each condition; both arguments are numbers, or arrays of the same shape."""
        if all(model.through_skew for model in self.models.values()):
            return self._over_skews.models_at(
                skew_from_cost(cost_proportion, prevalence=prevalence)
            )
        if isinstance(prevalence, float) or np.ndim(prevalence) == 0:
            return latest(self._latest, float(prevalence), self.at).models_at(cost_proportion)
        costs = np.broadcast_to(cost_proportion, prevalence.shape)
        found = np.empty(prevalence.shape, dtype=np.array(list(self.models)).dtype)
        for cases, p in cases_by_prevalence(prevalence):
            found[cases] = self.at(p).models_at(costs[cases])
        return found

    def at(self, prevalence: float) -> Hybrid:
        """Which model is used over cost proportions at a prevalence."""
        return hybrid({name: model.loss(prevalence) for name, model in self.models.items()})

    @cached_property
    def _latest(self) -> dict[float, Hybrid]:
        return {}

    @cached_property
    def _over_skews(self) -> Hybrid:
        return self.at(BALANCED)
