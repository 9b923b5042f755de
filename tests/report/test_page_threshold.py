"""Cost by threshold: the library's numbers, wherever the handle is put."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from opened_pages import QUESTION, SCORES, Opened, Y, decided, html_of, least_money, record_of
from page_files import rows_of_csv

import costspace as cs

if TYPE_CHECKING:
    from playwright.sync_api import Locator

Opening = Callable[..., Opened]
AREA = "#threshold-chart .chart"
KNOB = "#threshold-chart .knob"
TRIED = "#threshold-chart table.trying tbody tr:nth-of-type(1)"
# A page with cheap false positives and gains of correct decisions.
OTHER = {
    "fp_cost": [2.0, 6.0],
    "fn_cost": [30.0, 90.0],
    "tp_cost": [-8.0, -3.0],
    "tn_cost": [0.5, 0.5],
}


def values(place: "Locator") -> list[float]:
    """The full values of numbers in a place."""
    return [float(one.get_attribute("value") or "nan") for one in place.locator("data").all()]


def drawn(opened: Opened) -> str:
    """The texts on the chart."""
    return opened.page.locator(AREA).text_content() or ""


def fixed_at(t: float, model: str, question: dict[str, Any]) -> float:
    """What the library says that a threshold costs, whatever the condition, on all rows."""
    ends = {name: tuple(question[name]) for name in QUESTION if name.endswith("cost")}
    known = cs.Deployment(
        **{name: low if low == high else (low, high) for name, (low, high) in ends.items()},
        prevalence=tuple(question["prevalence"]),
    )
    return cs.expected_money(Y, SCORES[model], choice=cs.ScoreFixed(t), conditions=known)


def put(opened: Opened, share: float) -> None:
    """Press on the chart at a share of its width."""
    area = opened.page.locator(AREA)
    axis, box = (place.bounding_box() for place in (area.locator(".axis .domain").first, area))
    assert axis is not None
    assert box is not None
    x = axis["x"] - box["x"] + share * axis["width"]
    area.click(position={"x": x, "y": axis["y"] - box["y"] - 20})


def held_out_beyond_line(question: dict[str, Any]) -> float:
    """What the recommended rule costs on held-out rows beyond what it does on all."""
    found = decided(question).recommendation
    assert found.rule is not None
    assert found.money is not None
    return found.money - fixed_at(found.rule.cuts[0], str(found.model), question)


@pytest.mark.parametrize("share", [0.13, 0.31, 0.62, 0.9])
@pytest.mark.parametrize("changes", [{}, OTHER])
def test_the_table_says_what_the_library_says_of_a_threshold(
    shared_page: Opening, share: float, changes: dict[str, Any]
) -> None:
    opened = shared_page(html_of(record_of(changes)))
    put(opened, share)
    t, flagged, tp, fn, fp, money = values(opened.page.locator(TRIED))
    assert t == pytest.approx(share, abs=0.01)
    chosen = opened.page.locator(f"{TRIED} th small bdi").inner_text()
    p = decided({**QUESTION, **changes}).conditions.mean_prevalence
    s = SCORES[chosen]
    assert tp == pytest.approx(1000 * p * np.mean(s[Y == 1] > t), abs=1e-9)
    assert fn == pytest.approx(1000 * p * np.mean(s[Y == 1] <= t), abs=1e-9)
    assert fp == pytest.approx(1000 * (1 - p) * np.mean(s[Y == 0] > t), abs=1e-9)
    assert flagged == pytest.approx(tp + fp, abs=1e-9)
    moved = held_out_beyond_line({**QUESTION, **changes})
    assert money == pytest.approx(fixed_at(t, chosen, {**QUESTION, **changes}) + moved, rel=1e-9)


def test_lines_are_the_money_of_each_threshold_of_each_model(shared_page: Opening) -> None:
    opened = shared_page()
    rows = rows_of_csv(opened, "#threshold-chart")
    decision = decided(QUESTION)
    for name, scores in SCORES.items():
        own = [row for row in rows if row["model"] == name]
        assert len(own) == len(np.unique(scores)) + 1
        least = min(float(row["cost_per_1000"]) for row in own)
        assert least == pytest.approx(least_money(scores, decision.conditions), rel=1e-9)
        for row in own[1:-1:15]:
            t = float(row["threshold"])
            money = fixed_at(t, name, QUESTION)
            assert float(row["cost_per_1000"]) == pytest.approx(money, rel=1e-9)
    ends = {own["threshold"] for own in rows if not re.match(r"-?\d", own["threshold"])}
    assert ends == {"flags everybody", "flags nobody"}


def test_lines_and_references_are_as_high_as_their_money(fresh_page: Opening) -> None:
    opened = fresh_page()
    ticks = opened.page.locator(f"{AREA} .axis").nth(1).locator(".tick")
    height = {
        float((tick.text_content() or "").replace(",", "")): float(
            re.findall(r"translate\(0,([\d.]+)\)", tick.get_attribute("transform") or "")[0]
        )
        for tick in ticks.all()
    }
    low, high = min(height), max(height)

    def money(y: float) -> float:
        return low + (y - height[low]) / (height[high] - height[low]) * (high - low)

    decision = decided(QUESTION)
    rings = opened.page.locator(f"{AREA} circle.least").all()
    found = sorted(money(float(ring.get_attribute("cy") or "nan")) for ring in rings)
    best = sorted(least_money(scores, decision.conditions) for scores in SCORES.values())
    assert found == pytest.approx(best, rel=0.01)
    point = opened.page.locator(f"{AREA} .chosen.recommended .point").get_attribute("transform")
    y = float(re.findall(r",([\d.]+)\)", point or "")[0])
    assert money(y) == pytest.approx(decision.recommendation.money, rel=0.01)
    bar = opened.page.locator(f"{AREA} .chosen.recommended .interval").get_attribute("d") or ""
    bottom, top = (money(float(y)) for y in re.findall(r"M[\d.]+,([\d.]+)V([\d.]+)", bar)[0])
    interval = decision.recommendation.interval
    assert interval is not None
    assert (bottom, top) == (
        pytest.approx(interval.low, rel=0.01),
        pytest.approx(interval.high, rel=0.01),
    )
    lines = opened.page.locator(f"{AREA} line.reference").all()
    trivial = sorted(money(float(line.get_attribute("y1") or "nan")) for line in lines)
    assert trivial == pytest.approx(sorted(decision.trivial.values()), rel=0.01)
    names = opened.page.locator(f"{AREA} .reference-name").all_text_contents()
    assert names == ["flag everybody 890", "flag nobody 1,193"]


def test_names_of_near_references_stand_on_either_side(open_page: Opening) -> None:
    # Flagging everybody costs 0.5 of these, and flagging nobody about as much.
    asked = {"fn_cost": [1.02, 1.02], "prevalence": [0.5, 0.5]}
    opened = open_page(html_of(record_of(asked)))
    lines, names = (
        [one.bounding_box() for one in opened.page.locator(f"{AREA} {what}").all()]
        for what in ("line.reference", ".reference-name")
    )
    assert len(lines) == len(names) == 2
    tops = [box["y"] for box in lines if box]
    assert 0 < abs(tops[0] - tops[1]) < 18
    for box in names:
        assert box is not None
        # A box has room for a halo.
        assert not any(box["y"] + 4 < top < box["y"] + box["height"] - 4 for top in tops)


@pytest.mark.smoke
def test_keys_move_the_handle(fresh_page: Opening) -> None:
    opened = fresh_page()
    knob = opened.page.get_by_role("slider", name="Threshold", exact=True)
    knob.focus()

    def now() -> float:
        return float(knob.get_attribute("aria-valuenow") or "nan")

    start = now()
    opened.page.keyboard.press("ArrowRight")
    assert now() == pytest.approx(start + 10, abs=1.1)
    opened.page.keyboard.press("ArrowLeft")
    assert now() == pytest.approx(start, abs=1.1)
    opened.page.keyboard.press("PageUp")
    assert now() == pytest.approx(start + 100, abs=1.1)
    opened.page.keyboard.press("PageDown")
    assert now() == pytest.approx(start, abs=1.1)
    opened.page.keyboard.press("End")
    assert "flags 0 of 1,000" in (knob.get_attribute("aria-valuetext") or "")
    opened.page.keyboard.press("Home")
    assert now() == 0
    texts = opened.page.locator(f"{TRIED} data").all_inner_texts()
    said = knob.get_attribute("aria-valuetext") or ""
    assert f"flags {texts[1]} of 1,000" in said
    assert f"costs {texts[-1]}" in said


def test_the_handle_is_dragged_and_selects_no_text(fresh_page: Opening) -> None:
    opened = fresh_page()
    knob = opened.page.locator(KNOB)
    knob.scroll_into_view_if_needed()
    box = knob.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    opened.page.mouse.move(x, y)
    opened.page.mouse.down()
    assert opened.page.locator(f"{TRIED} th").inner_text().startswith("Recommended")
    opened.page.mouse.move(x + 90, y + 60, steps=4)
    moved = knob.bounding_box()
    assert moved is not None
    assert moved["x"] - box["x"] == pytest.approx(90, abs=1.5)
    opened.page.mouse.up()
    opened.page.mouse.move(x, y)
    assert knob.bounding_box() == moved
    assert opened.page.evaluate("String(getSelection())") == ""
    back = opened.page.get_by_role("button", name="Back to the recommended", exact=True)
    back.click()
    assert (knob.bounding_box() or {})["x"] == pytest.approx(box["x"])
    assert back.is_disabled()


def test_what_is_tried_is_compared_with_the_recommended(fresh_page: Opening) -> None:
    opened = fresh_page()
    put(opened, 0.7)
    rows = opened.page.locator("#threshold-chart table.trying tbody tr").all()
    tried, recommended, difference = (values(row) for row in rows)
    assert difference == pytest.approx(np.subtract(tried[1:], recommended[1:]))
    rule = decided(QUESTION).recommendation.rule
    assert rule is not None
    assert recommended[0] == rule.cuts[0]
    assert rows[2].inner_text().rstrip().endswith("more")
    # What the recommended costs is what the answer says, on held-out rows.
    money = decided(QUESTION).recommendation.money
    assert money is not None
    assert recommended[-1] == pytest.approx(money, rel=1e-9)
    assert (
        rows[1].locator("data").last.inner_text()
        == opened.page.locator("#hero data").first.inner_text()
    )


@pytest.mark.parametrize("end", ["Home", "End"])
def test_flagging_all_or_nobody_costs_what_the_answer_says_of_it(
    fresh_page: Opening, end: str
) -> None:
    opened = fresh_page()
    opened.page.get_by_role("slider", name="Threshold", exact=True).press(end)
    expected = decided(QUESTION).trivial["flag_everybody" if end == "Home" else "flag_nobody"]
    assert values(opened.page.locator(TRIED))[-1] == pytest.approx(expected, rel=1e-9)


def test_another_model_is_tried(fresh_page: Opening) -> None:
    opened = fresh_page()
    opened.page.get_by_label("Threshold of").select_option("third")
    *_, money = values(opened.page.locator(TRIED))
    least = least_money(SCORES["third"], decided(QUESTION).conditions)
    assert money == pytest.approx(least + held_out_beyond_line(QUESTION), rel=1e-9)
    assert "positives of third" in drawn(opened)


def test_scores_of_both_classes_are_shared_out_in_full(fresh_page: Opening) -> None:
    opened = fresh_page()
    bars = """(kind) => [...document.querySelectorAll(`#threshold-chart rect.tally.${kind}`)]
        .reduce((sum, bar) => sum + Number(bar.getAttribute("height")), 0)"""
    flagged = [opened.page.evaluate(bars, f"{kind}.flagged") for kind in ("positives", "negatives")]
    everything = [opened.page.evaluate(bars, kind) for kind in ("positives", "negatives")]
    t = values(opened.page.locator(TRIED))[0]
    model = opened.page.locator(f"{TRIED} th small bdi").inner_text()
    for share, label in zip(np.divide(flagged, everything), (1, 0), strict=True):
        expected = np.mean(SCORES[model][label == Y] > t)
        assert share == pytest.approx(expected, abs=0.04)


@pytest.mark.parametrize(
    "limits",
    [
        {"capacity": 0.2},
        {"min_recall": 0.8},
        {"max_fpr": 0.1},
        {"min_precision": 0.4},
        {"min_npv": 0.95},
    ],
)
def test_lines_are_pale_where_a_limit_is_broken(
    open_page: Opening, limits: dict[str, float]
) -> None:
    opened = open_page(html_of(record_of({"limits": limits})))
    assert opened.page.locator(f"{AREA} path.curve.broken").count() >= 3
    assert "a limit is broken" in opened.page.locator("#threshold-chart").inner_text()
    # Where nobody is flagged there are no false positives and no true ones.
    box = opened.page.locator(f"{AREA} .axis .domain").first.bounding_box()
    assert box is not None
    ends = opened.page.evaluate(
        """() => [...document.querySelectorAll("#threshold-chart path.curve.broken")]
            .map((path) => path.getBBox()).map(({x, width}) => [x, x + width])"""
    )
    at_end = any(high > box["width"] - 2 for _, high in ends)
    assert at_end == ("min_recall" in limits or "min_npv" in limits)


def test_without_limits_no_line_is_pale(shared_page: Opening) -> None:
    opened = shared_page()
    assert opened.page.locator(f"{AREA} path.curve.broken").count() == 0
    assert "limit" not in opened.page.locator("#threshold-chart").inner_text()


def test_a_rule_in_use_is_marked(open_page: Opening) -> None:
    opened = open_page(html_of(record_of({"baseline": {"model": "second", "threshold": 0.4}})))
    at = opened.page.locator(f"{AREA} .chosen.in-use .point").get_attribute("transform") or ""
    x = float(re.findall(r"translate\(([\d.]+)", at)[0])
    box = opened.page.locator(f"{AREA} .axis .domain").first.bounding_box()
    assert box is not None
    assert x == pytest.approx(0.4 * box["width"], abs=1)
    assert "The rule in use" in drawn(opened)


def test_a_rule_that_follows_conditions_is_a_level(open_page: Opening) -> None:
    opened = open_page(html_of(record_of({"known": ["costs", "prevalence"]})))
    assert opened.page.locator(f"{AREA} .chosen .level").count() == 1
    assert opened.page.locator(f"{AREA} .chosen .point").count() == 0


def rare() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(2)
    y = (rng.random(6000) < 0.01).astype(int)
    return y, {"rare": 1 / (1 + np.exp(5.5 - 2.5 * y - rng.normal(size=6000)))}


def unlike() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(3)
    y = (rng.random(500) < 0.3).astype(int)
    return y, {"small": rng.normal(y, 1), "large": 900 + 400 * rng.normal(y, 1.5)}


@pytest.mark.parametrize(
    ("sample", "kind", "others"),
    [
        (rare, "log-odds", ["linear", "log-odds", "share flagged"]),
        (unlike, "share flagged", ["linear", "share flagged"]),
    ],
)
def test_scores_have_the_scale_that_tells_thresholds_apart(
    open_page: Opening, sample: Callable[[], Any], kind: str, others: list[str]
) -> None:
    y, scores = sample()
    record = record_of({"fn_cost": [50.0, 50.0], "prevalence": [0.02, 0.02]}, scores, y)
    opened = open_page(html_of(record))
    select = opened.page.locator("#threshold-chart .chart-controls select").first
    assert select.locator("option").all_inner_texts() == [f"automatic: {kind}", *others]
    axis = opened.page.locator(f"{AREA} .axis").first
    assert axis.locator(".tick").count() >= 3
    before = axis.text_content()
    put(opened, 0.5)
    t = values(opened.page.locator(TRIED))[0]
    select.select_option("score")
    assert axis.text_content() != before
    # The threshold stays what it is.
    assert values(opened.page.locator(TRIED))[0] == t
    put(opened, 0.5)
    low, high = (
        (0, 1) if sample is rare else np.percentile(np.concatenate([*scores.values()]), [0, 100])
    )
    assert values(opened.page.locator(TRIED))[0] == pytest.approx((low + high) / 2, rel=0.02)


def test_shares_flagged_are_those_at_deployment(open_page: Opening) -> None:
    y, scores = unlike()
    opened = open_page(
        html_of(record_of({"fn_cost": [5.0, 5.0], "prevalence": [0.1, 0.1]}, scores, y))
    )
    put(opened, 0.75)
    _, flagged, *_ = values(opened.page.locator(TRIED))
    assert flagged == pytest.approx(250, abs=5)


def test_without_a_question_there_is_no_chart(open_page: Opening, unasked_html: str) -> None:
    opened = open_page(unasked_html)
    assert opened.page.locator("#threshold-chart").get_attribute("hidden") is not None


def test_money_has_the_currency_that_is_typed(fresh_page: Opening) -> None:
    opened = fresh_page()
    opened.page.fill("#currency", "€")
    opened.page.keyboard.press("Tab")
    assert "flag nobody €1,193" in drawn(opened)
    opened.page.fill("#cases", "50000")
    opened.page.keyboard.press("Tab")
    # Long amounts have rows, all of them in sight.
    table = opened.page.locator("#threshold-chart table.trying")
    rows = table.locator("tbody tr").all()
    assert "50,000" in rows[-1].inner_text()
    (per,), (altogether,) = map(values, rows[-2:])
    assert altogether == pytest.approx(50 * per)
    inside = "(table) => table.scrollWidth <= table.closest('.trying, .scroll').clientWidth"
    assert table.evaluate(inside)


@pytest.mark.parametrize("more", [{"batch": 10}, {"prevalence": [0.1, 0.3]}])
def test_a_queue_is_the_one_of_the_answer(fresh_page: Opening, more: dict[str, Any]) -> None:
    asked = {"limits": {"capacity": 0.2}, **more}
    decision = decided({**QUESTION, **asked})
    assert decision.recommendation.choice == "queue"
    opened = fresh_page(html_of(record_of(asked)))
    _, flagged, tp, fn, fp, money = values(opened.page.locator(TRIED))
    found = decision.outcomes()
    assert [flagged, tp, fn, fp, money] == pytest.approx(
        [
            found.flagged.value,
            found.true_positives.value,
            found.false_negatives.value,
            found.false_positives.value,
            decision.recommendation.money,
        ]
    )
    stated = opened.page.locator(f"{TRIED} th").inner_text()
    assert stated.endswith(": flag the top 20 % of the queue")
    mark = "Band" if "batch" in more else "Diamond"
    assert f"{mark}: on held-out rows" in opened.text("#threshold-chart")


def test_bars_are_of_all_cases_or_of_each_class(open_page: Opening) -> None:
    rarely = {"fn_cost": [50.0, 50.0], "prevalence": [0.02, 0.02]}
    opened = open_page(html_of(record_of(rarely)))

    def area(kind: str) -> float:
        bars = opened.page.locator(f"#threshold-chart rect.tally.{kind}").all()
        return sum(
            float(str(bar.get_attribute("width"))) * float(str(bar.get_attribute("height")))
            for bar in bars
        )

    assert area("positives") / area("negatives") == pytest.approx(0.02 / 0.98, rel=0.15)
    opened.page.get_by_label("Bars").select_option("class")
    assert area("positives") / area("negatives") == pytest.approx(1, rel=0.15)


def test_nothing_is_drawn_beyond_the_panel_of_costs(open_page: Opening) -> None:
    limited = {"fp_cost": [5.0, 5.0], "fn_cost": [1.0, 1.0], "limits": {"min_recall": 0.6}}
    opened = open_page(html_of(record_of(limited)))
    clip = opened.page.locator("#threshold-chart clipPath rect")
    bottom = float(str(clip.get_attribute("height")))
    rings = opened.page.locator("#threshold-chart circle.least").all()
    assert all(0 <= float(str(ring.get_attribute("cy"))) <= bottom for ring in rings)
    scores = opened.page.locator("#threshold-chart rect.tally").all()
    assert all(float(str(bar.get_attribute("y"))) >= bottom for bar in scores)


def test_what_batches_and_places_are_worth_is_told(fresh_page: Opening) -> None:
    opened = fresh_page(html_of(record_of({"limits": {"capacity": 0.2}})))
    opened.page.fill("#batch", "10")
    decision = decided({**QUESTION, "limits": {"capacity": 0.2}, "batch": 10})
    worth = decision.places_worth[decision.recommendation.model]
    told = opened.page.get_by_text("batches twice as long would save")
    told.wait_for()
    amounts = [float(x) for x in re.findall(r"(?:save|cost) (\d+(?:\.\d+)?)", told.inner_text())]
    found = [worth.twice_the_batch, worth.one_more_place, worth.one_queue]
    assert amounts == pytest.approx([abs(x) for x in found], rel=0.05)
    opened.page.fill("#batch", "")
    opened.settle()
    assert told.count() == 0


@pytest.mark.parametrize(("at", "per"), [(12345678, 40), (0.5, 1e-9)])
def test_thresholds_have_the_digits_that_tell_scores_apart(
    open_page: Opening, at: float, per: float
) -> None:
    generator = np.random.default_rng(0)
    scores = {"m": at + per * (generator.normal(size=len(Y)) + 1.5 * Y)}
    opened = open_page(html_of(record_of({}, scores)))
    opened.page.locator(KNOB).press("ArrowRight")
    opened.settle()
    tried = re.search(r"flagging scores above (\S+) costs", opened.text("#counts"))
    row = re.search(r"m above (\S+)", opened.text(TRIED))
    lowest = re.search(
        r"Lowest on each line: m \S+ at (\S+?)\.?\s", opened.text("#threshold-chart")
    )
    for one in (tried, row, lowest):
        assert one is not None
        flagged = np.mean(scores["m"] > float(one[1].replace("\u2212", "-")))
        assert 0.05 < flagged < 0.95, one[0]
