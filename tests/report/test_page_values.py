"""Values of charts, where a pointer is, and by arrow keys."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from opened_pages import QUESTION, SCORES, Opened, Y, decided, html_of, record_of

import costspace as cs

Opening = Callable[..., Opened]
READ = ".value:not([hidden])"
POINT = {"fn_cost": [8.0, 8.0], "prevalence": [0.3, 0.3]}


def with_curves(opened: Opened) -> None:
    opened.page.click("#why > summary")
    opened.page.wait_for_selector("#calibration svg.chart text")


def pointed_at(opened: Opened, selector: str, path: str, share: float) -> str:
    """What is read where a part of a chart is: so far along a path of it."""
    opened.page.locator(selector).first.scroll_into_view_if_needed()
    x, y = opened.page.evaluate(
        """([selector, path, share]) => {
            const one = document.querySelector(`${selector} ${path}`);
            const at = one.getPointAtLength(share * one.getTotalLength());
            const to = new DOMPoint(at.x, at.y).matrixTransform(one.getScreenCTM());
            return [to.x, to.y];
        }""",
        [selector, path, share],
    )
    opened.page.mouse.move(x, y)
    return opened.text(READ)


@pytest.mark.parametrize("share", [0.05, 0.2, 0.3])
def test_a_line_of_money_is_read_with_its_threshold(open_page: Opening, share: float) -> None:
    opened = open_page(html_of(record_of(POINT)), after="#currency=EUR")
    said = pointed_at(opened, ".threshold svg", ".curve.m0", share)
    found = re.fullmatch(r"(\w+), above ([\d.]+): ([\d,.]+) EUR", said)
    assert found is not None
    name, at, money = found[1], float(found[2]), float(found[3].replace(",", ""))
    flagged = SCORES[name] > at
    known = cs.Deployment(fp_cost=1, fn_cost=8, prevalence=0.3)
    exact = known.money_at(flagged[Y == 0].mean(), 1 - flagged[Y == 1].mean())
    assert money == pytest.approx(float(np.asarray(exact)), rel=0.006)


def test_bars_of_scores_are_read(shared_page: Opening) -> None:
    opened = shared_page()
    box = opened.page.locator(".threshold .tally.negatives").nth(8).bounding_box()
    opened.page.locator(".threshold svg").scroll_into_view_if_needed()
    box = opened.page.locator(".threshold .tally.negatives").nth(8).bounding_box()
    assert box is not None
    opened.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert re.fullmatch(
        r"Scores [\d.]+ to [\d.]+: [\d.]+ positives, [\d.]+ negatives of 1,000", opened.text(READ)
    )


def test_lines_of_cost_space_and_curves_are_read(shared_page: Opening) -> None:
    opened = shared_page(prepare=with_curves)
    said = pointed_at(opened, ".cost-space svg", ".chosen-line", 0.5)
    assert re.match(r"[\w ]+: [\d,.]+, a miss costs [\d.]+ times a false alarm$", said)
    said = pointed_at(opened, ".roc-space svg", ".curve.m0", 0.4)
    assert re.match(r"\w+, threshold [\d.]+: finds [\d.]+ % of the positives, flags ", said)


def test_points_are_read_by_arrow_keys(shared_page: Opening) -> None:
    opened = shared_page(prepare=with_curves)
    decision = decided(QUESTION)
    cheapest = min(one.money for one in decision.strategies if one.strategy.model is not None)
    opened.page.focus(".strategies svg")
    opened.page.keyboard.press("ArrowDown")
    said = opened.text(READ)
    assert f": {round(cheapest)} (" in said
    assert said.endswith("recommended")
    assert opened.text("#said") == said
    opened.page.focus(".calibration svg.chart >> nth=0")
    opened.page.keyboard.press("ArrowRight")
    said = opened.text(f".calibration {READ}")
    assert re.match(r"[\d.]+ % of cases score near [\d.]+: of them [\d.]+ % \(", said)
    opened.page.keyboard.press("Escape")
    assert opened.page.locator(f".calibration {READ}").count() == 0


def test_nothing_is_read_beyond_a_chart(shared_page: Opening) -> None:
    opened = shared_page()
    pointed_at(opened, ".threshold svg", ".curve.m0", 0.5)
    opened.page.mouse.move(2, 2)
    assert opened.page.locator(READ).count() == 0
