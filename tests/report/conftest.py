"""Pages of the report, opened in a browser."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from opened_pages import WIDE, Opened, html_of, record_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def first_page(browser: "Browser") -> "Iterator[Page]":
    """Where the first page of every test is opened, since a browser takes long to make such."""
    context = browser.new_context(viewport=WIDE)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def asked_html() -> str:
    """A page that opens with the question of these tests."""
    return html_of(record_of({}))


@pytest.fixture(scope="session")
def unasked_html() -> str:
    """A page that opens without a question."""
    return html_of(record_of(None))


@pytest.fixture
def open_page(
    browser: "Browser", first_page: "Page", tmp_path: Path, asked_html: str
) -> Iterator[Callable[..., Opened]]:
    opened: list[Opened] = []

    def opening(html: str | None = None, after: str = "", **options: Any) -> Opened:
        path = tmp_path / f"page{len(opened)}.html"
        path.write_text(html or asked_html)
        new = bool(options or opened)
        page = browser.new_page(**{"viewport": WIDE, **options}) if new else first_page
        script = options.get("java_script_enabled", True)
        opened.append(Opened(page, path, after, script=script))
        return opened[-1]

    yield opening
    for one in opened:
        one.leave()
        if one.page != first_page:
            one.page.close()
        quiet(one)


def quiet(opened: Opened) -> None:
    """A page has not complained, and asked for nothing but itself."""
    assert opened.complaints == []
    own = {opened.path.as_uri(), "about:blank"}
    assert {url for url in opened.requests if not url.startswith(("data:", "blob:"))} <= own


@pytest.fixture(scope="module")
def shared_pages() -> Iterator[dict[str, Opened]]:
    """Pages that tests of a file share, by how they were opened."""
    pages: dict[str, Opened] = {}
    yield pages
    for one in pages.values():
        one.page.close()


@pytest.fixture
def shared_page(
    browser: "Browser",
    shared_pages: dict[str, Opened],
    tmp_path: Path,
    asked_html: str,
) -> Iterator[Callable[..., Opened]]:
    """Open a page as `open_page` does, or give that of an earlier test: for those that only read.

    What they set they set first, so that no test sees what another has left.
    """
    used: list[Opened] = []

    def opening(html: str | None = None, **options: Any) -> Opened:
        how = repr((html or asked_html, options))
        if how not in shared_pages:
            path = tmp_path / f"shared{len(shared_pages)}.html"
            path.write_text(html or asked_html)
            page = browser.new_page(**{"viewport": WIDE, **options})
            shared_pages[how] = Opened(page, path)
        used.append(shared_pages[how])
        return used[-1]

    yield opening
    for one in used:
        quiet(one)
