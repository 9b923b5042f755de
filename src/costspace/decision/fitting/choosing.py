"""Choosing among fitted strategies on the rows that they are fitted on, and what that costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

from costspace.arrays import FloatArray, FrozenDict, FrozenValue
from costspace.decision.fitting.alike import copies_of, groups_alike, simplest_first
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.strategy import Strategy
from costspace.decision.task import Task

# Rounding, relative to what is at stake.
EQUAL = 1e-12


@final
@dataclass(frozen=True, eq=False)
class Choosing(FrozenValue):
    """The whole way to what is deployed: fit every strategy, and take the one that costs least.

    The strategy is chosen on the rows that it is fitted on. What that costs is told by doing it all
    again in every part of the rows, choosing included, and judging each row by what was chosen
    without it: so there is no winner's curse in that money, though what is deployed is chosen on
    all rows and may be another strategy than in some parts.

    A rule that needs no model is not fitted: if that is deployed, it costs what it costs.

    Attributes
    ----------
    fits : tuple of FittedStrategy
        What keeps to the constraints, at least one, in any order: of those that cost the same the
        simplest is taken. The rule in use is there whether it does or not, and can be chosen only
        if it does.

    Notes
    -----
    Varma and Simon (2006), BMC Bioinformatics 7: choosing belongs into the cross-validation.
    """

    fits: Sequence[FittedStrategy]

    @property
    def task(self) -> Task:
        """What all are for."""
        return self.fits[0].task

    @cached_property
    def best(self) -> FittedStrategy:
        """What is chosen on all rows, and deployed."""
        return self._chosen(None)

    @cached_property
    def candidates(self) -> tuple[FittedStrategy, ...]:
        """What may be chosen, the simplest first: one of those that do the same on all rows."""
        first = [
            next((fit for fit in simplest_first(group) if self._may_be_chosen(fit)), None)
            for group in self._groups
        ]
        return tuple(simplest_first([fit for fit in first if fit is not None]))

    @cached_property
    def own_models(self) -> frozenset[str]:
        """The models with which the same can be done on all rows as what is chosen, and its copies.

        Thresholds of theirs count as of one model.
        """
        model = self.best.strategy.model
        if model is None:
            return frozenset()
        group = next(group for group in self._groups if self.best in group)
        same = frozenset(fit.strategy.whose_scores for fit in group)
        return same | copies_of(self.task, model)

    @cached_property
    def stands_for(self) -> Mapping[Strategy, FittedStrategy]:
        """Of those that do the same on all rows as each strategy, the one that stands for all.

        It is what is chosen, else what needs no model, a strategy of the same model, the simplest.
        """
        found: dict[Strategy, FittedStrategy] = {}
        for group in self._groups:
            own = [fit for fit in group if fit is self.best]
            none = [fit for fit in group if fit.strategy.model is None]
            near = [fit for fit in group if fit.strategy.model in self.own_models]
            first = simplest_first(own or none or near or group)[0]
            for fit in group:
                found[fit.strategy] = first
        return FrozenDict(found)

    def alike(self, fit: FittedStrategy) -> list[FittedStrategy]:
        """What does the same on all rows as a strategy and itself, what stands for all first."""
        first = self.stands_for[fit.strategy]
        others = [one for one in self.fits if self.stands_for[one.strategy] is first]
        return [first, *(one for one in others if one is not first)]

    @property
    def distinct(self) -> tuple[FittedStrategy, ...]:
        """One of each group that do the same on all rows, in the order given."""
        return tuple(fit for fit in self.fits if self.stands_for[fit.strategy] is fit)

    @cached_property
    def _groups(self) -> list[list[FittedStrategy]]:
        return groups_alike(self.fits)

    def _may_be_chosen(self, fit: FittedStrategy) -> bool:
        task, limits = self.task, self.task.limits
        if fit.strategy != task.baseline:
            return True
        if fit.rule is None or not limits:
            # Decisions that were made are no rule for other cases.
            return fit.rule is not None
        at = fit.rule.on(task.models[fit.strategy.whose_scores].rows)
        return all(limits.holds(at, end).all() for end in task.whole.ends)

    @property
    def strategy(self) -> Strategy:
        """What is deployed, as a strategy."""
        return self.best.strategy

    @cached_property
    def in_parts(self) -> tuple[FittedStrategy, ...]:
        """What is chosen on the rows outside each part."""
        return tuple(self._chosen(k) for k in range(len(self.task.judged.parts)))

    @property
    def is_lucky(self) -> bool:
        """Whether parts choose otherwise, so that luck in choosing is part of the money."""
        return not self._needs_no_model and any(fit is not self.best for fit in self.in_parts)

    @cached_property
    def row_losses(self) -> FloatArray:
        """What each row held out says of the money, as of a strategy."""
        if self._needs_no_model:
            return self.best.row_losses
        return self.task.judged.joined(lambda k: self.in_parts[k].part_losses(k))

    @property
    def flagged(self) -> FloatArray:
        """How likely each row held out is flagged, as of a strategy."""
        if self._needs_no_model:
            return self.best.flagged
        return self.task.judged.joined(lambda k: self.in_parts[k].part_flagged(k))

    @cached_property
    def money(self) -> float:
        """Expected money per 1,000 cases."""
        return self.task.money_of(self.row_losses)

    @cached_property
    def selection(self) -> float:
        """How much less the chosen strategy seems to cost on the rows that it is chosen on."""
        if self._needs_no_model or self.task.held_out.validation is not None:
            return 0.0
        return max(self.money - self.best.apparent_of(None), 0.0)

    @property
    def _needs_no_model(self) -> bool:
        return self.best.strategy.model is None

    def _chosen(self, part: int | None) -> FittedStrategy:
        costs = [fit.apparent_of(part) for fit in self.candidates]
        least = min(costs) + EQUAL * max(map(abs, self.task.trivial.values()))
        return next(fit for fit, cost in zip(self.candidates, costs, strict=True) if cost <= least)
