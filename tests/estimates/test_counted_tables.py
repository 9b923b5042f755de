"""Tables of counted rows: standard errors are those of the rows one by one."""

import numpy as np
import pytest

import costspace as cs
from costspace.checks import AXES
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.metrics import METRICS

NAMES = [*METRICS, *(f"expected_loss.{axis}.{c}" for axis in AXES for c in PARAMETER_FREE)]
ENDS = ("estimate", "standard_error", "low", "high", "bias")


def drawn(seed):
    """Rows of which many share a score, and weights that are one for each score and class."""
    rng = np.random.default_rng(seed)
    y = rng.random(400) < 0.3
    s = np.round(np.clip(rng.normal(0.35 + 0.2 * y, 0.2), 0, 1), 2)
    return y, s, 0.5 + np.round(3 * s) + y


def estimated(name, *given, **options):
    found = cs.estimate(*given, metric=name, **options)
    return found.n, found.method, np.array([getattr(found, end) for end in ENDS])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("weighted", [False, True])
def test_counts_err_as_their_rows_do(name, weighted):
    y, s, w = drawn(1)
    weight = w if weighted else None
    counts = cs.ScoreCounts.from_predictions(y, s, sample_weight=weight)
    n, method, ends = estimated(name, y, s, sample_weight=weight)
    counted = estimated(name, counts.table())
    assert counted[:2] == (n, method) == (400, method)
    assert counted[2] == pytest.approx(ends, rel=1e-9, abs=1e-12)
    halves = [
        cs.ScoreCounts.from_predictions(
            y[i::2], s[i::2], sample_weight=None if weight is None else weight[i::2]
        )
        for i in (0, 1)
    ]
    assert estimated(name, (halves[0] + halves[1]).table())[2] == pytest.approx(
        ends, rel=1e-9, abs=1e-12
    )


@pytest.mark.parametrize("name", NAMES)
def test_rows_of_one_score_may_have_different_weights(name):
    y, s, _ = drawn(2)
    w = np.random.default_rng(3).exponential(size=400)
    table = cs.ScoreCounts.from_predictions(y, s, sample_weight=w).table()
    rows = estimated(name, y, s, sample_weight=w)
    counted = estimated(name, table)
    assert counted[2][:2] == pytest.approx(rows[2][:2], rel=1e-9, abs=1e-12)
    # Score intervals take rows of one score as of one weight each, in the third moment only.
    assert counted[2] == pytest.approx(rows[2], rel=0.02, abs=1e-12)


def test_one_score_of_many_rows_shows_how_a_class_varies():
    counts = cs.ScoreCounts.from_predictions([0] * 5 + [1] * 5, [0.2] * 5 + [0.4, 0.6] * 2 + [0.7])
    assert cs.estimate(counts.table(), metric="brier").standard_error > 0
