"""How sure every number is.

A metric has a `Statistic` (`makers`, looked up by `named`), which knows what each row adds to it:
`influences`. From those come standard errors (`standard_error` of tables, `row_errors` of rows),
from standard errors intervals (`interval`, `class_means`), less what thresholds gain that were
chosen on the same rows (`optimism`).

What users call: `estimating`, `comparing`, `calibration`, `bands` for whole curves, `resampling`
for the bootstrap, `drifts` for two samples. `samples` and `designs` say what all are given.
"""
