"""Intervals for what each way of deciding costs, and for what it costs more than the best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.decision.contest import Contest
from costspace.decision.evidence import MoneyDifference, MoneyEvidence, WayMoney
from costspace.decision.model_decision import ModelDecision
from costspace.decision.problem import Problem
from costspace.decision.row_money import RowMoney
from costspace.decision.row_parts import row_parts
from costspace.decision.ways import Way
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
    ways: Sequence[Way],
    best: Way,
    problem: Problem,
    models: Mapping[str, ModelDecision],
    contests: Sequence[Contest],
    *,
    level: float,
    weights: str,
) -> MoneyEvidence:
    """Intervals for everything that could be done, and for what it costs more than the best."""
    judged = problem.held_out.judged
    counts = np.ones(len(judged), bool) if judged.weight is None else judged.weight > 0
    rows = judged if counts.all() else judged.take(counts)
    sample = _Sample(RowMoney(rows, weights, _correct(problem, rows)), problem.conditions, level)

    def influences(way: Way) -> FloatArray:
        return sample.money.influences(row_parts(way, problem, models, contests)[counts])

    own = influences(best)
    found = []
    try:
        for way in ways:
            of_way = own if way is best else influences(way)
            more = None
            if way is not best:
                known = sample.known(way) and sample.known(best)
                more = sample.difference(way.money - best.money, of_way - own, known=known)
            found.append(sample.way(way, of_way, more))
        note = few_rows(
            [
                ModelSample(ScoreTable.from_rows(rows, name), rows, name, weights)
                for name in rows.scores
            ],
            # The study has no money: these show what ways that follow the sample may need.
            [("auc", False), ("voros", False)],
        )
    except (LabelError, ScoreError) as error:
        return MoneyEvidence((), level, _CORRECTION, "stratified", len(rows), str(error))
    return MoneyEvidence(_adjusted(found), level, _CORRECTION, "stratified", len(rows), None, note)


def _correct(problem: Problem, rows: ScoredRows) -> FloatArray | None:
    """What right decisions on each row cost, if mean costs are those of the rows, and vary."""
    if rows.costs is None or rows.costs.rows is None or problem.held_out.validation is not None:
        return None
    p = problem.conditions.mean_prevalence
    tp_cost, tn_cost = np.asarray(rows.costs.tp_cost), np.asarray(rows.costs.tn_cost)
    return CASES * np.where(rows.positive, p * tp_cost, (1 - p) * tn_cost)


def _adjusted(ways: Sequence[WayMoney]) -> tuple[WayMoney, ...]:
    p = adjusted_p([one.more.p for one in ways if one.more is not None], _CORRECTION)
    values = iter(p.tolist())
    return tuple(
        one if one.more is None else replace(one, more=replace(one.more, p_adjusted=next(values)))
        for one in ways
    )


@final
@dataclass(frozen=True, eq=False)
class _Sample:
    """Rows held out, with the range of what can be lost on them."""

    money: RowMoney
    conditions: JointConditions
    level: float

    def known(self, way: Way) -> bool:
        """Whether the conditions alone say what a way costs."""
        if way.model is not None or self.money.correct is None:
            return way.model is None
        costs = self.money.rows.known_costs
        involved = (
            (costs.fn_cost, costs.tn_cost)
            if way.method == "flag_nobody"
            else (costs.fp_cost, costs.tp_cost)
        )
        return all(np.ndim(cost) == 0 for cost in involved)

    @property
    def stake(self) -> float:
        return CASES * self.conditions.stake

    @property
    def range(self) -> Ends:
        """The least and the most that a way can cost, as far as costs have bounds."""
        least = float(self.conditions.money(0.0))
        if self.money.correct is None:
            return least, least + self.stake
        costs = self.money.rows.known_costs
        fixed = np.ndim(costs.tp_cost) == np.ndim(costs.tn_cost) == 0
        return (least if fixed else -np.inf), np.inf

    def way(self, way: Way, influences: FloatArray, more: MoneyDifference | None) -> WayMoney:
        error, interval = 0.0, Interval(way.money, way.money, "known")
        if not self.known(way):
            error = self._error(influences)
            interval = interval_around(
                way.money,
                error,
                inside=self.range,
                level=self.level,
                effective_size=self.money.effective_size,
                clustered=self.money.clustered,
                span=self.stake,
            )
        low, high, method = interval.low, interval.high, interval.method
        return WayMoney(way.model, way.method, way.money, error, low, high, method, more)

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
