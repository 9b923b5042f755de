"""Money within limits over a range of prevalence, by a search at each of many of them."""

import numpy as np
import pytest
from brute_force_limits import Best, ByRate, ByScore, Search
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import GRIDS, PLAIN, Predictions, predictions

import costspace as cs
from costspace.decision.constrained import constrained_money
from costspace.decision.costed import CostedScores

WAYS = {
    "score_driven": (cs.ScoreDriven(), ByScore()),
    "score_driven_corrected": (cs.ScoreDriven(0.37), ByScore(0.37)),
    "rate_driven": (cs.RateDriven(), ByRate()),
    "rate_fixed": (cs.RateFixed(0.31), ByRate(0.69)),
    "optimal": (cs.Optimal(), Best()),
}
NAMES = ("capacity", "min_precision", "min_recall", "min_npv", "max_fpr")
LIMIT = st.integers(0, 20).map(lambda i: i / 20) | st.integers(0, 10**4).map(lambda i: i / 10**4)
LIMITS = st.dictionaries(st.sampled_from(NAMES), LIMIT, min_size=1, max_size=3)
RANGES = st.sampled_from([(0.0213, 0.31), (0.117, 0.873), (0.3, 0.36)])
FEW = predictions(
    st.sampled_from([GRIDS, st.just(PLAIN)]).flatmap(lambda s: s),
    weights=st.integers(1, 3).map(float),
    sizes=(2, 6),
)


def money(scores, choice, conditions, limits, *, randomise):
    """Money per 1,000 cases, or None if nothing keeps to the limits."""
    if isinstance(scores, cs.ScoreTable):
        scores = CostedScores.same(scores)
    try:
        return constrained_money(
            scores, choice, conditions, cs.Constraints(**limits), randomise=randomise
        )
    except cs.InfeasibleError:
        return None


@pytest.mark.parametrize("name", WAYS)
@settings(max_examples=25)
@given(FEW, LIMITS, RANGES, st.sampled_from([0.2137, 1.013, 4.71]), st.booleans())
def test_known_costs(
    name: str,
    sample: Predictions,
    limits: dict[str, float],
    span: tuple[float, float],
    fn_cost: float,
    randomise: bool,
) -> None:
    choice, way = WAYS[name]
    search = Search(sample.y, sample.s, sample.weights, limits, way, fn_cost, randomise)
    expected = search.money(*span)
    known = cs.Deployment(1, fn_cost, span)
    found = money(sample.table, choice, known, limits, randomise=randomise)
    assert (found is None) == (expected is None)
    if expected is not None:
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
