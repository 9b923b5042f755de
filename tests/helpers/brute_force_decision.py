"""Decisions in money by trying every threshold at every condition: slow, and by definition.

It uses nothing of costspace. A condition is a tuple (fp, fn, tp, tn, prevalence, probability), a
rule the probability with which each cut is applied, a cut the threshold s > t.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

METHODS = [
    *("score_fixed", "score_uniform", "score_driven", "score_driven_uncorrected"),
    *("rate_uniform", "rate_driven", "optimal"),
]
BY_SKEW = ["score_fixed", "score_driven", "optimal"]
EPSILON = 1e-12


class Condition(NamedTuple):
    fp: float
    fn: float
    tp: float
    tn: float
    p: float
    probability: float

    @property
    def a(self):
        return self.fp - self.tn

    @property
    def b(self):
        return self.fn - self.tp

    @property
    def skew(self):
        return (1 - self.p) * self.a / ((1 - self.p) * self.a + self.p * self.b)

    def money(self, fpr, fnr):
        """Per 1,000 cases, each outcome with its cost."""
        negatives = fpr * self.fp + (1 - fpr) * self.tn
        positives = fnr * self.fn + (1 - fnr) * self.tp
        return 1000 * ((1 - self.p) * negatives + self.p * positives)


def log_uniform_grid(low, high, n):
    return low * (high / low) ** ((np.arange(n) + 0.5) / n)


def log_odds_grid(low, high, n):
    odds = log_uniform_grid(low / (1 - low), high / (1 - high), n)
    return odds / (1 + odds)


def conditions_of(fp, fn, prevalence, tp=(0.0,), tn=(0.0,)):
    """All combinations, equally likely."""
    grid = [np.ravel(x) for x in np.meshgrid(fp, fn, tp, tn, prevalence, indexing="ij")]
    n = len(grid[0])
    return [Condition(*map(float, row), 1 / n) for row in zip(*grid, strict=True)]


def mean_money(conditions, point_at):
    """Mean of what a rule costs that goes to `point_at(condition)`."""
    return sum(one.probability * one.money(*point_at(one)) for one in conditions)


def trials(losses, groups, stake):
    """How many rows of a class decide alone: their number over the design effect of its groups."""
    n, more = len(losses), (stake / len(losses)) ** 2
    apart = (losses - losses.mean()) / n
    of_group = [apart[groups == group].sum() for group in np.unique(groups)]
    of_size = [np.sum(groups == group) for group in np.unique(groups)]
    kish = n * n / np.sum(np.square(of_size))
    effect = (np.sum(np.square(of_group)) + more * n / kish) / (np.sum(apart**2) + more)
    return max(n / max(effect, 1.0), kish)


def shortest(low, high):
    """The number of fewest digits between two scores, and no nearer to one than float32 tells."""
    middle, near = (low + high) / 2, 2.0**-23 * max(abs(low), abs(high))
    near = near if high - low > 4 * near else 0.0
    tried = (float(f"{middle:.{digits}g}") for digits in range(1, 18))
    return next(one for one in (*tried, middle) if low + near < one < high - near or one == middle)


class Sample:
    """Labels, scores and weights, and what each of all cuts does to them."""

    def __init__(self, y, s, w=None):
        self.y, self.s = np.asarray(y, dtype=bool), np.asarray(s, dtype=float)
        self.w = np.ones(len(self.y)) if w is None else np.asarray(w, dtype=float)
        self.used = used = np.unique(self.s[self.w > 0])
        # Any threshold in the gap does: the middle one is what a path has, that in few digits is
        # deployed.
        self.cuts = np.concatenate([[-np.inf], (used[:-1] + used[1:]) / 2, [np.inf]])
        self.fpr, self.fnr = self.rates(self.cuts)
        self.written = np.concatenate(
            [[-np.inf], [shortest(*gap) for gap in pairwise(used.tolist())], [np.inf]]
        )

    def rates(self, thresholds):
        positive, negative = self.w * self.y, self.w * ~self.y
        thresholds = np.atleast_1d(thresholds)
        flagged = [self.s > t for t in thresholds]
        fpr = np.array([negative[f].sum() for f in flagged]) / negative.sum()
        fnr = np.array([positive[~f].sum() for f in flagged]) / positive.sum()
        return fpr, fnr

    def rate_at(self, threshold):
        fpr, fnr = self.rates(threshold)
        return fpr[0], fnr[0]

    def share_flagged(self, p):
        return (1 - p) * self.fpr + p * (1 - self.fnr)

    # --- Rules: a probability for each cut ---

    def sole(self, index):
        rule = np.zeros(len(self.cuts))
        rule[index] = 1
        return rule

    def best_cut(self, condition):
        """Of cuts that cost the same the one that flags fewest."""
        money = condition.money(self.fpr, self.fnr)
        return self.sole(np.flatnonzero(money <= money.min() + EPSILON * abs(money.min()))[-1])

    def flagging_share(self, rate, p):
        """The mix of neighbouring cuts that flags a share of all cases."""
        share = self.share_flagged(p)
        for i in range(len(share) - 1):
            if share[i + 1] <= rate <= share[i]:
                rule = np.zeros(len(share))
                along = (share[i] - rate) / (share[i] - share[i + 1])
                rule[i], rule[i + 1] = 1 - along, along
                return rule
        raise AssertionError(rate)

    def uniform_score(self):
        """A threshold drawn evenly from [0, 1]."""
        used = np.clip(self.used, 0, 1)
        return np.diff(np.concatenate([[0.0], used, [1.0]]))

    def uniform_rate(self, p):
        """The share flagged drawn evenly from [0, 1]."""
        width = -np.diff(self.share_flagged(p))
        return (np.append(width, 0) + np.append(0, width)) / 2

    def nearest_cut(self, threshold):
        """The cut that flags the same."""
        return self.sole(np.searchsorted(self.used, threshold, side="right"))

    def rule(self, method, condition, calibrated_to):
        p = condition.p
        c = condition.a / (condition.a + condition.b)
        if method == "optimal":
            return self.best_cut(condition)
        if method == "score_fixed":
            return self.nearest_cut(0.5)
        if method == "score_driven_uncorrected":
            return self.nearest_cut(c)
        if method == "score_driven":
            odds = condition.skew / (1 - condition.skew) * calibrated_to / (1 - calibrated_to)
            return self.nearest_cut(odds / (1 + odds))
        if method == "score_uniform":
            return self.uniform_score()
        if method == "rate_driven":
            return self.flagging_share(1 - c, p)
        assert method == "rate_uniform"
        return self.uniform_rate(p)

    def point(self, rule):
        return rule @ self.fpr, rule @ self.fnr

    def carried(self, rule, other):
        """Where the rule works on another sample, its cuts in few digits."""
        fpr, fnr = other.rates(self.written)
        return rule @ fpr, rule @ fnr

    # --- Constraints ---

    def beyond(self, limits, p):
        """By how much each cut is beyond each constraint, linear in its rates; one row each."""
        negatives, positives = (1 - p) * self.fpr, p * (1 - self.fnr)
        missed, right = p * self.fnr, (1 - p) * (1 - self.fpr)
        rows = {
            "capacity": lambda x: negatives + positives - x,
            "min_precision": lambda x: x * (negatives + positives) - positives,
            "min_recall": lambda x: x - (1 - self.fnr),
            "min_npv": lambda x: x * (missed + right) - right,
            "max_fpr": lambda x: self.fpr - x,
        }
        return np.array([rows[name](limit) for name, limit in limits.items()])

    def best_within(self, negative_stake, positive_stake, limits, prevalences):
        """The best rule within limits at each of some prevalences, any mix of any cuts; or None."""
        beyond = np.concatenate([self.beyond(limits, p) for p in prevalences])
        money = negative_stake * self.fpr + positive_stake * self.fnr
        scale = money.max()
        found = linprog(
            money / scale,
            A_ub=beyond,
            b_ub=np.full(len(beyond), 1e-14),
            A_eq=np.ones((1, len(money))),
            b_eq=[1],
            method="highs-ds",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        assert found.status in (0, 2), found.message
        return None if found.status == 2 else found.x

    def room(self, limits, p, quantile):
        """How far beyond each constraint chance may put each cut; one row each.

        A rate with half a row more may be as high as the last one that a test with its own error
        does not reject.
        """
        inner = np.abs(self.fpr - self.fnr) < 1

        def above(rate, side):
            n = np.count_nonzero(self.y == side)
            seen, square = np.minimum(rate + 0.5 / n, 1), quantile**2 / n
            # Roots of (1 + square) x^2 - (2 seen + square) x + seen^2, as `np.roots` finds them.
            companions = np.zeros((len(seen), 2, 2))
            companions[:, 0, 0] = (2 * seen + square) / (1 + square)
            companions[:, 0, 1] = -(seen**2) / (1 + square)
            companions[:, 1, 0] = 1
            highest = np.linalg.eigvals(companions).real.max(axis=1)
            return inner * (highest - rate) if quantile else np.zeros(len(rate))

        x, y, found = above(self.fpr, 0), above(self.fnr, 1), above(1 - self.fnr, 1)
        rows = {
            "capacity": lambda _: np.hypot((1 - p) * x, p * found),
            "min_precision": lambda v: np.hypot(v * (1 - p) * x, (1 - v) * p * y),
            "min_recall": lambda _: y,
            "min_npv": lambda v: np.hypot((1 - v) * (1 - p) * x, v * p * y),
            "max_fpr": lambda _: x,
        }
        return np.array([rows[name](limit) for name, limit in limits.items()])

    def best_cut_within(self, negative_stake, positive_stake, limits, prevalences, *, quantile=0.0):
        """The same without mixes, with room for so many standard errors, as `room` has it."""
        beyond = np.concatenate(
            [self.beyond(limits, p) + self.room(limits, p, quantile) for p in prevalences]
        )
        held = np.all(beyond <= 1e-14, axis=0)
        if not held.any():
            return None
        money = negative_stake * self.fpr + positive_stake * self.fnr
        least = money[held].min()
        return self.sole(np.flatnonzero(held & (money <= least * (1 + EPSILON)))[-1])

    def moved(self, rule, limits, prevalences, p, *, randomise, steps=500, quantile=0.0):
        """A rule that is infeasible, moved to where the share flagged is nearest; or None.

        Mixes of neighbouring cuts are tried in steps.
        """
        beyond = np.concatenate(
            [self.beyond(limits, q) + self.room(limits, q, quantile) for q in prevalences]
        )
        if np.all(beyond @ rule <= 1e-14):
            return rule
        share = self.share_flagged(p)
        tried = [self.sole(i) for i in range(len(share))]
        if randomise:
            tried += [
                (1 - along) * self.sole(i) + along * self.sole(i + 1)
                for i in range(len(share) - 1)
                for along in np.linspace(0, 1, steps + 1)[1:-1]
            ]
        held = [one for one in tried if np.all(beyond @ one <= 1e-14)]
        if not held:
            return None
        return min(held, key=lambda one: (abs(share @ one - share @ rule), share @ one))
