"""Confidence bands around loss curves, exact at every condition."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.bands.band import LossBand
    from costspace.bands.banding import difference_band, loss_band
    from costspace.bands.best_thresholds import ThresholdInterval, threshold_interval
    from costspace.bands.crossing_intervals import CrossingIntervals
    from costspace.bands.gain_bands import GainBand, gain_band

__all__ = [
    "CrossingIntervals",
    "GainBand",
    "LossBand",
    "ThresholdInterval",
    "difference_band",
    "gain_band",
    "loss_band",
    "threshold_interval",
]
