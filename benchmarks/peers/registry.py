"""Every comparison, in the order of the page."""

from benchmarks.peers import calibration, curves, money, proper, ranking

COMPARISONS = (
    *ranking.COMPARISONS,
    *proper.COMPARISONS,
    *calibration.COMPARISONS,
    *curves.COMPARISONS,
    *money.COMPARISONS,
)
BY_KEY = {comparison.key: comparison for comparison in COMPARISONS}
