"""What is typed into the page or set on it, and the question that makes."""

from collections.abc import Callable
from typing import Any

import pytest
from opened_pages import QUESTION, SCORES, Opened, Y, html_of, record_of

import costspace as cs
from costspace.report.gathering import contents_of
from costspace.report.page import to_html

Opening = Callable[..., Opened]


@pytest.mark.parametrize(
    ("field", "typed", "name", "ends"),
    [
        ("fp-cost", "2.5", "fp_cost", [2.5, 2.5]),
        ("fp-cost", "1,5", "fp_cost", [1.5, 1.5]),
        ("fp-cost", "1 000", "fp_cost", [1000, 1000]),
        ("fp-cost", "1\u202f000", "fp_cost", [1000, 1000]),
        ("fp-cost", "1'000", "fp_cost", [1000, 1000]),
        ("fp-cost", "1,234,567", "fp_cost", [1234567, 1234567]),
        ("fp-cost", "1,234.5", "fp_cost", [1234.5, 1234.5]),
        ("fp-cost", "1.234,5", "fp_cost", [1234.5, 1234.5]),
        ("fp-cost", "\u20ac 20", "fp_cost", [20, 20]),
        ("fp-cost", "50 EUR", "fp_cost", [50, 50]),
        ("fp-cost", "USD 50", "fp_cost", [50, 50]),
        ("fp-cost", "5k", "fp_cost", [5000, 5000]),
        ("fp-cost", "1.1k", "fp_cost", [1100, 1100]),
        ("fp-cost", "1,5 k\u20ac", "fp_cost", [1500, 1500]),
        ("fp-cost", "EUR 2.5K", "fp_cost", [2500, 2500]),
        ("fn-cost", "1.5 m", "fn_cost", [1.5e6, 1.5e6]),
        ("fn-cost", "2 million EUR", "fn_cost", [2e6, 2e6]),
        ("fn-cost", "0.2 bn", "fn_cost", [2e8, 2e8]),
        ("fn-cost", "10;100", "fn_cost", [10, 100]),
        ("fn-cost", "50 EUR to 100 EUR", "fn_cost", [50, 100]),
        ("fn-cost", "5k-10k", "fn_cost", [5000, 10000]),
        ("fn-cost", "5k to 1m", "fn_cost", [5000, 1e6]),
        ("fp-cost", "1e-3", "fp_cost", [0.001, 0.001]),
        ("fp-cost", ".5", "fp_cost", [0.5, 0.5]),
        ("fn-cost", "1:50", "fn_cost", [1, 50]),
        ("fn-cost", " 10 to 20 ", "fn_cost", [10, 20]),
        ("fn-cost", "10-20", "fn_cost", [10, 20]),
        ("fn-cost", "10 \u2013 20", "fn_cost", [10, 20]),
        ("fn-cost", "1e-1-2e1", "fn_cost", [0.1, 20]),
        ("fn-cost", "7,5 to 8,5", "fn_cost", [7.5, 8.5]),
        ("fn-cost", "10 .. 20", "fn_cost", [10, 20]),
        ("prevalence", "5 %", "prevalence", [0.05, 0.05]),
        ("prevalence", "5%:30%", "prevalence", [0.05, 0.3]),
        ("prevalence", "5 - 30 %", "prevalence", [0.05, 0.3]),
        ("prevalence", "0.5 %", "prevalence", [0.005, 0.005]),
        ("prevalence", "0,25", "prevalence", [0.25, 0.25]),
        ("prevalence", "1/20", "prevalence", [0.05, 0.05]),
        ("prevalence", "1 in 8", "prevalence", [0.125, 0.125]),
        ("tp-cost", "-2", "tp_cost", [-2, -2]),
        ("tp-cost", "1:3", "tp_cost", [1, 3]),
        ("tn-cost", "0.5", "tn_cost", [0.5, 0.5]),
        ("tn-cost", "\u22120.5", "tn_cost", [-0.5, -0.5]),
        ("capacity", "10 %", "limits", {"capacity": 0.1}),
        ("min-precision", "0.6", "limits", {"min_precision": 0.6}),
        ("min-recall", "60%", "limits", {"min_recall": 0.6}),
        ("min-npv", "95 %", "limits", {"min_npv": 0.95}),
        ("max-fpr", "0", "limits", {"max_fpr": 0}),
        ("batch", "1,200", "batch", 1200),
    ],
)
def test_what_is_typed_is_asked(
    shared_page: Opening, field: str, typed: str, name: str, ends: Any
) -> None:
    opened = begun(shared_page())
    opened.page.fill(f"#{field}", typed)
    found = opened.changed()
    assert found == {} if QUESTION[name] == ends else found == {name: ends}
    assert opened.text(f"#{field}-error") == ""
    assert opened.page.get_attribute(f"#{field}", "aria-invalid") is None


def test_an_amount_in_another_currency_is_refused(shared_page: Opening) -> None:
    opened = begun(shared_page())
    opened.page.fill("#currency", "EUR")
    opened.page.fill("#fp-cost", "50 USD")
    said = "\u201c50 USD\u201d is in USD, and amounts here are in EUR: type the amount in that."
    assert said in opened.text("#fp-cost-error")
    for typed in ("50 EUR", "50 eur", "\u20ac50", "50"):
        opened.page.fill("#fp-cost", typed)
        assert opened.changed()["fp_cost"] == [50, 50]
        assert opened.text("#fp-cost-error") == ""
    opened.page.fill("#cases", "20k")
    assert "of 20,000 cases" in opened.text("#hero")


def test_a_capacity_is_a_number_of_cases_of_a_batch(shared_page: Opening) -> None:
    opened = begun(shared_page())
    # Before the batch is known it cannot be read.
    opened.page.fill("#capacity", "3")
    assert "for 3 % type 3% or 0.03." in opened.text("#capacity-error")
    opened.page.fill("#batch", "20")
    assert opened.changed() == {"limits": {"capacity": 0.15}, "batch": 20}
    assert opened.text("#capacity-error") == ""
    for typed, said in (
        ("21", "is more cases than a batch has, 20."),
        ("1", "may be one case or all of them: type 1/20 or 100%."),
        ("2.5", "is more than all cases: for 2.5 % type 2.5%"),
    ):
        opened.page.fill("#capacity", typed)
        assert said in opened.text("#capacity-error")
    for typed, share in (("2", 0.1), ("1/20", 0.05), ("0.3", 0.3), ("3", 0.15)):
        opened.page.fill("#capacity", typed)
        assert opened.changed()["limits"] == {"capacity": share}
    # In other batches it stays the share that it was.
    opened.page.fill("#batch", "40")
    assert opened.changed() == {"limits": {"capacity": 0.15}, "batch": 40}
    assert opened.page.input_value("#capacity") == "15\u00a0%"


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("fp-cost", "", "Type a cost, such as 5, or a range, such as 5:50."),
        ("fp-cost", "abc", "\u201cabc\u201d is not a number: type a cost"),
        ("fp-cost", "1 kg", "\u201c1 kg\u201d is not a number"),
        ("fp-cost", "5 MIO", "\u201c5 MIO\u201d is not a number"),
        ("fp-cost", "1,500k", "\u201c1,500k\u201d may be 1500000 or 1500: type one of these."),
        ("fn-cost", "5-10k", "may begin at 5 or 5 k: type 5 k:10k, or both in full."),
        ("prevalence", "5k", "\u201c5k\u201d is not a number"),
        ("prevalence", "5 EUR", "\u201c5 EUR\u201d is not a number"),
        ("fp-cost", "0x10", "is not a number"),
        ("fp-cost", "1e999", "is not a number"),
        ("fp-cost", "-1", "\u201c-1\u201d is not a cost above 0"),
        ("fp-cost", "0", "is not a cost above 0"),
        ("fp-cost", "1e60", "is not a cost above 0"),
        ("fp-cost", "5 %", "\u201c5 %\u201d is a share, and this is not: type a cost"),
        ("fp-cost", "1,500", "\u201c1,500\u201d may be 1500 or 1.5: type one of these."),
        ("fn-cost", "3.000:12.000", "\u201c3.000\u201d may be 3000 or 3: type one of these."),
        ("fn-cost", "50:5", "The first number is above the second: type 5:50."),
        ("fn-cost", "5:x", "\u201cx\u201d is not a number"),
        ("fn-cost", "1:2:3", "is not a number"),
        ("prevalence", "5", "is more than all cases: for 5 % type 5% or 0.05."),
        ("prevalence", "0", "is not a share between 0 and 100 %"),
        ("prevalence", "100 %", "is not a share between 0 and 100 %"),
        ("prevalence", "30%:5%", "The first number is above the second: type 5%:30%."),
        ("capacity", "120 %", "is not a share from 0 to 100 %"),
        ("capacity", "10", "for 10 % type 10% or 0.1."),
        ("batch", "2.5", "is not a whole number of cases"),
        ("batch", "0", "is not a whole number of cases"),
        ("cases", "-3", "is not a number of cases"),
        ("cases", "many", "is not a number"),
        ("tp-cost", "much", "is not a number"),
    ],
)
def test_what_is_refused_is_explained_and_the_answer_stays(
    shared_page: Opening, field: str, typed: str, said: str
) -> None:
    opened = begun(shared_page())
    before = opened.text("#instruction")
    opened.page.fill(f"#{field}", typed)
    assert said in opened.text(f"#{field}-error")
    assert opened.page.get_attribute(f"#{field}", "aria-invalid") == "true"
    assert opened.changed() == {}
    assert opened.text("#instruction") == before
    told = opened.text("#asked")
    assert told.startswith(
        "The answer shown is for: a false positive costs 1; a false negative costs 5"
    )
    opened.page.click("#reset")
    assert opened.text(f"#{field}-error") == ""
    assert opened.text("#asked").startswith("For: ")


def test_a_field_that_is_fine_leaves_others_wrong(shared_page: Opening) -> None:
    opened = begun(shared_page())
    opened.page.fill("#fp-cost", "x")
    opened.page.fill("#fn-cost", "7")
    assert opened.changed() == {"fn_cost": [7, 7]}
    assert "answer shown is for: a false positive costs 1; a false negative costs 7;" in (
        opened.text("#asked")
    )
    opened.page.fill("#fp-cost", "2")
    assert opened.changed() == {"fp_cost": [2, 2], "fn_cost": [7, 7]}
    assert opened.text("#asked").startswith(
        "For: a false positive costs 2; a false negative costs 7;"
    )


def test_what_is_typed_stays_as_it_is(shared_page: Opening) -> None:
    page = begun(shared_page()).page
    page.fill("#prevalence", "0,125")
    page.fill("#fn-cost", "1:50")
    page.locator("#fn-cost").blur()
    assert page.input_value("#prevalence") == "0,125"
    assert page.input_value("#fn-cost") == "1:50"


def test_what_is_not_shown_of_a_number_is_kept(open_page: Opening) -> None:
    share = 0.12345678901
    opened = open_page(html_of(record_of({"prevalence": [share, share]})))
    assert opened.page.input_value("#prevalence").replace("\u00a0", " ") == "12.3 %"
    opened.page.fill("#prevalence", "10 %")
    opened.page.click("#reset")
    opened.page.fill("#prevalence", "12.3\u00a0%")
    assert opened.question()["prevalence"] == [share, share]


def begun(opened: Opened) -> Opened:
    """A page with the question that it opened with, and all its fields in sight."""
    opened.page.click("#reset")
    opened.settle()
    unfold(opened)
    return opened


def unfold(opened: Opened) -> None:
    opened.page.evaluate("document.querySelector('.rarer').open = true")


def thumbs(opened: Opened, field: str) -> Any:
    return opened.page.locator(f".field:has(#{field}) .slider input")


def test_thumbs_set_costs_on_a_logarithmic_scale(shared_page: Opening) -> None:
    opened = begun(shared_page())
    thumb = thumbs(opened, "fp-cost").first
    assert thumb.get_attribute("aria-label") == "A false positive costs"
    thumb.fill("0")
    # A decade below the lowest cost, and one above the highest.
    assert opened.changed() == {"fp_cost": [0.1, 0.1]}
    assert opened.page.input_value("#fp-cost") == "0.1"
    assert thumb.get_attribute("aria-valuetext") == "0.1"
    thumb.fill("300")
    assert opened.changed() == {"fp_cost": [1000, 1000]}
    thumb.fill("150")
    assert opened.changed() == {"fp_cost": [10, 10]}


def test_thumbs_set_the_two_ends_of_a_range(shared_page: Opening) -> None:
    opened = begun(shared_page())
    low, high = thumbs(opened, "fn-cost").all()
    assert low.get_attribute("aria-label") == "A false negative costs, lowest"
    high.fill("300")
    assert opened.changed() == {"fn_cost": [5, 1000]}
    low.fill("150")
    assert opened.changed() == {"fn_cost": [10, 1000]}
    # What is moved pushes the other along.
    high.fill("75")
    assert opened.changed() == {"fn_cost": [1, 1]}
    low.fill("150")
    assert opened.changed() == {"fn_cost": [10, 10]}


def test_a_prevalence_is_estimated_until_one_is_given_and_when_it_is_taken_away(
    open_page: Opening,
) -> None:
    own = {"prevalence": [Y.mean(), Y.mean()], "estimated": True}
    decision = cs.decide(Y, SCORES, conditions=cs.Deployment(fp_cost=1, fn_cost=(5, 20)))
    opened = open_page(to_html(contents_of(None, decision=decision)))

    def asked() -> dict[str, Any]:
        question = opened.question()
        return {name: question[name] for name in own}

    assert asked() == own
    assert "exact" not in opened.text("#strategies")
    opened.page.fill("#prevalence", "25 %")
    assert asked() == {"prevalence": [0.25, 0.25], "estimated": False}
    assert opened.page.evaluate("location.hash") == "#prevalence=0.25"
    opened.page.fill("#prevalence", "")
    assert asked() == own
    assert opened.page.evaluate("location.hash") == ""
    again = open_page(html_of(record_of({"prevalence": [0.25, 0.25]})))
    again.page.fill("#prevalence", "")
    assert again.question()["estimated"]
    assert again.page.evaluate("location.hash") == "#prevalence="


def test_thumbs_set_the_prevalence_on_a_logit_scale(shared_page: Opening) -> None:
    opened = begun(shared_page())
    low, high = thumbs(opened, "prevalence").all()
    low.fill("0")
    high.fill("300")
    assert opened.changed() == {"prevalence": [0.001, 0.9]}
    assert opened.page.input_value("#prevalence").replace("\u00a0", " ") == "0.1 % to 90 %"
    # Half-way between the log-odds of both.
    low.fill("150")
    assert opened.changed() == {"prevalence": [0.087, 0.9]}


def test_thumbs_move_by_keyboard(shared_page: Opening) -> None:
    opened = begun(shared_page())
    thumbs(opened, "fp-cost").first.focus()
    for _ in range(40):
        opened.page.keyboard.press("ArrowRight")
    low, high = opened.question()["fp_cost"]
    assert low == high == pytest.approx(10 ** (40 / 300 * 4), rel=0.1)


def test_a_value_becomes_a_range_and_a_range_a_value(shared_page: Opening) -> None:
    opened = begun(shared_page())
    toggle = opened.page.get_by_role("button", name="A false positive costs: give a range")
    toggle.click()
    assert opened.changed() == {"fp_cost": [0.5, 2]}
    assert opened.page.input_value("#fp-cost") == "0.5 to 2"
    opened.page.get_by_role("button", name="A false negative costs: one value").click()
    assert opened.changed() == {"fp_cost": [0.5, 2], "fn_cost": [10, 10]}
    assert thumbs(opened, "fn-cost").last.is_hidden()


@pytest.mark.parametrize("name", ["costs", "prevalence"])
def test_what_is_known_at_each_decision_is_ticked(shared_page: Opening, name: str) -> None:
    opened = begun(shared_page())
    box = opened.page.get_by_label(f"the {name}")
    box.check()
    assert opened.changed() == {"known": [name]}
    verb = "are" if name == "costs" else "is"
    assert f"; {name} {verb} known at each decision." in opened.text("#asked")
    box.uncheck()
    assert opened.changed() == {}


def test_limits_come_and_go_together(shared_page: Opening) -> None:
    opened = begun(shared_page())
    opened.page.fill("#capacity", "10 %")
    opened.page.fill("#min-precision", "20 %")
    assert opened.changed() == {"limits": {"capacity": 0.1, "min_precision": 0.2}}
    assert "; flag at most 10 %; precision at least 20 %." in opened.text("#asked")
    opened.page.fill("#capacity", "")
    assert opened.changed() == {"limits": {"min_precision": 0.2}}


def test_gains_are_said(shared_page: Opening) -> None:
    opened = begun(shared_page())
    opened.page.fill("#tp-cost", "-3:-2")
    opened.page.fill("#tn-cost", "-0.5")
    assert opened.changed() == {"tp_cost": [-3, -2], "tn_cost": [-0.5, -0.5]}
    told = opened.text("#asked")
    assert "a true positive gains 2 to 3; a true negative gains 0.5." in told
    opened.page.fill("#tp-cost", "")
    assert opened.changed() == {"tn_cost": [-0.5, -0.5]}


def test_a_rule_in_use_is_a_model_and_its_threshold(shared_page: Opening) -> None:
    opened = begun(shared_page())
    assert opened.page.locator("#in-use-threshold").is_hidden()
    opened.page.select_option("#in-use-model", label="second")
    assert opened.changed() == {"baseline": {"model": "second", "threshold": 0.5}}
    opened.page.fill("#in-use-threshold", "0,35")
    assert opened.changed() == {"baseline": {"model": "second", "threshold": 0.35}}
    assert "; the rule in use flags second above 0.35." in opened.text("#asked")
    opened.page.select_option("#in-use-model", label="third")
    assert opened.changed() == {"baseline": {"model": "third", "threshold": 0.35}}
    opened.page.select_option("#in-use-model", label="none")
    assert opened.changed() == {}


def test_decisions_that_were_made_stay_the_rule_in_use(open_page: Opening) -> None:
    made = (SCORES["third"] > 0.4).astype(int)
    known = cs.Deployment(fp_cost=1, fn_cost=(5, 20), prevalence=(0.05, 0.2))
    scores = {name: SCORES[name] for name in ("first", "second")}
    decision = cs.decide(Y, scores, conditions=known, baseline=made)
    contents = contents_of(None, decision=decision)
    assert list(contents.models) == ["first", "second"]
    opened = open_page(to_html(contents))
    assert "2 models" in opened.text("header")
    assert "; the rule in use is column in use." in opened.text("#asked")
    unfold(opened)
    assert opened.page.locator("#in-use-model").count() == 0
    opened.page.fill("#fn-cost", "7")
    assert opened.question()["baseline"] == {"model": "in use", "threshold": None}
    other = cs.Deployment(fp_cost=1, fn_cost=7, prevalence=(0.05, 0.2))
    again = cs.decide(Y, scores, conditions=other, baseline=made)
    money = next(one.money for one in again.strategies if one.strategy.name == "baseline")
    tile = opened.page.locator(".stats > div", has_text="The rule in use").locator(".amount")
    assert float(str(tile.get_attribute("title"))) == pytest.approx(money)
    opened.page.goto("about:blank")
    opened.page.goto(f"{opened.path.as_uri()}#fn=9&in-use=0.5:first")
    opened.page.wait_for_selector("html.ready")
    assert opened.question()["baseline"] == {"model": "in use", "threshold": None}
    assert opened.question()["fn_cost"] == [9, 9]


@pytest.mark.smoke
def test_reset_puts_everything_back(fresh_page: Opening) -> None:
    opened = fresh_page()
    page = opened.page
    unfold(opened)
    fields = ("fp-cost", "fn-cost", "prevalence", "capacity", "tn-cost", "cases", "currency")
    before = [page.input_value(f"#{field}") for field in fields]
    for field, typed in zip(fields, ("2", "9", "x", "5 %", "1", "10000", "kr"), strict=True):
        page.fill(f"#{field}", typed)
    page.select_option("#in-use-model", label="first")
    page.check("#known-prevalence")
    page.click("#reset")
    assert opened.changed() == {}
    assert [page.input_value(f"#{field}") for field in fields] == before
    assert not page.is_checked("#known-prevalence")
    assert page.input_value("#in-use-model") == ""
    assert "a year" not in opened.text("#answer")


@pytest.mark.smoke
def test_a_page_opens_with_its_question_in_its_fields(open_page: Opening) -> None:
    changes = {
        "fp_cost": [2.0, 4.0],
        "tp_cost": [-3.0, -1.0],
        "known": ["prevalence"],
        "limits": {"max_fpr": 0.5},
        "baseline": {"model": "second", "threshold": 0.4},
    }
    opened = open_page(html_of(record_of(changes)))
    page = opened.page
    assert page.input_value("#fp-cost") == "2 to 4"
    assert page.input_value("#tp-cost") == "-3 to -1"
    assert page.input_value("#max-fpr").replace("\u00a0", " ") == "50 %"
    assert page.is_checked("#known-prevalence")
    assert page.input_value("#in-use-threshold") == "0.4"
    # What is not usual is unfolded.
    assert page.locator("#max-fpr").is_visible()


def test_without_costs_the_page_asks_for_one_number(open_page: Opening, unasked_html: str) -> None:
    opened = open_page(unasked_html)
    page = opened.page
    label = page.locator("label[for=missed]")
    assert label.inner_text() == "What does a false negative cost, in false positives?"
    assert not page.locator("#inputs").is_visible()
    assert not page.locator("#counts").is_visible()
    assert "Use " not in opened.text("main")
    page.click("#first button.primary")
    assert page.locator("#missed").evaluate("(field) => field === document.activeElement")
    page.fill("#missed", "none")
    page.keyboard.press("Enter")
    assert "is not a number" in opened.text("#missed-error")
    assert page.get_attribute("#answer", "data-question") == "null"
    page.fill("#missed", "5:50")
    page.keyboard.press("Enter")
    asked = opened.question()
    assert (asked["fp_cost"], asked["fn_cost"]) == ([1, 1], [5, 50])
    assert asked["prevalence"] == [pytest.approx(Y.mean())] * 2
    assert page.locator("#inputs").is_visible()


def test_the_number_asked_for_can_be_set_by_a_thumb(open_page: Opening, unasked_html: str) -> None:
    opened = open_page(unasked_html)
    thumb = thumbs(opened, "missed").first
    assert thumb.get_attribute("aria-valuetext") == "not given"
    thumb.fill("100")
    assert opened.page.input_value("#missed") == "10"
    opened.page.click("#first button.primary")
    assert opened.question()["fn_cost"] == [10, 10]


@pytest.mark.parametrize("asked", [True, False])
def test_a_page_that_cannot_answer_shows_what_was_asked_if_anything(
    open_page: Opening, asked: bool
) -> None:
    record = record_of({}, fixed="Not to be asked anew.")
    if not asked:
        record["question"] = None
    page = open_page(html_of(record)).page
    for what in ("#fp-cost", "#prevalence", ".known", ".rarer", "#money"):
        assert page.locator(what).first.is_visible() == asked, what
    for what in ("#cases", "#currency", "#confusion"):
        assert page.locator(what).is_visible()


def test_a_page_that_cannot_answer_says_why_and_disables_its_inputs(open_page: Opening) -> None:
    why = "The costs of this file differ from case to case, so they cannot be typed in."
    opened = open_page(html_of(record_of({}, fixed=why)), after="#fn=7")
    assert why in opened.text("#situation")
    controls = opened.page.locator("#situation :is(input:not(#cases, #currency), select, button)")
    assert controls.count() > 10
    assert controls.evaluate_all("all => all.every((one) => one.disabled)")
    assert opened.changed() == {}
    assert opened.text("#instruction").startswith("Use ")
    opened.page.fill("#cases", "5000")
    assert "a year" in opened.text("#hero")
