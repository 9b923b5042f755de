"""Cost proportions by their skews, against the skews of balanced classes."""

import numpy as np
import pytest

import costspace as cs
from costspace.deployment.proportions import Proportions

C = np.concatenate([[-1, 0, 1e-4], np.linspace(0.005, 0.995, 80), [1, 2, np.inf]])


@pytest.mark.parametrize("costs", [{"fn_cost": (2, 20)}, {"fn_cost": 4}], ids=str)
def test_they_are_the_skews_of_balanced_classes(costs: dict[str, object]) -> None:
    skews, expected = (
        cs.Deployment(fp_cost=1, prevalence=p, **costs).skews(staked=False) for p in (0.03, 0.5)
    )
    found = Proportions(skews, 0.03)
    # Off the condition that a known cost has, which rounding may put on either side.
    for power in (0, 1, 2):
        np.testing.assert_allclose(found.below(C, power), expected.below(C, power), atol=1e-12)
    np.testing.assert_allclose(found.complement_from(C), expected.complement_from(C), atol=1e-12)
    edges = np.array([0, 0.02, 0.1, 0.3, 1])
    np.testing.assert_allclose(found.odds_moments(edges), expected.odds_moments(edges), atol=1e-12)
    assert found.mean() == pytest.approx(expected.mean(), rel=1e-12)
    assert str(found).endswith("as skews at prevalence 0.03")
