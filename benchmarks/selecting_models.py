"""What it costs to select a model by AUC, by Brier score and by expected loss.

Run as ``python -m benchmarks.selecting_models [SPLITS]``; it writes
benchmarks/selecting_models.csv. The models are logistic regressions of different
regularisation, selected by cross-validation in one half of the rows; the other half says what the
selected one costs per 1,000 cases, where a false negative costs 10 to 100 times a false positive.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import costspace as cs
from benchmarks.tables import in_hundredths, write
from costspace.arrays import BoolArray, FloatArray
from costspace.sklearn import expected_loss_scorer, metric_scorer, money_scorer

SPLITS = 20
LOW, HIGH = 10, 100  # what a false negative costs, in false positives
STRENGTHS = np.logspace(-4, 2, 7)
USES = {"ScoreDriven": cs.ScoreDriven(), "Optimal": cs.Optimal()}
BASE = "Brier score"
PATH = Path(__file__).with_suffix(".csv")


def model(strength: float) -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression(C=strength, max_iter=3000))


def scorers(known: cs.Deployment, choice: cs.ThresholdChoice) -> dict[str, Any]:
    costs = cs.Uniform(
        cs.cost_proportion(fp_cost=1, fn_cost=HIGH), cs.cost_proportion(fp_cost=1, fn_cost=LOW)
    )
    return {
        "AUC": metric_scorer(metric=cs.auc),
        BASE: metric_scorer(metric=cs.brier_score),
        "expected loss": expected_loss_scorer(choice=choice, costs=costs),
        "money": money_scorer(conditions=known, choice=choice),
    }


def costs_of_split(X: FloatArray, y: BoolArray, seed: int) -> dict[tuple[str, str], float]:
    """Cost of what is selected, by how thresholds are set and by what it is selected."""
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=seed)
    known = cs.Deployment(fp_cost=1, fn_cost=(LOW, HIGH), prevalence=float(y_test.mean()))
    found = {}
    for use, choice in USES.items():
        search = GridSearchCV(
            model(1.0),
            {"logisticregression__C": STRENGTHS},
            scoring=scorers(known, choice),
            refit=False,
        ).fit(X, y)
        paid = {}
        for i, strength in enumerate(STRENGTHS):
            scores = model(strength).fit(X, y).predict_proba(X_test)[:, 1]
            paid[i] = cs.expected_money(y_test, scores, choice=choice, conditions=known)
        for name in scorers(known, choice):
            found[use, name] = paid[int(np.argmax(search.cv_results_[f"mean_test_{name}"]))]
        found[use, "hindsight"] = min(paid.values())
    return found


def study(splits: int, console: Console) -> list[dict[str, Any]]:
    cancer, digits = load_breast_cancer(), load_digits()
    data_sets = {
        "cancer": (cancer.data, cancer.target == 0),
        "digit 8": (digits.data, digits.target == 8),
    }
    rows = []
    for data, (X, y) in data_sets.items():
        seeds = track(range(splits), description=data, console=console, transient=True)
        found = [costs_of_split(X, y, seed) for seed in seeds]
        for use, name in found[0]:
            costs = np.array([one[use, name] for one in found])
            more = costs - np.array([one[use, BASE] for one in found])
            rows.append(
                {
                    "data": data,
                    "thresholds": use,
                    "selected_by": name,
                    "cost_per_1000": float(costs.mean()),
                    "more_than_by_brier": float(more.mean()),
                    "se_of_more": float(more.std(ddof=1) / np.sqrt(splits)),
                }
            )
    return rows


def report(rows: list[dict[str, Any]], console: Console) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("data", "thresholds", "selected by", "cost per 1,000", "more than by Brier"):
        table.add_column(heading)
    for row in rows:
        more = f"{row['more_than_by_brier']:+.1f} ± {row['se_of_more']:.1f}"
        what = (row["data"], row["thresholds"], row["selected_by"])
        table.add_row(*what, f"{row['cost_per_1000']:.1f}", more)
    console.print(table)


if __name__ == "__main__":
    console = Console(width=120, highlight=False)
    rows = study(int(sys.argv[1]) if len(sys.argv) > 1 else SPLITS, console)
    write(PATH, map(in_hundredths, rows))
    report(rows, console)
