"""The oracle's threshold choice methods: each defined once, for rows and for densities.

A method says how likely each row is flagged at a condition and which rates a model has there. Most
are a threshold on the scores (`AtThreshold`) or a share that is not flagged (`AtShare`); others
answer `Method` for themselves. Tests name them as in `METHODS`, with parameters in a tuple:
``("score_fixed", 0.5)``; a `Method` itself will do as well.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import expit, ndtri
from scipy.stats import beta

if TYPE_CHECKING:
    from brute_force import Sample
    from brute_force_models import Model

Array = npt.NDArray[Any]
Axis = Literal["cost", "skew"]
Side = Literal["left", "right"]
# The rows that a share is of.
Of = Literal["all", "negatives", "positives"]
Named: TypeAlias = "str | tuple[Any, ...] | Method"


class Method:
    """A threshold choice method; from the left, its limits where it jumps."""

    def flagged(self, sample: Sample, axis: Axis, c: Array, side: Side) -> Array:
        """Probability that each row is flagged (last axis) at each condition (first axis)."""
        raise NotImplementedError

    def rates(self, model: Model, axis: Axis, c: Array) -> tuple[Array, Array]:
        """False positive and false negative rate of a model at each condition, or at all alike."""
        raise ValueError(f"{type(self).__name__} is an unknown method of densities")

    def bends(self, sample: Sample, axis: Axis) -> Array:
        """Where its loss may bend or jump, besides scores, shares of all and equal steps."""
        return np.zeros(0)

    def loss(self, sample: Sample, axis: Axis, c: Array, side: Side) -> Array:
        """Loss on rows at each condition."""
        return sample.loss_of_flagged(self.flagged(sample, axis, c, side), c, axis)

    def loss_of_model(self, model: Model, axis: Axis, c: Array) -> Array:
        """Loss of a model at each condition."""
        p, (fpr, fnr) = model.positive_share(axis), self.rates(model, axis, c)
        return 2 * (c * (1 - p) * fpr + (1 - c) * p * fnr)


class AtThreshold(Method):
    """Flag the scores above ``threshold(c, pi1)``, which ``condition(score, pi1)`` inverts."""

    def __init__(
        self,
        threshold: Callable[[Array, float], Array],
        condition: Callable[[Array, float], Array] | None = None,
    ) -> None:
        self.threshold, self.condition = threshold, condition

    def flagged(self, sample: Sample, axis: Axis, c: Array, side: Side) -> Array:
        meets = np.greater if side == "right" else np.greater_equal
        threshold = self.threshold(c, sample.positive_share(axis))
        return np.asarray(meets(sample.scores[None, :], threshold[:, None]), dtype=float)

    def rates(self, model: Model, axis: Axis, c: Array) -> tuple[Array, Array]:
        return model.rates(self.threshold(c, model.positive_share(axis)))

    def bends(self, sample: Sample, axis: Axis) -> Array:
        if self.condition is None:
            return np.zeros(0)
        return self.condition(sample.scores, sample.positive_share(axis))


class ScoreFixed(AtThreshold):
    """One threshold, at which nobody is flagged, from the left either."""

    def __init__(self, threshold: float) -> None:
        super().__init__(lambda c, _: np.full(len(c), float(threshold)))

    def flagged(self, sample: Sample, axis: Axis, c: Array, side: Side) -> Array:
        return super().flagged(sample, axis, c, "right")


class AtShare(Method):
    """Leave the lowest scores unflagged, up to a share of some: the condition, unless it is given.

    The others go first from the highest on; a tied block is flagged in part, all its rows
    alike, and one that holds none of those goes with those above it.
    """

    def __init__(self, of: Of = "all", unflagged: float | None = None) -> None:
        self.of, self.unflagged = of, unflagged

    def _unflagged(self, c: Array) -> Array:
        return c if self.unflagged is None else np.full(len(c), self.unflagged)

    def flagged(self, sample: Sample, axis: Axis, c: Array, side: Side) -> Array:
        return sample.flagged_at_share(1 - self._unflagged(c), self.of, axis, side)

    def rates(self, model: Model, axis: Axis, c: Array) -> tuple[Array, Array]:
        return model.rates(model.threshold_of_share(self._unflagged(c), self.of, axis))

    def bends(self, sample: Sample, axis: Axis) -> Array:
        return 1 - sample.thresholds() @ sample.shares(self.of, axis)


class ScoreUniform(Method):
    """A threshold drawn between two scores."""

    def __init__(self, low: float = 0.0, high: float = 1.0) -> None:
        self.low, self.high = low, high

    def flagged(self, sample: Sample, axis: Axis, c: Array, side: Side) -> Array:
        t, share = sample.quadrature(sample.scores, self.low, self.high)
        mean = share @ (sample.scores[None, :] > t[:, None]) / (self.high - self.low)
        return np.tile(mean, (len(c), 1))

    def rates(self, model: Model, axis: Axis, c: Array) -> tuple[Array, Array]:
        fpr, fnr = model.mean_rates_between(self.low, self.high)
        return fpr, fnr


class ByBatch(Method):
    """The first k of each batch of B rows, drawn one by one, tied rows in random order.

    Of the others of its batch, i are above a row and j tied with it: it is one of j + 1 for what
    is left of the k places. Batches are given as (B, k); a row is in one by its share of rows.
    """

    def __init__(self, *batches: tuple[int, int]) -> None:
        self.batches = batches

    def flagged(self, sample: Sample, axis: Axis, c: Array, side: Side) -> Array:
        shares = sample.shares("all", axis)
        above = (sample.scores[None, :] > sample.scores[:, None]) @ shares
        tied = (sample.scores[None, :] == sample.scores[:, None]) @ shares
        found = np.zeros(len(above))
        for size, places in self.batches:
            found += size * self._in_one(above, tied, size, places)
        found /= sum(size for size, _ in self.batches)
        return np.tile(found, (len(c), 1))

    @staticmethod
    def _in_one(above: Array, tied: Array, size: int, places: int) -> Array:
        found = np.zeros(len(above))
        below = np.clip(1 - above - tied, 0, 1)
        for i in range(min(places, size)):
            for j in range(size - i):
                ways = comb(size - 1, i) * comb(size - 1 - i, j)
                chance = ways * above**i * tied**j * below ** (size - 1 - i - j)
                found += chance * min(1, (places - i) / (j + 1))
        return found

    def rates(self, model: Model, axis: Axis, c: Array) -> tuple[Array, Array]:
        p = model.positive_share(axis)

        def density(t: Array) -> Array:
            # Of the score of the last row with a place.
            fpr, fnr = model.rates(t)
            above = (1 - p) * fpr + p * (1 - fnr)
            own = (1 - p) * model.pdfs[0](t) + p * model.pdfs[1](t)
            cases = sum(size for size, _ in self.batches)
            laws = ((size, beta(k, size - k).pdf(above)) for size, k in self.batches)
            return own * sum(size / cases * law for size, law in laws)

        return model.mean_rates(density)


class RateUniform(Method):
    """The share flagged drawn between none and all."""

    def flagged(self, sample: Sample, axis: Axis, c: Array, side: Side) -> Array:
        cumulated = sample.thresholds() @ sample.shares("all", axis)
        shares, weight = sample.quadrature(cumulated, 0.0, 1.0)
        mean = weight @ sample.flagged_at_share(shares, "all", axis, side)
        return np.tile(mean, (len(c), 1))

    def rates(self, model: Model, axis: Axis, c: Array) -> tuple[Array, Array]:
        p = model.positive_share(axis)
        return model.mean_rates(lambda t: (1 - p) * model.pdfs[0](t) + p * model.pdfs[1](t))


class RateUniformStepped(Method):
    """Each number of rows flagged as likely as any other."""

    def flagged(self, sample: Sample, axis: Axis, c: Array, side: Side) -> Array:
        sample.check_untied()
        return np.tile(sample.thresholds().mean(axis=0), (len(c), 1))


class RateDrivenStepped(Method):
    """The i lowest of the n scores stay unflagged for c in [i / (n+1), (i+1) / (n+1))."""

    def flagged(self, sample: Sample, axis: Axis, c: Array, side: Side) -> Array:
        sample.check_untied()
        n = len(sample.scores)
        ends = np.arange(1, n + 1) / (n + 1)
        passed = ends <= c[:, None] if side == "right" else ends < c[:, None]
        rank = (sample.scores[None, :] <= sample.scores[:, None]).sum(axis=1)
        return np.asarray(rank > passed.sum(axis=1)[:, None], dtype=float)


class Optimal(Method):
    """The threshold of least loss; of equal ones the fewest flagged, from the left the most."""

    tolerance = 1e-12

    def flagged(self, sample: Sample, axis: Axis, c: Array, side: Side) -> Array:
        rows: Array = 1.0 * sample.thresholds()
        losses = sample.loss_of_flagged(rows[:, None, :], c[None, :], axis)
        best = losses <= losses.min(axis=0) + self.tolerance
        chosen = best.shape[0] - 1 - best[::-1].argmax(axis=0)
        return np.asarray(rows[chosen if side == "right" else best.argmax(axis=0)])

    def loss(self, sample: Sample, axis: Axis, c: Array, side: Side) -> Array:
        """The minimum over the cost lines of all thresholds."""
        lines = 1.0 * sample.thresholds()[:, None, :]
        return np.asarray(sample.loss_of_flagged(lines, c[None, :], axis).min(axis=0))

    def loss_of_model(self, model: Model, axis: Axis, c: Array) -> Array:
        return model.least_loss(c, model.positive_share(axis))


class Smoothed(Method):
    """Flag a score while the skew is below what its smoothed probability of a positive is worth.

    Sums over all pairs of distinct scores, and isotonic regression by its max-min formula.
    """

    @staticmethod
    @lru_cache(maxsize=8)  # tests ask condition by condition
    def _until(sample: Sample, axis: Axis) -> Array:
        distinct, block = np.unique(sample.scores, return_inverse=True)
        shares, sizes = [], []
        for label in (0, 1):
            weights = sample.weights * (sample.labels == label)
            shares.append(np.bincount(block, weights / weights.sum(), len(distinct)))
            sizes.append(1 / np.sum((weights / weights.sum()) ** 2))
        (n0, n1), n = sizes, sum(sizes)
        negatives, positives = n0 * shares[0], n1 * shares[1]
        mass = negatives + positives
        less = distinct[:, None] > distinct[None, :]
        below, above = less @ mass + mass / 2, less.T @ mass + mass / 2
        v = np.clip(np.where(below < above, ndtri(below / n), -ndtri(above / n)), -5, 5)
        line = Smoothed._line(v, negatives, positives)
        near = np.exp(-np.abs(v[:, None] - v[None, :]) / (n**-0.2 / 2))
        odds = np.exp(line) * (near @ positives) / (near @ negatives)
        odds *= (near @ (mass * expit(-line))) / (near @ (mass * expit(line)))
        p = odds / (1 + odds)
        i = np.arange(len(p))
        means = [
            [np.average(p[a : b + 1], weights=mass[a : b + 1]) if a <= b else np.inf for b in i]
            for a in i
        ]
        rising = np.array([np.max([np.min(means[a][k:]) for a in range(k + 1)]) for k in i])
        pi1 = sample.positive_share(axis)
        odds = rising / (1 - rising) * n0 / n1 * pi1 / (1 - pi1)
        return np.asarray((odds / (1 + odds))[block])

    @staticmethod
    def _line(v: Array, negatives: Array, positives: Array) -> Array:
        """Log-odds by logistic regression: the slope by bisection, for each the intercept."""
        mass, start = negatives + positives, np.log(positives.sum() / negatives.sum())

        def root(f: Callable[[float], float], low: float, high: float) -> float:
            for _ in range(100):
                middle = (low + high) / 2
                if not low < middle < high:
                    break
                low, high = (middle, high) if f(middle) > 0 else (low, middle)
            return low

        def intercept(b: float) -> float:
            reach = abs(start) + 10 * b + 1
            return root(lambda a: float(np.sum(positives - mass * expit(a + b * v))), -reach, reach)

        def slope_left(b: float) -> float:
            left = positives - mass * expit(intercept(b) + b * v)
            return float(left @ v) - 0.01 * b

        b = root(slope_left, 0.0, 500.0 * mass.sum()) if slope_left(0.0) > 0 else 0.0
        return np.asarray(intercept(b) + b * v)

    def flagged(self, sample: Sample, axis: Axis, c: Array, side: Side) -> Array:
        until = self._until(sample, axis)[None, :]
        meets = c[:, None] < until if side == "right" else c[:, None] <= until
        return np.asarray(meets, dtype=float)

    def bends(self, sample: Sample, axis: Axis) -> Array:
        return self._until(sample, axis)


def score_driven(calibrated_to: float | None = None) -> AtThreshold:
    """The score equal to the condition, or the one calibrated to a prevalence that stands for it.

    c pi0 / ((1 - c) pi1) is the odds of the skew, T / (1 - T) those times the odds calibrated to.
    """
    if calibrated_to is None:
        return AtThreshold(lambda c, _: c, lambda s, _: s)
    odds = calibrated_to / (1 - calibrated_to)

    def threshold(c: Array, pi1: float) -> Array:
        z = c * (1 - pi1) / (c * (1 - pi1) + (1 - c) * pi1)
        numerator = z * calibrated_to
        return numerator / (numerator + (1 - z) * (1 - calibrated_to))

    def condition(scores: Array, pi1: float) -> Array:
        ratio = pi1 / (1 - pi1) / odds
        return scores * ratio / (scores * ratio + 1 - scores)

    return AtThreshold(threshold, condition)


METHODS: dict[str, Callable[..., Method]] = {
    "score_fixed": ScoreFixed,
    "score_uniform": ScoreUniform,
    "score_driven": score_driven,
    "rate_fixed": lambda flagged: AtShare("all", 1 - flagged),
    "by_batch": ByBatch,
    "rate_uniform": RateUniform,
    "rate_uniform_stepped": RateUniformStepped,
    "rate_driven": AtShare,
    "rate_driven_stepped": RateDrivenStepped,
    "optimal": Optimal,
    "smoothed": Smoothed,
}


def method_of(method: Named) -> Method:
    """The method of a name and its parameters, or the method itself."""
    if isinstance(method, Method):
        return method
    name, *parameters = (method,) if isinstance(method, str) else method
    if name not in METHODS:
        raise ValueError(f"unknown method {method!r}; the names are {', '.join(METHODS)}")
    return METHODS[name](*parameters)
