"""Costs of each case, and the largest profit: at known costs, and expected over some."""

from typing import Any

import numpy as np
from scipy.stats import beta, uniform

import costspace as cs
from benchmarks.peers.comparison import COSTED, Quantity, table_of

INCENTIVE, CUSTOMER = 10, 200
RETURN = 0.2644


def _largest_profit(table: cs.ScoreTable, fp_cost: float, gain: Any, mean_gain: float) -> float:
    """Profit a case of flagging at the best threshold, if only flagged positives gain.

    A gain of a true positive is a cost of missing it, minus the gain of flagging them all.
    """
    known = cs.Deployment(fp_cost=fp_cost, fn_cost=gain, prevalence=table.prevalence)
    money = cs.expected_money(table, choice=cs.Optimal(), conditions=known) / 1000
    return mean_gain * table.prevalence - money


def _profit(*rows: Any) -> float:
    return _largest_profit(table_of(*rows), 11, 20, 20)


def _profit_empulse(y: np.ndarray, s: np.ndarray) -> float:
    from empulse.metrics import max_profit_score

    return max_profit_score(y, s, tp_cost=-20, fp_cost=11)


def _churn(*rows: Any) -> float:
    """A Beta(6, 14) share of those who would leave accept an incentive and stay."""
    worth = CUSTOMER - INCENTIVE
    return _largest_profit(table_of(*rows), INCENTIVE, beta(6, 14, scale=worth), 0.3 * worth)


def _churn_empulse(y: np.ndarray, s: np.ndarray) -> float:
    from empulse.metrics import empc_score

    return empc_score(
        y, s, alpha=6, beta=14, clv=CUSTOMER, incentive_cost=INCENTIVE, contact_cost=0
    )


def _credit(*rows: Any) -> float:
    """Of a loan that defaults nothing is lost (0.55), everything (0.1), or any share (0.35).

    Where nothing is lost, to refuse nobody is best, and gains nothing.
    """
    table = table_of(*rows)
    everything = _largest_profit(table, RETURN, 1, 1)
    return 0.1 * everything + 0.35 * _largest_profit(table, RETURN, uniform(), 0.5)


def _credit_empulse(y: np.ndarray, s: np.ndarray) -> float:
    from empulse.metrics import empcs_score

    return empcs_score(y, s, success_rate=0.55, default_rate=0.1, roi=RETURN)


def _cost(y: np.ndarray, s: np.ndarray, fp: np.ndarray, fn: np.ndarray) -> float:
    return cs.expected_cost(y, s, fp_cost=fp, fn_cost=fn)


def _cost_empulse(y: np.ndarray, s: np.ndarray, fp: np.ndarray, fn: np.ndarray) -> float:
    from empulse.metrics import cost_loss

    return cost_loss(y, s, fp_cost=fp, fn_cost=fn, normalize=True)


def _savings(y: np.ndarray, s: np.ndarray, fp: np.ndarray, fn: np.ndarray) -> float:
    return cs.savings_score(y, s, fp_cost=fp, fn_cost=fn)


def _savings_empulse(y: np.ndarray, s: np.ndarray, fp: np.ndarray, fn: np.ndarray) -> float:
    from empulse.metrics import savings_score

    return savings_score(y, s, fp_cost=fp, fn_cost=fn)


COMPARISONS = (
    Quantity("Maximum profit, costs known", "expected_money", _profit).by(
        "empulse", "max_profit_score", _profit_empulse
    ),
    Quantity("Expected maximum profit, churn", "expected_money", _churn).by(
        "empulse", "empc_score", _churn_empulse
    ),
    Quantity("Expected maximum profit, credit", "expected_money", _credit).by(
        "empulse", "empcs_score", _credit_empulse
    ),
    Quantity("Cost, each case its own costs", "expected_cost", _cost, COSTED).by(
        "empulse", "cost_loss", _cost_empulse, COSTED
    ),
    Quantity("Savings, each case its own costs", "savings_score", _savings, COSTED).by(
        "empulse", "savings_score", _savings_empulse, COSTED
    ),
)
