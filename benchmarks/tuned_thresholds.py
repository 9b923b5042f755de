"""What held-out decisions about rare events cost, by how the threshold is set.

Run as ``python -m benchmarks.tuned_thresholds [SPLITS]``, which takes minutes; it writes
benchmarks/tuned_thresholds.csv.
"""

import hashlib
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_digits, load_sample_images
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import (
    FixedThresholdClassifier,
    TunedThresholdClassifierCV,
    cross_val_predict,
    train_test_split,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.metaestimators import available_if

import costspace as cs
from benchmarks.tables import in_hundredths, write
from costspace.arrays import BoolArray, FloatArray
from costspace.sklearn import HybridClassifier, ThresholdChoiceClassifier

SPLITS, SHARE = 20, 0.02
FOLDS = 5  # of everything that cross-validates, which is scikit-learn's default, too
SINGLE = (1.0, 10.0, 50.0, 200.0)  # what a false negative costs, in false positives
# Log-uniform from 5 to 500: the middles of equally likely parts.
RANGE = tuple(5 * 100 ** ((np.arange(8) + 0.5) / 8))
COLUMNS = {f"{cost:g}": (cost,) for cost in SINGLE} | {"5 to 500": RANGE}
BASE, PICKED = "Tuned, defaults", "one of the three"
PATH = Path(__file__).with_suffix(".csv")


class Data(NamedTuple):
    """Rows, of which half are fitted on and half held out."""

    X: FloatArray
    y: BoolArray

    def halves(self, seed: int) -> tuple["Data", "Data"]:
        """Half of the rows, with positives left out until they are rare, and the other half."""
        X, X_test, y, y_test = train_test_split(
            self.X, self.y, test_size=0.5, stratify=self.y, random_state=seed
        )
        negative, positive = np.flatnonzero(~y), np.flatnonzero(y)
        # Calibration in folds asks for a positive in each.
        kept = max(round(len(negative) * SHARE / (1 - SHARE)), FOLDS)
        rows = np.random.default_rng(seed).permutation(np.append(negative, positive[:kept]))
        return Data(X[rows], y[rows]), Data(X_test, y_test)

    def __str__(self) -> str:
        return f"{len(self.y)} rows, {self.y.sum()} positive"


def data_sets() -> dict[str, Data]:
    """Those that scikit-learn has with it."""
    cancer = load_breast_cancer()
    digits = load_digits()
    china, flower = (image[::5, ::5].reshape(-1, 3) for image in load_sample_images().images)
    return {
        "cancer": Data(cancer.data, cancer.target == 0),
        "odd digits": Data(digits.data, digits.target % 2 == 1),
        "digit 8": Data(digits.data, digits.target == 8),
        "pixels": Data(
            np.concatenate([china, flower]).astype(float),
            np.arange(len(china) + len(flower)) >= len(china),
        ),
    }


def _has_decision_values(shared: "Shared") -> bool:
    return hasattr(shared.estimator, "decision_function")


class Shared(ClassifierMixin, BaseEstimator):
    """A classifier that is fitted to the same rows, and scores the same, once for all who ask."""

    known: ClassVar[dict[tuple[str, ...], Any]] = {}

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: FloatArray, y: BoolArray) -> "Shared":
        self.classes_ = np.unique(y)
        self.key_ = (repr(self.estimator), _digest(X), _digest(y))
        self.estimator_ = self._once(self.key_, lambda: clone(self.estimator).fit(X, y))
        return self

    def predict(self, X: FloatArray) -> BoolArray:
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X: FloatArray) -> FloatArray:
        return self._scores("predict_proba", X)

    @available_if(_has_decision_values)
    def decision_function(self, X: FloatArray) -> FloatArray:
        return self._scores("decision_function", X)

    def _scores(self, method: str, X: FloatArray) -> FloatArray:
        key = (*self.key_, method, _digest(X))
        return self._once(key, lambda: getattr(self.estimator_, method)(X))

    def _once(self, key: tuple[str, ...], make: Callable[[], Any]) -> Any:
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]


def _digest(array: Any) -> str:
    return hashlib.sha256(np.ascontiguousarray(array)).hexdigest()


def models() -> dict[str, Any]:
    return {
        "logistic": Shared(make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))),
        "bayes": Shared(GaussianNB()),
        "forest": Shared(RandomForestClassifier(random_state=0)),
    }


# --- Ways to set the threshold: from a model, rows and costs to the rows flagged at each cost ---

Way: TypeAlias = Callable[[Any, Data, FloatArray], Callable[[float], BoolArray]]


def _cost(y_true: BoolArray, y_pred: BoolArray, *, fn_cost: float) -> float:
    return float(np.mean(y_pred & ~y_true) + fn_cost * np.mean(y_true & ~y_pred))


def _minus_cost(fn_cost: float) -> Any:
    return make_scorer(_cost, greater_is_better=False, fn_cost=fn_cost)


def plain(model: Any, train: Data, X: FloatArray) -> Callable[[float], BoolArray]:
    flagged = model.fit(*train).predict(X)
    return lambda _: flagged


def tuned(model: Any, train: Data, X: FloatArray) -> Callable[[float], BoolArray]:
    flagged = _tuned(model, train).predict(X)
    return lambda _: flagged


def tuned_to_cost(model: Any, train: Data, X: FloatArray) -> Callable[[float], BoolArray]:
    return lambda cost: _tuned(model, train, _minus_cost(cost)).predict(X)


def tuned_to_cost_finely(model: Any, train: Data, X: FloatArray) -> Callable[[float], BoolArray]:
    # Of all thresholds those at scores of positives can be best, and that of nobody.
    held_out = cross_val_predict(model, *train, cv=FOLDS, method="predict_proba")[:, 1]
    own = np.unique(np.append(held_out[train.y], [0.0, 1.0]))
    return lambda cost: _tuned(model, train, _minus_cost(cost), own).predict(X)


def tuned_to_mean(model: Any, train: Data, X: FloatArray) -> Callable[[float], BoolArray]:
    # What one operating point costs is linear in the cost of a false negative.
    flagged = _tuned(model, train, _minus_cost(float(np.mean(RANGE)))).predict(X)
    return lambda _: flagged


def _tuned(
    model: Any,
    train: Data,
    scoring: Any = "balanced_accuracy",
    thresholds: int | FloatArray = 100,
) -> Any:
    """The model with a tuned threshold, or as it is if scikit-learn refuses to tune it.

    It does if in a fold all scores are the same.
    """
    try:
        tuned = TunedThresholdClassifierCV(model, scoring=scoring, thresholds=thresholds)
        return tuned.fit(*train)
    except ValueError as error:
        if "constant predictions" not in str(error):
            raise
        return model.fit(*train)


def fixed(model: Any, train: Data, X: FloatArray) -> Callable[[float], BoolArray]:
    def flagged(cost: float) -> BoolArray:
        at = FixedThresholdClassifier(model, threshold=cs.cost_proportion(1, cost))
        return at.fit(*train).predict(X)

    return flagged


def chosen(choice: cs.ThresholdChoice | None = None, calibration: str | None = None) -> Way:
    def way(model: Any, train: Data, X: FloatArray) -> Callable[[float], BoolArray]:
        if calibration is not None:
            model = CalibratedClassifierCV(model, method=calibration)
        fitted = ThresholdChoiceClassifier(model, choice=choice).fit(*train)
        return lambda cost: fitted.predict(X, fp_cost=1, fn_cost=cost)

    return way


WAYS: dict[str, Way] = {
    "0.5": plain,
    BASE: tuned,
    "Tuned, true cost": tuned_to_cost,
    "Tuned, true cost, finely": tuned_to_cost_finely,
    "Tuned, mean cost": tuned_to_mean,
    "Fixed, Bayes": fixed,
    "ScoreDriven": chosen(),
    "ScoreDriven, sigmoid": chosen(calibration="sigmoid"),
    "ScoreDriven, isotonic": chosen(calibration="isotonic"),
    "Optimal": chosen(cs.Optimal()),
}


# --- The same where one of the models is picked, too ---


def tuned_best(
    candidates: dict[str, Any], train: Data, X: FloatArray
) -> Callable[[float], BoolArray]:
    flagged = _best([_tuned(model, train) for model in candidates.values()], X)
    return lambda _: flagged


def tuned_to_cost_best(
    candidates: dict[str, Any], train: Data, X: FloatArray
) -> Callable[[float], BoolArray]:
    return lambda cost: _best(
        [_tuned(model, train, _minus_cost(cost)) for model in candidates.values()], X
    )


def _best(fitted: list[Any], X: FloatArray) -> BoolArray:
    return max(fitted, key=lambda one: getattr(one, "best_score_", -np.inf)).predict(X)


def hybrid(choice: cs.ThresholdChoice | None = None) -> Way:
    def way(candidates: dict[str, Any], train: Data, X: FloatArray) -> Callable[[float], BoolArray]:
        fitted = HybridClassifier(list(candidates.items()), choice=choice).fit(*train)
        return lambda cost: fitted.predict(X, fp_cost=1, fn_cost=cost)

    return way


PICKING: dict[str, Way] = {
    BASE: tuned_best,
    "Tuned, true cost": tuned_to_cost_best,
    "Hybrid, ScoreDriven": hybrid(),
    "Hybrid, Optimal": hybrid(cs.Optimal()),
    "flag nobody": lambda _, train, X: lambda cost: np.zeros(len(X), dtype=bool),
    "flag everybody": lambda _, train, X: lambda cost: np.ones(len(X), dtype=bool),
}


# --- Measuring ---


def costs_of_split(data: Data, seed: int) -> Iterator[tuple[str, str, str, float]]:
    """Model, way, column and cost per 1,000 cases of the half held out."""
    Shared.known.clear()
    train, test = data.halves(seed)
    prevalence = train.y.mean()
    tasks = [(name, model, WAYS) for name, model in models().items()]
    for model, candidate, ways in [*tasks, (PICKED, models(), PICKING)]:
        for way, decide in ways.items():
            flagged_at = decide(candidate, train, test.X)
            for column, fn_costs in COLUMNS.items():
                if decide is tuned_to_mean and fn_costs != RANGE:
                    continue
                money = [_money(flagged_at(cost), test.y, cost, prevalence) for cost in fn_costs]
                yield model, way, column, float(np.mean(money))


def _money(flagged: BoolArray, y: BoolArray, fn_cost: float, prevalence: float) -> float:
    """Cost per 1,000 cases with the prevalence of the fitted rows.

    All held-out positives count, with smaller weights: that leaves the least to chance.
    """
    fpr, fnr = flagged[~y].mean(), 1 - flagged[y].mean()
    return 1000 * float((1 - prevalence) * fpr + prevalence * fn_cost * fnr)


def study(splits: int, console: Console) -> list[dict[str, Any]]:
    rows = []
    for name, data in data_sets().items():
        train, test = data.halves(0)
        console.print(f"{name}: {train} to fit on; {test} held out")
        found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
        for seed in track(range(splits), description=name, console=console, transient=True):
            for *what, money in costs_of_split(data, seed):
                found[tuple(what)].append(money)
        for (model, way, column), money in found.items():
            more = np.subtract(money, found[model, BASE, column])
            rows.append(
                {
                    "data": name,
                    "model": model,
                    "way": way,
                    "fn_cost": column,
                    "cost_per_1000": np.mean(money),
                    "se": _standard_error(money),
                    "more_than_tuned": np.mean(more),
                    "se_of_more": _standard_error(more),
                }
            )
    return rows


def _standard_error(values: Any) -> float:
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def summary(rows: list[dict[str, Any]], console: Console) -> None:
    """Over data sets and models: costs in those of Tuned's defaults, how often they are apart."""
    found: dict[tuple[str, str], dict[str, list[tuple[float, float]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in rows:
        picked = "picked" if row["model"] == PICKED else "each"
        ratio = row["cost_per_1000"] / (row["cost_per_1000"] - row["more_than_tuned"])
        errors = row["more_than_tuned"] / row["se_of_more"] if row["se_of_more"] else 0.0
        found[picked, row["way"]][row["fn_cost"]].append((ratio, errors))
    title = f"cost / {BASE}, geometric mean; cost less, cost more by two standard errors"
    table = Table(title=title, title_justify="left", box=None)
    for heading in ("model", "way", *COLUMNS):
        table.add_column(heading, justify="left" if heading in ("model", "way") else "right")
    for (picked, way), own in found.items():
        cells = []
        for column in COLUMNS:
            ratios, errors = np.array(own[column]).T if own[column] else (None, None)
            cells.append(
                ""
                if ratios is None
                else f"{np.exp(np.log(ratios).mean()):.2f} ({sum(errors < -2)}, {sum(errors > 2)})"
            )
        table.add_row(picked, way, *cells)
    console.print(table)


def report(rows: list[dict[str, Any]], console: Console) -> None:
    """One table a data set: the cost, and how much more that is than of Tuned's defaults."""
    for name in dict.fromkeys(row["data"] for row in rows):
        table = Table(title=f"{name}: cost per 1,000", title_justify="left", box=None)
        for heading in ("model", "way", *COLUMNS):
            table.add_column(heading, justify="left" if heading in ("model", "way") else "right")
        cells: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
        for row in rows:
            if row["data"] == name:
                cells[row["model"], row["way"]][row["fn_cost"]] = (
                    f"{row['cost_per_1000']:.0f} "
                    f"({row['more_than_tuned']:+.0f} ± {row['se_of_more']:.0f})"
                )
        for (model, way), own in cells.items():
            table.add_row(model, way, *(own.get(column, "") for column in COLUMNS))
        console.print(table)


if __name__ == "__main__":
    # Folds without a positive, of which there are few, make warnings of scores that say nothing.
    warnings.simplefilter("ignore", UserWarning)
    console = Console(width=160, highlight=False)
    rows = study(int(sys.argv[1]) if len(sys.argv) > 1 else SPLITS, console)
    write(PATH, map(in_hundredths, rows))
    report(rows, console)
    summary(rows, console)
