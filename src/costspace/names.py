"""Names in messages and addresses: which of those that are known may be meant."""

from collections.abc import Collection
from difflib import get_close_matches

# What is said where a column that names segments has no value.
MISSING = "(none)"


def near_names(name: str, known: Collection[str]) -> list[str]:
    """The known names that are similar to one, ignoring case, the nearest first."""
    folded = {one: one.casefold() for one in known}
    near = get_close_matches(name.casefold(), set(folded.values()), n=3, cutoff=0.5)
    return sorted(
        (one for one in known if folded[one] in near), key=lambda one: near.index(folded[one])
    )[:3]
