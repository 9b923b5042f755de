"""Threshold choice methods: one file a family, all answering `ThresholdChoice`."""

from costspace.choices.base import ThresholdChoice
from costspace.choices.fitted import Fitted
from costspace.choices.noisy import NoisyCondition
from costspace.choices.optimal import Optimal
from costspace.choices.rate import RateDriven, RateFixed, RateUniform
from costspace.choices.score import ScoreDriven, ScoreFixed, ScoreUniform

__all__ = [
    "Fitted",
    "NoisyCondition",
    "Optimal",
    "RateDriven",
    "RateFixed",
    "RateUniform",
    "ScoreDriven",
    "ScoreFixed",
    "ScoreUniform",
    "ThresholdChoice",
]
