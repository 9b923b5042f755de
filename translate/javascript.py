"""What the page's runtime has, read from its JavaScript: names, methods, and arguments by name."""

import re
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import TypeAlias

FOLDER = Path(__file__).parents[1] / "src_js/python"

# What stands for Python and other libraries in translated code, by what it is called.
FILES = {"np": "numpy.js", "py": "runtime.js", "special": "special.js", "text": "text.js"}

_DECLARED = re.compile(r"^(?:export )?(?:function\*?|class|const|let) ([\w$]+)", re.MULTILINE)
_STARTS = re.compile(r"^(?:export|import|function|class|const|let|/\*|//)", re.MULTILINE)
_MEMBER = re.compile(r"^  (?:static |get |set )*\*?([\w$]+)(?=\(| =)", re.MULTILINE)
_IMPORTED = re.compile(
    r'^(?:import|export) (\* as \w+|\*|\{[^}]*\})(?: from "(.+)")?;', re.MULTILINE
)
# A call that hands on what a function is given besides what it names.
_HANDS_ON = re.compile(r"\b([\w$]+)\((?=[^()]*\b(?:args|given|rest)\b)")
_MADE_BY = re.compile(r"^(?:export )?const [\w$]+ = (?:/\* @__PURE__ \*/ )?([\w$]+)[(;]")

# What functions of elements take.
_BY_ELEMENT = frozenset({"out", "where", "dtype"})


class File:
    """One file of the runtime: what it declares, imports and exports."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")

    @cached_property
    def declared(self) -> dict[str, str]:
        """The text of each function, class and constant."""
        starts = [one.start() for one in _STARTS.finditer(self.text)] + [len(self.text)]
        found = {}
        for one in _DECLARED.finditer(self.text):
            end = next(start for start in starts if start > one.start())
            found[one[1]] = self.text[one.start() : end]
        return found

    @cached_property
    def imported(self) -> dict[str, tuple["File", str]]:
        """Where each name that is imported is declared; "" for all of a file."""
        return dict(self._names("import"))

    @cached_property
    def exported(self) -> dict[str, tuple["File", str]]:
        """Where each name that is exported is declared; "" for all of a file."""
        found = dict(self._names("export"))
        for one in re.finditer(r"^export const \{([^}]*)\}", self.text, re.MULTILINE):
            found |= {name.split(":")[-1].strip(): (self, "") for name in one[1].split(",")}
        for name, text in self.declared.items():
            if text.startswith("export"):
                found[name] = self, name
        return found

    def _names(self, kind: str) -> Iterator[tuple[str, tuple["File", str]]]:
        for one in _IMPORTED.finditer(self.text):
            if not one[0].startswith(kind):
                continue
            other = self if one[2] is None else file((self.path.parent / one[2]).resolve())
            if one[1] == "*":
                yield from other.exported.items()
            elif one[1].startswith("*"):
                yield one[1].split()[-1], (other, "")
            else:
                for pair in filter(None, re.split(r"[{},\s]*[{},]\s*", one[1])):
                    name, _, called = pair.partition(" as ")
                    yield called or name, other.find(name)

    def find(self, name: str) -> tuple["File", str]:
        """Where a name that this file exports, imports or declares is declared."""
        if name in self.declared:
            return self, name
        return self.imported.get(name) or self.exported[name]

    def words(self, name: str, seen: frozenset[str] = frozenset()) -> frozenset[str]:
        """All words of what is declared, and of what it hands its arguments on to."""
        return self.words_of(self.declared.get(name, ""), seen | {name})

    def words_of(self, text: str, seen: frozenset[str] = frozenset()) -> frozenset[str]:
        """The words of a text of this file, and of what it hands its arguments on to."""
        found = set(re.findall(r"\w+", text))
        if re.search(r"\b(?:binary|unary)\(", text):
            found |= _BY_ELEMENT
        for name in found & set(self.declared):
            if name.isupper():
                found |= set(re.findall(r"\w+", self.declared[name]))
        for called in {*_HANDS_ON.findall(text), *_MADE_BY.findall(text)} - seen - {"named"}:
            if called in self.declared or called in self.imported:
                where, own = self.find(called)
                found |= where.words(own, seen | {called})
            else:
                # A function of a file that is imported whole.
                for where, own in self.imported.values():
                    if own == "" and called in where.exported and f".{called}(" in text:
                        other, name = where.exported[called]
                        found |= other.words(name, seen | {called})
        return frozenset(found)


# What is written under a name, and in which file.
Written: TypeAlias = tuple[File, str]


@cache
def file(path: Path) -> File:
    """A file of the runtime."""
    return File(path)


class Runtime:
    """All that translated code finds there; without arrays no more of NumPy than brackets ask."""

    def __init__(self, *, arrays: bool = True) -> None:
        self.files = FILES if arrays else {**FILES, "np": "no_arrays.js"}

    def has(self, path: str) -> bool:
        """Whether there is a name such as np.linalg.solve; what is no module's name passes."""
        return path.split(".", maxsplit=1)[0] not in self.files or bool(self._found(path))

    def takes(self, path: str, name: str) -> bool:
        """Whether a function such as np.linalg.solve knows an argument by its name."""
        return any(name in where.words_of(text) for where, text in self._found(path))

    def member_takes(self, member: str, name: str) -> bool:
        """Whether any method of a name knows an argument by its name."""
        return any(name in where.words_of(text) for where, text in self.members.get(member, ()))

    def _found(self, path: str) -> list[Written]:
        first, *parts = path.split(".")
        where, own = file(FOLDER / self.files[first]), ""
        while parts and not own:
            if parts[0] not in where.exported:
                return []
            where, own = where.exported[parts.pop(0)]
        text = where.declared.get(own, "")
        inside = _object(text)
        for one in parts:
            if not inside:
                return self.members.get(one, [])
            if one not in inside:
                return []
            text, inside = where.declared.get(one, ""), inside[one]
        return [(where, text)]

    @cached_property
    def members(self) -> dict[str, list[Written]]:
        """What any value of the runtime has, by its name: where it is written, and its text."""
        found: dict[str, list[Written]] = {}
        for kind in self.kinds.values():
            for name, texts in kind.items():
                found.setdefault(name, []).extend(texts)
        return found

    @cached_property
    def built_in(self) -> set[str]:
        """Methods of lists and strings, which are JavaScript's own values on the page."""
        return {*self.kinds["LISTS"], *self.kinds["text"]}

    @cached_property
    def kinds(self) -> dict[str, dict[str, list[Written]]]:
        """The same by class; those of lists, of strings, and of functions and types of NumPy."""
        found: dict[str, dict[str, list[Written]]] = {}
        for path in sorted(FOLDER.rglob("*.js")):
            where = file(path.resolve())
            for name, text in where.declared.items():
                if re.match(r"(?:export )?class ", text):
                    found[name] = _members(where, text)
        lists = file(FOLDER / "calling.js")
        found["LISTS"] = {
            name: [(lists, text)] for name, text in _entries(lists.declared["LISTS"]).items()
        }
        methods = file(FOLDER / "text/methods.js")
        found["text"] = {
            name: [(where, where.declared[own])] for name, (where, own) in methods.exported.items()
        }
        found["text"]["join"] = [(lists, lists.declared["method"])]
        found["np"] = self._of_numpy()
        return found

    def _of_numpy(self) -> dict[str, list[Written]]:
        found: dict[str, list[Written]] = {}
        folding, types = (file(FOLDER / "numpy" / name) for name in ("folding.js", "dtypes.js"))
        for name, text in re.findall(r"^  ufunc\.(\w+) = (.*)", folding.text, re.MULTILINE):
            found[name] = [(folding, text)]
        for name in re.findall(r"^  made\.(\w+) = ", types.text, re.MULTILINE):
            found[name] = [(types, "")]
        for start in ("Object.assign(made, {", "return {", "? {", ": {"):
            for text in types.text.split(start)[1:]:
                found |= {name: [(types, "")] for name in _names_in("{" + text)}
        return found


def _members(where: File, text: str) -> dict[str, list[Written]]:
    starts = [*_MEMBER.finditer(text)]
    ends = [*(one.start() for one in starts), len(text)][1:]
    found = {
        one[1]: [(where, text[one.start() : end])] for one, end in zip(starts, ends, strict=False)
    }
    return found | {name: [(where, "")] for name in re.findall(r"\bthis\.(\w+) = ", text)}


def _entries(text: str) -> dict[str, str]:
    """The lines of an object of functions, by name."""
    return dict(re.findall(r"^  (\w+): (.*)", text, re.MULTILINE))


def _object(text: str) -> dict[str, dict]:
    """The names in an object that a constant is, each with those in its own; none of others."""
    found = re.match(r"(?:export )?const \w+ = (?:Object\.assign\(\w+, )?(?=\{)", text)
    return _names_in(text[found.end() :]) if found else {}


def _names_in(text: str) -> dict[str, dict]:
    """The names in the object that a text begins with."""
    found: dict[str, dict] = {}
    stack: list[dict | None] = []
    before, key, is_key = ":", "", False
    for sign in re.findall(r"[\w$]+|[{}()\[\],:]", text):
        inside = stack[-1] if stack else {"": found}
        if sign in "{([":
            is_object = sign == "{" and before == ":" and inside is not None
            stack.append(inside[key] if is_object and inside is not None else None)
            is_key = is_object
        elif sign in "})]":
            stack.pop()
            if not stack:
                break
            is_key = False
        elif sign == ",":
            is_key = inside is not None
        elif is_key and inside is not None and sign != ":":
            key, is_key = sign, False
            inside[key] = {}
        before = sign
    return found
