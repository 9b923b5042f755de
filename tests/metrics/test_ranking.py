"""Metrics of the order of scores: values by hand, and any scale."""

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace import ScoreError

Y = [0, 0, 1, 1, 1]
S = [0.1, 0.6, 0.4, 0.9, 0.6]
W = [1, 2, 1, 3, 1]
RANKS = {
    "auc": cs.auc,
    "auc_hull": cs.auc_hull,
    "gini": cs.gini,
    "kendall_tau": cs.kendall_tau,
    "refinement_loss": cs.refinement_loss,
    "h_measure": cs.h_measure,
    "voros": cs.voros,
}


def test_ranks_by_hand() -> None:
    assert cs.auc(Y, S) == pytest.approx(4.5 / 6)
    assert cs.gini(Y, S) == pytest.approx(0.5)
    assert cs.auc_hull(Y, S) == pytest.approx(cs.auc([0, 0, 1, 1, 1], [1, 2, 2, 3, 2]))


@pytest.mark.parametrize("name", RANKS)
def test_rank_metrics_take_any_scale(name: str) -> None:
    metric = RANKS[name]
    decisions = 10 * np.array(S) - 7
    assert metric(Y, decisions) == metric(Y, S)
    assert metric(Y, decisions, sample_weight=W) == metric(Y, S, sample_weight=W)


def test_kendall_tau_of_a_constant() -> None:
    with refused(ScoreError, "Kendall's tau has no meaning when one score has all the weight."):
        cs.kendall_tau([0, 1], [1, 1])


@pytest.mark.parametrize("weights", [[1, 1e-20], [1e-4, 1e4]])
def test_kendall_tau_beside_a_block_of_nearly_all_weight(weights: list[float]) -> None:
    assert cs.kendall_tau([0, 1], [0, 1], sample_weight=weights) == pytest.approx(1, abs=1e-15)
