"""What a rule cuts and what it does between the cuts, checked."""

from collections.abc import Sequence
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from costspace.arrays import FloatArray
from costspace.checks import check_number
from costspace.deployment.actions import FLAG, PASS
from costspace.errors import ConditionError, brief

# Rounding of a share times a number of cases, relatively.
ROUNDING = 1e-12
PLAIN = MappingProxyType({"score": (PASS, FLAG), "share": (FLAG, PASS)})


def checked_cuts(
    cuts: float | Sequence[float] | FloatArray, actions: Sequence[str] | None, by: str
) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Finite cuts inside the scale, and the actions between them."""
    if by not in ("score", "share"):
        raise ConditionError(f"a rule cuts by 'score' or by 'share', got {brief(by)}.")
    # The numbers of an array, each with its precision.
    each = list(cuts) if isinstance(cuts, np.ndarray) and cuts.ndim else cuts
    given = np.asarray(each, dtype=object)
    if given.ndim > 1:
        raise ConditionError(f"cuts must be a number, or a list of numbers, got {brief(cuts)}.")
    low, high = (0.0, 1.0) if by == "share" else (-np.inf, np.inf)
    found = [check_number("a cut", cut, low=low, high=high) for cut in np.ravel(given)]
    if any(a >= b for a, b in pairwise(found)):
        raise ConditionError(f"the cuts of a rule must ascend, got {brief(cuts)}.")
    asked = PLAIN[by] if actions is None else actions
    named = np.asarray(asked, dtype=object).tolist()
    listed = isinstance(named, list) and len(named) == len(found) + 1
    if not listed or not all(isinstance(action, str) for action in named):
        raise ConditionError(
            f"a rule of {len(found)} cuts needs a list of {len(found) + 1} actions, got "
            f"{brief(actions)}."
        )
    if found and found[0] == low:
        found, named = found[1:], named[1:]
    if found and found[-1] == high:
        found, named = found[:-1], named[:-1]
    return tuple(found), tuple(named)
