"""Ten thousand small samples, each against every way of acting in the order of its scores."""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest

import costspace as cs
from costspace.arrays import FloatArray, IndexArray

SAMPLES = 10_000
TOLERANCE = 1e-12


@cache
def ways(places: int, cuts: int) -> IndexArray:
    """Every choice of so many ascending places for cuts, of shape (cuts, ways)."""
    return np.array(list(combinations_with_replacement(range(places), cuts))).T


class Drawn:
    """A sample with ties, perhaps with weights and another prevalence."""

    def __init__(self, rng: np.random.Generator) -> None:
        n = int(rng.integers(2, 8))
        self.y = np.append([0, 1], rng.integers(0, 2, n - 2))
        self.s = rng.integers(0, rng.choice([3, 4, 9]), n) / 8
        self.w = rng.choice([1.0, 2.0, 0.5, 3.25], n) if rng.random() < 0.5 else np.ones(n)
        given = float(rng.choice([0.02, 0.3, 0.5, 0.9])) if rng.random() < 0.5 else None
        table = cs.ScoreTable.from_predictions(self.y, self.s, sample_weight=self.w)
        self.table = table if given is None else table.with_prevalence(given)
        own = float(self.w[self.y == 1].sum() / self.w.sum())
        self.prevalence = own if given is None else given
        # Of each class, the share above every place for a cut: below all scores, and at each.
        self.places = np.append(-np.inf, np.unique(self.s))
        self.above = np.stack([self.share_above(self.places, k) for k in (0, 1)])

    def share_above(self, thresholds: FloatArray, label: int) -> FloatArray:
        own = self.y == label
        above = self.s[own][:, None] > np.asarray(thresholds)
        return self.w[own] @ above / self.w[own].sum()

    def acted(self, above: FloatArray) -> FloatArray:
        """The share of each class under each action: (class, action, ways)."""
        ends = np.ones((2, 1, above.shape[2])), np.zeros((2, 1, above.shape[2]))
        return -np.diff(np.concatenate([ends[0], above, ends[1]], axis=1), axis=1)

    def cost(self, costs: FloatArray, shares: FloatArray) -> FloatArray:
        """What a case costs each way, by the cases of each class under each action."""
        of_class = np.einsum("ca,caw->cw", costs, shares)
        return (1 - self.prevalence) * of_class[0] + self.prevalence * of_class[1]

    def every(self, actions: int) -> FloatArray:
        """The shares under so many actions, of every way to act."""
        return self.acted(self.above[:, ways(len(self.places), actions - 1)])


def table_of(rng: np.random.Generator, actions: int) -> tuple[cs.CostTable, dict]:
    """Costs of actions that may be needed or not; of three, those of a review."""
    amounts = rng.choice([0.0, 1.0, 2.0, 5.0, 12.0], 8) if rng.random() < 0.5 else rng.random(8) * 9
    if actions > 3:
        chain = np.sort(amounts[:actions]), np.sort(rng.permutation(amounts)[:actions])[::-1]
        return cs.CostTable(np.stack(chain)), {}
    tn, tp = rng.choice([0.0, -1.5, 0.5], 2).tolist()
    known = {"fp_cost": tn + amounts[0] + 0.5, "fn_cost": tp + amounts[1] + 0.5}
    known |= {"tp_cost": tp, "tn_cost": tn}
    errors = rng.choice([1.0, 0.95, 0.8, 0.6], 2).tolist()
    review = cs.Review(float(rng.choice([0.05, 0.3, 1.0, 3.0])), *errors)
    return review.table(**known), {**known, "review": review}


def least_within(cost: FloatArray, share: FloatArray, most: float) -> float:
    """The least cost of one or a mixture of two ways, with at most a share reviewed on average."""
    under = share <= most + TOLERANCE
    over = ~under
    best = float(cost[under].min())
    if not over.any():
        return best
    gap = share[over][:, None] - share[under]
    part = np.clip((most - share[under]) / gap, 0, 1)
    return min(best, float((cost[over][:, None] * part + cost[under] * (1 - part)).min()))


@pytest.mark.simulation
def test_actions_cost_what_the_best_of_all_ways_does() -> None:
    rng = np.random.default_rng(0)
    for number in range(SAMPLES):
        sample, actions = Drawn(rng), (3, 3, 4, 5)[number % 4]
        table, known = table_of(rng, actions)
        p, scale = sample.prevalence, max(1.0, float(np.abs(table.costs).max()))
        # From the lowest scores up: any ascending set of thresholds, some of the actions unused.
        order = np.arange(3) if known else np.argsort(table.costs[0], kind="stable")
        shares = sample.every(actions)
        costs = sample.cost(table.costs[:, order], shares)
        optimal = cs.loss_curve(sample.table, choice=cs.Optimal())
        assert abs(table.cost(optimal, p) - costs.min()) < TOLERANCE * scale, number
        if number % 8 < 4:
            # Trusting scores, by counting above the thresholds of the steps.
            driven = cs.loss_curve(sample.table, choice=cs.ScoreDriven())
            above = np.stack([sample.share_above(table.steps.costs, k) for k in (0, 1)])
            own = sample.cost(table.useful.costs, sample.acted(above[..., None]))
            assert abs(table.cost(driven, p) - own.item()) < TOLERANCE * scale, number
        if known:
            curve = cs.review_curve(sample.table, **known, choice=cs.Optimal())
            now, most = known["review"].cost.mean, float(rng.choice([0.0, 0.1, 0.25, 0.5]))
            assert abs(curve(now) - costs.min()) < TOLERANCE * scale, number
            reviewed = (1 - p) * shares[0, 1] + p * shares[1, 1]
            price = curve.price(most)
            found = curve(now + price) - price * most
            assert abs(found - least_within(costs, reviewed, most)) < TOLERANCE * scale, number
