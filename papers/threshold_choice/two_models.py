"""Two models as unlike as those of Hernandez-Orallo, Flach, Ferri (2012), JMLR 13, Section 1.

A, naive Bayes, ranks well and gives bad probabilities; B, a decision tree, the other way round.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import costspace as cs

_TRAIN, _TEST = 600, 1000
# Attributes that tell the classes apart, by how much, and attributes that do not.
_USEFUL, _SHIFT, _USELESS = 3, 0.7, 5
# Share of gross errors in a useless attribute of the negatives, and what they multiply it by.
_ERRORS, _GROSS = 0.02, 20


@cache
def two_models() -> Mapping[str, cs.ScoreTable]:
    """Models A and B on test data of equal shares of both classes.

    A few gross errors make naive Bayes believe that an attribute of the negatives is spread out, so
    it takes most rows for positive, and for certain. A tree asks only for the order.
    """
    random = np.random.default_rng(1)
    x_train, y_train = _rows(random, _TRAIN)
    x_test, y_test = _rows(random, _TEST)
    models = {
        "A": GaussianNB(),
        "B": DecisionTreeClassifier(max_depth=2, random_state=0),
    }
    tables = {}
    for name, model in models.items():
        scores = model.fit(x_train, y_train).predict_proba(x_test)[:, 1]
        tables[name] = cs.ScoreTable.from_predictions(y_test, scores)
    return MappingProxyType(tables)


def _rows(random: Generator, n: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    y = np.arange(n) % 2
    useful = random.normal(size=(n, _USEFUL)) + _SHIFT * y[:, None]
    useless = random.normal(size=(n, _USELESS))
    wrong = (random.random(useless.shape) < _ERRORS) & (y[:, None] == 0)
    return np.hstack([useful, np.where(wrong, _GROSS * useless, useless)]), y
