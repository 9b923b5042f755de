"""Money per 1,000 cases, of which the prevalence at deployment is part of the conditions."""

import costspace as cs
from benchmarks.coverage.models import MODELS
from benchmarks.coverage.samples import drawn, figures_of, values_of
from benchmarks.coverage.study import LEVEL, Cell, Part, cells_of
from costspace.estimates.estimating import estimate_on
from costspace.estimates.model_samples import ModelSample
from costspace.estimates.named import statistic_of

UNKNOWN = cs.Deployment(fp_cost=1, fn_cost=(1, 10), prevalence=(0.05, 0.2))
# Of these choices the error is known at one prevalence.
KNOWN = cs.Deployment(fp_cost=1, fn_cost=(1, 10), prevalence=0.1)
MONEY = {
    "score_fixed": (cs.ScoreFixed(0.1), UNKNOWN),
    "score_uniform": (cs.ScoreUniform(), UNKNOWN),
    "optimal": (cs.Optimal(), UNKNOWN),
    "score_driven": (cs.ScoreDriven(), KNOWN),
    "rate_uniform": (cs.RateUniform(), KNOWN),
    "rate_driven": (cs.RateDriven(), KNOWN),
}
STATISTICS = {
    f"money.{name}": statistic_of(cs.expected_money, choice=choice, conditions=conditions)
    for name, (choice, conditions) in MONEY.items()
}


def simulate(cell: Cell, simulation: int) -> list[tuple[float, ...]]:
    positive, scores = drawn(cell, simulation)
    table = cs.ScoreTable.from_predictions(positive, scores)
    return [
        figures_of(estimate_on(statistic, ModelSample(table), level=LEVEL, design="stratified"))
        for statistic in STATISTICS.values()
    ]


PART = Part(
    "Money per 1,000 cases",
    "A false positive costs 1, a missed positive 1 to 10; prevalence at deployment 5 to 20 %, or "
    "10 % for the choices whose error needs it to be known. Independent rows.",
    cells_of(list(MODELS), ("independent",)),
    {200: 1000, 1000: 1000, 5000: 1000},
    lambda cell: tuple(STATISTICS),
    lambda cell: values_of(STATISTICS.values(), cell),
    simulate,
)
