"""Bands around cumulative gains: their standard errors row by row, and how often they contain."""

from typing import Any

import numpy as np
import pytest
from refusals import refused
from scipy import stats

import costspace as cs

MODEL = cs.AnalyticScores(stats.norm(0, 1), stats.norm(1.2, 1), 0.3)
N = 120
RNG = np.random.default_rng(4)
Y = np.arange(N) % 3 == 0
S = np.round(RNG.normal(1.5 * Y), 1)
GROUPS = np.arange(N) % 40
WEIGHT = np.tile([0.5, 1.0, 1.5, 3.0], N // 4)


def drawn(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    y = (rng.random(n) < 0.3).astype(int)
    return y, rng.normal(1.2 * y)


@pytest.mark.simulation
def test_bands_contain_the_gain_of_the_population() -> None:
    curve = cs.metrics.gain_curve(MODEL)
    at, grid = np.array([0.05, 0.2, 0.4, 0.7]), np.linspace(0.002, 0.998, 333)
    rng = np.random.default_rng(1)
    one, whole, apart = [], [], []
    for _ in range(160):
        y, s = drawn(rng, 400)
        each = cs.bands.gain_band(y, s, simultaneous=False)
        one.append((each.low(at) <= curve(at)) & (curve(at) <= each.high(at)))
        apart.append(np.all((each.low(grid) <= curve(grid)) & (curve(grid) <= each.high(grid))))
        band = cs.bands.gain_band(y, s, replicates=300)
        whole.append(np.all((band.low(grid) <= curve(grid)) & (curve(grid) <= band.high(grid))))
    assert np.all(np.mean(one, axis=0) > 0.93)
    assert 0.91 <= np.mean(whole) <= 0.99
    # It takes more than bands for each share by itself.
    assert np.mean(apart) < np.mean(whole) - 0.1


def slopes(y: Any, s: Any, w: Any, p: float) -> tuple[Any, Any]:
    """Below and above each corner, the share of positives after isotonic calibration, over p."""
    table = cs.ScoreTable.from_predictions(y, s, sample_weight=w).with_prevalence(p)
    found = cs.pav(table)(np.unique(s)) / p
    return np.append(found[0], found), np.append(found, found[-1])


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"design": "stratified"},
        {"prevalence": 0.1},
        {"groups": GROUPS},
        {"sample_weight": WEIGHT},
        {"sample_weight": WEIGHT, "prevalence": 0.1, "groups": GROUPS},
    ],
    ids=lambda asked: " ".join(asked) or "plain",
)
def test_the_standard_error_is_that_of_the_influences_of_rows(asked: dict[str, Any]) -> None:
    band = cs.bands.gain_band(Y, S, simultaneous=False, **asked)
    w, groups = asked.get("sample_weight", np.ones(N)), asked.get("groups", np.arange(N))
    p = asked.get("prevalence", np.average(Y, weights=w))
    fixed = len({"design", "prevalence"} & asked.keys()) > 0
    sizes = np.array([np.sum(~Y), np.sum(Y)])
    count = len(np.unique(groups))
    more = (sizes / (sizes - 1))[Y.astype(int)] if count == N else np.full(N, count / (count - 1))
    share = w / np.sum(w)
    expected = []
    for k, (below, above) in enumerate(zip(*slopes(Y, S, w, p), strict=True)):
        flagged = np.append(-np.inf, np.unique(S))[k] < S
        tpr, fpr = (np.average(flagged[c], weights=w[c]) for c in (Y, ~Y))
        own = np.average(Y, weights=w)
        in_class = np.where(Y, (flagged - tpr) / own, (flagged - fpr) / (1 - own))
        every = []
        for slope in (below, above):
            if fixed:
                part = in_class * np.where(Y, 1 - slope * p, -slope * (1 - p))
            else:
                rate = p * tpr + (1 - p) * fpr
                part = np.where(Y, in_class, 0) - slope * (flagged - rate)
            units = np.bincount(groups, share * np.sqrt(more) * part)
            every.append(np.sum(units**2))
        # Unseen rows decide, too, which side of a corner has the larger error.
        expected.append(every)
    squares = band.standard_error[::-1] ** 2
    expected = np.array(expected)
    assert np.all(np.min(np.abs(expected - squares[:, None]), axis=1) < 1e-12)
    assert np.mean(np.abs(expected.max(axis=1) - squares) < 1e-12) > 0.85


def test_both_ends_are_so_many_standard_errors_away() -> None:
    band = cs.bands.gain_band(Y, S, simultaneous=False, level=0.9)
    columns = band.columns()
    inner = slice(8, -25)
    gain, seen = columns["gain"][inner], band.standard_error[inner] ** 2
    ends = np.stack([columns["low"][inner], columns["high"][inner]])
    # (end - gain)^2 is z^2 (seen + k (end (1 - end) - gain (1 - gain)) + unseen): k and unseen from
    # both ends.
    more = ((ends - gain) / band.critical) ** 2 - seen
    apart = ends * (1 - ends) - gain * (1 - gain)
    told = np.abs(apart[1] - apart[0]) > 0.05
    assert np.sum(told) > 10
    k = (more[1] - more[0])[told] / (apart[1] - apart[0])[told]
    unseen = more[0][told] - k * apart[0][told]
    assert np.all((k > 0) & (k <= 1 / 40 + 1e-9))
    assert np.max(k) > 0.3 / 40
    assert np.all((unseen > 0) & (unseen < (3.7 / 40) ** 2))


def test_what_a_band_is() -> None:
    whole, each = (cs.bands.gain_band(Y, S, simultaneous=one) for one in (True, False))
    assert repr(whole) == "GainBand(simultaneous 95 % band, n 120, independent)"
    assert repr(each) == "GainBand(pointwise 95 % band, n 120, independent)"
    columns = whole.columns()
    np.testing.assert_allclose(columns["flagged"], whole.curve.columns()["flagged"], atol=1e-12)
    assert np.all((columns["low"] <= columns["gain"]) & (columns["gain"] <= columns["high"]))
    assert np.all(whole.lowest <= each.lowest)
    assert np.all(whole.highest >= each.highest)
    assert [whole.low(0), whole.high(0), whole.low(1), whole.high(1)] == [0, 0, 1, 1]
    middle = np.mean(columns["flagged"][3:5])
    assert whole.low(middle) == pytest.approx(np.mean(columns["low"][3:5]))
    assert cs.bands.gain_band(Y, S, prevalence=0.1).design == "stratified"
    again = cs.bands.gain_band(Y, S, seed=1)
    assert again.critical != whole.critical
    assert again.critical == pytest.approx(whole.critical, rel=0.05)


def test_counts_are_rows() -> None:
    weight = np.tile([1, 2, 0, 1], N // 4)
    counted = cs.bands.gain_band(Y, S, sample_weight=weight, weights="counts", simultaneous=False)
    repeated = cs.bands.gain_band(*(np.repeat(one, weight) for one in (Y, S)), simultaneous=False)
    for name, column in counted.columns().items():
        np.testing.assert_allclose(column, repeated.columns()[name], atol=1e-12)


def test_scores_that_are_all_alike() -> None:
    band = cs.bands.gain_band(Y, np.ones(N))
    assert band.columns()["gain"].tolist() == [0, 1]
    assert band.low(0.3) == band.high(0.3) == 0.3


def test_what_is_refused() -> None:
    with refused(cs.ConditionError, "level must be"):
        cs.bands.gain_band(Y, S, level=95)
    with refused(cs.ConditionError, "simultaneous must be True or False, got 'yes'."):
        cs.bands.gain_band(Y, S, simultaneous="yes")  # type: ignore[arg-type]
    with refused(cs.ConditionError, "replicates must be"):
        cs.bands.gain_band(Y, S, replicates=10)
    with refused(cs.ConditionError, "leave design out, or use design='stratified'"):
        cs.bands.gain_band(Y, S, design="independent", prevalence=0.1)
    with refused(cs.ConditionError, "a share flagged must be in [0, 1]"):
        cs.bands.gain_band(Y, S).low(2)
