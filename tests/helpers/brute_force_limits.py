"""What keeping to limits costs over a range of prevalence, by a search at the mean of each band.

Costs are known, and the log-odds of the prevalence uniform.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from scipy.special import expit, logit

BANDS = 64


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

    def money(self, low, high):
        """Money per 1,000 cases with the prevalence in 64 bands between two, or None."""
        edges = np.linspace(logit(low), logit(high), BANDS + 1)
        means = np.diff(np.logaddexp(0, edges)) / np.diff(edges)
        found = self.least(means)
        ends = self.least(np.array([low, high]))
        return None if np.isnan([*found, *ends]).any() else 1000 * found.mean()
