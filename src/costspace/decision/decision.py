"""The answer: what to do, what it costs, and what would lower that cost."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeGuard, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FrozenDict, FrozenValue
from costspace.choices.doubts import doubts_of
from costspace.comparison.dominating import Dominance
from costspace.curve import PiecewiseQuadratic
from costspace.decision.actions import Actions
from costspace.decision.constraints import Constraints
from costspace.decision.deployed import DeployedRules, deployed_rules, given_by_name
from costspace.decision.evidence import MoneyEvidence, StrategyMoney, columns_of
from costspace.decision.fitted import FittedByCondition, FittedStrategy, fit_by_condition
from costspace.decision.losses_by_condition import (
    NEARLY_BEST,
    BandLosses,
    by_band,
    dominance_of,
    hybrid_money,
    joined_table,
    regrets_throughout,
)
from costspace.decision.model_decision import ModelDecision
from costspace.decision.outcomes import Outcomes, outcomes_of
from costspace.decision.recommendation import Recommendation, cheapest, gap_in
from costspace.decision.record import (
    VERSION,
    budget_dict,
    dominance_rows,
    knowing_dict,
    model_dict,
    strategy_dict,
    task_dict,
)
from costspace.decision.regret import Regrets
from costspace.decision.saved import SavedDecision
from costspace.decision.strategy import Strategy
from costspace.decision.table import DecisionTable
from costspace.decision.task import Task
from costspace.decision.words import money_shown
from costspace.deployment.conditions import CASES, JointConditions
from costspace.errors import ConditionError, brief
from costspace.notebook import Tabulated, html_table
from costspace.scores.case_costs import CaseCosts


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

    What ranks strategies is there; what says more about them is found when asked for.

    Attributes
    ----------
    recommendation : Recommendation
    fits : tuple
        Every strategy that was compared, fitted: its rules, its money and what rows say of that.
    evidence : MoneyEvidence or None
        What every strategy costs on rows held out, with intervals, and what it costs more than
        what is recommended; None if nothing is feasible.
    trivial : mapping of str to float
        What flagging nobody and flagging everybody cost per 1,000 cases.
    task : object
        The rows, what is known of costs and prevalence, and the constraints.
    level : float in (0, 1)
        Confidence level of the intervals.
    weights : {"sampling", "counts"}
        What a weight is, as `decide` was told.
    path : str or None
        The file that the predictions were read from.
    basis : str
        What the strategies were compared on: "5 cross-fitted folds", "validation rows".
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
    fits: Sequence[FittedStrategy]
    evidence: MoneyEvidence | None
    trivial: Mapping[str, float]
    task: Task
    level: float
    weights: str
    path: str | None
    basis: str
    assumptions: Sequence[str]

    @property
    def conditions(self) -> JointConditions:
        """What is known about costs and prevalence."""
        return self.task.conditions

    @property
    def constraints(self) -> Constraints:
        """What every rule has to keep to."""
        return self.task.constraints

    @property
    def calibrated_to(self) -> float:
        """The prevalence that scores were taken to be calibrated to."""
        return self.task.calibrated_to

    @cached_property
    def models(self) -> Mapping[str, ModelDecision]:
        """What each model costs, and where that goes, by its name."""
        return FrozenDict(models_of(self.task, self.fits))

    @cached_property
    def strategy(self) -> Strategy | None:
        """What is recommended; None if nothing keeps to the constraints."""
        chosen = self.recommendation
        for fit in self.fits:
            if (fit.strategy.model, fit.strategy.name) == (chosen.model, chosen.choice):
                return fit.strategy
        return None

    @property
    def strategies(self) -> tuple[StrategyMoney, ...]:
        """What is known of each strategy that keeps to the constraints."""
        return () if self.evidence is None else tuple(self.evidence.strategies)

    def table(self) -> DecisionTable | None:
        """Which strategy to use at each skew; None if nothing is feasible."""
        return self._table

    def short_table(self) -> DecisionTable | None:
        """The same with fewer rows.

        A strategy is kept while it loses at most 1 % more than the best, and there are no bands of
        prevalence if they save next to nothing.
        """
        return self._short_table

    def dominance(self) -> Dominance | None:
        """Which models, each at its best, lose least at each skew, on rows held out.

        Its breaks are where they cross. None where constraints make it a matter of the prevalence
        too.
        """
        found = self._everywhere
        return None if found is None else dominance_of(found)

    def losses(self) -> Mapping[Strategy, PiecewiseQuadratic] | None:
        """The loss of each strategy by condition, and of the trivial rules, on rows held out.

        Over the skew, or over the cost proportion if the prevalence is known. None where
        constraints make it a matter of the prevalence too.
        """
        found = self._everywhere
        return None if found is None else found.losses.curves

    def hybrid(self) -> float | None:
        """What following the table costs per 1,000 cases.

        On the rows that strategies were compared on, and so a little more on others; None if in
        some band nothing is feasible.
        """
        return hybrid_money(self._bands)

    def regrets(self) -> Regrets | None:
        """What committing to each strategy costs against the best at each condition."""
        return self._regrets

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Bands of prevalence in which nothing is feasible."""
        reasons = ((each.band, gap_in(self._by_condition, each.place)) for each in self._bands)
        return tuple(Gap(*band.ends, why) for band, why in reasons if why)

    @property
    def by_auc(self) -> str | None:
        """What choosing by AUC would come to, if that is another model than recommended."""
        chosen, own_money = self.recommendation.model, self.recommendation.money
        aucs = {name: scores.rows.auc for name, scores in self.task.models.items()}
        first = max(aucs, key=lambda name: aucs[name])
        if chosen is None or own_money is None or first == chosen or aucs[first] == aucs[chosen]:
            return None
        rival = cheapest([fit for fit in self.fits if fit.strategy.model == first], self.trivial)
        if rival is None or rival.money is None:
            return None
        more = money_shown(rival.money - own_money)
        known = None if self.evidence is None else self.evidence.more(rival.strategy)
        interval = "" if known is None or self.evidence is None else self.evidence.said(known)
        return (
            f"By AUC, {first} ({aucs[first]:.4f}) would be chosen and not {chosen} "
            f"({aucs[chosen]:.4f}): at its best that costs {more} more per 1,000 cases"
            f"{f' ({interval})' if interval else ''}."
        )

    def to_dict(self, *, details: bool = False) -> dict[str, Any]:
        """Plain dictionaries and numbers, ready for JSON; infinite numbers are None.

        Parameters
        ----------
        details : bool, default False
            Whether to add what is found when asked for.
        """
        found: dict[str, Any] = {
            "version": VERSION,
            "recommendation": {
                **self.recommendation.to_dict(),
                **self._recommended_dict(),
            },
            "strategies": [self._strategy_dict(one) for one in self.strategies],
            "baseline": None,
            "trivial": dict(self.trivial),
            "knowing": knowing_dict(self.models),
            "limits": dict(self.constraints.limits),
            "condition": task_dict(self.task, self.path, self.basis),
            "evidence": None if self.evidence is None else self.evidence.to_dict(),
            "assumptions": list(self.assumptions),
            "notes": self._notes_dict(),
        }
        return found | (self._details() if details else {})

    def outcomes(self, strategy: Strategy | None = None) -> Outcomes:
        """What a strategy does to 1,000 cases at deployment.

        Parameters
        ----------
        strategy : Strategy, optional
            One of those that keep to the constraints; by default the recommended one.

        Returns
        -------
        Outcomes

        Raises
        ------
        ConditionError
            If there is no such strategy, or nothing keeps to the constraints.
        """
        return self._outcomes(self._fit_of(strategy))

    @cached_property
    def rules(self) -> DeployedRules:
        """What is recommended does at each condition that it is for: what `apply` goes by.

        Raises
        ------
        ConditionError
            If nothing keeps to the constraints.
        """
        return deployed_rules(self._fit_of(None))

    def saved(self, strategy: Strategy | None = None) -> SavedDecision:
        """The decision without its rows, for one strategy: what `save` writes and `apply` does.

        Parameters
        ----------
        strategy : Strategy, optional
            One of those that keep to the constraints; by default the recommended one.

        Returns
        -------
        SavedDecision

        Raises
        ------
        ConditionError
            If there is no such strategy, or nothing keeps to the constraints.
        """
        return SavedDecision(self._record, deployed_rules(self._fit_of(strategy)))

    def save(self, path: str | Path) -> None:
        """Save what is recommended in a file, to be applied by any who has the file.

        Parameters
        ----------
        path : path
            The file to write, in one step: whoever looks sees the old one or the whole new one.
            It is JSON: `to_dict`, and under "apply" the rules. `load_decision` reads it.

        Raises
        ------
        ConditionError
            If nothing keeps to the constraints, or the rules are a formula that JSON cannot hold.
        FileError
            If the file cannot be written; nothing is left behind then.
        """
        self.saved().save(path)

    def apply(
        self,
        scores: ArrayLike | Mapping[str, ArrayLike],
        *,
        fp_cost: ArrayLike | None = None,
        fn_cost: ArrayLike | None = None,
        tp_cost: ArrayLike | None = None,
        tn_cost: ArrayLike | None = None,
        prevalence: ArrayLike | None = None,
        case_costs: CaseCosts | None = None,
        seed: int | None = None,
    ) -> Actions:
        """Do what is recommended: the action for each of some cases.

        Parameters
        ----------
        scores : array of shape (n,), or mapping of str to such arrays
            Of the model that is recommended; of several by name its own are taken. For a rule by
            share they are the whole queue.
        fp_cost, fn_cost, tp_cost, tn_cost : float or array of shape (n,), optional
            What decisions on the cases cost, as of a `Deployment`, where the rule follows that;
            correct decisions cost nothing unless said.
        prevalence : float or array of shape (n,), optional
            The share of positives where the rule follows that, and it was not one number.
        case_costs : CaseCosts, optional
            The four costs, instead of each by its name.
        seed : int, optional
            For a rule that draws at random; it needs one. Frames of any engine draw alike.

        Returns
        -------
        Actions

        Raises
        ------
        ConditionError
            If something that the rule follows is missing or outside what the decision is for, if
            something is given that it does not look at, if it draws and there is no seed, or if
            nothing keeps to the constraints.
        ScoreError
            If the scores are none.

        Examples
        --------
        >>> import costspace as cs
        >>> y, s = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9]
        >>> known = cs.Deployment(fp_cost=1, fn_cost=3, prevalence=0.5)
        >>> cs.decide(y, {"model": s}, conditions=known, folds=2).apply([0.2, 0.7])
        Actions(flag 1, pass 1)
        """
        given = given_by_name(
            case_costs,
            fp_cost=fp_cost,
            fn_cost=fn_cost,
            tp_cost=tp_cost,
            tn_cost=tn_cost,
            prevalence=prevalence,
        )
        return self.rules.apply(scores, given, seed)

    @cached_property
    def _record(self) -> Mapping[str, Any]:
        return self.to_dict()

    def _fit_of(self, strategy: Strategy | None) -> FittedStrategy:
        asked = self.strategy if strategy is None else strategy
        if asked is None:
            raise ConditionError(
                "nothing keeps to the constraints, so that nothing has outcomes: loosen one of "
                "them, or find a model that ranks better."
            )
        for fit in self.fits:
            if fit.strategy == asked and fit.money is not None:
                return fit
        raise ConditionError(
            f"there is no strategy {brief(str(asked))} that keeps to the constraints: `strategies` "
            "has those that do."
        )

    def _outcomes(self, fit: FittedStrategy) -> Outcomes:
        return outcomes_of(fit, level=self.level, weights=self.weights)

    def _strategy_dict(self, one: StrategyMoney) -> dict[str, Any]:
        fit = self._fit_of(one.strategy)
        return strategy_dict(one, fit.in_sample, self._outcomes(fit))

    def _recommended_dict(self) -> dict[str, Any]:
        use, evidence = self.strategy, self.evidence
        if use is None or evidence is None:
            return {"flagged_share": None, "clear": False}
        rivals = [one.more for one in self.strategies if one.more is not None]
        clear = all(evidence.settles(more) for more in rivals if not more.none)
        return {
            "flagged_share": self.outcomes().flagged.value / CASES,
            "clear": bool(rivals) and clear,
        }

    def _notes_dict(self) -> dict[str, Any]:
        note = None if self.evidence is None else self.evidence.note
        tables = {name: scores.rows for name, scores in self.task.models.items()}
        doubts = {
            f"{what}.{name}": text
            for name, table in tables.items()
            for what, text in doubts_of(table).items()
        }
        return doubts if note is None else {"intervals": note, **doubts}

    def _details(self) -> dict[str, Any]:
        table, regrets = self.table(), self.regrets()
        return {
            "models": {name: model_dict(model) for name, model in self.models.items()},
            "decision_table": [] if table is None else table.to_rows(),
            "decision_table_cost_per_1000_held_out": self.hybrid(),
            "infeasible": [asdict(gap) for gap in self.gaps],
            "dominance": dominance_rows(self.dominance(), self.conditions.skew_range),
            "never_best": [] if table is None else list(table.never_best),
            "regret": [] if regrets is None else regrets.to_rows(),
            "budget": {name: budget_dict(model) for name, model in self.models.items()},
        }

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a strategy, as `MoneyEvidence` has them."""
        return columns_of(self.strategies)

    def __repr__(self) -> str:
        return f"Decision({self.recommendation.text})"

    def _repr_html_(self) -> str:
        rows = [
            [one.strategy.model or "", one.strategy.name, money_shown(one.money)]
            for one in self.strategies
        ]
        head = ["model", "choice", "cost per 1,000 cases"]
        return html_table(head, rows, caption=self.recommendation.text)

    @cached_property
    def _by_condition(self) -> list[FittedByCondition]:
        """The strategies that a table compares: what sees the condition, or looks at none."""
        return [fit for fit in self.fits if is_by_condition(fit)]

    @cached_property
    def _bands(self) -> list[BandLosses]:
        return by_band(self._by_condition)

    @cached_property
    def _table(self) -> DecisionTable | None:
        return joined_table(self._bands)

    @cached_property
    def _short_table(self) -> DecisionTable | None:
        bands = self._bands
        if len(bands) > 1:
            task = replace(self.task, most_bands=1)
            whole = by_band([refitted(fit, task) for fit in self._by_condition])
            one, many = hybrid_money(whole), hybrid_money(bands)
            if one is not None and many is not None and one - many <= NEARLY_BEST * abs(many):
                bands = whole
        return joined_table(bands, within=NEARLY_BEST)

    @cached_property
    def _everywhere(self) -> BandLosses | None:
        """The losses at every condition, also where but one is known."""
        if len(self._bands) > 1 or not self._bands[0].fits:
            return None
        if self.task.sole_condition is None:
            return self._bands[0]
        return by_band([refitted(fit, self.task, everywhere=True) for fit in self._by_condition])[0]

    @cached_property
    def _regrets(self) -> Regrets | None:
        singles = {
            fit.strategy: fit.paths[0].start
            for fit in self.fits
            if isinstance(fit, FittedByCondition) and fit.strategy.committed
            if fit.strategy.model is not None and fit.feasible
        }
        return regrets_throughout(self._bands, singles)


def is_by_condition(fit: FittedStrategy) -> TypeGuard[FittedByCondition]:
    """Whether a table by condition compares it: not what is committed to beside it."""
    committed = fit.strategy.committed and fit.strategy.model is not None
    return isinstance(fit, FittedByCondition) and not committed


def refitted(fit: FittedByCondition, task: Task, *, everywhere: bool = False) -> FittedByCondition:
    """The same strategy fitted to another task, or at every condition."""
    return fit_by_condition(fit.strategy, task, everywhere=everywhere)


def models_of(task: Task, fits: Sequence[FittedStrategy]) -> dict[str, ModelDecision]:
    """What is known of each model of a task."""
    return {
        name: ModelDecision(name, task, [fit for fit in fits if fit.strategy.model == name])
        for name in task.models
    }
