"""What a name stands for inside a function."""

import ast
import builtins
from dataclasses import dataclass, field

from translate.program import Found, Source, imported
from translate.runtime import RESERVED


@dataclass
class Scope:
    """The names of a function, and of the functions around it.

    `own` is what a method calls the value or the class it is of: "this" in JavaScript.
    """

    source: Source
    names: set[str]
    outer: "Scope | None" = None
    own: str | None = None
    imports: dict[str, ast.Import | ast.ImportFrom] = field(default_factory=dict)
    class_name: bool = False
    of_class: tuple[str, str] | None = None
    annotations: dict[str, ast.expr] = field(default_factory=dict)
    temporaries: list[str] = field(default_factory=list)

    def is_local(self, name: str) -> bool:
        """Whether a name is a variable of this function or of one around it."""
        return name in self.names or (self.outer is not None and self.outer.is_local(name))

    def this(self, name: str) -> bool:
        """Whether a name is that of the value whose method this is, or a function inside it."""
        if name in self.names:
            return name == self.own
        return self.outer is not None and self.outer.this(name)

    def class_of_this(self) -> tuple[str, str] | None:
        """The class of the value whose method this is, or a function inside it."""
        if self.own is not None:
            return None if self.class_name else self.of_class
        return None if self.outer is None else self.outer.class_of_this()

    def annotation(self, name: str) -> ast.expr | None:
        """What the parameter of a name is said to be, unless it is bound to anything else."""
        if name in self.names:
            return self.annotations.get(name)
        return None if self.outer is None else self.outer.annotation(name)

    def is_class(self, name: str) -> bool:
        """Whether a name is that of the class whose method this is."""
        if name in self.names:
            return name == self.own and self.class_name
        return self.outer is not None and self.outer.is_class(name)

    def found(self, name: str) -> Found | None:
        """What a name that is no variable stands for; None for a builtin."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.imports:
                return imported(scope.imports[name], name)
            scope = scope.outer
        return self.source.find(name)

    def temporary(self) -> str:
        """A name of its own for a value in between."""
        scope = self
        name = f"t${len(scope.temporaries)}"
        scope.temporaries.append(name)
        return name


def refusal(node: ast.AST, scope: Scope, why: str) -> NotImplementedError:
    """What is raised of what cannot be translated: where it stands, and why."""
    line = getattr(node, "lineno", 0)
    return NotImplementedError(f"{scope.source.module.__file__}:{line}: {why}")


def js_name(name: str) -> str:
    """The name of a variable."""
    return f"{name}_" if name in RESERVED else name


def is_builtin(name: str) -> bool:
    """Whether Python itself has the name."""
    return hasattr(builtins, name)


def assigned(body: list[ast.stmt]) -> tuple[list[str], dict[str, ast.Import | ast.ImportFrom]]:
    """The variables that statements of one function bind, in their order, and its imports."""
    finder = _Assigned()
    for one in body:
        finder.visit(one)
    return list(finder.names), finder.imports


class _Assigned(ast.NodeVisitor):
    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self.imports: dict[str, ast.Import | ast.ImportFrom] = {}

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, (ast.Store, ast.Del)):
            self.names[node.id] = None

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.names[node.name] = None

    def visit_Lambda(self, node: ast.Lambda) -> None:
        pass

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.names[node.name] = None
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.imports[alias.asname or alias.name.split(".")[0]] = node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self.imports[alias.asname or alias.name] = node

    def _comprehension(self, node: ast.AST) -> None:
        """Its variables are its own, but for what := binds."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.NamedExpr):
                self.names[inner.target.id] = None

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension
