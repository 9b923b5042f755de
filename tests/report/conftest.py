"""Pages of the report, opened in a browser."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from opened_pages import Opened, Tabs, html_of, quiet, record_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def tabs(browser: "Browser") -> Tabs:
    return Tabs(browser)


@pytest.fixture(scope="session")
def asked_html() -> str:
    """A page that opens with the question of these tests."""
    return html_of(record_of({}))


@pytest.fixture(scope="session")
def unasked_html() -> str:
    """A page that opens without a question."""
    return html_of(record_of(None))


@pytest.fixture
def open_page(tabs: Tabs, tmp_path: Path, asked_html: str) -> Iterator[Callable[..., Opened]]:
    """Open a page of one's own: for tests of opening, of the first question, of other data."""
    opened: list[Opened] = []

    def opening(html: str | None = None, after: str = "", **options: Any) -> Opened:
        path = tmp_path / f"page{len(opened)}.html"
        path.write_text(html or asked_html)
        script = options.get("java_script_enabled", True)
        opened.append(Opened(tabs.take(**options), path, after, script=script))
        return opened[-1]

    yield opening
    for one in opened:
        one.leave()
        tabs.give_back(one.page)
        quiet(one)


class Shared:
    """Pages that tests of a file share, by how they were opened."""

    def __init__(self, tabs: Tabs, folder: Path) -> None:
        self._tabs, self._folder = tabs, folder
        self._pages: dict[str, Opened] = {}
        # Those that a test may have left in any state.
        self._used: set[str] = set()

    def page(
        self, html: str, prepare: Callable[[Opened], Any] | None, options: Any, *, fresh: bool
    ) -> Opened:
        how = repr((html, prepare and prepare.__qualname__, options))
        found = self._pages.get(how)
        if found is None:
            path = self._folder / f"shared{len(self._pages)}.html"
            path.write_text(html)
            found = self._pages[how] = Opened(self._tabs.take(**options), path, prepare=prepare)
        elif fresh or how in self._used:
            found.put_back()
        (self._used.add if fresh else self._used.discard)(how)
        return found

    def close(self) -> None:
        for one in self._pages.values():
            one.leave()
            self._tabs.give_back(one.page)


@pytest.fixture(scope="module")
def shared_pages(tabs: Tabs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    pages = Shared(tabs, tmp_path_factory.mktemp("shared"))
    yield pages
    pages.close()


@pytest.fixture
def shared_page(shared_pages: Shared, asked_html: str) -> Iterator[Callable[..., Opened]]:
    """Open a page as `open_page` does, or give that of an earlier test: for those that only read.

    What they set they set first, so that no test sees what another has left.
    """
    yield from _shared(shared_pages, asked_html, fresh=False)


@pytest.fixture
def fresh_page(shared_pages: Shared, asked_html: str) -> Iterator[Callable[..., Opened]]:
    """A page as it is when it is opened, which may be that of an earlier test, put back.

    So tests may do with it what they like, but find an engine that has started.
    """
    yield from _shared(shared_pages, asked_html, fresh=True)


def _shared(
    shared_pages: Shared, asked_html: str, *, fresh: bool
) -> Iterator[Callable[..., Opened]]:
    used: list[Opened] = []

    def opening(
        html: str | None = None, prepare: Callable[[Opened], Any] | None = None, **options: Any
    ) -> Opened:
        used.append(shared_pages.page(html or asked_html, prepare, options, fresh=fresh))
        return used[-1]

    yield opening
    for one in used:
        # What was asked for last may still be told.
        one.page.evaluate("0")
        quiet(one)
