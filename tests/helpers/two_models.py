"""Rows of two models, one of them with ties, for the tests of decisions."""

from functools import partial
from typing import Any

import numpy as np

import costspace as cs

# A decision where costs and prevalence are known at each decision.
knowing = partial(cs.decide, known="costs,prevalence")


def drawn(seed: int, n: int = 90, dtype: type = float) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Labels and scores."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.35).astype(int)
    s = np.clip(rng.normal(0.3 + 0.25 * y, 0.18), 0.002, 0.998)
    tied = np.clip(s + rng.normal(0, 0.1, n), 0, 1).round(1)
    return y, {"fine": s.round(4).astype(dtype), "tied": tied}


def sample(n: int, seed: int, *, weighted: bool = False, costly: bool = False) -> cs.ScoredRows:
    """Rows with at least two of each class, on request with weights and costs of their own."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    y[:4] = 0, 0, 1, 1
    scores = {
        "a": np.round(np.clip(rng.normal(0.35 + 0.25 * y, 0.25), 0, 1), 2),
        "b": np.round(rng.random(n) / 2 + 0.3 * y, 1),
    }
    parts: dict[str, Any] = {}
    if weighted:
        parts["sample_weight"] = rng.choice([0.5, 1, 2.5], n)
    if costly:
        costs = {"fp_cost": rng.uniform(1, 3, n), "fn_cost": rng.uniform(2, 9, n)}
        parts["case_costs"] = cs.CaseCosts(**costs, tn_cost=-0.5)
    return cs.ScoredRows.from_predictions(y, scores, **parts)
