"""A third action on the page: what is asked of a review, what it says of one, and two handles."""

import json
import re
from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from opened_pages import PHONE, QUESTION, SCORES, Opened, Y, decided, html_of, record_of
from page_files import rows_of_csv

from costspace.decision.words import estimate_shown

Opening = Callable[..., Opened]
REVIEW = {"cost": [0.3, 0.3], "sensitivity": [0.9, 0.9], "specificity": [0.95, 0.95]}
ASKED = {"review": REVIEW}
TRIED = "#threshold-chart table.trying"
ALL = [1, 1]


def reviewing() -> str:
    return html_of(record_of(ASKED))


def unfolded(opened: Opened) -> Opened:
    opened.page.evaluate("document.querySelector('.rarer').open = true")
    return opened


def counts(opened: Opened) -> dict[str, float]:
    """What the confusion table counts, in full."""
    return {
        cell.locator(".kind").inner_text(): float(
            cell.locator("data").first.get_attribute("value") or "nan"
        )
        for cell in opened.page.locator("#confusion td").all()
    }


class Pairs:
    """What two thresholds on a model do and cost, counted case by case."""

    def __init__(self, question: Mapping[str, Any], model: str) -> None:
        known = decided({**QUESTION, **question}).conditions
        review = known.review
        assert review is not None
        table = review.table(
            **{name: getattr(known, name).mean for name in QUESTION if name.endswith("cost")}
        )
        self.costs = np.asarray(table.costs)
        self.p = known.mean_prevalence
        self.s = SCORES[model]

    def shares(self, low: float, high: float) -> np.ndarray:
        """By class and action, the share of all cases."""
        action = (self.s > low).astype(int) + (self.s > high)
        rows = [
            share * np.bincount(action[own], minlength=3) / own.sum()
            for share, own in ((1 - self.p, Y == 0), (self.p, Y == 1))
        ]
        return np.array(rows)

    def money(self, low: float, high: float) -> float:
        return float(1000 * np.sum(self.shares(low, high) * self.costs))

    def least(self, allowed: Callable[[np.ndarray], bool] = lambda _: True) -> float:
        """That of the best pair, of those whose shares are allowed."""
        cuts = [-np.inf, *np.unique(self.s)]
        pairs = combinations_with_replacement(cuts, 2)
        return min(self.money(*pair) for pair in pairs if allowed(self.shares(*pair)))


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
    opened = unfolded(fresh_page()).ask({**ASKED, "limits": {"review_capacity": 0.1}})
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
    assert "(score-driven, no review)" in opened.page.locator("#strategies").inner_text()


def test_amounts_of_reviews_have_a_currency(fresh_page: Opening) -> None:
    opened = fresh_page(reviewing())
    opened.page.fill("#currency", "€")
    told = opened.text("#hero")
    assert re.search(r"Reviews .*€[\d.]+ .*€[\d.]+", told)
    assert "a review costs €0.3" in opened.text("#asked")


def test_handles_are_those_of_the_rule_and_what_they_do_is_counted(fresh_page: Opening) -> None:
    opened = fresh_page(reviewing())
    use = decided({**QUESTION, **ASKED}).recommendation
    assert use.rule is not None
    assert use.money is not None
    page, pairs = opened.page, Pairs(ASKED, str(use.model))
    knobs = [page.get_by_role("slider", name=f"Threshold of {a}") for a in ("review", "flagging")]
    moved = use.money - pairs.money(*use.rule.cuts)
    for knob, key in zip(knobs, ("PageDown", "PageUp"), strict=True):
        knob.focus()
        page.keyboard.press(key)
    rule = page.locator(f"{TRIED} thead th").nth(1).inner_text()
    flag, review = (float(cut) for cut in re.findall(r"above ([\d.]+)", rule))
    assert review < use.rule.cuts[0] < use.rule.cuts[1] < flag
    shares = 1000 * pairs.shares(review, flag)
    first = page.locator(f"{TRIED} tbody td:nth-of-type(1) data").all()
    found = [float(one.get_attribute("value") or "nan") for one in first]
    (tn, looked, fp), (fn, positive, tp) = shares
    counted = [fp + tp, tp, fn, fp, looked + positive, positive]
    assert found[:-1] == pytest.approx(counted, abs=1e-9)
    assert found[-1] == pytest.approx(pairs.money(review, flag) + moved, rel=1e-9)
    assert counts(opened) == pytest.approx(
        {
            "true positives": tp,
            "reviewed positives": positive,
            "false negatives": fn,
            "false positives": fp,
            "reviewed negatives": looked,
            "true negatives": tn,
        }
    )
    texts = page.locator(f"{TRIED} tbody td:nth-of-type(1)").all_inner_texts()
    assert f"reviews {texts[4]}" in (knobs[0].get_attribute("aria-valuetext") or "")
    page.get_by_role("button", name="Back to the recommended", exact=True).click()
    assert opened.text("#h-confusion") == "Of 1,000 cases"


def test_a_handle_pushes_the_other_along(fresh_page: Opening) -> None:
    opened = fresh_page(reviewing())
    page = opened.page
    review, flagging = page.locator("#threshold-chart .knob").all()

    def now() -> list[float]:
        return [float(one.get_attribute("aria-valuenow") or "nan") for one in (review, flagging)]

    start = now()
    review.focus()
    page.keyboard.press("End")
    assert now() == [1000, 1000]
    assert "flags 0 of 1,000, reviews 0" in (review.get_attribute("aria-valuetext") or "")
    # Beside two in one place a press moves the one on its side.
    area = page.locator("#threshold-chart .chart")
    axis, box = area.locator(".axis .domain").first.bounding_box(), area.bounding_box()
    assert axis is not None
    assert box is not None
    at = {"x": axis["x"] - box["x"] + 0.4 * axis["width"], "y": axis["y"] - box["y"] - 20}
    area.click(position=at)
    assert now() == [pytest.approx(400, abs=5), 1000]
    flagging.focus()
    page.keyboard.press("Home")
    assert now() == [0, 0]
    page.get_by_role("button", name="Back to the recommended", exact=True).click()
    assert now() == start


def test_handles_are_dragged(fresh_page: Opening) -> None:
    opened = fresh_page(reviewing())
    page = opened.page
    for knob, by in zip(page.locator("#threshold-chart .knob").all(), (-30, 60), strict=True):
        knob.scroll_into_view_if_needed()
        box = knob.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2 + by, box["y"], steps=3)
        page.mouse.up()
        moved = knob.bounding_box()
        assert moved is not None
        assert moved["x"] - box["x"] == pytest.approx(by, abs=1.5)


LIMITED: dict[str, tuple[dict[str, float], Callable[[np.ndarray], bool]]] = {
    "no limit": ({}, lambda shares: True),
    "reviews": ({"review_capacity": 0.1}, lambda s: s[:, 1].sum() <= 0.1 + 1e-12),
    "flagged and reviews": (
        {"capacity": 0.05, "review_capacity": 0.2},
        lambda s: s[:, 2].sum() <= 0.05 + 1e-12 and s[:, 1].sum() <= 0.2 + 1e-12,
    ),
    "recall": ({"min_recall": 0.8}, lambda s: s[1, 2] >= (0.8 - 1e-12) * s[1].sum()),
}


@pytest.mark.parametrize("name", LIMITED)
def test_lines_are_the_money_of_the_best_pair_with_each_threshold(
    fresh_page: Opening, name: str
) -> None:
    limits, allowed = LIMITED[name]
    opened = fresh_page(reviewing()).ask({**ASKED, "limits": limits})
    note = opened.page.locator("#threshold-chart .hint").first.inner_text()
    for model in SCORES:
        pairs = Pairs(ASKED, model)
        rows = [row for row in rows_of_csv(opened, "#threshold-chart") if row["model"] == model]
        for row in rows[1:-1:7]:
            ends = [
                {"flags everybody": -np.inf, "flags nobody": np.inf}.get(row[one])
                or float(row[one])
                for one in ("review_above", "flag_above")
            ]
            assert float(row["threshold"]) in ends
            assert float(row["cost_per_1000"]) == pytest.approx(pairs.money(*ends), rel=1e-9)
        least = pairs.least(allowed)
        assert any(float(row["cost_per_1000"]) == pytest.approx(least, rel=1e-9) for row in rows)
        told = re.search(rf"{model} ([\d.,]+) at", note)
        assert told is not None
        assert float(told[1].replace(",", "")) == pytest.approx(least, rel=5e-3)


def test_one_handle_is_left_without_a_review(fresh_page: Opening) -> None:
    opened = unfolded(fresh_page(reviewing()))
    assert opened.page.locator("#threshold-chart .knob").count() == 2
    # A review that never pays is none.
    for cost in ("50", ""):
        opened.page.fill("#review-cost", cost)
        opened.settle()
        assert opened.page.get_by_role("slider", name="Threshold", exact=True).count() == 1
        assert opened.page.locator("#threshold-chart .knob").count() == 1
        assert len(counts(opened)) == 4


def test_no_review_pays_is_said(fresh_page: Opening) -> None:
    opened = unfolded(fresh_page())
    opened.page.fill("#review-cost", "50")
    opened.settle()
    assert "No review pays: it would have to cost less than" in opened.text("#hero")


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
