"""No code outside an axis asks which of its variants it has, so that a user's own works as well.

An instance of one may be made anywhere: metrics are defined by choices and distributions. To test
for one, to annotate with one or to list them is for the folder of the axis alone.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import costspace as cs

SOURCE = Path(cs.__file__).parent
# Lists of defaults and words for them, and what reads distributions from the command line.
LISTS = {"metrics/guide.py", "cli/options.py", "report/choices.py", "__init__.py"}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(code: ast.AST) -> list[ast.AST]:
    """All that code is made of, listed once for all axes."""
    return list(ast.walk(code))


def variants(axis: type) -> set[str]:
    """The names of the package's own variants of an axis."""
    found = set()
    for variant in axis.__subclasses__():
        if variant.__module__.startswith("costspace."):
            found |= {variant.__name__} | variants(variant)
    return found


def named(code: ast.AST, names: set[str]) -> Iterator[tuple[str, int]]:
    """The variants that code names without making an instance, and the lines."""
    nodes = nodes_of(code)
    made = {node.func for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute) and node not in made:
            name = node.id if isinstance(node, ast.Name) else node.attr
            if name in names:
                yield name, node.lineno
        elif isinstance(node, ast.Constant) and node.value in names:
            # Annotations in quotes, and names of types that are compared.
            yield node.value, node.lineno


def compared(code: ast.AST, names: set[str]) -> Iterator[tuple[str, int]]:
    """The variants that something is compared with, by an instance, and the lines."""
    for node in nodes_of(code):
        for side in (node.left, *node.comparators) if isinstance(node, ast.Compare) else ():
            for one in getattr(side, "elts", [side]):
                if isinstance(one, ast.Call):
                    # The name alone is what is not made.
                    yield from named(one.func, names)


def named_or_compared(code: ast.AST, names: set[str]) -> Iterator[tuple[str, int]]:
    """The variants that code asks for in one of both ways, and the lines."""
    yield from named(code, names)
    yield from compared(code, names)


def asked(code: ast.AST, names: set[str]) -> Iterator[tuple[str, int]]:
    """The variants that code tests for, and the lines."""
    for node in nodes_of(code):
        if isinstance(node, ast.MatchClass):
            yield from named(node.cls, names)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
            yield from named(node.args[1], names)
    yield from compared(code, names)


AXES = {
    "choices": (cs.ThresholdChoice, named_or_compared),
    "costs": (cs.CostDistribution, named_or_compared),
    # Sources are read from data by name, and what needs rows says so in its signature.
    "scores": (cs.ScoreSource, asked),
    "deployment": (cs.JointConditions, asked),
}
# Saves work for thresholds that are set on one table and used on another, and for rates over a
# range of prevalence. What a page asks, and words for what was given, are of bounds alone.
EXCEPT = {
    "scores": {"decision/money/expected.py"},
    "deployment": {"decision/money/expected.py", "decision/task.py", "report/question.py"},
}


@pytest.mark.parametrize("axis", AXES)
def test_no_code_outside_an_axis_asks_for_a_variant(axis):
    base, find = AXES[axis]
    names, found = variants(base), []
    assert len(names) > 1
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE)
        if place.parts[0] == axis or str(place) in LISTS | EXCEPT.get(axis, set()):
            continue
        found += [f"{place}:{line} {name}" for name, line in find(tree(path), names)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "code",
    [
        "isinstance(choice, Optimal)",
        "isinstance(choice, ScoreFixed | Optimal)",
        "isinstance(choice, choices.Optimal)",
        "match choice:\n    case Optimal():\n        pass",
        "type(choice) is Optimal",
        "def f(choice: Optimal): ...",
        "def f(choice: 'Optimal'): ...",
        "type(choice).__name__ == 'Optimal'",
        "BY_TYPE = {Optimal: 1}",
        "choice == Optimal()",
        "Optimal() == choice",
        "choice != choices.Optimal()",
        "choice is Optimal()",
        "choice in (Optimal(), ScoreFixed(0.5))",
        "choice not in [Optimal()]",
        "choice in {Optimal()}",
        "a < b == Optimal()",
        "choice.of == ScoreFixed(threshold=t)",
    ],
)
def test_comparing_or_asking_for_a_variant_is_found(code):
    assert list(named_or_compared(ast.parse(code), {"Optimal", "ScoreFixed"}))


@pytest.mark.parametrize(
    "code",
    ["Optimal().path(source)", "loss(Optimal()) < loss(choice)", "x in (loss(Optimal()), 0)"],
)
def test_making_a_variant_is_allowed(code):
    assert not list(named_or_compared(ast.parse(code), {"Optimal"}))
