"""Uncertain amounts: known, between bounds, listed values, or a scipy distribution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, FrozenValue, read_only
from costspace.checks import MONEY, check_number
from costspace.costs.base import check_weights
from costspace.costs.scipy_frozen import quantiles, scipy_method, scipy_name
from costspace.deployment.bounds import Range
from costspace.deployment.measures import Measure, measure_of
from costspace.errors import ConditionError, brief

# A number, (low, high), an `Amount` or a frozen scipy distribution.
Uncertain: TypeAlias = Any

LARGEST = MONEY[1]
_FAR_QUANTILES = np.array([1e-30, 1e-24])


class Amount(ABC):
    """A number with a probability distribution."""

    @property
    @abstractmethod
    def intervals(self) -> FloatArray:
        """Its possible values: intervals, of shape (k, 2), of length 0 for single numbers."""

    @property
    @abstractmethod
    def mean(self) -> float:
        """Its expectation."""

    @abstractmethod
    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        """Independent draws."""

    @abstractmethod
    def __str__(self) -> str:
        """What is assumed, in words that follow the name of the amount."""

    @property
    def varies(self) -> bool:
        """Whether it may have several values."""
        return bool(np.ptp(self.intervals) > 0)

    @property
    def bounds(self) -> Range:
        """The least and the most that it can be."""
        return Range(float(self.intervals.min()), float(self.intervals.max()))

    @property
    def span(self) -> str:
        """These, in words; the number if it is one."""
        low, high = self.bounds.low, self.bounds.high
        return f"{low:g}" if low == high else f"{low:g} to {high:g}"


@final
@dataclass(frozen=True, eq=False, repr=False)
class Drawn(FrozenValue, Amount):
    """An uncertain cost or prevalence with finitely many values.

    Parameters
    ----------
    values : array of shape (m,)
        Finite numbers: observed, elicited or drawn.
    weights : array of shape (m,), optional
        Non-negative, not all zero; equal by default. They are scaled to sum to 1.

    Raises
    ------
    ConditionError
        If there are no values, one is not a finite number, or the weights are invalid.

    Notes
    -----
    `Deployment` takes its parts as independent. For parts that vary together use `Scenarios`.

    Examples
    --------
    Three experts on the cost of a missed case:

    >>> import costspace as cs
    >>> cs.Drawn([400, 500, 900])
    Drawn(3 values, 400 to 900)
    >>> cs.Deployment(fp_cost=1, fn_cost=cs.Drawn([400, 500, 900]), prevalence=0.01).stake
    6.99
    """

    values: ArrayLike
    weights: ArrayLike | None = None

    def __post_init__(self) -> None:
        try:
            v = np.atleast_1d(np.array(self.values, dtype=float))
        except (TypeError, ValueError):
            v = np.zeros(0)
        if v.ndim != 1 or v.size == 0 or not np.all(np.abs(v) <= LARGEST):
            raise ConditionError(f"Drawn needs a list of numbers, got {brief(self.values)}.")
        w = np.ones(len(v))
        if self.weights is not None:
            w = check_weights("Drawn", self.weights, len(v))
        v, w = v[w > 0], w[w > 0] / w.max()
        object.__setattr__(self, "values", read_only(v))
        object.__setattr__(self, "weights", read_only(w / w.sum()))

    def __repr__(self) -> str:
        low, high = self.bounds.low, self.bounds.high
        return f"Drawn({self.measure.values.size} values, {low:g} to {high:g})"

    def __str__(self) -> str:
        values = self.intervals[:, 0]
        if values.size == 1:
            return f"known: {values[0]:g}"
        return f"one of {values.size} values from {values[0]:g} to {values[-1]:g}"

    @cached_property
    def measure(self) -> Measure:
        """Its values and their weights."""
        return Measure(np.asarray(self.values), np.asarray(self.weights))

    @cached_property
    def intervals(self) -> FloatArray:
        return read_only(np.repeat(np.unique(self.measure.values)[:, None], 2, axis=1))

    @cached_property
    def mean(self) -> float:
        return float(self.measure.masses @ self.measure.values)

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return rng.choice(self.measure.values, size, p=self.measure.masses)


@dataclass(frozen=True)
class _Bounded(Amount):
    """An amount with a density between two bounds."""

    low: float
    high: float

    _least: ClassVar[float] = -LARGEST

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            bound = check_number(name, getattr(self, name), low=self._least, high=LARGEST)
            object.__setattr__(self, name, bound)
        if not self.low < self.high:
            raise ConditionError(
                f"low must be below high, got low={self.low:g} and high={self.high:g}."
            )

    @property
    def intervals(self) -> FloatArray:
        return np.array([[self.low, self.high]])


@final
@dataclass(frozen=True)
class LogUniform(_Bounded):
    """An uncertain positive amount, log-uniform between two bounds.

    Parameters
    ----------
    low, high : float
        1e-50 <= low < high <= 1e50.

    Raises
    ------
    ConditionError
        If not 1e-50 <= low < high <= 1e50.

    Notes
    -----
    Its logarithm is uniform, which suits an amount known to within a factor. `Deployment` takes a
    cost of a mistake given as ``(low, high)`` as this.

    Examples
    --------
    >>> import costspace as cs
    >>> round(cs.LogUniform(500, 5000).mean, 2)
    1954.33
    """

    _least: ClassVar[float] = MONEY[0]

    def __str__(self) -> str:
        return f"log-uniform from {self.low:g} to {self.high:g}"

    @property
    def _width(self) -> float:
        return float(np.log1p((self.high - self.low) / self.low))

    @property
    def mean(self) -> float:
        return (self.high - self.low) / self._width

    @property
    def measure(self) -> Measure:
        """Its density."""
        return measure_of(lambda x: 1 / (x * self._width), self.intervals[0])

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        drawn = self.low * np.exp(self._width * rng.random(size))
        return np.minimum(drawn, self.high)


@final
@dataclass(frozen=True)
class Between(_Bounded):
    """An uncertain amount, uniform between two bounds."""

    def __str__(self) -> str:
        return f"uniform from {self.low:g} to {self.high:g}"

    @property
    def mean(self) -> float:
        return (self.low + self.high) / 2

    @property
    def measure(self) -> Measure:
        """Its density."""
        height = 1 / (self.high - self.low)
        return measure_of(lambda x: np.full_like(x, height), self.intervals[0])

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return rng.uniform(self.low, self.high, size)


@final
@dataclass(frozen=True)
class Frozen(Amount):
    """An uncertain amount with a frozen continuous scipy distribution."""

    frozen: Any

    def __post_init__(self) -> None:
        try:
            mean = float(self.frozen.mean())
            float(self.frozen.pdf(mean))
        except (AttributeError, TypeError, ValueError):
            raise ConditionError(
                "an uncertain amount must be one continuous frozen scipy distribution such as "
                f"scipy.stats.lognorm(1), got {brief(self.frozen)}."
            ) from None
        if not np.isfinite(mean):
            raise ConditionError(
                f"an uncertain amount must have a finite mean, got {mean:g} for {self}."
            )

    def __str__(self) -> str:
        return f"distributed as scipy's {scipy_name(self.frozen)}"

    @property
    def intervals(self) -> FloatArray:
        return np.array([self.frozen.support()], dtype=float)

    @property
    def mean(self) -> float:
        return float(self.frozen.mean())

    @property
    def measure(self) -> Measure:
        """Its density, without negligible tails."""
        # Amounts count by their size, so the upper tail matters further out.
        seeds = np.concatenate([*quantiles(self.frozen), quantiles(self.frozen, _FAR_QUANTILES)[1]])
        ends = np.array([seeds.min(), seeds.max()])
        return measure_of(self._density, ends, seeds)

    def _density(self, x: FloatArray) -> FloatArray:
        # It may be infinite where rounding puts a number on an end of the support.
        return np.nan_to_num(self.frozen.pdf(x), posinf=0.0)

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return np.asarray(scipy_method(self.frozen, "ppf")(rng.random(size)))


@final
@dataclass(frozen=True, eq=False)
class Affine(FrozenValue, Amount):
    """An uncertain amount that is another one, times a factor and moved."""

    amount: Cost
    factor: float  # above 0
    moved: float

    def __str__(self) -> str:
        return f"{self.factor:g} times one {self.amount}, and {self.moved:g} more"

    @property
    def intervals(self) -> FloatArray:
        return self.factor * self.amount.intervals + self.moved

    @property
    def mean(self) -> float:
        return self.factor * self.amount.mean + self.moved

    @property
    def measure(self) -> Measure:
        """Its atoms or its density."""
        return self.amount.measure.stretched(self.factor).shifted(self.moved)

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.factor * self.amount.draw(rng, size) + self.moved


def affine(amount: Cost, factor: float, moved: float) -> Cost:
    """An amount times a factor that is not negative, and moved; a number if it is known."""
    if factor == 0:
        return Drawn([moved])
    if isinstance(amount, Drawn):
        return Drawn(factor * amount.measure.values + moved, amount.measure.masses)
    return amount if (factor, moved) == (1.0, 0.0) else Affine(amount, factor, moved)


Cost: TypeAlias = Drawn | LogUniform | Between | Frozen | Affine


def is_frozen(value: object) -> bool:
    """Whether a value looks like a frozen continuous scipy distribution."""
    has_quantiles = all(hasattr(value, name) for name in ("ppf", "isf")) or all(
        hasattr(value, name) for name in ("icdf", "iccdf")
    )
    return has_quantiles and all(hasattr(value, name) for name in ("pdf", "support", "mean"))
