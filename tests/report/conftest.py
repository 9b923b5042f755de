"""The browser that the tests of the report drive: Debian's Chromium."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    # A container's user may be root, for whom Chromium has no sandbox.
    options = {"executable_path": CHROMIUM, "args": ["--no-sandbox"]}
    with sync_playwright() as driver, driver.chromium.launch(**options) as browser:
        yield browser
