"""The metrics that the laws range over, each with its definition by the oracle.

A new metric is put to every law by registering it here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from laws.registry import Predictions

import costspace as cs


@dataclass(frozen=True)
class Metric:
    """A metric with parameters, its definition, and its properties."""

    metric: Callable[..., float]
    # Its definition, by code of its own; None if `test_against_brute_force.py` has a test for it,
    # because that is slow.
    oracle: Callable[[Predictions], float] | None
    options: Mapping[str, Any] = field(default_factory=dict)  # its parameters
    ranks: bool = False  # whether it looks at nothing but the order of the scores
    shares: bool = True  # whether the shares of the classes matter
    # Whether better scores only make it better, so that bins of scores bound it.
    bounded: bool = True
    tolerance: float = 1e-12  # to which it is right

    def __call__(self, source: cs.ScoreSource) -> float:
        return self.metric(source, **self.options)


def _kendall_tau(sample: Predictions) -> float:
    """Concordant minus discordant pairs, over the geometric mean of those untied in each."""
    oracle = sample.oracle
    pairs = np.outer(oracle.masses(), oracle.masses())
    labels, scores = (
        np.sign(values[:, None] - values[None, :]) for values in (oracle.labels, oracle.scores)
    )
    untied = np.sqrt((pairs * labels**2).sum() * (pairs * scores**2).sum())
    return float((pairs * labels * scores).sum() / untied) if untied else np.nan


METRICS = {
    "auc": Metric(cs.auc, lambda s: s.oracle.auc(), ranks=True, shares=False),
    "auc_hull": Metric(cs.auc_hull, lambda s: s.oracle.auc_hull(), ranks=True, shares=False),
    "gini": Metric(cs.gini, lambda s: 2 * s.oracle.auc() - 1, ranks=True, shares=False),
    # Of a block with 1e-8 of a class, the sums over all blocks have 8 digits.
    "kendall_tau": Metric(cs.kendall_tau, _kendall_tau, ranks=True, bounded=False, tolerance=1e-8),
    "accuracy": Metric(cs.accuracy, lambda s: s.oracle.accuracy()),
    "macro_accuracy": Metric(cs.macro_accuracy, lambda s: s.oracle.macro_accuracy(), shares=False),
    "macro_accuracy_low": Metric(
        cs.macro_accuracy,
        lambda s: s.oracle.macro_accuracy(0.25),
        {"threshold": 0.25},
        shares=False,
    ),
    "brier": Metric(cs.brier_score, lambda s: s.oracle.brier()),
    "macro_brier": Metric(cs.macro_brier_score, lambda s: s.oracle.macro_brier(), shares=False),
    "mae": Metric(cs.mean_absolute_error, lambda s: s.oracle.mae()),
    "macro_mae": Metric(cs.macro_mean_absolute_error, lambda s: s.oracle.macro_mae(), shares=False),
    "miscalibration": Metric(
        cs.miscalibration, lambda s: s.oracle.brier() - s.oracle.refinement_loss()
    ),
    "refinement_loss": Metric(cs.refinement_loss, lambda s: s.oracle.refinement_loss(), ranks=True),
    "refinement_loss_roc": Metric(
        cs.refinement_loss,
        lambda s: s.oracle.refinement_loss("roc"),
        {"partition": "roc"},
        ranks=True,
        bounded=False,
    ),
    "calibration_loss": Metric(
        cs.calibration_loss, lambda s: s.oracle.calibration_loss(), bounded=False
    ),
    "calibration_loss_roc": Metric(
        cs.calibration_loss,
        lambda s: s.oracle.calibration_loss("roc"),
        {"partition": "roc"},
        bounded=False,
    ),
    "h_measure": Metric(cs.h_measure, None, ranks=True),
    "h_measure_hand": Metric(cs.h_measure, None, {"costs": cs.Beta(2, 2)}, ranks=True),
    # Of scores that are apart, so that quadrature over their breaks does not fail.
    "voros": Metric(cs.voros, lambda s: s.by_rank.oracle.voros(), ranks=True, shares=False),
    "voros_part": Metric(cs.voros, None, {"low": 0.2, "high": 0.6}, ranks=True, shares=False),
}


def metrics_of(table: cs.ScoreTable, names: Any = tuple(METRICS)) -> np.ndarray:
    """The metrics by name, NaN where one has no meaning for the scores."""

    def number(name: str) -> float:
        try:
            return METRICS[name](table)
        except cs.ScoreError:
            return np.nan

    return np.array([number(name) for name in names])
