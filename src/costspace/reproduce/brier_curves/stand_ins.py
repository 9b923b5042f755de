"""Models of our own, since those of the paper on Brier curves and its splits are not to be had."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from costspace.arrays import FloatArray
from costspace.reproduce.learning import learning
from costspace.scores.table import ScoreTable
from costspace.transform import pav


class Halves(NamedTuple):
    """Attributes and classes of a training and of a test half."""

    x_train: FloatArray
    y_train: FloatArray
    x_test: FloatArray
    y_test: FloatArray

    def tables(self, score: Any) -> dict[str, ScoreTable]:
        """Both halves scored by a function of the attributes."""
        return {
            "train": ScoreTable.from_predictions(self.y_train, score(self.x_train)),
            "test": ScoreTable.from_predictions(self.y_test, score(self.x_test)),
        }


@cache
def tumours() -> Halves:
    """Halves of scikit-learn's breast cancer data, 1 malignant, by ten of the attributes.

    Those are the standard errors of the ten measurements, which tell less than the measurements.
    """
    data = learning("datasets").load_breast_cancer()
    x, y = data.data[:, 10:20], 1.0 - data.target
    train, test = np.array_split(np.random.default_rng(0).permutation(len(y)), 2)
    return Halves(x[train], y[train], x[test], y[test])


@cache
def trees() -> Mapping[str, Mapping[str, ScoreTable]]:
    """A pruned tree, and one that is not pruned with Laplace correction, on both halves."""
    halves = tumours()

    def grown(pruning: float) -> Any:
        tree = learning("tree").DecisionTreeClassifier(
            min_samples_leaf=2, ccp_alpha=pruning, random_state=0
        )
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
def naive_bayes() -> Mapping[str, ScoreTable]:
    """Gaussian naive Bayes on both halves, and on the test half calibrated on the training half."""
    halves = tumours()
    model = learning("naive_bayes").GaussianNB().fit(halves.x_train, halves.y_train)
    tables = halves.tables(lambda x: model.predict_proba(x)[:, 1])
    return MappingProxyType(tables | {"calibrated": pav(tables["train"]).apply(tables["test"])})
