"""Accelerations from influences against those of the jackknife."""

from functools import partial
from typing import Any

import numpy as np
import pytest

import costspace as cs
from costspace.resampling.acceleration import accelerations
from costspace.resampling.resamples import Resampling
from costspace.samples.rows import ScoredRows

METRICS = {
    "auc": cs.auc,
    "brier": cs.brier_score,
    "macro_mae": cs.macro_mean_absolute_error,
    "h": cs.h_measure,
    "voros": cs.voros,
}
# What no closed form is known of, row by row.
UNKNOWN = {name: partial(metric) for name, metric in METRICS.items()}
# So few that the jackknife leaves out one at a time, also if each counts twice.
ROWS = 120


def resampling(design: str, kind: str) -> Resampling:
    rng = np.random.default_rng(4)
    labels = (rng.random(ROWS) < 0.3).astype(int)
    scores = (1 / (1 + np.exp(-rng.normal(size=ROWS) - labels + 1))).round(2)
    options: dict[str, Any] = {}
    if kind in {"weighted", "both"}:
        options["sample_weight"] = rng.uniform(0.2, 3, ROWS)
    if kind == "counted":
        options["sample_weight"] = rng.integers(1, 3, ROWS)
    if kind in {"clustered", "both"}:
        options["groups"] = np.arange(ROWS) // 2
    rows = ScoredRows.from_predictions(labels, {"m": scores}, **options)
    weights = "counts" if kind == "counted" else "sampling"
    return Resampling.of(rows, "m", design=design, weights=weights)


@pytest.mark.parametrize("design", ["independent", "stratified"])
@pytest.mark.parametrize("kind", ["plain", "weighted", "counted", "clustered", "both"])
def test_influences_are_what_the_jackknife_finds(design: str, kind: str) -> None:
    drawn = resampling(design, kind)
    found, left_out = (accelerations(metrics, drawn, 0) for metrics in (METRICS, UNKNOWN))
    # Of order 1 over the root of n, and equal up to a share of that order; the hull's corners
    # move a little as rows are left out.
    np.testing.assert_allclose(found[:3], left_out[:3], rtol=0.15, atol=2e-3)
    np.testing.assert_allclose(found[3:], left_out[3:], rtol=0, atol=0.02)
    assert np.max(np.abs(found)) > 0.005


def test_statistics_with_and_without_a_closed_form_keep_their_places() -> None:
    drawn = resampling("independent", "plain")
    mixed = {"one": UNKNOWN["auc"], "two": cs.brier_score, "three": cs.kendall_tau, "four": cs.auc}
    found = accelerations(mixed, drawn, 0)
    assert found[1] == accelerations({"b": cs.brier_score}, drawn, 0)[0]
    assert found[3] == accelerations({"a": cs.auc}, drawn, 0)[0]
    alone = accelerations({"a": UNKNOWN["auc"], "k": cs.kendall_tau}, drawn, 0)
    assert [found[0], found[2]] == pytest.approx(alone, rel=1e-9)
