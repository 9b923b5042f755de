"""Where the default integer has 32 bits, pairs of classes are more than it can count."""

import numpy as np
import pytest
from laws.metrics import METRICS
from narrow_integers import Narrow, narrow, use_narrow_integers

import costspace as cs

# Of each class: the pairs that positives win are more than 2^31.
ROWS = 70_000


def sample(kind: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], ROWS)
    s = rng.beta(2 + y, 3 - y)
    return y, {"distinct": s, "tied": s.round(3), "float32": s.astype(np.float32)}[kind]


def numbers(kind: str) -> dict[str, float]:
    y, s = sample(kind)
    table = cs.ScoreTable.from_predictions(y, s)
    counted = cs.ScoreCounts.from_predictions(y, s)
    found = {name: metric(table) for name, metric in METRICS.items()}
    found |= {f"counted {name}": metric(counted.table()) for name, metric in METRICS.items()}
    found |= {f"merged {name}": metric(table + table) for name, metric in METRICS.items()}
    for name in ("auc", "auc_hull", "voros", "brier"):
        found[f"error of {name}"] = cs.estimate(y, s, metric=name).standard_error
    resampled = cs.bootstrap(
        y, s, metrics=[cs.auc, cs.brier_score], replicates=3, level=0.5, method="basic"
    )
    found |= {f"resampled {k}": v for k, v in enumerate(np.ravel(resampled.replicates))}
    return found


@pytest.mark.parametrize("kind", ["distinct", "tied", "float32"])
def test_numbers_are_those_of_wide_integers(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = numbers(kind)
    use_narrow_integers(monkeypatch)
    assert numbers(kind) == pytest.approx(wide, rel=1e-12, abs=1e-15)


def test_narrow_integers_overflow() -> None:
    many = narrow(np.full(3, 2**30, dtype=np.int32))
    assert isinstance(many, Narrow)
    assert many.sum() == np.sum(many) == np.cumsum(many)[-1] == 3 * 2**30 - 2**32
    assert many.sum(dtype=np.int64) == many.astype(float).sum() == 3 * 2**30
