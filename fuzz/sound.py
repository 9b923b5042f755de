"""What holds of every answer, whatever it says: it shows itself, has its columns, and pickles."""

import pickle
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

# Functions given by the caller may not pickle; what holds them then does not either.
_BY_FUNCTION = {
    *("AnalyticScores", "ScoreDensity", "SmoothCurve", "SmoothPath", "NoisyCondition"),
    *("SmoothLookUp", "Influence", "Deviation"),
}


def records(answer: Any, depth: int = 4) -> Iterator[Any]:
    """The package's values in an answer, itself and those in its fields."""
    if type(answer).__module__.partition(".")[0] == "costspace":
        yield answer
    if depth == 0:
        return
    if isinstance(answer, Mapping):
        for one in answer.values():
            yield from records(one, depth - 1)
    elif isinstance(answer, (tuple, list)):
        for one in answer[:5]:
            yield from records(one, depth - 1)
    elif is_dataclass(answer) and not isinstance(answer, type):
        for field in fields(answer):
            yield from records(getattr(answer, field.name, None), depth - 1)


def flaw(answer: Any) -> str | None:
    """What is wrong with an answer as a value, if anything is."""
    found = list(records(answer))
    for one in found:
        name = type(one).__name__
        if not repr(one) or not str(one):
            return f"{name} shows nothing"
        lengths = _lengths(one)
        if len(set(lengths.values())) > 1:
            return f"{name} has columns of lengths {lengths}"
    names = {type(one).__name__ for one in found}
    if not found or names & _BY_FUNCTION:
        return None
    return _pickled(answer, type(found[0]).__name__)


def _lengths(one: Any) -> dict[str, int]:
    columns = getattr(one, "columns", None)
    if not callable(columns):
        return {}
    return {name: len(values) for name, values in columns().items()}


def _pickled(answer: Any, name: str) -> str | None:
    try:
        again = pickle.loads(pickle.dumps(answer))
    except Exception as error:  # noqa: BLE001
        return f"{name} does not pickle: {error}"
    if type(again) is not type(answer):
        return f"{name} becomes {type(again).__name__} by a pickle"
    if not callable(getattr(answer, "columns", None)):
        return None
    before, after = answer.columns(), again.columns()
    for key, values in before.items():
        if not np.array_equal(values, after[key], equal_nan=np.asarray(values).dtype.kind == "f"):
            return f"column {key} of {name} is another after a pickle"
    return None
