"""Names and numbers on charts: within their chart, and none over another."""

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
