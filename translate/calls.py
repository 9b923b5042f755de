"""Calls: which argument has which place, where Python may name them."""

import ast
import builtins
import json

from translate.absent import is_absent
from translate.program import Found
from translate.runtime import ARRAY_NAMES, OWN
from translate.scope import Scope, refusal
from translate.signatures import Signature, signature_of
from translate.spare import consumes

# Functions that go over all of what they are given, for which a list is as good and faster.
_CONSUMERS = {"dict", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple"}


def _listed(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.GeneratorExp):
        return ast.copy_location(ast.ListComp(node.elt, node.generators), node)
    return node


def _is_error(name: str) -> bool:
    kind = getattr(builtins, name)
    return isinstance(kind, type) and issubclass(kind, BaseException)


def is_own(found: Found) -> bool:
    """Whether the page has something in a form of its own."""
    return f"{found.module}.{found.name}" in OWN


class Calls:
    """Writes calls of functions, classes and methods."""

    def _Call(self, node: ast.Call, scope: Scope) -> str:
        function = node.func
        if isinstance(function, ast.Name):
            return self._named_call(node, function.id, scope)
        if isinstance(function, ast.Attribute):
            return self._method_call(node, function, scope)
        return self._dynamic(self.expr(function, scope), node, scope)

    def _named_call(self, node: ast.Call, name: str, scope: Scope) -> str:
        if scope.is_class(name):
            return self._dynamic("this", node, scope)
        if scope.is_local(name):
            return self._dynamic(self.expr(node.func, scope), node, scope)
        found = scope.found(name)
        if found is None:
            return self._builtin(name, node, scope)
        whole = f"{found.module}.{found.name}"
        if whole in OWN or is_absent(whole) or found.kind in ("external", "module"):
            return f"{self.global_(found, node.func, scope)}({self._plain(node, scope)})"
        return self._of_package(found, node, scope)

    def _of_package(self, found: Found, node: ast.Call, scope: Scope) -> str:
        reach, key = self.signatures.reach, (found.module, found.name)
        if found.kind == "function":
            called = self.names(found, valued=False)
            placed = self._placed(signature_of(reach.functions[key]), called, node, scope)
            return f"{called}({placed})"
        called = self.global_(found, node.func, scope)
        if found.kind == "class":
            own = self.signatures.of_class(*key)
            return f"new {called}({self._placed(own, called, node, scope)})"
        return self._dynamic(called, node, scope)

    def _builtin(self, name: str, node: ast.Call, scope: Scope) -> str:
        if name == "super":
            return "super"
        if name == "isinstance":
            value, kinds = node.args
            return f"py.isinstance({self.expr(value, scope)}, [{self._kinds(kinds, scope)}])"
        if name in _CONSUMERS and len(node.args) == 1:
            node = ast.copy_location(
                ast.Call(node.func, [_listed(node.args[0])], node.keywords), node
            )
        called = self.in_runtime(f"py.{name}_", node.func, scope)
        self.check_names(node, called, scope)
        made = "new " if _is_error(name) else ""
        return f"{made}{called}({self._plain(node, scope)})"

    def _kinds(self, node: ast.expr, scope: Scope) -> str:
        """The classes that a value may be of; those that nothing makes one of are left out."""
        if isinstance(node, ast.BinOp):
            return f"{self._kinds(node.left, scope)}, {self._kinds(node.right, scope)}"
        if isinstance(node, ast.Tuple):
            return ", ".join(self._kinds(one, scope) for one in node.elts)
        if isinstance(node, ast.Name) and not scope.is_local(node.id):
            found = scope.found(node.id)
            if found is not None and found.kind == "class" and not is_own(found):
                key = found.module, found.name
                is_made = key in self.signatures.reach.classes
                return self.global_(found, node, scope) if is_made else "py.Never"
        return self.expr(node, scope)

    def _method_call(self, node: ast.Call, function: ast.Attribute, scope: Scope) -> str:
        return self._fixed_call(node, function, scope) or self._asked(node, function, scope)

    def _fixed_call(self, node: ast.Call, function: ast.Attribute, scope: Scope) -> str | None:
        """A call of what is known without a look at methods: NumPy's, or of a class above."""
        name, of = function.attr, function.value
        if isinstance(of, ast.Call) and isinstance(of.func, ast.Name) and of.func.id == "super":
            return f"super.{name}({self._plain(node, scope)})"
        if not isinstance(of, ast.Name):
            return None
        if of.id == "object" and name == "__setattr__":
            return f"py.setattr({self._plain(node, scope)})"
        if not self._is_numpy(of, scope):
            return None
        called = self.in_runtime(f"np.{name}", function, scope)
        self.check_names(node, called, scope)
        return f"{called}({self._plain(node, scope)})"

    def _asked(self, node: ast.Call, function: ast.Attribute, scope: Scope) -> str:
        """A call of what a value has by a name: a method, or a field that can be called."""
        self.check_part(function, scope)
        name, written = function.attr, self.expr(function.value, scope)
        signatures, path = self.signatures, self.path(function, scope)
        if path is not None:
            self.check_names(node, path, scope)
            return f"{written}.{name}({self._plain(node, scope)})"
        if name not in signatures.fields and name not in signatures.properties:
            self.check_names(node, None, scope)
        if name not in signatures.methods:
            if name in signatures.fields or name in signatures.properties:
                return self._dynamic(f"{written}.{name}", node, scope)
            if name not in self.runtime.built_in:
                written = f"py.nd({written})" if name in ARRAY_NAMES else written
                return f"{written}.{name}({self._plain(node, scope)})"
        if name in self.runtime.built_in:
            return f"py.method({written}, {json.dumps(name)}, {self._plain(node, scope)})"
        if name in signatures.fields:
            given = self._dynamic_arguments(node, scope)
            return f"py.invoke({written}, {json.dumps(name)}, {given})"
        return self._own_method(node, written, name, scope)

    def _own_method(self, node: ast.Call, written: str, name: str, scope: Scope) -> str:
        signature = self.signatures.of_method(name)
        if name in ARRAY_NAMES:
            written = f"py.nd({written})"
        if not node.keywords and not self._gathers(name):
            return f"{written}.{name}({self.exprs(node.args, scope)})"
        if signature is None or name in ARRAY_NAMES:
            return (
                f"py.invoke({written}, {json.dumps(name)}, {self._dynamic_arguments(node, scope)})"
            )
        return f"{written}.{name}({self._placed(signature, f'{written}.{name}', node, scope)})"

    def _gathers(self, name: str) -> bool:
        return any(one.packed for one in self.signatures.methods[name])

    def _dynamic(self, function: str, node: ast.Call, scope: Scope) -> str:
        """A call of what is only known when the program runs."""
        if not node.keywords:
            arguments = self.exprs(node.args, scope)
            return f"py.call({function}{', ' if arguments else ''}{arguments})"
        return f"py.called({function}, {self._dynamic_arguments(node, scope)})"

    def _dynamic_arguments(self, node: ast.Call, scope: Scope) -> str:
        return f"[{self.exprs(node.args, scope)}], {self._named(node.keywords, scope)}"

    def _plain(self, node: ast.Call, scope: Scope) -> str:
        """Arguments as the runtime takes them: those with names are in one last one."""
        write = self.used if consumes(node) else self.expr
        found = [write(one, scope) for one in node.args]
        if node.keywords:
            found.append(f"new py.Kw({self._object(node.keywords, scope)})")
        return ", ".join(found)

    def _object(self, keywords: list[ast.keyword], scope: Scope) -> str:
        parts = [
            f"...py.object({self.expr(one.value, scope)})"
            if one.arg is None
            else f"{json.dumps(one.arg)}: {self.expr(one.value, scope)}"
            for one in keywords
        ]
        return f"{{{', '.join(parts)}}}"

    def _named(self, keywords: list[ast.keyword], scope: Scope) -> str:
        parts = [
            f"...py.items({self.expr(one.value, scope)})"
            if one.arg is None
            else f"[{json.dumps(one.arg)}, {self.expr(one.value, scope)}]"
            for one in keywords
        ]
        return f"py.dict([{', '.join(parts)}])"

    def _placed(self, own: Signature, called: str, node: ast.Call, scope: Scope) -> str:
        """Arguments in their places; what is missing between is left to its default."""
        starred = any(isinstance(one, ast.Starred) for one in node.args)
        spread = any(one.arg is None for one in node.keywords)
        if ((starred and (node.keywords or own.gathers_names)) or spread) and not own.packed:
            names = json.dumps([*own.names, *([None] if own.gathers_names else [])])
            return f"...py.places({names}, {self._dynamic_arguments(node, scope)})"
        found, names = [self.expr(one, scope) for one in node.args], list(own.names)
        if own.packed:
            if spread or any(isinstance(one, ast.Starred) for one in node.args[: own.placed]):
                raise refusal(node, scope, called)
            gathered = f"[{', '.join(found[own.placed :])}]"
            found, names = found[: own.placed], [*names[: own.placed], "", *names[own.placed :]]
        others = {one.arg: self.expr(one.value, scope) for one in node.keywords}
        by_name = dict.fromkeys(names[len(found) :], "undefined")
        if own.packed:
            by_name[""] = gathered
        beside = {name: value for name, value in others.items() if name not in by_name}
        by_name.update({name: value for name, value in others.items() if name in by_name})
        if beside and not own.gathers_names:
            raise refusal(node, scope, f"{called} takes no {sorted(beside)}")
        found += by_name.values()
        if beside:
            entries = ", ".join(f"[{json.dumps(name)}, {value}]" for name, value in beside.items())
            return ", ".join([*found, f"py.dict([{entries}])"])
        while found and found[-1] == "undefined":
            found.pop()
        return ", ".join(found)
