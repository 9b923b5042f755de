"""Bins of scores for the page's picture of calibration."""

import numpy as np
import pytest
from scipy.stats import binomtest

import costspace as cs
from costspace.report.calibrated import calibration_bins


def sample(n: int = 3000, share: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    y = (rng.random(n) < share).astype(int)
    return y, np.round(1 / (1 + np.exp(2 - 2 * y - rng.normal(size=n))), 2)


def test_bins_hold_every_row_once_with_wilsons_interval() -> None:
    y, s = sample()
    found = calibration_bins(cs.ScoreTable.from_predictions(y, s))
    assert found is not None
    assert 5 <= len(found["mean"]) <= 12
    assert found["from"][0] == s.min()
    assert found["to"][-1] == s.max()
    assert sum(found["cases"]) == pytest.approx(1)
    for k, (low, high) in enumerate(zip(found["from"], found["to"], strict=True)):
        inside = (s >= low) & (s <= high)
        assert found["cases"][k] == pytest.approx(inside.mean())
        assert found["mean"][k] == pytest.approx(s[inside].mean())
        assert found["share"][k] == pytest.approx(y[inside].mean())
        ends = binomtest(int(y[inside].sum()), int(inside.sum())).proportion_ci(method="wilson")
        assert (found["low"][k], found["high"][k]) == pytest.approx((ends.low, ends.high), abs=1e-9)


def test_weights_that_are_small_beside_the_rest_keep_their_bins() -> None:
    weight = [1e4, 1e-4, 1e-4, 1e4]
    table = cs.ScoreTable.from_predictions(
        [1, 0, 1, 1], [0.0, 0.1, 0.9, 0.05], sample_weight=weight
    )
    found = calibration_bins(table)
    assert found is not None
    assert found["mean"][-1] == pytest.approx(0.9)
    assert found["share"][-1] == 1
    alone = cs.ScoreTable.from_predictions([0, 1, 1], [0.0, 0.9, 0.0])
    assert found["low"][-1] == pytest.approx(calibration_bins(alone)["low"][-1])


def test_bins_share_both_classes_out_where_positives_are_rare() -> None:
    y, s = sample(200_000, 0.002)
    s = s + np.random.default_rng(0).uniform(0, 1e-3, len(s)) * (s < 1)
    found = calibration_bins(cs.ScoreTable.from_predictions(y, np.clip(s, 0, 1)))
    assert found is not None
    positives = np.multiply(found["cases"], found["share"]) / y.mean()
    negatives = np.multiply(found["cases"], 1 - np.array(found["share"])) / (1 - y.mean())
    assert len(positives) == 12
    assert (positives + negatives) / 2 == pytest.approx(1 / 12, abs=0.02)


def test_weights_count_as_the_rows_that_say_as_much() -> None:
    y, s = sample()
    once = calibration_bins(cs.ScoreTable.from_predictions(y, s))
    weight = np.full(len(y), 3.5)
    assert calibration_bins(cs.ScoreTable.from_predictions(y, s, sample_weight=weight)) == {
        name: pytest.approx(values) for name, values in (once or {}).items()
    }
    weight = np.random.default_rng(1).uniform(0, 4, len(y))
    found = calibration_bins(cs.ScoreTable.from_predictions(y, s, sample_weight=weight))
    assert found is not None
    inside = (s >= found["from"][3]) & (s <= found["to"][3])
    w = weight[inside]
    share, rows = np.average(y[inside], weights=w), w.sum() ** 2 / np.sum(w**2)
    assert found["share"][3] == pytest.approx(share)
    z = 1.959963984540054
    for name in ("low", "high"):
        # The ends are where the share is z standard errors off.
        end = found[name][3]
        assert abs(share - end) == pytest.approx(z * np.sqrt(end * (1 - end) / rows))


def test_all_scores_alike_are_one_bin() -> None:
    with pytest.warns(cs.errors.DataWarning):
        table = cs.ScoreTable.from_predictions([0, 1, 1], [0.5, 0.5, 0.5])
    found = calibration_bins(table)
    assert found is not None
    assert found["from"] == found["to"] == [0.5]
    assert found["share"] == [pytest.approx(2 / 3)]


def test_scores_that_are_no_probabilities_have_no_bins() -> None:
    assert calibration_bins(cs.ScoreTable.from_predictions([0, 1, 1], [-0.1, 0.5, 0.7])) is None
    assert calibration_bins(cs.ScoreTable.from_predictions([0, 1, 1], [0.1, 0.5, 1.7])) is None
