"""A slow oracle for small samples, written from the definitions alone.

Label 1 is positive and a row is predicted positive iff its score exceeds the threshold.
With class shares pi0 and pi1, the loss at cost proportion c is
``2 (c pi0 FPR + (1 - c) pi1 FNR)``; the skew axis is the same formula with pi0 = pi1 = 1/2.

A threshold choice method gives every row a probability of being flagged at each operating
condition. Averages over conditions are Gauss-Legendre quadrature between all points where any
method may bend or jump; the optimal method is the minimum over the cost lines of all thresholds;
the upper hull of the ROC points is the highest of all chords. There is no hull algorithm, no
isotonic regression and no closed-form integral here. Meant for up to about 40 rows.

Sources: Hernández-Orallo, Flach and Ferri, "Towards ROC curves in cost space" (2011), "Brier
curves" (2011) and "A unified view of performance metrics: translating threshold choice into
expected classification loss" (JMLR 2012); Hand, "Measuring classifier performance" (2009);
Ratigan and Cowen, "The VOROS" (2024).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal, overload

import numpy as np
from brute_force_methods import Array, Axis, Named, Of, Side, method_of

Density = Callable[[Array], Array]
Partition = Literal["roc", "hull"]

Rule = tuple[Array, Array]
RULE: Rule = np.polynomial.legendre.leggauss(40)
STRAIGHT: Rule = np.polynomial.legendre.leggauss(2)
TOLERANCE = 1e-12


def between(edges: Array, rule: Rule = RULE) -> tuple[Array, Array]:
    """Gauss-Legendre nodes and weights between neighbouring edges, all in one row."""
    nodes, weights = rule
    half_width, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    at = middle[:, None] + half_width[:, None] * nodes
    return at.ravel(), (half_width[:, None] * weights).ravel()


def uniform_density(c: Array) -> Array:
    """The constant density on [0, 1]."""
    return np.ones_like(c)


def beta_density(a: float, b: float) -> Density:
    """The density of Beta(a, b); full accuracy of the quadrature needs a >= 1 and b >= 1."""
    scale = math.gamma(a + b) / (math.gamma(a) * math.gamma(b))
    return lambda c: scale * c ** (a - 1) * (1 - c) ** (b - 1)


def area_of_lesser_classifiers(t: Array, loss: Array) -> Array:
    """Share of the points (x, v) of the unit square with ``t x + (1 - t) v >= loss``.

    x is the false positive rate, v the false negative rate, t the skew (Ratigan and Cowen,
    Definition 16). At a given x the points count from ``v = (loss - t x) / (1 - t)`` upwards;
    that height, cut to [0, 1], is linear in x between the two places where the cut begins.
    """
    # A node of a quadrature next to 1 may round to it.
    t = np.minimum(t, np.nextafter(1, 0))
    steps = [0 * t, np.clip((loss - (1 - t)) / t, 0, 1), np.clip(loss / t, 0, 1), 0 * t + 1]
    nodes, weights = STRAIGHT
    area = np.zeros_like(t)
    for left, right in pairwise(steps):
        x = 0.5 * (left + right) + 0.5 * (right - left) * nodes[:, None]
        counted = 1 - np.clip((loss - t * x) / (1 - t), 0, 1)
        area += 0.5 * (right - left) * (weights @ counted)
    return area


def quadrature(
    breaks: Array, low: float, high: float, rule: Rule = RULE, halvings: int = 40
) -> tuple[Array, Array]:
    """Gauss-Legendre nodes and weights on [low, high], piece by piece between the breaks.

    The pieces also shrink by halves towards both ends, so that a density such as
    ``(1 - c) ** 0.3`` is integrated to rounding too.
    """
    if not low < high:
        raise ValueError(f"low must be less than high, got {low} and {high}")
    halves = (high - low) * 0.5 ** np.arange(1, halvings + 1)
    inner = np.concatenate([breaks[(breaks > low) & (breaks < high)], low + halves, high - halves])
    return between(np.unique(np.concatenate([[low], inner, [high]])), rule)


@dataclass(frozen=True, eq=False)
class Sample:
    """Labels (0 or 1), scores, weights, and the prevalence the classes are reweighted to.

    A weight of zero means that the row is absent. Methods are those of `brute_force_methods`.
    """

    y_true: Sequence[int] | Array
    y_score: Sequence[float] | Array
    sample_weight: Sequence[float] | Array | None = None
    prevalence: float | None = None

    def __post_init__(self) -> None:
        """Refuse what no definition covers."""
        shapes = {np.shape(self.y_true), np.shape(self.y_score)}
        if self.sample_weight is not None:
            shapes.add(np.shape(self.sample_weight))
        if len(shapes) > 1:
            raise ValueError(f"labels, scores and weights must have one length, got {shapes}")
        if set(self.labels.tolist()) != {0.0, 1.0}:
            raise ValueError("both labels, 0 and 1, must occur with positive weight")
        if self.prevalence is not None and not 0 < self.prevalence < 1:
            raise ValueError(f"prevalence must lie in (0, 1), got {self.prevalence}")

    @property
    def _raw_weights(self) -> Array:
        if self.sample_weight is None:
            return np.ones(len(self.y_true))
        return np.asarray(self.sample_weight, dtype=float)

    @property
    def labels(self) -> Array:
        """Labels of the rows with positive weight."""
        return np.asarray(self.y_true, dtype=float)[self._raw_weights > 0]

    @property
    def scores(self) -> Array:
        """Scores of the rows with positive weight."""
        return np.asarray(self.y_score, dtype=float)[self._raw_weights > 0]

    @property
    def weights(self) -> Array:
        """The positive weights."""
        weights = self._raw_weights
        return weights[weights > 0]

    def positive_share(self, axis: Axis = "cost") -> float:
        """pi1: 1/2 on the skew axis, else the override, else the weighted share of label 1."""
        if axis not in ("cost", "skew"):
            raise ValueError(f"axis must be 'cost' or 'skew', got {axis!r}")
        if axis == "skew":
            return 0.5
        if self.prevalence is not None:
            return self.prevalence
        return float(np.average(self.labels, weights=self.weights))

    def masses(self, axis: Axis = "cost") -> Array:
        """Each row's share of the whole after the classes are reweighted; the sum is 1."""
        positive = self.labels == 1
        pi1 = self.positive_share(axis)
        shares = np.empty(len(self.weights))
        shares[positive] = pi1 * self.weights[positive] / self.weights[positive].sum()
        shares[~positive] = (1 - pi1) * self.weights[~positive] / self.weights[~positive].sum()
        return shares

    def thresholds(self) -> Array:
        """For each threshold, from flag all to flag none (first axis): is each row flagged?"""
        rows = np.sort(self.scores)[:, None] < self.scores[None, :]
        return np.vstack([np.ones_like(rows[:1]), rows])

    def roc_points(self) -> tuple[Array, Array]:
        """FPR and TPR at every threshold, from (1, 1) to (0, 0)."""
        flagged = self.thresholds()
        false_positives = flagged[:, self.labels == 0] @ self.weights[self.labels == 0]
        true_positives = flagged[:, self.labels == 1] @ self.weights[self.labels == 1]
        return false_positives / false_positives[0], true_positives / true_positives[0]

    def auc(self) -> float:
        """Weighted mean over all pairs of one positive and one negative; a tie counts 1/2."""
        positive = self.labels == 1
        higher, lower = self.scores[positive][:, None], self.scores[~positive][None, :]
        won = np.where(higher > lower, 1.0, np.where(higher == lower, 0.5, 0.0))
        pair_weight = np.outer(self.weights[positive], self.weights[~positive])
        return float(np.average(won, weights=pair_weight))

    def auc_hull(self) -> float:
        """Area under the upper hull of the ROC points: at each FPR, the highest chord."""
        fpr, tpr = self.roc_points()
        nodes, node_weights = quadrature(fpr, 0.0, 1.0)
        height = np.zeros_like(nodes)
        for left, bottom in zip(fpr, tpr, strict=True):
            for right, top in zip(fpr, tpr, strict=True):
                if left < right:
                    spans = (left <= nodes) & (nodes <= right)
                    chord = bottom + (top - bottom) * (nodes[spans] - left) / (right - left)
                    height[spans] = np.maximum(height[spans], chord)
        return float(node_weights @ height)

    def _mean(self, per_row: Array, axis: Axis) -> float:
        return float(self.masses(axis) @ per_row)

    def accuracy(self, threshold: float = 0.5) -> float:
        """Share of the rows that the threshold puts on the right side."""
        return self._mean(1.0 * ((self.scores > threshold) == (self.labels == 1)), "cost")

    def macro_accuracy(self, threshold: float = 0.5) -> float:
        """Accuracy with the classes reweighted to 1/2 each."""
        return self._mean(1.0 * ((self.scores > threshold) == (self.labels == 1)), "skew")

    def brier(self) -> float:
        """Mean squared difference between score and label."""
        return self._mean((self.scores - self.labels) ** 2, "cost")

    def macro_brier(self) -> float:
        """Brier score with the classes reweighted to 1/2 each."""
        return self._mean((self.scores - self.labels) ** 2, "skew")

    def mae(self) -> float:
        """Mean absolute difference between score and label."""
        return self._mean(np.abs(self.scores - self.labels), "cost")

    def macro_mae(self) -> float:
        """Mean absolute error with the classes reweighted to 1/2 each."""
        return self._mean(np.abs(self.scores - self.labels), "skew")

    quadrature = staticmethod(quadrature)

    def shares(self, of: Of, axis: Axis = "cost") -> Array:
        """Each row's share of all, after the classes are reweighted, or of its class alone."""
        if of == "all":
            return self.masses(axis)
        weights = self.weights * (self.labels == (of == "positives"))
        return np.asarray(weights / weights.sum())

    def flagged_at_share(self, flagged: Array, of: Of, axis: Axis, side: Side) -> Array:
        """Share of each row flagged (last axis) when these shares of some are (first axis).

        The highest scores go first; a tied block is flagged in part, all its rows alike, and
        one that holds none of them goes with those above it; from the left, with more flagged.
        """
        shares = self.shares(of, axis)
        above = (self.scores[None, :] > self.scores[:, None]) @ shares
        tied = (self.scores[None, :] == self.scores[:, None]) @ shares
        short = flagged[:, None] - above
        reached = short >= -TOLERANCE if side == "left" else short > TOLERANCE
        whole = np.where(tied > 0, tied, 1.0)
        return np.where(tied > 0, np.clip(short / whole, 0, 1), 1.0 * reached)

    def check_untied(self) -> None:
        """Refuse what the stepped methods are not defined for."""
        tied = len(np.unique(self.scores)) < len(self.scores)
        if tied or len(np.unique(self._raw_weights)) > 1:
            raise ValueError("the stepped methods are defined without ties and weights")

    def flagged(self, method: Named, axis: Axis, c: Array, side: Side) -> Array:
        """Probability that each row is flagged (last axis) at each condition (first axis)."""
        return method_of(method).flagged(self, axis, c, side)

    def loss_of_flagged(self, flagged: Array, c: Array, axis: Axis) -> Array:
        """``2 (c pi0 FPR + (1 - c) pi1 FNR)`` for flagged shares of every row (last axis)."""
        masses = self.masses(axis)
        false_positive_mass = flagged @ np.where(self.labels == 0, masses, 0)
        false_negative_mass = (1 - flagged) @ np.where(self.labels == 1, masses, 0)
        return np.asarray(2 * (c * false_positive_mass + (1 - c) * false_negative_mass))

    @overload
    def loss(self, method: Named, axis: Axis, c: float, side: Side = "right") -> float: ...
    @overload
    def loss(self, method: Named, axis: Axis, c: Array, side: Side = "right") -> Array: ...
    def loss(
        self, method: Named, axis: Axis, c: float | Array, side: Side = "right"
    ) -> float | Array:
        """Loss at operating condition c, or its left limit there with ``side="left"``.

        The optimal loss is the minimum over the cost lines of all thresholds. A score-driven
        threshold corrected for the prevalence is rounded, so which side of a jump it falls on
        at the very score is left to chance.
        """
        if side not in ("left", "right"):
            raise ValueError(f"side must be 'left' or 'right', got {side!r}")
        conditions = np.atleast_1d(np.asarray(c, dtype=float))
        losses = method_of(method).loss(self, axis, conditions, side)
        return losses if np.ndim(c) else float(losses[0])

    def operating_point(
        self, method: Named, axis: Axis, c: float, side: Side = "right"
    ) -> tuple[float, float]:
        """(FPR, FNR) of the method at operating condition c."""
        flagged = self.flagged(method, axis, np.array([c], dtype=float), side)[0]
        negative, positive = self.labels == 0, self.labels == 1
        fpr = np.average(flagged[negative], weights=self.weights[negative])
        fnr = np.average(1 - flagged[positive], weights=self.weights[positive])
        return float(fpr), float(fnr)

    def breakpoints(self, method: Named, axis: Axis) -> Array:
        """Every condition at which the loss of any method may bend or jump.

        They are all scores, all cumulated rates, the n + 1 equal steps, all pairwise
        intersections of cost lines, and what the method adds.
        """
        n = len(self.scores)
        rows = 1.0 * self.thresholds()
        at_0, at_1 = (self.loss_of_flagged(rows, np.array([c]), axis) for c in (0.0, 1.0))
        first, second = np.triu_indices(n + 1, k=1)
        gap_0, gap_1 = at_0[first] - at_0[second], at_1[first] - at_1[second]
        crossing = gap_0 * gap_1 < 0
        intersections = gap_0[crossing] / (gap_0 - gap_1)[crossing]
        steps = np.arange(1, n + 1) / (n + 1)
        cumulated = rows @ self.masses(axis)
        own = method_of(method).bends(self, axis)
        found = [self.scores, 1 - cumulated, steps, intersections, own]
        return np.unique(np.concatenate(found))

    def expected_loss(
        self,
        method: Named,
        axis: Axis,
        density: Density = uniform_density,
        low: float = 0.0,
        high: float = 1.0,
    ) -> float:
        """Mean loss under the density cut to [low, high] and normalised there."""
        c, share = quadrature(self.breakpoints(method, axis), low, high)
        share = share * density(c)
        return float(share @ self.loss(method, axis, c) / share.sum())

    def h_measure(
        self, density: Density, low: float = 0.0, high: float = 1.0, axis: Axis = "cost"
    ) -> float:
        """1 - optimal expected loss / that of the better of flag all and flag none.

        Hand (2009) takes Beta(2, 2) over cost proportions.
        """
        c, share = quadrature(self.breakpoints("optimal", axis), low, high)
        share = share * density(c)
        pi1 = self.positive_share(axis)
        trivial = np.minimum(2 * c * (1 - pi1), 2 * (1 - c) * pi1)
        return float(1 - share @ self.loss("optimal", axis, c) / (share @ trivial))

    def voros(
        self, low: float = 0.0, high: float = 1.0, density: Density = uniform_density
    ) -> float:
        """Mean over skew of the best point's area of lesser classifiers.

        Definitions 16 to 21 of Ratigan and Cowen; the ROC points include both baselines.
        """
        z, share = quadrature(self.breakpoints("optimal", "skew"), low, high)
        share = share * density(z)
        area = area_of_lesser_classifiers(z, self.loss("optimal", "skew", z))
        return float(share @ area / share.sum())

    def bins(self, partition: Partition = "hull") -> Array:
        """Each row's bin: its segment of the ROC curve or of the upper hull.

        A ROC segment is a distinct score. Hull segments lie between vertices, and a ROC point
        is a vertex iff it is strictly above every chord between a point before and one after.
        """
        rows = self.thresholds()
        rows = rows[np.sort(np.unique(rows.sum(axis=1), return_index=True)[1])]
        if partition == "roc":
            return np.asarray(rows.sum(axis=0))
        if partition != "hull":
            raise ValueError(f"partition must be 'roc' or 'hull', got {partition!r}")
        # As they are written: what is collinear in decimals is so here.
        weights = [Fraction(str(weight)) for weight in self.weights]
        x, y = (
            [sum(itertools.compress(weights, row * (self.labels == k))) for row in rows]
            for k in (0, 1)
        )
        is_vertex = [
            all(
                (x[i] - x[j]) * (y[k] - y[j]) > (y[i] - y[j]) * (x[k] - x[j])
                for i in range(k)
                for j in range(k + 1, len(x))
            )
            for k in range(len(x))
        ]
        return np.asarray(rows[is_vertex].sum(axis=0))

    def _bin_means(self, partition: Partition, axis: Axis) -> tuple[Array, Array, Array]:
        """Mass, mean score and mean label of every bin."""
        masses, bins = self.masses(axis), self.bins(partition)
        member = 1.0 * (bins[None, :] == np.unique(bins)[:, None])
        mass = member @ masses
        return mass, member @ (masses * self.scores) / mass, member @ (masses * self.labels) / mass

    def calibration_loss(self, partition: Partition = "hull", axis: Axis = "cost") -> float:
        """Murphy's: sum over bins of mass times (mean score - mean label) squared."""
        mass, score, label = self._bin_means(partition, axis)
        return float(mass @ (score - label) ** 2)

    def refinement_loss(self, partition: Partition = "hull", axis: Axis = "cost") -> float:
        """Murphy's: sum over bins of mass times mean label times (1 - mean label)."""
        mass, _, label = self._bin_means(partition, axis)
        return float(mass @ (label * (1 - label)))
