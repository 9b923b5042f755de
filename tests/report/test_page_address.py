"""What was typed in, in the address of the page and in copies of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
from opened_pages import QUESTION, Opened, html_of, record_of
from playwright.sync_api import expect

Opening = Callable[..., Opened]


def address(opened: Opened) -> str:
    """What stands after the # once the page has answered."""
    opened.settle()
    return unquote(opened.page.evaluate("location.hash"))


STATES: list[tuple[str, dict[str, Any]]] = [
    ("#fp=2", {"fp_cost": [2, 2]}),
    ("#fn=1:50", {"fn_cost": [1, 50]}),
    ("#tp=-3:-2", {"tp_cost": [-3, -2]}),
    ("#tn=-0.5", {"tn_cost": [-0.5, -0.5]}),
    ("#prevalence=0.25", {"prevalence": [0.25, 0.25]}),
    ("#known=costs,prevalence", {"known": ["costs", "prevalence"]}),
    ("#capacity=0.1&min-npv=0.9", {"limits": {"capacity": 0.1, "min_npv": 0.9}}),
    ("#capacity=0.1&batch=20", {"limits": {"capacity": 0.1}, "batch": 20}),
    ("#in-use=0.4:second", {"baseline": {"model": "second", "threshold": 0.4}}),
]


@pytest.mark.parametrize(("after", "changes"), STATES)
def test_a_link_opens_the_page_as_it_was_left(
    open_page: Opening, after: str, changes: dict[str, Any]
) -> None:
    opened = open_page(after=after)
    assert opened.changed() == changes
    # Written anew, it says the same.
    opened.page.fill("#cases", "5")
    assert address(opened) == f"{after}&cases=5"
    opened.page.click("#reset")
    assert opened.changed() == {}
    assert address(opened) == ""


def test_what_is_typed_stands_in_the_address(fresh_page: Opening) -> None:
    opened = fresh_page()
    page = opened.page
    assert address(opened) == ""
    page.fill("#fn-cost", "1:50")
    assert address(opened) == "#fn=1:50"
    for typed in ("50 000", "50.000", "50,000"):
        page.fill("#cases", typed)
        assert address(opened) == "#fn=1:50&cases=50000"
    page.fill("#currency", "\u20ac")
    assert address(opened) == "#fn=1:50&cases=50000&currency=\u20ac"
    page.fill("#fn-cost", "5:20")
    page.fill("#cases", "")
    assert address(opened) == "#currency=\u20ac"


def test_a_volume_and_a_currency_come_back(open_page: Opening) -> None:
    opened = open_page(after="#cases=50000&currency=kr")
    assert opened.page.input_value("#cases") == "50000"
    assert opened.page.input_value("#currency") == "kr"
    assert "kr a year" in opened.text("#answer")


@pytest.mark.parametrize("sign", ["\u202e", "\u200f", "\u2067", "\u0000", "\n"])
def test_a_currency_does_not_turn_digits_around(open_page: Opening, sign: str) -> None:
    opened = open_page(after=f"#currency={quote(sign)}kr")
    assert opened.page.input_value("#currency") == "kr"
    opened.page.fill("#currency", f"{sign}EUR")
    assert address(opened) == "#currency=EUR"
    assert sign not in opened.text("#answer").replace("\n", "")


def test_a_page_may_come_with_a_volume_and_a_currency(open_page: Opening) -> None:
    record = record_of({})
    record["initial"] |= {"cases": 20000, "currency": "EUR"}
    html = html_of(record)
    opened = open_page(html)
    page = opened.page
    assert (page.input_value("#cases"), page.input_value("#currency")) == ("20000", "EUR")
    assert "EUR a year" in opened.text("#answer")
    assert address(opened) == ""
    page.fill("#cases", "")
    page.fill("#currency", "")
    assert address(opened) == "#cases=&currency="
    assert "EUR" not in opened.text("#answer")
    page.click("#reset")
    assert (page.input_value("#cases"), page.input_value("#currency")) == ("20000", "EUR")
    again = open_page(html, after="#cases=&currency=kr")
    assert again.page.input_value("#cases") == ""
    assert "kr" in again.text("#answer")


def test_a_link_to_a_page_without_costs_answers(open_page: Opening, unasked_html: str) -> None:
    opened = open_page(unasked_html, after="#fn=7&known=costs")
    assert opened.question()["fn_cost"] == [7, 7]
    assert opened.question()["known"] == ["costs"]
    assert address(opened) == "#fn=7&known=costs"
    opened.page.click("#reset")
    assert opened.page.locator("#missed").is_visible()
    assert address(opened) == ""


@pytest.mark.parametrize(
    "after",
    [
        "#fp=x",
        "#fp=5:1",
        "#fp=1:2:3",
        "#in-use=0.4:fourth",
        "#in-use=x",
        "#cases=-1",
        "#capacity=x",
        "#a%zz",
    ],
)
def test_an_address_that_makes_no_sense_changes_nothing(open_page: Opening, after: str) -> None:
    opened = open_page(after=after)
    assert opened.changed() == {}
    assert opened.page.input_value("#cases") == ""


def test_an_address_may_take_away_what_a_page_came_with(open_page: Opening) -> None:
    html = html_of(
        record_of(
            {
                "known": ["costs"],
                "limits": {"capacity": 0.5},
                "baseline": {"model": "first", "threshold": 0.5},
            }
        )
    )
    opened = open_page(html, after="#known=&capacity=&in-use=")
    assert opened.changed() == {}
    assert opened.question() == QUESTION
    opened.page.fill("#cases", "5")
    assert address(opened) == "#known=&capacity=&in-use=&cases=5"


def test_an_address_that_is_typed_over_is_followed(fresh_page: Opening) -> None:
    opened = fresh_page()
    opened.page.evaluate("location.hash = 'fn=9'")
    expect(opened.page.locator("#fn-cost")).to_have_value("9")
    assert opened.changed() == {"fn_cost": [9, 9]}


def test_jumping_to_the_answer_keeps_the_address(open_page: Opening) -> None:
    opened = open_page(after="#fn=9")
    opened.page.keyboard.press("Tab")
    opened.page.keyboard.press("Enter")
    assert opened.page.evaluate("document.activeElement.id") == "answer"
    assert address(opened) == "#fn=9"


@pytest.mark.smoke
def test_a_page_that_is_saved_opens_as_it_was_left(open_page: Opening, tmp_path: Path) -> None:
    opened = open_page()
    page = opened.page
    page.fill("#fn-cost", "1:50")
    page.fill("#cases", "5000")
    page.check("#known-costs")
    opened.settle()
    said = opened.text("#instruction")
    with page.expect_download() as saving:
        page.click("#save")
    saved = saving.value
    assert saved.suggested_filename == "Models compared.html"
    path = tmp_path / "saved.html"
    saved.save_as(path)

    again = open_page(path.read_text())
    assert again.changed() == {"fn_cost": [1, 50], "known": ["costs"]}
    assert again.page.input_value("#cases") == "5000"
    assert again.text("#instruction") == said
    again.page.click("#reset")
    assert again.changed() == {}

    # The answer to what was asked stands in it without a script, too.
    still = open_page(path.read_text(), java_script_enabled=False)
    assert still.text("#instruction") == said
    assert "false negative costs 1 to 50" in still.text("#asked")
    assert still.page.locator("button").count() == 0


@pytest.mark.parametrize("prevalence", ["1e-320", "1e-17", "1e-300:0.5", "0.9999999999999999"])
def test_a_prevalence_next_to_an_end_has_a_page(open_page: Opening, prevalence: str) -> None:
    opened = open_page(after=f"#prevalence={prevalence}")
    opened.settle()
    assert "lag" in opened.text("#instruction")
    assert opened.page.locator("#threshold-chart .chart").text_content()
    assert not opened.complaints
