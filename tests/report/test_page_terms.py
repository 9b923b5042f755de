"""Terms explained where they stand, as the docs' glossary explains them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from opened_pages import PHONE, SCORES, WIDE, Opened, html_of, record_of

if TYPE_CHECKING:
    from playwright.sync_api import Locator

Opening = Callable[..., Opened]
GLOSSARY = Path(__file__).parents[2] / "docs/concepts/words.md"
# What a manager may ask of each panel.
EXPECTED = {
    "#hero": {"false positives", "held-out", "95 % interval", "positive"},
    "#counts": {"Positive", "false negatives", "held-out"},
    "#inputs": {"false positive", "Prevalence"},
    "#money": {"threshold", "held-out", "95 % interval"},
    "#strategies": {"strategy", "held-out", "cross-validation folds", "Not told apart"},
    "#cost": {"Cost space", "stake", "expected cost"},
    "#roc": {"ROC space"},
}
METRICS = {
    *("AUC", "convex hull", "Brier score", "Mean absolute error", "classes balanced"),
    *("Miscalibration", "Refinement loss", "H-measure", "VOROS", "Expected loss"),
    *("optimal", "rate-driven", "Probabilities taken at face value", "score-uniform"),
}


def glossary() -> dict[str, str]:
    """By the first of its words, the first sentence of each term, without its markup."""
    found = {}
    for terms, said in re.findall(r"^(\S.*)\n: ((?:.+\n)+)", GLOSSARY.read_text(), re.MULTILINE):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", said).replace("**", "").replace("*", "")
        sentence = re.split(r"(?<=\.) ", " ".join(plain.split()))[0]
        found[re.sub(r"\W+", "_", terms.split(",")[0].lower())] = sentence
    return found


def with_curves(opened: Opened) -> None:
    opened.page.click("#why > summary")
    opened.page.wait_for_selector("#calibration svg.chart text")
    opened.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")


def terms_in(opened: Opened, panel: str) -> list[str]:
    texts = opened.page.locator(f"{panel} .term").all_text_contents()
    return [" ".join(text.split()) for text in texts]


def explanation(opened: Opened) -> "Locator":
    return opened.page.locator(".tip:not([hidden])")


def test_each_is_explained_by_the_same_sentence_as_in_the_docs(shared_page: Opening) -> None:
    opened = shared_page(prepare=with_curves)
    known = glossary()
    said = opened.page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.tip')].map((one) => "
        "[one.id.replace(/^term-/, ''), one.textContent]))"
    )
    assert len(said) > 20
    assert said == {name: known[name] for name in said}


def test_what_a_manager_may_not_know_is_explained_in_each_panel(shared_page: Opening) -> None:
    opened = shared_page(prepare=with_curves)
    for panel, terms in EXPECTED.items():
        assert terms <= set(terms_in(opened, panel)), panel
    assert set(terms_in(opened, "section:has(> #metrics)")) >= METRICS


def test_each_is_marked_once_a_panel(shared_page: Opening) -> None:
    opened = shared_page(prepare=with_curves)
    opened.page.fill("#fn-cost", "7 to 30")
    opened.settle()
    panels = "#hero, #counts, #inputs, #money, #strategies, #cost, #roc, #why section, details"
    marked = opened.page.evaluate(
        """(panels) => [...document.querySelectorAll(".term")].map((term) => [
            [...document.querySelectorAll(panels)].indexOf(term.closest(panels)),
            term.getAttribute("aria-describedby"),
        ].join())""",
        panels,
    )
    assert len(marked) > 30
    assert len(set(marked)) == len(marked)


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_by_keyboard_one_stays_in_the_window_and_moves_nothing(
    fresh_page: Opening, viewport: dict[str, int]
) -> None:
    opened = fresh_page(prepare=with_curves, viewport=viewport)
    page = opened.page
    # What comes after the answer makes the page longer.
    page.wait_for_selector("#knowing:not(:empty)")
    page.wait_for_selector("#staying:not(:empty)")
    size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    for term in page.locator(".term:visible").all()[::3]:
        term.focus()
        box = explanation(opened).bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= viewport["width"]
        assert term.get_attribute("aria-describedby") == explanation(opened).get_attribute("id")
        shown = page.evaluate(size), term.bounding_box()
        page.keyboard.press("Escape")
        assert explanation(opened).count() == 0
        assert (page.evaluate(size), term.bounding_box()) == shown


def test_a_pointer_may_go_over_to_it(fresh_page: Opening) -> None:
    opened = fresh_page()
    opened.page.hover("#strategies .term >> nth=0")
    assert "a way to choose the threshold" in explanation(opened).inner_text()
    explanation(opened).hover()
    opened.page.wait_for_timeout(300)
    assert explanation(opened).count() == 1
    opened.page.mouse.move(5, 5)
    explanation(opened).wait_for(state="detached")


def test_a_tap_shows_it_and_the_next_hides_it(open_page: Opening) -> None:
    opened = open_page(viewport=PHONE, has_touch=True)
    term = opened.page.locator("#inputs label .term").first
    term.tap()
    assert "(a false alarm)" in explanation(opened).inner_text()
    # The tap was for the term, not for the field of its label.
    assert opened.page.evaluate("document.activeElement.className") == "term"
    term.tap()
    assert explanation(opened).count() == 0


def test_names_of_models_are_no_terms(open_page: Opening) -> None:
    named = dict(zip(["threshold", "AUC", "hull"], SCORES.values(), strict=True))
    opened = open_page(html_of(record_of({}, named)))
    with_curves(opened)
    assert opened.page.locator("bdi .term, .named .term, svg .term").count() == 0


def test_a_saved_page_has_no_marks_that_need_its_script(shared_page: Opening) -> None:
    opened = shared_page()
    with opened.page.expect_download() as saving:
        opened.page.click("#save")
    text = saving.value.path().read_text(encoding="utf-8")
    assert opened.page.locator(".term").count() > 0
    assert '<dfn class="term"' not in text
    assert 'role="tooltip"' not in text
