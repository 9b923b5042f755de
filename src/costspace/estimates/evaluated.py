"""Intervals for everything that `evaluate` computes from one table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.choices import ThresholdChoice
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.costs import CostDistribution
from costspace.errors import CostspaceError
from costspace.estimates.class_means import SCORE
from costspace.estimates.estimates import Estimate
from costspace.estimates.estimating import estimate_on
from costspace.estimates.few_rows import concerns, fewest, studied
from costspace.estimates.model_samples import ModelSample
from costspace.estimates.named import statistic_from
from costspace.estimates.sampling_design import design_of
from costspace.metrics.reported import ByKind, by_kind, quantities
from costspace.notebook import Tabulated
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable


@final
@dataclass(frozen=True)
class Intervals(FrozenValue, ByKind, Tabulated):
    """The intervals of one model's numbers.

    Attributes
    ----------
    metrics : mapping of str to Estimate or None
        By name; None where there is none.
    expected_loss : mapping of str to mapping of str to Estimate or None
        By axis and choice.
    notes : mapping of str to str
        Why one is None, by the name of the quantity.
    level : float in (0, 1)
        Confidence level of all of them.
    clustered : bool
        Whether groups of rows, instead of rows, are taken as independent.
    note : str or None
        How intervals do in simulations if few rows decide; None if coverage is near the level.
        The estimates that it is about have it too.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9]
    >>> model = cs.evaluate(y, {"model": s}, intervals=True).models["model"]
    >>> found = model.intervals.metrics["auc"]
    >>> round(found.low, 3), round(found.high, 3)
    (0.438, 0.997)
    """

    metrics: Mapping[str, Estimate | None]
    expected_loss: Mapping[str, Mapping[str, Estimate | None]]
    notes: Mapping[str, str]
    level: float = 0.95
    clustered: bool = False
    note: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Standard error, ends, method and bias by quantity, ready for JSON."""
        return {"level": self.level, **self._plain(_ends)}

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a quantity, NaN where there is no interval."""
        return self._table(".", ("estimate", "standard_error", "low", "high", "bias"))

    def _notes(self) -> list[str]:
        return [self.note] if self.note else []


def intervals_of(
    table: ScoreTable,
    costs: CostDistribution,
    choices: Mapping[str, ThresholdChoice] = PARAMETER_FREE,
    *,
    level: float = 0.95,
    rows: ScoredRows | None = None,
    model: str = "",
) -> Intervals:
    """The intervals of one table, with clustered standard errors if rows have groups."""
    notes: dict[str, str] = {}
    sample = ModelSample(table, None if rows is None else rows.counting, model)
    few = fewest(sample)
    told: list[str] = []

    def interval(name: str, metric: Callable[..., float]) -> Estimate | None:
        try:
            statistic = statistic_from(metric)
            design = design_of(statistic, table)
            found = estimate_on(statistic, sample, level=level, design=design)
        except CostspaceError as error:
            notes[name] = str(error)
            return None
        if not concerns(sample, means=found.method == SCORE):
            return found
        told.append(studied(name, costs=costs))
        return replace(found, note=few.note(told[-1:]))

    found = {name: interval(name, metric) for name, metric in quantities(choices, costs).items()}
    return Intervals(*by_kind(found), notes, level, sample.clustered, few.note(told))


def _ends(found: Estimate | None) -> dict[str, float | str] | None:
    if found is None:
        return None
    return {
        "se": found.standard_error,
        "low": found.low,
        "high": found.high,
        "method": found.method,
        "bias": found.bias,
    }
