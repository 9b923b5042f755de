"""`costspace report` as a user sees it."""

import base64
import gzip
import json
import re

import numpy as np
import pytest
from command_line import as_json, refused, run
from prediction_files import write_csv

import costspace as cs

EVIL = "</script><script>alert(1)</script>"


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    good = np.clip(rng.normal(0.35 + 0.3 * y, 0.2), 0, 1)
    columns = {
        "y": y,
        "good": good,
        EVIL: good.round(1),
        "w": rng.integers(1, 4, 200),
        "patient": np.arange(200) // 2,
    }
    return write_csv(tmp_path / "predictions.csv", columns)


def stored(page):
    found = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])


def packed(page, name):
    found = re.search(rf'id="{name}">([^<]+)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_a_page_with_a_decision(file, tmp_path, capsys):
    out = tmp_path / "report.html"
    printed = run(
        capsys, "report", file, "--label", "y", "--score", "good", "--score", EVIL,
        "--weight", "w", "--groups", "patient", "--fp-cost", 1, "--fn-cost", "5:50",
        "--prevalence", "0.05:0.2", "-o", out,
    )  # fmt: skip
    assert printed == ""
    page = out.read_text()
    assert EVIL not in page
    found = stored(page)
    assert [model["name"] for model in found["models"]] == ["good", EVIL]
    assert found["source"] == {
        "path": file.name, "rows": 200, "weighted": True,
        "negatives": found["source"]["negatives"], "positives": found["source"]["positives"],
    }  # fmt: skip
    assert (found["label"], found["weight"], found["groups"]) == ("y", "w", "patient")
    assert found["initial"]["prevalence"] == [0.05, 0.2]
    assert found["question"]["fn_cost"] == [5, 50]
    assert found["models"][0]["intervals"]["level"] == 0.95
    assert found["decision"]["recommendation"]["text"]


def test_a_page_that_opens_with_a_currency_and_cases_a_year(file, tmp_path, capsys):
    out = tmp_path / "report.html"
    ask = ["report", file, "--label", "y", "--score", "good", "-o", out]
    run(capsys, *ask, "--currency", "EUR", "--cases-a-year", "20000")
    found = stored(out.read_text())["initial"]
    assert (found["currency"], found["cases"]) == ("EUR", 20000)
    told = refused(capsys, *ask, "--currency", "a currency of our own")
    assert told.startswith("currency must be text of up to 12 characters, such as EUR, got ")
    told = refused(capsys, *ask, "--cases-a-year", "0")
    assert told == "cases_a_year must be in (0, inf), got 0."


def test_a_page_without_costs(file, tmp_path, capsys):
    out = tmp_path / "report.html"
    run(capsys, "report", file, "--label", "y", "--score", "good", "-o", out)
    found = stored(out.read_text())
    assert found["decision"] is None
    assert found["question"] is None
    assert found["fixed"] is None
    assert packed(out.read_text(), "rows")["positive"]["type"] == "u1"
    assert found["version"] == cs.__version__


def test_a_page_that_opens_with_limits_what_is_known_and_a_rule_in_use(file, tmp_path, capsys):
    out = tmp_path / "report.html"
    asked = ["--fp-cost", "1:2", "--fn-cost", "5", "--tp-cost", "-1", "--prevalence", "0.1:0.2"]
    asked += ["--known", "costs", "--capacity", "0.3", "--max-fpr", "0.5", "--baseline", "good:0.5"]
    run(capsys, "report", file, "--label", "y", "--score", "good", *asked, "-o", out)
    found = stored(out.read_text())
    assert found["question"] == {
        "fp_cost": [1, 2], "fn_cost": [5, 5], "tp_cost": [-1, -1], "tn_cost": [0, 0],
        "prevalence": [0.1, 0.2], "review": None, "estimated": False, "batch": None,
        "known": ["costs"],
        "limits": {"capacity": 0.3, "max_fpr": 0.5},
        "baseline": {"model": "good", "threshold": 0.5},
    }  # fmt: skip
    decided = as_json(capsys, "decide", file, "--label", "y", "--score", "good", *asked)
    assert found["decision"]["recommendation"] == decided["recommendation"]
    # Outcomes are found first of what is recommended, and of the rule in use.
    assert found["decision"]["baseline"] == decided["baseline"]
    assert decided["baseline"]["outcomes"] is not None


def test_a_page_that_opens_with_a_review(file, tmp_path, capsys):
    out = tmp_path / "report.html"
    run(
        capsys, "report", file, "--label", "y", "--score", "good", "--fp-cost", 1, "--fn-cost", 5,
        "--review-cost", "0.2:0.4", "--review-sensitivity", 0.9, "--review-capacity", 20,
        "--batch-size", 200, "-o", out,
    )  # fmt: skip
    found = stored(out.read_text())
    looked = {"cost": [0.2, 0.4], "sensitivity": [0.9, 0.9], "specificity": [1, 1]}
    question = found["question"]
    assert question["review"] == looked
    assert (question["limits"], question["batch"]) == ({"review_capacity": 0.1}, 200)
    decision = found["decision"]
    assert decision["labels"]["score_driven_without_review"] == (
        "Probabilities taken at face value, no review"
    )
    assert decision["labels"]["review_everybody"] == "Review everybody"
    assert all(one in decision["beside"] for one in decision["reviews"])
    assert len(decision["reviews"]) in (1, 2)


def test_a_page_of_costs_of_each_case_answers_one_question(file, tmp_path, capsys):
    out = tmp_path / "report.html"
    run(
        capsys, "report", file, "--label", "y", "--score", "good", "--fp-cost", "1",
        "--fn-cost-column", "w", "-o", out,
    )  # fmt: skip
    found = stored(out.read_text())
    assert found["fixed"].startswith("Each case has costs of its own here")
    assert found["question"] is None
    assert 'id="rows"></script>' in out.read_text()
    assert set(found["decision"]) >= {"knowing_more", "limits_kept"}


def test_a_page_of_validation_rows_answers_one_question(file, tmp_path, capsys):
    out = tmp_path / "report.html"
    run(
        capsys, "report", file, "--label", "y", "--score", "good", "--fp-cost", "1", "--fn-cost",
        "5", "--validate", file, "-o", out,
    )  # fmt: skip
    assert stored(out.read_text())["fixed"].startswith("Strategies were compared on validation")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--fp-cost", "1"], "the cost of a false negative is needed: give --fn-cost"),
        (["--capacity", "0.1"], "the cost of a false positive is needed: give --fp-cost"),
        (["--fp-cost", "1", "--fn-cost", "5", "--folds", "3"], "report has no --folds"),
        (["--fp-cost", "1", "--fn-cost", "5", "--baseline", "other:0.5"], "other"),
        (["--fp-cost", "1", "--fn-cost", "5:2"], "--fn-cost must be LOW:HIGH"),
        (["--fp-cost", "0", "--fn-cost", "5"], "fp_cost must be"),
        (["--prevalence", "1"], "prevalence must be in (0, 1)"),
        (["--costs", "normal"], "--costs must be like"),
        (["--weight", "v"], "v"),
    ],
)
def test_a_failing_input_leaves_no_file(file, tmp_path, capsys, options, text):
    out = tmp_path / "report.html"
    said = refused(capsys, "report", file, "--label", "y", "--score", "good", *options, "-o", out)
    assert text in said
    assert sorted(path.name for path in tmp_path.iterdir()) == [file.name]


def test_the_file_that_is_read_is_not_written_to(file, capsys):
    before = file.read_bytes()
    said = refused(capsys, "report", file, "--label", "y", "--score", "good", "-o", file)
    assert "is read too" in said
    assert file.read_bytes() == before
