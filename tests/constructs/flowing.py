"""Comparisons, errors, generators, and what is changed where it is."""

# Written as the package does not, too.
# ruff: noqa: PLR0133, SIM222

from contextlib import suppress

import numpy as np


class OwnError(ValueError):
    """An error of the program's own."""


class OtherError(OwnError):
    """A narrower one."""


def _raising(kind):
    if kind == 1:
        raise OwnError("own")
    if kind == 2:
        raise OtherError(f"other {kind}")
    if kind == 3:
        raise KeyError
    return kind


def tried(kind):
    told = []
    try:
        told.append(_raising(kind))
    except OtherError as error:
        told.append(str(error))
    except (OwnError, KeyError) as error:
        told.append(type(error).__name__)
    else:
        told.append("else")
    finally:
        told.append("finally")
    with suppress(ValueError):
        told.append(_raising(min(kind, 2)))
    return told


def not_caught_by_its_own(kind):
    try:
        try:
            found = kind
        except OwnError:
            return "inner"
        else:
            found += _raising(kind)
    except OwnError:
        return "outer"
    return found


def raised_again(kind):
    try:
        try:
            _raising(kind)
        except OtherError:
            raise
        except OwnError as error:
            raise OtherError("from own") from error
    except OwnError as error:
        return [type(error).__name__, str(error)]
    return "nothing"


def _logged(log, x):
    log.append(x)
    return x


def chained(x):
    log = []
    found = [
        0 < _logged(log, x) < 5,
        0 < _logged(log, x) <= _logged(log, 3) != _logged(log, 9),
        x is not None is not True,
        1 == x == 1,
        x not in [1, 2] and x in (3, 4),
    ]
    return [found, log]


def values_of_tests(x):
    return [x or "nothing", x and "all", not x, (x or None) is None, [] or {} or 0 or "last"]


def lazily(x):
    log = []
    made = (_logged(log, k) * x for k in range(5) if k != 1)
    first = next(made)
    found = any(_logged(log, k) > 10 for k in [11, 12])
    held = all(_logged(log, k) < 20 for k in [21, 22])
    rest = list(made)
    return [first, rest, found, held, log, next((k for k in [] if k), "none")]


def walrus(x):
    kept = [half for k in range(6) if (half := k / 2) > 1]
    while (x := x - 2) > 0:
        kept.append(x)
    return [kept, half, x]


def slices(x):
    values, text = list(range(8)), "abcdefgh"
    out = [
        values[2:],
        values[:-2],
        values[::3],
        values[::-1],
        values[5:1:-2],
        text[1:x],
        text[::-1],
    ]
    values[1:3] = [9, 9, 9]
    del values[0], values[-1]
    values[0] = -1
    first, *rest = values
    return [*out, values, first, rest, values[-x], [*text][-1]]


def changed_in_place(x):
    a = np.arange(4.0)
    b, whole = a, a[1:]
    b += x
    whole *= 2
    a[0] -= 5
    a[[1, 2]] += 1
    c = a
    c = c + 1
    counts = {"k": 1}
    same = counts
    same["k"] += x
    counts |= {"l": 2}
    return [a.tolist(), c.tolist(), same["k"], sorted(same)]


def bound_together(x):
    a = b = [x]
    a.append(1)
    c, d = x, x + 1
    c, d = d, c
    table = [0, 0]
    table[0], table[1] = d, c
    (e, (f, g)), h = (1, (2, 3)), 4
    return [a, b, c, d, table, [e, f, g, h]]


RUN = {
    "tried": [[0], [1], [2], [3]],
    "not_caught_by_its_own": [[0], [1], [4]],
    "raised_again": [[0], [1], [2]],
    "chained": [[1], [3], [7], [-1]],
    "values_of_tests": [[0], [2], [""], ["a"], [[]], [[0]], [None]],
    "lazily": [[3]],
    "walrus": [[5]],
    "slices": [[3]],
    "changed_in_place": [[2]],
    "bound_together": [[3]],
}
