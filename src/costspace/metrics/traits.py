"""Traits of metrics, declared where a metric is defined."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf
from types import ModuleType
from typing import Any, Literal, TypeAlias, TypeVar, final

AnyMetric = TypeVar("AnyMetric", bound=Callable[..., float])
Reads: TypeAlias = Literal["ranks", "probabilities", "either", "choice"]


@final
@dataclass(frozen=True)
class Traits:
    """What the rest of the package needs to know about a metric."""

    # What it takes scores as: ranks only, probabilities, either, or whatever its parameter `choice`
    # takes them as.
    reads: Reads
    larger_is_better: bool = False  # its direction
    # Why it has no bounds on scores known by bin: better scores may make it worse. None if they
    # only make it better.
    unbounded: str | None = None
    ends: tuple[float, float] = (0.0, inf)  # the ends of its range, which rounding must not exceed
    name: str = ""  # its name in every evaluation, as in JSON; empty if evaluations leave it out
    words: str = ""  # what tables for readers call it, if it has a name


# For functions that are not metrics of this package.
UNKNOWN = Traits(
    "either",
    unbounded="it is not known to improve with the scores: use an expected_loss, or compare it "
    "on binned.best and binned.worst",
)
_TRAITS: dict[Callable[..., Any], Traits] = {}


def metric(
    *,
    reads: Reads,
    larger_is_better: bool = False,
    unbounded: str | None = None,
    ends: tuple[float, float] = (0.0, inf),
    name: str = "",
    words: str = "",
) -> Callable[[AnyMetric], AnyMetric]:
    """Decorate a metric of predictions with its `Traits`, which are the parameters."""

    def described(function: AnyMetric) -> AnyMetric:
        _TRAITS[function] = Traits(reads, larger_is_better, unbounded, ends, name, words)
        return function

    return described


def defined_in(module: ModuleType) -> Iterator[tuple[Callable[..., float], Traits]]:
    """The metrics of a module with their traits, in its order."""
    return (
        (known, traits) for known, traits in _TRAITS.items() if known.__module__ == module.__name__
    )


def traits_of(function: object) -> Traits:
    """The traits of a metric, also with parameters, and `UNKNOWN` for anything else."""
    bare, _ = with_parameters(function)
    # Not by hash: the argument may be unhashable.
    return next((traits for known, traits in _TRAITS.items() if known is bare), UNKNOWN)


def with_parameters(metric: Any) -> tuple[Any, Mapping[str, Any]]:
    """A metric and its parameters by name, from a `functools.partial` if it is one."""
    if isinstance(metric, partial) and not metric.args:
        return metric.func, metric.keywords
    return metric, {}
