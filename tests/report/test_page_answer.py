"""The first screen: what to do, how sure that is, and what it costs."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from opened_pages import QUESTION, SCORES, WIDE, Opened, Y, decided, html_of, record_of
from playwright.sync_api import Browser, Locator, Page, expect

import costspace as cs
from costspace.decision.words import exact_shown
from costspace.report.decided import details_dict
from costspace.report.gathering import contents_of
from costspace.report.page import to_html

Opening = Callable[..., Opened]
NOISE = np.random.default_rng(3).normal(0, 0.03, len(Y))
# Two models that no 400 rows can tell apart.
CLOSE = {"first": SCORES["first"], "other": np.clip(np.round(SCORES["first"] + NOISE, 2), 0, 1)}


def value(place: Locator) -> float:
    return float(str(place.get_attribute("value")))


def amounts(opened: Opened) -> dict[str, float]:
    """The full amounts of the first screen, by what they are of."""
    found = opened.page.locator(".stats > div").all()
    return {one.locator("dt").inner_text(): value(one.locator("data").first) for one in found}


def counts(opened: Opened) -> dict[str, float]:
    cells = opened.page.locator("#confusion td").all()
    return {one.locator(".kind").inner_text(): value(one.locator("data").first) for one in cells}


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, marks=pytest.mark.smoke),
        {"fn_cost": [7.0, 7.0], "prevalence": [0.3, 0.3]},
        {"fp_cost": [2.0, 3.0], "limits": {"capacity": 0.3}},
        {"baseline": {"model": "third", "threshold": 0.5}},
        {"tp_cost": [-9.0, -9.0], "tn_cost": [-1.0, -1.0]},
        {"known": ["costs", "prevalence"]},
        {"fn_cost": [1.0, 1.0], "prevalence": [0.01, 0.01]},
        {"fn_cost": [500.0, 500.0], "prevalence": [0.3, 0.3]},
    ],
)
def test_it_shows_the_decision_of_the_library(open_page: Opening, changes: dict[str, Any]) -> None:
    opened = open_page(html_of(record_of(changes)))
    decision = decided({**QUESTION, **changes})
    found = decision.recommendation
    headline = opened.page.locator("#instruction")
    exact = str(headline.get_attribute("title"))
    assert f"{exact}." == found.heading
    if found.model is not None:
        assert found.model in headline.inner_text()
    shown = amounts(opened)
    # Beside a rule without a model stands the best model.
    label = "This rule" if found.stated == decision.strategy else opened.text(".stats .own dt")
    assert shown[label] == pytest.approx(found.money)
    if found.stated != decision.strategy:
        stated = shown[f"The best model, {found.stated.model}"]
        assert stated == pytest.approx(decision.evidence.cost(found.stated))
    across = opened.page.locator(".stats .own .across")
    assert across.count() == (decision.cost_range is not None)
    if decision.cost_range is not None:
        told = re.fullmatch(
            r"over the ranges given ([−\d,.]+) to ([−\d,.]+) per 1,000", across.inner_text()
        )
        assert told is not None
        ends = [float(end.replace(",", "").replace("−", "-")) for end in told.groups()]
        assert ends == pytest.approx(
            decision.cost_range, abs=5e-3 * max(map(abs, decision.cost_range))
        )
    for name, money in decision.trivial.items():
        label = name.replace("flag_", "Flagging ")
        if found.model is not None or name != found.choice:
            assert shown[label] == pytest.approx(money)
    outcomes = decision.outcomes(found.stated)
    assert counts(opened) == pytest.approx(
        {
            "true positives": outcomes.true_positives.value,
            "false negatives": outcomes.false_negatives.value,
            "false positives": outcomes.false_positives.value,
            "true negatives": outcomes.true_negatives.value,
        }
    )
    sure = opened.page.locator(".verdict").get_attribute("class")
    clear = found.shown and decision.to_dict()["recommendation"]["clear"]
    against = decision.task.baseline if "baseline" in changes else None
    plain = [one.strategy for one in decision.strategies if one.strategy.model is None]
    least = min(plain, key=decision.evidence.cost)
    saving = decision.evidence.more(against or least)
    # A saving that may be next to nothing is not clear.
    clear = clear and saving.low >= 0.25 * saving.difference
    assert sure == f"verdict {'clear' if clear else 'unsure'}"
    # Every sentence of the library is there, folded.
    full = str(opened.page.locator("#in-full").text_content())
    assert found.text in full
    assert all(assumption in full for assumption in decision.assumptions)


def test_the_threshold_of_the_headline_is_what_is_applied(open_page: Opening) -> None:
    # Scores of many digits.
    fine = {name: s / 3 + 0.123456 for name, s in SCORES.items()}
    opened = open_page(html_of(record_of({"fn_cost": [7.0, 9.0]}, fine)))
    rule = decided({**QUESTION, "fn_cost": [7.0, 9.0]}, fine).recommendation.rule
    assert rule is not None
    (cut,) = rule.thresholds[:1]
    shown = re.search(r"above (\S+)\.$", opened.text("#instruction"))
    assert shown is not None
    assert float(shown[1]) == cut
    assert shown[1] in str(opened.page.get_attribute("#instruction", "title"))


def test_what_is_unfolded_stays_so(open_page: Opening) -> None:
    opened = open_page()
    opened.page.click("#in-full summary")
    opened.page.fill("#fn-cost", "5:21")
    opened.settle()
    full = decided({**QUESTION, "fn_cost": [5.0, 21.0]}).recommendation.text
    opened.page.locator("#in-full", has_text=full).wait_for()
    found_later(opened.page)
    assert opened.page.locator("#in-full details[open]").count() == 1


@pytest.mark.parametrize(
    ("changes", "scores", "title"),
    [
        ({}, {"first": SCORES["first"], "noise": 0 * Y + 0.5}, "Clear at 95 %, from 400 rows"),
        ({}, CLOSE, "No clear winner at 95 %, from 400 rows: "),
        (
            {"fn_cost": [1.0, 1.0], "prevalence": [0.01, 0.01]},
            SCORES,
            "No clear saving at 95 %, from 400 rows",
        ),
        ({}, {"noise": 0 * Y + 0.5}, "Nothing else costs less: clear at 95 %, from 400 rows"),
        (
            {"limits": {"min_precision": 0.999, "min_recall": 0.999}},
            SCORES,
            "Nothing keeps to the limits",
        ),
    ],
)
def test_how_sure_it_is_is_one_of_three_lines(
    open_page: Opening, changes: dict[str, Any], scores: dict[str, np.ndarray], title: str
) -> None:
    opened = open_page(html_of(record_of(changes, scores)))
    assert title in opened.text(".verdict")
    lines = opened.page.locator("#hero > :is(#instruction, .saving, .verdict)")
    nothing = "limits" in changes
    assert lines.count() == 3 - nothing
    assert lines.last.get_attribute("class") in ("verdict clear", "verdict unsure")
    if "prevalence" in changes:
        shown = lines.nth(1).inner_text()
        assert shown == "No model is shown to save money over flagging nobody."


@pytest.mark.parametrize("question", [{}, {"fn_cost": (1, 40)}, {"prevalence": (0.05, 0.05)}])
def test_how_sure_it_is_is_what_the_decision_says(
    open_page: Opening, question: dict[str, Any]
) -> None:
    found = decided({**QUESTION, **question}).certainty
    opened = open_page(html_of(record_of(question)))
    assert opened.text(".verdict") == found.text
    assert opened.page.locator(".verdict.clear").count() == found.clear


_SLOW = """
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (...given) {
        setTimeout(() => post.apply(this, given), 2000);
    };
"""


def test_an_answer_that_takes_long_is_announced(
    browser: Browser, tmp_path: Path, asked_html: str
) -> None:
    page = opened_with(browser, tmp_path / "slow.html", asked_html, _SLOW)
    page.wait_for_selector("html.ready")
    page.fill("#fn-cost", "9")
    page.wait_for_selector("html.computing")
    assert page.locator("#said").inner_text() == "Computing \u2026"
    page.wait_for_selector("html:not(.computing)")
    assert page.locator("#answer[aria-busy=false]").count() == 1
    page.close()


def test_where_nothing_keeps_to_limits_it_says_what_to_do(open_page: Opening) -> None:
    limits = {"limits": {"min_precision": 0.999, "min_recall": 0.999}}
    opened = open_page(html_of(record_of(limits)))
    said = decided({**QUESTION, **limits}).recommendation
    assert opened.text("#instruction") == said.instruction
    assert opened.page.locator(".sure").first.inner_text() == said.told[0]
    for place in (".stats", "#counts", "#money", "#strategies"):
        assert not opened.page.locator(place).is_visible()


def test_models_unclear_only_among_many_are_not_named(open_page: Opening) -> None:
    rng = np.random.default_rng(6)
    like = {"first": "first", "other": "first", "third": "second"}
    scores = {
        name: np.clip(np.round(SCORES[of] + rng.normal(0, 0.1, len(Y)), 2), 0, 1)
        for name, of in like.items()
    }
    thirds = [
        one.more
        for one in decided(QUESTION, scores).strategies
        if one.strategy.model == "third" and one.more is not None
    ]
    # Alone they are above 0, but not with all comparisons allowed for.
    assert all(more.low > 0 for more in thirds)
    assert any(more.p_adjusted >= 0.05 for more in thirds)
    opened = open_page(html_of(record_of({}, scores)))
    assert opened.text(".verdict") == "No clear winner at 95 %, from 400 rows: other may do as well"


def test_models_that_may_do_as_well_are_named(open_page: Opening) -> None:
    opened = open_page(html_of(record_of({}, CLOSE)))
    decision = decided(QUESTION, CLOSE)
    rival = (set(CLOSE) - {decision.recommendation.model}).pop()
    told = f"No clear winner at 95 %, from 400 rows: {rival} may do as well"
    assert opened.text(".verdict") == told
    assert f"{rival} costs" in opened.text("#hero")
    assert "per 1,000 cases: the data do not tell the two apart." in opened.text("#hero")


def test_a_name_of_one_letter_is_no_part_of_words(open_page: Opening) -> None:
    close = dict(zip("ab", CLOSE.values(), strict=False))
    opened = open_page(html_of(record_of({}, close)))
    shown = opened.page.eval_on_selector_all("#hero bdi", "all => all.map(one => one.textContent)")
    assert set(shown) <= set(close)
    html = opened.page.inner_html("#hero").replace('<bdi class="name">', "<bdi>")
    assert "<bdi>" in html
    assert not re.findall(r"[A-Za-z]<bdi>|</bdi>[A-Za-z]", html)


def test_models_that_do_the_same_are_no_rivals(open_page: Opening) -> None:
    scores = {"noise": 0 * Y + 0.5, "first": SCORES["first"], "again": SCORES["first"]}
    opened = open_page(html_of(record_of({}, scores)))
    assert opened.text(".verdict") == "Clear at 95 %, from 400 rows"
    assert "Use again:" in opened.text("#hero")
    assert "first does the same on all rows." in opened.text("#hero")
    assert "first costs" not in opened.text("#hero")
    assert "again, first (probabilities taken at face value)" in opened.text("#strategies-chart")


def test_a_model_that_costs_more_only_before_correction_is_told_apart_by_nothing(
    open_page: Opening,
) -> None:
    record = record_of({})
    decision = record["decision"]
    use = decision["recommendation"]["model"]
    decision["recommendation"]["clear"] = False
    rival = next(one for one in decision["strategies"] if one["model"] not in (None, use))
    rival["more"].update({"difference": 100.0, "low": 50.0, "high": 150.0, "p_adjusted": 0.2})
    opened = open_page(html_of(record))
    assert (
        f"{rival['model']} costs 100 more (50 to 150) per 1,000 cases: all comparisons "
        "allowed for, the data do not tell the two apart."
    ) in opened.text("#hero")


def test_what_is_saved_is_said_with_its_interval(shared_page: Opening) -> None:
    opened = shared_page()
    least = min(decided(QUESTION).trivial.items(), key=lambda one: one[1])
    name = least[0].replace("flag_", "flagging ")
    assert re.search(
        rf"It saves \S+ per 1,000 cases \(\S+ to \S+\) against {name}\.", opened.text("#hero")
    )


@pytest.mark.parametrize(
    ("model", "threshold", "said"),
    [
        (
            "third",
            0.5,
            r"saves [\d,]+ per 1,000 cases \(([\d,]+) to ([\d,]+)\) against the rule in use",
        ),
        (
            "first",
            0.38,
            r"to save money against the rule in use: [\d.]+ saved \(−([\d.]+) to ([\d.]+)\) per",
        ),
    ],
)
def test_a_rule_in_use_is_compared_first(
    fresh_page: Opening, model: str, threshold: float, said: str
) -> None:
    in_use = {"baseline": {"model": model, "threshold": threshold}}
    opened = fresh_page().ask(in_use)
    decision = decided({**QUESTION, **in_use})
    money = next(one.money for one in decision.strategies if one.strategy.name == "baseline")
    assert list(amounts(opened))[:2] == ["This rule", "The rule in use"]
    assert amounts(opened)["The rule in use"] == pytest.approx(money)
    assert decision.evidence is not None
    assert decision.task.baseline is not None
    more = decision.evidence.more(decision.task.baseline)
    assert more is not None
    found = re.search(said, opened.text("#hero"))
    assert found is not None
    ends = [float(end.replace(",", "")) for end in found.groups()]
    assert ends == pytest.approx([abs(more.low), more.high], rel=0.02)
    opened.page.fill("#cases", "20000")
    year = re.search(
        r"It saves [\d,]+ a year \(([\d,]+) to ([\d,]+)\) against the rule in use\.",
        opened.text("#hero"),
    )
    if more.low > 0:
        assert year is not None
        ends = [float(end.replace(",", "")) for end in year.groups()]
        assert ends == pytest.approx([20 * more.low, 20 * more.high], rel=0.02)
    else:
        assert year is None


def test_where_no_model_is_recommended_the_best_one_is_stated(open_page: Opening) -> None:
    noise = np.random.default_rng(0).random((2, len(Y)))
    scores = dict(zip(("first", "second"), np.round(noise, 2), strict=True))
    changes = {
        "fn_cost": [2.0, 2.0],
        "prevalence": [0.25, 0.25],
        "baseline": {"model": "second", "threshold": 0.5},
    }
    opened = open_page(html_of(record_of(changes, scores)))
    decision = decided({**QUESTION, **changes}, scores)
    assert decision.recommendation.choice == "flag_nobody"
    opened.page.fill("#currency", "EUR")
    told = opened.text("#hero")
    saves = r"Flagging nobody saves [\d,]+\sEUR per 1,000 cases \(.*\) against the rule in use\."
    assert re.search(saves, told)
    kept = "If you use a model, keep the rule in use, second: flag scores above 0.5."
    assert kept in told
    others = [one for one in decision.strategies if one.strategy.model and one.more is not None]
    others = [one for one in others if one.strategy.name != "baseline"]
    others = [one for one in others if one.rule is None or not one.rule.trivial]
    assert opened.text("#instruction") == "Flag nobody."
    assert opened.text(".stats .own dt") == "Flagging nobody"
    assert opened.text(".stats .own dd.amount") == f"{decision.recommendation.money:.0f} EUR"
    assert opened.page.locator(".stats dt").all_inner_texts().count("The rule in use") == 1
    # Rules that flag everybody or nobody are drawn for reference only, but for what is recommended.
    every = [one for one in decision.strategies if one.strategy.model]
    assert len(every) > len(others) + 1
    shown = opened.page.locator("#strategies table").first.locator("tbody tr")
    assert shown.count() == len(others) + 1


def test_counts_with_many_digits_have_room(open_page: Opening) -> None:
    record = record_of(QUESTION)
    chosen = record["decision"]["recommendation"]
    (own,) = (
        one
        for one in record["decision"]["strategies"]
        if (one["model"], one["choice"]) == (chosen["model"], chosen["choice"])
    )
    for counts in (own["outcomes"][action] for action in ("flag", "pass")):
        counts["negative"] = {"value": 951.8123, "low": 951.1412, "high": 952.0227}
    opened = open_page(html_of(record))
    cells = opened.page.locator("#confusion td")
    right = "found => found.map((one) => one.getBoundingClientRect().right)"
    shown = opened.page.locator("#confusion").evaluate("one => one.getBoundingClientRect().right")
    assert max(cells.evaluate_all(right)) <= shown + 1


def test_the_page_says_which_margin_costs_include(open_page: Opening) -> None:
    record = record_of(QUESTION)
    told = "Costs include a margin of {}, because the best of several is partly lucky."
    record["decision"]["choosing"] = told.format("1,240.5")
    opened = open_page(html_of(record))
    assert told.format("1,240.5") in opened.text("#hero")
    opened.page.fill("#currency", "$")
    assert told.format("$1,240.5") in opened.text("#hero")


def test_the_share_flagged_is_told_first(shared_page: Opening) -> None:
    flagged = decided(QUESTION).outcomes().flagged.value / 1000
    (told,) = re.findall(r"It flags ([\d.]+)\W% of all cases\.", shared_page().text("#hero"))
    assert float(told) == pytest.approx(100 * flagged, rel=5e-3)


def opened_with_decisions(open_page: Opening, made: np.ndarray) -> tuple[Opened, cs.Decision]:
    """A page of one model, with decisions that were made as the rule in use."""
    known = cs.Deployment(fp_cost=1, fn_cost=(5, 20), prevalence=(0.05, 0.2))
    decision = cs.decide(Y, {"second": SCORES["second"]}, conditions=known, baseline=made)
    return open_page(to_html(contents_of(None, decision=decision))), decision


def test_a_rule_in_use_that_costs_less_is_the_headline(open_page: Opening) -> None:
    opened, decision = opened_with_decisions(open_page, np.where(np.arange(400) % 50, Y, 1 - Y))
    evidence = decision.evidence
    assert evidence is not None
    assert decision.task.baseline is not None
    more = evidence.more(decision.task.baseline)
    assert more is not None
    assert more.high < 0
    assert opened.text(".verdict").startswith("The rule in use costs less: clear at 95 %, from ")
    assert "more than the rule in use" in opened.text("#hero")


def test_a_rule_in_use_is_no_other_model(open_page: Opening) -> None:
    opened, _ = opened_with_decisions(open_page, (SCORES["third"] > 0.4).astype(int))
    assert "The other models" not in opened.text("#hero")
    assert "can do the same" not in opened.text("#hero")


def test_in_full_has_its_currency(fresh_page: Opening) -> None:
    opened = fresh_page()
    opened.page.click("#in-full summary")
    assert "Amounts are in" not in opened.text("#in-full")
    opened.page.fill("#currency", "CHF")
    assert "Amounts are in CHF." in opened.text("#in-full")


def test_what_is_known_without_use_is_said(fresh_page: Opening) -> None:
    asked = {"known": ["costs"], "limits": {"capacity": 0.1}}
    assert decided({**QUESTION, **asked}).recommendation.choice == "queue"
    opened = fresh_page().ask(asked)
    assert "Knowing the costs changes nothing." in opened.text("#hero")
    opened.page.uncheck("#known-costs")
    assert opened.question()["known"] == []
    assert "changes nothing" not in opened.text("#hero")


def test_amounts_are_per_year_and_in_a_currency(fresh_page: Opening) -> None:
    opened = fresh_page()
    told = opened.text("#hero")
    assert "Cost per 1,000 cases, in false positives, on held-out rows" in told
    assert "Held-out: each row is judged by a threshold that other rows chose" in told
    opened.page.fill("#cases", "20000")
    own = amounts(opened)["This rule"]
    yearly = opened.page.locator(".stats .own .yearly")
    assert float(str(yearly.get_attribute("title"))) == pytest.approx(20 * own)
    assert float(yearly.inner_text().split(" a year")[0].replace(",", "")) == pytest.approx(
        20 * own, rel=5e-3
    )
    money = decided(QUESTION).recommendation.interval
    assert money is not None
    about = opened.page.locator(".stats .own .about")
    said = re.search(r"^95\W% interval ([\d,]+) to ([\d,]+)$", about.inner_text())
    assert said is not None
    ends = [end.replace(",", "") for end in said.groups()]
    assert list(map(float, ends)) == pytest.approx([20 * money.low, 20 * money.high], rel=6e-3)
    opened.page.fill("#currency", "\u20ac")
    assert re.match(r"\u20ac[\d,]+ a year", yearly.inner_text())
    assert "in false positives" not in opened.text("#hero")
    opened.page.fill("#currency", "CHF")
    assert re.match(r"[\d,]+ CHF a year", yearly.inner_text().replace("\u00a0", " "))
    opened.page.fill("#cases", "")
    assert "a year" not in opened.text("#hero")


@pytest.mark.parametrize(
    ("limits", "name"), [({"capacity": 0.3}, "flag at most"), ({"min_recall": 0.7}, "recall")]
)
def test_the_page_says_which_limits_are_kept(
    fresh_page: Opening, limits: dict[str, float], name: str
) -> None:
    [limit] = decided({**QUESTION, "limits": limits}).limits_kept()
    opened = fresh_page().ask({"limits": limits})
    kept = opened.page.locator("#confusion .rates", has_text=f"Limit, {name}")
    kept.wait_for()
    status = {"at the limit": "too close to tell"}.get(limit.status, limit.status)
    told = re.search(rf": {status} \(reaches ([\d.]+)\W%", kept.inner_text())
    assert told is not None
    assert float(told[1]) == pytest.approx(100 * limit.reached, rel=0.02)
    assert "not allowed within the limits" in opened.text("#hero")
    if limit.costs == 0:
        assert kept.inner_text().endswith("; the limit costs nothing.")
        return
    clear = re.search(r"; per 1,000 cases the limit costs ([\d.,]+) \(", kept.inner_text())
    unclear = re.search(
        r"; the limit is not shown to cost anything: ([\d.,]+) (lost|saved) \(.*\) per 1,000 c",
        kept.inner_text(),
    )
    assert (clear is None) == (limit.costs_low <= 0) == (unclear is not None)
    price = clear or unclear
    assert price is not None
    signed = float(price[1].replace(",", "")) * (-1 if unclear and unclear[2] == "saved" else 1)
    assert signed == pytest.approx(limit.costs, rel=0.02, abs=0.5)


def test_a_limit_is_shown_at_its_worst_prevalence(fresh_page: Opening) -> None:
    [limit] = decided({**QUESTION, "limits": {"min_precision": 0.2}}).limits_kept()
    assert limit.prevalence == QUESTION["prevalence"][0]
    opened = fresh_page().ask({"limits": {"min_precision": 0.2}})
    kept = opened.page.locator("#confusion .rates", has_text="Limit, precision at least 20")
    assert f"at prevalence {limit.prevalence:g}, the worst)" in kept.inner_text()


def test_a_rule_in_use_that_breaks_a_limit_is_no_rival(fresh_page: Opening) -> None:
    asked = {"limits": {"capacity": 0.1}, "baseline": {"model": "third", "threshold": 0.2}}
    decision = decided({**QUESTION, **asked})
    opened = fresh_page().ask(asked)
    tile = opened.page.locator(".stats > div", has_text="The rule in use").inner_text()
    assert "not allowed within the limits" in tile
    (told,) = [one for one in decision.recommendation.told if "not allowed" in one]
    assert told.replace("\u00a0", " ") in opened.text("#hero")


def test_a_threshold_on_a_column_whose_sign_was_changed_is_said_on_its_scale(
    open_page: Opening,
) -> None:
    scores = {"-points": np.round(100 * SCORES["first"]) - 700}
    found = decided(QUESTION, scores).recommendation
    (cut,) = found.rule.cuts
    assert found.instruction == f"Use -points: {found.rule} (points below {-cut:g})."
    opened = open_page(html_of(record_of({}, scores)))
    assert opened.text("#instruction").endswith(f" (points below {-cut:g}).")


def test_warnings_are_seen(open_page: Opening) -> None:
    scores = {"first": 1 - SCORES["first"], "second": SCORES["first"]}
    opened = open_page(html_of(record_of({}, scores)))
    warnings = decided(QUESTION, scores).recommendation.warnings
    assert warnings
    assert opened.page.locator("#hero .caution").all_inner_texts() == list(warnings)


def test_figures_have_three_digits_or_those_of_the_interval_beside_them(
    shared_page: Opening,
) -> None:
    opened = shared_page()
    amounts = opened.page.locator("#hero data")
    own, *others = amounts.all_inner_texts()
    values = amounts.evaluate_all("found => found.map((one) => Number(one.value))")
    assert others == [exact_shown(value) for value in values[1:]]
    for text in [own, *opened.page.locator("#confusion data").all_inner_texts()]:
        digits = re.sub(r"[^\d.]", "", text)
        significant = digits.replace(".", "").lstrip("0")
        assert len(significant.rstrip("0") if "." not in digits else significant) <= 3, text


def test_a_threshold_that_is_tried_is_counted(fresh_page: Opening) -> None:
    opened = fresh_page()
    opened.page.locator(".knob").focus()
    opened.page.keyboard.press("ArrowRight")
    assert opened.text("#h-confusion") == "Of 1,000 cases, at this threshold"
    said = re.search(r"(\w+) flagging scores above ([\d.]+) costs", opened.text("#confusion"))
    assert said is not None
    found = counts(opened)
    assert sum(found.values()) == pytest.approx(1000)
    table = cs.ScoreTable.from_predictions(Y, SCORES[said[1]])
    point = cs.Rule(float(said[2])).on(table)
    positives = found["true positives"] + found["false negatives"]
    assert found["false negatives"] / positives == pytest.approx(float(point.fnr), abs=0.02)
    opened.page.get_by_role("button", name="Back to the recommended rule").click()
    assert opened.text("#h-confusion") == "Of 1,000 cases"


def test_a_new_answer_is_read_out_once_it_stands(open_page: Opening) -> None:
    opened = open_page()
    said = opened.page.locator("#said")
    assert said.get_attribute("role") == "status"
    assert said.inner_text() == ""
    opened.page.fill("#fn-cost", "9")
    expect(said).to_contain_text(" at 95 %, from 400 rows")
    text = opened.text("#said")
    assert opened.text(".verdict") in text
    assert opened.text("#instruction") in text


def test_names_are_in_their_own_direction(open_page: Opening) -> None:
    names = "\u05de\u05d5\u05d3\u05dc", "\u05d7\u05d3\u05e9 (b.c)"
    opened = open_page(html_of(record_of({}, dict(zip(names, CLOSE.values(), strict=True)))))
    for name in names:
        assert name in opened.text("#hero")
        mixed = opened.page.evaluate(
            """(name) => [...document.querySelectorAll("#hero :not(bdi)")].filter((one) =>
                [...one.childNodes].some((text) => text.nodeType === 3 && text.data.includes(name)))
                .length""",
            name,
        )
        assert mixed == 0


def found_later(page: Page) -> None:
    """Wait for what comes after an answer."""
    page.locator("#knowing:not(:empty)").wait_for(timeout=15_000)


def opened_with(browser: Browser, path: Path, html: str, script: str) -> Page:
    """A page in a browser in which a script has changed something first."""
    path.write_text(html)
    page = browser.new_page(viewport=WIDE)
    page.add_init_script(script)
    page.goto(path.as_uri())
    return page


# Counts the kinds of what the engine is asked.
COUNTING = """
window.Worker = class extends Worker {
  postMessage(message) {
    const counts = document.documentElement.dataset;
    counts[message.kind] = Number(counts[message.kind] ?? 0) + 1;
    super.postMessage(message);
  }
};
"""


@pytest.mark.parametrize("sign", ["pointermove", "focusin", "keydown"])
def test_the_engine_warms_up_before_the_first_question(
    browser: Browser, tmp_path: Path, asked_html: str, sign: str
) -> None:
    page = opened_with(browser, tmp_path / "page.html", asked_html, COUNTING)
    page.wait_for_selector("html.ready")
    before = page.locator("#hero").inner_text()
    assert page.get_attribute("html", "data-practise") is None
    page.dispatch_event("body", sign)
    page.wait_for_selector("html[data-practise='12']")
    assert page.locator("#hero").inner_text() == before
    page.fill("#fn-cost", "9")
    page.wait_for_selector("#answer[aria-busy=false]")
    told = decided({**QUESTION, "fn_cost": [9.0, 9.0]}).recommendation.cost
    assert told in str(page.text_content("#in-full"))
    page.close()


def test_a_question_does_not_wait_for_the_warm_up(
    browser: Browser, tmp_path: Path, asked_html: str
) -> None:
    page = opened_with(browser, tmp_path / "page.html", asked_html, COUNTING)
    page.wait_for_selector("html.ready")
    page.fill("#fn-cost", "9")
    page.wait_for_selector("html[data-answer]")
    counts = {name: page.get_attribute("html", f"data-{name}") for name in ("practise", "detail")}
    # What comes after an answer is found once that stands.
    page.wait_for_selector("#answer[aria-busy=false]")
    page.wait_for_selector(f"html[data-detail]:not([data-detail='{counts['detail']}'])")
    assert page.get_attribute("html", "data-practise") == counts["practise"]
    page.close()


def test_printing_draws_what_was_not_drawn_yet(
    browser: Browser, tmp_path: Path, asked_html: str
) -> None:
    never = "window.requestIdleCallback = () => 0"
    page = opened_with(browser, tmp_path / "page.html", asked_html, never)
    assert page.locator("#instruction bdi").count() == 1
    assert page.locator("html.ready").count() == 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("html.ready").count() == 1
    for drawn in ("#threshold-chart", "#strategies-chart", "#cost", "#roc", "#calibration"):
        assert page.locator(f"{drawn} svg.chart").count() > 0
    assert "How to read this page" in str(page.locator("#notes").text_content())
    page.close()


def test_browsers_without_what_is_new_show_the_same(
    open_page: Opening, browser: Browser, tmp_path: Path, asked_html: str
) -> None:
    old = "delete window.requestIdleCallback; delete Uint8Array.fromBase64"
    page = opened_with(browser, tmp_path / "old.html", asked_html, old)
    page.wait_for_selector("html.ready")
    opened = open_page()
    for one in (page, opened.page):
        found_later(one)
    for place in ("#hero", "#counts", "#strategies", "#knowing"):
        assert page.locator(place).inner_text() == opened.page.locator(place).inner_text()
    page.close()


def test_rules_are_said_as_the_library_says_them(open_page: Opening) -> None:
    three = ("pass", "review", "block")
    rules = [
        *(cs.Rule(0.25), cs.Rule(np.inf), cs.Rule(-np.inf), cs.Rule((), ("review",))),
        cs.Rule((0.25, 0.5), three),
        cs.Rule(0.5, ("pass", "review")),
        cs.Rule(0.1, ("flag", "pass"), by="share"),
        cs.Rule((0.1, 0.25), three[::-1], by="share"),
        cs.Rule(0.25, otherwise=cs.Rule(0.5), chance=0.75),
        cs.Rule(0.5, otherwise=cs.Rule(0.25), chance=0.75),
        cs.Rule(-np.inf, otherwise=cs.Rule(0.25), chance=0.75),
        cs.Rule(0.25, otherwise=cs.Rule(np.inf), chance=0.75),
        cs.Rule(-np.inf, otherwise=cs.Rule(np.inf), chance=0.75),
        cs.Rule((0.25, 0.5), three, otherwise=cs.Rule(0.5), chance=0.75),
    ]
    record = record_of({}, fixed="Not to be asked anew.")
    *_, last = record["decision"]["strategies"]
    row = {**last, "model": "first", "same_as": None}
    record["decision"]["strategies"] += [
        {**row, "choice": str(i), "rule": rule.to_dict(), "cost_per_1000": 9e3 + i}
        for i, rule in enumerate(rules)
    ]
    opened = open_page(html_of(record))
    said = opened.page.locator("#strategies-chart td.rule").all_text_contents()[-len(rules) :]
    assert [text.replace("\u00a0", " ") for text in said] == [str(rule) for rule in rules]


@pytest.mark.parametrize(
    ("field", "typed"),
    [("fp-cost", "1e-300:1e50"), ("prevalence", "1e-12"), ("prevalence", "0.9999999999999999")],
)
def test_amounts_as_far_apart_as_floats_go(fresh_page: Opening, field: str, typed: str) -> None:
    opened = fresh_page()
    opened.page.fill(f"#{field}", typed)
    opened.settle()
    assert "NaN" not in opened.text("main")
    assert "; 0 % of cases" not in opened.text("#asked")
    assert opened.page.locator(".stats data, #asked").count() > 0


def test_what_the_library_refuses_is_told_and_the_answer_stays(fresh_page: Opening) -> None:
    opened = fresh_page()
    before = opened.text("#instruction")
    opened.page.click(".rarer summary")
    opened.page.fill("#tp-cost", "9")
    opened.settle()
    told = opened.text("#asked")
    assert told.startswith("This has no answer: The cost of a false negative must be above")
    assert (
        "The answer shown is for: a false positive costs 1; a false negative costs 5 to 20" in told
    )
    assert opened.text("#instruction") == before
    opened.page.fill("#fn-cost", "6:20")
    opened.settle()
    assert opened.text("#asked").startswith("This has no answer: ")
    opened.page.fill("#tp-cost", "")
    opened.settle()
    assert opened.text("#asked").startswith("For: ")


def test_details_follow_a_question_that_was_refused(open_page: Opening) -> None:
    opened = open_page()
    opened.page.click(".rarer summary")
    # Details of an answer are put off by a question that has none.
    opened.page.fill("#fn-cost", "7:21")
    opened.settle()
    opened.page.fill("#tp-cost", "9")
    opened.settle()
    assert opened.text("#asked").startswith("This has no answer: ")
    found_later(opened.page)


def test_details_of_an_answer_are_found_once(
    browser: Browser, tmp_path: Path, asked_html: str
) -> None:
    page = opened_with(browser, tmp_path / "page.html", asked_html, COUNTING)
    page.wait_for_selector("html.ready")
    page.click(".rarer summary")
    for refused in ("9", "8", "7"):
        page.fill("#tp-cost", refused)
        page.wait_for_selector("#answer[aria-busy=false]")
        # Longer than an answer has to stand.
        page.wait_for_timeout(400)
    found_later(page)
    page.wait_for_timeout(400)
    parts = len(details_dict(decided(QUESTION)))
    # And one question for what comes after the last.
    assert page.get_attribute("html", "data-detail") == str(parts + 1)
    page.close()


def test_what_is_opened_by_keys_keeps_the_focus(open_page: Opening) -> None:
    opened = open_page()
    opened.page.focus("#in-full summary")
    opened.page.keyboard.press("Enter")
    opened.page.fill("#fn-cost", "5:21")
    opened.page.focus("#in-full summary")
    opened.settle()
    focused = "document.activeElement === document.querySelector('#in-full summary')"
    assert opened.page.evaluate(focused)


def test_details_that_are_not_found_say_why(
    browser: Browser, tmp_path: Path, asked_html: str
) -> None:
    page = opened_with(
        browser, tmp_path / "page.html", asked_html, "delete window.DecompressionStream"
    )
    page.wait_for_selector("html.ready")
    page.get_by_text("could not be found: This browser does not run").wait_for()
    page.close()


def test_details_away_from_the_answer_come_later(browser: Browser, tmp_path: Path) -> None:
    html = html_of(record_of({"limits": {"max_fpr": 0.3}}))
    page = opened_with(browser, tmp_path / "page.html", html, COUNTING)
    # How limits are kept is in sight.
    page.get_by_text("Limit, ").first.wait_for()
    parts = len(details_dict(decided({**QUESTION, "limits": {"max_fpr": 0.3}})))
    page.wait_for_selector(f"html[data-detail='{parts + 1}']")
    page.close()


def test_nobody_waits_for_a_question_that_nobody_asks_any_more(open_page: Opening) -> None:
    page = open_page().page
    page.evaluate(
        """() => {
            const { dataset } = document.documentElement;
            const { terminate } = Worker.prototype;
            dataset.ended = 0;
            Worker.prototype.terminate = function () {
                dataset.ended = Number(dataset.ended) + 1;
                terminate.call(this);
            };
        }"""
    )
    page.evaluate("location.hash = '#fp=1e-50:1e50&fn=1e-50:1e50'")
    page.wait_for_timeout(600)
    page.evaluate("location.hash = '#fp=2&fn=7'")
    page.wait_for_selector("html[data-ended='1']")
    page.wait_for_selector("#answer[aria-busy=false]")
    asked = {**QUESTION, "fp_cost": [2.0, 2.0], "fn_cost": [7.0, 7.0]}
    assert decided(asked).recommendation.instruction in page.inner_text("#answer").replace(
        "\n", " "
    )
    # Once more at once, which is no reason to begin anew.
    page.evaluate("location.hash = '#fp=2&fn=9'")
    page.wait_for_timeout(50)
    page.wait_for_selector("#answer[aria-busy=false]")
    assert page.get_attribute("html", "data-ended") == "1"
