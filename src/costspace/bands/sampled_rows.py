"""Rows and their sampling design: everything that the errors of their losses depend on."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

from costspace.arrays import FrozenValue
from costspace.bands.row_losses import FlaggedRows, RowLosses, row_losses
from costspace.bands.row_shares import RowShares, row_shares
from costspace.checks import check_axis, check_prevalence
from costspace.estimates.measured import Measured
from costspace.estimates.model_samples import ModelSample, table_of
from costspace.estimates.named import statistic_named
from costspace.estimates.sampling_design import check_weights_are, settled_design
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable


@final
@dataclass(frozen=True, eq=False)
class SampledRows(FrozenValue):
    """Rows and their sampling: everything that the errors of their losses depend on."""

    rows: ScoredRows
    prevalence: float | None  # share of positives, if it is known: 1/2 on the skew axis
    design: str  # "independent" or "stratified"
    weights: str  # "sampling" or "counts"

    @classmethod
    def on(
        cls,
        axis: str,
        rows: ScoredRows,
        *,
        prevalence: float | None,
        design: str | None,
        weights: str,
    ) -> "SampledRows":
        """Rows on an axis, by the given design or the one that fits.

        `ConditionError` if there is no such axis, design or kind of weights, or the prevalence is
        invalid, or given although the design lets it vary.
        """
        balanced = check_axis(axis) == "skew"
        known = None if prevalence is None else check_prevalence(prevalence)
        settled = settled_design(design, known, balanced=balanced)
        return cls(rows, 0.5 if balanced else known, settled, check_weights_are(weights))

    @property
    def fixed(self) -> bool:
        """Whether the share of positives does not vary."""
        return self.design == "stratified" or self.prevalence is not None

    def table(self, model: str) -> ScoreTable:
        """The scores of a model."""
        return table_of(self.rows, model, self.prevalence)

    def design_effect(self, model: str) -> float:
        """How many rows in clusters are worth one independent row for the optimal loss.

        The optimal loss is that under uniform costs, for all conditions.
        """
        sample = ModelSample(self.table(model), self.rows, model, self.weights)
        optimal = statistic_named("expected_loss.cost.optimal")
        return Measured(optimal, sample, self.design).design_effect

    @cached_property
    def shares(self) -> RowShares:
        """The weights of each row."""
        return row_shares(
            self.rows, prevalence=self.prevalence, fixed=self.fixed, weights=self.weights
        )

    def losses(self, *flagged: FlaggedRows) -> RowLosses:
        """The errors of a sum of losses."""
        return row_losses(self.shares, flagged)
