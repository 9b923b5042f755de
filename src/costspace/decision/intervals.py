"""Intervals for what each strategy costs, and for what it costs more than the best."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.decision.evidence import MoneyDifference, MoneyEvidence, StrategyMoney
from costspace.decision.fitted import FittedStrategy
from costspace.decision.row_money import RowMoney
from costspace.decision.strategy import FLAG_NOBODY, Strategy
from costspace.decision.task import Task
from costspace.deployment.conditions import CASES, JointConditions
from costspace.errors import LabelError, ScoreError
from costspace.inference.few_rows import few_rows
from costspace.inference.interval import Ends, Interval, interval_around, two_sided_p
from costspace.inference.multiplicity import adjusted_p
from costspace.inference.samples import ModelSample
from costspace.scores.rows import ScoredRows
from costspace.scores.table import ScoreTable

# Holm's steps count on the best way being told from the recommended one last.
_CORRECTION = "bonferroni"
# Amounts below this share of the stake are what rounding leaves of none.
_ROUNDING = 1e-12


def evidence_of(
    fits: Sequence[FittedStrategy], best: FittedStrategy, *, level: float, weights: str
) -> MoneyEvidence:
    """Intervals for strategies that are feasible, and for what each costs more than the best."""
    task = best.task
    judged = task.held_out.judged
    counts = np.ones(len(judged), bool) if judged.weight is None else judged.weight > 0
    rows = judged if counts.all() else judged.take(counts)
    sample = _Sample(RowMoney(rows, weights, _correct(task, rows)), task.conditions, level)
    least = best.money or 0.0

    def influences(fit: FittedStrategy) -> FloatArray:
        return sample.money.influences(fit.row_losses()[counts])

    own = influences(best)
    found = []
    try:
        for fit in fits:
            of_fit = own if fit is best else influences(fit)
            money, more = fit.money or 0.0, None
            if fit is not best:
                known = sample.known(fit.strategy) and sample.known(best.strategy)
                more = sample.difference(money - least, of_fit - own, known=known)
            found.append(sample.money_of(fit, money, of_fit, more))
        note = few_rows(
            [
                ModelSample(ScoreTable.from_rows(rows, name), rows, name, weights)
                for name in rows.scores
            ],
            # The study has no money: these show what strategies that follow the sample may need.
            [("auc", False), ("voros", False)],
        )
    except (LabelError, ScoreError) as error:
        return MoneyEvidence(_bare(fits), level, _CORRECTION, "stratified", len(rows), str(error))
    return MoneyEvidence(_adjusted(found), level, _CORRECTION, "stratified", len(rows), None, note)


def _bare(fits: Sequence[FittedStrategy]) -> tuple[StrategyMoney, ...]:
    """What each strategy costs, without intervals."""
    return tuple(
        StrategyMoney(fit.strategy, fit.rule, fit.money or 0.0, *(np.nan,) * 3, "none", None)
        for fit in fits
    )


def _correct(task: Task, rows: ScoredRows) -> FloatArray | None:
    """What right decisions on each row cost, if mean costs are those of the rows, and vary."""
    if rows.costs is None or rows.costs.rows is None or task.held_out.validation is not None:
        return None
    p = task.conditions.mean_prevalence
    tp_cost, tn_cost = np.asarray(rows.costs.tp_cost), np.asarray(rows.costs.tn_cost)
    return CASES * np.where(rows.positive, p * tp_cost, (1 - p) * tn_cost)


def _adjusted(found: Sequence[StrategyMoney]) -> tuple[StrategyMoney, ...]:
    p = adjusted_p([one.more.p for one in found if one.more is not None], _CORRECTION)
    values = iter(p.tolist())
    return tuple(
        one if one.more is None else replace(one, more=replace(one.more, p_adjusted=next(values)))
        for one in found
    )


@final
@dataclass(frozen=True, eq=False)
class _Sample:
    """Rows held out, with the range of what can be lost on them."""

    money: RowMoney
    conditions: JointConditions
    level: float

    def known(self, strategy: Strategy) -> bool:
        """Whether the conditions alone say what a strategy costs."""
        if strategy.model is not None or self.money.correct is None:
            return strategy.model is None
        costs = self.money.rows.known_costs
        involved = (
            (costs.fn_cost, costs.tn_cost)
            if strategy == FLAG_NOBODY
            else (costs.fp_cost, costs.tp_cost)
        )
        return all(np.ndim(cost) == 0 for cost in involved)

    @property
    def stake(self) -> float:
        return CASES * self.conditions.stake

    @property
    def range(self) -> Ends:
        """The least and the most that a strategy can cost, as far as costs have bounds."""
        least = CASES * self.conditions.constant
        if self.money.correct is None:
            return least, least + self.stake
        costs = self.money.rows.known_costs
        fixed = np.ndim(costs.tp_cost) == np.ndim(costs.tn_cost) == 0
        return (least if fixed else -np.inf), np.inf

    def money_of(
        self,
        fit: FittedStrategy,
        money: float,
        influences: FloatArray,
        more: MoneyDifference | None,
    ) -> StrategyMoney:
        error, interval = 0.0, Interval(money, money, "known")
        if not self.known(fit.strategy):
            error = self._error(influences)
            interval = interval_around(
                money,
                error,
                inside=self.range,
                level=self.level,
                effective_size=self.money.effective_size,
                clustered=self.money.clustered,
                span=self.stake,
            )
        low, high, method = interval.low, interval.high, interval.method
        return StrategyMoney(fit.strategy, fit.rule, money, error, low, high, method, more)

    def difference(
        self, difference: float, influences: FloatArray, *, known: bool
    ) -> MoneyDifference:
        if abs(difference) <= _ROUNDING * self.stake:
            difference = 0.0
        if known:
            p = 1.0 if difference == 0 else 0.0
            return MoneyDifference(difference, 0.0, difference, difference, p, p, "known")
        error, effective_size, span = (
            self._error(influences),
            self.money.effective_size,
            2 * self.stake,
        )
        inside = (-self.stake, self.stake) if self.money.correct is None else (-np.inf, np.inf)
        clustered = self.money.clustered
        interval = interval_around(
            difference,
            error,
            inside=inside,
            level=self.level,
            effective_size=effective_size,
            clustered=clustered,
            span=span,
            method="linear",
        )
        p = two_sided_p(
            difference,
            error,
            inside=inside,
            effective_size=effective_size,
            clustered=clustered,
            span=span,
        )
        low, high, method = interval.low, interval.high, interval.method
        return MoneyDifference(difference, error, low, high, p, p, method)

    def _error(self, influences: FloatArray) -> float:
        """The standard error, 0 if it is what rounding leaves of none."""
        error = self.money.error(influences)
        return error if error > _ROUNDING * self.stake else 0.0
