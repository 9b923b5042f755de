"""Real models' scores on data that scikit-learn ships."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

MODELS = {
    "logistic": lambda: make_pipeline(StandardScaler(), LogisticRegression()),
    "saturated": GaussianNB,
    "tied": lambda: RandomForestClassifier(20, random_state=0),
}
DATA = {"cancer": load_breast_cancer, "digits": load_digits, "wine": load_wine}


class Predictions:
    """Labels, one model's scores in [0, 1], and weights that go with them."""

    def __init__(self, name: str, y: np.ndarray, s: np.ndarray) -> None:
        self.name, self.y, self.s = name, y, s
        self.weight = np.random.default_rng(0).gamma(2, size=len(y))


def score_out_of_fold(data: str, model: str) -> Predictions:
    x, y = DATA[data](return_X_y=True)
    y = {"cancer": y == 0, "digits": y == 8, "wine": y == 1}[data].astype(int)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    proba = cross_val_predict(MODELS[model](), x, y, cv=folds, method="predict_proba")
    return Predictions(f"{data}, {model}", y, proba[:, 1])


@pytest.fixture(scope="session")
def scored() -> dict[tuple[str, str], Predictions]:
    return {(d, m): score_out_of_fold(d, m) for d in DATA for m in MODELS}


@pytest.fixture(params=[(d, m) for d in DATA for m in MODELS], ids=", ".join)
def predictions(
    request: pytest.FixtureRequest, scored: dict[tuple[str, str], Predictions]
) -> Predictions:
    return scored[request.param]
