"""The tables of metrics and the notes, which say what the page was made of."""

import csv
import io
import re
from collections.abc import Callable

import numpy as np
import pytest
from opened_pages import SCORES, Opened, Y

import costspace as cs
from costspace.decision.words import estimate_shown
from costspace.report.gathering import contents
from costspace.report.page import to_html

Opening = Callable[..., Opened]


@pytest.fixture(scope="module")
def evaluated() -> cs.Evaluation:
    return cs.evaluate(Y, SCORES, intervals=True)


@pytest.fixture(scope="module")
def html() -> str:
    return to_html(contents(Y, SCORES, intervals=True))


def unfolded(opened: Opened) -> Opened:
    opened.page.evaluate("document.querySelector('#why').open = true")
    opened.page.wait_for_selector("#metrics table")
    return opened


def test_every_metric_is_there_with_its_interval(
    shared_page: Opening, html: str, evaluated: cs.Evaluation
) -> None:
    opened = unfolded(shared_page(html))
    values = opened.page.locator("#metrics data").evaluate_all("all => all.map((one) => one.value)")
    found = list(map(float, values))
    models = evaluated.models.values()
    metrics = [
        model.metrics[name] for name in evaluated.models["first"].metrics for model in models
    ]
    assert found[: len(metrics)] == pytest.approx(metrics, rel=1e-12)
    losses = {
        model.expected_loss[axis][choice]
        for model in models
        for axis in ("cost", "skew")
        for choice in model.expected_loss[axis]
    }
    assert losses <= set(found)
    text = opened.text("#metrics")
    intervals = evaluated.models["first"].intervals
    assert intervals is not None
    auc = intervals.metrics["auc"]
    value, ends = estimate_shown(evaluated.models["first"].metrics["auc"], auc.low, auc.high)
    assert re.search(rf"AUC\S\s+{value}\s+{ends}\s", text)
    assert text.index("Expected loss on the cost axis") < text.index("on the skew axis")


def test_the_axis_that_was_asked_for_comes_first(open_page: Opening) -> None:
    made = contents(Y, SCORES, axis="skew", costs=cs.Point(0.2), intervals=False)
    opened = unfolded(open_page(to_html(made)))
    heading = opened.page.locator("#metrics h3").first.inner_text()
    assert heading == "Expected loss on the skew axis, conditions point(0.2)"


@pytest.mark.smoke
def test_metrics_are_saved_in_full(
    shared_page: Opening, html: str, evaluated: cs.Evaluation
) -> None:
    opened = unfolded(shared_page(html))
    with opened.page.expect_download() as saving:
        opened.page.get_by_role("button", name="Save metrics as CSV").click()
    text = saving.value.path().read_text(encoding="utf-8-sig")
    head, *rows = csv.reader(io.StringIO(text))
    assert head == ["Metric", "model", "value", "low", "high"]
    auc = {row[1]: list(map(float, row[2:])) for row in rows if row[0] == "AUC"}
    for name, model in evaluated.models.items():
        assert model.intervals is not None
        one = model.intervals.metrics["auc"]
        assert auc[name] == pytest.approx([model.metrics["auc"], one.low, one.high])


def test_notes_say_what_the_page_was_made_of(open_page: Opening) -> None:
    opened = unfolded(open_page())
    notes = opened.text("#notes")
    assert f"400: {np.sum(Y == 0)} negative, {np.sum(Y == 1)} positive" in notes
    assert "first, second, third" in notes
    assert "correct decisions cost nothing" in notes
    assert "How to read this page" in notes


def test_metrics_that_scores_are_not_for_are_left_out_with_a_reason(open_page: Opening) -> None:
    margins = {"margin": np.log(SCORES["first"] + 0.01)}
    opened = unfolded(open_page(to_html(contents(Y, margins, intervals=False))))
    assert "the Brier score needs scores in [0, 1]" in opened.text("#notes")
    missing = opened.page.locator("#metrics tr", has_text="Brier score").first.locator("td span")
    assert missing.inner_text() == "\u2013"
    assert "needs scores in [0, 1]" in str(missing.get_attribute("title"))
