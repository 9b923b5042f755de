"""What the counts of a watch say by the end of each day: costs, savings, rates and alarms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenDict, IndexArray
from costspace.deployment.actions import ACTIONS, FLAG, PASS
from costspace.deployment.conditions import CASES
from costspace.estimates.interval import Ends
from costspace.watching.joint_counts import UNLABELLED, JointCounts
from costspace.watching.look import FINE, UNDECIDED, WORSE, Look
from costspace.watching.restarts import (
    LOOKS_BETWEEN,
    OF_CHANGES,
    best_start,
    first_above,
    restarted,
)
from costspace.watching.sequences import MeanSequence, log_mean_exp, log_stakes, mean_sequence
from costspace.watching.terms import WatchTerms

# With more rows than so many times what there are it is told that it takes very many.
_LONG = 1000.0


def looked(terms: WatchTerms, counts: JointCounts, complete_to: int | None) -> Look:
    """What counts say by the end of the last complete day."""
    found, blocked, later, left_out = _complete(terms, counts, complete_to)
    chance, between = 1 - terms.level, float(LOOKS_BETWEEN)
    if terms.looks is not None:
        chance, between = (1 - OF_CHANGES) * chance, terms.looks / (OF_CHANGES * chance)
    certain = float(-np.log(chance))
    more, less = found.bets()
    shown = first_above(log_mean_exp(np.cumsum(more, axis=0)), certain)
    restarts = restarted(more, between)
    alarms = [look for look in (shown, restarts.first) if look is not None]
    told = min(alarms, default=None)
    gained = [bets.sum(axis=0) for bets in (more, less)]
    is_fine = not alarms and len(less) > 0 and bool(log_mean_exp(gained[1]) >= certain)
    verdict = FINE if is_fine else UNDECIDED
    dates = found.days.astype("datetime64[D]")
    start = None if told is None else best_start(more, told)
    return Look(
        verdict=verdict if told is None else WORSE,
        days=dates,
        costs=FrozenDict({name: found.cost(i) for i, name in enumerate(terms.rules)}),
        savings=FrozenDict({name: found.saving(i) for i, name in enumerate(terms.rules) if i}),
        rates=FrozenDict(found.rates()),
        tolerance=terms.tolerance,
        level=terms.level,
        looks=terms.looks,
        told=None if told is None else dates[told],
        since=None if start is None else dates[start],
        since_then=None if start is None else found.mean_since(start),
        changed=told is not None and told != shown,
        between=between,
        later=later,
        blocked=None if blocked is None else np.datetime64(blocked, "D"),
        left_out=left_out,
        needed=None if is_fine or told is not None else _rows_needed(found, gained, certain),
    )


def _complete(
    terms: WatchTerms, counts: JointCounts, complete_to: int | None
) -> tuple[_Rows, int | None, int, int]:
    """The labelled rows of complete days; the first other day, its rows and later, and left out."""
    unlabelled = counts.positive == UNLABELLED
    last = complete_to
    if last is None:
        last = int(counts.day[unlabelled].min()) - 1 if unlabelled.any() else np.iinfo(np.int64).max
    inside = counts.day <= last
    kept = counts.taken(inside & ~unlabelled)
    left_out = int(counts.rows[inside & unlabelled].sum()) // terms.parts
    later = int(counts.rows[~inside].sum()) // terms.parts
    blocked = int(counts.day[~inside].min()) if later else None
    return _Rows(terms, kept, np.unique(kept.day)), blocked, later, left_out


@final
@dataclass(frozen=True, eq=False)
class _Rows:
    """Labelled rows of a watch, and their days."""

    terms: WatchTerms
    counts: JointCounts
    days: IndexArray

    def cost(self, rule: int) -> MeanSequence:
        """What a rule costs per 1,000 cases."""
        return self._sequence(CASES * self._costs(rule), self._range(rule), CASES)

    def mean_since(self, look: int) -> float:
        """What the first rule costs per 1,000 cases from a day on."""
        later = self.counts.taken(self.counts.day >= self.days[look])
        return float(
            CASES * np.average(_Rows(self.terms, later, self.days)._costs(0), weights=later.rows)
        )

    def saving(self, rule: int) -> MeanSequence:
        """What a rule costs more than the first, per 1,000 cases."""
        (low, high), (least, most) = self._range(rule), self._range(0)
        apart = self._costs(rule) - self._costs(0)
        return self._sequence(CASES * apart, (low - most, high - least), CASES)

    def rates(self) -> Mapping[str, MeanSequence]:
        """Shares of the rows that the first rule decides wrongly, and that it flags, if known."""
        if self.terms.most is not None:
            return {}
        action = self.counts.digit(0, len(ACTIONS))
        flagged, passed = (action == ACTIONS.index(one) for one in (FLAG, PASS))
        wrong = np.where(self.counts.positive == 1, passed, flagged)
        parts = {"errors": wrong, "flagged": flagged}
        return {
            name: self._sequence(values.astype(float), (0.0, 1.0)) for name, values in parts.items()
        }

    def bets(self) -> tuple[FloatArray, FloatArray]:
        """What each bet gains on each day, that the rule costs more than is tolerated, and less."""
        low, high = self._range(0)
        kinds, counts = self._cumulated(self._costs(0))
        own = np.diff(counts, axis=0, prepend=0)
        shares = (kinds - low) / (high - low)
        share = (self.terms.tolerance / CASES - low) / (high - low)
        return log_stakes(own, shares, share), log_stakes(own, 1 - shares, 1 - share)

    def _cumulated(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The different values of rows, and how many rows have had each by the end of each day."""
        kinds, counts = self.counts.cumulated(values, self.days)
        return kinds, counts / self.terms.parts

    def _sequence(self, values: FloatArray, ends: Ends, per: float = 1.0) -> MeanSequence:
        """The mean of a value of each kind of rows, between ends that are each of `per` cases."""
        kinds, counts = self._cumulated(values)
        low, high = (per * end for end in ends)
        if len(kinds) == 0:
            kinds, counts = np.array([low]), np.zeros((0, 1))
        return mean_sequence(counts, kinds, low=low, high=high, level=self.terms.level)

    def _costs(self, rule: int) -> FloatArray:
        return self.terms.costs_on(self.counts, rule)

    def _range(self, rule: int) -> Ends:
        return self.terms.cost_range(rule)


def _rows_needed(found: _Rows, gained: Sequence[FloatArray], certain: float) -> float | None:
    """How many more rows like these would tell on which side of the tolerance the cost is.

    Bets on more and on less have `gained` so much by now.
    """
    if len(found.days) == 0:
        return None

    def tell(times: float) -> bool:
        return any(log_mean_exp(times * one) >= certain for one in gained)

    low, high = 1.0, 2.0
    while not tell(high):
        low, high = high, 2 * high
        if low > _LONG:
            return float("inf")
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (low, middle) if tell(middle) else (middle, high)
    return (high - 1) * float(found.counts.rows.sum()) / found.terms.parts
