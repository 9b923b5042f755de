"""Threshold choice methods: one file a family, all implementing `ThresholdChoice`."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.choices.base import ThresholdChoice
    from costspace.choices.fitted import Fitted
    from costspace.choices.flagging import ConstantFlagging, SlidingFlagging, SwitchedFlagging
    from costspace.choices.noisy import NoisyCondition
    from costspace.choices.optimal import Optimal
    from costspace.choices.rate import RateDriven, RateFixed, RateUniform
    from costspace.choices.score import ScoreDriven, ScoreFixed, ScoreUniform
    from costspace.choices.smoothed import Smoothed

__all__ = [
    "ConstantFlagging",
    "Fitted",
    "NoisyCondition",
    "Optimal",
    "RateDriven",
    "RateFixed",
    "RateUniform",
    "ScoreDriven",
    "ScoreFixed",
    "ScoreUniform",
    "SlidingFlagging",
    "Smoothed",
    "SwitchedFlagging",
    "ThresholdChoice",
]
