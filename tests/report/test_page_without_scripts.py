"""The page without scripts, on paper, on a phone, for screen readers, and with hostile names."""

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from opened_pages import PHONE, SCORES, WIDE, Opened, html_of, record_of
from playwright.sync_api import Browser

Opening = Callable[..., Opened]
LONG = {f"{'a_very_long_name_' * 6}{i}": s for i, s in enumerate(SCORES.values())}
TWELVE = {
    f"model {i}": np.round(0.99 * s + 0.0001 * i, 3) for i, s in enumerate([*SCORES.values()] * 4)
}


@pytest.mark.smoke
def test_without_a_script_the_answer_is_there(open_page: Opening) -> None:
    record = record_of({})
    opened = open_page(html_of(record), java_script_enabled=False)
    decision = record["decision"]
    use = decision["recommendation"]
    assert opened.text("#hero").startswith(use["instruction"])
    for sentence in (use["cost"], *decision["told"], *decision["beside"], decision["settling"]):
        assert sentence in " ".join(opened.text("#hero").split())
    assert "false negatives" in opened.text("#confusion")
    rows = opened.page.locator("#strategies tbody tr")
    assert rows.count() == len(record["decision"]["strategies"])
    assert rows.first.is_visible()
    for control in opened.page.locator("button, input, select, aside, #why").all():
        assert not control.is_visible()


def test_without_a_script_costs_are_drawn(open_page: Opening) -> None:
    record = record_of({}, LONG)
    opened = open_page(html_of(record), java_script_enabled=False, viewport=PHONE)
    drawn = opened.page.locator("#strategies svg")
    box = drawn.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= PHONE["width"]
    costs = [one["cost_per_1000"] for one in record["decision"]["strategies"]]
    dots = drawn.locator("circle")
    assert 1 < dots.count() <= len(costs)
    places = [float(str(dot.get_attribute("cx"))) for dot in dots.all()]
    # The recommended first, then from left to right; none beyond the picture.
    assert places[1:] == sorted(places[1:])
    assert 320 <= min(places) <= max(places) <= 590


def test_with_a_script_it_is_not_there_twice(fresh_page: Opening) -> None:
    opened = fresh_page()
    assert not any(one.is_visible() for one in opened.page.locator(".static").all())
    assert opened.page.locator("h1").count() == 1
    assert opened.page.locator("#instruction").count() == 1


def test_the_title_is_the_name_of_the_file(open_page: Opening) -> None:
    record = record_of({})
    record["source"]["path"] = "patients.csv"
    opened = open_page(html_of(record))
    assert opened.page.title() == "patients.csv"
    assert opened.text("#title") == "patients.csv"
    assert "400 cases" in opened.text("#summary")


HOSTILE = [
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    "\"'><svg onload=window.hacked=1>\u2028 & <!--",
]


def test_names_are_text_and_nothing_else(open_page: Opening) -> None:
    record = record_of({}, dict(zip(HOSTILE, SCORES.values(), strict=True)))
    record["source"]["path"] = f"{HOSTILE[1]}.csv"
    html = html_of(record)
    opened = open_page(html, after="#currency=<b>x</b>&in-use=0.5:" + HOSTILE[1].replace(" ", "+"))
    page = opened.page
    assert page.evaluate("window.hacked") is None
    assert page.title() == f"{HOSTILE[1]}.csv"
    assert page.locator("main :is(img, b.x, script)").count() == 0
    options = page.locator("#in-use-model option").all_text_contents()
    assert options[1:] == HOSTILE
    kept = json.loads(page.locator("#contents").inner_html())
    assert kept == record | {"facts": kept["facts"]}
    assert page.input_value("#currency") == "<b>x</b>"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 820, 1280, 1440])
def test_it_fits_its_screen(open_page: Opening, scheme: str, width: int) -> None:
    viewport = {"width": width, "height": 844}
    html = html_of(record_of({}, LONG if scheme == "dark" else TWELVE))
    opened = open_page(html, viewport=viewport, color_scheme=scheme)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    paper = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(246, 246, 244)") == (scheme == "light")


def top(opened: Opened, selector: str) -> float:
    box = opened.page.locator(selector).bounding_box()
    assert box is not None
    return float(box["y"])


def test_on_a_phone_the_answer_comes_first(open_page: Opening) -> None:
    opened = open_page(viewport=PHONE)
    assert top(opened, "#instruction") < 250
    assert top(opened, "#answer") < top(opened, "#counts") < top(opened, "#inputs")
    assert top(opened, "#inputs") < top(opened, "#money") < top(opened, "#strategies")


def test_on_a_desk_inputs_stay_in_sight(fresh_page: Opening) -> None:
    opened = fresh_page()
    opened.page.mouse.wheel(0, 900)
    opened.page.wait_for_timeout(100)
    assert opened.page.evaluate("scrollY") > 300
    assert 0 <= top(opened, "#fp-cost") < WIDE["height"] / 2


@pytest.mark.parametrize("scores", [SCORES, TWELVE])
def test_on_paper_there_is_no_control_and_few_pages(
    open_page: Opening, scores: dict[str, np.ndarray]
) -> None:
    opened = open_page(html_of(record_of({}, scores)), color_scheme="dark")
    # After a while what is not next to the answer is found and printed, too.
    opened.page.locator("#knowing:not(:empty)").wait_for(timeout=30_000)
    pages = re.findall(rb"/Type\s*/Page\b", opened.page.pdf(format="A4"))
    assert 2 <= len(pages) <= 4
    opened.page.emulate_media(media="print")
    for control in opened.page.locator("button, input, select").all():
        assert not control.is_visible()
    assert opened.page.locator("#asked").is_visible()
    assert opened.page.locator("#threshold-chart svg.chart").is_visible()
    background = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(255, 255, 255)"


def test_everything_has_a_name_for_screen_readers(fresh_page: Opening) -> None:
    opened = fresh_page()
    unnamed = opened.page.evaluate(
        """() => [...document.querySelectorAll("input, select, button, summary, [role=img]")]
            .filter((e) => !e.ariaLabel && !e.labels?.length && !e.textContent.trim())
            .map((e) => e.outerHTML)"""
    )
    assert unnamed == []
    levels = opened.page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3')].map((e) => Number(e.tagName[1]))"
    )
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    described = opened.page.evaluate(
        """() => [...document.querySelectorAll("[aria-describedby], [aria-labelledby]")]
            .flatMap((e) => [e.getAttribute("aria-describedby"), e.getAttribute("aria-labelledby")])
            .filter(Boolean).flatMap((ids) => ids.split(" "))
            .filter((id) => document.getElementById(id) === null)"""
    )
    assert described == []


def test_it_works_by_keyboard_alone(open_page: Opening) -> None:
    opened = open_page()
    page = opened.page
    reached: list[Any] = []
    for _ in range(45):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id"))
    wanted = {
        "fp-cost",
        "fn-cost",
        "prevalence",
        "known-costs",
        "cases",
        "currency",
        "reset",
        "save",
    }
    assert wanted <= set(reached)
    page.focus("#fn-cost")
    page.keyboard.press("Control+A")
    page.keyboard.type("200")
    assert opened.changed() == {"fn_cost": [200, 200]}


def test_the_page_refuses_scripts_and_addresses_that_are_not_its_own(
    browser: Browser, tmp_path: Path, asked_html: str
) -> None:
    path = tmp_path / "page.html"
    path.write_text(asked_html.replace("<main>", "<script>window.hacked = 1</script><main>"))
    opened = Opened(browser.new_page(viewport=WIDE), path)
    assert opened.page.evaluate("window.hacked") is None
    assert any("Content Security Policy" in text for text in opened.complaints)
    failed = opened.page.evaluate(
        "fetch('https://example.org').then(() => 'loaded', () => 'refused')"
    )
    assert failed == "refused"
    opened.page.close()


def test_nothing_in_the_file_is_an_address(asked_html: str) -> None:
    found = set(re.findall(r"\w+://[^\"'`\s)]+", asked_html))
    # Namespaces, which name what an element is and are not loaded.
    assert {url for url in found if not url.startswith("http://www.w3.org/")} == set()
