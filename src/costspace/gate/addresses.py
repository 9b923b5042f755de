"""A number of a result by its address in JSON, with the interval that it has there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from costspace.errors import ConditionError, brief
from costspace.names import MISSING, near_names

# What the ends of an interval are of, where they stand beside several numbers.
_ESTIMATES = ("value", "cost_per_1000", "saving_per_1000", "difference")
# What says how an interval was found; this one says that nothing is unknown.
_METHODS, _KNOWN = ("interval", "method"), "known"
# Numbers that are what they are, without an interval, and what has only such.
_EXACT, _ALL_EXACT = frozenset({"p", "p_adjusted"}), "shares"


@final
@dataclass(frozen=True)
class Located:
    """What stands at an address."""

    value: float | None  # None if it has no meaning for the data
    low: float | None  # the ends of its interval; None if it has none
    high: float | None
    # Why it cannot be decided on, if nothing else than the interval says so.
    doubt: str = ""


_NO_VALUE = Located(None, None, None, "it has no value for these data")
_NO_INTERVAL = "it has no interval"


def number_at(found: Mapping[str, Any], address: str) -> Located:
    """The number at an address, by the keys that lead to it with dots between them.

    Rows of a list are named by the texts with which each begins, as many as tell it from others;
    segments by the values of their columns, "(none)" where one is missing. An object with an
    interval stands for what that is of. Keys and names may have dots in them.

    Raises
    ------
    ConditionError
        If nothing stands there, or no number does; names that are near are told.
    """
    rest, trail = address, list[tuple[Mapping[str, Any], str]]()
    here: Any = found
    while rest and here is not None:
        step = max(_steps(here, rest), key=len, default=None)
        if step is None:
            raise _no_such(address, rest, here)
        if isinstance(here, Mapping):
            trail.append((here, step))
        here, rest = _after(here, step, address), rest[len(step) :].removeprefix(".")
    return _located(here, trail, address)


def _names(row: Any) -> tuple[str, ...]:
    """What a row of a list is called."""
    if not isinstance(row, Mapping):
        return ()
    names: list[str] = []
    for value in row.values():
        if isinstance(value, Mapping) and not names:
            return tuple(MISSING if own is None else str(own) for own in value.values())
        if isinstance(value, str):
            names.append(value)
        elif value is not None:
            break
    return tuple(names)


def _keys(here: Any) -> Iterator[str]:
    """What may come next of an address."""
    if isinstance(here, Mapping):
        yield from here
    elif _is_list(here):
        for row in here:
            names = _names(row)
            yield from (".".join(names[:k]) for k in range(1, len(names) + 1))


def _steps(here: Any, rest: str) -> Iterator[str]:
    """The keys with which what is left of an address begins."""
    return (key for key in _keys(here) if key and f"{rest}.".startswith(f"{key}."))


def _after(here: Any, step: str, address: str) -> Any:
    """What a key leads to; `ConditionError` if it names several rows of a list."""
    if isinstance(here, Mapping):
        return here[step]
    rows = [
        (names, row) for row in here if f"{'.'.join(names := _names(row))}.".startswith(f"{step}.")
    ]
    if len(rows) > 1:
        several = ", ".join(repr(".".join(names)) for names, _ in rows[:5])
        raise ConditionError(f"{brief(address)} may mean {several}: name one of them.")
    return rows[0][1]


def _is_list(here: Any) -> bool:
    return isinstance(here, Sequence) and not isinstance(here, str)


def _no_such(address: str, rest: str, here: Any) -> ConditionError:
    """What is wrong with an address that leads nowhere."""
    before = address[: len(address) - len(rest)]
    keys = list(dict.fromkeys(_keys(here)))
    if not keys:
        return ConditionError(f"there is no {brief(address)}: {before.rstrip('.')} has no parts.")
    # Names may have dots: what is near to all that is left comes before what is to a part.
    near = near_names(rest, keys) or near_names(rest.partition(".")[0], keys)
    told = near or keys[:8]
    more = "" if near or len(keys) <= 8 else f" and {len(keys) - 8} more"
    what = "did you mean" if near else "there are"
    names = ", ".join(repr(f"{before}{key}") for key in told)
    return ConditionError(
        f"there is no {brief(address)}: {what} {names}{more}{'?' if near else '.'}"
    )


def _located(here: Any, trail: Sequence[tuple[Mapping[str, Any], str]], address: str) -> Located:
    """A number, with what is known of it where it stands."""
    if isinstance(here, Mapping) and (key := _estimate_of(here)) is not None:
        return _with_ends(here[key], here)
    if here is None:
        return _NO_VALUE
    if not _is_number(here):
        raise ConditionError(_no_number(here, address))
    ends = _ends_of(trail)
    if ends is not None:
        return _with_ends(here, ends)
    value = float(here)
    keys = [key for _, key in trail]
    if isinstance(here, int) or keys[-1] in _EXACT or keys[-2:-1] == [_ALL_EXACT]:
        return Located(value, value, value)
    return Located(value, None, None, _NO_INTERVAL)


def _is_number(here: Any) -> bool:
    return isinstance(here, int | float) and not isinstance(here, bool)


def _no_number(here: Any, address: str) -> str:
    """What is wrong with an address at which no number stands."""
    numbers = [
        f"{address}.{key}"
        for key, value in (here.items() if isinstance(here, Mapping) else ())
        if _is_number(value) or isinstance(value, Mapping)
    ]
    what = "is no number" if isinstance(here, Mapping) or _is_list(here) else f"is {brief(here)}"
    keys = numbers or [f"{address}.{key}" for key in dict.fromkeys(_keys(here))]
    return f"{brief(address)} {what}: name {', '.join(map(repr, keys[:6])) or 'a number'}."


def _estimate_of(holder: Mapping[str, Any]) -> str | None:
    """The key of what an object has an interval of, if it has one."""
    if not {"low", "high"} <= {*holder}:
        return None
    return next((key for key in _ESTIMATES if key in holder), None)


def _ends_of(trail: Sequence[tuple[Mapping[str, Any], str]]) -> Mapping[str, Any] | None:
    """The object that has the ends of the interval of a number: its own, or one among intervals."""
    holder, key = trail[-1]
    if key == _estimate_of(holder):
        return holder
    for place, (above, _) in enumerate(trail):
        intervals = above.get("intervals")
        if isinstance(intervals, Mapping):
            keys = [key for _, key in trail[place:]]
            here: Any = intervals
            for one in keys[1:] if keys[0] == "metrics" else keys:
                here = here.get(one) if isinstance(here, Mapping) else None
            return here if isinstance(here, Mapping) else None
    return None


def _with_ends(value: Any, ends: Mapping[str, Any]) -> Located:
    """A number with its interval."""
    low, high = ends["low"], ends["high"]
    if value is None:
        return _NO_VALUE
    if low is None or high is None:
        return Located(float(value), None, None, _NO_INTERVAL)
    known = any(ends.get(key) == _KNOWN for key in _METHODS)
    doubt = "" if low < high or known else "nothing varied, so that its interval has no width"
    return Located(float(value), float(low), float(high), doubt)
