"""P-values adjusted for multiple comparisons."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray
from costspace.errors import ConditionError, brief


def adjusted_p(p: ArrayLike, correction: str | None = "holm") -> FloatArray:
    """Adjusted p-values, which control the family-wise error rate.

    Parameters
    ----------
    p : array of shape (k,), in [0, 1]
        P-values of one family of k tests, with any dependence.
    correction : {"holm", "bonferroni"} or None
        Holm's method is never less powerful than Bonferroni's; None does not adjust.

    Returns
    -------
    array of shape (k,), in [0, 1]
        In the order of `p`, each at least the original.

    Raises
    ------
    ConditionError
        If the correction is unknown or a p-value is not in [0, 1].

    Notes
    -----
    Holm (1979), Scandinavian Journal of Statistics 6.

    Examples
    --------
    >>> adjusted_p([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    >>> adjusted_p([0.01, 0.04, 0.03], "bonferroni")
    array([0.03, 0.12, 0.09])
    """
    check_correction(correction)
    values = np.array(p, dtype=float)
    if values.ndim != 1 or not np.all((values >= 0) & (values <= 1)):
        raise ConditionError(f"p must be p-values in [0, 1], one for each test, got {brief(p)}.")
    return values if correction is None else np.minimum(_CORRECTIONS[correction](values), 1.0)


# A dataclass with the attributes p and p_adjusted.
Record = TypeVar("Record", bound=Any)


def adjusted(family: Iterable[Record], correction: str | None) -> list[Record]:
    """Records of tests, with p-values adjusted for all of them as one family."""
    family = list(family)
    p = adjusted_p([one.p for one in family], correction).tolist()
    return [replace(one, p_adjusted=p) for one, p in zip(family, p, strict=True)]


def distinct_tests(
    pairs: Iterable[tuple[str, str, str, bool]],
) -> list[tuple[str, str, str] | None]:
    """Which test each of some comparisons is: models that are equal are one, the first by name.

    Parameters
    ----------
    pairs : iterable of tuple
        By what is compared, two models, and whether they are equal.

    Returns
    -------
    list of tuple or None
        What is compared and whom it takes for the two; None for two that are equal, which is no
        test.

    Examples
    --------
    >>> distinct_tests([("h", "a", "b", True), ("h", "a", "c", False), ("h", "b", "c", False)])
    [None, ('h', 'a', 'c'), ('h', 'a', 'c')]
    """
    pairs = list(pairs)
    first: dict[tuple[str, str], str] = {}
    for by, a, b, equal in pairs:
        if equal:
            least = min(first.get((by, a), a), first.get((by, b), b))
            first[by, a] = first[by, b] = least
    found: list[tuple[str, str, str] | None] = []
    for by, a, b, equal in pairs:
        one, other = sorted([first.get((by, a), a), first.get((by, b), b)])
        found.append(None if equal else (by, one, other))
    return found


def adjusted_tests(
    found: Iterable[Record], tests: Sequence[object], correction: str | None
) -> list[Record]:
    """Records with p-values adjusted for the tests that they are, each counted once.

    What is None is no test, and stays as it is.
    """
    found = list(found)
    p = {test: one.p for one, test in zip(found, tests, strict=True) if test is not None}
    after = dict(zip(p, adjusted_p(list(p.values()), correction).tolist(), strict=True))
    return [
        one if test is None else replace(one, p_adjusted=after[test])
        for one, test in zip(found, tests, strict=True)
    ]


def check_correction(correction: object) -> None:
    """Raise `ConditionError` unless it is the name of a correction, or None for none."""
    known = isinstance(correction, str) and correction in _CORRECTIONS
    if correction is not None and not known:
        raise ConditionError(
            f"correction must be one of {', '.join(_CORRECTIONS)} or None, got {brief(correction)}."
        )


def adjustment(correction: str | None) -> str:
    """A correction in words."""
    return "p not adjusted" if correction is None else f"p adjusted by {correction.title()}"


def _bonferroni(p: FloatArray) -> FloatArray:
    return p * len(p)


def _holm(p: FloatArray) -> FloatArray:
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = steps
    return adjusted


_CORRECTIONS: MappingProxyType[str, Callable[[FloatArray], FloatArray]] = MappingProxyType(
    {"holm": _holm, "bonferroni": _bonferroni}
)
