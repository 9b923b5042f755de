"""What holds for the volume over the ROC surface of any sample, under any distribution."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, COSTS, Predictions, close

import costspace as cs

CLOSED = [name for name, case in COSTS.items() if not case.slow]
each_distribution = pytest.mark.parametrize("name", CLOSED)


@each_distribution
@given(ANY)
@settings(max_examples=14)
def test_it_is_the_mean_area_along_the_optimal_path(name: str, case: Predictions) -> None:
    spread = COSTS[name]
    path = cs.Optimal().path(case.table.with_prevalence(0.5))

    def beaten(z: np.ndarray, rest: np.ndarray) -> np.ndarray:
        piece = np.clip(np.searchsorted(path.breaks, z, "right") - 1, 0, len(path.breaks) - 2)
        fpr, fnr = path.start.fpr[piece], path.start.fnr[piece]
        # Close to the ends the area is known by its rest only.
        loss, least = z * fpr + rest * fnr, np.minimum(z, rest)
        share = np.divide(loss, least, out=np.zeros_like(loss), where=least > 0)
        return 1 - share * loss / np.maximum(z, rest) / 2

    expected = spread.mean(beaten, path.breaks)
    close(cs.voros(case.table, costs=spread.costs), expected, 50 * spread.tolerance)
    surface = cs.roc_surface(case.table)
    inside = np.linspace(0, 1, 21)
    close(surface.lesser_area(inside), beaten(inside, 1 - inside))


@given(ANY)
def test_it_is_at_least_the_area_under_the_hull(case: Predictions) -> None:
    assert cs.voros(case.table) >= cs.auc_hull(case.table) - 1e-12


@each_distribution
@given(ANY)
@settings(max_examples=14)
def test_it_is_between_the_trivial_rules_and_a_perfect_ranking(
    name: str, case: Predictions
) -> None:
    costs = COSTS[name].costs
    volume, trivial = cs.voros(case.table, costs=costs), cs.metrics.voros_baseline(costs=costs)
    assert 0.5 <= trivial <= volume + 1e-12 <= 1 + 2e-12
    if trivial < 1:
        share = cs.relative_voros(case.table, costs=costs)
        close(share * (1 - trivial), volume - trivial)


@given(ANY, st.floats(0, 0.99), st.floats(0.01, 1))
def test_ranges_add_up(case: Predictions, low: float, width: float) -> None:
    high = low + width * (1 - low)
    middle = (low + high) / 2
    if low < middle < high:
        halves = (cs.voros(case.table, low=a, high=b) for a, b in ((low, middle), (middle, high)))
        close(cs.voros(case.table, low=low, high=high), sum(halves) / 2, 1e-9)


@given(ANY)
def test_no_point_of_the_curve_beats_more_than_the_best(case: Predictions) -> None:
    table = case.table
    points = table.by_score.at(table.by_score.breaks)
    z = np.linspace(0, 1, 21)
    areas = cs.metrics.lesser_area(points.fpr, points.fnr, z=z[:, None])
    best = np.asarray(cs.roc_surface(table).lesser_area(z))
    assert np.all(best >= np.max(areas, axis=1) - 1e-12)
    for fpr, fnr in list(zip(points.fpr, points.fnr, strict=True))[:3]:
        assert cs.metrics.voros_of_point(fpr, fnr) <= cs.voros(table) + 1e-12


@given(ANY, ANY)
def test_curves_cost_the_same_at_their_equal_cost_points_and_nowhere_else(
    case: Predictions, other: Predictions
) -> None:
    equal = cs.metrics.equal_cost_points(case.table, other.table)
    curves = [
        cs.loss_curve(table, choice=cs.Optimal(), axis="skew")
        for table in (case.table, other.table)
    ]
    gap = curves[0] - curves[1]
    close(gap(equal.skew), 0)
    for i, (start, end) in enumerate(zip(equal.skew[:-1], equal.skew[1:], strict=True)):
        inside = np.asarray(gap(np.linspace(start, end, 9)[1:-1]))
        if equal.coincide[i]:
            close(inside, 0)
        else:
            assert np.all(inside >= -1e-12) or np.all(inside <= 1e-12)
