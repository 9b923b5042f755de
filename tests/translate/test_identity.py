"""A program is the same whatever its local variables are called, and another if it does more."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from translate.identity import identity
from translate.writer import Writer

SOURCE = """
from dataclasses import dataclass

LIMIT = 1e-3


@dataclass
class Pair:
    first: float
    second: float

    def most(self, shift):
        apart = self.first - self.second
        return [apart, shift]

    def least(self):
        apart = self.second
        return -apart


def start(given, other):
    total = 0
    for part in given:
        total += part * LIMIT
    pairs = [Pair(part, each) for each in other if each > total]
    kept = {name: part for name, part in [("part", total)]}
    return [total, [one.most(total) for one in pairs], [one.least() for one in pairs], kept]
"""

Of = Callable[[str], str]


@pytest.fixture
def of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Of:
    monkeypatch.syspath_prepend(str(tmp_path))

    def found(text: str) -> str:
        name = f"program_{abs(hash(text))}"
        (tmp_path / f"{name}.py").write_text(text)
        try:
            return identity(Writer((name, "start")).text())
        finally:
            sys.modules.pop(name, None)

    return found


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("total", "amount"),
        ("total", "zz"),
        ("each", "a"),
        ("each", "of"),
        (
            "apart = self.first - self.second\n        return [apart,",
            "x = self.first - self.second\n        return [x,",
        ),
        ("pairs", "first"),
        ("kept = {", "kept = {  # as they are\n        "),
    ],
)
def test_local_names_and_layout_make_no_other_program(of: Of, now: str, then: str):
    assert now in SOURCE
    assert of(SOURCE.replace(now, then)) == of(SOURCE)


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("1e-3", "1e-2"),
        ("total += part", "total -= part"),
        ("Pair(part, each)", "Pair(each, part)"),
        ("self.first - self.second", "self.second - self.first"),
        ("[apart, shift]", "[shift, apart]"),
        ('"part"', '"whole"'),
        ("each > total", "each > LIMIT"),
        ("one.least()", "one.second"),
    ],
)
def test_what_does_more_or_less_is_another(of: Of, now: str, then: str):
    assert now in SOURCE
    assert of(SOURCE.replace(now, then)) != of(SOURCE)
