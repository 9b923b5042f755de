"""Models for the data of Ratigan and Cowen (2024), The VOROS, over many splits of each."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.random import Generator

from costspace.arrays import FloatArray, IndexArray
from costspace.reproduce.learning import learning, scored
from costspace.scores.table import ScoreTable

# For each model one table a split, or a draw of the data; splits are the same for all models.
Tables: TypeAlias = Mapping[str, Sequence[ScoreTable]]

LABELS: Mapping[str, str] = MappingProxyType(
    {
        "logistic": "logistic regression",
        "forest": "random forest",
        "bayes": "naive Bayes",
        "m1": "M1",
        "m2": "M2",
    }
)
# Fewer splits of the larger table leave its medians as they are, and take less time.
_WISCONSIN_SPLITS, _DIABETES_SPLITS, _CREDIT_DRAWS = 50, 20, 10

# Share of the patients, those whose diabetes progresses most, that stand for malignant images:
# 210 of 780 are.
_MALIGNANT = 210 / 780
# Of the credit example.
FRAUDS, TRANSACTIONS = 492, 284_807


def wisconsin_data() -> tuple[FloatArray, IndexArray]:
    """Attributes and classes of scikit-learn's breast cancer data, 1 benign, as it comes."""
    x, y = learning("datasets").load_breast_cancer(return_X_y=True)
    return x, y


@cache
def wisconsin() -> Tables:
    """Three models of it."""
    x, y = wisconsin_data()
    bayes, linear = learning("naive_bayes"), learning("linear_model")
    pipeline, scaling = learning("pipeline").make_pipeline, learning("preprocessing").MinMaxScaler

    def scaled(model: Any) -> Any:
        return pipeline(scaling(clip=True), model)

    models = {
        "logistic": lambda _: scaled(linear.LogisticRegression()),
        "forest": _forest,
        "bayes": lambda _: scaled(bayes.MultinomialNB()),
    }
    return _over_splits(x, y, models, _WISCONSIN_SPLITS)


@cache
def diabetes() -> Tables:
    """Three models of scikit-learn's diabetes data, 1 the patients with the most progression."""
    x, progression = learning("datasets").load_diabetes(return_X_y=True)
    y = (progression > np.quantile(progression, 1 - _MALIGNANT)).astype(int)
    bayes, linear = learning("naive_bayes"), learning("linear_model")
    models = {
        "logistic": lambda _: linear.LogisticRegression(C=1000, max_iter=25),
        "forest": _forest,
        "bayes": lambda _: bayes.GaussianNB(),
    }
    with catch_warnings():
        # The paper stops after 25 steps, too.
        simplefilter("ignore", learning("exceptions").ConvergenceWarning)
        return _over_splits(x, y, models, _DIABETES_SPLITS)


@cache
def credit() -> Tables:
    """Two logistic models, each of one attribute, of as many frauds and transactions as the paper.

    Most frauds stand out by the second attribute and fewer by the first, but then by more; the
    rest are closer to the middle of the other transactions by the first.
    """
    regression = learning("linear_model").LogisticRegression
    y = (np.arange(TRANSACTIONS) < FRAUDS).astype(int)
    first, *others = (_transactions(np.random.default_rng(i)) for i in range(_CREDIT_DRAWS))
    # A model of one attribute ranks by it, whatever it is fitted on.
    tables = {}
    for i, name in enumerate(("m1", "m2")):
        model = regression().fit(first[:, [i]], y)
        tables[name] = tuple(scored(model, x[:, [i]], y) for x in (first, *others))
    return MappingProxyType(tables)


def _transactions(random: Generator) -> FloatArray:
    """Two attributes of transactions, frauds first: normal, and for frauds a mixture of two."""
    x = random.normal(size=(TRANSACTIONS, 2))
    frauds = x[:FRAUDS]
    obvious = random.random(frauds.shape) < (0.5, 0.8)
    frauds[:] = np.where(
        obvious, frauds * (1.5, 1.0) + (4.0, 2.4), frauds * (0.6, 1.0) + (0.3, -0.1)
    )
    return x


def _forest(seed: int) -> Any:
    return learning("ensemble").RandomForestClassifier(random_state=seed)


def _over_splits(
    x: FloatArray, y: IndexArray, models: Mapping[str, Callable[[int], Any]], splits: int
) -> Tables:
    """Fit models on stratified training parts and score the test parts, a quarter each."""
    split = learning("model_selection").train_test_split
    tables: dict[str, list[ScoreTable]] = {name: [] for name in models}
    for seed in range(splits):
        x_train, x_test, y_train, y_test = split(x, y, stratify=y, random_state=seed)
        for name, make in models.items():
            tables[name].append(scored(make(seed).fit(x_train, y_train), x_test, y_test))
    return MappingProxyType({name: tuple(each) for name, each in tables.items()})
