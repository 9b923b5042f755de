"""The labels of lines in displays, and the looks of folds."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from costspace.choices import ThresholdChoice
from costspace.errors import ConditionError, brief

Choices = ThresholdChoice | Sequence[ThresholdChoice] | Mapping[str, ThresholdChoice]
Keywords = Mapping[str, Any]
T = TypeVar("T")


def named(choices: Choices) -> dict[str, ThresholdChoice]:
    """Threshold choices by their labels."""
    if isinstance(choices, Mapping):
        found = dict(choices)
    else:
        # A string is a sequence, too.
        several: Sequence[Any] = (
            choices if isinstance(choices, Sequence) and not isinstance(choices, str) else [choices]
        )
        found = {}
        for one in several:
            name = one.name if isinstance(one, ThresholdChoice) else str(one)
            if name in found:
                raise ConditionError(
                    f"two choices have the name {name}: give a mapping from names."
                )
            found[name] = one
    for one in found.values():
        if not isinstance(one, ThresholdChoice):
            raise ConditionError(
                f"choices must be threshold choice methods such as Optimal(), got {brief(one)}."
            )
    return found


def of_each(kwargs: Keywords | Sequence[Keywords] | None, count: int) -> list[dict[str, Any]]:
    """Keywords for each of several curves: the same for all, or one of a list for each."""
    if kwargs is None or isinstance(kwargs, Mapping):
        return [dict(kwargs or {}) for _ in range(count)]
    if len(kwargs) != count:
        raise ConditionError(
            f"curve_kwargs must be a dict, or a list of one for each of {count} curves, "
            f"got {len(kwargs)}."
        )
    return [dict(one) for one in kwargs]


def titled(name: str | None, what: str, value: float | None = None, measure: str = "") -> str:
    """The label of a curve: the classifier's name, the kind of curve, and its value."""
    title = ", ".join(str(part) for part in (name, what) if part not in (None, ""))
    return title if value is None else f"{title} ({measure} {value:.3g})"


def folds_of(name: str | None, folds: Sequence[T]) -> dict[str, T]:
    """What each fold has, by its label."""
    return {titled(name, f"fold {i}"): fold for i, fold in enumerate(folds, 1)}


def folds_looks(
    colour: Any, names: Collection[str], *, first: bool = True
) -> dict[str, dict[str, Any]]:
    """Thin lines in the colour of a bold one; the first is named."""
    return {
        name: {
            "color": colour,
            "linewidth": 0.7,
            "linestyle": "-",
            "alpha": 0.45,
            "marker": "",
            "zorder": 1.5,
            "label": f"each of {len(names)} folds" if first and i == 0 else "_fold",
        }
        for i, name in enumerate(names)
    }
