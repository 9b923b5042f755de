"""The report's page, driven in a browser: what it shows, and that it is the library's numbers."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from foreign import RecallReached
from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, Request

import costspace as cs
from costspace.decision.words import money_shown
from costspace.report.decided import decision_dict
from costspace.report.gathering import contents
from costspace.report.page import to_html

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src/costspace/report/static"
# The full value of an element with a number.
VALUE = "(number) => number.getAttribute('value') || 'nan'"
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 380, "height": 800}
KNOWN = {"fp_cost": 1.0, "fn_cost": (5.0, 20.0), "prevalence": (0.05, 0.2)}
# What the page calls threshold choices, and what they are at a prevalence.
CHOICES: dict[str, Callable[[float], cs.ThresholdChoice]] = {
    "Optimal": lambda _: cs.Optimal(),
    "Score-driven": lambda p: cs.ScoreDriven(calibrated_to=p),
    "Score-driven, uncorrected": lambda _: cs.ScoreDriven(),
    "Rate-driven": lambda _: cs.RateDriven(),
    "Fixed at 0.5": lambda _: cs.ScoreFixed(0.5),
    "Score-uniform": lambda _: cs.ScoreUniform(),
    "Rate-uniform": lambda _: cs.RateUniform(),
}


def sample(seed: int = 7, n: int = 400) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    mean = {"first": 1.6, "second": 1.1, "third": 0.8}
    scores = {name: rng.normal(d * y - 1.0, 1.0) for name, d in mean.items()}
    # Ties, and scores that are no probabilities of theirs.
    return y, {name: np.round(1 / (1 + np.exp(-s)), 2) for name, s in scores.items()}


Y, SCORES = sample()
TABLES = {name: cs.ScoreTable.from_predictions(Y, s) for name, s in SCORES.items()}
CONTENTS = contents(Y, SCORES, **KNOWN)
HTML = to_html(CONTENTS)


class Opened:
    """A page, what it asked for from elsewhere, and what it complained of."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page, self.path = page, path
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", self._heard)
        page.on("pageerror", self._failed)
        page.on("request", self._asked)
        page.mouse.move(0, 0)
        page.goto(path.as_uri())
        page.wait_for_selector("html.ready")

    def _heard(self, message: ConsoleMessage) -> None:
        self.complaints.append(message.text)

    def _failed(self, error: Error) -> None:
        self.complaints.append(str(error))

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)

    def leave(self) -> None:
        """Let another page be opened in its place."""
        # What was asked for last may still be told.
        self.page.evaluate("0")
        self.page.remove_listener("console", self._heard)
        self.page.remove_listener("pageerror", self._failed)
        self.page.remove_listener("request", self._asked)

    def values(self, selector: str) -> list[float]:
        """The full values of the numbers within an element."""
        found = self.page.locator(f"{selector} data").evaluate_all(f"all => all.map({VALUE})")
        return list(map(float, found))

    def rows(self, selector: str) -> dict[str, list[float]]:
        """The numbers of a table's rows, by what a row begins with, once all are there."""
        self.page.wait_for_selector("#money[aria-busy=false]")
        rows = self.page.locator(f"{selector} tbody tr").evaluate_all(
            f"""all => all.map((row) => [
                row.querySelector("th").innerText.trim(),
                [...row.querySelectorAll("data")].map({VALUE}),
            ])"""
        )
        return {name: list(map(float, values)) for name, values in rows}

    def type(self, key: str, low: object, high: object = "") -> None:
        self.page.fill(f"#{key}-to", "")
        self.page.fill(f"#{key}-from", str(low))
        self.page.fill(f"#{key}-to", str(high))

    def tick(self, label: str, *, on: bool = True) -> None:
        self.page.get_by_label(label, exact=True).first.set_checked(on)

    def paths(self, selector: str) -> list[str]:
        drawn = "all => all.map((path) => String(path.getAttribute('d')))"
        return list(self.page.locator(selector).evaluate_all(drawn))


@pytest.fixture(scope="module")
def first_page(browser: Browser) -> Iterator[Page]:
    """Where the first page of every test is opened, since a browser takes long to make such."""
    context = browser.new_context(viewport=WIDE)
    yield context.new_page()
    context.close()


@pytest.fixture
def open_page(
    browser: Browser, first_page: Page, tmp_path: Path
) -> Iterator[Callable[..., Opened]]:
    opened: list[Opened] = []

    def opening(html: str = HTML, **options: Any) -> Opened:
        path = tmp_path / f"page{len(opened)}.html"
        path.write_text(html)
        new = bool(options or opened)
        page = browser.new_page(**{"viewport": WIDE, **options}) if new else first_page
        opened.append(Opened(page, path))
        return opened[-1]

    yield opening
    for one in opened:
        one.leave()
        if one.page != first_page:
            one.page.close()
        assert one.complaints == []
        assert {url for url in one.requests if not url.startswith("data:")} == {one.path.as_uri()}


def deployment(known: Mapping[str, Any]) -> cs.Deployment:
    return cs.Deployment(**known)


def single_rule(table: cs.ScoreTable, known: cs.Deployment) -> tuple[float, cs.Rule]:
    """The best single rule's money per 1,000 cases, and the rule."""
    skew = known.negative_stake / known.stake
    balanced = table.with_prevalence(0.5)
    rule = cs.threshold_path(balanced, cs.Optimal()).rule_at(skew)
    point = rule.on(table)
    money = known.negative_stake * point.fpr + known.positive_stake * point.fnr
    return 1000 * float(money), rule


@pytest.mark.parametrize(
    "known",
    [
        {"fp_cost": 1.0, "fn_cost": 7.0, "prevalence": 0.3},
        {"fp_cost": 2.5, "fn_cost": 1.0, "prevalence": 0.08},
        {"fp_cost": (1.0, 3.0), "fn_cost": (5.0, 80.0), "prevalence": 0.1},
        {"fp_cost": (0.5, 2.0), "fn_cost": (2.0, 9.0), "prevalence": (0.02, 0.4)},
    ],
)
def test_what_is_typed_in_is_answered_with_the_numbers_of_the_library(
    open_page: Callable[..., Opened], known: dict[str, Any]
) -> None:
    opened = open_page()
    for key, amount in known.items():
        low, high = amount if isinstance(amount, tuple) else (amount, "")
        opened.type(key.replace("_", "-"), low, high)
    conditions = deployment(known)
    nobody, everybody = 1000 * conditions.positive_stake, 1000 * conditions.negative_stake

    shown = opened.rows("#money")
    for label, choice in CHOICES.items():
        expected = [
            cs.expected_money(table, choice=choice(table.prevalence), conditions=conditions)
            for table in TABLES.values()
        ]
        assert shown[label] == pytest.approx(expected, rel=1e-6), label
    assert shown["Flag nobody"] == pytest.approx([nobody] * 3, rel=1e-9)
    assert shown["Flag everybody"] == pytest.approx([everybody] * 3, rel=1e-9)

    single = {name: single_rule(table, conditions) for name, table in TABLES.items()}
    best = min(single, key=lambda name: single[name][0])
    money, rule = single[best]
    assert opened.values("#comparison") == pytest.approx(
        [*(amount for amount, _ in single.values()), nobody, everybody], rel=1e-9
    )
    said = opened.page.locator("#answer").inner_text()
    assert f"Use {best}: {rule}." in said
    assert opened.values("#answer")[0] == pytest.approx(money, rel=1e-9)
    marks = opened.page.locator("#histograms text.cut").all_text_contents()
    assert marks == [f"flag above {one.thresholds[0]:g}" for _, one in single.values()]

    point, p = rule.on(TABLES[best]), conditions.mean_prevalence
    fpr, fnr = float(point.fpr), float(point.fnr)
    counts = [
        1000 * p * (1 - fnr),
        1000 * p * fnr,
        1000 * (1 - p) * fpr,
        1000 * (1 - p) * (1 - fpr),
    ]
    assert opened.values("#confusion") == pytest.approx(counts, rel=1e-9)


def test_where_no_model_is_worth_using_it_says_so(open_page: Callable[..., Opened]) -> None:
    opened = open_page(to_html(contents(Y, 0.5 + 0 * Y, intervals=False)))
    opened.type("fp-cost", 3)
    said = opened.page.locator("#answer").inner_text()
    assert said.startswith("Flag nobody.")
    assert "No threshold of the models shown does better." in said
    opened.type("fn-cost", 9)
    assert opened.page.locator("#answer").inner_text().startswith("Flag everybody.")


def test_what_is_no_cost_is_refused_and_the_answer_stays(open_page: Callable[..., Opened]) -> None:
    page = open_page().page
    before = page.locator("#answer").inner_text()
    for typed in ("", "abc", "-1", "0", "1,5", "0x10", "1e999", "1e60"):
        page.fill("#fp-cost-from", typed)
        said = page.locator("#fp-cost-error").inner_text()
        assert said.startswith("Give a cost above 0"), typed
        assert page.get_attribute("#fp-cost-from", "aria-invalid") == "true", typed
        assert page.locator("#answer").inner_text() == before, typed
        page.fill("#fp-cost-from", "1")
        assert page.locator("#fp-cost-error").inner_text() == "", typed
        assert page.get_attribute("#fp-cost-from", "aria-invalid") is None, typed


def test_an_answer_to_other_inputs_than_those_typed_is_put_aside(
    open_page: Callable[..., Opened],
) -> None:
    opened = open_page()
    page = opened.page

    def dimmed(place: str) -> bool:
        return bool(page.evaluate(f"Number(getComputedStyle({place}).opacity) < 0.5"))

    places = ("answer", "money", "readout", "surface", "histograms")
    answers = [f"document.getElementById('{name}')" for name in places]
    answers.append("document.getElementById('confusion').closest('.two')")
    opened.type("fn-cost", 150, 600)
    assert not any(map(dimmed, answers))
    assert page.locator("#unanswered").inner_text() == ""
    page.fill("#fn-cost-from", "600")
    page.fill("#fn-cost-to", "150")
    assert all(map(dimmed, answers))
    assert page.locator("#answer").get_attribute("aria-busy") == "true"
    said = "The answer is to the last inputs that could be used: false positives at 1"
    assert said in page.locator("#unanswered").inner_text()
    assert "false negatives at 600, prevalence" in page.locator("#unanswered").inner_text()
    assert not dimmed("document.getElementById('unanswered')")
    # Another field that is fine leaves it so.
    page.fill("#fp-cost-from", "2")
    assert "false positives at 2" in page.locator("#unanswered").inner_text()
    page.fill("#fn-cost-from", "100")
    assert not any(map(dimmed, answers))
    assert page.locator("#answer").get_attribute("aria-busy") == "false"
    assert page.locator("#unanswered").inner_text() == ""
    page.fill("#prevalence-from", "2")
    assert all(map(dimmed, answers))
    page.get_by_role("button", name="Back to what the page came with").click()
    assert not any(map(dimmed, answers))


def test_a_range_has_its_ends_in_order(open_page: Callable[..., Opened]) -> None:
    opened = open_page()
    opened.page.fill("#prevalence-from", "0.4")
    assert "must not be above the second" in opened.page.locator("#prevalence-error").inner_text()
    opened.page.fill("#prevalence-to", "1")
    assert "above 0 and below 1" in opened.page.locator("#prevalence-error").inner_text()
    opened.page.get_by_role("button", name="Back to what the page came with").click()
    assert opened.page.input_value("#prevalence-from") == "0.05"
    assert opened.page.locator("#prevalence-error").inner_text() == ""


def test_another_prevalence_redraws_curves_from_the_rates_of_the_classes(
    open_page: Callable[..., Opened],
) -> None:
    opened = open_page()
    roc, cost = opened.paths("#roc path.curve"), opened.paths("#cost path.curve")
    assert len(roc) == 6
    assert len(cost) == 3
    opened.type("prevalence", 0.5)
    opened.type("fn-cost", 1)
    assert opened.paths("#roc path.curve") == roc
    assert all(a != b for a, b in zip(opened.paths("#cost path.curve"), cost, strict=True))
    shown = opened.rows("#readout")
    for name, table in TABLES.items():
        curve = cs.loss_curve(table, choice=cs.Optimal(), prevalence=0.5)
        assert shown[name][-1] == pytest.approx(curve(0.5), rel=1e-9)


def box_of(locator: Locator) -> tuple[float, float, float, float]:
    box = locator.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["width"], box["height"]


def test_a_condition_pointed_at_shows_points_and_thresholds_of_every_model(
    open_page: Callable[..., Opened],
) -> None:
    opened = open_page()
    opened.type("prevalence", 0.2)
    events = opened.page.locator("#cost .events")
    events.scroll_into_view_if_needed()
    x, y, width, height = box_of(events)
    opened.page.mouse.move(x + 0.3 * width, y + height / 2)
    said = opened.page.locator("#readout .at").inner_text()
    assert said.startswith("Looking at cost proportion 0.3")
    shown = opened.rows("#readout")
    for name, table in TABLES.items():
        fpr, tpr, loss = shown[name]
        curve = cs.loss_curve(table, choice=cs.Optimal(), prevalence=0.2)
        # Where exactly the pointer is, a browser rounds.
        assert loss == pytest.approx(curve(0.3), abs=2e-3)
        assert fpr in table.distinct_points.fpr
        assert 1 - tpr == pytest.approx(
            table.distinct_points.fnr[table.distinct_points.fpr == fpr].min()
        )
    assert opened.page.locator("#roc line.isometric").count() == 1
    assert opened.page.locator("#roc path.marker").count() == 3
    opened.page.mouse.move(5, 5)
    assert opened.page.locator("#readout .at").inner_text().startswith("At your costs")


def test_a_roc_point_pointed_at_lights_up_its_cost_line(open_page: Callable[..., Opened]) -> None:
    opened = open_page()
    events = opened.page.locator("#roc .events")
    events.scroll_into_view_if_needed()
    x, y, width, height = box_of(events)
    assert opened.page.locator("#cost .cost-line").count() == 0
    point = TABLES["first"].by_skew.corners
    k = len(point.fpr) // 2
    opened.page.mouse.move(x + point.fpr[k] * width, y + point.fnr[k] * height)
    assert opened.page.locator("#cost .cost-line").count() == 1
    said = opened.page.locator("#roc-pointed").inner_text()
    assert re.fullmatch(r"first: FPR 0\.\d+, TPR 0\.\d+, threshold 0\.\d+", said)
    assert float(said.split("FPR ")[1].split(",")[0]) == pytest.approx(point.fpr[k], abs=1e-3)
    opened.page.mouse.move(x + 0.9 * width, y + 0.9 * height)
    assert opened.page.locator("#cost .cost-line").count() == 0


def mean_losses(
    low: float, high: float, prevalence: float, axis: str = "cost", choice: Any = None
) -> list[float]:
    choice = cs.Optimal() if choice is None else choice
    return [
        cs.expected_loss(
            table, choice=choice, costs=cs.Uniform(low, high), axis=axis, prevalence=prevalence
        )
        for table in TABLES.values()
    ]


def test_a_range_that_is_brushed_has_the_mean_losses_of_the_library(
    open_page: Callable[..., Opened],
) -> None:
    opened = open_page()
    opened.type("prevalence", 0.25)
    strip = opened.page.locator("#brush .overlay")
    strip.scroll_into_view_if_needed()
    x, y, width, height = box_of(strip)
    opened.page.mouse.move(x + 0.5 * width, y + height / 2)
    opened.page.mouse.down()
    opened.page.mouse.move(x + 0.8 * width, y + height / 2, steps=5)
    opened.page.mouse.up()
    low, high, *means = opened.values("#means")
    assert low == pytest.approx(0.5, abs=2e-3)
    assert high == pytest.approx(0.8, abs=2e-3)
    assert low * 2000 == pytest.approx(round(low * 2000), abs=1e-9)
    assert means == pytest.approx(mean_losses(low, high, 0.25), rel=1e-6)


def test_ends_of_a_range_move_by_keyboard_on_every_axis(open_page: Callable[..., Opened]) -> None:
    opened = open_page()
    opened.type("prevalence", 0.25)
    for axis, scale in product(["Cost proportion", "Skew", "PC(+)"], ["Linear", "Logit"]):
        opened.tick(axis)
        opened.tick(scale)
        opened.page.focus("#range-low")
        opened.page.keyboard.press("Home")
        opened.page.keyboard.press("PageUp")
        opened.page.focus("#range-high")
        opened.page.keyboard.press("End")
        opened.page.keyboard.press("PageDown")
        opened.page.keyboard.press("ArrowLeft")
        low, high, *means = opened.values("#means")
        assert 0 < low < 0.2, (axis, scale)
        assert 0.8 < high < 1, (axis, scale)
        ends = (1 - high, 1 - low) if axis == "PC(+)" else (low, high)
        kind = "cost" if axis == "Cost proportion" else "skew"
        assert means == pytest.approx(mean_losses(*ends, 0.25, kind), rel=1e-6), (axis, scale)


def test_the_ends_of_a_range_push_each_other_along(open_page: Callable[..., Opened]) -> None:
    opened = open_page()
    opened.page.focus("#range-high")
    opened.page.keyboard.press("Home")
    assert opened.values("#means")[:2] == [0, 1 / 2000]
    opened.page.focus("#range-low")
    opened.page.keyboard.press("End")
    assert opened.values("#means")[:2] == [1999 / 2000, 1]


def test_threshold_choices_and_models_are_chosen(open_page: Callable[..., Opened]) -> None:
    opened = open_page()
    opened.type("prevalence", 0.25)
    opened.tick("Fixed at 0.5")
    opened.tick("Optimal", on=False)
    opened.tick("second", on=False)
    assert opened.page.locator("#cost path.curve").count() == 2
    assert list(opened.rows("#means")) == ["Fixed at 0.5"]
    low, high, *means = opened.values("#means")
    expected = mean_losses(low, high, 0.25, choice=cs.ScoreFixed(0.5))
    assert means == pytest.approx([expected[0], expected[2]], rel=1e-6)
    assert "second" not in opened.page.locator("#money thead").inner_text()
    # What is left last stays.
    opened.tick("first", on=False)
    opened.page.get_by_label("third", exact=True).first.click()
    assert opened.page.get_by_label("third", exact=True).first.is_checked()
    opened.page.get_by_label("Fixed at 0.5", exact=True).first.click()
    assert opened.page.get_by_label("Fixed at 0.5", exact=True).first.is_checked()


def test_it_works_by_keyboard_alone(open_page: Callable[..., Opened]) -> None:
    opened = open_page()
    page = opened.page
    reached = []
    for _ in range(80):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.id || document.activeElement.name || ''")
        )
    wanted = ["fp-cost-from", "fp-cost-to", "prevalence-to", "model", "choice", "axis", "scale"]
    wanted += ["roc-model", "roc-along", "look", "range-low", "range-high", "surface-kind"]
    assert set(wanted) <= set(reached)

    page.focus("#fn-cost-to")
    page.keyboard.press("Control+A")
    page.keyboard.type("200")
    assert "skew" in page.locator("#answer").inner_text()
    assert opened.rows("#money")["Flag nobody"][0] == pytest.approx(
        1000 * deployment({**KNOWN, "fn_cost": (5.0, 200.0)}).positive_stake
    )
    page.focus("#roc-along")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert page.locator("#cost .cost-line").count() == 1
    opened.tick("first", on=False)
    page.focus("#roc-along")
    page.keyboard.press("ArrowRight")
    assert page.locator("#roc path.curve").count() == 6
    assert page.get_by_label("first", exact=True).first.is_checked()
    page.focus("#look")
    page.keyboard.press("End")
    assert page.locator("#readout .at").inner_text().startswith("Looking at cost proportion 1,")
    page.keyboard.press("Home")
    page.get_by_role("button", name="Back", exact=True).press("Enter")
    assert page.locator("#readout .at").inner_text().startswith("At your costs")


def test_a_condition_looked_at_becomes_the_costs(open_page: Callable[..., Opened]) -> None:
    opened = open_page()
    opened.type("fn-cost", 4)
    opened.type("prevalence", 0.3)
    opened.page.locator("#look").fill("200")
    opened.page.get_by_role("button", name="Use as costs").click()
    assert opened.page.input_value("#fp-cost-from") == "1"
    assert opened.page.input_value("#fn-cost-from") == "4"
    assert "Cost proportion 0.2;" in opened.page.locator("#answer").inner_text()


def test_the_surface_turns_by_keys_and_by_dragging(open_page: Callable[..., Opened]) -> None:
    opened = open_page()
    surface = opened.page.locator("#surface svg")
    surface.scroll_into_view_if_needed()
    polygons = surface.locator("polygon")
    polygons.first.wait_for(state="attached")
    assert polygons.count() > 400
    states = {polygons.first.get_attribute("points")}
    surface.focus()
    opened.page.keyboard.press("ArrowLeft")
    states.add(polygons.first.get_attribute("points"))
    x, y, width, height = box_of(surface)
    opened.page.mouse.move(x + width / 2, y + height / 2)
    opened.page.mouse.down()
    opened.page.mouse.move(x + width / 2 + 40, y + height / 2 + 10)
    opened.page.mouse.up()
    states.add(polygons.first.get_attribute("points"))
    assert len(states) == 3
    opened.page.select_option("#surface-kind", "roc")
    assert "ROC surface of the best of first, second, third" in str(
        surface.get_attribute("aria-label")
    )
    opened.page.select_option("#surface-model", "1")
    assert "ROC surface of second" in str(surface.get_attribute("aria-label"))


def test_tables_show_every_metric_with_its_interval(open_page: Callable[..., Opened]) -> None:
    opened = open_page()
    evaluation = cs.evaluate(Y, SCORES, intervals=True)
    found = opened.values("#metrics")
    models = evaluation.models.values()
    metrics = [
        model.metrics[name] for name in evaluation.models["first"].metrics for model in models
    ]
    assert found[: len(metrics)] == pytest.approx(metrics, rel=1e-12)
    losses = {
        model.expected_loss[axis][choice]
        for model in models
        for axis in ("cost", "skew")
        for choice in model.expected_loss[axis]
    }
    assert losses <= set(found)
    text = opened.page.locator("#metrics").inner_text()
    auc = evaluation.models["first"].intervals.metrics["auc"]
    assert f"{auc.low:.4f} to {auc.high:.4f}" in text
    assert text.index("Expected loss on the cost axis") < text.index("on the skew axis")


def test_the_axis_that_was_asked_for_comes_first(open_page: Callable[..., Opened]) -> None:
    opened = open_page(
        to_html(contents(Y, SCORES, axis="skew", costs=cs.Point(0.2), intervals=False))
    )
    heading = opened.page.locator("#metrics h3").first.inner_text()
    assert heading == "Expected loss on the skew axis, conditions point(0.2)"


def test_a_decision_is_shown_if_there_is_one(open_page: Callable[..., Opened]) -> None:
    assert not open_page().page.locator("#decision").is_visible()
    decision = cs.decide(Y, SCORES, conditions=deployment(KNOWN))
    opened = open_page(to_html(contents(Y, SCORES, **KNOWN, decision=decision)))
    said = opened.page.locator("#decision").inner_text()
    assert decision.recommendation.text in said
    assert "for false positives at 1, false negatives at 5 to 20, prevalence 0.05 to 0.2;" in said
    totals = [model.reacting.total for model in decision.models.values() if model.reacting]
    assert set(totals) <= set(opened.values("#budget"))
    rows = opened.page.locator("#decision tbody tr")
    assert rows.count() > 0


DECISION = cs.decide(Y, SCORES, conditions=deployment(KNOWN))
DECIDED = to_html(contents(Y, SCORES, **KNOWN, decision=DECISION, intervals=False))


def test_the_answer_is_the_decision_on_rows_held_out_while_it_is_asked_for_that(
    open_page: Callable[..., Opened],
) -> None:
    opened = open_page(DECIDED)
    answer = opened.page.locator("#answer")
    first, *_ = decision_dict(DECISION)["sentences"]
    assert answer.locator(".headline").inner_text() == first
    assert DECISION.recommendation.text in " ".join(answer.inner_text().split())

    money: dict[str | None, float] = {}
    for one in DECISION.strategies:
        name = one.strategy.model
        if one.strategy != DECISION.strategy:
            money[name] = min(one.money, money.get(name, np.inf))
    own = DECISION.recommendation
    money[own.model] = own.money or np.nan
    assert opened.values("#comparison")[:-2] == [money[name] for name in SCORES]
    assert opened.values("#comparison")[-2:] == list(DECISION.trivial.values())
    assert opened.values("#comparison .best") == [DECISION.recommendation.money]
    assert opened.page.locator("#h-comparison").inner_text().endswith("on rows held out")
    # What is recommended is counted as it is judged.
    _, fn, fp, _ = opened.values("#confusion")
    conditions = deployment(KNOWN)
    p = conditions.mean_prevalence
    per_fp, per_fn = conditions.negative_stake / (1 - p), conditions.positive_stake / p
    assert per_fp * fp + per_fn * fn == pytest.approx(own.money)
    assert f"{own.model}, Smoothed, on rows held out" in (
        opened.page.locator("#confusion").inner_text()
    )


def test_other_inputs_are_answered_with_how_much_that_flatters(
    open_page: Callable[..., Opened],
) -> None:
    opened = open_page(DECIDED)
    answer = opened.page.locator("#answer")
    before = answer.inner_text()
    opened.type("fn-cost", 5, 19)
    name = answer.locator(".headline .name").inner_text()
    single = DECISION.models[name].single
    assert single is not None
    assert single.held_out > single.money
    caution = answer.locator(".caution").inner_text()
    assert caution.startswith("Chosen and judged on the same rows, which flatters it")
    assert f"for {name} cost {money_shown(single.held_out)} there" in caution
    assert f"not {money_shown(single.money)} as on the same rows" in caution
    assert "on the same rows" in opened.page.locator("#h-comparison").inner_text()
    answer.get_by_role("link", name="the decision on rows held out").click()
    assert opened.page.url.endswith("#h-decision")
    opened.page.get_by_role("button", name="Back to what the page came with").click()
    assert answer.inner_text() == before
    opened.tick("third", on=False)
    assert answer.locator(".caution").count() == 1


def test_without_a_decision_it_says_that_thresholds_are_judged_on_their_own_rows(
    open_page: Callable[..., Opened],
) -> None:
    caution = open_page().page.locator("#answer .caution").inner_text()
    assert "same rows, which flatters it" in caution
    assert "--fp-cost and --fn-cost" in caution


@pytest.mark.parametrize(
    "known",
    [
        {"fp_cost": 1.0, "fn_cost": 7.0, "prevalence": 0.3},
        {"fp_cost": 1.0, "fn_cost": 200.0, "prevalence": 0.3},
        {"fp_cost": (100.0, 300.0), "fn_cost": 1.0, "prevalence": (0.1, 0.2)},
    ],
)
def test_one_rule_that_is_recommended_is_the_one_that_is_counted(
    open_page: Callable[..., Opened], known: dict[str, Any]
) -> None:
    decision = cs.decide(Y, SCORES, conditions=deployment(known))
    found = decision.recommendation
    assert found.rule is not None
    opened = open_page(to_html(contents(Y, SCORES, **known, decision=decision, intervals=False)))
    assert opened.values("#comparison .best") == [found.money]
    tp, fn, fp, _ = opened.values("#confusion")
    outcomes = decision.outcomes()
    assert [tp, fn, fp] == pytest.approx(
        [outcomes.found.value, outcomes.missed.value, outcomes.false_alarms.value], abs=1e-9
    )


@pytest.mark.parametrize(
    ("fn_cost", "choices"),
    [
        (KNOWN["fn_cost"], [cs.ScoreFixed(0.4)]),
        (KNOWN["fn_cost"], [cs.RateFixed(0.1), RecallReached()]),
        (7.0, [RecallReached()]),
    ],
)
def test_a_foreign_choice_is_shown_under_its_own_name(
    open_page: Callable[..., Opened],
    fn_cost: Any,
    choices: list[cs.ThresholdChoice],
) -> None:
    known = {**KNOWN, "fn_cost": fn_cost, "prevalence": 0.1}
    decision = cs.decide(Y, SCORES, conditions=deployment(known), choices=choices, known="costs")
    found, money = decision.recommendation, {}
    for one in decision.strategies:
        model = one.strategy.model
        money[model] = min(one.money, money.get(model, np.inf))
    opened = open_page(to_html(contents(Y, SCORES, **known, decision=decision, intervals=False)))
    assert opened.page.locator("#answer .headline .name").inner_text() == found.model
    assert opened.values("#comparison .best") == [found.money]
    assert found.choice in map(str, choices)
    assert opened.page.locator("#comparison .best small").inner_text() == found.choice
    # One bar for each model, its cheapest.
    assert opened.values("#comparison")[:-2] == [money[name] for name in SCORES]
    used = {row.strategy for row in decision.short_table().rows if row.strategy.model}
    assert used
    table = opened.page.locator("#decision tbody").inner_text()
    assert all(strategy.name in table for strategy in used)
    if found.rule is None:
        return
    outcomes = decision.outcomes()
    tp, fn, fp, _ = opened.values("#confusion")
    assert [tp, fn, fp] == pytest.approx(
        [outcomes.found.value, outcomes.missed.value, outcomes.false_alarms.value], rel=1e-9
    )
    assert f"{found.model}, {found.choice}, on rows held out" in (
        opened.page.locator("#confusion").inner_text()
    )


def test_rules_are_said_as_the_library_says_them(open_page: Callable[..., Opened]) -> None:
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
    stored = contents(Y, SCORES, **KNOWN, decision=DECISION, intervals=False).to_dict()
    row = {"model": "first", "choice": "optimal"}
    stored["decision"]["short_table"] = [
        {"skew_low": i / 100, "skew_high": (i + 0.5) / 100, **row, "rule": rule.to_dict()}
        for i, rule in enumerate(rules)
    ]

    class Changed:
        def to_dict(self) -> dict[str, Any]:
            return stored

    said = open_page(to_html(Changed())).page.locator("#decision td.rule").all_inner_texts()
    assert [text.replace("\u00a0", " ") for text in said] == [str(rule) for rule in rules]


def test_a_number_keeps_the_digits_that_are_not_shown(open_page: Callable[..., Opened]) -> None:
    y = np.array([0, 0, 0, 0, 1, 1, 1])
    opened = open_page(to_html(contents(y, np.arange(7) / 7, intervals=False)))
    assert opened.page.input_value("#prevalence-from") == "0.428571"
    opened.type("fn-cost", 14)
    assert opened.rows("#money")["Flag nobody"] == pytest.approx([6000], rel=1e-14)
    opened.page.fill("#prevalence-to", "0.6")
    opened.page.fill("#prevalence-to", "")
    assert opened.rows("#money")["Flag nobody"] == pytest.approx([6000], rel=1e-14)


def test_constraints_are_said_not_to_be_kept_to(open_page: Callable[..., Opened]) -> None:
    limits = cs.Constraints(capacity=0.2)
    decision = cs.decide(Y, SCORES, conditions=deployment(KNOWN), constraints=limits)
    opened = open_page(to_html(contents(Y, SCORES, **KNOWN, decision=decision)))
    assert opened.values("#comparison .best") == [decision.recommendation.money]
    assert "Constraints are not kept to here" not in opened.page.locator("#answer").inner_text()
    opened.type("fn-cost", 7)
    assert "Constraints are not kept to here" in opened.page.locator("#answer").inner_text()
    assert "Kept to: capacity 0.2." in opened.page.locator("#decision").inner_text()


def test_scores_that_are_no_probabilities_are_not_trusted(
    open_page: Callable[..., Opened],
) -> None:
    margins = {"margin": np.log(SCORES["first"] + 0.01), "score": SCORES["second"]}
    opened = open_page(to_html(contents(Y, margins, **KNOWN)))
    money = opened.rows("#money")["Score-driven"]
    assert np.isnan(money[0])
    assert money[1] > 0
    opened.tick("Score-driven")
    opened.tick("Optimal", on=False)
    assert opened.page.locator("#cost path.curve").count() == 1
    alone = open_page(to_html(contents(Y, {"margin": margins["margin"]}, **KNOWN)))
    assert alone.page.get_by_label("Score-driven", exact=True).is_disabled()
    assert "the Brier score needs scores in [0, 1]" in alone.page.locator("#notes").inner_text()


HOSTILE = [
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    "\"'><svg onload=window.hacked=1>\u2028 & <!--",
]


def test_names_are_text_and_nothing_else(open_page: Callable[..., Opened]) -> None:
    scores = dict(zip(HOSTILE, SCORES.values(), strict=True))
    conditions = deployment(KNOWN)
    decision = cs.decide(Y, scores, conditions=conditions)
    found = contents(Y, scores, **KNOWN, decision=decision)
    stored = found.to_dict()
    stored["source"]["path"] = f"/data/{HOSTILE[1]}.csv"
    stored["label"] = HOSTILE[0]

    class Renamed:
        def to_dict(self) -> dict[str, Any]:
            return stored

    html = to_html(Renamed())
    assert html.count("<script") == 2
    opened = open_page(html)
    page = opened.page
    assert page.evaluate("window.hacked") is None
    assert page.title().startswith(HOSTILE[1])
    chips = page.locator("#controls .chip span").all_inner_texts()
    assert chips[:2] == HOSTILE[:2]
    assert HOSTILE[0] in page.locator("#notes").inner_text()
    assert page.locator("main img").count() == 0
    assert json.loads(page.locator("#contents").inner_html()) == json.loads(json.dumps(stored))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(open_page: Callable[..., Opened], scheme: str) -> None:
    long = {f"{'a_very_long_name_' * 6}{i}": s for i, s in enumerate(SCORES.values())}
    opened = open_page(
        to_html(contents(Y, long, **KNOWN, intervals=False)), viewport=PHONE, color_scheme=scheme
    )
    page = opened.page
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    opened.tick("Logit")
    opened.tick("PC(+)")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(246, 246, 244)"
    assert dark == (scheme == "dark")


def test_print_leaves_out_what_only_a_screen_can_do(open_page: Callable[..., Opened]) -> None:
    opened = open_page(color_scheme="dark")
    opened.page.emulate_media(media="print")
    assert not opened.page.locator("#controls").is_visible()
    assert not opened.page.locator("#range-low").is_visible()
    assert opened.page.locator("#cost svg").is_visible()
    background = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(255, 255, 255)"


def opened_with(browser: Browser, tmp_path: Path, script: str) -> Page:
    """The page, in a browser in which a script has changed something first."""
    path = tmp_path / "page.html"
    path.write_text(HTML)
    page = browser.new_page(viewport=WIDE)
    page.add_init_script(script)
    page.goto(path.as_uri())
    return page


def test_printing_draws_what_was_not_drawn_yet(browser: Browser, tmp_path: Path) -> None:
    page = opened_with(browser, tmp_path, "window.requestIdleCallback = () => 0")
    assert page.locator("#answer b").count() > 0
    assert page.locator("html.ready").count() == 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("html.ready").count() == 1
    assert page.locator("#money").get_attribute("aria-busy") == "false"
    assert "\u2026" not in page.locator("#money").inner_text()
    for drawn in ("#roc path.curve", "#cost path.curve", "#histograms svg", "#surface polygon"):
        assert page.locator(drawn).count() >= len(SCORES)
    assert "How to read this page" in page.locator("#notes").inner_text()
    page.close()


def test_browsers_without_what_is_new_show_the_same(
    open_page: Callable[..., Opened], browser: Browser, tmp_path: Path
) -> None:
    page = opened_with(
        browser,
        tmp_path,
        "delete window.requestIdleCallback; delete Uint8Array.fromBase64",
    )
    page.wait_for_selector("html.ready")
    opened = open_page()
    for place in ("#answer", "#money", "#readout", "#means"):
        opened.page.wait_for_selector("#money[aria-busy=false]")
        page.wait_for_selector("#money[aria-busy=false]")
        assert page.locator(place).inner_text() == opened.page.locator(place).inner_text()
    page.close()


def test_amounts_as_far_apart_as_floats_go(open_page: Callable[..., Opened]) -> None:
    opened = open_page()
    for fp_cost, prevalence, answer in (
        (("1e-300", "1e50"), ("0.2", ""), "Flag nobody."),
        (("1", ""), ("1e-300", ""), "Flag nobody."),
        (("1", ""), ("0.9999999999999999", ""), "Use first: flag scores above"),
        (("1", ""), ("1e-300", "0.9999999999999999"), "Use first: flag scores above"),
    ):
        opened.type("fp-cost", *fp_cost)
        opened.type("prevalence", *prevalence)
        assert opened.page.locator("#answer").inner_text().startswith(answer), prevalence
        assert all(np.isfinite(value) for value in opened.values("#answer"))


def test_everything_has_a_name_for_screen_readers(open_page: Callable[..., Opened]) -> None:
    opened = open_page()
    unnamed = opened.page.evaluate(
        """() => [...document.querySelectorAll("input, select, button, [role=img]")]
            .filter((e) => !e.ariaLabel && !e.labels?.length && !e.textContent.trim())
            .map((e) => e.outerHTML)"""
    )
    assert unnamed == []
    assert opened.page.locator("#answer").get_attribute("aria-live") == "polite"
    levels = opened.page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3')].map((e) => Number(e.tagName[1]))"
    )
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))


def test_the_page_refuses_scripts_and_addresses_that_are_not_its_own(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_text(HTML.replace("<noscript>", "<script>window.hacked = 1</script><noscript>"))
    opened = Opened(browser.new_page(viewport=WIDE), path)
    assert opened.page.evaluate("window.hacked") is None
    assert any("Content Security Policy" in text for text in opened.complaints)
    failed = opened.page.evaluate(
        "fetch('https://example.org').then(() => 'loaded', () => 'refused')"
    )
    assert failed == "refused"
    opened.page.close()


def test_nothing_in_the_file_is_an_address() -> None:
    found = set(re.findall(r"\w+://[^\"'`\s)]+", HTML))
    # Namespaces, which name what an element is and are not loaded.
    assert {url for url in found if not url.startswith("http://www.w3.org/")} == set()


def test_the_bundle_comes_with_the_licence_of_every_package_in_it() -> None:
    licences = (STATIC / "page.js.LICENSES.txt").read_text()
    package = json.loads((ROOT / "src_js/package.json").read_text())
    for name, version in package["dependencies"].items():
        assert f"{name} {version} (ISC)" in licences
    assert "</script" not in (STATIC / "page.js").read_text().lower()


@pytest.mark.skipif(
    shutil.which("node") is None or not (ROOT / "src_js/node_modules").exists(),
    reason="what is bundled can be compared only where `make page` has been run",
)
def test_the_bundle_is_that_of_the_sources(tmp_path: Path) -> None:
    built = tmp_path / "page.js"
    subprocess.run(["node", str(ROOT / "src_js/build.js"), str(built)], check=True)
    for name in ("page.js", "page.js.LICENSES.txt"):
        assert (tmp_path / name).read_text() == (STATIC / name).read_text()


def test_a_large_page_is_small() -> None:
    rng = np.random.default_rng(5)
    y = (rng.random(100_000) < 0.1).astype(int)
    scores = {f"model {i}": rng.normal((1 + 0.3 * i) * y, 1) for i in range(3)}
    made = contents(y, {name: 1 / (1 + np.exp(-s)) for name, s in scores.items()}, intervals=False)
    assert all(model["cuts"] < model["distinct"] for model in made.to_dict()["models"])
    assert len(to_html(made).encode()) < 2_000_000
