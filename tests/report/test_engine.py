"""What charts read of stored models is the library's: run in the browser, on random inputs."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.special import expit

import costspace as cs
from costspace.report.gathering import contents
from costspace.report.stored import MOST_CUTS
from translate.__main__ import PROGRAMS
from translate.writer import Writer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

ROOT = Path(__file__).parents[2]
ADDRESS = "http://engine.test"
SAMPLES = 60

Ask = Callable[[list[tuple[dict[str, Any], list[list[Any]]]]], list[list[Any]]]


@pytest.fixture(scope="module")
def ask(browser: "Browser") -> Iterator[Ask]:
    """Put questions to the engine, as modules that no bundler has touched."""
    page = browser.new_page()

    def serve(route: "Route") -> None:
        path = ROOT / route.request.url.removeprefix(f"{ADDRESS}/")
        if path.name in PROGRAMS:
            text = Writer(*PROGRAMS[path.name]).text()
            route.fulfill(body=text, content_type="text/javascript")
        elif path.is_file():
            route.fulfill(body=path.read_bytes(), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    page.route("**/*", serve)
    page.goto(f"{ADDRESS}/")
    page.evaluate("import('/tests/report/drive_engine.mjs').then(m => window.answer = m.answer)")
    yield lambda questions: json.loads(
        page.evaluate("text => window.answer(text)", json.dumps(questions))
    )
    page.close()


def rates_of(table: cs.ScoreTable, t: float) -> tuple[float, float]:
    point = table.by_score.at(t)
    return float(point.fpr), float(point.fnr)


def random_table(rng: np.random.Generator) -> cs.ScoreTable:
    """Few rows or some hundred, with ties or without, with weights or without."""
    n = int(rng.choice([0, 3, 18, 60, 250]))
    y = np.concatenate([[0, 1], rng.random(n) < rng.uniform(0.05, 0.95)]).astype(int)
    s = rng.normal(size=n + 2) + 3 * y * rng.random() - 1
    s = np.round(s, int(rng.integers(0, 4))) if rng.random() < 0.5 else s
    weight = rng.gamma(0.5, size=n + 2) + 1e-4 if rng.random() < 0.4 else None
    return cs.ScoreTable.from_predictions(y, s, sample_weight=weight)


@pytest.mark.smoke
@pytest.mark.filterwarnings("ignore::costspace.errors.DataWarning")
def test_curves_are_the_library_s_on_random_inputs(ask: Ask) -> None:
    rng = np.random.default_rng(8)
    tables = [random_table(rng) for _ in range(SAMPLES)]
    skews = [0.0, *rng.random(6).tolist(), 1.0]
    thresholds = rng.normal(size=6).tolist()
    questions = [["roc", 0], ["cuts", 0], ["corners", 0, skews], ["rates", 0, thresholds]]
    stored = [(contents(table, intervals=False).to_dict(), questions) for table in tables]
    for table, (roc, cuts, corners, rates) in zip(tables, ask(stored), strict=True):
        assert cuts["scores"] == table.by_score.breaks.tolist()
        assert roc["fpr"] == cuts["fpr"][::-1]
        assert roc["tpr"] == pytest.approx([1 - fnr for fnr in cuts["fnr"][::-1]])
        for k, t in enumerate(cuts["thresholds"]):
            found = cuts["fpr"][k], cuts["fnr"][k]
            assert found == pytest.approx(rates_of(table, float(t)), abs=1e-12)
        for t, found in zip(thresholds, rates, strict=True):
            assert tuple(found.values()) == pytest.approx(rates_of(table, t), abs=1e-12)
        for z, corner in zip(skews, corners, strict=True):
            point = table.by_skew.at(z)
            found, expected = (
                z * fpr + (1 - z) * fnr
                for fpr, fnr in ((corner["fpr"], corner["fnr"]), (point.fpr, point.fnr))
            )
            assert found == pytest.approx(float(expected), abs=1e-12)


def test_scores_of_single_precision_are_the_decimals_that_they_print_as(ask: Ask) -> None:
    rng = np.random.default_rng(3)
    y, s = np.append([0, 1], rng.integers(0, 2, 300)), rng.random(302).round(2)
    thresholds = np.unique(s).tolist()
    table = cs.ScoreTable.from_predictions(y, s.astype(np.float32))
    ((rates,),) = ask([(contents(table, intervals=False).to_dict(), [["rates", 0, thresholds]])])
    for t, found in zip(thresholds, rates, strict=True):
        by_hand = np.mean(s[y == 0] > t), np.mean(s[y == 1] <= t)
        assert tuple(found.values()) == pytest.approx(by_hand, abs=1e-12)


@pytest.mark.parametrize("ties", [False, True])
def test_of_many_scores_rates_are_as_near_as_is_stated(ask: Ask, ties: bool) -> None:
    rng = np.random.default_rng(6)
    n = 60_000
    y = (rng.random(n) < 0.3).astype(int)
    s = expit(rng.normal(size=n) + y - 1).astype(np.float32)
    if ties:
        s[rng.random(n) < 0.2] = 0.25
        s[rng.random(n) < 0.1] = 0.0
    table = cs.ScoreTable.from_predictions(y, s, sample_weight=rng.gamma(1, size=n))
    stored = contents(table, intervals=False).to_dict()
    model = stored["models"][0]
    assert not model["complete"]
    assert model["cuts"] <= MOST_CUTS
    assert 0 < model["tolerance"] < 1e-3
    assert "are off by at most" in stored["notes"][-1]
    thresholds = [*rng.random(300).tolist(), 0.0, 0.2499, 0.25, 0.2501, 1.0]
    ((rates, roc, outline),) = ask(
        [(stored, [["rates", 0, thresholds], ["roc", 0], ["outline", 0]])]
    )
    found = np.array([list(one.values()) for one in rates])
    off = np.abs(found - [rates_of(table, t) for t in thresholds])
    assert off.max() <= model["tolerance"] + 1e-12
    # Between two scores that are kept a line is nearer than what stays.
    assert off.mean() < 0.1 * model["tolerance"]
    assert 1000 < len(roc["fpr"]) < 4000
    x, y = outline["fpr"], outline["tpr"]
    line = np.interp(roc["fpr"], np.array(x)[::-1], np.array(y)[::-1])
    assert np.abs(line - roc["tpr"]).max() < 0.005
