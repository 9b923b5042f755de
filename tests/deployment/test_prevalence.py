"""A prevalence by distributions that tell no more than they must, against those that do."""

import numpy as np
import pytest
from refusals import refused
from scipy import stats

import costspace as cs


class Untold(cs.CostDistribution):
    """A distribution as a user would write it: the four abstract methods and nothing else."""

    def __init__(self, told: cs.CostDistribution) -> None:
        self.told = told

    def below(self, c, power):
        return self.told.below(c, power)

    def complement_from(self, c):
        return self.told.complement_from(c)

    def odds_moments(self, edges):
        return self.told.odds_moments(edges)

    def __str__(self) -> str:
        return "untold"


TOLD = {
    "uniform": cs.Uniform(0.05, 0.3),
    "from nothing on": cs.Uniform(0, 0.2),
    "bounds": cs.LogitUniform(0.001, 0.4),
    "beta": cs.Beta(2, 30),
    "beta at both ends": cs.Beta(1.5, 1.2),
    "sharp": cs.Beta(300, 2000),
    "bent": cs.ScipyFrozen(stats.triang(0.3, 0.05, 0.4)),
    "part": cs.Truncated(cs.Beta(2, 9), 0.1, 0.4),
    "two parts": cs.Mixture([cs.Uniform(0.1, 0.2), cs.Beta(20, 30)], [1, 3]),
    "atom inside": cs.Mixture([cs.Point(0.15), cs.Uniform(0.1, 0.2)], [1, 3]),
    "atom outside": cs.Mixture([cs.Point(0.6), cs.Uniform(0.1, 0.2)], [1, 3]),
    "atoms": cs.Sampled([0.1, 0.3, 0.1], [1, 2, 5]),
    "narrow": cs.Uniform(0.3, 0.3 + 1e-9),
    "hardly a range": cs.Uniform(0.3, 0.3 + 1e-15),
}
each_prevalence = pytest.mark.parametrize("name", TOLD)
CHOICES = (cs.Optimal(), cs.ScoreDriven(), cs.RateDriven(), cs.RateFixed(0.2), cs.ScoreFixed(0.4))


def sample() -> cs.ScoreTable:
    rng = np.random.default_rng(4)
    y = rng.random(60) < 0.4
    return cs.ScoreTable.from_predictions(y, np.clip(0.3 * y + 0.7 * rng.random(60), 0, 1))


@each_prevalence
@pytest.mark.parametrize("fn", [9, (5, 50)])
def test_a_prevalence_of_ones_own(name: str, fn) -> None:
    told, own = (cs.Deployment(1, fn, p) for p in (TOLD[name], Untold(TOLD[name])))
    for member in ("negative_stake", "positive_stake", "mean_prevalence"):
        assert getattr(own, member) == pytest.approx(getattr(told, member), rel=1e-12)
    # Between conditions that only their last digits tell apart, below itself has few digits.
    c = np.linspace(0.01, 0.99, 50)
    for staked in (True, False):
        one, other = own.skews(staked=staked), told.skews(staked=staked)
        for power in (0, 1, 2):
            np.testing.assert_allclose(one.below(c, power), other.below(c, power), atol=2e-10)
    for choice in CHOICES:
        money = [cs.expected_money(sample(), choice=choice, conditions=k) for k in (own, told)]
        assert money[0] == pytest.approx(money[1], rel=1e-9)


@each_prevalence
def test_bands_and_draws_of_ones_own(name: str) -> None:
    own = cs.Deployment(1, 9, Untold(TOLD[name]))
    bands = own.bands(4)
    assert sum(band.share for band in bands) == pytest.approx(1, abs=1e-9)
    total = sum(band.share * band.conditions.positive_stake for band in bands)
    assert total == pytest.approx(own.positive_stake, rel=1e-7)
    p = own.draw(40_000, seed=2).prevalence
    error = p.std() / np.sqrt(p.size)
    assert abs(p.mean() - own.mean_prevalence) <= 4.5 * error + 1e-12
    span = own.prevalence_range
    assert span.low * (1 - 1e-12) <= p.min() <= p.max() <= span.high * (1 + 1e-12)


def test_a_prevalence_of_atoms_alone_is_drawn() -> None:
    known = cs.Deployment(1, 9, Untold(cs.Sampled([0.1, 0.3], [1, 3])))
    assert isinstance(known.prevalence, cs.Drawn)
    assert known.skews() == cs.Deployment(1, 9, cs.Drawn([0.1, 0.3], [1, 3])).skews()


def test_words() -> None:
    assert (
        "prevalence distributed as untold" in cs.Deployment(1, 9, Untold(cs.Beta(2, 9))).assumptions
    )
    given = cs.Deployment(1, 9, cs.LogitUniform(0.1, 0.2)).assumptions
    assert given == cs.Deployment(1, 9, (0.1, 0.2)).assumptions


def test_a_small_atom_must_be_declared() -> None:
    small = Untold(cs.Mixture([cs.Point(0.1234), cs.Uniform(0.1, 0.3)], [1e-5, 1]))
    with refused(
        cs.ConditionError, "A distribution of your own must list atoms of less than 1e-4 (`atoms`)"
    ):
        cs.Deployment(1, 5, small).skews()
