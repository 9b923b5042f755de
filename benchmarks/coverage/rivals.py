"""Other ways to a model and its threshold, and what they truly cost."""

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.coverage.settings import Drawn, money_of_cut
from costspace.deployment.conditions import CASES

_TRIED = 100  # thresholds that scikit-learn tries by default


def _costs_of_cuts(
    one: Drawn, scores: np.ndarray, cuts: np.ndarray, among: np.ndarray | None = None
) -> np.ndarray:
    """What flagging scores from each cut on costs on some of the rows, at mean costs of all."""
    positive, amounts = one.rows.positive, np.ones(len(scores))
    if one.rows.costs is not None:
        costs = one.rows.known_costs
        amounts = np.where(positive, costs.net_fn_cost, costs.net_fp_cost)
    passed = []
    for side in (~positive, positive):
        own = side if among is None else side & among
        order = np.argsort(scores[own])
        below = np.append(0.0, np.cumsum(amounts[own][order]))
        passed.append(below[np.searchsorted(scores[own][order], cuts)] / below[-1])
    known = one.at_own_prevalence
    stakes = known.negative_stake, known.positive_stake
    return CASES * (stakes[0] * (1 - passed[0]) + stakes[1] * passed[1])


def best_in_sample(one: Drawn) -> float:
    """The true cost of the allowed threshold and model that are cheapest on the sample."""
    found = []
    for model, scores in one.rows.scores.items():
        s = np.sort(scores)
        cuts = np.concatenate([[-np.inf], (s[1:] + s[:-1]) / 2, [np.inf]])
        costs = _costs_of_cuts(one, scores, cuts)
        if one.setting.capacity:
            costs = np.where(
                _share_flagged(one, scores, cuts) > one.setting.most_by_threshold, np.inf, costs
            )
        k = int(np.argmin(costs))
        found.append((costs[k], model, cuts[k]))
    _, model, cut = min(found)
    return float(money_of_cut(one.setting, model, np.array(cut)))


def _share_flagged(one: Drawn, scores: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """Which share of cases scores above each cut, at the prevalence where that is most."""
    rates = [
        np.mean(scores[side] > cuts[:, None], axis=1)
        for side in (one.rows.positive, ~one.rows.positive)
    ]
    ends = vars(one.at_own_prevalence.prevalence_range).values()
    return np.max([p * rates[0] + (1 - p) * rates[1] for p in ends], axis=0)


def tuned(one: Drawn) -> float:
    """What scikit-learn's `TunedThresholdClassifierCV` costs, of the model that it scores best.

    Its way is to try 100 thresholds on each of five folds, and to take the best on average. NaN
    with a capacity, which it cannot keep to.
    """
    if one.setting.capacity:
        return np.nan
    found = [
        (least, model, cut)
        for model, scores in one.rows.scores.items()
        for least, cut in [tuned_threshold(one, scores)]
    ]
    _, model, cut = min(found)
    return float(money_of_cut(one.setting, model, np.array(cut)))


def tuned_threshold(one: Drawn, scores: np.ndarray) -> tuple[float, float]:
    """What the tuned threshold costs on average over folds, and the threshold."""
    tried, costs = [], []
    for _, fold in StratifiedKFold().split(scores, one.rows.positive):
        own = np.isin(np.arange(len(scores)), fold)
        cuts = np.linspace(scores[own].min(), scores[own].max(), _TRIED)
        tried.append(cuts)
        costs.append(_costs_of_cuts(one, scores, cuts, own))
    cuts = np.linspace(np.min(tried), np.max(tried), _TRIED)
    mean = np.mean([np.interp(cuts, *pair) for pair in zip(tried, costs, strict=True)], axis=0)
    k = int(np.argmin(mean))
    return float(mean[k]), float(cuts[k])
