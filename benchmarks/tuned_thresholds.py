"""What thresholds learnt from labelled rows cost on others: on real files and on drawn ones.

Run as ``python -m benchmarks.tuned_thresholds``, which takes a quarter of an hour and writes
benchmarks/tuned_thresholds.csv, from the data that scikit-learn has with it and from drawn ones. Or
as ``python -m benchmarks.tuned_thresholds FILE.csv ...``, which prints the same of other files: of
labels 0 and 1 in the column ``y_true`` and the scores in all others, but ``fold`` and costs.
"""

import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_sample_images,
    load_wine,
)
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import StratifiedKFold, TunedThresholdClassifierCV, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import costspace as cs
from benchmarks.tables import in_hundredths, write
from costspace.arrays import BoolArray, FloatArray

# Costs of a false positive and of a false negative.
RATIOS = ((1, 20), (1, 10), (1, 5), (1, 2), (1, 1), (3, 1), (10, 1))
DRAWN_RATIOS = ((1, 20), (1, 5), (1, 1), (3, 1), (10, 1))
SPLITS, DRAWN = 24, 20
# Of drawn populations: rows, share of positives, and how many quantiles stand for a class.
DRAWN_ROWS, DRAWN_SHARES, QUANTILES = (400, 800, 2000), (0.1, 0.3), 4000
# Rows that are fitted on: half of a file's at most, the other half is held out.
SIZES = (400, 1200)
DRIVEN = "ScoreDriven"
PATH = Path(__file__).with_suffix(".csv")


class Scored(NamedTuple):
    """Labels and the scores of one model."""

    y: BoolArray
    s: FloatArray

    def rows(self, chosen: Any) -> "Scored":
        return Scored(self.y[chosen], self.s[chosen])

    @property
    def probabilities(self) -> bool:
        return bool(np.all((self.s >= 0) & (self.s <= 1)))


# --- Data ---


def of_scikit_learn() -> dict[tuple[str, str], Scored]:
    """Out-of-fold scores of three models on each of its data sets, by their names."""
    cancer, digits, iris, wine = load_breast_cancer(), load_digits(), load_iris(), load_wine()
    diabetes = load_diabetes()
    china, flower = (image[::10, ::10].reshape(-1, 3) for image in load_sample_images().images)
    tasks = {
        "cancer": (cancer.data, cancer.target == 0),
        "odd digits": (digits.data, digits.target % 2 == 1),
        "digit 8": (digits.data, digits.target == 8),
        "digits 3, 9": (digits.data, np.isin(digits.target, [3, 9])),
        "diabetes": (diabetes.data, diabetes.target > np.median(diabetes.target)),
        "diabetes, high": (diabetes.data, diabetes.target > np.quantile(diabetes.target, 0.75)),
        "pixels": (
            np.concatenate([china, flower]).astype(float),
            np.arange(len(china) + len(flower)) >= len(china),
        ),
        "wine": (wine.data[:, :4], wine.target == 1),
        "iris": (iris.data, iris.target == 1),
    }
    models = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "bayes": GaussianNB(),
        "forest": RandomForestClassifier(random_state=0),
    }
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return {
        (task, name): Scored(
            y, cross_val_predict(model, X, y, cv=folds, method="predict_proba")[:, 1]
        )
        for task, (X, y) in tasks.items()
        for name, model in models.items()
    }


def of_files(paths: Iterable[str]) -> dict[tuple[str, str], Scored]:
    found = {}
    for path in paths:
        columns = np.genfromtxt(path, delimiter=",", names=True)
        for name in columns.dtype.names:
            if name not in ("y_true", "fold") and not name.endswith("_cost"):
                found[Path(path).stem, name] = Scored(columns["y_true"] == 1, columns[name])
    return found


# --- Ways to set the threshold: from labelled rows and scores of others to the rows flagged at the
# costs of a false positive and of a false negative ---

Way: TypeAlias = Callable[[Scored, FloatArray], Callable[[float, float], BoolArray]]


def by_choice(choice: cs.ThresholdChoice) -> Way:
    def way(train: Scored, s: FloatArray) -> Callable[[float, float], BoolArray]:
        held = choice.flagging(cs.ScoreTable.from_predictions(*train), s).held
        assert held is not None
        return lambda fp_cost, fn_cost: (
            held.until > cs.cost_proportion(fp_cost=fp_cost, fn_cost=fn_cost)
        )

    return way


def line_on_score(train: Scored, s: FloatArray) -> Callable[[float, float], BoolArray]:
    """A logistic regression on the score, which Platt (1999) fits, almost without a penalty."""
    middle, unit = train.s.mean(), train.s.std() or 1.0
    line = LogisticRegression(C=1e3, max_iter=1000).fit((train.s - middle)[:, None] / unit, train.y)
    log_odds = line.decision_function((s - middle)[:, None] / unit)
    return lambda fp_cost, fn_cost: log_odds > np.log(fp_cost / fn_cost)


class AsScored(ClassifierMixin, BaseEstimator):
    """A fitted model whose input is its score."""

    def fit(self, X: FloatArray, y: BoolArray) -> "AsScored":
        self.classes_ = np.array([False, True])
        return self

    def decision_function(self, X: FloatArray) -> FloatArray:
        return X[:, 0]


def tuned(train: Scored, s: FloatArray) -> Callable[[float, float], BoolArray]:
    def flagged(fp_cost: float, fn_cost: float) -> BoolArray:
        scoring = make_scorer(_cost, greater_is_better=False, fp_cost=fp_cost, fn_cost=fn_cost)
        model = TunedThresholdClassifierCV(AsScored(), scoring=scoring)
        return np.asarray(model.fit(train.s[:, None], train.y).predict(s[:, None]))

    return flagged


def driven(train: Scored, s: FloatArray) -> Callable[[float, float], BoolArray]:
    return lambda fp_cost, fn_cost: s > cs.cost_proportion(fp_cost=fp_cost, fn_cost=fn_cost)


WAYS: dict[str, Way] = {
    "Smoothed": by_choice(cs.Smoothed()),
    "Optimal": by_choice(cs.Optimal()),
    "a line on the score": line_on_score,
    "TunedThresholdClassifierCV": tuned,
    DRIVEN: driven,
}


# --- Measuring ---


def _cost(y: BoolArray, flagged: BoolArray, fp_cost: float, fn_cost: float) -> float:
    return float(fp_cost * np.sum(flagged & ~y) + fn_cost * np.sum(y & ~flagged)) / len(y)


def costs_on_file(rows: Scored, size: int) -> dict[tuple[int, int], dict[str, FloatArray]]:
    """For each ratio and way the cost of the half held out, in each split."""
    generator = np.random.default_rng(0)
    found: dict[tuple[int, int], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for _ in range(SPLITS):
        order = generator.permutation(len(rows.y))[: 2 * size]
        train, test = rows.rows(order[::2]), rows.rows(order[1::2])
        for name, way in WAYS.items():
            if name != DRIVEN or rows.probabilities:
                flagged_at = way(train, test.s)
                for ratio in RATIOS:
                    found[ratio][name].append(_cost(test.y, flagged_at(*ratio), *ratio))
    return {r: {k: np.array(v) for k, v in own.items()} for r, own in found.items()}


def study_files(data: dict[tuple[str, str], Scored], console: Console) -> list[dict[str, Any]]:
    """Excess over the least mean cost of all ways, in percent: one row a way, size and scores."""
    rows = []
    for size in SIZES:
        for (task, model), scored in track(data.items(), console=console, transient=True):
            # The smaller size has all files, the larger those that have as many rows.
            if size > SIZES[0] and len(scored.y) < 2 * size:
                continue
            for ratio, costs in costs_on_file(scored, size).items():
                mean = {name: float(np.mean(own)) for name, own in costs.items()}
                whole = len(scored.y) >= 2 * size
                rows += [
                    {
                        "fitted": f"{size:,}" if whole else f"fewer than {size}",
                        "data": task,
                        "model": model,
                        "costs": "{}:{}".format(*ratio),
                        "way": name,
                        **_excess(mean, name),
                    }
                    for name in mean
                    if min(mean.values()) > 0
                ]
    return rows


def _excess(mean: dict[str, float], name: str) -> dict[str, float]:
    least = min(mean.values())
    better = min(mean[name], mean.get(DRIVEN, mean[name]))
    return {
        "excess": 100 * (mean[name] / least - 1),
        "with_driven": 100 * (better / least - 1),
    }


class Humps:
    """A class in two humps."""

    def ppf(self, u: FloatArray) -> FloatArray:
        return np.where(u < 0.5, stats.norm.ppf(2 * u, 0, 0.5), stats.norm.ppf(2 * u - 1, 3, 0.5))


POPULATIONS: dict[str, tuple[Any, Any]] = {
    "normal": (stats.norm(0, 1), stats.norm(1.5, 1)),
    "unequal spread": (stats.norm(0, 1), stats.norm(1.5, 2)),
    "t3": (stats.t(3), stats.t(3, loc=1.5)),
    "two humps": (stats.norm(1, 1), Humps()),
    "exponential": (stats.expon(scale=1), stats.expon(scale=3)),
    "beta": (stats.beta(2, 5), stats.beta(4, 2)),
    "strong": (stats.norm(0, 1), stats.norm(3.5, 1)),
}


def study_drawn(console: Console) -> list[dict[str, Any]]:
    """Regret over the best threshold, in percent of the best rule without a model."""
    rows = []
    u = (np.arange(QUANTILES) + 0.5) / QUANTILES
    ways = {name: way for name, way in WAYS.items() if name != DRIVEN}
    for name, classes in track(POPULATIONS.items(), console=console, transient=True):
        negatives, positives = (one.ppf(u) for one in classes)
        population = np.concatenate([negatives, positives])
        fpr = 1 - np.searchsorted(negatives, population, "right") / QUANTILES
        fnr = np.searchsorted(positives, population, "right") / QUANTILES
        regret = defaultdict(list)
        for n, share in ((n, share) for n in DRAWN_ROWS for share in DRAWN_SHARES):
            generator = np.random.default_rng(n)
            for _ in range(DRAWN):
                y = generator.random(n) < share
                drawn = generator.random(n)
                train = Scored(y, np.where(y, classes[1].ppf(drawn), classes[0].ppf(drawn)))
                decided = [way(train, population) for way in ways.values()]
                for ratio in DRAWN_RATIOS:
                    worth = ratio[0] * (1 - share), ratio[1] * share
                    least = min(*worth, np.min(worth[0] * fpr + worth[1] * fnr))
                    for way, flagged_at in zip(ways, decided, strict=True):
                        negatives, positives = np.split(flagged_at(*ratio), 2)
                        cost = worth[0] * negatives.mean() + worth[1] * (~positives).mean()
                        regret[way].append(100 * (cost - least) / min(worth))
        rows += [
            {
                "fitted": "drawn",
                "data": name,
                "model": "",
                "costs": "",
                "way": way,
                "excess": float(np.mean(own)),
                "with_driven": np.nan,
            }
            for way, own in regret.items()
        ]
    return rows


def by_scores(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Means over ratios of costs."""
    keys, numbers = ("fitted", "data", "model", "way"), ("excess", "with_driven")
    found = defaultdict(list)
    for row in rows:
        found[tuple(row[key] for key in keys)].append([row[number] for number in numbers])
    return [
        dict(zip(keys, what, strict=True))
        | dict(zip(numbers, map(float, np.mean(own, axis=0)), strict=True))
        for what, own in found.items()
    ]


def report(rows: list[dict[str, Any]], console: Console) -> None:
    """Means over scores and ratios by size, and the regret by population."""
    for fitted in dict.fromkeys(row["fitted"] for row in rows):
        table = Table(title=f"{fitted}: excess in percent", title_justify="left", box=None)
        own = [row for row in rows if row["fitted"] == fitted]
        if fitted == "drawn":
            headings = ["mean", *dict.fromkeys(row["data"] for row in own)]
        else:
            headings = ["mean", "90th percentile", "with ScoreDriven", "against Optimal", "cases"]
        table.add_column("way")
        for heading in headings:
            table.add_column(heading, justify="right")
        for way in dict.fromkeys(row["way"] for row in own):
            mine = [row for row in own if row["way"] == way]
            excess = np.array([row["excess"] for row in mine])
            if fitted == "drawn":
                cells = [f"{x:.2f}" for x in (excess.mean(), *excess)]
            else:
                better = np.mean([row["with_driven"] for row in mine])
                cells = [f"{x:.1f}" for x in (excess.mean(), np.quantile(excess, 0.9), better)]
                cells += [_against(mine, own), str(len(mine))]
            table.add_row(way, *cells)
        console.print(table)


def _against(mine: list[dict[str, Any]], own: list[dict[str, Any]]) -> str:
    """Mean difference from `Optimal`, and its standard error with each data set as a unit."""
    keys = ("data", "model", "costs")
    optimal = {
        tuple(row[key] for key in keys): row["excess"] for row in own if row["way"] == "Optimal"
    }
    more = defaultdict(list)
    for row in mine:
        more[row["data"]].append(row["excess"] - optimal[tuple(row[key] for key in keys)])
    means = [float(np.mean(one)) for one in more.values()]
    error = float(np.std(means, ddof=1) / np.sqrt(len(means))) if len(means) > 1 else np.nan
    return f"{np.mean(means):+.1f} ± {error:.1f}"


if __name__ == "__main__":
    # Few scores of a forest look like labels.
    warnings.simplefilter("ignore")
    console = Console(width=140, highlight=False)
    files = of_files(sys.argv[1:])
    if files:
        report(study_files(files, console), console)
    else:
        rows = study_files(of_scikit_learn(), console) + study_drawn(console)
        write(PATH, map(in_hundredths, by_scores(rows)))
        report(rows, console)
