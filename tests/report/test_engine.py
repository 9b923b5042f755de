"""The page's engine gives the library's numbers: run in the browser, on random inputs."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Route
from scipy.special import expit

import costspace as cs
from costspace.decision.strategy import parameter_free
from costspace.report.gathering import ReportContents, contents
from costspace.report.integrals import KNOTS
from costspace.report.stored import MOST_CUTS

ROOT = Path(__file__).parents[2]
ADDRESS = "http://engine.test"
# Tables of three models each, and how many questions are asked of each.
SAMPLES, TIMES = 250, 4
LINEAR = KNOTS["linear"]
NAMES = tuple(parameter_free(0.5))

Ask = Callable[[list[tuple[ReportContents, list[list[Any]]]]], list[list[Any]]]


@pytest.fixture(scope="module")
def ask(browser: Browser):
    """Put questions to the engine, as modules that no bundler has touched."""
    page = browser.new_page()

    def serve(route: Route) -> None:
        path = ROOT / route.request.url.removeprefix(f"{ADDRESS}/")
        if path.is_file():
            route.fulfill(body=path.read_bytes(), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    page.route("**/*", serve)
    page.goto(f"{ADDRESS}/")
    page.evaluate("import('/tests/report/drive_engine.mjs').then(m => window.answer = m.answer)")

    def put(questions):
        text = json.dumps([[stored.to_dict(), asked] for stored, asked in questions])
        return json.loads(page.evaluate("text => window.answer(text)", text))

    yield put
    page.close()


def number(value: Any) -> float:
    return float(value)


def random_rows(rng: np.random.Generator) -> dict[str, Any]:
    """Few rows or some hundred, with ties or without, with weights or without, of three models."""
    n = int(rng.choice([0, 3, 18, 60, 250]))
    y = np.concatenate([[0, 1], rng.random(n) < rng.uniform(0.05, 0.95)]).astype(int)
    scores = {}
    for name in ("one", "two", "three"):
        s = expit(rng.normal(size=n + 2) + 3 * y * rng.random() - 1)
        scores[name] = np.round(s, int(rng.integers(0, 4))) if rng.random() < 0.5 else s
    weight = rng.gamma(0.5, size=n + 2) + 1e-4 if rng.random() < 0.4 else None
    return {"y_true": y, "y_score": scores, "sample_weight": weight}


def tables_of(rows: dict[str, Any]) -> dict[str, cs.ScoreTable]:
    weight = {"sample_weight": rows["sample_weight"]}
    return {
        name: cs.ScoreTable.from_predictions(rows["y_true"], s, **weight)
        for name, s in rows["y_score"].items()
    }


def random_amount(rng: np.random.Generator, low: float, high: float) -> list[float]:
    """A value or a range, of up to a factor of 30."""
    start = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    factor = 1.0 if rng.random() < 0.4 else float(np.exp(rng.uniform(0.01, 3.4)))
    return [start, start * factor]


def random_prevalence(rng: np.random.Generator, own: float) -> list[float]:
    if rng.random() < 0.2:
        return [own, own]
    start, width = rng.uniform(-6, 4), rng.choice([0, 0.1, 2, 5])
    return expit([start, start + width]).tolist()


def deployment(known: dict[str, list[float]]) -> cs.Deployment:
    return cs.Deployment(*((low, high) if low < high else low for low, high in known.values()))


def point_of(choice: cs.ThresholdChoice, table: cs.ScoreTable, c: float) -> tuple[float, float]:
    path = choice.path(table)
    piece = min(int(np.searchsorted(path.breaks, c, side="right")), len(path.breaks) - 1) - 1
    low, width = path.breaks[piece], path.breaks[piece + 1] - path.breaks[piece]
    along = (c - low) / width if width > 0 else 0.0
    start, end = path.start, path.end
    return (
        start.fpr[piece] + along * (end.fpr[piece] - start.fpr[piece]),
        start.fnr[piece] + along * (end.fnr[piece] - start.fnr[piece]),
    )


def assert_same_rule(found: Any, choice: cs.ThresholdChoice, table: cs.ScoreTable, c: float):
    try:
        rule = cs.threshold_path(table, choice).rule_at(c)
    except cs.ConditionError:
        assert found is None
        return
    own = cs.Rule.from_dict(found)
    assert replace(own, chance=rule.chance) == rule
    assert own.chance == pytest.approx(rule.chance, abs=1e-9)


def test_every_number_is_the_library_s_on_random_inputs(ask: Ask):
    rng = np.random.default_rng(8)
    asked, checks = [], []
    for _ in range(SAMPLES):
        rows = random_rows(rng)
        tables = tables_of(rows)
        own = tables["one"].prevalence
        questions = []
        for _ in range(TIMES):
            i = int(rng.integers(3))
            table = list(tables.values())[i]
            name = str(rng.choice(NAMES))
            choice = parameter_free(own)[name]
            (p, _) = random_prevalence(rng, own)
            # Conditions at which thresholds are at a score, too.
            at_score = rng.random() < 0.3
            c = float(rng.choice(rows["y_score"]["one"])) if at_score else float(rng.random())
            axis = str(rng.choice(["cost", "skew", "pc"]))
            low, high = (float(x) for x in np.sort(rng.choice(LINEAR, 2, replace=False)))
            known = {
                "fpCost": random_amount(rng, 0.1, 10),
                "fnCost": random_amount(rng, 0.1, 100),
                "prevalence": random_prevalence(rng, own),
            }
            questions += [
                ["operatingPoint", i, name, {"c": c, "prevalence": p}],
                ["lossAt", i, name, axis, c, p],
                ["meanLoss", i, name, axis, low, high, p],
                ["money", i, name, known],
                ["trivialMoney", known],
            ]
            checks.append((table, choice, p, c, axis, low, high, known))
        asked.append((contents(tables, intervals=False), questions))
    answers = [answer for of_sample in ask(asked) for answer in of_sample]
    for i, check in enumerate(checks):
        assert_all_the_same(answers[5 * i : 5 * i + 5], *check)


def assert_all_the_same(answers, table, choice, p, c, axis, low, high, known):
    point, loss, mean, money, trivial = answers
    at = table.with_prevalence(p)
    assert (point["fpr"], point["fnr"]) == pytest.approx(point_of(choice, at, c), abs=1e-9)
    assert_same_rule(point["rule"], choice, at, c)
    curve = curve_on(axis, table, choice, p)
    assert loss == pytest.approx(curve(1 - c if axis == "pc" else c), abs=1e-9)
    assert (mean["low"], mean["high"]) == (low, high)
    ends = (1 - high, 1 - low) if axis == "pc" else (low, high)
    assert mean["value"] == pytest.approx(curve.expectation(cs.Uniform(*ends)), abs=1e-9)
    conditions = deployment(known)
    expected = cs.expected_money(table, choice=choice, conditions=conditions)
    # Rounding may leave a trace where there is nothing to lose.
    assert money == pytest.approx(expected, rel=1e-6, abs=1e-9 * conditions.stake)
    assert trivial["nobody"] == pytest.approx(1000 * conditions.positive_stake, rel=1e-12)
    assert trivial["everybody"] == pytest.approx(1000 * conditions.negative_stake, rel=1e-12)


def curve_on(axis: str, table: cs.ScoreTable, choice: cs.ThresholdChoice, p: float):
    if axis == "cost":
        return cs.loss_curve(table.with_prevalence(p), choice=choice)
    return cs.loss_curve(table, choice=choice, axis="skew")


def test_lines_to_draw_are_the_curves(ask: Ask):
    rng = np.random.default_rng(3)
    rows = random_rows(rng)
    while len(rows["y_true"]) < 100:
        rows = random_rows(rng)
    tables = tables_of(rows)
    stored = contents(tables, intervals=False)
    asked = [
        (name, axis, scale, ["curve", 0, name, axis, 0.2, scale])
        for name in NAMES
        for axis in ("cost", "skew", "pc")
        for scale in ("linear", "logit")
    ]
    (lines,) = ask([(stored, [question for *_, question in asked])])
    table = tables["one"]
    choices = parameter_free(table.prevalence)
    for (name, axis, scale, _), line in zip(asked, lines, strict=True):
        x, y = np.array(line["x"]), np.array(line["y"])
        assert 2 <= len(x) <= 2000
        assert np.all(np.diff(x) >= 0)
        ends = (0, 1) if scale == "linear" else (1e-4, 1 - 1e-4)
        assert (x[0], x[-1]) == pytest.approx(ends, rel=1e-9)
        curve = curve_on(axis, table, choices[name], 0.2)
        at = 1 - x if axis == "pc" else x
        # Where it jumps, rounding may take a vertex to the other side.
        off = [np.abs(y - curve(np.clip(at + e, 0, 1))) for e in (-1e-12, 0, 1e-12)]
        assert np.min(off, axis=0).max() < 1e-9
        area = np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2
        low, high = sorted((at[0], at[-1]))
        mean = curve.expectation(cs.Uniform(low, high)) * (high - low)
        assert area == pytest.approx(mean, abs=1e-4)


def test_points_lines_and_cases_in_roc_space(ask: Ask):
    y, s = [0, 0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.2, 0.3, 0.6, 0.7, 0.7]
    table = cs.ScoreTable.from_predictions(y, s)
    point = {"fpr": 0.25, "fnr": 0.4}
    skews = [0.0, 0.1, 0.5, 0.9, 1.0]
    (answers,) = ask([(
        contents(table, intervals=False),
        [["rocLine", 0], ["hull", 0], ["confusion", point, 0.2]]
        + [["isometric", {"skew": z}, point] for z in skews],
    )])  # fmt: skip
    line, hull, cases, *isometrics = answers
    points = table.distinct_points.after_flagging_all()
    assert line["fpr"] == points.fpr[::-1].tolist()
    assert line["tpr"] == (1 - points.fnr[::-1]).tolist()
    thresholds = [float("inf"), *table.cut_points[::-1], float("-inf")]
    assert [number(t) for t in line["thresholds"]] == thresholds
    assert hull["fpr"] == table.by_skew.corners.fpr.tolist()
    assert hull["tpr"] == (1 - table.by_skew.corners.fnr).tolist()
    assert [number(t) for t in hull["thresholds"]] == table.hull_thresholds.tolist()
    assert cases == pytest.approx({"tp": 120, "fp": 200, "fn": 80, "tn": 600})
    for z, found in zip(skews, isometrics, strict=True):
        loss = z * np.array(found["fpr"]) + (1 - z) * (1 - np.array(found["tpr"]))
        assert loss == pytest.approx(z * 0.25 + (1 - z) * 0.4)
        assert np.hypot(*(np.diff(found[name]) for name in ("fpr", "tpr"))) > 0.3


def test_one_rule_for_all_conditions_is_the_library_s(ask: Ask):
    rng = np.random.default_rng(1)
    rows = random_rows(rng)
    table = tables_of(rows)["two"]
    known = {"fpCost": [1, 2], "fnCost": [5, 50], "prevalence": [0.05, 0.3]}
    conditions = deployment(known)
    stored = contents(table, intervals=False)
    ((skew,),) = ask([(stored, [["meanSkew", known]])])
    assert skew == pytest.approx(conditions.negative_stake / conditions.stake)
    ((point, money),) = ask([(
        stored,
        [
            ["operatingPoint", 0, "optimal", {"c": skew, "prevalence": 0.5}],
            ["pointMoney", {"fpr": 0.3, "fnr": 0.2}, known],
        ],
    )])  # fmt: skip
    expected = 1000 * (0.3 * conditions.negative_stake + 0.2 * conditions.positive_stake)
    assert money == pytest.approx(expected)
    assert_same_rule(point["rule"], cs.Optimal(), table.with_prevalence(0.5), skew)


def test_knots_are_those_of_the_stored_integrals(ask: Ask):
    stored = contents([0, 1], [0.2, 0.7], intervals=False)
    (found,) = ask([(stored, [["knots", scale] for scale in KNOTS])])
    for knots, own in zip(found, KNOTS.values(), strict=True):
        assert len(knots) > 2000
        assert knots == pytest.approx(own, rel=1e-14)
        assert 1 - own[::-1] == pytest.approx(own, abs=1e-15)


def test_scores_that_are_no_probabilities(ask: Ask):
    y, s = [0, 0, 1, 0, 1, 1], [-np.inf, -3.0, -1.0, 2.0, 5.0, np.inf]
    table = cs.ScoreTable.from_predictions(y, s)
    c = [0.05, 0.3, 0.5, 0.77, 0.99]
    asked = [["operatingPoint", 0, name, {"c": x, "prevalence": 0.5}] for name in NAMES for x in c]
    (answers,) = ask([(contents(table, intervals=False), asked)])
    choices = parameter_free(0.5)
    for (_, _, name, at), point in zip(asked, answers, strict=True):
        if name.startswith("score_driven"):
            assert point is None
            continue
        expected = point_of(choices[name], table, at["c"])
        assert (point["fpr"], point["fnr"]) == pytest.approx(expected, abs=1e-12)
        assert_same_rule(point["rule"], choices[name], table, at["c"])


@pytest.fixture(scope="module")
def large() -> cs.ScoreTable:
    rng = np.random.default_rng(5)
    n = 1_000_000
    y = (rng.random(n) < 0.1).astype(int)
    return cs.ScoreTable.from_predictions(y, expit(1.2 * rng.normal(size=n) + 1.7 * y - 2.8))


def test_a_million_scores_within_what_the_page_states(ask: Ask, large: cs.ScoreTable):
    own = large.prevalence
    stored = contents(large, intervals=False)
    model = stored.to_dict()["models"][0]
    assert not model["complete"]
    assert model["cuts"] <= MOST_CUTS < model["distinct"]
    assert 3 * len(json.dumps(stored.to_dict())) < 1.5e6
    tolerance = model["tolerance"]
    assert 0 < tolerance < 1e-4
    assert "are off by at most" in stored.to_dict()["notes"][-1]
    conditions = [0.001, 0.01, 0.05, 0.1, 0.3, 0.7, 0.9, 0.99]
    choices = {
        name: choice
        for name, choice in parameter_free(own).items()
        if name in ("score_driven", "score_driven_uncorrected", "rate_driven", "optimal")
    }
    ranges = [(0.0, 1.0), (0.1, 0.2), (0.5, 0.5005), (0.0, 0.001)]
    for p in (own, 0.02):
        questions = []
        for name in choices:
            questions += [
                ["operatingPoint", 0, name, {"c": c, "prevalence": p}] for c in conditions
            ]
            questions += [["meanLoss", 0, name, "cost", *ends, p] for ends in ranges]
        (answers,) = ask([(stored, questions)])
        for (_, _, name, *rest), answer in zip(questions, answers, strict=True):
            choice, table = choices[name], large.with_prevalence(p)
            if "value" in answer:
                low, high = rest[1:3]
                mean = choice.expected_loss(table, cs.Uniform(low, high))
                exact = p == own or name == "optimal"
                assert answer["value"] == pytest.approx(mean, rel=1e-6 if exact else 2e-6)
                continue
            c = rest[0]["c"]
            expected = point_of(choice, table, c)
            within = 1e-12 if name == "optimal" else tolerance
            assert (answer["fpr"], answer["fnr"]) == pytest.approx(expected, abs=within, rel=0)
            rule = table.by_score.at(cs.Rule.from_dict(answer["rule"]).thresholds[0])
            # The threshold itself is as exact as the choice's, but for a place in a tied block.
            within = tolerance if name == "rate_driven" else 1e-15
            assert (float(rule.fpr), float(rule.fnr)) == pytest.approx(expected, abs=within, rel=0)


@pytest.mark.parametrize("ties", [False, True])
def test_many_scores_with_weights_and_large_ties(ask: Ask, ties):
    rng = np.random.default_rng(6)
    n = 60_000
    y = (rng.random(n) < 0.3).astype(int)
    s = expit(rng.normal(size=n) + y - 1).astype(np.float32)
    if ties:
        s[rng.random(n) < 0.2] = 0.25
        s[rng.random(n) < 0.1] = 0.0
    table = cs.ScoreTable.from_predictions(y, s, sample_weight=rng.gamma(1, size=n))
    stored = contents(table, intervals=False)
    model = stored.to_dict()["models"][0]
    assert not model["complete"]
    assert model["score_bytes"] == 4
    c = [*rng.random(50).tolist(), 0.0, 0.2499, 0.25, 0.2501, 1.0]
    names = ("score_driven_uncorrected", "rate_driven")
    questions = [
        ["operatingPoint", 0, name, {"c": x, "prevalence": 0.5}] for name in names for x in c
    ]
    (answers,) = ask([(stored, questions)])
    for (_, _, name, at), point in zip(questions, answers, strict=True):
        expected = point_of(parameter_free(0.3)[name], table.with_prevalence(0.5), at["c"])
        found = point["fpr"], point["fnr"]
        assert found == pytest.approx(expected, abs=model["tolerance"] + 1e-12, rel=0)


def test_money_over_a_range_of_prevalence_with_many_scores(ask: Ask):
    """Too many places where the rate-driven choice's money bends to stop at each."""
    rng = np.random.default_rng(4)
    y = (rng.random(3000) < 0.2).astype(int)
    table = cs.ScoreTable.from_predictions(y, expit(rng.normal(size=3000) + 2 * y - 2))
    known = {"fpCost": [1.0, 1.0], "fnCost": [5.0, 50.0], "prevalence": [0.05, 0.2]}
    ((money,),) = ask([(contents(table, intervals=False), [["money", 0, "rate_driven", known]])])
    law = deployment(known)
    expected = cs.expected_money(table, choice=cs.RateDriven(), conditions=law)
    assert money == pytest.approx(expected, rel=1e-6)
