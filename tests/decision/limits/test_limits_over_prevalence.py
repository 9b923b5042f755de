"""Money within limits over a range of prevalence, by a search at each of many of them."""

import csv
from pathlib import Path

import numpy as np
import pytest
from brute_force_limits import BANDS, Best, ByRate, ByScore, Search
from foreign import Bare, LeastLoss, Settings
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import GRIDS, PLAIN, Predictions, predictions
from refusals import refused
from scipy.special import expit, logit

import costspace as cs
from costspace.decision.limits.constrained import constrained_money
from costspace.decision.limits.feasible import feasible_operating_path
from costspace.decision.money.costed import CostedScores

WAYS = {
    "score_driven": (cs.ScoreDriven(), ByScore()),
    "score_driven_corrected": (cs.ScoreDriven(0.37), ByScore(0.37)),
    "rate_driven": (cs.RateDriven(), ByRate()),
    "rate_fixed": (cs.RateFixed(0.31), ByRate(0.69)),
    "optimal": (cs.Optimal(), Best()),
}
NAMES = ("capacity", "min_precision", "min_recall", "min_npv", "max_fpr")
LIMIT = st.integers(0, 20).map(lambda i: i / 20) | st.integers(0, 10**4).map(lambda i: i / 10**4)
LIMITS = st.dictionaries(st.sampled_from(NAMES), LIMIT, min_size=1, max_size=3)
TENTHS = [0.3, 0.3, 0.4, 0.5, 0.6, 1.0, 0.8, 0.6]
RANGES = st.sampled_from([(0.0213, 0.31), (0.117, 0.873), (0.3, 0.36)])
FEW = predictions(
    st.sampled_from([GRIDS, st.just(PLAIN)]).flatmap(lambda s: s),
    weights=st.integers(1, 3).map(float),
    sizes=(2, 6),
)


def money(scores, choice, conditions, limits, *, randomise):
    """Money per 1,000 cases, or None if nothing keeps to the limits."""
    if isinstance(scores, cs.ScoreTable):
        scores = CostedScores.same(scores)
    try:
        return constrained_money(
            scores, choice, conditions, cs.Constraints(**limits), randomise=randomise
        )
    except cs.InfeasibleError:
        return None


def assert_searched(
    name: str,
    sample: Predictions,
    limits: dict[str, float],
    span: tuple[float, float],
    fn_cost: float,
    randomise: bool,
) -> None:
    choice, way = WAYS[name]
    search = Search(sample.y, sample.s, sample.weights, limits, way, fn_cost, randomise)
    expected = search.money(*span)
    known = cs.Deployment(1, fn_cost, span)
    found = money(sample.table, choice, known, limits, randomise=randomise)
    assert (found is None) == (expected is None)
    if expected is not None:
        # Limits that nothing breaks leave what needs no bands.
        binds = not search.kept(*search.cuts[:, :, None], np.array(span)).all()
        assert found == pytest.approx(expected, rel=1e-9 if binds else 2e-2, abs=1e-9)


@pytest.mark.parametrize("name", WAYS)
@settings(max_examples=20)
@given(FEW, LIMITS, RANGES, st.sampled_from([0.2137, 1.013, 4.71]), st.booleans())
def test_known_costs(
    name: str,
    sample: Predictions,
    limits: dict[str, float],
    span: tuple[float, float],
    fn_cost: float,
    randomise: bool,
) -> None:
    assert_searched(name, sample, limits, span, fn_cost, randomise)


@pytest.mark.parametrize(
    ("name", "rows", "limits", "span", "fn_cost", "randomise"),
    [
        (
            "score_driven",
            [(0, 0.9, 2), (1, 0.1, 2), (0, 0.0, 1)],
            {"min_npv": 0.5, "max_fpr": 0.95, "capacity": 0.75},
            (0.0213, 0.31),
            4.71,
            True,
        ),
        (
            "score_driven",
            [(0, 0.6, 1), (0, 1.0, 2), (1, 0.3, 3)],
            {"min_precision": 0.05, "min_npv": 0.4},
            (0.117, 0.873),
            0.2137,
            True,
        ),
        (
            "score_driven",
            [(0, 0.7, 2), (1, 0.6, 2), (1, 0.6, 2)],
            {"max_fpr": 0.5, "capacity": 0.4},
            (0.117, 0.873),
            4.71,
            True,
        ),
        (
            "optimal",
            list(zip([1, 0, 0, 0, 0, 1, 1, 1], TENTHS, [2, 3, 2, 1, 3, 1, 3, 2], strict=True)),
            {"capacity": 0.05},
            (0.0213, 0.31),
            4.71,
            False,
        ),
        (
            "rate_driven",
            [(0, 0.3, 1), (1, 0.3, 1), (0, 0.4, 3)],
            {"min_precision": 0.1},
            (0.117, 0.873),
            4.71,
            False,
        ),
        (
            "rate_driven",
            [(0, 0.5, 2), (1, 0.9, 1), (0, 0.9, 2), (1, 0.7, 3), (0, 0.8, 3), (1, 0.2, 3)],
            {"capacity": 0.7, "min_npv": 0.25, "min_precision": 0.05},
            (0.0213, 0.31),
            4.71,
            False,
        ),
    ],
    ids=[
        "equal distances",
        "halfway in a range",
        "limits that meet",
        "a best cut is lost",
        "an end halfway",
        "no cut on the nearest stretch",
    ],
)
def test_unusual_samples_and_limits(
    name: str,
    rows: list[tuple[int, float, float]],
    limits: dict[str, float],
    span: tuple[float, float],
    fn_cost: float,
    randomise: bool,
) -> None:
    y, s, w = np.array(rows).T
    assert_searched(name, Predictions(y.astype(int), s, w), limits, span, fn_cost, randomise)


# --- What is slower to search: at each prevalence the path that `test_feasible.py` has searched ---

Y = np.array([0, 0, 1, 0, 1, 0, 1, 1])
S = np.array([0.1, 0.2, 0.2, 0.35, 0.5, 0.6, 0.6, 0.9])
W = np.array([3.0, 1.0, 1.0, 2.0, 1.0, 1.0, 2.0, 1.0])
PRECISE = {"min_precision": 0.3, "capacity": 0.61}
CHOICES = {
    "driven": cs.ScoreDriven(),
    "corrected": cs.ScoreDriven(0.3),
    "smoothed": cs.Smoothed(),
    "by rate": cs.RateDriven(),
    "any rate": cs.RateUniform(),
    "optimal": cs.Optimal(),
    "least loss": LeastLoss(),
    "settings": Settings(),
    "fitted": cs.Fitted(
        cs.Optimal(), cs.ScoreTable.from_predictions([0, 1, 0, 1], S[[1, 3, 5, 7]])
    ),
}


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize(
    ("limits", "costs_of_cases", "randomise"),
    [
        (PRECISE, False, True),
        ({"min_precision": 0.4, "min_npv": 0.7}, False, False),
        (PRECISE, True, True),
    ],
    ids=["mixes", "cuts", "costs of cases"],
)
def test_costs_that_vary(
    name: str, limits: dict[str, float], costs_of_cases: bool, randomise: bool
) -> None:
    costs = cs.CaseCosts(1 + Y + S, 2 - S) if costs_of_cases else None
    rows = cs.ScoredRows.from_predictions(Y, {"m": S}, sample_weight=W, case_costs=costs)
    scores, choice = CostedScores.from_rows(rows, "m"), CHOICES[name]
    low, high = 0.23, 0.3
    known = cs.Deployment((1, 1.3), (0.9, 5), (low, high))
    seen: list[tuple[cs.CostDistribution, float]] = []
    known.over_prevalence(lambda _, costs, size: seen.append((costs, size)) or 0.0)
    (of_costs, size), held = seen[0], cs.Constraints(**limits)
    expected = 0.0
    edges = np.linspace(logit(low), logit(high), BANDS + 1)
    for p in (np.diff(np.logaddexp(0, edges)) / np.diff(edges)).tolist():
        there = scores.with_prevalence(p)
        path = feasible_operating_path(choice, there, held, p, randomise=randomise)
        expected += 500 * size * path.expected_loss(of_costs) / BANDS
    found = money(scores, choice, known, limits, randomise=randomise)
    assert found == pytest.approx(expected, rel=1e-9)


# By pieces of the range between all prevalences at which a threshold jumps, exact to 1e-9.
EXACT = {
    ("naive_bayes", cs.ScoreDriven(0.37258347978910367), (0.005, 0.05), True): 116.4058,
    ("logistic", cs.ScoreDriven(0.37258347978910367), (0.02, 0.2), True): 102.2151878,
    ("logistic", cs.ScoreDriven(0.37258347978910367), (0.02, 0.2), False): 102.2414691,
    ("logistic", cs.RateDriven(), (0.02, 0.2), True): 236.3057433,
    ("logistic", cs.RateDriven(), (0.02, 0.2), False): 235.1060149,
    ("logistic", cs.Optimal(), (0.02, 0.2), True): 88.2174360,
    ("logistic", cs.Optimal(), (0.02, 0.2), False): 89.0441571,
}


@pytest.mark.parametrize(("model", "choice", "span", "randomise"), EXACT)
def test_the_error_of_bands_is_as_it_is_said(
    model: str, choice: cs.ThresholdChoice, span: tuple[float, float], randomise: bool
) -> None:
    with Path("examples/breast_cancer.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    y, s = (np.array([float(row[name]) for row in rows]) for name in ("y_true", model))
    table, known = cs.ScoreTable.from_predictions(y, s), cs.Deployment(1, (10, 100), span)
    limits = {"min_precision": 0.3} if model == "naive_bayes" else {"capacity": 0.3}
    expected = EXACT[model, choice, span, randomise]
    assert money(table, choice, known, limits, randomise=randomise) == pytest.approx(
        expected, rel=3e-3
    )


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("randomise", [True, False])
def test_some_prevalences(name: str, randomise: bool) -> None:
    choice, way = WAYS[name]
    search = Search(Y, S, W, PRECISE, way, 4.71, randomise)
    table = cs.ScoreTable.from_predictions(Y, S, sample_weight=W)
    expected = 1000 * search.least(np.array([0.13, 0.29, 0.31]))
    for one, each in zip((0.13, 0.29, 0.31), expected, strict=True):
        found = money(table, choice, cs.Deployment(1, 4.71, one), PRECISE, randomise=randomise)
        assert found == pytest.approx(each, rel=1e-10)
    for known in (
        cs.Deployment(1, 4.71, cs.Drawn([0.13, 0.29, 0.31])),
        cs.Scenarios(1, 4.71, [0.13, 0.29, 0.31]),
    ):
        found = money(table, choice, known, PRECISE, randomise=randomise)
        assert found == pytest.approx(expected.mean(), rel=1e-10)


@pytest.mark.parametrize("choice", [cs.ScoreDriven(), cs.Optimal()])
def test_nothing_keeps_to_the_limits_between_the_ends(choice: cs.ThresholdChoice) -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1, 0, 1], [0.1, 0.5, 0.3, 0.6, 0.7, 0.9])
    limits = cs.Constraints(min_precision=0.7, min_npv=0.65)
    scores = CostedScores.same(table)
    for p in (0.2, 0.8):
        constrained_money(scores, choice, cs.Deployment(1, 2, p), limits, randomise=False)
    with refused(cs.InfeasibleError, "no threshold has negative predictive value at least 65 %"):
        constrained_money(scores, choice, cs.Deployment(1, 2, (0.2, 0.8)), limits, randomise=False)


def test_what_a_choice_tells_of_itself_changes_nothing() -> None:
    table, known = cs.ScoreTable.from_predictions(Y, S), cs.Deployment(1, (0.9, 5), (0.11, 0.47))
    told, untold = (
        money(table, choice, known, PRECISE, randomise=True) for choice in (Settings(), Bare())
    )
    assert untold == pytest.approx(told, rel=1e-9)


def test_many_scores() -> None:
    # Every score four times, a rounding apart: mixes of neighbours are what they were.
    rng = np.random.default_rng(5)
    y = np.tile(rng.random(3000) < 0.3, 4)
    s = np.tile(rng.random(3000) * 0.9, 4) + 1e-9 * np.repeat(np.arange(4), 3000)
    known = cs.Deployment(1, (5, 50), (0.02, 0.1))
    few, many = (
        money(
            cs.ScoreTable.from_predictions(y[:n], s[:n]),
            cs.RateDriven(),
            known,
            {"capacity": 0.2, "min_precision": 0.02},
            randomise=True,
        )
        for n in (3000, 12000)
    )
    assert many == pytest.approx(few, rel=1e-9)


@pytest.mark.parametrize("choice", [cs.RateDriven(), cs.Optimal()])
def test_room_for_chance(choice: cs.ThresholdChoice) -> None:
    scores = CostedScores.same(cs.ScoreTable.from_predictions(Y, S))
    limits = cs.Constraints(capacity=0.7).with_room(0.8, 50, 40)
    found, *each = (
        constrained_money(scores, choice, cs.Deployment(1, (0.9, 5), p), limits)
        for p in ((0.11, 0.47), *expit(np.linspace(logit(0.11), logit(0.47), 201)))
    )
    assert found == pytest.approx(np.trapezoid(each) / 200, rel=1e-3)


@pytest.mark.parametrize("choice", [cs.ScoreDriven(0.2), cs.RateFixed(0.31), cs.Optimal()])
def test_a_prevalence_that_comes_close_to_0_and_to_1(choice: cs.ThresholdChoice) -> None:
    scores, limits = CostedScores.same(cs.ScoreTable.from_predictions(Y, S)), cs.Constraints(0.4)
    law = cs.Beta(0.5, 0.5)
    found, *each = (
        constrained_money(scores, choice, cs.Deployment(1, 2.3, p), limits, randomise=False)
        for p in (law, *law.quantile((np.arange(200) + 0.5) / 200).tolist())
    )
    assert found == pytest.approx(np.mean(each), rel=3e-3)
