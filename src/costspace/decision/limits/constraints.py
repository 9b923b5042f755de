"""Limits on what a rule may do, whatever it saves."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import BoolArray, FloatArray, FrozenValue
from costspace.checks import check_conditions, check_number
from costspace.choices.places import Batch, Places, checked_batches, sizes_in_words
from costspace.curve import OperatingPoints
from costspace.decision.limits.reached import Reached
from costspace.errors import ConditionError, brief
from costspace.estimates.interval import check_level
from costspace.special import ndtri

# How far rounding alone may move the rates of a point that is on a limit.
_ROUNDING = 16 * float(np.finfo(float).eps)

_WORDS = {
    "capacity": "flag at most",
    "min_precision": "precision at least",
    "min_recall": "recall at least",
    "min_npv": "negative predictive value at least",
    "max_fpr": "false positive rate at most",
    "review_capacity": "review at most",
}
# What is a number of cases of a batch, if it is above 1.
_PLACES = ("capacity", "review_capacity")


@final
@dataclass(frozen=True, eq=False)
class Bound(FrozenValue):
    """One constraint on some operating points: ``pi0 negatives + pi1 positives <= 0``."""

    # What each class adds, whatever its share; the part of `negatives` that depends on the point
    # never falls with FPR.
    negatives: FloatArray
    positives: FloatArray
    # How much each of them changes as a rate does, or rounding of the limit.
    steepness: tuple[float, float]
    # How far above them chance may put `negatives` and `positives`.
    errors: tuple[FloatArray, FloatArray] | None = None
    of_one_rate: bool = False  # whether both are of the rate of one class, and so err together
    room: "Room | None" = None  # what there is room for

    def excess(self, prevalence: ArrayLike) -> FloatArray:
        """How far beyond the limit each point is: not positive where the constraint holds.

        What rounding explains, rates that are off by 16 units in the last place of 1, is 0.
        """
        p = np.asarray(prevalence, dtype=float)
        excess = (1 - p) * self.negatives + p * self.positives
        if self.errors is not None:
            parts = (1 - p) * self.errors[0], p * self.errors[1]
            both = sum(parts) if self.of_one_rate else np.sqrt(parts[0] ** 2 + parts[1] ** 2)
            excess = excess + np.hypot(both, self._of_prevalence(p))
        rounding = _ROUNDING * ((1 - p) * self.steepness[0] + p * self.steepness[1])
        return np.where(np.abs(excess) <= rounding, 0.0, excess)

    def _of_prevalence(self, p: FloatArray) -> FloatArray:
        """How far above it an estimated prevalence may put it."""
        if self.room is None or self.room.cases is None:
            return np.zeros(())
        slope = self.positives - self.negatives
        rate = np.where(slope > 0, p, 1 - p)
        return np.asarray(np.abs(slope) * self.room.above(rate, self.room.cases))

    def with_errors(self, name: str, fpr: FloatArray, fnr: FloatArray) -> "Bound":
        """The constraint of that name with room for such errors of the rates.

        Together as of independent rates: Zou and Donner (2008), Statistics in Medicine 27.
        """
        alone = {"min_recall": fnr, "max_fpr": fpr}.get(name)
        if alone is not None:
            return replace(self, errors=(alone, alone), of_one_rate=True)
        return replace(self, errors=(self.steepness[0] * fpr, self.steepness[1] * fnr))


@final
@dataclass(frozen=True)
class Room:
    """Safety margin between a sample's value and a limit, for chance.

    Attributes
    ----------
    quantile : float
        How many standard errors.
    negatives, positives : float
        How many independent rows of either class the sample has.
    cases : float, optional
        How many it has in all, if the prevalence is estimated from them; known without.

    Examples
    --------
    >>> import costspace as cs
    >>> limits = cs.Constraints(capacity=0.1).with_room(0.95, 800, 200)
    >>> round(limits.room.quantile, 3)
    1.645
    >>> limits.holds(cs.OperatingPoints([0.06, 0.04], [0.8, 0.8]), prevalence=0.2)
    array([False,  True])
    """

    quantile: float
    negatives: float
    positives: float
    cases: float | None = None

    def above(self, rate: FloatArray, size: float) -> FloatArray:
        """How far a rate may be above the one of so many rows: Wilson's one-sided limit.

        Half a row more, for continuity: a threshold lies between two rows.
        """
        z2 = self.quantile**2
        seen = np.minimum(rate + 0.5 / size, 1.0)
        spread = np.sqrt(seen * (1 - seen) / size + z2 / (4 * size**2))
        upper = (seen + z2 / (2 * size) + self.quantile * spread) / (1 + z2 / size)
        return np.asarray(np.minimum(upper, 1.0) - rate)


@final
@dataclass(frozen=True)
class Constraints(FrozenValue):
    """Limits on a rule at deployment, each a half-plane of ROC space.

    Each is linear in the prevalence too, so over a range of prevalence a rule keeps to it
    everywhere if and only if it does at both ends. A point on a limit keeps to it, and so does
    one whose rates are beyond it by no more than rounding explains, 4e-15.

    Parameters
    ----------
    capacity : float in [0, 1], optional
        The greatest share of all cases that may be flagged.
    min_precision : float in [0, 1], optional
        The least share of positives among the flagged; it holds where nobody is flagged.
    min_recall : float in [0, 1], optional
        The least share of the positives that must be flagged.
    min_npv : float in [0, 1], optional
        The least negative predictive value, the share of negatives among those not flagged; it
        holds where everybody is flagged.
    max_fpr : float in [0, 1], optional
        The greatest share of the negatives that may be flagged.
    review_capacity : float in [0, 1], optional
        The greatest share of all cases that may be reviewed, where there is a review; the others
        are of what is flagged without one.
    batch : int or sequence of int, optional
        How many cases a capacity is for at a time: those of a day, say, or of each of some days.
        A queue is then cut in each batch, and a threshold flags more than there are places in 1 of
        20 batches at most, on average over many. The capacity may be a number of cases of a batch,
        which is kept as its share.
    room : Room, optional
        What `with_room` adds.

    Raises
    ------
    ConditionError
        If a limit is not a number in [0, 1], or there is a batch without a capacity.

    Notes
    -----
    Provost and Fawcett (2001), Machine Learning 42: the Neyman-Pearson criterion and
    workforce utilisation on the ROC hull. The line of equal precision goes through the point
    where nobody is flagged, that of equal negative predictive value through the point where
    everybody is.

    Examples
    --------
    >>> import costspace as cs
    >>> limits = cs.Constraints(capacity=0.02, min_precision=0.15)
    >>> print(limits)
    flag at most 2 %, precision at least 15 %
    >>> limits.holds(cs.OperatingPoints([0.01, 0.05], [0.4, 0.2]), prevalence=0.01)
    array([ True, False])
    >>> list(limits), bool(limits), limits.without("capacity")
    (['capacity', 'min_precision'], True, Constraints(min_precision=0.15))

    Of 10,000 cases a day 200 can be looked at:

    >>> print(cs.Constraints(capacity=200, batch=10_000))
    flag at most 2 %, in batches of 10,000 (a threshold may flag 1.78 %)
    """

    capacity: float | None = None
    min_precision: float | None = None
    min_recall: float | None = None
    min_npv: float | None = None
    max_fpr: float | None = None
    review_capacity: float | None = None
    batch: Batch = field(default=None, kw_only=True)
    room: Room | None = field(default=None, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        sizes = checked_batches(self.batch)
        object.__setattr__(self, "batch", sizes if len(sizes) > 1 else next(iter(sizes), None))
        places = {name: getattr(self, name) for name in _PLACES}
        for name, most in places.items():
            if most is not None:
                object.__setattr__(self, name, _share_of_batch(name, most, sizes))
        if sizes and not any(most is not None for most in places.values()):
            raise ConditionError("batch is what a capacity is of: give a capacity, too.")
        for name, limit in self.limits.items():
            object.__setattr__(self, name, check_number(name, limit, low=0, high=1))

    @property
    def limits(self) -> dict[str, float]:
        """The limits that are set, by name."""
        values = {name: getattr(self, name) for name in _WORDS}
        return {name: limit for name, limit in values.items() if limit is not None}

    @property
    def names(self) -> tuple[str, ...]:
        """The constraints that are set."""
        return tuple(self.limits)

    def __iter__(self) -> Iterator[str]:
        return iter(self.limits)

    def __bool__(self) -> bool:
        return bool(self.limits)

    def __str__(self) -> str:
        return ", ".join(map(self.sentence, self)) or "no constraints"

    def __repr__(self) -> str:
        limits = ", ".join(f"{name}={limit:g}" for name, limit in self.limits.items())
        batch = "" if self.batch is None else f", batch={self.batch}"
        return f"Constraints({limits}{batch})"

    def sentence(self, name: str) -> str:
        """One constraint in words.

        Raises
        ------
        ConditionError
            If no such constraint is set.
        """
        batches = ""
        if name in _PLACES and self.batch is not None:
            verb = "flag" if name == "capacity" else "review"
            places = Places(self.limits[name], checked_batches(self.batch)).rounded_down
            most = f"a threshold may {verb} {100 * self._most(name):.3g} %"
            told = "; ".join(filter(None, [places, most]))
            batches = f", in batches of {self.batch_told} ({told})"
        return f"{_WORDS[name]} {100 * self.limits[self._check(name)]:g} %{batches}"

    @property
    def batch_told(self) -> str:
        """The sizes of batches in words; empty if all cases are one queue."""
        return sizes_in_words(checked_batches(self.batch))

    def with_room(
        self, level: float, negatives: float, positives: float, *, estimated: bool = False
    ) -> "Constraints":
        """The same limits with a margin for chance, so that other cases keep to them, too.

        Parameters
        ----------
        level : float in (0, 1)
            The chance with which the population keeps to a limit that a threshold is set by on a
            sample; below a half as at a half.
        negatives, positives : float
            How many independent rows of either class that sample has.
        estimated : bool, default False
            Whether the prevalence is that of the sample, and so there is a margin for its error.

        Returns
        -------
        Constraints
            What is within a limit by less than the one-sided interval of a fixed threshold does
            not keep to it: what is looked for is the last threshold that does, so that the
            population breaks the limit only if the threshold at which it begins to seems to keep
            it, with a chance of 1 - level.

        Raises
        ------
        ConditionError
            If the level is not in (0, 1).
        """
        quantile = max(float(ndtri(check_level(level))), 0.0)
        cases = negatives + positives if estimated else None
        return replace(self, room=Room(quantile, negatives, positives, cases))

    def only(self, names: Iterable[str]) -> "Constraints":
        """Some of the constraints."""
        kept = set(names)
        others = {name: None for name in self.limits if name not in kept}
        # The batch of a capacity that is left out goes with it.
        alone = {} if kept & set(_PLACES) & set(self.limits) else {"batch": None}
        return replace(self, **others, **alone)

    @property
    def of_flagged(self) -> "Constraints":
        """Those of what is flagged."""
        return self.only(set(self.limits) - {"review_capacity"})

    def as_flagged(self, name: str) -> tuple["Constraints", str]:
        """One limit as one of what is flagged, and its name there: of reviews it is a capacity."""
        one = self.only([name])
        return (one.of_reviewed, "capacity") if name == "review_capacity" else (one, name)

    @property
    def of_reviewed(self) -> "Constraints":
        """The capacity of what is reviewed, as one of what is flagged."""
        if self.review_capacity is None:
            return Constraints()
        return Constraints(self.review_capacity, batch=self.batch, room=self.room)

    def without(self, name: str) -> "Constraints":
        """The constraints but one.

        Raises
        ------
        ConditionError
            If no such constraint is set.
        """
        return self.only(set(self.limits) - {self._check(name)})

    def reached(self, points: OperatingPoints, prevalence: ArrayLike) -> Reached:
        """What operating points reach at a prevalence of everything that can be limited.

        Parameters
        ----------
        points : OperatingPoints
        prevalence : float or array in [0, 1]
            Share of positives; an array goes with the points as NumPy broadcasts it.

        Returns
        -------
        Reached

        Raises
        ------
        ConditionError
            If the prevalence is not in [0, 1].
        """
        p = check_conditions("prevalence", prevalence)
        fp, tp = (1 - p) * points.fpr, p * (1 - points.fnr)
        fn, tn = p * points.fnr, (1 - p) * (1 - points.fpr)
        return Reached(fp + tp, _share(tp, fp), 1 - points.fnr, _share(tn, fn), points.fpr)

    def holds(self, points: OperatingPoints, prevalence: ArrayLike) -> BoolArray:
        """Whether operating points keep to all constraints at a prevalence.

        Parameters
        ----------
        points : OperatingPoints
        prevalence : float or array in [0, 1]
            Share of positives; an array goes with the points as NumPy broadcasts it.

        Returns
        -------
        array of bool

        Raises
        ------
        ConditionError
            If the prevalence is not in [0, 1].
        """
        p = check_conditions("prevalence", prevalence)
        held = np.ones(np.broadcast_shapes(p.shape, points.fpr.shape), dtype=bool)
        for bound in self.bounds(points).values():
            held &= bound.excess(p) <= 0
        return held

    def bounds(self, points: OperatingPoints) -> dict[str, Bound]:
        """Each constraint that is set, on operating points, by name."""
        flagged = [name for name in self.limits if name != "review_capacity"]
        found = {name: _bound(name, self._most(name), points) for name in flagged}
        room = self.room
        if room is None:
            return found
        # Chance has no part in flagging nobody, or everybody.
        chance = np.abs(points.fpr - points.fnr) < 1
        x = chance * room.above(points.fpr, room.negatives)
        for name, bound in found.items():
            # What is flagged grows with the recall, other constraints tighten as it falls.
            rate = 1 - points.fnr if name == "capacity" else points.fnr
            errors = x, chance * room.above(rate, room.positives)
            found[name] = replace(bound.with_errors(name, *errors), room=room)
        return found

    def _most(self, name: str) -> float:
        """What a threshold has to keep to of a limit."""
        if name in _PLACES and self.batch is not None:
            return self._by_threshold[name]
        return self.limits[name]

    @cached_property
    def _by_threshold(self) -> dict[str, float]:
        """The share that a threshold may flag, or review, where a capacity is of batches."""
        sizes, limits = checked_batches(self.batch), self.limits
        known = [name for name in _PLACES if name in limits]
        return {name: Places(limits[name], sizes).most_by_threshold for name in known}

    def _check(self, name: str) -> str:
        if name not in self.limits:
            known = ", ".join(self) or "none"
            raise ConditionError(f"there is no constraint {brief(name)}: those set are {known}.")
        return name


def check_prevalences(prevalences: ArrayLike) -> FloatArray:
    """Return prevalences in a row, or raise `ConditionError` unless all are in [0, 1]."""
    checked = np.atleast_1d(check_conditions("prevalence", prevalences))
    if checked.ndim != 1 or not len(checked):
        raise ConditionError(
            f"prevalence must be a number or some in a row, got {brief(prevalences)}."
        )
    return checked


def _share_of_batch(name: str, capacity: Any, sizes: tuple[int, ...]) -> Any:
    """A capacity as a share, where it is a number of cases of a batch."""
    if isinstance(capacity, str) or np.ndim(capacity) or not capacity > 1:
        return capacity
    if not sizes:
        hint = f": {capacity:g} % is {capacity / 100:g}" if capacity <= 100 else ""
        raise ConditionError(
            f"{name} must be in [0, 1], got {capacity:g}{hint}. A number of cases needs the size "
            "of the batch that they are of: batch=10000, or --batch-size 10000."
        )
    if sizes[0] < sizes[-1]:
        raise ConditionError(
            f"{name} is {capacity:g} cases, and batches have {sizes[0]:,} to {sizes[-1]:,}: give "
            "a share of them, or one size."
        )
    if capacity != int(capacity):
        raise ConditionError(
            f"{name} must be a whole number of cases of a batch, or a share of it, "
            f"got {capacity:g}."
        )
    if capacity > sizes[0]:
        raise ConditionError(f"{name} is {capacity:g} cases of a batch of {sizes[0]:,}.")
    return capacity / sizes[0]


def _bound(name: str, limit: float, points: OperatingPoints) -> Bound:
    x, y, rest = points.fpr, points.fnr, 1 - limit
    if name == "capacity":
        return Bound(x - limit, 1 - y - limit, (1, 1))
    if name == "min_precision":
        return Bound(limit * x, rest * (y - 1), (limit, rest))
    if name == "min_recall":
        return Bound(y - rest, y - rest, (1, 1))
    if name == "min_npv":
        return Bound(rest * (x - 1), limit * y, (rest, limit))
    return Bound(x - limit, x - limit, (1, 1))


def _share(part: FloatArray, rest: FloatArray) -> FloatArray:
    """The part's share of both, 1 of nothing."""
    both = part + rest
    return np.divide(part, both, out=np.ones_like(both), where=both > 0)
