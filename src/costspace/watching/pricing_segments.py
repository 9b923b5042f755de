"""What a rule costs in each segment of two samples."""

from math import hypot

import numpy as np

from costspace.arrays import IndexArray
from costspace.decision.evidence.money_by_segment import level_of_each
from costspace.decision.evidence.money_evidence import MoneyDifference, StrategyMoney
from costspace.decision.evidence.segments import FEW, rule_in_rows
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.strategy import Strategy
from costspace.watching.kept_by_segment import KeptBySegment, SegmentKept
from costspace.watching.segment_pairs import Divided, SegmentPair, paired


def kept_by_segment(
    first: tuple[Choosing, Strategy], later: tuple[Choosing, Strategy], divided: Divided
) -> KeptBySegment:
    """What a rule costs in each segment, as a strategy of a decision on either sample."""
    (rows_before, rule_before), (rows, rule) = rule_in_rows(*first), rule_in_rows(*later)
    before, after = rows_before.counting(divided.before), rows.counting(divided.after)

    def are_few(own: IndexArray, now: IndexArray) -> bool:
        return rows.are_few(now) or (len(own) > 0 and rows_before.are_few(own))

    pairs = paired(Divided(divided.by, before, after), are_few)
    intervals = sum(not one.few for one in pairs)
    asked = later[0].task.level
    level = level_of_each(asked, intervals)
    costs_before, costs = rows_before.costs(rule_before), rows.costs(rule)

    def kept(pair: SegmentPair) -> SegmentKept:
        was = None
        if len(pair.before):
            sample = None if pair.few else rows_before.sample(pair.before, level)
            cost = rows_before.mean(costs_before, pair.before)
            was = rows_before.money(rule_before, cost, sample)
        sample = None if pair.few else rows.sample(pair.after, level)
        now = rows.money(rule, rows.mean(costs, pair.after), sample)
        return SegmentKept(
            by=pair.by,
            number=pair.number,
            rows_before=len(pair.before),
            rows=len(pair.after),
            share=float(np.sum(rows.shares[pair.after])),
            before=was,
            kept=now,
            more=None if was is None else _change(was, now),
            reason=FEW if pair.few else None,
        )

    return KeptBySegment(
        segments=sorted(map(kept, pairs), key=lambda one: (one.number > 1, -one.contribution)),
        cost=rule.money,
        level=asked,
        intervals=intervals,
        gone=len(before.keys() - after.keys()),
    )


def _change(before: StrategyMoney, now: StrategyMoney) -> MoneyDifference:
    """What something costs more on one sample than on another, which are independent."""
    difference = now.money - before.money
    methods = {before.method, now.method}
    if "none" in methods:
        return MoneyDifference.without_interval(difference)
    error = hypot(before.standard_error, now.standard_error)
    return MoneyDifference(
        difference,
        error,
        error,
        difference - hypot(now.money - now.low, before.high - before.money),
        difference + hypot(now.high - now.money, before.money - before.low),
        np.nan,
        np.nan,
        "known" if methods == {"known"} else "score",
    )
