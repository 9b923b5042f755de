"""On validation rows the margin is what the data say, in whatever order and however counted."""

import numpy as np
import pytest

import costspace as cs

KNOWN = cs.Deployment(1, (2, 6), 0.3)


def drawn(seed, n):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    return y, {name: np.round(rng.normal(way * y), 1) for name, way in (("a", 1.0), ("b", 0.9))}


def margin_on(y, scores, rows, *, weight=None, groups=None):
    validation = cs.ScoredRows.from_predictions(
        y[rows],
        {name: own[rows] for name, own in scores.items()},
        sample_weight=None if weight is None else weight[rows],
        groups=None if groups is None else groups[rows],
    )
    given = {} if groups is None else {"groups": np.arange(90)}
    decision = cs.decide(
        *drawn(1, 90),
        conditions=KNOWN,
        validation=validation,
        weights="sampling" if weight is None else "counts",
        **given,
    )
    return decision.evidence.margin


def test_rows_in_another_order_and_counted_have_one_margin():
    found = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        y, scores = drawn(100 + seed, 80)
        times = rng.integers(1, 6, 80)
        rows = np.repeat(np.arange(80), times)
        first = margin_on(y, scores, rows)
        shuffled = margin_on(y, scores, rng.permutation(rows))
        counted = margin_on(y, scores, rng.permutation(80), weight=times)
        assert (shuffled, counted) == (pytest.approx(first), pytest.approx(first))
        found.append(first)
    assert max(found) > 0


def test_groups_in_another_order_have_one_margin():
    found = []
    for seed in range(8):
        y, scores = drawn(100 + seed, 80)
        groups = np.arange(80) // 3
        order = np.random.default_rng(seed).permutation(80)
        renamed = np.random.default_rng(seed).permutation(27)[groups]
        first = margin_on(y, scores, np.arange(80), groups=groups)
        assert margin_on(y, scores, order, groups=renamed) == pytest.approx(first)
        found.append(first)
    assert max(found) > 0
