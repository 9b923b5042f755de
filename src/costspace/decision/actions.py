"""What is done with each of some cases."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenDict, FrozenValue
from costspace.notebook import Tabulated

PASS, FLAG = "pass", "flag"


@final
@dataclass(frozen=True, eq=False, repr=False)
class Actions(FrozenValue, Tabulated):
    """What a decision does with each of some cases.

    Attributes
    ----------
    action : array of str of shape (n,)
        "pass" or "flag", or other words of the rule's.

    Examples
    --------
    >>> import numpy as np
    >>> found = Actions(np.array(["pass", "flag", "pass"]))
    >>> found
    Actions(flag 1, pass 2)
    >>> found.counts["pass"]
    2
    """

    action: NDArray[np.str_]

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How many cases each action has, of those that any has."""
        names, counts = np.unique(self.action, return_counts=True)
        return FrozenDict(zip(names.tolist(), counts.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self.action)

    def __repr__(self) -> str:
        return f"Actions({', '.join(f'{name} {count}' for name, count in self.counts.items())})"

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a case."""
        return {"action": self.action}
