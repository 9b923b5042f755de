"""Standard errors, confidence intervals and tests.

A metric has a `Statistic` (beside it, looked up by `named`) with the influence of each row on it
(`influences`). Influences give standard errors (`standard_error` of tables, `row_errors` of rows),
and these give intervals (`interval`, `class_means`), minus the bias of thresholds that were chosen
on the same rows (`optimism`). `measured` combines all for a statistic of one sample,
`two_estimates` for the difference of two, on the same rows or on separate samples.

Users call `estimating`, `comparing`, `calibration`, `bands` for whole curves, `resampling` for the
bootstrap and `two_samples` for drift. `samples` and `sampling_design` have their common arguments.
"""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.inference.bands.band import LossBand
    from costspace.inference.bands.banding import difference_band, loss_band
    from costspace.inference.bands.best_thresholds import ThresholdInterval, threshold_interval
    from costspace.inference.bands.crossing_intervals import CrossingIntervals
    from costspace.inference.calibration import CalibrationTest, calibration_test
    from costspace.inference.changes import Change, Drift
    from costspace.inference.comparing import compare
    from costspace.inference.differences import ModelComparison, ModelDifference
    from costspace.inference.estimates import Estimate
    from costspace.inference.estimating import estimate
    from costspace.inference.evaluated import Intervals
    from costspace.inference.resampling.bootstrapping import bootstrap
    from costspace.inference.resampling.replicates import Bootstrap
    from costspace.inference.score_shifts import ScoreShift
    from costspace.inference.two_samples import drift

__all__ = [
    "Bootstrap",
    "CalibrationTest",
    "Change",
    "CrossingIntervals",
    "Drift",
    "Estimate",
    "Intervals",
    "LossBand",
    "ModelComparison",
    "ModelDifference",
    "ScoreShift",
    "ThresholdInterval",
    "bootstrap",
    "calibration_test",
    "compare",
    "difference_band",
    "drift",
    "estimate",
    "loss_band",
    "threshold_interval",
]
