"""Standard errors, confidence intervals and tests.

A metric has a `Statistic` (beside it, looked up by `named`) with the influence of each row on it
(`influences`). Influences give standard errors (`standard_error` of tables, `row_errors` of rows),
and these give intervals (`interval`, `class_means`), minus the bias of thresholds that were chosen
on the same rows (`optimism`). `measured` combines all for a statistic of one sample,
`two_estimates` for the difference of two, on the same rows or on separate samples.

Users call `estimating`, `comparing` and `calibration`; `model_samples` and `sampling_design` have
their common arguments. Whole curves are in the room `bands`, the bootstrap in `resampling`, two
periods in `watching`.
"""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.estimates.calibration import CalibrationTest, calibration_test
    from costspace.estimates.comparing import compare
    from costspace.estimates.differences import ModelComparison, ModelDifference
    from costspace.estimates.estimates import Estimate
    from costspace.estimates.estimating import estimate
    from costspace.estimates.evaluated import Intervals

__all__ = [
    "CalibrationTest",
    "Estimate",
    "Intervals",
    "ModelComparison",
    "ModelDifference",
    "calibration_test",
    "compare",
    "estimate",
]
