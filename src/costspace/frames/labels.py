"""Which of the labels in a column is the positive class."""

import re
from collections.abc import Sequence
from typing import Any

from costspace.errors import LabelError, brief

# A whole number: its sign, and its digits without leading zeros.
WHOLE = r"\+?(-?)0*([0-9]+)(\.0*)?"
USUAL = ({"0", "1"}, {"-1", "1"}, {"false", "true"})


def is_missing(value: Any) -> bool:
    """Whether a value is null or NaN, as any engine represents them."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124  (only NaN differs from itself)
    except TypeError:
        # pandas.NA is neither equal nor unequal to anything.
        return True


def positive_label(
    labels: Sequence[Any], column: str, pos_label: object, *, both: bool
) -> tuple[list[Any], bool]:
    """The labels of one class, each as it is written, and whether it is the positive class.

    The positive one is given as a value or as its text; 0/1, -1/1, true/false and their texts tell
    it themselves. `LabelError` if nothing says which it is, or there are not two classes; one will
    do unless `both` must occur.
    """
    shown = _shown(labels)
    if pos_label is None:
        texts = {plain(label) for label in labels}
        if not any(texts <= usual for usual in USUAL):
            raise LabelError(
                f"column {column!r} has labels {shown}: say which is the positive class with "
                "pos_label."
            )
        chosen = [label for label in labels if plain(label) in ("1", "true")]
    else:
        chosen = [label for label in labels if label == pos_label]
        chosen = chosen or [label for label in labels if plain(label) == plain(pos_label)]
        texts = {plain(label) for label in chosen}
        chosen = [label for label in labels if plain(label) in texts]
    others = [label for label in labels if label not in chosen]
    if any(len({plain(label) for label in side}) > 1 for side in (chosen, others)):
        if pos_label is not None and not chosen:
            raise LabelError(
                f"pos_label {brief(pos_label)} is not among the labels of column {column!r}: "
                f"{shown}."
            )
        raise LabelError(f"column {column!r} must have labels of two classes, got {shown}.")
    if both and not (chosen and others):
        raise LabelError(f"column {column!r} has only one class, {shown}: both are needed.")
    return (chosen, True) if chosen else (others, False)


def plain(label: Any) -> str:
    """A label by its value where it is a number or a truth value, however it is written."""
    text = str(label).strip()
    whole = re.fullmatch(WHOLE, text)
    if whole:
        return whole[1] + whole[2]
    return text.casefold() if text.casefold() in ("true", "false") else text


def _shown(labels: Sequence[Any]) -> str:
    ordered = sorted(labels, key=lambda label: (str(type(label)), label))
    shown = ", ".join(brief(label) for label in ordered[:4])
    return shown + (f" and {len(ordered) - 4} more" if len(ordered) > 4 else "")
