"""Modules of src_js, as no bundler has touched them, called from tests."""

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

ROOT = Path(__file__).parents[2]
ADDRESS = "http://translate.test"

# Of a module: functions by name, each with lists of arguments; what each gave.
Call = Callable[[str, dict[str, list[list[Any]]]], dict[str, list[Any]]]


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page that can load all files of the repository."""
    page = browser.new_page()

    def serve(route: Route) -> None:
        path = ROOT / route.request.url.removeprefix(f"{ADDRESS}/")
        if path.is_file():
            route.fulfill(body=path.read_bytes(), content_type="text/javascript; charset=utf-8")
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    page.route("**/*", serve)
    page.goto(f"{ADDRESS}/")
    yield page
    page.close()


@pytest.fixture(scope="module")
def call(page: Page) -> Call:
    page.evaluate("import('/tests/translate/drive.mjs').then(m => window.call = m.call)")

    def put(module: str, calls: dict[str, list[list[Any]]]) -> dict[str, list[Any]]:
        text = json.dumps(list(_encoded(calls).items()))
        found = page.evaluate("given => window.call(...given)", [f"/src_js/{module}", text])
        return dict(zip(calls, _decoded(json.loads(found)), strict=True))

    return put


def _encoded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _encoded(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_encoded(part) for part in value]
    if isinstance(value, float):
        minus = value == 0 and math.copysign(1, value) < 0
        return {"float": str(value)} if minus or not math.isfinite(value) else value
    return value


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded(part) for part in value]
    if isinstance(value, dict) and "float" in value:
        return float(value["float"])
    return value
