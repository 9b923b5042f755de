"""Choices under constraints, against searches through every threshold and every mix of two."""

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from laws.registry import ANY, CHOICES, Predictions, close, fit_for, inside
from refusals import refused
from scipy.optimize import linprog

import costspace as cs
from costspace.decision.money.costed import CostedScores

LIMITS = st.integers(0, 20).map(lambda i: i / 20) | st.floats(0, 1).map(lambda x: round(x, 6))
NAMES = ("capacity", "min_precision", "min_recall", "min_npv", "max_fpr")
PREVALENCES = st.lists(st.sampled_from([0.5, 0.01, 0.1, 0.3, 0.9]), min_size=1, max_size=2)
# Choices that have a threshold at each condition, without the optimal one.
SET = [
    name for name in CHOICES if "uniform" not in name and "batch" not in name and name != "optimal"
]
FREE = cs.Constraints(capacity=1, min_precision=0, min_recall=0, min_npv=0, max_fpr=1)


@st.composite
def constraints(draw: Any) -> cs.Constraints:
    return cs.Constraints(**draw(st.dictionaries(st.sampled_from(NAMES), LIMITS, min_size=1)))


@dataclass(frozen=True, eq=False)
class Candidates:
    """Operating points to search: cuts from flagging everybody on, and mixes of two."""

    x: np.ndarray
    y: np.ndarray

    def feasible(self, limits: cs.Constraints, prevalences: list[float]) -> "Candidates":
        held = np.ones(len(self.x), dtype=bool)
        for p in prevalences:
            for name, limit in limits.limits.items():
                held &= self.room(name, limit, p) >= -1e-12
        return Candidates(self.x[held], self.y[held])

    def room(self, name: str, k: float, p: float) -> np.ndarray:
        """What is left up to a limit, not as quotients, which lose all digits near 0 / 0."""
        fp, tp, fn, tn = (1 - p) * self.x, p * (1 - self.y), p * self.y, (1 - p) * (1 - self.x)
        return {
            "capacity": k - (fp + tp),
            "min_precision": tp - k * (fp + tp),
            "min_recall": (1 - self.y) - k,
            "min_npv": tn - k * (fn + tn),
            "max_fpr": k - self.x,
        }[name]

    def least(self, c: np.ndarray, p: float) -> np.ndarray:
        losses = 2 * (np.outer(c, (1 - p) * self.x) + np.outer(1 - c, p * self.y))
        return losses.min(axis=1)


def lines(limits: cs.Constraints, p: float) -> list[tuple[float, float, float]]:
    """The constraints as a FPR + b FNR <= limit."""
    found = {
        "capacity": lambda k: (1 - p, -p, k - p),
        "min_precision": lambda k: (k * (1 - p), (1 - k) * p, (1 - k) * p),
        "min_recall": lambda k: (0, 1, 1 - k),
        "min_npv": lambda k: ((1 - k) * (1 - p), k * p, (1 - k) * (1 - p)),
        "max_fpr": lambda k: (1, 0, k),
    }
    return [found[name](limit) for name, limit in limits.limits.items()]


def cuts(sample: Predictions, weights: np.ndarray | None = None) -> Candidates:
    w = sample.weights if weights is None else weights
    rows = [
        [
            np.average(sample.s[inside] > t, weights=w[inside])
            for t in np.append(-np.inf, np.unique(sample.s[sample.weights > 0]))
        ]
        for inside in (sample.y == 0, sample.y == 1)
    ]
    return Candidates(np.array(rows[0]), 1 - np.array(rows[1]))


def mixes(at: Candidates, limits: cs.Constraints, prevalences: list[float], reach: int) -> Any:
    """The cuts, and mixes of two no more than `reach` apart that are on a limit."""
    x, y = [at.x], [at.y]
    sides = [line for p in prevalences for line in lines(limits, p)]
    for i, j in combinations(range(len(at.x)), 2):
        if j - i > reach:
            break_even = []
        else:
            ends = [(a * at.x[k] + b * at.y[k] - d) for a, b, d in sides for k in (i, j)]
            pairs = zip(ends[::2], ends[1::2], strict=True)
            break_even = [u / (u - v) for u, v in pairs if min(u, v) < 0 < max(u, v)]
        along = np.array(break_even)
        x.append((1 - along) * at.x[i] + along * at.x[j])
        y.append((1 - along) * at.y[i] + along * at.y[j])
    return Candidates(np.concatenate(x), np.concatenate(y))


def found_or_none(source: Any, **known: Any) -> cs.decision.ThresholdPath | None:
    try:
        return cs.decision.constrained_path(source, **known)
    except cs.InfeasibleError:
        return None


def assert_held(
    path: cs.decision.ThresholdPath, table: cs.ScoreTable, limits: cs.Constraints, at: list[float]
) -> None:
    operating = path.on(table)
    for points in (operating.start, operating.end):
        assert limits.holds(points, np.array(at)[:, None]).all()
    assert np.all(np.diff(path.breaks) >= 0)
    assert (path.breaks[0], path.breaks[-1]) == (0, 1)


@settings(max_examples=120)
@given(ANY, constraints(), PREVALENCES, st.booleans())
def test_the_optimal_choice_finds_the_best_feasible_rule(
    sample: Predictions, limits: cs.Constraints, at: list[float], randomise: bool
) -> None:
    table, every = sample.table, cuts(sample)
    if randomise:
        every = mixes(every, limits, at, reach=len(sample))
    feasible = every.feasible(limits, at)
    path = found_or_none(
        table, choice=cs.Optimal(), constraints=limits, prevalence=at, randomise=randomise
    )
    assert (path is None) == (len(feasible.x) == 0)
    if path is None:
        return
    assert_held(path, table, limits, at)
    assert randomise or np.array_equal(path.threshold, path.threshold_2)
    loss = path.on(table).loss()
    c = inside(loss.breaks)
    close(loss(c), feasible.least(c, table.prevalence), 1e-9)


@settings(max_examples=40)
@given(ANY, constraints(), PREVALENCES, st.sampled_from([0.05, 0.3, 0.5, 0.8]))
def test_the_best_mix_is_the_optimum_of_a_linear_programme(
    sample: Predictions, limits: cs.Constraints, at: list[float], c: float
) -> None:
    table, every = sample.table, cuts(sample)
    p = table.prevalence
    sides = np.array([line for q in at for line in lines(limits, q)])
    solved = linprog(
        2 * (c * (1 - p) * every.x + (1 - c) * p * every.y),
        A_ub=sides[:, :1] * every.x + sides[:, 1:2] * every.y,
        b_ub=sides[:, 2],
        A_eq=np.ones((1, len(every.x))),
        b_eq=[1],
    )
    path = found_or_none(table, choice=cs.Optimal(), constraints=limits, prevalence=at)
    if path is None:
        assume(not solved.success)
    else:
        assert solved.success
        # The solver allows itself to break limits by 1e-7.
        assert float(path.on(table).loss()(c)) == pytest.approx(solved.fun, abs=2e-5)


@settings(max_examples=60)
@given(ANY, constraints(), PREVALENCES, st.booleans(), st.data())
def test_with_costs_of_its_own_for_each_case(
    sample: Predictions,
    limits: cs.Constraints,
    at: list[float],
    randomise: bool,
    data: st.DataObject,
) -> None:
    n = len(sample)
    cost = np.array(data.draw(st.lists(st.sampled_from([0.5, 1, 4]), min_size=n, max_size=n)))
    table = sample.table
    costs = replace(sample, w=sample.weights * cost, prevalence=table.prevalence)
    scores = CostedScores(table, costs.table)
    rows, weighed = cuts(sample), cuts(sample, sample.weights * cost)
    points = list(zip(rows.x, rows.y, strict=True))
    held = [
        len(Candidates(np.array([x]), np.array([y])).feasible(limits, at).x) > 0 for x, y in points
    ]
    path = found_or_none(
        scores, choice=cs.Optimal(), constraints=limits, prevalence=at, randomise=randomise
    )
    assert (path is None) == (not any(held))
    if path is None:
        return
    assert_held(path, table, limits, at)
    loss = path.on(scores.costs).loss()
    c = inside(loss.breaks)
    feasible = Candidates(weighed.x[held], weighed.y[held])
    close(loss(c), feasible.least(c, table.prevalence), 1e-9)


@pytest.mark.parametrize("name", SET)
@settings(max_examples=40)
@given(constraints(), PREVALENCES, st.booleans(), st.data())
def test_other_choices_move_no_further_than_they_must(
    name: str, limits: cs.Constraints, at: list[float], randomise: bool, data: st.DataObject
) -> None:
    case = CHOICES[name]
    sample = fit_for(case, data)
    table = sample.table
    p, own = table.prevalence, case.choice.path(table)
    path = found_or_none(
        table, choice=case.choice, constraints=limits, prevalence=at, randomise=randomise
    )
    every = mixes(cuts(sample), limits, at, reach=1) if randomise else cuts(sample)
    feasible = every.feasible(limits, at)
    assert (path is None) == (len(feasible.x) == 0)
    if path is None:
        return
    loss = path.on(table).loss()
    c = inside(np.concatenate([loss.breaks, own.breaks]))
    assert isinstance(own, cs.OperatingPath)
    where = np.searchsorted(own.breaks, c, side="right") - 1
    along = (c - own.breaks[where]) / np.diff(own.breaks)[where]
    x, y = (
        (1 - along) * start[where] + along * end[where]
        for start, end in ((own.start.fpr, own.end.fpr), (own.start.fnr, own.end.fnr))
    )
    rates = (1 - p) * feasible.x - p * feasible.y
    for i, condition in enumerate(c):
        point = Candidates(x[i : i + 1], y[i : i + 1])
        if not len(point.feasible(limits, at).x):
            distance = np.abs(rates - (1 - p) * x[i] + p * y[i])
            near = np.flatnonzero(distance < distance.min() + 1e-12)
            # The share flagged falls with FPR and rises with FNR.
            best = near[np.lexsort((feasible.y[near], -rates[near]))[-1]]
            point = Candidates(feasible.x[[best]], feasible.y[[best]])
        expected = point.least(np.array([condition]), p)[0]
        assert float(loss(condition)) == pytest.approx(expected, abs=1e-9)
    if randomise or "rate" not in name:
        assert_held(path, table, limits, at)


@settings(max_examples=40)
@given(constraints(), PREVALENCES, st.booleans(), ANY)
def test_drawn_thresholds_are_moved_one_by_one(
    limits: cs.Constraints, at: list[float], randomise: bool, sample: Predictions
) -> None:
    table = sample.table
    options = {"constraints": limits, "prevalence": at, "randomise": randomise}
    try:
        uniform = cs.decision.constrained_operating_path(
            table, choice=cs.ScoreUniform(0.125, 0.5), **options
        )
    except cs.InfeasibleError:
        with pytest.raises(cs.InfeasibleError):
            cs.decision.constrained_operating_path(table, choice=cs.RateUniform(), **options)
        return
    edges = np.unique(np.clip([0.125, 0.5, *table.by_score.breaks], 0.125, 0.5))
    each = [
        cs.decision.constrained_operating_path(table, choice=cs.ScoreFixed(t), **options)
        for t in (edges[:-1] + np.diff(edges) / 2)
    ]
    for end in ("fpr", "fnr"):
        rates = [getattr(path.start, end)[0] for path in each]
        expected = np.average(rates, weights=np.diff(edges))
        assert getattr(uniform.start, end)[0] == pytest.approx(expected, abs=1e-12)
    by_rate = cs.decision.constrained_operating_path(table, choice=cs.RateUniform(), **options)
    driven = cs.decision.constrained_path(table, choice=cs.RateDriven(), **options).on(table)
    for end in ("fpr", "fnr"):
        middles = (getattr(driven.start, end) + getattr(driven.end, end)) / 2
        expected = np.sum(middles * np.diff(driven.breaks))
        assert getattr(by_rate.start, end)[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", [name for name in CHOICES if "batch" not in name])
@settings(max_examples=16)
@given(PREVALENCES, st.booleans(), st.data())
def test_limits_that_limit_nothing_change_nothing(
    name: str, at: list[float], randomise: bool, data: st.DataObject
) -> None:
    case = CHOICES[name]
    table = fit_for(case, data).table
    for limits in (FREE, cs.Constraints(), cs.Constraints(capacity=1, min_precision=0)):
        path = cs.decision.constrained_operating_path(
            table, choice=case.choice, constraints=limits, prevalence=at, randomise=randomise
        )
        own = case.choice.path(table)
        assert isinstance(own, cs.OperatingPath)
        for column, values in path.columns().items():
            assert np.array_equal(values, own.columns()[column])
        if "uniform" in name:
            continue
        found = cs.decision.constrained_path(
            table, choice=case.choice, constraints=limits, prevalence=at, randomise=randomise
        )
        own_rules = cs.threshold_path(table, choice=case.choice).columns()
        for column, values in found.columns().items():
            assert np.array_equal(values, own_rules[column])


def losses(path: cs.decision.ThresholdPath, table: cs.ScoreTable, c: np.ndarray) -> np.ndarray:
    return path.on(table).loss()(c)


@settings(max_examples=50)
@given(ANY, constraints(), PREVALENCES, st.booleans(), st.data())
def test_tightening_never_lowers_the_cost(
    sample: Predictions,
    limits: cs.Constraints,
    at: list[float],
    randomise: bool,
    data: st.DataObject,
) -> None:
    table = sample.table
    name = data.draw(st.sampled_from(limits.names))
    share, limit = data.draw(st.floats(0, 1)), limits.limits[name]
    most = name in ("capacity", "max_fpr")
    tighter = replace(limits, **{name: limit * share if most else limit + (1 - limit) * share})
    loose = found_or_none(
        table, choice=cs.Optimal(), constraints=limits, prevalence=at, randomise=randomise
    )
    tight = found_or_none(
        table, choice=cs.Optimal(), constraints=tighter, prevalence=at, randomise=randomise
    )
    if tight is None:
        return
    assert loose is not None
    c = inside(np.concatenate([loose.breaks, tight.breaks]))
    assert np.all(losses(loose, table, c) <= losses(tight, table, c) + 1e-12)


@settings(max_examples=50)
@given(ANY, constraints(), st.tuples(*[st.sampled_from([0.01, 0.1, 0.3, 0.9])] * 2))
def test_drawing_and_reacting_cost_no_more(
    sample: Predictions, limits: cs.Constraints, ends: tuple[float, float]
) -> None:
    table = sample.table
    committed = found_or_none(table, choice=cs.Optimal(), constraints=limits, prevalence=ends)
    cut = found_or_none(
        table, choice=cs.Optimal(), constraints=limits, prevalence=ends, randomise=False
    )
    if committed is None:
        assert cut is None
        return
    reacting = [
        cs.decision.constrained_path(table, choice=cs.Optimal(), constraints=limits, prevalence=p)
        for p in ends
    ]
    others = [path for path in (cut, *reacting) if path is not None]
    c = inside(np.concatenate([path.breaks for path in (committed, *others)]))
    for path in reacting:
        assert np.all(losses(path, table, c) <= losses(committed, table, c) + 1e-12)
    if cut is not None:
        assert np.all(losses(committed, table, c) <= losses(cut, table, c) + 1e-12)


def test_a_capacity_of_whole_cases_is_met_without_drawing() -> None:
    rng = np.random.default_rng(5)
    for n in (7, 10, 30, 97):
        y, s = np.arange(n) % 3 == 0, rng.permutation(n) / n
        table = cs.ScoreTable.from_predictions(y, s)
        for j in range(n + 1):
            limits = cs.Constraints(capacity=j / n)
            path = cs.decision.constrained_path(
                table, choice=cs.RateFixed(1), constraints=limits, prevalence=table.prevalence
            )
            rule = path.rule_at(0.5)
            assert not rule.randomised
            assert rule.flagged(s).sum() == j


def test_a_method_keeps_its_own_threshold_where_it_can() -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    limits = cs.Constraints(max_fpr=0.5)
    kept = cs.decision.constrained_path(
        table, choice=cs.ScoreFixed(0.45), constraints=limits, prevalence=0.5
    )
    assert kept.rule_at(0.5) == cs.Rule(0.45)
    moved = cs.decision.constrained_path(
        table, choice=cs.ScoreFixed(0.05), constraints=limits, prevalence=0.5
    )
    assert moved.rule_at(0.5) == cs.Rule(0.25)


def test_at_equal_distance_the_rule_that_flags_fewer() -> None:
    # Flagging one of the five has precision 0; two of them 1/2, and nobody keeps to any limit.
    table = cs.ScoreTable.from_predictions([1, 0, 0, 1, 0], [0.1, 0.3, 0.5, 0.7, 0.9])
    limits = cs.Constraints(min_precision=0.5)
    path = cs.decision.constrained_path(
        table,
        choice=cs.ScoreFixed(0.8),
        constraints=limits,
        prevalence=table.prevalence,
        randomise=False,
    )
    assert path.rule_at(0.5) == cs.Rule(np.inf)


@pytest.mark.parametrize("randomise", [True, False])
def test_nothing_feasible(randomise: bool) -> None:
    y, s = [0, 0, 0, 0, 1, 1], [0.1, 0.2, 0.3, 0.8, 0.7, 0.9]
    table = cs.ScoreTable.from_predictions(y, s)
    limits = cs.Constraints(capacity=0.25, min_recall=0.9, max_fpr=0.9)
    which = "no threshold, nor a mix of two," if randomise else "no threshold"
    # A quarter of the cases: the first case, and half of the second, a negative.
    expected = (
        f"{which} has recall at least 90 % under the constraints flag at most 25 %, at "
        "prevalence 0.333333: the highest recall there is 50 %."
    )
    for choice in (cs.Optimal(), cs.ScoreFixed(0.5), cs.RateDriven()):
        with refused(cs.InfeasibleError, expected):
            cs.decision.constrained_path(
                table, choice=choice, constraints=limits, prevalence=1 / 3, randomise=randomise
            )
    with refused(cs.InfeasibleError, expected):
        cs.decision.constrained_operating_path(
            table,
            choice=cs.ScoreUniform(),
            constraints=limits,
            prevalence=1 / 3,
            randomise=randomise,
        )


def test_a_conflict_over_a_range_of_prevalence() -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    limits = cs.Constraints(min_precision=0.9, min_npv=0.95)
    assert cs.decision.constrained_path(
        table, choice=cs.Optimal(), constraints=limits, prevalence=0.05
    )
    expected = (
        "has negative predictive value at least 95 % under the constraints precision at least "
        "90 %, at prevalence 0.05 and 0.5: the highest negative predictive value there is"
    )
    with refused(cs.InfeasibleError, expected):
        cs.decision.constrained_path(
            table, choice=cs.Optimal(), constraints=limits, prevalence=(0.05, 0.5)
        )


def test_positives_at_minus_infinity_are_flagged_with_everybody() -> None:
    table = cs.ScoreTable.from_predictions([1, 0, 1], [-np.inf, 0.1, 0.2])
    limits = cs.Constraints(min_recall=0.75)
    path = cs.decision.constrained_path(
        table, choice=cs.Optimal(), constraints=limits, prevalence=0.5
    )
    for c in (0.1, 0.5, 0.9):
        point = path.rule_at(c).on(table)
        assert point.fnr <= 0.25 + 1e-12
        share = path.rule_at(c).flagged([-np.inf, 0.1, 0.2])
        assert (point.fpr, point.fnr) == pytest.approx((share[1], 1 - share[[0, 2]].mean()))
    both = cs.Constraints(capacity=0.1, min_recall=0.75)
    with refused(cs.InfeasibleError, "recall at least 75 %"):
        cs.decision.constrained_path(table, choice=cs.Optimal(), constraints=both, prevalence=0.5)


def test_bad_input() -> None:
    table = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0.2, 0.3, 0.8, 0.7])
    limits = cs.Constraints(capacity=0.3)
    with refused(cs.ConditionError, "prevalence must be in [0, 1], got 2"):
        cs.decision.constrained_path(table, choice=cs.Optimal(), constraints=limits, prevalence=2)
    with refused(cs.ConditionError, "prevalence must be a number or some in a row, got []"):
        cs.decision.constrained_path(table, choice=cs.Optimal(), constraints=limits, prevalence=[])
    with refused(cs.ConditionError, "RateUniform(stepped=False) has no threshold of its own"):
        cs.decision.constrained_path(
            table, choice=cs.RateUniform(), constraints=limits, prevalence=0.5
        )
    other = cs.ScoreTable.from_predictions([0, 1], [0.5, 0.5])
    with refused(cs.ConditionError, "splits one block of tied scores at a time"):
        cs.decision.constrained_path(
            table, choice=cs.Fitted(cs.RateFixed(0.5), other), constraints=limits, prevalence=0.5
        )
