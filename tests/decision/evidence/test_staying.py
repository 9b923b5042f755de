"""Between which costs of a false negative one model stays the best, on held-out rows."""

import math

import numpy as np
import pytest
from two_models import drawn

import costspace as cs
from costspace.decision.evidence.staying import staying

Y, S = drawn(1, 300)


def best_at(decision, times, prevalence):
    """What loses least where a false negative costs so many times a false positive."""
    at = 1 / (1 + times)
    if len(set(decision.conditions.prevalence_range.__dict__.values())) > 1:
        at = float(cs.condition.skew_from_cost(at, prevalence=prevalence))
    losses = {one: float(curve(at)) for one, curve in decision.losses().items()}
    least = min(losses.values())
    return {one.model or one.name for one, loss in losses.items() if loss <= least + 1e-12}


@pytest.mark.parametrize("times", [0.3, 2.0, 7.0, 60.0])
@pytest.mark.parametrize("prevalence", [0.3, (0.1, 0.4)])
def test_its_ends_are_where_another_loses_less(times, prevalence):
    known = cs.Deployment(fp_cost=2, fn_cost=2 * times, prevalence=prevalence)
    decision = cs.decide(Y, S, conditions=known)
    found = staying(decision.task, decision.losses(), decision.strategy)
    p = known.mean_prevalence
    named = found.best.model or found.best.name
    assert found.least <= found.mean <= found.most
    assert found.mean == pytest.approx(times) or isinstance(prevalence, tuple)
    for times_inside in np.geomspace(max(found.least, 1e-3), min(found.most, 1e4), 7)[1:-1]:
        assert named in best_at(decision, times_inside, p)
    for end, by, rival in ((found.least, 0.999, found.below), (found.most, 1.001, found.above)):
        assert (rival is None) == (end in (0, math.inf))
        if rival is not None:
            assert (rival.model or rival.name) in best_at(decision, end * by, p)
