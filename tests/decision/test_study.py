"""The study of decisions: its populations, its rivals, and the table that the docs have of it."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import make_scorer
from sklearn.model_selection import TunedThresholdClassifierCV

from benchmarks.coverage.decisions import PART, figures, simulate, summary, table
from benchmarks.coverage.populations import APART, Population
from benchmarks.coverage.rivals import tuned_threshold
from benchmarks.coverage.settings import SETTINGS, Drawn, Setting, best, least_trivial, money_of_cut
from benchmarks.tables import read

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "benchmarks" / "coverage" / "decisions.csv"


def test_the_docs_have_the_table_of_the_study() -> None:
    rows = read(TABLE)
    assert len(rows) == len(SETTINGS) <= 40
    said = (ROOT / "docs" / "concepts" / "uncertainty.md").read_text()
    assert "\n".join([*table(rows), "", *summary(rows)]) in said


@pytest.mark.parametrize("kind", APART)
def test_rates_of_a_population_are_those_of_its_rows(kind: str) -> None:
    population, n = Population(kind, 0.3), 200_000
    y, scores, _ = population.draw(n, np.random.default_rng(0))
    for model, s in scores.items():
        for cut in np.quantile(s, [0.2, 0.7]):
            fpr, fnr = population.rates(model, cut)
            assert fpr == pytest.approx(np.mean(s[y == 0] > cut), abs=0.005)
            assert fnr == pytest.approx(np.mean(s[y == 1] <= cut), abs=0.008)


def test_no_rule_of_the_population_beats_the_best() -> None:
    for setting in SETTINGS:
        if setting.capacity or setting.by_case:
            continue
        for model in setting.population.models:
            costs = money_of_cut(setting, model, np.linspace(0, 1, 501))
            assert best(setting) <= min(costs.min(), least_trivial(setting)) + 1e-3


class _Given(ClassifierMixin, BaseEstimator):
    """A classifier whose only feature is the score."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])

    def predict(self, X):
        return (X[:, 0] > 0.5).astype(int)


def test_the_tuned_threshold_is_that_of_scikit_learn() -> None:
    setting = Setting("overconfident", 200, 0.1)
    one = Drawn.of(setting, 0)
    y, scores = one.rows.positive.astype(int), one.rows.scores["m0"]

    def lost(y_true, y_pred):
        return np.mean((y_true == 0) & (y_pred == 1)) + 8 * np.mean((y_true == 1) & (y_pred == 0))

    theirs = TunedThresholdClassifierCV(
        _Given(),
        scoring=make_scorer(lost, greater_is_better=False),
        response_method="predict_proba",
    ).fit(scores[:, None], y)
    cost, cut = tuned_threshold(one, scores)
    assert cut == pytest.approx(theirs.best_threshold_, rel=1e-12)
    assert cost == pytest.approx(-1000 * theirs.best_score_, rel=1e-12)


def test_figures_of_a_setting() -> None:
    setting = Setting("useless", 200, 0.5)
    # Said, its interval, how wide that is uncorrected, true, two rivals, no saving claimed falsely.
    samples = np.array(
        [
            (510.0, 450.0, 550.0, 80.0, 500.0, 520.0, 530.0, 0.0),
            (530.0, 510.0, 610.0, 80.0, 500.0, 510.0, 510.0, 1.0),
        ]
    )
    row = figures(setting, samples)
    assert (row["bias"], row["coverage"], row["width_ratio"]) == ("4.000", "50.000", "1.250")
    assert (row["regret"], row["regret_in_sample"], row["regret_tuned"]) == (
        *("0.000", "3.000", "4.000"),
    )
    assert row["false_savings"] == "50.000"


def test_a_simulation_is_the_same_in_every_run() -> None:
    setting = SETTINGS[20]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first, second = simulate(setting, 3), simulate(setting, 3)
    assert first == second
    assert PART.simulations >= 1000
