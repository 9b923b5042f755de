"""Threshold choice methods: one file a family, all answering `ThresholdChoice`."""

from types import MappingProxyType

from costspace.choices.base import ThresholdChoice
from costspace.choices.fitted import Fitted
from costspace.choices.noisy import NoisyCondition
from costspace.choices.optimal import Optimal
from costspace.choices.rate import RateDriven, RateFixed, RateUniform
from costspace.choices.score import ScoreDriven, ScoreFixed, ScoreUniform

__all__ = [
    "PARAMETER_FREE",
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

# The methods that need nothing from the user, by the names that reports and JSON give them.
PARAMETER_FREE = MappingProxyType(
    {
        "score_fixed": ScoreFixed(),
        "score_uniform": ScoreUniform(),
        "score_driven": ScoreDriven(),
        "rate_uniform": RateUniform(),
        "rate_driven": RateDriven(),
        "optimal": Optimal(),
    }
)
