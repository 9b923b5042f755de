"""A statistic of a model's scores on a sample, with everything that its error depends on."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.errors import SourceError
from costspace.estimates.class_means import Moments, class_moments, cluster_moments, means_in
from costspace.estimates.interval import Ends
from costspace.estimates.model_samples import ModelSample
from costspace.estimates.row_errors import (
    design_effect,
    row_corrections,
    row_error,
    row_influences,
    unit_errors,
)
from costspace.estimates.standard_error import class_variances
from costspace.influences.influence import Deviation, Influence
from costspace.influences.statistic import Statistic
from costspace.samples.rows import ScoredRows


@final
@dataclass(frozen=True, eq=False)
class Measured(FrozenValue):
    """A statistic of a sample; costly parts are computed when first used."""

    statistic: Statistic
    sample: ModelSample
    design: str  # as in `standard_error`

    @cached_property
    def value(self) -> float:
        return self.statistic.value(self.sample.table)

    @cached_property
    def influence(self) -> Influence:
        return self.statistic.influence(self.sample.table)

    @cached_property
    def means(self) -> tuple[Deviation, Deviation] | None:
        """The part of each class's mean, if the error is a sum of class means."""
        return means_in(self.influence)

    @cached_property
    def error(self) -> float:
        """The standard error, without that of the bias."""
        if not self.sample.clustered:
            return self._independent_error
        return self.error_of(self.by_row)

    @cached_property
    def by_row(self) -> FloatArray:
        """The influence of each row."""
        sample = self.sample
        return row_influences(
            self.influence, self._rows, sample.table, sample.model, design=self.design
        )

    def error_of(self, influences: FloatArray) -> float:
        """The standard error of a statistic with these influences of the rows."""
        return row_error(influences, self._rows, weights=self.sample.weights)

    @property
    def by_group(self) -> FloatArray:
        """The part of each group of rows in the error."""
        rows = self._rows
        return unit_errors(self.by_row * row_corrections(rows, self.sample.weights), rows)

    @cached_property
    def bias(self) -> float:
        """The expected excess of the value."""
        sample = self.sample
        return self.statistic.bias_on(sample.table, self.value, sample.weights, self.design_effect)

    @property
    def design_effect(self) -> float:
        """How many dependent rows are worth one independent row."""
        if not self.sample.clustered:
            return 1.0
        return design_effect(self.value, self.error, self._independent_error, self.statistic.range)

    def moments(self, means: tuple[Deviation, Deviation]) -> Sequence[Moments]:
        """The moments of each independent part of the error of a sum of class means."""
        sample = self.sample
        if sample.clustered:
            return [cluster_moments(self.by_row, self._rows, self.error)]
        return class_moments(
            means,
            self.influence,
            sample.table,
            self._variances,
            design=self.design,
            weights=sample.weights,
        )

    @property
    def _independent_error(self) -> float:
        """The standard error if rows were independent."""
        return float(np.sqrt(sum(self._variances)))

    @cached_property
    def _variances(self) -> Ends:
        sample = self.sample
        return class_variances(
            self.influence, sample.table, design=self.design, weights=sample.weights
        )

    @property
    def _rows(self) -> ScoredRows:
        if self.sample.rows is None:
            raise SourceError("a table does not identify rows: give rows.")
        return self.sample.rows
