"""Rows of weight 0, and clusters of nothing else, change nothing."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs

RNG = np.random.default_rng(0)
Y = np.arange(60) % 2
S = {name: np.round(RNG.beta(2 + Y, 3 - Y), 2) for name in "ab"}
W, GROUPS = RNG.integers(1, 4, 60).astype(float), np.arange(60) // 6
# Ten rows more, four of them in clusters of their own.
MORE = np.append(np.arange(60), np.arange(10))
CLUSTERS = np.append(GROUPS, [0, 1, 2, 3, 4, 5, 90, 91, 92, 93])
WEIGHT = np.append(W, np.zeros(10))

ASKED: dict[str, Callable[..., Any]] = {
    "estimate": lambda y, s, **o: cs.estimate(y, s["a"], metric=cs.voros, **o),
    "compare": lambda y, s, **o: cs.compare(y, s, metrics=["auc", "voros"], **o),
    "band": lambda y, s, **o: cs.loss_band(y, s["a"], choice=cs.Optimal(), **o),
    "difference": lambda y, s, **o: cs.difference_band(y, s, choice=cs.Optimal(), **o),
    "threshold": lambda y, s, **o: cs.threshold_interval(y, s["a"], condition=0.4, **o),
    "calibration": lambda y, s, **o: cs.calibration_test(y, s["a"], **o),
    "bootstrap": lambda y, s, **o: cs.bootstrap(y, s["a"], metrics=cs.auc, method="bca", **o),
}


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("name", ASKED)
def test_they_change_nothing(name: str, clustered: bool) -> None:
    ask = ASKED[name]
    groups = (GROUPS, CLUSTERS) if clustered else (None, None)
    plain = ask(Y, S, sample_weight=W, groups=groups[0])
    scores = {model: s[MORE] for model, s in S.items()}
    more = ask(Y[MORE], scores, sample_weight=WEIGHT, groups=groups[1])
    assert plain.n == more.n == 60
    for key, column in plain.columns().items() if hasattr(plain, "columns") else ():
        found = more.columns()[key]
        if column.dtype.kind == "f":
            np.testing.assert_allclose(found, column, rtol=1e-9, atol=1e-12, err_msg=key)
        else:
            assert np.all(found == column)
    if name == "bootstrap":
        assert (plain.low, plain.high) == (more.low, more.high)


def test_a_class_that_weighs_in_one_cluster_only() -> None:
    weight = np.where((Y == 1) & (GROUPS > 0), 0.0, 1.0)
    for name in ("estimate", "compare", "band", "difference", "threshold"):
        with refused(cs.LabelError, "every positive row is in the same group"):
            ASKED[name](Y, S, sample_weight=weight, groups=GROUPS)
