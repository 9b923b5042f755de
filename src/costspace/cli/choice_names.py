"""Threshold choices by the names that `--choice` takes."""

from collections.abc import Sequence

from costspace.choices import ThresholdChoice
from costspace.decision.strategy import QUEUE, default_choices, parameter_free
from costspace.errors import ConditionError, brief


def _choices(calibrated_to: float, capacity: float | None) -> dict[str, ThresholdChoice]:
    return {**parameter_free(calibrated_to), **default_choices(calibrated_to, capacity)}


# The queue with a capacity.
CHOICES = tuple(_choices(0.5, 1.0))


def choices_named(
    names: Sequence[str], calibrated_to: float, capacity: float | None
) -> dict[str, ThresholdChoice]:
    """Threshold choices by name, or `ConditionError` unless all are known."""
    known = _choices(calibrated_to, capacity)
    for name in names:
        if name not in known:
            needed = ", which needs --capacity" if name == QUEUE else ""
            raise ConditionError(
                f"--choice is one of {', '.join(CHOICES)}, got {brief(name)}{needed}."
            )
    return {name: known[name] for name in names}
