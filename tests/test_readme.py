"""What the README says and shows besides its blocks, which run as tests of their own."""

import csv
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import costspace as cs

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
README = (ROOT / "README.md").read_text(encoding="utf-8")


def columns(path: Path) -> dict[str, np.ndarray]:
    with path.open(newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    return dict(zip(names, np.array(rows, dtype=float).T, strict=True))


# The libraries that score the patients may warn of what they will change.
@pytest.mark.filterwarnings("default")
def test_the_file_is_what_the_demo_makes(tmp_path: Path) -> None:
    runpy.run_path(str(EXAMPLES / "demo.py"))["main"](tmp_path / "made.csv")
    made, kept = columns(tmp_path / "made.csv"), columns(EXAMPLES / "breast_cancer.csv")
    assert list(made) == list(kept)
    for name, scores in made.items():
        assert scores == pytest.approx(kept[name], abs=1e-6)


def test_pictures_are_there_and_small() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert len(shown) == 2
    assert all((ROOT / path).stat().st_size < 200_000 for path in shown)


def test_the_opening_says_what_the_data_do() -> None:
    data = columns(EXAMPLES / "breast_cancer.csv")
    y, tables = data["y_true"], {}
    for name in ("logistic", "naive_bayes", "random_forest"):
        tables[name] = cs.ScoreTable.from_predictions(y, data[name])
    known = cs.Deployment(fp_cost=1, fn_cost=(10, 100), prevalence=y.mean())

    def biopsies(model: str, choice: cs.ThresholdChoice) -> str:
        return f"{cs.expected_money(tables[model], choice=choice, conditions=known):,.0f}"

    aucs = {name: cs.auc(table) for name, table in tables.items()}
    assert max(aucs, key=aucs.__getitem__) == "logistic"
    assert max(aucs.values()) - min(aucs.values()) < 0.01
    everybody = biopsies("logistic", cs.ScoreFixed(-1))
    at_half, fitting = (biopsies("logistic", c) for c in (cs.ScoreFixed(0.5), cs.ScoreDriven()))
    trusting = biopsies("naive_bayes", cs.ScoreDriven())
    ill = f"{1000 * y.mean():.0f}"
    opening = " ".join(README.partition("## Decide")[0].split())
    for said in (
        f"{len(y)} patients, {100 * y.mean():.0f} % with breast cancer",
        f"naive Bayes costs as much as {trusting} biopsies per 1,000 patients",
        f"a biopsy for everybody costs {everybody} biopsies, since those of the {ill} ill",
        f"The best model by AUC, logistic, costs {at_half} biopsies with a threshold of 0.5",
        f"and {fitting} with thresholds that fit the costs",
    ):
        assert said in opening
