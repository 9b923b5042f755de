"""The AUC and the hull of two samples."""

import numpy as np
import pytest

import costspace as cs
from costspace.samples.placements import Placements


def hull(y: object, s: object, **kwargs: object) -> tuple[list[float], list[float]]:
    found = cs.ScoreTable.from_predictions(y, s, **kwargs).hull
    return found.fpr.tolist(), found.fnr.tolist()


def test_blocks_of_placements() -> None:
    generator = np.random.default_rng(0)
    y = generator.integers(0, 2, 200_000)
    s = np.round(generator.random(200_000) + y, 5)
    ones = np.ones(len(y))
    assert cs.auc(y, s, sample_weight=ones) == pytest.approx(cs.auc(y, s), abs=1e-12)


def test_corners_of_a_perfect_inverted_and_constant_ranking() -> None:
    assert hull([0, 0, 1, 1], [1, 2, 3, 4]) == ([1, 0, 0], [0, 0, 1])
    assert hull([1, 1, 0, 0], [1, 2, 3, 4]) == ([1, 0], [0, 1])
    assert hull([0, 1, 0, 1], [7, 7, 7, 7]) == ([1, 0], [0, 1])


def blocks(*counts: tuple[int, int]) -> tuple[list[int], list[int]]:
    """Tied blocks of so many negatives and positives, in ascending order of score."""
    y = [label for n, p in counts for label in [0] * n + [1] * p]
    s = [i for i, (n, p) in enumerate(counts) for _ in range(n + p)]
    return y, s


def test_collinear_segments_are_one() -> None:
    # Blocks with 1/3 and 2/6 positives lie on one line, 2/5 on another.
    fpr, _ = hull(*blocks((2, 1), (4, 2)))
    assert fpr == [1, 0]
    fpr, _ = hull(*blocks((2, 1), (4, 2), (6, 3), (1, 1)))
    assert len(fpr) == 3
    fpr, _ = hull(*blocks((2, 1), (3, 2)))
    assert len(fpr) == 3


@pytest.mark.parametrize("k", [1, 10, 100, 1000, 3000])
def test_collinear_segments_are_one_for_many_blocks(k: int) -> None:
    y, s = blocks(*[(2, 1)] * k, *[(1, 2)] * k)
    for weight in (None, 0.1, 0.3, 1 / 3, 1e-7, 7e9):
        w = None if weight is None else np.full(len(y), weight)
        fpr, fnr = hull(y, s, sample_weight=w)
        assert fpr == pytest.approx([1, 1 / 3, 0], abs=1e-12)
        assert fnr == pytest.approx([0, 1 / 3, 1], abs=1e-12)


def test_collinear_segments_of_fractional_weights() -> None:
    y, s = [0, 1, 0, 1, 0, 1], [1, 1, 2, 2, 3, 3]
    assert hull(y, s, sample_weight=[0.1, 0.2, 0.2, 0.4, 0.3, 0.6])[0] == [1, 0]
    assert hull(y, s, sample_weight=[0.3, 0.1, 0.6, 0.2, 0.9, 0.3])[0] == [1, 0]
    three = hull(y, s, sample_weight=[0.1, 0.2, 0.2, 0.4, 0.3, 0.61])
    assert len(three[0]) == 3


def test_nearly_collinear_counts_stay_apart() -> None:
    k = 1000
    fpr, _ = hull(*blocks((k, k), (k - 1, k)))
    assert len(fpr) == 3
    fpr, _ = hull(*blocks((k - 1, k), (k, k)))
    assert len(fpr) == 2


@pytest.mark.parametrize("tiny", [1e-3, 1e-12, 1e-16, 1e-17, 1e-30])
def test_light_rows_at_a_corner_do_not_cut_it_off(tiny: float) -> None:
    weight = [1, tiny, tiny, 1]
    y, s = [0, 1, 0, 1], [0.1, 0.2, 0.3, 0.9]
    hull_area = cs.auc_hull(y, s, sample_weight=weight)
    assert hull_area >= cs.auc(y, s, sample_weight=weight) - 1e-12
    assert hull_area == pytest.approx(1, abs=2 * tiny)
    assert cs.refinement_loss(y, s, sample_weight=weight) == pytest.approx(0, abs=2 * tiny)


@pytest.mark.parametrize("half_life", [1, 3, 10, 100])
def test_weights_that_decay(half_life: float) -> None:
    generator = np.random.default_rng(0)
    n = 2000
    weight = 0.5 ** (np.arange(n) / half_life)
    for _ in range(10):
        y = generator.integers(0, 2, n)
        s = 0.4 * y + 0.6 * generator.random(n)
        table = cs.ScoreTable.from_predictions(y, s, sample_weight=weight)
        assert cs.auc_hull(table) >= cs.auc(table) - 1e-12
        assert cs.miscalibration(table) >= -1e-12
        choices = (cs.RateDriven(), cs.ScoreDriven(), cs.ScoreFixed())
        best = cs.expected_loss(table, choice=cs.Optimal())
        assert all(best <= cs.expected_loss(table, choice=c) + 1e-12 for c in choices)


@pytest.mark.parametrize("swapped", [False, True])
def test_placements_come_from_the_look_up_of_the_auc(
    swapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = np.random.default_rng(1)
    y = (generator.random(50) < 0.3) != swapped
    table = cs.ScoreTable.from_predictions(y, np.round(generator.random(50), 1))
    expected = table.auc, table.hull.fpr.tolist(), table.ranking.placement_squares
    looked_up = []
    of = Placements.of
    monkeypatch.setattr(Placements, "of", lambda *sides: looked_up.append(1) or of(*sides))
    placed = table.with_placements()
    found = placed.auc, placed.hull.fpr.tolist(), placed.ranking.placement_squares
    assert found == expected
    assert len(looked_up) == 1
