"""Names and numbers on charts: within their chart, and none over another."""

import re
from collections.abc import Callable, Mapping

import numpy as np
import pytest
from opened_pages import PHONE, SCORES, WIDE, Opened, Y, html_of, record_of

Opening = Callable[..., Opened]
RNG = np.random.default_rng(9)
TWELVE = {
    f"random_forest_noise_{k}": np.round(
        np.clip(SCORES["first"] + RNG.normal(0, 0.05 + 0.06 * k, len(Y)), 0, 1), 3
    )
    for k in range(12)
}
LONG = {f"a_model_with_a_name_that_is_long_{name}": s for name, s in SCORES.items()}
ASKED = {"fp_cost": [6e6, 6e6], "fn_cost": [1e8, 1e8]}

_MISPLACED = """() => [...document.querySelectorAll("svg.chart")].flatMap((svg) => {
    const around = svg.getBoundingClientRect();
    const named = [...svg.querySelectorAll("text")]
        .filter((one) => one.textContent !== "")
        .map((one) => [one.textContent, one.getBoundingClientRect()]);
    const beyond = ([, box]) => box.left < around.left - 2 || box.right > around.right + 2 ||
        box.top < around.top - 2 || box.bottom > around.bottom + 2;
    const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 ||
        a.bottom <= b.top + 4 || b.bottom <= a.top + 4;
    const over = named.flatMap(([text, box], k) => named.slice(k + 1)
        .filter(([, other]) => !apart(box, other))
        .map(([other]) => `${text} over ${other}`));
    return [...named.filter(beyond).map(([text]) => `${text} outside`), ...over];
})"""


# Names of models that the line of one in colour goes through, in the chart of costs.
_CROSSED = """() => {
    const svg = document.querySelector(".threshold svg.chart");
    const points = [...svg.querySelectorAll("path.curve:not(.others)")].flatMap((path) => {
        const [all, to] = [path.getTotalLength(), path.getScreenCTM()];
        return Array.from({ length: Math.ceil(all) }, (_, k) => {
            const { x, y } = path.getPointAtLength(k);
            return [x * to.a + to.e, y * to.d + to.f];
        });
    });
    return [...svg.querySelectorAll(".line-name")].filter((name) => {
        const box = name.getBoundingClientRect();
        return points.some(([x, y]) =>
            x > box.left + 1 && x < box.right - 1 && y > box.top + 4 && y < box.bottom - 4);
    }).map((name) => name.textContent);
}"""


@pytest.mark.parametrize("scores", [SCORES, LONG], ids=["three", "long"])
def test_no_line_goes_through_the_name_of_a_model(
    open_page: Opening, scores: Mapping[str, np.ndarray]
) -> None:
    opened = open_page(html_of(record_of(ASKED, scores)))
    assert opened.page.evaluate(_CROSSED) == []


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scores", [SCORES, TWELVE, LONG], ids=["three", "twelve", "long"])
def test_no_label_is_outside_its_chart_or_over_another(
    open_page: Opening, scores: Mapping[str, np.ndarray], viewport: Mapping[str, int]
) -> None:
    use = {"model": next(iter(scores)), "threshold": 0.5}
    record = record_of({**ASKED, "baseline": use}, scores)
    opened = open_page(html_of(record), after="#currency=EUR&cases=1000", viewport=viewport)
    opened.page.click("#why > summary")
    opened.page.wait_for_selector("#calibration svg.chart text")
    assert opened.page.evaluate(_MISPLACED) == []
    # With everything that is folded away, and the other views of charts.
    opened.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    for button in opened.page.locator("#strategies-chart > button:visible").all():
        button.click()
    for name, view in (("Bars", "class"), ("Axis", "cost"), ("Show", "all"), ("Axis", "skew")):
        pick = opened.page.locator(".pick", has_text=re.compile(f"^{name} (?!a )"))
        pick.locator("select").select_option(view)
    assert opened.page.locator("svg.chart").count() == 4 + len(scores)
    assert opened.page.evaluate(_MISPLACED) == []


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_three_actions_and_limits_have_room_for_their_labels(
    open_page: Opening, viewport: Mapping[str, int]
) -> None:
    review = {"cost": [0.5, 0.5], "sensitivity": [0.9, 0.9], "specificity": [1, 1]}
    asked = {"fn_cost": [30, 30], "review": review, "limits": {"min_recall": 0.5}}
    opened = open_page(html_of(record_of(asked)), viewport=viewport)
    opened.page.click("#why > summary")
    opened.page.wait_for_selector("#calibration svg.chart text")
    assert opened.page.evaluate(_MISPLACED) == []
