"""What the rule that is stated costs and saves in each segment of the cases."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import hypot
from typing import Any, NamedTuple, TypeAlias, final

import numpy as np

from costspace.arrays import FloatArray, FrozenDict, FrozenValue, IndexArray
from costspace.decision.evidence.divided_rows import DividedRows
from costspace.decision.evidence.money_by_segment import (
    OTHERS,
    MoneyBySegment,
    SegmentMoney,
    level_of_each,
)
from costspace.decision.evidence.money_evidence import MoneyDifference, StrategyMoney
from costspace.decision.evidence.money_sample import MoneySample
from costspace.decision.evidence.own_thresholds import OwnThreshold, own_thresholds, why_none
from costspace.decision.fitting.choosing import Choosing, Priced
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.held_out.judged_rows import JudgedRows
from costspace.decision.money.row_money import LEAST_UNITS
from costspace.decision.strategy import Strategy

# Which of some rows each segment has.
SegmentRows: TypeAlias = Mapping[tuple[Any, ...], IndexArray]
# The same of the held-out rows; or, where they are not in memory, what counts them in segments, by
# their places between thresholds of each model, and of one finely.
RowsOfSegments: TypeAlias = (
    SegmentRows | Callable[[Mapping[str, FloatArray], str | None], tuple[JudgedRows, SegmentRows]]
)

FEW = f"fewer than {LEAST_UNITS} rows of a class say too little"


class Segment(NamedTuple):
    """Some of the held-out rows, by what columns say of them."""

    by: Mapping[str, Any]
    values: Sequence[tuple[Any, ...]]  # of each of those that are joined, or of the one
    rows: IndexArray


def money_by_segment(
    choosing: Choosing,
    stated: Strategy,
    by: Sequence[str],
    rows: RowsOfSegments,
    *,
    own: bool = True,
) -> MoneyBySegment:
    """What a strategy costs and saves in segments, given the held-out rows of each.

    Thresholds of their own are learnt if asked for. Where rows are counted those are between runs
    of scores, and folds are those of all rows.
    """
    one, other = _fit_of(choosing, stated), _against(choosing, stated)
    mine, theirs = choosing.priced(one), None if other is None else choosing.priced(other)
    task, why = choosing.task.one_by_one, why_none(one) if own else "they are not asked for"
    if callable(rows):
        models = mine.models | (set() if theirs is None else theirs.models)
        cuts = choosing.task.judged.cuts or {}
        finely = None if why else one.strategy.model
        judged, rows = rows({model: cuts[model] for model in models}, finely)
        task = replace(task, together=judged)
    divided = DividedRows(task)
    compared = _Compared(divided, mine.on(task), None if theirs is None else theirs.on(task))
    kept = divided.counting(rows)
    small = [values for values, some in kept.items() if divided.are_few(some)]
    segments = joined(by, kept, small)
    few = [divided.are_few(one.rows) for one in segments]
    intervals = few.count(False)
    level = level_of_each(task.level, intervals)
    samples = [
        None if is_few else divided.sample(one.rows, level)
        for one, is_few in zip(segments, few, strict=True)
    ]
    alone = [
        None if why or len(segment.values) > 1 else sample
        for segment, sample in zip(segments, samples, strict=True)
    ]
    learnt = own_thresholds(task, compared.mine.strategy.model or "", alone)
    found = [
        compared.within(segment, sample, threshold, intervals)
        for segment, sample, threshold in zip(segments, samples, learnt, strict=True)
    ]
    return MoneyBySegment(
        segments=sorted(found, key=lambda one: (one.number > 1, -one.contribution)),
        strategy=stated,
        cost=compared.mine.money,
        against=None if other is None else other.strategy,
        own_saving=compared.in_all(samples, learnt),
        why_not_own=why,
        level=task.level,
        intervals=intervals,
    )


def rule_in_rows(choosing: Choosing, strategy: Strategy) -> tuple[DividedRows, Priced]:
    """The held-out rows in memory, and a strategy that is judged by each of them."""
    task = choosing.task.one_by_one
    return DividedRows(task), choosing.priced(_fit_of(choosing, strategy)).on(task)


def joined(by: Sequence[str], rows: SegmentRows, small: Sequence[tuple[Any, ...]]) -> list[Segment]:
    """The segments, those that are too small for intervals joined if there are several.

    They are called others, or with brackets if a value is called so.
    """
    several = set(small) if len(small) > 1 else set()
    every = [
        Segment(FrozenDict(zip(by, values, strict=True)), [values], some)
        for values, some in rows.items()
        if values not in several
    ]
    if not several:
        return every
    together = np.sort(np.concatenate([rows[values] for values in small]))
    taken = any(OTHERS in values for values in rows)
    named = FrozenDict(dict.fromkeys(by, f"({OTHERS})" if taken else OTHERS))
    return [*every, Segment(named, small, together)]


def _fit_of(choosing: Choosing, strategy: Strategy) -> FittedStrategy:
    return next(fit for fit in choosing.fits if fit.strategy == strategy)


def _against(choosing: Choosing, stated: Strategy) -> FittedStrategy | None:
    """The rule in use, else the best of what needs no model; not what is stated itself."""
    others = [fit for fit in choosing.fits if fit.strategy != stated]
    in_use = [fit for fit in others if fit.strategy == choosing.task.baseline]
    plain = [fit for fit in others if fit.strategy.model is None]
    if in_use:
        return in_use[0]
    return choosing.cheapest(plain) if plain else None


@final
@dataclass(frozen=True, eq=False)
class _Compared(FrozenValue):
    """What is stated, and what it is compared with, if there is something."""

    divided: DividedRows
    mine: Priced
    theirs: Priced | None

    def within(
        self,
        segment: Segment,
        sample: MoneySample | None,
        learnt: OwnThreshold | None,
        intervals: int,
    ) -> SegmentMoney:
        """What is known of a segment, one of so many with intervals."""
        of_each = self.divided.shares[segment.rows]
        positive = self.divided.rows.positive[segment.rows]
        share = float(np.sum(of_each))
        own_saving = None
        if sample is not None and learnt is not None:
            own_saving = sample.between_thresholds(
                self.mine.row_losses[sample.counts] - learnt.losses,
                hypot(sample.selection(self.mine), learnt.selection),
            )
        costs = [self.divided.mean(cost, segment.rows) for cost in self._costs]
        money, saving = self._with_intervals(costs, sample, intervals)
        return SegmentMoney(
            by=segment.by,
            number=len(segment.values),
            rows=self.divided.number(segment.rows),
            share=share,
            prevalence=float(np.sum(of_each[positive])) / share,
            money=money,
            saving=saving,
            own_saving=own_saving,
            reason=FEW if sample is None else None,
        )

    def _with_intervals(
        self, costs: Sequence[float], sample: MoneySample | None, intervals: int
    ) -> tuple[StrategyMoney, MoneyDifference | None]:
        """What the rule costs and saves, with intervals if there is a sample."""
        money = self.divided.money(self.mine, costs[0], sample)
        if sample is None:
            saving = MoneyDifference.without_interval(costs[-1] - costs[0])
        else:
            saving = sample.difference(self.theirs or self.mine, self.mine)
            p = min(intervals * saving.p, 1.0) if saving.p <= 1 else saving.p
            saving = replace(saving, p_adjusted=p)
        return money, None if self.theirs is None else saving

    def in_all(
        self, samples: Sequence[MoneySample | None], own: Sequence[OwnThreshold | None]
    ) -> MoneyDifference | None:
        """What all thresholds of segments would save together, per 1,000 cases of all."""
        apart, chosen_on = np.zeros(len(self.divided.rows)), list[float]()
        for sample, learnt in zip(samples, own, strict=True):
            if sample is not None and learnt is not None:
                apart[sample.counts] = self.mine.row_losses[sample.counts] - learnt.losses
                share = float(np.sum(self.divided.shares[sample.counts]))
                chosen_on.append(share * learnt.selection)
        if not chosen_on:
            return None
        whole = MoneySample.of(self.divided.task)
        # SegmentRows of segments choose for each other within these alone.
        selection = hypot(whole.selection(self.mine), *chosen_on)
        return whole.between_thresholds(apart[whole.counts], selection)

    @cached_property
    def _costs(self) -> list[FloatArray]:
        """What each row adds to the cost of either."""
        both = (self.mine,) if self.theirs is None else (self.mine, self.theirs)
        return [self.divided.costs(one) for one in both]
