"""Data, and a classifier that scores as it is told, for the tests of classifiers."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


def rows(n: int = 90, seed: int = 0, share: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Three features, of which two say something about labels 0 and 1."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < share * n).astype(int)
    rng.shuffle(y)
    return rng.normal(size=(n, 3)) + y[:, None] * [1.2, 0.6, 0], y


class Told(ClassifierMixin, BaseEstimator):
    """Its probabilities of the second class are the first feature; it keeps what it is told."""

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        self.classes_ = np.unique(y)
        self.rows_, self.params_ = len(y), params
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        scores = np.asarray(X)[:, 0]
        return np.stack([1 - scores, scores], axis=1)

    def predict(self, X: Any) -> np.ndarray:
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]


def least_loss(
    y: np.ndarray, scores: np.ndarray, c: float, prevalence: float, weight: Any = None
) -> float:
    """The least loss at a condition of flagging scores above a cut, by trying every cut."""
    weight = np.ones(len(y)) if weight is None else np.asarray(weight)
    found = []
    for cut in [-np.inf, *np.unique(scores)]:
        flagged = scores > cut
        fpr = np.average(flagged[y == 0], weights=weight[y == 0])
        fnr = np.average(~flagged[y == 1], weights=weight[y == 1])
        found.append(2 * (c * (1 - prevalence) * fpr + (1 - c) * prevalence * fnr))
    return min(found)
