"""Deciding at another condition: `predict` against scoring and one comparison, nothing anew.

The classifier is `ThresholdChoiceClassifier` on a logistic regression; the thresholds alone, which
are asked with scores at hand, are measured too.
"""

from collections.abc import Callable
from statistics import median

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.linear_model import LogisticRegression

import costspace as cs
from benchmarks.measure import median_ratio, paired_times
from costspace.sklearn import ThresholdChoiceClassifier
from costspace.sklearn.reacting_rules import ReactingRules

ROWS = 10**6
TRAINING = 10**4
FEATURES = 10
ROUNDS = 15
CONDITION = 0.1
CHOICES = {"score-driven": cs.ScoreDriven(), "optimal": cs.Optimal()}


def rows(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Features and labels, a tenth of them positive."""
    y = (rng.random(n) < 0.1).astype(int)
    return rng.normal(size=(n, FEATURES)) + 0.4 * y[:, None], y


def report(console: Console) -> None:
    """Measure, and print one table."""
    table = Table(title=f"ThresholdChoiceClassifier at another condition, n = {ROWS:.0e}", box=None)
    table.add_column("choice")
    table.add_column("condition")
    for heading in ("predict: ms", "times as long", "thresholds: ms", "times as long"):
        table.add_column(heading, justify="right")
    rng = np.random.default_rng(0)
    train, X = rows(TRAINING, rng), rows(ROWS, rng)[0]
    each = rng.random(ROWS)
    for name, choice in CHOICES.items():
        fitted = ThresholdChoiceClassifier(LogisticRegression(), choice=choice).fit(*train)
        for which, condition in (("one", CONDITION), ("one a row", each)):
            table.add_row(
                name, which, *_predicting(fitted, X, condition), *_deciding(fitted, X, condition)
            )
    console.print(table)
    console.print(
        "\nTimes as long as predict_proba of the logistic regression and one comparison of the "
        "rows' probabilities with their thresholds, and as that comparison alone."
    )


def _predicting(fitted: ThresholdChoiceClassifier, X: np.ndarray, c: object) -> tuple[str, str]:
    threshold = fitted.threshold_at(c)
    return _against(
        lambda: fitted.predict(X, cost_proportion=c),
        lambda: fitted.estimator_.predict_proba(X)[:, 1] > threshold,
    )


def _deciding(fitted: ThresholdChoiceClassifier, X: np.ndarray, c: object) -> tuple[str, str]:
    scores = np.ascontiguousarray(fitted.estimator_.predict_proba(X)[:, 1])
    threshold = fitted.threshold_at(c)
    own = fitted.prevalence_
    p = np.full(len(X), own) if np.ndim(c) else own
    choice = cs.Optimal() if fitted.score_table_ else cs.ScoreDriven(calibrated_to=own)
    thresholds = ReactingRules(choice, fitted.score_table_)
    nothing_drawn = np.zeros(len(X))
    return _against(
        lambda: thresholds.rules(c, p).decided(scores, nothing_drawn), lambda: scores > threshold
    )


def _against(ours: Callable[[], object], bare: Callable[[], object]) -> tuple[str, str]:
    times = paired_times({"ours": ours, "bare": bare}, ROUNDS)
    seconds = median(times["ours"])
    return f"{1000 * seconds:.1f}", f"{median_ratio(times['ours'], times['bare']):.2f}"
