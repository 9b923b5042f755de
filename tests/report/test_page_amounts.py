"""No amount on a page is shown as 0 unless it is: random costs, typed one after the other."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from amounts import ZERO
from opened_pages import Opened

# Costs are typed, and what the page says of money is read once it is answered.
ASKED = """async (questions) => {
    const fields = (names) => names.map((name) => document.getElementById(name));
    const [fp, fn, volume] = fields(["fp-cost", "fn-cost", "cases"]);
    const answer = document.getElementById("answer");
    // The axis of a chart begins at 0.
    const textsOf = (id) => {
        const found = [];
        const walker = document.createTreeWalker(document.getElementById(id), NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const { data, parentElement } = walker.currentNode;
            if (parentElement.closest(".tick-name, svg:not(.chart)") === null) found.push(data);
        }
        return found;
    };
    const said = [];
    for (const typed of questions) {
        [fp, fn, volume].forEach((field, k) => {
            field.value = typed[k];
            field.dispatchEvent(new Event("input", { bubbles: true }));
        });
        const asked = () => JSON.parse(answer.dataset.question);
        const busy = () => answer.getAttribute("aria-busy") !== "false";
        while (busy() || asked().fp_cost[0] !== Number(typed[0])) {
            await new Promise((done) => setTimeout(done, 1));
        }
        await new Promise(requestAnimationFrame);
        said.push(["hero", "strategies"].flatMap(textsOf));
    }
    return said;
}"""


def questions(block: int) -> Iterator[list[str]]:
    """What a false positive and a false negative cost, and how many cases a year there are."""
    rng = np.random.default_rng(block)
    for _ in range(50):
        fp_cost = 10 ** rng.uniform(-6, 9)
        low, high = fp_cost * 10 ** np.sort(rng.uniform(-1, 4, 2))
        fn_cost = f"{low:.3e}:{high:.3e}" if rng.random() < 0.4 else f"{low:.3e}"
        volume = "" if rng.random() < 0.5 else f"{10 ** rng.integers(2, 9)}"
        yield [f"{fp_cost:.3e}", fn_cost, volume]


@pytest.mark.parametrize("block", [pytest.param(0, marks=pytest.mark.smoke), *range(1, 20)])
def test_no_amount_of_money_is_shown_as_0(shared_page: Callable[..., Opened], block: int) -> None:
    opened = shared_page()
    asked = list(questions(block))
    found: Any = opened.page.evaluate(ASKED, asked)
    for typed, texts in zip(asked, found, strict=True):
        lines = [text for text in texts if ZERO.search(text)]
        assert not lines, (typed, lines)
