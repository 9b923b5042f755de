"""How functions and methods take their arguments: which name has which place."""

import ast
import dataclasses
import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from translate.program import source
from translate.reach import Reach, is_missing


@dataclass(frozen=True)
class Signature:
    """Names of the parameters in order, of which so many have places in a call of Python.

    Arguments that are gathered come last, or, if some that have no place follow, in one array
    before those; what is gathered by name comes last of all, in one mapping.
    """

    names: tuple[str, ...]
    placed: int
    gathers_places: str | None = None
    gathers_names: str | None = None

    @property
    def packed(self) -> bool:
        """Whether what is gathered comes in one array."""
        return self.gathers_places is not None and (
            len(self.names) > self.placed or self.gathers_names is not None
        )


def signature_of(node: ast.FunctionDef | ast.Lambda, *, method: bool = False) -> Signature:
    """The signature of a function, a method's without the value that it is of."""
    arguments = node.args
    names = [one.arg for one in [*arguments.posonlyargs, *arguments.args]][1 if method else 0 :]
    placed = len(names)
    names += [one.arg for one in arguments.kwonlyargs]
    return Signature(
        tuple(names),
        placed,
        arguments.vararg.arg if arguments.vararg else None,
        arguments.kwarg.arg if arguments.kwarg else None,
    )


class Signatures:
    """Of everything that is needed: by function, by class, and by the name of a method."""

    def __init__(self, reach: Reach) -> None:
        self.reach = reach
        self.methods: dict[str, set[Signature]] = {}
        self.fields: set[str] = set()
        self.properties: set[str] = set()
        self.attributes: set[str] = set()
        for (module, name), node in reach.classes.items():
            self.fields |= {one for one, _ in fields_of(module, name)}
            self.attributes |= set(_attributes(node))
            for one in node.body:
                if not isinstance(one, ast.FunctionDef) or is_missing(module, name, one):
                    continue
                if is_property(one):
                    self.properties.add(one.name)
                else:
                    static = "staticmethod" in decorators(one)
                    self.methods.setdefault(one.name, set()).add(
                        signature_of(one, method=not static)
                    )

    @cached_property
    def names(self) -> set[str]:
        """All that values of the program's classes may have."""
        return {*self.methods, *self.fields, *self.properties, *self.attributes}

    def of_class(self, module: str, name: str) -> Signature:
        """How a class is called."""
        fields = fields_of(module, name)
        own = init_of(module, name)
        if own is not None:
            return signature_of(own, method=True)
        return Signature(tuple(one for one, _ in fields), len(fields))

    def of_method(self, name: str) -> Signature | None:
        """How all methods of a name are called, if all are called alike."""
        found = self.methods.get(name, set())
        return next(iter(found)) if len(found) == 1 else None


def _attributes(node: ast.ClassDef) -> Iterator[str]:
    """What all values of a class have alike, and what its methods set."""
    for one in node.body:
        targets = [one.target] if isinstance(one, ast.AnnAssign) else getattr(one, "targets", [])
        yield from (target.id for target in targets if isinstance(target, ast.Name))
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store):
            yield each.attr
        elif isinstance(each, ast.Call) and ast.unparse(each.func) == "object.__setattr__":
            name = each.args[1]
            if isinstance(name, ast.Constant):
                yield name.value


def fields_of(module: str, name: str) -> list[tuple[str, dataclasses.Field]]:
    """The fields of a dataclass in order, with those of the classes that it extends.

    A named tuple has such fields too.
    """
    kind = getattr(source(module).module, name)
    if is_named_tuple(kind):
        defaults = kind._field_defaults
        return [
            (one, dataclasses.field(default=defaults.get(one, dataclasses.MISSING), kw_only=False))
            for one in kind._fields
        ]
    if not dataclasses.is_dataclass(kind):
        return []
    return [(one.name, one) for one in dataclasses.fields(kind)]


def is_named_tuple(kind: type) -> bool:
    """Whether a class is a tuple whose parts have names."""
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def init_of(module: str, name: str) -> ast.FunctionDef | None:
    """The __init__ that is written for a class or one that it extends; None of a dataclass."""
    kind = getattr(source(module).module, name)
    for one in kind.__mro__:
        if one.__module__.split(".")[0] in sys.stdlib_module_names:
            continue
        node = source(one.__module__).defined[one.__name__]
        for part in node.body:  # type: ignore[attr-defined]
            if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                return part
        if dataclasses.is_dataclass(one) or is_named_tuple(one):
            return None
    return None


def decorators(node: ast.FunctionDef | ast.ClassDef) -> list[str]:
    """The names of what decorates a function or a class."""
    found = []
    for one in node.decorator_list:
        called = one.func if isinstance(one, ast.Call) else one
        found.append(called.id if isinstance(called, ast.Name) else ast.unparse(called))
    return found


def is_property(node: ast.FunctionDef) -> bool:
    """Whether a method is asked for without a call."""
    return bool({"property", "cached_property"} & set(decorators(node)))


def bases(module: str, name: str) -> tuple[type, ...]:
    """The classes that a class extends, itself first."""
    return inspect.getmro(getattr(source(module).module, name))
