"""Which class of the package an expression is of, where annotations tell."""

import ast
import inspect
from collections.abc import Mapping, MutableMapping
from functools import cached_property
from typing import Any, get_origin, get_type_hints

import numpy as np

from translate.program import PACKAGE, source
from translate.reach import Reach
from translate.scope import Scope

# What stands for values of Python and NumPy.
_KINDS = {
    np.ndarray: "NDArray",
    str: "text",
    list: "LISTS",
    dict: "Dict",
    Mapping: "Dict",
    MutableMapping: "Dict",
    set: "PySet",
    frozenset: "PySet",
}


class Types:
    """What is known of expressions from the annotations of parameters, fields and properties."""

    def __init__(self, reach: Reach) -> None:
        self.reach = reach

    def of(self, node: ast.expr, scope: Scope) -> type | None:
        """The class of a value, or one that its class extends."""
        if isinstance(node, ast.Name):
            if scope.this(node.id):
                key = scope.class_of_this()
                return None if key is None else self._class(getattr(source(key[0]).module, key[1]))
            return self._annotated(scope.annotation(node.id), scope)
        if isinstance(node, ast.Attribute):
            kind = self.of(node.value, scope)
            return None if kind is None else self._class(_hint(kind, node.attr))
        return None

    def kind(self, node: ast.expr, scope: Scope) -> str | None:
        """The class of the runtime that a value of Python or NumPy is of there."""
        if isinstance(node, ast.Name):
            found = self._said(scope.annotation(node.id), scope)
        elif isinstance(node, ast.Attribute):
            of = self.of(node.value, scope)
            found = None if of is None else _hint(of, node.attr)
        else:
            return None
        kind = get_origin(found) or found
        return _KINDS.get(kind) if inspect.isclass(kind) else None

    def is_part(self, node: ast.Attribute, scope: Scope) -> bool:
        """Whether what is asked of a value is a field or a property of it, and no method."""
        kind = self.of(node.value, scope)
        if kind is None:
            return False
        alike = [one for one in self._classes if issubclass(one, kind)]
        return bool(alike) and all(_is_part(one, node.attr) for one in (kind, *alike))

    @cached_property
    def _classes(self) -> list[type]:
        return [getattr(source(module).module, name) for module, name in self.reach.classes]

    def _annotated(self, node: ast.expr | None, scope: Scope) -> type | None:
        return self._class(self._said(node, scope))

    def _said(self, node: ast.expr | None, scope: Scope) -> Any:
        if node is None:
            return None
        try:
            return eval(ast.unparse(node), dict(vars(scope.source.module)))  # noqa: S307
        except (NameError, TypeError):
            return None

    def _class(self, found: Any) -> type | None:
        # Classes of a protocol need not extend it.
        if not inspect.isclass(found) or getattr(found, "_is_protocol", False):
            return None
        return found if found.__module__.split(".")[0] == PACKAGE else None


def _is_part(kind: type, name: str) -> bool:
    found = inspect.getattr_static(kind, name, None)
    if isinstance(found, (property, cached_property)):
        return True
    return not callable(found) and name in getattr(kind, "__dataclass_fields__", {})


def _hint(kind: type, name: str) -> Any:
    found = inspect.getattr_static(kind, name, None)
    try:
        if isinstance(found, property):
            return get_type_hints(found.fget).get("return")
        if isinstance(found, cached_property):
            return get_type_hints(found.func).get("return")
        return get_type_hints(kind).get(name)
    except (NameError, TypeError):
        return None
