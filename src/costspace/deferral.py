"""Names that a package imports when they are first used.

Programs use little of what they import. So a package lists its names in plain imports, for type
checkers, editors and readers, but does not run them:

    if TYPE_CHECKING or not deferred(globals()):
        from costspace.costs.beta import Beta

`deferred` reads those imports in the package's source, and runs each when its name is first used
(PEP 562). Modules of the package are loaded in the same way. If the source is not installed,
everything is imported at once.
"""

import ast
import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, final

# The condition, and the lines below it that are indented or empty.
_BLOCK = re.compile(r"^if TYPE_CHECKING or not deferred.*\n(?:(?: .*)?\n)+", re.MULTILINE)


def deferred(package: dict[str, Any]) -> bool:
    """Let the names in the imports of a package be imported when they are first used.

    Takes the `globals()` of its ``__init__``, and gives whether that can be done.
    """
    origins = _origins(package)
    if origins is None:
        return False
    name = package["__name__"]

    @cache
    def modules() -> set[str]:
        return {module.name for module in iter_modules(package["__path__"])}

    def resolve(asked: str) -> Any:
        origin = origins.get(asked, name)
        if origin != name:
            value = getattr(import_module(origin), asked)
        elif asked in modules():
            value = import_module(f"{name}.{asked}")
        else:
            raise AttributeError(f"module {name!r} has no attribute {asked!r}")
        package[asked] = value
        return value

    def listed() -> list[str]:
        special = (own for own in package if own.startswith("__"))
        return sorted({*special, *origins, *modules()})

    package["__getattr__"], package["__dir__"] = resolve, listed
    return True


def deferred_calls(module: dict[str, Any]) -> bool:
    """Let the functions in the imports of a module be imported when they are first called.

    Others can import these functions from the module without waiting for their library to load.
    Gives whether that can be done.
    """
    origins = _origins(module)
    if origins is None:
        return False
    module.update((name, Deferred(origin, name)) for name, origin in origins.items())
    return True


def load_calls(module: ModuleType) -> None:
    """Import now what a module would import when its functions are called."""
    for value in vars(module).values():
        if isinstance(value, Deferred):
            import_module(value.module)


@final
@dataclass(frozen=True)
class Deferred:
    """A function or a class of a module that is imported when it is called, or in a type."""

    module: str
    name: str

    @property
    def meant(self) -> Any:
        """The function or the class itself."""
        return _imported(self.module, self.name)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.meant(*arguments, **named)

    def __or__(self, other: Any) -> Any:
        return self.meant | other

    def __ror__(self, other: Any) -> Any:
        return other | self.meant


@cache
def _imported(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def _origins(module: dict[str, Any]) -> dict[str, str] | None:
    """Each name that a module imports under a condition, and the module that has it."""
    get_source = getattr(module["__spec__"].loader, "get_source", None)
    source = None if get_source is None else get_source(module["__name__"])
    if source is None:
        return None
    # Only that block: parsing the whole module takes as long as running it.
    return {
        alias.name: line.module
        for line in ast.walk(ast.parse("".join(_BLOCK.findall(source))))
        if isinstance(line, ast.ImportFrom) and line.module
        for alias in line.names
    }
