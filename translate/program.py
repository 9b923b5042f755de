"""What a program is made of: where each name of a module comes from."""

import ast
import builtins
import importlib
import inspect
from dataclasses import dataclass
from functools import cache, cached_property
from types import ModuleType
from typing import Any

from costspace.deferral import Deferred

PACKAGE = "costspace"


@dataclass(frozen=True)
class Found:
    """What a name stands for.

    `kind` is "function", "class" or "constant" of the package, with the module and the name that
    define it; "external", with those of another library; or "module".
    """

    kind: str
    module: str
    name: str
    value: Any = None


class Source:
    """The syntax of a module of the package, and what its names stand for."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module: ModuleType = importlib.import_module(name)
        self.tree = ast.parse(inspect.getsource(self.module))

    @cached_property
    def defined(self) -> dict[str, ast.stmt]:
        """The top-level statement that defines each name."""
        return dict(self._statements(self.tree.body))

    def changes(self, name: str) -> list[ast.AugAssign]:
        """The top-level statements that change what a name stands for in place."""
        return [
            one
            for one in self.tree.body
            if isinstance(one, ast.AugAssign)
            and isinstance(one.target, ast.Subscript)
            and isinstance(one.target.value, ast.Name)
            and one.target.value.id == name
        ]

    @cached_property
    def imported(self) -> dict[str, ast.ImportFrom | ast.Import]:
        """The import that brings each name, at the top or under a condition there."""
        return dict(self._imports(self.tree.body))

    def _statements(self, body: list[ast.stmt]) -> Any:
        for one in body:
            if isinstance(one, (ast.FunctionDef, ast.ClassDef)):
                yield one.name, one
            elif isinstance(one, ast.Assign):
                for target in one.targets:
                    for name in ast.walk(target):
                        if isinstance(name, ast.Name):
                            yield name.id, one
            elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                yield one.target.id, one

    def _imports(self, body: list[ast.stmt]) -> Any:
        for one in body:
            if isinstance(one, (ast.Import, ast.ImportFrom)):
                for alias in one.names:
                    yield alias.asname or alias.name.split(".")[0], one
            elif isinstance(one, ast.If):
                yield from self._imports(one.body)

    def find(self, name: str) -> Found | None:
        """What a global name of this module stands for; None for a builtin."""
        if name in self.defined:
            node = self.defined[name]
            kinds = {ast.FunctionDef: "function", ast.ClassDef: "class"}
            return Found(kinds.get(type(node), "constant"), self.name, name)
        if name in self.imported:
            return imported(self.imported[name], name)
        if hasattr(builtins, name):
            return None
        raise NameError(f"{self.name} has no {name}")

    def value(self, name: str) -> Any:
        """What a name of this module is at run time."""
        return unwrapped(getattr(self.module, name))


@cache
def source(module: str) -> Source:
    """The syntax of a module."""
    return Source(module)


def imported(line: ast.Import | ast.ImportFrom, name: str) -> Found:
    """What an import binds a name to, followed to where it is defined."""
    if isinstance(line, ast.Import):
        alias = next(a for a in line.names if (a.asname or a.name.split(".")[0]) == name)
        return Found("module", alias.name if alias.asname else name, "")
    alias = next(a for a in line.names if (a.asname or a.name) == name)
    module = line.module or ""
    if module == f"{PACKAGE}.special" or module.split(".")[0] != PACKAGE:
        return Found("external", module, alias.name)
    found = source(module).find(alias.name)
    if found is None:
        raise NameError(f"{module} has no {alias.name}")
    return found


def unwrapped(value: Any) -> Any:
    """What a deferred import or a decorator stands for."""
    if isinstance(value, Deferred):
        return unwrapped(value.meant)
    while hasattr(value, "__wrapped__") and not inspect.isclass(value):
        value = value.__wrapped__
    return value
