"""The answer: what to do, what it costs, and what would lower that cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FrozenDict, FrozenValue
from costspace.choices.places import checked_batches
from costspace.curve import PiecewiseQuadratic
from costspace.decision.evidence.money_evidence import MoneyEvidence, StrategyMoney, columns_of
from costspace.decision.evidence.outcomes import Outcomes, outcomes_of
from costspace.decision.evidence.value_of_rows import Settling, settling
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.limits.constraints import Constraints
from costspace.decision.recommendation import Recommendation, by_auc
from costspace.decision.record import (
    VERSION,
    dominance_rows,
    kept_dict,
    notes_dict,
    recommendation_dict,
    review_dict,
    strategy_dict,
    task_dict,
    worth_dict,
)
from costspace.decision.rules.actions import Actions
from costspace.decision.sentences.cautions import limits_broken
from costspace.decision.sentences.certain import Certainty, certainty
from costspace.decision.sentences.terms import joined
from costspace.decision.strategy import Strategy
from costspace.decision.task import Task
from costspace.decision.words import alone_shown
from costspace.deferral import deferred_calls
from costspace.deployment.conditions import JointConditions
from costspace.errors import ConditionError, brief
from costspace.notebook import LETTERS, STRATEGIES, first_of, html_card, html_table, in_short
from costspace.samples.case_costs import CaseCosts
from costspace.samples.rows import NamedScores

# What is found when asked for is loaded then.
if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.comparison.dominating import Dominance
    from costspace.decision.applying.acting import acted
    from costspace.decision.applying.applied_how import Asked
    from costspace.decision.applying.deployed import DeployedRules, given_by_name
    from costspace.decision.applying.deploying import deployed_rules
    from costspace.decision.applying.saved import SavedDecision
    from costspace.decision.evidence.by_condition import dominance_of, losses_by_condition
    from costspace.decision.evidence.cost_range import CostRange, cost_range, saving_range
    from costspace.decision.evidence.divided_rows import rows_to_divide
    from costspace.decision.evidence.kept import LimitKept, limits_kept
    from costspace.decision.evidence.knowing import knowing_more
    from costspace.decision.evidence.money_by_segment import MoneyBySegment
    from costspace.decision.evidence.places_worth import PlacesWorth, places_worth
    from costspace.decision.evidence.segments import money_by_segment
    from costspace.samples.segmenting import segments_given


@final
@dataclass(frozen=True, eq=False, repr=False)
class Decision(FrozenValue):
    """A decision: which strategy to use, its cost, and the evidence.

    What ranks strategies is there; what says more about them is found when asked for.

    Attributes
    ----------
    recommendation : Recommendation
    fits : tuple
        Every strategy that was compared, fitted: its rules, its money and what rows say of that.
    choosing : object or None
        How one of these was chosen, and what that costs; None if nothing is feasible.
    evidence : MoneyEvidence or None
        What every strategy costs on held-out rows, with intervals, and what it costs more than
        what is recommended; None if nothing is feasible.
    trivial : mapping of str to float
        What flagging nobody and flagging everybody cost per 1,000 cases.
    task : object
        The rows, what is known of costs and prevalence, and the constraints.
    path : str or None
        The file that the predictions were read from.
    basis : str
        What the strategies were compared on: "5 cross-validation folds", "validation rows".
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
    choosing: Choosing | None
    evidence: MoneyEvidence | None
    trivial: Mapping[str, float]
    task: Task
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
    def level(self) -> float:
        """Confidence level of the intervals."""
        return self.task.level

    @property
    def calibrated_to(self) -> float:
        """The prevalence that scores were taken to be calibrated to."""
        return self.task.calibrated_to

    @property
    def strategy(self) -> Strategy | None:
        """What is recommended; None if nothing keeps to the constraints."""
        return None if self.choosing is None else self.choosing.strategy

    @property
    def strategies(self) -> tuple[StrategyMoney, ...]:
        """What is known of each strategy that keeps to the constraints."""
        return () if self.evidence is None else tuple(self.evidence.strategies)

    def alike(self, strategy: Strategy) -> tuple[Strategy, ...]:
        """The strategies that do the same on all rows as one, and share a line with it.

        Parameters
        ----------
        strategy : Strategy
            One of those that keep to the constraints.

        Returns
        -------
        tuple of Strategy
            Itself among them; first the one that stands for all, whose cost is that of each.

        Raises
        ------
        ConditionError
            If there is no such strategy, or nothing keeps to the constraints.
        """
        fit = self._fit_of(strategy)
        found = [fit] if self.choosing is None else self.choosing.alike(fit)
        return tuple(one.strategy for one in found)

    def dominance(self) -> Dominance | None:
        """Which models, each at its best, lose least at each skew, on held-out rows.

        Its breaks are where they cross. None where constraints make it a matter of the prevalence
        too.
        """
        return dominance_of(self.task, self._losses)

    def losses(self) -> Mapping[Strategy, PiecewiseQuadratic] | None:
        """The loss of each strategy by condition, and of the trivial rules, on held-out rows.

        Over the skew, or over the cost proportion if the prevalence is known. None where
        constraints make it a matter of the prevalence too.
        """
        return self._losses

    def limits_kept(self) -> tuple[LimitKept, ...]:
        """How what is stated keeps to each limit on held-out rows; none if nothing does."""
        return self._limits_kept

    def by(
        self, segments: ArrayLike | Mapping[str, ArrayLike], *, own_thresholds: bool = True
    ) -> MoneyBySegment:
        """What the rule that is stated costs and saves in each segment of the cases.

        Parameters
        ----------
        segments : array of shape (n,), mapping of str to such arrays, or data frame
            The segment of each row that strategies are compared on, by any labels, or the columns
            that name it; rows without a value are one segment.
        own_thresholds : bool, default True
            Whether to find what thresholds would save that segments learn from their own rows.

        Returns
        -------
        MoneyBySegment

        Raises
        ------
        SourceError
            If there is no label for each row, or rows are known by their counts only.
        ConditionError
            If nothing keeps to the constraints, or weights are counts beside a prevalence that is
            given.

        Examples
        --------
        >>> import numpy as np
        >>> import costspace as cs
        >>> y = np.tile([0, 0, 0, 1], 100)
        >>> s = 0.1 + 0.3 * y + np.linspace(0, 0.4, 400) ** 2
        >>> decision = cs.decide(y, {"model": s}, fp_cost=1, fn_cost=5, prevalence=0.2)
        >>> found = decision.by(np.repeat(["north", "south"], 200))
        >>> {one.by["segment"]: round(one.contribution, 1) for one in found.segments}
        {'south': 19.2, 'north': 0.0}
        """
        choosing, stated = self.choosing, self.recommendation.stated
        if choosing is None or stated is None:
            raise ConditionError("nothing keeps to the constraints: there is no rule to divide.")
        names, rows = segments_given(segments, rows_to_divide(self.task))
        return money_by_segment(choosing, stated, names, rows, own=own_thresholds)

    @cached_property
    def places_worth(self) -> Mapping[str, PlacesWorth]:
        """What longer batches and more places would save, by model; empty without batches."""
        return FrozenDict({}) if self.choosing is None else places_worth(self.choosing)

    @property
    def by_auc(self) -> str | None:
        """What choosing by AUC would come to, if that is another model than recommended."""
        return by_auc(self.choosing, self.evidence)

    @cached_property
    def cost_range(self) -> CostRange | None:
        """What the recommended rule costs at the best and at the worst of the conditions.

        At held-out rates; the interval of the cost is of the mean over the conditions.
        None where there is no such range: of one condition, without upper bounds of costs, for a
        rule that follows the conditions, and with costs of each case.
        """
        return None if self.choosing is None else cost_range(self.choosing)

    @cached_property
    def saving_range(self) -> CostRange | None:
        """What the recommended rule saves against the rule in use, at the ends of the conditions.

        Negative where it costs more; None where `cost_range` is, or nothing else is in use.
        """
        use = self.task.baseline
        if self.choosing is None or use is None or use == self.strategy:
            return None
        return saving_range(self.choosing, self._fit_of(use))

    @cached_property
    def knowing_more(self) -> str | None:
        """What it would save to know costs and prevalence at each decision, on held-out rows.

        Of the recommended model, in a sentence; if both are known, what that saves. None if there
        is nothing more to know, or it is not told: within limits, beside a review, and of a rule
        without a model.
        """
        if self.choosing is None or self.evidence is None:
            return None
        own = self.evidence.of(self.choosing.strategy)
        return None if own is None else knowing_more(self.choosing)

    @cached_property
    def certainty(self) -> Certainty:
        """How sure the answer is.

        Its ``text`` is that in words, with the rows that it is found on. It is ``clear`` where the
        data show that nothing else costs less, and of a model that it saves, at the confidence
        level, at least a quarter of what it seems to.
        """
        unseen = bool(self.recommendation.not_shown)
        return certainty(self.choosing, self.evidence, self._excluded, unseen=unseen)

    def to_dict(self, *, details: bool = False) -> dict[str, Any]:
        """Plain dictionaries and numbers, ready for JSON; infinite numbers are None.

        Parameters
        ----------
        details : bool, default False
            Whether to add what is found when asked for.
        """
        found = self._record_of(whole=True)
        if not details:
            return found
        rows = dominance_rows(self.dominance(), self.conditions.skew_range)
        return found | {"dominance": rows, "places_worth": worth_dict(self.places_worth)}

    def answer(self) -> dict[str, Any]:
        """The part of `to_dict` that is found first: what to do, and what each strategy costs.

        Of what is recommended or stated and the rule in use only it has what those do.
        """
        return self._record_of(whole=False)

    def _record_of(self, *, whole: bool) -> dict[str, Any]:
        outcomes = None if self.choosing is None else self.outcomes()
        knowing = {"knowing_more": self.knowing_more} if whole else {}
        strategies = [self._strategy_dict(one, whole=whole) for one in self.strategies]
        rows, use = zip(self.strategies, strategies, strict=True), self.task.baseline
        batch = self.constraints.batch
        kept = {"limits_kept": [kept_dict(one) for one in self.limits_kept()]} if whole else {}
        return {
            "version": VERSION,
            "recommendation": {
                **recommendation_dict(self.recommendation, self.evidence, outcomes, self._excluded),
                **review_dict(self.choosing, self.evidence),
                "cost_range": None if self.cost_range is None else list(self.cost_range),
                "saving_range": None if self.saving_range is None else list(self.saving_range),
            },
            "strategies": strategies,
            "baseline": next(
                (row | {"broken": self._broken} for one, row in rows if one.strategy == use), None
            ),
            "trivial": dict(self.trivial),
            **knowing,
            "limits": dict(self.constraints.limits),
            "batch": batch if batch is None else list(checked_batches(batch)),
            **kept,
            "condition": task_dict(self.task, self.path, self.basis),
            "evidence": None if self.evidence is None else self.evidence.to_dict(),
            "assumptions": list(self.assumptions),
            "notes": notes_dict(self.task, self.evidence),
        }

    def settling(
        self, *, saving: float | None = None, more_rows: int | None = None
    ) -> Settling | None:
        """How many labelled rows would settle what is not clear, and what more are worth.

        Parameters
        ----------
        saving : float > 0, optional
            What is to be told from none, per 1,000 cases; by default the saving that is seen.
        more_rows : int, optional
            How many more labelled rows to value.

        Returns
        -------
        Settling or None
            None if every rival is told apart, or there are no intervals.
        """
        if self.choosing is None or self.evidence is None:
            return None
        return settling(self.choosing, self.evidence, saving=saving, more_rows=more_rows)

    def outcomes(self, strategy: Strategy | None = None) -> Outcomes:
        """What the rule of a strategy does to 1,000 cases at deployment.

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
        fit, known = self._fit_of(strategy), self._known_outcomes
        if fit.strategy not in known:
            known[fit.strategy] = outcomes_of(fit)
        return known[fit.strategy]

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
        scores: NamedScores,
        *,
        fp_cost: ArrayLike | None = None,
        fn_cost: ArrayLike | None = None,
        tp_cost: ArrayLike | None = None,
        tn_cost: ArrayLike | None = None,
        prevalence: ArrayLike | None = None,
        case_costs: CaseCosts | None = None,
        seed: int | None = None,
        batch: ArrayLike | None = None,
        missing: str = "refuse",
        actions: Sequence[str] | None = None,
    ) -> Actions:
        """Do what is recommended: the action for each of some cases.

        Parameters
        ----------
        scores : array of shape (n,), mapping of str to such arrays, data frame, or array of models
            Of the model that is recommended; of several by name its own are taken. For a rule by
            share they are the whole queue; but a single case is no queue, and is decided by the
            score cut of the rows that the decision was made on.
        fp_cost, fn_cost, tp_cost, tn_cost : float or array of shape (n,), optional
            What decisions on the cases cost, as of a `Deployment`, where the rule follows that;
            correct decisions cost what they do in the decision, unless said.
        prevalence : float or array of shape (n,), optional
            The share of positives where the rule follows that, and it was not one number.
        case_costs : CaseCosts, optional
            The four costs, instead of each by its name.
        seed : int, optional
            For a rule that draws at random; it needs one. Frames of any engine draw alike.
        batch : array of shape (n,), optional
            The batch that each case is of, by any labels, where the rule is of a queue: each batch
            is a queue of its own. All cases are one queue unless given.
        missing : {"refuse", "pass", "review", "flag"}
            What is done with a case that lacks a score, or another value that the rule follows: an
            error, or an action, and `Actions.missing` counts them. In a queue cases that are
            flagged so take the first places, and others take none; all count among the cases that
            the share is of.
        actions : sequence of str, optional
            What to call passing, reviewing and flagging, in this order; passing and flagging alone
            for a rule that reviews nothing. By default as in the decision.

        Returns
        -------
        Actions
            A case on which a false negative costs no more than a true positive is passed.

        Raises
        ------
        ConditionError
            If something that the rule follows is missing or outside what the decision is for, if
            something is given that it does not look at (batches, if it is of no queue), if it
            draws and there is no seed, or if nothing keeps to the constraints.
        ScoreError
            If the scores are none.
        SourceError
            If the batches are not labels of one kind, one for each case.

        Examples
        --------
        >>> import costspace as cs
        >>> y, s = [0, 0, 1, 0, 1, 1] * 5, [0.1, 0.2, 0.3, 0.4, 0.6, 0.9] * 5
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
        asked = Asked(seed=seed, batch=batch, missing=missing, actions=actions)
        return acted(self.rules, scores, given, asked)

    def to_sql(
        self,
        dialect: str = "standard",
        *,
        score: str | None = None,
        fp_cost: float | str | None = None,
        fn_cost: float | str | None = None,
        tp_cost: float | str | None = None,
        tn_cost: float | str | None = None,
        prevalence: float | str | None = None,
        missing: str | None = None,
        actions: Sequence[str] | None = None,
    ) -> str:
        """What `apply` does with each row of a table, in SQL, as `SavedDecision.to_sql`."""
        return self.saved().to_sql(
            dialect,
            score=score,
            fp_cost=fp_cost,
            fn_cost=fn_cost,
            tp_cost=tp_cost,
            tn_cost=tn_cost,
            prevalence=prevalence,
            missing=missing,
            actions=actions,
        )

    @cached_property
    def _limits_kept(self) -> tuple[LimitKept, ...]:
        if self.choosing is None:
            return ()
        return limits_kept(self.choosing, self._fit_of(self.recommendation.stated))

    @cached_property
    def _losses(self) -> Mapping[Strategy, PiecewiseQuadratic] | None:
        same = {one.strategy for one in self.strategies if one.same_as is not None}
        strategies = [fit.strategy for fit in self.fits if fit.strategy not in same]
        return losses_by_condition(self.task, strategies)

    @cached_property
    def _known_outcomes(self) -> dict[Strategy, Outcomes]:
        return {}

    @cached_property
    def _record(self) -> Mapping[str, Any]:
        return self.to_dict()

    def _fit_of(self, strategy: Strategy | None) -> FittedStrategy:
        if strategy is None:
            if self.choosing is not None:
                return self.choosing.best
            raise ConditionError(
                "nothing keeps to the constraints, so that nothing has outcomes: loosen one of "
                "them, or find a model that ranks better."
            )
        for fit in self.fits:
            if fit.strategy == strategy and fit.feasible:
                return fit
        raise ConditionError(
            f"there is no strategy {brief(str(strategy))} that keeps to the constraints: "
            "`strategies` has those that do."
        )

    @cached_property
    def _broken(self) -> list[str]:
        """The limits that the rule in use does not keep to."""
        use = self.task.baseline
        return [] if use is None else limits_broken(self._fit_of(use))

    @property
    def _excluded(self) -> Strategy | None:
        """The rule in use, if it is not allowed."""
        return self.task.baseline if self._broken else None

    def _strategy_dict(self, one: StrategyMoney, *, whole: bool) -> dict[str, Any]:
        fit = self._fit_of(one.strategy)
        answered = self.strategy, self.recommendation.stated, self.task.baseline
        told = whole or one.strategy in answered
        outcomes = self.outcomes(one.strategy) if told else None
        same = fit.feasible and fit.same_for_all
        return strategy_dict(one, fit.in_sample, outcomes, same_for_all=same)

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a strategy, as `MoneyEvidence` has them."""
        return columns_of(self.strategies)

    def __repr__(self) -> str:
        return f"Decision({in_short(self.recommendation.text, 5 * LETTERS)})"

    def _repr_html_(self) -> str:
        rows = [
            [*joined(self.alike(one.strategy)), alone_shown(one.money)]
            for one in sorted(self.strategies, key=lambda one: one.money)
            if one.same_as is None
        ]
        head = ["model", "choice", "cost per 1,000 cases"]
        shown, told = first_of(rows, STRATEGIES, "strategies")
        found = self.recommendation
        first = found.saving, f"{self.certainty.text}."
        table = html_table(head, shown, notes=told)
        return html_card(found.heading, first, found.why, found.warnings, table)
