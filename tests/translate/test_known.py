"""What neither the program nor the page's runtime has is refused, without node or a browser."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from constructs import refused

from translate.__main__ import PROGRAMS, written
from translate.javascript import Runtime
from translate.writer import Writer


@pytest.mark.parametrize("function", refused.UNKNOWN, ids=lambda one: one.__name__)
def test_a_name_that_the_runtime_lacks_is_refused_where_it_stands(function: Callable[..., Any]):
    line = function.__code__.co_firstlineno + 1
    said = f"{refused.__file__}:{line}: .*{re.escape(refused.UNKNOWN[function])}"
    with pytest.raises(NotImplementedError, match=said):
        Writer((refused.__name__, function.__name__)).text()


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_page_asks_for_nothing_else(name: str):
    # It would be refused.
    assert written(name)


def test_a_program_without_arrays_is_refused_what_works_on_them():
    starts = ("costspace.report.answering", "asked")
    Writer(starts).text()
    with pytest.raises(NotImplementedError, match=r"np\.\w+ is not in the page's runtime"):
        Writer(starts, arrays=False).text()


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
