"""Intervals for what each strategy costs, and for what it costs more than the best."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray
from costspace.decision.choosing import Choosing
from costspace.decision.evidence import MoneyDifference, MoneyEvidence, StrategyMoney
from costspace.decision.fitted import FittedStrategy
from costspace.decision.money_interval import money_interval
from costspace.decision.row_money import RowMoney
from costspace.decision.strategy import FLAG_NOBODY, Strategy
from costspace.decision.task import Task
from costspace.decision.words import units_shown
from costspace.deployment.conditions import CASES, JointConditions
from costspace.errors import LabelError, ScoreError
from costspace.inference.interval import Interval, interval_around, two_sided_p
from costspace.inference.multiplicity import adjusted_p
from costspace.scores.rows import ScoredRows

# Holm's steps count on the best way being told from the recommended one last.
_CORRECTION = "bonferroni"
# Amounts below this share of the stake are what rounding leaves of none.
_ROUNDING = 1e-12


# Below so many rows, or groups, of the rarer class there are no intervals.
LEAST_UNITS = 5


def evidence_of(choosing: Choosing, *, level: float, weights: str) -> MoneyEvidence:
    """Intervals for strategies that are feasible, and for what each costs more than what is chosen.

    What is chosen has the money of the whole way to it.
    """
    task, best, fits = choosing.task, choosing.best, choosing.fits
    judged = task.held_out.judged
    counts = np.ones(len(judged), bool) if judged.weight is None else judged.weight > 0
    rows = judged if counts.all() else judged.take(counts)
    money = RowMoney(rows, weights, _correct(task, rows))
    sample = _Sample(money, task.conditions, level)
    units, found = money.units, []
    rest = (level, _CORRECTION, "stratified", len(rows))
    try:
        _check_units(rows, units)
        for fit in fits:
            if fit is best:
                selection = choosing.selection
                found.append(sample.money_of(fit, choosing, counts, None, selection))
            else:
                more = sample.more(fit, choosing, counts)
                found.append(sample.money_of(fit, fit, counts, more))
    except (LabelError, ScoreError) as error:
        bare = _bare(fits, choosing)
        return MoneyEvidence(bare, *rest, str(error), units, choosing.selection)
    return MoneyEvidence(_adjusted(found), *rest, None, units, choosing.selection)


def saving_of(
    fit: FittedStrategy, other: FittedStrategy, *, level: float, weights: str = "sampling"
) -> MoneyDifference:
    """What a strategy costs more than another, on the same rows held out."""
    task = fit.task
    judged = task.held_out.judged
    counts = np.ones(len(judged), bool) if judged.weight is None else judged.weight > 0
    rows = judged if counts.all() else judged.take(counts)
    money = RowMoney(rows, weights, _correct(task, rows))
    own, others = (money.influences(one.row_losses[counts]) for one in (fit, other))
    more = (fit.money or 0.0) - (other.money or 0.0)
    sample = _Sample(money, task.conditions, level)
    return sample.difference(more, own - others, 0.0, known=False)


def _check_units(rows: ScoredRows, units: int) -> None:
    if units < LEAST_UNITS:
        found = units_shown(units, groups=rows.groups is not None)
        raise LabelError(
            f"the rarer class has {found}, and fewer than {LEAST_UNITS} say too little."
        )


def _bare(fits: Sequence[FittedStrategy], choosing: Choosing) -> tuple[StrategyMoney, ...]:
    """What each strategy costs, without intervals."""
    found = [(fit, choosing.money if fit is choosing.best else fit.money or 0.0) for fit in fits]
    return tuple(
        StrategyMoney(fit.strategy, fit.rule, money, *(np.nan,) * 3, "none", None)
        for fit, money in found
    )


def _correct(task: Task, rows: ScoredRows) -> FloatArray | None:
    """What right decisions on each row cost, if mean costs are those of the rows, and vary."""
    if rows.costs is None or rows.costs.rows is None or task.held_out.validation is not None:
        return None
    p = task.conditions.mean_prevalence
    tp_cost, tn_cost = np.asarray(rows.costs.tp_cost), np.asarray(rows.costs.tn_cost)
    return CASES * np.where(rows.positive, p * tp_cost, (1 - p) * tn_cost)


def _adjusted(found: Sequence[StrategyMoney]) -> tuple[StrategyMoney, ...]:
    compared = [one.more for one in found if one.more is not None and not np.isnan(one.more.p)]
    p = adjusted_p([more.p for more in compared], _CORRECTION)
    adjusted = dict(zip(map(id, compared), p.tolist(), strict=True))
    return tuple(
        replace(one, more=replace(one.more, p_adjusted=adjusted[id(one.more)]))
        if id(one.more) in adjusted and one.more is not None
        else one
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

    def money_of(
        self,
        fit: FittedStrategy,
        judged: FittedStrategy | Choosing,
        counts: BoolArray,
        more: MoneyDifference | None,
        selection: float = 0.0,
    ) -> StrategyMoney:
        """The money of a strategy, `judged` by the rows that count: by itself, or as chosen."""
        money = judged.money or 0.0
        error, interval = 0.0, Interval(money, money, "known")
        settled = judged.settled if isinstance(judged, Choosing) else True
        if not (self.known(fit.strategy) and settled):
            error, interval = money_interval(
                money,
                judged.row_losses[counts],
                self.money,
                stakes=(
                    CASES * self.conditions.negative_stake,
                    CASES * self.conditions.positive_stake,
                ),
                least=CASES * self.conditions.constant,
                selection=selection,
                level=self.level,
            )
        low, high, method = interval.low, interval.high, interval.method
        return StrategyMoney(fit.strategy, fit.rule, money, error, low, high, method, more)

    def more(self, fit: FittedStrategy, chosen: Choosing, counts: BoolArray) -> MoneyDifference:
        """What a strategy costs more than what is chosen."""
        more = (fit.money or 0.0) - chosen.money
        influences = [self.money.influences(one.row_losses[counts]) for one in (fit, chosen)]
        known = self.known(fit.strategy) and self.known(chosen.strategy) and chosen.settled
        difference = influences[0] - influences[1]
        found = self.difference(more, difference, chosen.selection, known=known)
        if fit.strategy.model is not None and fit.strategy.model == chosen.strategy.model:
            return replace(found, p=np.nan, p_adjusted=np.nan)
        return found

    def difference(
        self, difference: float, influences: FloatArray, selection: float, *, known: bool
    ) -> MoneyDifference:
        if abs(difference) <= _ROUNDING * self.stake:
            difference = 0.0
        if known:
            p = 1.0 if difference == 0 else 0.0
            return MoneyDifference(difference, 0.0, difference, difference, p, p, "known")
        error, effective_size, span = (
            float(np.hypot(self._error(influences), selection / np.sqrt(2))),
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
