"""Tables of actions against every way of acting in the order of the scores."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs
from costspace import ConditionError

# The ten rows of the documentation, and what each choice costs on them.
Y, S = [0, 0, 0, 0, 1, 0, 0, 1, 0, 1], [0.05, 0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.9]
WORKED = [
    ([[0, 1, 2], [10, 1, 0]], (0.7, 1.0, 0.5)),
    ([[0, 2], [10, 0]], (1.0, 1.0666666667, 0.6)),
    ([[0, 0.2, 1, 4], [12, 6, 1, 0]], (0.74, 1.0332035595, 0.5)),
]


@pytest.mark.parametrize(("costs", "expected"), WORKED)
def test_worked_figures(costs: list[list[float]], expected: tuple[float, ...]) -> None:
    table = cs.CostTable(costs)
    choices = (cs.ScoreDriven(), cs.RateDriven(), cs.Optimal())
    found = [table.cost(cs.loss_curve(Y, S, choice=choice), 0.3) for choice in choices]
    assert found == pytest.approx(expected, abs=5e-11)


def shares(sample: dict, threshold: float) -> tuple[float, float]:
    """The share of either class of a weighted sample above a threshold."""
    y, s, w = (np.asarray(sample[name]) for name in ("y", "s", "w"))
    return tuple(
        float(np.sum(w[own & (s > threshold)]) / np.sum(w[own])) for own in (y == 0, y == 1)
    )


def cost_of(sample: dict, costs: np.ndarray, thresholds, p: float) -> float:
    """What acting above each of some ascending thresholds costs, action by action."""
    above = [(1.0, 1.0), *(shares(sample, t) for t in thresholds), (0.0, 0.0)]
    of_class = -np.diff(np.array(above).T, axis=1)
    return float((1 - p) * costs[0] @ of_class[0] + p * costs[1] @ of_class[1])


@st.composite
def samples(draw) -> dict:
    n = draw(st.integers(2, 8))
    y = draw(
        st.permutations([0, 1, *draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))])
    )
    s = draw(st.lists(st.integers(0, 8).map(lambda k: k / 8), min_size=n, max_size=n))
    w = draw(st.lists(st.sampled_from([1.0, 1.0, 2.0, 0.5, 3.25]), min_size=n, max_size=n))
    return {"y": y, "s": s, "w": w}


AMOUNT = st.one_of(st.integers(0, 12).map(float), st.floats(0, 20))


@st.composite
def tables(draw) -> np.ndarray:
    k = draw(st.integers(1, 5))
    rows = [draw(st.lists(AMOUNT, min_size=k, max_size=k)) for _ in range(2)]
    return np.array(rows)


PREVALENCE = st.sampled_from([None, 0.05, 0.3, 0.5, 0.9])


def table_of(sample: dict, p: float | None) -> cs.ScoreTable:
    found = cs.ScoreTable.from_predictions(sample["y"], sample["s"], sample_weight=sample["w"])
    return found if p is None else found.with_prevalence(p)


@given(samples(), tables(), PREVALENCE)
def test_the_optimal_choice_is_the_best_of_all(sample: dict, costs: np.ndarray, p) -> None:
    source, table = table_of(sample, p), cs.CostTable(costs)
    cuts = [-np.inf, *sorted(set(sample["s"]))]
    # Actions from the lowest scores up, whichever of them: all monotone ways to act.
    order = np.argsort(costs[0], kind="stable")
    ways = combinations_with_replacement(cuts, len(order) - 1)
    best = min(cost_of(sample, costs[:, order], way, source.prevalence) for way in ways)
    found = table.cost(cs.loss_curve(source, choice=cs.Optimal()), source.prevalence)
    assert found == pytest.approx(best, abs=1e-12 * max(1.0, costs.max()))


@given(samples(), tables(), PREVALENCE)
def test_score_driven_takes_what_costs_least_at_each_score(sample: dict, costs, p) -> None:
    source, table = table_of(sample, p), cs.CostTable(costs)
    chosen = table.useful.costs
    found = table.cost(cs.loss_curve(source, choice=cs.ScoreDriven()), source.prevalence)
    expected = cost_of(sample, chosen, table.steps.costs, source.prevalence)
    assert found == pytest.approx(expected, abs=1e-12 * max(1.0, costs.max()))
    # And that is the least of all actions' costs where the score is the probability.
    probability = np.linspace(0, 1, 41)
    every = (1 - probability) * costs[0][:, None] + probability * costs[1][:, None]
    hull = (1 - probability) * chosen[0][:, None] + probability * chosen[1][:, None]
    assert hull.min(axis=0) == pytest.approx(every.min(axis=0), abs=1e-12)
    action = np.searchsorted(table.steps.costs, probability, side="left")
    assert hull[action, np.arange(41)] == pytest.approx(every.min(axis=0), abs=1e-9)


@given(st.permutations([0, 1, 0, 1, 1, 0, 0]), tables(), PREVALENCE)
def test_stepped_rates_act_on_the_lowest_cases_least(y: list[int], costs: np.ndarray, p) -> None:
    s = [k / 8 for k in range(7)]
    sample = {"y": y, "s": s, "w": [1.0] * 7}
    source, choice = cs.ScoreTable.from_predictions(y, s), cs.RateDriven(stepped=True)
    source, table = source if p is None else source.with_prevalence(p), cs.CostTable(costs)
    prevalence, (u, v) = source.prevalence, table.useful.costs
    at = choice.path(source).at(table.steps.costs)
    expected = (1 - prevalence) * (u[0] + np.sum(np.diff(u) * at.fpr))
    expected += prevalence * (v[-1] - np.sum(np.diff(v) * at.fnr))
    found = table.cost(cs.loss_curve(source, choice=choice), prevalence)
    assert found == pytest.approx(float(expected), abs=1e-12 * max(1.0, costs.max()))
    # The same rates are those of thresholds between the scores.
    ways = combinations_with_replacement([-1.0, *s], len(u) - 1)
    every = [cost_of(sample, table.useful.costs, way, prevalence) for way in ways]
    assert min(abs(found - one) for one in every) < 1e-12 * max(1.0, costs.max())


@given(tables())
def test_useful_actions_are_a_convex_chain(costs: np.ndarray) -> None:
    table = cs.CostTable(costs)
    u, v = table.useful.costs
    assert np.all(np.diff(u) > 0)
    assert np.all(np.diff(v) < 0)
    assert np.all(np.diff(table.steps.costs) > 0)
    assert repr(table.useful.useful) == repr(table.useful)
    assert len(table.steps.stakes) == len(u) - 1


def test_an_action_in_a_line_or_dearer_is_left_out() -> None:
    table = cs.CostTable(
        [[2, 0, 1, 1, 3], [0, 4, 2, 3, 0]], ["block", "pass", "ask", "look", "ban"]
    )
    assert table.useful.actions == ("pass", "block")
    assert table.useful.columns()["negative"].tolist() == [0, 2]
    assert cs.CostTable([[1, 2], [1, 2]], ["a", "b"]).useful.actions == ("a",)
    assert cs.CostTable([[1, 2], [1, 2]]).cost(lambda c: c, 0.25) == 1.0


@pytest.mark.parametrize(
    ("costs", "actions", "said"),
    [
        ([0, 1], (), "a row of costs for negatives"),
        ([[0, 1], [2]], (), "a row of costs for negatives"),
        ([[], []], (), "a row of costs for negatives"),
        ([[0, 1], [1, 0], [2, 2]], (), "a row of costs for negatives"),
        ([[0, np.nan], [1, 0]], (), "costs must be numbers"),
        ([[0, 1e60], [1, 0]], (), "costs must be numbers"),
        ([[0, 1], [1, 0]], ("a",), "2 different names"),
        ([[0, 1], [1, 0]], ("a", "a"), "2 different names"),
        ([[0, 1], [1, 0]], "ab", "2 different names"),
        ([[0, 1], [1, 0]], (1, 2), "2 different names"),
    ],
)
def test_bad_tables(costs, actions, said: str) -> None:
    with refused(ConditionError, said):
        cs.CostTable(costs, actions)


def test_a_prevalence_is_checked() -> None:
    with refused(ConditionError, "prevalence"):
        cs.CostTable([[0, 1], [1, 0]]).cost(lambda c: c, 1.0)
