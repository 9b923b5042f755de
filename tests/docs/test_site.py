"""The site of the docs, opened in a browser: search, phones, no scripts, no network."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import costspace.plots

PHONE = {"width": 380, "height": 800}
FORMULAS = "concepts/any-size.html"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Say nothing of what is asked for."""


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    handler = partial(Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        serving = Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        serving.join()


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Open a page that may complain of nothing and ask for nothing from elsewhere."""
    contexts, complaints, elsewhere = [], [], []

    def watch(request: Any) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            elsewhere.append(request.url)

    def opening(name: str, **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", watch)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda said: (
                complaints.append(said.text) if said.type in {"error", "warning"} else None
            ),
        )
        page.goto(address + name)
        return page

    yield opening
    for context in contexts:
        context.close()
    assert complaints == []
    assert elsewhere == []


@pytest.mark.smoke
def test_search_finds_a_page(open_page: Callable[..., Page]) -> None:
    page = open_page("index.html", viewport=PHONE)
    page.locator(".search-button__button:visible").click()
    page.locator("#pst-search-dialog input").fill("H-measure")
    page.keyboard.press("Enter")
    page.locator("#search-results a", has_text="Metrics").first.click()
    page.wait_for_selector("h1")
    assert "H-measure" in page.locator("article").inner_text()


def found(page: Page) -> list[tuple[str, str]]:
    """What a search has found: titles and addresses."""
    page.get_by_text("Search finished").wait_for()
    return [
        (title, link.partition("?")[0])
        for title, link in page.locator("#search-results li > a").evaluate_all(
            "links => links.map(link => [link.innerText, link.getAttribute('href')])"
        )
    ]


def test_guides_come_first_in_search_and_records_last(open_page: Callable[..., Page]) -> None:
    links = found(open_page("search.html?q=threshold"))
    order = ["guides", "concepts", "reference", "extending", "decisions"]
    folders = [link.partition("/")[0] for _, link in links if "/" in link]
    assert set(folders) == set(order)
    # What has the word in its title may come before the next folder.
    titled = ["threshold" in title.lower() and "#" not in link for title, link in links]
    places = [
        order.index(link.partition("/")[0]) - 1.5 * first
        for (_, link), first in zip(links, titled, strict=True)
        if "/" in link
    ]
    assert any(titled)
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("decide", "guides/decide.html"),
        ("threshold", "concepts/threshold-choices.html"),
        ("multiclass", "guides/evaluate-a-file.html"),
        ("payoff", "guides/costs-known.html"),
        ("profit", "guides/costs-known.html"),
        ("cut-off", "concepts/words.html"),
        ("xgboost", "guides/evaluate-a-file.html"),
        ("drift", "guides/monitor-drift.html"),
        ("capacity", "guides/capacity.html"),
        ("judge", "guides/judges.html"),
        ("guardrail", "guides/judges.html"),
        ("LLM", "guides/judges.html"),
        ("escalation", "guides/judges.html"),
        ("lift", "guides/plots.html"),
        ("gain", "guides/plots.html"),
        ("cumulative gains", "guides/plots.html"),
    ],
)
def test_what_people_ask_for_is_among_the_first(
    open_page: Callable[..., Page], asked: str, page: str
) -> None:
    links = [link.partition("#")[0] for _, link in found(open_page(f"search.html?q={asked}"))]
    assert page in links[:2]
    assert not links[0].startswith("reference/")


@pytest.mark.parametrize("name", ["plots.plot_cost_space", "ScoreTable"])
def test_a_name_finds_its_page_first(open_page: Callable[..., Page], name: str) -> None:
    title = name.rpartition(".")[2]
    links = found(open_page(f"search.html?q={title}"))
    assert links[0] == (title, f"reference/objects/costspace.{name}.html")


def test_a_button_copies_code_without_prompts_and_output(open_page: Callable[..., Page]) -> None:
    page = open_page("guides/costs-known.html", permissions=["clipboard-read", "clipboard-write"])
    block = page.locator(".highlight-python", has_text="cost_proportion")
    block.hover()
    block.locator("button").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("import costspace as cs\n")
    assert "    best = cs.expected_money(" in copied
    assert ">>>" not in copied
    assert "0.04762" not in copied
    assert page.locator(".highlight-sh button").count() > 0
    assert page.locator(".highlight-text button").count() == 0


def test_every_picture_has_words_in_its_place(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if "_static" not in page.parts]
    pictures = [
        one for page in pages for one in re.findall(r"<img [^>]*_images[^>]*>", page.read_text())
    ]
    assert len(pictures) > 40
    assert [one for one in pictures if not re.search(r'alt="[^"]{5,}"', one)] == []


def test_a_plot_is_shown_where_its_function_is_explained(site: Path) -> None:
    objects = site / "reference" / "objects"
    plots = [name for name in costspace.plots.__all__ if name.startswith("plot_")]
    assert len(plots) > 9
    pages = {name: (objects / f"costspace.plots.{name}.html").read_text() for name in plots}
    assert [name for name, page in pages.items() if f'alt="What {name} draws' not in page] == []


# What holds the page must not be wider than it is shown; tables, code and formulas scroll by
# themselves. One document takes up all pages, so that it reads their styles once.
BOXES = "html, main, .bd-content, .bd-article-container, article, .prev-next-area a"
TAKE_UP_AND_MEASURE = """async ([address, boxes]) => {
    const text = await (await fetch(address)).text();
    const icon = document.querySelector("link[rel=icon]");
    icon.href = icon.href;  // else it is looked for beside every address
    history.replaceState(null, "", address);
    document.body.innerHTML = new DOMParser().parseFromString(text, "text/html").body.innerHTML;
    return [...document.querySelectorAll(boxes)]
        .filter((box) => box.scrollWidth > Math.min(box.clientWidth, innerWidth) + 1)
        .map((box) => `${box.tagName} ${box.scrollWidth}`);
}"""


def test_no_page_is_wider_than_a_phone(site: Path, open_page: Callable[..., Page]) -> None:
    # Without scripts in the page the driver's own still run.
    page = open_page("index.html", viewport=PHONE, java_script_enabled=False)
    address = page.url.removesuffix("index.html")
    names = [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html"))]
    wide = {
        name: page.evaluate(TAKE_UP_AND_MEASURE, [address + name, BOXES])
        for name in names
        if not name.startswith("_static/")
    }
    assert len(wide) > 60
    assert {name: boxes for name, boxes in wide.items() if boxes} == {}


def test_rows_of_printed_tables_stay_rows(open_page: Callable[..., Page]) -> None:
    page = open_page("guides/tutorial.html", viewport=PHONE)
    lines = page.locator(".highlight .go-Row").evaluate_all(
        "rows => rows.map(row => row.getClientRects().length)"
    )
    assert len(lines) > 20
    assert set(lines) == {1}


def test_printed_sentences_are_as_wide_as_the_window(open_page: Callable[..., Page]) -> None:
    page = open_page("guides/tutorial.html", viewport=PHONE)
    printed = page.locator(".highlight-text", has_text="Use logistic: flag").first.inner_text()
    lines = printed.splitlines()
    # The command breaks this sentence at 80 characters; the next one stays apart.
    (saving,) = [line for line in lines if "against flagging everybody." in line]
    assert saving.startswith("It costs ")
    assert lines[lines.index(saving) - 1].startswith("Use logistic: ")


def test_paper_has_a_page_to_its_end(open_page: Callable[..., Page]) -> None:
    page = open_page("guides/tutorial.html")
    page.emulate_media(media="print")
    # Boxes that scroll or stand in a row are as high as one long page, and lose what breaks move.
    styles = page.locator("article").evaluate("""(box) => {
        const styles = [];
        for (; box.tagName != "BODY"; box = box.parentElement) {
            const { display, overflowY } = getComputedStyle(box);
            styles.push(`${display} ${overflowY}`);
        }
        return styles;
    }""")
    assert set(styles) == {"block visible"}


def test_menus_of_a_phone(open_page: Callable[..., Page]) -> None:
    page = open_page(FORMULAS, viewport=PHONE)
    page.get_by_label("Site navigation").click()
    page.locator("#pst-primary-sidebar-modal a", has_text="Conventions").click()
    page.wait_for_url("**/concepts/conventions.html")
    assert page.locator("h1").inner_text().startswith("Conventions")


def test_a_page_without_scripts(open_page: Callable[..., Page]) -> None:
    page = open_page(FORMULAS, viewport=PHONE, java_script_enabled=False)
    assert "rows" in page.locator("article p").first.inner_text()
    for formula in page.locator("math").all()[:5]:
        box = formula.bounding_box()
        assert box is not None
        assert box["width"] > 5
        assert box["height"] > 5
    assert "\\mathrm" not in page.locator("article").inner_text()
    assert page.locator("button:visible").count() == 0
    # Code has its colours, and the menu stands below the page.
    keyword, text = (
        page.locator(f".highlight {part}").first.evaluate("e => getComputedStyle(e).color")
        for part in (".kn", "pre")
    )
    assert keyword != text
    page.locator(".bd-sidebar-primary a", has_text="Conventions").click()
    page.wait_for_url("**/concepts/conventions.html")


def test_the_home_page_has_a_page_that_answers(open_page: Callable[..., Page]) -> None:
    page = open_page("index.html", viewport={"width": 1280, "height": 900})
    report = page.locator("iframe.report")
    report.scroll_into_view_if_needed()
    inside = report.content_frame
    costs = inside.get_by_role("textbox", name="A false negative costs")
    assert costs.bounding_box() is not None
    before = inside.locator("h2").first.inner_text()
    costs.fill("2")
    costs.press("Enter")
    inside.locator("h2", has_text="flag").filter(has_not_text=before).first.wait_for()


def test_the_home_page_on_a_phone_and_without_scripts(open_page: Callable[..., Page]) -> None:
    page = open_page("index.html", viewport=PHONE)
    # Two pages would scroll under one thumb: a link leads to the other.
    assert page.locator("iframe.report:visible").count() == 0
    page.locator("article a", has_text="Try the page").click()
    page.locator("h2", has_text="Use logistic").wait_for()
    wide = {"width": 1280, "height": 900}
    page = open_page("index.html", viewport=wide, java_script_enabled=False)
    report = page.locator("iframe.report")
    report.scroll_into_view_if_needed()
    report.content_frame.locator("body", has_text="Use logistic: flag scores above").wait_for()


def test_the_reference_without_scripts(open_page: Callable[..., Page]) -> None:
    page = open_page("reference/deciding.html", viewport=PHONE, java_script_enabled=False)
    page.locator("article td a", has_text="Recommendation").click()
    page.wait_for_url("**/objects/costspace.decision.Recommendation.html*")
    assert page.locator("h1").inner_text().startswith("Recommendation")
    # The menu below the page has what is beside it.
    page.locator(".bd-sidebar-primary a", has_text="decide").first.click()
    page.wait_for_url("**/objects/costspace.decide.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system(open_page: Callable[..., Page], scheme: str) -> None:
    page = open_page("index.html", color_scheme=scheme)
    assert page.locator("html").get_attribute("data-theme") == scheme
    # What a reader chooses is kept.
    chosen = "light" if scheme == "dark" else "dark"
    page.evaluate("chosen => localStorage.setItem('mode', chosen)", chosen)
    page.evaluate("chosen => localStorage.setItem('theme', chosen)", chosen)
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == chosen
