"""A slow oracle for score models with densities, written from the definitions alone.

It answers like `brute_force.Sample`: the loss of every method at each condition. Thresholds of a
rate are found by bisection, the best ones among thousands and by golden section between their
neighbours; means over scores are Gauss-Legendre quadrature between the edges given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from brute_force import Density, between, quadrature, uniform_density
from brute_force_methods import Array, Axis, Named, Of, method_of

RULE = np.polynomial.legendre.leggauss(24)
GOLDEN = (np.sqrt(5) - 1) / 2

Point = tuple[float, float]


def panels(breaks: Array, low: float, high: float) -> tuple[Array, Array]:
    """Fewer nodes than `brute_force.quadrature` has: the losses of models take longer to find."""
    return quadrature(breaks, low, high, RULE, halvings=30)


def _turn(a: Point, b: Point, c: Point) -> float:
    """Positive if the way from a over b to c turns left."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


@dataclass(frozen=True, eq=False)
class Model:
    """The densities and distribution functions of negatives and positives.

    `edges` are finite scores, ascending, that hold all but 1e-15 of both classes; between them
    both densities are smooth enough for Gauss's rule.
    """

    pdfs: tuple[Callable[[Array], Array], Callable[[Array], Array]]
    cdfs: tuple[Callable[[Array], Array], Callable[[Array], Array]]
    edges: Array
    prevalence: float

    def with_prevalence(self, prevalence: float) -> Model:
        """The same densities with other class shares."""
        return replace(self, prevalence=prevalence)

    def positive_share(self, axis: Axis = "cost") -> float:
        """pi1: 1/2 on the skew axis, else the model's own."""
        return 0.5 if axis == "skew" else self.prevalence

    @cached_property
    def nodes(self) -> tuple[Array, Array]:
        """Scores and weights whose weighted sums are integrals over all scores."""
        return between(self.edges, RULE)

    def class_mean(self, label: int, f: Callable[[Array], Array]) -> float:
        """Mean of a function of the score over one class."""
        t, share = self.nodes
        return float(share @ (self.pdfs[label](t) * f(t)))

    def auc(self) -> float:
        """Probability that a positive scores above a negative."""
        return self.class_mean(1, self.cdfs[0])

    def auc_hull(self) -> float:
        """Area under the hull of the ROC points at many thresholds, by turning left only."""
        fpr, fnr = self.rates(self._thresholds(80))
        corners = [(0.0, 0.0)]
        for point in [*zip(1 - fpr[1:-1], fnr[1:-1], strict=True), (1.0, 1.0)]:
            while len(corners) > 1 and _turn(*corners[-2:], point) <= 0:
                corners.pop()
            corners.append(point)
        x, y = np.array(corners).T
        return 1 - float(np.diff(x) @ (y[1:] + y[:-1])) / 2

    def rates(self, t: Array) -> tuple[Array, Array]:
        """False positive and false negative rate at each threshold."""
        return 1 - self.cdfs[0](t), self.cdfs[1](t)

    def threshold_of_share(self, share: Array, of: Of, axis: Axis) -> Array:
        """Thresholds that leave these shares of all, or of one class, unflagged."""
        positive = {"all": self.positive_share(axis), "negatives": 0.0, "positives": 1.0}[of]
        return self._threshold_of_rate(share, positive)

    def _threshold_of_rate(self, rate: Array, positive: float) -> Array:
        low, high = (np.full(np.shape(rate), self.edges[i]) for i in (0, -1))
        for _ in range(120):
            middle = (low + high) / 2
            short = (1 - positive) * self.cdfs[0](middle) + positive * self.cdfs[1](middle) < rate
            low, high = np.where(short, middle, low), np.where(short, high, middle)
        return high

    @cached_property
    def _candidates(self) -> Array:
        return self._thresholds(8)

    def _thresholds(self, parts: int) -> Array:
        """The edges, and thresholds that cut what is between them into equal parts."""
        inner = self.edges[:-1, None] + np.diff(self.edges)[:, None] * np.arange(parts) / parts
        return np.append(inner.ravel(), self.edges[-1])

    def least_loss(self, c: Array, positive: float) -> Array:
        """The least loss of any threshold at each condition, at a share of positives."""

        def loss(t: Array) -> Array:
            fpr, fnr = self.rates(t)
            return 2 * (c * (1 - positive) * fpr + (1 - c) * positive * fnr)

        t = self._candidates
        fpr, fnr = self.rates(t)
        # Beyond the edges everybody or nobody is flagged.
        fpr[[0, -1]], fnr[[0, -1]] = (1, 0), (0, 1)
        known = 2 * (np.outer(c * (1 - positive), fpr) + np.outer((1 - c) * positive, fnr))
        best = known.argmin(axis=1)
        low, high = t[np.maximum(best - 1, 0)], t[np.minimum(best + 1, len(t) - 1)]
        for _ in range(70):
            a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
            left = loss(a) < loss(b)
            low, high = np.where(left, low, a), np.where(left, b, high)
        return np.minimum(known.min(axis=1), loss((low + high) / 2))

    def mean_rates(self, weigh: Callable[[Array], Array]) -> tuple[Array, Array]:
        """Mean rates over thresholds that have a density."""
        t, share = self.nodes
        share = share * weigh(t)
        fpr, fnr = self.rates(t)
        return np.atleast_1d(share @ fpr), np.atleast_1d(share @ fnr)

    def mean_rates_between(self, low: float, high: float) -> tuple[Array, Array]:
        """Mean rates over thresholds that are uniform on a range."""
        t, share = quadrature(self.edges, low, high)
        fpr, fnr = (share @ rate / (high - low) for rate in self.rates(t))
        return np.atleast_1d(fpr), np.atleast_1d(fnr)

    def loss(self, method: Named, axis: Axis, c: Array) -> Array:
        """Loss of a method at each condition."""
        return method_of(method).loss_of_model(self, axis, c)

    def expected_loss(
        self,
        method: Named,
        axis: Axis,
        breaks: Array,
        density: Density = uniform_density,
        low: float = 0.0,
        high: float = 1.0,
    ) -> float:
        """Mean loss under a density of conditions; the loss is smooth between the breaks."""
        c, share = panels(breaks, low, high)
        share = share * density(c)
        return float(share @ self.loss(method, axis, c) / share.sum())
