"""Regrets against draws, exact sums and grids of conditions."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from scipy import stats

import costspace as cs
from costspace import ConditionError
from costspace.decision.by_condition.regret import regrets_in_bands

RNG = np.random.default_rng(11)
Y = (RNG.random(60) < 0.4).astype(int)
SCORES = {
    "a": np.clip(RNG.normal(0.4 + 0.2 * Y, 0.2), 0, 1),
    "b": np.round(RNG.random(60) * 0.6 + 0.25 * Y, 1),
}
BY_SKEW = {
    "fixed": cs.ScoreFixed(),
    "driven": cs.ScoreDriven(calibrated_to=0.4),
    "optimal": cs.Optimal(),
}
AT_PREVALENCE = {**BY_SKEW, "uncorrected": cs.ScoreDriven(), "rate": cs.RateDriven()}


def paths_at(axis: float, choices: dict[str, Any]) -> dict[str, cs.OperatingPath]:
    """Thresholds chosen on half of the rows, so that none is best everywhere; and one rule."""
    found: dict[str, cs.OperatingPath] = {}
    for model, scores in SCORES.items():
        train, test = (
            cs.ScoreTable.from_predictions(Y[i::2], scores[i::2]).with_prevalence(axis)
            for i in (0, 1)
        )
        for name, choice in choices.items():
            found[f"{model} {name}"] = cs.Fitted(choice, train).path(test)
    found["single"] = cs.OperatingPath.constant(0.2, 0.4, axis)
    return found


def money_at(
    paths: dict[str, cs.OperatingPath], axis: float, negative: np.ndarray, positive: np.ndarray
) -> np.ndarray:
    """Money per 1,000 cases, from the rates at each condition: one row a path."""
    a, b = negative / (1 - axis), positive / axis
    c = a / (a + b)
    money = []
    for path in paths.values():
        piece = np.minimum(np.searchsorted(path.breaks, c, side="right") - 1, len(path.breaks) - 2)
        low, high = path.breaks[piece], path.breaks[piece + 1]
        along = (c - low) / (high - low)
        fpr, fnr = (
            (1 - along) * start[piece] + along * end[piece]
            for start, end in (
                (path.start.fpr, path.end.fpr),
                (path.start.fnr, path.end.fnr),
            )
        )
        money.append(1000 * (negative * fpr + positive * fnr))
    return np.array(money)


def regrets_at(
    paths: dict[str, cs.OperatingPath], axis: float, a: Any, b: Any, p: Any
) -> np.ndarray:
    a, b, p = np.broadcast_arrays(*map(np.asarray, (a, b, p)))
    money = money_at(paths, axis, np.ravel((1 - p) * a), np.ravel(p * b))
    return money - money.min(axis=0)


@settings(max_examples=16, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40), st.booleans())
def test_scenarios_by_exact_sums(seed: int, m: int, exact: bool) -> None:
    rng = np.random.default_rng(seed)
    p = 0.13 if exact else rng.uniform(0.02, 0.6, m)
    parts = {"fp_cost": rng.uniform(0.5, 3, m), "fn_cost": rng.uniform(1, 20, m)}
    tn_cost, weights = -rng.random(m), rng.random(m)
    known = cs.Scenarios(**parts, prevalence=p, tn_cost=tn_cost, weights=weights)
    axis, choices = (0.13, AT_PREVALENCE) if exact else (0.5, BY_SKEW)
    paths = paths_at(axis, choices)
    found = cs.regrets(paths, conditions=known)
    table = regrets_at(paths, axis, parts["fp_cost"] - tn_cost, parts["fn_cost"], p)
    assert found.strategies == tuple(paths)
    scale = 1000 * known.stake
    np.testing.assert_allclose(
        found.expected, table @ weights / weights.sum(), atol=1e-11 * scale, rtol=1e-9
    )
    np.testing.assert_allclose(found.maximum, table.max(axis=1), atol=1e-11 * scale, rtol=1e-9)


@pytest.mark.parametrize(
    ("parts", "axis", "choices"),
    [
        ({"fn_cost": (2, 30), "prevalence": (0.05, 0.5)}, 0.5, BY_SKEW),
        ({"fn_cost": (2, 30), "prevalence": 0.2}, 0.2, AT_PREVALENCE),
        ({"fp_cost": (1, 3), "fn_cost": (5, 8), "tn_cost": (-1, 0)}, 0.5, BY_SKEW),
    ],
)
def test_deployments_by_draws(parts: dict[str, Any], axis: float, choices: dict[str, Any]) -> None:
    known = cs.Deployment(**{"fp_cost": 1.0, "prevalence": (0.1, 0.4), **parts})
    paths = paths_at(axis, choices)
    found = cs.regrets(paths, conditions=known)
    drawn = known.draw(200_000, seed=3)
    a = np.asarray(drawn.fp_cost) - np.asarray(drawn.tn_cost)
    b = np.asarray(drawn.fn_cost) - np.asarray(drawn.tp_cost)
    table = regrets_at(paths, axis, a, b, np.asarray(drawn.prevalence))
    error = table.std(axis=1) / np.sqrt(table.shape[1])
    assert np.all(np.abs(found.expected - table.mean(axis=1)) <= 5 * error + 1e-9)
    # No condition drawn regrets more, and one comes close.
    assert np.all(table.max(axis=1) <= found.maximum * (1 + 1e-9) + 1e-9)
    assert np.all(table.max(axis=1) >= 0.9 * found.maximum)


@pytest.mark.parametrize("exact", [True, False])
def test_the_maximum_is_that_of_a_fine_grid(exact: bool) -> None:
    """From below on a grid; equal with what is next to each break on the edges of the box."""
    bounds = {"a": (1.0, 2.0), "b": (2.0, 30.0), "p": (0.2, 0.2) if exact else (0.1, 0.4)}
    known = cs.Deployment(
        fp_cost=bounds["a"], fn_cost=bounds["b"], prevalence=0.2 if exact else bounds["p"]
    )
    axis, choices = (0.2, AT_PREVALENCE) if exact else (0.5, BY_SKEW)
    paths = paths_at(axis, choices)
    found = cs.regrets(paths, conditions=known)
    sizes = (300, 300, 1) if exact else (60, 60, 30)
    values = [np.geomspace(*bounds[k], n) for k, n in zip("abp", sizes, strict=True)]
    best = regrets_at(paths, axis, *(g.ravel() for g in np.meshgrid(*values))).max(axis=1)
    assert np.all(best <= found.maximum * (1 + 1e-12) + 1e-9)
    assert np.all(best >= 0.95 * found.maximum)
    breaks = np.unique(np.concatenate([path.breaks for path in paths.values()]))[1:-1]
    c = np.concatenate(
        [breaks * (1 - 1e-12), breaks * (1 + 1e-12), np.linspace(0, 1, 50_001)[1:-1]]
    )
    # On an edge two of the three are at an end, and the third is what gives the condition.
    odds = c / (1 - c) * (1 - axis) / axis
    for a, b in product(bounds["a"], bounds["b"]):
        free = 1 / (1 + odds * b / a)
        best = np.maximum(best, _most(paths, axis, (a, b, free), bounds))
    for a, p in product(bounds["a"], bounds["p"]):
        best = np.maximum(best, _most(paths, axis, (a, a * (1 - p) / p / odds, p), bounds))
    for b, p in product(bounds["b"], bounds["p"]):
        best = np.maximum(best, _most(paths, axis, (b * p / (1 - p) * odds, b, p), bounds))
    np.testing.assert_allclose(found.maximum, best, rtol=1e-7, atol=1e-8)


def _most(
    paths: dict[str, cs.OperatingPath], axis: float, at: Any, bounds: dict[str, Any]
) -> np.ndarray:
    """The greatest regrets at those of some conditions that are within the bounds."""
    at = np.broadcast_arrays(*at)
    inside = np.all(
        [(x >= low) & (x <= high) for x, (low, high) in zip(at, bounds.values(), strict=True)],
        axis=0,
    )
    if not inside.any():
        return np.zeros(len(paths))
    return regrets_at(paths, axis, *(x[inside] for x in at)).max(axis=1)


def test_a_regret_that_peaks_inside_a_piece() -> None:
    """Rate-driven rates move with the condition, and so may its regret's place."""
    rate = cs.OperatingPath(
        np.array([0.0, 1.0]),
        cs.OperatingPoints(np.array([1.0]), np.array([0.0])),
        cs.OperatingPoints(np.array([0.0]), np.array([1.0])),
        0.3,
    )
    paths = {"rate": rate, "perfect": cs.OperatingPath.constant(0.0, 0.0, 0.3)}
    known = cs.Deployment(fp_cost=(0.5, 1), fn_cost=(0.1, 8), prevalence=0.3)
    # The most money for a condition is with one of the costs at its most.
    corners = [0.5 / 8.5, 1 / 9, 1 / 1.1]
    c = np.append(corners, np.linspace(1e-4, 1 - 1e-4, 400_001))
    a, b = np.minimum(1, 8 * c / (1 - c)), np.minimum(8, (1 - c) / c)
    inside = (a >= 0.5 - 1e-12) & (b >= 0.1 - 1e-12)
    most = (1000 * (0.7 * a * (1 - c) + 0.3 * b * c))[inside].max()
    assert cs.regrets(paths, conditions=known).maximum[0] == pytest.approx(most, rel=1e-5)
    bent = {"rate": rate, "other": cs.OperatingPath.constant(0.1, 0.25, 0.3)}
    found = cs.regrets(bent, conditions=known).maximum
    excess = 1000 * (0.7 * a * (1 - c - 0.1) + 0.3 * b * (c - 0.25))
    assert found[0] == pytest.approx(excess[inside].max(), rel=1e-5)
    assert found[1] == pytest.approx((-excess)[inside].max(), rel=1e-5)


def test_both_sides_of_a_jump() -> None:
    """The greatest regret may be a limit that no condition reaches."""
    jumps = cs.OperatingPath.stepping(
        np.array([0.5]),
        cs.OperatingPoints(np.array([0.9, 0.0]), np.array([0.0, 0.5])),
        0.5,
    )
    paths = {"jumps": jumps, "still": cs.OperatingPath.constant(0.0, 0.5, 0.5)}
    known = cs.Deployment(fp_cost=(0.1, 1), fn_cost=1, prevalence=0.5)
    # As fp_cost reaches 1 the skew reaches 1/2, and there the jump has happened.
    assert cs.regrets(paths, conditions=known).maximum[0] == pytest.approx(
        1000 * (0.5 * 0.9 - 0.25)
    )
    # Where the condition is known, the jump has happened.
    known = cs.Deployment(fp_cost=1, fn_cost=1, prevalence=0.5)
    assert cs.regrets(paths, conditions=known).maximum.tolist() == [0, 0]
    # From a least skew of 1/2 on it has too.
    known = cs.Deployment(fp_cost=(1, 2), fn_cost=1, prevalence=0.5)
    assert cs.regrets(paths, conditions=known).maximum.tolist() == [0, 0]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=5),
    st.floats(0.1, 5),
    st.floats(1, 30),
    st.floats(0.01, 0.5),
)
def test_regret_is_not_negative_and_in_the_mean_at_most_the_maximum(
    points: list[tuple[float, float]], fp_cost: float, factor: float, prevalence: float
) -> None:
    paths = {str(i): cs.OperatingPath.constant(*point, 0.5) for i, point in enumerate(points)}
    known = cs.Deployment(fp_cost=fp_cost, fn_cost=(1, 1 + factor), prevalence=(prevalence, 0.6))
    found = cs.regrets(paths, conditions=known)
    assert np.all(found.expected >= 0)
    assert np.all(found.expected <= found.maximum * (1 + 1e-9) + 1e-9 * known.stake)
    alone = cs.regrets({"0": paths["0"]}, conditions=known)
    assert alone.expected.tolist() == alone.maximum.tolist() == [0]
    # Doubling the costs doubles regret.
    twice = cs.Deployment(
        fp_cost=2 * fp_cost, fn_cost=(2, 2 + 2 * factor), prevalence=(prevalence, 0.6)
    )
    doubled = cs.regrets(paths, conditions=twice)
    scale = 1000 * known.stake
    np.testing.assert_allclose(doubled.expected, 2 * found.expected, atol=1e-9 * scale)
    np.testing.assert_allclose(doubled.maximum, 2 * found.maximum, atol=1e-9 * scale)


def test_costs_without_an_upper_bound() -> None:
    known = cs.Deployment(fp_cost=1, fn_cost=stats.lognorm(1, scale=5), prevalence=(0.1, 0.2))
    paths = paths_at(0.5, BY_SKEW)
    found = cs.regrets(paths, conditions=known)
    assert np.isinf(found.maximum).all()
    assert np.isfinite(found.expected).all()
    assert found.to_rows()[0]["maximum"] is None
    alone = cs.regrets({"single": paths["single"]}, conditions=known)
    assert alone.maximum.tolist() == [0]


def test_bands() -> None:
    known = cs.Scenarios(fp_cost=1, fn_cost=[1, 2, 6], prevalence=[0.1, 0.2, 0.5])
    paths = paths_at(0.5, BY_SKEW)
    parts = (
        cs.Scenarios(fp_cost=1, fn_cost=[1, 2], prevalence=[0.1, 0.2]),
        cs.Scenarios(fp_cost=1, fn_cost=6, prevalence=0.5),
    )
    bands = [cs.regrets(paths, conditions=part) for part in parts]
    found, whole = regrets_in_bands(bands, [2 / 3, 1 / 3]), cs.regrets(paths, conditions=known)
    np.testing.assert_allclose(found.expected, whole.expected, atol=1e-10)
    np.testing.assert_allclose(found.maximum, whole.maximum, atol=1e-10)
    fewer = {name: path for name, path in paths.items() if name != "b driven"}
    mixed = regrets_in_bands([bands[0], cs.regrets(fewer, conditions=parts[1])], [0.5, 0.5])
    assert mixed.strategies == tuple(fewer)


def test_records() -> None:
    name = cs.decision.Strategy("m", cs.Optimal(), "optimal")
    paths = {name: cs.OperatingPath.constant(0.1, 0.2, 0.5), "rule": paths_at(0.5, {})["single"]}
    found = cs.regrets(paths, conditions=cs.Scenarios(fp_cost=1, fn_cost=1, prevalence=0.5))
    assert found.to_rows() == [
        {"model": "m", "choice": "optimal", "expected": 0, "maximum": 0},
        {"rule": "rule", "expected": pytest.approx(150), "maximum": pytest.approx(150)},
    ]
    columns = found.columns()
    assert columns["strategy"].tolist() == ["m, optimal", "rule"]
    assert list(columns) == ["strategy", "expected_regret", "maximum_regret"]
    with pytest.raises(ValueError, match="read-only"):
        found.maximum[0] = 1


def test_bad_input() -> None:
    known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=(0.1, 0.2))
    with refused(
        ConditionError,
        "the paths are at prevalence 0.1 and the conditions have 0.1 to 0.2: use paths on the "
        "skew axis, at prevalence 0.5.",
    ):
        cs.regrets({"x": cs.OperatingPath.constant(0.1, 0.2, 0.1)}, conditions=known)
    with refused(ConditionError, "the paths are at prevalence 0.3 and the conditions have 0.2"):
        cs.regrets(
            {"x": cs.OperatingPath.constant(0.1, 0.2, 0.3)},
            conditions=cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.2),
        )
    with refused(ConditionError, "paths to compare must be at one prevalence, got none."):
        cs.regrets({}, conditions=known)
