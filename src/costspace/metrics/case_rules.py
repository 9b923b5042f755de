"""Rules for cases that have their own costs, and the cost of a rule on rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray, FloatArray, Floats, plain
from costspace.checks import check_prevalence
from costspace.condition import cost_from_skew, cost_proportion, skew_from_cost, without_rounding
from costspace.errors import ConditionError
from costspace.notebook import Tabulated
from costspace.samples.case_costs import CaseCosts
from costspace.samples.rows import ScoredRows
from costspace.scores.base import as_probabilities
from costspace.single import doubles


@final
@dataclass(frozen=True)
class TrivialCosts(Tabulated):
    """The costs of flagging everybody and of flagging nobody.

    Attributes
    ----------
    flag_nobody, flag_everybody : float
        Mean cost of a case.

    Notes
    -----
    Correa Bahnsen, Aouada, Ottersten (2014), Example-dependent cost-sensitive logistic
    regression, ICMLA: the costless classes f0 and f1 that savings are measured against.

    Examples
    --------
    >>> import costspace as cs
    >>> cs.metrics.trivial_costs([0, 0, 0, 1], fp_cost=[1, 3, 2, 2], fn_cost=10)
    TrivialCosts(flag_nobody=2.5, flag_everybody=1.5)
    """

    flag_nobody: float
    flag_everybody: float

    @property
    def least(self) -> float:
        """The smaller of the two costs."""
        return min(self.flag_nobody, self.flag_everybody)

    def columns(self) -> dict[str, FloatArray]:
        """One row."""
        return {
            "flag_nobody": np.array([self.flag_nobody]),
            "flag_everybody": np.array([self.flag_everybody]),
        }


def bayes_thresholds(
    *,
    fp_cost: ArrayLike,
    fn_cost: ArrayLike,
    tp_cost: ArrayLike = 0.0,
    tn_cost: ArrayLike = 0.0,
    prevalence: float | None = None,
    calibrated_to: float | None = None,
) -> Floats:
    """Threshold of each case above which flagging costs less, if its score is a probability.

    Parameters
    ----------
    fp_cost, fn_cost : float or array of shape (n,)
        Cost of flagging the case if it is negative, and of not flagging it if it is positive.
    tp_cost, tn_cost : float or array of shape (n,)
        Cost of the correct decisions, negative for a gain.
    prevalence, calibrated_to : float in (0, 1), optional
        Share of positives at deployment, and the one that the scores are calibrated to; both or
        neither. Without them scores are calibrated to where they are used.

    Returns
    -------
    float or array of shape (n,), in (0, 1)
        c = a / (a + b) with a = fp_cost - tn_cost and b = fn_cost - tp_cost. With prevalences it
        is the score that stands for c at deployment: z pi1 / (z pi1 + (1 - z) pi0), z the skew of
        c at `prevalence` and pi1 = `calibrated_to`.

    Raises
    ------
    ConditionError
        If a cost or prevalence is out of range, or only one prevalence is given.

    Notes
    -----
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI, Equation 2 and Theorem 2.
    Among all rules none costs less in expectation, if scores are the probabilities.

    Examples
    --------
    >>> import costspace as cs
    >>> cs.metrics.bayes_thresholds(fp_cost=1, fn_cost=[1, 4, 9])
    array([0.5, 0.2, 0.1])
    >>> known = {"prevalence": 0.01, "calibrated_to": 0.1}
    >>> round(cs.metrics.bayes_thresholds(fp_cost=1, fn_cost=9, **known), 12)
    0.55
    """
    costs = CaseCosts(fp_cost, fn_cost, tp_cost, tn_cost).all_worth
    if prevalence is None and calibrated_to is None:
        return plain(_thresholds(costs, 0.5, 0.5))
    if prevalence is None or calibrated_to is None:
        came = "prevalence" if calibrated_to is None else "calibrated_to"
        raise ConditionError(
            "a correction of scores needs the prevalence that they are calibrated to and that at "
            f"deployment: give calibrated_to and prevalence, got only {came}."
        )
    deployed = check_prevalence(prevalence)
    calibrated = check_prevalence(calibrated_to, "calibrated_to")
    return plain(_thresholds(costs, deployed, calibrated))


def bayes_scores(rows: ScoredRows, model: str) -> FloatArray:
    """The scores of a model, which the per-case Bayes rule takes as probabilities."""
    scores = doubles(rows.scores[model])
    return as_probabilities("the per-case Bayes rule", scores)


def bayes_flags(
    rows: ScoredRows,
    model: str,
    prevalence: float | None = None,
    calibrated_to: float | None = None,
) -> BoolArray:
    """Which rows the per-case Bayes rule flags; both prevalences are the rows' by default."""
    scores = bayes_scores(rows, model)
    deployed = _share("prevalence", prevalence, rows)
    calibrated = _share("calibrated_to", calibrated_to, rows)
    return scores > _thresholds(rows.known_costs, deployed, calibrated)


def cost_of_flags(rows: ScoredRows, flagged: BoolArray, prevalence: float | None = None) -> float:
    """Mean cost of a case when these rows are flagged, at the rows' or another prevalence."""
    p = _share("prevalence", prevalence, rows)
    costs = rows.known_costs.of_flags(flagged, rows.positive)
    on_negatives, on_positives = (
        np.average(costs[side], weights=None if rows.weight is None else rows.weight[side])
        for side in (~rows.positive, rows.positive)
    )
    return float((1 - p) * on_negatives + p * on_positives)


def cost_of_trivial(rows: ScoredRows, prevalence: float | None = None) -> TrivialCosts:
    """The costs of flagging nobody and everybody, at the rows' or another prevalence."""
    p, means = _share("prevalence", prevalence, rows), rows.mean_costs
    return TrivialCosts(float(means.per_case(p, 0.0, 1.0)), float(means.per_case(p, 1.0, 0.0)))


def _thresholds(costs: CaseCosts, deployed: float, calibrated: float) -> FloatArray:
    proportion = np.asarray(cost_proportion(fp_cost=costs.net_fp_cost, fn_cost=costs.net_fn_cost))
    if deployed == calibrated:
        return proportion
    moved = np.asarray(
        cost_from_skew(skew_from_cost(proportion, prevalence=deployed), prevalence=calibrated)
    )
    return without_rounding(moved)


def _share(name: str, share: float | None, rows: ScoredRows) -> float:
    """A share of positives as given, or that of the rows."""
    if share is not None:
        return check_prevalence(share, name)
    return rows.prevalence
