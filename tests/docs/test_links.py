"""Every link inside the site and in the repository's own pages leads somewhere."""

import re
import subprocess
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")


class Read(HTMLParser):
    """A page's anchors, where it links to, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"id", "name"} and value:
                self.anchors.add(value)
            elif name in {"src", "poster", "data"} and value:
                self.loaded.add(value)
            elif name == "href" and value:
                (self.links if tag == "a" else self.loaded).add(value)


@cache
def read(path: Path) -> Read:
    return Read(path.read_text())


def is_inside(link: str) -> bool:
    return not (urlsplit(link).scheme or urlsplit(link).netloc)


def broken(page: Path, links: set[str]) -> list[str]:
    """The links of a page of the site that lead nowhere."""
    found = []
    for link in filter(is_inside, links):
        parts = urlsplit(link)
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        is_there = target.is_file()
        # Scripts take up what follows "#" on the search page and in "#" alone.
        if is_there and parts.fragment and target.suffix == ".html":
            is_there = unquote(parts.fragment) in read(target).anchors
        if not is_there:
            found.append(f"{page.name}: {link}")
    return found


def pages_of(site: Path) -> list[Path]:
    pages = sorted(site.resolve().rglob("*.html"))
    # Not the theme's own template, which it leaves beside its styles.
    return [page for page in pages if "_static" not in page.parts]


def test_links_within_the_site(site: Path) -> None:
    pages = pages_of(site)
    assert len(pages) > 60
    assert sum(len(read(page).links) for page in pages) > 2000
    assert [link for page in pages for link in broken(page, read(page).links)] == []


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    for page in pages_of(site):
        loaded = read(page).loaded
        assert [file for file in loaded if not is_inside(file)] == [], page
        assert broken(page, loaded) == []
    styles = "".join(path.read_text() for path in site.rglob("*.css"))
    assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)\"']*", styles) == []


@pytest.mark.parametrize("name", PAGES)
def test_links_of_the_repository(name: str) -> None:
    text = (ROOT / name).read_text()
    links = [*re.findall(r"\]\(([^)\s]+)\)", text), *re.findall(r"(?:src|href)=\"([^\"]+)\"", text)]
    for link in filter(is_inside, links):
        parts = urlsplit(link)
        target = ROOT / parts.path if parts.path else ROOT / name
        assert target.exists(), link
        if parts.fragment:
            assert parts.fragment in headings(target), link


def headings(path: Path) -> set[str]:
    """The anchors that a page's headings have where Markdown is shown."""
    found = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_every_link_has_a_text() -> None:
    # Only the site would put the title of the page in its place.
    pages = [ROOT / name for name in PAGES] + sorted((ROOT / "docs").rglob("*.md"))
    empty = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in pages
        for link in re.findall(r"\[\s*\]\([^)]*\)|\{doc\}", page.read_text())
    ]
    assert empty == []


def test_files_that_pages_name_are_there() -> None:
    pages = [ROOT / name for name in PAGES] + sorted((ROOT / "docs").rglob("*.md"))
    named = {
        (page.name, path)
        for page in pages
        for path in re.findall(
            r"`((?:tests|benchmarks|examples|docs|src)/[\w./-]*\w)`", page.read_text()
        )
    }
    assert len(named) > 50
    assert {(page, path) for page, path in named if not (ROOT / path).exists()} == set()


def test_modules_that_contributing_names_are_there() -> None:
    named = re.findall(r"`([\w/]+\.py)`", (ROOT / "CONTRIBUTING.md").read_text())
    assert len(named) > 15
    folders = (ROOT, ROOT / "src", ROOT / "src" / "costspace")
    assert [one for one in named if not any((f / one).exists() for f in folders)] == []


def test_readme_and_docs_have_at_most_50_000_words() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "docs/*.md"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    pages = listed.stdout.splitlines() or [str(one) for one in (ROOT / "docs").rglob("*.md")]
    words = sum(len((ROOT / page).read_text().split()) for page in ("README.md", *pages))
    assert words <= 50_000
