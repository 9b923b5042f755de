"""Why: costs, ROC curves, and calibration, against the library's numbers."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from opened_pages import QUESTION, SCORES, Opened, Y, decided, html_of, least_money, record_of
from page_files import rows_of_csv
from scipy.stats import norm

import costspace as cs

if TYPE_CHECKING:
    pass

Opening = Callable[..., Opened]
PAID = {"tp_cost": [-3.0, -1.0], "tn_cost": [-0.25, -0.25], "fp_cost": [1.0, 4.0]}


@pytest.fixture
def opened(fresh_page: Opening) -> Opened:
    opened: Opened = fresh_page(prepare=complete)
    return opened


@pytest.fixture
def shown(shared_page: Opening) -> Opened:
    """The same page, for tests that only look at it."""
    opened: Opened = shared_page(prepare=complete)
    return opened


def unfolded(opened: Opened) -> Opened:
    opened.page.evaluate("document.querySelector('#why').open = true")
    opened.page.locator("#cost .chart path.curve").first.wait_for(state="attached")
    return opened


def complete(opened: Opened) -> None:
    """Unfold it, and wait for all that is computed later."""
    unfolded(opened)
    opened.page.locator("#knowing:not(:empty)").wait_for(timeout=15_000)


def rates(model: str, t: float) -> tuple[float, float]:
    s = SCORES[model]
    return float(np.mean(s[Y == 0] > t)), float(np.mean(s[Y == 1] <= t))


def number_in(text: str, before: str) -> float:
    found = re.search(rf"{re.escape(before)} ([\u2212\d.,]+)", text)
    assert found, text
    return float(found[1].rstrip(".,").replace(",", "").replace("\u2212", "-"))


def test_it_is_filled_only_when_it_is_opened(open_page: Opening) -> None:
    opened = open_page()
    assert opened.page.locator("#why svg.chart").count() == 0
    unfolded(opened)
    assert opened.page.locator("#why svg.chart").count() == 2 + len(SCORES)
    assert opened.page.locator("#metrics table").count() > 0
    assert opened.page.locator("#notes").inner_text() != ""
    # Once.
    opened.page.locator("#why > summary").click()
    opened.page.locator("#why > summary").click()
    assert opened.page.locator("#why svg.chart").count() == 2 + len(SCORES)


@pytest.mark.parametrize("changes", [{}, PAID])
def test_curves_are_the_money_of_the_best_threshold_at_each_condition(
    fresh_page: Opening, changes: dict[str, Any]
) -> None:
    opened = fresh_page(prepare=complete).ask(changes)
    decision = decided({**QUESTION, **changes})
    known = decision.conditions
    p = known.mean_prevalence
    constant = 1000 * (p * known.tp_cost.mean + (1 - p) * known.tn_cost.mean)
    rows = rows_of_csv(opened, "#cost")
    assert {row["model"] for row in rows} == set(SCORES)
    for row in rows:
        z, name = float(row["skew"]), row["model"]
        ends = [(1.0, 0.0), *(rates(name, t) for t in np.unique(SCORES[name]))]
        least = min(z * fpr + (1 - z) * fnr for fpr, fnr in ends)
        expected = constant + 1000 * known.stake * least
        assert float(row["cost_per_1000"]) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    skews = [float(row["skew"]) for row in rows]
    low, high = known.skew_range.low, known.skew_range.high
    assert (min(skews), max(skews)) == pytest.approx((low, high))


def test_bands_are_wilsons_intervals_of_both_rates_together(shown: Opened) -> None:
    stake, z95 = 1000 * decided(QUESTION).conditions.stake, norm.ppf(0.975)
    sizes = np.sum(Y == 0), np.sum(Y == 1)

    def wilson(share: float, n: float) -> np.ndarray:
        half = z95 * np.sqrt(share * (1 - share) / n + z95**2 / (4 * n**2))
        return (share + z95**2 / (2 * n) + np.array([-half, half])) / (1 + z95**2 / n)

    for row in rows_of_csv(shown, "#cost"):
        if not re.match(r"[-\d.]", row["threshold"]):
            continue
        z = float(row["skew"])
        found = rates(row["model"], float(row["threshold"]))
        ends = [wilson(rate, n) for rate, n in zip(found, sizes, strict=True)]
        loss = z * found[0] + (1 - z) * found[1]
        off = [
            np.hypot(z * (found[0] - ends[0][k]), (1 - z) * (found[1] - ends[1][k])) for k in (0, 1)
        ]
        assert float(row["low"]) == pytest.approx(stake * (loss - off[0]), rel=1e-9)
        assert float(row["high"]) == pytest.approx(stake * (loss + off[1]), rel=1e-9)


def test_bands_are_about_as_wide_as_the_library_s(shown: Opened) -> None:
    stake = 1000 * decided(QUESTION).conditions.stake
    widths = []
    for row in rows_of_csv(shown, "#cost"):
        z = float(row["skew"])
        band = cs.loss_band(
            Y, SCORES[row["model"]], choice=cs.Optimal(), axis="skew", simultaneous=False
        )
        widths.append(
            (float(row["high"]) - float(row["low"])) / (stake * (band.high(z) - band.low(z)))
        )
    assert np.median(widths) == pytest.approx(1, abs=0.25)


def test_the_slider_reads_curves_where_it_stands(opened: Opened) -> None:
    said = opened.page.locator("#cost .readout")
    decision = decided(QUESTION)
    mean = decision.conditions.skews().mean()
    # By how many times a false alarm a miss costs, as it opens.
    p = decision.conditions.mean_prevalence
    times = (1 - mean) / mean * (1 - p) / p
    assert number_in(said.inner_text(), "a miss costs") == pytest.approx(times, rel=0.005)
    opened.page.locator("#cost .chart-controls select").first.select_option("skew")
    text = said.inner_text()
    assert number_in(text, "At the mean, skew") == pytest.approx(mean, rel=0.005)
    for name in SCORES:
        least = least_money(SCORES[name], decision.conditions)
        assert number_in(text, name) == pytest.approx(least, rel=0.005)
    slider = opened.page.get_by_role("slider", name="Condition looked at")
    before = opened.page.locator("#roc .looked .marker").first.get_attribute("transform")
    slider.fill("100")
    changed = number_in(said.inner_text(), "At skew")
    assert changed < mean
    for name in SCORES:
        ends = [(1.0, 0.0), *(rates(name, t) for t in np.unique(SCORES[name]))]
        least = min(changed * fpr + (1 - changed) * fnr for fpr, fnr in ends)
        expected = 1000 * decision.conditions.stake * least
        assert number_in(said.inner_text(), name) == pytest.approx(expected, rel=0.02)
    assert opened.page.locator("#roc .looked .marker").first.get_attribute("transform") != before
    assert slider.get_attribute("aria-valuetext") == said.inner_text()


def test_pointing_in_cost_space_moves_the_points_in_roc_space(shown: Opened) -> None:
    def points() -> list[str | None]:
        markers = shown.page.locator("#roc .looked .marker").all()
        return [marker.get_attribute("transform") for marker in markers]

    before = points()
    shown.page.locator("#cost .chart").hover(position={"x": 90, "y": 120})
    assert points() != before
    shown.page.mouse.move(0, 0)
    assert points() == before


def test_pointing_at_a_curve_shows_its_line_in_cost_space(opened: Opened) -> None:
    assert opened.page.locator("#cost .cost-line").count() == 0
    slider = opened.page.get_by_role("slider", name="Position on the ROC curve")
    opened.page.get_by_label("Show a threshold of").select_option("second")
    slider.fill("20")
    assert opened.page.locator("#cost .cost-line").count() == 1
    assert opened.page.locator("#roc .pointed").count() == 1
    text = opened.page.locator("#roc .readout").inner_text()
    t = number_in(text, "threshold")
    fpr, fnr = rates("second", t)
    assert number_in(text, "finds") == pytest.approx(100 * (1 - fnr), rel=0.01)
    assert number_in(text, "flags") == pytest.approx(100 * fpr, rel=0.01)
    decision = decided(QUESTION)
    money = fpr * decision.trivial["flag_everybody"] + fnr * decision.trivial["flag_nobody"]
    assert number_in(text, "costs") == pytest.approx(money, rel=0.01)
    point = opened.page.locator("#roc .pointed").bounding_box()
    assert point is not None
    opened.page.mouse.move(point["x"] + point["width"] / 2 + 40, point["y"] + 200)
    opened.page.mouse.move(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
    assert opened.page.locator("#roc .pointed").count() == 1


@pytest.mark.smoke
def test_roc_curves_are_the_rates_of_every_threshold(shown: Opened) -> None:
    rows = rows_of_csv(shown, "#roc")
    for name, s in SCORES.items():
        own = [row for row in rows if row["model"] == name]
        assert len(own) == len(np.unique(s)) + 1
        for row in own[1:-1]:
            found = float(row["false_positive_rate"]), 1 - float(row["true_positive_rate"])
            assert found == pytest.approx(rates(name, float(row["threshold"])), abs=1e-12)


def test_costs_have_an_axis_of_cost_proportions_too(opened: Opened) -> None:
    opened.page.locator("#cost").get_by_label("Axis").select_option("cost")
    text = opened.page.locator("#cost .readout").inner_text()
    decision = decided(QUESTION)
    z, p = decision.conditions.skews().mean(), decision.conditions.mean_prevalence
    odds = z / (1 - z) * p / (1 - p)
    assert number_in(text, "cost proportion") == pytest.approx(odds / (1 + odds), rel=0.005)
    opened.page.locator("#cost").get_by_label("Show").select_option("all")
    ticks = opened.page.locator("#cost .axis").first.locator(".tick").all_text_contents()
    assert (ticks[0], ticks[-1]) == ("0.0", "1.0")


def test_a_narrow_range_is_opened_on_log_odds(open_page: Opening) -> None:
    changes = {"fn_cost": [500.0, 700.0], "prevalence": [0.1, 0.1]}
    opened = unfolded(open_page(html_of(record_of(changes))))
    opened.page.locator("#cost .chart-controls select").first.select_option("skew")
    ticks = opened.page.locator("#cost .axis").first.locator(".tick").all()
    shown = np.array([float(tick.text_content() or "nan") for tick in ticks])
    skew = decided({**QUESTION, **changes}).conditions.skews().mean()
    assert shown[0] < skew < shown[-1] < 0.2
    places = [
        float(re.findall(r"translate\(([\d.]+)", tick.get_attribute("transform") or "")[0])
        for tick in ticks
    ]
    odds = np.log(shown / (1 - shown))
    assert len(ticks) > 2
    assert np.diff(places) / np.diff(odds) == pytest.approx(np.ptp(places) / np.ptp(odds), rel=0.02)


def test_cost_space_opens_by_what_a_miss_costs(open_page: Opening) -> None:
    changes = {"fn_cost": [20.0, 30.0], "prevalence": [0.1, 0.1]}
    opened = unfolded(open_page(html_of(record_of(changes))))
    axis = opened.page.locator("#cost .axis").first
    times = [float(text) for text in axis.locator(".tick").all_text_contents()]
    assert times == sorted(times, reverse=True)
    assert times[0] > 30
    assert times[-1] < 20
    named = opened.page.locator("#cost .chart text").all_text_contents()
    assert "A miss costs so many times a false alarm" in named


def test_calibration_is_drawn_with_its_intervals(shown: Opened) -> None:
    record = record_of({})
    figures = shown.page.locator("#calibration figure")
    assert figures.count() == len(SCORES)
    for figure, model in zip(figures.all(), record["models"], strict=True):
        bins = model["calibration"]
        dots = figure.locator("circle.bin").all()
        width = float(figure.locator("clipPath rect").get_attribute("width") or "nan")
        height = float(figure.locator("clipPath rect").get_attribute("height") or "nan")
        across = [float(dot.get_attribute("cx") or "nan") / width for dot in dots]
        up = [1 - float(dot.get_attribute("cy") or "nan") / height for dot in dots]
        assert across == pytest.approx(bins["mean"])
        assert up == pytest.approx(bins["share"])
        for bar, low, high in zip(
            figure.locator("path.interval").all(), bins["low"], bins["high"], strict=True
        ):
            ends = re.findall(r"M[\d.]+,([\d.]+)V([\d.]+)", bar.get_attribute("d") or "")[0]
            assert [1 - float(end) / height for end in ends] == pytest.approx([low, high])


def test_scores_that_are_no_probabilities_have_no_calibration(open_page: Opening) -> None:
    scores = {name: 10 * s - 3 for name, s in SCORES.items()}
    opened = unfolded(open_page(html_of(record_of({}, scores))))
    assert opened.page.locator("#calibration svg.chart").count() == 0
    assert "no probabilities" in opened.text("#calibration")


def test_without_a_question_there_is_what_needs_no_costs(
    open_page: Opening, unasked_html: str
) -> None:
    opened = open_page(unasked_html)
    opened.page.locator("#why > summary").click()
    opened.page.locator("#roc .chart path.curve").first.wait_for(state="attached")
    assert opened.page.locator("#cost").is_hidden()
    assert opened.page.locator("#calibration svg.chart").count() == len(SCORES)


def many() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(9)
    noise = {f"m{k}": rng.normal(0, 0.05 + 0.06 * k, len(Y)) for k in range(12)}
    return {name: np.round(np.clip(SCORES["first"] + off, 0, 1), 3) for name, off in noise.items()}


def test_of_twelve_models_the_best_four_are_coloured_and_named(open_page: Opening) -> None:
    record = record_of({}, many())
    opened = unfolded(open_page(html_of(record)))
    cost: dict[str, float] = {}
    for one in record["decision"]["strategies"]:
        if one["model"]:
            cost[one["model"]] = min(cost.get(one["model"], np.inf), one["cost_per_1000"])
    chosen = record["decision"]["recommendation"]["model"]
    best = sorted(cost, key=lambda name: (name != chosen, cost[name]))[:4]
    for chart in ("#threshold-chart", "#roc", "#cost"):
        names = opened.page.locator(f"{chart} text.line-name:not(.others)").all_text_contents()
        own = {name for name in names if name in cost}
        assert own <= set(best)
        assert len(own) >= 3
        assert opened.page.locator(f"{chart} path.curve.others").count() >= 8
        assert (
            "8 others" in opened.page.locator(f"{chart} text.line-name.others").all_text_contents()
        )
    opened.page.locator("#calibration details summary", has_text="other models").click()
    assert opened.page.locator("#calibration details figure").count() == 8


def test_names_at_lines_hide_neither_each_other_nor_reach_out(open_page: Opening) -> None:
    opened = unfolded(
        open_page(html_of(record_of({}, many())), viewport={"width": 390, "height": 844})
    )
    clear = """(chart) => {
        const svg = document.querySelector(`${chart} .chart`).getBoundingClientRect();
        const boxes = [...document.querySelectorAll(`${chart} .line-name`)]
            .map((text) => text.getBoundingClientRect());
        const apart = boxes.every((a, k) => boxes.slice(k + 1).every((b) =>
            a.right <= b.left || b.right <= a.left ||
            a.bottom <= b.top + 3 || b.bottom <= a.top + 3));
        return apart && boxes.every(({left, right}) => left >= svg.left && right <= svg.right + 1);
    }"""
    for chart in ("#threshold-chart", "#roc", "#cost"):
        assert opened.page.evaluate(clear, chart), chart


def test_it_is_filled_for_print(open_page: Opening) -> None:
    opened = open_page()
    opened.page.emulate_media(media="print")
    opened.page.pdf()
    assert opened.page.locator("#why svg.chart").count() == 2 + len(SCORES)
