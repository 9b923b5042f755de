"""Programs of NumPy's calls, random ones too: as text for the page, and as NumPy answers them."""

import json
import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 1e-300, 1e300, 0.5, -2.5, 2.5]

# Steps are (name of the result, function, arguments, arguments by name).
Step = tuple[str, str, list[Any], dict[str, Any]]
Program = list[Step]


class Name(str):
    """What an earlier step gave."""

    __slots__ = ()


def setitem(a: Any, index: Any, value: Any) -> None:
    a[index] = value


OWN = {
    "getitem": operator.getitem,
    "setitem": setitem,
    "inplace": lambda a, name, b: getattr(np, name)(a, b, out=a),
}


def encoded_step(step: Step) -> list[Any]:
    target, name, args, named = step
    return [target, name, [encoded(arg) for arg in args], {k: encoded(v) for k, v in named.items()}]


def encoded(value: Any) -> Any:
    if isinstance(value, Name):
        return {"name": str(value)}
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, type):
        return {"type": value.__name__}
    if isinstance(value, slice):
        return {"slice": [value.start, value.stop, value.step]}
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, Tuple):
        return {"index": [encoded(part) for part in value.parts]}
    if isinstance(value, np.ndarray):
        kind = "i" if value.dtype.kind == "u" else value.dtype.kind
        return {"array": [kind, list(value.shape), [number(x) for x in value.ravel().tolist()]]}
    if isinstance(value, (list, tuple)):
        return [encoded(one) for one in value]
    return number(value)


class Tuple:
    """A tuple between brackets, which is not to be told from a list otherwise."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts


def number(x: Any) -> Any:
    if isinstance(x, (bool, np.bool_)):
        return bool(x)
    if isinstance(x, (int, np.integer)):
        return int(x)
    if isinstance(x, (float, np.floating)):
        if np.isfinite(x):
            return "-0" if x == 0 and np.signbit(x) else float(x)
        return "nan" if np.isnan(x) else "inf" if x > 0 else "-inf"
    return x


def outcome(program: Program) -> dict[str, Any] | Exception:
    names: dict[str, Any] = {}

    def real(value: Any) -> Any:
        if isinstance(value, Name):
            return names[value]
        if isinstance(value, np.ndarray):
            return value.copy()
        if isinstance(value, Tuple):
            return tuple(real(part) for part in value.parts)
        if isinstance(value, list):
            return [real(one) for one in value]
        return value

    try:
        for target, name, args, named in program:
            given, kw = [real(arg) for arg in args], {k: real(v) for k, v in named.items()}
            with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
                names[target] = function(name, given)(*given, **kw)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return error
    return names


def function(name: str, given: list[Any]) -> Callable[..., Any]:
    if name in OWN:
        return OWN[name]
    if name.startswith("."):
        return lambda of, *args, **kw: getattr(of, name[1:])(*args, **kw)
    return operator.attrgetter(name)(np)


def decoded(x: Any) -> Any:
    return float(x) if isinstance(x, str) and x in {"nan", "inf", "-inf", "-0"} else x


def near(x: float, value: float, rel: float, absolute: float) -> bool:
    if not np.isfinite(value):
        return bool(np.array_equal(x, value, equal_nan=True))
    if x == value == 0:
        return absolute > 0 or bool(np.signbit(float(x)) == np.signbit(value))
    return abs(x - value) <= max(rel * abs(value), absolute)


def plain(found: Any) -> Any:
    """An answer whose bits of floats, which come as text, are numbers."""
    if not isinstance(found, dict) or found.get("array", [None])[0] != "q":
        return found
    _, shape, data = found["array"]
    return {"array": ["i", shape, [int(x) for x in data]]} if shape else int(data[0])


def alike(found: Any, value: Any, rel: float, absolute: float) -> bool:
    if isinstance(value, np.ndarray):
        if not isinstance(found, dict) or "array" not in found:
            return value.ndim == 0 and alike(found, value[()], rel, absolute)
        kind, shape, data = found["array"]
        own = "i" if value.dtype.kind == "u" else value.dtype.kind
        if kind != own or tuple(shape) != value.shape:
            return False
        if own == "b":
            return [bool(x) for x in data] == value.ravel().tolist()
        pairs = zip(data, value.ravel().tolist(), strict=True)
        return all(alike(x, y, rel, absolute) for x, y in pairs)
    if isinstance(value, (list, tuple)):
        if not isinstance(found, list) or len(found) != len(value):
            return False
        return all(alike(x, y, rel, absolute) for x, y in zip(found, value, strict=True))
    if isinstance(value, (bool, np.bool_)):
        return found is bool(value)
    if isinstance(value, (int, float, np.number)):
        x = decoded(found)
        if isinstance(x, bool) or not isinstance(x, (int, float)):
            return False
        return near(x, value, rel, absolute)
    return bool(found == (value.item() if isinstance(value, np.generic) else value))


def call(name: str, *args: Any, **named: Any) -> Program:
    return [("found", name, list(args), named)]


class Draw:
    """Arrays at random: of any kind, some with what is special among floats."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def shape(self, ndim: int | None = None, least: int = 0) -> tuple[int, ...]:
        n = int(self.rng.integers(0, 4)) if ndim is None else ndim
        return tuple(self.rng.integers(least, 5, n).tolist())

    def array(self, shape: tuple[int, ...] | None = None, kinds: str = "fib") -> np.ndarray:
        of = self.shape() if shape is None else shape
        kind = self.rng.choice(list(kinds))
        if kind == "b":
            return np.asarray(self.rng.random(of) < 0.5)
        if kind == "i":
            return np.asarray(self.rng.integers(-5, 6, of))
        if kind == "s":
            return np.asarray(self.rng.choice(SPECIAL, of))
        if kind == "t":
            return np.asarray(self.rng.integers(-3, 4, of) / 2)
        return np.asarray(self.rng.normal(size=of) * 10.0 ** self.rng.integers(-2, 3, of))

    def stretched(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """A shape that is broadcast to another."""
        cut = shape[int(self.rng.integers(0, len(shape) + 1)) :]
        return tuple(1 if self.rng.random() < 0.3 else n for n in cut)

    def axis(self, ndim: int) -> Any:
        if ndim == 0 or self.rng.random() < 0.3:
            return None
        return int(self.rng.integers(-ndim, ndim))


def index_part(draw: Draw, n: int) -> Any:
    which = draw.rng.integers(0, 7)
    if which == 0 and n:
        return int(draw.rng.integers(-n, n))
    if which == 1:
        return draw.rng.integers(-n, n, int(draw.rng.integers(0, 4))) if n else slice(None)
    if which == 2:
        return draw.rng.random(n) < 0.5
    if which == 3 and n:
        return draw.rng.integers(-n, n, (2, 1))
    if which == 4:
        return slice(None)
    ends = draw.rng.integers(-n - 2, n + 3, 2).tolist()
    step = int(draw.rng.choice([-2, -1, 1, 1, 2]))
    return slice(*(None if draw.rng.random() < 0.3 else end for end in ends), step)


def random_index(draw: Draw, shape: tuple[int, ...]) -> Any:
    if draw.rng.random() < 0.1:
        return draw.rng.random(shape) < 0.5
    parts: list[Any] = [index_part(draw, n) for n in shape]
    kept = int(draw.rng.integers(0, len(parts) + 1))
    if draw.rng.random() < 0.3:
        parts[kept:] = []
    elif draw.rng.random() < 0.3 and parts:
        at = int(draw.rng.integers(0, len(parts)))
        parts[at : at + int(draw.rng.integers(0, 3))] = [...]
    if draw.rng.random() < 0.3:
        parts.insert(int(draw.rng.integers(0, len(parts) + 1)), None)
    if len(parts) == 1 and draw.rng.random() < 0.5:
        return parts[0]
    return Tuple(*parts)


def as_text(programs: list[Program]) -> str:
    return json.dumps([[encoded_step(step) for step in program] for program in programs])


def mistakes(program: Program, answer: dict[str, Any], rel: float, absolute: float) -> list[str]:
    """What an answer has other than NumPy."""
    shown = [encoded_step(step) for step in program]
    expected = outcome(program)
    if isinstance(expected, Exception):
        kinds = [kind.__name__ for kind in type(expected).__mro__]
        kinds = kinds[: kinds.index("Exception")]
        if any(kind in answer.get("error", "") for kind in kinds):
            return []
        return [f"{shown}\n  raises {expected!r}, not {answer}"]
    found = {name: plain(answer.get(name, answer)) for name in expected}
    return [
        f"{shown}\n  {name} is {encoded(value)}, not {found[name]}"
        for name, value in expected.items()
        if not alike(found[name], value, rel, absolute)
    ]
