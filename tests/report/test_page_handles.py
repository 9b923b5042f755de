"""Two thresholds to drag, where cases may be reviewed: the library's numbers, wherever they are."""

import re
from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from opened_pages import QUESTION, SCORES, Opened, Y, decided
from page_files import rows_of_csv
from reviewing_pages import ASKED, counts, reviewing, unfolded

Opening = Callable[..., Opened]
TRIED = "#threshold-chart table.trying"


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
