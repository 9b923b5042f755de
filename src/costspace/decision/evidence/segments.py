"""What the rule that is stated costs and saves in each segment of the cases."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, final

import numpy as np

from costspace.arrays import FloatArray, FrozenDict, FrozenValue, IndexArray
from costspace.decision.evidence.money_by_segment import (
    OTHERS,
    MoneyBySegment,
    SegmentMoney,
    level_of_each,
)
from costspace.decision.evidence.money_evidence import MoneyDifference, StrategyMoney
from costspace.decision.evidence.money_sample import MoneySample, without_interval
from costspace.decision.evidence.own_thresholds import OwnThreshold, own_thresholds, why_none
from costspace.decision.evidence.segment_samples import (
    check_weights,
    row_costs,
    row_shares,
    sample_of,
)
from costspace.decision.fitting.choosing import Choosing, Priced
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.money.row_money import LEAST_UNITS
from costspace.decision.strategy import Strategy
from costspace.decision.task import Task
from costspace.errors import SourceError

_FEW = f"fewer than {LEAST_UNITS} rows of a class say too little"


class _Segment(NamedTuple):
    """Some of the held-out rows, by what columns say of them."""

    by: Mapping[str, Any]
    number: int
    rows: IndexArray
    few: bool  # whether they are too few for intervals


def money_by_segment(
    choosing: Choosing,
    stated: Strategy,
    by: Sequence[str],
    rows: Mapping[tuple[Any, ...], IndexArray],
) -> MoneyBySegment:
    """What a strategy costs and saves in segments, given the held-out rows of each.

    `ConditionError` if weights are counts beside a prevalence that is given.
    """
    task = choosing.task.one_by_one
    check_weights(task)
    segments = _joined(task, by, rows)
    intervals = sum(not one.few for one in segments)
    level = level_of_each(task.level, intervals)
    samples = [None if one.few else sample_of(task, one.rows, level) for one in segments]
    one, other = _stated(choosing, stated), _against(choosing, stated)
    compared = _Compared(
        task, _one_by_one(choosing, one), None if other is None else _one_by_one(choosing, other)
    )
    why = why_none(compared.mine.fit)
    alone = [
        None if why or segment.number > 1 else sample
        for segment, sample in zip(segments, samples, strict=True)
    ]
    own = own_thresholds(task, compared.mine.strategy.model or "", alone)
    found = [
        compared.within(segment, sample, learnt, intervals)
        for segment, sample, learnt in zip(segments, samples, own, strict=True)
    ]
    return MoneyBySegment(
        segments=sorted(found, key=lambda one: (one.number > 1, -one.contribution)),
        strategy=stated,
        cost=compared.mine.money,
        against=None if other is None else other.strategy,
        own_saving=compared.in_all(samples, own),
        why_not_own=why,
        level=task.level,
        intervals=intervals,
    )


def rows_to_divide(task: Task) -> int:
    """How many held-out rows there are to be in segments; `SourceError` if they are not kept."""
    held_out = task.held_out
    if isinstance(held_out, HeldOutCounts) and held_out.source.fold is None:
        raise SourceError(
            "segments need the rows, and these are known by their counts only: decide on rows in "
            "memory, a sample of them if they are too many."
        )
    return len(task.one_by_one.judged.rows)


def _joined(
    task: Task, by: Sequence[str], rows: Mapping[tuple[Any, ...], IndexArray]
) -> list[_Segment]:
    """The segments that have rows which count, those too small for intervals joined if several."""
    counts = task.judged.rows.counts
    kept = {values: some[counts[some]] for values, some in rows.items()}
    every = [
        _Segment(FrozenDict(zip(by, values, strict=True)), 1, some, _are_few(task, some))
        for values, some in kept.items()
        if len(some)
    ]
    small = [one for one in every if one.few]
    if len(small) < 2:
        return every
    together = np.sort(np.concatenate([one.rows for one in small]))
    named = FrozenDict(dict.fromkeys(by, OTHERS))
    others = _Segment(named, len(small), together, _are_few(task, together))
    return [*(one for one in every if not one.few), others]


def _are_few(task: Task, some: IndexArray) -> bool:
    """Whether rows are too few for intervals."""
    positive = task.judged.rows.positive[some]
    if positive.all() or not positive.any():
        return True
    return sample_of(task, some, task.level).money.says_little


def _stated(choosing: Choosing, strategy: Strategy) -> FittedStrategy:
    return next(fit for fit in choosing.fits if fit.strategy == strategy)


def _against(choosing: Choosing, stated: Strategy) -> FittedStrategy | None:
    """The rule in use, else the best of what needs no model; not what is stated itself."""
    others = [fit for fit in choosing.fits if fit.strategy != stated]
    in_use = [fit for fit in others if fit.strategy == choosing.task.baseline]
    plain = [fit for fit in others if fit.strategy.model is None]
    if in_use:
        return in_use[0]
    return choosing.cheapest(plain) if plain else None


def _one_by_one(choosing: Choosing, fit: FittedStrategy) -> Priced:
    """A strategy with its margin, judged by rows one by one."""
    priced, task = choosing.priced(fit), choosing.task
    if task.together is None:
        return priced
    one_by_one = task.one_by_one
    first = None if priced.judged is None else priced.judged.on(one_by_one)
    return Priced(fit.on(one_by_one), priced.margin, first)


@final
@dataclass(frozen=True, eq=False)
class _Compared(FrozenValue):
    """What is stated, and what it is compared with, if there is something."""

    task: Task
    mine: Priced
    theirs: Priced | None

    def within(
        self,
        segment: _Segment,
        sample: MoneySample | None,
        learnt: OwnThreshold | None,
        intervals: int,
    ) -> SegmentMoney:
        """What is known of a segment, one of so many with intervals."""
        of_each = self._shares[segment.rows]
        share = float(np.sum(of_each))
        own_saving = None
        if sample is not None and learnt is not None:
            own_saving = sample.between_thresholds(
                self.mine.row_losses[sample.counts] - learnt.losses,
                float(np.hypot(sample.selection(self.mine), learnt.selection)),
            )
        costs = [float(np.sum(cost[segment.rows])) / share for cost in self._costs]
        money, saving = self._with_intervals(costs, sample, intervals)
        return SegmentMoney(
            by=segment.by,
            number=segment.number,
            rows=len(segment.rows),
            share=share,
            prevalence=float(np.sum(of_each[self.task.judged.rows.positive[segment.rows]])) / share,
            money=money,
            saving=saving,
            own_saving=own_saving,
            reason=_FEW if sample is None else None,
        )

    def _with_intervals(
        self, costs: Sequence[float], sample: MoneySample | None, intervals: int
    ) -> tuple[StrategyMoney, MoneyDifference | None]:
        """What the rule costs and saves, with intervals if there is a sample."""
        if sample is None:
            money, unknown = without_interval(self.mine), (np.nan,) * 5
            saving = MoneyDifference(costs[-1] - costs[0], *unknown, "none")
        else:
            money = sample.money_of(self.mine)
            saving = sample.difference(self.theirs or self.mine, self.mine)
            p = min(intervals * saving.p, 1.0) if saving.p <= 1 else saving.p
            saving = replace(saving, p_adjusted=p)
        return replace(money, money=costs[0]), None if self.theirs is None else saving

    def in_all(
        self, samples: Sequence[MoneySample | None], own: Sequence[OwnThreshold | None]
    ) -> MoneyDifference | None:
        """What all thresholds of segments would save together, per 1,000 cases of all."""
        apart, chosen_on, found = np.zeros(len(self._shares)), 0.0, False
        for sample, learnt in zip(samples, own, strict=True):
            if sample is not None and learnt is not None:
                apart[sample.counts] = self.mine.row_losses[sample.counts] - learnt.losses
                chosen_on += float(np.sum(self._shares[sample.counts])) * learnt.selection
                found = True
        if not found:
            return None
        whole = MoneySample.of(self.task)
        selection = float(np.hypot(whole.selection(self.mine), chosen_on))
        return whole.between_thresholds(apart[whole.counts], selection)

    @cached_property
    def _shares(self) -> FloatArray:
        return row_shares(self.task)

    @cached_property
    def _costs(self) -> list[FloatArray]:
        """What each row adds to the cost of either, the margin too."""
        return list(self._costs_of_both())

    def _costs_of_both(self) -> Iterator[FloatArray]:
        for one in (self.mine, self.theirs):
            if one is not None:
                yield row_costs(self.task, one) + one.margin * self._shares
