"""Text in JavaScript is Python's: of numbers by formats, and by methods of strings."""

import random
import struct
import sys
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

Call = Callable[[str, dict[str, list[list[Any]]]], dict[str, list[Any]]]

PARAGRAPH = """
g f e % .0f .1f .2f .3f .6f .10f .0e .1e .2e .15e .0g .1g .2g .3g .4g .6g .10g .12g .15g .16g
.17g .0% .1% .2% , ,.0f ,.1f ,.2f ,.6g ,.3g +.3f +g +, >8 <8 ^9 =9 12.3f <12.3g ^13.4g =+12.2f
08.2f 012, 09,.1f 010,.2f 020,.3f 08 012g +012.3e *>20 *^21.3f x=+15g .3 .1 .15 .17 12.4 G .2G
E .3E .40f .30e -.2f _ _.2f
"""
SPECS = PARAGRAPH.split()
WHOLE = ["d", ",", ",d", "x", "04x", "X", "", "08d", "+d", " d", "5", "<6", "^7d", "g", "f", ".1%"]


def numbers(rng: random.Random) -> list[float]:
    """Of all sizes, short and long, and ties of roundings."""
    plain = [0.0, 0.5, 1.5, 2.5, 0.125, 0.375, 1e16, 1e-5, 1e-4, 9.5, 99.5, 0.05, 1e22, 5e-324]
    plain += [1e23, 9.999999e22, sys.float_info.max, 2.0**53, 123456789012345.0, 1e15, 1e17]
    plain += [999999.5, 9999995.0, 0.00001, 0.0001, 0.00009999995, 1e21, 123456.5, 2.675, 1.005]
    bits = [struct.unpack("<d", rng.randbytes(8))[0] for _ in range(100)]
    short = [round(rng.uniform(0, 1000), rng.randint(0, 4)) for _ in range(150)]
    ties = [rng.randint(0, 10**6) / 2 ** rng.randint(1, 12) for _ in range(150)]
    sizes = [rng.random() * 10 ** rng.uniform(-20, 25) for _ in range(150)]
    own = [*plain, *bits, *short, *ties, *sizes]
    return [*own, *(-x for x in own), float("inf"), float("-inf"), float("nan")]


def as_javascript(value: Any) -> Any:
    """Numbers as JavaScript has them: whole ones are ints until Python writes an exponent."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e16
    return int(value) if whole else value


def expected(value: Any, spec: str) -> str:
    known = as_javascript(value)
    if spec == "" or (spec[-1] not in "fFeEgG%" and "." not in spec):
        return format(known, spec)
    return format(float(value), spec)


def test_formats_of_numbers(call: Call):
    rng = random.Random(1)
    asked = [[x, spec] for x in numbers(rng) for spec in SPECS]
    found = call("python/text.js", {"format": asked})["format"]
    wrong = [(args, own) for args, own in zip(asked, found, strict=True) if own != expected(*args)]
    assert not wrong


def test_formats_of_whole_numbers(call: Call):
    rng = random.Random(2)
    sizes = [rng.randint(0, 10 ** rng.randint(1, 15)) for _ in range(100)]
    values = [*sizes, *(-n for n in sizes), 0, 1, -1, 999, 1000, True, False, 2**60]
    asked = [[n, spec] for n in values for spec in WHOLE if n != 2**60 or spec in {"d", ",d"}]
    found = call("python/text.js", {"format": asked})["format"]
    assert found == [format(*args) for args in asked]


def test_formats_of_strings(call: Call):
    specs = ["", "s", "5", "<5", ">5", "^6", "*^7", ".2", ">6.2", "05", "é>4", "10s", "0>7"]
    asked = [[s, spec] for s in ["", "a", "abc", "añ😀b"] for spec in specs]
    assert call("python/text.js", {"format": asked})["format"] == [format(*a) for a in asked]


@pytest.mark.parametrize(
    "args", [[1.5, "d"], ["a", "d"], [1.5, "q"], [None, "5"], [[1], ".2f"], [1.5, "5.x"]]
)
def test_formats_that_python_refuses(call: Call, args: list[Any]):
    with pytest.raises((ValueError, TypeError)):
        format(*args)
    assert "error" in call("python/text.js", {"format": [args]})["format"][0]


def test_repr_and_str(call: Call):
    rng = random.Random(3)
    signs = "'\"\\\n\t\r\0\x1b\x7f\x85\xa0\xad ~aé\u2028\u200b\ufeff😀\U000e0001\ue000"
    strings = ["".join(rng.choices(signs, k=rng.randint(0, 6))) for _ in range(500)]
    values = [*numbers(rng), *strings, None, True, False, [], [1, 2.5, "a'b", [None, True]]]
    found = call("python/text.js", {"repr": [[x] for x in values], "str": [[x] for x in values]})
    assert found["repr"] == [repr(as_javascript(x)) for x in values]
    assert found["str"] == [str(as_javascript(x)) for x in values]


# The arguments of each method after the string.
OTHERS: dict[str, list[list[Any]]] = {
    **{
        name: [[], [None], ["a"], [" -a"], ["]^\\"], [""]] for name in ("strip", "lstrip", "rstrip")
    },
    "split": [[], [None, 0], [None, 1], [None, 2], [","], ["ab"], [",", 0], [",", 1], ["a", 2]],
    "partition": [["a"], [","], ["ab"], [" "]],
    **{name: [["a"], ["ab"], [""], ["\u00e9"]] for name in ("removeprefix", "removesuffix")},
    **{name: [["a"], [""], [["b", "ab"]], [[]]] for name in ("startswith", "endswith")},
    "replace": [["a", "xy"], ["ab", ""], ["", "-"], ["a", "b", 1], ["", "-", 2], ["a", "b", 0]],
    "count": [["a"], ["ab"], [""], ["aa"]],
    "find": [["a"], ["b,"], [""], ["\U0001f600"]],
    "rjust": [[0], [3], [6], [7], [10, "*"]],
    "capitalize": [[]],
    "title": [[]],
    "upper": [[]],
    "lower": [[]],
}


def test_methods_of_strings(call: Call):
    rng = random.Random(4)
    signs = "aaabbAB  ,,-1²_'\n\r\t\u00e9\u00df\u01c6\u2028\x1c\x85\ufeff\u03a3]^\\+\U0001f600"
    strings = ["".join(rng.choices(signs, k=rng.randint(0, 9))) for _ in range(400)]
    strings += ["they're bill's", "", "   ", "+12", "-5", "12", "x1", "class", "ab" * 4]
    asked = {name: [[s, *o] for s in strings for o in rest] for name, rest in OTHERS.items()}
    found = call("python/text.js", asked)
    for name, calls in asked.items():
        for (s, *rest), own in zip(calls, found[name], strict=True):
            given = (tuple(x) if isinstance(x, list) else x for x in rest)
            theirs = getattr(s, name)(*given)
            assert own == (list(theirs) if isinstance(theirs, tuple) else theirs), (name, s, rest)


def test_index_and_join(call: Call):
    asked = {"index": [["abc", "c"], ["abc", "x"]], "join": [[", ", ["a", "b"]], ["", []]]}
    found = call("python/text.js", asked)
    assert found == {"index": [2, {"error": "substring not found"}], "join": ["a, b", ""]}
    joined = call("python/text.js", {"join": [[",", ["a", 1]]]})["join"]
    assert joined[0]["error"].startswith("sequence item 1: expected str instance")


def test_kinds_of_every_sign(call: Call):
    """Of all that Python's Unicode has; a browser may know more signs."""
    signs = [chr(n) for n in range(0x30000) if unicodedata.category(chr(n)) not in {"Cn", "Cs"}]
    names = ["upper", "lower", "repr", "strip"]
    found = call("python/text.js", {name: [[sign] for sign in signs] for name in names})
    for name in names:
        theirs = [repr(sign) if name == "repr" else getattr(sign, name)() for sign in signs]
        # Newer Unicode gives some old letters a capital.
        newer = {s for s, own in zip(signs, theirs, strict=True) if name == "upper" and own == s}
        wrong = [s for s, a, b in zip(signs, found[name], theirs, strict=True) if a != b]
        assert set(wrong) <= newer, name
        assert len(wrong) < 20
