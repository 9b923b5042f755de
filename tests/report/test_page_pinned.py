"""Answers that are pinned, beside the one of now; and until where the recommended stays best."""

import re
from collections.abc import Callable

import pytest
from opened_pages import QUESTION, Opened, decided, html_of, record_of

from costspace.decision.words import exact_shown
from costspace.report.decided import staying_dict

Opening = Callable[..., Opened]
PIN = "#scenarios > button"
ROWS = "#scenarios tbody tr"


def pinned(opened: Opened, *costs: str) -> list[str]:
    """Pin what is shown, then ask for other costs, each in turn; the rows of the table."""
    for cost in costs:
        opened.page.focus(PIN)
        opened.page.keyboard.press("Enter")
        opened.page.fill("#fn-cost", cost)
        opened.settle()
    return opened.page.locator(ROWS).all_inner_texts()


def test_answers_stand_side_by_side_with_what_differs(fresh_page: Opening) -> None:
    opened = fresh_page()
    now, first, second = pinned(opened, "40", "90")
    assert "a false negative costs 90" in now
    assert "a false negative costs 5 to 20" in first
    assert "a false negative costs 40" in second
    assert "false positive" not in f"{now}{first}{second}".replace("of false positives", "")
    costs = [
        decided({**QUESTION, "fn_cost": [cost, cost]}).strategies[0].money for cost in (40.0, 90.0)
    ]
    opened.page.fill("#fn-cost", "90")
    assert costs[0] < costs[1]
    assert "less than now" in second
    assert decided(QUESTION).recommendation.instruction.rstrip(".") in first.replace("\u00a0", " ")


def test_a_row_has_the_cost_of_what_is_recommended_also_without_a_model(
    open_page: Opening,
) -> None:
    # Nobody is flagged, and the best model stands beside that.
    asked = {"fn_cost": [1.0, 1.0], "prevalence": [0.01, 0.01]}
    decision = decided({**QUESTION, **asked})
    assert decision.recommendation.choice == "flag_nobody"
    assert decision.recommendation.stated != decision.strategy
    opened = open_page(html_of(record_of(asked)))
    _, first = pinned(opened, "1.5")
    money = exact_shown(decision.evidence.cost(decision.strategy))
    assert "Flag nobody." in first
    assert f"{money} per 1,000 cases" in first
    opened.page.fill("#fn-cost", "1")
    opened.settle()
    assert opened.text(".stats .own dd.amount") == money
    assert f"It costs {money} per 1,000 cases" in opened.text("#hero")
    assert "It flags" not in opened.text("#hero")


@pytest.mark.parametrize(("currency", "told"), [("", "false alarms"), ("EUR", "EUR")])
def test_break_even_is_in_money_where_there_is_a_currency(
    open_page: Opening, currency: str, told: str
) -> None:
    asked = {"fp_cost": [1.0, 1.0], "fn_cost": [9.0, 9.0], "prevalence": [0.3, 0.3]}
    opened = open_page(html_of(record_of(asked)))
    opened.page.fill("#currency", currency)
    opened.page.locator("#staying:not(:empty)").wait_for(timeout=15_000)
    said = opened.text("#staying")
    assert f"(asked: 9 {told})" in said


def test_a_link_has_them_and_no_more_than_three(fresh_page: Opening, open_page: Opening) -> None:
    opened = fresh_page()
    rows = pinned(opened, "40", "90", "30")
    assert len(rows) == 4
    pin = opened.page.locator(PIN)
    assert pin.is_disabled()
    assert pin.inner_text() == "3 answers are pinned: remove one to pin another"
    address = opened.page.evaluate("location.hash")
    assert address.count("pin=") == 3
    other = open_page(after=address)
    other.page.wait_for_selector(f"{ROWS} >> nth=3")
    for row in other.page.locator(ROWS).all():
        row.get_by_text("Computing").wait_for(state="detached")
    assert other.page.locator(ROWS).all_inner_texts() == rows


def test_one_is_removed_by_its_button(fresh_page: Opening) -> None:
    opened = fresh_page()
    pinned(opened, "40", "90")
    opened.page.focus("#scenarios tbody button >> nth=0")
    opened.page.keyboard.press("Enter")
    rows = opened.page.locator(ROWS).all_inner_texts()
    assert len(rows) == 2
    assert "a false negative costs 40" in rows[1]
    assert opened.page.evaluate("document.activeElement.matches('#scenarios > button')")
    opened.page.click("#reset")
    assert opened.page.locator(ROWS).count() == 0


def test_what_is_pinned_already_is_not_pinned_twice(fresh_page: Opening) -> None:
    opened = fresh_page()
    opened.page.click(PIN)
    assert opened.page.locator(PIN).is_disabled()


@pytest.mark.parametrize("cost", [4.0, 9.0])
def test_the_page_says_until_where_the_recommended_stays_best(
    open_page: Opening, cost: float
) -> None:
    asked = {"fn_cost": [cost, cost], "prevalence": [0.3, 0.3]}
    decision = decided({**QUESTION, **asked})
    found = staying_dict(decision)
    assert found is not None
    assert found["best"]["model"] == decision.recommendation.model
    opened = open_page(html_of(record_of(asked)))
    opened.page.locator("#staying:not(:empty)").wait_for(timeout=15_000)
    said = opened.text("#staying")
    assert f"Break-even: {decision.recommendation.model} stays best while a miss costs" in said
    told = [
        float(end) for end in re.findall(r"[\d.]+(?= (?:and|false alarms))", said.split("(")[0])
    ]
    ends = [found["least"], found["most"]]
    near = [end for end in ends if end is not None and cost / 1000 < end < cost * 1000]
    assert told == pytest.approx(near, rel=0.01)
    assert near
