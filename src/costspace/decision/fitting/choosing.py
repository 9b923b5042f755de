"""Choosing among fitted strategies by what they cost, and the margin that this takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenDict, FrozenValue
from costspace.decision.fitting.alike import copies_of, groups_alike, simplest_first
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.held_out.folds import dealt
from costspace.decision.held_out.holdout import FOLDS
from costspace.decision.rules.between import reviewed_between
from costspace.decision.strategy import Strategy
from costspace.decision.task import Task
from costspace.samples.rows import ScoredRows

# Rounding, relative to what is at stake.
EQUAL = 1e-12
_DECIMALS = 10


@final
@dataclass(frozen=True, eq=False)
class Priced(FrozenValue):
    """A fitted strategy and the margin in its cost."""

    fit: FittedStrategy  # what keeps to the constraints, or the rule in use
    margin: float = 0.0  # what is added to the held-out cost, per 1,000 cases; not negative
    # What does the same on all rows and has its cost, if another does.
    judged: FittedStrategy | None = None

    @property
    def strategy(self) -> Strategy:
        """The strategy itself."""
        return self.fit.strategy

    @property
    def judged_as(self) -> Strategy:
        """The strategy whose cost it has."""
        return self._judged.strategy

    @cached_property
    def money(self) -> float:
        """What it costs per 1,000 cases, wherever that is said."""
        return (self._judged.money or 0.0) + self.margin

    @property
    def ranked(self) -> float:
        """The cost without the digits that processors round otherwise."""
        return float(f"{self.money:.12g}")

    @property
    def row_losses(self) -> FloatArray:
        """What each row held out says of the cost without the margin."""
        return self._judged.row_losses

    @property
    def moved(self) -> tuple[FloatArray | float, FloatArray | float]:
        """Each row's influence on that cost by what it changes for other rows, by class."""
        return self._judged.losses_moved

    @cached_property
    def selection(self) -> float:
        """How much less it seems to cost on the rows that it is fitted and chosen on."""
        task, model = self.fit.task, self.strategy.model
        if model is None or self.strategy == task.baseline or task.held_out.validation is not None:
            return 0.0
        return max(self.money - self._judged.apparent_of(None), 0.0)

    def on(self, task: Task) -> "Priced":
        """The same for a task that judges it by other rows."""
        return Priced(
            self.fit.on(task), self.margin, None if self.judged is None else self.judged.on(task)
        )

    @property
    def models(self) -> set[str]:
        """Whose scores say what it costs, and what it does."""
        models = {one.strategy.model for one in (self.fit, self._judged)}
        return {model for model in models if model is not None}

    @property
    def _judged(self) -> FittedStrategy:
        return self.fit if self.judged is None else self.judged


@final
@dataclass(frozen=True, eq=False)
class Choosing(FrozenValue):
    """Fitted strategies, what each costs, and the one that costs least.

    Of several the one that costs least on held-out rows is partly lucky there. So one margin is
    added to the cost of every strategy with a model: what is lost if the choice is made on the
    rows that thresholds are fitted on, outside each part, and judged by the part. Differences
    between models stay what they are. A rule that needs no model is not chosen among them, and
    the rule in use is given: they have no margin.

    Notes
    -----
    Varma and Simon (2006), BMC Bioinformatics 7: choosing belongs into the cross-validation.
    """

    # What keeps to the constraints, at least one, in any order: of those that cost the same the
    # simplest is taken. The rule in use is there whether it does or not, and can be chosen only if
    # it does.
    fits: Sequence[FittedStrategy]

    @property
    def task(self) -> Task:
        """What all are for."""
        return self.fits[0].task

    @cached_property
    def best(self) -> FittedStrategy:
        """What costs least and is deployed; of what costs the same, the simplest."""
        return self.cheapest(self.candidates)

    @property
    def strategy(self) -> Strategy:
        """What is deployed, as a strategy."""
        return self.best.strategy

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

    @cached_property
    def in_order(self) -> tuple[Priced, ...]:
        """One of each by cost, what is deployed first."""
        priced = map(self.priced, simplest_first(self.distinct))
        ranked = sorted(priced, key=lambda one: one.ranked)
        return tuple(sorted(ranked, key=lambda one: one.fit is not self.best))

    def priced(self, fit: FittedStrategy) -> Priced:
        """A strategy with its margin."""
        return Priced(fit, self._margin_of(fit), self.stands_for.get(fit.strategy))

    def cheapest(self, fits: Sequence[FittedStrategy]) -> FittedStrategy:
        """The strategy that costs least of some, the first of those that cost the same."""
        return self._least(fits, [(fit.money or 0.0) + self._margin_of(fit) for fit in fits])

    @cached_property
    def best_otherwise(self) -> FittedStrategy | None:
        """What costs least without a review, or with one if what is chosen reviews nobody.

        Not the rule in use; None if there is nothing.
        """
        reviews, in_use = self.best.strategy.reviews, self.task.baseline
        others = [
            fit for fit in self.fits if fit.strategy.reviews != reviews and fit.strategy != in_use
        ]
        return self.cheapest(others) if others else None

    @property
    def of_models(self) -> dict[str, FittedStrategy]:
        """What costs least of each model, but for the rule in use."""
        found: dict[str, list[FittedStrategy]] = {}
        for fit in simplest_first(self.fits):
            if fit.strategy.model is not None and fit.strategy != self.task.baseline:
                found.setdefault(fit.strategy.model, []).append(fit)
        return {model: self.cheapest(own) for model, own in found.items()}

    @cached_property
    def margin(self) -> float:
        """What is added to the held-out cost of strategies with a model, per 1,000 cases."""
        among = [fit for fit in self.candidates if fit not in self._given]
        if len(among) < 2:
            return 0.0
        if self.task.held_out.validation is not None:
            losses = self._chosen_on_validation_rows(among)
        else:
            parts = range(len(self.task.judged.parts))
            chosen = [self._least(among, [fit.apparent_of(k) for fit in among]) for k in parts]
            losses = self.task.judged.joined(lambda k: chosen[k].part_losses(k))
        least = min(fit.money or 0.0 for fit in among)
        return max(self.task.money_of(losses) - least, 0.0)

    def _chosen_on_validation_rows(self, among: Sequence[FittedStrategy]) -> FloatArray:
        """What each row says of the cost of what costs least on the other folds of these rows."""
        task, rows = self.task, self.task.judged.rows
        weight = np.ones(len(rows)) if rows.weight is None else rows.weight
        of_each = [fit.row_losses for fit in among]
        counts = task.judged_weights == "counts" and rows.groups is None
        losses = np.zeros(len(rows))
        for share in _folds(rows, weight, [own / self._stake for own in of_each], counts=counts):
            others = weight * (1 - share)
            if not (others[rows.positive].any() and others[~rows.positive].any()):
                # One class alone does not tell what costs least.
                others = weight
            beside = replace(rows, weight=others)
            least = self._least(among, [task.money_of(own, beside) for own in of_each])
            losses += share * least.row_losses
        return losses

    @cached_property
    def _given(self) -> list[FittedStrategy]:
        """What needs no model, the rule in use, and what does the same as one of these."""
        in_use = self.task.baseline
        return [
            fit
            for group in self._groups
            for fit in group
            if any(one.strategy.model is None or one.strategy == in_use for one in group)
        ]

    def _margin_of(self, fit: FittedStrategy) -> float:
        return 0.0 if fit in self._given else self.margin

    def _may_be_chosen(self, fit: FittedStrategy) -> bool:
        task, ends = self.task, self.task.whole.ends
        if fit.strategy != task.baseline:
            return True
        rules = fit.passing.rule, fit.flagging.rule
        if rules[0] is None or rules[1] is None:
            # Decisions that were made are no rule for other cases.
            return False
        table = task.models[fit.strategy.whose_scores].rows
        acted, at = rules[0].on(table), rules[1].on(table)
        reviewed, places = reviewed_between(acted, at), task.constraints.of_reviewed
        return all(
            task.limits.holds(at, end).all() and places.holds(reviewed, end).all() for end in ends
        )

    @property
    def _stake(self) -> float:
        return max(map(abs, self.task.trivial.values()))

    def _least(self, fits: Sequence[FittedStrategy], costs: Sequence[float]) -> FittedStrategy:
        """The first of those that cost least but for rounding."""
        least = min(costs) + EQUAL * self._stake
        return next(fit for fit, cost in zip(fits, costs, strict=True) if cost <= least)


def _folds(
    rows: ScoredRows, weight: FloatArray, losses: Sequence[FloatArray], *, counts: bool
) -> list[FloatArray]:
    """How much of each row is in each fold, whatever the order of rows.

    Rows, or groups, that say the same of every strategy are interchangeable. In the order of what
    they say, each as often as it counts, they are dealt to folds at random.
    """
    unit = np.arange(len(rows)) if rows.groups is None else rows.groups
    once = np.minimum(weight, 1.0) if counts else weight
    said = [
        np.bincount(unit, once * side * value)
        for side in (~rows.positive, rows.positive)
        for value in (np.ones(len(rows)), *losses)
    ]
    negative, positive = said[0] > 0, said[len(said) // 2] > 0
    times = np.ceil(weight) if counts else np.ones(len(negative))
    # Sums in another order are rounded otherwise.
    order = np.lexsort([np.round(each, _DECIMALS) for each in said])
    units = np.repeat(order, times[order].astype(np.intp))
    fold = dealt(negative[units], positive[units], FOLDS)
    found = (np.bincount(units[fold == k], minlength=len(negative)) for k in range(FOLDS))
    return [(own / np.maximum(times, 1))[unit] for own in found]
