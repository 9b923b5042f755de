"""What Python's constructs give, their translation gives: programs of `tests/constructs`."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from constructs import calling, classes, flowing, refused, values
from playwright.sync_api import Page

from translate.writer import Writer

MODULES = (calling, classes, flowing, values)
PROGRAMS = [(module, name) for module in MODULES for name in module.RUN]
Call = Callable[[str, dict[str, list[list[Any]]]], dict[str, list[Any]]]


@pytest.fixture(scope="module")
def found(page: Page, call: Call) -> dict[str, list[Any]]:
    """What each translated program gives of each of its arguments."""
    text = Writer(*((module.__name__, name) for module, name in PROGRAMS)).text()
    page.route(
        "**/constructs.gen.js",
        lambda route: route.fulfill(body=text, content_type="text/javascript; charset=utf-8"),
    )
    return call("constructs.gen.js", {name: module.RUN[name] for module, name in PROGRAMS})


@pytest.mark.parametrize(("module", "name"), [pytest.param(*one, id=one[1]) for one in PROGRAMS])
def test_programs_give_what_python_s_do(found: dict[str, list[Any]], module: Any, name: str):
    own = [getattr(module, name)(*given) for given in module.RUN[name]]
    assert found[name] == json.loads(json.dumps(own, default=_plain))


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else list(value)


@pytest.mark.parametrize("function", refused.ALL, ids=lambda one: one.__name__)
def test_what_is_not_translated_is_refused(function: Callable[..., Any]):
    with pytest.raises(NotImplementedError):
        Writer((refused.__name__, function.__name__)).text()
