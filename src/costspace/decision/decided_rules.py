"""The rules of the strategy that was decided on, at any costs and prevalence that they are for."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, Floats, FrozenValue, IndexArray
from costspace.condition import cost_from_skew, skew_from_cost
from costspace.decision.fitted import FittedByCase, FittedByCondition
from costspace.decision.rules_anywhere import FormulaRules
from costspace.decision.threshold_path import Rules, ThresholdPath
from costspace.errors import ConditionError

# A prevalence that was computed may be off by this, relatively.
_ROUNDING = 1e-12


@final
@dataclass(frozen=True, eq=False)
class DecidedRules(FrozenValue):
    """The rules of a fitted strategy.

    Attributes
    ----------
    fit : FittedByCondition or FittedByCase
    """

    fit: FittedByCondition | FittedByCase

    def rules(self, cost_proportion: Floats, prevalence: Floats) -> Rules:
        """The rule at each condition; all of them are numbers, or arrays of one shape.

        Raises
        ------
        ConditionError
            If the rules are not for a prevalence.
        """
        rule = self.fit.rule
        if rule is not None:
            return ThresholdPath.constant(rule).rules_at(np.zeros(np.shape(cost_proportion)))
        if isinstance(self.fit, FittedByCase):
            return FormulaRules(self.fit.strategy.choice).rules(cost_proportion, prevalence)
        return _by_condition(self.fit, cost_proportion, prevalence)

    def path(self, prevalence: float) -> ThresholdPath | None:
        """The rule over cost proportions at a prevalence, if it is one for all of them."""
        rule = self.fit.rule
        return None if rule is None else ThresholdPath.constant(rule)


def _by_condition(fit: FittedByCondition, cost_proportion: Floats, prevalence: Floats) -> Rules:
    skew, p = np.broadcast_arrays(
        np.asarray(skew_from_cost(cost_proportion, prevalence)), np.asarray(prevalence, float)
    )
    place = _place_of_each(fit, p)
    found: list[FloatArray] = [np.empty(p.shape) for _ in range(3)]
    for i in np.unique(place):
        cases = place == i
        axis = fit.task.bands[i].axis
        some = fit.rules[i].rules_at(np.asarray(cost_from_skew(skew[cases], axis)))
        for column, values in zip(found, (some.threshold, some.threshold_2, some.mix), strict=True):
            column[cases] = values
    return Rules(*found)


def _place_of_each(fit: FittedByCondition, prevalence: FloatArray) -> IndexArray:
    """Which band of prevalence each case is in."""
    if fit.strategy.choice.through_skew and not fit.task.limits:
        # Rules go by the skew alone, so that those of one band are those of all.
        return np.zeros(prevalence.shape, dtype=int)
    place = np.full(prevalence.shape, -1)
    for i, band in enumerate(fit.task.bands):
        low, high = band.ends
        inside = (prevalence >= low * (1 - _ROUNDING)) & (prevalence <= high * (1 + _ROUNDING))
        place[inside & (place < 0)] = i
    if np.any(place < 0):
        known = fit.task.conditions.prevalence_range
        outside = float(np.ravel(prevalence)[np.argmax(np.ravel(place) < 0)])
        raise ConditionError(
            f"the decision is for a prevalence of {known.low:g} to {known.high:g}, got "
            f"{outside:g}: decide for that one too."
        )
    return place
