"""How sure every number is.

A metric has a `Statistic` (`makers`, looked up by `named`), which knows what each row adds to it:
`influences`. From those come standard errors (`standard_error` of tables, `row_errors` of rows),
from standard errors intervals (`interval`, `class_means`), less what thresholds gain that were
chosen on the same rows (`optimism`). `measured` has all of that for a statistic of one sample,
`two_estimates` for the difference of two, on the same rows or on samples of their own.

What users call: `estimating`, `comparing`, `calibration`, `bands` for whole curves, `resampling`
for the bootstrap, `two_samples` for drift. `samples` and `sampling_design` say what all are given.
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
