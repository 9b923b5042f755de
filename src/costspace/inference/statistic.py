"""What a number of a table must know to have a standard error: its value and its influence."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np

from costspace.influences.influence import Influence
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable

Value: TypeAlias = Callable[[ScoreSource], float]
InfluenceOf: TypeAlias = Callable[[ScoreTable], Influence]
# Of a table, what weights stand for, and how many dependent rows are worth one independent row.
BiasOf: TypeAlias = Callable[[ScoreTable, str, float], float]


@final
@dataclass(frozen=True, eq=False)
class Statistic:
    """A number that predictions have, with how it moves with each of them.

    A metric with all its parameters; `statistic_of` makes one.

    Attributes
    ----------
    name : str
        What reports call it.
    value : callable
        Its value on a score source.
    influence : callable
        How it moves with the rows of a table, at the table's prevalence. It raises
        `ConditionError` where there is no such influence, and the bootstrap is the way.
    range : tuple of two floats
        The least and the largest value it can have, perhaps infinite.
    span : float, optional
        How far it can move, at most, as all rows are others; the width of the range by default.
    balanced : bool
        Whether it is on the skew axis, where classes count alike whatever their sizes.
    one_sided : bool
        Whether samples overestimate it near the lower end of its range, so that only an upper
        bound says something.
    bias : callable, optional
        How much larger than the population's value it is in the mean, of a table and what its
        weights are, where that is of the order of the standard error: what is optimal on a sample
        is too good there.
    ceiling : callable, optional
        The largest value it can have at the prevalence of a table, if that is less than the end
        of its range: what is optimal loses no more than the trivial rules do.

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
        """The range on a table, up to the ceiling if the prevalence does not vary."""
        if self.ceiling is None or not (self.balanced or design == "stratified"):
            return self.range
        return self.range[0], self.ceiling(table)

    def bias_on(self, table: ScoreTable, value: float, weights: str, design_effect: float) -> float:
        """How much too large it is on a table in the mean; without it, it is still in its range.

        Parameters
        ----------
        table : ScoreTable
        value : float
            The statistic of the table.
        weights : {"sampling", "counts"}
        design_effect : float
            How many dependent rows are worth one independent row.
        """
        if self.bias is None:
            return 0.0
        return value - float(np.clip(value - self.bias(table, weights, design_effect), *self.range))
