"""What the first two printed sheets of a page say to those who check a rule."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from opened_pages import QUESTION, SCORES, Opened, Y, decided
from refusals import refused

from costspace import ConditionError
from costspace.frames.fingerprint import Fingerprint
from costspace.report import to_html, to_sheet
from costspace.report.gathering import contents, contents_of
from costspace.report.record import ReportContents
from costspace.samples.rows import ScoredRows

Opening = Callable[..., Opened]
LIMITS = {
    "capacity": 0.9,
    "min_precision": 0.1,
    "min_recall": 0.2,
    "min_npv": 0.1,
    "max_fpr": 0.95,
}
LONG = {f"{'a model of many words ' * 3}{name}": s for name, s in SCORES.items()}
ABOUT: dict[str, Any] = {
    "owner": "Owner & co " * 18,
    "purpose": "Whom to refer " * 14,
    "data": Fingerprint("june.csv", 1, "5" * 64, 4, "2026-01-01 to 2026-03-31"),
    "dated": date(2026, 3, 31),
}


def made(scores: Any = SCORES, limits: Any = LIMITS) -> ReportContents:
    return contents(Y, scores, decision=decided({**QUESTION, "limits": limits}, scores))


_AS_PRINTED = """addEventListener("beforeprint", () => {
    const parts = [...document.querySelectorAll("header, main")];
    window.printed = parts.map((one) => one.innerText).join(" ");
})"""


def paper(opened: Opened, *, script: bool = True) -> str:
    """The texts that are printed."""
    opened.page.emulate_media(media="print")
    if not script:
        return plain(f"{opened.text('header')} {opened.text('main')}")
    # After what the page itself does before it is printed.
    opened.page.evaluate(_AS_PRINTED)
    opened.page.pdf(format="A4")
    return plain(opened.page.evaluate("window.printed"))


def plain(text: str) -> str:
    return " ".join(text.split())


def pages(opened: Opened) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", opened.page.pdf(format="A4")))


@pytest.mark.smoke
@pytest.mark.parametrize("script", [True, False])
def test_the_first_two_sheets_are_enough(open_page: Opening, script: bool) -> None:
    found = made(LONG)
    opened = open_page(to_html(found, **ABOUT), java_script_enabled=script)
    # What comes before is all that they need.
    opened.page.evaluate("document.querySelector('#why').hidden = true")
    assert pages(opened) <= 2
    said = paper(opened, script=script)
    decision = found.decision
    assert decision is not None
    kept = decision.limits_kept()
    for part in (
        ABOUT["purpose"].strip(),
        f"Owner {ABOUT['owner'].strip()}",
        "Date 2026-03-31, costspace ",
        "Data june.csv, 400 rows, ",
        ", 4 columns",
        "Period 2026-01-01 to 2026-03-31",
        f"SHA-256 {'5' * 64}",
        decision.recommendation.instruction,
        *decision.assumptions,
        "true positives",
        *(f"{decision.constraints.sentence(one.name)}: {one.status} (reaches " for one in kept),
    ):
        assert part in said
    opened.page.emulate_media(media="screen")
    assert opened.page.locator("#facts").is_visible() == (not script)


def test_what_was_typed_is_printed_as_what_was_typed(fresh_page: Opening) -> None:
    opened = fresh_page(to_html(made(limits={}), **ABOUT))
    anew = "Asked on this page, after it was made."
    said = paper(opened)
    assert "For: a false positive costs 1; a false negative costs 5 to 20;" in said
    assert anew not in said
    opened.page.emulate_media(media="screen")
    opened.ask({"fn_cost": [2.0, 3.0], "limits": {"max_fpr": 0.2}})
    said = paper(opened)
    assert "a false negative costs 2 to 3;" in said
    assert "5 to 20" not in said
    assert f"false positive rate at most 20 %. {anew}" in said
    decision = decided({**QUESTION, "fn_cost": [2.0, 3.0], "limits": {"max_fpr": 0.2}})
    for part in (decision.recommendation.text, *decision.assumptions):
        assert plain(part) in said
    opened.page.emulate_media(media="screen")
    assert anew not in opened.text("#asked")
    assert opened.page.locator("#in-full details[open]").count() == 0


def test_limits_that_are_not_found_yet_are_said_to_be_so(fresh_page: Opening) -> None:
    opened = fresh_page()
    opened.page.evaluate(
        """new MutationObserver(() => {
            window.pending ||= document.querySelector("#confusion .on-paper")?.textContent;
        }).observe(document.querySelector("#confusion"), { childList: true })"""
    )
    opened.ask({"limits": {"min_recall": 0.6}})
    opened.page.locator("#confusion .rates", has_text="Limit, recall").wait_for()
    assert opened.page.evaluate("window.pending").startswith("How limits are kept had not been")
    assert opened.page.locator("#confusion .on-paper").count() == 0


def test_page_and_sheet_say_the_same_of_the_data_and_no_folder() -> None:
    rows = ScoredRows.from_predictions(Y, SCORES)
    decision = decided({**QUESTION, "limits": LIMITS})
    for path in ("/home/somebody/june.csv", "C:\\somebody\\june.csv"):
        found = contents_of(None, rows=rows, decision=decision, path=path)
        page, sheet = to_html(found, dated=ABOUT["dated"]), to_sheet(found, dated=ABOUT["dated"])
        facts = re.search("<dl[^>]*>(.*?)</dl>", page)
        assert facts is not None
        assert f"<dl>{facts[1]}</dl>" in sheet
        assert "june.csv, 400 rows, " in facts[1]
        assert "somebody" not in page + sheet


def test_words_too_long_for_paper_are_refused() -> None:
    with refused(ConditionError, "owner (--owner) must fit on paper, in 200 letters, and has 201"):
        to_html(made(), owner="x" * 201)
