"""A third action on the page: what is asked of a review, and what the page says of one."""

import json
import re
from collections.abc import Callable

import pytest
from opened_pages import PHONE, QUESTION, Opened, decided, html_of, record_of
from page_files import rows_of_csv
from reviewing_pages import ASKED, counts, reviewing, unfolded

from costspace.decision.words import estimate_shown

Opening = Callable[..., Opened]
ALL = [1, 1]


def test_what_a_review_is_is_asked_for_once_it_has_a_cost(fresh_page: Opening) -> None:
    opened = unfolded(fresh_page())
    page = opened.page
    others = [page.locator(f"#review-{name}") for name in ("sensitivity", "specificity")]
    capacity = page.locator("#review-capacity")
    assert not any(one.is_visible() for one in (*others, capacity))
    page.fill("#review-cost", "0.2:0.5")
    assert all(one.is_visible() for one in (*others, capacity))
    perfect = {"cost": [0.2, 0.5], "sensitivity": ALL, "specificity": ALL}
    assert opened.changed() == {"review": perfect}
    others[0].fill("90%")
    others[1].fill("0.8 to 0.95")
    capacity.fill("5 %")
    erring = {"cost": [0.2, 0.5], "sensitivity": [0.9, 0.9], "specificity": [0.8, 0.95]}
    assert opened.changed() == {"review": erring, "limits": {"review_capacity": 0.05}}
    told = opened.text("#asked")
    assert "a review costs 0.2 to 0.5, with sensitivity 90 % and specificity 80 % to 95 %" in told
    assert "review at most 5 %" in told
    others[0].fill("")
    assert opened.changed()["review"]["sensitivity"] == ALL
    # Without a review there is no room for one to be asked about.
    page.fill("#review-cost", "")
    assert opened.changed() == {}
    assert not capacity.is_visible()


def test_a_number_of_reviews_is_of_a_batch(fresh_page: Opening) -> None:
    opened = unfolded(fresh_page())
    opened.page.fill("#review-cost", "0.3")
    opened.page.fill("#review-capacity", "20")
    assert "for 20 % type 20% or 0.2" in opened.text("#review-capacity-error")
    opened.page.fill("#batch", "200")
    found = opened.changed()
    assert (found["limits"], found["batch"]) == ({"review_capacity": 0.1}, 200)
    assert "review at most 10 %, in batches of 200" in opened.text("#asked")


def test_reviews_of_a_batch_have_its_places(fresh_page: Opening) -> None:
    opened = unfolded(fresh_page())
    for name, text in (("review-cost", "0.3"), ("review-capacity", "10 %"), ("batch", "50")):
        opened.page.fill(f"#{name}", text)
    limits = {"limits": {"review_capacity": 0.1}, "batch": 50}
    exact = {
        **QUESTION,
        **limits,
        "review": {"cost": [0.3, 0.3], "sensitivity": ALL, "specificity": ALL},
    }
    opened.settle()
    wanted = decided(exact)
    said = wanted.recommendation.instruction
    assert "review the 5 of each 50 where that saves most" in said
    assert opened.text("#instruction") == said
    found = wanted.outcomes().reviewed_positives
    assert found is not None
    assert counts(opened)["reviewed positives"] == pytest.approx(found.value)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("cost", "0", "is not a cost above 0"),
        ("cost", "5 %", "is a share, and this is not"),
        ("sensitivity", "95", "is more than all cases: for 95 % type 95% or 0.95"),
        ("specificity", "-0.1", "is not a share from 0 to 100 %"),
        ("sensitivity", "much", "is not a number"),
        ("capacity", "120 %", "is not a share from 0 to 100 %"),
    ],
)
def test_what_is_no_review_is_refused(
    fresh_page: Opening, name: str, text: str, problem: str
) -> None:
    opened = unfolded(fresh_page(reviewing()))
    opened.page.fill(f"#review-{name}", text)
    assert problem in opened.text(f"#review-{name}-error")
    assert opened.page.evaluate("document.documentElement.classList.contains('stale')")
    if name != "cost":
        # Where nobody reviews nobody asks for it.
        opened.page.fill("#review-cost", "")
        opened.settle()
        assert not opened.page.evaluate("document.documentElement.classList.contains('stale')")


def test_a_page_opens_with_its_review_and_keeps_another_in_its_address(open_page: Opening) -> None:
    html = html_of(record_of({**ASKED, "limits": {"review_capacity": 0.2}}))
    opened = open_page(html)
    page = opened.page
    values = {
        name: page.input_value(f"#review-{name}").replace("\u00a0", " ")
        for name in ("cost", "sensitivity", "specificity", "capacity")
    }
    wanted = {"cost": "0.3", "sensitivity": "90 %", "specificity": "95 %", "capacity": "20 %"}
    assert values == wanted
    assert page.locator("#review-cost").is_visible()
    assert page.evaluate("location.hash") == ""
    page.fill("#review-cost", "0.1:0.2")
    page.fill("#review-specificity", "")
    opened.settle()
    assert page.evaluate("location.hash") == "#review-cost=0.1:0.2&review-specificity=1"
    again = open_page(html, after=str(page.evaluate("location.hash")))
    assert again.question() == opened.question()
    page.fill("#review-cost", "")
    opened.settle()
    none = open_page(html, after=str(page.evaluate("location.hash")))
    assert none.question() == opened.question()
    assert none.question()["review"] is None


def test_an_address_gives_a_page_a_review(fresh_page: Opening) -> None:
    opened = fresh_page().ask({**ASKED, "limits": {"review_capacity": 0.1}})
    decision = decided({**QUESTION, **ASKED, "limits": {"review_capacity": 0.1}})
    title = opened.page.get_attribute("#instruction", "title")
    assert f"{title}." == decision.recommendation.instruction
    assert opened.page.locator("#review-sensitivity").is_visible()


@pytest.mark.smoke
def test_the_answer_counts_what_is_reviewed(shared_page: Opening) -> None:
    opened = shared_page(reviewing())
    decision = decided({**QUESTION, **ASKED})
    own = decision.outcomes().to_dict()
    assert decision.recommendation.rule is not None
    assert list(decision.recommendation.rule.actions) == ["pass", "review", "flag"]
    found = counts(opened)
    assert len(found) == 6
    assert sum(found.values()) == pytest.approx(1000)
    assert found["reviewed positives"] == pytest.approx(own["review"]["positive"]["value"])
    assert found["reviewed negatives"] == pytest.approx(own["review"]["negative"]["value"])
    heads = opened.text("#confusion thead").split()
    assert heads[1::2] == ["Flagged", "Reviewed", "Passed"]
    assert re.search(r"It flags \S+ % and reviews \S+ % of all cases", opened.text("#hero"))
    hero = opened.text("#hero")
    assert "Reviewing everybody" in hero
    reviews = [one for one in decision.recommendation.beside if one.startswith("Review")]
    assert len(reviews) == 1
    assert reviews[0] in hero
    rows = {(row["model"], row["choice"]): row for row in rows_of_csv(opened, "#strategies-chart")}
    assert {"score_driven", "score_driven_without_review"} <= {choice for _, choice in rows}
    use = decision.recommendation
    assert rows[str(use.model), str(use.choice)]["rule"] == str(use.rule)
    assert (
        "(probabilities taken at face value, no review)"
        in opened.page.locator("#strategies").inner_text()
    )


def test_amounts_of_reviews_have_a_currency(fresh_page: Opening) -> None:
    opened = fresh_page(reviewing())
    opened.page.fill("#currency", "€")
    told = opened.text("#hero")
    assert re.search(r"Reviews .*€[\d.]+ .*€[\d.]+", told)
    assert "a review costs €0.3" in opened.text("#asked")


def test_that_no_review_is_worth_it_is_said(fresh_page: Opening) -> None:
    opened = unfolded(fresh_page())
    opened.page.fill("#review-cost", "50")
    opened.settle()
    assert "No review is worth it: it would have to cost less than" in opened.text("#hero")


def test_without_a_script_what_is_reviewed_is_there(open_page: Opening) -> None:
    record = record_of(ASKED)
    opened = open_page(html_of(record), java_script_enabled=False)
    own = decided({**QUESTION, **ASKED}).outcomes().reviewed_positives
    assert own is not None
    value, ends = estimate_shown(own.value, own.low, own.high)
    assert f"{value} reviewed positives ({ends})" in opened.text("#confusion")
    assert opened.text("#confusion thead").split() == ["Flagged", "Reviewed", "Passed"]
    told = opened.text("#strategies")
    assert "no review" in told
    assert "Review everybody" in told
    assert json.dumps(record["decision"]["recommendation"]["rule"]["cuts"][0]) in told


@pytest.mark.parametrize("width", [PHONE["width"], 820, 1280])
def test_it_fits_its_screen_with_a_review(open_page: Opening, width: int) -> None:
    opened = open_page(reviewing(), viewport={"width": width, "height": 844})
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    for table in ("#confusion .scroll", "#threshold-chart .scroll"):
        for place in opened.page.locator(table).all():
            assert place.evaluate("one => one.scrollWidth <= one.clientWidth")
