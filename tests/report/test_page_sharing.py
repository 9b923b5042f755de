"""What is taken away from the page: texts, links, tables."""

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from opened_pages import Opened, decided

from costspace.decision.words import estimate_shown

Opening = Callable[..., Opened]
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


def copied(opened: Opened, button: str) -> str:
    opened.settle()
    opened.page.get_by_role("button", name=button, exact=True).click()
    opened.page.get_by_role("button", name="Copied").wait_for()
    return str(opened.page.evaluate("navigator.clipboard.readText()"))


def test_the_answer_is_copied_as_text(open_page: Opening) -> None:
    opened = open_page(after="#cases=5000&currency=kr", **CLIPBOARD)
    text = copied(opened, "Copy as text").replace("\u00a0", " ")
    decision = decided({**opened.question()})
    assert decision.recommendation.text in text
    assert (
        "For: a false positive costs 1 kr; a false negative costs 5 kr to 20 kr; 5 % to 20 %"
        in text
    )
    yearly = float(text.split("Per year, of 5,000 cases: ")[1].split(" kr")[0].replace(",", ""))
    assert yearly == pytest.approx(5 * (decision.recommendation.money or 0), rel=5e-3)
    assert "Amounts are in kr." in text
    for one in decision.strategies:
        if one.low < one.high and one.same_as is None:
            assert ": {} ({})".format(*estimate_shown(one.money, one.low, one.high)) in text
    assert all(assumption in text for assumption in decision.assumptions)
    assert "400 cases; costspace" in text


def test_the_text_has_what_is_counted(fresh_page: Opening) -> None:
    opened = fresh_page(**CLIPBOARD)
    text = copied(opened, "Copy as text")
    outcomes = decided({**opened.question()}).outcomes()
    for name, one in (
        ("true positives", outcomes.true_positives),
        ("false negatives", outcomes.false_negatives),
    ):
        assert "{} {} ({})".format(name, *estimate_shown(one.value, one.low, one.high)) in text


ADDRESS = "https://page.example/report.html"


def served(opened: Opened) -> Opened:
    """The page at an address of the web, where others can open it."""
    html = opened.path.read_text(encoding="utf-8")
    answer = {"body": html, "content_type": "text/html"}
    opened.page.route(ADDRESS, lambda route: route.fulfill(**answer), times=1)
    opened.page.goto(ADDRESS)
    opened.page.wait_for_selector("html.ready")
    # It was asked for here, and nowhere else.
    opened.requests.remove(ADDRESS)
    return opened


def test_a_link_is_copied(open_page: Opening) -> None:
    opened = served(open_page(**CLIPBOARD))
    opened.page.fill("#fn-cost", "1:50")
    assert copied(opened, "Copy link") == f"{ADDRESS}#fn=1:50"
    opened.page.click("#reset")
    assert copied(opened, "Copied") == ADDRESS


def test_without_a_clipboard_it_is_copied_the_old_way(open_page: Opening) -> None:
    opened = served(open_page(**CLIPBOARD))
    opened.page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }"
    )
    assert copied(opened, "Copy link") == ADDRESS
    assert opened.page.locator("textarea").count() == 0


def test_in_place_of_a_link_to_a_file_the_page_is_offered(open_page: Opening) -> None:
    opened = open_page()
    opened.page.get_by_role("button", name="Copy link").click()
    assert "save the page and send that" in opened.text("#actions")
    assert opened.page.evaluate("document.activeElement.id") == "save"


def saved_csv(opened: Opened, name: str) -> list[list[str]]:
    with opened.page.expect_download() as saving:
        opened.page.get_by_role("button", name=f"Save {name} as CSV").click()
    assert saving.value.suggested_filename == f"{name}.csv"
    text = saving.value.path().read_text(encoding="utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def test_the_confusion_table_is_saved_in_full(fresh_page: Opening) -> None:
    opened = fresh_page()
    head, *rows = saved_csv(opened, "confusion")
    assert head == ["what", "value", "low", "high"]
    outcomes = decided({**opened.question()}).outcomes()
    found: dict[str, Any] = {
        "true positives per 1,000 cases": outcomes.true_positives,
        "false negatives per 1,000 cases": outcomes.false_negatives,
        "false positives per 1,000 cases": outcomes.false_positives,
        "true negatives per 1,000 cases": outcomes.true_negatives,
        "precision": outcomes.precision,
        "recall": outcomes.recall,
    }
    assert [row[0] for row in rows] == list(found)
    for name, *values in rows:
        one = found[name]
        assert [float(value) for value in values] == pytest.approx([one.value, one.low, one.high])
