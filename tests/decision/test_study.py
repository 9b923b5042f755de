"""The study of decisions: its populations, its rivals, and the tables that the docs have of it."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import make_scorer
from sklearn.model_selection import TunedThresholdClassifierCV

from benchmarks.coverage import limits, savings
from benchmarks.coverage.decisions import figures, summary
from benchmarks.coverage.populations import APART, Population
from benchmarks.coverage.registry import PARTS
from benchmarks.coverage.rivals import tuned_threshold
from benchmarks.coverage.settings import SETTINGS, Drawn, Setting, best, least_trivial, money_of_cut
from benchmarks.tables import Row, read

ROOT = Path(__file__).parents[2]
TABLES = ROOT / "benchmarks" / "coverage"
Words: TypeAlias = Callable[[Sequence[Row]], Iterable[str]]


@pytest.mark.parametrize(
    ("part", "page", "words"),
    [
        ("decisions", "docs/concepts/uncertainty.md", summary),
        ("decisions", "benchmarks/coverage.md", PARTS["decisions"].words),
        ("limits", "docs/concepts/uncertainty.md", limits.brief),
        ("limits", "benchmarks/coverage.md", PARTS["limits"].words),
        ("savings", "docs/concepts/money.md", savings.brief),
    ],
)
def test_the_docs_have_the_tables_of_the_study(part: str, page: str, words: Words) -> None:
    rows = read(TABLES / f"{part}.csv")
    assert len(rows) == len(PARTS[part].settings) <= 40
    assert "\n".join(words(rows)) in (ROOT / page).read_text()


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
    assert (row["bias"], row["coverage"], row["width_ratio"]) == pytest.approx((4, 50, 1.25))
    regrets = row["regret"], row["regret_in_sample"], row["regret_tuned"]
    assert regrets == pytest.approx((0, 3, 4))
    assert row["false_savings"] == 50


@pytest.mark.parametrize(("part", "place"), [("decisions", 20), ("limits", 5), ("savings", 0)])
def test_a_simulation_is_the_same_in_every_run(part: str, place: int) -> None:
    study = PARTS[part]
    setting = study.settings[place]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first, second = study.simulate(setting, 3), study.simulate(setting, 3)
    assert first == second
    assert study.simulations >= 1000


def test_figures_of_limits() -> None:
    # A threshold is found, it keeps the limits, what is said, what is true, whether that is held.
    samples = np.array([(0, *[np.nan] * 4), (1, 1, 110, 100, 1), (1, 0, 90, 100, 1)])
    row = limits.figures(limits.SETTINGS[0], samples)
    assert (row["kept"], row["bias"], row["coverage"]) == pytest.approx((50, 0, 100))
    assert row["found"] == pytest.approx(200 / 3)


def test_figures_of_savings() -> None:
    # What is saved, its interval, p, what is truly saved.
    samples = np.array([(20, 10, 30, 0.01, 5), (10, -5, 25, 0.2, 5)])
    row = savings.figures(savings.SETTINGS[0], samples)
    assert (row["saved"], row["bias"], row["told_apart"]) == pytest.approx((5, 10, 50))
    assert (row["coverage"], row["below"], row["above"]) == pytest.approx((50, 50, 0))
