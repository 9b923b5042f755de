"""The best threshold under one pair of costs, against trying every threshold."""

from typing import Any

import numpy as np
import pytest

import costspace as cs

PAIRS = [(1, 1), (1, 5), (5, 1), (1, 500), (100, 3), (0.2, 0.7)]


def money(y: np.ndarray, flagged: np.ndarray, fp_cost: float, fn_cost: float) -> float:
    return float(np.mean(np.where(y == 1, fn_cost * ~flagged, fp_cost * flagged)))


@pytest.mark.parametrize(("fp_cost", "fn_cost"), PAIRS)
def test_optimal_threshold(predictions: Any, fp_cost: float, fn_cost: float) -> None:
    y, s = predictions.y, predictions.s
    table = cs.ScoreTable.from_predictions(y, s)
    c = cs.cost_proportion(fp_cost=fp_cost, fn_cost=fn_cost)
    tried = {t: money(y, s > t, fp_cost, fn_cost) for t in (-np.inf, *np.unique(s))}
    least = min(tried.values())
    loss = cs.loss_curve(table, choice=cs.Optimal())(c)
    assert (fp_cost + fn_cost) / 2 * loss == pytest.approx(least, rel=1e-12, abs=1e-14)

    skew = cs.skew_from_cost(c, prevalence=table.prevalence)
    corner = np.searchsorted(table.by_skew.breaks, skew, side="right")
    threshold = table.hull_thresholds[corner]
    assert money(y, s > threshold, fp_cost, fn_cost) == pytest.approx(least, rel=1e-12)


@pytest.mark.parametrize("prevalence", [0.001, 0.2])
@pytest.mark.parametrize(("fp_cost", "fn_cost"), PAIRS)
def test_optimal_loss_where_positives_are_of_another_share(
    predictions: Any, fp_cost: float, fn_cost: float, prevalence: float
) -> None:
    y, s = predictions.y, predictions.s

    def at_deployment(flagged: np.ndarray) -> float:
        missed, alarmed = np.mean(~flagged[y == 1]), np.mean(flagged[y == 0])
        return float(prevalence * fn_cost * missed + (1 - prevalence) * fp_cost * alarmed)

    least = min(at_deployment(s > t) for t in (-np.inf, *np.unique(s)))
    c = cs.cost_proportion(fp_cost=fp_cost, fn_cost=fn_cost)
    loss = cs.loss_curve(y, s, choice=cs.Optimal(), prevalence=prevalence)(c)
    assert (fp_cost + fn_cost) / 2 * loss == pytest.approx(least, rel=1e-12, abs=1e-14)
