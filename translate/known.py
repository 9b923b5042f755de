"""Refuses what translated code asks for and nothing on the page has."""

import ast

from translate import absent
from translate.javascript import Runtime
from translate.runtime import EXTERNAL, MODULES
from translate.scope import Scope, refusal

_ADVICE = (
    "Write it in src_js/python, use what is there, or name what asks for it in ABSENT of "
    "translate/absent.py if the page never comes to it."
)
# Python takes any argument by its name for these.
_TAKE_ALL = {"py.dict_"}


class Known:
    """Tells whether names are those of the program or of the page's runtime."""

    runtime: Runtime

    def in_runtime(self, written: str, node: ast.expr, scope: Scope) -> str:
        """What is written, if the runtime has it."""
        if not self.runtime.has(written):
            raise self.unknown(node, scope)
        return written

    def unknown(self, node: ast.expr, scope: Scope) -> NotImplementedError:
        """What is raised of a name that the runtime lacks."""
        return refusal(node, scope, f"{ast.unparse(node)} is not in the page's runtime. {_ADVICE}")

    def check_part(self, node: ast.Attribute, scope: Scope) -> None:
        """Refuses a part that no value on the page has."""
        path, name = self.path(node, scope), node.attr
        if path is not None:
            self.in_runtime(path, node, scope)
            return
        kind = self.types.kind(node.value, scope)
        known = self.runtime.members if kind is None else self.runtime.kinds[kind]
        if name in known or (kind is None and name in absent.names()):
            return
        if kind or name not in self.signatures.names:
            of = "of the kind it is said to be" if kind else "on the page"
            raise refusal(node, scope, f"{ast.unparse(node)}: no value {of} has {name}. {_ADVICE}")

    def check_names(self, node: ast.Call, path: str | None, scope: Scope) -> None:
        """Refuses arguments by names that what is called does not know."""
        for one in node.keywords:
            if one.arg is not None and not self._takes(node.func, path, one.arg):
                raise refusal(
                    node,
                    scope,
                    f"{ast.unparse(node.func)} takes no {one.arg} on the page. {_ADVICE}",
                )

    def _takes(self, function: ast.expr, path: str | None, name: str) -> bool:
        if path is not None:
            return path in _TAKE_ALL or self.runtime.takes(path, name)
        called = function.attr if isinstance(function, ast.Attribute) else ""
        own = self.signatures.methods.get(called, ())
        return any(one.gathers_names or name in one.names for one in own) or (
            self.runtime.member_takes(called, name)
        )

    def path(self, node: ast.expr, scope: Scope) -> str | None:
        """What of the runtime stands for a name, or for a part of a module; None for values."""
        if isinstance(node, ast.Attribute):
            of = self.path(node.value, scope)
            return None if of is None else f"{of}.{node.attr}"
        if not isinstance(node, ast.Name) or scope.is_local(node.id):
            return None
        found = scope.found(node.id)
        if found is None:
            return f"py.{node.id}_"
        if found.kind == "module":
            return stands_for(found.module)
        if found.kind == "external":
            return stands_for(f"{found.module}.{found.name}")
        return None


def stands_for(whole: str) -> str | None:
    """What of the runtime stands for a name of another library."""
    if whole in EXTERNAL:
        return EXTERNAL[whole]
    for module, own in MODULES.items():
        if whole == module or whole.startswith(f"{module}."):
            return own + whole.removeprefix(module)
    return None
