"""What neither the program nor the page's runtime has is refused, without node or a browser."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from constructs import refused

from translate.__main__ import PROGRAMS, written
from translate.javascript import FILES, FOLDER, Runtime, file
from translate.runtime import EXTERNAL, OWN
from translate.writer import Writer


@pytest.mark.parametrize("function", refused.UNKNOWN, ids=lambda one: one.__name__)
def test_a_name_that_the_runtime_lacks_is_refused_where_it_stands(function: Callable[..., Any]):
    line = function.__code__.co_firstlineno + 1
    said = f"{refused.__file__}:{line}: .*{re.escape(refused.UNKNOWN[function])}"
    with pytest.raises(NotImplementedError, match=said):
        Writer((refused.__name__, function.__name__)).text()


@pytest.fixture(scope="module")
def programs() -> list[str]:
    """All that the page runs; a name that nothing there has would be refused."""
    return [written(name) for name in PROGRAMS]


def test_the_page_asks_for_nothing_else(programs: list[str]):
    assert all(programs)


def test_a_program_without_arrays_is_refused_what_works_on_them():
    with pytest.raises(NotImplementedError, match=r"np\.\w+ is not in the page's runtime"):
        Writer(*PROGRAMS["decide.gen.js"], arrays=False).text()


@pytest.mark.parametrize(
    "path",
    [
        "np.add.reduceat",
        "np.float64",
        "np.polynomial.legendre.leggauss",
        "py.dict_.fromkeys",
        "py.math.float_info.max",
        "special.betainc",
    ],
)
def test_what_the_runtime_has_is_found_wherever_it_is_written(path: str):
    assert Runtime().has(path)
    assert not Runtime().has(f"{path}s")


def test_what_stands_for_other_libraries_is_there():
    assert [one for one in [*EXTERNAL.values(), *OWN.values()] if not Runtime().has(one)] == []


@pytest.mark.parametrize("module", ["np", "special"])
def test_the_runtime_has_nothing_that_nobody_asks_for(programs: list[str], module: str):
    texts = [*programs, *(path.read_text() for path in FOLDER.rglob("*.js"))]
    words = Counter(re.findall(r"[\w$]+", "\n".join(texts)))
    # Where it is declared, and once more.
    names = file(FOLDER / FILES[module]).exported
    assert [name for name in names if words[name] < 2] == []
