"""What is done with each of some cases."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray, FrozenDict, FrozenValue
from costspace.notebook import Tabulated


def chances_of(flagged: FloatArray) -> FloatArray:
    """The chances of passing and of flagging, in a column each, of cases flagged so often."""
    return np.stack([1 - flagged, flagged], axis=1)


@final
@dataclass(frozen=True, eq=False, repr=False)
class Actions(FrozenValue, Tabulated):
    """The action that a decision takes on each case.

    Attributes
    ----------
    action : array of str of shape (n,)
        "pass" or "flag", or other words of the rule's.
    tied : int or None
        How many cases tie where a queue is cut, so that there is room for some of them but not for
        all: none of them is above the cut. None if the rule is of no queue.
    note : str
        What is said of how the rule was applied, if anything: a single case is no queue, or queues
        are too small for anybody to be flagged, or reviewed, of which a `DataWarning` is given too.
    doubt : str
        That the scores are not like those that the decision was made on, if so: with the share
        flagged, or above some score, here and there. A `DataWarning` says it too.
    missing : int
        How many cases lacked a value that the rule reads: what is done with them was asked.
    not_worth : int
        How many cases were passed since a false negative costs no more than a true positive there.

    Examples
    --------
    >>> import numpy as np
    >>> found = Actions(np.array(["pass", "flag", "pass"]))
    >>> found
    Actions(flag 1, pass 2)
    >>> found.counts["pass"]
    2
    >>> list(found)
    ['pass', 'flag', 'pass']
    >>> Actions(np.array(["pass", "flag", "pass"]), tied=2)
    Actions(flag 1, pass 2; 2 tied at the edge are left out)
    """

    action: NDArray[np.str_]
    tied: int | None = None
    note: str = ""
    doubt: str = ""
    missing: int = 0
    not_worth: int = 0

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How many cases each action has, of those that any has."""
        names, counts = np.unique(self.action, return_counts=True)
        return FrozenDict(zip(names.tolist(), counts.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self.action)

    def __iter__(self) -> Iterator[str]:
        return iter(self.action.tolist())

    def __repr__(self) -> str:
        return f"Actions({counts_shown(self.counts, self.tied)})"

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a case."""
        return {"action": self.action}


def counts_shown(counts: Mapping[str, int], tied: int | None) -> str:
    """How many cases each action has, and how many tie at the edge of a queue, if any do."""
    shown = ", ".join(f"{name} {count}" for name, count in counts.items())
    return f"{shown}; {tied} tied at the edge are left out" if tied else shown
