"""Strategies as dots: in order, with the intervals and words of the library, and references."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest
from opened_pages import QUESTION, SCORES, Opened, Y, decided, html_of, record_of
from page_files import rows_of_csv

from costspace.report.choices import label

if TYPE_CHECKING:
    from costspace.decision.decision import Decision

Opening = Callable[..., Opened]
AREA = "#strategies-chart .chart"


def texts(opened: Opened, part: str) -> list[str]:
    return opened.page.locator(f"{AREA} .{part}").all_text_contents()


def ordered(decision: "Decision") -> list[str]:
    """Strategies of models, cheapest first, as the page calls them."""
    known = [one for one in decision.strategies if one.strategy.model is not None]
    known.sort(key=lambda one: one.money)
    return [str(one.strategy.model) for one in known]


def test_rows_are_every_strategy_cheapest_first(open_page: Opening) -> None:
    # The most expensive model comes first in the data.
    scores = dict(reversed(SCORES.items()))
    opened = open_page(html_of(record_of({}, scores)))
    decision = decided(QUESTION, scores)
    labels = texts(opened, "row-label")
    names = [one.split(" (")[0] for one in labels]
    assert names == ordered(decision)
    assert names[0] == "first"
    verdicts = dict(zip(labels, texts(opened, "row-verdict"), strict=True))
    chosen = decision.recommendation
    assert [name for name, said in verdicts.items() if said == "recommended"] == [
        f"{chosen.model} ({label(chosen.choice).lower()})"
    ]


def test_the_file_has_the_library_s_numbers(shared_page: Opening) -> None:
    opened = shared_page()
    decision = decided(QUESTION)
    rows = {(row["model"], row["choice"]): row for row in rows_of_csv(opened, "#strategies-chart")}
    assert len(rows) == len(decision.strategies)
    for one in decision.strategies:
        row = rows[one.strategy.model or "", one.strategy.name]
        numbers = [float(row[name]) for name in ("cost_per_1000", "low", "high")]
        assert numbers == pytest.approx([one.money, one.low, one.high], rel=1e-12)
        if one.more is None:
            assert row["verdict"] == "recommended"
            assert row["difference"] == ""
            continue
        assert float(row["difference"]) == pytest.approx(one.more.difference, rel=1e-9, abs=1e-9)
        if one.strategy.model is None:
            assert row["verdict"] == "reference"
        elif np.isnan(one.more.p):
            assert row["verdict"] == "same model"
        else:
            told = one.more.p_adjusted < 0.05
            assert row["verdict"] == ("costs more" if told else "not told apart")


def test_dots_and_intervals_are_where_the_axis_says(shared_page: Opening) -> None:
    opened = shared_page()
    decision = decided(QUESTION)
    ticks = opened.page.locator(f"{AREA} .tick-name").all()
    place = {
        float((tick.text_content() or "").replace(",", "")): float(tick.get_attribute("x") or "nan")
        for tick in ticks
    }
    low, high = min(place), max(place)

    def money(x: str | None) -> float:
        share = (float(x or "nan") - place[low]) / (place[high] - place[low])
        return low + share * (high - low)

    known = sorted(
        (one for one in decision.strategies if one.strategy.model), key=lambda one: one.money
    )
    bars = opened.page.locator(f"{AREA} line.interval").all()
    assert len(bars) == len(known)
    for bar, one in zip(bars, known, strict=True):
        ends = [money(bar.get_attribute(name)) for name in ("x1", "x2")]
        assert ends == pytest.approx([one.low, one.high], abs=1.5)
    drawn = opened.page.locator(f"{AREA} .marker, {AREA} .point.recommended").all()
    for dot, one in zip(drawn, known, strict=True):
        x = re.findall(r"translate\(([\d.]+)", dot.get_attribute("transform") or "")[0]
        assert money(x) == pytest.approx(one.money, abs=1.5)
    lines = opened.page.locator(f"{AREA} line.reference").all()
    trivial = sorted(money(line.get_attribute("x1")) for line in lines)
    assert trivial == pytest.approx(sorted(decision.trivial.values()), abs=1.5)
    assert texts(opened, "reference-name") == ["flag everybody 890", "flag nobody 1,193"]


def test_what_the_data_do_not_tell_apart_is_said_so(open_page: Opening) -> None:
    close = {"one": SCORES["first"], "other": np.round(SCORES["first"] + 0.01 * (Y == 2), 2)}
    close["other"][::7] = SCORES["second"][::7]
    opened = open_page(html_of(record_of({}, close)))
    assert "not told apart" in texts(opened, "row-verdict")
    assert "not told apart" in opened.text("#strategies-chart figure .hint").lower()


def test_a_rule_in_use_is_a_reference(open_page: Opening) -> None:
    question = {"baseline": {"model": "second", "threshold": 0.4}}
    opened = open_page(html_of(record_of(question)))
    answer = decided({**QUESTION, **question}).to_dict()["baseline"]
    name = next(text for text in texts(opened, "reference-name") if "rule in use" in text)
    assert float(name.split()[-1].replace(",", "")) == pytest.approx(
        answer["cost_per_1000"], rel=0.01
    )
    assert all("in use" not in label for label in texts(opened, "row-label"))


def test_flagging_everybody_is_a_row_where_it_is_recommended(open_page: Opening) -> None:
    noise = {"noise": np.round(np.random.default_rng(0).random(len(Y)), 2)}
    opened = open_page(html_of(record_of({}, noise)))
    said = dict(zip(texts(opened, "row-label"), texts(opened, "row-verdict"), strict=True))
    assert said["Flag everybody"] == "recommended"
    assert [text.split(" ")[1] for text in texts(opened, "reference-name")] == ["nobody"]


def test_strategies_without_a_row_are_named(open_page: Opening) -> None:
    record = record_of({})
    (one, *_) = [
        one
        for one in record["decision"]["strategies"]
        if one["model"] == "second" and one["choice"] == "smoothed"
    ]
    label = "second (learned from labels)"
    hint = "#strategies-chart figure .hint"
    opened = open_page(html_of(record_of({})))
    assert label in texts(opened, "row-label")
    assert ": flag everybody." not in opened.text(hint)
    one["same_for_all"] = True
    one["rule"] = {"by": "score", "cuts": [], "actions": ["flag"]}
    opened = open_page(html_of(record))
    assert label not in texts(opened, "row-label")
    assert f"With {label}: flag everybody." in opened.text(hint)


@pytest.mark.parametrize(("missed", "broken"), [(10.0, False), (40.0, True)])
def test_the_axis_is_broken_only_for_what_is_five_times_as_far(
    open_page: Opening, missed: float, broken: bool
) -> None:
    rng, apart = np.random.default_rng(4), 9 if broken else 4
    y = (rng.random(600) < 0.4).astype(int)
    scores = {"sharp": np.round(1 / (1 + np.exp(-rng.normal(apart * (y - 0.5), 1.5))), 3)}
    record = record_of({"fn_cost": [missed, missed], "prevalence": [0.3, 0.3]}, scores, y)
    opened = open_page(html_of(record))
    assert opened.page.locator(f"{AREA} .break").count() == (2 if broken else 0)
    costs = [one["cost_per_1000"] for one in record["decision"]["strategies"]]
    names = texts(opened, "reference-name")
    assert len(names) == 2
    shown = sorted(float(name.split()[-1].replace(",", "")) for name in names)
    assert shown == pytest.approx(sorted(costs)[-2:], rel=0.01)


def test_of_many_models_the_best_four_come_first_and_the_others_on_demand(
    open_page: Opening,
) -> None:
    rng = np.random.default_rng(9)
    many = {
        f"m{k}": np.round(np.clip(SCORES["first"] + rng.normal(0, 0.1 + 0.05 * k, len(Y)), 0, 1), 3)
        for k in range(8)
    }
    record = record_of({}, many)
    opened = open_page(html_of(record))
    count = sum(one["model"] is not None for one in record["decision"]["strategies"])
    first = texts(opened, "row-label")
    assert len({label.split(" (")[0] for label in first}) == 4
    opened.page.get_by_role("button", name="Show 4 others").click()
    assert len(texts(opened, "row-label")) == count
    own = [opened.page.locator(f"{AREA} .marker.m{k}").count() for k in range(6)]
    assert [count > 0 for count in own] == [True] * 4 + [False] * 2
    assert opened.page.locator(f"{AREA} .marker.others").count() > 0
    opened.page.get_by_role("button", name=f"Show the first {len(first)}").click()
    assert texts(opened, "row-label") == first


def test_the_table_is_not_cut_where_amounts_have_a_currency(open_page: Opening) -> None:
    dear = {"fp_cost": [6e6, 6e6], "fn_cost": [1e8, 1e8]}
    opened = open_page(html_of(record_of(dear)), viewport={"width": 1280, "height": 900})
    opened.page.fill("#currency", "EUR")
    opened.page.locator("#strategies-chart details summary", has_text="As a table").click()
    room = "one => [one.scrollWidth, one.clientWidth]"
    wide, shown = opened.page.locator("#strategies-chart .scroll").evaluate(room)
    assert wide <= shown
    ticks = opened.page.locator(f"{AREA} .tick-name").all_text_contents()
    assert all(re.fullmatch(r"[\d.]+\s(m|bn)|0", tick) for tick in ticks)
    cut = """() => [...document.querySelectorAll(".stats > div")].filter((tile) =>
        [...tile.children].some((one) => one.scrollWidth > tile.clientWidth)).length"""
    assert opened.page.evaluate(cut) == 0


def test_a_save_menu_has_its_letters_in_a_line(fresh_page: Opening) -> None:
    opened = fresh_page()
    opened.page.locator("#strategies-chart .export summary").click()
    box = opened.page.get_by_role("button", name="SVG").first.bounding_box()
    assert box is not None
    assert box["width"] > box["height"]


def test_the_table_says_the_same_in_words(fresh_page: Opening) -> None:
    opened = fresh_page()
    opened.page.locator("#strategies-chart details summary", has_text="As a table").click()
    rows = opened.page.locator("#strategies-chart table tbody tr")
    assert rows.locator("th .named").all_inner_texts() == texts(opened, "row-label")
    assert {*rows.locator("th small").all_inner_texts()} <= {"score-driven", "smoothed"}
    decision = decided(QUESTION)
    known = sorted(one.money for one in decision.strategies if one.strategy.model)
    found = [float(one.get_attribute("value") or "nan") for one in rows.locator("data").all()]
    assert found == pytest.approx(known, rel=1e-12)


def test_on_a_phone_nothing_is_cut_off_or_hidden(open_page: Opening) -> None:
    long = {f"a_model_with_a_name_that_is_long_{name}": s for name, s in SCORES.items()}
    html = html_of(record_of({}, long))
    opened = open_page(html, viewport={"width": 390, "height": 844})
    inside = """() => {
        const svg = document.querySelector("#strategies-chart .chart").getBoundingClientRect();
        const boxes = [...document.querySelectorAll("#strategies-chart .chart text")]
            .map((text) => text.getBoundingClientRect());
        const apart = (a, b) => a.right <= b.left || b.right <= a.left ||
            a.bottom <= b.top + 3 || b.bottom <= a.top + 3;
        return boxes.every(({left, right}) => left >= svg.left - 1 && right <= svg.right + 1) &&
            boxes.every((a, k) => boxes.slice(k + 1).every((b) => apart(a, b)));
    }"""
    assert opened.page.evaluate(inside)
    # What tells names apart is seen, and the method has a line of its own.
    labels = texts(opened, "row-label")
    assert all(label.startswith("a_model") and "\u2026" in label for label in labels)
    assert {label.rsplit("_", 1)[-1] for label in labels} <= {*SCORES}
    assert {"probabilities taken at face value", "learned from labels"} <= {
        *texts(opened, "row-verdict")
    }


def test_a_rule_that_follows_the_condition_is_said_to_vary(open_page: Opening) -> None:
    question = {**QUESTION, "fn_cost": [2.0, 20.0], "known": ["costs"]}
    html = html_of(record_of(question))
    opened = open_page(html)
    rules = opened.page.locator("#strategies-chart table td.rule").all_text_contents()
    ruled = [one.rule for one in decided(question).strategies if one.strategy.model]
    assert None in ruled
    assert rules.count("varies") == ruled.count(None)
    # And on a page without scripts.
    assert html.count("<td>varies</td>") == ruled.count(None)
