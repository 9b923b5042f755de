"""The answer: what to do, what it costs, and what would lower that cost."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.comparison.dominating import Dominance
from costspace.costs import CostDistribution
from costspace.curve import PiecewiseQuadratic
from costspace.decision.candidates import METHODS, TRIVIAL, Candidate
from costspace.decision.evidence import MoneyEvidence
from costspace.decision.model_decision import ModelDecision
from costspace.decision.recommendation import Recommendation
from costspace.decision.regret import Regrets
from costspace.decision.table import DecisionTable
from costspace.decision.words import money_shown
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import CASES, JointConditions
from costspace.notebook import Tabulated, html_table
from costspace.rules.constraints import Constraints


@final
@dataclass(frozen=True)
class Gap(Tabulated):
    """A range of prevalence in which nothing keeps to the constraints.

    Attributes
    ----------
    prevalence_low, prevalence_high : float
        Its ends.
    reason : str
        How near one comes.

    Notes
    -----
    A gap is a matter of the prevalence alone: constraints do not look at costs.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.5)
    >>> limits = cs.Constraints(capacity=0.1, min_recall=0.9)
    >>> cs.decide(y, {"model": s}, conditions=known, constraints=limits).gaps[0].prevalence_low
    0.5
    """

    prevalence_low: float
    prevalence_high: float
    reason: str

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row."""
        return {name: np.array([value]) for name, value in asdict(self).items()}


@final
@dataclass(frozen=True, eq=False, repr=False)
class Decision(FrozenValue):
    """From what is known about deployment to what to do, in money.

    Attributes
    ----------
    recommendation : Recommendation
    table : DecisionTable or None
        Which model, method and threshold to use at each skew; None if nothing is feasible.
    short_table : DecisionTable or None
        The same with fewer rows: a model is kept while it loses at most 1 % more than the best.
    dominance : Dominance or None
        Which models, each at its best, lose least at each skew, on rows held out; its breaks are
        where they cross. None where constraints make it a matter of the prevalence too.
    losses : mapping of Candidate to PiecewiseQuadratic, or None
        The loss of each model and method, and of the trivial rules, on rows held out: over the
        skew, or over the cost proportion if the prevalence is known. None where constraints make
        it a matter of the prevalence too.
    hybrid : float or None
        What following the table costs per 1,000 cases on the rows that its models and methods
        were compared on, and so a little more on others; None if in some band nothing is feasible.
    gaps : tuple of Gap
        Bands of prevalence in which nothing is feasible.
    models : mapping of str to ModelDecision
        Each model's numbers, by its name.
    trivial : mapping of str to float
        What flagging nobody and flagging everybody cost per 1,000 cases.
    evidence : MoneyEvidence or None
        What everything that could be done costs on rows held out, with intervals, and what it
        costs more than what is recommended; None if nothing is feasible.
    regrets : Regrets or None
        What committing to each model and method costs against the best at each condition.
    conditions : JointConditions
        What is known about costs and prevalence.
    constraints : Constraints
    calibrated_to : float
        The prevalence that scores were taken to be calibrated to.
    path : str or None
        The file that the predictions were read from.
    basis : str
        What the methods were compared on: "5 cross-fitted folds", "validation rows".
    assumptions : tuple of str
        What was assumed.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> y = np.tile([0, 0, 0, 1], 25)
    >>> s = 0.1 + 0.3 * y + np.linspace(0, 0.4, 100) ** 2
    >>> known = cs.Deployment(fp_cost=1, fn_cost=(5, 20), prevalence=(0.01, 0.1))
    >>> decision = cs.decide(y, {"model": s}, conditions=known)
    >>> decision.recommendation.model
    'model'
    >>> sorted(decision.trivial)
    ['flag_everybody', 'flag_nobody']
    """

    recommendation: Recommendation
    table: DecisionTable | None
    short_table: DecisionTable | None
    dominance: Dominance | None
    losses: Mapping[Candidate, PiecewiseQuadratic] | None
    hybrid: float | None
    gaps: tuple[Gap, ...]
    models: Mapping[str, ModelDecision]
    trivial: Mapping[str, float]
    evidence: MoneyEvidence | None
    regrets: Regrets | None
    conditions: JointConditions
    constraints: Constraints
    calibrated_to: float
    path: str | None
    basis: str
    assumptions: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and numbers, ready for JSON; infinite numbers are None."""
        span, prevalence = self.conditions.skew_range, self.conditions.prevalence_range
        note = None if self.evidence is None else self.evidence.note
        return {
            "condition": {
                "path": self.path,
                "costs_and_prevalence": str(self.conditions),
                "prevalence": {
                    "low": prevalence.low,
                    "high": prevalence.high,
                    "mean": self.conditions.mean_prevalence,
                },
                "skew": {
                    "low": span.low,
                    "high": span.high,
                    "plain": _distribution(self.conditions.skews(staked=False)),
                    "by_stake": _distribution(self.conditions.skews()),
                },
                "stake_per_1000": CASES * self.conditions.stake,
                "calibrated_to": self.calibrated_to,
                "constraints": self.constraints.limits,
                "compared_on": self.basis,
            },
            "models": {name: _model_dict(model) for name, model in self.models.items()},
            "trivial": dict(self.trivial),
            "decision_table": [] if self.table is None else self.table.to_rows(),
            "decision_table_cost_per_1000_held_out": self.hybrid,
            "infeasible": [asdict(gap) for gap in self.gaps],
            "dominance": _dominance_rows(self.dominance, span),
            "never_best": [] if self.table is None else list(self.table.never_best),
            "evidence": None if self.evidence is None else self.evidence.to_dict(),
            "regret": [] if self.regrets is None else self.regrets.to_rows(),
            "budget": {name: _budget_dict(model) for name, model in self.models.items()},
            "recommendation": self.recommendation.to_dict(),
            "assumptions": list(self.assumptions),
            "notes": {} if note is None else {"intervals": note},
        }

    @property
    def by_auc(self) -> str | None:
        """What choosing by AUC would come to, if that is another model than recommended."""
        chosen = self.recommendation.model
        first = max(self.models, key=lambda name: self.models[name].auc)
        if chosen is None or self.recommendation.money is None or first == chosen:
            return None
        rival, own = self.models[first], self.models[chosen]
        if rival.auc == own.auc or not rival.ways:
            return None
        way, money = min(rival.ways.items(), key=lambda item: item[1])
        more = money_shown(money - self.recommendation.money)
        known = None if self.evidence is None else self.evidence.more(first, way)
        interval = "" if known is None or self.evidence is None else self.evidence.said(known)
        return (
            f"By AUC, {first} ({rival.auc:.4f}) would be chosen and not {chosen} "
            f"({own.auc:.4f}): at its best that costs {more} more per 1,000 cases"
            f"{f' ({interval})' if interval else ''}."
        )

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a model, the money of each method, NaN where there is none."""
        columns: dict[str, NDArray[Any]] = {"model": np.array(list(self.models))}
        for method in METHODS:
            money = [model.cost_per_1000[method] for model in self.models.values()]
            columns[method] = np.array(money, dtype=float)
        for rule in TRIVIAL:
            columns[rule] = np.full(len(self.models), self.trivial[rule])
        return columns

    def __repr__(self) -> str:
        return f"Decision({self.recommendation.text})"

    def _repr_html_(self) -> str:
        rows = [
            [method, *(money_shown(each.cost_per_1000[method]) for each in self.models.values())]
            for method in METHODS
        ]
        head = ["cost per 1,000 cases", *self.models]
        return html_table(head, rows, caption=self.recommendation.text)


def _dominance_rows(dominance: Dominance | None, skews: Range) -> list[dict[str, Any]]:
    """Which models lose least where, in the range of skews."""
    if dominance is None:
        return []
    ends = np.clip(dominance.breaks, skews.low, skews.high).tolist()
    rows = zip(ends[:-1], ends[1:], dominance.best, strict=True)
    return [
        {"skew_low": low, "skew_high": high, "models": list(best)}
        for low, high, best in rows
        if low < high
    ]


def _distribution(skews: CostDistribution) -> dict[str, Any]:
    """A distribution of skews for JSON: its mean and its deciles."""
    deciles = skews.quantile(np.arange(1, 10) / 10)
    return {"mean": skews.mean(), "deciles": deciles.tolist()}


def _model_dict(model: ModelDecision) -> dict[str, Any]:
    found: dict[str, Any] = {"auc": model.auc, "cost_per_1000": dict(model.cost_per_1000)}
    if model.cost_per_1000_unconstrained != model.cost_per_1000 or model.prices:
        found["cost_per_1000_unconstrained"] = dict(model.cost_per_1000_unconstrained)
    if model.per_case is not None:
        found["cost_per_1000_per_case"] = model.per_case
    found["cost_per_1000_held_out"] = dict(model.held_out)
    if model.prices:
        found["price_of_constraints"] = dict(model.prices)
    if model.single is not None:
        found["single_rule"] = {
            **model.single.rule.to_dict(),
            "cost_per_1000": model.single.money,
            "cost_per_1000_held_out": model.single.held_out,
            "constraints_held_out": model.single.violations.to_rows(),
        }
    return {**found, "notes": dict(model.notes)}


def _budget_dict(model: ModelDecision) -> dict[str, Any]:
    budgets = {"reacting": model.reacting, "committing": model.committing}
    return {
        **{
            name: None if budget is None else {"parts": dict(budget.parts), "total": budget.total}
            for name, budget in budgets.items()
        },
        "value_of_knowing": None if model.knowing is None else asdict(model.knowing),
    }
