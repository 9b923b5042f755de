"""The closed-form bias of metrics whose thresholds the sample chose."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from costspace.arrays import FloatArray
from costspace.estimates.interval import Ends
from costspace.estimates.measured import Measured
from costspace.estimates.model_samples import ModelSample
from costspace.influences.optimism import BIAS_ERROR
from costspace.resampling.resamples import Resampling
from costspace.resampling.table_metrics import TableMetric, statistic_in


class Correction(NamedTuple):
    """The bias of a metric on a sample, its range, and whether it has only an upper bound."""

    bias: float
    inside: Ends
    one_sided: bool

    def centred(self, replicates: FloatArray, estimate: float) -> FloatArray:
        """The replicates around the estimate minus its bias, spread for the error of the bias.

        The bias of replicates differs from that of the sample, so their mean has no meaning, but
        their spread has.
        """
        deviations = replicates - np.mean(replicates)
        if not self.one_sided:
            share = BIAS_ERROR * self.bias / np.std(replicates, ddof=1)
            deviations *= np.hypot(1.0, share)
        return estimate - self.bias + deviations


def corrections(
    metrics: Mapping[str, TableMetric], resampling: Resampling, weights: str
) -> dict[str, Correction]:
    """The corrections of those metrics that are biased on the sample."""
    sample = ModelSample(resampling.sample, resampling.rows, resampling.model, weights)
    found = {}
    for name, metric in metrics.items():
        statistic = statistic_in(metric)
        if statistic is not None and statistic.bias is not None:
            measured = Measured(statistic, sample, resampling.design)
            inside = statistic.range_on(sample.table, resampling.design)
            centre = float(np.clip(measured.value - measured.bias, *inside))
            found[name] = Correction(measured.value - centre, inside, statistic.one_sided)
    return found
