"""Scores that have the costs of each case in them, as what is at stake has."""

from dataclasses import replace

import numpy as np

from costspace.arrays import FloatArray, FrozenDict
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable
from costspace.single import doubles

# What is at stake is at least so great a part of the costs, in some case.
_AT_STAKE = 0.2
# So much less of the pairs that are ranked wrongly is luck.
_LUCK = 0.02


def is_at_stake(rows: ScoredRows, model: str) -> bool:
    """Whether scores are what is at stake with each case, in the unit of its costs.

    They are a probability times the cost of a false negative, or that less the cost of a false
    positive times the rest: parts of these costs, and they rank better without them.
    """
    return rows.costs is not None and _in_costs(rows, model) and _ranks_better(rows, model)


def ranks_by_stake(rows: ScoredRows, model: str) -> bool:
    """Whether scores may have the costs of each case in them already.

    They are at stake, or as much without the unit, or a probability beside the threshold of its
    case.
    """
    return rows.costs is not None and (_in_costs(rows, model) or _ranks_better(rows, model))


def _in_costs(rows: ScoredRows, model: str) -> bool:
    """Whether scores beyond [0, 1] are parts of what each case costs."""
    costs, stake = rows.known_costs, doubles(rows.scores[model])
    if stake.min() >= 0 and stake.max() <= 1:
        return False
    wrong, missed = costs.net_fp_cost, costs.net_fn_cost
    for paid, cost in (
        (0.0, np.asarray(costs.fn_cost)),
        (0.0, missed),
        (wrong, wrong + missed),
    ):
        with np.errstate(divide="ignore", invalid="ignore"):
            part, score = np.abs(stake) / cost, (stake + paid) / cost
        # Log-odds and points are small beside the costs.
        if score.min() >= 0 and score.max() <= 1 and part.max() >= _AT_STAKE:
            return True
    return False


def _ranks_better(rows: ScoredRows, model: str) -> bool:
    """Whether scores rank better without the costs."""
    costs, stake = rows.known_costs, doubles(rows.scores[model])
    wrong, missed = costs.net_fp_cost, costs.net_fn_cost
    threshold = wrong / (wrong + missed)
    scores = [stake / missed, (stake + wrong) / (wrong + missed), stake * threshold]
    if np.abs(stake).max() <= 1:
        scores.append(stake + threshold)
    wrongly_ranked = 1 - _auc(rows, stake)
    return any(1 - _auc(rows, one) < (1 - _LUCK) * wrongly_ranked for one in scores)


def _auc(rows: ScoredRows, scores: FloatArray) -> float:
    return ScoreTable.from_rows(replace(rows, scores=FrozenDict({"": scores})), "").auc
