"""Models of our own, since those of the paper on Brier curves and its splits are not available."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import costspace as cs


class Halves(NamedTuple):
    """Attributes and classes of a training and of a test half."""

    x_train: NDArray[np.float64]
    y_train: NDArray[np.float64]
    x_test: NDArray[np.float64]
    y_test: NDArray[np.float64]

    def tables(self, score: Any) -> dict[str, cs.ScoreTable]:
        """Both halves scored by a function of the attributes."""
        return {
            "train": cs.ScoreTable.from_predictions(self.y_train, score(self.x_train)),
            "test": cs.ScoreTable.from_predictions(self.y_test, score(self.x_test)),
        }


@cache
def tumours() -> Halves:
    """Halves of scikit-learn's breast cancer data, 1 malignant, by ten of the attributes.

    Those are the standard errors of the ten measurements, which tell less than the measurements.
    """
    data = load_breast_cancer()
    x, y = data.data[:, 10:20], 1.0 - data.target
    train, test = np.array_split(np.random.default_rng(0).permutation(len(y)), 2)
    return Halves(x[train], y[train], x[test], y[test])


@cache
def trees() -> Mapping[str, Mapping[str, cs.ScoreTable]]:
    """A pruned tree, and one that is not pruned with Laplace correction, on both halves."""
    halves = tumours()

    def grown(pruning: float) -> Any:
        tree = DecisionTreeClassifier(min_samples_leaf=2, ccp_alpha=pruning, random_state=0)
        return tree.fit(halves.x_train, halves.y_train)

    pruned, unpruned = grown(0.01), grown(0.0)
    leaves = unpruned.apply(halves.x_train)
    corrected = (np.bincount(leaves, halves.y_train) + 1) / (np.bincount(leaves) + 2)
    return MappingProxyType(
        {
            "pruned": halves.tables(lambda x: pruned.predict_proba(x)[:, 1]),
            "unpruned": halves.tables(lambda x: corrected[unpruned.apply(x)]),
        }
    )


@cache
def naive_bayes() -> Mapping[str, cs.ScoreTable]:
    """Gaussian naive Bayes on both halves, and on the test half calibrated on the training half."""
    halves = tumours()
    model = GaussianNB().fit(halves.x_train, halves.y_train)
    tables = halves.tables(lambda x: model.predict_proba(x)[:, 1])
    return MappingProxyType(tables | {"calibrated": cs.pav(tables["train"]).apply(tables["test"])})
