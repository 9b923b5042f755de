"""Threshold choices by their names."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from costspace.choices.base import ThresholdChoice, check_choice
from costspace.errors import ConditionError, brief
from costspace.samples.vectors import first_few

Choices: TypeAlias = Iterable[ThresholdChoice] | Mapping[str, ThresholdChoice]


def choices_by_name(
    choices: Choices | str, known: Mapping[str, ThresholdChoice]
) -> dict[str, ThresholdChoice]:
    """Choices by the names that they have, are given, or else are written as.

    `ConditionError` unless they are some, each one a choice, and no two of a list the same.
    """
    if isinstance(choices, Mapping):
        named = {str(name): choice for name, choice in choices.items()}
        if len(named) < len(choices) or not all(map(str.strip, named)):
            raise ConditionError(
                f"choices must have names, each its own, got {first_few(list(choices))}."
            )
    elif isinstance(choices, str) or not isinstance(choices, Iterable):
        raise ConditionError(
            "choices must be a list of threshold choices, or a mapping of names to such, as "
            f'{{"smoothed": cs.Smoothed()}}, got {brief(choices)}.'
        )
    else:
        names = {choice: name for name, choice in known.items()}
        named = {}
        for choice in choices:
            name = names.get(check_choice(choice, "choices must be"), str(choice))
            if name in named:
                raise ConditionError(f"choices must differ, got {brief(choice)} twice.")
            named[name] = choice
    if not named:
        raise ConditionError("choices must be at least one threshold choice, got none.")
    for choice in named.values():
        check_choice(choice, "choices must be")
    return named
