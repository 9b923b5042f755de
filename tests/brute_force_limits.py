"""What keeping to limits costs over a range of prevalence, by a search at each of many of them.

Costs are known, and the log-odds of the prevalence uniform. Between the prevalences at which
anything can change, most of which change nothing, money is summed with Gauss's weights.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, pairwise

import numpy as np
from scipy.special import expit, logit

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
# Log-odds at which it is looked for changes of sign, and steps towards each.
_LOOKS, _STEPS = 200, 9


def excess(name, k, x, y, p):
    """How far a point is beyond a limit, not as a quotient."""
    fp, tp, fn, tn = (1 - p) * x, p * (1 - y), p * y, (1 - p) * (1 - x)
    return {
        "capacity": fp + tp - k,
        "min_precision": k * (fp + tp) - tp,
        "min_recall": k - (1 - y) + 0 * p,
        "min_npv": k * (fn + tn) - tn,
        "max_fpr": x - k + 0 * p,
    }[name]


def unflagged(x, y, p):
    return (1 - p) * (1 - x) + p * y


@dataclass(frozen=True)
class ByScore:
    """Flag scores above the cost proportion, corrected for the prevalence."""

    calibrated_to: float | None = None

    def threshold(self, c, p):
        if self.calibrated_to is None:
            return c + 0 * p
        return expit(logit(c) + logit(self.calibrated_to) - logit(p))


@dataclass(frozen=True)
class ByRate:
    """Leave a share unflagged: a number, or the cost proportion."""

    share: float | None = None


@dataclass(frozen=True)
class Best:
    """Go where it costs least."""


@dataclass(frozen=True, eq=False)
class Search:
    """A sample, known costs, limits, and a way to choose."""

    y: np.ndarray
    s: np.ndarray
    w: np.ndarray
    limits: dict[str, float]
    way: ByScore | ByRate | Best
    fn_cost: float
    randomise: bool

    @cached_property
    def scores(self):
        return np.unique(self.s)

    @cached_property
    def cuts(self):
        """FPR and FNR of flagging everybody, and then all above each score."""
        above = self.s > np.append(-np.inf, self.scores)[:, None]
        x, found = (np.average(above[:, self.y == k], 1, self.w[self.y == k]) for k in (0, 1))
        return np.array([x, 1 - found])

    @property
    def c(self):
        return 1 / (1 + self.fn_cost)

    @cached_property
    def places(self):
        """Cuts, as pairs of one, and pairs of cuts with the limit that is met between them."""
        n = self.cuts.shape[1]
        found = [(i, i, next(iter(self.limits))) for i in range(n)]
        for i, j in combinations(range(n), 2) if self.randomise else ():
            if j == i + 1 or isinstance(self.way, Best):
                found += [(i, j, name) for name in self.limits]
        return found

    def at(self, place, p):
        """Where a place works, and whether it is between its cuts; beyond them it goes on."""
        i, j, name = place
        if i == j:
            return *(self.cuts[:, [i]] + 0 * p), True
        k = self.limits[name]
        first, second = (excess(name, k, *self.cuts[:, n, None], p) for n in (i, j))
        along = first / np.where(first == second, np.nan, first - second)
        x, y = (1 - along) * self.cuts[:, [i]] + along * self.cuts[:, [j]]
        return x, y, (along > 0) & (along < 1)

    def kept(self, x, y, p):
        beyond = [excess(name, k, x, y, p) for name, k in self.limits.items()]
        return np.all(np.array(beyond) <= 1e-11, axis=0)

    def lost(self, x, y, p):
        return (1 - p) * x + p * self.fn_cost * y

    def own(self, p):
        """Where the choice works without limits."""
        if isinstance(self.way, ByScore):
            cut = np.searchsorted(self.scores, self.way.threshold(self.c, p), side="right")
            return self.cuts[:, cut]
        share = self.c if self.way.share is None else self.way.share
        rates = unflagged(*self.cuts[:, None], p[:, None])
        return np.array([[np.interp(share, r, rate) for r in rates] for rate in self.cuts])

    def least(self, p):
        """The least money at each prevalence, or the nearest place's; NaN where there is none."""
        found = [self.at(place, p) for place in self.places]
        x, y = np.array([place[0] for place in found]), np.array([place[1] for place in found])
        there = np.array([place[2] & self.kept(*place[:2], p) for place in found])
        lost = self.lost(x, y, p)
        if isinstance(self.way, Best):
            least = np.where(there, lost, np.inf).min(axis=0)
        else:
            mine = self.own(p)
            rate = unflagged(x, y, p)
            away = np.where(there, np.abs(rate - unflagged(*mine, p)), np.inf)
            # At equal distance what flags fewer.
            near = away <= away.min(axis=0) + 1e-12
            nearest = np.argmax(np.where(near, rate, -np.inf), axis=0)
            least = np.where(self.kept(*mine, p), self.lost(*mine, p), lost[nearest, range(len(p))])
        return np.where(there.any(axis=0), least, np.nan)

    def changes(self, p):
        """What changes sign where anything can change."""
        found = [self.at(place, p)[:2] for place in self.places]
        yield from (excess(name, k, *at, p) for at in found for name, k in self.limits.items())
        if isinstance(self.way, Best):
            money = [self.lost(*at, p) for at in found]
            yield from (one - other for one, other in combinations(money, 2))
            return
        rates = [unflagged(*at, p) for at in found]
        halves = [(one + other) / 2 for one, other in combinations_with_replacement(rates, 2)]
        if isinstance(self.way, ByRate):
            share = self.c if self.way.share is None else self.way.share
            yield from (half - share for half in halves)
            yield from (excess(name, k, *self.own(p), p) for name, k in self.limits.items())
            return
        yield from (self.way.threshold(self.c, p) - score for score in self.scores)
        own = rates[: len(self.scores) + 1]
        yield from (half - rate for half in halves for rate in own)

    def kinks(self, low, high):
        """The log-odds at which anything can change, between two: by false position."""
        w = np.linspace(low, high, _LOOKS)
        values = np.array(list(self.changes(expit(w))))
        moves = np.abs(values).max(axis=1, keepdims=True) > 1e-13
        which, cell = np.nonzero(moves & (values[:, 1:] * values[:, :-1] <= 0))
        a, b = w[cell], w[cell + 1]
        fa, fb = values[which, cell], values[which, cell + 1]
        for _ in range(_STEPS):
            at = np.where(fa == fb, a, b - fb * (b - a) / np.where(fa == fb, 1, fb - fa))
            f = np.array(list(self.changes(expit(at))))[which, np.arange(len(which))]
            same = f * fb > 0
            # Where the same end stays twice its value is halved: the Illinois rule.
            a, fa = np.where(same, a, b), np.where(same, fa / 2, fb)
            b, fb = at, f
        found = np.clip(b[np.isfinite(b)], low, high)
        return np.unique(np.concatenate([np.linspace(low, high, 9), found]))

    def money(self, low, high):
        """Money per 1,000 cases with the prevalence between two, or None where nothing is kept."""
        kinks = self.kinks(logit(low), logit(high))
        total = 0.0
        for a, b in pairwise(kinks):
            w = (a + b) / 2 + (b - a) / 2 * NODES
            total += (b - a) / 2 * WEIGHTS @ self.least(expit(w))
        total /= kinks[-1] - kinks[0]
        ends = self.least(np.array([low, high]))
        return None if np.isnan([total, *ends]).any() else 1000 * total
