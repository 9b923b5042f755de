"""What differs between metrics: said where a metric is defined, and asked of any metric."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, Literal, TypeAlias, TypeVar, final

AnyMetric = TypeVar("AnyMetric", bound=Callable[..., float])
Reads: TypeAlias = Literal["ranks", "probabilities", "either", "choice"]


@final
@dataclass(frozen=True)
class Traits:
    """What the rest of the package has to know of a metric.

    Attributes
    ----------
    reads : {"ranks", "probabilities", "either", "choice"}
        What it takes scores for: nothing but an order, probabilities, either one, or what its
        parameter `choice` takes them for.
    larger_is_better : bool
        Its direction.
    unbounded : str, optional
        Why it has no bounds on scores known by bin: better scores may make it worse. None if they
        only make it better.
    ends : tuple of two floats
        Beyond which not even rounding takes it.
    """

    reads: Reads
    larger_is_better: bool = False
    unbounded: str | None = None
    ends: tuple[float, float] = (0.0, inf)


# What is no metric of this package, or says nothing of itself.
UNKNOWN = Traits(
    "either",
    unbounded="it is not known to improve with the scores: ask for an expected_loss, or compare it "
    "on binned.best and binned.worst",
)
_TRAITS: dict[Callable[..., Any], Traits] = {}


def metric(
    *,
    reads: Reads,
    larger_is_better: bool = False,
    unbounded: str | None = None,
    ends: tuple[float, float] = (0.0, inf),
) -> Callable[[AnyMetric], AnyMetric]:
    """Decorate a metric of predictions with its `Traits`, which are the parameters."""

    def described(function: AnyMetric) -> AnyMetric:
        _TRAITS[function] = Traits(reads, larger_is_better, unbounded, ends)
        return function

    return described


def traits_of(function: object) -> Traits:
    """The traits of a metric, `UNKNOWN` for anything else."""
    # Not by its hash: what is no metric may have none.
    return next((traits for known, traits in _TRAITS.items() if known is function), UNKNOWN)
