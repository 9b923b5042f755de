"""How sure every number is.

A metric has a `Statistic` (`makers`, looked up by `named`), which knows what each row adds to it:
`influences`. From those come standard errors (`standard_error` of tables, `row_errors` of rows),
from standard errors intervals (`interval`, `class_means`), less what thresholds gain that were
chosen on the same rows (`optimism`). `measured` has all of that for a statistic of one sample,
`two_estimates` for the difference of two, on the same rows or on samples of their own.

What users call: `estimating`, `comparing`, `calibration`, `bands` for whole curves, `resampling`
for the bootstrap, `two_samples` for drift. `samples` and `sampling_design` say what all are given.
"""
