"""Net benefit, relative economic value and elementary scores as their own packages give them."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from dcurves import dca
from scores.continuous import murphy_score, murphy_thetas
from scores.plotdata import relative_economic_value

import costspace as cs

# The packages divide by 1 - t and t, which costs as many digits as the thresholds are close to 1.
MARGIN = 1e-6


def thresholds(s: np.ndarray) -> np.ndarray:
    """The hundredths, where dcurves looks by default, and the scores themselves."""
    distinct = np.unique(s)[:: max(1, len(np.unique(s)) // 30)]
    return np.unique(np.concatenate([np.arange(100) / 100, distinct[distinct < 1 - MARGIN]]))


def by_dcurves(y: np.ndarray, s: np.ndarray, t: np.ndarray, **options: Any) -> pd.DataFrame:
    found = dca(pd.DataFrame({"y": y, "s": s}), "y", ["s"], thresholds=t, **options)
    return {model: found[found.model == model] for model in ("s", "all", "none")}


@pytest.mark.parametrize("prevalence", [None, 0.03])
def test_dcurves(predictions: Any, prevalence: float | None) -> None:
    y, s = predictions.y, predictions.s
    t = thresholds(s)
    found = by_dcurves(y, s, t, prevalence=prevalence)
    curve = cs.decision_curve(y, s, prevalence=prevalence)
    # It flags scores at the threshold, except scores of 0 at 0.
    benefit = np.where(t > 0, curve.left(t), curve(t))
    np.testing.assert_allclose(benefit, found["s"].net_benefit, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(curve.treat_all(t), found["all"].net_benefit, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(curve.treat_none(t), found["none"].net_benefit, atol=1e-12)
    above = t > MARGIN
    np.testing.assert_allclose(
        curve.net_reduction(t[above], left=True),
        found["s"].net_intervention_avoided[above],
        rtol=1e-9,
        atol=1e-9,
    )


def test_the_side_of_a_threshold_matters_where_scores_are_tied(scored: Any) -> None:
    predictions = scored["cancer", "tied"]
    t = np.array([0.1, 0.5])
    assert set(t) <= set(predictions.s)
    curve = cs.decision_curve(predictions.y, predictions.s)
    flagging_at = by_dcurves(predictions.y, predictions.s, t)["s"].net_benefit
    assert np.all(abs(curve(t) - flagging_at) > 1e-4)


@pytest.mark.parametrize("weighted", [False, True])
def test_relative_economic_value_of_scores(predictions: Any, weighted: bool) -> None:
    y, s = predictions.y, predictions.s
    ratios = thresholds(s)
    ratios = ratios[ratios > MARGIN]
    weight = predictions.weight if weighted else None
    found = relative_economic_value(
        xr.DataArray(s, dims="case"),
        xr.DataArray(y, dims="case"),
        cost_loss_ratios=ratios,
        probability_thresholds=ratios,
        weights=None if weight is None else xr.DataArray(weight, dims="case"),
        generate_equilibrium_point_rev=True,
    )
    curve = cs.relative_economic_value(y, s, sample_weight=weight)
    actual = found["equilibrium_point"].to_numpy()
    np.testing.assert_allclose(curve.left(ratios), actual, rtol=1e-9, atol=1e-9)


def test_potential_value_is_the_largest_over_thresholds(predictions: Any) -> None:
    y, s = predictions.y, predictions.s
    ratios = np.linspace(0.02, 0.98, 25)
    found = relative_economic_value(
        xr.DataArray(s, dims="case"),
        xr.DataArray(y, dims="case"),
        cost_loss_ratios=ratios,
        probability_thresholds=np.unique(s),
        generate_maximum_rev=True,
    )
    # Flagging nobody, of value 0 at best, is not among its thresholds.
    largest = np.maximum(found["maximum"].to_numpy(), 0)
    curve = cs.relative_economic_value(y, s, choice=cs.Optimal())
    np.testing.assert_allclose(curve(ratios), largest, atol=1e-12)


def test_murphy_score(predictions: Any) -> None:
    y, s = predictions.y, predictions.s
    forecast, outcome = xr.DataArray(s, dims="case"), xr.DataArray(1.0 * y, dims="case")
    thetas = np.array(murphy_thetas([forecast], outcome, "expectile"))
    found = murphy_score(forecast, outcome, thetas, functional="expectile", alpha=0.5)
    curve = cs.metrics.murphy_curve(y, s)
    np.testing.assert_allclose(curve(thetas), found["total"], atol=1e-15)
    before = np.nextafter(thetas[thetas > 0], 0)
    found = murphy_score(forecast, outcome, before, functional="expectile", alpha=0.5)
    np.testing.assert_allclose(curve.left(thetas[thetas > 0]), found["total"], atol=1e-15)
