"""Whether labels and what is given beside them are of the same rows, in the same order."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from costspace.errors import SourceError

_FEW = 100


@final
@dataclass(frozen=True)
class Indexed:
    """The index of values that are kept as arrays."""

    index: Any


def index_of(values: Any) -> Any:
    """The index of what pandas has, else None."""
    index = getattr(values, "index", None)
    return index if hasattr(index, "equals") else None


def check_order(given: Iterable[tuple[str, Any]]) -> None:
    """`SourceError` if something has the index of what stands before it in another order.

    An index that has other labels is not looked at: rows are taken by their place.
    """
    found = ((name, index_of(values)) for name, values in given)
    own: Any
    first, own = next(((name, index) for name, index in found if index is not None), ("", None))
    for name, index in found:
        if index is not None and not own.equals(index) and _is_reordered(own, index):
            raise SourceError(
                f"{name} has the index of {first} in another order, and rows are taken by their "
                f"place: give {name}.loc[{first}.index] where its labels are unique, or arrays."
            )


def _is_reordered(own: Any, index: Any) -> bool:
    """Whether there are the same labels, not all of them at the same place."""
    # Most indices of other labels differ in a few: to look for those is fast.
    few = index[:_FEW].unique()
    if len(own) != len(index) or own[own.isin(few)].nunique() < len(few):
        return False
    if not (own.isin(index).all() and index.isin(own).all()):
        return False
    return not bool(np.all(own == index))
