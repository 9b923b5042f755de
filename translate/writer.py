"""A program of the package as one module of JavaScript."""

import ast
import dataclasses
import json
import re

from translate.javascript import FILES, Runtime
from translate.program import Found, source
from translate.reach import Reach, is_missing
from translate.runtime import OWN
from translate.scope import Scope, js_name
from translate.signatures import (
    Signatures,
    bases,
    decorators,
    fields_of,
    init_of,
    is_named_tuple,
    is_property,
    signature_of,
)
from translate.statements import Statements

_HEAD = "// Written by `make page` from the package's Python: change that, and run it again."


class Writer:
    """Writes everything that some functions of the package need."""

    def __init__(self, *starts: tuple[str, str], arrays: bool = True) -> None:
        self.starts = starts
        self.reach = Reach(*starts)
        self.signatures = Signatures(self.reach)
        self.known: dict[tuple[str, str], str] = {}
        self.write = Statements(self.signatures, self.name, Runtime(arrays=arrays))
        self.valued: set[tuple[str, str]] = set()

    def text(self) -> str:
        """The whole module."""
        # Which methods are values somewhere is known only when all is written.
        self._text()
        found = self._text()
        used = [name for name in FILES if re.search(rf"\b{name}\.", found)]
        imports = [f'import * as {name} from "./python/{FILES[name]}";' for name in used]
        return "\n".join([_HEAD, *imports, "", found])

    def _text(self) -> str:
        parts = []
        for (module, name), function in self.reach.functions.items():
            own = self._name(module, name)
            parts.append(self.write.function(function, source(module), own))
        parts += [self._class(*key) for key in self._ordered()]
        parts += [self._constant(*key) for key in self.reach.constants]
        for module, name in self.reach.functions:
            names = json.dumps(list(signature_of(self.reach.functions[module, name]).names))
            if (module, name) in self.valued:
                parts.append(f"py.named({names}, {self._name(module, name)});")
        exported = ", ".join(f"{self._name(*one)} as {one[1]}" for one in self.starts)
        return "\n".join([*parts, f"export {{ {exported} }};", ""])

    def name(self, found: Found, *, valued: bool = True) -> str:
        """How a function, a class or a constant is asked for, to be called or as a value.

        A function that is a value somewhere has to say what its parameters are called.
        """
        key = found.module, found.name
        if found.kind == "constant":
            literal = self._literal(*key)
            return f"{self._name(*key)}()" if literal is None else literal
        if found.kind == "class" and key not in self.reach.classes:
            return "null"
        if valued:
            self.valued.add(key)
        return self._name(*key)

    def _name(self, module: str, name: str) -> str:
        key = module, name
        if key not in self.known:
            wanted, taken = f"{name}$", set(self.known.values())
            while wanted in taken:
                wanted += "$"
            self.known[key] = wanted
        return self.known[key]

    def _literal(self, module: str, name: str) -> str | None:
        node = self.reach.constants[module, name]
        value = getattr(node, "value", None)
        if isinstance(value, ast.Constant) and not _unpacks(node):
            return self.write.expr(value, Scope(source(module), set()))
        return None

    def _constant(self, module: str, name: str) -> str:
        if self._literal(module, name) is not None:
            return ""
        node, scope = self.reach.constants[module, name], Scope(source(module), set())
        value = self.write.expr(node.value, scope)  # type: ignore[attr-defined]
        changed = self._changed(module, name)
        if changed:
            body = f"let {name} = {value}; {changed}"
            return f"const {self._name(module, name)} = py.lazy(() => {{ {body} }});"
        kept = f"let {', '.join(scope.temporaries)}; " if scope.temporaries else ""
        if _unpacks(node):
            names = [one.id for one in ast.walk(node.targets[0]) if isinstance(one, ast.Name)]  # type: ignore[attr-defined]
            value = f"[...py.iterated({value})][{names.index(name)}]"
        return f"const {self._name(module, name)} = py.lazy(() => {{ {kept}return {value}; }});"

    def _changed(self, module: str, name: str) -> str:
        """What changes a constant before it is one, with its return; nothing of most."""
        changes = source(module).changes(name)
        if not changes:
            return ""
        scope = Scope(source(module), {name})
        text = self.write.block(changes, scope)
        return f"let {', '.join(scope.temporaries)}; {text} return {name};"

    def _ordered(self) -> list[tuple[str, str]]:
        """The classes, each after those that it extends."""
        found: list[tuple[str, str]] = []

        def add(key: tuple[str, str]) -> None:
            if key in found:
                return
            for one in reversed(bases(*key)[1:]):
                if (one.__module__, one.__name__) in self.reach.classes:
                    add((one.__module__, one.__name__))
            found.append(key)

        for key in self.reach.classes:
            add(key)
        return found

    def _class(self, module: str, name: str) -> str:
        node, where = self.reach.classes[module, name], source(module)
        own = self._name(module, name)
        extended = self._extended(module, name)
        parts = [f"static $name = {json.dumps(name)};"]
        parts += self._made(module, name)
        sent = {}
        for one in node.body:
            if is_missing(module, name, one):
                continue
            if isinstance(one, ast.FunctionDef) and self._is_written(one):
                parts.append(self.write.method(one, where, (module, name)))
                if not is_property(one) and self._is_looked_up(one.name):
                    static = "staticmethod" in decorators(one)
                    sent[one.name] = list(signature_of(one, method=not static).names)
        if sent:
            parts.append(f"static $sig = {{ ...super.$sig, ...{json.dumps(sent)} }};")
        alone = "py.Record" if is_named_tuple(bases(module, name)[0]) else "py.Value"
        first = extended[0] if extended else alone
        text = f"class {own} extends {first} {{\n" + "\n".join(parts) + "\n}"
        if extended[1:]:
            text += f"\npy.mix({own}, {', '.join(extended[1:])});"
        return "\n".join([text, *self._attributes(node, where, own, module, name)])

    def _is_written(self, node: ast.FunctionDef) -> bool:
        return node.name in self.reach.asked and "abstractmethod" not in decorators(node)

    def _is_looked_up(self, name: str) -> bool:
        """Whether calls of a name have to look up what its parameters are called."""
        alike = name not in self.signatures.fields and len(self.signatures.methods[name]) == 1
        return not alike or name in self.write.valued or name == "__call__"

    def _extended(self, module: str, name: str) -> list[str]:
        """The classes that a class extends, what no class of the page has left out."""
        kind = bases(module, name)[0]
        found = []
        for one in kind.__bases__:
            key = one.__module__, one.__name__
            if ".".join(key) in OWN or key[0] == "typing" or key[0] == "abc":
                continue
            if key in self.reach.classes:
                found.append(self._name(*key))
            elif issubclass(one, BaseException):
                found.append(f"py.{one.__name__}_")
        return found

    def _made(self, module: str, name: str) -> list[str]:
        """How a dataclass is made: its fields, in their order, and what they are by default."""
        kind, scope = bases(module, name)[0], Scope(source(module), set())
        if not dataclasses.is_dataclass(kind) and not is_named_tuple(kind):
            if "__init__" in vars(kind):
                own = self.signatures.of_class(module, name)
                return [f"static $params = {json.dumps(list(own.names))};"]
            return []
        fields = fields_of(module, name)
        own = init_of(module, name)
        names = [one for one, field in fields if field.init]
        if own is not None:
            names = list(signature_of(own, method=True).names)
        parts = [f"static $fields = {json.dumps([one for one, _ in fields])};"]
        parts.append(f"static $params = {json.dumps(names)};")
        parameters = getattr(kind, "__dataclass_params__", None)
        if parameters is None or parameters.eq:
            parts.append("static $eq = true;")
        if parameters is not None and not parameters.repr:
            parts.append("static $repr = false;")
        if own is not None:
            return parts
        given = ", ".join(
            self._field(kind, one, field, scope) for one, field in fields if field.init
        )
        held = " ".join(self._held(kind, one, js_name(one)) for one, field in fields if field.init)
        after = "this.__post_init__();" if self._has_post_init(kind) else ""
        parts.append(f"$init({given}) {{ {held} {after} }}")
        return parts

    def _has_post_init(self, kind: type) -> bool:
        for one in kind.__mro__:
            if "__post_init__" in vars(one):
                return f"{one.__module__}.{one.__name__}" not in OWN
        return False

    def _field(self, kind: type, name: str, field: dataclasses.Field, scope: Scope) -> str:
        default = self._default(kind, name, field)
        return js_name(name) + ("" if default is None else f" = {default}")

    def _default(self, kind: type, name: str, field: dataclasses.Field) -> str | None:
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            return None
        for one in kind.__mro__:
            if name not in vars(one).get("__annotations__", {}):
                continue
            where = source(one.__module__)
            node = where.defined[one.__name__]
            line = next(
                s
                for s in node.body  # type: ignore[attr-defined]
                if isinstance(s, ast.AnnAssign) and getattr(s.target, "id", None) == name
            )
            scope = Scope(where, set())
            if isinstance(line.value, ast.Call) and ast.unparse(line.value.func) == "field":
                given = {k.arg: k.value for k in line.value.keywords}
                if "default" in given:
                    return self.write.expr(given["default"], scope)
                return f"py.call({self.write.expr(given['default_factory'], scope)})"
            return self.write.expr(line.value, scope)  # type: ignore[arg-type]
        return None

    def _held(self, kind: type, name: str, value: str) -> str:
        """A field is held, also where a class that this one extends has a property of its name."""
        if any(isinstance(vars(one).get(name), property) for one in kind.__mro__[1:]):
            return f"py.setattr(this, {json.dumps(name)}, {value});"
        return f"this.{name} = {value};"

    def _attributes(
        self, node: ast.ClassDef, where: object, own: str, module: str, name: str
    ) -> list[str]:
        """What all values of a class have alike, and other names of its methods."""
        fields, scope = dict(fields_of(module, name)), Scope(source(module), set())
        found = []
        for one in node.body:
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                pairs = [(one.target.id, one.value)]
            elif isinstance(one, ast.Assign):
                pairs = [(t.id, one.value) for t in one.targets if isinstance(t, ast.Name)]
            else:
                continue
            for label, value in pairs:
                if value is None or label in fields or label == "__slots__":
                    continue
                if isinstance(value, ast.Name) and value.id in vars(bases(module, name)[0]):
                    found.append(f"py.alias({own}, {json.dumps(label)}, {json.dumps(value.id)});")
                    continue
                shown = self.write.expr(value, scope)
                found.append(f"py.shared({own}, {json.dumps(label)}, () => {shown});")
        return found


def _unpacks(node: ast.stmt) -> bool:
    """Whether a statement binds several names to the parts of what it has."""
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple)
