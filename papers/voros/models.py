"""Models for the data of Ratigan and Cowen (2024), The VOROS, over many splits of each."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

import costspace as cs

# For each model one table a split, or a draw of the data; splits are the same for all models.
Tables: TypeAlias = Mapping[str, Sequence[cs.ScoreTable]]

# What models, and the better of the two trivial rules, are called where they are shown.
LABELS: Mapping[str, str] = MappingProxyType(
    {
        "logistic": "logistic regression",
        "forest": "random forest",
        "bayes": "naive Bayes",
        "m1": "M1",
        "m2": "M2",
        "baseline": "baselines",
    }
)
# Fewer splits of the larger table leave its medians as they are, and take less time.
_WISCONSIN_SPLITS, _DIABETES_SPLITS, _CREDIT_DRAWS = 25, 20, 10

# Share of the patients, those whose diabetes progresses most, that stand for malignant images:
# 210 of 780 are.
_MALIGNANT = 210 / 780
# Of the credit example.
FRAUDS, TRANSACTIONS = 492, 284_807


def wisconsin_data() -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Attributes and classes of scikit-learn's breast cancer data, 1 benign, as it comes."""
    x, y = load_breast_cancer(return_X_y=True)
    return x, y


@cache
def wisconsin() -> Tables:
    """Three models of it."""
    x, y = wisconsin_data()

    def scaled(model: Any) -> Any:
        return make_pipeline(MinMaxScaler(clip=True), model)

    models = {
        "logistic": lambda _: scaled(LogisticRegression()),
        "forest": _forest,
        "bayes": lambda _: scaled(MultinomialNB()),
    }
    return _over_splits(x, y, models, _WISCONSIN_SPLITS)


@cache
def diabetes() -> Tables:
    """Three models of scikit-learn's diabetes data, 1 the patients with the most progression."""
    x, progression = load_diabetes(return_X_y=True)
    y = (progression > np.quantile(progression, 1 - _MALIGNANT)).astype(int)
    models = {
        "logistic": lambda _: LogisticRegression(C=1000, max_iter=25),
        "forest": _forest,
        "bayes": lambda _: GaussianNB(),
    }
    with catch_warnings():
        # The paper stops after 25 steps, too.
        simplefilter("ignore", ConvergenceWarning)
        return _over_splits(x, y, models, _DIABETES_SPLITS)


@cache
def credit() -> Tables:
    """Two logistic models, each of one attribute, of as many frauds and transactions as the paper.

    Most frauds stand out by the second attribute and fewer by the first, but then by more; the
    rest are closer to the middle of the other transactions by the first.
    """
    y = (np.arange(TRANSACTIONS) < FRAUDS).astype(int)
    first, *others = (_transactions(np.random.default_rng(i)) for i in range(_CREDIT_DRAWS))
    # A model of one attribute ranks by it, whatever it is fitted on.
    tables = {}
    for i, name in enumerate(("m1", "m2")):
        model = LogisticRegression().fit(first[:, [i]], y)
        tables[name] = tuple(_scored(model, x[:, [i]], y) for x in (first, *others))
    return MappingProxyType(tables)


def _transactions(random: Generator) -> NDArray[np.float64]:
    """Two attributes of transactions, frauds first: normal, and for frauds a mixture of two."""
    x = random.normal(size=(TRANSACTIONS, 2))
    frauds = x[:FRAUDS]
    obvious = random.random(frauds.shape) < (0.5, 0.8)
    frauds[:] = np.where(
        obvious, frauds * (1.5, 1.0) + (4.0, 2.4), frauds * (0.6, 1.0) + (0.3, -0.1)
    )
    return x


def _scored(model: Any, x: NDArray[np.float64], y: NDArray[np.intp]) -> cs.ScoreTable:
    """The table of the probabilities that a fitted model gives to rows."""
    return cs.ScoreTable.from_predictions(y, model.predict_proba(x)[:, 1])


def _forest(seed: int) -> Any:
    return RandomForestClassifier(random_state=seed)


def _over_splits(
    x: NDArray[np.float64],
    y: NDArray[np.intp],
    models: Mapping[str, Callable[[int], Any]],
    splits: int,
) -> Tables:
    """Fit models on stratified training parts and score the test parts, a quarter each."""
    tables: dict[str, list[cs.ScoreTable]] = {name: [] for name in models}
    for seed in range(splits):
        x_train, x_test, y_train, y_test = train_test_split(x, y, stratify=y, random_state=seed)
        for name, make in models.items():
            tables[name].append(_scored(make(seed).fit(x_train, y_train), x_test, y_test))
    return MappingProxyType({name: tuple(each) for name, each in tables.items()})
