"""Models of our own, where those of a paper or their data are not to be had."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from costspace.arrays import FloatArray
from costspace.curve import OperatingPoints
from costspace.reproduce.learning import learning
from costspace.scores.analytic import AnalyticScores
from costspace.scores.density import ScoreDensity
from costspace.scores.table import ScoreTable
from costspace.transform import pav

# ---------------------------------------------------------------- the lecture on cost curves

# The slide's classifiers 1 to 3 have no numbers: here as there 3 always beats 1, and 3 beats 2
# while less than 0.7 of the examples are positive.
THREE_CLASSIFIERS = OperatingPoints(np.array([0.3, 0.45, 0.1]), np.array([0.5, 0.15, 0.3]))

# Points of one ROC curve each. The lines of A fall, those of B rise.
_RATES = np.array([0.4, 0.5, 0.6, 0.7, 0.8])
FAMILIES: Mapping[str, OperatingPoints] = MappingProxyType(
    {
        "A": OperatingPoints(_RATES, 1 - _RATES ** (1 / 4)),
        "B": OperatingPoints(1 - _RATES ** (1 / 3), _RATES),
    }
)


@cache
def mirrored_models() -> Mapping[str, AnalyticScores]:
    """Two models that rank alike with the classes exchanged, so their cost curves cross at 1/2."""

    def flat(t: FloatArray) -> FloatArray:
        return np.ones_like(t)

    return MappingProxyType(
        {
            "f1": AnalyticScores(ScoreDensity(flat), ScoreDensity(lambda t: 4 * t**3), 0.5),
            "f2": AnalyticScores(ScoreDensity(lambda t: 4 * (1 - t) ** 3), ScoreDensity(flat), 0.5),
        }
    )


# ---------------------------------------------------------------- Brier curves


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
