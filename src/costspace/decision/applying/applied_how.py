"""How rules are to be applied: what is asked beside the cases."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from costspace.deployment.actions import FLAG, PASS, REVIEW
from costspace.errors import ConditionError, brief

REFUSE = "refuse"
MISSING = (REFUSE, PASS, REVIEW, FLAG)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Asked:
    """How rules are to be applied."""

    seed: int | None = None  # of a rule that draws
    batch: Any = None  # the batches of a queue, as labels or by the name of a column
    missing: str = REFUSE  # what is done with cases that lack a value which the rule reads
    actions: Sequence[str] | None = None  # what each action is called, if otherwise

    def __post_init__(self) -> None:
        _check_missing(self.missing)

    @property
    def refuses(self) -> bool:
        """Whether every case must have all values."""
        return self.missing == REFUSE


def _check_missing(missing: object) -> None:
    if not isinstance(missing, str) or missing not in MISSING:
        named = ", ".join(map(repr, MISSING))
        raise ConditionError(f"missing must be one of {named}, got {brief(missing)}.")
