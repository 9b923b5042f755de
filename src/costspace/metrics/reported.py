"""What is in every evaluation, by its name in reports and JSON: metrics and expected losses."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from costspace.checks import AXES
from costspace.choices import ThresholdChoice
from costspace.costs import CostDistribution, Uniform
from costspace.metrics import (
    calibration,
    classification,
    curves,
    expected,
    normalised,
    probabilities,
    proper,
    ranking,
    volume,
)
from costspace.metrics.traits import defined_in

Found = TypeVar("Found")
Metric = Callable[..., float]

# The modules of metrics, in the order of reports.
_SUBJECTS = (
    *(ranking, probabilities, calibration, normalised, volume),
    *(classification, curves, expected, proper),
)
_REPORTED = {
    traits.name: (metric, traits)
    for module in _SUBJECTS
    for metric, traits in defined_in(module)
    if traits.name
}
METRICS: Mapping[str, Metric] = MappingProxyType(
    {name: one for name, (one, _) in _REPORTED.items()}
)

LARGER_IS_BETTER = frozenset(
    name for name, (_, traits) in _REPORTED.items() if traits.larger_is_better
)


def quantities(
    choices: Mapping[str, ThresholdChoice], costs: CostDistribution = Uniform()
) -> dict[str, Metric]:
    """Every metric, and the expected loss of each choice on each axis."""
    return {**METRICS} | {
        f"expected_loss.{axis}.{name}": partial(
            expected.expected_loss, choice=choice, costs=costs, axis=axis
        )
        for axis in AXES
        for name, choice in choices.items()
    }


class ByKind:
    """What is found of a model's `quantities`: of metrics, and of losses by axis and choice."""

    __slots__ = ()
    metrics: Mapping[str, Any]
    expected_loss: Mapping[str, Mapping[str, Any]]

    def _by_name(self, separator: str) -> dict[str, Any]:
        """All of it, expected losses named ``expected_loss``, axis and choice."""
        losses = {
            separator.join(["expected_loss", axis, choice]): one
            for axis, by in self.expected_loss.items()
            for choice, one in by.items()
        }
        return {**self.metrics, **losses}

    def _plain(self, ends: Callable[[Any], Any]) -> dict[str, Any]:
        """The ends of each under the keys of the numbers, ready for JSON."""
        losses = {
            axis: {choice: ends(one) for choice, one in by.items()}
            for axis, by in self.expected_loss.items()
        }
        return {**{name: ends(one) for name, one in self.metrics.items()}, "expected_loss": losses}

    def _table(self, separator: str, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        """One row a quantity: the attributes of what is found of it, NaN without."""
        found = self._by_name(separator)
        return {"quantity": np.array(list(found))} | {
            name: np.array([getattr(one, name, np.nan) for one in found.values()]) for name in names
        }


def by_kind(found: Mapping[str, Found]) -> tuple[dict[str, Found], dict[str, dict[str, Found]]]:
    """What is found of `quantities`, by name: of metrics, and of losses by axis and choice."""
    losses: dict[str, dict[str, Found]] = {axis: {} for axis in AXES}
    for name, one in found.items():
        if name not in METRICS:
            _, axis, choice = name.split(".", 2)
            losses[axis][choice] = one
    return {name: found[name] for name in METRICS}, losses
