"""Which functions, classes and constants of the package a function needs."""

import ast
from collections.abc import Iterator

from translate.absent import NOWHERE, is_absent
from translate.program import Found, Source, source
from translate.runtime import IGNORED, OWN

# Methods that Python itself calls.
SPECIAL = frozenset(
    "__init__ __post_init__ __call__ __len__ __iter__ __getitem__ __contains__ __bool__ __str__ "
    "__repr__ __eq__ __hash__ __add__ __radd__ __sub__ __mul__ __rmul__ __truediv__ __neg__ "
    "__or__ __and__".split()
)


class Reach:
    """All that is needed of the package, from some functions on.

    A method is needed if its class is, and a name like its own is asked of anything.
    """

    def __init__(self, *starts: tuple[str, str]) -> None:
        self.functions: dict[tuple[str, str], ast.FunctionDef] = {}
        self.classes: dict[tuple[str, str], ast.ClassDef] = {}
        self.constants: dict[tuple[str, str], ast.stmt] = {}
        self.asked: set[str] = set(SPECIAL)
        self._waiting: dict[str, list[tuple[Source, ast.FunctionDef]]] = {}
        self._todo: list[tuple[Source, ast.AST]] = []
        for module, name in starts:
            self._need(source(module).find(name) or Found("function", module, name))
        while self._todo:
            where, node = self._todo.pop()
            self._walk(where, node)

    def _need(self, found: Found) -> None:
        key = found.module, found.name
        whole = f"{found.module}.{found.name}"
        if whole in OWN or is_absent(whole):
            return
        known = {
            "function": self.functions,
            "class": self.classes,
            "constant": self.constants,
        }.get(found.kind)
        if known is None or key in known:
            return
        where = source(found.module)
        node = where.defined[found.name]
        known[key] = node  # type: ignore[index]
        if isinstance(node, ast.ClassDef):
            self._need_class(where, node)
        else:
            self._todo.append((where, node))

    def _need_class(self, where: Source, node: ast.ClassDef) -> None:
        for base in node.bases:
            self._name(where, base.value if isinstance(base, ast.Subscript) else base)
        for one in node.body:
            if is_missing(where.name, node.name, one):
                continue
            if not isinstance(one, ast.FunctionDef) or one.name in self.asked:
                self._todo.append((where, one))
            else:
                self._waiting.setdefault(one.name, []).append((where, one))

    def _ask(self, name: str) -> None:
        self.asked.add(name)
        self._todo.extend(self._waiting.pop(name, ()))

    def _name(self, where: Source, node: ast.expr) -> None:
        if isinstance(node, ast.Name):
            self._find(where, node.id)

    def _find(self, where: Source, name: str) -> None:
        try:
            found = where.find(name)
        except NameError:
            return
        if found is not None:
            self._need(found)

    def _walk(self, where: Source, node: ast.AST) -> None:
        for one in _evaluated(node):
            if isinstance(one, ast.Name):
                self._find(where, one.id)
            elif isinstance(one, ast.Attribute):
                self._ask(one.attr)
            elif isinstance(one, ast.keyword) and one.arg:
                self._ask(one.arg)
            elif isinstance(one, ast.Constant) and isinstance(one.value, str):
                self._ask(one.value)
            elif isinstance(one, ast.ImportFrom):
                self._imports(one)

    def _imports(self, line: ast.ImportFrom) -> None:
        if (line.module or "").startswith("costspace") and line.module != "costspace.special":
            for alias in line.names:
                self._find(source(line.module or ""), alias.name)


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it that is evaluated: no annotations, and no classes that are asked of.

    What is only asked whether it is of a class does not need the class.
    """
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_comment"):
            continue
        parts = value if isinstance(value, list) else [value]
        if name == "decorator_list":
            parts = [one for one in parts if not _ignored(one)]
        if isinstance(node, ast.Call) and name == "args" and _is_isinstance(node):
            parts = parts[:1]
        for each in parts:
            if isinstance(each, ast.AST):
                yield from _evaluated(each)


def is_missing(module: str, name: str, part: ast.stmt) -> bool:
    """Whether a part of a class is a method that the page never comes to."""
    return isinstance(part, ast.FunctionDef) and (
        part.name in NOWHERE or is_absent(f"{module}.{name}.{part.name}")
    )


def _ignored(node: ast.expr) -> bool:
    name = node.func if isinstance(node, ast.Call) else node
    return isinstance(name, ast.Name) and name.id in IGNORED


def _is_isinstance(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "isinstance"
