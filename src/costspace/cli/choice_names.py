"""Threshold choices by the names that `--choice` takes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from costspace.deferral import deferred_calls
from costspace.errors import ConditionError, brief

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.choices import ThresholdChoice
    from costspace.decision.limits.constraints import Constraints
    from costspace.decision.strategy import default_choices, parameter_free

# Written out, so that help need not load them.
CHOICES = (
    "score_fixed",
    "score_uniform",
    "score_driven",
    "score_driven_uncorrected",
    "rate_uniform",
    "rate_driven",
    "optimal",
    "queue",
    "smoothed",
)
HELP = (
    f"threshold choice method: {', '.join(CHOICES)}; queue needs --capacity. Repeat it for several"
)


def choices_named(
    names: Sequence[str], calibrated_to: float, limits: Constraints
) -> dict[str, ThresholdChoice]:
    """Threshold choices by name, or `ConditionError` unless all are known."""
    known = {
        **parameter_free(calibrated_to),
        **default_choices(calibrated_to, limits.capacity, limits.batch),
    }
    for name in names:
        if name not in known:
            needed = ", which needs --capacity" if name in CHOICES else ""
            raise ConditionError(
                f"--choice is one of {', '.join(CHOICES)}, got {brief(name)}{needed}."
            )
    return {name: known[name] for name in names}
