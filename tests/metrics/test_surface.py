"""The ROC surface: height, area of lesser classifiers, volume, and points of equal cost."""

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused
from scipy.integrate import quad

import costspace as cs
from costspace import ConditionError, SourceError
from costspace.curve import SmoothPath
from costspace.scores.look_ups import SmoothLookUp

Y = [0, 0, 0, 1, 1, 0, 1]
S = [0.1, 0.6, 0.3, 0.4, 0.9, 0.9, 0.2]
SURFACE = cs.roc_surface(Y, S)
CURVE = cs.loss_curve(Y, S, choice=cs.Optimal(), axis="skew")

# FPR (1 - z)^2 and FNR z^2: the ROC curve with sqrt(FPR) + sqrt(FNR) = 1, in closed form.
SMOOTH = cs.metrics.RocSurface(
    SmoothPath(np.array([0.0, 1.0]), lambda z: cs.OperatingPoints((1 - z) ** 2, z**2), 0.5)
)


# --- The surface -----------------------------------------------------------------------------


def highest_line(fpr: float, z: float) -> float:
    """Definition 19, over the points of the ROC curve itself."""
    points = cs.ScoreTable.from_predictions(Y, S).distinct_points.after_flagging_all()
    lines = 1 - points.fnr + z / (1 - z) * (fpr - points.fpr)
    return float(np.clip(lines.max(), 0, 1))


@pytest.mark.parametrize("z", [0, 1e-9, 0.2, 0.5, 2 / 3, 0.99])
def test_the_height_is_that_of_the_highest_line(z: float) -> None:
    x = np.linspace(0, 1, 41)
    expected = [highest_line(fpr, z) for fpr in x]
    np.testing.assert_allclose(SURFACE.tpr(x, z), expected, atol=1e-12)


def test_at_skew_one_the_line_is_upright() -> None:
    # Two of four positives score above every negative.
    surface = cs.roc_surface([0, 0, 1, 1, 1, 1], [1, 3, 2, 3, 4, 5])
    assert surface.tpr([0, 1e-9, 0.5, 1], 1).tolist() == [0.5, 1, 1, 1]  # type: ignore[union-attr]
    assert cs.roc_surface([0, 1], [0, 1]).tpr([0, 1], 1).tolist() == [1, 1]  # type: ignore[union-attr]
    assert cs.roc_surface([0, 1], [0, 0]).tpr([0, 1], 1).tolist() == [0, 1]  # type: ignore[union-attr]
    assert surface.tpr([0, 0.7], 0).tolist() == [1, 1]  # type: ignore[union-attr]


def test_points_on_the_surface_cost_as_much_as_the_best_point() -> None:
    z, x = np.meshgrid(np.linspace(0.05, 0.95, 19), np.linspace(0, 1, 21))
    tpr = np.asarray(SURFACE.tpr(x, z))
    uncut = (tpr > 0) & (tpr < 1)
    assert uncut.mean() > 0.2
    loss = cs.condition.loss_at(x, 1 - tpr, c=z, prevalence=0.5)
    np.testing.assert_allclose(np.asarray(loss)[uncut], np.asarray(CURVE(z))[uncut], atol=1e-14)


def test_the_area_of_lesser_classifiers_is_that_below_the_height() -> None:
    x = (np.arange(20_000) + 0.5) / 20_000
    for z in (0.05, 0.3, 0.5, 0.77):
        assert SURFACE.lesser_area(z) == pytest.approx(np.mean(SURFACE.tpr(x, z)), abs=1e-8)
        assert SURFACE.lesser_area(z) == pytest.approx(
            1 - float(CURVE(z)) ** 2 / (2 * z * (1 - z)), abs=1e-15
        )
    assert SURFACE.lesser_area([0, 1]).tolist() == [1, 1]  # type: ignore[union-attr]


def test_best_points() -> None:
    table = cs.ScoreTable.from_predictions(Y, S)
    z = np.append(np.linspace(0, 1, 50), table.by_skew.breaks)
    points, expected = SURFACE.at(z), table.by_skew.at(z)
    assert points.fpr.tolist() == expected.fpr.tolist()
    assert points.fnr.tolist() == expected.fnr.tolist()
    assert np.shape(SURFACE.at(0.5).fpr) == ()


@pytest.mark.parametrize("surface", [SURFACE, SMOOTH], ids=["steps", "smooth"])
def test_the_volume_is_the_mean_area(surface: cs.metrics.RocSurface) -> None:
    for low, high in ((0, 1), (0.1, 0.25), (0.6, 1)):
        inner = [b for b in np.unique(surface.path.breaks) if low < b < high]
        parts = pairwise([low, *inner, high])
        area = sum(quad(surface.lesser_area, a, b, epsabs=1e-13)[0] for a, b in parts)
        expected = area / (high - low)
        assert surface.volume(low=low, high=high) == pytest.approx(expected, abs=1e-11)
        assert surface.room(low=low, high=high) == pytest.approx(1 - expected, abs=1e-11)
    for z in (0, 0.2, 1):
        assert surface.volume(costs=cs.Point(z)) == pytest.approx(surface.lesser_area(z), abs=1e-12)
    beta = cs.Beta(2, 2)
    whole = sum(
        quad(lambda z: 6 * z * (1 - z) * surface.lesser_area(z), a, b, epsabs=1e-13)[0]
        for a, b in pairwise(np.unique(surface.path.breaks))
    )
    assert surface.volume(costs=beta) == pytest.approx(whole, abs=1e-11)


def test_a_smooth_surface_in_closed_form() -> None:
    # The best loss is z (1 - z), so the area is 1 - z (1 - z) / 2.
    assert SMOOTH.lesser_area(0.3) == pytest.approx(1 - 0.21 / 2)
    assert SMOOTH.volume() == pytest.approx(1 - 1 / 12, abs=1e-12)
    assert SMOOTH.at([0.5]).fpr.tolist() == [0.25]
    assert SMOOTH.tpr([0, 0.25, 1], 0.5).tolist() == [0.5, 0.75, 1]  # type: ignore[union-attr]
    assert SMOOTH.tpr([[0.25], [0]], [[0.5, 0.25]]).shape == (2, 2)  # type: ignore[union-attr]


def test_small_areas_are_precise() -> None:
    # Below skew 2/3 the loss is z / 2.
    surface = cs.roc_surface([0, 0, 1, 1], [0, 1, 1, 1])
    assert surface.room(low=0, high=1e-12) == pytest.approx(1e-12 / 16, rel=1e-3)
    assert surface.room(costs=cs.Point(1e-12)) == pytest.approx(1e-12 / 8, rel=1e-11)


def test_the_volume_is_voros() -> None:
    for options in (
        {},
        {"low": 0.2, "high": 0.4},
        {"low": 0.2, "high": 0.9, "costs": cs.Beta(2, 3)},
    ):
        assert SURFACE.volume(**options) == cs.voros(Y, S, **options)


def test_the_sampled_surface() -> None:
    grid = SURFACE.sample(9)
    assert list(grid) == ["fpr", "tpr", "skew"]
    assert {column.shape for column in grid.values()} == {(9, 9)}
    np.testing.assert_array_equal(grid["skew"][:, 3], np.linspace(0, 1, 9))
    np.testing.assert_array_equal(grid["fpr"][3], np.linspace(0, 1, 9))
    assert grid["tpr"][2, 5] == SURFACE.tpr(5 / 8, 2 / 8)
    # A line rises with FPR.
    assert np.all(np.diff(grid["tpr"], axis=1) >= 0)
    assert grid["tpr"].min() >= 0
    assert grid["tpr"].max() <= 1


@pytest.mark.parametrize("resolution", [1, 0, 2.5, "many", True, 10**400])
def test_bad_resolution(resolution: Any) -> None:
    with refused(ConditionError, "resolution must be a whole number from 2 to 4096, got"):
        SURFACE.sample(resolution)


def test_columns() -> None:
    columns = SURFACE.columns()
    assert columns["from"][0] == 0
    assert columns["to"][-1] == 1
    assert len({len(column) for column in columns.values()}) == 1
    assert repr(SURFACE) == f"RocSurface({len(columns['from'])} pieces)"


def test_bad_arguments() -> None:
    with refused(ConditionError, "fpr must be in [0, 1], got 2."):
        SURFACE.tpr(2, 0.5)
    with refused(ConditionError, "a skew must be in [0, 1], got -1."):
        SURFACE.tpr(0.5, -1)
    with refused(ConditionError, "a skew must be in [0, 1], got 7."):
        SURFACE.lesser_area(7)


# --- Points of equal cost --------------------------------------------------------------------


def table_of(y: Any, s: Any) -> cs.ScoreTable:
    return cs.ScoreTable.from_predictions(y, s)


@st.composite
def tables(draw: Any) -> cs.ScoreTable:
    s = draw(st.lists(st.integers(0, 5), min_size=2, max_size=10))
    y = [0, 1, *(draw(st.integers(0, 1)) for _ in s[2:])]
    return table_of(y, s)


def supporting_skews(a: cs.ScoreTable, b: cs.ScoreTable) -> list[float]:
    """Slopes of the lines through a corner of each hull that support both, as skews."""
    hulls = [np.column_stack([t.by_skew.corners.fpr, t.by_skew.corners.fnr]) for t in (a, b)]

    def supports(z: float, one: Any, other: Any) -> bool:
        lines = [z * hull[:, 0] + (1 - z) * hull[:, 1] for hull in hulls]
        mine, theirs = (z * x + (1 - z) * y for x, y in (one, other))
        return bool(
            abs(mine - theirs) < 1e-12
            and mine <= lines[0].min() + 1e-12
            and theirs <= lines[1].min() + 1e-12
        )

    found = []
    for one, other in product(*hulls):
        (fpr_a, fnr_a), (fpr_b, fnr_b) = one, other
        rise, run = fnr_b - fnr_a, (fpr_a - fpr_b) + (fnr_b - fnr_a)
        if abs(run) > 1e-12 and -1e-12 <= rise / run <= 1 + 1e-12:
            z = min(max(rise / run, 0.0), 1.0)
            if supports(z, one, other):
                found.append(z)
    return found


def check_against_brute_force(a: cs.ScoreTable, b: cs.ScoreTable) -> None:
    equal = cs.metrics.equal_cost_points(a, b)
    curves = [cs.loss_curve(t, choice=cs.Optimal(), axis="skew") for t in (a, b)]
    starts, stays = equal.skew, equal.coincide
    intervals = [(z, starts[i + 1]) for i, z in enumerate(starts) if stays[i]]

    def covered(z: float) -> bool:
        inside = any(start - 1e-9 <= z <= end + 1e-9 for start, end in intervals)
        return inside or bool(np.abs(starts - z).min() < 1e-9)

    assert all(covered(z) for z in supporting_skews(a, b))
    for i, z in enumerate(starts):
        assert curves[0](z) == pytest.approx(curves[1](z), abs=1e-12)
        assert equal.loss[i] == pytest.approx(curves[0](z), abs=1e-12)
        for points, curve in ((equal.a, curves[0]), (equal.b, curves[1])):
            loss = cs.condition.loss_at(points.fpr[i], points.fnr[i], c=z, prevalence=0.5)
            assert loss == pytest.approx(curve(z), abs=1e-12)
    for start, end in pairwise(starts):
        middle = (start + end) / 2
        gap = float(curves[0](middle)) - float(curves[1](middle))
        is_same = any(low <= middle <= high for low, high in intervals)
        assert (abs(gap) < 1e-12) == is_same
        # Nothing was missed in between: the sign stays.
        inner = np.linspace(start, end, 21)[1:-1]
        gaps = np.asarray(curves[0](inner)) - np.asarray(curves[1](inner))
        assert is_same or np.all(gaps * gap > 0)


@given(tables(), tables())
def test_equal_cost_points_against_all_pairs_of_corners(a: cs.ScoreTable, b: cs.ScoreTable) -> None:
    check_against_brute_force(a, b)


@pytest.mark.parametrize("seed", range(4))
def test_equal_cost_points_of_larger_tables(seed: int) -> None:
    generator = np.random.default_rng(seed)
    y = np.arange(300) % 2
    a = table_of(y, y + generator.normal(0, 1, 300))
    b = table_of(y, 0.5 * y + generator.normal(0, 0.4, 300))
    equal = cs.metrics.equal_cost_points(a, b)
    assert equal.skew.size > 2
    check_against_brute_force(a, b)


@given(tables(), tables())
def test_equal_cost_points_are_symmetric(a: cs.ScoreTable, b: cs.ScoreTable) -> None:
    equal, swapped = cs.metrics.equal_cost_points(a, b), cs.metrics.equal_cost_points(b, a)
    np.testing.assert_allclose(equal.skew, swapped.skew, atol=1e-15)
    np.testing.assert_array_equal(equal.coincide, swapped.coincide)
    mirrored = {"fpr_a": "fpr_b", "fnr_a": "fnr_b", "fpr_b": "fpr_a", "fnr_b": "fnr_a"}
    for name, column in equal.columns().items():
        other = swapped.columns()[mirrored.get(name, name)]
        np.testing.assert_allclose(column, other, atol=1e-15)


@given(tables(), st.sampled_from([0.01, 0.3]))
def test_a_curve_coincides_with_itself(table: cs.ScoreTable, prevalence: float) -> None:
    equal = cs.metrics.equal_cost_points(table, (table + table + table).with_prevalence(prevalence))
    assert equal.skew.tolist() == [0, 1]
    assert equal.coincide.tolist() == [True, False]


def test_one_crossing() -> None:
    # Hull corners (1/4, 1/4), and (1/2, 0) with (0, 3/4).
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    a, b = table_of(y, [1, 1, 1, 3, 1, 3, 3, 3]), table_of(y, [1, 1, 2, 2, 2, 2, 2, 3])
    equal = cs.metrics.equal_cost_points(a, b)
    np.testing.assert_allclose(equal.skew, [0, 0.5, 2 / 3, 1], atol=1e-15)
    np.testing.assert_allclose(equal.loss, [0, 0.25, 0.25, 0], atol=1e-15)
    assert not equal.coincide.any()
    assert equal.b.fpr[1:3].tolist() == [0.5, 0]
    assert equal.b.fnr[1:3].tolist() == [0, 0.75]


def test_a_touch_counts() -> None:
    # The corner (1/4, 1/4) lies on the segment from (1/2, 0) to (0, 1/2).
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    a, b = table_of(y, [1, 1, 1, 3, 1, 3, 3, 3]), table_of(y, [1, 1, 2, 2, 2, 2, 3, 3])
    equal = cs.metrics.equal_cost_points(a, b)
    assert equal.skew.tolist() == [0, 0.5, 1]
    assert not equal.coincide.any()
    curves = [cs.loss_curve(t, choice=cs.Optimal(), axis="skew") for t in (a, b)]
    assert cs.crossings(*curves).size == 0


def test_a_perfect_ranking_meets_others_at_the_ends_only() -> None:
    equal = cs.metrics.equal_cost_points(table_of([0, 1], [0, 1]), table_of(Y, S))
    assert equal.skew.tolist() == [0, 1]
    assert not equal.coincide.any()


def test_equal_cost_points_of_smooth_curves() -> None:
    class Smooth(cs.ScoreSource):
        """A source that has only the best point at each skew."""

        prevalence = 0.5
        by_skew = SmoothLookUp(SMOOTH.path.at, np.array([0.0, 1.0]), flags_more=False)

        def with_prevalence(self, prevalence: float) -> "Smooth":
            return self

    Smooth.__abstractmethods__ = frozenset()
    a = Smooth()  # type: ignore[abstract]
    b = table_of([0] * 5 + [1] * 5, [1, 1, 1, 1, 3, 1, 3, 3, 3, 3])
    equal = cs.metrics.equal_cost_points(a, b)
    # The best losses are z (1 - z) and the least of z, 1/5 and 1 - z.
    root = np.sqrt(0.05)
    np.testing.assert_allclose(equal.skew, [0, 0.5 - root, 0.5 + root, 1], atol=1e-11)
    np.testing.assert_allclose(equal.loss[1:3], 0.2, atol=1e-11)
    assert not equal.coincide.any()


def test_equal_cost_points_need_sources() -> None:
    with refused(SourceError, "y_score is missing"):
        cs.metrics.equal_cost_points(Y, table_of(Y, S))  # type: ignore[arg-type]
