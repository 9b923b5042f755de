"""The threshold choice methods that need nothing from the user."""

from types import MappingProxyType

from costspace.choices.optimal import Optimal
from costspace.choices.rate import RateDriven, RateUniform
from costspace.choices.score import ScoreDriven, ScoreFixed, ScoreUniform

# By their names in reports and JSON.
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
