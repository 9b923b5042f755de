"""Whether labels and what is given beside them are of the same rows, in the same order."""

from typing import Any

from costspace.errors import SourceError


def check_order(y_true: Any, **others: Any) -> None:
    """`SourceError` if something has the index of the labels in another order, as pandas has them.

    An index that differs is not looked at: rows are taken by their place.
    """
    own: Any = getattr(y_true, "index", None)
    if not hasattr(own, "equals"):
        return
    for name, values in others.items():
        index: Any = getattr(values, "index", None)
        if hasattr(index, "equals") and not own.equals(index) and _is_reordered(own, index):
            raise SourceError(
                f"{name} has the index of y_true in another order, and rows are taken by their "
                f"place: give {name}.loc[y_true.index], or arrays."
            )


def _is_reordered(own: Any, index: Any) -> bool:
    try:
        return len(own) == len(index) and bool(own.sort_values().equals(index.sort_values()))
    except TypeError:
        # Labels of types that have no order.
        return False
