"""Decision tables against every strategy at every condition of a fine grid."""

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from two_models import sample

import costspace as cs
from costspace import ConditionError, ScoreError
from costspace.decision.by_condition.losses import Losses, winners
from costspace.decision.by_condition.table import table_along
from costspace.decision.money.costed import CostedScores
from costspace.decision.rules.rules_by_condition import ByFormula
from costspace.decision.strategy import (
    FLAG_EVERYBODY,
    FLAG_NOBODY,
    TRIVIAL,
    Strategy,
    parameter_free,
)
from costspace.deployment.conditions import Range

CALIBRATED_TO = 0.35
BY_SKEW = ("score_fixed", "score_driven", "optimal")
TRIVIAL_POINTS = {FLAG_NOBODY: (0.0, 1.0), FLAG_EVERYBODY: (1.0, 0.0)}


def compared(
    rows: cs.ScoredRows, held_out: cs.decision.HeldOutRows, axis: float, *, by_skew: bool
) -> tuple[dict[Strategy, cs.OperatingPath], dict[Strategy, Any]]:
    """Held-out paths and rules of all strategies that set their threshold by the condition."""
    paths = {use: cs.OperatingPath.constant(*at, axis) for use, at in TRIVIAL_POINTS.items()}
    rules: dict[Strategy, Any] = {}
    for model in rows.scores:
        table = CostedScores.from_rows(rows, model).rows.with_prevalence(axis)
        for name, choice in parameter_free(CALIBRATED_TO).items():
            drawn = choice in (cs.ScoreUniform(), cs.RateUniform())
            if drawn or (by_skew and name not in BY_SKEW):
                continue
            use = Strategy(model, choice, name)
            paths[use] = held_out.of(model).path(choice, axis)
            driven = isinstance(choice, cs.ScoreDriven)
            rules[use] = choice if driven else cs.threshold_path(table, choice=choice)
    return paths, rules


def losses_of(paths: dict[Strategy, cs.OperatingPath]) -> Losses:
    (axis,) = {path.prevalence for path in paths.values()}
    return Losses({use: path.loss() for use, path in paths.items()}, axis)


def table_of(
    paths: dict[Strategy, cs.OperatingPath], rules: dict[Strategy, Any], span: Range, **given: Any
) -> cs.decision.DecisionTable:
    """The table of paths and of thresholds, or of choices that tell them by the condition."""
    losses = losses_of(paths)
    by_condition: dict[Strategy, Any] = {
        use: cs.decision.ThresholdPath.constant(rule) for use, rule in TRIVIAL.items()
    }
    for use, rule in rules.items():
        learnt = isinstance(rule, cs.decision.ThresholdPath)
        by_condition[use] = rule if learnt else ByFormula(rule, losses.axis)
    return table_along(losses, by_condition, span, **given)


def share_flagged(
    strategy: Strategy,
    train: cs.ScoredRows,
    test: cs.ScoredRows,
    z: float,
    axis: float,
) -> np.ndarray:
    """The probability that each row is flagged, from the definition of each choice."""
    if strategy.model is None:
        return np.full(len(test), float(strategy == FLAG_EVERYBODY))
    s, new, y = train.scores[strategy.model], test.scores[strategy.model], train.positive
    c = float(cs.cost_from_skew(z, prevalence=axis))
    if strategy.name == "score_fixed":
        return (new > 0.5).astype(float)
    if strategy.name == "score_driven_uncorrected":
        return (new > c).astype(float)
    if strategy.name == "score_driven":
        odds = z / (1 - z) * CALIBRATED_TO / (1 - CALIBRATED_TO)
        return (new > odds / (1 + odds)).astype(float)
    values = np.unique(s)
    cuts = np.concatenate([[-np.inf], (values[1:] + values[:-1]) / 2, [np.inf]])
    fpr = np.array([np.mean(s[~y] > t) for t in cuts])
    fnr = np.array([np.mean(s[y] <= t) for t in cuts])
    if strategy.name == "optimal":
        return (new > cuts[np.argmin(z * fpr + (1 - z) * fnr)]).astype(float)
    # The share predicted negative is the condition; in between, two thresholds are mixed.
    rate = (1 - axis) * (1 - fpr) + axis * fnr
    k = min(int(np.searchsorted(rate, c, side="right")), len(cuts) - 1)
    upper = (c - rate[k - 1]) / (rate[k] - rate[k - 1])
    return (1 - upper) * (new > cuts[k - 1]) + upper * (new > cuts[k])


def loss_of(flagged: np.ndarray, test: cs.ScoredRows, z: float) -> float:
    y = test.positive
    return float(z * flagged[~y].mean() + (1 - z) * (1 - flagged[y]).mean())


@settings(max_examples=12, deadline=None)
@given(
    st.integers(15, 50),
    st.integers(0, 10**6),
    st.sampled_from([(0.5, True), (0.3, False), (0.04, False)]),
    st.sampled_from([(0.0, 1.0), (0.1, 0.75)]),
)
def test_the_table_against_every_strategy_on_a_grid(
    n: int, seed: int, at: tuple[float, bool], span: tuple[float, float]
) -> None:
    axis, by_skew = at
    train, test = sample(n, seed), sample(40, seed + 1)
    paths, rules = compared(train, cs.hold_out(train, validation=test), axis, by_skew=by_skew)
    table = table_of(paths, rules, Range(*span))
    assert (table.rows[0].skew_low, table.rows[-1].skew_high) == span
    assert all(one.skew_high == other.skew_low for one, other in pairwise(table.rows))
    breaks = np.concatenate([path.breaks for path in paths.values()])
    skews = np.asarray(cs.skew_from_cost(np.unique(breaks), prevalence=axis))
    edges = np.array([row.skew_low for row in table.rows])
    for z in np.random.default_rng(seed).uniform(*span, 40):
        if np.abs(np.append(skews, edges) - z).min() < 1e-9:
            continue
        losses = {c: loss_of(share_flagged(c, train, test, z, axis), test, z) for c in paths}
        used = table.rule_at(z)
        least = min(losses.values())
        assert losses[used.strategy] == pytest.approx(least, abs=1e-9)
        # What is deployed does what it was chosen for.
        assert loss_of(table.flag(test.scores, skew=z), test, z) == pytest.approx(least, abs=1e-9)
        # The first of those tied, so a trivial rule only where it is better.
        first = next(c for c in losses if losses[c] <= least + 1e-12)
        if sum(loss <= least + 1e-9 for loss in losses.values()) == 1:
            assert used.strategy == first
        elif first.model is not None:
            assert used.strategy.model is not None
    for row in table.rows:
        middle = (row.skew_low + row.skew_high) / 2
        held = loss_of(share_flagged(row.strategy, train, test, middle, axis), test, middle)
        if np.abs(skews - middle).min() > 1e-9:
            assert row.loss == pytest.approx(held, abs=1e-9)


def test_the_winner_need_not_be_the_optimal_choice() -> None:
    """Few rows to choose thresholds on, and scores that are the probabilities themselves."""
    rng = np.random.default_rng(5)
    s = rng.random(40)
    y = (rng.random(40) < s).astype(int)
    rows = cs.ScoredRows.from_predictions(y, {"model": s})
    table = cs.ScoreTable.from_rows(rows, "model").with_prevalence(0.5)
    choices = {
        Strategy("model", cs.ScoreDriven(calibrated_to=0.5), "score_driven"): cs.ScoreDriven(
            calibrated_to=0.5
        ),
        Strategy("model", cs.Optimal(), "optimal"): cs.Optimal(),
    }
    held_out = cs.hold_out(rows).of("model")
    rules = {name: cs.threshold_path(table, choice=choice) for name, choice in choices.items()}
    held = {name: held_out.path(choice, 0.5) for name, choice in choices.items()}
    own = {name: choice.path(table) for name, choice in choices.items()}
    driven, optimal = choices
    areas = [
        {name: path.expected_loss(cs.Uniform()) for name, path in paths.items()}
        for paths in (held, own)
    ]
    assert areas[0][driven] < areas[0][optimal]
    assert areas[1][driven] > areas[1][optimal]
    found = table_of(held, rules, Range(0.0, 1.0))
    won = sum(
        row.skew_high - row.skew_low for row in found.rows if row.strategy.name == "score_driven"
    )
    assert won > 0.5
    # On the rows that it was chosen on, nothing beats it.
    in_sample = table_of({optimal: own[optimal], **own}, rules, Range(0.0, 1.0))
    assert {row.strategy.name for row in in_sample.rows} == {"optimal"}


LINES = {
    Strategy("one", cs.Optimal(), "optimal"): cs.OperatingPath.constant(0.1, 0.5, 0.5),
    Strategy("two", cs.Optimal(), "optimal"): cs.OperatingPath.constant(0.5, 0.1, 0.5),
    Strategy("three", cs.Optimal(), "optimal"): cs.OperatingPath.constant(0.6, 0.6, 0.5),
    FLAG_NOBODY: cs.OperatingPath.constant(0.0, 1.0, 0.5),
    FLAG_EVERYBODY: cs.OperatingPath.constant(1.0, 0.0, 0.5),
}
STEP = cs.decision.ThresholdPath.stepping(np.array([0.6, 0.7]), np.array([0.3, 0.4, 0.6]))
RULES: dict[Strategy, Any] = {strategy: STEP for strategy in LINES if strategy.model is not None}


def test_boundaries_of_lines() -> None:
    table = table_of(LINES, RULES, Range(0.0, 1.0))
    found = [
        (row.skew_high, row.strategy.model, row.strategy.name, row.rule.thresholds[0])
        for row in table.rows
    ]
    assert [names[1:] for names in found] == [
        (None, "flag_everybody", -np.inf),
        ("two", "optimal", 0.3),
        ("one", "optimal", 0.3),
        ("one", "optimal", 0.4),
        ("one", "optimal", 0.6),
        (None, "flag_nobody", np.inf),
    ]
    np.testing.assert_allclose([row[0] for row in found], [1 / 6, 0.5, 0.6, 0.7, 5 / 6, 1])
    assert table.never_best == ("three",)
    assert table.rows[1].loss == pytest.approx(1 / 3 * 0.5 + 2 / 3 * 0.1)
    assert [(r.strategy.name, r.threshold_low, r.threshold_high) for r in table.condensed()] == [
        ("flag_everybody", -np.inf, -np.inf),
        ("optimal", 0.3, 0.3),
        ("optimal", 0.3, 0.6),
        ("flag_nobody", np.inf, np.inf),
    ]
    assert table.condensed()[2].skew_high == pytest.approx(5 / 6)


def test_a_trivial_rule_wins_no_tie() -> None:
    nobody = cs.OperatingPath.constant(0.0, 1.0, 0.5)
    name, trivial = (
        Strategy("m", cs.ScoreFixed(), "score_fixed"),
        FLAG_NOBODY,
    )
    table = table_of(
        {name: nobody, trivial: nobody},
        {name: cs.decision.ThresholdPath.constant(cs.Rule(np.inf))},
        Range(0.2, 0.8),
    )
    assert [(row.strategy.model, row.rule.thresholds[0]) for row in table.rows] == [("m", np.inf)]
    assert table.to_rows()[0]["rule"] == {"by": "score", "cuts": [], "actions": ["pass"]}


def test_rows_of_one_rule_are_one() -> None:
    again = cs.decision.ThresholdPath.stepping(np.array([0.3, 0.4]), np.array([0.2, 0.2, 0.5]))
    name = Strategy("one", cs.Optimal(), "optimal")
    table = table_of({name: LINES[name]}, {name: again}, Range(0.1, 0.9))
    assert [(row.skew_low, row.skew_high, row.rule.thresholds[0]) for row in table.rows] == [
        (0.1, 0.4, 0.2),
        (0.4, 0.9, 0.5),
    ]


def test_a_known_condition_is_one_row() -> None:
    table = table_of(LINES, RULES, Range(0.65, 0.65))
    (row,) = table.rows
    assert (row.skew_low, row.skew_high, row.strategy.model) == (0.65, 0.65, "one")
    assert row.rule == cs.Rule(0.4)
    assert row.loss == pytest.approx(0.65 * 0.1 + 0.35 * 0.5)
    assert table.never_best == ("two", "three")
    # At a crossing the first of both.
    assert table_of(LINES, RULES, Range(0.5, 0.5)).rows[0].strategy.model == "one"


@pytest.mark.parametrize("axis", [0.5, 0.04])
def test_a_threshold_that_follows_the_condition(axis: float) -> None:
    for choice in (cs.ScoreDriven(calibrated_to=0.2), cs.ScoreDriven()):
        name = Strategy("m", choice)
        path = cs.OperatingPath.constant(0.1, 0.5, axis)
        table = table_of({name: path}, {name: choice}, Range(0.1, 0.9))
        (row,) = table.rows
        trusted = choice.calibrated_to or axis
        at = cs.cost_from_skew(np.array([0.1, 0.3, 0.9]), prevalence=trusted)
        assert row.rule.thresholds[0] == pytest.approx(at[0])
        assert row.rule_at_high.thresholds[0] == pytest.approx(at[2])
        assert table.rule_at(0.3).rule.thresholds[0] == pytest.approx(at[1])
        assert table.to_rows()[0]["rule_at_high"] == row.rule_at_high.to_dict()


def test_a_mix_that_follows_the_condition() -> None:
    y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    table = cs.ScoreTable.from_predictions(y, s).with_prevalence(0.2)
    name = Strategy("m", cs.RateDriven(), "rate_driven")
    rules = {name: cs.threshold_path(table, choice=cs.RateDriven())}
    path = cs.RateDriven().path(table)
    found = table_of({name: path}, rules, Range(0.05, 0.95))
    row = found.rows[0]
    assert row.rule.randomised
    assert row.rule_at_high.chance < row.rule.chance or row.rule_at_high == row.rule.otherwise
    curve = path.loss()
    for z in (0.1, 0.4, 0.62, 0.9):
        c = float(cs.cost_from_skew(z, prevalence=0.2))
        point = found.rule_at(z).rule.on(table)
        assert cs.condition.loss_at(point.fpr, point.fnr, c=c, prevalence=0.2) == pytest.approx(
            curve(c)
        )
    columns = found.columns()
    assert columns["mix"].tolist() == [row.rule.chance for row in found.rows]
    assert columns["threshold_2"].tolist() == [row.rule.thresholds[1] for row in found.rows]
    first = found.to_rows()[0]
    assert first["rule"]["chance"] == row.rule.chance
    assert cs.Rule.from_dict(first["rule"]) == row.rule
    assert cs.Rule.from_dict(first["rule_at_high"]) == row.rule_at_high


def test_json_has_no_infinity() -> None:
    table = table_of(LINES, RULES, Range(0.0, 1.0))
    rows = table.to_rows()
    json.dumps(rows, allow_nan=False)
    assert rows[0] == {
        "skew_low": 0.0,
        "skew_high": pytest.approx(1 / 6),
        "model": None,
        "choice": "flag_everybody",
        "rule": {"by": "score", "cuts": [], "actions": ["flag"]},
        "loss": pytest.approx(1 / 12),
    }
    assert rows[2]["rule"] == {"by": "score", "cuts": [0.3], "actions": ["pass", "flag"]}
    drawn = cs.Rule(0.4, otherwise=cs.Rule(np.inf), chance=0.25)
    mixed = cs.decision.ThresholdPath.constant(drawn)
    name = Strategy("one", cs.Optimal(), "optimal")
    found = table_of({name: LINES[name]}, {name: mixed}, Range(0.1, 0.9))
    assert found.to_rows()[0] | {"loss": 0} == {
        "skew_low": 0.1,
        "skew_high": 0.9,
        "model": "one",
        "choice": "optimal",
        "rule": {
            "by": "score",
            "cuts": [0.4],
            "actions": ["pass", "flag"],
            "chance": 0.25,
            "otherwise": {"by": "score", "cuts": [], "actions": ["pass"]},
        },
        "loss": 0,
    }
    assert found.flag({"one": [0.3, 0.5]}, skew=0.2).tolist() == [0, 0.25]


def test_flagging_by_the_hybrid() -> None:
    table = table_of(LINES, RULES, Range(0.0, 1.0))
    scores = {"one": [0.2, 0.35, 0.5], "two": np.float32([0.9, 0.1, 0.31])}
    assert table.flag(scores, skew=0.05).tolist() == [1, 1, 1]
    assert table.flag(scores, skew=0.3).tolist() == [1, 0, 1]
    assert table.flag(scores, skew=0.55).tolist() == [0, 1, 1]
    assert table.flag(scores, skew=0.99).tolist() == [0, 0, 0]
    # At a boundary the row that begins there.
    assert table.rule_at(table.rows[3].skew_low).rule.thresholds[0] == 0.4


def test_bands_of_prevalence() -> None:
    bands = Range(0.01, 0.1), Range(0.1, 0.5)
    low, high = (
        table_of(LINES, RULES, Range(*ends), prevalences=band)
        for ends, band in zip(((0.2, 0.45), (0.55, 0.8)), bands, strict=True)
    )
    table = cs.decision.DecisionTable.joined([low, high])
    assert [row.prevalence_low for row in table.rows] == [0.01, 0.1, 0.1, 0.1]
    assert table.never_best == ("three",)
    assert low.never_best == ("one", "three")
    assert table.rule_at(0.3, 0.05).strategy.model == "two"
    assert table.rule_at(0.75, 0.3).rule.thresholds[0] == 0.6
    assert table.columns()["prevalence_high"].tolist() == [0.1, 0.5, 0.5, 0.5]
    assert table.to_rows()[0]["prevalence_low"] == 0.01
    assert len(table.condensed()) == 2
    with refused(ConditionError, "the table is by skew and prevalence: give the prevalence too."):
        table.rule_at(0.3)
    with refused(
        ConditionError,
        "is for skews from 0.55 to 0.8 at prevalence 0.3, got skew 0.3, prevalence 0.3.",
    ):
        table.rule_at(0.3, 0.3)
    plain = table_of(LINES, RULES, Range(0.2, 0.45))
    assert cs.decision.DecisionTable.joined([plain]).rows == plain.rows
    for bad in ([], [plain, low]):
        with refused(ConditionError, "tables to join must each be for a range of prevalences"):
            cs.decision.DecisionTable.joined(bad)


@settings(max_examples=16, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.01, 0.2]))
def test_fewer_rows_within_a_share_of_the_least_loss(seed: int, within: float) -> None:
    rows = sample(60, seed)
    paths, rules = compared(rows, cs.hold_out(rows), 0.5, by_skew=True)
    exact = table_of(paths, rules, Range(0.1, 0.9))
    table = table_of(paths, rules, Range(0.1, 0.9), within=within)
    assert len(table.condensed()) <= len(exact.condensed())
    curves = {name: path.loss() for name, path in paths.items()}
    for z in np.linspace(0.1, 0.9, 201)[1:-1] + 1e-7:
        used = table.rule_at(float(z))
        least = min(curve(z) for curve in curves.values())
        assert curves[used.strategy](z) <= (1 + within) * least + 1e-11


@settings(max_examples=16, deadline=None)
@given(st.integers(0, 10**6))
def test_the_envelope_of_many_curves(seed: int) -> None:
    rows = sample(60, seed)
    paths, _ = compared(rows, cs.hold_out(rows), 0.3, by_skew=False)
    losses = losses_of(paths)
    curves = list(losses.curves.values())
    ours, plain = losses.lowest, cs.lower_envelope(curves)
    c = np.random.default_rng(seed).random(400)
    np.testing.assert_allclose(ours.curve(c), plain.curve(c), atol=1e-12)
    assert ours.curve.left(0.0) == pytest.approx(plain.curve.left(0.0), abs=1e-12)
    assert ours.curve(1.0) == pytest.approx(plain.curve(1.0), abs=1e-12)
    place = np.searchsorted(ours.breaks, c, side="right") - 1
    values = np.array([curve(c) for curve in curves])
    found = values[ours.winner[place], np.arange(len(c))]
    np.testing.assert_allclose(found, values.min(axis=0), atol=2e-12)
    assert len(ours.curve.breaks) <= len(plain.curve.breaks)
    whole = winners(losses, 0.0, 1.0)
    np.testing.assert_array_equal(whole.breaks, ours.breaks)
    np.testing.assert_array_equal(whole.index, ours.winner)


def test_records() -> None:
    table = table_of(LINES, RULES, Range(0.0, 1.0))
    columns = table.columns()
    assert columns["model"].tolist() == ["", "two", "one", "one", "one", ""]
    assert "prevalence_low" not in columns
    assert columns["threshold_2"].tolist() == columns["threshold"].tolist()
    used = table.rule_at(0.3).columns()
    assert used["model"].tolist() == ["two"]
    assert used["choice"].tolist() == ["optimal"]
    assert used["rule"].tolist() == ["flag scores above 0.3"]


def test_bad_input() -> None:
    table = table_of(LINES, RULES, Range(0.2, 0.8))
    with refused(ConditionError, "the decision table is for skews from 0.2 to 0.8, got skew 0.9."):
        table.rule_at(0.9)
    with refused(ConditionError, "skew must be in [0, 1], got 2: 2 % is 0.02."):
        table.rule_at(2)
    with refused(ScoreError, "the table uses 'two' there, and it has no scores: give them."):
        table.flag({"one": [0.1]}, skew=0.3)
    with refused(ScoreError, "a mapping of names to scores is needed, got {}."):
        table.flag({}, skew=0.3)
    with refused(ScoreError, "the scores of 'two' have a missing value (NaN) in row 1"):
        table.flag({"two": [np.nan]}, skew=0.3)
