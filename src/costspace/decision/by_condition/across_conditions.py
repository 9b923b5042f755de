"""Strategies against each other at every condition: tables, and where none will do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.choices import ThresholdChoice
from costspace.comparison.dominating import Dominance
from costspace.curve import PiecewiseQuadratic
from costspace.decision.by_condition.losses_by_condition import (
    NEARLY_BEST,
    BandLosses,
    by_band,
    dominance_of,
    hybrid_money,
    joined_table,
)
from costspace.decision.by_condition.table import DecisionTable
from costspace.decision.fitting.fitted import FittedByCondition, fit_by_condition
from costspace.decision.sentences.recommended import gap_in
from costspace.decision.strategy import CONDITION, Strategy
from costspace.decision.task import Task
from costspace.notebook import Tabulated


@final
@dataclass(frozen=True)
class Gap(Tabulated):
    """A range of prevalence in which no rule keeps the constraints.

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


def across_conditions(task: Task, strategies: Sequence[Strategy]) -> AcrossConditions:
    """The strategies of a task as they would be if everything were known when they decide."""
    # A table has a rule at every condition, in every part: once over the rows is enough.
    known = replace(task.one_by_one, known=CONDITION, held_out=task.held_out.once)
    compared = [
        replace(one, known=CONDITION) if one.model is not None else one
        for one in strategies
        if one.model is None or (not _goes_by_share(one.choice) and one != task.baseline)
    ]
    return AcrossConditions(known, tuple(compared))


def _goes_by_share(choice: ThresholdChoice) -> bool:
    """Whether the share flagged sets its threshold, of all cases or of each batch."""
    return choice.share_flagged is not None or choice.places is not None


@final
@dataclass(frozen=True, eq=False)
class AcrossConditions(FrozenValue):
    """What strategies would do if each condition were known, each part found when asked for.

    Attributes
    ----------
    task : Task
    strategies : tuple
        Those that look at no queue; the rule in use is none of them.
    """

    task: Task
    strategies: Sequence[Strategy]

    @cached_property
    def table(self) -> DecisionTable | None:
        """Which strategy to use at each skew; None if nothing is feasible."""
        return joined_table(self._bands)

    @cached_property
    def short_table(self) -> DecisionTable | None:
        """The same with fewer rows, and in one band where bands save next to nothing."""
        bands = self._bands
        if len(bands) > 1:
            task = replace(self.task, most_bands=1)
            whole = by_band([_refitted(fit, task) for fit in self._compared])
            one, many = hybrid_money(whole), hybrid_money(bands)
            if one is not None and many is not None and one - many <= NEARLY_BEST * abs(many):
                bands = whole
        return joined_table(bands, within=NEARLY_BEST)

    @property
    def dominance(self) -> Dominance | None:
        """Which models lose least at each skew; None where it is a matter of the prevalence too."""
        return None if self._everywhere is None else dominance_of(self._everywhere)

    @property
    def losses(self) -> Mapping[Strategy, PiecewiseQuadratic] | None:
        """The loss of each strategy by condition; None where it is one of the prevalence too."""
        return None if self._everywhere is None else self._everywhere.losses.curves

    @property
    def hybrid(self) -> float | None:
        """What following the table costs per 1,000 cases; None if in some band it is empty."""
        return hybrid_money(self._bands)

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Bands of prevalence in which nothing is feasible."""
        reasons = ((each.band, gap_in(self._compared, each.place)) for each in self._bands)
        return tuple(Gap(*band.ends, why) for band, why in reasons if why)

    @cached_property
    def _compared(self) -> list[FittedByCondition]:
        return [fit_by_condition(one, self.task) for one in self.strategies]

    @cached_property
    def _bands(self) -> list[BandLosses]:
        return by_band(self._compared)

    @cached_property
    def _everywhere(self) -> BandLosses | None:
        """The losses at every condition, also where but one is known."""
        if len(self._bands) > 1 or not self._bands[0].fits:
            return None
        if self.task.sole_condition is None:
            return self._bands[0]
        return by_band([_refitted(fit, self.task, everywhere=True) for fit in self._compared])[0]


def _refitted(fit: FittedByCondition, task: Task, *, everywhere: bool = False) -> FittedByCondition:
    """The same strategy fitted to another task, or at every condition."""
    return fit_by_condition(fit.strategy, task, everywhere=everywhere)
