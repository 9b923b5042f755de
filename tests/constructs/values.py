"""Values: collections, texts, and Python's own functions of them."""

# Written as the package does not, too.
# ruff: noqa: B009, C408, PLR0133, RUF005, RUF017, SIM905

from dataclasses import asdict, dataclass, fields
from itertools import combinations, pairwise, product

import numpy as np


def comprehensions(x):
    table = {k: [j for j in range(k) if j % 2] for k in range(x)}
    pairs = [(a, b) for a in range(3) for b in range(a) if a + b > 1]
    odd = {k % 3 for k in range(x)}
    return [list(table.items()), pairs, sorted(odd), sum(a * b for a, b in pairs)]


def mappings(x):
    table = {"b": 1, "a": None, 3: "three", (1, "t"): "tuple"}
    found = [table.get("a", 5), table.get("c", 5), table.get("c"), table[(1, "t")], 3 in table]
    table.setdefault("b", 7)
    table |= {"d": x}
    popped = table.pop("b")
    merged = {**table, "a": 2} | {"e": 0}
    return [found, popped, list(table.values()), list(merged), len(merged), dict(a=1, b=2)["b"]]


def sets(x):
    one, other = {1, 2, x}, frozenset([2, 3])
    return [
        [sorted(one | other), sorted(one & other), sorted(one - other), {2} <= other],
        [len({(1, 2), (1, 2), (2, 1)}), {1, 2} == {2, 1}, one.issubset({1, 2, 3, 4, x})],
    ]


def texts(x):
    name, much = "a\"b'c", 1234567.891
    width = 8
    return [
        f"{x:,.2f}|{much:,.0f}|{much:.3g}|{much:g}|{0.00001234:g}|{x:>6}|{name:<10}|{name!r}",
        f"{much:{width}.1f}|{x:+d}|{0.256:.1%}|{1e22:g}|{{}}|{1.5}|{True}|{None}|{[1, 'a']}",
        f"{x:03d}|{name:^9}|{much:e}|{float('inf')}|{-0.5:.0f}|{2.5:.0f}",
        ", ".join(sorted(["b", "é", "a"], reverse=True)) + "-" * 3,
        "a,b,,c".split(","),
        "%".join(str(k) for k in range(3)).replace("%", " & ").upper().title(),
        "  padded ".strip() + "x".rjust(3) + "prefix".removeprefix("pre"),
        [
            "abc".find("c"),
            "abc".startswith("ab"),
            "b" in "abc",
            "A-b".lower(),
            "a.b".partition("."),
        ],
    ]


def numbers(x):
    return [
        [7 // 2, -7 // 2, -7 % 3, 7.5 % 2, 2**10, 2**-1, 9**0.5, -(2**2), True + 1, x // 1],
        [round(2.5), round(3.5), round(2.675, 2), int(-2.7), abs(-3), float("1e3"), int("12")],
        [5 & 3, 5 | 3, 5 ^ 3, 1 << 5, 37 >> 2, ~5, min(3, x, 2), max([1, x])],
        [sum([1, 2], 10), sum([[1], [2]], []), min("bca"), max([(1, 2), (1, 3)])],
        [min([], default=4), max([3, -5, 4], key=abs), min(["bb", "a"], key=len)],
    ]


def many(x):
    people = [("b", 2), ("a", 2), ("c", 1)]
    return [
        sorted(people, key=lambda one: one[1]),
        sorted(people, key=lambda one: one[1], reverse=True),
        list(zip([1, 2], "ab", strict=True)),
        [list(one) for one in enumerate("xy", start=x)],
        [list(reversed([1, 2])), list(range(5, 0, -2)), list(map(abs, [-1, 2]))],
        [list(combinations([1, 2, 3], 2)), list(pairwise("abc")), list(product([1, 2], "a"))],
        [any([]), all([]), any([0, x]), all([x, 0]), bool([0]), bool("")],
        [isinstance(x, float | int), isinstance("a", (str, tuple)), isinstance(None, str)],
    ]


def lists(x):
    values = [3, 1, 2]
    values.append(x)
    values.extend([7, 8])
    values.insert(0, 9)
    values.remove(1)
    last = values.pop()
    values.sort()
    words = ["b", "c", "a"]
    words.sort()
    words.reverse()
    copied = values.copy()
    copied.clear()
    return [values, last, words, copied, values.index(9), [1, 1, 2].count(1), [0] * 3, [1] + [2]]


@dataclass(frozen=True)
class Part:
    """A value within another."""

    size: int
    label: str = "part"


@dataclass(frozen=True)
class Whole:
    """A value that has others."""

    parts: tuple
    by_name: dict


def values_in_values(x):
    whole = Whole((Part(x), Part(2, "two")), {"a": Part(3)})
    plain = asdict(whole)
    return [
        [one["label"] for one in plain["parts"]],
        plain["by_name"]["a"]["size"],
        [one.name for one in fields(Part)],
        {Part(1): "same"}[Part(1)],
        repr(Part(1)),
        len({Part(1), Part(1), Part(2)}),
        getattr(whole, "parts")[0].size,
        getattr(whole, "nothing", "none"),
        hasattr(whole, "parts"),
    ]


def arrays(x):
    a = np.array([3.0, 1.0, 2.0])
    b = a[a > 1]
    total = float(a.sum()) + a.max() - a[-1]
    table = np.outer(a, [1, 2])[:, 1]
    order = np.argsort(a, kind="stable")
    return [
        b.tolist(),
        total,
        table.tolist(),
        order.tolist(),
        len(a),
        a.shape,
        float(x).is_integer(),
    ]


RUN = {
    "comprehensions": [[5]],
    "mappings": [[4]],
    "sets": [[7]],
    "texts": [[5]],
    "numbers": [[4]],
    "many": [[3]],
    "lists": [[5]],
    "values_in_values": [[4]],
    "arrays": [[2]],
}
