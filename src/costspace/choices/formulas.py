"""Choices whose thresholds are a formula, restored from the formula's plain values."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from costspace.choices.base import ThresholdChoice
from costspace.choices.score import ScoreDriven
from costspace.errors import ConditionError, brief

# By the name that `formula` gives.
_FORMULAS: Mapping[str, Callable[[Any], ThresholdChoice]] = MappingProxyType(
    {"score_driven": lambda values: ScoreDriven(values["calibrated_to"])}
)


def choice_of_formula(values: Any) -> ThresholdChoice:
    """The choice with this `formula`, or `ConditionError` if there is none."""
    try:
        return _FORMULAS[values["name"]](values)
    except (KeyError, TypeError):
        raise ConditionError(
            f"a formula has a name of {', '.join(_FORMULAS)}, and 'calibrated_to', got "
            f"{brief(values)}."
        ) from None
