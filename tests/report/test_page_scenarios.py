"""What is typed into pages is answered as `costspace decide --json` answers it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from command_line import run
from opened_pages import Opened, Tabs, quiet
from page_files import rows_of_csv
from prediction_files import write_csv
from scipy.special import expit

if TYPE_CHECKING:
    from playwright.sync_api import Locator

ROOT = Path(__file__).parents[2]
START = ("--fp-cost", "1", "--fn-cost", "3")


def breast_cancer(folder: Path) -> Path:
    return ROOT / "examples" / "breast_cancer.csv"


def one_model_with_ties(folder: Path) -> Path:
    rng = np.random.default_rng(1)
    y = (rng.random(160) < 0.3).astype(int)
    return write_csv(folder / "ties.csv", {"y_true": y, "m": expit(rng.normal(y)).round(1)})


def six_models(folder: Path) -> Path:
    rng = np.random.default_rng(2)
    y = (rng.random(90) < 0.4).astype(int)
    scores = {f"m{k}": expit(rng.normal(y * (0.4 + 0.1 * k))) for k in range(0, 12, 2)}
    return write_csv(folder / "six.csv", {"y_true": y, **scores})


def useless_models(folder: Path) -> Path:
    rng = np.random.default_rng(3)
    y = (rng.random(200) < 0.2).astype(int)
    scores = {"noise": rng.random(200).round(3), "reversed": expit(rng.normal(-y)).round(3)}
    return write_csv(folder / "useless.csv", {"y_true": y, **scores})


FILES = (breast_cancer, one_model_with_ties, six_models, useless_models)
# By the names of fields, which are those of options.
SCENARIOS: tuple[dict[str, str], ...] = (
    {"fn-cost": "12"},
    {"fp-cost": "2.5", "fn-cost": "7", "prevalence": "0.1"},
    {"fn-cost": "5:60", "prevalence": "0.02:0.2"},
    {"fp-cost": "1:2", "fn-cost": "3:9", "known": "costs"},
    {"fn-cost": "20", "prevalence": "0.3", "capacity": "0.25"},
    {"fn-cost": "4", "min-recall": "0.6", "max-fpr": "0.5"},
    {"fn-cost": "1000", "prevalence": "0.5"},
    {"fp-cost": "50", "fn-cost": "1", "prevalence": "0.01"},
    {"fn-cost": "12", "review-cost": "0.3"},
    {
        "fp-cost": "2.5",
        "fn-cost": "7",
        "prevalence": "0.1",
        "review-cost": "0.2:0.8",
        "review-sensitivity": "0.9",
    },
    {
        "fn-cost": "5:60",
        "prevalence": "0.02:0.2",
        "review-cost": "0.4",
        "review-sensitivity": "0.8:0.95",
        "review-specificity": "0.9",
    },
    {"fp-cost": "1:2", "fn-cost": "3:9", "known": "costs", "review-cost": "0.25"},
    {"fn-cost": "20", "review-cost": "0.2", "review-capacity": "0.1", "min-recall": "0.5"},
    {"fn-cost": "4", "review-cost": "5"},
)


@pytest.fixture(scope="module", params=FILES)
def page_of(
    request: pytest.FixtureRequest, tabs: Tabs, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, list[str], Opened]]:
    """A file, its columns of scores as options, and the page that the command makes of it."""
    folder = tmp_path_factory.mktemp("scenarios")
    file = request.param(folder)
    models = file.read_text().splitlines()[0].split(",")[1:]
    columns = ["--label", "y_true", *(word for model in models for word in ("--score", model))]
    html = folder / "page.html"
    from costspace.cli import main

    main(["report", str(file), *columns, *START, "-o", str(html)])
    opened = Opened(tabs.take(), html)
    yield file, columns, opened
    opened.leave()
    tabs.give_back(opened.page)
    quiet(opened)


def typed(opened: Opened, scenario: dict[str, str]) -> None:
    """Type a scenario in, over whatever was there."""
    page = opened.page
    page.get_by_role("button", name="Reset").click()
    page.evaluate("document.querySelector('.rarer').open = true")
    for name, text in scenario.items():
        if name == "known":
            page.check(f"#known-{text}")
        else:
            page.fill(f"#{name}", text)
    opened.settle()


def full(place: "Locator") -> float:
    return float(str(place.get_attribute("value")))


def shown(opened: Opened) -> dict[str, Any]:
    """What the first screen and the list of strategies say, in full."""
    page = opened.page
    headline = page.locator("#instruction")
    cells = page.locator("#confusion td").all()
    return {
        "headline": headline.inner_text(),
        "rule": headline.get_attribute("title"),
        "money": full(page.locator(".stats > div").first.locator("data").first),
        "counts": {c.locator(".kind").inner_text(): full(c.locator("data").first) for c in cells},
        "strategies": {
            (row["model"], row["choice"]): [float(row[name] or "nan") for name in NUMBERS]
            for row in rows_of_csv(opened, "#strategies-chart")
        },
    }


NUMBERS = ("cost_per_1000", "low", "high")
CELLS = {
    ("flag", "positive"): "true positives",
    ("review", "positive"): "reviewed positives",
    ("pass", "positive"): "false negatives",
    ("flag", "negative"): "false positives",
    ("review", "negative"): "reviewed negatives",
    ("pass", "negative"): "true negatives",
}


@pytest.mark.parametrize(
    "scenario", SCENARIOS, ids=lambda one: " ".join(map("=".join, one.items()))
)
def test_what_is_typed_is_answered_as_the_command_does(
    page_of: tuple[Path, list[str], Opened],
    scenario: dict[str, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, columns, opened = page_of
    asked = dict(zip(START[::2], START[1::2], strict=True))
    asked |= {f"--{name}": text for name, text in scenario.items()}
    options = [word for pair in asked.items() for word in pair]
    decided = json.loads(run(capsys, "decide", file, *columns, *options, "--json"))
    typed(opened, scenario)
    chosen = decided["recommendation"]
    if chosen["choice"] is None:
        assert opened.text("#instruction") in chosen["text"]
        assert not opened.page.locator("#strategies-chart").is_visible()
        return
    found = shown(opened)
    stated = chosen["stated"]
    if chosen["model"] is not None:
        assert f"{found['rule']}." in chosen["text"]
        assert chosen["model"] in found["headline"]
    elif stated["model"] is None:
        assert f"{found['rule']}." in chosen["text"]
    else:
        # The best model stands beside what is recommended.
        assert found["rule"] == chosen["choice"].replace("_", " ").capitalize()
    assert found["money"] == pytest.approx(chosen["cost_per_1000"], rel=1e-9)
    own = next(
        one
        for one in decided["strategies"]
        if (one["model"], one["choice"]) == (stated["model"], stated["choice"])
    )
    does = own["outcomes"]
    assert found["counts"] == pytest.approx(
        {
            CELLS[action, kind]: does[action][kind]["value"]
            for action, kind in CELLS
            if action in does
        }
    )
    chosen = decided["recommendation"]
    wanted = {
        (one["model"] or "", one["choice"]): [
            np.nan if one[name] is None else one[name] for name in NUMBERS
        ]
        for one in decided["strategies"]
        if _is_shown(one, chosen)
    }
    assert found["strategies"].keys() == wanted.keys()
    for name, numbers in wanted.items():
        assert found["strategies"][name] == pytest.approx(numbers, rel=1e-9, nan_ok=True)


def _is_shown(one: dict[str, Any], chosen: dict[str, Any]) -> bool:
    """Whether a strategy has a row: of a model not if it flags everybody or nobody."""
    names = ("model", "choice")
    is_chosen = all(one[name] == chosen[name] for name in names)
    if one.get("same_as") is not None:
        # What does the same on all rows as another stands in its line.
        return False
    return one["model"] is None or not one["same_for_all"] or is_chosen
