"""Score scikit-learn's breast-cancer data with three models, out of fold, into a CSV.

Run as ``python examples/demo.py OUT.csv``. Malignant is the positive class. The file that it writes
is kept as ``examples/breast_cancer.csv``.
"""

import csv
import sys
from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive_bayes": GaussianNB(),
    "random_forest": RandomForestClassifier(random_state=0),
}


def out_of_fold_scores():
    """Return the columns of the CSV: the labels, and each model's probability of malignant."""
    data = load_breast_cancer()
    malignant = (data.target == list(data.target_names).index("malignant")).astype(int)
    folds = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)
    columns = {"y_true": malignant.tolist()}
    for name, model in MODELS.items():
        probabilities = cross_val_predict(
            model, data.data, malignant, cv=folds, method="predict_proba"
        )
        columns[name] = probabilities[:, 1].tolist()
    return columns


def main(path):
    columns = out_of_fold_scores()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    print(f"wrote {path}: {len(columns['y_true'])} rows")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
