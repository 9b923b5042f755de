"""What a standard error needs of a statistic: its value and its influence."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, final

import numpy as np

from costspace.influences.influence import Influence
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable

Value: TypeAlias = Callable[[ScoreSource], float]
InfluenceOf: TypeAlias = Callable[[ScoreTable], Influence]
# Takes a table, the kind of weights, and the design effect.
BiasOf: TypeAlias = Callable[[ScoreTable, str, float], float]


@final
@dataclass(frozen=True, eq=False)
class Statistic:
    """A number computed from predictions, with the influence of each of them.

    A metric with all its parameters; `statistic_of` makes one.

    Attributes
    ----------
    name : str
        Its name in reports.
    value : callable
        Its value on a score source.
    influence : callable
        The influence of the rows of a table, at the table's prevalence. It raises `ConditionError`
        if there is none, where only the bootstrap is possible.
    range : tuple of two floats
        The least and the largest value it can have, perhaps infinite.
    span : float, optional
        How far it can move, at most, if all rows change; the width of the range by default.
    balanced : bool
        Whether it is on the skew axis, where classes have equal weight.
    one_sided : bool
        Whether samples overestimate it near the lower end of its range, so that only an upper
        bound has a meaning.
    bias : callable, optional
        Its expected excess over the population's value, from a table and the kind of weights, if
        that is of the order of the standard error: what is optimal on a sample looks too good
        there.
    ceiling : callable, optional
        The largest value it can have at the prevalence of a table, if that is below the end of
        its range: what is optimal loses no more than the trivial rules.

    Notes
    -----
    Hampel (1974), JASA 69: the influence of a row on a functional of its distribution.
    """

    name: str
    value: Value
    influence: InfluenceOf
    range: tuple[float, float] = (0.0, 1.0)
    span: float | None = None
    balanced: bool = False
    one_sided: bool = False
    bias: BiasOf | None = None
    ceiling: Callable[[ScoreTable], float] | None = None

    def range_on(self, table: ScoreTable, design: str) -> tuple[float, float]:
        """The range on a table, limited by the ceiling if the prevalence does not vary."""
        if self.ceiling is None or not (self.balanced or design == "stratified"):
            return self.range
        return self.range[0], self.ceiling(table)

    def bias_on(self, table: ScoreTable, value: float, weights: str, design_effect: float) -> float:
        """Its expected excess on a table, limited so that the corrected value is in its range."""
        if self.bias is None:
            return 0.0
        return value - float(np.clip(value - self.bias(table, weights, design_effect), *self.range))


Maker: TypeAlias = Callable[..., Statistic]
AnyMaker = TypeVar("AnyMaker", bound=Maker)

# The maker of each metric's statistic, once its module is loaded.
MAKERS: dict[Callable[..., Any], Maker] = {}


def makes_statistic(metric: Callable[..., Any]) -> Callable[[AnyMaker], AnyMaker]:
    """Register a function that makes a metric's statistic from its parameters."""

    def enter(maker: AnyMaker) -> AnyMaker:
        MAKERS[metric] = maker
        return maker

    return enter
